"""Every entry point that takes a text, and what its host does without doilinks."""

from __future__ import annotations

import atexit
import contextlib
import functools
import itertools
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from doilinks import DOI, Found, InvalidDOI, scan
from doilinks.core.begin import is_label
from doilinks.core.doi import decode, link_form, tail_form, uri_form
from doilinks.core.link import after_label, is_web_url, link_match, link_to, relink
from doilinks.core.options import Options
from doilinks.core.remarks import remarks, remarks_of
from doilinks.core.scan import may_contain_doi

from .inputs import NAME

OPTIONS = Options()
WITH_PUBLISHERS = Options(publisher_urls="link")


class Entry(NamedTuple):
    """An entry point.

    :ivar run: what is measured
    :ivar alone: the host without doilinks, or None
    :ivar largest: the size to go to without ``--table``
    """

    run: Callable[[str], object]
    alone: Callable[[str], object] | None = None
    largest: int = 100_000


def _folder() -> Path:
    """A folder that goes with this process, though not with those that are forked from it."""
    name = tempfile.mkdtemp(prefix="doilinks-")
    atexit.register(shutil.rmtree, name, ignore_errors=True)
    return Path(name)


def _scan(text: str) -> None:
    for match in scan(text):
        match.doi.url


def _scan_for_arxiv(text: str) -> None:
    for match in scan(text, arxiv=True):
        link_match(match, OPTIONS, text)


def _link_match(text: str) -> None:
    for match in scan(text):
        if link_match(match, OPTIONS, text):
            remarks_of(match, text)


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
    relink("https://onlinelibrary.wiley.com/doi/" + text, text, WITH_PUBLISHERS)
    for call in (decode, uri_form, link_form, tail_form, is_label, is_web_url):
        call(text)
    after_label(link_to(DOI("10.1000/182"), OPTIONS), OPTIONS, text)


def core() -> Iterator[tuple[str, Entry]]:
    """The core: nothing but text."""
    yield "scan", Entry(_scan)
    yield "scan for arXiv", Entry(_scan_for_arxiv)
    yield "may_contain_doi", Entry(may_contain_doi)
    yield "link_match, remarks", Entry(_link_match)
    yield "DOI", Entry(_name)
    yield "DOI.parse", Entry(functools.partial(_try, DOI.parse))
    yield "relink", Entry(lambda text: relink("doi:" + text, text, OPTIONS))
    yield "relink, a URL", Entry(lambda text: relink("https://doi.org/" + text, "a", OPTIONS))
    yield "decode", Entry(decode)
    yield "uri_form", Entry(uri_form)
    yield "link_form", Entry(link_form)
    yield "tail_form", Entry(tail_form)
    yield "all but scan", Entry(_all_but_scan)


def check() -> Iterator[tuple[str, Entry]]:
    """What is read of others when names are checked."""
    from doilinks.ask.names.api import read_record
    from doilinks.ask.names.checker import near_misses
    from doilinks.ask.works.check import compared as with_work
    from doilinks.ask.works.find import question_of
    from doilinks.lock.lockfile import InvalidLockfile, Lockfile
    from doilinks.record.fitting import fitting
    from doilinks.record.same_name import two_works
    from doilinks.works import Work

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

    folder = _folder()
    path = folder / "lock.json"

    def read_lockfile(text: str) -> object:
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

    def written_lockfile(text: str) -> object:
        """Every name of a text is learnt, then all of them are found and half are lost again."""
        path.unlink(missing_ok=True)
        for day, lost in ((20, False), (21, True)):
            file = Lockfile(path, 0, date(2026, 11, day))
            for number, match in enumerate(scan(text)):
                if lost and number % 2:
                    file.forget(match.doi)
                else:
                    file.learn(match.doi, match.doi)
                file.alias(match.doi)
            file.renew()
            file.save()
        return None

    def compared(text: str) -> object:
        """All names of a text, each in two blocks."""
        blocks = (text, f"{text} ")
        return list(
            two_works(Found(match.doi, around=block) for match in scan(text) for block in blocks)
        )

    work = Work.of({"title": "A handbook of names", "author": [{"family": "Paskin"}]})

    def with_works(text: str) -> object:
        """All names of a text as one block, each with people and a title."""
        whole = text.replace("10.1000/", "Wiles, A. (1995). Elliptic curves and forms. 10.1000/")
        places: dict[DOI, list[Found]] = {}
        for match in scan(text):
            places.setdefault(match.doi, []).append(Found(match.doi, around=whole))
        sent = [question_of(whole, doi) for doi in places]
        return (
            sent,
            fitting(whole, [(DOI(NAME + "a"), work)]),
            list(with_work(places, dict.fromkeys(places, work), {})),
        )

    yield "near misses", Entry(near)
    yield "two works", Entry(compared)
    yield "compared with works", Entry(with_works)
    yield "API answer", Entry(answer)
    yield "lock file, read", Entry(read_lockfile)
    yield "lock file, written", Entry(written_lockfile)


