from html import escape

from doilinks import scan
from doilinks.core.link import link_match
from doilinks.core.options import Options


def pages(sentences, options):
    given = Options.read(options)
    return [_page(text, given) for text in sentences]


def _page(text, options):
    html, at = "", 0
    for match in scan(text):
        if link := link_match(match, options, text):
            html += f'{escape(text[at : match.start])}<a href="{escape(link.href)}">{escape(link.text)}</a>'
            at = match.end
    return html + escape(text[at:])
