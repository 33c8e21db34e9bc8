"""Time against size for hostile input, through every entry point: it has to stay linear.

``python benchmarks/linear.py`` prints, for each entry point, the inputs that cost most and those that
grow fastest; ``--all`` prints every input, ``--large`` goes on to 10^7 characters, and words on the
command line pick entry points (``python benchmarks/linear.py scan pandoc``). ``--instructions`` counts
what the processor executes instead, under valgrind.

A host may itself take more than linear time. Its rows are therefore what doilinks adds: the time of
the host with doilinks less that of the host alone, and never less than a part of the latter, below
which a difference of two times is noise.

Times are processor time, and the least of several runs. ``tests/test_linear.py`` holds the same
inputs to a bound, counted in instructions.
"""

from __future__ import annotations

import functools
import gc
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from doilinks import DOI, InvalidDOI, scan
from doilinks.core.encoding import decode, link_form, tail_form, uri_form
from doilinks.core.link import link_match, relink
from doilinks.core.options import Options
from doilinks.core.remarks import remarks
from doilinks.core.scan import may_hold_doi

OPTIONS = Options()
NAME = "10.1000/"


def repeated(unit: str, head: str = "", tail: str = "") -> Callable[[int], str]:
    """``unit`` as often as it takes to make a text of about ``size`` characters."""
    return lambda size: head + unit * max(1, (size - len(head) - len(tail)) // len(unit)) + tail


def numbered(unit: str) -> Callable[[int], str]:
    """The same with a number in each, so that no two are the same."""

    def make(size: int) -> str:
        count = max(1, size // (len(unit) + 4))
        return "".join(unit.replace("#", f"{n:06d}", 2) for n in range(count))

    return make


# What stands behind a name, over and over: signs that mean something to the scan or to a host.
SIGNS = (
    ".", ",", ";", ":", '"', "'", "`", "(", ")", "[", "]", "{", "}", "<", ">", "/", "\\", "%", "&",
    "#", "?", "|", "_", "*", "~", "^", "$", "@", "!", "=", "+", "-", "—", "…", "”", "’", "\u200b", "を",
    "。", "\ud800", "\0", "\x1b", "é", "a", "1", " ", "\n", "\t",
)  # fmt: skip

INPUTS: dict[str, Callable[[int], str]] = {
    **{f"name + {sign!a}": repeated(sign, NAME + "a") for sign in SIGNS},
    **{f"name + a{sign!a}": repeated("a" + sign, NAME) for sign in SIGNS if not sign.isalnum()},
    **{f"name{sign!a} over": repeated(NAME + "a" + sign) for sign in SIGNS},
    **{f"{sign!a}name over": repeated(sign + NAME) for sign in SIGNS if not sign.isalnum()},
    "10.10.10.…": repeated("10."),
    "10.1000.10.1000.…": repeated("10.1000."),
    "10.1000.1000…": repeated(".1000", "10"),
    "10.1000.1000…/": repeated(".1000", "10", "/a"),
    "10.97[89].…": repeated(".978", "10"),
    "10/10/…": repeated("10/"),
    "((((…": repeated("("),
    "<<<<…": repeated("<"),
    "name (…)(…)": repeated("(a)", NAME),
    "name ((…))": lambda size: NAME + "(" * (size // 2) + ")" * (size // 2),
    "name [[…]]": lambda size: NAME + "[" * (size // 2) + "]" * (size // 2),
    "name <<…>>": lambda size: NAME + "<" * (size // 2) + ">" * (size // 2),
    "name([{<…": repeated("([{<", NAME),
    "nested names": repeated("10.1000/("),
    "nested angles": repeated("<doi:10.1000/a"),
    "nested quotes": repeated('"10.1000/a"\'10.1000/b\''),
    "x10.1000/1.…": repeated(".10.1000/1", "x10.1000/1"),
    "doi:doi:…": repeated("doi:"),
    "doi:doi:…10.1000/1": repeated("doi:", tail="10.1000/1"),
    "doi: without names": repeated("doi: "),
    "doi.org/ without names": repeated("doi.org/"),
    "https://doi.org/ over": repeated("https://doi.org/"),
    "https://doi.org/a1 over": repeated("https://doi.org/a1 "),
    "doi.org/aaaa…": repeated("a", "doi.org/"),
    "doi.org/aaaa…1": repeated("a", "doi.org/", "1"),
    "doi.org/ of letters over": repeated("doi.org/abcdefghijklmnop"),
    "ezproxy hosts": repeated("https://doi-org.a"),
    "one ezproxy host": repeated(".a", "https://doi-org", "/10.1000/a"),
    "http:// over": repeated("http://"),
    "http://10.1000/ over": repeated("http://10.1000/"),
    "http://a 10.1000/ over": repeated("http://a 10.1000/a "),
    "one foreign URL": repeated("10.1000/a/", "http://a.example/"),
    "foreign URL, commas": repeated(",10.1000", "http://a.example/"),
    "example?doi= over": repeated("example.org/s?doi=10.1000/a&"),
    "?doi= over": repeated("?doi=10.1000/a"),
    "short names": repeated("10.1000/a "),
    "short names, lines": repeated("10.1000/a\n"),
    "short names, paragraphs": repeated("10.1000/a\n\n"),
    "distinct names": numbered("10.1000/# "),
    "distinct names, commas": numbered("10.1000/#,"),
    "listed": repeated(",10.1000/a,10.1000/b"),
    "listed labels": repeated(";doi:10.1000/a"),
    "footnotes [1][1]": repeated("[1]", "10.1000/a"),
    "footnotes [^1].": repeated("[^1].", "10.1000/a"),
    "possessives": repeated("'s", "10.1000/1"),
    "possessives 1's1's": repeated("1's", "10.1000/"),
    "possessives .": repeated("1's.", "10.1000/"),
    "apostrophes 'b'b": repeated("'b", "'10.1000/a"),
    "’b’b": repeated("’b", "‘10.1000/a"),
    'alternating quotes "\'': repeated("\"'", '"10.1000/a'),
    "tags <a": repeated("<a ", "10.1000/x"),
    "tags <a over names": repeated("10.1000/x<a "),
    "tags <a b": repeated("<a b", "10.1000/x"),
    "tags <aaaa…": repeated("a", "10.1000/x<"),
    "tags </a.-": repeated(".-", "10.1000/x</a"),
    "comments": repeated("10.1000/x<!--"),
    "comments <!-- over": repeated("<!-- 10.1000/a "),
    "SICI": repeated("<1::AID-A>3.0.CO;2-A", "10.1000/"),
    "code spans": repeated("`10.1000/a` "),
    "ticks growing": lambda size: "10.1000/a " + " ".join("`" * n for n in range(int((2 * size) ** 0.5))),
    "unclosed elements": repeated("<code>10.1000/a<pre><math>"),
    "one attribute": repeated('a="b" ', "<p ", ">10.1000/a"),
    "unclosed attribute": repeated("<p a='10.1000/a "),
    "unclosed quoted": repeated("<a \"'"),
    "a tag's classes": repeated(" a", '<p class="', '">10.1000/a'),
    "percent %41": repeated("%41", NAME),
    "percent %FF": repeated("%FF", NAME),
    "percent %C3": repeated("%C3", NAME),
    "percent %C3%81": repeated("%C3%81", NAME),
    "percent %2F": repeated("%2F", "10.1000"),
    "percent a%25": repeated("a%25", NAME),
    "dot segments ../": repeated("../", NAME),
    "dot segments ./": repeated("./", NAME),
    "url ?": repeated("?a=b", "https://doi.org/10.1000/a"),
    "url #": repeated("#", "https://doi.org/10.1000/a"),
    "URN": repeated(":", "urn:doi:10.1000"),
    "URN over": repeated("urn:doi:10.1000:a "),
    "glued PMID": repeated(".PMID", "10.1000/a"),
    "glued PMID:": repeated(".PMID:10.1000/a", "10.1000/a"),
    "glued http": repeated("http:/", "10.1000/a"),
    "glued www.": repeated(".www", "10.1000/a"),
    "[doi": repeated("[doix", "10.1000/a"),
    "citation keys": repeated("@doi:10.1000/a "),
    "citation keys @{": repeated("@{doi:10.1000/a}"),
    "\\(…\\)": repeated("\\(10.1000/a\\)"),
    "escapes": repeated("\\_", "10.1000/a"),
    "escapes over": repeated("10\\.1000/a "),
    "entities": repeated("&lt;", "10.1000/a"),
    "entities &amp": repeated("&amp", "10.1000/a"),
    "entities &#": repeated("&#", "10.1000/a"),
    "entities over": repeated("10&#46;1000/a "),
    "links": repeated("[a](https://doi.org/10.1000/a) "),
    "links of their own text": repeated("<https://doi.org/10.1000/a> "),
    "links by reference": repeated("[10.1000/a][b] ", tail="\n\n[b]: https://doi.org/10.1000/b\n"),
    "definitions": numbered("[#]: https://doi.org/10.1000/#\n"),
    "definitions used": numbered("[#]\n\n[#]: https://doi.org/10.1000/a\n\n"),
    "images": repeated("![10.1000/a](b) "),
    "[[[[ names": repeated("[10.1000/a"),
    "emphasis": repeated("*10.1000/a* "),
    "emphasis inside": repeated("*b*", "10.1000/a"),
    "strikethrough": repeated("~~10.1000/a~~"),
    "tables": repeated("| 10.1000/a | b |\n", "| a | b |\n|---|---|\n"),
    "lists": repeated("* 10.1000/a\n"),
    "footnote definitions": numbered("[^#]: 10.1000/a\n\nb[^#]\n\n"),
    "directives": repeated("```{note}\n10.1000/a\n```\n"),
    "headings": repeated("# 10.1000/a\n\n"),
    "math": repeated("$10.1000/a$ "),
    "block quotes": repeated("> ", tail="10.1000/a"),
    "front matter": repeated("a: 10.1000/a\n", "---\n"),
    "roles": repeated(":doi:`10.1000/a` "),
    "roles with titles": repeated("{doi}`a <10.1000/a>` "),
    "one role": repeated("<", ":doi:`10.1000/a", "`"),
    "one role <10": repeated(" <10", ":doi:`10.1000/a", ">`"),
    "rst targets": numbered("`#`_\n\n.. _#: https://doi.org/10.1000/a\n\n"),
    "rst underscores": repeated("10.1000/under_score_ "),
    "rst fields": repeated(":a: 10.1000/a\n"),
    "BibTeX entries": numbered("@a{#,\n doi = {10.1000/a}\n}\n"),
    "BibTeX doi fields": repeated(' doi = "10.1000/a",\n', "@a{b,\n"),
    "BibTeX @a{": repeated("@a{10.1000/a"),
    "BibTeX @ \n": repeated("@ \n a\n", "10.1000/a"),
    "BibTeX @a spaces": repeated("@a" + " " * 40, "10.1000/a"),
    "BibTeX @a one space": repeated(" ", "10.1000/a@"),
    "BibTeX unclosed": repeated("@a{b, doi = {10.1000/a\n"),
    "BibTeX unclosed field": repeated("\n doi = {10.1000/a", "@a{b,"),
    "BibTeX long key": repeated("a", "10.1000/a @a{b,"),
    "BibTeX long keys": repeated("a.", "10.1000/a @a{b,"),
    "BibTeX a=": repeated("a = ", "10.1000/a @a{b,"),
    "BibTeX a spaces": repeated("a" + " " * 40, "10.1000/a @a{b,"),
    "BibTeX braces": repeated("{", "@a{b, doi = {10.1000/a"),
    "BibTeX names in one": repeated("10.1000/a ", "@a{b, doi = {", "}}"),
    "BibTeX LaTeX": repeated("{\\_}$<$\\textless{}", "@a{b, doi = {10.1000/a", "}}"),
    "BibTeX \\url spaces": repeated("\\url" + " " * 40, "@a{b, doi = {10.1000/a", "}}"),
}  # fmt: skip


class Entry(NamedTuple):
    """An entry point.

    :ivar run: what is measured
    :ivar alone: the host without doilinks, or None
    :ivar largest: the size to go to without ``--large``
    """

    run: Callable[[str], object]
    alone: Callable[[str], object] | None = None
    largest: int = 100_000


def _scan(text: str) -> None:
    for match in scan(text):
        match.doi.url


def _link_match(text: str) -> None:
    for match in scan(text):
        if link_match(match, OPTIONS, text):
            remarks(match, text)


def _try(call: Callable[[str], object], text: str) -> object:
    try:
        return call(text)
    except InvalidDOI as error:
        return str(error)


def _name(text: str) -> object:
    try:
        doi = DOI(text)
    except InvalidDOI as error:
        return str(error)
    return doi.uri, doi.url, doi.urn, hash(doi), remarks(doi)


def _all_but_scan(text: str) -> None:
    """What takes one name, at once; in CI the rows of each would take too long."""
    _name(text)
    _try(DOI.parse, text)
    relink("doi:" + text, text, OPTIONS)
    relink("https://doi.org/" + text, "a", OPTIONS)
    for call in (decode, uri_form, link_form, tail_form):
        call(text)


def core() -> Iterator[tuple[str, Entry]]:
    """The core: nothing but text."""
    yield "scan", Entry(_scan, largest=1_000_000)
    yield "may_hold_doi", Entry(may_hold_doi, largest=1_000_000)
    yield "link_match, remarks", Entry(_link_match, largest=1_000_000)
    yield "DOI", Entry(_name, largest=1_000_000)
    yield "DOI.parse", Entry(functools.partial(_try, DOI.parse), largest=1_000_000)
    yield "relink", Entry(lambda text: relink("doi:" + text, text, OPTIONS), largest=1_000_000)
    yield "relink, a URL", Entry(lambda text: relink("https://doi.org/" + text, "a", OPTIONS))
    yield "decode", Entry(decode, largest=1_000_000)
    yield "uri_form", Entry(uri_form, largest=1_000_000)
    yield "link_form", Entry(link_form, largest=1_000_000)
    yield "tail_form", Entry(tail_form, largest=1_000_000)
    yield "all but scan", Entry(_all_but_scan)


def check() -> Iterator[tuple[str, Entry]]:
    """What is read of others when names are checked."""
    from doilinks.check.lockfile import InvalidLockfile, Lockfile
    from doilinks.check.near import near_misses
    from doilinks.check.record import read_record

    def near(text: str) -> object:
        try:
            return near_misses(DOI(text))
        except InvalidDOI:
            return None

    def answer(text: str) -> object:
        values = [{"type": "HS_ALIAS", "data": {"value": text}}]
        body = json.dumps({"responseCode": 1, "handle": NAME + "a", "values": values})
        return read_record(DOI(NAME + "a"), 200, body.encode()), read_record(
            DOI(NAME + "a"), 200, text.encode("utf-8", "replace")
        )

    folder = Path(tempfile.mkdtemp(prefix="doilinks-"))

    def lockfile(text: str) -> object:
        path = folder / "lock.json"
        entry = {"checked": "2026-11-20", "alias": "doi:" + text}
        names = {f"doi:10.1000/{n}": {"checked": "2026-11-20"} for n in range(len(text) // 40)}
        for content in (
            text,
            json.dumps({"version": 1, "found": names}),
            json.dumps({"version": 1, "found": {"doi:" + text: entry}}),
            json.dumps({"version": 1, "found": names | {text: {}}}),
        ):
            path.write_text(content, encoding="utf-8", errors="replace")
            try:
                Lockfile(path)
            except InvalidLockfile as error:
                str(error)
        return None

    yield "near misses", Entry(near)
    yield "API answer", Entry(answer)
    yield "lock file", Entry(lockfile)


def sources() -> Iterator[tuple[str, Entry]]:
    """The readers of ``doilinks scan``."""
    from docutils.parsers.rst import Parser
    from docutils.utils import new_document
    from markdown_it import MarkdownIt
    from mdit_py_plugins.colon_fence import colon_fence_plugin
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.myst_role import myst_role_plugin

    from doilinks.sources import CannotRead, read
    from doilinks.sources import rest as rest_source

    def reader(kind: str) -> Callable[[str], object]:
        def run(text: str) -> object:
            try:
                return list(read(text, kind, OPTIONS))
            except CannotRead:
                return None

        return run

    def notebook(text: str) -> str:
        cell = {"cell_type": "markdown", "source": text.splitlines(keepends=True), "metadata": {}}
        return json.dumps({"cells": [cell], "nbformat": 4, "nbformat_minor": 5, "metadata": {}})

    md = MarkdownIt("commonmark", {"store_labels": True}).enable(["table", "strikethrough"])
    md.use(dollarmath_plugin, double_inline=True).use(footnote_plugin)
    md.use(deflist_plugin).use(colon_fence_plugin).use(myst_role_plugin)

    def rst_alone(text: str) -> object:
        with rest_source._everything_known():
            document = new_document("", rest_source._settings().copy())
            Parser().parse(text, document)
        return document

    yield "source txt", Entry(reader("txt"))
    yield "source bib", Entry(reader("bib"))
    yield "source html", Entry(reader("html"))
    yield "source md", Entry(reader("md"), md.parse, 20_000)
    yield "source ipynb", Entry(lambda text: reader("ipynb")(notebook(text)), md.parse, 20_000)
    yield "source rst", Entry(reader("rst"), rst_alone, 20_000)


def hosts() -> Iterator[tuple[str, Entry]]:
    """The hosts, with doilinks and without."""
    import markdown
    from docutils.core import publish_doctree
    from docutils.parsers.rst import Parser as PlainParser
    from markdown_it import MarkdownIt

    from doilinks.docutils import Parser
    from doilinks.markdown_it import doi_plugin

    ours, theirs = MarkdownIt("commonmark"), MarkdownIt("commonmark")
    ours.use(doi_plugin)
    yield "markdown-it-py", Entry(ours.render, theirs.render, 20_000)

    with_ours = markdown.Markdown(extensions=["doilinks"])
    without = markdown.Markdown()
    yield (
        "Python-Markdown",
        Entry(
            lambda text: with_ours.reset().convert(text),
            lambda text: without.reset().convert(text),
            20_000,
        ),
    )

    settings = {"report_level": 5, "halt_level": 6, "file_insertion_enabled": False}
    yield (
        "docutils Parser",
        Entry(
            lambda text: publish_doctree(text, parser=Parser(), settings_overrides=settings),
            lambda text: publish_doctree(text, parser=PlainParser(), settings_overrides=settings),
            20_000,
        ),
    )


def trees() -> Iterator[tuple[str, Entry]]:
    """Transforms on trees that a parser has made; Sphinx's are the docutils ones."""
    from docutils import nodes

    from doilinks.docutils.linker import Linker
    from doilinks.pandoc import rewrite
    from doilinks.pandoc.reader import Reader

    retype = {ord("–"): "--", ord("”"): '"', ord("’"): "'"}

    def tree(text: str) -> nodes.paragraph:
        paragraph = nodes.paragraph()
        for number, part in enumerate(text.split(" ")):
            if number % 4 == 1:
                paragraph += nodes.emphasis("", part)
            elif number % 4 == 3:
                paragraph += nodes.reference("", part, refuri="http://" + part)
            else:
                paragraph += nodes.Text(part + " " * (number % 3))
        return paragraph

    def linked(text: str) -> object:
        for paragraph in (tree(text), nodes.paragraph("", text)):
            section = nodes.section("", paragraph)
            Linker(OPTIONS, retype).link(section)
        return None

    def pandoc(text: str) -> object:
        return rewrite(document(text), Reader())

    def document(text: str) -> str:
        inlines: list[dict[str, object]] = []
        mixed: list[dict[str, object]] = []
        for number, word in enumerate(text.split(" ")):
            inlines += ({"t": "Str", "c": word}, {"t": "Space"})
            part = {"t": "Str", "c": word}
            kind = ("Emph", "Str", "Superscript", "Quoted", "Link", "RawInline")[number % 6]
            content: object = [part]
            match kind:
                case "Str":
                    content = word
                case "Quoted":
                    content = [{"t": "DoubleQuote"}, [part]]
                case "Link":
                    content = [["", [], []], [part], ["https://doi.org/" + word, ""]]
                case "RawInline":
                    content = ["html", f"<{word}>"]
            mixed.append({"t": kind, "c": content})
        blocks = [{"t": "Para", "c": inlines}, {"t": "Para", "c": mixed}]
        return json.dumps({"pandoc-api-version": [1, 23, 1], "meta": {}, "blocks": blocks})

    yield "docutils and Sphinx trees", Entry(linked, lambda text: (tree(text), text), 100_000)
    yield "pandoc rewrite", Entry(pandoc, document)


def entries() -> Iterator[tuple[str, Entry]]:
    """Every entry point by name; what it needs is imported when its turn comes."""
    for group in (core, check, sources, hosts, trees):
        yield from group()


def seconds(call: Callable[[str], object], text: str, runs: int) -> float:
    """The least processor time of several runs."""
    best = float("inf")
    for _ in range(runs):
        gc.collect()
        start = time.process_time()
        call(text)
        best = min(best, time.process_time() - start)
    return best


class Row(NamedTuple):
    """One input through one entry point: seconds at each size, and what a doubling costs."""

    made: str
    times: list[float]
    doubled: float


_TOO_LONG = 4.0  # seconds; larger sizes are left out
_NOISE = 0.3  # of a host's own time; what two runs of it may differ by


def added(entry: Entry, text: str) -> tuple[float, float]:
    """Seconds that doilinks takes, the host's own left out; and those of the host."""
    runs = 3 if len(text) <= 20_000 else 1
    both = seconds(entry.run, text, runs)
    host = seconds(entry.alone, text, runs) if entry.alone else 0.0
    return both - host, host


def growth(small: tuple[float, float], large: tuple[float, float]) -> float:
    """How many times more doilinks takes for a larger text; 0 where the host's share hides it."""
    (ours, host), (ours_large, host_large) = small, large
    if ours_large < _NOISE * host_large:
        return 0.0
    least = _NOISE * host if host else 1e-5
    return ours_large / max(ours, least)


def measure(entry: Entry, made: str, sizes: list[int]) -> Row:
    """Seconds at each size; between the two largest, what a doubling costs."""
    taken: list[tuple[float, float]] = []
    for size in sizes:
        taken.append(added(entry, INPUTS[made](size)))
        if taken[-1][0] > _TOO_LONG:
            break
    times = [ours for ours, _ in taken]
    if len(times) < 2:
        return Row(made, times, math.inf)
    doublings = math.log2(sizes[len(times) - 1] / sizes[len(times) - 2])
    return Row(made, times, growth(taken[-2], taken[-1]) ** (1 / doublings))


def in_seconds(words: list[str], *, large: bool, every: bool) -> None:
    """Print the table of times."""
    for name, entry in entries():
        if words and not any(word in name for word in words):
            continue
        largest = entry.largest * (10 if large else 1)
        sizes = [size for size in (5_000, 10_000, 20_000, 10**5, 10**6, 10**7) if size <= largest]
        rows = [measure(entry, made, sizes[-3:]) for made in INPUTS]
        if not every:
            steep = sorted(rows, key=lambda row: -row.doubled)[:5]
            dear = sorted(rows, key=lambda row: -row.times[-1])[:3]
            rows = steep + [row for row in dear if row not in steep]
        shown = ", ".join(f"{size:,}" for size in sizes[-3:])
        print(f"\n{name}: {len(INPUTS)} inputs; seconds for {shown} characters; a doubling")
        for row in rows:
            times = " ".join(f"{value:9.5f}" for value in row.times)
            print(f"  {row.made:30} {times:30}  x{row.doubled:.2f}", flush=True)


# What is counted: every input for the core, and for others, which take long, these.
FOR_CI = (
    "link_match, remarks", "all but scan", "near misses", "API answer", "lock file", "source bib",
    "source html", "source md", "source ipynb", "source rst", "markdown-it-py", "Python-Markdown",
    "docutils Parser", "docutils and Sphinx trees", "pandoc rewrite",
)  # fmt: skip
FOR_ALL_INPUTS = ("scan", "link_match, remarks")
FOR_HOSTS = (
    "short names", "short names, paragraphs", "distinct names, commas", "nested names",
    "nested quotes", "tags <a over names", "unclosed elements", "unclosed quoted", "code spans",
    "escapes over", "entities over", "links", "links of their own text", "emphasis inside", "tables",
    "definitions used", "footnotes [^1].", "roles", "BibTeX long keys", "BibTeX unclosed field",
    "percent %41", "dot segments ../",
)  # fmt: skip


class Count(NamedTuple):
    """Instructions of doilinks for one input, at a size and at a multiple of it, and their ratio."""

    entry: str
    made: str
    small: int
    large: int
    grown: float


def in_instructions(words: list[str], small: int, times: int) -> list[Count]:
    """Count what the processor executes for each input, under valgrind.

    :param small: the size of the smaller text
    :param times: how many times larger the other one is
    :raises FileNotFoundError: without valgrind
    """
    with tempfile.TemporaryDirectory(prefix="doilinks-") as folder:
        command = [
            "valgrind", "--tool=exp-bbv", "--instr-count-only=yes", "--bb-out-file=/dev/null",
            f"--log-file={folder}/%p", sys.executable, __file__, "--children", str(small), str(times),
        ]  # fmt: skip
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        done = subprocess.run(
            [*command, *words], check=True, stdout=subprocess.PIPE, env=environment
        )
        total = {}
        for file in Path(folder).iterdir():
            found = re.search(r"Total instructions: (\d+)", file.read_text())
            total[file.name] = int(found[1]) if found else 0
    counts = []
    for line in done.stdout.decode().splitlines():
        entry, made, *children = json.loads(line)
        base, *ran = (total[str(child)] for child in children)
        small_run, large_run, *hosts = (each - base for each in ran)
        host, host_large = hosts or (0, 0)
        ours = (small_run - host, host), (large_run - host_large, host_large)
        counts.append(Count(entry, made, ours[0][0], ours[1][0], growth(*ours)))
    return counts


def _children(small: int, times: int, words: list[str]) -> None:
    """Run each input in a forked process, whose instructions valgrind tells apart by its number.

    A forked process begins with its parent's count, which one that does nothing tells.
    """
    for name, entry in entries():
        if name not in (words or FOR_CI):
            continue
        for call in filter(None, (entry.run, entry.alone)):
            for made in ("short names", "links", "emphasis inside"):  # patterns are compiled once
                call(INPUTS[made](200))
        gc.collect()
        gc.freeze()
        chosen = (made for made in INPUTS if made in FOR_HOSTS or name in FOR_ALL_INPUTS)
        for made in chosen:
            children = [_child(lambda: None)]
            for call in filter(None, (entry.run, entry.alone)):
                for text in (INPUTS[made](small), INPUTS[made](small * times)):
                    children += (_child(functools.partial(call, text)),)
            print(json.dumps([name, made, *children]), flush=True)


def _child(call: Callable[[], object]) -> int:
    child = os.fork()
    if child == 0:
        try:
            call()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return child


def main() -> None:
    """Run as a program."""
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    if "--children" in sys.argv:
        _children(int(words[0]), int(words[1]), words[2:])
    elif "--instructions" in sys.argv:
        for count in sorted(in_instructions(words, 500, 8), key=lambda count: -count.grown):
            print(
                f"{count.entry:25} {count.made:30} {count.large:12,} instructions  x{count.grown:.1f}"
            )
    else:
        in_seconds(words, large="--large" in sys.argv, every="--all" in sys.argv)


if __name__ == "__main__":
    main()
