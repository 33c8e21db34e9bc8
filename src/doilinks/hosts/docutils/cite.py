"""Shows works as nodes: texts on hover, citations, and lists of references.

Docutils and Sphinx share this code. A parser leaves a mark for a citation and an empty container
for a list. Both are filled late, when all places that mention a work are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Final, TypeGuard

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from docutils.parsers.rst.states import Inliner
from docutils.transforms import Transform
from docutils.transforms.universal import SmartQuotes
from docutils.utils import get_source_line, unescape

from ...cite.citations import Cluster, may_cite, parse, parse_role, text_and_target, typed
from ...cite.marker import SCOPES, ListRequest
from ...cite.page import CITATION, WorkLookup, placed
from ...cite.references import ORDERS, Entry, Mention, References, anchor_of, format_all, place_of
from ...core.doi import DOI, InvalidDOI
from ...core.markup import CITE_ROLES
from ...core.nameless import WorkId
from ...core.options import Options, strings
from ...core.printable import printable
from ...core.text import HIDDEN, SourceText
from ...record.words import NO_FORMULA, StyledText, classes_of, no_formula
from .link import DOI_OF, set_attributes

# --------------------------------------------------------------------------------------------------
# Citations in the text, and the marks that stand for them until works are known.

CITE: Final = "doi_cite"  # the ``Cluster`` of a mark
PLAIN: Final = "doi_plain"  # a mark becomes text, because it is in a link or a title of Pelican

# If words around a name contain these, they are markup, and the name is a citation of its own.
_MARKUP: Final = frozenset("`*|<>\0")


def cite_mark(written: str, cluster: Cluster) -> nodes.inline:
    """Build the node that stays in the tree in the place of a citation."""
    mark = nodes.inline(written, written)
    # The text is replaced in the end; until then no typography must change it.
    mark[CITE], mark["support_smartquotes"] = cluster, False
    return mark


def is_cite(node: nodes.Node) -> TypeGuard[nodes.inline]:
    """Tell whether a node is the mark of a citation."""
    return isinstance(node, nodes.inline) and CITE in node


def citations_in(text: str, options: Options) -> list[Cluster]:
    """Find the citations in a text, if the options ask for them."""
    found = []
    for cluster in parse(text, options.cite_bib) if may_cite(text, options) else ():
        words = "".join(f"{cite.before}{cite.after}" for cite in cluster.cites)
        is_link = text.startswith("(", cluster.end) and not cluster.narrative
        if not is_link and _MARKUP.isdisjoint(words):
            found.append(cluster)
    return found


def hidden_citations(
    source: str, plain: SourceText, escape: str, options: Options
) -> Iterator[tuple[int, int, str, Cluster | None]]:
    """Yield the span, text and cluster of each citation in a source; None for an escaped one."""
    for each in citations_in(plain.text, options):
        start, end = plain.span(each.start, each.end)
        is_escaped = source[start] == escape or f"{escape}@" in source[start:end]
        yield start, end, plain.text[each.start : each.end], None if is_escaped else each


def without(text: str, clusters: Iterable[Cluster]) -> str:
    """Return the text, of the same length, with citations hidden."""
    hidden = ((each.start, each.end, HIDDEN * (each.end - each.start)) for each in clusters)
    return SourceText.of(text, hidden).text


def with_typography(
    marks: Iterable[nodes.inline], document: nodes.document, host: type[SmartQuotes]
) -> None:
    """Give the words beside works the quotes and dashes that the host gives to other text."""
    marks = [*marks]
    if not any(cite.before + cite.after for mark in marks for cite in mark[CITE].cites):
        return
    words: Any = document.copy()
    for mark in marks:
        for cite in mark[CITE].cites:
            words += [nodes.paragraph("", each) for each in (cite.before, cite.after)]
    host(words, words).apply()
    texts = iter([each.astext() for each in words])
    for mark in marks:
        cites = (each._replace(before=next(texts), after=next(texts)) for each in mark[CITE].cites)
        mark[CITE] = mark[CITE]._replace(cites=tuple(cites))


def cite_role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Inliner, *_: Any, **__: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Read the role ``:doi:cite:``, in brackets, or ``:doi:cite:t:``, part of the sentence.

    Others have the names that users of sphinxcontrib-bibtex and natbib type.
    """
    written = unescape(text)
    try:
        settings = inliner.document.settings
        config = getattr(getattr(settings, "env", None), "config", settings)  # of Sphinx
        cites = parse_role(written, strings(getattr(config, "doi_cite_bib", None) or ()))
    except InvalidDOI as error:
        message = inliner.reporter.error(f"role {name!r}: {error}", line=lineno)
        return [inliner.problematic(rawtext, rawtext, message)], [message]
    cluster = Cluster(0, len(written), cites, narrative=name.lower().endswith("t"))
    return [cite_mark(written, cluster)], []


