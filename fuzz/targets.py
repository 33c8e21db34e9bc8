"""What is fuzzed: each target takes bytes, and raises when something that must hold does not.

``SEEDS`` are documents to begin with, ``WORDS`` what makes them interesting. Nothing here knows
which fuzzer runs it.
"""

from __future__ import annotations

import json
import pickle
import string
import tempfile
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.tools.fixtures import CONFORMANCE, read_cases

from doilinks import DOI, InvalidDOI, scan
from doilinks.core.link import link_match, relink
from doilinks.core.nameless import NoName
from doilinks.core.options import InvalidOption, Options
from doilinks.core.remarks import CODES, remarks, remarks_of
from doilinks.core.scan import may_contain_doi
from doilinks.core.text import SourceText

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

__all__ = ["SEEDS", "TARGETS", "WORDS", "Target"]

Target = Callable[[bytes], None]

PROXY: Final = "https://proxy.test/"

WORDS: Final = (
    "10.1000/", "10.1000/a", "10/ab1", "doi:", "DOI: ", "urn:doi:10.1000:a", "info:doi/", "doi.org/",
    "https://doi.org/", "http://", "www.", "[1]", "'s", "PMID:", "<a>", "</ref>", "<!--", "-->", "%2F",
    "%41", "%FF", "を", "—", "–", "\u200b", "\ud7ff", "“", "”", "’", "](", "[^1]: ", "```", "$$", "{doi}`",
    ":doi:`", ".. note::\n\n   ", "`_", "&lt;", "&#46;", "<code>", "@a{b, doi = {", "\\_", "\x00", "\n\n",
)  # fmt: skip


def _cases() -> Iterator[bytes]:
    for file in sorted(CONFORMANCE.rglob("*.md")):
        if file.name != "README.md":
            for case in read_cases(file):
                yield case.source.encode()


SEEDS: Final = tuple(_cases())


def _lenient(data: bytes) -> str:
    try:
        # Lone surrogates can be in a str, though in no file.
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def _options(choice: int) -> Options:
    """Options that a byte picks."""
    return Options(
        display=("uri", "url", "name", "source")[choice & 3],
        urls=("rewrite", "target", "keep")[(choice >> 2) % 3],
        bare=bool(choice & 16),
        ignore=(r"10\.5555/",) if choice & 32 else (),
        proxy=PROXY,
    )


def _split(data: bytes) -> tuple[Options, str]:
    return _options(data[0] if data else 0), _lenient(data[1:])


def fuzz_scan(data: bytes) -> None:
    """Spans in order, disjoint and inside; each name a name; links and remarks of each."""
    options, text = _split(data)
    at = 0
    found = list(scan(text))
    for match in found:
        assert at <= match.start < match.end <= len(text), "spans overlap or leave the text"
        at = match.end
        assert DOI(match.doi.name) == match.doi
        assert DOI.parse(match.doi.url).name == match.doi.name
        written = text[match.start : match.end]
        coded = match.form != "angle" and ("\\" in written or "&" in written)  # LaTeX, JSON, HTML
        if not coded and match.doi.name[:3] != "10/":
            parsed = DOI.parse(written)
            assert parsed == match.doi or parsed == DOI(match.doi.name + " "), written  # …%20
        link = link_match(match, options, text)
        assert link is None or link.href.startswith(PROXY)
        assert all(
            remark.code in CODES and remark.message.isascii() for remark in remarks_of(match, text)
        )
    assert may_contain_doi(text) or not found, "the gate is shut for a text with a DOI"


def fuzz_parse(data: bytes) -> None:
    """A name has one value in all of its forms, and a link made canonical stays as it is."""
    options, text = _split(data)
    for read in (DOI, DOI.parse):
        try:
            doi = read(text)
        except InvalidDOI as error:
            str(error)
            continue
        for form in (doi.uri, doi.url, doi.urn):
            assert form.isascii()
            assert not set(form) & set("\"'<>` \n\\").difference("'"), form
            assert DOI.parse(form).name == doi.name, form
        assert hash(doi) == hash(DOI(doi.name.swapcase())) or not doi.name.isascii()
        remarks(doi)
    link = relink(text, text, options)
    named = link is not None and not isinstance(link.doi, NoName)
    assert not named or (link.href is None) == (options.urls == "keep")
    if link and link.href is not None:
        assert link.href.startswith(PROXY)
        assert DOI.parse(link.href.replace(PROXY, "https://doi.org/", 1)).name == link.doi.name