def sources() -> Iterator[tuple[str, Entry]]:
    """The readers of ``doilinks scan``."""
    import yaml
    from docutils.parsers.rst import Parser
    from docutils.utils import new_document
    from markdown_it import MarkdownIt
    from mdit_py_plugins.colon_fence import colon_fence_plugin
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.myst_role import myst_role_plugin

    from doilinks.ask.names.ignore import IgnoreComments
    from doilinks.ask.names.problems import ExtraCheck
    from doilinks.sources import TYPES, CannotRead, comments, read
    from doilinks.sources import rest as rest_source
    from doilinks.sources.references import references
    from doilinks.sources.rest import accept_everything

    def reader(kind: str) -> Callable[[str], object]:
        def run(text: str) -> object:
            try:
                return [each.block for each in read(text, kind, OPTIONS, blocks=True)]
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
        with accept_everything():
            document = new_document("", rest_source._settings().copy())
            Parser().parse(text, document)
        return document

    doi = DOI(NAME + "a")
    marks = (
        "<!-- doilinks: ignore -->",
        ".. doilinks: ignore",
        "# doilinks: ignore",
        "% doilinks: ignore",
        "// doilinks: ignore",
    )

    def commented(text: str) -> object:
        """A text with a comment in each line and each third word, as a source of every type."""
        words = itertools.cycle([" ", " ", *(f" {mark}\n" for mark in marks)])
        full = "".join(word + next(words) for word in text.split(" "))
        full = full.replace("\n", f" {marks[0]}\n")
        for kind in (name for name, row in TYPES.items() if row.comments and not row.lexer):
            given = notebook(full) if kind == "ipynb" else full
            found = list(comments(given, kind))
            silenced = IgnoreComments(found)
            for line in range(1, given.count("\n") + 2):
                silenced.takes(Found(doi, line=line, column=1))
            list(silenced.problems({}, {}, ExtraCheck()))
        return None

    yield "comments for the check", Entry(commented)

    def listed(text: str) -> object:
        """A text as it is, below a heading of references, and in a section of R."""
        texts = [(kind, text) for kind in ("md", "rst", "txt", "tex", "rd", "bib")]
        texts += [(kind, f"References\n==========\n\n{text}") for kind in ("md", "rst", "txt")]
        texts.append(("rd", f"\\references{{{text}}}"))
        return [references(each, kind, OPTIONS, names=[]) for kind, each in texts]

    yield "references", Entry(listed)
    yield "source txt", Entry(reader("txt"))
    yield "source bib", Entry(reader("bib"))
    yield "source tex", Entry(reader("tex"))
    yield "source adoc", Entry(reader("adoc"))
    yield "source typ", Entry(reader("typ"))
    yield "source rd", Entry(reader("rd"))
    yield "source dcf", Entry(reader("dcf"))

    def of_r(text: str) -> object:
        """A text as a program, as a comment of roxygen2, and as strings of what to cite."""
        comment = "#' " + text.replace("\n", "\n#' ")
        strings = "".join(f"c({json.dumps(each)}, doi = 'a')" for each in text.split(" "))
        return [reader("r")(each) for each in (text, comment, f"bibentry({strings}")]

    yield "source r", Entry(of_r)
    yield "source citation", Entry(lambda text: reader("citation")(f"citHeader({text}"))
    yield "source html", Entry(reader("html"))
    yield "source xhtml", Entry(reader("xhtml"))

    # A docstring without markup is read without docutils. What docutils alone takes for an empty text
    # is therefore added to each reading: it would be subtracted from nothing.
    def program(text: str) -> object:
        """A text as a program, and as a docstring and a comment."""
        quoted = text.replace('"""', "'''").rstrip("\\")
        lines = text.replace("\n", "\n# ")
        for given in (text, f'# {lines}\na = 1\n"""{quoted}\n"""'):
            reader("py")(given)
        return rst_alone("")

    def fields(text: str) -> tuple[str, ...]:
        """A text as a citation file, as a value in it, as many fields, and as one that is repeated."""
        value = json.dumps(text)
        many = "".join(f"{line}: {{doi: 10.1000/a}}\n" for line in text.split("\n"))
        again = f"abstract: &a {value}\na:\n" + "- {abstract: *a}\n" * (len(text) // 20)
        return text, f"doi: {value}\nabstract: {value}\n", many, again

    def yaml_alone(text: str) -> object:
        for given in fields(text):
            with contextlib.suppress(yaml.YAMLError, RecursionError):
                yaml.compose(given, Loader=yaml.SafeLoader)
        return None

    yield "source py", Entry(program, rst_alone, 20_000)
    yield (
        "source cff",
        Entry(lambda text: list(map(reader("cff"), fields(text))), yaml_alone, 20_000),
    )

    def metadata(text: str) -> object:
        """A text as a file, as the values of fields, and as the key of many."""
        names = ("doi", "identifier", "notes", "description")
        values = json.dumps({name: [text, f"{text}</p>"] for name in names})
        many = json.dumps({"a": [{"identifier": each} for each in text.split(" ")]})
        return [reader("json")(each) for each in (text, values, many)]

    yield "source json", Entry(metadata)

    yield "source md", Entry(reader("md"), md.parse, 20_000)
    yield "source ipynb", Entry(lambda text: reader("ipynb")(notebook(text)), md.parse, 20_000)
    yield "source rst", Entry(reader("rst"), rst_alone, 20_000)
    yield "blocks of rst", Entry(functools.partial(rest_source.relevant, options=OPTIONS))


def fixes() -> Iterator[tuple[str, Entry]]:
    """What ``doilinks fix`` does with a text: in each name, there is something to mend."""
    from doilinks.sources import CannotRead, read
    from doilinks.tools.fix import Original, chosen, mend, unified

    wanted = chosen([], [], asks=False)

    def worse(text: str) -> str:
        return text.replace("10.1000/", "http://dx.doi.org/10.1000/")

    def fix(kind: str) -> Callable[[str], object]:
        def run(text: str) -> object:
            try:
                original = Original(worse(text).encode("utf-8", "replace"), kind)
                mended = mend(original, kind, OPTIONS, wanted)
            except CannotRead:  # a file with a null is no text
                return None
            return list(unified(original.lines(), Original(mended.octets, kind).lines(), "a"))

        return run

    def alone(kind: str) -> Callable[[str], object]:
        def run(text: str) -> object:
            with contextlib.suppress(CannotRead):
                list(read(worse(text), kind, OPTIONS))
            return None

        return run

    for kind in ("txt", "html", "bib", "tex", "md", "rst"):
        yield f"fix {kind}", Entry(fix(kind), alone(kind), 20_000)


def pages() -> Iterator[tuple[str, Entry]]:
    """What ``doilinks html`` does with a page: a text, its words as names, in links, after labels."""
    from doilinks.tools.pages import link_page

    def link(text: str) -> object:
        words = text.split(" ")
        links = "".join(f'DOI: <a href="doi:10.1000/{each}">10.1000/{each}</a>' for each in words)
        cells = "".join(f"<b>DOI:</b> 10.1000/{each} <td>" for each in words)
        found = [link_page(each, OPTIONS) for each in (text, links, cells, f"<script>{text}")]
        return [*found, link_page(f"<p>{text}", OPTIONS, xml=True)]

    def in_place(text: str) -> object:
        """A page is read, changed, and read again."""
        parts, at = [], 0
        for start, end, new in link_page(text, OPTIONS).edits:
            parts += [text[at:start], new]
            at = end
        return link_page("".join([*parts, text[at:]]), OPTIONS)

    yield "pages of HTML", Entry(link)
    yield "a page of HTML, in place", Entry(in_place)


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

    settings = {
        "report_level": 5,
        "halt_level": 6,
        "file_insertion_enabled": False,
        "line_length_limit": 10**9,  # docutils reads nothing of a text with a longer line
    }
    yield (
        "docutils Parser",
        Entry(
            lambda text: publish_doctree(text, parser=Parser(), settings_overrides=settings),
            lambda text: publish_doctree(text, parser=PlainParser(), settings_overrides=settings),
            20_000,
        ),
    )


def sites() -> Iterator[tuple[str, Entry]]:
    """The MkDocs plug-in's own work on a page, beside that of the Markdown extension."""
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page

    from doilinks.mkdocs import DoiPlugin

    config, files, plugin = MkDocsConfig(), Files([]), DoiPlugin()
    config.validate()
    plugin.load_config({})
    plugin.on_config(config)

    def page(text: str) -> object:
        file = File("index.md", config.docs_dir, config.site_dir, use_directory_urls=False)
        file.content_string = text
        of = Page(None, file, config)
        plugin.on_page_markdown(text, page=of, config=config, files=files)
        plugin.extension.heard += [(Found(match.doi), "") for match in scan(text)]
        plugin.on_page_content("", page=of, config=config, files=files)
        return list(plugin.dois["index.md"])

    yield "MkDocs", Entry(page)


def builds() -> Iterator[tuple[str, Entry]]:
    """A project of one page, read by Sphinx; too long a start to be counted in instructions."""
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace

    folder = _folder()
    (folder / "conf.py").touch()
    (folder / "docutils.conf").write_text("[general]\nline_length_limit: 1000000000\n")
    catalogues = itertools.count()
    typography = {"myst_enable_extensions": ["replacements", "smartquotes"]}
    ours = {"doi_display": "name"}

    def translation(text: str) -> dict[str, object]:
        catalogue = Catalog(locale="de")
        for block in filter(None, map(str.strip, text.split("\n\n"))):
            catalogue.add(block, f"Deutsch: {block}")
        place = (
            f"locale{next(catalogues)}"  # another each time, since Python keeps what it has read
        )
        (folder / place / "de/LC_MESSAGES").mkdir(parents=True, exist_ok=True)
        with (folder / place / "de/LC_MESSAGES/index.mo").open("wb") as file:
            write_mo(file, catalogue)
        return {"language": "de", "locale_dirs": [place]}

    def build(
        suffix: str, *extensions: str, translate: bool = False, **settings: object
    ) -> Callable[[str], object]:
        def run(text: str) -> object:
            more = translation(text) if translate else {}
            for other in folder.glob("index.*"):
                other.unlink()
            (folder / f"index{suffix}").write_text(text, encoding="utf-8", errors="replace")
            with docutils_namespace():
                Sphinx(
                    folder, folder, folder / "out", folder / "trees", "dummy",
                    {"extensions": list(extensions), **settings, **more},
                    status=None, warning=None, freshenv=True,
                ).build()  # fmt: skip

        return run

    yield "Sphinx, reStructuredText", Entry(build(".rst", "doilinks.sphinx"), build(".rst"), 20_000)
    yield (
        "Sphinx, MyST",
        Entry(build(".md", "myst_parser", "doilinks.sphinx"), build(".md", "myst_parser"), 20_000),
    )
    yield (
        "Sphinx, reStructuredText, translated, with remarks",
        Entry(
            build(".rst", "doilinks.sphinx", translate=True, **ours),
            build(".rst", translate=True),
            20_000,
        ),
    )
    yield (
        "Sphinx, MyST, typography, with remarks",
        Entry(
            build(".md", "myst_parser", "doilinks.sphinx", **typography, **ours),
            build(".md", "myst_parser", **typography),
            20_000,
        ),
    )


def trees() -> Iterator[tuple[str, Entry]]:
    """Transforms on trees that a parser has made; Sphinx's are the docutils ones."""
    from docutils import nodes

    from doilinks.hosts.docutils.walk import Linker
    from doilinks.hosts.pandoc.text import Settings
    from doilinks.pandoc import rewrite

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
            Linker(OPTIONS).link(section)
        return None

    def pandoc(text: str) -> object:
        return rewrite(document(text), Settings())

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
        blocks = [{"t": "Para", "c": inlines}, {"t": "Para", "c": mixed}, table(text)]
        return json.dumps({"pandoc-api-version": [1, 23, 1], "meta": {}, "blocks": blocks})

    def table(text: str) -> dict[str, object]:
        """A table of one cell in each row, which spans many columns."""
        none, plain = ["", [], []], {"t": "AlignDefault"}
        cells = ([{"t": "Plain", "c": [{"t": "Str", "c": word}]}] for word in text.split(" "))
        rows = [[none, [[none, plain, 1, len(text), cell]]] for cell in cells]
        parts = [[none, []], [[none, 0, [], rows]], [none, []]]
        return {"t": "Table", "c": [none, [None, []], [], *parts]}

    yield "docutils and Sphinx trees", Entry(linked, lambda text: (tree(text), text), 100_000)
    yield "pandoc rewrite", Entry(pandoc, document)

    def mystmd(text: str) -> object:
        """A text as one text, as a text and a link for each word, and as names after labels."""
        from doilinks.hosts.mystmd import link_dois

        words = text.split(" ")
        kinds = itertools.cycle(["text", "link", "strong", "text", "emphasis"])
        mixed: list[dict[str, object]] = []
        for word, kind in zip(words, kinds, strict=False):
            if kind == "text":
                mixed.append({"type": "text", "value": f"{word} DOI: "})
                continue
            inside = [{"type": "text", "value": word}]
            mixed.append({"type": kind, "url": f"https://doi.org/{word}", "children": inside})
        whole: list[dict[str, object]] = [{"type": "text", "value": text}]
        for each in (whole, mixed):
            link_dois({"type": "paragraph", "children": each}, OPTIONS)
        return None

    yield "mystmd tree", Entry(mystmd)


def entries() -> Iterator[tuple[str, Entry]]:
    """Every entry point by name; what it needs is imported when its turn comes."""
    for group in (core, check, sources, fixes, pages, hosts, sites, trees, builds):
        yield from group()
