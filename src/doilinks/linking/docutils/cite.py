"""What readers see of works, as nodes: texts on hover, citations, and lists of references.

Docutils and Sphinx have this in common. A parser leaves a mark for a citation and an empty
container for a list. They are filled late, when all places that mention a work are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeGuard

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from docutils.utils import unescape

from ...core.doi import DOI, InvalidDOI
from ...core.found import Found
from ...core.link import link_to
from ...core.markup import CITE_ROLES
from ...core.options import Options, strings
from ...core.text import HIDDEN
from ..cite import Cluster, Entry, Mention, References, Run, parse, parse_role
from ..cite.book import Key
from ..cite.citations import may_cite
from ..cite.references import ORDERS, Order, Style, place_of
from ..cite.words import NO_FORMULA, classes_of, no_formula
from .link import DOI_OF, FOUND, build

if TYPE_CHECKING:
    from pathlib import Path

    from docutils.parsers.rst.states import Inliner
    from docutils.transforms.universal import SmartQuotes

    from ...checking.record.work import Work
    from ..cite import Shelf
    from ..cite.shelf import OnHover

# --------------------------------------------------------------------------------------------------
# Citations in the text, and the marks that stand for them until works are known.

CITE: Final = "doi_cite"  # the ``Cluster`` of a mark
PLAIN: Final = "doi_plain"  # a mark becomes text, because it is in a link or a title of Pelican
CLASS: Final = "doi-cite"

# If words around a name contain these, they are markup, and the name is a citation of its own.
_MARKUP: Final = frozenset("`*|<>\0")


def cite_mark(written: str, cluster: Cluster) -> nodes.inline:
    """The node that stays in the tree in the place of a citation."""
    mark = nodes.inline(written, written)
    # The text is replaced in the end; until then no typography must change it.
    mark[CITE], mark["support_smartquotes"] = cluster, False
    return mark


def is_cite(node: nodes.Node) -> TypeGuard[nodes.inline]:
    """Tell whether a node is the mark of a citation."""
    return isinstance(node, nodes.inline) and CITE in node


def citations_in(text: str, options: Options) -> list[Cluster]:
    """The citations in a text, if the options ask for them.

    >>> [cluster.start for cluster in citations_in("As @doi:10.1000/182", Options(cite=True))]
    [3]
    >>> citations_in("As @doi:10.1000/182", Options())
    []
    """
    found = parse(text, options.cite_bib) if may_cite(text, options) else ()
    return [cluster for cluster in found if not _has_markup(cluster, text)]


def without(text: str, clusters: Iterable[Cluster]) -> str:
    """The text, of the same length, with citations hidden."""
    pieces, done = [], 0
    for cluster in clusters:
        pieces += [text[done : cluster.start], HIDDEN * (cluster.end - cluster.start)]
        done = cluster.end
    return "".join([*pieces, text[done:]]) if done else text


def _has_markup(cluster: Cluster, text: str) -> bool:
    words = "".join(f"{cite.before}{cite.after}" for cite in cluster.cites)
    is_link = text.startswith("(", cluster.end) and not cluster.narrative
    return is_link or not _MARKUP.isdisjoint(words)


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


def found_in(mark: nodes.inline) -> Iterator[Found]:
    """The names of a citation, for the list of the document."""
    for cite in mark[CITE].cites:
        if not isinstance(cite.doi, Key):
            yield Found(cite.doi, form="cite", written=mark.rawsource or None)


def cite_role(
    name: str,
    rawtext: str,
    text: str,
    lineno: int,
    inliner: Inliner,
    options: Mapping[str, Any] | None = None,  # noqa: ARG001  docutils' signature
    content: Sequence[str] = (),  # noqa: ARG001  as above
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """The role ``:doi:cite:``, in brackets, and ``:doi:cite:t:``, as part of the sentence.

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

LIST: Final = "doi_list"  # the ``ListOptions`` of a container


class ListOptions(NamedTuple):
    """What the author asks of a list of references."""

    scope: str = "page"
    order: Order = "names"
    style: str | None = None  # None: that of the project
    line: int = 0


def choice(*words: str) -> Callable[[str], str]:
    """The kind of an option of a directive that takes one of some words."""
    return lambda argument: directives.choice(argument, words)