def fuzz_options(data: bytes) -> None:
    """Any value is read or refused with words; what is read is read again as the same."""
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        text = _lenient(data)
        names = Options.NAMES
        values = {names[len(text) % len(names)]: text, "ignore": text.splitlines()}
    if not isinstance(values, dict):
        values = dict.fromkeys(Options.NAMES, values)
    try:
        options = Options.read(values, "doi-{}".format)
    except InvalidOption as error:
        assert error.problems
        assert str(error)
        return
    again = Options.read({name: getattr(options, name) for name in Options.NAMES})
    assert again == options


_ELEMENTS: Final = frozenset(
    "p a em strong code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 hr br img s table thead tbody tr th"
    " td".split()
)
_ATTRIBUTES: Final = frozenset({"href", "class", "src", "alt", "title", "start", "style"})


class _Page(HTMLParser):
    """The elements and links of a page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[tuple[str, str]] = []
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}
        given = dict(attrs)
        if tag == "a":
            self.links.append((given.get("href") or "", given.get("class") or ""))


def _same_but_links(ours: str, theirs: str, found: int) -> None:
    """No link of ours leads elsewhere, unless it stayed as it was; without a name nothing changed."""
    page, before = _Page(ours), {href for href, _ in _Page(theirs).links}
    for href, css in page.links:
        if "doi" in css.split():
            assert href.startswith(PROXY) or href in before, href
    if not found:
        assert ours == theirs, "changed though nothing was found"


def _markdown_it() -> Target:
    from markdown_it import MarkdownIt

    from doilinks.markdown_it import doi_plugin

    presets = ("commonmark", "js-default", "gfm-like")

    def fuzz_markdown_it(data: bytes) -> None:
        """Renders; no element or attribute but the host's; links of ours lead to the proxy."""
        choice = data[0] if data else 0
        options, text = _split(data)
        preset = presets[(choice >> 6) % 3]
        settings = {
            "html": False,
            "linkify": preset != "commonmark",
            "typographer": bool(choice & 8),
        }
        host = MarkdownIt(preset, settings)
        md = MarkdownIt(preset, settings)
        md.use(doi_plugin, **{name: getattr(options, name) for name in Options.NAMES})
        env: dict[str, list[object]] = {}
        ours = md.render(text, env)
        page = _Page(ours)
        assert page.elements <= _ELEMENTS, page.elements - _ELEMENTS
        assert page.attributes <= _ATTRIBUTES, page.attributes - _ATTRIBUTES
        _same_but_links(ours, host.render(text), len(env["dois"]) or text.count("10"))

    return fuzz_markdown_it


def _python_markdown() -> Target:
    import markdown

    from doilinks.markdown import DoiExtension

    made: dict[tuple[int, bool], tuple[markdown.Markdown, markdown.Markdown]] = {}

    def fuzz_markdown(data: bytes) -> None:
        """Converts whenever the host does; links of ours lead to the proxy."""
        choice = data[0] if data else 0
        options, text = _split(data)
        key = choice & 63, bool(choice & 64)
        if key not in made:
            ours = DoiExtension(**{name: getattr(options, name) for name in Options.NAMES})
            others = ["tables", "smarty", "attr_list", "footnotes"] if key[1] else []
            made[key] = (
                markdown.Markdown(extensions=[ours, *others]),
                markdown.Markdown(extensions=others),
            )
        md, alone = made[key]
        try:
            theirs = alone.reset().convert(text)
        except Exception:  # noqa: BLE001  the host's own trouble
            return
        html = md.reset().convert(text)
        _same_but_links(html, theirs, len(md.dois) or text.count("10"))

    return fuzz_markdown


