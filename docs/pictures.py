"""Make the pictures in ``docs/_static``, for light and dark pages, of what programs really show.

``before-after-*.png`` is one page built by Sphinx without doilinks and with it, and a check of it
that fails, ``cite-*.png`` a page that cites works, below its source. ``works-*.png`` is the page of
``doilinks works``. The works are those of ``examples/sphinx/doi-lock.json``. ``terminal-*.svg`` is
what the command line writes to a terminal, with a server that answers for doi.org and the agencies.
All are narrow, so that they can be read on a phone.

A browser without a screen does not draw the text on hover. So the pictures show it in a box below
the link, with the text that the link has in its attribute ``title``.

Run ``.venv/bin/python docs/pictures.py [chromium]``; needs Chromium and the theme of the docs.
"""

import re
import shutil
import sys
import tempfile
from html import escape
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from sphinx.cmd.build import build_main

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.tools.command import at_terminal, doilinks
from tests.tools.handle_api import HandleServer

from doilinks import scan

STATIC = Path(__file__).parent / "_static"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SCHEMES = ("light", "dark")
LOCK = Path(__file__).parents[1] / "examples" / "sphinx" / "doi-lock.json"

# A page, built without doilinks and with it

PAGE = """\
References
==========

[1] New J. Phys. 12. doi: 10.1088/1367-2630/12/3/033025

[2] https://doi.org/10.1016/S0092-8674(00)81683-9.

[3] ASEE Conference, 10.18260/1-2--11357

[4] https://doi.org/10.1175/1520-0493(1972)100<0081:OTAOSH>2.3.CO;2

[5] Nature 585. doi:10.1038/s41586-020-2649-2
"""
CONF = """\
extensions = {extensions}
doi_hover = doi_cite = True
doi_display = 'legible'
project = 'Guide'
html_theme = 'furo'
html_static_path = ['_static']
html_css_files = ['plain.css']
"""
STYLE = """
.sidebar-drawer, .toc-drawer, .mobile-header, .related-pages, footer, .back-to-top,
.content-icon-container, article h1 { display: none !important }
.content { width: 100% !important; padding: 0 !important }
.article-container { padding: 0 !important }
article p { margin: 0.5em 0 !important }
.doi-list { margin-top: 3.5em }
body { font-size: 17px }
"""
FRAME = """<!doctype html><style>
:root {{ color-scheme: light dark }}
body {{ margin: 0; padding: 6px 16px; font: bold 17px "DejaVu Sans", sans-serif }}
body {{ background: light-dark(#fff, #131416); color: light-dark(#000, #eee) }}
p {{ margin: 10px 0 4px }}
:is(iframe, pre) + p {{ border-top: 2px solid #888; padding-top: 12px }}
iframe {{ width: 100%; height: {height}px; border: 0 }}
pre {{ margin: 0; font: 14px/1.4 "DejaVu Sans Mono", monospace; white-space: pre-wrap }}
.title {{ position: absolute; max-width: 390px; padding: 4px 8px; border: 1px solid #888 }}
.title {{ font: 14px/1.35 "DejaVu Sans", sans-serif; box-shadow: 2px 2px 6px #0006 }}
.title {{ background: light-dark(#fffde8, #35373b); color: light-dark(#222, #eee) }}
</style>
{body}
"""
BOTH = """
<p>Sphinx</p><iframe src="{without}" scrolling="no" style="height: 200px"></iframe>
<p>A check, after a slip of the finger in [5]</p><pre>{said}</pre>
<p>Sphinx with doilinks</p><iframe src="{with_it}" scrolling="no"></iframe>
"""

# Draws what a link shows on hover.
TITLE = """([text, left, top]) => {
  const box = document.body.appendChild(document.createElement("div"));
  box.className = "title";
  box.textContent = text;
  box.style.left = left + "px";
  box.style.top = top + "px";
}"""


