"""The options, declared once; each host has its own spelling for them.

Each field has its help and the kind of value that it takes. Hosts loop over the fields, so that no
option is declared twice. The constructor checks all values at once.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Final

from .doi import DOI, PROXY, InvalidDOI
from .found import Listed
from .printable import printable, shown

__all__ = [
    "CLASS",
    "COUNT",
    "DAYS",
    "FAMILIES",
    "FLAG",
    "LIMIT",
    "MAIL",
    "NO_CHECK",
    "PATH",
    "PATTERNS",
    "SECONDS",
    "URL",
    "URL_OR_NOTHING",
    "WHOLE",
    "InvalidOption",
    "Kind",
    "Options",
    "Spelling",
    "choice",
    "describe",
    "hidden",
    "kind_of",
    "misspelt",
    "no_such_option",
    "public",
    "read_address",
    "strings",
]


# --------------------------------------------------------------------------------------------------
# What to say about an unforeseen error: its kind and its place, but not its text.
#
# The text of an error may contain what was read, for example a password of an address.


def describe(error: BaseException) -> str:
    """The kind of an error, and the module and line that raised it.

    >>> try:
    ...     {}["http://user:password@proxy/"]
    ... except KeyError as error:
    ...     describe(error).partition(" in ")[0]
    'KeyError'
    """
    import traceback  # rarely needed

    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):  # the last one raised it
        place = f" in {frame.f_globals.get('__name__')}:{line}"
    return type(error).__name__ + place


# --------------------------------------------------------------------------------------------------
# What a name that is not an option may have meant, for the messages of every host.

_LONGEST: Final = 64  # characters, of a name that may be an option's
_ALIKE: Final = 0.8  # difflib's ratio


def no_such_option(given: str, known: Iterable[str]) -> str:
    """Say of a name that must be an option, and is not, which option it looks like.

    >>> no_such_option("dispaly", ["display", "proxy"])
    'there is no such option (did you mean display?)'
    >>> no_such_option("colour", ["display", "proxy"])
    'there is no such option (there are: display, proxy)'
    """
    known = list(known)
    hint = f"did you mean {near}?" if (near := _nearest(given, known)) else ""
    return f"there is no such option ({hint or 'there are: ' + ', '.join(known)})"


def misspelt(given: str, spelling: Spelling = str, value: object = None) -> str | None:
    """Say which option a name looks like, in a host where it may belong to the author.

    :param value: the value of the name; if the option does not take such a value, the author did
        not mean the option

    >>> misspelt("doi_dispaly", lambda option: "doi_" + option)
    'doi_dispaly: there is no such option (did you mean doi_display?)'
    """
    known = {spelling(name): name for name in Options.NAMES}
    if not (near := _nearest(given, known)):
        return None
    try:
        Options.read({} if value is None else {known[near]: value})
    except InvalidOption:
        return None
    return f"{printable(given)}: {no_such_option(given, known)}"


def _nearest(given: str, known: Iterable[str]) -> str:
    """The name that is most alike, or ``""``. Heuristic: a letter left out, doubled or swapped."""
    import difflib  # rarely needed

    return next(iter(difflib.get_close_matches(given[:_LONGEST], list(known), 1, _ALIKE)), "")


# --------------------------------------------------------------------------------------------------
# The address of a service: a URL that every program reads in the same way.
#
# RFC 3986 leaves so much open that two programs may find different hosts in the same text, as in
# ``https://[::1]@evil.example[doi.org/``. The code that judges an address and the code that
# connects to it must agree, so an address is accepted only in the plain form below.

# RFC 3986 §3.2, of which the names of hosts are those of RFC 1123 §2.1, and an underscore.
_USER: Final = r"[!$&()*+,\-.0-9:;=A-Z_a-z~%]+@"
_HOST: Final = r"[0-9A-Za-z][-.0-9A-Z_a-z]*|\[[0-9A-Fa-f:.]+\]"
# An address becomes part of a link, so it contains nothing that could end an attribute or a line.
_REST: Final = r"[!$&()*+,\-./0-9:;=?@A-Z_a-z~%\[\]]*"
_ADDRESS: Final = re.compile(
    rf"https?://(?:{_USER})?(?:{_HOST})(?::(?P<port>[0-9]{{1,5}}))?(?:[/?]{_REST})?", re.IGNORECASE
)
_PORTS: Final = range(1 << 16)


def read_address(text: str) -> str:
    """Read an http or https address to which a path may be appended.

    :raises ValueError: for anything else

    >>> read_address("https://doi.org"), read_address("https://library.example/login?url=")
    ('https://doi.org/', 'https://library.example/login?url=')
    >>> read_address("https://[::1]@evil.example[doi.org/")
    Traceback (most recent call last):
    ValueError
    """
    found = _ADDRESS.fullmatch(text)
    if found is None or int(found["port"] or 0) not in _PORTS:
        raise ValueError
    return text if text.endswith(("/", "=")) else text + "/"


def public(address: str) -> str:
    """An address without the user name and password that it may contain.

    >>> public("https://user:password@doi.example/api/@x/")
    'https://doi.example/api/@x/'
    """
    return re.sub(r"^(\w+://)[^/?]*@", r"\1", address)


def hidden(value: object) -> str:
    """A wrong value of an address, for a message, without what may be a password.

    >>> hidden("http://user:pass/word@doi.example")
    "'http://…@doi.example'"
    """
    text = value if isinstance(value, str) else shown(value)
    before, at, host = text.rpartition("@")
    if at:
        scheme, slashes, _ = before.partition("//")
        text = f"{scheme + slashes if slashes else ''}…@{host}"
    return shown(text) if isinstance(value, str) else text


# --------------------------------------------------------------------------------------------------
# The kinds of values that options take: for each a reader, and a phrase for messages.

_MAIL: Final = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190}")


@dataclass(frozen=True)
class Kind:
    """What values an option takes: a phrase for messages, and a reader that raises ValueError."""

    takes: str
    read: Callable[[object], object]
    choices: tuple[str, ...] = ()
    show: Callable[[object], str] = shown

    def refusal(self, value: object, error: Exception) -> str:
        """The message about a value for which the reader raised an error."""
        detail = f" ({error})" if type(error) is ValueError and str(error) else ""
        return f"takes {self.takes}, got {self.show(value)}{detail}"


def _flag(value: object) -> bool:
    words: dict[object, bool] = {"true": True, "yes": True, "on": True, "1": True, 1: True}
    words |= {"false": False, "no": False, "off": False, "0": False, 0: False}
    return words[value.strip().lower() if isinstance(value, str) else value]


def choice(*choices: str) -> Kind:
    """The kind of an option that takes one of some words."""

    def read(value: object) -> str:
        # YAML 1.1 reads a bare `off` as false.
        word = "off" if value is False and "off" in choices else value
        if word not in choices:
            raise ValueError
        return str(word)

    return Kind("one of " + ", ".join(repr(choice) for choice in choices), read, choices)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _class_name(value: object) -> str:
    name = _text(value).strip()
    if any(not character.isprintable() for character in name):
        raise ValueError
    return name


def _path(value: object) -> str:
    path = _text(value)
    if "\0" in path:
        raise ValueError
    return path


def strings(value: object) -> tuple[str, ...]:
    """Read a list of strings. Hosts with text-only settings give one string, with one entry a line.

    :raises TypeError: for anything else
    """
    if isinstance(value, str):
        return tuple(line.strip() for line in value.splitlines() if line.strip())
    if not isinstance(value, (list, tuple, set, frozenset)):
        raise TypeError
    return tuple(_text(entry) for entry in value)


def _patterns(value: object) -> tuple[str, ...]:
    patterns = strings(value)
    with warnings.catch_warnings():
        # What a later Python may read in another way is not an error of the author's today.
        warnings.simplefilter("ignore", FutureWarning)
        for pattern in patterns:
            try:
                re.compile(pattern)
            except (re.error, OverflowError, RecursionError) as error:
                raise ValueError(f"{shown(pattern)}: {error}") from error
    return patterns


def _families(value: object) -> tuple[str, ...]:
    families = strings(value)
    try:
        Listed(families)
    except InvalidDOI as error:
        raise ValueError(str(error)) from error
    return families


def _mail(value: object) -> str:
    address = _text(value).strip()
    if address and not _MAIL.fullmatch(address):
        raise ValueError
    return address


def _number(least: float, *, whole: bool) -> Callable[[object], object]:
    def read(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise TypeError
        try:
            number = int(value) if whole and not isinstance(value, float) else float(value)
        except (ValueError, OverflowError):
            raise ValueError from None  # Python's message adds nothing
        if not least <= number < 10**9 or (whole and number != int(number)):
            raise ValueError
        return int(number) if whole else number

    return read


FLAG: Final = Kind("true or false", _flag)
URL: Final = Kind(
    "an http or https URL that ends in a slash",
    lambda value: read_address(_text(value)),
    show=hidden,
)
PATTERNS: Final = Kind("a list of regular expressions", _patterns)
URL_OR_NOTHING: Final = Kind(
    "an http or https URL that ends in a slash, or nothing",
    lambda value: read_address(_text(value)) if value else "",
    show=hidden,
)
FAMILIES: Final = Kind("a list of DOI names and of beginnings like '10.5555/*'", _families)
MAIL: Final = Kind("an e-mail address, or nothing", _mail)
WHOLE: Final = Kind("a whole number, 0 or more", _number(0, whole=True))
COUNT: Final = Kind("a whole number, 1 or more", _number(1, whole=True))
SECONDS: Final = Kind("a number of seconds greater than 0", _number(0.001, whole=False))
LIMIT: Final = Kind("a number of seconds, or 0 for no limit", _number(0, whole=False))
DAYS: Final = Kind("a number of days, 0 or more", _number(0, whole=False))
CLASS: Final = Kind("a class name", _class_name)
PATH: Final = Kind("a path, or nothing", _path)


Spelling = Callable[[str], str]
_SPELLING: Final = "_spelling"  # an attribute that is not an option, so comparisons ignore it

# For hosts without a check, when the author asks for one.
NO_CHECK: Final = "nothing is checked here: run `doilinks check`"


class InvalidOption(ValueError):
    """One or more options have a wrong value.

    :ivar problems: one sentence each, naming the option as its host spells it
    """

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(*problems)
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "; ".join(self.problems)


def _option(default: Any, kind: Kind, text: str) -> Any:
    return field(default=default, metadata={"kind": kind, "help": text})


@dataclass(frozen=True)
class Options:
    """Every option of doilinks. See the options page of the documentation for each one.

    :raises InvalidOption: naming every option whose value is wrong

    >>> Options(display="name").display
    'name'
    >>> Options.read({"display": "nmae"}, lambda option: "doi_" + option)
    Traceback (most recent call last):
    doilinks.core.options.InvalidOption: doi_display: takes one of 'uri', 'legible', 'url', \
