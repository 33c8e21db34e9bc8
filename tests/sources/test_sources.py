"""Readers: what counts in each type of file, and that the place is exact."""

import json
import random
import re
import tracemalloc
from pathlib import Path

import pytest

from doilinks import DOI, InvalidDOI
from doilinks.core.arxiv import paper_of
from doilinks.core.options import Options
from doilinks.sources import TYPES, Binary, CannotRead, Source, load, read, walk
from doilinks.sources.html import tags

from ..hosts.test_conformance import CASES
from ..tools.fixtures import CONFORMANCE, read_cases
from ..tools.places import unmarked


def rows(text, kind, **options):
    """Name, line, column and form of each DOI."""
    found = read(text, kind, Options(**options))
    return [(o.doi.name, o.line, o.column, o.form) for o in found]


def assert_places(marked, kind, expected):
    """Read a text in which a mark stands before each DOI; expected are names and forms."""
    text, places = unmarked(marked)
    found = rows(text, kind)
    assert [(name, form) for name, _, _, form in found] == expected
    assert [(line, column) for _, line, column, _ in found] == places


def names(text, kind, **options):
    return [row[0] for row in rows(text, kind, **options)]


def _expected(case, proxy):
    found = []
    for _, href in case.links:
        try:
            paper = paper_of(href)
            url = paper.doi.url if paper else href.replace(proxy, "https://doi.org/", 1)
            found.append(DOI.parse(url).name)
        except InvalidDOI:
            continue
    return found


def _cases(kind):
    host = {"md": "markdown_it", "rst": "docutils", "txt": "core", "html": "core"}[kind]
    own = CONFORMANCE / "hosts" / f"{host}.md"
    cases = [*CASES, *(read_cases(own) if own.exists() and kind != "html" else [])]
    # A link that hosts are told to leave alone is a DOI of the document nevertheless.
    return [
        pytest.param(kind, c, id=f"{kind}-{c.id}")
        for c in cases
        if host not in c.exceptions and c.options.get("urls") != "keep"
    ]


@pytest.mark.parametrize(
    ("kind", "case"), [each for kind in ("md", "rst", "txt", "html") for each in _cases(kind)]
)
def test_a_sentence_names_what_the_host_links(kind, case):
    options = Options.read(case.options)
    source = case.source
    if kind == "html":
        source = "<p>" + source.replace("&", "&amp;").replace("<", "&lt;") + "</p>"
    found = [o.doi.name for o in read(source, kind, options)]
    assert found == _expected(case, options.proxy)


MARKDOWN = r"""---
doi: 10.1000/front
---
# A ▸doi:10.1000/1 heading

See ▸10.1000/a\_b&amp;c and `10.1000/code`, [t](▸https://doi.org/10.1000/2 "x"),
[DOI: 10.1000/no][r], {doi}`▸10.1000/3`, $10.1000/math$ and <▸https://doi.org/10.1000/4>.

| a | ▸10.1000/5 |
|---|-----------|
| ▸10.1000/5 | **▸doi:10.1000/6** |

```python
10.1000/code
```

    10.1000/indented

```{note}
:class: doi:10.1000/option
hi ▸doi:10.1000/7
```

```{code-cell}
10.1000/code
```

:::{tip}
  ▸doi:10.1000/8
:::

> quoted ▸doi:
> 10.1000/9

<!-- 10.1000/comment --> <code>10.1000/code</code> [@doi:10.1000/key]
![10.1000/picture](10.1000/picture)

Foot[^1] in [10.1000/title](https://example.org/10.1000/other)

[^1]: ▸doi:10.1000/10

[r]: ▸http://dx.doi.org/10.1000/11
[unused]: https://doi.org/10.1000/12
"""


def test_markdown_places():
    assert_places(
        MARKDOWN,
        "md",
        [
            ("10.1000/1", "label"),
            ("10.1000/a_b&c", "bare"),
            ("10.1000/2", "link"),
            ("10.1000/3", "role"),
            ("10.1000/4", "angle"),
            ("10.1000/5", "bare"),
            ("10.1000/5", "bare"),
            ("10.1000/6", "label"),
            ("10.1000/7", "label"),
            ("10.1000/8", "label"),
            ("10.1000/9", "label"),
            ("10.1000/10", "label"),
            ("10.1000/11", "link"),
        ],
    )


CELLS = """\
```{r}
10.1000/a
```

```{python, echo=FALSE}
10.1000/b
```

```{python}
#| label: fig
"10.1000/c"
```

```{.python .numberLines}
10.1000/d
```

```{.python}
10.1000/e
```

```{=latex}
\\href{https://doi.org/10.1000/f}{x}
```

````{{python}}
10.1000/g
````

```{Rcpp}
10.1000/h
```

~~~{ojs}
10.1000/i
~~~

```{note}
doi:10.1000/1
```

```{my-own-directive}
doi:10.1000/2
```

:::{theorem}
doi:10.1000/3
:::
"""


def test_cells_of_notebooks_in_markdown_are_code():
    assert names(CELLS, "md") == ["10.1000/1", "10.1000/2", "10.1000/3"]


def test_comments_and_targets_of_myst_are_no_prose():
    text = "See doi:10.1000/1.\n% Not doi:10.1000/no\nand 10.1000/2, 5\\\n%10.1000/no\n\n"
    text += '(doi:10.1000/no)=\n# Title 10.1000/3\n\n+++ {"doi": "10.1000/no"}\n\n- item\n  % 10.1000/no\n'
    assert names(text, "md") == ["10.1000/1", "10.1000/2", "10.1000/3"]


