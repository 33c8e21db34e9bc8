"""Citations of works by DOI name, written as pandoc writes citations.

``[see @doi:10.1000/182, p. 3; @doi:10.1000/183]`` is a group in brackets, ``@doi:10.1000/182`` and
``@doi:10.1000/182 [p. 3]`` are part of the sentence. ``-@`` shows the year alone. A name may stand
in braces, ``@{doi:10.1000/182}``. Spec: the pandoc manual, "Citation syntax".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from ..core.doi import InvalidDOI
from ..core.found import Found
from ..core.link import link_to
from ..core.nameless import BibKey, WorkId
from ..core.options import Options
from ..core.printable import printable
from ..core.scan import Match, scan
from ..core.text import SourceText
from ..lock.bib_files import bib_files_of, is_unknown

# No letter or digit is before the sign, so an e-mail address is no citation.
_SIGN: Final = re.compile(r"(?<![^\W_])@(?=\{?doi:10)", re.IGNORECASE)
# A null character stands for what a host hides, such as code. A footnote, the
# text of a link and, in reStructuredText, a reference to a footnote are no locators.
_LOCATOR: Final = re.compile(r"[ \n]?\[(?!\^)([^\[\]@\0]{1,200})\](?![\[(_])")
_LONGEST: Final = 4_000  # characters of a group, so that brackets far away are not read again


class Cite(NamedTuple):
    """One work that is cited."""

    doi: WorkId
    before: str = ""  # the text before it, ``see``
    after: str = ""  # the text after it, ``, p. 3``
    year_only: bool = False  # whether its people stand in the sentence already

    def found(self, written: str | None, line: int | None = None) -> Found | None:
        """Return the place of the name that is cited; None for a key."""
        if isinstance(self.doi, BibKey):
            return None
        return Found(self.doi, form="cite", line=line, written=written)


class Cluster(NamedTuple):
    """Citations that belong together."""

    start: int  # where they are in the text
    end: int
    cites: tuple[Cite, ...]
    narrative: bool = False  # whether it is part of the sentence: ``Paskin (2000) says``
    signs: tuple[int, ...] = ()  # where the sign of each work is


def may_cite(text: str, options: Options) -> bool:
    """Tell quickly whether a text may contain a citation, if the options ask for them."""
    if not options.cites or "@" not in text:
        return False
    return bool(options.cite_bib) or _SIGN.search(text) is not None


_TYPED: Final = re.compile(r"@\{?[^\s\[\]{};,]{1,60}")


def typed(text: str, options: Options) -> str:
    """Return a warning about a citation that stays as it is typed; ``""`` if there is none."""
    sign = _SIGN.search(text) if options.cite == "auto" and "@" in text else None
    if not sign or not (name := _TYPED.match(text, sign.start())):
        return ""
    option = options.spelled("cite")
    return (
        f"{printable(name[0])} is shown as it is typed: turn {option} on to cite works, or set it "
        "to false [doi-cite]"
    )


def parse(text: str, files: Sequence[str] = ()) -> Iterator[Cluster]:
    """Yield every citation in a text, in its order, also by key if there are ``files`` with works.

    A key that they do not have is cited too where nothing else can be meant, in a group in
    brackets, so that the author gets a warning.
    """
    signs = {each.start() for each in _SIGN.finditer(text)}
    names: list[_CitedName] = []
    for match in scan(without_signs(text)) if signs else ():
        start, end = match.start - 1, match.end
        if text[start : start + 1] == "{":
            start, end = start - 1, end + (text[end : end + 1] == "}")
        if start in signs:
            names.append(_CitedName.at(start, end, match.doi, text))
    if files:
        known = bib_files_of(files).names
        for each in _KEY.finditer(text):
            key = each[1] or each[2]
            if each.start() not in signs:  # of DOI names
                names.append(_CitedName.at(*each.span(), known.get(key) or BibKey(key), text))
        names.sort()
    at = done = 0
    while at < len(names):
        first = names[at]
        if first.start < done:  # in the locator of the one before
            at += 1
            continue
        group = _group(text, names, at, done)
        if group is None:
            at += 1
            if is_unknown(first.doi):
                continue
            yield (group := _narrative(text, first))
        else:
            yield group
            at += len(group.cites)
        done = group.end


def without_signs(text: str) -> str:
    """Replace the ``@`` of citations with a space, so that detection finds the cited names.

    It takes no name after ``@``, which may have other meanings.

    >>> without_signs("see @doi:10.1000/182")
    'see  doi:10.1000/182'
    """
    return _SIGN.sub(" ", text)


# mystmd and filters of Pandoc also cite a name without a label, and an address of doi.org. An
# e-mail address and the address of a page have a letter or a slash before the sign.
_SIGN_OF_MYSTMD: Final = re.compile(
    r"(?<![^\W_])(?<!/)@(?=\{?(?:doi:10|(?:https?://(?:dx\.|www\.)?doi\.org/)?10\.[0-9]))",
    re.IGNORECASE,
)


def source_without_signs(text: str, *, of_mystmd: bool = False) -> str:
    r"""Replace the ``@`` of citations with commas for detection; no line changes indentation.

    >>> source_without_signs(r"@doi:10.1000/182, \@doi:10.1000/183")
    ',doi:10.1000/182, \\@doi:10.1000/183'
    """
    signs = _SIGN_OF_MYSTMD if of_mystmd else _SIGN
    return signs.sub(lambda sign: "@" if sign.string[sign.start() - 1] == "\\" else ",", text)


class _CitedName(NamedTuple):
    """A name after the sign: from the sign, or the hyphen before it, to its end."""

    start: int
    end: int
    doi: WorkId
    year_only: bool
    sign: int

    @classmethod
    def at(cls, sign: int, end: int, doi: WorkId, text: str) -> _CitedName:
        year_only = sign > 0 and text[sign - 1] == "-" and text[sign - 2 : sign - 1] in " [;\n"
        return cls(sign - year_only, end, doi, year_only, sign)


# Spec: the pandoc manual, "Citation syntax": what a key may contain between letters and digits.
_WORD: Final = re.compile(r"[^\s;,\[\]{}@\0]{1,200}")
_KEY: Final = re.compile(
    r"(?<![^\W_])@(?:\{([^{}\s\0]{1,200})\}|(\w(?:\w|[:.#$%&\-+?<>~/](?=\w)){0,199}))"
)


def _narrative(text: str, name: _CitedName) -> Cluster:
    locator = _LOCATOR.match(text, name.end)
    after = f", {locator[1].strip()}" if locator else ""
    end = locator.end() if locator else name.end
    cites = (Cite(name.doi, "", after, name.year_only),)
    return Cluster(name.start, end, cites, narrative=True, signs=(name.sign,))


def _group(text: str, names: Sequence[_CitedName], at: int, done: int) -> Cluster | None:
    """Read the group in brackets whose first name is ``names[at]``; None if it is not a group."""
    first = names[at]
    begin = text.rfind("[", max(done, first.start - _LONGEST), first.start)
    if begin < 0 or "]" in text[begin : first.start]:
        return None
    cites: list[Cite] = []
    start = begin + 1
    for name in islice(names, at, None):
        before = text[start : name.start]
        end = _END_OF_ITEM.match(text, name.end, begin + _LONGEST)
        if end is None or name.start < start or not _BEFORE.fullmatch(before):
            break
        cites.append(Cite(name.doi, before.strip(), end[1].rstrip(), name.year_only))
        if end[2] == "]":
            signs = tuple(each.sign for each in islice(names, at, at + len(cites)))
            return Cluster(begin, end.end(), tuple(cites), signs=signs)
        start = end.end()
    return None


_BEFORE: Final = re.compile(r"[^\[\];@\0]{0,400}")  # the words before a name in a group
_END_OF_ITEM: Final = re.compile(r"([^\[\];@\0]{0,400})([\];])")


Span = tuple[int, int]


def parse_role(text: str, files: Sequence[str] = ()) -> tuple[Cite, ...]:
    """Parse the text of a role: DOI names in any form or keys of ``files``, with words beside."""
    visible = without_signs(text)
    matches: list[Match | _CitedName] = [*scan(visible)]
    if files:
        keys = bib_files_of(files).names
        ends = [(match.start, match.end) for match in matches]
        matches += [
            _CitedName(word.start(), word.end(), keys[word[0]], False, word.start())
            for word in _WORD.finditer(visible)
            if word[0] in keys and not any(s <= word.start() < e for s, e in ends)
        ]
        matches.sort(key=lambda match: match.start)
    cites: list[Cite] = []
    start = 0
    for at, match in enumerate(matches):
        before = text[start : match.start].rstrip("@{").strip()
        year_only = before.endswith("-")
        limit = matches[at + 1].start if at + 1 < len(matches) else len(text)
        end = text.find(";", match.end, limit)
        if end < 0 and limit < len(text):
            raise InvalidDOI(text, "two names without a semicolon between them")
        end = limit if end < 0 else end
        after = text[match.end : end].removeprefix("}").rstrip()
        if locator := _LOCATOR.fullmatch(after):
            after = f", {locator[1].strip()}"
        cites.append(Cite(match.doi, before.removesuffix("-").strip(), after, year_only))
        start = end + 1
    if not cites or text[start:].strip(" ;"):
        raise InvalidDOI(text, "no name" + (", and no key of cite_bib" if files else ""))
    return tuple(cites)


# --------------------------------------------------------------------------------------------------
# Parts of citations that words stand for while a Markdown host reads its markup.


def text_and_target(doi: WorkId, options: Options) -> tuple[str, str | None]:
    """Return the text of the link to a work, and its target; None without one."""
    if isinstance(doi, BibKey):
        return doi.uri, doi.address or None
    link = link_to(doi, options)
    return link.text or doi.uri, link.href


@dataclass(eq=False)
class Group:
    """Citations in brackets."""

    is_shown: bool = False


class Cited(NamedTuple):
    """A work that is cited: one of a group, or a part of the sentence with its locator."""

    cluster: Cluster  # with this work alone, and without the words beside it in a group
    text: str  # as the author wrote it, with escapes decoded
    group: Group | None  # the group that it belongs to
    line: int = 0  # its line in what the host reads at once, counted from 0, where that is known

    @property
    def cite(self) -> Cite:
        """The work."""
        return self.cluster.cites[0]

    @property
    def citation(self) -> Cluster:
        """The text of the citation: running text, if the host's markup has split the group."""
        torn = self.group is not None and not self.group.is_shown
        return self.cluster._replace(narrative=self.cluster.narrative or torn)


