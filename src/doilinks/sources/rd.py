r"""Reads the documentation of R: ``.Rd`` files, the comments of ``.R`` files, and citations.

``\doi`` contains a name, ``\href`` and ``\url`` contain links, and other text is prose. Names in
code, such as ``\code`` and ``\examples``, do not count. A comment that begins with ``#'`` is what
roxygen2 makes an ``.Rd`` file of. ``bibentry()`` describes a work, mostly in a file ``CITATION``,
and ``DESCRIPTION`` names works as ``<doi:…>``; ``R CMD check`` looks for names there too
(``tools:::doi_db_from_package_sources``). Source:
https://cran.r-project.org/doc/manuals/R-exts.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from ..core.found import Found
from ..core.link import may_contain
from ..core.options import Options
from ..core.text import SourceText
from .common import TextBlocks, begin, found_in_field, found_in_prose, hidden, placed, read_prose
from .escapes import of_rd
from .files import Unread
from .marked import OPEN, Marked, end_of_group
from .python import LINE, Token, as_one, end_of, parts, runs

_TOKEN: Final = re.compile(
    r"""(?sx)
    (?=[%\\{}])(?:
      (?P<comment>%)
    | (?P<code>\\(?:code|preformatted|verb|examples|usage|d?eqn|Sexpr|RdOpts|figure|email|env
        |option|file|name|alias|keyword|concept|linkS4class|kbd|samp|command)(?![A-Za-z])
        (?:\[[^\]\n]{0,200}+\])?\{)
    | (?P<link>\\(?:(?P<href>href)|url|(?P<doi>doi))\s*+
        \{(?P<target>(?>(?:[^{}\\]++|\\.|\{[^{}]*+\})*))\})
    | (?P<character>\\[%{}\\])
    | (?P<other>\\[A-Za-z]++|[{}])
    )
    """
)
BRACE: Final = re.compile(r"\\.|([{}])", re.DOTALL)  # or an escaped character
# A paragraph, an item, a tag of roxygen2, a section, or the end of one.
_BLOCK: Final = re.compile(
    r"\n[ \t]*(?=\n)|\\item\b|\n(?=[ \t]*(?:[*-][ \t]|@\w))"
    r"|\n(?=\}|\\(?:references|source|section|details|value|author|note|seealso|description)\b)"
)
COMMENT: Final = re.compile(r"(?<!\\)%[^\n]*+")  # of R documentation
# Of a text in two spellings, the first is shown.
_PLAIN: Final = re.compile(
    r"\\href\s*+\{[^{}]*+\}|\\enc\{(?P<shown>[^{}]*+)\}\{[^{}]*+\}|\\[A-Za-z]++|[{}]"
)


def read(text: str, options: Options) -> Iterator[Found]:
    """Find every DOI of an ``.Rd`` file."""
    return _names(text, options, percent=True)


def _names(text: str, options: Options, *, percent: bool) -> Iterator[Found]:
    """Find the names of a text; ``percent`` tells whether a percent may begin a comment."""

    def shown_of(block: str) -> str:
        return _plain(COMMENT.sub("", block) if percent else block)

    marked = Marked(text, options, of_rd)
    return marked.read(_TOKEN, partial(_read, percent=percent), TextBlocks(text, _BLOCK, shown_of))


def _read(token: re.Match[str], marked: Marked, *, percent: bool) -> int:
    text, (start, end) = token.string, token.span()
    match token.lastgroup:
        case "comment":
            if not percent:
                return end
            end = end_of(LINE, text, start)
        case "code":
            end = _end(text, end)
        case "link":
            shown = ""
            if token["href"] and (opened := OPEN.match(text, end)):
                end = _end(text, opened.end())
                shown = _plain(text[opened.end() : end - 1])
            texts = [shown] if token["href"] else None
            first, last = token.span("target")
            found = marked.named(first, last) if token["doi"] else marked.link(first, last, texts)
            if not found:
                end = end if token["href"] else first
    marked.hide(start, end)
    return end


def _end(text: str, at: int) -> int:
    """Return the end of an open group; the end of the text if the group has none."""
    return min(end_of_group(text, at, BRACE) + 1, len(text))


def _plain(text: str) -> str:
    return _PLAIN.sub(lambda found: found["shown"] or "", text).replace("\\%", "%")


# --------------------------------------------------------------------------------------------------
# The comments of a program in R, and the strings of calls that say what to cite. Other strings do
# not count.

_CALL: Final = r"(?<![\w.])(?:bibentry|cit(?:Entry|Header|Footer))\s*+\("
_R: Final = re.compile(
    rf"""(?sx)
    (?=[\#"'`()]|[rR]["']|bib|cit)(?:
      \#++(?P<roxygen>')?[ \t]*+(?P<comment>[^\n]*+)
      # A raw string: help("Quotes") in R.
    | [rR](?P<quote>["'])(?P<dashes>-*+)(?:\((?s:.*?)(?:\)(?P=dashes)(?P=quote)|\Z)
        |\[(?s:.*?)(?:\](?P=dashes)(?P=quote)|\Z)|\{{(?s:.*?)(?:\}}(?P=dashes)(?P=quote)|\Z))
    | "(?P<double>(?:[^"\\]|\\.)*+)(?:"|\Z)
    | '(?P<single>(?:[^'\\]|\\.)*+)(?:'|\Z)
    | `[^`\n]*+`?
    | (?P<cites>{_CALL})
    | (?P<bracket>[()])
    )
    """
)
_CITES: Final = re.compile(_CALL)
_DOI_ARGUMENT: Final = re.compile(r"\bdoi[ \t]*=\s*\Z", re.IGNORECASE)
_NEAR: Final = 60
# What roxygen2 takes for code, up to the next tag.
_EXAMPLES: Final = re.compile(
    r"(?m)^[ \t]*@(?:examples|examplesIf|usage|eval\w*+|example|include|name|rdname)\b"
    r"[^\n]*+(?>(?:\n(?![ \t]*+@)[^\n]*+)*)"
)


def read_r(text: str, options: Options) -> Iterator[Found | Unread]:
    """Find every DOI in the comments of a program, and in calls that say what to cite."""
    if not may_contain(text, options):
        return
    places: list[Found | Unread] = []
    comments: list[Token] = []
    strings: list[re.Match[str]] = []  # of the call that is open
    begins = depth = 0  # where this call begins, and how many brackets are open in it
    for token in _R.finditer(text):
        if token["comment"] is not None:
            kind = token["roxygen"] or ""
            comments.append(Token(*token.span(), *token.span("comment"), prefix=kind))
        elif token["cites"] and not depth:
            begins, depth = token.start(), 1
        elif depth and token.lastgroup in ("cites", "bracket"):
            depth += -1 if token[0] == ")" else 1
            if not depth:
                places += _cited(text[begins : token.end()], strings, options)
                strings = []
        elif depth and token.lastgroup in ("double", "single"):
            strings.append(token)
    places += _cited(text[begins:], strings, options)
    for run in runs(text, comments):
        places += _comment(text, run, options)
    yield from sorted(places, key=begin)


def _cited(call: str, strings: list[re.Match[str]], options: Options) -> Iterator[Found | Unread]:
    """Yield the names in the strings of a call."""
    for token in strings:
        string = Token(*token.span(), *token.span(token.lastgroup or 0), quote=token[0][0])
        source = SourceText.from_parts(parts(token.string, string))
        if _DOI_ARGUMENT.search(token.string[max(0, string.start - _NEAR) : string.start]):
            for each in found_in_field(source, options):
                yield replace(each, around=call)
            continue
        for found in _names(source.text, options, percent=False):
            if found.span:
                yield replace(found, span=source.span(*found.span), around=call)


def _comment(text: str, run: list[Token], options: Options) -> Iterator[Found]:
    whole = as_one(text, ((each.first, each.last) for each in run))
    if not may_contain(whole.text, options):
        return
    shown = hidden(whole.text, _EXAMPLES) if run[0].prefix else whole.text
    yield from placed(_names(shown, options, percent=False), whole)


def read_citation(text: str, options: Options) -> Iterator[Found | Unread]:
    """Find every DOI of a file ``CITATION``: a program, or a text if no call says what to cite."""
    return read_r(text, options) if _CITES.search(text) else read_prose(text, options)


_FIELD: Final = re.compile(r"\n(?=\S)")  # of prose, which may go on in indented lines


def read_dcf(text: str, options: Options) -> Iterator[Found]:
    """Find every DOI of a file ``DESCRIPTION``."""
    fields = TextBlocks(text, _FIELD)
    for found in found_in_prose(text, options):
        yield replace(found, around=fields.at(begin(found)))
