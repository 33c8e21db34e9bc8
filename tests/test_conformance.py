"""Every sentence of ``tests/conformance`` gives the same links in the core and in every host."""

from __future__ import annotations

import importlib
from functools import cache

import pytest

from .tools.fixtures import CONFORMANCE, Case, read_cases

HOSTS = ("core", "markdown_it", "markdown", "docutils", "sphinx", "myst", "mkdocs", "pandoc")
FILES = sorted(path for path in CONFORMANCE.glob("*.md") if path.name != "README.md")
CASES = [case for path in FILES for case in read_cases(path)]
ONLY = sorted((CONFORMANCE / "hosts").glob("*.md"))


@cache
def _linked(host: str) -> dict[str, list[tuple[str, str]]]:
    """All cases of a host at once, a batch for each set of options."""
    module = importlib.import_module(f"{__package__}.hosts.{host}")
    batches: dict[tuple[tuple[str, str], ...], list[Case]] = {}
    for case in [*CASES, *_own(host)]:
        if host not in case.exceptions:
            batches.setdefault(tuple(sorted(case.options.items())), []).append(case)
    found = {}
    for options, cases in batches.items():
        links = module.links([case.source for case in cases], dict(options))
        assert len(links) == len(cases)
        found |= {case.id: each for case, each in zip(cases, links, strict=True)}
    return found


def _own(host: str) -> list[Case]:
    """Cases whose markup is this host's own."""
    path = CONFORMANCE / "hosts" / f"{host}.md"
    return read_cases(path) if path.exists() else []


PARAMS = [
    pytest.param(host, case, id=f"{host}-{case.id}")
    for host in HOSTS
    for case in [*CASES, *_own(host)]
    if host not in case.exceptions
]


@pytest.mark.parametrize(("host", "case"), PARAMS)
def test_conformance(host, case):
    assert _linked(host)[case.id] == case.links


def test_titles_are_unique():
    titles = [case.id for case in CASES]
    assert len(titles) == len(set(titles))


def test_each_exception_names_a_host_and_a_reason():
    for case in CASES:
        assert set(case.exceptions) <= set(HOSTS), case.id
        assert all(len(reason.split()) >= 4 for reason in case.exceptions.values()), case.id


def test_own_files_belong_to_hosts():
    assert {path.stem for path in ONLY} <= set(HOSTS)
