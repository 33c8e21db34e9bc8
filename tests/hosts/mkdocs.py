"""Each sentence is a page of one site, built by MkDocs itself."""

import json
import tempfile
from pathlib import Path

from ..tools.modules import run_module

CONFIG = """
site_name: Conformance
use_directory_urls: false
docs_dir: docs
theme: {{name: null, custom_dir: theme}}
markdown_extensions: [tables, footnotes, def_list]
plugins:
  - doilinks: {options}
"""

# Stands above each sentence, so that no sentence is taken for front matter.
FIRST = "<p>A page.</p>"


def pages(sentences, options):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "docs").mkdir()
        (folder / "theme").mkdir()
        for page in ("main", "404"):
            (folder / "theme" / f"{page}.html").write_text("{{ page.content }}")
        (folder / "mkdocs.yml").write_text(CONFIG.format(options=json.dumps(options)))
        pages = [f"page{n:04}" for n in range(len(sentences))]
        for page, text in zip(pages, sentences, strict=True):
            (folder / "docs" / f"{page}.md").write_text(f"A page.\n\n{text}\n", encoding="utf-8")
        (folder / "docs" / "index.md").write_text("Home.")
        done = run_module("mkdocs", "build", "-q", cwd=folder)
        assert done.returncode == 0, done.stderr
        return [
            (folder / "site" / f"{page}.html").read_text(encoding="utf-8").replace(FIRST, "", 1)
            for page in pages
        ]
