from . import sphinx


def links(sentences, options):
    conf = "myst_enable_extensions = ['deflist']\n"
    return sphinx.links(sentences, options, ".md", ["myst_parser"], conf)
