"""One way to run each host: texts and options of doilinks in, and out what the host made of them.

A host is an object with the settings of its own; called with texts by name, it gives a :class:`Made`::

    made = MarkdownIt("gfm-like")({"page": "See doi:10.1000/182."}, {"display": "name"})
    made.pages["page"]      # the HTML
    made.asked["page"]      # the names that its check would ask for

Options are names of doilinks' options with their values as strings; None means without doilinks.
``times`` is how often doilinks is there: 0 is without it too, 2 is by mistake.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar

import pypandoc
from jinja2.bccache import Bucket, BytecodeCache

from doilinks import DOI, scan

from .modules import ROOT, quick, run_module
from .programs import succeeded
from .quarto import lua_filter

Texts = Mapping[str, str]
Options = Mapping[str, str]
Change = Callable[[str], str]
FILTER = Path(sys.executable).with_name("pandoc-doilinks")

# A paragraph between texts of one page; a line that means the same wherever it stands.
_END = "endofadocumentofitsown"
_LINE = re.compile(r"[*-]* ?\w(?:[^\[\]|`{}_\n]|_(?=\w))*")


# A theme of Sphinx, and the settings with which a project uses it: nothing of a page but its text, since to fill in the
# templates of a real one takes a third of a build.
BARE_THEME = {
    "bare/theme.conf": "[theme]\ninherit = none\n", "bare/search.html": "",
    "bare/page.html": '<div class="body" role="main">{{ body }}<div class="clearer"></div></div>',
}  # fmt: skip
BARE = {"html_theme": "bare", "html_theme_path": ["."], "html_use_index": False}


@dataclass
class Made:
    """What a host made.

    :ivar pages: by the name of the text; one that the host could not make is not there
    :ivar asked: the names that it lists for its check, by the name of the text, if it has any
    :ivar log: what it said
    :ivar code: how it ended
    """

    pages: dict[str, str] = field(default_factory=dict)
    asked: dict[str, set[DOI]] = field(default_factory=dict)
    log: str = ""
    code: int = 0

    def ask(self, page: str, found: Any) -> None:
        """Add what a host has found."""
        if found:
            self.asked.setdefault(page, set()).update(each.doi for each in found)


def numbered(sources: Sequence[str]) -> dict[str, str]:
    """Texts that have names because a host needs them."""
    return {f"page{number:05}": text for number, text in enumerate(sources)}


class Host:
    """What each host can do beside being called.

    :cvar SHARED: how many sentences share a page where a page takes its time
    """

    SHARED: ClassVar[int] = 1

    def __call__(self, texts: Texts, options: Options | None, times: int = 1) -> Made:
        raise NotImplementedError

    def pages(self, sources: Sequence[str], options: Options | None) -> list[str]:
        """The page of each source, of all at once."""
        texts = numbered(sources)
        made = self(texts, options)
        assert made.code == 0, made.log[-3000:]
        return [made.pages[name] for name in texts]

    def sentences(self, sources: Sequence[str], options: Options | None) -> list[str]:
        """What becomes of each source; those whose markup ends with their line share pages."""
        shares = self.SHARED > 1
        plain = [at for at, source in enumerate(sources) if shares and _LINE.fullmatch(source)]
        groups = [[at] for at in range(len(sources)) if at not in {*plain}]
        groups += [plain[at : at + self.SHARED] for at in range(0, len(plain), self.SHARED)]
        texts = [f"\n\n{_END}\n\n".join(sources[at] for at in group) for group in groups]
        found: dict[int, str] = {}
        for group, page in zip(groups, self.pages(texts, options), strict=True):
            found |= dict(zip(group, page.split(f"<p>{_END}</p>"), strict=True))
        return [found[at] for at in range(len(sources))]


@dataclass(frozen=True)
class Core(Host):
    """The core alone, with the text around its links escaped."""

    def __call__(self, texts: Texts, options: Options | None, times: int = 1) -> Made:
        from doilinks.core.link import link_match
        from doilinks.core.options import Options as Read

        given, made = Read.read(options or {}), Made()
        for name, text in texts.items():
            html, at = "", 0
            for match in scan(text, given.arxiv):
                if link := link_match(match, given, text):
                    html += f'{escape(text[at : match.start])}<a href="{escape(link.href)}">{escape(link.text)}</a>'
                    at = match.end
            made.pages[name] = html + escape(text[at:])
        return made


@dataclass(frozen=True)
class Html(Host):
    """``doilinks html`` on pages that another host has made.

    :ivar builder: that host, which runs without doilinks; None for the text alone, escaped
    """

    builder: Host | None = None

    def __call__(self, texts: Texts, options: Options | None, times: int = 1) -> Made:
        from doilinks.core.options import Options as Read
        from doilinks.sources.html import read
        from doilinks.tools.pages import link_page

        if self.builder:
            made = self.builder(texts, None)
        else:
            made = Made({name: f"<p>{escape(text)}</p>" for name, text in texts.items()})
        if options is None:
            return made
        given = Read.read(options)
        for name in list(made.pages):
            made.ask(name, read(made.pages[name], given))
            for _ in range(times):
                page = made.pages[name]
                made.pages[name] = replaced(page, link_page(page, given).edits)
        return made


def replaced(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """A text after edits."""
    parts, at = [], 0
    for start, end, new in edits:
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


@dataclass(frozen=True)
class Docutils(Host):
    """docutils with its writer of HTML 5.

    :ivar parts: of its writer
    """

    parts: Sequence[str] = ("body",)
    taken: Change = str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, texts: Texts, options: Options | None, times: int = 1) -> Made:
        from docutils.core import Publisher, publish_string
        from docutils.parsers.rst import Parser as Plain
        from docutils.readers.standalone import Reader
        from docutils.writers.html5_polyglot import Writer

        from doilinks.docutils import DoiLinks, Parser

        class Twice(Parser):
            def get_transforms(self) -> list[Any]:
                return [*super().get_transforms(), DoiLinks]

        times = 0 if options is None else times
        given = {"report_level": 5, "halt_level": 5, "embed_stylesheet": False, "stylesheet_path": "",
                 "output_encoding": "unicode", "_disable_config": True, "warning_stream": False,
                 **self.settings}  # fmt: skip
        if times:
            given |= {f"doi_{name}": value for name, value in (options or {}).items()}
        made, kind = Made(), (Plain, Parser, Twice)[times]
        asking = Publisher(Reader(), kind(), Writer())
        asking.process_programmatic_settings(None, given, None)  # takes longer than most texts
        for name, text in texts.items():
            writer, settings = Writer(), asking.settings.copy()
            publish_string(text, parser=kind(), writer=writer, settings=settings)
            made.pages[name] = self.taken("".join(writer.parts[part] for part in self.parts))
            made.ask(name, getattr(writer.document, "dois", ()))
        return made


@dataclass(frozen=True)
class MarkdownIt(Host):
    """markdown-it-py.

    :ivar plugins: in the order in which they are used, before doilinks
    :ivar enable: rules
    """

    preset: str = "commonmark"
    plugins: Sequence[Callable[..., None]] = ()
    enable: Sequence[str] = ("table",)
    settings: tuple[tuple[str, Any], ...] = ()

    def __call__(self, texts: Texts, options: Options | None, times: int = 1) -> Made:
        times = 0 if options is None else times
        md, made = _markdown_it(self, tuple(sorted((options or {}).items())), times), Made()
        for name, text in texts.items():
            env: dict[str, Any] = {}
            made.pages[name] = md.render(text, env)
            made.ask(name, env.get("dois"))
        return made


@lru_cache
def _markdown_it(host: MarkdownIt, options: tuple[tuple[str, str], ...], times: int) -> Any:
    from markdown_it import MarkdownIt as Md

    from doilinks.markdown_it import doi_plugin

    md = Md(host.preset, dict(host.settings)).enable(list(host.enable))
    for plugin in host.plugins:
        md.use(plugin)
    for _ in range(times):
        md.use(doi_plugin, **dict(options))
    return md


@dataclass(frozen=True)
class Markdown(Host):
    """Python-Markdown.

    :ivar toc: a page ends with its table of contents
    """

    extensions: Sequence[str] = ()
    configs: tuple[tuple[str, Any], ...] = ()
    toc: bool = False

    def __call__(self, texts: Texts, options: Options | None, times: int = 1) -> Made:
        times = 0 if options is None else times
        md, made = _markdown(self, tuple(sorted((options or {}).items())), times), Made()
        for name, text in texts.items():
            html = md.reset().convert(text)
            made.pages[name] = html + str(getattr(md, "toc", "")) * self.toc
            made.ask(name, getattr(md, "dois", ()))
        return made


@lru_cache
def _markdown(host: Markdown, options: tuple[tuple[str, str], ...], times: int) -> Any:
    from markdown import Markdown as Md

    configs = {**dict(host.configs), "doilinks": dict(options)}
    names = [*host.extensions, *["doilinks"] * times]
    return Md(extensions=names, extension_configs=configs)


# Writes what the plug-in has found when the site is built.
_ASKED = """
import json, pathlib

