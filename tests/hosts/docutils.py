from docutils.core import publish_parts
from docutils.writers.html5_polyglot import Writer

from doilinks.docutils import Parser


def pages(sentences, options):
    settings = {f"doi_{name}": value for name, value in options.items()}
    settings |= {"report_level": 5, "halt_level": 4, "embed_stylesheet": False}
    return [without_foreign_links(_body(sentence, settings)) for sentence in sentences]


def _body(sentence, settings):
    parts = publish_parts(sentence, parser=Parser(), writer=Writer(), settings_overrides=settings)
    return parts["body"]


def without_foreign_links(html):
    """docutils makes links of other URLs in plain text by itself; only ours have a class more."""
    return html.replace('<a class="reference external" href=', "<a ")
