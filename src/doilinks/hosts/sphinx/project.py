"""A project of Sphinx: its options in ``conf.py``, and the DOIs of each page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Literal, TypeVar
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ConfigError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from ...core.found import Found
from ...core.options import HOVER, SPHINX, InvalidOption, Options, kind_of, strings
from ...shared.project import project_of
from ..docutils.walk import Linker

# --------------------------------------------------------------------------------------------------
# The options as ``doi_*`` values of ``conf.py``.

_logger: Final = logging.getLogger(__name__)

# The options of a configuration whose values are from the pyproject.toml, for messages.
_from_project: Final[WeakKeyDictionary[Config, frozenset[str]]] = WeakKeyDictionary()

# The options check their values themselves and report wrong ones. If an option has several types,
# Sphinx does not convert the text of ``-D doi_bare=false``.
_TYPES: Final = frozenset((int, float, str, list, tuple, set, frozenset))


def setup_options(app: Sphinx) -> None:
    """Declare every option. An option of the check changes no page, so no page is read again."""
    try:
        project = project_of(Path(app.confdir))
    except InvalidOption as error:
        raise ConfigError("\n".join(error.problems)) from error
    shared = project.defaults() if project else {}

    def tell(_app: Sphinx, config: Config) -> None:
        given = {*_raw(config), *config.overrides}
        used = [name for name in shared if SPHINX(name) not in given]
        _from_project[config] = frozenset(used)
        if project and (source := project.source(used)):
            _logger.verbose("doilinks: %s", source)

    for field in fields(Options):
        default = shared.get(field.name, field.default)
        default = list(default) if isinstance(default, tuple) else default
        rebuild: Literal["", "env"] = "" if field.name.startswith("check") else "env"
        is_switch = isinstance(field.default, bool) or kind_of(field) is HOVER
        types = _TYPES | {bool} if is_switch else _TYPES
        if type(default) is int:
            # Sphinx ignores a value that is not a whole number if the default is one. Because the
            # default is a function here, the option sees the value and reports it.
            default = partial(_default, number=default)
        app.add_config_value(SPHINX(field.name), default, rebuild, types)
    app.connect("config-inited", tell)
    app.connect("config-inited", require_valid_options)
    app.connect("builder-inited", _add_bibliographies)


def _default(_config: Config, number: int) -> int:
    return number


def require_valid_options(app: Sphinx, config: Config) -> None:
    """Read all options once, before the build starts."""
    # Sphinx accepts any unknown name in ``conf.py``.
    unknown = {name: value for name, value in _raw(config).items() if name not in config}
    problems = SPHINX.slips(unknown)
    with suppress(TypeError, ValueError):  # a wrong value is reported below
        files = strings(config.doi_cite_bib)
        config.doi_cite_bib = [str(Path(app.confdir, file)) for file in files]
    try:
        options_of(config)
    except InvalidOption as error:
        problems += error.problems
    if problems:
        raise ConfigError("\n".join(problems))


def _raw(config: Config) -> Mapping[str, Any]:
    given: Mapping[str, Any] = getattr(config, "_raw_config", {})
    return given


def options_of(config: Config) -> Options:
    """Return the options of a project."""
    given = ((name, getattr(config, SPHINX(name))) for name in Options.NAMES)
    many = (list, set, frozenset)
    values = tuple((name, tuple(v) if isinstance(v, many) else v) for name, v in given)
    shared = _from_project.get(config, frozenset())
    try:
        return _read(values, shared)
    except TypeError:  # a value of a type that no option takes has no hash
        return _read.__wrapped__(values, shared)


@lru_cache(maxsize=8)
def _read(values: tuple[tuple[str, Any], ...], shared: frozenset[str]) -> Options:
    return Options.read(dict(values), SPHINX.beside_project(shared))


# --------------------------------------------------------------------------------------------------
# The names in bibliographies of sphinxcontrib-bibtex, which fills them after all other transforms.
#
# The extension fills a bibliography when its page is written. On a page that is only read, the
# bibliography is empty, so the names are read from the citations that the extension has collected.

_OPTION: Final = "bibtex_bibfiles"
_DOMAIN: Final = "cite"
_NODE: Final = "bibliography"

# docutils gives the classes of a node to the one that replaces it.
_MARK: Final = "doi-bibliography"
# A handler with this priority runs after all other handlers of an event.
LAST: Final = 999
_T = TypeVar("_T")


class MarkBibliographies(SphinxPostTransform):
    """Mark the bibliographies, so that they can be found again after they are filled."""

    default_priority: ClassVar[int] = 4  # before sphinxcontrib-bibtex (5)

    def run(self, **_: Any) -> None:
        """Mark the bibliographies of a page."""
        for node in self.document.findall(nodes.Element):
            if type(node).__name__ == _NODE:
                node["classes"].append(_MARK)


class LinkBibliographies(SphinxPostTransform):
    """Link the DOIs of bibliographies. All other DOIs of the page are links already."""

    default_priority: ClassVar[int] = 6  # after sphinxcontrib-bibtex

    def run(self, **_: Any) -> None:
        """Link the DOIs in the bibliographies of a page."""
        marked = [node for node in self.document.findall(nodes.Element) if _MARK in node["classes"]]
        for node in marked:
            node["classes"].remove(_MARK)
            linker = Linker(options_of(self.config))
            linker.link(node)
            for link in linker.links.canonical:
                link["support_smartquotes"] = False


def _add_bibliographies(app: Sphinx) -> None:
    """Add the transforms only if the project has bibliographies, because they walk every page."""
    if _OPTION in app.config:
        app.add_post_transform(MarkBibliographies)
        app.add_post_transform(LinkBibliographies)


class PerPage(Generic[_T]):
    """Data that the environment keeps for each page, also if a page is not read again."""

    def __init__(self, name: str) -> None:
        self._name = name

    def of(self, env: BuildEnvironment) -> dict[str, _T]:
        """Return the data by page."""
        kept: dict[str, _T] | None = getattr(env, self._name, None)
        if kept is None:
            kept = {}
            setattr(env, self._name, kept)
        return kept

    def purge(self, _app: Sphinx, env: BuildEnvironment, docname: str) -> None:
        """Forget the data of a page that is read again or was removed."""
        self.of(env).pop(docname, None)

    def merge(
        self, _app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment
    ) -> None:
        """Add the data of pages that a parallel process has read."""
        read = self.of(other)
        self.of(env).update({docname: read[docname] for docname in docnames if docname in read})


DOIS: Final[PerPage[list[Found]]] = PerPage("doi_found")


def dois_of(env: BuildEnvironment) -> dict[str, list[Found]]:
    """Return every DOI of the project by page, also of pages that this build did not read again.

    The DOIs of bibliographies are known when all pages have been read.
    """
    found = {page: list(dois) for page, dois in DOIS.of(env).items()}
    domain: Any = env.get_domain(_DOMAIN) if _OPTION in env.config else None
    for citation in domain.citations if domain else ():
        linker = Linker(options_of(env.config))
        linker.link(domain.backend.paragraph(citation.formatted_entry))
        page = citation.bibliography_key.docname
        file = str(env.doc2path(page))
        for each in linker.dois:
            place = replace(each, file=file, around=each.block)
            found.setdefault(page, []).append(place)
    return found


def relative(app: Sphinx, file: str) -> str:
    """Return the path of a file as messages show it."""
    path = Path(file)
    return str(path.relative_to(app.srcdir) if path.is_relative_to(app.srcdir) else path)