def on_post_build(config):
    dois = config.plugins["doilinks"].dois
    found = {page: [each.doi.name for each in found] for page, found in dois.items()}
    pathlib.Path(config.config_file_path).with_name("asked.json").write_text(json.dumps(found))
"""


@dataclass(frozen=True)
class MkDocs(Host):
    """A site of MkDocs, built by its command.

    :ivar config: more of ``mkdocs.yml``; of the plug-ins, ``doilinks`` gets its options
    :ivar template: of a page
    :ivar ask: whether the names for the check are wanted
    :ivar given, taken: what is done with each text before, and with each page
    """

    config: Mapping[str, Any] = field(default_factory=dict)
    template: str = "{{ page.content }}"
    ask: bool = False
    given: Change = str
    taken: Change = str
    SHARED: ClassVar[int] = 50

    def write(self, folder: Path, texts: Texts, options: Options | None, times: int = 1) -> None:
        """Write the sources of a site."""
        times = 0 if options is None else times
        ours = [{"doilinks": dict(options or {})}] * bool(times)
        config: dict[str, Any] = {"site_name": "Site", "use_directory_urls": False,
                                  "theme": {"name": None, "custom_dir": "theme"}, **self.config}  # fmt: skip
        plugins = config.get("plugins", ["doilinks"])
        config["plugins"] = [
            use for each in plugins for use in (ours if each == "doilinks" else [each])
        ]
        if times == 2:  # many list the Markdown extension beside the plug-in
            config["markdown_extensions"] = [*config.get("markdown_extensions", ()), "doilinks"]
        if self.ask:
            config["hooks"] = ["asked.py"]
            _write(folder / "asked.py", _ASKED)
        _write(folder / "mkdocs.yml", json.dumps(config))
        _write(folder / "theme" / "main.html", self.template)
        _write(folder / "theme" / "404.html", "")
        for name, text in texts.items():
            _write(folder / "docs" / _file(name, ".md"), self.given(text))

    def __call__(self, texts: Texts, options: Options | None, times: int = 1) -> Made:
        with _folder() as folder:
            self.write(folder, texts, options, times)
            done = run_module("mkdocs", "build", "-q", cwd=folder)
            made = Made(log=done.stderr + done.stdout, code=done.returncode)
            for name in texts:
                file = folder / "site" / Path(_file(name, ".md")).with_suffix(".html")
                if file.exists():
                    made.pages[name] = self.taken(file.read_text(encoding="utf-8"))
            if self.ask:
                listed = json.loads((folder / "asked.json").read_text(encoding="utf-8"))
                made.asked = {page: set(map(DOI, names)) for page, names in listed.items()}
            return made


@dataclass(frozen=True)
class Sphinx(Host):
    """A project of Sphinx with a page for each text, the first of which is its root unless ``conf`` has one.

    :ivar extensions: doilinks is the first unless it has a place here
    :ivar conf: of ``conf.py``
    :ivar files: others that stand beside the pages
    :ivar given, taken: what is done with each text before, and with each page
    """

    suffix: str = ".rst"
    extensions: Sequence[str] = ()
    conf: str = ""
    builder: str = "html"
    files: Mapping[str, str] = field(default_factory=dict)
    given: Change = str
    taken: Change = str
    SHARED: ClassVar[int] = 50

    def write(self, folder: Path, texts: Texts, times: int = 1) -> Path:
        """Write the sources of a project; returns its folder."""
        placed = "doilinks.sphinx" in self.extensions
        used = [*["doilinks.sphinx"] * (not placed), *self.extensions]
        used = [each for each in used if times or each != "doilinks.sphinx"]
        names = [Path(_file(name, self.suffix)).with_suffix("").as_posix() for name in texts]
        documents = [(name, f"{name}.tex", "Title", "Author", "howto") for name in names]
        conf = (
            f"extensions = {used!r}\nroot_doc = {names[0]!r}\nlatex_documents = {documents!r}\n"
            f"html_copy_source = False\nsuppress_warnings = ['toc']\n{self.conf}\n"
        )
        _write(folder / "conf.py", conf + _TWICE * (times == 2))
        for name, text in self.files.items():
            _write(folder / name, text)
        for name, text in texts.items():
            _write(folder / _file(name, self.suffix), self.given(text))
        return folder

    def __call__(self, texts: Texts, options: Options | None, times: int = 1) -> Made:
        times = 0 if options is None else times
        overrides = {f"doi_{name}": value for name, value in (options or {}).items()}
        with _folder() as folder:
            source, out, said = folder / "source", folder / "out", StringIO()
            self.write(source, texts, times)
            app = build(source, out, self.builder, overrides if times else {}, warning=said)
            ending = {"latex": "tex", "epub": "xhtml", "json": "fjson"}.get(self.builder, "html")
            made = Made(log=said.getvalue(), code=app.statuscode)
            for name in texts:
                file = out / Path(_file(name, self.suffix)).with_suffix(f".{ending}")
                if file.exists():
                    page = file.read_text(encoding="utf-8").replace(str(folder), "FOLDER")
                    made.pages[name] = self.taken(page)
            if times:
                from doilinks.hosts.sphinx.project import dois_of

                for page, found in dois_of(app.env).items():
                    made.ask(page, found)
            return made


_TWICE = """
def setup(app):
    from doilinks.hosts.sphinx.entry import SphinxDoiLinks
    app.add_transform(SphinxDoiLinks)
