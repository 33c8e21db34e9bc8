"""Every sentence of ``tests/conformance`` gives the same page in the core and in every host."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from textwrap import indent

import pytest

from ..tools.fixtures import CONFORMANCE, EVERY_HOST, Case, read_cases
from ..tools.links import as_typed, html_links, visible, without_linkified
from ..tools.versions import since
from . import HOSTS

# Hosts with linkifiers and typography switched on: what each is without them.
COMPANIONS = {
    "markdown_companions": "markdown", "myst_companions": "myst", "pandoc_gfm": "pandoc",
    "pandoc_uris": "pandoc",
}  # fmt: skip
ALL = tuple(HOSTS)
# The hosts whose markup is the same as far as the cases in ``dialects`` go.
DIALECTS = {
    "markdown": ("markdown_it", "markdown", "myst", "mkdocs", "pandoc"),
    "rest": ("docutils", "sphinx"),
}
FILES = sorted(path for path in CONFORMANCE.glob("*.md") if path.name != "README.md")
CASES = [case for path in FILES for case in read_cases(path)]
FOR_ALL = {case.id for case in CASES}
SPOKEN = {dialect: read_cases(CONFORMANCE / "dialects" / f"{dialect}.md") for dialect in DIALECTS}
ONLY = sorted((CONFORMANCE / "hosts").glob("*.md"))


def _page(host: str, case: Case) -> str:
    return _pages(host, tuple(case.options.items()))[case.id]


@cache
def _pages(host: str, options: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """All cases of a host that have the same options, at once."""
    cases = [case for case in cases_of(host) if tuple(case.options.items()) == options]
    pages = HOSTS[host].sentences([case.source for case in cases], dict(options))
    return {case.id: page for case, page in zip(cases, pages, strict=True)}


def cases_of(host: str) -> list[Case]:
    """The cases of all hosts, those of its dialect, and those whose markup is its own."""
    plain = COMPANIONS.get(host, host)
    spoken = [case for name, hosts in DIALECTS.items() if plain in hosts for case in SPOKEN[name]]
    path = CONFORMANCE / "hosts" / f"{plain}.md"
    own = read_cases(path) if path.exists() else []
    return [case for case in (*CASES, *spoken, *own) if not {host, plain} & case.exceptions.keys()]


def pytest_generate_tests(metafunc):
    """A test for each file of cases in each host; with ``-k``, which may name a case, one for each case."""
    if metafunc.function is not test_conformance:
        return
    one_by_one = bool(metafunc.config.option.keyword)
    params = []
    for host in ALL:
        groups: dict[tuple[str, bool], list[Case]] = {}
        for case in cases_of(host):
            # Each set of options is a build, and in every run the plain host makes it.
            again = host in COMPANIONS and bool(case.options)
            marks = [pytest.mark.thorough] * again
            if case.since or one_by_one:
                marks += [since(*case.since)] if case.since else []
                params.append(pytest.param(host, [case], id=f"{host}-{case.id}", marks=marks))
            else:
                name = f"{case.path.relative_to(CONFORMANCE)}{', options' * again}"
                groups.setdefault((name, again), []).append(case)
        params += [
            pytest.param(host, cases, id=f"{host}-{name}", marks=[pytest.mark.thorough] * again)
            for (name, again), cases in groups.items()
        ]
    metafunc.parametrize(("host", "cases"), params)


def test_conformance(host, cases):
    wrong = [said for case in cases if (said := "".join(differences(host, case)))]
    if wrong:
        said = f"wrong in {host}: {len(wrong)} of {len(cases)} sentences\n{''.join(wrong)}"
        pytest.fail(said, pytrace=False)


def differences(host: str, case: Case) -> Iterator[str]:
    """How the page of a case differs from what the case says: in its links, in the text around them."""
    page = _page(host, case)
    links, wanted = html_links(page), case.links
    if host in COMPANIONS:
        links, wanted = without_linkified(links), without_linkified(wanted)
    # Nothing is said twice, nothing is lost: the text beside the links is what the core leaves.
    text = said = ""
    if case.id in FOR_ALL or case.texts:
        named = (host, COMPANIONS.get(host, host), EVERY_HOST)
        said = next((case.texts[name] for name in named if name in case.texts), "")
        text, said = visible(page), as_typed(said or visible(_page("core", case)))
    if links != wanted or text != said:
        yield f"\n{case.place}: {case.title}\n{indent(case.source, '  | ')}\n"
    if links != wanted:
        yield f"  links  {links}\n  wanted {wanted}\n"
    if text != said:
        yield f"  text   {text}\n  wanted {said}\n"


@pytest.mark.parametrize("host", ["core", "markdown_it", "markdown_companions"])
def test_what_differs_is_named(host):
    case = next(case for case in cases_of(host) if case.links)
    assert "".join(differences(host, case)) == ""
    links = "".join(differences(host, replace(case, links=[])))
    assert f"{case.place}: {case.title}\n" in links
    assert links.endswith("  wanted []\n")
    text = "".join(differences(host, replace(case, texts={EVERY_HOST: "Another text."})))
    assert text.endswith("  wanted Another text.\n")
    assert "links" not in text


def test_titles_are_unique():
    titles = [case.id for cases in (CASES, *SPOKEN.values()) for case in cases]
    assert len(titles) == len(set(titles))


def test_each_exception_names_a_host_and_a_reason():
    for case in CASES:
        assert set(case.exceptions) <= set(ALL), case.id
        assert set(case.texts) <= {*ALL, EVERY_HOST}, case.id
        assert all(len(reason.split()) >= 4 for reason in case.exceptions.values()), case.id


def test_own_files_belong_to_hosts():
    assert {path.stem for path in ONLY} <= set(HOSTS) - set(COMPANIONS)
    assert {path.stem for path in (CONFORMANCE / "dialects").glob("*.md")} == set(DIALECTS)


# Pandoc itself drops these spaces.
@pytest.mark.parametrize("host", sorted({*DIALECTS["markdown"]} - {"pandoc"}))
def test_spaces_in_the_text_of_a_link_part_words(host):
    link = "(https://doi.org/10.1000/182)"
    text = f"See [https://doi.org/10.1000/182 ]{link}and [ 10.1000/182 ]{link}too."
    (page,) = HOSTS[host].pages([text], {})
    assert visible(page) == "See doi:10.1000/182 and doi:10.1000/182 too."