def _mkdocs() -> Target:
    from mkdocs.commands.build import _populate_page
    from mkdocs.config import load_config
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page

    folder = Path(tempfile.mkdtemp(prefix="doilinks-fuzz-"))
    (folder / "docs").mkdir()
    names = ["admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables"]

    def project(plugins: list[str]) -> MkDocsConfig:
        """A project that stays open."""
        (folder / "mkdocs.yml").write_text(
            json.dumps({"site_name": "A site", "markdown_extensions": names, "plugins": plugins})
        )
        config = load_config(str(folder / "mkdocs.yml"))
        config.plugins.on_startup(command="build", dirty=False)
        return config.plugins.on_config(config)

    alone, config = project([]), project(["doilinks"])
    plugin = config.plugins["doilinks"]

    def read(config: MkDocsConfig, text: str) -> Page:
        file = File.generated(config, "index.md", content=text)
        page = Page(None, file, config)
        _populate_page(page, config, Files([file]), dirty=False)
        return page

    def fuzz_mkdocs(data: bytes) -> None:
        """Reads whenever MkDocs does; links of ours lead to the proxy; a line is one of the page."""
        options, text = _split(data)
        own = {name: getattr(options, name) for name in Options.NAMES}
        assert plugin.load_config(own) == ([], [])
        plugin.on_config(config)
        try:
            theirs = read(alone, text)
        except Exception:  # noqa: BLE001  the host's own trouble
            return
        page = read(config, text)
        found = plugin.dois.get("index.md", [])
        _same_but_links(page.content or "", theirs.content or "", len(found) or text.count("10"))
        lines = text.split("\n")
        for each in found:
            assert each.line is None or 1 <= each.line <= len(lines), each

    return fuzz_mkdocs


def _docutils() -> Target:
    from docutils.core import publish_parts

    from doilinks.docutils import Parser

    quiet = {
        "report_level": 5, "halt_level": 6, "file_insertion_enabled": False, "raw_enabled": False,
        "warning_stream": False, "_disable_config": True,
    }  # fmt: skip

    def fuzz_docutils(data: bytes) -> None:
        """Publishes whenever docutils does; links of ours lead to the proxy."""
        from docutils.parsers.rst import Parser as Plain
        from docutils.writers.html5_polyglot import Writer

        options, text = _split(data)
        try:
            theirs = publish_parts(text, parser=Plain(), writer=Writer(), settings_overrides=quiet)
        except Exception:  # noqa: BLE001  the host's own trouble
            return
        chosen = {"doi_proxy": PROXY, "doi_display": options.display, "doi_urls": options.urls}
        ours = publish_parts(
            text, parser=Parser(), writer=Writer(), settings_overrides={**quiet, **chosen}
        )
        found = sum(text.lower().count(sign) for sign in ("10", "doi", "arxiv"))
        _same_but_links(ours["body"], theirs["body"], found)

    return fuzz_docutils


def _myst() -> Target:
    from docutils import nodes
    from sphinx.application import Sphinx

    folder = Path(tempfile.mkdtemp(prefix="doilinks-fuzz-"))
    extensions = ["amsmath", "deflist", "dollarmath", "smartquotes", "strikethrough", "tasklist"]

    def project(*added: str) -> Sphinx:
        """A project that stays open, of one page."""
        source = folder / "-".join(("alone", *added))
        source.mkdir()
        (source / "conf.py").touch()
        (source / "index.md").touch()
        overrides = {
            "extensions": ["myst_parser", *added], "myst_enable_extensions": extensions,
            **({"doi_proxy": PROXY} if added else {}),
        }  # fmt: skip
        out = source / "out"
        app = Sphinx(source, source, out, out, "dummy", overrides, status=None, warning=None)
        app.build()
        return app

    alone, ours = project(), project("doilinks.sphinx")

    def read(app: Sphinx, text: str) -> nodes.document:
        app.env.clear_doc("index")
        (Path(app.srcdir) / "index.md").write_text(text, encoding="utf-8", errors="replace")
        app.builder.read_doc("index")
        return pickle.loads((Path(app.doctreedir) / "index.doctree").read_bytes())

    def fuzz_myst(data: bytes) -> None:
        """Reads whenever Sphinx does; links of ours lead to the proxy."""
        text = _lenient(data[1:])
        try:
            theirs = read(alone, text)
        except Exception:  # noqa: BLE001  the host's own trouble
            return
        page = read(ours, text)
        for link in page.findall(nodes.reference):
            if "doi" in link["classes"]:
                assert link["refuri"].startswith(PROXY), link
        if "10" not in text and "doi" not in text.lower():
            pages = (
                each.pformat().replace(str(app.srcdir), "")
                for each, app in ((page, ours), (theirs, alone))
            )
            assert next(pages) == next(pages), "changed though nothing was found"

    return fuzz_myst


