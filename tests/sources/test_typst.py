"""Typst: which names of a document count, where they are, and what is around them."""

from doilinks.core.options import Options
from doilinks.files.sources import read

from ..tools.places import assert_places

DOCUMENT = r"""= Title ▸doi:10.1000/1 <doi:no>
#link("▸https://doi.org/10.1000/2")[here 10.1000/no], ▸https://doi.org/10.1000/3_x, ▸doi:10.1000/a\_b,
*▸10.1000/4* _▸10.1000/5_ #link("▸https://doi.org/10.1000/6") `10.1000/code` // 10.1000/comment
/* 10.1000/comment
10.1000/comment */ https://example.org/10.1000/no @doi:10.1000/key
```typ
10.1000/code
```
/* /* 10.1000/comment */ 10.1000/comment /* /**/ */ */ ````typ 10.1000/code ``` 10.1000/code ````
#doi("▸10.1000/13") #undoi("10.1000/no")
#entry(doi: "▸10.1000/7", title: "10.1000/no", url: "▸https://doi.org/10.1000/8")
#footnote[See #link(
    "▸https://doi.org/10.1000/9",
  )[DOI 10.1000\/10].] ▸10.1000/11~x He said "see ▸10.1000/12 there", #link("https://doi.org/10.1000/" + x)
"""


def test_typst_places():
    forms = dict.fromkeys(
        (4, 5, 11, 12), "bare",
    ) | {1: "label", 2: "link", 9: "link", 7: "role", 13: "role"}  # fmt: skip
    forms |= dict.fromkeys((3, 6, 8), "url")
    names = {number: f"10.1000/{number}" for number in forms} | {3: "10.1000/3_x"}
    expected = [(names[number], forms[number]) for number in sorted(forms)]
    expected.insert(3, ("10.1000/a_b", "label"))
    expected.insert(7, expected.pop())
    assert_places(DOCUMENT, "typ", expected)


def test_a_link_whose_text_names_another_work_says_so():
    text = '#link("https://doi.org/10.1000/1")[10.1000\\/2]'
    (found,) = read(text, "typ", Options(), blocks=True)
    assert found.other.name == "10.1000/2"
    assert found.block == text


def test_the_block_is_a_paragraph_or_an_item():
    text = """#grid(
  [A. Doe. #link("https://doi.org/10.1000/1")],
  [B. Roe. doi:10.1000/2],
)
- C. Moe. 10.1000/3
+ D. Loe. 10.1000/4
"""
    blocks = [each.block.strip() for each in read(text, "typ", Options(), blocks=True)]
    assert [block.splitlines()[-1].strip() for block in blocks] == [
        '[A. Doe. #link("https://doi.org/10.1000/1")],', "[B. Roe. doi:10.1000/2],",
        "- C. Moe. 10.1000/3", "+ D. Loe. 10.1000/4",
    ]  # fmt: skip