class Bracket(NamedTuple):
    """A bracket of a group, which the host reads as a bracket of its own."""

    group: Group
    opens: bool

    @property
    def text(self) -> str:
        """The character of the source."""
        return "[" if self.opens else "]"


class Literal(NamedTuple):
    """A character that is markup only if words stand for names."""

    text: str


def works_in(
    cluster: Cluster, plain: SourceText, group: Group
) -> Iterator[tuple[Span, Cited, Span, Span]]:
    """Yield the works of a group, each with its place in the source and the words around it.

    The places of these words are in the text, so that a host can keep the markup in them.
    """
    text, signs, start = plain.text, cluster.signs, cluster.start + 1
    for at, (sign, cite) in enumerate(zip(signs, cluster.cites, strict=True)):
        # No word before a work has a semicolon.
        last = at + 1 == len(signs)
        end = cluster.end - 1 if last else text.rfind(";", sign, signs[at + 1])
        words = text[start:sign]
        begin = start + len(words) - len(words.lstrip())
        close = sign + len(text[sign:end].rstrip())
        first, stop = sign - cite.year_only, close - len(cite.after)
        alone = cluster._replace(cites=(cite._replace(before="", after=""),))
        cited = Cited(alone, text[first:stop], group)
        yield plain.span(first, stop), cited, (begin, begin + len(cite.before)), (stop, close)
        start = end + 1


def group_of(parts: Iterable[str | Cluster]) -> Cluster:
    """Join works and the words beside them, as a host has them, into a group in round brackets.

    >>> [one, other] = parse("@doi:10.1000/182 @doi:10.1000/183")
    >>> group = group_of(["(see ", one, ", p. 3; ", other, ")"])
    >>> [(cite.before, cite.after) for cite in group.cites]
    [('see', ', p. 3'), ('', '')]
    """
    texts = [""]
    cites: list[Cite] = []
    for part in parts:
        if isinstance(part, Cluster):
            cites += part.cites
            texts.append("")
        else:
            texts[-1] += part
    # No word beside a work has a semicolon.
    between = [text.partition(";") for text in texts[1:-1]]
    befores = [texts[0].partition("(")[2], *(before for _, _, before in between)]
    afters = [*(after for after, _, _ in between), texts[-1].rpartition(")")[0]]
    every = zip(cites, befores, afters, strict=False)
    words = (cite._replace(before=b.strip(), after=a.rstrip()) for cite, b, a in every)
    return Cluster(0, 0, tuple(words))