def _record() -> Target:
    from doilinks.ask.names.api import Outcome, read_record

    name = DOI("10.1000/182")

    def fuzz_record(data: bytes) -> None:
        """Never raises; an outcome other than unknown needs the very name; no text of the answer's."""
        status = (200, 404, 500, 429, 301)[data[0] % 5] if data else 200
        body = data[1:]
        answer = read_record(name, status, body)
        assert answer.reason.isprintable()
        if answer.outcome is not Outcome.UNKNOWN:
            record = json.loads(body)
            assert DOI(record["handle"]) == name
            assert (status, record["responseCode"]) in ((200, 1), (404, 100), (200, 200))

    return fuzz_record


def _lockfile() -> Target:
    from doilinks.lock.entries import key_of, parse
    from doilinks.lock.lockfile import InvalidLockfile, Lockfile

    folder = Path(tempfile.mkdtemp(prefix="doilinks-fuzz-"))
    learnt = DOI("10.5555/learnt")

    def fuzz_lockfile(data: bytes) -> None:
        """A file is read, or refused and left as it is; what is written reads as what was kept."""
        path = folder / "doi-lock.json"
        path.write_bytes(data)
        try:
            lock = Lockfile(path)
        except InvalidLockfile as error:
            assert str(error)
            assert path.read_bytes() == data
            return
        before = parse(data)
        lock.learn(learnt)
        lock.save()
        after = parse(path.read_bytes())
        assert learnt in Lockfile(path)
        for document in (before, after):
            document["found"].pop(key_of(learnt), None)
        assert after == before, "an entry was lost or changed"

    return fuzz_lockfile


def _sources() -> Target:
    from doilinks.sources import TYPES, CannotRead, read

    def fuzz_sources(data: bytes) -> None:
        """Each source is read, or refused; every DOI is at a place in the text."""
        options, text = _split(data)
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        for kind in TYPES:
            given = text
            if kind == "ipynb" and not text.lstrip().startswith("{"):
                cell = {"cell_type": "markdown", "source": text.splitlines(keepends=True)}
                given = json.dumps({"cells": [cell]}, ensure_ascii=bool(len(text) & 1))
            lines = given.split("\n")
            try:
                found = list(read(given, kind, options))
            except CannotRead:
                continue
            for each in found:
                assert 1 <= each.line <= len(lines), (kind, each)
                assert 1 <= each.column <= len(lines[each.line - 1]) + 1, (kind, each)
                assert DOI(each.doi.name) == each.doi

    return fuzz_sources


def _pages() -> Target:
    from doilinks.core.options import Options
    from doilinks.tools.pages import link_page

    def fuzz_pages(data: bytes) -> None:
        """Edits in order and disjoint, of a page of HTML and of one in XML."""
        text = _lenient(data)
        for xml in (False, True):
            at = 0
            for start, end, _ in link_page(text, Options(), xml=xml).edits:
                assert at <= start <= end <= len(text)
                at = end

    return fuzz_pages


