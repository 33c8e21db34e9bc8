"""The table of publishers: every row says what is a page of a work, and what is not."""

import pytest

from doilinks import DOI
from doilinks.core.publishers import PUBLISHERS, doi_at

WILEY = "https://onlinelibrary.wiley.com/doi/10.1002/asi.20508"
HOSTS = [(row, host) for row in PUBLISHERS for host in row.hosts]


def at(url, host):
    """The same page at another host."""
    return url.replace(url.split("/")[2], host.replace("*", "journal"))


@pytest.mark.parametrize(("row", "host"), HOSTS, ids=[host for _, host in HOSTS])
def test_a_row(row, host):
    for prefix in ("", "" if "*" in host else "www."):
        found = doi_at(at(row.example, prefix + host))
        assert found is not None
        assert found.name == row.name
    assert doi_at(at(row.unlike, host)) is None


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.journals.uchicago.edu/doi/abs/10.1086/503444", "10.1086/503444"),
        ("http://elifesciences.org/lookup/doi/10.7554/eLife.01567", "10.7554/eLife.01567"),
        # The catalogue of the APA has works of other publishers.
        (
            "https://psycnet.apa.org/doi/10.1080/03640210802035399",
            "10.1080/03640210802035399",
        ),
    ],
)
def test_pages_that_real_documents_link_to(url, name):
    assert doi_at(url) == DOI(name)


@pytest.mark.parametrize("row", PUBLISHERS, ids=[row.hosts[0] for row in PUBLISHERS])
def test_a_row_takes_no_file_and_no_place_on_the_page(row):
    page = row.example.partition("#")[0]
    for more in ("/pdf", ".pdf", "/epdf", "/suppl", "/figures/1", ".full.pdf", "#Sec3", "#MOESM1"):
        assert doi_at(page + more) is None, more
    assert doi_at(f"{page}{'&' if '?' in page else '?'}download=true") is None


@pytest.mark.parametrize("row", PUBLISHERS, ids=[row.hosts[0] for row in PUBLISHERS])
def test_every_character_is_read_once(row):
    """A long address is no page, and is not read again and again."""
    for part in ("/", "a", "1", ".", "1/", "a/", "%2F", ";jsessionid=", "?id=", "&doi="):
        assert doi_at(row.example + part * 100_000) in (None, DOI(row.name))


@pytest.mark.parametrize(
    "url",
    [
        WILEY, f" {WILEY} ", f"{WILEY}/", f"{WILEY}.", f"{WILEY}).", f"{WILEY}/full",
        f"{WILEY}?casa_token=a&needAccess=true", f"{WILEY}#", f"{WILEY}#.Xy_z",
        f"{WILEY};jsessionid=A1B2.f03t01", WILEY.replace("10.1002/", "10.1002%2F"),
        WILEY.replace("/doi/", "/doi/full/"),
        WILEY.replace("https://", "http://").replace(".com", ".com:80"),
        WILEY.replace("onlinelibrary.wiley.com", "OnlineLibrary.Wiley.com."),
        WILEY.replace("onlinelibrary", "asistdl.onlinelibrary"),
        WILEY.replace("onlinelibrary.wiley.com", "onlinelibrary-wiley-com.proxy.example.edu"),
        WILEY.replace("wiley.com", "wiley.com.ezproxy.example.edu"),
    ],
)  # fmt: skip
def test_the_same_page(url):
    assert doi_at(url) == DOI("10.1002/asi.20508")


@pytest.mark.parametrize(
    "url",
    [
        "", "https://",
        WILEY.replace("onlinelibrary.wiley.com", "onlinelibrary.wiley.com@evil.example"),
        WILEY.replace("onlinelibrary", "user:pass@onlinelibrary"),
        WILEY.replace(".com", ".com.evil.example"), WILEY.replace("wiley", "wi1ey"),
        WILEY.replace("wiley", "wıley"), WILEY.replace("onlinelibrary.", "onlinelibrary-"),
        WILEY.replace(".com/", ".com:8080/"), WILEY.replace("https:", "ftp:"),
        WILEY.replace(".com/", ".com\\"), WILEY.replace("10.1002", "10.1"),
        WILEY.replace("10.1002/", "10.1002%252F"), f"{WILEY}%00", f"{WILEY}%20and%20more",
        f"{WILEY} and more", f"{WILEY}/supporting", WILEY.replace("/doi/", "/doi/pdf/"),
        WILEY.replace("/doi/", "/doi/pdfdirect/"),
        WILEY.replace("/doi/", "/action/downloadSupplement?doi="),
        "https://sandbox.zenodo.org/records/3233118", "https://zenodo.org/badge/latestdoi/3233118",
        "https://www.mdpi.com/2072-4292/11/1/1",
        "https://www.sciencedirect.com/science/article/pii/S0092867420301021",
    ],
)  # fmt: skip
def test_no_such_page(url):
    assert doi_at(url) is None
