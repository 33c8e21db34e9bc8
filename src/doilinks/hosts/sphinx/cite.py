"""Shows works in Sphinx: on hover, in citations, and in lists of references.

Pages keep marks and empty containers. They are filled when a page is written, so a new record in
the lock file or a citation on another page never makes Sphinx read a page again. Before pages are
written, those are found that show other works than in the last build.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from hashlib import sha1
from pathlib import Path
from typing import Any, ClassVar, Final
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.dummy import DummyBuilder
from sphinx.domains import Domain
from sphinx.environment import BuildEnvironment
from sphinx.errors import NoUri
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from ...cite.citations import Cluster
from ...cite.marker import ListRequest
from ...cite.page import WorkLookup
from ...cite.references import Mention, References, format_all
from ...core.doi import DOI
from ...core.nameless import WorkId
from ...lock.bib_files import is_unknown
from ..docutils.cite import (
    CITE,
    LIST,
    PLACE,
    ROLES,
    DoiList,
    Mentioned,
    WorkNodes,
    is_cite,
    lists_of,
    mentions_of,
    names_in,
    number,
    places_in,
    with_attributes,
)
from ..docutils.link import show
from ..docutils.walk import Linker
from .project import DOIS, LAST, PerPage, dois_of, options_of

_logger: Final = logging.getLogger(__name__)

# --------------------------------------------------------------------------------------------------
# Kept for each page: its mentions in their order, its lists, and digests of the last build.

_MENTIONED: Final[PerPage[list[Mentioned]]] = PerPage("doi_mentioned")
_LISTS: Final[PerPage[list[ListRequest]]] = PerPage("doi_lists")
# By the name of the builder, because builders may share the environment.
_DIGESTS: Final[PerPage[dict[str, str]]] = PerPage("doi_shown")
PER_PAGE: Final[tuple[PerPage[Any], ...]] = (_MENTIONED, _LISTS, _DIGESTS)

_PAGE: Final = "doi_page"  # of a container
_NO_LIST: Final = ListRequest(style="")


class DoiDomain(Domain):
    """The roles. Sphinx looks for a role whose name has a colon in the domain before the colon."""

    name = "doi"
    label = "DOI"
    roles: ClassVar[Any] = {name.removeprefix("doi:"): role for name, role in ROLES.items()}

    def merge_domaindata(self, docnames: Iterable[str], otherdata: dict[str, Any]) -> None:
        """Do nothing: the domain keeps nothing."""

    def resolve_any_xref(self, *_: Any, **__: Any) -> list[Any]:
        """Return nothing: there are no targets. MyST warns of a domain without this method."""
        return []


def keep_mentions(env: BuildEnvironment, document: nodes.document, linker: Linker) -> None:
    """Keep the mentions of a page when it was read."""
    page = env.docname
    places = linker.places if linker.is_in_order else places_in(document)
    if mentioned := number(places, page):
        _MENTIONED.of(env)[page] = mentioned
    if lists := lists_of(document):
        _LISTS.of(env)[page] = [each[LIST] for each in lists]
        for each in lists:
            each[_PAGE] = page
        lists.clear()  # the document is kept, and the containers with it
    lookup = _of_env[env].lookup
    for file in lookup.options.cite_bib:  # which tells what a key is
        env.note_dependency(file)
    if linker.typed is not None:
        lookup.tell_typed(linker.typed, partial(_warn, place=linker.typed.parent))
    for mark in linker.cites:
        for _, message in lookup.known_works.unknown(filter(is_unknown, names_in(mark[CITE]))):
            _warn(message, mark)
    if linker.cites:
        # Tables of contents have copies of titles, in which nothing is filled later.
        references = lookup.references(())
        for mark in linker.cites:
            show(mark, say(references, mark))


def _warn(message: str, place: Any = None) -> None:
    # Sphinx adds a code of its own.
    said = message.removesuffix(" [doi-list]").removesuffix(" [doi-cite]")
    _logger.warning("%s", said, type="doi", subtype="cite", location=place)


def say(references: References, mark: nodes.inline) -> str:
    """Return the text of a citation."""
    return "".join(piece.text for piece in references.words(mark[CITE]))


# --------------------------------------------------------------------------------------------------
# The works of a project in one build.


class _Works:
    def __init__(
        self, app: Sphinx, env: BuildEnvironment, lookup: WorkLookup | None = None
    ) -> None:
        self._env = env
        self.builder = app.builder
        options, root = options_of(env.config), Path(app.confdir)
        self.lookup = lookup or WorkLookup(options, root, _warn, env.config.language)
        self._lists: dict[tuple[str, ListRequest], References] = {}

    @cached_property
    def is_needed(self) -> bool:
        """Whether any page shows more than links."""
        env = self._env
        every = (each for page in _MENTIONED.of(env).values() for each in page)
        return bool(_LISTS.of(env)) or any(not isinstance(each, DOI) for each in every)

    @cached_property
    def _order(self) -> list[str]:
        """The pages in the order of the table of contents, then all others."""
        env = self._env
        pages = dict.fromkeys((*env.collect_relations(), *sorted(env.found_docs)))
        return [page for page in pages if page in _MENTIONED.of(env)]

    @cached_property
    def mentions(self) -> list[Mention]:
        return [mention for page in self._order for mention in self._mentions_on(page)]

    def _mentions_on(self, page: str) -> Iterator[Mention]:
        return mentions_of(page, _MENTIONED.of(self._env).get(page, ()))

    def _cited_on(self, page: str) -> Iterator[Cluster]:
        every = _MENTIONED.of(self._env).get(page, ())
        return (each for each in every if not isinstance(each, DOI))

    def _lists_on(self, page: str) -> list[ListRequest]:
        return _LISTS.of(self._env).get(page, [])

    @cached_property
    def _of_project(self) -> list[str]:
        """The page of each list of the project."""
        lists = _LISTS.of(self._env).items()
        return [page for page, every in lists for each in every if each.scope != "page"]

    def home(self, page: str) -> str | None:
        """Return the page of the list to which the citations of a page lead."""
        if self._lists_on(page):
            return page
        return self._of_project[0] if len(self._of_project) == 1 else None

    def has_places(self, page: str) -> bool:
        """Tell whether a list leads back to the places of a page."""
        return bool(self._of_project or self._lists_on(page))

    def citing(self, page: str) -> References:
        """Return the texts of the citations of a page: in the style of their list, or plain.

        They lead to the first list of the page, or else to that of the project.
        """
        home = self.home(page)
        every = self._lists_on(home) if home else [_NO_LIST]
        wanted = every if home in (page, None) else [e for e in every if e.scope != "page"]
        return self.listed(page, wanted[0])

    def format(self) -> None:
        pages = _LISTS.of(self._env).items()
        format_all([self.listed(page, wanted) for page, every in pages for wanted in every])

    def listed(self, page: str, wanted: ListRequest) -> References:
        key = (page if wanted.scope == "page" else ""), wanted
        if key not in self._lists:
            mentions = self._mentions_on(page) if key[0] else self.mentions
            pages = [page] if key[0] else self._order
            cited = (each for name in pages for each in self._cited_on(name))
            place = None if wanted.style is None else (page, wanted.line)
            warn = partial(_warn, place=place)
            self._lists[key] = self.lookup.references(mentions, cited, wanted, warn)
        return self._lists[key]

    def renew_contents(self) -> None:
        """Copy citations in titles to tables of contents."""
        for page, mentioned in _MENTIONED.of(self._env).items():
            if not all(isinstance(each, DOI) for each in mentioned):
                env = self._env
                for tree in (env.tocs[page], env.titles[page], env.longtitles[page]):
                    for node in tree.findall(nodes.inline):
                        if is_cite(node):
                            show(node, say(self.citing(page), node))
                            node.attributes.pop(PLACE, None)  # XML would show it

    def digests(self) -> Iterator[tuple[str, str]]:
        """Yield each page that shows works, with a digest of these works and its lists."""
        env, known_works = self._env, self.lookup.known_works
        hovers = dois_of(env) if self.lookup.options.hovers else {}
        for page in {**hovers, **_MENTIONED.of(env), **_LISTS.of(env)}:
            parts: list[object] = []
            if self.is_needed:
                clusters = [*self._cited_on(page)]
                cited = {doi for each in clusters for doi in names_in(each)}
                parts = [self.citing(page).words(each) for each in clusters]
                parts += [self.home(page), self.has_places(page)]
                for wanted in self._lists_on(page):
                    entries = self.listed(page, wanted).entries
                    rows = [(each.doi.uri, each.text, each.mentions) for each in entries]
                    parts.append(_hash(rows))
                works = ((doi, known_works.work(doi)) for doi in cited)
                parts += sorted(f"{doi.uri} {work}" for doi, work in works if work)
            linked = sorted({each.doi for each in hovers.get(page, ())})
            parts += [(doi.uri, hover) for doi in linked if (hover := known_works.on_hover(doi))]
            yield page, _hash(parts) if any(parts) else ""


def _hash(value: object) -> str:
    return sha1(repr(value).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


_of_env: Final[WeakKeyDictionary[Any, _Works]] = WeakKeyDictionary()


def begin(app: Sphinx, env: BuildEnvironment, _docnames: object) -> None:
    """Begin with a lock file that is not read yet."""
    _of_env[env] = _Works(app, env)


def find_changed(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Find the pages to write again, which show other works than in the last build.

    Citations of works that are not known are reported.
    """
    # While pages are read, not all mentions are known yet, so begin again.
    works = _of_env[env] = _Works(app, env, _of_env[env].lookup)
    if not (works.is_needed or works.lookup.options.hovers):
        return []
    if _LISTS.of(env) and app.builder.format == "html":
        base = app.registry.get_translator_class(app.builder)
        app.set_translator(app.builder.name, with_attributes(base), override=True)
    _report(works, env)
    if isinstance(app.builder, DummyBuilder):  # writes no page
        return []
    works.format()
    works.renew_contents()
    last, changed = _DIGESTS.of(env), []
    for page, digest in works.digests():
        if last.get(page, {}).get(app.builder.name, "") != digest:
            last.setdefault(page, {})[app.builder.name] = digest
            changed.append(page)
    return changed