def test_markdown_of_mkdocs():
    """What stands indented below an admonition, a details block or a tab is not code."""
    text = """\
!!! note "A title"

    See ▸doi:10.1000/1 here.

    ```
    code 10.1000/99
    ```

    !!! tip

        Nested ▸doi:10.1000/2.

            code 10.1000/98

=== "Tab"

    In a tab ▸doi:10.1000/3.

??? info

    - item ▸doi:10.1000/4

Paragraph.

    code doi:10.1000/97
"""
    assert_places(text, "md", [(f"10.1000/{number}", "label") for number in range(1, 5)])


def test_a_footnote_that_nothing_refers_to_is_read():
    text = "Text[^1].\n\n[^1]: See ▸doi:10.1000/1.\n\n[^2]: See [it](▸https://doi.org/10.1000/2).\n"
    assert_places(text, "md", [("10.1000/1", "label"), ("10.1000/2", "link")])


def test_a_name_in_markdown_keeps_what_would_be_markup():
    sici = "10.1002/1099(2000)13:5+<S29::AID-HPM465>3.0.CO;2-1"
    expected = [(sici, "bare"), ("10.1000/a*b*c", "bare")]
    assert_places(f"See ▸{sici} and ▸10.1000/a*b*c.", "md", expected)


REST = r"""=====
Title
=====

:doi: 10.1000/metadata
:Author: me

See ▸doi:10.1000/1 and *▸10.1000/2*, ``10.1000/code``, :doi:`▸10.1000/3` and :ref:`10.1000/key`.
`t <▸https://doi.org/10.1000/4>`_ `u`_ ▸https://doi.org/10.1002/(SICI)1097(1998)49:8<693::A>3.0.CO;2-0
[1]_ :math:`10.1000/math` ▸10.1000/a\_b ▸10.1000/c_ and ▸10.1000/d@e.org

`https://doi.org/10.1000/23 <▸https://doi.org/10.1000/23>`_ in ▸https://doi.org/10.1000/24
`dx <▸http://dx.doi.org/10.1000/23>`__ `https://doi.org/10.1000/25 at <▸https://doi.org/10.1000/25>`__

.. _u: ▸https://doi.org/10.1000/5
.. _unused: https://doi.org/10.1000/no
.. a comment 10.1000/comment

.. versionadded:: 1.2
   In ▸doi:10.1000/6

.. code-block:: python
   :caption: x

   10.1000/code

.. py:function:: f(x)
   :module: y

   Text. ▸doi:10.1000/7.

   .. note:: ▸doi:10.1000/8

   ::

     doi:10.1000/code

.. [1] Foot ▸doi:10.1000/9
   and ▸doi:
   10.1000/10

.. image:: https://zenodo.org/badge/DOI/10.5281/zenodo.3776837.svg
   :target: ▸https://doi.org/10.1000/11

+-----+-----------------+
| a   | ▸doi:10.1000/12  |
+-----+-----------------+
| a   | x               |
|     | ▸10.1000/13      |
+-----+-----------------+

============  ====
▸10.1000/14    x
============  ====
ab            ▸10.1000/15
============  ====

>>> 10.1000/doctest

.. |s| replace:: ▸doi:10.1000/16

term
    ▸doi:10.1000/17

| line ▸10.1000/18
| ▸10.1000/19

.. [Smith20] ▸doi:10.1000/20

.. parsed-literal::

   10.1000/code `t <▸https://doi.org/10.1000/22>`_

.. no-such-directive:: *unclosed
   :option: value

   ▸doi:10.1000/21 :no-such-role:`10.1000/key`
"""


def test_rest_places(capfd):
    assert_places(
        REST,
        "rst",
        [
            ("10.1000/1", "label"),
            ("10.1000/2", "bare"),
            ("10.1000/3", "role"),
            ("10.1000/4", "link"),
            ("10.1002/(SICI)1097(1998)49:8<693::A>3.0.CO;2-0", "url"),
            ("10.1000/a_b", "bare"),
            ("10.1000/c", "bare"),
            ("10.1000/d@e.org", "bare"),
            ("10.1000/23", "link"),
            ("10.1000/24", "url"),
            ("10.1000/23", "link"),
            ("10.1000/25", "link"),
            ("10.1000/5", "link"),
            ("10.1000/6", "label"),
            ("10.1000/7", "label"),
            ("10.1000/8", "label"),
            ("10.1000/9", "label"),
            ("10.1000/10", "label"),
            ("10.1000/11", "link"),
            ("10.1000/12", "label"),
            ("10.1000/13", "bare"),
            ("10.1000/14", "bare"),
            ("10.1000/15", "bare"),
            ("10.1000/16", "label"),
            ("10.1000/17", "label"),
            ("10.1000/18", "bare"),
            ("10.1000/19", "bare"),
            ("10.1000/20", "label"),
            ("10.1000/22", "link"),
            ("10.1000/21", "label"),
        ],
    )
    assert capfd.readouterr() == ("", "")


def test_rest_leaves_docutils_as_it_was():
    from docutils.parsers.rst import directives, roles

    before = directives.directive, roles.role
    names("See :foo:`x` 10.1000/1\n\n.. bar::", "rst")
    assert (directives.directive, roles.role) == before


