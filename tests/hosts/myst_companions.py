"""MyST with all its extensions that make links of URLs, or other characters of those typed."""

from . import myst


def pages(sentences, options):
    return myst.pages(
        sentences, options, ["linkify", "replacements", "smartquotes", "strikethrough"]
    )
