"""The Link inlines of DOIs. ``build`` makes one for a name; ``adopt`` takes one of the document.

A link in the document is read as the text that its author wrote, because an autolinker may have cut
the name, or a label may be before the link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from ...core.field import of_field
from ...core.link import Link, attributes, relink
from ...core.markup import LATEX_UNDIVIDED, is_divided_by_latex, latex, pieces
from ...core.options import Options
from ...core.text import unprotected
from .text import DOUBT, END, SMART, Node, Settings, TextPiece, spell, string, unwrapped, words

if TYPE_CHECKING:
    from .cite import Works
    from .text import Pieces

# --------------------------------------------------------------------------------------------------
# Keeps LaTeX, Typst and Markdown from changing the characters of a name in pandoc's output.
#
# LaTeX and Typst apply typography to text and split words at the end of a line. Pandoc prevents
# some of these changes, such as those of ``--``. This module prevents the others with raw text in
# the language of the format. Other formats change no names.

# Kinds of Markdown without classes. For these, pandoc writes a link that has a class as HTML. The
# text inside this HTML is still Markdown and would lose its asterisks. ``uri`` is the class that
# pandoc gives to autolinks.
CLASSLESS: Final = frozenset({"gfm", "markdown_github", "commonmark", "markdown_strict"})


def target(href: str, writer: str) -> str:
    """Return a target for a writer. In Markdown, an unpaired parenthesis would end it.

    >>> target("https://doi.org/10.1000/a(", "gfm"), target("https://doi.org/10.1000/(a)", "gfm")
    ('https://doi.org/10.1000/a%28', 'https://doi.org/10.1000/(a)')
    """
    if not writer.startswith(("gfm", "commonmark", "markdown")):
        return href
    depth = 0
    for parenthesis in re.findall(r"[()]", href):
        depth += 1 if parenthesis == "(" else -1
        if depth < 0:
            break
    return href.replace("(", "%28").replace(")", "%29") if depth else href


def for_writer(inlines: list[Node], writer: str) -> list[Node]:
    """Return the inlines of a link's text for a writer, such as ``latex`` or ``typst``."""
    if writer == "typst":
        return [_typst(node["c"]) if node["t"] == "Str" else node for node in inlines]
    if writer not in ("latex", "beamer"):
        return inlines
    result: list[Node] = []
    for node in inlines:
        if node["t"] != "Str":
            result.append(node)
            continue
        # PDF bookmarks leave out raw text, so as little as possible is raw.
        result += [_raw("latex", run) if raw else string(run) for run, raw in latex(node["c"])]
    first = inlines[0]["c"] if inlines and inlines[0]["t"] == "Str" else ""
    if is_divided_by_latex(first):
        before, after = (_raw("latex", text) for text in LATEX_UNDIVIDED)
        result = [before, *result, after]
    return result


def _typst(text: str) -> Node:
    """Return a name as boxes where lines may end; readers would copy a zero-width space."""
    strings = (piece.replace("\\", r"\\").replace('"', r"\"") for piece in pieces(text))
    boxes = "".join(f'"{string}",' for string in strings)
    return _raw("typst", f"#text(hyphenate: false, ({boxes}).map(box).join());")


def _raw(language: str, text: str) -> Node:
    return {"t": "RawInline", "c": [language, text]}


# --------------------------------------------------------------------------------------------------
# Labels that an author wrote before a link, so that the page does not show them twice.

_REACH: Final = 20  # characters; longer than two labels
_DEPTH: Final = 2  # ***DOI:*** is emphasis inside emphasis
_MARKED: Final = frozenset({"Emph", "Strong"})
_BLANK: Final = {"Space": " ", "SoftBreak": "\n", "LineBreak": "\n"}
# A URL of which a reader makes a link by itself, and which may contain a name.
_BARE: Final = re.compile(r"(?:https?|doi|info|urn):[^<]*[^<.,;:!?]", re.IGNORECASE)


def text_before(pieces: Pieces) -> str:
    """Return the end of the text of the pieces. It is long enough to contain any label."""
    text = ""
    for each in reversed(pieces.texts):
        text = each[-_REACH:] + text
        if len(text) >= _REACH:
            break
    return text[-_REACH:]


def before(pieces: Pieces, index: int, text: str) -> Iterator[tuple[str, bool] | None]:
    """Yield the texts before a link, for :func:`doilinks.core.outline.own_label`."""
    yield text, False
    size = len(text)
    for at in range(index - 1, 0, -1):
        inner = unwrapped(pieces[at].node)
        if text.strip(": \n\uff1a") or size >= _REACH:
            yield None
        elif inner["t"] in _MARKED:
            yield plain_text(inner["c"]), True
        elif inner["t"] != "Str" and inner["t"] not in _BLANK:
            yield None
        text = pieces[at].text
        size += len(text)
        yield text, False


def plain_text(inlines: Sequence[Node], depth: int = _DEPTH) -> str:
    """Return the text of inlines without emphasis; NUL for an inline that is in no label."""
    texts = []
    for node in inlines:
        inner = unwrapped(node)
        kind, content = inner["t"], inner.get("c")
        if kind in _MARKED and depth:
            texts.append(plain_text(content or (), depth - 1))
        else:
            texts.append(str(content) if kind == "Str" else _BLANK.get(kind, "\x00"))
    return "".join(texts)


