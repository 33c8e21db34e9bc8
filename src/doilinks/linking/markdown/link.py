"""Texts that the host still reads, and the elements of links: ``build`` and ``adopt``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import BLOCK_LEVEL_ELEMENTS, ETX, STX, AtomicString

from ...core.doi import DOI, Form
from ...core.found import Found
from ...core.link import (
    Link,
    after_label,
    attributes,
    leads_to_doi,
    link_match,
    link_to,
    relink,
    with_classes,
)
from ...core.markup import ENTITY, NO_PROSE, may_harm, unescape
from ...core.options import Options
from ...core.outline import Block, Outline, own_label
from ...core.scan import Match, scan
from ...core.text import HIDDEN, SourceText, whole_name
from ..cite.citations import Cluster, may_cite, parse, sides, signs_of

# --------------------------------------------------------------------------------------------------
# Texts that Python-Markdown is still reading: with placeholders, entities and raw HTML.


def reading(markup: str) -> str:
    """Decode the escapes and entities in a text of the host."""
    escaped = _ESCAPED.sub(lambda found: chr(int(found[1])), markup)
    return _ENTITY.sub(lambda found: unescape(found[0]), escaped)


def escape(text: str) -> str:
    """Encode a text for the host, which leaves ``&amp;`` as it is but may misread an ``&``."""
    return text.replace("&", "&amp;")


# Here an entity ends in a semicolon, although HTML allows some without it.
_ENTITY: Final = re.compile(f"&{ENTITY}")
_ESCAPED: Final = re.compile(f"{STX}([0-9]+){ETX}")
# A list of attributes may contain braces in quoted values, and opening braces in words. The pattern
# stops at a brace that may begin another list. Otherwise a text would be read again for each list.
_BEFORE: Final = rf"[\s)\]>*_`{ETX}]"
_BRACE: Final = rf"(?<!{_BEFORE})\{{"
_VALUES: Final = rf"""(?:"[^"\n]*+"|'[^'\n]*+'|[^{{}}"'\n]|{_BRACE})*+\}}"""
_WORDS: Final = rf"(?:[^{{}}\n]|{_BRACE})*+\}}"
# Each alternative begins with a plain character, which makes the search many times faster.
_MARKUP: Final = re.compile(
    rf"""{STX}klzzwxh:(?P<stashed>[0-9]+){ETX}
    | &(?P<entity>{ENTITY})
    | <(?P<element>(?i:a|{"|".join(NO_PROSE)}))(?=[\s>])
    | <(?P<comment>!--)
    | \{{(?<={_BEFORE}\{{):?\ ?(?:[.\#]|[\w-]+=)(?:{_VALUES}|{_WORDS})
    | \{{(?P<attributes>:?\ ?[.\#])
    | </?[A-Za-z][A-Za-z0-9-]*+(?:(?:\s(?:[^<>"']|"[^"]*+"|'[^']*+')*+)?/?>|\s[^<>]*+>)
    """,
    re.VERBOSE,
)


def decoded(data: str, stash: Mapping[str, object]) -> Iterator[tuple[int, int, str]]:
    """The pieces of a text that are not prose, hidden, and its escapes and entities, decoded."""
    unclosed: set[str] = set()  # end tags that are missing; searched once, for linear time
    done = 0
    for found in _MARKUP.finditer(data):
        start, end = found.span()
        if start < done:
            continue
        if found["stashed"]:
            # A backslash escape that the host has stashed is decoded. Other elements are hidden.
            node = stash.get(found["stashed"])
            escaped = _ESCAPED.fullmatch(node) if isinstance(node, str) else None
            text = chr(int(escaped[1])) if escaped else HIDDEN
        elif found["entity"]:
            text = unescape(found[0])
            if text == found[0]:
                continue
        else:
            text = HIDDEN
            if found["element"] or found["comment"]:
                name = found["element"]
                close = rf"</{name.lower()}(?=[\s>])" if name else "-->"
                at = None
                if close not in unclosed:
                    at = re.compile(close, re.IGNORECASE).search(data, end)
                if not at:
                    unclosed.add(close)
                    continue
                end = at.end()
        yield start, end, text
        done = end


