"""The same DOI names in every output format of Sphinx and Pandoc: targets and text, read back.

Of each link the target, percent-decoded once, is the proxy and the name; the text shown is the URI
form, whole: no ligature, no dash for two hyphens, no curly quote, no character lost.

Debian packages that this needs: ``texlive-latex-extra`` (with what it depends on) and ``tex-gyre``
for Sphinx's and Pandoc's LaTeX with pdfTeX; also ``texlive-xetex``, ``texlive-fonts-recommended``
and ``fonts-freefont-otf`` with XeTeX. Typst comes from PyPI.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import pytest
import typst
from babel.messages.pofile import read_po
from docutils import nodes
from docutils.core import publish_doctree
from markdown_it import MarkdownIt
from pypdf import PdfReader

from doilinks import DOI

from ..tools import hosts, names
from ..tools.links import html_links
from ..tools.modules import run_module
from ..tools.programs import run, succeeded, tex, tool
from ..tools.proof import WHOLE, sample

PROXY = "https://proxy.example.org/"

# Shown raw, with ``display = "name"``: what typography and each format's markup are after.
RAW = [
    f"10.1000/{suffix}"
    for suffix in (
        "1-2--11357", "a---b", "a'b'c", 'a"b"c', "a`b``c", "a''b", "a_b_c", "a<b>c", "a::b<c>d", "a~b", "a^b",
        r"a\b", r"a\\b", r"\write18", r"\n", "a%b#c&d", "a$b$c", "a{b}c", "{}", "a@b", "a...b", "a|b", "*a*", "**",
        "a[b]c", "(c)", "fi.ffi.fl.ffl.ff", "association.fishing", "a?`b!`c", "<<a>>", "a,,b", "a,,,b", "1/2", "a=b;c:d!e?f",
        "internationalization.association.2010", "a_-1", "a-?b", "a@-1-", "bioinformaticsassociation-internationalization",
    )
]  # fmt: skip

ODD = sample("odd names in other formats", "each", names.WEIRD, one_in=12)
REAL = sample("real names in other formats", "each", names.real_names(), one_in=400)
ALL = list(dict.fromkeys([*ODD, *RAW, *REAL, *names.LONG]))
# Each line of a link in a PDF contains its target, so that to read back long names takes long.
PDF = ALL if WHOLE else [name[:1000] for name in ALL]
# Typst refuses a document with a URL of more than 8,000 characters.
TYPST = [name[:3000] for name in PDF]

DISPLAYS = pytest.mark.parametrize(
    "display", ["uri", pytest.param("legible", marks=pytest.mark.thorough), "name"]
)
UNREAD = "its output is not read back"

Links = list[tuple[str, str]]


def right(found: Links, listed: list[str], display: str = "uri") -> None:
    """Each link shows its name and leads to it, in the order of the list."""
    same([text for text, _ in found], shown(listed, display))
    same(leads(target for _, target in found), listed)


def shown(listed: list[str], display: str) -> list[str]:
    return [getattr(DOI(name), display) for name in listed]


def leads(targets) -> list[str]:
    """The names that the paths of targets say; a query and a fragment do not count."""
    return [
        unquote(urlsplit(target).path[1:]) if target.startswith(PROXY) else target
        for target in targets
    ]


def same(found: list[str], wanted: list[str]) -> None:
    """Both lists are the same; otherwise what is not, and not all the thousands that are."""
    wrong = [pair for pair in zip(found, wanted, strict=False) if pair[0] != pair[1]]
    assert not wrong[:20]
    assert len(found) == len(wanted)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def in_zip(file: Path, member: str) -> str:
    with zipfile.ZipFile(file) as archive:
        return archive.read(member).decode("utf-8")


def doi_links(html: str) -> Links:
    return [(text, href) for text, href in html_links(html) if href.startswith(PROXY)]


def beyond(log: str) -> list[str]:
    """What TeX says of lines that are longer than the paper allows, by more than a letter."""
    return [line for line in log.splitlines() if re.match(r"Overfull \\hbox \((\d{2}|[5-9])", line)]


def pdf_right(file: Path, listed: list[str], display: str = "uri") -> None:
    """A PDF has no text of a link: targets and text are compared apart."""
    pages_ = PdfReader(file).pages
    targets: list[str] = []
    for page in pages_:
        for annotation in page.get("/Annots") or ():
            uri = annotation.get_object().get("/A", {}).get("/URI")
            # A link that is broken over two lines is two annotations.
            if uri and (not targets or targets[-1] != uri):
                targets.append(uri)
    same(leads(targets), listed)
    text = "\n".join(page.extract_text() for page in pages_)
    items = [item.strip() for item in re.split(r"•\s*see", text)[1:]]
    same([squeezed(item) for item in items], shown(listed, display))
    # A program that copies text takes away a hyphen that ends a line.
    assert [item for item in items if re.search(r"-\s*\n", item)] == []


# -- Sphinx ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("sphinx")


def sphinx(
    folder: Path, listed: list[str], builder: str, before: str = "", **options: object
) -> Path:
    """The output folder of a builder, of one page in reStructuredText.

    :param before: words before each name
    :param options: more values for ``conf.py``
    """
    source, output = folder / "source", folder / builder
    source.mkdir(parents=True, exist_ok=True)
    settings = {
        "project": "Names", "copyright": "nobody", "version": "1",
        "extensions": ["doilinks.sphinx"], "doi_proxy": PROXY, **options,
    }  # fmt: skip
    _write(source / "conf.py", "".join(f"{name} = {value!r}\n" for name, value in settings.items()))
    # A reST role is no place for a backslash or a backquote; both are encoded in a URI.
    rows = "".join(f"* {before}:doi:`{DOI(name).uri}`\n" for name in listed)
    _write(source / "index.rst", f"Names\n=====\n\n{rows}")
    succeeded(
        run_module("sphinx", "-q", "-W", "-b", builder, "-d", folder / "doctrees", source, output)
    )
    return output


def _write(file: Path, text: str) -> None:
    """Write a file unless it has the text already: Sphinx reads again what is new."""
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def test_sphinx_epub(project):
    output = sphinx(project / "uri", ALL, "epub", epub_show_urls="no")
    page = in_zip(output / "Names.epub", "index.xhtml")
    assert ET.fromstring(page) is not None
    right(doi_links(page), ALL)


def test_sphinx_xml(project):
    output = sphinx(project / "uri", ALL, "xml")
    tree = ET.parse(output / "index.xml")
    assert "doi_" not in (output / "index.xml").read_text(encoding="utf-8")
    right([("".join(each.itertext()), each.get("refuri")) for each in tree.iter("reference")], ALL)


def test_sphinx_gettext(project):
    """Messages are what the author wrote: translators see the names whole."""
    output = sphinx(project / "gettext", ALL, "gettext")
    with (output / "index.pot").open("rb") as file:
        messages = [message.id for message in read_po(file) if message.id]
    assert messages == ["Names", *dict.fromkeys(f":doi:`{DOI(name).uri}`" for name in ALL)]


# Nothing on the paper but the list.
BARE_PAGES = (
    r"\fancypagestyle{normal}{\fancyhf{}\renewcommand{\headrulewidth}{0pt}}"
    r"\fancypagestyle{plain}{\fancyhf{}}"
)
# A column so narrow that TeX divides words where it may, which it does after a space only.
NARROW = r"\AtBeginDocument{\textwidth35mm\hsize35mm\columnwidth35mm\linewidth35mm}"


# What Sphinx' documents load with each engine, which may be installed without it.
FONTS = {"pdflatex": ("tgtermes.sty",), "xelatex": ("FreeSerif.otf", "polyglossia.sty")}


@pytest.mark.parametrize(
    ("engine", "display"),
    [("pdflatex", "name"), ("xelatex", "uri"), *(
        pytest.param(*each, marks=pytest.mark.thorough)
        for each in [("pdflatex", "uri"), ("pdflatex", "legible"), ("xelatex", "name"), ("xelatex", "legible")]
    )],
)  # fmt: skip
def test_sphinx_latex(project, engine, display):
    listed = RAW if display == "name" else PDF
    program = tex(engine, UNREAD, *FONTS[engine])
    output = sphinx(
        project / engine / display, listed, "latex", "see ", doi_display=display, latex_engine=engine,
        latex_elements={"preamble": BARE_PAGES + (NARROW if display == "name" else "")},
    )  # fmt: skip
    done = run(program, "-interaction=nonstopmode", "-halt-on-error", "names.tex", cwd=output)
    assert display == "name" or beyond(done.stdout) == []
    pdf_right(output / "names.pdf", listed, display)


# -- Pandoc ----------------------------------------------------------------------------------------


def pandoc(folder: Path, listed: list[str], writer: str, *arguments: str) -> Path:
    """A file in one of Pandoc's formats."""
    source, output = folder / "names.md", folder / f"names.{writer}"
    source.write_text("".join(f"- see <{DOI(name).uri}>\n" for name in listed), encoding="utf-8")
    hosts.pandoc(source, f"--to={writer}", f"--metadata=doi-proxy:{PROXY}", "--standalone",
                 "--metadata=title:Names", f"--output={output}", *arguments)  # fmt: skip
    return output


WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


@DISPLAYS
def test_pandoc_docx(tmp_path, display):
    listed = RAW if display == "name" else ALL
    file = pandoc(tmp_path, listed, "docx", f"--metadata=doi-display:{display}")
    relations = ET.fromstring(in_zip(file, "word/_rels/document.xml.rels"))
    targets = {each.get("Id"): each.get("Target") for each in relations}
    body = ET.fromstring(in_zip(file, "word/document.xml"))
    found = [
        ("".join(text.text for text in link.iter(f"{WORD}t")), targets[link.get(f"{RELATION}id")])
        for link in body.iter(f"{WORD}hyperlink")
    ]
    right(found, listed, display)


def test_pandoc_epub(tmp_path):
    file = pandoc(tmp_path, ALL, "epub")
    right(doi_links(in_zip(file, "EPUB/text/ch001.xhtml")), ALL)


def test_pandoc_rst(tmp_path):
    """Read back by docutils."""
    text = pandoc(tmp_path, ALL, "rst").read_text(encoding="utf-8")
    tree = publish_doctree(
        text, settings_overrides={"report_level": 2, "halt_level": 2, "line_length_limit": 10**6}
    )
    right([(each.astext(), each["refuri"]) for each in tree.findall(nodes.reference)], ALL)


def test_pandoc_gfm(tmp_path):
    """Read back by markdown-it-py."""
    text = pandoc(tmp_path, ALL, "gfm").read_text(encoding="utf-8")
    right(doi_links(MarkdownIt("commonmark").render(text)), ALL)


