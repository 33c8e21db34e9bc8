"""What Sphinx's writers for LaTeX and Texinfo do to a link, prevented.

Both formats set text with typography of their own, and both writers escape a target as if it were
text. Every other writer of Sphinx leaves names and targets whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from .config import options_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["KeepInLatex", "KeepInTexinfo"]

# Behind everything that adds links or resolves them.
_LAST: Final = 900


class _Keep(SphinxPostTransform):
    default_priority: ClassVar[int] = _LAST

    def _links(self) -> Iterator[tuple[nodes.reference, bool]]:
        """The links to DOIs, and of each whether it shows its DOI; titles keep their own markup."""
        proxy = options_of(self.config).proxy
        for node in list(self.document.findall(nodes.reference)):
            if str(node.get("refuri", "")).startswith(proxy):
                in_title = isinstance(node.parent, nodes.title)
                yield node, not in_title and node.get("support_smartquotes") is False


class KeepInLatex(_Keep):
    r"""Keep TeX from hyphenating names, and ``$`` in targets from becoming ``\T1\textdollar``."""

    formats = ("latex",)

    def run(self, **_: Any) -> None:
        """Encode ``$``, which says the same (RFC 3986 §6.2.2.2), and choose no language's rules."""
        for node, shows in self._links():
            node["refuri"] = node["refuri"].replace("$", "%24")
            if shows:
                _part_commas(node)
            # TeX divides the first word behind a space, if it has five letters: "doi" has not.
            if shows and not node.astext().startswith("doi:"):
                node.insert(0, nodes.raw("", r"{\language255 ", format="latex"))
                node.append(nodes.raw("", "}", format="latex"))


class KeepInTexinfo(_Keep):
    """Keep makeinfo from making dashes and curly quotes of ``--`` and ``'``, as it does in text."""

    formats = ("texinfo",)

    def run(self, **_: Any) -> None:
        """Write the link as Sphinx does, with the commands for text that is left as it is."""
        for node, shows in self._links():
            href, text = node["refuri"], node.astext()
            if isinstance(node.parent, nodes.title) or text == href:
                continue  # Sphinx writes the one as text, the other with @indicateurl
            name = f"@t{{{_escaped(text)}}}" if shows else _escaped(text)
            show = self.config.texinfo_show_urls
            if show == "inline" or _in_footnote(node):
                link = f"@uref{{{_argument(href)},{_argument(name, escape=False)}}}"
            elif show == "no":
                link = f"@uref{{{_argument(href)},,{_argument(name, escape=False)}}}"
            else:
                link = f"{name}@footnote{{@url{{{_argument(href)}}}}}"
            node.replace_self(nodes.raw("", link, format="texinfo"))


def _part_commas(node: nodes.reference) -> None:
    """Part two commas, of which TeX makes a low quotation mark; Sphinx sees to all other pairs."""
    for text in [each for each in node.children if isinstance(each, nodes.Text) and ",," in each]:
        first, *others = text.split(",")
        parts: list[nodes.Node] = [nodes.Text(first)]
        for other in others:
            parts += nodes.raw("", "{}", format="latex"), nodes.Text(f",{other}")
        node.replace(text, parts)


def _escaped(text: str) -> str:
    return text.replace("@", "@@").replace("{", "@{").replace("}", "@}")


def _argument(text: str, *, escape: bool = True) -> str:
    return (_escaped(text) if escape else text).replace(",", "@comma{}")


def _in_footnote(node: nodes.Node | None) -> bool:
    while node is not None and not isinstance(node, nodes.footnote):
        node = node.parent
    return node is not None