# --------------------------------------------------------------------------------------------------
# Finds names that must not become links, because emphasis would then get dangerous attributes.
#
# The host's ``attr_list`` gives a list to the element just before it. Without doilinks, there is no
# such element in ``10.1000/a_, 10.1000/b_{onclick=…}``. If the first name became a link, emphasis
# could begin after it and get the list.

_DELIMITERS: Final = frozenset("*_~^=")  # the characters for emphasis of the host and of PyMdown
_OPENING: Final = re.compile(r"[*_~^=]\{")
# An underscore between letters is not emphasis. A "<" may begin a tag. Each alternative begins with
# a plain character, which makes the search many times faster.
_IN_NAME: Final = re.compile(r"\*|~|\^|=|_(?<![^\W_]_)|_(?![^\W_])|<[A-Za-z/!]")


def list_after_emphasis(data: str) -> int:
    """The offset of the last attribute list that could harm through emphasis before it, or -1.

    >>> list_after_emphasis("*a*{style=x} *b*{.note}")
    3
    """
    value, tag = data.rfind("="), data.rfind("<")
    if value < 0:
        return -1
    braces = [found.start() + 1 for found in _OPENING.finditer(data, 0, value)]
    # The host has not yet read a tag in a value. Later it puts the tag there without any escape.
    return next((at for at in reversed(braces) if tag > at or may_harm(data, at)), -1)


def is_torn(data: str, start: int, end: int, written: str) -> bool:
    """Tell whether emphasis may begin or end in another place if a link replaces a name.

    A character of the name may begin or end emphasis. So may a character next to the name: next to
    a letter it may have no effect, but next to a link it may have one.

    :param start: the offset of the name
    :param end: the offset at which it ends
    :param written: the name and its label

    >>> is_torn("10.1000/a_, 10.1000/b_", 0, 9, "10.1000/a")
    True
    """
    if _IN_NAME.search(written) or data[end : end + 1] in _DELIMITERS:
        return True
    return start > 0 and data[start - 1] in _DELIMITERS


# --------------------------------------------------------------------------------------------------
# Finds the names in a text of Python-Markdown, except where a link would break other markup.

# The pattern of PyMdown that makes links of bare URLs. It runs after the pattern of doilinks.
AUTOLINKER: Final = "magic-link"


class Place(NamedTuple):
    """A name in a text, and its link. Its offsets are counted from the end of the text.

    :ivar before: the length of the text from the beginning of the name
    :ivar after: the length of the text after the name
    :ivar link: the link for the name
    :ivar form: how the name is written
    :ivar written: the name and its label as the author wrote them
    :ivar whole: the name without an invisible character that ends it, where there is one
    """

    before: int
    after: int
    link: Link
    form: Form
    written: str
    whole: DOI | None


class Cited(NamedTuple):
    """Citations in a text that belong together. Offsets are counted as those of a :class:`Place`.

    :ivar sides: the texts before and after each work, as the host has begun to read them
    """

    before: int
    after: int
    cluster: Cluster
    sides: tuple[tuple[str, str], ...]
    written: str


def places_in(
    data: str, stash: Mapping[str, object], options: Options, *, autolinks: bool
) -> Iterator[Place | Cited]:
    """Every name in a text that the host has begun to read.

    :param data: the text, with placeholders for the elements that the host has stashed
    :param stash: these elements
    :param autolinks: whether the host makes links of bare URLs later
    """
    plain = SourceText.of(data, decoded(data, stash))
    size = len(data)
    done, tag, last = 0, -1, 0
    brace = list_after_emphasis(data)
    for match in _matches(plain.text, options):
        start, end = plain.span(match.start, match.end)
        # The host makes a link of an autolink, and the tree processor then adopts it.
        if _AUTOLINK.match(data, start) or _is_escaped(match, data, plain):
            continue
        if start >= done:
            tag = _tag_end(data, done, start, end)
            done = max(tag, end)
        if start < tag:
            continue
        if autolinks and _in_url(data, last, start):
            continue
        written = plain.text[match.start : match.end]
        if isinstance(match, Cluster):
            if not (start < brace and is_torn(data, start, end, written)):
                last = end
                yield _cited(match, data, plain)
            continue
        link = link_match(match, options, plain.text)
        if link and not (start < brace and is_torn(data, start, end, written)):
            last = end
            whole = whole_name(match, plain.text)
            yield Place(size - start, size - end, link, match.form, written, whole)