class DoiList(Directive):
    """A list of the works that a page mentions: ``.. doi-list::``."""

    option_spec = {  # noqa: RUF012  docutils' own attribute
        "scope": choice("page", "project"),
        "order": choice(*ORDERS),
        "style": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Leave a container for the list."""
        node = nodes.container(classes=["doi-list"])
        node.source, node.line = self.state_machine.get_source_and_line(self.lineno)
        node[LIST] = ListOptions(**self.options, line=node.line or 0)
        lists_of(self.state.document).append(node)
        return [node]


def lists_of(document: nodes.document) -> list[nodes.container]:
    """The lists of a document that was parsed."""
    lists: list[nodes.container] = vars(document).setdefault("doi_lists", [])
    return lists


# --------------------------------------------------------------------------------------------------
# The places that mention works.

_PLACE: Final = "doi_place"


class Place(NamedTuple):
    """A link or a citation. Sphinx copies it with its node.

    :ivar page: as the host names it
    :ivar mentions: its names, with the number that each has in the page
    """

    page: str
    mentions: Sequence[tuple[DOI, int]]

    @property
    def anchors(self) -> list[str]:
        """The ids of the place."""
        return [place_of(*mention) for mention in self.mentions]


# A link to a work, or a citation.
Mentioned = DOI | Cluster


def names_in(mentioned: Mentioned) -> list[DOI]:
    """The names of a place."""
    return [mentioned] if isinstance(mentioned, DOI) else [cite.doi for cite in mentioned.cites]


def number(places: Iterable[nodes.TextElement], page: str = "") -> list[Mentioned]:
    """Number the places of a page, each work from 1; returns what is there."""
    counts: Counter[DOI] = Counter()
    found: list[Mentioned] = []
    for node in places:
        if PLAIN in node:
            continue
        found.append(doi_of(node) or node[CITE])
        mentions = []
        for each in names_in(found[-1]):
            counts[each] += 1
            mentions.append((each, counts[each]))
        node[_PLACE] = Place(page, mentions)
    return found


def mentions_of(page: str, found: Iterable[Mentioned]) -> Iterator[Mention]:
    """The mentions that :func:`number` has numbered."""
    counts: Counter[DOI] = Counter()
    for each in found:
        for doi in names_in(each):
            counts[doi] += 1
            yield Mention(doi, place_of(doi, counts[doi]), page, each is not doi)


def places_in(document: nodes.Element) -> Iterator[nodes.TextElement]:
    """The links that doilinks has made, and the marks of citations, in their order."""
    # A loop of our own takes a third of the time of docutils', and this is done for each page.
    stack = [document]
    while stack:
        node = stack.pop()
        stack += [each for each in reversed(node.children) if isinstance(each, nodes.Element)]
        if isinstance(node, nodes.TextElement) and (
            _PLACE in node.attributes or DOI_OF in vars(node) or CITE in node.attributes
        ):
            yield node


def take_place(node: nodes.TextElement) -> Place | None:
    """Take from a node what :func:`number` has left; None if it is a copy."""
    place: Place | None = node.attributes.pop(_PLACE, None)
    return place


def doi_of(node: nodes.Node) -> DOI | None:
    """The DOI of a link that doilinks has made."""
    doi: DOI | None = vars(node).get(DOI_OF)
    return doi


# --------------------------------------------------------------------------------------------------
# The nodes.

_ISOLATES: Final = str.maketrans("", "", "\u2068\u2069")  # no font of LaTeX has them
_STYLES: Final[Mapping[str, type[nodes.TextElement]]] = {
    "i": nodes.emphasis,
    "b": nodes.strong,
    "sub": nodes.subscript,
    "sup": nodes.superscript,
}


class Shown:
    """Makes the nodes of citations and lists.

    :param work_of: gives the work of a name, None if it is not known
    :param title: shows the work of a link on hover
    :param html: whether the writer is one for HTML, so that there are links back
    """

    def __init__(
        self,
        options: Options,
        work_of: Callable[[DOI], Work | None],
        title: Callable[[nodes.reference, DOI], None],
        *,
        html: bool,
    ) -> None:
        self._options, self._work_of, self._title, self._html = options, work_of, title, html

    def _text(self, text: str) -> nodes.Text:
        return nodes.Text(text if self._html else text.translate(_ISOLATES))

    def _text_of(self, runs: Iterable[Run]) -> list[nodes.Node]:
        made = []
        for run in runs:
            node: nodes.Node = self._text(run.text)
            for style in reversed(run.styles):
                node = _STYLES[style]("", "", node)
            made.append(node)
        return made

    def _link(self, doi: DOI, text: str | None, *classes: str) -> nodes.reference:
        link = link_to(doi, self._options)
        node = build(link._replace(text=text or link.text), self._options, Found(doi), classes)
        del node[FOUND]
        if text in (None, link.text):
            node["support_smartquotes"] = False  # the text is a name
        return node

    def citation(
        self,
        mark: nodes.inline,
        references: References,
        lead: Callable[[nodes.reference, DOI], None],
        ids: Iterable[str] = (),
    ) -> list[nodes.Node]:
        """The nodes of a citation.

        :param lead: gives a link the entry of the list as its target, if there is one
        :param ids: of its places
        """
        done: list[nodes.Node] = []
        places = [*zip((cite.doi for cite in mark[CITE].cites), ids, strict=False)]
        for piece in references.words(mark[CITE]):
            ignored = no_formula(piece.text) if self._html else ()
            text = self._text_of(piece.runs)
            if piece.doi is None or PLAIN in mark:
                is_said = piece.doi and ignored
                done += [nodes.inline("", "", *text, classes=[*ignored])] if is_said else text
                continue
            node: nodes.TextElement = nodes.inline()  # of a work that the style does not show
            if text:
                work = self._work_of(piece.doi)
                known = [CLASS, *classes_of(work)] if work else []
                node = link = self._link(piece.doi, piece.text, *known, *ignored)
                link[:] = text
                self._title(link, piece.doi)
                lead(link, piece.doi)
                if not (link.get("refuri") or "refid" in link):  # a key without a list
                    node = nodes.inline("", "", *text, classes=link["classes"])
            if place := next((each for each in places if each[0] == piece.doi), None):
                places.remove(place)
                node["ids"].append(place[1])
            done.append(node)
        return done

    def fill(
        self,
        container: nodes.container,
        references: References,
        name: Callable[[Entry], str],
        back: Callable[[nodes.reference, Mention], None],
    ) -> None:
        """Fill a list, or remove it if there are no works.

        :param name: the id of an entry, or ``""``
        :param back: gives a link its place in the text as its target
        """
        if not references.entries:
            container.parent.remove(container)
            return
        del container[LIST]
        if self._html:
            container["classes"] += NO_FORMULA
            set_html(container, role="doc-bibliography")
        items: nodes.Element = nodes.bullet_list(bullet="*")
        if references.is_numbered:
            items = nodes.enumerated_list(enumtype="arabic", prefix="", suffix=".")
        items += [self._entry(entry, name(entry), back) for entry in references.entries]
        container += items

    def _entry(
        self, entry: Entry, name: str, back: Callable[[nodes.reference, Mention], None]
    ) -> nodes.list_item:
        text = nodes.paragraph()
        item = nodes.list_item("", text)
        if name and self._html:
            item["ids"].append(name)
        elif name:
            text += nodes.target(ids=[name])
        text += self._text_of(entry.runs)
        more = classes_of(entry.work) if entry.work else ()
        link = self._link(entry.doi, None, *more)
        text += [nodes.Text(" " if entry.runs else ""), link] if link.get("refuri") else []
        for each in entry.backs if self._html else ():
            link = nodes.reference("", each.text, internal=True, classes=["doi-back"])
            set_html(link, **{"aria-label": each.label})
            back(link, each.mention)
            text += [nodes.Text(each.before), link]
        return item


def hover_over(node: nodes.reference, shown: OnHover) -> str:
    """The text of a link on hover. The link gets the classes that a work has."""
    node["classes"] = list(dict.fromkeys((*node["classes"], *shown.classes)))
    return shown.text


def references_of(
    shelf: Shelf,
    mentions: Iterable[Mention],
    options: Options,
    found: Iterable[Mentioned] = (),
    order: Order = "names",
    style: Style = None,
) -> References:
    """The works of a page or project. A work that is not known is shown as the host shows links."""
    return References(
        shelf.work,
        mentions,
        (each for each in found if not isinstance(each, DOI)),
        order,
        style,
        lambda doi: link_to(doi, options).text or doi.uri,
        shelf.same,
        shelf.language,
    )


def style_for(
    wanted: str | None, options: Options, root: Path, warn: Callable[[str], None]
) -> Style:
    """The style of a list."""
    name = options.cite_style if wanted is None else wanted
    if not name:
        return None
    from ..cite.style import style_of

    return style_of(name, root, warn)


# --------------------------------------------------------------------------------------------------
# Attributes of HTML for which nodes have no place.

_HTML: Final = "doi_html"


def set_html(node: nodes.Element, **attributes: str) -> None:
    """Give the element of a node further attributes of HTML."""
    setattr(node, _HTML, attributes)


def with_attributes(translator: type[Any]) -> type[Any]:
    """A subclass of a translator to HTML that writes these attributes, escaped as all others."""
    if vars(translator).get(_HTML):
        return translator

    class Translator(translator):  # type: ignore[misc]  # a class that is given
        doi_html = True

        def starttag(self, node: Any, *arguments: Any, **attributes: Any) -> str:
            more = getattr(node, _HTML, None) or {}
            tag: str = super().starttag(node, *arguments, **{**more, **attributes})
            return tag

    return Translator
