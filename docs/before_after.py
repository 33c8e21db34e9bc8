"""Make ``docs/_static/before-after.png``: one page built by Sphinx without doilinks and with it.

Run ``.venv/bin/python docs/before_after.py [chromium]``; needs Chromium and the theme of the docs.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sphinx.cmd.build import build_main

PICTURE = Path(__file__).parent / "_static" / "before-after.png"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZE = (1200, 400)

PAGE = """\
References
==========

[1] J. Am. Soc. Inf. Sci. 49. DOI: 10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0.

[2] ASEE Annual Conference. 10.18260/1-2--11357

[3] An encyclopedia, doi:10.1006/rwei.1999".0001

[4] Mon. Weather Rev. 100, https://doi.org/10.1175/1520-0493(1972)100<0081:OTAOSH>2.3.CO;2

[5] New J. Phys. 12, http://dx.doi.org/10.1088/1367-2630/12/3/033025

[6] The Handbook, :doi:`10.1000/182`.
"""
CONF = "extensions = {extensions}\nproject = 'Guide'\nhtml_theme = 'furo'\n"
STYLE = """
.sidebar-drawer, .toc-drawer, .mobile-header, .related-pages, footer, .back-to-top,
.content-icon-container { display: none !important }
.content { width: 36em !important; padding: 0 1em !important }
body { font-size: 15px }
"""
BOTH = """<!doctype html><style>
body {{ margin: 0; display: flex; font: bold 17px "DejaVu Sans", sans-serif; background: #fff }}
div {{ width: 50%; padding: 10px 0 0 24px; box-sizing: border-box }}
div + div {{ border-left: 2px solid #999 }}
iframe {{ width: 100%; height: 350px; border: 0 }}
</style>
<div>Sphinx<iframe src="{without}" scrolling="no"></iframe></div>
<div>Sphinx with doilinks<iframe src="{with_it}" scrolling="no"></iframe></div>
"""


def build(folder, extensions):
    """The address of the page, built with these extensions."""
    source = folder / "source"
    (source / "_static").mkdir(parents=True)
    (source / "_static" / "plain.css").write_text(STYLE)
    (source / "index.rst").write_text(PAGE)
    style = "html_static_path = ['_static']\nhtml_css_files = ['plain.css']\n"
    (source / "conf.py").write_text(CONF.format(extensions=extensions) + style)
    build_main(["-q", "-w", str(folder / "warnings"), str(source), str(folder / "out")])
    return (folder / "out" / "index.html").as_uri()


def main():
    named = sys.argv[1:] or BROWSERS
    browser = next(filter(None, map(shutil.which, named)), None)
    if browser is None:
        sys.exit(f"no browser found: {', '.join(named)}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        without = build(folder / "without", [])
        with_it = build(folder / "with", ["doilinks.sphinx"])
        both = folder / "both.html"
        both.write_text(BOTH.format(without=without, with_it=with_it))
        width, height = SIZE
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        flags += ["--hide-scrollbars", f"--user-data-dir={folder / 'profile'}"]
        flags += [f"--window-size={width},{height}", f"--screenshot={PICTURE}", both.as_uri()]
        subprocess.run([browser, *flags], check=True, capture_output=True, timeout=120)  # noqa: S603
    print(PICTURE, PICTURE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
