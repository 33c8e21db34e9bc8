"""Runs of one character, in every construct of every type of file, beside names.

What a reader does with a run, such as spaces that an alignment left, shows in that construct alone:
to locate a code span is another task than to locate the target of a link. A run of 40 characters
is enough for what takes exponential time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .html import SHAPES
from .inputs import INPUTS

RUN = "…"  # in a construct, the place of the run

# Each construct has a name; in some, the run goes on in the next line, or the construct has no end.
CONSTRUCTS: dict[str, tuple[str, ...]] = {
    "md": (
        "<a href='https://doi.org/10.1000/1…'><img src='https://a.org/badge/…'></a>",
        "doi:10.1000/1… 10.1000/2",
        "doi:10.1000/1 `10.1000/a…\nb`",
        "doi:10.1000/1 `10.1000/a…",
        "[10.1000/a…\nb](https://doi.org/10.1000/1…)",
        "[a](<https://doi.org/10.1000/1…\\_> '…')",
        "[10.1000/a…b][c] [c…]\n\n[c]: https://doi.org/10.1000/1…\n",
        "![10.1000/a…\nb](10.1000/b…) doi:10.1000/1",
        "<https://doi.org/10.1000/1…>",
        "<span title='10.1000/a…\nb'>doi:10.1000/1</span>",
        "<div title='10.1000/a…\nb'>\n\n<!-- doi:10.1000/1… -->",
        "**10.1000/1…** *10.1000/a…\n_b",
        "# 10.1000/1…\n\n10.1000/1…\n---",
        "* 10.1000/1\n  `10.1000/a…\n  b`\n\n1. …10.1000/1",
        "> 10.1000/1 `10.1000/a…\n> b` > …10.1000/2",
        "| doi:10.1000/1… | `10.1000/a…\\|` |\n|---|---|\n| 10.1000/1 | `10.1000/a…` … |",
        "$10.1000/a…\nb$ doi:10.1000/1\n\n$$10.1000/a…$$",
        "{doi}`10.1000/1…` {doi}`…a <10.1000/1…>` {code}`10.1000/a…\nb`",
        "```{note} …\n:a: …\n10.1000/1 `10.1000/a…\nb`\n```",
        "~~~…\n10.1000/a\n~~~\n\n!!! note …\n    10.1000/1…",
        "a… 10.1000/1\n: 10.1000/1…\n\n[^1]: 10.1000/1…\n\nb[^1…]",
        "10.1000/a\\_…\\_b&amp;… {#a …}\n\n% … doi:10.1000/1\n\n(…)=",
        "<p>10.1000/1…\n<a href='https://doi.org/10.1000/1…'>…</a>\n\n```{=html}\n<b…>10.1000/1…\n```",
        "a <a href='https://doi.org/10.1000/1…'>10.1000/1…</a> <b…>10.1000/1",
    ),
    "rst": (
        "doi:10.1000/1… 10.1000/2",
        "doi:10.1000/1 ``10.1000/a…\nb``",
        "doi:10.1000/1 ``10.1000/a…",
        "`10.1000/a…\nb <https://doi.org/10.1000/1…\n/b>`_ `10.1000/a… <b_>`__",
        ":doi:`10.1000/1…` :doi:`…a <10.1000/1…>` :code:`10.1000/a…\nb` `10.1000/1…`",
        "10.1000/1…\n==========\n\n10.1000/a…b_ |10.1000/a…| [10.1000/a…]_",
        "*10.1000/1…* **10.1000/a…\nb** _`10.1000/a…`",
        "* 10.1000/1\n  ``10.1000/a…\n  b``\n\n#. …10.1000/1",
        "    10.1000/1 ``10.1000/a…\n    b``",
        "=========== ===\n10.1000/1 … b\n=========== ===\n",
        "+----------------+\n| 10.1000/1…     |\n+----------------+\n\n| 10.1000/1 ``a…``\n| b",
        ":a…: 10.1000/1…\n:b: ``10.1000/a…``\n\n10.1000/1…\n   10.1000/1…\n",
        "10.1000/1…::\n\n   10.1000/a…\n\n>>> 10.1000/a…\n",
        ".. note:: …10.1000/1\n   :a: …\n\n   10.1000/1…\n\n.. 10.1000/a…\n\n.. math:: 10.1000/a…\n",
        ".. _a: https://doi.org/10.1000/1…\n.. _b…: https://doi.org/10.1000/1\n\na_ and b…_",
        ".. [1] 10.1000/1…\n.. |a| replace:: 10.1000/1…\n.. image:: a…\n   :target: https://doi.org/10.1000/1…\n",
        "10.1000/a\\_…\\_b \\10.1000/a…",
        ".. raw:: …html\n\n   <a href='https://doi.org/10.1000/1…'>…</a> 10.1000/1…\n   <b…>10.1000/1\n",
    ),
    "html": (
        "<p>doi:10.1000/1…</p><code>10.1000/a…</code>",
        "<a href='https://doi.org/10.1000/1…'>10.1000/a…</a>",
        "<p…>10.1000/1</p…><…p>10.1000/1",
        "<!-- 10.1000/1… --> <!…> <?…> </…>",
        "<![CDATA[10.1000/1…]]><script>10.1000/a…</script>",
        "<dl><dt>10.1000/1…<dd>10.1000/1…</dl><table><tr><td>10.1000/1…<td>…</table>",
        "10.1000/&amp;…&lt… &#x41… doi:10.1000/1",
        '<a href="https://doi.org/10.1000/1…" title=…',
    ),
    "bib": (
        "@a{b, doi = {10.1000/1…}, note = {10.1000/1…\nb}, url = {x…b\nc…\n10.1000/1}}",
        "@a{b, doi = {…10.1000/a…\nb…}, eprint = …10.1000/1…, url = {https://doi.org/10.1000/1…}}",
        '@a{b, doi = "10.1000/1…", note = "10.1000/1…" # … # {b}, …}',
        "@a…{b…, doi… = {10.1000/1}}",
        "@string{a… = …{10.1000/1…}}",
        "@a{b, note = {\\url…{10.1000/1…} \\href…{https://doi.org/10.1000/1…}…{a…}}}",
        "@a{b, doi = {10.1000/1{\\_…}$<…$\\textless…{}}}",
        "@comment{10.1000/1…}\n…@a{c, doi = {10.1000/1…",
        "% doilinks: ignore…\n",
    ),
    "tex": (
        "doi:10.1000/1… 10.1000/a\\_…{\\_}…\\-b$<$…",
        "\\href…{https://doi.org/10.1000/1…}…{10.1000/a…{b…}} \\url{https://doi.org/10.1000/1…}",
        "\\href{https://doi.org/10.1000/1…}{10.1000/a…",
        "\\href{https://doi.org/10.1000/1…",
        "\\doi…{10.1000/1…} \\doi[…]{\\url{https://doi.org/10.1000/1…}} \\doibase…10.1000/1",
        "\\cite…[doi:10.1000/1…][…]{10.1000/a…} \\label{…",
        "\\bibitem…[…{…[…]…}…]…%\n{10.1000/a…} \\cite[…{10.1000/1…",
        "\\verb|10.1000/a…| \\verb+…10.1000/1\n",
        "\\verb{doi}…\n\\verb 10.1000/1…\n\\endverb\n\\bibinfo…{doi}…{10.1000/1…}",
        "\\begin{verbatim}10.1000/a…\\end{verbatim} \\iffalse 10.1000/1…\\fi",
        "% 10.1000/a…\n10.1000/%…\n  1… % doilinks: ignore…\n",
        "{…{10.1000/1…}…} \\textless…{}10.1000/1 \\item[…]10.1000/1",
        "<<…10.1000/1…>>=\n10.1000/1…\n@…\n<<10.1000/1…>\n",
    ),
    "adoc": (
        "doi:10.1000/1… *10.1000/1*…, 10.1000/a\\_…&lt;…",
        "https://doi.org/10.1000/1…[10.1000/a…] link:…https://doi.org/10.1000/1…[…\n…]",
        "link:++https://doi.org/10.1000/1…++[a…] doi:10.1000/1…[…] doi:10.1000/1…[…",
        "`10.1000/a…\nb` +10.1000/a…+ ++…10.1000/1++ +++10.1000/a…+++ +++10.1000/a…",
        "pass:[10.1000/a…] image::…[10.1000/a…] <<10.1000/a…>> [[10.1000/a…]] xref:…[10.1000/1",
        "= 10.1000/1…\n:a…: https://doi.org/10.1000/1…\n\n10.1000/1…\n----------",
        "[source…]\n.…\n----…\n10.1000/a…\n----\n\n[listing]\n10.1000/a…\n\n  10.1000/a…",
        "// doilinks: ignore…\n\n////\n10.1000/a…\n////\n* 10.1000/1…\n|===\n|10.1000/1…|…\n|===",
    ),
    "typ": (
        "doi:10.1000/1… *10.1000/1*…, 10.1000/a\\_…~10.1000/1",
        '#link(…"https://doi.org/10.1000/1…")…[10.1000/a…] #f(doi:…"10.1000/1…", "https://doi.org/10.1000/1',
        "`10.1000/a…\nb` https://doi.org/10.1000/1… <a…> @a… 10.1000/1\\…",
        "= 10.1000/1…\n- 10.1000/1…\n/ 10.1000/1…: a\n// 10.1000/a…\n",
        "/* 10.1000/a…\n… */ ```10.1000/a…\n``` // doilinks: ignore…\n",
        "/*…/*…10.1000/a…*/…*/ `…```10.1000/a…````",
    ),
    "rd": (
        "doi:10.1000/1… 10.1000/a\\%…\\{… \\doi…{10.1000/1…} \\doi{10.1000/1…",
        "\\href…{https://doi.org/10.1000/1…}…{10.1000/a…{b…}} \\url{https://doi.org/10.1000/1…}",
        "\\code{10.1000/a…{…}} \\examples{10.1000/a…{… % doilinks: ignore…\n}}",
        "\\item…{10.1000/1…}{…} \\Sexpr[…]{10.1000/a…} % 10.1000/a…\n",
        "\\href{https://doi.org/10.1000/1…}{10.1000/a…",
        "\\code…{10.1000/1…",
    ),
    "r": (
        "#' \\doi{10.1000/1…} doi:10.1000/1…\n#'…10.1000/2\n#' @examples…\n#' 10.1000/a…\n#' @a…\n",
        "# 10.1000/1…\n#…10.1000/1 # …\n",
        "x <- '10.1000/a…' # 10.1000/1…\ny <- \"10.1000/a…\\\\…\" # 10.1000/1\n`a…`\n",
        'r"-…(10.1000/a…)-" # 10.1000/1…\n',
        "bibentry(…doi…=…'10.1000/1…', b(\"doi:10.1000/a\\x2f…\", '…'))…\n",
        "citHeader(…'10.1000/1…",
    ),
    "dcf": ("A: 10.1000/1 <doi:10.1000/1…>\n  <doi:…10.1000/2>…\nB…: https://doi.org/10.1000/1…\n",),
    "py": (
        '"""doi:10.1000/1…\n\n``10.1000/a…\nb``\n"""',
        'def f():\n    """10.1000/1 ``10.1000/a…\n    b``\n\n    :a: 10.1000/1…\n    """',
        "x = '10.1000/a…' # 10.1000/1…",
        "# 10.1000/1…\n#…10.1000/1\n…",
        "class A:\n    a = 1\n    'doi:10.1000/1…' '…10.1000/2'\n    f'…{1}' … #",
        "r'''\n``10.1000/a…\n  b`` 10.1000/1…\n'''",
    ),
    "cff": (
        "doi: 10.1000/1…\n",
        'doi: "10.1000/1…"\n',
        "abstract: >\n  10.1000/1…\n  …10.1000/1\n",
        "abstract: |\n  10.1000/1…\n\n  … 10.1000/1\n",
        "url: https://doi.org/10.1000/1…\n",
        "identifiers:\n  - type: doi\n    value: 10.1000/1…\n",
    ),
    "json": (
        '[{"doi": "10.1000/1…"}',
        '{"identifier": ["https://doi.org/10.1000/1…", {"value": "10.1000/a…"}]}',
        '{"description": "<a href=\\"https://doi.org/10.1000/1…\\">…</a>", "notes": "10.1000/1…"}]',
    ),
    "txt": ("doi:10.1000/1… 10.1000/2", "https://doi.org/10.1000/1…/b", "doi:…10.1000/1"),
}  # fmt: skip
# A notebook has cells of Markdown, and YAML has one text with all of its constructs.
APART = {"cff": "", "json": ",", "py": "\n\n", "bib": "\n\n", "html": "\n"}

UNITS = (
    " ", "\t", "\xa0", "\\", "|", ">", "`", "*", "_", "[", "]", "(", ")", "{", "}", "<", "&", "#", "0", "1",
    "a", "é", '"', "'", ":", "-", "~", "=", "+", ".", ",", ";", "/", "%", "$", "^", "!", "?", "@", "\0", "\ufffd",
    "\n", "\r", "\n>", " |", "> ", " \\", "\\ ", "\\\\|", "%20", "&gt;", "&nbsp;", "\n\t", "](", "<a ", "''",
)  # fmt: skip


def _run(constructs: tuple[str, ...], apart: str, unit: str, size: int) -> str:
    """All constructs, with runs of about ``size`` characters in all."""
    places = sum(each.count(RUN) for each in constructs)
    return apart.join(constructs).replace(RUN, unit * max(1, size // (places * len(unit))))


# By the type of file, the texts and their names.
RUNS: dict[str, dict[str, Callable[[int], str]]] = {
    kind: {
        f"runs of {unit!a} in {kind}": partial(_run, constructs, APART.get(kind, "\n\n"), unit)
        for unit in UNITS
    }
    for kind, constructs in CONSTRUCTS.items()
}
PLACES = {kind: sum(each.count(RUN) for each in some) for kind, some in CONSTRUCTS.items()}
# The entry points that read texts of a type.
READ = {
    **dict.fromkeys(("source md", "source ipynb", "fix md"), "md"),
    **dict.fromkeys(("markdown-it-py", "Python-Markdown", "MkDocs"), "md"),
    **dict.fromkeys(("source rst", "fix rst", "blocks of rst", "docutils Parser"), "rst"),
    **dict.fromkeys(("source html", "source xhtml", "fix html"), "html"),
    "a page of HTML, in place": "html",
    **dict.fromkeys(("source bib", "fix bib"), "bib"),
    **dict.fromkeys(("source tex", "fix tex"), "tex"),
    "source py": "py",
    "source adoc": "adoc",
    "source rd": "rd",
    **dict.fromkeys(("source r", "source citation"), "r"),
    "source dcf": "dcf",
    "source typ": "typ",
    "source cff": "cff",
    "source json": "json",
    "source txt": "txt",
}
# And those that read whole pages.
WITH_SHAPES = ("source html", "a page of HTML, in place")
EVERY = {
    **INPUTS,
    **{made: make for each in RUNS.values() for made, make in each.items()},
    **SHAPES,
}


def inputs_of(entry: str) -> list[str]:
    """The names of all inputs for an entry point."""
    runs = RUNS[READ[entry]] if entry in READ else ()
    return [*INPUTS, *runs, *(SHAPES if entry in WITH_SHAPES else ())]
