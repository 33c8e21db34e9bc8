"""The options in a document's metadata: ``doi-`` and the name of an option.

A document may come from anybody. So its metadata can neither make the person who runs pandoc wait
for long nor choose which server is asked. The environment belongs to this person. It may set any
value and wins over the document.

The field ``doi`` is the DOI of the document and not an option. A key that is not the name of an
option may belong to a template and is ignored, unless it looks like a typing mistake. Heuristic: a
mistake is nearly the name of an option, and its value is one that this option takes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..core.kinds import strings
from ..core.misspelt import misspelt
from ..core.options import InvalidOption, Options
from ..project import spelling_with
from .environment import nearest_project, of_environment, of_project, variable
from .idle import PREFIX
from .text import all_text

__all__ = ["LIMITS", "for_citations", "options_of", "origins", "plain", "set_in"]

_PREFIX: Final = "doi-"
_PREFIXES: Final = (_PREFIX, "doi_")  # the second is the spelling of Sphinx, and a mistake here


def spelling(option: str) -> str:
    """How an option is written in metadata."""
    return _PREFIX + option.replace("_", "-")


def options_of(metadata: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Options:
    """Read the options from pandoc's ``meta``, and from the environment, which wins.

    The pyproject.toml of the current folder, or of a folder above it, gives the defaults.

    :raises InvalidOption: with the name of each key that has a wrong value

    >>> options_of({"doi-display": {"t": "MetaString", "c": "name"}}).display
    'name'
    """
    given = {key: plain(value) for key, value in metadata.items() if key.startswith(_PREFIXES)}
    document = {name: given[spelling(name)] for name in Options.NAMES if spelling(name) in given}
    own = of_environment(environment)
    problems = _slips(given, spelling)
    problems += _slips({k: v for k, v in environment.items() if k.startswith(PREFIX)}, variable)
    if "ignore" in document:
        try:
            document["ignore"] = _beginnings(document["ignore"])
        except ValueError as error:
            problems.append(f"{spelling('ignore')}: {error}")
            del document["ignore"]
    for values, spelled in ((document, spelling), (own, variable)):
        try:
            options = Options.read(values, spelled)
        except InvalidOption as error:
            problems += error.problems
        else:
            problems += _too_much(options) if values is document else ()
    project: dict[str, object] = {}
    try:
        project = of_project()
    except InvalidOption as error:
        problems += error.problems
    if problems:
        raise InvalidOption(problems)
    shared = project.keys() - document.keys() - own.keys()
    return Options.read(project | document | own, spelling_with(shared, spelling))


def for_citations(
    options: Options, metadata: Mapping[str, Any], environment: Mapping[str, str] = os.environ
) -> Options:
    """The options for the entries and notes that citeproc has made.

    Their text has the form that a citation style prescribes, so it stays. If the author or the
    person who runs pandoc sets ``urls``, that applies here too.

    >>> for_citations(Options(), {}, {}).urls
    'target'
    """
    if "urls" in set_in(metadata) or "urls" in of_environment(environment):
        return options
    return options.but(urls="target", display="source")


def set_in(metadata: Mapping[str, Any]) -> frozenset[str]:
    """The options that a document sets."""
    return frozenset(name for name in Options.NAMES if spelling(name) in metadata)


def origins(document: frozenset[str]) -> list[str]:
    """Messages that say where the values of options are from; options with defaults are not named.

    :param document: the options that the document sets
    """
    own = of_environment().keys()
    listed = {
        "from the environment": sorted(map(variable, own)),
        "from the document": sorted(map(spelling, document - own)),
    }
    said = [f"{origin}: {', '.join(names)}" for origin, names in listed.items() if names]
    found = nearest_project()
    if found:
        project, folder = found
        source = project.source(project.defaults(folder).keys() - own - document)
        said += [source] if source else []
    return said


# The highest values that a document may set, so that it can harm neither the person who runs pandoc
# nor doi.org. Heuristic: they are far higher than a real document needs.
_UNLIMITED: Final = "check_time_limit"  # for this option, 0 means no limit
LIMITS: Final = {
    "check_max_age": 3650,
    "check_timeout": 60,
    "check_retries": 10,
    "check_concurrency": 16,
    "check_time_limit": 3600,
}


def _too_much(options: Options) -> list[str]:
    return [
        f"{spelling(name)}: takes at most {limit} in a document, got {getattr(options, name)}; "
        f"more has to be in the environment variable {variable(name)}"
        for name, limit in LIMITS.items()
        if getattr(options, name) > limit or (name == _UNLIMITED and not getattr(options, name))
    ]


_MOST: Final = 1000
# Heuristic: regular expressions contain these, and hardly any name does.
_EXPRESSION: Final = re.compile(r"\\|\.[*+]|\$\Z")


def _beginnings(value: object) -> tuple[str, ...]:
    """The beginnings of names to ignore, as regular expressions that match exactly these.

    A document cannot give a regular expression, because its evaluation could take for ever.

    :raises ValueError: with a message that says what is wrong
    """
    try:
        names = strings(value)
    except TypeError:
        raise ValueError(
            f"takes beginnings of DOI names, such as 10.5555/, got {value!r}"
        ) from None
    if len(names) > _MOST:
        raise ValueError(f"takes at most {_MOST} beginnings, got {len(names)}")
    for name in names:
        if not name.startswith(("10.", "10/")) or _EXPRESSION.search(name):
            raise ValueError(
                f"takes beginnings of DOI names, such as 10.5555/, got {name!r}; a regular "
                f"expression has to be in the environment variable {variable('ignore')}"
            )
    return tuple(re.escape(name.removesuffix("*")) for name in names)


def _slips(given: Mapping[str, object], spelled: Callable[[str], str]) -> list[str]:
    """Messages about keys that look like misspelt options."""
    known = {spelled(name) for name in Options.NAMES}
    slips = (misspelt(key, spelled, value) for key, value in given.items() if key not in known)
    return [slip for slip in slips if slip]


def plain(value: Any) -> object:
    """A metadata value as the string, the truth value or the list that its author wrote."""
    kind, content = value["t"], value.get("c")
    if kind == "MetaList":
        return [plain(each) for each in content]
    if kind == "MetaInlines":
        return all_text(content)
    if kind == "MetaBlocks":
        return "\n".join(all_text(block.get("c")) for block in content)
    if kind == "MetaMap":
        return {key: plain(each) for key, each in content.items()}
    return content
