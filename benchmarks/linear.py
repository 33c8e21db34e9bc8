"""Time against size for hostile input, through every entry point: it has to stay linear.

``python benchmarks/linear.py`` prints, for each entry point, the inputs that cost most and those that
grow fastest; ``--all`` prints every input, ``--large`` goes on to 10^7 characters, and words on the
command line pick entry points (``python benchmarks/linear.py scan pandoc``).

A host may itself take more than linear time. Its rows are therefore what doilinks adds: the time of
the host with doilinks less that of the host alone, and never less than a part of the latter, below
which a difference of two times is noise.

Times are processor time, not wall-clock time, and the least of several runs. ``tests/test_linear.py``
holds the same table to a bound, counted in instructions.
"""

from __future__ import annotations

import functools
import gc
import json
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
    'alternating quotes "\'': repeated("\"'", "\"10.1000/a"),
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
    "BibTeX unclosed field": repeated('\n doi = {10.1000/a', "@a{b,"),
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
        match.doi.url  # noqa: B018


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


def entries() -> dict[str, Entry]:
    """Every entry point by name."""
    return {
        name: entry
        for group in (core, check, sources, hosts, trees)
        for name, entry in group()
    }


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
    """One input through one entry point: seconds at each size, and the worst doubling."""

    made: str
    times: list[float]
    doubled: float


_TOO_LONG = 4.0  # seconds; a larger size is left out


def measure(entry: Entry, made: str, sizes: list[int]) -> Row:
    """Seconds at each size; between the two largest, how much a doubling costs."""
    times: list[float] = []
    for size in sizes:
        text = INPUTS[made](size)
        runs = 3 if size <= 20_000 else 1
        times.append(_added(entry, text, runs))
        if times[-1] > _TOO_LONG:
            break
    reached = len(times) - 1
    if reached < 1 or times[reached - 1] <= 0:
        return Row(made, times, float("nan"))
    doublings = (sizes[reached] / sizes[reached - 1]).as_integer_ratio()[0].bit_length() - 1
    exponent = _log2(sizes[reached] / sizes[reached - 1])
    del doublings
    return Row(made, times, (times[reached] / times[reached - 1]) ** (1 / exponent))


def _log2(number: float) -> float:
    import math

    return math.log2(number)


_NOISE = 0.3  # of the host's own time


def _added(entry: Entry, text: str, runs: int) -> float:
    both = seconds(entry.run, text, runs)
    if entry.alone is None:
        return both
    host = seconds(entry.alone, text, runs)
    return max(both - host, _NOISE * host)


def main() -> None:
    """Print the table."""
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    for name, entry in entries().items():
        if words and not any(word in name for word in words):
            continue
        largest = entry.largest * (10 if "--large" in sys.argv else 1)
        sizes = [size for size in (10_000, 20_000, 100_000, 10**6, 10**7) if size <= largest]
        if entry.largest < 100_000:
            sizes = [size // 2 for size in sizes]
        rows = [measure(entry, made, sizes) for made in INPUTS]
        growing = sorted(rows, key=lambda row: -row.doubled if row.doubled == row.doubled else 0)
        costly = sorted(rows, key=lambda row: -row.times[-1])
        shown = rows if "--all" in sys.argv else list(dict.fromkeys(map(id, growing[:6] + costly[:3])))
        known = {id(row): row for row in rows}
        print(f"\n{name}: seconds for " + ", ".join(f"{size:,}" for size in sizes) + " characters; a doubling")
        for row in shown if shown and isinstance(shown[0], Row) else [known[key] for key in shown]:
            times = " ".join(f"{value:9.5f}" for value in row.times)
            print(f"  {row.made:30} {times}  x{row.doubled:.2f}", flush=True)


if __name__ == "__main__":
    main()
