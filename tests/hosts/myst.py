from . import sphinx


def pages(sentences, options, extensions=()):
    conf = f"myst_enable_extensions = {['deflist', *extensions]!r}\n"
    return sphinx.pages(sentences, options, ".md", ["myst_parser"], conf)
