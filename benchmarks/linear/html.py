"""Hostile pages of HTML of any size: what is never closed, what is nested, what stands before a name.

Each row is a shape. Names are all over it, because what is done for a name or a link may depend on
what is around it.
"""

from __future__ import annotations

from collections.abc import Callable

from .inputs import numbered, repeated

_NAME = "10.1000/a "
_LINK = "<a href=http://dx.doi.org/10.1000/a>10.1000/a</a> "


def _nested(begin: str, end: str, inside: str = _NAME) -> Callable[[int], str]:
    """Elements inside one another, as many as make a page of a size, with a name before each end."""

    def make(size: int) -> str:
        count = max(1, (size - len(inside)) // (len(begin) + len(end)))
        return begin * count + inside + end * count

    return make


def _growing(unit: str, between: str) -> Callable[[int], str]:
    """``unit`` once, twice and so on, each with the same after it."""
    return lambda size: "".join(
        unit * n + between for n in range(int((2 * size / len(unit)) ** 0.5))
    )


SHAPES: dict[str, Callable[[int], str]] = {
    # What is nested.
    "div in div": _nested("<div>", f"{_NAME}</div>"),
    "div in div, never closed": repeated(f"<div>{_NAME}"),
    "span in span around a name": _nested("<span>", "</span>"),
    "span in span with names": repeated(f"<span>{_NAME}"),
    "bold in bold before a name": _nested("<b>", "</b>", "DOI: ") ,
    "bold in bold with names": repeated(f"<b>DOI:{_NAME}"),
    "links in links": repeated("<a href=http://dx.doi.org/10.1000/a>10.1000/a "),
    "anchors in anchors": repeated(f"<a>{_NAME}"),
    "anchors in a link": repeated("<a name=b>10.1000/a", "<a href=http://dx.doi.org/10.1000/a>"),
    "tables in tables": _nested("<table><tr><td>", f"{_NAME}</table>{_NAME}"),
    "tables in tables, never closed": repeated(f"<table><tr><td>{_NAME}"),
    "tables in selects": repeated(f"<select><table><tr><td>{_NAME}</select>{_NAME}"),
    "lists in lists": repeated(f"<ul><li>{_NAME}"),
    "definitions in definitions": repeated(f"<dl><dt>DOI<dd>{_NAME}"),
    "templates in templates": _nested("<template>", "</template>"),
    "svg in svg": _nested("<svg>", "</svg>"),
    "svg and html in turn": repeated(f"<svg><foreignObject><p>{_NAME}<math><annotation-xml encoding=text/html>"),
    "svg with sections": repeated(f"<![CDATA[{_NAME}]]><b>", "<svg>"),
    "code in code": _nested("<code>", "</code>"),
    "select and options": repeated(f"<option>{_NAME}", "<select>"),
    "framesets": repeated(f"<frameset><frame><noframes>{_NAME}</noframes>{_NAME}"),
    # Elements that end in another order than they began.
    "b i misnested": repeated(f"<b>{_NAME}<i></b>{_NAME}</i>"),
    "a b misnested": repeated(f"<a href=http://dx.doi.org/10.1000/a><b>10.1000/a</a>{_NAME}</b>"),
    "a p misnested": repeated("<a href=http://dx.doi.org/10.1000/a><p>10.1000/a<a href=doi:10.1000/b></p>"),
    "end tags alone": repeated(f"</p></b></a></table></svg></select>{_NAME}"),
    # What never ends.
    "tags never closed": repeated("<p 10.1000/a "),
    "tags never closed, in turn": repeated("<a href='10.1000/a <b class=\"10.1000/b "),
    "quotes never closed": repeated("<a href=\"doi:10.1000/a' "),
    "comments never closed": repeated(f"<!-- {_NAME}"),
    "comments that almost end": repeated(f"<!-- {_NAME}-- >--"),
    "dashes in a comment": repeated("-", f"{_NAME}<!--", _NAME),
    "declarations never closed": repeated(f"<!x {_NAME}"),
    "processing instructions never closed": repeated(f"<?x {_NAME}"),
    "sections never closed": repeated(f"<svg><![CDATA[{_NAME}"),
    "ends of sections": repeated(f"]]>{_NAME}", "<svg>"),
    "scripts never closed": repeated(f"<script>{_NAME}"),
    "scripts with comments": repeated("<script><!--<script>", _NAME),
    "scripts in comments of scripts": repeated("<script></script>", f"{_NAME}<script><!--"),
    "ends of scripts that are none": repeated("</scriptx", f"{_NAME}<script>"),
    "scripts in turn": repeated(f"<script></script>{_NAME}"),
    "styles never closed": repeated(f"<style>{_NAME}"),
    "textareas, each closed by another": repeated(f"<textarea>{_NAME}</title>"),
    "raw text of all kinds": repeated("<title></title><xmp></xmp><iframe></iframe><noembed></noembed>10.1000/a "),
    "raw text in quotes": repeated(f'<title><x" a="</title>{_NAME}'),
    "raw text of each kind in quotes": repeated("<title><style><xmp><b c='</style><b c=\"</title></xmp>10.1000/a "),
    "plaintext over": repeated(f"<plaintext>{_NAME}"),
    "<<<< and names": repeated(f"<<<<{_NAME}"),
    "<a< over": repeated("<a<10.1000/a<"),
    "</ over": repeated(f"</ {_NAME}"),
    "</> over": repeated(f"</>{_NAME}"),
    "slashes in a tag": repeated("/", "<a ", f" href=doi:10.1000/a>it</a>{_NAME}"),
    "equals signs in a tag": repeated("=", "<a ", f" href=doi:10.1000/a>it</a>{_NAME}"),
    "spaces in a tag": repeated(" ", "<a", f"href=doi:10.1000/a>it</a>{_NAME}"),
    "spaces after an attribute": repeated(" ", "<a b", f"href=doi:10.1000/a>it</a>{_NAME}"),
    "attributes and spaces": repeated("b" + " " * 30, "<a ", f"href=doi:10.1000/a>it</a>{_NAME}"),
    # Attributes.
    "attributes without values": numbered("b# "),
    "attributes of a link": repeated("b=c ", "<a ", f"href=http://dx.doi.org/10.1000/a>it</a>{_NAME}"),
    "links with attributes": repeated("<a b=c d=e f=g class=h href=http://dx.doi.org/10.1000/a>it</a> "),
    "targets of one link": repeated("href=doi:10.1000/a ", "<a ", ">10.1000/a</a>"),
    "classes of one link": repeated("b ", '<a class="', '" href=http://dx.doi.org/10.1000/a>it</a>'),
    "distinct classes of one link": lambda size: f'<a class="{numbered("b# ")(size)}" href=doi:10.1000/a>it</a>',
    "one title": repeated("b ", '<a title="', '" href=http://dx.doi.org/10.1000/a>it</a>'),
    "one target": repeated("b", '<a href="http://dx.doi.org/10.1000/', '">it</a>'),
    "references in one target": repeated("&amp;", '<a href="http://dx.doi.org/10.1000/', '">it</a>'),
    "spaces in one target": repeated(" ", '<a href="', 'http://dx.doi.org/10.1000/a">10.1000/a</a>'),
    "spaces after one target": repeated(" ", '<a href="http://dx.doi.org/10.1000/a', '">10.1000/a</a>'),
    # What is before a name or a link.
    "labels": repeated("DOI: ", "<p>", _NAME),
    "labels before a link": repeated("DOI: ", "<p>", _LINK),
    "labels before links": repeated(f"DOI: {_LINK}", "<p>"),
    "labels in bold before links": repeated(f"<b>DOI:</b> {_LINK}", "<p>"),
    "labels in bold, growing": _growing("<b>DOI:</b> ", _NAME),
    "spaces before a link": repeated(" ", "<p>DOI:", _LINK),
    "spaces before a name": repeated(" ", "<p><b>DOI:</b>", _NAME),
    "spaces and tags before a name": repeated(" <i></i>", "<p><b>DOI:</b>", _NAME),
    "comments before links": repeated(f"DOI:<!-- -->{_LINK}", "<p>"),
    "text before one link": repeated("b &amp; ", "<p>", _LINK),
    "parts before links": repeated("<i>b</i>&amp;", "<p>", _LINK * 20),
    "comments before a name": repeated("<!---->", "<p>DOI: ", _NAME),
    "references before names": repeated(f"&amp;&lt;&nbsp;{_NAME}", "<p>"),
    # What is in a link.
    "parts of one link": repeated("<i>10.1000/a</i>", "<a href=http://dx.doi.org/10.1000/a>", "</a>"),
    "references in one link": repeated("&lt;", "<a href=http://dx.doi.org/10.1000/a>10.1000/a", "</a>"),
    "text of one link": repeated("10.1000/a ", "<a href=http://dx.doi.org/10.1000/a>", "</a>"),
    "text of a link elsewhere": repeated("10.1000/a ", "<a href=b>", "</a>"),
    "links with spaces": repeated("<a href=http://dx.doi.org/10.1000/a>" + " " * 40 + "10.1000/a</a>"),
    # Names.
    "names in a paragraph": repeated(_NAME, "<p>"),
    "names in a cell": repeated(f"{_NAME}<br>", "<table><tr><td>"),
    "names in rows": repeated(f"<tr><td>DOI<td>{_NAME}", "<table>"),
    "names in columns": repeated(f"<td>{_NAME}", "<table><tr><th>DOI<tr>"),
    "heads of columns": lambda size: f"<table><tr>{repeated('<th>DOI')(size // 2)}<tr>{repeated('<td>10.1000/a')(size // 2)}",
    "names between cells": repeated(f"<tr>{_NAME}<td>", "<table>"),
    "names in definitions": repeated(f"<dt>DOI<dd>{_NAME}", "<dl>"),
    "names in doubt": repeated("<p>10.1000/hdl[\u2013hdl:10.1000/182 "),
    "names in doubt in a paragraph": repeated("10.1000/hdl[\u2013hdl:10.1000/182 ", "<p>"),
    "names with tags inside": repeated("10.1000/<i></i>a"),
    "names with tags of words inside": repeated("10.1000/<span></span>a "),
    "one name with tags inside": repeated("<span>a</span>", "<p>10.1000/"),
    "one name with line ends": repeated("<wbr>a", "<p>10.1000/"),
    "one prefix with tags inside": repeated("<span></span>", "<p>10", ".1000/a"),
    "prefixes with tags inside": repeated("1<wbr>0<wbr>.1000/a "),
    "1 and tags": repeated("1<wbr>"),
    "1 and tags that do not end": repeated("1<wbr "),
    "1 and many tags": repeated("<wbr>", "1"),
    "1 and comments": repeated("1<!>0"),
    "doi.org and tags": repeated("doi.org/<wbr>"),
    "names after labels with tags": repeated("<span>DOI: </span>10.1000/a "),
    "one name after labels with tags": repeated("<span>DOI: </span>", "<p>", _NAME),
    "references without semicolons": repeated("&ampdoi:10.1000/a&notit10.1000/a "),
    "references that are none": repeated("&" + "a" * 40, _NAME),
    "references of all digits": repeated("&#" + "0" * 60 + "65;", _NAME),
    "one reference of digits": repeated("0", f"{_NAME}&#", "65;"),
    "ampersands": repeated("&", _NAME),
    "references for the prefix": repeated("&#49;&#48;&#46;1000/a "),
    "null characters": repeated("\0", f"<p>{_NAME}", _NAME),
    "null characters and names": repeated(f"\0{_NAME}<a\0>"),
    "spaces and line ends": repeated(" \n\t\r", f"<p>{_NAME}"),
    "base and meta": repeated(f"<base href=b><meta charset=utf-8>{_NAME}"),
}  # fmt: skip