def _report(works: _Works, env: BuildEnvironment) -> None:
    every = dois_of(env) if works.lookup.options.hovers else DOIS.of(env)
    if any(every.values()) and works.lookup.known_works.trouble:
        _warn(works.lookup.known_works.trouble)
        return
    if not works.is_needed:
        return
    first: dict[WorkId, str] = {}
    for mention in works.mentions:
        if mention.cited and not is_unknown(mention.doi):
            first.setdefault(mention.doi, mention.page)
    for doi, message in works.lookup.known_works.unknown(first):
        page = first[doi]
        found = next((each for each in DOIS.of(env).get(page, ()) if each.doi == doi), None)
        place = f"{found.file}:{found.line}" if found and found.file and found.line else page
        _warn(message, place)


class ShowWorks(SphinxPostTransform):
    """Fill lists and citations, then give links their texts on hover."""

    # After sphinxcontrib-bibtex (5) and the links in it, before references are resolved (10), and
    # before writers of other formats look at links.
    default_priority: ClassVar[int] = 8

    def run(self, **_: Any) -> None:
        """Show works."""
        env, works = self.env, _of_env[self.env]
        builder, page = works.builder, self.env.docname
        html = builder.format == "html"
        # A page that is a file, and of which nothing is kept or filled later, shows no work.
        is_file = html and builder.name != "singlehtml"
        kept = page in _MENTIONED.of(env) or page in _LISTS.of(env)
        if is_file and not kept and "bibtex_bibfiles" not in env.config:
            return
        # A page of XML shows all attributes.
        if works.is_needed or (html and works.lookup.options.hovers) or "xml" in builder.format:
            shown = _Nodes(works, self.document, page, html=html)
            shown.show()
            for each in [each for each in self.document.findall(nodes.container) if LIST in each]:
                of_page: str = each.attributes.pop(_PAGE, page)
                shown.fill(each, of_page, works.listed(of_page, each[LIST]))


