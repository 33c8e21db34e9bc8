"""The nodes for a DOI: the link, and the mark that the inliner leaves in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.transforms import Transform

from ...core.doi import DOI, Form, InvalidDOI
from ...core.field import of_field
from ...core.found import Found
from ...core.link import (
    Link,
    attributes,
    bare_target,
    frame_of,
    is_web_url,
    leads_to_doi,
    link_match,
    relink,
    shows_only,
)
from ...core.nameless import NoName
from ...core.options import Options
from ...core.scan import Match

# --------------------------------------------------------------------------------------------------
# Labels that an author wrote before a link, so that the page does not show them twice.


def before(children: Sequence[nodes.Node], index: int) -> Iterator[tuple[str, bool] | None]:
    """Yield the texts before a child, for :func:`doilinks.core.outline.own_label`."""
    while index:
        index -= 1
        child = children[index]
        if isinstance(child, nodes.Text):
            yield str(child), False
        else:
            marked = isinstance(child, (nodes.emphasis, nodes.strong))
            yield (child.astext(), True) if marked else None


class KeepNames(Transform):
    """Undo the changes of smart quotes (855) in DOIs; docutils cannot exclude a node from them."""

    default_priority: ClassVar[int] = 856

    def apply(self, texts: Mapping[nodes.reference, str], **_: Any) -> None:
        """Put back each text."""
        for node, text in texts.items():
            if node.astext() != text:
                show(node, text)


# --------------------------------------------------------------------------------------------------
# The links, and the marks that the inliner leaves in their places.

# The parser sets these attributes, and the transform removes them before any writer runs.
FOUND: Final = "doi_found"
LINK: Final = "doi_link"
IGNORED: Final = "doi_ignored"
UNLINKED: Final = "doi_unlinked"

# The DOI of a link that doilinks has made, for hosts that show its work. It is beside the
# attributes of the node, because writers of XML show these.
DOI_OF: Final = "doi_of"

# docutils itself makes a link of a text that begins like this.
_SCHEME: Final = re.compile(r"<?(?:https?|urn|info):", re.IGNORECASE)


def is_url(written: str) -> bool:
    """Tell whether docutils itself makes a link of a text."""
    return _SCHEME.match(written) is not None


def build(
    link: Link, options: Options, place: Found, classes: Iterable[str] = ()
) -> nodes.reference:
    """Build the node for a link. It keeps the ``Found`` until the transform adopts it."""
    text = link.doi.name if link.text is None else link.text
    node = nodes.reference(place.written or "", text, classes=[*options.classes, *classes])
    set_attributes(node, link.href, options)
    node[FOUND] = place
    return node


class AdoptedLinks:
    """The links of one document: adopts them one after another."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.canonical: list[nodes.reference] = []
        self.nameless: list[nodes.reference] = []
        self.texts: dict[nodes.reference, Link] = {}

    def adopt(self, node: nodes.reference) -> Found | None:
        """Return the DOI of a link. If the author wrote the link, make it canonical."""
        place: Found | None = node.attributes.pop(FOUND, None)
        if place is None:
            return self._relink(node)
        setattr(node, DOI_OF, place.doi)
        text = node.astext()
        if text == place.doi.uri or shows_only(text, place.doi):
            self.canonical.append(node)
            url = is_web_url(place.written or "")
            form = place.form or "link"
            self.texts[node] = Link(text, node["refuri"], place.doi, is_url=url, form=form)
        return place

    def _relink(self, node: nodes.reference) -> Found | None:
        href = node.get("refuri")
        if not isinstance(href, str):
            return None
        if not leads_to_doi(href, self._options):
            return bare_target(href, self._options, lambda: (node.astext(),))
        text = node.astext()
        if not node.children:
            text = href  # [](doi:10.1000/182) in MyST: the name is the text
        elif _is_made(node):
            href, text = of_field(href, text)
        link = relink(href, text, self._options)
        is_uri = href[:4].lower() == "doi:"
        if link is None or (is_uri and isinstance(link.doi, NoName)):
            try:
                DOI.parse(href)
            except InvalidDOI:
                if is_uri:
                    self.nameless.append(node)
            return None
        place = Found(link.doi, form=link.form, written=node.rawsource or None, other=link.other)
        if link.href is None:
            return place
        setattr(node, DOI_OF, link.doi)
        set_attributes(node, link.href, self._options)
        if link.text is not None or frame_of(text, link.doi):
            plain = all(isinstance(child, nodes.Text) for child in node.children)
            if link.text is not None and plain:
                show(node, link.text)
                self.texts[node] = link
            self.canonical.append(node)
        return place


def _is_made(node: nodes.reference) -> bool:
    """Tell whether no parser made a node: without a source, Sphinx sets its text as the source."""
    return node.rawsource in ("", node.astext()) and not node.line


def as_prose(node: nodes.Node) -> nodes.Node:
    """Return a node, or its text if it is a link made of a field with more than a name."""
    if not isinstance(node, nodes.reference) or "10" not in (href := str(node.get("refuri", ""))):
        return node
    if _is_made(node):
        href, text = of_field(href, node.astext())
        return node if href else nodes.Text(text)
    return node


def set_attributes(node: nodes.reference, href: str | None, options: Options) -> None:
    """Set the target of a link, and the classes that the options add."""
    given = attributes(href, options, node["classes"])
    node["classes"] = given.pop("class", "").split() or node["classes"]
    node["refuri"] = given.pop("href", None)
    node.attributes |= given


def show(node: nodes.Element, text: str | None) -> None:
    """Give a node another text."""
    node.children = []
    node += nodes.Text(text or "")


def link_written(match: Match, options: Options, text: str) -> Link | None:
    """Build the link for a match in ``text``.

    docutils would have made a link of a URL without doilinks, so ``urls`` applies to a URL. It does
    not apply to a label or a bare name, because docutils makes no links of these.
    """
    written = text[match.start : match.end]
    if options.urls == "rewrite" or not is_url(written):
        return link_match(match, options, text)
    link = relink(written.strip("<>"), written, options)
    return link._replace(text=written) if link and link.href else None


def mark(
    written: str,
    link: Link | None,
    form: Form,
    whole: DOI | None = None,
    *,
    links_urls: bool = True,
) -> nodes.inline:
    """Build the node that the inliner leaves: the text as written, and the future link.

    The text stays until the transform runs, because before that docutils makes ids of titles and
    metadata of fields. Without a link, the author has escaped the name, and the text stays as it
    is.
    """
    node = nodes.inline(written, written)
    if not links_urls:
        node[UNLINKED] = True
    if link is None:
        node[IGNORED] = True
    else:
        node[LINK] = link
        node[FOUND] = Found(link.doi, form=form, written=written, whole=whole)
    return node
