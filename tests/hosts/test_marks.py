"""No page of a host for Markdown shows the word that stands for a name while the host reads.

The documents have such words of their own, which stay. Host and plug-ins read some texts twice, make
identifiers of headings and descriptions of pictures, and count, sort and quote.
"""

import re

import pytest

from . import HOSTS

OWN = "zdoi ZDOI0x zdoi7x zdoi1y§ §zdoi2w &#122;doi0x zdoibbbbbbbbbbbb0x"
DOCUMENT = f"""\
# Title of 10.1000/head `10.1000/code` {OWN}

## "10.1000/a_b--c"... and *10.1000/em*'s

{OWN} 10.1000/text[^1] again[^1], [^2] [10.1000/label], [10.1000/in](u "10.1000/title")
![10.1000/alt {OWN}](x.png "10.1000/title") <b title="10.1000/html">10.1000/bold</b> <DOI: 10.1000/tag>

Term 10.1000/term
: 10.1000/definition {{.c}}

| 10.1000/row | b |
|-------------|---|
| `10.1000/c` | 10.1000/cell |

* [ ] 10.1000/task{{#i}}

<!-- 10.1000/comment -->

[^1]: note 10.1000/note
[^2]: [see *this* @doi:10.1000/cited, **p**. 3; @doi:10.1000/other] and 10.1000/other
[10.1000/label]: https://example.org/10.1000/target
"""
NAMES = ("head", "text", "bold", "cell", "note", "other", "a_b--c")


@pytest.mark.parametrize(
    "host", [name for name in HOSTS if name.startswith(("markdown", "myst", "mkdocs"))]
)
@pytest.mark.filterwarnings("ignore:.*MystReferenceResolver.app.*")
@pytest.mark.parametrize("cite", ["on", "off"])
def test_no_page_shows_a_mark(host, cite):
    [page] = HOSTS[host].pages([DOCUMENT], {"cite": cite, "display": "source"})
    [without] = HOSTS[host].pages([DOCUMENT], None)
    marks = re.compile("[zZ](?:doi|DOI)[a-z0-9]*|§")
    assert marks.findall(page) == marks.findall(without)
    for name in NAMES:
        assert f'href="https://doi.org/10.1000/{name}"' in page, name
