"""Pandoc's Markdown, one run of the real pandoc with the filter for all sentences."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pypandoc

from ..tools.modules import quick

FILTER = Path(sys.executable).with_name("pandoc-doilinks")


def pandoc(*arguments, given="", check=True, doilinks=True, cwd=None, env=None):
    """Run pandoc with the filter, and nothing of the caller's own settings."""
    command = [pypandoc.get_pandoc_path(), "--data-dir", os.devnull, "--wrap=preserve"]
    if doilinks:
        command += ["--filter", str(quick(FILTER))]
    done = subprocess.run(
        [*command, *map(str, arguments)],
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


def pages(sentences, options, reader="markdown"):
    mark = "end of a document of its own"
    # An expression is the reader's, never the document's.
    env = {"DOILINKS_IGNORE": options["ignore"]} if "ignore" in options else {}
    own = [name for name in options if name != "ignore"]
    given = [f"--metadata=doi-{name.replace('_', '-')}={options[name]}" for name in own]
    with TemporaryDirectory() as folder:
        files = []
        Path(folder, "end.md").write_text(mark + "\n", encoding="utf-8")
        for number, sentence in enumerate(sentences):
            # Pandoc takes the path of a file into the names of its headings.
            files += [f"{number}.md", "end.md"]
            Path(folder, files[-2]).write_text(sentence + "\n", encoding="utf-8")
        html = pandoc(
            *("-f", reader, "-t", "html", "--file-scope", "--reference-location=block"),
            *given,
            *files,
            cwd=folder,
            env=env,
        ).stdout.decode()
    made = html.split(f"<p>{mark}</p>")
    assert len(made) == len(sentences) + 1
    return made[:-1]
