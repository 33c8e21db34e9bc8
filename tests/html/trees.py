"""The trees of a page before and after: only links may differ.

Both pages get a mark where a link shows another text now. A link that is new becomes its mark again
when the page has been parsed, and the attributes that may change do not count.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from doilinks.sources.browsers import start_tag
from doilinks.tools.pages import Edit

from ..tools.hosts import replaced

_MADE = "data-made"


def marked(text: str, edits: Sequence[Edit]) -> tuple[str, str]:
    """A page before and after, with marks."""
    tags = [start_tag(text, at.start(), {}) for at in re.finditer("<a[^b-z]", text, re.IGNORECASE)]
    inside = {each[0] for tag in tags for each in edits if tag.start < each[0] < tag.end}
    before, after = [], []
    for number, (start, end, new) in enumerate(edits):
        mark = f"⟦{number}⟧"
        if new.startswith("<a "):
            opened = new[: new.index(">") + 1].replace("<a ", f'<a {_MADE}="{number}" ', 1)
            before.append((start, end, mark))
            after.append((start, end, f"{opened}{mark}</a>"))
        elif start in inside:
            after.append((start, end, new))
        else:
            shown = mark if new else ""
            before.append((start, end, shown))
            after.append((start, end, shown))
    return replaced(text, before), replaced(text, after)


# What a browser reads: the pages, before and after, as one text each, without what links may have gained.
# Scripts are allowed, because a browser without them reads a page in another way.
# One frame reads all of them, because to make one takes longer than to read a page.
IN_BROWSER = """pages => {
  const frame = document.body.appendChild(document.createElement("iframe"));
  const read = pages.map(page => {
    const tree = frame.contentDocument;
    tree.open();
    tree.write(page);
    tree.close();
    const all = [tree];
    for (const each of all) {
      for (const made of each.querySelectorAll("a[data-made]")) made.replaceWith(made.textContent);
      for (const link of each.querySelectorAll("a"))
        for (const name of ["class", "href", "title"]) link.removeAttribute(name);
      for (const inner of each.querySelectorAll("template")) if (inner.content) all.push(inner.content);
    }
    tree.normalize();
    return tree.documentElement.outerHTML;
  });
  frame.remove();
  return read;
}"""

_PIECES = (
    *("10.1000/182", "doi:10.1000/456#789", "DOI: 10.1000/a.", "(10.1000/b)", " ", "\n", "text "),
    *("https://doi.org/10.1000/183", "http://dx.doi.org/10.1000/1&amp;2 ", "DOI: ", "<b>DOI:</b> "),
    *("10.1000/a&lt;b&gt;c ", "10.1000/a<3 ", "&#49;0.1000/1 ", "10.1000/<wbr>1 ", "10.1000/<i>1"),
    *('<a href="http://dx.doi.org/10.1000/1">', "<a href=doi:10.1000/2 class=x>", "<a name=y>"),
    *("<A HREF='https://doi.org/10.1000/a#b' CLASS='x'>", "</a>", "</a>", "</a>", "<a href=x>"),
    *("<a href=https://doi.org/10.1000/5/>", "<a\thref\n=\n'doi:10.1000/2'title=t/>", "<a name=z/>"),
    *('<a class="x" href="https://doi.org/10.1000/6" title="a > b">', "<a href>", "<a"),
    *("<!-- 10.1000/7 -->", "<!-->", "<!--", "-->", "<!x>", "<?php 10.1000/8 ?>", "</ x>", "<3", "<"),
    *("<![CDATA[", "]]>", "<![CDATA[ > 10.1000/9 ]]>", "&", "&lt;a&gt;", '"', "'", "=", "/>", ">"),
    *("<script>", "</script>", "<script/>", "<style>", "</style>", "<title>", "</title>"),
    *("<script>'<!--<script>'", "<textarea>", "</textarea>", "<plaintext>", "<iframe>", "</iframe>"),
    *("<svg>", "</svg>", "<svg/>", "<foreignObject>", "<desc>", "<math>", "</math>", "<mi>", "<style/>"),
    *("<template>", "</template>", "<noscript>", "</noscript>", "<select>", "<option>", "</select>"),
    *("<object>", "</object>", "<button>", "</button>", "<frameset>", "<frame>", "<noframes>"),
    *("<html>", "<head>", "</head>", "<body>", "</body>", "</html>", "<base href=y>", "<meta a=b>"),
)  # fmt: skip
_NAMES = (
    "p", "div", "span", "b", "i", "em", "code", "pre", "h1", "li", "ul", "table", "caption", "tr",
    "td", "th", "thead", "tbody", "colgroup", "dl", "dt", "dd", "section", "nobr", "font", "label",
    "summary", "details", "blockquote", "center", "ruby", "rt", "sup", "form", "input", "br", "hr",
)  # fmt: skip
PIECES = (*_PIECES, *(f"<{name}>" for name in _NAMES), *(f"</{name}>" for name in _NAMES))


def odd_page(seed: int) -> str:
    """A page of pieces, most of which are names, links and tags that do not fit together."""
    chance = random.Random(seed)
    begin = chance.choice(("", "<!DOCTYPE html>", "<!DOCTYPE html><html><body>"))
    # Few kinds of pieces meet one another more often than many do.
    few = chance.sample(PIECES, chance.randrange(4, 24))
    few += chance.sample(_PIECES[:18], 3)
    return begin + "".join(chance.choice(few) for _ in range(chance.randrange(3, 40)))
