"""reStructuredText with DOIs, for ``docutils --parser=doilinks.docutils``."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.parsers.rst import Parser as RstParser
from docutils.parsers.rst import roles
from docutils.transforms import Transform

from ..core.options import NO_CHECK
from .find import DoiInliner
from .options import SETTINGS_SPEC, read_options
from .output import KeepNames
from .role import doi_role
from .transform import DoiLinks

__all__ = ["Parser"]


class Parser(RstParser):
    """The reStructuredText parser of docutils, which also links DOIs.

    Options are settings, ``doi_display`` and the others.
    """

    supported: ClassVar[tuple[str, ...]] = ("doilinks",)
    settings_spec = (*RstParser.settings_spec, *SETTINGS_SPEC)
    config_section = "doilinks parser"
    config_section_dependencies = ("parsers", "restructuredtext parser")

    def __init__(self, rfc2822: bool = False, inliner: Any = None) -> None:
        super().__init__(rfc2822, inliner or DoiInliner())

    def get_transforms(self) -> list[type[Transform]]:
        """The transforms of reStructuredText, and the transforms that link."""
        return [*super().get_transforms(), DoiLinks, KeepNames]

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse ``inputstring`` into ``document``."""
        options = read_options(document)
        # The message goes to the terminal and not into the document, because no observer is
        # attached yet.
        if options.check != "off":
            document.reporter.warning(f"doi_check: {NO_CHECK}")
        if isinstance(self.inliner, DoiInliner):
            self.inliner.options = options
        with _the_role():
            super().parse(inputstring, document)


_lock: Final = threading.Lock()
_parsing = 0  # the number of threads that parse now


@contextmanager
def _the_role() -> Iterator[None]:
    """Let docutils know the role as long as any thread parses with it.

    Roles belong to the process. docutils keeps them for the next document, which another parser may
    read. Any other role that is registered under this name takes precedence over a canonical role.
    """
    global _parsing  # noqa: PLW0603  as the registry is
    with _lock:
        _parsing += 1
        roles.register_canonical_role("doi", doi_role)  # type: ignore[arg-type]  # stubs: references only
    try:
        yield
    finally:
        with _lock:
            _parsing -= 1
            for registry in (vars(roles)["_roles"], vars(roles)["_role_registry"]):
                if not _parsing and registry.get("doi") is doi_role:
                    del registry["doi"]
