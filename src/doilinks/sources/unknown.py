"""Reads the content of directives and roles of reStructuredText that docutils does not know."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive, directives, roles

from ..core.directives import CODE, SPOKEN

__all__ = ["RoleName", "everything_known"]


@contextmanager
def everything_known() -> Iterator[None]:
    """Make docutils know every directive and role. None of them includes a file or runs code.

    A role that a document defines is known in this document alone; docutils would keep it.
    """
    directive, role, register = directives.directive, roles.role, roles.register_local_role
    own: dict[str, Any] = {}

    def any_directive(name: str, language: Any, document: Any) -> Any:
        if name.lower() not in CODE:
            known, _ = directive(name, language, document)
            if known:
                return known, []
        return _Content, []

    def any_role(name: str, language: Any, lineno: int, reporter: Any) -> Any:
        if name.lower() == "doi":  # docutils ignores case too
            return _doi_role, []
        if name.lower() in own:
            return own[name.lower()], []
        known, _ = role(name, language, lineno, reporter)
        return known or _other_role, []

    def define_role(name: str, function: Any) -> None:
        roles.set_implicit_options(function)
        own[name.lower()] = function

    # docutils has no hook for this, and Sphinx replaces functions too. mypy does not allow it.
    directives.directive = any_directive  # type: ignore[assignment]
    roles.role = any_role  # type: ignore[assignment]
    roles.register_local_role = define_role  # type: ignore[assignment]
    try:
        yield
    finally:
        directives.directive, roles.role = directive, role
        roles.register_local_role = register


class RoleName(nodes.inline):
    """The content of a ``:doi:`` role."""


class _AnyOption(dict[str, Any]):
    def __bool__(self) -> bool:
        return True

    def __getitem__(self, name: str) -> Any:
        return directives.unchanged


class _Content(Directive):
    """A directive that docutils does not know. Only its content is read."""

    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = _AnyOption()
    has_content = True

    def run(self) -> list[nodes.Node]:
        if self.name.lower() in CODE:
            return []
        box = nodes.container()
        if self.name.lower() in SPOKEN and self.arguments:
            spoken, _ = self.state.inline_text(self.arguments[0], self.lineno)
            box += nodes.paragraph("", "", *spoken)
        self.state.nested_parse(self.content, self.content_offset, box, match_titles=True)
        return [box]


def _doi_role(_name: str, raw: str, text: str, *_: Any, **__: Any) -> Any:
    return [RoleName(raw, nodes.unescape(text))], []


def _other_role(_name: str, raw: str, text: str, *_: Any, **__: Any) -> Any:
    return [nodes.literal(raw, nodes.unescape(text))], []
