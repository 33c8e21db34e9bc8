"""Python-Markdown with extensions that make links of URLs, and typography of signs."""

from . import markdown


def pages(sentences, options):
    return markdown.pages(
        sentences, options, ["pymdownx.magiclink", "smarty", "pymdownx.smartsymbols"]
    )
