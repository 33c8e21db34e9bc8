"""Pandoc's Markdown, with links for URLs."""

from . import pandoc


def pages(sentences, options):
    return pandoc.pages(sentences, options, "markdown+autolink_bare_uris")