class _Nodes(WorkNodes):
    def __init__(self, works: _Works, document: nodes.document, page: str, *, html: bool) -> None:
        super().__init__(works.lookup, document, page, html=html)
        self._builder, self.citing, self.has_ids = works.builder, works.citing, works.has_places
        # Headers of LaTeX have titles in capitals, in which a link would lead nowhere.
        self.home = lambda page, mark: (
            works.home(page) if html or not isinstance(mark.parent, nodes.title) else None
        )
        self._one_page = works.builder.name == "singlehtml"

    def id(self, page: str, anchor: str) -> str:
        """Return an id that differs from page to page, also where all pages are one."""
        # No title has an id with two hyphens.
        return f"{anchor}--{nodes.make_id(page)}" if self._one_page else anchor

    def set_title(self, node: nodes.reference, text: str) -> None:
        node.attributes.setdefault("reftitle", text)

    def link_to_entry(self, node: nodes.reference, source: str, page: str, anchor: str) -> None:
        if page == source or self._one_page:
            target = {"refid": anchor}
        else:
            try:
                uri = self._builder.get_relative_uri(source, page)
            except NoUri:
                return
            target = {"refuri": f"{uri}#{anchor}"}
        node.attributes.pop("refuri", None)
        node.attributes |= {**target, "internal": True}


def setup_works(app: Sphinx) -> None:
    """Set up texts on hover, citations and lists of references."""
    app.add_domain(DoiDomain)
    # The parser of docutils may have added its own to the process.
    app.add_directive("doi-list", DoiList, override=True)
    app.add_post_transform(ShowWorks)
    app.connect("env-before-read-docs", begin)
    app.connect("env-updated", find_changed, priority=LAST)
