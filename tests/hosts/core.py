from doilinks import scan
from doilinks.core.link import link_match
from doilinks.core.options import Options


def links(sentences, options):
    given = Options.read(options)
    found = []
    for text in sentences:
        each = [link_match(match, given, text) for match in scan(text)]
        found.append([(link.text, link.href) for link in each if link])
    return found
