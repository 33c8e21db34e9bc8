"""Markdown: what counts in it, and that the place is exact."""

from ..tools.places import assert_places, names

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
        MARKDOWN, "md",
        [
            ("10.1000/1", "label"), ("10.1000/a_b&c", "bare"), ("10.1000/2", "link"),
            ("10.1000/3", "role"), ("10.1000/4", "angle"), ("10.1000/5", "bare"),
            ("10.1000/5", "bare"), ("10.1000/6", "label"), ("10.1000/7", "label"),
            ("10.1000/8", "label"), ("10.1000/9", "label"), ("10.1000/10", "label"),
            ("10.1000/11", "link"),
        ],
    )  # fmt: skip


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
