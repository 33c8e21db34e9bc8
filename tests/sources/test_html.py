"""HTML: what counts in a page, and that the place is exact."""

import pytest

from doilinks.core.options import Options
from doilinks.sources import html, read
from doilinks.tools.pages import link_page

from ..tools.places import document, names


def test_xhtml_is_read_as_xml():
    page = document("XHTML: a page")
    every = [f"10.1000/{number}" for number in range(1, 12)]
    # What never ends is left out, and the rest counts.
    for tail in (
        "<![CDATA[ 10.1000/12", "<?x 10.1000/12", "<!-- 10.1000/12", "<a href='10.1000/12",
    ):  # fmt: skip
        assert names(page + tail, "xhtml") == every
    assert names("<p>10.1000/1<br>10.1000/2</p><p>10.1000/3", "xhtml") == every[:3]


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


@pytest.mark.parametrize("kind", ["html", "xhtml"])
@pytest.mark.parametrize(
    "place", ['<a href="{0}">x</a>', '<a href="https://doi.org/10.1000/a">{0}</a>', "{0}"]
)
def test_a_number_that_python_does_not_read(kind, place):
    number = "&#" + "1" * 5000 + ";"
    text = f"<p>{place.format(number)} https://doi.org/10.1000/182 end</p>"
    assert "10.1000/182" in names(text, kind)


def test_a_page_that_is_too_long_is_named(monkeypatch):
    monkeypatch.setattr(html, "LARGEST", 2_000_000)
    said: list[str] = []
    page = f"<p>10.1000/182{' ' * html.LARGEST}"
    assert not list(read(page, "html", Options(), "a.html", said.append))
    assert said == ["a.html:1:1: it is longer than 2 million characters"]
    assert link_page(page, Options()) == ([], 0, 0, (), "it is longer than 2 million characters")


def test_the_whole_name_is_suggested_for_a_link_that_ends_in_it():
    page = '<a href="https://doi.org/10.1000/1(1)">doi:10.1000/1(1)</a>&lt;2:a&gt;2.3.CO;2'
    found = list(read(page, "html", Options()))
    assert [(str(each.doi), str(each.whole)) for each in found] == [
        ("10.1000/1(1)", "10.1000/1(1)<2:a>2.3.CO;2")
    ]
