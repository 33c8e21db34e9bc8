from markdown import Markdown

EXTENSIONS = ["tables", "footnotes", "def_list", "doilinks"]


def pages(sentences, options, extensions=()):
    md = Markdown(extensions=[*extensions, *EXTENSIONS], extension_configs={"doilinks": options})
    return [md.reset().convert(text) for text in sentences]