"""


@dataclass(frozen=True)
class Pandoc(Host):
    """The real pandoc with the filter.

    :ivar together: of how many texts a run is
    :ivar quarto: whether the filter is run as Quarto does, which is not installed
    """

    reader: str = "markdown"
    writer: str = "html"
    together: int = 10_000
    given: Change = str
    quarto: bool = False

    def __call__(self, texts: Texts, options: Options | None, times: int = 1) -> Made:
        made, names = Made(), list(texts)
        for at in range(0, len(names), self.together):
            part = names[at : at + self.together]
            pages = self._run([self.given(texts[name]) for name in part], options, times)
            made.pages |= dict(zip(part, pages, strict=True))
        return made

    def _run(self, sources: Sequence[str], options: Options | None, times: int) -> list[str]:
        flags, env = _metadata(options or {})
        with tempfile.TemporaryDirectory() as name:
            folder, files = Path(name), []
            _write(folder / "end.md", f"{_END}\n")
            linked = options is not None and times > 0
            if linked and self.quarto:
                flags.append(f"--lua-filter={lua_filter(folder / 'quarto.lua')}")
                env["PATH"] = f"{FILTER.parent}{os.pathsep}{os.environ['PATH']}"
            for number, source in enumerate(sources):
                # Pandoc takes the path of a file into the names of its headings.
                _write(folder / f"{number}.md", f"{source}\n")
                files += [f"{number}.md", "end.md"]
            output = pandoc(
                *("-f", self.reader, "-t", self.writer, "--file-scope"),
                *("--reference-location=block", *flags, *files),
                doilinks=linked and not self.quarto, cwd=folder, env=env,
            ).stdout.decode()  # fmt: skip
        pages = output.split(f"<p>{_END}</p>" if self.writer == "html" else _END)
        assert len(pages) == len(sources) + 1, (len(pages), len(sources))
        return pages[:-1]


@dataclass(frozen=True)
class Filter(Host):
    """The filter in this process, on what the real pandoc has read.

    :ivar writer: what the real pandoc writes of it; without one, the page is a document in JSON
    :ivar more: arguments for its reader
    """

    reader: str = "markdown"
    writer: str = ""
    more: tuple[str, ...] = ()

    def __call__(self, texts: Texts, options: Options | None, times: int = 1) -> Made:
        from doilinks.hosts.pandoc.text import Settings
        from doilinks.pandoc import rewrite

        flags, made = _metadata(options or {})[0], Made()
        seen = Settings.of({"PANDOC_READER_OPTIONS": _reader_options(self.reader)})
        for name, text in texts.items():
            page = _as_json(text, "-f", self.reader, "-t", "json", *flags, *self.more)
            for _ in range(0 if options is None else times):
                document = rewrite(page, seen, self.writer)
                page = document.text
                made.ask(name, document.dois)
            made.pages[name] = _written(page, self.writer) if self.writer else page
        return made


def _metadata(options: Options) -> tuple[list[str], dict[str, str]]:
    """Options as metadata of a document; an expression is the reader's, never the document's."""
    flags = [f"--metadata=doi-{name.replace('_', '-')}={value}"
             for name, value in options.items() if name != "ignore"]  # fmt: skip
    return flags, {"DOILINKS_IGNORE": options["ignore"]} if "ignore" in options else {}


@lru_cache(maxsize=4096)
def _as_json(text: str, *arguments: str) -> str:
    return pandoc(*arguments, given=text, doilinks=False).stdout.decode()


@lru_cache(maxsize=64)
def _written(document: str, writer: str) -> str:
    return pandoc("-f", "json", "-t", writer, given=document, doilinks=False).stdout.decode()


@lru_cache
def _reader_options(reader: str) -> str:
    """What pandoc tells a filter of its reader."""
    with tempfile.TemporaryDirectory() as folder:
        said, program = Path(folder, "said"), Path(folder, "filter")
        program.write_text(f"#!/bin/sh\nprintenv PANDOC_READER_OPTIONS > '{said}'\ncat\n")
        program.chmod(0o755)
        arguments = ("-f", reader, "-t", "json", "--filter", program)
        pandoc(*arguments, given="a", doilinks=False)
        return said.read_text()


def pandoc_command(*arguments, doilinks=True):
    """Pandoc with the filter, and nothing of the caller's own settings."""
    command = [pypandoc.get_pandoc_path(), "--data-dir", os.devnull, "--wrap=preserve"]
    if doilinks:
        command += ["--filter", str(quick(FILTER))]
    return [*command, *map(str, arguments)]