def test_pandoc_plain(tmp_path):
    """Plain text has no targets."""
    text = pandoc(tmp_path, ALL, "plain").read_text(encoding="utf-8")
    _, *items = text.split("\n- see")
    same([squeezed(item) for item in items], shown(ALL, "uri"))


@DISPLAYS
def test_pandoc_latex(tmp_path, display):
    listed = RAW if display == "name" else PDF
    program = tool("pdflatex", UNREAD)
    file = pandoc(
        tmp_path, listed, "latex", f"--metadata=doi-display:{display}", "--variable=fontfamily:tgtermes",
        r"--variable=header-includes:\let\thepage\empty" + (NARROW if display == "name" else ""),
    )  # fmt: skip
    done = run(program, "-interaction=nonstopmode", "-halt-on-error", file.name, cwd=tmp_path)
    assert display == "name" or beyond(done.stdout) == []
    pdf_right(file.with_suffix(".pdf"), listed, display)


@DISPLAYS
def test_pandoc_typst(tmp_path, display):
    listed = RAW if display == "name" else TYPST
    paper = "a6" if display == "name" else "a4"  # so narrow that words are divided
    file = pandoc(tmp_path, listed, "typst", f"--metadata=doi-display:{display}",
                  "--variable=page-numbering:", f"--variable=papersize:{paper}")  # fmt: skip
    pdf = tmp_path / "names.pdf"
    typst.compile(file, output=pdf)
    pdf_right(pdf, listed, display)