def built(folder, extensions, page, name="index.rst"):
    """The address of the page, built with these extensions."""
    source = folder / "source"
    (source / "_static").mkdir(parents=True)
    (source / "_static" / "plain.css").write_text(STYLE)
    (source / name).write_text(page)
    shutil.copy(LOCK, source)
    conf = CONF.format(extensions=extensions)
    (source / "conf.py").write_text(conf)
    build_main(["-q", "-w", str(folder / "warnings"), str(source), str(folder / "out")])
    return (folder / "out" / "index.html").as_uri()


def photographed(browser, address, name, size, link=""):
    """Take the picture of a page in each scheme, with the pointer on a link of its last frame."""
    with sync_playwright() as playwright:
        # Without this flag, each file is a site of its own, and the theme may store nothing.
        flags = ["--no-sandbox", "--allow-file-access-from-files"]
        chromium = playwright.chromium.launch(executable_path=browser, args=flags)
        for scheme in SCHEMES:
            context = chromium.new_context(
                viewport=size, color_scheme=scheme, device_scale_factor=1.5
            )
            page = context.new_page()
            page.goto(address)
            if link:
                hovered = page.frames[-1].locator(link).first
                hovered.hover()
                at, title = hovered.bounding_box(), hovered.get_attribute("title")
                page.evaluate(TITLE, [title, at["x"] + 24, at["y"] + at["height"] + 4])
            page.screenshot(path=STATIC / f"{name}-{scheme}.png")
        chromium.close()


def failing(folder):
    """What a check says of the page when a name is wrong."""
    (folder / "refs.rst").write_text(f"{PAGE.rstrip()}2\n")
    names = {match.doi.name: "https://example.org/" for match in scan(PAGE)}
    with HandleServer(names) as server:
        code, said, _ = doilinks("check", "--check-api", server.api, "refs.rst", cwd=folder)
    if code != 1:
        raise ValueError(said)
    return f"$ doilinks check refs.rst\n{escape(said.strip())}"


def before_after(folder, browser):
    """One page, without doilinks and with it."""
    without = built(folder / "1", [], PAGE)
    with_it = built(folder / "2", ["doilinks.sphinx"], PAGE)
    body = BOTH.format(without=without, with_it=with_it, said=failing(folder))
    (folder / "both.html").write_text(FRAME.format(height=228, body=body))
    address = (folder / "both.html").as_uri()
    size = {"width": 600, "height": 664}
    photographed(browser, address, "before-after", size, "a.doi[title]")


# A page that cites, and the page of all works

CITING = """\
Curves are fitted with SciPy
[see @doi:10.1038/s41592-019-0686-2, p. 262], on arrays
as @doi:10.1038/s41586-020-2649-2 describe them.

```{doi-list}
```
"""
WORKS = """\
# Software

Everything is arrays [@doi:10.1038/s41586-020-2649-2] on grids with labels, as
@doi:10.5334/jors.148 say.

* Lorenz, E. N. (1963). Deterministic Nonperiodic Flow. Journal of the Atmospheric Sciences, 20.
  doi:10.1038/s41586-020-2649-2
* Hunter, J. D. (2007). Matplotlib: A 2D Graphics Environment. doi:10.1109/MCSE.2007.55
* Figures are kept as doi:10.1038/sdata.2016.18 asks for, and counted as in doi:10.1000/182.
"""


def cite(folder, browser):
    """A source in MyST, and the page that Sphinx makes of it."""
    address = built(folder / "3", ["myst_parser", "doilinks.sphinx"], CITING, "index.md")
    source = CITING.replace("<", "&lt;")
    body = (
        f'<p>You type</p><pre>{source}</pre><p>The page shows</p><iframe src="{address}"></iframe>'
    )
    (folder / "cite.html").write_text(FRAME.format(height=425, body=body))
    size = {"width": 600, "height": 625}
    photographed(browser, (folder / "cite.html").as_uri(), "cite", size, "a.doi-cite >> nth=1")