def pandoc(*arguments, given="", check=True, doilinks=True, cwd=None, env=None):
    """Run pandoc, on a text if its arguments name no file."""
    done = subprocess.run(
        pandoc_command(*arguments, doilinks=doilinks),
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        timeout=120,
        check=False,
    )
    if check and done.returncode:
        raise AssertionError(done.stderr.decode())
    return done


class _Templates(BytecodeCache):
    """Templates of themes, which are compiled once, and not in each build of this process."""

    compiled: ClassVar[dict[str, bytes]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.compiled:
            bucket.bytecode_from_string(self.compiled[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.compiled[bucket.key] = bucket.bytecode_to_string()


def build(source, out, builder="html", overrides=None, jobs=0, doctreedir=None, **more):
    """Build a project as ``sphinx-build`` does; returns the application."""
    from sphinx.application import Sphinx as App
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    with patch_docutils(source), docutils_namespace():
        app = App(
            source,
            source,
            out,
            doctreedir or out / ".doctrees",
            builder,
            # Extensions add to this one in place, for every later build of the process too.
            confoverrides={"source_suffix": {".rst": "restructuredtext"}, **(overrides or {})},
            parallel=jobs,
            **{"status": None, "warning": None, **more},
        )
        if templates := getattr(app.builder, "templates", None):
            templates.environment.bytecode_cache = _Templates()
        app.build()
    return app


def body(page):
    """What stands between the bars of a page of Sphinx."""
    return body_of(page.read_text(encoding="utf-8"))


def body_of(html: str) -> str:
    return html.split('<div class="body" role="main">')[1].split(
        '<div class="clearer">', maxsplit=1
    )[0]


# Reads what it is given, and writes what it makes, in letters that every stream takes.
_APART = """import base64, pickle, sys
host, *given = pickle.loads(base64.b64decode(sys.stdin.read()))
print(base64.b64encode(pickle.dumps(host(*given))).decode())"""


def apart(host: Host, texts: Texts, options: Options | None) -> Made:
    """Run a host in a process of its own: extensions of Sphinx keep state in theirs."""
    given = base64.b64encode(pickle.dumps((host, dict(texts), options))).decode()
    done = succeeded(run_module("-c", _APART, cwd=ROOT, given=given))
    made: Made = pickle.loads(base64.b64decode(done.stdout))
    return made


@contextmanager
def _folder() -> Iterator[Path]:
    # The same place each time, since error messages name it, and headings may hold those.
    folder = Path(tempfile.gettempdir(), f"host-{os.getpid()}")
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def _file(name: str, suffix: str) -> str:
    return name if name.endswith((suffix, ".ipynb")) else name + suffix


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", errors="replace")
