"""Shows works in Sphinx: on hover, in citations, and in lists of references.

Pages keep marks and empty containers. They are filled when a page is written, so a new record in
the lock file or a citation on another page never makes Sphinx read a page again. Before pages are
written, those are found that show other works than in the last build.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.builders.dummy import DummyBuilder
from sphinx.domains import Domain
from sphinx.errors import NoUri
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from ...core.doi import DOI
from ..cite import Entry, Mention, References, Shelf
from ..cite.book import is_unknown
from ..cite.references import Style, anchor_of, format_all
from ..docutils.cite import (
    CITE,
    LIST,
    ROLES,
    ListOptions,
    Mentioned,
    Shown,
    doi_of,
    hover_over,
    is_cite,
    lists_of,
    mentions_of,
    names_in,
    number,
    places_in,
    references_of,
    style_for,
    take_place,
    with_attributes,
)
from ..docutils.link import show
from .project import FOUND, PerPage, dois_of, options_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from ..docutils.walk import Linker

_logger: Final = logging.getLogger(__name__)

# --------------------------------------------------------------------------------------------------
# What is kept of each page: its mentions in their order, its lists, and what was shown last.

_MENTIONED: Final[PerPage[list[Mentioned]]] = PerPage("doi_mentioned")
_LISTS: Final[PerPage[list[ListOptions]]] = PerPage("doi_lists")
# By the name of the builder, because builders may share what Sphinx keeps.
_SHOWN: Final[PerPage[dict[str, str]]] = PerPage("doi_shown")
KEPT: Final[tuple[PerPage[Any], ...]] = (_MENTIONED, _LISTS, _SHOWN)

_PAGE: Final = "doi_page"  # of a container
_NO_LIST: Final = ListOptions(style="")


class DoiDomain(Domain):
    """The roles. Sphinx looks for a role whose name has a colon in the domain before the colon."""

    name = "doi"
    label = "DOI"
    roles: ClassVar[Any] = {name.removeprefix("doi:"): role for name, role in ROLES.items()}

    def merge_domaindata(self, docnames: Iterable[str], otherdata: dict[str, Any]) -> None:
        """Do nothing: the domain keeps nothing."""

    def resolve_any_xref(self, *_: Any, **__: Any) -> list[Any]:
        """Nothing: there are no targets. MyST warns of a domain without this method."""
        return []


def keep_mentions(env: BuildEnvironment, document: nodes.document, linker: Linker) -> None:
    """Keep what a page mentions when it was read."""
    page = env.docname
    places = linker.places if linker.is_in_order else places_in(document)
    if mentioned := number(places, page):
        _MENTIONED.of(env)[page] = mentioned
    if lists := lists_of(document):
        _LISTS.of(env)[page] = [each[LIST] for each in lists]
        for each in lists:
            each[_PAGE] = page
        lists.clear()  # the document is kept, and the containers with it
    shelf, options = _of_env[env].shelf, options_of(env.config)
    for file in options.cite_bib:  # which tells what a key is
        env.note_dependency(file)
    for mark in linker.cites:
        for _, message in shelf.unknown(each for each in names_in(mark[CITE]) if is_unknown(each)):
            _logger.warning("%s", message, location=mark, type="doi", subtype="cite")
    if linker.cites:
        # Tables of contents have copies of titles, in which nothing is filled later.
        references = references_of(shelf, (), options)
        for mark in linker.cites:
            show(mark, say(references, mark))


def say(references: References, mark: nodes.inline) -> str:
    """The text of a citation."""
    return "".join(piece.text for piece in references.words(mark[CITE]))


# --------------------------------------------------------------------------------------------------
# The works of a project in one build.


class _Works:
    def __init__(self, app: Sphinx, env: BuildEnvironment, shelf: Shelf | None = None) -> None:
        self._env = env
        self.builder = app.builder
        self.options = options_of(env.config)
        self.root = Path(app.confdir)
        self.shelf = shelf or Shelf.of(self.options, self.root, env.config.language)
        self._lists: dict[tuple[str, ListOptions], References] = {}
        self._styles: dict[str | None, Style] = {}

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
        """Those of the project."""
        return [mention for page in self._order for mention in self.mentions_on(page)]

    def mentions_on(self, page: str) -> list[Mention]:
        """Those of a page."""
        return [*mentions_of(page, _MENTIONED.of(self._env).get(page, ()))]

    def lists_on(self, page: str) -> list[ListOptions]:
        """The lists of a page."""
        return _LISTS.of(self._env).get(page, [])

    @cached_property
    def _of_project(self) -> list[str]:
        """The page of each list of the project."""
        lists = _LISTS.of(self._env).items()
        return [page for page, every in lists for each in every if each.scope == "project"]

    def is_without(self, page: str) -> bool:
        """Whether a page surely shows no work: where it is a file, and nothing is filled later."""
        env, builder = self._env, self.builder
        is_file = builder.format == "html" and builder.name != "singlehtml"
        kept = page in _MENTIONED.of(env) or page in _LISTS.of(env)
        return is_file and not kept and "bibtex_bibfiles" not in env.config

    def home(self, page: str) -> str | None:
        """The page of the list to which the citations of a page lead."""
        if self.lists_on(page):
            return page
        return self._of_project[0] if len(self._of_project) == 1 else None

    def has_places(self, page: str) -> bool:
        """Whether a list leads back to the places of a page."""
        return bool(self._of_project or self.lists_on(page))

    def citing(self, page: str) -> References:
        """What the citations of a page say: as the list to which they lead, or in the plain style.

        They lead to the first list of the page, or else to that of the project.
        """
        home = self.home(page)
        every = self.lists_on(home) if home else [_NO_LIST]
        wanted = every if home in (page, None) else [e for e in every if e.scope == "project"]
        return self.listed(page, wanted[0])

    def format(self) -> None:
        """Format what all pages show, with one call of each style."""
        pages = _LISTS.of(self._env).items()
        format_all([self.listed(page, wanted) for page, every in pages for wanted in every])

    def listed(self, page: str, wanted: ListOptions) -> References:
        """The works of a list."""
        key = ("" if wanted.scope == "project" else page), wanted
        if key not in self._lists:
            mentions = self.mentions_on(page) if key[0] else self.mentions
            kept = _MENTIONED.of(self._env)
            pages = [page] if key[0] else self._order
            found = (each for name in pages for each in kept.get(name, ()))
            if wanted.style not in self._styles:  # one that fails is tried, and told, once
                place = None if wanted.style is None else (page, wanted.line)
                warn = partial(self._warn, place=place)
                self._styles[wanted.style] = style_for(wanted.style, self.options, self.root, warn)
            style = self._styles[wanted.style]
            self._lists[key] = references_of(
                self.shelf, mentions, self.options, found, wanted.order, style
            )
        return self._lists[key]

    def _warn(self, message: str, place: tuple[str, int] | None = None) -> None:
        said = message.removesuffix(" [doi-list]")  # Sphinx adds a code of its own
        _logger.warning("%s", said, type="doi", subtype="cite", location=place)

    def renew_contents(self) -> None:
        """Let tables of contents say what the titles say."""
        for page, mentioned in _MENTIONED.of(self._env).items():
            if not all(isinstance(each, DOI) for each in mentioned):
                env = self._env
                for tree in (env.tocs[page], env.titles[page], env.longtitles[page]):
                    for node in tree.findall(nodes.inline):
                        if is_cite(node):
                            show(node, say(self.citing(page), node))

    def digests(self) -> Iterator[tuple[str, str]]:
        """Each page that shows works, with a digest of what it takes from elsewhere."""
        env = self._env
        hovers = dois_of(env) if self.options.hovers else {}
        for page in {**hovers, **_MENTIONED.of(env), **_LISTS.of(env)}:
            said: list[object] = []
            if self.is_needed:
                found = _MENTIONED.of(env).get(page, ())
                clusters = [each for each in found if not isinstance(each, DOI)]
                cited = {doi for each in clusters for doi in names_in(each)}
                said = [self.citing(page).words(each) for each in clusters]
                said += [self.home(page), self.has_places(page)]
                said += [self._digest(page, wanted) for wanted in self.lists_on(page)]
                said += [
                    f"{doi.uri} {work}" for doi in sorted(cited) if (work := self.shelf.work(doi))
                ]
            linked = sorted({each.doi for each in hovers.get(page, ())})
            said += [(doi.uri, shown) for doi in linked if (shown := self.shelf.on_hover(doi))]
            yield page, _hash(said) if any(said) else ""

    def _digest(self, page: str, wanted: ListOptions) -> str:
        entries = self.listed(page, wanted).entries
        return _hash([(each.doi.uri, each.runs, each.mentions) for each in entries])


def _hash(said: object) -> str:
    return sha1(repr(said).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


_of_env: Final[WeakKeyDictionary[Any, _Works]] = WeakKeyDictionary()


def begin(app: Sphinx, env: BuildEnvironment, _docnames: object) -> None:
    """Begin with a lock file that is not read yet."""
    _of_env[env] = _Works(app, env)
    for message in _of_env[env].shelf.book.trouble:
        _logger.warning("%s", message, type="doi", subtype="cite")


def find_changed(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages that must be written again, because they show other works than in the last build.

    Citations of works that are not known are reported.
    """
    # What was counted while pages were read is not complete.
    works = _of_env[env] = _Works(app, env, _of_env[env].shelf)
    if not (works.is_needed or works.options.hovers):
        return []
    if _LISTS.of(env) and app.builder.format == "html":
        base = app.registry.get_translator_class(app.builder)
        app.set_translator(app.builder.name, with_attributes(base), override=True)
    _report(works, env)
    if isinstance(app.builder, DummyBuilder):  # writes no page
        return []
    works.format()
    works.renew_contents()
    shown, changed = _SHOWN.of(env), []
    for page, digest in works.digests():
        if shown.get(page, {}).get(app.builder.name, "") != digest:
            shown.setdefault(page, {})[app.builder.name] = digest
            changed.append(page)
    return changed


