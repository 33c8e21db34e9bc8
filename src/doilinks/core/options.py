"""The options, declared once; each host has its own spelling for them.

Each field has its help and the kind of value that it takes. Hosts loop over the fields, so that no
option is declared twice. The constructor checks all values at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Final

from .doi import DOI, PROXY
from .kinds import (
    CLASS,
    COUNT,
    DAYS,
    FAMILIES,
    FLAG,
    LIMIT,
    MAIL,
    PATH,
    PATTERNS,
    SECONDS,
    URL,
    URL_OR_NOTHING,
    WHOLE,
    Kind,
    choice,
)
from .misspelt import no_such_option
from .printable import printable

__all__ = ["NO_CHECK", "InvalidOption", "Options", "Spelling", "kind_of"]

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