def _matches(text: str, options: Options) -> Iterator[Match | Cluster]:
    """Names and citations in their order. A name in the words of a citation is left out."""
    matches = scan(text, options.arxiv)
    return _merged(matches, parse(text)) if options.cite and may_cite(text) else matches


def _merged(matches: Iterator[Match], clusters: Iterator[Cluster]) -> Iterator[Match | Cluster]:
    cluster = next(clusters, None)
    for match in matches:
        while cluster and cluster.end <= match.start:
            yield cluster
            cluster = next(clusters, None)
        if not cluster or match.end <= cluster.start:
            yield match
    if cluster:
        yield cluster
        yield from clusters


def _is_escaped(match: Match | Cluster, data: str, plain: SourceText) -> bool:
    """Tell whether an author prevents a link or a citation by an escape."""
    if not isinstance(match, Cluster):
        return plain.is_escaped(match.start, match.end)
    signs = signs_of(plain.text, match)
    ends = (match.start, *signs, match.end - 1)
    brackets = (at for at in ends if plain.text[at] in "[]@")
    return any(plain.text[at] != data[slice(*plain.span(at, at + 1))] for at in brackets) or any(
        plain.text[at - 1 : at] == "\\" for at in signs
    )


def _cited(cluster: Cluster, data: str, plain: SourceText) -> Cited:
    texts: tuple[tuple[str, str], ...] = ()
    if not cluster.narrative:
        texts = tuple(
            (_source(before, data, plain), _source(after, data, plain))
            for before, after in sides(plain.text, cluster)
        )
    written = plain.text[cluster.start : cluster.end]
    start, stop = plain.span(cluster.start, cluster.end)
    return Cited(len(data) - start, len(data) - stop, cluster, texts, written)


def _source(span: tuple[int, int], data: str, plain: SourceText) -> str:
    return data[slice(*plain.span(*span))] if span[0] < span[1] else ""


_AUTOLINK: Final = re.compile(r"<https?://[^<>]*>", re.IGNORECASE)


def _tag_end(data: str, floor: int, start: int, end: int) -> int:
    """The end of an autolink or tag that the host will see around a name; -1 without one.

    The host will see one in ``<javascript:10.1000/182>``, and a link would be inside that tag.
    """
    tag = data.rfind("<", floor, start)
    if tag < 0 or not _TAG.match(data, tag) or data.find(">", tag, start) >= 0:
        return -1
    open_value = _OPEN_VALUE.search(data, max(tag, start - _VALUE_AHEAD), start)
    rest = (_REST_OF_VALUE if open_value else _REST).match(data, end)
    return rest.end() if rest else -1


_TAG: Final = re.compile(r"</?[A-Za-z]")
_REST: Final = re.compile(r"[^<>]*+>")
# The host first stashes markup inside the value of an attribute, and then sees the tag around it.
_VALUE_AHEAD: Final = 500
_OPEN_VALUE: Final = re.compile(r"""=\s*["'][^<>"']*\Z""")
_REST_OF_VALUE: Final = re.compile(r"[^>]{0,500}>")

_URL_AHEAD: Final = 500


def _in_url(data: str, floor: int, start: int) -> bool:
    """Tell whether a name touches a URL, of which PyMdown makes one link together with the name.

    An example is ``https://doi.org/https://doi.org/10.1000/182``. The tree processor then adopts
    the link.
    """
    low = max(floor, start - _URL_AHEAD)
    head = max(data.rfind("://", low, start), data.rfind("www.", low, start))
    return head >= 0 and not any(map(str.isspace, data[head:start]))


