"""What stands in the place of a DOI name: the key of a work, or a text that is no name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from .doi import DOI, RESOLVER, WEB, InvalidDOI, decode, tail_form
from .scan import scan

# An address of doi.org up to its path, and a URI; authors write the scheme twice.
_ADDRESS: Final = re.compile(
    rf"(?i)\s*+(?:(?P<web>(?:(?:{WEB})+|//)?{RESOLVER}(?::[0-9]+)?(?:[:/]|\\/|(?=[?#]|\Z))+)"
    r"|doi:\s*)"
)
# Heuristic: the markup of templates.
_MARKUP: Final = re.compile(
    r"(?i)[{}<>$*|\[\]`^\"'“”…@]|(?<![0-9])\\|%(?![0-9A-F]{2})|\.\.|#[#0-9]|\+\s|(?:\A|/):[a-z]|__"
)
# Heuristic: placeholders, which an author has to fill in.
_BLANK: Final = re.compile(
    r"(?is)--|\bx{2,}|\bn{3,}|\A[a-z]{,9}doi[-_ ]?[0-9]*\Z"
    r"|\A10\.?\Z|\A10\.[a-z]+(?:/|\Z)|\A(?=[^0-9:]*+\Z).*(?<![^\W_])(?:dois?|your|name|number"
    r"|prefix|suffix|id|identifier|example|placeholder|pending|to-?do|tb[acd])(?![^\W_])"
)
# Heuristic: the folders and files that doi.org itself has or had.
_PAGE: Final = re.compile(
    r"(?i)(?:the-(?:identifier|community|foundation)|about|api|contact|demos?|doi_?[a-z]\w*|doi-\w+"
    r"|events|factsheets|faqs?|governance|handbook|help|hb|images|index|members|news|overview"
    r"|policies|privacy|ra|registration|resources?|search|topics|tools|users?)(?![a-z])"
    r"|(?![0-9])\S*\.(?:html?|php|pdf|png|svg|ico|jpe?g|gif|css|js|json|xml|xsd|txt)\Z"
)
# A handle of another prefix than 10.
_HANDLE: Final = re.compile(r"(?!1?0[./])[0-9]+(?:\.[0-9A-Z]+)*/\S")
# In a field for names, four digits and a slash are rather a prefix without its "10.".
_ONLY_HANDLE: Final = re.compile(r"(?:[0-9]{5,}|(?!1?0\.)[0-9]+(?:\.[0-9A-Z]+)+)/\S")
# A prefix with O for 0 or l for 1, without its 1, or only its registrant code of four digits.
_TEN: Final = "[1lI]?[0Oo][.]"
_CODE: Final = "(?=[OolI]*[0-9])[0-9OolI]{4,9}(?=/[^/])"
# A mistyped prefix, whose code the group contains.
_MEANT: Final = re.compile(rf"(?:(?<![\w.]){_TEN}|\A(?=[^/]{{4}}/))({_CODE})", re.IGNORECASE)
_DIGITS: Final = str.maketrans("OolIiL", "001111")
# An address of doi.org, or a label before a mistyped prefix, and what follows.
_PROSE: Final = re.compile(
    rf"(?i)(?<![\w./@-])(?:(?P<url>(?:{WEB})?{RESOLVER}/)|doi:[ ]?(?={_TEN}{_CODE})"
    r"|(?<=<)doi:(?=[^\s<>]{0,99}[0-9]))"
    r"(?P<path>(?>(?:[^\s<>\"'`|\\^,;\[\]]|,(?=[0-9])){1,400}))"
)
_PREFIX: Final = re.compile(r"[0-9.]*/?")  # digits alone, a prefix at most
_MOST: Final = 80  # characters that a message shows
_CAPITAL: Final = re.compile("D(?:OI|oi)")  # labels that prose has


@dataclass(frozen=True, slots=True)
class BibKey:
    """The key of a work that a citation names, where others have a DOI name.

    :ivar address: the URL of the work, ``""`` for none, and None if no file has the key
    """

    key: str
    address: str | None = field(default=None, compare=False)

    @property
    def folded(self) -> str:
        """The key after its sign, in which case counts."""
        return f"@{self.key}"

    @property
    def uri(self) -> str:
        """The address, or the key as an author writes it."""
        return self.address or self.folded

    name = url = uri


WorkId = DOI | BibKey  # what a citation names


class NoName(DOI):
    """A text that stands in the place of a DOI name, and is not one.

    It takes the place of a name, so that hosts list it, comments silence it and the check reports
    it. Nothing is asked about it. It is a subclass because ``Found.doi``, which users read, has one
    type: a union would make 70 places ask what ``read`` and the check have sorted out already.

    :param written: the target of the link, or the value of the field
    :param is_sure: whether it leads nowhere; it may be a handle, or only look like a name
    :param why: more about the reason, or ``""``
    """

    __slots__ = ("is_sure", "why")

    def __init__(self, written: str, is_sure: bool = True, why: str = "") -> None:
        self._name, self.is_sure, self.why = written, is_sure, why

    def __reduce__(self) -> tuple[type[DOI], tuple[str, bool, str]]:  # type: ignore[override]
        return NoName, (self._name, self.is_sure, self.why)

    @property
    def path(self) -> str:
        """The text without the address of doi.org."""
        return _ADDRESS.sub("", self._name, count=1)

    @property
    def folded(self) -> str:
        """The same for two that are equal. No name is equal to it."""
        return f"//{self.path.lower()}"

    @property
    def uri(self) -> str:
        """The text as messages show it."""
        shown = tail_form(self._name)
        return shown if len(shown) <= _MOST else shown[: _MOST - 3] + "..."

    @property
    def meant(self) -> DOI | None:
        """The name that was probably meant, if that can be seen."""
        path = "".join(decode(self.path).split())
        found = _MEANT.search(path)
        name = f"10.{found[1].translate(_DIGITS)}{path[found.end() :]}" if found else ""
        return DOI(name) if _is_name(name) else None

    @property
    def message(self) -> str:
        """The message of the problem."""
        meant = f" (did you mean {self.meant.uri}?)" if self.meant else ""
        kind = ", perhaps a handle" if _HANDLE.match(self.path) and not meant else ""
        return f"no DOI name{kind}: {self.uri}{self.why or meant}"


def nowhere(href: str) -> NoName | None:
    """Return the target of a link to doi.org if it is not a name, page or template; else None."""
    address = _ADDRESS.match(href)
    if not address:
        return None
    rest = href[address.end() :].strip()
    path = re.split("[?#]", rest, maxsplit=1)[0]
    written = decode(rest)
    has_name = address["web"] and any(scan(written))
    is_template = not (_MEANT.match(path) or has_name) and (
        _MARKUP.search(written) or _BLANK.search(written)
    )
    is_page = address["web"] and _PAGE.match(path)
    if not path.strip("/") or is_template or is_page or _is_name(href):
        return None
    return NoName(href.strip(), not _HANDLE.match(path))


def no_name_in(value: str, why: str = "") -> NoName | None:
    """Return the text in place of a DOI name in a field or role; None if empty or a template."""
    value = value.strip()
    if not re.search(r"\w", value) or (_MARKUP.search(value) and not _MEANT.match(value)):
        return None
    is_blank = _BLANK.search(value) or value.lower() in ("n/a", "na", "none", "null")
    return NoName(value, not (is_blank or _ONLY_HANDLE.match(value)), why)


def aimed_in(text: str) -> Iterator[tuple[int, int, NoName]]:
    """Yield each place in prose where a name was plainly meant: ``https://doi.org/1O.1000/182``."""
    for found in _PROSE.finditer(text):
        written = found[0].rstrip(".,:!?*_~)]}")
        path = written[found.start("path") - found.start() :]
        is_target = text[max(0, found.start() - 2) : found.start()].endswith(("](", "[[", "<"))
        aims = re.search("[0-9]", path) and not _PREFIX.fullmatch(path)
        if (aims or is_target) and not any(scan(written)):
            aimed = nowhere(written) if found["url"] else NoName(written, is_sure=False)
            if aimed:
                yield found.start(), found.start() + len(written), aimed


def may_aim(text: str) -> bool:
    """Tell cheaply whether a text may contain a label or address without a DOI name."""
    return "doi" in text or ("D" in text and _CAPITAL.search(text) is not None)


def _is_name(written: str) -> bool:
    try:  # Heuristic: no registered suffix begins with a blank
        return not DOI.parse(written).suffix[0].isspace()
    except InvalidDOI:
        return False
