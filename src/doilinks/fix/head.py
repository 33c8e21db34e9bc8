"""What is before a name in a URL: the address of the resolver, written in many ways."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ..core.doi import DOI_HOST, LABEL, MISTYPED, RESOLVER, TO_NAME, WEB

__all__ = ["Head", "head_of"]

_URL: Final = re.compile(
    rf"(?P<scheme>{WEB}|//)?(?P<host>{DOI_HOST})(?P<to>{TO_NAME})|(?P<typo>{MISTYPED})(?=10\.)",
    re.IGNORECASE,
)
# EZproxy serves doi.org as doi-org.<library host>, and served it as doi.org.<library host>.
_COPY: Final = re.compile(rf"(?!{RESOLVER}\Z)", re.IGNORECASE)
_OLD: Final = re.compile(r"(?:www|dx)\.", re.IGNORECASE)
_WHOLE: Final = re.compile(r"https?:(?:\\?/){2}", re.IGNORECASE)


class Head(NamedTuple):
    """What is before a name.

    :ivar label: what is before the URL: labels
    :ivar url: the URL of the resolver, or None if there is only a label or nothing
    :ivar again: what is between the URL and the name: another URL, or a label
    :ivar end: the offset of the name
    """

    label: str
    url: re.Match[str] | None
    again: str
    end: int

    def reasons(self, *, target: bool) -> tuple[str, ...]:
        """The codes of the rules by which this is wrong.

        :param target: whether it is the target of a link, which needs a scheme and has no label
        """
        if self.url is None:
            return ()
        doubled = ("doi-doubled",) if self.again or (target and self.label) else ()
        wrong = self._wrong(self.url, target=target)
        return (*((wrong,) if wrong else ()), *doubled)

    def _wrong(self, url: re.Match[str], *, target: bool) -> str:
        if url["typo"]:
            return "doi-mistyped"
        scheme, to = url["scheme"] or "", url["to"]
        if _COPY.match(url["host"]):
            return "doi-proxy-copy"
        # In prose, "doi.org:" without a scheme is a label.
        if scheme not in ("", "//") and not (_WHOLE.fullmatch(scheme) and to in ("/", "\\/")):
            return "doi-mistyped"
        if scheme.lower().startswith("http:") or _OLD.match(url["host"]):
            return "doi-resolver"
        return "doi-resolver" if target and scheme in ("", "//") else ""

    def mended(self, wanted: frozenset[str], *, target: bool) -> tuple[str, tuple[str, ...]]:
        """The head as it should be, and the codes of the rules that changed it."""
        used = tuple(code for code in self.reasons(target=target) if code in wanted)
        if self.url is None or not used:
            return "", ()
        doubled = "doi-doubled" in used
        label = "" if target and doubled else self.label
        again = "" if doubled else self.again
        return f"{label}{self._url(self.url, used, target=target)}{again}", used

    def _url(self, url: re.Match[str], used: tuple[str, ...], *, target: bool) -> str:
        if used == ("doi-doubled",):
            return url[0]
        has_scheme = bool(url["scheme"] or url["typo"] or target)
        to = url["to"] or "/"
        mended = f"https://doi.org{'/' if has_scheme or '/' in to else to}"
        mended = mended if has_scheme else mended.removeprefix("https://")
        return mended.replace("/", "\\/") if "\\/" in url[0] else mended  # as JSON may escape it


def head_of(text: str, at: int = 0) -> Head:
    """The head of a text that is nothing but a DOI, as :meth:`DOI.parse` reads it.

    :param at: where it begins

    >>> head_of("http://dx.doi.org/doi:10.1000/182").mended(frozenset({"doi-doubled"}), target=True)
    ('http://dx.doi.org/', ('doi-doubled',))
    """
    start, url, after = at, None, at
    while True:
        if found := _URL.match(text, at):
            if url is None:
                url, after = found, found.end()
        else:
            found = LABEL.match(text, at)
            if not found:
                break
        at = found.end()
    label = text[start : url.start() if url else at]
    return Head(label, url, text[after:at] if url else "", at)