def _pandoc() -> Target:
    from doilinks.hosts.pandoc.text import Settings
    from doilinks.pandoc import PandocError, rewrite

    kinds = ("Emph", "Strong", "Superscript", "Subscript", "Strikeout", "SmallCaps", "Underline")

    def build(data: bytes) -> list[object]:
        """Inlines that the bytes describe; those that make nodes are control characters."""
        stack: list[list[object]] = [[]]
        for word in _lenient(data).split(" "):
            head, rest = word[:1], word[1:]
            here = stack[-1]
            node = ord(head) if head else 32
            if node < len(kinds):
                here.append({"t": kinds[node], "c": [{"t": "Str", "c": rest}]})
            elif node == 8:
                quotes = {"t": ("SingleQuote", "DoubleQuote")[len(rest) & 1]}
                here.append({"t": "Quoted", "c": [quotes, [{"t": "Str", "c": rest}]]})
            elif node == 11:
                here.append({"t": "RawInline", "c": ["html", rest]})
            elif node == 12:
                here.append({"t": "Code", "c": [["", [], []], rest]})
            elif node == 14:
                here.append({"t": "Math", "c": [{"t": "InlineMath"}, rest]})
            elif node == 15:
                text, _, href = rest.partition("|")
                link = [["", [], []], [{"t": "Str", "c": text}], [href or text, ""]]
                here.append({"t": "Link", "c": link})
            elif node == 16 and len(stack) < 20:
                inside: list[object] = []
                here.append({"t": "Span", "c": [["", [], []], inside]})
                stack.append(inside)
            elif node == 17 and len(stack) > 1:
                stack.pop()
            elif node == 18:
                here.append({"t": "Note", "c": [{"t": "Para", "c": [{"t": "Str", "c": rest}]}]})
            elif node == 19:
                positioned = [
                    ["", [], [["wrapper", "1"], ["data-pos", "a@1:1-1:9"]]],
                    [{"t": "Str", "c": rest}],
                ]
                here.append({"t": "Span", "c": positioned})
            else:
                here.append({"t": "Str", "c": word})
            here.append({"t": "Space"})
        return stack[0]

    def fuzz_pandoc(data: bytes) -> None:
        """Text that is no document is refused; of a document the rest stays; twice is once."""
        try:
            rewrite(_lenient(data), Settings())
        except (PandocError, InvalidOption) as error:
            assert str(error)
        options, _ = _split(data)
        meta = {
            f"doi-{name}": {"t": "MetaString", "c": value}
            for name, value in (
                ("display", options.display),
                ("proxy", PROXY),
                ("urls", options.urls),
            )
        }
        document = {
            "pandoc-api-version": [1, 23, 1],
            "meta": meta,
            "blocks": [{"t": "Para", "c": build(data[1:])}],
        }
        reader = (Settings(), Settings(smart=False, emphasis=""))[data[0] >> 7 if data else 0]
        text = json.dumps(document)
        once = rewrite(text, reader)
        for href in _hrefs(json.loads(once.text)["blocks"]) - _hrefs(document["blocks"]):
            assert href.startswith(PROXY), href
        assert once.dois or once.text == text, "changed though nothing was found"
        twice = rewrite(once.text, reader)
        # A link ends what stands before it, the second time: a URL, or a shortDOI that it is glued to.
        glued = "://" in _lenient(data) or "10/" in _lenient(data)
        if options.display != "source" and not glued:
            assert json.loads(twice.text) == json.loads(once.text), "twice is not once"

    return fuzz_pandoc


def _hrefs(node: object) -> set[str]:
    if isinstance(node, list):
        return set().union(*map(_hrefs, node))
    if not isinstance(node, dict):
        return set()
    content = node.get("c")
    own = {content[2][0]} if node.get("t") == "Link" and isinstance(content, list) else set()
    return own | _hrefs(content)


def fuzz_text(data: bytes) -> None:
    """Of replaced pieces each character is found again in the source."""
    text = _lenient(data)
    pieces = [
        (at, at + 1, "xy"[: ord(sign) % 3])
        for at, sign in enumerate(text)
        if sign in string.punctuation
    ]
    decoded = SourceText.of(text, pieces)
    places = [decoded.span(at, at + 1) for at in range(len(decoded.text))]
    assert places == sorted(places)
    for (start, end), character in zip(places, decoded.text, strict=True):
        assert end == start + 1
        assert text[start] == character or text[start] in string.punctuation


_MADE: Final = {
    "markdown_it": _markdown_it, "markdown": _python_markdown, "mkdocs": _mkdocs, "docutils": _docutils,
    "myst": _myst, "record": _record, "lockfile": _lockfile, "sources": _sources, "pages": _pages,
    "pandoc": _pandoc,
}  # fmt: skip


# Each gives its target when called, so that only the hosts that are fuzzed are imported.
TARGETS: Final[dict[str, Callable[[], Target]]] = {
    "scan": lambda: fuzz_scan,
    "parse": lambda: fuzz_parse,
    "options": lambda: fuzz_options,
    "text": lambda: fuzz_text,
    **_MADE,
}
