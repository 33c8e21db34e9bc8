"""Shared by readers that go through markup token by token: links, and the prose that is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from ..core.doi import Form
from ..core.found import Found
from ..core.link import bare_target, may_contain
from ..core.nameless import NoName, no_name_in
from ..core.options import Options
from ..core.remarks import Remark
from ..core.scan import scan
from ..core.text import HIDDEN, SourceText
from .common import TextBlocks, begin, found_in_link, found_in_prose, found_in_role, placed
from .escapes import Escapes, parts_of

COMMAND: Final = re.compile(r"\\[A-Za-z]+")  # of LaTeX or R
OPEN: Final = re.compile(r"\s*+\{")  # of a group


class Marked:
    """The names of a text, while a reader goes through its tokens in order.

    Text that a reader does not mark is prose, as it stands.
    """

    def __init__(self, text: str, options: Options, escapes: Escapes) -> None:
        self.text = text
        self._options = options
        self._escapes = escapes
        self._links: list[Found] = []
        self._pieces: list[tuple[int, int, str]] = []

    def put(self, start: int, end: int, text: str) -> None:
        """Record that a stretch of the source stands for another text."""
        self._pieces.append((start, end, text))

    def hide(self, start: int, end: int) -> None:
        """Record that a stretch of the source is not prose."""
        if start < end:
            self._pieces.append((start, end, HIDDEN))

    def decode(self, start: int, end: int) -> None:
        """Record the characters that the escapes in a stretch of prose stand for."""
        self._pieces += self._escaped(start, end)

    def decoded(self, start: int, end: int) -> SourceText:
        """Decode a stretch of the source, with its places in the source."""
        return SourceText.from_parts(parts_of(self.text, start, end, self._escaped(start, end)))

    def _escaped(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        for first, last, text in self._escapes(self.text[start:end]):
            yield start + first, start + last, text

    def named(self, start: int, end: int) -> bool:
        """List the name in a command for names, up to a command in it that is not known."""
        decoded = self.decoded(start, end)
        cut = COMMAND.search(decoded.text)
        last = decoded.span(*cut.span())[0] if cut else end
        is_named = self.link(start, last, role=True)
        if cut and is_named:
            note = Remark("cut-command", f"{cut[0]} ends the name; write the character instead")
            self._links[-1].remarks += (note,)
        return is_named

    def link(
        self, start: int, end: int, texts: Iterable[str] | None = None, *, role: bool = False
    ) -> bool:
        """List the DOI of a link; tell whether there is one. It is not hidden.

        Without ``texts``, the link shows its address, which may be the name in a command for names.
        """
        decoded = self.decoded(start, end)
        target = decoded.text.strip()
        read = found_in_role(target, self._options) if role else None
        shown: Form = "url" if "/" in target.partition("10")[0] else "label"
        form = shown if texts is None else "link"
        place = read or found_in_link(target, self._options, form, texts or ())
        if not place and texts is not None:
            place = bare_target(target, self._options, lambda: texts)
        is_whole = HIDDEN not in target and not any(map(str.isspace, target))
        if place and (not is_whole or (role and isinstance(place.doi, NoName))):
            # What contains a name is prose, unless it is the target of a text.
            none = no_name_in(target) if role and not any(scan(target)) else None
            if texts is not None and HIDDEN not in target:
                none = NoName(target)
            place = Found(none, form="role" if role else "link") if none else None
        if place is None:
            return False
        first = len(decoded.text) - len(decoded.text.lstrip())
        span = decoded.span(first, first + len(target)) if target else (start, start)
        self._links.append(replace(place, span=span))
        return True

    def read(
        self,
        token: re.Pattern[str],
        read: Callable[[re.Match[str], Marked], int],
        blocks: TextBlocks,
    ) -> Iterator[Found]:
        """Yield every name, in order; a function reads each other token, and returns its end.

        Of the tokens, a ``character`` is an escape, and a ``space`` stands for one.
        """
        if not may_contain(self.text, self._options):
            return
        at = 0
        while found := token.search(self.text, at):
            start, end = found.span()
            if found.lastgroup == "character":
                self.decode(start, end)
            elif found.lastgroup == "space":
                self.put(start, end, " ")
            else:
                end = read(found, self)
            at = max(end, start + 1)  # an empty token would be found again
        whole = SourceText.of(self.text, self._pieces)
        prose = placed(found_in_prose(whole.text, self._options), whole)
        for name in sorted([*self._links, *prose], key=begin):
            yield replace(name, around=blocks.at(begin(name)))


def end_of_group(text: str, at: int, brace: re.Pattern[str]) -> int:
    """Return the end of the content of an open group: before its last brace, or what stops it.

    The first group of the pattern is a brace, and the second one, if it has one, is a stop.
    """
    depth = 1
    while found := brace.search(text, at):
        depth += {"{": 1, "}": -1}.get(found[1], 0)
        if not depth or found.lastindex == 2:
            return found.start()
        at = found.end()
    return len(text)