def _report(works: _Works, env: BuildEnvironment) -> None:
    every = dois_of(env) if works.options.hovers else FOUND.of(env)
    if any(every.values()) and works.shelf.trouble:
        _logger.warning("%s", works.shelf.trouble, type="doi", subtype="cite")
        return
    if not works.is_needed:
        return
    first: dict[DOI, str] = {}
    for mention in works.mentions:
        if mention.cited and not is_unknown(mention.doi):
            first.setdefault(mention.doi, mention.page)
    for doi, message in works.shelf.unknown(first):
        page = first[doi]
        found = next((each for each in FOUND.of(env).get(page, ()) if each.doi == doi), None)
        place = f"{found.file}:{found.line}" if found and found.file and found.line else page
        _logger.warning("%s", message, location=place, type="doi", subtype="cite")


# --------------------------------------------------------------------------------------------------
# A page that is being written.


class ShowWorks(SphinxPostTransform):
    """Fill lists and citations, then give links their texts on hover."""

    # After sphinxcontrib-bibtex (5) and the links in it, before references are resolved (10), and
    # before writers of other formats look at links.
    default_priority: ClassVar[int] = 8

    def run(self, **_: Any) -> None:
        """Show works."""
        works = _of_env[self.env]
        builder = works.builder
        html = builder.format == "html"
        if works.is_without(self.env.docname):
            return
        # A page of XML shows all attributes.
        if works.is_needed or (html and works.options.hovers) or "xml" in builder.format:
            one_page = builder.name == "singlehtml"
            page = _Page(works, self.document, self.env.docname, html=html, one_page=one_page)
            page.fill(self._refer)

    def _refer(self, node: nodes.reference, source: str, page: str, anchor: str) -> None:
        """Let a link lead to an id of a page, if the format has links to pages."""
        builder = _of_env[self.env].builder
        if page == source or builder.name == "singlehtml":
            uri, target = "", {"refid": anchor}
        else:
            try:
                uri = builder.get_relative_uri(source, page)
            except NoUri:
                return
            target = {"refuri": f"{uri}#{anchor}"}
        node.attributes.pop("refuri", None)
        node.attributes |= {**target, "internal": True}


