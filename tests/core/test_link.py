"""Links for names found, and for links that are in the text already."""

import re
from itertools import product

import pytest

from doilinks import DOI, InvalidDOI, scan
from doilinks.core.link import Link, leads_to_doi, link_match, link_to, relink
from doilinks.core.options import Options

from ..tools.tables import tables

TABLES = tables(__file__)

NAME = DOI("10.1000/456#789")


@pytest.mark.parametrize(("display", "text"), TABLES["display"])
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


@pytest.mark.parametrize(("href", "text", "link"), TABLES["relink"])
def test_relink(href, text, link):
    found = relink(href, text, Options())
    assert (found and [*found[:2]]) == link


def test_relink_as_the_option_says():
    link = ("http://dx.doi.org/10.1000/182", "10.1000/182")
    assert relink(*link, Options(urls="target"))[:2] == (None, "https://doi.org/10.1000/182")
    assert relink(*link, Options(urls="keep")) == Link(None, None, DOI("10.1000/182"))
    assert relink(*link, Options(ignore=(".*",))) is None
    assert relink(*link, Options(urls="keep", ignore=(".*",))) is None


def test_nothing_in_a_url_leaves_the_target():
    found = relink('https://doi.org/10.1000/182?"><script>', "x", Options())
    assert found.href == "https://doi.org/10.1000/182?%22%3E%3Cscript%3E"


@pytest.mark.parametrize(("before", "text", "label"), TABLES["a_label_before_a_link"])
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
            link = relink(url, "", Options())
            assert link is None or link.href is None, url
            continue
        read += 1
        assert leads_to_doi(url, Options()) or NO_TARGET.match(url), url
        if leads_to_doi(url, Options()):
            led += 1
            assert relink(url, "", Options()).doi == doi
    assert read > 1000
    assert led > 0.9 * read