# --------------------------------------------------------------------------------------------------
# What is before a link, and the block that contains it.

_MARKED: Final = frozenset({"em", "strong", "b", "i"})
_BLOCKS: Final = frozenset(BLOCK_LEVEL_ELEMENTS)
_STASHES: Final = re.compile(f"{STX}[^{STX}{ETX}]*{ETX}")  # raw HTML and marks of extensions


class Surroundings:
    """Where the links of a document are.

    :param root: the document
    """

    def __init__(self, root: Element) -> None:
        self._root = root
        self._blocks: dict[Element, Block] = {}

    @cached_property
    def _places(self) -> dict[Element, tuple[Element, Element | None]]:
        """The parent of each element, and the element before it."""
        places: dict[Element, tuple[Element, Element | None]] = {}
        for parent in self._root.iter():
            before = None
            for child in parent:
                places[child] = parent, before
                before = child
        return places

    def text_before(self, link: Element) -> str:
        """The plain text just before a link."""
        parent, before = self._places[link]
        return (parent.text if before is None else before.tail) or ""

    def cut_before(self, link: Element, size: int) -> None:
        """Remove the last ``size`` characters of the plain text just before a link."""
        text = self.text_before(link)[:-size]
        parent, before = self._places[link]
        if before is None:
            parent.text = text
        else:
            before.tail = text

    def own_label(self, link: Element) -> str:
        """See :func:`doilinks.core.outline.own_label`."""
        parent, before = self._places[link]
        between = self.text_before(link), False
        if before is not None:
            marked = ("".join(before.itertext()), True) if before.tag in _MARKED else None
            return own_label((between, marked), "")
        return own_label((between,), self._block(parent).head if parent.tag in _BLOCKS else "")

    def text_around(self, link: Element) -> str:
        """The text of the block that contains a link."""
        while link.tag not in _BLOCKS and link in self._places:
            link = self._places[link][0]
        return self._block(link).text()

    def _block(self, element: Element) -> Block:
        if element not in self._blocks:
            each, outermost = element, None
            while each in self._places:
                each = self._places[each][0]
                outermost = each if each.tag in ("table", "dl") else outermost
            if outermost is not None:
                self._read(outermost, Outline())
            self._blocks.setdefault(element, Block(partial(_text_of, element)))
        return self._blocks[element]

    def _read(self, element: Element, outline: Outline) -> None:
        outline.open(element.tag)
        inner = [child for child in element if child.tag in _BLOCKS]
        add = Block if inner else outline.block
        self._blocks[element] = add(partial(_text_of, element))
        for child in inner:
            self._read(child, outline)
        outline.close(element.tag)


def _text_of(block: Element) -> str:
    return _STASHES.sub("", reading("".join(block.itertext()))).strip()


# --------------------------------------------------------------------------------------------------
# Keeps the class of each link when an author gives the link further classes in a list.

# Name and priority of the tree processor; attr_list has 8, smarty 6.
AFTER_ATTR_LIST: Final = ("doi-classes", 7.5)