def test_rest_includes_nothing(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("doi:10.1000/secret")
    source = f"doi:10.1000/1\n\n.. include:: {secret}\n\n.. raw:: html\n   :file: {secret}\n"
    assert names(source, "rst") == ["10.1000/1"]


HTML = """\
<!doctype html><html><head><title>doi:10.1000/title</title>
<meta name="citation_doi" content="10.1000/meta"></head><body>
<p>See <code>10.1000/code</code> <b>▸doi:10.1000/1</b> a&lt;b
<a class="doi" href="▸https://doi.org/10.1000/2">doi:10.1000/2</a>
▸DOI: <span>10.1000</span>/3&amp;4,<br>▸10.1000/5
<span class="docutils literal"><span class="pre">10.1000/code</span> 10.1000/code</span>
<img class="math" alt="10.1000/math"> <div class="math notranslate">10.1000/math</div>
<a href="https://example.org/10.1000/x">10.1000/x</a> <a id="y">▸10.1000/6</a>
<pre>10.1000/code <pre>x</pre> 10.1000/code</pre><td>▸10.1000/7<td>/8
<!-- 10.1000/comment --><script>'10.1000/script'</script>
<p>▸10.1002/1&lt;693::A&gt;3.0 <a href=▸https://doi.org/10.1000/9?a=b&amp;c>title</a>
"""


def test_html_places():
    assert_places(
        HTML,
        "html",
        [
            ("10.1000/1", "label"),
            ("10.1000/2", "link"),
            ("10.1000/3&4", "label"),
            ("10.1000/5", "bare"),
            ("10.1000/6", "bare"),
            ("10.1000/7", "bare"),
            ("10.1002/1<693::A>3.0", "bare"),
            ("10.1000/9", "link"),
        ],
    )


XHTML = """\
<?xml version="1.0"?><?x a > 10.1000/no ?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><style/></head><body>
<p><a href="https://doi.org/10.1000/1"/> and doi:10.1000/2 <a id="x"/> 10.1000/3</p>
<script src="a"/><p>10.1000/4 <code/> 10.1000/5 <i/>10.1000/6<!-- 10.1000/no --></p>
<p><![CDATA[a < b 10.1000/7 <a href="10.1000/8"> ]]> 10.1000/9</p>
<pre>10.1000/no <![CDATA[</pre>]]> 10.1000/no</pre><iframe/>10.1000/10
<script><![CDATA[ "</script>" 10.1000/no ]]></script>10.1000/11</body></html>
"""


def test_xhtml_is_read_as_xml():
    every = [f"10.1000/{number}" for number in range(1, 12)]
    assert names(XHTML, "xhtml") == every
    # What never ends takes the rest of the page, as in HTML.
    for tail in (
        "<![CDATA[ 10.1000/12",
        "<?x 10.1000/12",
        "<!-- 10.1000/12",
        "<a href='10.1000/12",
    ):
        assert names(XHTML + tail, "xhtml") == every + ["10.1000/12"] * (tail[2] == "[")


def test_html_does_not_know_a_tag_that_closes_itself():
    page = '<p><a href="https://doi.org/10.1000/1"/> and doi:10.1000/2</p>'
    assert names(page, "html") == ["10.1000/1"]


@pytest.mark.parametrize(
    "name", ["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"]
)
def test_html_that_a_browser_takes_for_text(name):
    """Its content is neither prose nor markup: what looks like a tag in it does not go on after it."""
    page = (
        f'doi:10.1000/1 <{name}>10.1000/a <a href="https://doi.org/10.1000/b">x</a>'
        f'<b title="</{name}>doi:10.1000/2 "></{name}> doi:10.1000/3'
    )
    assert names(page, "html") == ["10.1000/1", "10.1000/2", "10.1000/3"]


BIBTEX = r"""Text outside, doi = {10.1000/comment}
@comment{x, doi = {10.1000/comment}}
@string{s = "10.1000/string"}
@article{a,
  title = {A {nested} doi = {10.1000/title} @ home},
  doi = {▸10.1007/978\_3{\_}4\%5},
  url = "▸https://doi.org/10.1000/2",
  DOI = "{▸https://dx.doi.org/10.1000/3}",
  bdsk-url-1 = {▸http://dx.doi.org/10.1002/a$<$b\textgreater{}c},
  note = {See ▸10.1000/note}, howpublished = {\url{▸https://doi.org/10.1000/9}},
}
@book(b, doi = ▸10.1000/4, year = 2000)
@book{c, doi = {▸10.1000/5
@book{d, year = 2000, Doi={▸DOI: 10.1000/6}, url={https://example.org/10.1000/no}}
@misc{e, doi = {not a doi}, doi = {▸10.1000/7, ▸10.1000/8}}
"""


def test_bibtex_places():
    assert_places(
        BIBTEX,
        "bib",
        [
            ("10.1007/978_3_4%5", "field"),
            ("10.1000/2", "link"),
            ("10.1000/3", "field"),
            ("10.1002/a<b>c", "link"),
            ("10.1000/note", "bare"),
            ("10.1000/9", "link"),
            ("10.1000/4", "field"),
            ("10.1000/5", "field"),
            ("10.1000/6", "field"),
            ("10.1000/7", "field"),
            ("10.1000/8", "field"),
        ],
    )


PROSE = r"""
@misc{a,
  note = {doi: 10.1000/1, and DOI:~10.1000/a\_b.},
  annote = "See {\em doi:10.1000/2}.", annotation = {\textit{doi:10.1000/3}},
  howpublished = {Online, \url{https://doi.org/10.1000/4}, \url{10.1000/a~b}},
  eprint = {10.1000/5},
  url = {10.1000/6},
  abstract = {As \href{https://doi.org/10.1000/7}{10.1000/no} and \href{http://a.org}{10.1000/no}
    of doi:
    10.1000/8 say, not \cite{doi:10.1000/no}.},
  Addendum = {10.1000/9},
  title = {On 10.1000/no}, keywords = {10.1000/no}, file = {:10.1000/no.pdf:PDF},
}
"""


def test_bibtex_fields_that_pages_show():
    found = rows(PROSE, "bib")
    expected = ["10.1000/1", "10.1000/a_b", "10.1000/2", "10.1000/3", "10.1000/4", "10.1000/a~b"]
    expected += [f"10.1000/{number}" for number in range(5, 10)]
    assert [row[0] for row in found] == expected
    lines = PROSE.split("\n")
    for name, line, column, form in found:
        written = lines[line - 1][column - 1 :].removeprefix("https://doi.org/")
        assert form in ("label", "bare", "url", "link")
        if form == "label":
            written = re.sub(r"^(?i:doi):[~ ]?", "", written) or lines[line].strip()
        assert written.replace("\\_", "_").startswith(name)


@pytest.mark.parametrize("between", [" ", "  ", ", ", " and ", "\n    "])
def test_bibtex_several_urls_in_one_field(between):
    """As Mendeley exports them: the second one is not a part of the name."""
    urls = between.join(
        ("https://doi.org/10.1000/1", "http://arxiv.org/abs/1", "doi.org/10.1000/2")
    )
    names = [row[0] for row in rows(f"@article{{a, url = {{{urls}}}}}", "bib")]
    assert names == ["10.1000/1", "10.1000/2"]


CONCATENATED = """
@string{ pref = "10.1000/" # {x} }
@STRING(Both = pref # "-" # pref)
@article{a, doi = ▸pref # "1", note = "▸doi:" # PREF # 2 # {, } # {▸10.1000/3}, year = 2000 # 1}
@article{b, doi = {▸10.10} # "00/4", title = {A} # " B", url = "▸https://doi.org/" # pref}
@article{c, doi = ▸both, month = jan # "~1", note = {▸10.1000/5}}
@article{d, doi = ▸https://doi.org/10.1000/6, doi = ▸10.1000/7#8 , doi=▸10.1000/9
}
"""


def test_bibtex_values_that_are_put_together():
    assert_places(
        CONCATENATED,
        "bib",
        [
            ("10.1000/x1", "field"),
            ("10.1000/x2", "label"),
            ("10.1000/3", "bare"),
            ("10.1000/4", "field"),
            ("10.1000/x", "link"),
            ("10.1000/x-10.1000/x", "field"),
            ("10.1000/5", "bare"),
            ("10.1000/6", "field"),
            ("10.1000/7#8", "field"),
            ("10.1000/9", "field"),
        ],
    )


@pytest.mark.parametrize("field", ["doi", "url", "note", "howpublished"])
@pytest.mark.parametrize(
    "value", ["", "{}", '""', "{ }", "{\n}", "{{}}", "{} # {}", "#", "{", "\\url{}"]
)
def test_bibtex_values_without_text(field, value):
    text = f"@misc{{a, {field} = {value}, b = 1}}\n@misc{{b, {field} = {value}"
    assert names(text, "bib") == []


def test_bibtex_fields_with_the_name_of_another_work():
    fields = {
        "code_doi": "10.1000/1",
        "data-doi": "https://doi.org/10.1000/2",
        "my.own_DOI": "doi:10.1000/3",
        "no_doi": "true",  # says nothing about a name, so there is no message
        "nodoi": "10.1000/no",
        "doi_of_nothing": "10.1000/no",
        "_doi": "10.1000/no",
    }
    text = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    told = []
    found = list(read(f"@misc{{a,\n{text}}}", "bib", Options(), unread=told.append))
    assert [each.doi.name for each in found] == ["10.1000/1", "10.1000/2", "10.1000/3"]
    # The entry does not describe these works.
    assert [(each.form, each.around) for each in found] == [
        ("bare", None), ("link", None), ("link", None),
    ]  # fmt: skip
    assert not told


def test_bibtex_strings_do_not_grow_without_bounds():
    """Each is twice the one before it."""
    doubled = [f"@string{{a{n} = a{n - 1} # a{n - 1}}}" for n in range(1, 60)]
    text = "\n".join(['@string{a0 = "10.1000/x"}', *doubled, "@misc{a, note = a59, doi = a0}"])
    told = []
    found = [o.doi.name for o in read(text, "bib", Options(), unread=told.append)]
    assert found == ["10.1000/x"]


LINE_ENDS = """
@article{a, doi = {10.1000/abc
    def}}
@article{b, doi = "https://doi.org/10.1000/
    ghi"}
@article{c, url = {https://doi.org/10.1000/j
  kl}}
@article{d, doi = {
    10.1000/one
    10.1000/two
  }}
@article{e, doi = {10.1000/three
    and more}}
@article{f, url = {https://doi.org/10.1000/four
    https://doi.org/10.1000/five}}
"""


def test_a_doi_field_over_several_lines():
    found = list(read(LINE_ENDS, "bib", Options()))
    assert [(o.doi.name, o.line, [remark.code for remark in o.remarks]) for o in found] == [
        ("10.1000/abcdef", 2, ["line-break"]),
        ("10.1000/ghi", 4, ["line-break"]),
        ("10.1000/jkl", 6, ["line-break"]),
        ("10.1000/one", 9, []),
        ("10.1000/two", 10, []),
        ("10.1000/three", 12, []),
        ("10.1000/four", 14, []),
        ("10.1000/five", 15, []),
    ]


def test_a_doi_field_that_names_no_doi_is_told():
    text = (
        '@article{a, doi = {to appear}}\n@article{b, doi = pref # "1"}\n@misc{c, doi = {}, doi = " "}\n'
        "@misc{d, doi = {10.5555/ignored}, note = {not a doi}, doi = {\\url{10.1000/\x1b[31m"
        + "x" * 99
        + "}}}"
    )
    told = []
    found = list(read(text, "bib", Options(ignore=[r"10\.5555/"]), "r.bib", unread=told.append))
    assert found == []
    assert told[:2] == [
        "r.bib:1:20: the field doi does not contain a DOI name: 'to appear'",
        "r.bib:2:19: the field doi does not contain a DOI name: 'pref1' ('pref' is not defined)",
    ]
    assert len(told) == 3
    assert told[2].startswith(
        "r.bib:4:67: the field doi does not contain a DOI name: '10.1000/\\x1b[31mx"
    )
    assert len(told[2]) < 150


def test_a_long_line_of_rest_is_read():
    assert names("word " * 3000 + "10.1000/1\n", "rst") == ["10.1000/1"]


def notebook(*cells, **dumps):
    cells = [{"cell_type": kind, "source": source} for kind, source in cells]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, **dumps)


