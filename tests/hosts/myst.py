from . import sphinx


def links(sentences, options):
    return sphinx.links(sentences, options, suffix=".md", extensions=["myst_parser"])
