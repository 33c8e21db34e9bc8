"""The DOIs in a piece of a source, and the lines of a source."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from ..core.doi import DOI, Form, InvalidDOI, parse_parts
from ..core.found import Found
from ..core.invisible import whole_name
from ..core.link import link_match, relink
from ..core.options import Options
from ..core.remarks import remarks, remarks_of
from ..core.scan import Match, scan
from ..core.title import other_doi

__all__ = [
    "Block",
    "Lines",
    "begin",
    "found_at",
    "found_in_link",
    "found_in_prose",
    "found_in_role",
    "with_line_ends",
]

Block = str | Callable[[], str] | None


class Lines:
    r"""The lines of a text, for changing an offset into a line and a column.

    >>> Lines("one\ntwo").place(5)
    (2, 2)
    """

    def __init__(self, text: str) -> None:
        self.starts = array("q", [0])  # a list of numbers would take five times the memory
        at = text.find("\n")
        while at >= 0:
            self.starts.append(at + 1)
            at = text.find("\n", at + 1)

    def place(self, at: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self.starts, at)
        return line, at - self.starts[line - 1] + 1


def with_line_ends(text: str) -> str:
    r"""A text of the same length in which all line ends are ``\n``, as those of files are.

    Cells of notebooks and docstrings may have others.

    >>> with_line_ends("a\r\nb\rc")
    'a \nb\nc'
    """
    return text.replace("\r\n", " \n").replace("\r", "\n")


def begin(found: Found) -> int:
    """The offset at which a DOI begins, as a key for sorting."""
    return found.span[0] if found.span else 0


def found_in_prose(text: str, options: Options, block: Block = None) -> Iterator[Found]:
    """The DOIs in a run of prose."""
    for match in scan(text):
        if link_match(match, options, text):
            whole = whole_name(match, text)
            yield found_at(match, (match.start, match.end), text, block, whole)


def found_at(
    match: Match,
    span: tuple[int, int],
    text: str,
    block: Block = None,
    whole: DOI | None = None,
) -> Found:
    """The ``Found`` for a match in a parser's text, with its place ``span`` in the source."""
    start, end = span
    here = match._replace(start=start, end=end)
    # If the span is empty, the name was not located in the source, so only the name is examined.
    if start < end:
        said = remarks_of(here, text, whole)
    else:
        said = remarks(match.doi, tail=match.tail, whole=whole)
    return Found(
        match.doi, form=match.form, remarks=tuple(said), span=span, around=block, whole=whole
    )


def found_in_link(
    href: str, options: Options, form: Form = "link", texts: Iterable[str] = ()
) -> Found | None:
    """The DOI to which a link in the document leads; None if it leads elsewhere.

    :param texts: the text of the link, or of each link to this target
    """
    link = relink(href, "", options)
    if link is None:
        return None
    others = (other_doi(text, link.doi) for text in dict.fromkeys(texts))
    other = next((each for each in others if each and not options.ignores(each)), None)
    said = remarks(link.doi, tail="".join(href.partition("#")[1:]), other=other)
    return Found(link.doi, form=form, remarks=tuple(said), other=other)


def found_in_role(content: str, options: Options) -> Found | None:
    """The DOI of a ``:doi:`` or ``{doi}`` role: a name, or a title and ``<name>``."""
    title, opened, target = content.rstrip().removesuffix(">").partition("<")
    titled = opened and content.rstrip().endswith(">")
    # A name may contain < and > itself. If there is no space before the <, the text has a title
    # only if the whole text is not a name.
    readings = [(content, ""), (target, title)] if titled else [(content, "")]
    if title[-1:].isspace():
        readings.reverse()
    for written, text in readings:
        try:
            doi, tail = parse_parts(written)
        except InvalidDOI:
            continue
        if options.ignores(doi):
            return None
        other = other_doi(text, doi)
        said = remarks(doi, tail=tail, other=other)
        return Found(doi, form="role", remarks=tuple(said), other=other)
    return None