@pytest.mark.parametrize("ascii_only", [True, False])
def test_notebook_places_are_those_of_the_file(ascii_only):
    text = notebook(
        ("code", ["x = '10.1000/code'"]),
        ("markdown", ['# Hé "x"\n', 'é\t"𝕏"\\\\ doi:10.1000/1,\n', "10.1000/2"]),
        ("raw", ["10.1000/raw"]),
        ("markdown", "in one string\n\n10.1000/3"),
        indent=1,
        ensure_ascii=ascii_only,
    )
    found = rows(text, "ipynb")
    assert [row[0] for row in found] == ["10.1000/1", "10.1000/2", "10.1000/3"]
    lines = text.split("\n")
    for name, line, column, _ in found:
        assert lines[line - 1][column - 1 :].removeprefix("doi:").startswith(name)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_in_the_cell_of_a_notebook(end):
    cell = end.join(
        ["10.1000/1", "", "    code", "", "!!! note", "    10.1000/2", "", r"10.1000/\_3"]
    )
    for source in (cell, cell.splitlines(keepends=True), list(cell)):
        text = notebook(("markdown", source))
        found = list(read(text, "ipynb", Options()))
        assert [each.doi.name for each in found] == ["10.1000/1", "10.1000/2", "10.1000/_3"]
        if source == cell:
            assert [text[slice(*each.span)] for each in found] == [
                "10.1000/1", "10.1000/2", r"10.1000/\\_3",
            ]  # fmt: skip


