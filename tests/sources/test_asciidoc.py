"""AsciiDoc: which names of a document count, where they are, and what is around them."""

from doilinks.core.options import Options
from doilinks.files.sources import read

from ..tools.places import assert_places

DOCUMENT = r"""= A title with ▸doi:10.1000/1
:doi: 10.1000/no
:paper: ▸https://doi.org/10.1000/2

See ▸https://doi.org/10.1000/a_b[the _paper_, 10.1000/no], link:▸https://doi.org/10.1000/3[], link:▸https://doi.org/10.1000/33[ ], and
link:$$▸https://doi.org/10.1000/(1)2<3:a>4$$[it], link:++▸https://doi.org/10.1000/4__5++[this], ▸doi:10.1000/6[], ▸doi:10.1000/7[a text], ▸<https://doi.org/10.1000/8>.
▸https://doi.org/10.1000/9, (▸10.1000/10), *▸10.1000/11*, _▸10.1000/12_ and +▸10.1000/13+ and ++▸10.1000/14++.
Code `10.1000/code` and `+10.1000/code+` and ``10.1000/code``, pass:[10.1000/raw], +++<b>10.1000/raw</b>+++,
image:10.1000/no[10.1000/no] image:https://example.org/10.1000/no.svg[10.1000/no, link="▸https://doi.org/10.1000/23"] <<10.1000/no,10.1000/no>> [[10.1000/no]]footnote:[▸doi:10.1000/15, and
▸https://doi.org/10.1000/16[b\]]. ▸10.1000/c\_d&lt;5::6&gt;7. https://example.org/10.1000/no[10.1000/no]

// 10.1000/comment
[source,python]
----
10.1000/code
----

Title ▸10.1000/17
----------------

....
10.1000/code
....

////
10.1000/comment
////

++++
10.1000/raw
++++

```rust
10.1000/code
```

[listing]
10.1000/code
10.1000/code

[source]
--
10.1000/code

10.1000/code
--

 10.1000/literal
10.1000/literal

 * ▸10.1000/18
   ▸10.1000/19
. ▸10.1000/20

|===
|a|▸10.1000/21|b
|===

====
▸10.1000/22
====
"""


def test_asciidoc_places():
    forms = dict.fromkeys((*range(1, 5), *range(6, 15), 23, *range(15, 23)), "bare")
    forms |= dict.fromkeys((1, 6, 15), "label") | dict.fromkeys((2, 3, 9), "url")
    forms |= dict.fromkeys((4, 7, 16, 23), "link") | {8: "angle"}
    names = {number: f"10.1000/{number}" for number in forms} | {4: "10.1000/4__5"}
    expected = [(names[number], form) for number, form in forms.items()]
    expected.insert(2, ("10.1000/a_b", "link"))
    expected[4:4] = [("10.1000/33", "url"), ("10.1000/(1)2<3:a>4", "link")]
    expected.insert(19, ("10.1000/c_d<5::6>7", "bare"))
    assert_places(DOCUMENT, "adoc", expected)


def test_the_block_is_a_paragraph_or_an_item():
    found = read("* J. Doe. A. doi:10.1000/1\n* R. Roe. B. doi:10.1000/2\n\nC\n", "adoc", Options(), blocks=True)  # fmt: skip
    assert [each.block for each in found] == [
        "* J. Doe. A. doi:10.1000/1", "* R. Roe. B. doi:10.1000/2",
    ]  # fmt: skip
