import tempfile
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from .docutils import without_foreign_links

CONF = """
extensions = {extensions}
html_theme, html_theme_path = 'bare', ['.']
html_copy_source = html_use_index = False
suppress_warnings = ['toc']
"""
# Nothing of a page but its text: to fill in the templates of a theme takes a third of a build.
THEME = {"theme.conf": "[theme]\ninherit = none\n", "search.html": "", "page.html": """
<div class="body" role="main">{{ body }}<div class="clearer"></div></div>
"""}  # fmt: skip


def pages(sentences, options, suffix=".rst", extensions=(), conf=""):
    """One site, a page for each sentence."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source")
        source.mkdir()
        for number, sentence in enumerate(sentences):
            (source / f"p{number}{suffix}").write_text(sentence + "\n", encoding="utf-8")
        (source / "index.rst").write_text("Index\n=====\n", encoding="utf-8")
        (source / "bare").mkdir()
        for name, text in THEME.items():
            (source / "bare" / name).write_text(text)
        (source / "conf.py").write_text(
            CONF.format(extensions=["doilinks.sphinx", *extensions]) + conf, encoding="utf-8"
        )
        overrides = {f"doi_{name}": value for name, value in options.items()}
        build(source, Path(folder, "out"), overrides=overrides)
        return [
            without_foreign_links(body(Path(folder, "out", f"p{number}.html")))
            for number in range(len(sentences))
        ]


def build(source, out, builder="html", overrides=None, jobs=0, doctreedir=None, **more):
    """Build a project as ``sphinx-build`` does; returns the application."""
    with patch_docutils(source), docutils_namespace():
        app = Sphinx(
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
        app.build()
    return app


def body(page):
    html = page.read_text(encoding="utf-8")
    return html.split('<div class="body" role="main">')[1].split('<div class="clearer">')[0]
