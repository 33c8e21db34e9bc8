"""Hostile metadata of a whole page by Pandoc, and hostile names in Typst.

Titles, authors and the like go into the head of a page, into its title and into properties of a
PDF. doilinks leaves metadata alone, so all of that is to be as it is without it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path

import pypdf
import pytest
import typst

from ..tools.hosts import pandoc
from ..tools.proof import WHOLE, sample
from .corpus import ALL, names
from .page import OPTIONS, PROXY, gained
from .tex import gained as gained_in_tex

KEYS = ("title", "subtitle", "author", "date", "abstract", "keywords", "description", "subject",
        "lang", "doi", "thanks", "title-meta", "author-meta", "doi-of-mine")  # fmt: skip
GIVEN = [f"--metadata=doi-{key.replace('_', '-')}={value}" for key, value in OPTIONS.items()]


def pages(writer: str) -> Iterator[tuple[str, str, str]]:
    """Each name, and a whole page with it everywhere in the metadata: with doilinks, without."""
    listed = names()[:: 1 if ALL else 5]
    turn = ("html", "latex").index(writer)
    for number, name in enumerate(
        sample("pages with hostile metadata", writer, listed, one_in=7, turn=turn)
    ):
        if "[[[[" in name:
            continue  # pandoc alone takes for ever
        value = "".join(sign for sign in name if sign.isprintable())
        # As a string that pandoc reads as Markdown, and as one that it takes as it is.
        given = dict.fromkeys(KEYS, value) if number % 2 else {}
        raw = [] if number % 2 else [f"--metadata={key}:{value}" for key in KEYS]
        source = f"---\n{json.dumps(given)}\n...\n\n# Head 10.1000/182\n\nSee {value} there.\n"
        arguments = ("-f", "markdown", "-t", writer, "--standalone", "--toc", *raw)
        yield (
            name,
            pandoc(*arguments, *GIVEN, given=source).stdout.decode(),
            pandoc(*arguments, given=source, doilinks=False).stdout.decode(),
        )


@pytest.mark.parametrize(
    ("writer", "begin", "gains"),
    [("html", "<nav", partial(gained, texts=False)), ("latex", r"\begin{document}", gained_in_tex)],
)
def test_the_head_of_a_page_stays(writer, begin, gains):
    compared = held = 0
    for name, linked, plain in pages(writer):
        head, _, body = linked.partition(begin)
        before, _, without = plain.partition(begin)
        assert head == before, name
        assert gains(begin + body, begin + without) == [], name
        assert PROXY in body
        held += "10.1" in head
        compared += 1
    assert compared > (150 if ALL else 30 if WHOLE else 3)
    assert held > 0.8 * compared


@pytest.mark.parametrize(  # shown raw, a name is the most dangerous
    "display",
    ["name", *(pytest.param(each, marks=pytest.mark.thorough) for each in ("uri", "legible"))],
)
def test_typst_runs_nothing_that_a_name_holds(display, tmp_path):
    """The real Typst: what is run fails the build, or reads a file that stands beside it."""
    listed = [
        name for name in names() if name.isprintable() and len(name) < 300 and "![" not in name
    ]
    secret = "WHATNOBODYMAYREAD"
    (tmp_path / "secret").write_text(secret)
    hostile = [name.replace("/etc/passwd", "secret") for name in listed]
    source = "\n\n".join(f"See {name} there." for name in [*hostile, '10.1000/"+read("secret")+"'])
    given = [*GIVEN[:-1], f"--metadata=doi-display={display}"]
    made = pandoc(
        "-f", "markdown-raw_attribute", "-t", "typst", "--standalone", *given, given=source
    )
    file = tmp_path / "names.typ"
    file.write_bytes(made.stdout)
    text = shown(file)
    assert text.count("See10.1000/" if display == "name" else "Seedoi:10.1000") > len(listed) / 3
    assert secret not in text
    # That it would be seen.
    with file.open("a", encoding="utf-8") as document:
        document.write('\n#read("secret")\n')
    assert secret in shown(file)


def shown(file: Path) -> str:
    """The text of the PDF, white space left out."""
    pdf = pypdf.PdfReader(BytesIO(typst.compile(str(file))))
    return "".join("".join(page.extract_text() for page in pdf.pages).split())