'name', 'source', got 'nmae'
    """

    display: str = _option(
        "uri",
        choice("uri", "legible", "url", "name", "source"),
        "The text of a link to 10.1000/a/b#1: ``uri`` shows doi:10.1000/a%2Fb%231, ``legible`` "
        "shows doi:10.1000/a/b%231, ``url`` shows https://doi.org/10.1000/a/b%231, ``name`` shows "
        "10.1000/a/b#1, ``source`` shows what the author wrote.",
    )
    proxy: str = _option(PROXY, URL, "The address that every link begins with.")
    bare: bool = _option(
        True, FLAG, "Also link bare names, not only those with ``doi:`` or in a URL."
    )
    urls: str = _option(
        "rewrite",
        choice("rewrite", "target", "keep"),
        "What to do with links that the author wrote: ``rewrite`` makes the target canonical and, "
        "where the text is the URL or the name, shows what ``display`` says; ``target`` changes "
        "only the target; ``keep`` changes nothing.",
    )
    css_class: str = _option("doi", CLASS, "The class of each link.")
    ignore: tuple[str, ...] = _option(
        (),
        PATTERNS,
        "Regular expressions, matched from the start of a name. A name that matches is not linked.",
    )
    check: str = _option(
        "off",
        choice("off", "warn", "error"),
        "Check that every DOI of the build resolves, and warn or fail if one does not.",
    )
    check_unknown: str = _option(
        "warn",
        choice("ignore", "warn", "error"),
        "What to do about a DOI if the API gives no answer.",
    )
    check_ignore: tuple[str, ...] = _option(
        (),
        FAMILIES,
        "Names that are known not to resolve. ``10.5555/*`` is a family of names. A name that "
        "resolves after all is reported as stale, and so is a family if all its names do.",
    )
    check_api: str = _option("https://doi.org/api/handles/", URL, "The address of the Handle API.")
    check_lockfile: str = _option(
        "doi-lock.json",
        PATH,
        "The file that keeps the answers, meant to be committed. Empty: no file.",
    )
    check_max_age: float = _option(30, DAYS, "Days after which a kept answer is asked for again.")
    check_offline: bool = _option(False, FLAG, "Use only the lock file and ask nobody.")
    check_timeout: float = _option(10, SECONDS, "Seconds to wait for an answer.")
    check_retries: int = _option(3, WHOLE, "How often to ask again if there is no answer.")
    check_concurrency: int = _option(8, COUNT, "How many names to ask about at the same time.")

    check_works: str = _option(
        "off",
        choice("off", "warn", "error"),
        "Also compare what the text says about each DOI with the work that is registered for it.",
    )
    check_accept: tuple[str, ...] = _option(
        (),
        FAMILIES,
        "Names that are cited on purpose, although the work is another one or was retracted. "
        "``10.5555/*`` is a family of names. One without a problem is reported as stale.",
    )
    check_mail: str = _option(
        "",
        MAIL,
        "An e-mail address that registration agencies are told, in the User-Agent. Crossref then "
        "answers faster.",
    )
    check_works_api: str = _option(
        "",
        URL_OR_NOTHING,
        "The address of a server that answers for all registration agencies, such as a mirror. "
        "Empty: the agencies themselves.",
    )
    check_time_limit: float = _option(
        600,
        LIMIT,
        "Seconds for the whole check. A name that was not asked about by then is unknown. 0: no "
        "limit.",
    )

    NAMES: ClassVar[tuple[str, ...]]

    def __post_init__(self) -> None:
        self._convert(str)

    @classmethod
    def read(
        cls,
        values: Mapping[str, object],
        spelling: Spelling = str,
        others: Iterable[str] = (),
    ) -> Options:
        """Build options from a host's values.

        :param spelling: gives the host's name of an option
        :param others: what the host has besides these options, for the message
        :raises InvalidOption: for an option that does not exist or a value it does not take
        """
        known = [*map(spelling, cls.NAMES), *others]
        problems = [
            f"{printable(spelling(name))}: {no_such_option(spelling(name), known)}"
            for name in map(str, values)
            if name not in cls.NAMES
        ]
        options = object.__new__(cls)
        for each in fields(cls):
            object.__setattr__(options, each.name, values.get(each.name, each.default))
        options._convert(spelling, problems)
        vars(options)[_SPELLING] = spelling
        return options

    def spelled(self, name: str) -> str:
        """The name of an option as the host spells it from which the options come."""
        spelling: Spelling = vars(self).get(_SPELLING, str)
        return spelling(name)

    def but(self, **changes: Any) -> Options:
        """A copy with other values for some options, spelled as before.

        :raises InvalidOption: for a value that an option does not take

        >>> Options.read({"bare": True}, "doi_{}".format).but(bare=False).spelled("bare")
        'doi_bare'
        """
        options = replace(self, **changes)
        vars(options)[_SPELLING] = self.spelled
        return options

    def _convert(self, spelling: Spelling, problems: Sequence[str] = ()) -> None:
        """Read each value in place; ``problems`` are those that are known already."""
        found = list(problems)
        for each in fields(self):
            value = getattr(self, each.name)
            kind = kind_of(each)
            try:
                object.__setattr__(self, each.name, kind.read(value))
            except (TypeError, ValueError, KeyError) as error:
                found.append(f"{spelling(each.name)}: {kind.refusal(value, error)}")
        if found:
            raise InvalidOption(found)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The words of ``css_class``, each once."""
        return tuple(dict.fromkeys(self.css_class.split()))

    @cached_property
    def class_attribute(self) -> str:
        """The class of a link that has no other classes, as an attribute of HTML."""
        return " ".join(self.classes)

    @cached_property
    def _ignored(self) -> tuple[re.Pattern[str], ...]:
        # Not one pattern: two expressions may name a group alike, or count their groups.
        return tuple(re.compile(pattern, re.IGNORECASE) for pattern in self.ignore)

    def ignores(self, doi: DOI) -> bool:
        """Tell whether ``ignore`` keeps this name from being linked."""
        return any(pattern.match(doi.name) for pattern in self._ignored)


def kind_of(option: Field[Any]) -> Kind:
    """The kind of value that a field of :class:`Options` takes."""
    kind: Kind = option.metadata["kind"]
    return kind


Options.NAMES = tuple(each.name for each in fields(Options))
