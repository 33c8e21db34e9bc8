"""MyST with every extension that reads other markup, links URLs or changes characters."""

from . import myst

EXTENSIONS = [
    "amsmath", "attrs_block", "attrs_inline", "colon_fence", "dollarmath", "fieldlist",
    "html_admonition", "html_image", "linkify", "replacements", "smartquotes", "strikethrough",
    "substitution", "tasklist",
]  # fmt: skip


def pages(sentences, options):
    return myst.pages(sentences, options, EXTENSIONS)