class Classes(Treeprocessor):
    """Adds the class again after ``attr_list``, which overwrites the classes of an element.

    :param links: the links to DOIs, each with further classes that it has
    """

    def __init__(
        self, options: Options, links: Mapping[Element, Iterable[str]], md: Markdown
    ) -> None:
        super().__init__(md)
        self._options = options
        self._links = links

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Give each link its classes, each of them once."""
        for link, more in self._links.items():
            if more or link.get("class", "") != self._options.class_attribute:
                classes = dict.fromkeys((*with_classes(classes_of(link), self._options), *more))
                set_attributes(link, {"class": " ".join(classes)})


def classes_of(link: Element) -> list[str]:
    """The classes that an element has."""
    return [each for each in re.split("[ \t\n\f\r]+", reading(link.get("class", ""))) if each]


def set_attributes(link: Element, attributes: Mapping[str, str]) -> None:
    """Set attributes in the encoding of the host."""
    for name, value in attributes.items():
        link.set(name, escape(value))


# --------------------------------------------------------------------------------------------------
# The links: ``build`` makes one, ``adopt`` takes one of the document.

# If a link contains only these elements, its content counts as text.
_STYLED: Final = frozenset({"em", "strong", "b", "i", "del", "s"})


def build(place: Place, options: Options) -> Element:
    """The element for a name in a text."""
    a = Element("a")
    set_attributes(a, attributes(place.link, options))
    a.text = AtomicString(escape(place.link.text or place.written))
    return a


def quote(cited: Cited, options: Options) -> tuple[Element, dict[Element, Cluster]]:
    """The element for citations in a text, and the links in it, each with its own citation.

    What the links show is known only at the end of the document.
    """
    links: dict[Element, Cluster] = {}
    for cite in cited.cluster.cites:
        a = Element("a")
        link = link_to(cite.doi, options)
        set_attributes(a, attributes(link, options))
        a.text = AtomicString(escape(link.text or ""))
        alone = cite if cited.cluster.narrative else cite._replace(before="", after="")
        links[a] = cited.cluster._replace(cites=(alone,))
    if cited.cluster.narrative:
        return next(iter(links)), links
    group = Element("span", {"class": "doi-citation"})
    text = "("
    for a, (before, after) in zip(links, cited.sides, strict=True):
        text += f"{before} " if before else ""
        if len(group):
            group[-1].tail = text
        else:
            group.text = text
        group.append(a)
        text = f"{after}; "
    group[-1].tail = text.removesuffix("; ") + ")"
    return group, links


def adopt(
    a: Element, surroundings: Surroundings, options: Options, ours: Place | None
) -> Found | None:
    """The DOI of a link. If the author wrote the link, it becomes canonical.

    :param ours: the name for which doilinks built the link, if it did
    """
    if ours is None:
        return _adopt_other(a, surroundings, options)
    shown = after_label(ours.link, options, surroundings.own_label(a)).text
    if shown and shown != ours.link.text:
        a.text = AtomicString(escape(shown))
    return Found(
        ours.link.doi,
        form=ours.form,
        written=ours.written,
        whole=ours.whole,
        around=partial(surroundings.text_around, a),
    )


def _adopt_other(a: Element, surroundings: Surroundings, options: Options) -> Found | None:
    href = reading(a.get("href", ""))
    if "10" not in href and "doi" not in href and not leads_to_doi(href, options):
        return None
    texts = list(_texts_of(a))
    plain = all(each.tag in _STYLED for each in a.iter() if each is not a)
    text = reading("".join(getattr(*each) or "" for each in texts)) if plain else "\0"
    link = relink(href, text or href, options, surroundings.text_before(a))
    if link is None:
        return None
    set_attributes(a, attributes(link, options, classes_of(a)))
    if link.text is not None:
        _show(texts, _without_label(a, link, surroundings, options))
    return Found(
        link.doi, form=link.form, other=link.other, around=partial(surroundings.text_around, a)
    )


def _without_label(a: Element, link: Link, surroundings: Surroundings, options: Options) -> str:
    """The text of a link, without a label that is already before the link."""
    if link.label:
        surroundings.cut_before(a, link.label)
    else:
        link = after_label(link, options, surroundings.own_label(a))
    return link.text or ""


def _texts_of(a: Element) -> Iterator[tuple[Element, str]]:
    """Every place in a link that may contain text, in order."""
    yield a, "text"
    for child in a:
        yield from _texts_of(child)
        yield child, "tail"


def _show(texts: list[tuple[Element, str]], text: str) -> None:
    first = next((each for each in texts if getattr(*each)), texts[0])
    for element, place in texts:
        setattr(element, place, None)
    setattr(*first, AtomicString(escape(text)))
