"""Keeps Sphinx's writers for LaTeX, Texinfo, man pages and text from changing names and targets.

The programs for the first three formats apply typography to text, and the first two writers escape
a target as if it were text. The writer of text splits lines after a hyphen. All other writers of
Sphinx leave names and targets as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from docutils import __version_info__ as docutils_version
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from ..core.markup import LATEX_UNDIVIDED, is_divided_by_latex, latex, pieces
from .project import options_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

# After all transforms that add or resolve links.
_LAST: Final = 900


class _Keep(SphinxPostTransform):
    default_priority: ClassVar[int] = _LAST

    def _links(self) -> Iterator[tuple[nodes.reference, bool]]:
        """Each link to a DOI, and whether it shows its DOI and is not in a title."""
        proxy = options_of(self.config).proxy
        for node in list(self.document.findall(nodes.reference)):
            if str(node.get("refuri", "")).startswith(proxy):
                in_title = isinstance(node.parent, nodes.title)
                yield node, not in_title and node.get("support_smartquotes") is False


class KeepInLatex(_Keep):
    r"""Let TeX split names as it splits URLs, and keep ``\T1\textdollar`` out of targets."""

    formats = ("latex",)

    def run(self, **_: Any) -> None:
        """Encode ``$``, which keeps the target (RFC 3986 §6.2.2.2), and turn off hyphenation."""
        for node, shows in self._links():
            node["refuri"] = node["refuri"].replace("$", "%24")
            divided = shows and is_divided_by_latex(node.astext())
            if shows:
                for text in [each for each in node.children if isinstance(each, nodes.Text)]:
                    node.replace(text, list(_in_latex(text)))
            if divided:
                before, after = map(_latex, LATEX_UNDIVIDED)
                node.insert(0, before)
                node.append(after)


class KeepInMan(_Keep):
    """Keep groff from hyphenating names and targets, and let it break lines in them."""

    formats = ("man",)

    def run(self, **_: Any) -> None:
        """Write a link as docutils does, with its target after its text."""
        if docutils_version < (0, 22):
            return  # there Sphinx escapes the whole content of a link, and shows no target
        for node, shows in self._links():
            href, text = node["refuri"], node.astext()
            if isinstance(node.parent, nodes.title):
                continue
            link = nodes.inline()
            if text != href:
                link += [*(_in_man(text) if shows else node.children), nodes.Text(" ")]
            link += [nodes.raw("", r"\%<", format="manpage"), *_in_man(href), nodes.Text(">")]
            node.replace_self(link)


class KeepInTexinfo(_Keep):
    """Keep makeinfo from turning ``--`` and ``'`` in names into dashes and curly quotes."""

    formats = ("texinfo",)

    def run(self, **_: Any) -> None:
        """Write the link as Sphinx does, but with ``@t``, which leaves text as it is."""
        for node, shows in self._links():
            href, text = node["refuri"], node.astext()
            if isinstance(node.parent, nodes.title) or text == href:
                continue  # Sphinx writes a link in a title as text, and a URL with @indicateurl
            name = f"@t{{{_escaped(text)}}}" if shows else _escaped(text)
            show = self.config.texinfo_show_urls
            if show == "inline" or _in_footnote(node):
                link = f"@uref{{{_argument(href)},{_argument(name, escape=False)}}}"
            elif show == "no":
                link = f"@uref{{{_argument(href)},,{_argument(name, escape=False)}}}"
            else:
                link = f"{name}@footnote{{@url{{{_argument(href)}}}}}"
            node.replace_self(nodes.raw("", link, format="texinfo"))


# Stands for a hyphen of a name until a text is wrapped. It is a character for private use.
_HYPHEN: Final = "\ue02d"
_REPLACED: Final = "doi-hyphens"  # set on a document in which it stands for hyphens


class KeepInText(_Keep):
    """Keep Sphinx from splitting a line after a hyphen of a name, where it seems to hyphenate."""

    formats = ("text",)

    def run(self, **_: Any) -> None:
        """Replace each hyphen by a character after which the writer of Sphinx never splits."""
        texts = [
            text for node, shows in self._links() if shows for text in node.findall(nodes.Text)
        ]
        if not any("-" in text for text in texts) or _HYPHEN in self.document.astext():
            return
        self.document[_REPLACED] = True
        for text in texts:
            text.parent.replace(text, nodes.Text(text.replace("-", _HYPHEN)))


def restore_hyphens(app: Sphinx) -> None:
    """Let the writer of text put the hyphens back after it has wrapped a document."""
    if app.builder.format != "text":
        return
    base = app.registry.get_translator_class(app.builder)

    class Translator(base):  # type: ignore[misc, valid-type]  # the project may have set its own
        body: str

        def depart_document(self, node: nodes.document) -> None:
            super().depart_document(node)
            if node.get(_REPLACED):
                self.body = self.body.replace(_HYPHEN, "-")

    app.set_translator(app.builder.name, Translator, override=True)


def _in_latex(text: str) -> Iterator[nodes.Node]:
    for run, raw in latex(text):
        # Sphinx would write a command for a hyphen.
        yield _latex(run) if raw or run == "-" else nodes.Text(run)


def _latex(text: str) -> nodes.raw:
    return nodes.raw("", text, format="latex")


def _in_man(text: str) -> Iterator[nodes.Node]:
    r"""A text that groff may split only at ``\:``; ``\%`` before a word keeps it whole."""
    for number, piece in enumerate(pieces(text)):
        if number:
            yield nodes.raw("", r"\:\%", format="manpage")
        yield nodes.Text(piece)


def _escaped(text: str) -> str:
    return text.replace("@", "@@").replace("{", "@{").replace("}", "@}")


def _argument(text: str, *, escape: bool = True) -> str:
    return (_escaped(text) if escape else text).replace(",", "@comma{}")


def _in_footnote(node: nodes.Node | None) -> bool:
    while node is not None and not isinstance(node, nodes.footnote):
        node = node.parent
    return node is not None