def test_notebook_of_format_3():
    cells = [{"cell_type": "markdown", "source": ["doi:10.1000/1"]}]
    assert names(json.dumps({"worksheets": [{"cells": cells}]}), "ipynb") == ["10.1000/1"]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"cells": 3}', "[" * 100_000])
def test_what_is_no_notebook_is_an_error(text):
    with pytest.raises(CannotRead, match="not a notebook"):
        list(read(text, "ipynb", Options()))


@pytest.mark.parametrize(
    ("notebook", "why"),
    [
        ({"cells": [{"cell_type": "markdown", "source": 5}]}, "the source of cell 1 is not text"),
        (
            {"cells": [{"cell_type": "markdown", "source": ["10.1000/1", None]}]},
            "cell 1 is not text",
        ),
        (
            {"cells": [{"cell_type": "markdown", "source": {"a": "10.1000/1"}}]},
            "cell 1 is not text",
        ),
        ({"cells": [{"cell_type": "code"}, "10.1000/1"]}, "cell 2 is not an object"),
        ({"cells": {"cell_type": "markdown"}}, "there is no list of cells in it"),
        ({"worksheets": {"cells": []}}, "there is no list of cells in it"),
        ({"worksheets": [[]]}, "there is no list of cells in it"),
        ({"worksheets": None}, "there is no list of cells in it"),
    ],
)
def test_a_notebook_of_another_shape_is_an_error(notebook, why):
    with pytest.raises(CannotRead, match=f"^not a notebook .*{why}"):
        list(read(json.dumps(notebook), "ipynb", Options()))


def test_what_a_notebook_may_leave_out():
    cells = [{"cell_type": "markdown"}, {}, {"cell_type": "code", "source": 5}]
    cells.append({"cell_type": "markdown", "source": ["10.1000/1"]})
    # Extensions keep what they like in the metadata.
    kept = {"cells": [{"cell_type": "markdown", "source": "10.1000/no"}]}
    assert names(json.dumps({"metadata": {"a": kept, "b": kept}, "cells": cells}), "ipynb") == [
        "10.1000/1"
    ]


@pytest.mark.parametrize(
    ("source", "output"),
    [("10.1000/1", "iVBORw0K" * 50_000), ("10.1000/1", '\n"' * 100_000), ("ab " * 130_000, "")],
)
def test_a_notebook_takes_a_few_times_its_size_of_memory(source, output):
    cell = {"cell_type": "code", "source": "", "outputs": [{"data": {"image/png": output}}]}
    markdown = {"cell_type": "markdown", "source": source + " 10.1000/2"}
    text = json.dumps({"cells": [markdown, cell]})
    names(notebook(("markdown", "10.1000/1")), "ipynb")  # imports what it needs
    found, peak = peak_of(text, "ipynb")
    assert found[-1] == "10.1000/2"
    assert peak < 10 * len(text)


@pytest.mark.parametrize("kind", ["markdown", "code"])
def test_only_one_cell_of_a_notebook_is_in_memory(kind):
    prose = ["A line of prose, which contains no name.\n"] * 20
    data = {"output_type": "display_data", "data": {"text/html": prose}}
    other = {"cell_type": "code", "source": "", "outputs": [data]}
    cells = [{"cell_type": kind, "source": prose}, other]
    named = {"cell_type": "markdown", "source": [*prose, "See doi:10.1000/182."]}
    text = json.dumps({"cells": [*cells, named] * 800})
    names(notebook(("markdown", "10.1000/1")), "ipynb")  # imports what it needs
    found, peak = peak_of(text, "ipynb")
    assert found == ["10.1000/182"] * 800
    assert peak < len(text) / 2


