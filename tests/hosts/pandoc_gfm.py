"""Pandoc's reader of GitHub's Markdown, which makes links of URLs."""

from . import pandoc


def pages(sentences, options):
    return pandoc.pages(sentences, options, "gfm")
