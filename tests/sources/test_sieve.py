"""What is not parsed has no name: the names are the same if everything is parsed."""

from __future__ import annotations

import json
from html.entities import html5
from pathlib import Path

import pytest

from doilinks.core.options import Options
from doilinks.sources import TYPES
from doilinks.sources.sieve import may_contain_name

from ..tools.fixtures import read_cases
from ..tools.proof import sample
from ..tools.unsieved import names_in, unsieved

ROOT = Path(__file__).parents[2]
CASES = [
    case
    for path in sorted((ROOT / "tests/conformance").rglob("*.md"))
    if path.name != "README.md"
    for case in read_cases(path)
]


def notebook(text):
    cell = {"cell_type": "markdown", "source": text.splitlines(keepends=True)}
    return json.dumps({"cells": [cell]}, indent=1)


# A document of each type with a text in it.
AROUND = {
    "rst": "{}\n".format, "md": "{}\n".format, "txt": "{}\n".format, "ipynb": notebook,
    "html": "<p>{}</p>".format,
    "py": lambda text: f'"""{text}\n"""\n' if '"""' not in text else f"# {text}",
    "jl": lambda text: f'"""\n{text.replace(chr(34) * 3, "")}\n"""\nf\n',
    "c": lambda text: f"/*\n{text}\n*/\n", "bib": "@misc{{a, note = {{{}}}}}\n".format,
}  # fmt: skip


@pytest.mark.parametrize("kind", AROUND)
def test_every_case_of_the_conformance_reads_the_same(kind):
    found = 0
    some = sample("sentences of the sieve", kind, CASES, one_in=24, turn=[*AROUND].index(kind))
    for case in some:
        text = AROUND[kind](case.source)
        names = names_in(text, kind)
        assert names == unsieved(text, kind), case.title
        found += len(names)
    assert found > len(some) // 2


NAMES = (
    "10.1000/182", "doi:10.1/x", "https://doi.org/10.1/x", "https://doi.org/abc1",
    "10.978.8898392/315",
)  # fmt: skip
LINKS = ("https://doi.org/10.1/x", "doi:10.12/x", "https://doi.org/ab12")
# How each type spells a character otherwise, or writes nothing between two.
SPELLINGS = {
    "rst": ("\\{}", "\\ {}"),
    "md": ("\\{}", "&#{:d};", "&#x{:x};", "&{};"),
    "py": ("\\x{:02x}", "\\u{:04x}", "\\{:03o}", "\\N{{{}}}", "\\\n{}", '""" r"""{}', '"""\n# a\n"""{}', '"" Rb"" f"""{}'),
    "ipynb": ("\\u{:04x}",),
    "bib": ("\\{}", "{{{}}}", "${}$", "\\protect {}", "&#{:d};", "}} # {{{}", "\n{}"),
}  # fmt: skip
ENTITIES = {value: name for name, value in html5.items() if name.endswith(";")}


def spelled(character, spelling):
    import unicodedata

    entity = ENTITIES.get(character, "")[:-1]
    for given in (character, ord(character), unicodedata.name(character), entity):
        try:
            text = spelling.format(given)
        except ValueError:
            continue
        yield text


def spelled_pages(kind):
    """Pages with a name of which one character is spelled otherwise."""
    for name in NAMES:
        for at, character in enumerate(name):
            for spelling in SPELLINGS[kind]:
                for text in spelled(character, spelling):
                    written = f"{name[:at]}{text}{name[at + 1 :]}"
                    # Without the other number, files with such a name alone were never read.
                    yield f"See {written} and 10.5"
                    yield f"10.5 [a]({written})"
                    yield f"`a <{written}>`__ 10.5"


@pytest.mark.parametrize("kind", SPELLINGS)
def test_a_name_with_a_character_spelled_otherwise_reads_the_same(kind):
    found = 0
    pages = list(spelled_pages(kind))
    taken = sample("names spelled otherwise", kind, pages, one_in=42)
    for page in taken:
        if kind == "ipynb":
            document = notebook("X").replace("X", page)
        elif kind == "py":
            document = f'("""{page}""")'
        elif kind == "bib":
            document = AROUND[kind](page)
        else:
            document = page + "\n"
        names = unsieved(document, kind)
        assert names == names_in(document, kind), document
        found += bool(names)
    assert found > 100 * len(taken) / len(pages)


def test_a_field_without_a_name_is_read():
    assert may_contain_name("@misc{a, DOI = {to follow}}", "bib", Options())
    assert not may_contain_name(
        "@misc{a, title = {A 10.5}, url = {https://example.org}}", "bib", Options()
    )


@pytest.mark.parametrize("spelling", ["&#{:d};", "&#{:05d};", "&#x{:x};", "&#X{:04X};"])
def test_a_character_reference_in_a_page_without_another_number_is_read(spelling):
    """One that stands for any character before the suffix."""
    for name in ("https://doi.org/10.1000/a", "https://doi.org/abc1"):
        for at in range(name.rindex("/") + 2):
            written = f"{name[:at]}{spelling.format(ord(name[at]))}{name[at + 1 :]}"
            page = f'<p><a href="{written}">a</a> &amp; &#39;b&#8217;</p>'
            assert len(names_in(page, "html")) == 1, page
    for page in ("1<wbr>0.1000/a", "10<b></b>.1000/a", "10<wbr>.1000/a", "10<span>.</span>1000/a"):
        assert len(names_in(f"<p>{page}</p>", "html")) == ("<b>" not in page), page
    assert len(names_in("<p>https&colon;//doi&period;org&sol;10&period;1000/a</p>", "html")) == 1


def test_a_target_over_two_lines_reads_the_same():
    found = 0
    for name in LINKS:
        for at in range(1, len(name)):
            text = f".. _a: {name[:at]}\n   {name[at:]}\n\nSee a_ and 10.5.\n"
            names = unsieved(text, "rst")
            assert names == names_in(text, "rst"), text
            found += len(names)
    assert found > 20


def test_every_entity_for_a_character_of_a_name_is_known():
    meant = [
        name
        for name, text in html5.items()
        if name.endswith(";") and set(text) <= set("doi0123456789./%:-(){}")
    ]
    assert meant
    for name in meant:
        assert TYPES["md"].sieve.escape.search(f"&{name}"), name


@pytest.mark.parametrize("kind", ["rst", "md", "py", "jl", "c"])
def test_numbers_are_not_names(kind):
    text = "Version 10.5 of 10.10.2025, x = 10.0/3 and 10.12 / 4; doing 110.2 % of it, 10.1.2."
    assert not may_contain_name(text, kind, Options())


def test_a_loop_of_fortran_is_no_role():
    assert not may_contain_name("x = 10.0\nloop_1: do i = 1, 9\n", "f90", Options())
    assert may_contain_name("10.5 :doi `a`\n", "md", Options())


def test_what_programs_call_doi_is_no_name():
    text = "setDoi(doi); a.doi.get(x); for (DOI doi : list) { x = 10.5; } // a doi."
    assert not may_contain_name(text, "java", Options())
    for name in ("doi: 10.1/x", "doi:\n * 10.1/x", "doi.org/abc1", "doi.10.1/x", "doi:1O.1000/a"):
        assert may_contain_name(f"{text}\n/* {name} */", "java", Options()), name
