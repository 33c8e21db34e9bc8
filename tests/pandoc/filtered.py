"""What pandoc makes of a text, with the filter or without, and the filter alone."""

import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from doilinks.pandoc import main

from ..tools.hosts import FILTER, pandoc
from ..tools.links import html_links
from ..tools.modules import quick
from ..tools.programs import LONGEST


def links(text, reader="markdown", *arguments):
    return html_links(pandoc("-f", reader, "-t", "html", *arguments, given=text).stdout.decode())


def tree(text, reader="markdown", *arguments):
    """The document's JSON, untouched."""
    done = pandoc("-f", reader, "-t", "json", *arguments, given=text, doilinks=False)
    return done.stdout.decode()


def run(given):
    """The command alone, as pandoc runs it."""
    given = given.encode() if isinstance(given, str) else given
    return subprocess.run(
        [quick(FILTER), "html"], input=given, capture_output=True, timeout=LONGEST, check=False
    )


def inside(text, **metadata):
    """What the command makes of a paragraph, in this process: its exit code, and both of its streams."""
    meta = {key: value(given) for key, given in metadata.items()}
    blocks = [{"t": "Para", "c": [{"t": "Str", "c": text}]}]
    given = json.dumps({"pandoc-api-version": [1, 23, 1], "meta": meta, "blocks": blocks}).encode()
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with (
        patch("sys.stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8")),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        limit = sys.getrecursionlimit()
        try:
            code = main()
        finally:
            sys.setrecursionlimit(limit)  # which it raises for its own process
        said = [(stream.flush(), stream.buffer.getvalue().decode())[1] for stream in (out, err)]
    return code, *said


def value(given):
    """A value as pandoc makes it of ``-M``."""
    return {"t": "MetaBool", "c": True} if given == "true" else {"t": "MetaString", "c": given}
