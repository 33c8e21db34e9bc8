"""The nodes that stand for a DOI: the link, and the mark that the inliner leaves for it."""

from __future__ import annotations

import re
from typing import Final

from docutils import nodes

from doilinks.core.doi import DOI
from doilinks.core.link import Link, link_match, relink, with_classes
from doilinks.core.options import Options
from doilinks.core.scan import Match

__all__ = ["DOI_NAME", "IGNORED", "is_url", "link_written", "mark", "marked_link", "reference_to"]

# Attributes that live from parser to transform, and never reach a writer.
DOI_NAME: Final = "doi_name"
IGNORED: Final = "doi_ignored"

# What docutils takes for a link by itself.
_SCHEME: Final = re.compile(r"<?(?:https?|urn|info):", re.IGNORECASE)


def is_url(written: str) -> bool:
    """Tell whether docutils makes a link of what is written by itself."""
    return _SCHEME.match(written) is not None


def reference_to(link: Link, options: Options, rawsource: str = "") -> nodes.reference:
    """The link node; its DOI stays on it until the transform has taken note of it."""
    text = link.doi.name if link.text is None else link.text
    node = nodes.reference(rawsource, text, refuri=link.href)
    node["classes"] = with_classes((), options)
    node[DOI_NAME] = link.doi.name
    return node


def link_written(match: Match, options: Options, text: str) -> Link | None:
    """The link for a match in ``text``; a URL is one that docutils would have made in any case.

    So ``urls`` has its say on those, while labels and bare names are no links yet.
    """
    written = text[match.start : match.end]
    if options.urls == "rewrite" or not is_url(written):
        return link_match(match, options, text)
    link = relink(written.strip("<>"), written, options)
    return link._replace(text=written) if link and link.href else None


def mark(written: str, link: Link | None) -> nodes.inline:
    """What the inliner leaves in the tree: the text as written, and the link it is to become.

    The text stays until the transform runs, because titles become ids and fields become metadata
    in the meantime. Without a link the author has escaped the name and it is to stay as it is.
    """
    node = nodes.inline(written, written)
    if link is None:
        node[IGNORED] = True
    else:
        node[DOI_NAME] = link.doi.name
        node["doi_href"], node["doi_text"] = link.href, link.text
    return node


def marked_link(node: nodes.inline) -> Link:
    """The link that :func:`mark` noted."""
    return Link(node["doi_text"], node["doi_href"], DOI(node[DOI_NAME]))
