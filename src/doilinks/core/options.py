"""The options, declared once; each host has its own spelling for them.

Each field has its help and the kind of value that it takes. Hosts loop over the fields, so that no
option is declared twice. The constructor checks all values at once.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, TypeVar

from .address import read_address
from .doi import DOI, PROXY, InvalidDOI
from .found import Listed
from .printable import format_value, printable, without_password

if TYPE_CHECKING:
    from logging import Logger

_V = TypeVar("_V")

# --------------------------------------------------------------------------------------------------
# How a host writes the names of options, and which option a misspelt name may have meant.

PROJECT_FILE: Final = "pyproject.toml"
_LONGEST: Final = 64  # characters, of a name that may be an option's
_ALIKE: Final = 0.8  # difflib's ratio
_PREFIX: Final = re.compile("-*(?:doilinks|doi)[_-]")


@dataclass(frozen=True)
class Spelling:
    """How a host writes the names of options. The hosts are the rows below this class."""

    prefix: str = ""
    joint: str = "_"  # the text that joins the words of the name
    capitals: bool = False
    # Whether names with this prefix may be the author's own. Then such a name is a misspelt option
    # only if the option takes its value.
    beside_others: bool = False
    others: frozenset[str] = frozenset()  # names with this prefix that have another meaning
    in_project: frozenset[str] = frozenset()  # options that the pyproject.toml sets, for messages

    def __call__(self, option: str) -> str:
        """Return the name of an option as the host writes it."""
        if option in self.in_project:
            return f"{option} in {PROJECT_FILE}"
        name = option.upper() if self.capitals else option
        return self.prefix + name.replace("_", self.joint)

    def beside_project(self, options: Iterable[str]) -> Spelling:
        """Return the spelling for a project whose pyproject.toml sets these options."""
        return replace(self, in_project=frozenset(options))

    def named(self, values: Mapping[str, _V]) -> dict[str, _V]:
        """Map the names that options have here to the values that a host has for them."""
        names = {name: self(name) for name in Options.NAMES}
        return {name: values[own] for name, own in names.items() if own in values}

    def slips(self, values: Mapping[str, object]) -> list[str]:
        """Return messages about names that look like misspelt options.

        >>> SPHINX.slips({"doi_dispaly": "name", "doi_registrar": "x", "dio_display": "x"})
        ['doi_dispaly: there is no such option (did you mean doi_display?)']
        """
        options = {self(name): name for name in Options.NAMES}
        # In a host with hyphens, the underscores of another host are a slip too.
        prefix = self.prefix.replace("-", "_")
        slips = []
        for name in values:
            if name in options or name in self.others:
                continue
            near = nearest(name, options) if name.replace("-", "_").startswith(prefix) else ""
            if near and self.beside_others:
                try:
                    Options.read({options[near]: values[name]})
                except InvalidOption:
                    continue
            if near:
                slips.append(f"{printable(name)}: {no_such_option(name, options)}")
        return slips


PLAIN: Final = Spelling()  # Markdown, MkDocs, and pyproject.toml
SPHINX: Final = Spelling("doi_")  # also the settings of docutils
DOCUTILS: Final = Spelling("--doi-", "-")
PELICAN: Final = Spelling("DOI_", capitals=True)
PANDOC: Final = Spelling("doi-", "-", beside_others=True)  # metadata
ENVIRONMENT: Final = Spelling(  # of pandoc's filter
    "DOILINKS_", capitals=True, beside_others=True, others=frozenset({"DOILINKS_DEBUG"})
)
FLAG: Final = Spelling("--", "-")  # of the command line


def no_such_option(name: str, options: Iterable[str]) -> str:
    """Say of a name that must be an option, and is not, which option it looks like."""
    options = list(options)
    hint = f"did you mean {near}?" if (near := nearest(name, options)) else ""
    return f"there is no such option ({hint or 'there are: ' + ', '.join(options)})"


def _bare(name: str) -> str:
    """Return the name of an option without what the spelling of a host adds."""
    return _PREFIX.sub("", name.lower()).replace("-", "_")


def nearest(name: str, options: Iterable[str]) -> str:
    """Find the most similar name, or ``""``. Heuristic: a letter left out, doubled or swapped.

    >>> nearest("doi-check", ["check", "check_api"])  # as another host spells it
    'check'
    """
    import difflib  # rarely needed

    names = {each: each for each in options}
    names = {_bare(each): each for each in names} | names
    name, own = name[:_LONGEST], _bare(name[:_LONGEST])
    if own in names:
        return names[own]
    near = (difflib.get_close_matches(each, names, 1, _ALIKE) for each in (name, own))
    return next((names[each[0]] for each in near if each), "")


# --------------------------------------------------------------------------------------------------
# The kinds of values that options take: for each a reader, and a phrase for messages.

_MAIL: Final = r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190}"
_SPELLING: Final = "_spelling"  # an attribute that is not an option, so comparisons ignore it
# For hosts without a check, when the author asks for one.
NO_CHECK: Final = "nothing is checked here: run `doilinks check`"


class Kind(NamedTuple):
    """What values an option takes."""

    takes: str  # a phrase for messages
    reader: Callable[[object], object]  # gives a value its type; raises an error for a wrong one
    metavar: str = "VALUE"
    example: object = None  # a value, where none follows from the choices or from the default
    choices: tuple[str, ...] = ()
    show: Callable[[object], str] = format_value  # how a message writes a wrong value

    def read(self, value: object) -> object:
        """Convert a value to the type of the option; a ValueError says what the option takes."""
        try:
            return self.reader(value)
        except (TypeError, ValueError, KeyError) as error:
            detail = f" ({error})" if type(error) is ValueError and str(error) else ""
            raise ValueError(f"takes {self.takes}, got {self.show(value)}{detail}") from error


def _flag(value: object) -> bool:
    words: dict[object, bool] = {"true": True, "yes": True, "on": True, "1": True, 1: True}
    words |= {"false": False, "no": False, "off": False, "0": False, 0: False}
    return words[value.strip().lower() if isinstance(value, str) else value]


def _flag_or(word: str) -> Callable[[object], object]:
    return lambda value: word if value == word else _flag(value)


def choice(*choices: str) -> Kind:
    """Build the kind of an option that takes one of several words."""

    def read(value: object) -> str:
        # YAML 1.1 reads a bare `off` as false.
        word = "off" if value is False and "off" in choices else value
        if word not in choices:
            said = word if isinstance(word, str) else "on" if word is True else ""
            is_on = said.lower() in ("true", "yes", "on", "1") and "warn" in choices
            near = "warn" if is_on else nearest(said, choices)
            raise ValueError(f"did you mean {near!r}?" if near else "")
        return str(word)

    takes = "one of " + ", ".join(repr(choice) for choice in choices)
    return Kind(takes, read, choices=choices)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _path(value: object) -> str:
    path = _text(value)
    if b"\0" in path.encode("utf-8", "surrogateescape"):  # as names of files are
        raise ValueError
    return path


def strings(value: object) -> tuple[str, ...]:
    """Read a list of strings. Hosts with text-only settings give one string, an entry per line."""
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
                raise ValueError(f"{format_value(pattern)}: {error}") from error
    return patterns


def _families(value: object) -> tuple[str, ...]:
    families = strings(value)
    try:
        Listed(families)
    except InvalidDOI as error:
        raise ValueError(str(error)) from error
    return families


def _line(value: object, pattern: str = "") -> str:
    line = _text(value).strip()
    if not line.isprintable() or (line and pattern and not re.fullmatch(pattern, line)):
        raise ValueError
    return line


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


SWITCH: Final = Kind("true or false", _flag)
ARXIV: Final = Kind("true, false or 'abs'", _flag_or("abs"))
HOVER: Final = Kind("true, false or 'auto'", _flag_or("auto"), example=True)
URL: Final = Kind("an http or https URL that ends in a slash",
    lambda value: read_address(_text(value)),
    "URL", "https://example.org/", show=without_password)  # fmt: skip
URL_OR_NOTHING: Final = URL._replace(
    takes=URL.takes + ", or nothing",
    reader=lambda value: read_address(_text(value)) if value else "",
)
PATTERNS: Final = Kind(
    "a list of regular expressions", _patterns, "PATTERN", (r"10\.5555/", "10.1000/test")
)
FAMILIES: Final = Kind("a list of DOI names and of beginnings like '10.5555/*'",
    _families, "NAME", ("10.5555/*", "10.1000/182"))  # fmt: skip
MAIL: Final = Kind(
    "an e-mail address, or nothing", lambda value: _line(value, _MAIL), example="docs@example.org"
)
WHOLE: Final = Kind("a whole number, 0 or more", _number(0, whole=True), "NUMBER")
COUNT: Final = Kind("a whole number, 1 or more", _number(1, whole=True), "NUMBER")
SECONDS: Final = Kind("a number of seconds greater than 0", _number(0.001, whole=False), "NUMBER")
LIMIT: Final = Kind("a number of seconds, or 0 for no limit", _number(0, whole=False), "NUMBER")
DAYS: Final = Kind("a number of days, 0 or more", _number(0, whole=False), "NUMBER")
CLASS: Final = Kind("a class name", _line, "CLASS", "doi external")
PATH: Final = Kind("a path, or nothing", _path, "PATH", "docs/doi-lock.json")
PATHS: Final = Kind(
    "a list of paths", lambda value: tuple(map(_path, strings(value))), "PATH", ("refs.bib",)
)
STYLE: Final = Kind("the name of a style or a path, or nothing", _path, "STYLE", "apa")


@cache  # once, although a host may convert each page with an instance of its own
def tell_no_check(logger: Logger) -> None:
    """Warn that a host does not check, although its option ``check`` asks for that."""
    logger.warning("doilinks: check: %s", NO_CHECK)


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
    >>> Options.read({"display": "nmae"}, SPHINX)
    Traceback (most recent call last):
    doilinks.core.options.InvalidOption: doi_display: takes one of 'uri', 'legible', 'url', \
'name', 'source', got 'nmae'
    """

    # fmt: off
    display: str = _option("uri", choice("uri", "legible", "url", "name", "source"),
        "The text of a link to 10.1000/a/b#1: ``uri`` shows doi:10.1000/a%2Fb%231, ``legible`` "
        "shows doi:10.1000/a/b%231, ``url`` shows https://doi.org/10.1000/a/b%231, ``name`` shows "
        "10.1000/a/b#1, ``source`` shows what the author wrote.")
    proxy: str = _option(PROXY, URL, "The address that every link begins with.")
    bare: bool = _option(True, SWITCH,
        "Also link bare names, not only those with ``doi:`` or in a URL.")
    urls: str = _option("rewrite", choice("rewrite", "target", "keep"),
        "What to do with links that the author wrote: ``rewrite`` makes the target canonical and, "
        "where the text is the URL or the name, shows what ``display`` says; ``target`` changes "
        "only the target; ``keep`` changes nothing.")
    css_class: str = _option("doi", CLASS, "The class of each link.")
    ignore: tuple[str, ...] = _option((), PATTERNS,
        "Regular expressions, matched from the start of a name. A name that matches is not linked.")
    check: str = _option("off", choice("off", "warn", "error"),
        "Check that every DOI of the build resolves, and warn or fail if one does not.")
    check_unknown: str = _option("warn", choice("ignore", "warn", "error"),
        "What to do about a DOI if the API gives no answer.")
    check_ignore: tuple[str, ...] = _option((), FAMILIES,
        "Names that are known not to resolve. ``10.5555/*`` is a family of names. A name that "
        "resolves after all is reported as stale, and so is a family if all its names do.")
    check_api: str = _option("https://doi.org/api/handles/", URL, "The address of the Handle API.")
    check_lockfile: str = _option("doi-lock.json", PATH,
        "The file that keeps the answers, meant to be committed. Empty: no file.")
    check_max_age: float = _option(30, DAYS, "Days after which a kept answer is asked for again.")
    check_offline: bool = _option(False, SWITCH, "Use only the lock file and ask nobody.")
    check_timeout: float = _option(10, SECONDS, "Seconds to wait for an answer.")
    check_retries: int = _option(3, WHOLE, "How often to ask again if there is no answer.")
    check_concurrency: int = _option(8, COUNT, "How many names to ask about at the same time.")

    check_works: str = _option("off", choice("off", "warn", "error"),
        "Also compare what the text says about each DOI with the work that is registered for it.")
    check_accept: tuple[str, ...] = _option((), FAMILIES,
        "Names that are cited on purpose, although the work is another one or was retracted. "
        "``10.5555/*`` is a family of names. One without a problem is reported as stale.")
    check_mail: str = _option("", MAIL,
        "An e-mail address that registration agencies are told, in the User-Agent. Crossref then "
        "answers faster.")
    check_works_api: str = _option("", URL_OR_NOTHING,
        "The address of a server that answers for all registration agencies, such as a mirror. "
        "Empty: the agencies themselves.")
    check_time_limit: float = _option(600, LIMIT,
        "Seconds for the whole check. A name that was not asked about by then is unknown. 0: no "
        "limit.")
    check_suggest: bool = _option(False, SWITCH,
        "Ask Crossref which DOI was meant by a reference whose name does not resolve, or is that "
        "of another work. This sends the text of the reference.")

    arxiv: bool | str = _option(False, ARXIV,
        "Also find identifiers of arXiv that have a label or an address: ``true`` links "
        "arXiv:2301.00001 to its DOI, ``abs`` links it to arxiv.org.")

    publisher_urls: str = _option("keep", choice("keep", "link"),
        "What to do with links to publishers' pages whose address contains a DOI: ``keep`` leaves "
        "them alone; ``link`` treats each as a link to its DOI.")

    hover: bool | str = _option("auto", HOVER,
        "Show on hover what a link leads to: authors, year and title of each work that the lock "
        "file keeps. ``auto``: if ``check_works`` is on.")
    cite: bool | str = _option("auto", HOVER,
        "Read ``@doi:10.1000/182`` as a citation of the work, as pandoc does, and show the works "
        "as a list of references where the document asks for one. ``auto``: do not, and warn once "
        "of a citation that is shown as it is typed.")
    cite_style: str = _option("", STYLE,
        "The style of lists of references and of citations that lead to them: the name of a style "
        "of CSL, such as ``apa``, or the path of a ``.csl`` file. Empty: a plain style.")

    cite_bib: tuple[str, ...] = _option((), PATHS,
        "Files of BibTeX or CSL-JSON. Works in them are cited by key, such as ``[@paskin2000]``.")

    # fmt: on
    NAMES: ClassVar[tuple[str, ...]]

    def __post_init__(self) -> None:
        self._convert(PLAIN)

    @classmethod
    def read(
        cls,
        values: Mapping[str, object],
        spelling: Callable[[str], str] = PLAIN,
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
        """Return the name of an option as spelled by the host from which the options come."""
        spelling: Callable[[str], str] = vars(self).get(_SPELLING, PLAIN)
        return spelling(name)

    def but(self, **changes: Any) -> Options:
        """Return a copy with other values for some options, spelled as before.

        :raises InvalidOption: for a value that an option does not take

        >>> Options.read({"bare": True}, SPHINX).but(bare=False).spelled("bare")
        'doi_bare'
        """
        options = replace(self, **changes)
        vars(options)[_SPELLING] = self.spelled
        return options

    def _convert(self, spelling: Callable[[str], str], problems: Sequence[str] = ()) -> None:
        """Read each value in place; ``problems`` are those that are known already."""
        found = list(problems)
        for each in fields(self):
            value = getattr(self, each.name)
            try:
                object.__setattr__(self, each.name, kind_of(each).read(value))
            except ValueError as error:
                found.append(f"{spelling(each.name)}: {error}")
        if found:
            raise InvalidOption(found)

    @property
    def hovers(self) -> bool:
        """Whether links show works on hover."""
        return self.check_works != "off" if self.hover == "auto" else bool(self.hover)

    @property
    def cites(self) -> bool:
        """Whether ``@doi:10.1000/182`` is a citation."""
        return self.cite is True

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The words of ``css_class``, each once."""
        return tuple(dict.fromkeys(self.css_class.split()))

    @cached_property
    def _ignored(self) -> tuple[re.Pattern[str], ...]:
        # Not one pattern: two expressions may name a group alike, or count their groups.
        return tuple(re.compile(pattern, re.IGNORECASE) for pattern in self.ignore)

    def ignores(self, doi: DOI) -> bool:
        """Tell whether ``ignore`` keeps this name from being linked."""
        return bool(self.ignore) and any(pattern.match(doi.name) for pattern in self._ignored)


def kind_of(option: Field[Any]) -> Kind:
    """Return the kind of value that a field of :class:`Options` takes."""
    kind: Kind = option.metadata["kind"]
    return kind


Options.NAMES = tuple(each.name for each in fields(Options))
