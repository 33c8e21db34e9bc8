"""The text of a link that is the same as its target: both are one URL, written twice."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["twin_of"]

# The end of the sentence, and white space, which in a notebook may be a line end.
_AFTER: Final = r"(?:[\s.,;:)]|\\n|\",\s*\")*"
# What is between a text and its target, in Markdown, reStructuredText, HTML and LaTeX.
_MARKUP: Final = (
    rf"{_AFTER}\]\(\s*<?",  # [text](target
    rf"{_AFTER}\s<",  # `text <target
    r"[\"']?(?:\s[^<>]{0,200})?>\s*",  # href="target">text
    r"\}\s?\{\s*",  # \href{target}{text
)
_BETWEEN: Final = re.compile("|".join(_MARKUP))
_REACH: Final = 210  # characters, longer than what is between them


def twin_of(text: str, at: int, written: str) -> list[int]:
    """Where the second copy of a URL begins, if one is near; otherwise an empty list.

    The second copy is the target of a link for its text, and the text for its target.

    :param at: where the first copy begins
    """
    after = at + len(written)
    if (found := _BETWEEN.match(text, after, after + _REACH)) and text.startswith(
        written, found.end()
    ):
        return [found.end()]
    before = text.rfind(written, max(0, at - len(written) - _REACH), at)
    if before >= 0 and _BETWEEN.fullmatch(text, before + len(written), at):
        return [before]
    return []
