r"""Reads LaTeX documents and the bibliographies that programs write for them.

``\doi`` contains a name; ``\href``, ``\url`` and similar commands contain links; other text is
prose. Names in comments, in verbatim text, in keys and in the text of links do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from ..core.found import Found
from ..core.options import Options
from ..core.text import SourceText
from .common import TextBlocks
from .escapes import LATEX, of_latex
from .marked import COMMAND, OPEN, Marked, end_of_group
from .python import end_of
from .types import LATEX_CODE

# --------------------------------------------------------------------------------------------------
# The tokens of a document. TeX can change what every character means; this module reads what they
# mean in a document of LaTeX that does not.

# Comments and white space, which TeX allows before each argument.
_GAP: Final = r"(?>(?:\s++|%[^\n]*+\n)*)"
# An optional argument. In braces, three deep, a bracket does not end it.
_OPTION: Final = (
    r"\[(?>(?:[^\[\]{}\\]++|\\.|\[[^\[\]{}]*+\]"
    r"|\{(?>(?:[^{}]++|\{(?>(?:[^{}]++|\{[^{}]*+\})*)\})*)\})*)\]"
)
_OPTIONS: Final = rf"(?:{_OPTION}{_GAP}){{0,2}}"
# What a token begins with is asked first: at each character, that is five times as fast.
_TOKEN: Final = re.compile(
    rf"""(?sx)
    (?=[%\\~{{}}$])(?:
      (?P<comment>%)
    | (?P<code>{LATEX_CODE})
      # A field of a bibliography by biblatex.
    | \\verb\{{(?P<field>[a-z]++)\}}\s*+\\verb[ ](?P<value>[^\n]*+)
    | (?P<verb>\\(?:[vV]erb|lstinline|mint(?:inline)?(?:\[[^\][\n]*+\])?\{{[\w+-]++\}})\*?
        (?:\[[^\][\n]*+\])?(?:\{{[^{{}}\n]*+\}}
        |(?P<quote>[!-/:-@\[-`|}}~])[^\n]*?(?:(?P=quote)|(?=\n)|\Z)))
    | (?P<link>\\(?:(?P<href>href)|url|nolinkurl|path|(?P<doi>doi|DOI|
          (?:field|strng|bibinfo)\s*+\{{(?i:doi)\}})))
        (?:(?<=\}})|(?![A-Za-z@]))\*?\s*+(?:\[[^\][\n]*+\]\s*+)?(?=\{{)
      # The same sign on both sides, which is none of those with which markup begins.
    | (?P<delimited>\\(?:url|nolinkurl|path)\*?(?P<sign>[!"$&'()+,./:;<=>?@^_`|~-])
        (?P<target>(?:(?!(?P=sign))[^\s{{}}]){{1,500}})(?P=sign))
      # The key of a citation, a label or a target, and the name of a file.
    | (?P<key>\\(?:(?=[A-Za-z]*?cite)[A-Za-z]++|(?!hyperref)[A-Za-z]*ref|label|bibitem|entry
          |hypertarget|hyperlink|input|include|includegraphics|bibliography|addbibresource
          )\*?{_GAP}(?P<options>{_OPTIONS})\{{[^{{}}]*+\}})
    | (?P<space>~|\\[ ,;:\n])
    | (?P<character>{LATEX})
    | (?P<other>\\(?:[A-Za-z@]++\*?|.)|[{{}}$])
    )
    """
)
# Two braces deep, as deep as an address is. Each search ends at the third brace that is open.
_ARGUMENT: Final = re.compile(r"\{((?>(?:[^{}\\]++|\\.|\{(?:[^{}\\]|\\.)*+\})*))\}", re.DOTALL)
# A blank line ends a text that is not closed: the argument of such a command is one paragraph.
_BRACE: Final = re.compile(r"\\.|([{}])|(\n[ \t]*\n)", re.DOTALL)

_COMMENT: Final = re.compile(r"%[^\n]*+(?:\n[ \t]*+)?")
_BLOCK: Final = re.compile(
    r"\n[ \t]*(?=\n)|\\(?:bibitem|entry|BIBentry|(?:sub)*section|chapter|item)\b"
)
_UNSEEN: Final = re.compile(
    rf"""(?sx)
    (?=[%\\~{{}}$])(?:
      %[^\n]*+(?:\n[ \t]*+)?
    | \\href{_GAP}\{{[^{{}}]*+\}}
    | \\(?:bibitem|cite[a-z]*|label|[A-Za-z]*ref){_GAP}{_OPTIONS}\{{[^{{}}]*+\}}
      # The name of an environment, and that of a field in what BibTeX writes.
    | \\(?:begin|end|bibinfo|bibfield|BibitemShut){_GAP}\{{[^{{}}]*+\}}\s*+
    | \\hskip\s[^\\\n]{{0,99}}+(?:\n[^\\\n]{{0,99}}+)?\\relax|\\penalty\s?-?\d++[ ]?
    | (?P<space>~|\\[ ,;:\n]|\\bibnamedelim[a-z]\s?)
    | (?P<dash>\\bibrangedash\s?)
    | (?P<character>{LATEX})
    | \\(?:[A-Za-z@]++\*?\s*|.)
    | [{{}}]
    )
    """
)
# In an entry by biblatex, each field and each part of a person is in a line of its own.
_FIELD: Final = re.compile(
    r"(?m)^[ \t]*+(?:\\field\{((?:sub|book|journal)?title|year|volume|number|series|pages)\}"
    r"|\\name\{(author|editor)\}|(family|given)=)\{([^\n]*+)"
)


def read(text: str, options: Options, *, comments: bool = True) -> Iterator[Found]:
    """Find every DOI of a document, or of a field of BibTeX, which has no ``comments``."""
    marked = Marked(text, options, of_latex)
    return marked.read(_TOKEN, partial(_read, comments=comments), TextBlocks(text, _BLOCK, plain))


def _read(token: re.Match[str], marked: Marked, *, comments: bool) -> int:
    start, end = token.span()
    match token.lastgroup:
        case "comment":
            if comments:
                end = end_of(_COMMENT, token.string, start)
                marked.put(start, end, "")
        case "link":
            return _link(token, marked)
        case "delimited":
            marked.link(*token.span("target"))
            marked.hide(start, end)
        case "value":
            name = token["field"]
            if name == "doi" or name.startswith("url"):
                marked.link(*token.span("value"), role=name == "doi")
            marked.hide(start, end)
        case "other" if not comments and token[0] in "{}":
            marked.put(start, end, "")  # BibTeX keeps capitals in braces: {S}0140
        case "key":
            first, last = token.span("options")
            marked.hide(start, first)
            marked.hide(last, end)
        case _:
            marked.hide(start, end)
    return end


def _link(token: re.Match[str], marked: Marked) -> int:
    text, start = token.string, token.start()
    argument = _ARGUMENT.match(text, token.end())
    first, last = argument.span(1) if argument else (0, 0)
    is_name = token["doi"] is not None
    named = is_name and marked.named(first, last)
    is_known = named or not is_name or not COMMAND.search(marked.decoded(first, last).text)
    if argument is None or not is_known:
        marked.hide(start, token.end())
        return token.end()
    end = argument.end()
    if token["href"]:
        end, shown = _link_text(text, end)
        marked.link(first, last, [plain(shown)])
    elif not named and (is_name or not marked.link(first, last)):
        marked.hide(start, first)
        marked.decode(first, last)
        marked.hide(last, end)
        return end
    marked.hide(start, end)
    return end


def _link_text(text: str, at: int) -> tuple[int, str]:
    opened = OPEN.match(text, at)
    if opened is None:
        return at, ""
    last = end_of_group(text, opened.end(), _BRACE)
    return last + text.startswith("}", last), text[opened.end() : last]


def plain(text: str) -> str:
    r"""Remove the commands of a text. An entry by biblatex becomes fields as in BibTeX."""
    if not text.startswith(r"\entry"):
        return _UNSEEN.sub(_seen, text).strip()
    pieces: list[str] = []
    for name, people, part, rest in _FIELD.findall(text):
        value = _UNSEEN.sub(_seen, rest.rstrip(",}%"))
        if not part:
            pieces.append(f",\n{name or people} = {'' if people else value}")
        elif pieces:
            between = "" if pieces[-1].endswith("= ") else " and "
            pieces.append(f"{', ' if part == 'given' else between}{value}")
    return "".join(pieces).removeprefix(",\n")


def _seen(match: re.Match[str]) -> str:
    if match["space"]:
        return " "
    if match["dash"]:
        return "-"
    return SourceText.of(match[0], of_latex(match[0])).text if match["character"] else ""
