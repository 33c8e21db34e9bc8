"""What pandoc makes of a text, with the filter or without, and the filter alone."""

import subprocess

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