def peak_of(text, kind):
    """The names of a text, and the octets of memory that it takes to read it."""
    tracemalloc.start()
    try:
        found = names(text, kind)
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


NESTED = {
    "lists": "- " * 170 + "10.1000/2",
    "block quotes": "\n".join(" " * depth + "10.1000/2" for depth in range(1, 400)),
    "directives": "\n\n".join("  " * depth + ".. note:: 10.1000/2" for depth in range(200)),
    "option lists": "".join("-a  " for _ in range(400)) + "10.1000/2",
}


@pytest.mark.parametrize("name", NESTED)
def test_what_is_nested_too_deeply_for_docutils_is_an_error(name):
    with pytest.raises(CannotRead, match=r"^nested too deeply$"):
        list(read(NESTED[name], "rst", Options()))
    assert names("10.1000/1", "rst") == ["10.1000/1"]


@pytest.mark.parametrize(
    "error", [TypeError("x"), KeyError(3), AssertionError(), OSError(5, "x"), RuntimeError("x\ny")]
)
def test_whatever_a_reader_raises_is_a_file_that_cannot_be_read(error, monkeypatch):
    """Parsers of others have bugs that nobody has met yet."""
    from doilinks.sources import found

    def fail(text, options):
        yield from real(text, options)
        raise error

    real = found.read_prose
    monkeypatch.setattr(found, "read_prose", fail)
    name = type(error).__name__
    with pytest.raises(CannotRead, match=rf"^reading it as txt failed \({name}\)$"):
        list(read("10.1000/1", "txt", Options()))


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_what_is_no_fault_of_the_file_is_not_taken_for_one(error, monkeypatch):
    def fail(text, options):
        raise error

    monkeypatch.setattr("doilinks.sources.found.read_prose", fail)
    with pytest.raises(error):
        list(read("10.1000/1", "txt", Options()))


@pytest.mark.parametrize(
    "kind", ["md", "rst", "html", "txt", "tex", "adoc", "typ", "rd", "rnw", "dcf", "citation"]
)
def test_options_count(kind):
    text = "See 10.1000/1, doi:10.1000/2 and doi:10.5555/3."
    assert names(text, kind) == ["10.1000/1", "10.1000/2", "10.5555/3"]
    assert names(text, kind, bare=False) == ["10.1000/2", "10.5555/3"]
    assert names(text, kind, ignore=[r"10\.5555/"]) == ["10.1000/1", "10.1000/2"]


@pytest.mark.parametrize(
    "kind",
    [kind for kind in TYPES if kind not in ("ipynb", "json", "cff", "yml")],
)
@pytest.mark.parametrize(
    "text", ["", "\n", "10.", "\0\x1b\u2028\ud800 10.1000/1", "doi:10.1000/1\r\n\x85\x0c10.1000/2"]
)
def test_odd_texts_raise_nothing(kind, text):
    lines = text.split("\n")
    for name, line, column, _ in rows(text, kind):
        assert lines[line - 1][column - 1 :].removeprefix("doi:").startswith(name)


def test_remarks_come_along():
    (found,) = read("A https://doi.org/10.5555/a#b", "md", Options())
    assert [remark.code for remark in found.remarks] == ["test-prefix", "url-fragment"]
    (found,) = read("[A](https://doi.org/10.1000/a#b)", "md", Options())
    assert [remark.code for remark in found.remarks] == ["url-fragment"]
    (found,) = read("*See* doi:10.1000/ab).", "rst", Options())
    assert [remark.code for remark in found.remarks] == ["cut-bracket"]


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in (
        "b.md", "a.rst", "c.c", "Sub/x.HTML", "sub/y.ipynb", ".hidden/z.md", ".z.md", "_build/z.md",
        "node_modules/z.md", "env/z.md", ".git/z.md", "zeta.qmd",
    ):  # fmt: skip
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("")
    (tmp_path / "env/pyvenv.cfg").write_text("")
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "dangling.md").symlink_to("nowhere.md")
    return tmp_path


def test_copies_of_sources_in_a_built_site_are_left_out(tree):
    """They are markup, of which a reader of plain text would read code and comments too."""
    for path in ("_site/objects.inv", "_site/a.html", "_site/_sources/b.rst.txt", "_sources/c.md"):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text("")
    assert [source.path for source in walk("_site")] == ["_site/a.html"]
    # Not those of an author's own folder, nor what is named.
    assert "_sources/c.md" in [source.path for source in walk(".")]
    assert list(walk("_site/_sources")) == [Source("_site/_sources/b.rst.txt", "rst")]
    assert list(walk("_site/_sources/b.rst.txt")) == [Source("_site/_sources/b.rst.txt", "rst")]


@pytest.mark.parametrize(
    ("beside", "built"),
    [
        ((), True),
        (
            ("robots.txt", "404.html", "a.xhtml", "search.json", ".nojekyll", "CNAME", ".git/x"),
            True,
        ),
        (("setup.py/index.html", "citation/index.html"), True),  # folders
        (("sub/README.md",), True),
        (("README.md",), False),
        (("conf.py",), False),
        (("CITATION",), False),
        (("package.json",), False),
    ],
)
def test_a_site_has_a_first_page_and_no_sources_beside_it(tmp_path, beside, built):
    for path in ("index.html", "build/a.html", "sub/dist/b.html", *beside):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    found = {Path(source.path).name for source in walk(str(tmp_path))}
    assert (found >= {"a.html", "b.html"}, found.isdisjoint({"a.html", "b.html"})) == (
        built,
        not built,
    )
    (tmp_path / "index.html").unlink()
    found = {Path(source.path).name for source in walk(str(tmp_path))}
    assert found.isdisjoint({"a.html", "b.html"})


