from . import sphinx


def pages(sentences, options):
    conf = "myst_enable_extensions = ['deflist']\n"
    return sphinx.pages(sentences, options, ".md", ["myst_parser"], conf)
