"""Documents made by chance from many constructs: the same seed, the same document.

A name with characters that mean something in markup stands in a sentence of its own, so that what
a host does to such a name reaches no further than the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from ..tools.names import real_names

_PLAIN = re.compile(r"10\.[0-9]{4,9}/[A-Za-z0-9.()/:;-]*[A-Za-z0-9]")
_TYPED = re.compile(r"--|\.\.|\(c\)|\(r\)|\(tm\)|/[0-9]|www\.|//|\.[a-z]", re.IGNORECASE)
_ALL = [name for name in real_names() if name.isascii() and "%" not in name]
TAME = [name for name in _ALL if _PLAIN.fullmatch(name) and not _TYPED.search(name)]
ODD = [name for name in _ALL if not _PLAIN.fullmatch(name) or _TYPED.search(name)]

WORDS = (
    "the of and measured model samples results are we show that in a for data noise 2 37 % don't"
    " author's “quoted” ‘so’ it’s naïve 1990–2000 — … 3 × 4 café 東京 Δx e.g. et al. (see) [sic] 50"
).split()
# None of these is to be linked.
NEGATIVES = (
    "10.0.0.0/8", "25.10.2015/21", "10/2021/01", "2010.1234/foo", "version 10.1000", "10.5",
    "https://example.org/doi/10.1101/2020.01.02.123456", "a/10.1000", "1.10.1000/a", "10,1000/182",
    "https://example.org/?doi=10.1000/182", "doi", "DOI:", "doi:", "the DOI 10.",
)  # fmt: skip
# Forms in running text; each is a name to link.
FORMS = (
    "{}", "doi:{}", "doi: {}", "DOI: {}", "DOI {}", "DOI:{}", "https://doi.org/{}",
    "http://dx.doi.org/{}", "doi.org/{}",
)  # fmt: skip
AROUND = (
    "{}", "({})", "({}).", '"{}"', "'{}'", "“{}”", "{},", "{}.", "{};", "{}:", "see {},", "[{}]",
    "(see {})", "{}!", "{}?", "‘{}’", "«{}»", "{} -- and", "{}'s", "x {} y",
)  # fmt: skip

Inline = Callable[[Random], str]
Block = Callable[[Random, Inline], str]


def _words(random: Random, most: int = 7) -> str:
    return " ".join(random.choice(WORDS) for _ in range(random.randint(1, most)))


def _name(random: Random) -> str:
    return random.choice(TAME)


def _mention(random: Random) -> str:
    written = random.choice(FORMS).format(_name(random))
    return random.choice(AROUND).format(written)


def _sentence(random: Random, inlines: tuple[Inline, ...], *, doi: bool) -> str:
    parts = [_words(random)]
    for _ in range(random.randint(0, 4)):
        parts += random.choice(inlines)(random), _words(random, 3)
    if doi and random.random() < 0.7:
        parts.insert(random.randint(0, len(parts)), _mention(random))
    if random.random() < 0.2:
        parts.append(random.choice(NEGATIVES))
    end = random.choice((".", ".", "?", "", "!", " …"))
    return (
        random.choice((" ", " ", "\n")).join(parts).replace("\n-", " -").replace("\n ", "\n") + end
    )


def _indented(text: str, by: str) -> str:
    return text.replace("\n", "\n" + by)


def _document(
    seed: int, blocks: tuple[Block, ...], inlines: tuple[Inline, ...], odd: str,
    *, dois: bool,
) -> str:  # fmt: skip
    random = Random(seed)

    def sentence(random: Random) -> str:
        return _sentence(random, inlines, doi=dois)

    made = []
    for _ in range(random.randint(4, 12)):
        made.append(random.choice(blocks)(random, sentence))
        if dois and random.random() < 0.3:
            made.append(odd.format(random.choice(FORMS[:4]).format(random.choice(ODD))))
    return "\n\n".join(made) + "\n"


def _line(random: Random, sentence: Inline) -> str:
    return sentence(random).replace("\n", " ")


_MARKDOWN_INLINES: tuple[Inline, ...] = (
    lambda r: f"*{_words(r, 3)}*", lambda r: f"**{_words(r, 3)}**", lambda r: "`10.1000/182`",
    lambda r: f"``doi:{_name(r)} `x` ``", lambda r: "[a page](https://example.org/a_(b))",
    lambda r: "<https://example.org/10.1101/5>", lambda r: f"![alt {_words(r, 2)}](pic.png)",
    lambda r: f'<span title="doi:{_name(r)}">{_words(r, 2)}</span>', lambda r: "<br>",
    lambda r: "a<sub>2</sub>", lambda r: r"escaped \* and \_ and \[",
    lambda r: "&amp; &lt;b&gt; &copy; &#8211;", lambda r: f"<!-- doi:{_name(r)} -->",
    lambda r: "~~gone~~", lambda r: "www.example.org", lambda r: "mail@example.org",
    lambda r: "$x_1$", lambda r: "hard  \nbreak",
)  # fmt: skip
# What is linked, or is by some hosts, which know no mathematics.
_MARKDOWN_LINKS: tuple[Inline, ...] = (
    lambda r: f'<a href="https://example.org/r">at {_name(r)} *and*</a>',
    lambda r: f"<code>doi:{_name(r)}</code>", lambda r: "$x_1 + 10.1000/182$",
    lambda r: f"[the paper](https://doi.org/{_name(r)})",
    lambda r: f'[title *x*](http://dx.doi.org/{_name(r)} "t")',
    lambda r: f"<https://doi.org/{_name(r)}>", lambda r: f"<doi:{_name(r)}>",
    lambda r: f"*{_words(r, 2)} {_name(r)}*", lambda r: f"**doi:{_name(r)}**",
    lambda r: f"[{_name(r)}](https://example.org/x)", lambda r: f"![at {_name(r)}](pic.png)",
    lambda r: f"[![badge](b.svg)](https://doi.org/{_name(r)})",
)  # fmt: skip


def _markdown_table(r: Random, s: Inline) -> str:
    rows = [f"| {_line(r, s).replace('|', '')} | {_words(r, 2)} |" for _ in range(r.randint(1, 3))]
    return "\n".join(["| One | Two |", "|:----|---:|", *rows])


_MARKDOWN_BLOCKS: tuple[Block, ...] = (
    lambda r, s: s(r),
    lambda r, s: s(r) + "\n" + s(r),
    lambda r, s: "#" * r.randint(1, 4) + " " + _line(r, s),
    lambda r, s: f"{_words(r)}\n" + r.choice(("====", "----")),
    lambda r, s: "\n".join(f"- {_line(r, s)}\n\n  - {_line(r, s)}\n" for _ in range(2)),
    lambda r, s: "\n".join(f"{n}. {_line(r, s)}" for n in range(1, 4)),
    lambda r, s: f"> {_line(r, s)}\n>\n> > {_line(r, s)}",
    _markdown_table,
    lambda r, s: f"<div>\n{_words(r)} <b>bold</b>\n</div>",
    lambda r, s: f"<!-- {_name(r)}\n-->",
    lambda r, s: f"Term\n: {_line(r, s)}",
    lambda r, s: f"With a note[^n{r.randint(1, 9**9)}] here.",
    lambda r, s: f"[^n{r.randint(1, 9**9)}]: {_line(r, s)}",
    lambda r, s: f"One[^m].\n\n[^m]: {_line(r, s)}",
    lambda r, s: f"$$\nx_{r.randint(1, 9)}\n$$",
    lambda r, s: f"!!! note\n    {_line(r, s)}",
    lambda r, s: f"```{{note}}\n{_line(r, s)}\n```",
    lambda r, s: f"- [ ] {_line(r, s)}\n- [x] {_line(r, s)}",
    lambda r, s: "***",
)  # fmt: skip
_MARKDOWN_LINKING: tuple[Block, ...] = (
    lambda r, s: f"    code {_name(r)}",
    lambda r, s: f"```python\n# doi:{_name(r)}\n```",
    lambda r, s: f"<div>\n{_name(r)} <b>bold</b>\n</div>",
    lambda r, s: f"$$\n10.1000/182 + x_{r.randint(1, 9)}\n$$",
)


def markdown(seed: int, *, dois: bool = True) -> str:
    """A document of Markdown; without ``dois`` it holds them only where nothing is linked."""
    inlines = _MARKDOWN_INLINES + (_MARKDOWN_LINKS if dois else ())
    blocks = _MARKDOWN_BLOCKS + (_MARKDOWN_LINKING if dois else ())
    return visible(_document(seed, blocks, inlines, "The name {} is one.", dois=dois))


def visible(text: str) -> str:
    """Spell ``<doi:...>`` in headings in another way.

    Python-Markdown alone takes it for an element, of which nothing gets into a table of contents.
    """
    return re.sub(r"(?m)^(#.*)<doi:", r"\1<https://doi.org/", text)


_REST_INLINES: tuple[Inline, ...] = (
    lambda r: f"*{_words(r, 3)}*", lambda r: f"**{_words(r, 3)}**", lambda r: f"``doi:{_name(r)}``",
    lambda r: "`a page <https://example.org/a>`_", lambda r: "https://example.org/10.1101/5",
    lambda r: r"escaped \*stars\* and \`x", lambda r: ":math:`10.1000/182 + x_1`",
    lambda r: ":sub:`2`", lambda r: ":emphasis:`word`", lambda r: "|sub|", lambda r: "`a title`",
    lambda r: "mail@example.org", lambda r: "snake_case and f(*args)",
    lambda r: ":code:`10.1000/182`",
)  # fmt: skip
_REST_LINKS: tuple[Inline, ...] = (
    lambda r: f":doi:`{_name(r)}`", lambda r: f"`the paper <https://doi.org/{_name(r)}>`_",
    lambda r: f"`the paper <http://dx.doi.org/{_name(r)}>`__",
    lambda r: f"*{_words(r, 2)} {_name(r)}*", lambda r: f"**doi:{_name(r)}**",
    lambda r: f"<doi:{_name(r)}>", lambda r: f"`{_name(r)} <https://example.org/x>`__",
    lambda r: f"<https://doi.org/{_name(r)}>",
)  # fmt: skip


def _rest_heading(r: Random, s: Inline) -> str:
    title = _line(r, s)
    return f"{title}\n{r.choice('=') * (2 * len(title) + 20)}"


def _rest_table(r: Random, s: Inline) -> str:
    cells = [_line(r, s) for _ in range(r.randint(1, 3))]
    bar = "=" * 12 + "  " + "=" * 200
    rows = [f"{n:<12}  {cell}" for n, cell in enumerate(cells, 1)]
    return "\n".join([bar, "One           Two", bar, *rows, bar])


_REST_BLOCKS: tuple[Block, ...] = (
    lambda r, s: s(r),
    lambda r, s: s(r) + "\n" + s(r),
    _rest_heading,
    lambda r, s: "\n".join(f"* {_indented(s(r), '  ')}\n\n  - {_line(r, s)}\n" for _ in range(2)),
    lambda r, s: "\n".join(f"{n}. {_line(r, s)}" for n in range(1, 4)),
    lambda r, s: f"   {_indented(s(r), '   ')}\n\n   -- {_words(r, 2)}",
    _rest_table,
    lambda r, s: f".. list-table::\n\n   * - {_line(r, s)}\n     - {_words(r)}",
    lambda r, s: f".. code-block:: python\n\n   # doi:{_name(r)}",
    lambda r, s: f"Literal::\n\n   {_name(r)}",
    lambda r, s: f".. math::\n\n   10.1000/182 + x_{r.randint(1, 9)}",
    lambda r, s: f".. raw:: html\n\n   <b>{_name(r)}</b>",
    lambda r, s: f".. a comment with {_name(r)}",
    lambda r, s: f"term\n   {_indented(s(r), '   ')}",
    lambda r, s: f":Field: {_line(r, s)}\n:Other: {_words(r)}",
    lambda r, s: f"-o FILE  {_line(r, s)}",
    lambda r, s: f"| {_line(r, s)}\n| {_words(r)}",
    lambda r, s: f".. note:: {_line(r, s)}\n\n   {_indented(s(r), '   ')}",
    lambda r, s: f".. admonition:: {_words(r, 3)}\n\n   {_indented(s(r), '   ')}",
    lambda r, s: f"See [#]_.\n\n.. [#] {_indented(s(r), '   ')}",
    lambda r, s: f"See [C{(n := r.randint(1, 9**9))}]_.\n\n.. [C{n}] {_indented(s(r), '   ')}",
    lambda r, s: f".. figure:: pic.png\n   :alt: at {_name(r)}\n\n   {_line(r, s)}",
    lambda r, s: f".. topic:: {_words(r, 2)}\n\n   {_indented(s(r), '   ')}",
    lambda r, s: f".. epigraph::\n\n   {_indented(s(r), '   ')}\n\n   -- {_words(r, 2)}",
    lambda r, s: f">>> f('{_name(r)}')\n'x'",
    lambda r, s: f".. _x{(n := r.randint(1, 9**9))}: https://doi.org/10.1000/182\n\nThe x{n}_ one.",
)  # fmt: skip


def rest(seed: int, *, dois: bool = True) -> str:
    """A document of reStructuredText; without ``dois`` as in :func:`markdown`."""
    inlines = _REST_INLINES + (_REST_LINKS if dois else ())
    blocks = _REST_BLOCKS if dois else _REST_BLOCKS[:-2]  # pandoc knows no doctests
    document = _document(seed, blocks, inlines, "The name {} is one.", dois=dois)
    end = " of 10.1000/182" if dois else ""
    return f"{document}\n.. |sub| replace:: the substitution{end}\n"