def test_folders_are_walked_in_order(tree):
    assert list(walk(".")) == [
        Source("a.rst", "rst"),
        Source("b.md", "md"),
        Source("zeta.qmd", "md"),
        Source("Sub/x.HTML", "html"),
        Source("sub/y.ipynb", "ipynb"),
    ]


def test_what_is_left_out_is_told(tree):
    for path in (
        "build/a.md",
        "sub/dist/a.py",
        "x.egg-info/a.txt",
        "d/objects.inv",
        "d/_sources/a.md",
    ):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text("")
    told = []
    before = [source.path for source in walk(".")]
    found = [source.path for source in walk(".", left_out=lambda *each: told.append(each))]
    filled = "tools fill a folder of this name"
    assert found == before == ["a.rst", "b.md", "zeta.qmd", "Sub/x.HTML", "sub/y.ipynb"]
    assert sorted(told) == [
        (".hidden", "it is hidden"),
        (".z.md", "it is hidden"),
        ("_build", filled),
        ("build", filled),
        ("d/_sources", "it contains copies of sources"),
        (
            "dangling.md",
            "it is not a file, but a pipe, a socket, a device or a link that leads nowhere",
        ),
        ("env", "it is a virtual environment"),
        ("node_modules", filled),
        ("sub/dist", filled),
        ("x.egg-info", filled),
    ]
    assert list(walk("build")) == [Source("build/a.md", "md")]


def test_hidden_folders_are_read_when_asked_for(tree):
    found = [source.path for source in walk(".", hidden=True)]
    assert found[:2] == [".z.md", "a.rst"]
    assert ".hidden/z.md" in found
    assert ".git/z.md" not in found


def test_what_is_named_is_read(tree):
    assert list(walk("_build")) == [Source("_build/z.md", "md")]
    assert list(walk("c.c")) == [Source("c.c", "txt")]
    assert list(walk("c.c", "rst")) == [Source("c.c", "rst")]
    assert list(walk("loop/b.md")) == [Source("loop/b.md", "md")]
    (tree / "a.xhtml").touch()
    assert list(walk("a.xhtml")) == [Source("a.xhtml", "xhtml")]
    with pytest.raises(FileNotFoundError):
        list(walk("nowhere"))


def test_loading(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree")
    assert load(Source(str(file), "txt")) == "one\ntwo\nthree"
    with pytest.raises(CannotRead, match="Is a directory"):
        load(Source(str(tmp_path), "txt"))


META = '<meta http-equiv="content-type" content="text/html; charset={}">'
DECLARED = [
    ("txt", "utf-8-sig", ""),
    ("md", "utf-16", ""),
    ("rst", "utf-32", ""),
    ("html", "utf-16", '<meta charset="latin-1">'),  # the mark wins
    ("html", "koi8-r", "<p>\n<META CharSet = KOI8-R>"),
    ("html", "cp1251", META.format("windows-1251")),
    ("xhtml", "cp1251", '<?xml version="1.0" encoding="windows-1251"?>'),
    ("xhtml", "cp1251", META.format("windows-1251")),
    ("py", "koi8-r", "#!/usr/bin/python\n# vim: set fileencoding=koi8-r :\n"),
    ("py", "cp866", "# -*- coding: cp866 -*-\n"),
    ("rst", "koi8-r", ".. -*- coding: koi8-r -*-\n"),
    ("bib", "cp1251", "% Encoding: windows-1251\n\n"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "encoding", "head"), DECLARED)
def test_what_a_file_says_of_its_encoding_is_followed(kind, encoding, head, tmp_path):
    file = tmp_path / "file"
    text = f"{head} Ж 10.1000/ж"
    file.write_bytes(text.encode(encoding))
    remarks = []
    assert load(Source(str(file), kind), remarks.append) == text
    assert remarks == []


@pytest.mark.parametrize(
    ("kind", "octets", "text", "where"),
    [
        ("txt", b"one\ntwo \xe9 \x93", "one\ntwo é “", "0xe9 in line 2"),
        ("txt", b"\x81", "\ufffd", "0x81 in line 1"),
        ("py", b"# coding: utf-8\n'\xe9'", "# coding: utf-8\n'é'", "0xe9 in line 2"),
        ("py", b"# coding: nonsense\n'\xe9'", "# coding: nonsense\n'é'", "0xe9 in line 2"),
        ("py", b"\n\n# coding: koi8-r\n'\xe9'", "\n\n# coding: koi8-r\n'é'", "0xe9 in line 4"),
        ("html", b"<meta charset=utf-16>\xe9", "<meta charset=utf-16>é", "0xe9 in line 1"),
        ("ipynb", b'{"coding: koi8-r": "\xe9"}', '{"coding: koi8-r": "é"}', "0xe9 in line 1"),
    ],
)
def test_what_is_not_utf_8_is_guessed(kind, octets, text, where, tmp_path):
    file = tmp_path / "file"
    file.write_bytes(octets)
    remarks = []
    assert load(Source(str(file), kind), remarks.append) == text
    assert remarks == [f"{file}: not UTF-8 (byte {where}); read as Windows-1252"]


def test_latin_1_of_a_page_is_what_browsers_take_it_for(tmp_path):
    (tmp_path / "a").write_bytes(b"<meta charset=iso-8859-1>\x93")
    assert load(Source(str(tmp_path / "a"), "html"))[-1] == "“"
    (tmp_path / "a").write_bytes(b"# coding: latin-1\n\x93")
    assert load(Source(str(tmp_path / "a"), "py"))[-1] == "\x93"


@pytest.mark.parametrize(
    "name",
    ["utf-7", "idna", "punycode", "rot13", "zlib", "unicode_escape", "raw_unicode_escape", "cp037",
     "undefined", "utf-16-le"],
)  # fmt: skip
def test_an_encoding_in_which_the_declaration_could_not_be_is_not_followed(name, tmp_path):
    text = f"# coding: {name}\n10.1000/a\\u0062+AGE- xn--bcher-kva é"
    (tmp_path / "a").write_text(text, encoding="utf-8")
    assert load(Source(str(tmp_path / "a"), "py")) == text


@pytest.mark.parametrize(
    ("octets", "why"),
    [
        (b"10.1000/1 \0", "octet 11 is null"),
        ("10.1000/1".encode("utf-16-le"), "octet 2 is null"),
        (b"\xff\xfe10.1000/1", "it begins as UTF-16-LE, but is not"),
        (b"\xef\xbb\xbf\xff", "it begins as UTF-8, but is not"),
    ],
)
def test_a_binary_file_is_an_error_of_its_own(octets, why, tmp_path):
    (tmp_path / "a").write_bytes(octets)
    with pytest.raises(Binary, match=f"^{why}$"):
        load(Source(str(tmp_path / "a"), "txt"))


def test_a_null_far_inside_a_text_is_a_character_of_it(tmp_path):
    (tmp_path / "a").write_bytes(b"a" * 8000 + b"\0 10.1000/1")
    assert load(Source(str(tmp_path / "a"), "txt")).endswith("a\0 10.1000/1")


PIECES = (
    '<a href="x">', "<a href='y", "<a href=z ", "'", '"', ">", "</a>", "<!--", "-->", "--!>",
    "<script>", "</script>", "</script ", "<b ", "=", "/", "<", "text", "&amp;", " ", "<a/href=t>",
    "<title>", "</title>", "<style>", "</style>", "<?", "<!x", "</>", "<A\nHREF\n=\n'&lt;'>",
    "<noembed>", "</noembed>", "<xmp>", "</xmp>",
)  # fmt: skip


def test_tags_are_those_of_the_html_standard():
    import html5lib

    draw = random.Random(1)
    for _ in range(800):
        page = "<!doctype html><body>" + "".join(draw.choices(PIECES, k=draw.randint(1, 14)))
        tree = html5lib.parse(page, namespaceHTMLElements=False)
        hrefs = [link.get("href") for link in tree.iter("a") if link.get("href") is not None]
        found = [tag.href for tag in tags(page) if tag.name == "a" and not tag.closes]
        # A parser repeats misnested links.
        assert list(dict.fromkeys(filter(None, found))) == list(dict.fromkeys(filter(None, hrefs)))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("rst", "A\n=\n\nSee :arXiv:`▸2301.00001v2`.\n\narXiv:2301.00002\n"),
        ("md", "See {arxiv}`▸2301.00001` and `{arxiv}`.\n"),
        ("py", '"""See :arxiv:`the paper <2301.00001>`."""\n'.replace("the", "▸the")),
    ],
)
def test_the_role_of_arxiv_needs_no_option(kind, text):
    assert_places(text, kind, [("10.48550/arXiv.2301.00001", "role")])