_Refer = Callable[[nodes.reference, str, str, str], None]


class _Page:
    def __init__(
        self,
        works: _Works,
        document: nodes.document,
        page: str,
        *,
        html: bool,
        one_page: bool,
    ) -> None:
        self._works, self._document, self._page = works, document, page
        self._shown = Shown(works.options, works.shelf.work, self._title, html=html)
        self._html, self._one_page = html, one_page
        self._ids: set[tuple[str, str]] = set()

    def _id(self, page: str, anchor: str) -> str:
        """The id of a place or an entry; where all pages are one, it differs from page to page."""
        # No title has an id with two hyphens.
        return f"{anchor}--{nodes.make_id(page)}" if self._one_page else anchor

    def fill(self, refer: _Refer) -> None:
        """Fill citations and lists, and give places their ids."""
        for node in list(places_in(self._document)):
            place = take_place(node)
            page = place.page if place else self._page
            ids = []
            if place and self._html and self._works.has_places(page):
                ids = [self._id(page, anchor) for anchor in place.anchors]
            if is_cite(node):
                self._cite(node, page, ids, refer)
            elif isinstance(node, nodes.reference):
                node["ids"] += ids
                doi = place.mentions[0][0] if place else doi_of(node)
                if doi:
                    self._title(node, doi)
        lists = [each for each in self._document.findall(nodes.container) if LIST in each]
        for each in lists:
            self._fill(each, refer)

    def _title(self, node: nodes.reference, doi: DOI) -> None:
        works = self._works
        if self._html and works.options.hovers and (shown := works.shelf.on_hover(doi)):
            node.attributes.setdefault("reftitle", hover_over(node, shown))

    def _cite(self, node: nodes.inline, page: str, ids: list[str], refer: _Refer) -> None:
        home = self._works.home(page)

        # Headers of LaTeX have titles in capitals, in which a link would lead nowhere.
        leads = home if self._html or not isinstance(node.parent, nodes.title) else None

        def lead(link: nodes.reference, doi: DOI) -> None:
            if home and leads and self._works.shelf.work(doi):
                refer(link, page, home, self._id(home, anchor_of(self._works.shelf.same(doi))))

        references = self._works.citing(page)
        node.replace_self(self._shown.citation(node, references, lead, ids))

    def _fill(self, node: nodes.container, refer: _Refer) -> None:
        page: str = node.attributes.pop(_PAGE, self._page)

        def name(entry: Entry) -> str:
            anchor = self._id(page, entry.anchor)
            new = (page, anchor) not in self._ids and anchor not in self._document.ids
            self._ids.add((page, anchor))
            return anchor if new else ""

        def back(link: nodes.reference, mention: Mention) -> None:
            refer(link, page, mention.page, self._id(mention.page, mention.anchor))

        self._shown.fill(node, self._works.listed(page, node[LIST]), name, back)