ROLES: Final = dict.fromkeys(CITE_ROLES, cite_role)


# --------------------------------------------------------------------------------------------------
# The directive ``doi-list``, which leaves an empty container.

LIST: Final = "doi_list"  # the ``ListRequest`` of a container


class DoiList(Directive):
    """A list of the works that a page mentions: ``.. doi-list::``."""

    option_spec = {  # noqa: RUF012  docutils' own attribute
        "scope": partial(directives.choice, values=SCOPES),
        "order": partial(directives.choice, values=ORDERS),
        "style": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Leave a container for the list."""
        node = nodes.container(classes=["doi-list"])
        node.source, node.line = self.state_machine.get_source_and_line(self.lineno)
        node[LIST] = ListRequest(**self.options, line=node.line or 0)
        lists_of(self.state.document).append(node)
        return [node]


def lists_of(document: nodes.document) -> list[nodes.container]:
    """Return the lists of a document that was parsed."""
    lists: list[nodes.container] = vars(document).setdefault("doi_lists", [])
    return lists


# --------------------------------------------------------------------------------------------------
# The places that mention works.

PLACE: Final = "doi_place"  # the mentions of a link or a citation; Sphinx copies them with it

# A link to a work, or a citation.
Mentioned = DOI | Cluster
_ISOLATES: Final = str.maketrans("", "", "\u2068\u2069")  # no font of LaTeX has them
_STYLES: Final[Mapping[str, type[nodes.TextElement]]] = {
    "i": nodes.emphasis,
    "b": nodes.strong,
    "sub": nodes.subscript,
    "sup": nodes.superscript,
}


def names_in(mentioned: Mentioned) -> list[WorkId]:
    """Return the names of a place."""
    return [mentioned] if isinstance(mentioned, DOI) else [cite.doi for cite in mentioned.cites]


def number(places: Iterable[nodes.TextElement], page: str = "") -> list[Mentioned]:
    """Assign numbers to the places of a page, each work from 1; return what they mention."""
    numbered = {node: doi_of(node) or node[CITE] for node in places if PLAIN not in node}
    mentions = mentions_of(page, numbered.values())
    for node, each in numbered.items():
        node[PLACE] = [*islice(mentions, len(names_in(each)))]
    return [*numbered.values()]


def mentions_of(page: str, mentioned: Iterable[Mentioned]) -> Iterator[Mention]:
    """Yield the mentions on a page, in the numbering of :func:`number`."""
    counts: Counter[WorkId] = Counter()
    for each in mentioned:
        for doi in names_in(each):
            counts[doi] += 1
            yield Mention(doi, place_of(doi, counts[doi]), page, each is not doi)


def places_in(document: nodes.Element) -> Iterator[nodes.TextElement]:
    """Yield the links that doilinks has made, and the marks of citations, in their order."""
    # A loop of our own takes a third of the time of docutils', and this is done for each page.
    stack = [document]
    while stack:
        node = stack.pop()
        stack += [each for each in reversed(node.children) if isinstance(each, nodes.Element)]
        if isinstance(node, nodes.TextElement) and (
            PLACE in node.attributes or DOI_OF in vars(node) or CITE in node.attributes
        ):
            yield node


def doi_of(node: nodes.Node) -> DOI | None:
    """Return the DOI of a link that doilinks has made; None for any other node."""
    doi: DOI | None = vars(node).get(DOI_OF)
    return doi


class WorkNodes:
    """Shows works in a document. A host sets the targets of its citations and lists."""

    citing: Callable[[str], References]  # the texts of the citations of a page
    home: Callable[[str, nodes.inline], str | None]  # the page of the list to which one leads
    has_ids: Callable[[str], bool]  # whether a list leads back to the places of a page
    set_title: Callable[[nodes.reference, str], None]  # shows a text on hover
    # Leads from a page to an id of another one.
    link_to_entry: Callable[[nodes.reference, str, str, str], None]

    def __init__(
        self, lookup: WorkLookup, document: nodes.document, page: str = "", *, html: bool
    ) -> None:
        self.lookup, self.document, self.page, self.html = lookup, document, page, html
        self._ids: set[tuple[str, str]] = set()  # of entries, by page

    def id(self, _page: str, anchor: str) -> str:
        """Return the id of a place or an entry."""
        return anchor

    def show(self) -> None:
        """Show works on hover and in citations, and give places their ids."""
        for node in [*places_in(self.document)]:
            mentions: list[Mention] = node.attributes.pop(PLACE, [])  # a copy has none
            page, ids = mentions[0].page if mentions else self.page, []
            if self.html and self.has_ids(page):
                ids = [self.id(page, mention.anchor) for mention in mentions]
            if is_cite(node):
                node.replace_self(self._citation(node, page, ids))
            elif isinstance(node, nodes.reference):
                node["ids"] += ids
                if doi := mentions[0].doi if mentions else doi_of(node):
                    self._hover(node, doi)

    def fill(self, container: nodes.container, page: str, references: References) -> None:
        """Fill a list of a page, or remove it if there are no works."""
        if not references.entries:
            container.parent.remove(container)
            return
        del container[LIST]
        if self.html:
            container["classes"] += NO_FORMULA
            set_html(container, role="doc-bibliography")
        items: nodes.Element = nodes.bullet_list(bullet="*")
        if references.is_numbered:
            items = nodes.enumerated_list(enumtype="arabic", prefix="", suffix=".")
        items += [self._entry(entry, page) for entry in references.entries]
        container += items

    def _text_of(self, runs: Iterable[StyledText]) -> list[nodes.Node]:
        made = []
        for run in runs:
            node: nodes.Node = nodes.Text(run.text if self.html else run.text.translate(_ISOLATES))
            for style in reversed(run.styles):
                node = _STYLES[style]("", "", node)
            made.append(node)
        return made

    def _link(self, doi: WorkId, text: str | None, *classes: str) -> nodes.reference:
        options = self.lookup.options
        name, href = text_and_target(doi, options)
        node = nodes.reference("", text or name, classes=[*options.classes, *classes])
        set_attributes(node, href, options)
        if text in (None, name):
            node["support_smartquotes"] = False  # the text is a name
        return node

    def _hover(self, node: nodes.reference, doi: WorkId) -> None:
        hovers = self.html and self.lookup.options.hovers
        if hovers and (shown := self.lookup.known_works.on_hover(doi)):
            node["classes"] = list(dict.fromkeys((*node["classes"], *shown.classes)))
            self.set_title(node, shown.text)

    def _citation(self, mark: nodes.inline, page: str, ids: Iterable[str]) -> list[nodes.Node]:
        known_works, home = self.lookup.known_works, self.home(page, mark)
        done: list[nodes.Node] = []
        places = zip((cite.doi for cite in mark[CITE].cites), ids, strict=False)
        for piece, place in placed(self.citing(page).words(mark[CITE]), places):
            ignored = no_formula(piece.text) if self.html else ()
            text = self._text_of(piece.runs)
            if piece.doi is None or PLAIN in mark:
                is_said = piece.doi and ignored
                done += [nodes.inline("", "", *text, classes=[*ignored])] if is_said else text
                continue
            node: nodes.TextElement = nodes.inline()  # of a work that the style does not show
            if text:
                work = known_works.work(piece.doi)
                known = [CITATION, *classes_of(work)] if work else []
                node = link = self._link(piece.doi, piece.text, *known, *ignored)
                link[:] = text
                self._hover(link, piece.doi)
                if home is not None and work:
                    anchor = anchor_of(known_works.same(piece.doi))
                    self.link_to_entry(link, page, home, self.id(home, anchor))
                if not (link.get("refuri") or "refid" in link):  # a key without a list
                    node = nodes.inline("", "", *text, classes=link["classes"])
            node["ids"] += [place] if place else []
            done.append(node)
        return done

    def _entry(self, entry: Entry, page: str) -> nodes.list_item:
        text = nodes.paragraph()
        item = nodes.list_item("", text)
        anchor = self.id(page, entry.anchor)
        # A title may have the id of an entry.
        if (page, anchor) not in self._ids and anchor not in self.document.ids:
            if self.html:
                item["ids"].append(anchor)
            else:
                text += nodes.target(ids=[anchor])
        self._ids.add((page, anchor))
        text += self._text_of(entry.runs)
        link = self._link(entry.doi, None, *(classes_of(entry.work) if entry.work else ()))
        space = " " if entry.runs and not entry.after else ""
        text += [nodes.Text(space), link] if link.get("refuri") else []
        text += self._text_of(entry.after)
        for back in entry.backs if self.html else ():
            link = nodes.reference("", back.text, internal=True, classes=["doi-back"])
            set_html(link, **{"aria-label": back.label})
            there = back.mention.page
            self.link_to_entry(link, page, there, self.id(there, back.mention.anchor))
            text += [nodes.Text(back.before), link]
        return item


# --------------------------------------------------------------------------------------------------
# Attributes of HTML for which nodes have no place.

_HTML: Final = "doi_html"


def set_html(node: nodes.Element, **attributes: str) -> None:
    """Give the element of a node further attributes of HTML."""
    setattr(node, _HTML, attributes)


def with_attributes(translator: type[Any]) -> type[Any]:
    """Return a subclass of an HTML translator that writes these attributes, escaped."""
    if vars(translator).get(_HTML):
        return translator

    class Translator(translator):  # type: ignore[misc]  # a class that is given
        doi_html = True

        def starttag(self, node: Any, *arguments: Any, **attributes: Any) -> str:
            more = getattr(node, _HTML, None) or {}
            tag: str = super().starttag(node, *arguments, **{**more, **attributes})
            return tag

    return Translator


class ShowWorks(Transform):
    """Fill citations and lists, then give links their texts on hover."""

    default_priority: ClassVar[int] = 860  # after smart quotes, which would change names of people

    def apply(
        self, *, options: Options, cites: bool, as_typed: nodes.Text | None = None, **_: Any
    ) -> None:
        """Show works. Of a citation that stays as it is typed, only warn."""
        if as_typed is not None:
            self._warn(typed(as_typed, options), get_source_line(as_typed.parent)[1])
        lists = lists_of(self.document)
        if not (options.hovers or cites or lists):
            return
        # The folder of paths in settings is the current one.
        lookup = WorkLookup(options, Path(), self._warn, self.document.settings.language_code)
        mentioned = number(places_in(self.document))
        mentions = [*mentions_of("", mentioned)]
        if mentions and lookup.known_works.trouble:
            self._warn(lookup.known_works.trouble)
        elif cites:
            lines: dict[WorkId, int | None] = {}
            for found in getattr(self.document, "dois", ()):
                lines.setdefault(found.doi, found.line)
            for mark in filter(is_cite, places_in(self.document)):
                for cite in mark[CITE].cites:
                    lines.setdefault(cite.doi, get_source_line(mark)[1])
            cited = (each.doi for each in mentions if each.cited)
            for doi, message in lookup.known_works.unknown(cited):
                self._warn(f"{message} [doi-cite]", lines.get(doi))
        writer: Any = self.document.transformer.components.get("writer")
        html = writer is not None and writer.supports("html")
        titles = [
            each
            for each in self.document.children
            if isinstance(each, nodes.title) and each.astext() == self.document.get("title")
        ]
        works = []
        clusters = [each for each in mentioned if not isinstance(each, DOI)]
        for each in lists:
            list_request: ListRequest = each[LIST]
            if list_request.scope == "project":
                message = "doi-list: docutils knows one document, so scope is page [doi-list]"
                self._warn(message, each.line)
            warn = partial(self._warn, line=each.line)
            works.append(lookup.references(mentions, clusters, list_request, warn))
        format_all(works)
        shown = WorkNodes(lookup, self.document, html=html)
        said, has_lists = works[0] if works else lookup.references(mentions), bool(lists)
        shown.citing, shown.has_ids = lambda _: said, lambda _: has_lists
        shown.home = lambda *_: "" if has_lists else None
        shown.set_title = lambda node, text: set_html(node, title=text)
        shown.link_to_entry = _link_to_entry
        shown.show()
        for container, listed in zip(lists, works, strict=True):
            shown.fill(container, "", listed)
        for title in titles:  # what a browser shows above the page
            self.document["title"] = title.astext()
        if html and hasattr(writer, "translator_class"):
            # Writers have no titles of links. This is the instance that writes this document.
            writer.translator_class = with_attributes(writer.translator_class)

    def _warn(self, message: str, line: int | None = None) -> None:
        reporter = self.document.reporter
        if reporter.halt_level > reporter.WARNING_LEVEL:
            where: dict[str, Any] = {"line": line} if line else {}
            reporter.warning(message, **where)
        else:  # Pelican leaves out an article with a warning
            import logging  # scan reads these modules too, and never warns

            place = printable(reporter.source or "")
            logging.getLogger("doilinks.docutils").warning("%s: %s", place, message)


def _link_to_entry(node: nodes.reference, _source: str, _page: str, anchor: str) -> None:
    node.attributes.pop("refuri", None)
    node["refid"] = anchor