def test_entities_of_a_bib_field_are_read():
    text = "@article{a, doi = {10.1002/x(1996)78:6&lt;1284::A&gt;3.0.CO;2-S}}\n"
    assert names(text, "bib") == ["10.1002/x(1996)78:6<1284::A>3.0.CO;2-S"]


@pytest.mark.parametrize("kind", ["html", "xhtml"])
@pytest.mark.parametrize(
    "place", ['<a href="{0}">x</a>', '<a href="https://doi.org/10.1000/a">{0}</a>', "{0}"]
)
def test_a_number_that_python_does_not_read(kind, place):
    number = "&#" + "1" * 5000 + ";"
    text = f"<p>{place.format(number)} https://doi.org/10.1000/182 end</p>"
    assert "10.1000/182" in names(text, kind)


CITED = r"""So ([see @doi:10.1000/a_b, p. 3; -@{doi:10.1000/183}], and
@doi:10.1000/184 [p. 3] says so; also [@doi:10.1000/185](https://example.org/).

* Item me@doi:10.1000/1, `[@doi:10.1000/2]`, \@doi:10.1000/3, [@doi:10.1000/ignored.]
"""


def test_citations_of_markdown_count_if_the_option_is_on():
    cited = [("10.1000/a_b", 1, 11), ("10.1000/183", 1, 37), ("10.1000/184", 2, 2)]
    found = rows(CITED, "md", cite=True, ignore=["10.1000/ignored"])
    assert found == [(*place, "cite") for place in cited]
    assert rows(CITED, "md") == []
    cell = {"cell_type": "markdown", "metadata": {}, "source": [CITED]}
    book = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    names_cited = [name for name, *_ in cited]
    assert names(book, "ipynb", cite=True) == [*names_cited, "10.1000/ignored"]


@pytest.mark.parametrize("role", ["doi:cite", "doi:cite:t", "DOI:Cite"])
def test_the_roles_that_cite_count(role):
    text = f"So :{role}:`see 10.1000/182, p. 3; 10.1000/183`.\n"
    at = text.index("10.")
    assert rows(text, "rst") == [
        ("10.1000/182", 1, at + 1, "cite"),
        ("10.1000/183", 1, text.index("10.1000/183") + 1, "cite"),
    ]
    assert rows(text, "rst", ignore=["10.1000/18"]) == []
    text = f"So {{{role.lower()}}}`see @doi:10.1000/182, p. 3; 10.1000/183`.\n"
    assert names(text, "md") == ["10.1000/182", "10.1000/183"]
    assert names(text, "md", cite=True) == ["10.1000/182", "10.1000/183"]
    assert names(f":{role}:`no name at all, not in doi:`\n", "rst") == []
