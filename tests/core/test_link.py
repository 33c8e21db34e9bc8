"""Links for names found, and for links that are in the text already."""

import re
from itertools import product

import pytest

from doilinks import DOI, InvalidDOI, scan
from doilinks.core.link import Link, leads_to_doi, link_match, link_to, relink
from doilinks.core.options import Options

NAME = DOI("10.1000/456#789")


@pytest.mark.parametrize(
    ("display", "text"),
    [
        ("uri", "doi:10.1000/456%23789"),
        ("legible", "doi:10.1000/456%23789"),
        ("url", "https://doi.org/10.1000/456%23789"),
        ("name", "10.1000/456#789"),
        ("source", "DOI: 10.1000/456#789"),
    ],
)
def test_display(display, text):
    link = link_to(NAME, Options(display=display), "DOI: 10.1000/456#789")
    assert link == Link(text, "https://doi.org/10.1000/456%23789", NAME)


def test_proxy():
    options = Options(proxy="https://doi.example.edu/")
    assert link_to(NAME, options).href == "https://doi.example.edu/10.1000/456%23789"


def test_a_bare_name_needs_the_option():
    text = "10.1000/1 doi:10.1000/2 <10.1000/3>"
    links = [link_match(match, Options(bare=False), text) for match in scan(text)]
    assert [link and link.text for link in links] == [None, "doi:10.1000/2", "doi:10.1000/3"]


TITLE = (None, "https://doi.org/10.1000/182")
NAMED = ("doi:10.1000/a%23b%3Fc", "https://doi.org/10.1000/a%23b%3Fc")
PROTECTED = ("doi:10.1000/a_b", "https://doi.org/10.1000/a_b")
SHOWN = ("doi:10.1000/182", "https://doi.org/10.1000/182")


@pytest.mark.parametrize(
    ("href", "text", "link"),
    [
        ("doi:10.1000/182", "doi:10.1000/182", SHOWN),
        ("doi:10.1000/182", "the Handbook", TITLE),
        ("https://doi.org/10.1000/182", "https://doi.org/10.1000/182", SHOWN),
        ("https://doi.org/10.1000/182", "10.1000/182", SHOWN),
        ("https://doi.org/10.1000/182", "DOI: 10.1000/182", SHOWN),
        ("https://doi.org/10.1000/182", "10.1000/183", TITLE),
        ("http://dx.doi.org/10.1000/182", "http://dx.doi.org/10.1000/182", SHOWN),
        ("//doi.org/10.1000/182", "x", TITLE),
        ("https://doi-org.lib.example.edu/10.1000/182", "x", TITLE),
        ("https://doi.org/10.1000/182#top", "x", (None, "https://doi.org/10.1000/182#top")),
        # A bibliography's link without encoding: the text says that it is all name.
        ("https://doi.org/10.1000/a#b?c", "doi:10.1000/a#b?c", NAMED),
        ("https://doi.org/10.1000/182#top", "10.1000/182", (SHOWN[0], SHOWN[1] + "#top")),
        (
            "https://doi.org/10.1000/182#top",
            "https://doi.org/10.1000/182#top",
            (SHOWN[0], SHOWN[1] + "#top"),
        ),
        # A bibliography's link with what protects the characters of a field.
        (r"https://doi.org/10.1000/a{\_}b", r"doi:10.1000/a{\_}b", PROTECTED),
        (r"https://doi.org/10.1000/a\_b", r"https://doi.org/10.1000/a\_b", PROTECTED),
        ("https://doi.org/10.1000/a{_}b", r"doi:10.1000/a\textunderscore b", PROTECTED),
        (r"https://doi.org/10.1000/a\#b?c", r"doi:10.1000/a\#b?c", NAMED),
        ("https://doi.org/10.1000/a{b}", "x", (None, "https://doi.org/10.1000/a%7Bb%7D")),
        ("https://doi.org/10.1000/a%5C_b", "x", (None, "https://doi.org/10.1000/a%5C_b")),
        ("https://example.org/10.1000/182", "10.1000/182", None),
        ("https://doi.org/10.1000/182", " 10.1000/182 ", (" doi:10.1000/182 ", SHOWN[1])),
        ("10.1000/182", "x", None),
        ("javascript:doi:10.1000/182", "x", None),
        ("https://doi.org/resources", "x", None),
        ("", "", None),
    ],
)
def test_relink(href, text, link):
    found = relink(href, text, Options())
    assert (found and found[:2]) == link


def test_relink_as_the_option_says():
    link = ("http://dx.doi.org/10.1000/182", "10.1000/182")
    assert relink(*link, Options(urls="target"))[:2] == TITLE
    assert relink(*link, Options(urls="keep")) == Link(None, None, DOI("10.1000/182"))
    assert relink(*link, Options(ignore=(".*",))) is None
    assert relink(*link, Options(urls="keep", ignore=(".*",))) is None


def test_nothing_in_a_url_leaves_the_target():
    found = relink('https://doi.org/10.1000/182?"><script>', "x", Options())
    assert found.href == "https://doi.org/10.1000/182?%22%3E%3Cscript%3E"


@pytest.mark.parametrize(
    ("before", "text", "label"),
    [
        ("See doi: ", "doi:10.1000/182", 5), ("See doi:", "doi:10.1000/182", 4),
        ("See mydoi: ", "doi:10.1000/182", 0), ("See the DOI ", "doi:10.1000/182", 0),
        ("?doi=", "10.1000/182", 0), ("DOI#", "10.1000/182", 0),
    ],
)  # fmt: skip
def test_a_label_before_a_link(before, text, label):
    link = relink("https://doi.org/10.1000/182", "10.1000/182", Options(), before)
    assert (link.text, link.label) == (text, label)


def test_a_label_before_a_title_stays():
    assert relink(NAME.url, "the Handbook", Options(), "DOI: ").label == 0


SCHEMES = ("https://", "http://", "HTTPS://", "//", "http:/", "https:", "https//:", "https//", "")
HOSTS = (
    *("doi.org", "dx.doi.org", "www.doi.org", "www.dx.doi.org", "DX.DOI.ORG", "doi"),
    *("doi-org.lib.example.edu", "dx-doi-org.lib.example.edu", "www-doi-org.lib.example.edu"),
    *("doi.org.ezproxy.example.edu", "dx.doi.org.ezproxy.example.edu:2048"),
    *("example.org", "doi.org.example.org", "notdoi.org", "hdl.handle.net"),
)
BETWEEN = ("/", "//", ":", ": ", "/doi:", "/https://doi.org/", "/urn:doi:", "/%20", "")
PATHS = ("10.1000/182", "10.1000/a%2Fb?q#f", "10.1000:182", "cr3qwn", "10/cr3qwn", "resources")
# URLs that are read as a DOI but are not taken for a link to one: without a scheme, a browser reads
# the path of a page on the same site, so that only what cannot be anything else counts.
NO_TARGET = re.compile(r"(?!https?|//)[^:/]+(?::? ?|/+)(?!10\.)", re.IGNORECASE)


def test_every_url_that_is_a_doi_leads_to_it():
    read = led = 0
    for url in map("".join, product(SCHEMES, HOSTS, BETWEEN, PATHS)):
        try:
            doi = DOI.parse(url)
        except InvalidDOI:
            assert relink(url, "", Options()) is None, url
            continue
        read += 1
        assert leads_to_doi(url, Options()) or NO_TARGET.match(url), url
        if leads_to_doi(url, Options()):
            led += 1
            assert relink(url, "", Options()).doi == doi
    assert read > 1000
    assert led > 0.9 * read