def works(folder, browser):
    """The page of all works of a small project."""
    project = folder / "project"
    (project / "docs").mkdir(parents=True)
    (project / "docs" / "software.md").write_text(WORKS)
    (project / "pyproject.toml").write_text("[tool.doilinks]\ncite = true\n")
    shutil.copy(LOCK, project)
    doilinks("works", "--format", "html", "--output", "works.html", "docs", cwd=project)
    address = (project / "works.html").as_uri()
    photographed(browser, address, "works", {"width": 600, "height": 660})


# A terminal

COLUMNS = 60
DOCS = """\
# References

* Harris et al. (2020). Array programming with NumPy.
  doi:10.1038/s41586-020-2649-22
* Virtanen et al. (2020). SciPy 1.0: fundamental algorithms
  for scientific computing. doi:10.1038/s41586-020-2649-2
* <http://dx.doi.org/10.1016/S0092-8674(00)81683-9>
"""


def work(title, year, *people):
    names = [{"family": family} for family in people]
    return {"title": title, "author": names, "issued": {"date-parts": [[year]]}}


RECORDS = {
    "10.1038/s41586-020-2649-2": work("Array programming with NumPy", 2020, "Harris", "Millman"),
    "10.1016/S0092-8674(00)81683-9": work("The Hallmarks of Cancer", 2000, "Hanahan", "Weinberg"),
}
COMMANDS = (("check", "--works", "docs"), ("fix", "--diff", "docs"))
LIGHT = TerminalTheme(
    (250, 250, 250),
    (36, 41, 47),
    [(36, 41, 47), (179, 29, 40), (17, 99, 41), (133, 77, 14), (9, 105, 218), (130, 80, 223),
     (14, 98, 110), (110, 119, 129)],
)  # fmt: skip
DARK = TerminalTheme(
    (22, 24, 28),
    (222, 226, 230),
    [(110, 118, 129), (255, 123, 114), (86, 211, 100), (227, 179, 65), (121, 192, 255),
     (210, 168, 255), (86, 212, 221), (222, 226, 230)],
)  # fmt: skip


def terminal(folder):
    """Run the commands, and write what they show as a picture."""
    (folder / "docs").mkdir()
    (folder / "docs" / "refs.md").write_text(DOCS)
    records = {
        name: {"url": "https://example.org/", "work": work} for name, work in RECORDS.items()
    }
    said = []
    with HandleServer(records) as server:
        (folder / "pyproject.toml").write_text(
            f'[tool.doilinks]\ncheck_api = "{server.api}"\ncheck_works_api = "{server.works_api}"\n'
        )
        for command in COMMANDS:
            shown = at_terminal(*command, cwd=folder).rstrip()
            said += [f"\x1b[2m$\x1b[0m doilinks {' '.join(command)}", shown, ""]
    # A picture loads no fonts from elsewhere.
    frame = re.sub(r"@font-face \{\{.*?\n    \}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    for scheme, theme in zip(SCHEMES, (LIGHT, DARK), strict=True):
        with (folder / "nowhere").open("w") as nowhere:
            console = Console(width=COLUMNS, record=True, file=nowhere, force_terminal=True)
            console.print(Text.from_ansi("\n".join(said).rstrip()))
            svg = console.export_svg(
                title="doilinks", theme=theme, code_format=frame, unique_id="doilinks"
            )
        svg = svg.replace("Fira Code, monospace", '"DejaVu Sans Mono", Menlo, Consolas, monospace')
        (STATIC / f"terminal-{scheme}.svg").write_text(svg, encoding="utf-8")


def main():
    named = sys.argv[1:] or BROWSERS
    browser = next(filter(None, map(shutil.which, named)), None)
    if browser is None:
        sys.exit(f"no browser found: {', '.join(named)}")
    with tempfile.TemporaryDirectory() as name:
        terminal(Path(name))
        for picture in (before_after, cite, works):
            picture(Path(name), browser)
    for picture in sorted(STATIC.glob("*-light.*")) + sorted(STATIC.glob("*-dark.*")):
        print(picture, picture.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