class LinkInlines:
    """The Link inlines of a document: builds, reads and adopts them."""

    def __init__(
        self, options: Options, reader: Settings, writer: str, works: Works | None = None
    ) -> None:
        self.options = options
        self._reader = reader
        self._writer = writer
        self._works = works

    def build(self, link: Link) -> Node:
        """Build the inline for a link."""
        node: Node = {"t": "Link", "c": [["", [], []], [], ["", ""]]}
        self.adopt(node, link)
        return node

    def adopt(self, node: Node, link: Link) -> bool:
        """Make a Link inline lead to a DOI. Its identifier, classes, attributes and title stay."""
        if link.href is None:
            return False
        (identifier, classes, others), content, (_, title) = node["c"]
        if self._writer in CLASSLESS:
            classes = [name for name in classes if name != "uri"]
        else:
            given = attributes(link.href, self.options, classes)
            classes = given.pop("class", "").split()
            del given["href"]
            others = [pair for pair in others if pair[0] not in given]
            others += map(list, given.items())
        if self._works:
            hover, states = self._works.on_hover(link.doi)
            title = title or hover
            classes = list(dict.fromkeys([*classes, *states]))
        # Of a text with END or DOUBT, the spelling is lost.
        if link.text is not None and not {END, DOUBT}.intersection(link.text):
            blanks = {"Space": " ", "SoftBreak": "\n"}
            texts = (each["c"] if each["t"] == "Str" else blanks.get(each["t"]) for each in content)
            if link.text != "".join(END if text is None else text for text in texts):
                content = words(link.text)
            content = for_writer(content, self._writer)
        after = [[identifier, classes, others], content, [target(link.href, self._writer), title]]
        changed: bool = after != node["c"]
        node["c"] = after
        return changed

    def as_prose(self, node: Node) -> list[Node]:
        """Return an inline; for a link of a field with more than a name, the field's text."""
        href = node["c"][2][0] if node["t"] == "Link" else ""
        left, text = of_field(href, self._title(node["c"][1])) if href else ("", "")
        return words(text) if href and not left else [node]

    def read(self, node: Node, pieces: Pieces, *, cited: bool) -> TextPiece | None:
        """Read a link as a piece of text; return None if it leads elsewhere.

        If the text of the link is its DOI, the piece contains this text. Otherwise the piece ends a
        name. A link that the reader has made of a URL in prose is a piece too, even if it leads
        elsewhere.
        """
        inner = unwrapped(node)
        if inner["t"] != "Link":
            return None
        before = text_before(pieces)
        (_, classes, _), content, (href, _) = inner["c"]
        nested = unwrapped(content[0]) if len(content) == 1 else inner
        if nested is not inner and nested["t"] == "Link" and nested["c"][2][0] == href:
            content = nested["c"][1]  # for [URL](URL), the gfm reader makes a link in a link
        written = self._title(content)
        href, text = of_field(href, written) if cited else (href, written)
        is_field = text != written
        link = relink(href, text if content else href, self.options, before)
        if link and link.text and text != written and self.options.display == "source":
            link = link._replace(text=written)
        if link and link.text is None and self._reader.smart:
            undone = text.translate(SMART)
            link, text = relink(href, undone, self.options, before), undone
        own = link is not None and link.text is not None
        if is_field and link and link.href and link.text is None:
            # A citation style says how a name is shown, but not how it is protected or marked.
            shown = unprotected(written)
            longer = len(shown.rstrip(".,;")) > len(link.doi.url)
            link = link._replace(text=link.doi.url if longer else shown)
        scanned = link is None or (own and link.form != "publisher")
        if scanned and self._is_bare(inner, written):
            return TextPiece(node, written, whole=False, bare=True)
        # If the filter has made this link, its label is already part of it.
        made = bool(self.options.classes) and set(self.options.classes).issubset(classes)
        own = own and bool(content) and not made
        # Autolinkers take 10.1000/a@b.org for an e-mail address, and 10.4028/www.scientific.net/x
        # for a web page.
        guess = href in ("mailto:" + text, "http://" + text)
        if link is None and not guess:
            return None
        if own and text.rfind("<") > text.rfind(">"):
            text = f"<{text}>"  # an autolink, which the first > in the name has ended
        return TextPiece(node, text if own or guess else END, link=link)

    def _is_bare(self, link: Node, written: str) -> bool:
        """Tell whether the reader has made this link of a URL in prose, and so decided its end.

        Heuristic: the reader ends no URL in a full stop or similar character. If a URL ends in one,
        the author has put it in angle brackets. The readers of CommonMark make no links of
        ``doi:``.
        """
        (_, classes, _), _, (href, _) = link["c"]
        if not self._reader.bare_urls or not set(self.options.classes).isdisjoint(classes):
            return False
        if not _BARE.fullmatch(written) or unquote(href) != unquote(written):
            return False
        return "uri" in classes or href[:4].lower() != "doi:"

    def _title(self, content: list[Node]) -> str:
        pieces: list[TextPiece] = []
        for at in range(len(content)):
            if unwrapped(content[at])["t"] == "Link":
                return END
            before = pieces[-1].text[-1:] if pieces else ""
            pieces.append(spell(content, at, before, self._reader))
        return "".join([piece.text for piece in pieces])
