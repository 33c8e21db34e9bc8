"""Which DOI the address of a publisher's page contains: the table of publishers, and a reader.

A page of a work has an address of its own, and in many of them the DOI of the work stands, or the
part of it that is not the same for all works of this publisher. Only the pages that show the work
itself count: its landing page, its abstract, its full text. A PDF, a figure or a supplementary file
is not the work. Publishers whose addresses do not contain the name are not in the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from .doi import DOI, InvalidDOI, decode


class Publisher(NamedTuple):
    """The pages of a publisher whose address contains a DOI."""

    hosts: tuple[str, ...]  # where they are, without ``www.``; ``*.`` stands for any one label
    # Matches the whole path, decoded, and after a ``?`` the value of ``field``, if there is one.
    path: str  # the group ``name`` is the name
    example: str  # the address of such a page
    name: str  # the DOI of this page
    unlike: str  # an address at this publisher that does not stand for a work
    before: str = ""  # the part of the name before the group
    field: str = ""  # the field of the query that contains the name


_NAME: Final = r"(?P<name>10\.[0-9]{4,9}/[^/]+)"

PUBLISHERS: Final = (
    Publisher(  # these have their pages from Atypon
        (
            "onlinelibrary.wiley.com", "*.onlinelibrary.wiley.com", "tandfonline.com",
            "journals.sagepub.com", "pubs.acs.org", "aip.scitation.org", "pnas.org", "science.org",
            "dl.acm.org", "royalsocietypublishing.org", "annualreviews.org", "epubs.siam.org",
            "journals.uchicago.edu", "worldscientific.com", "embopress.org", "mitpressjournals.org",
            "liebertpub.com", "journals.asm.org", "arc.aiaa.org",
        ),
        rf"/doi/(?:abs/|full/|book/)?{_NAME}(?:/abstract|/full)?/?",
        "https://onlinelibrary.wiley.com/doi/abs/10.1002/(SICI)1097-4571(199806)49:8"
        "%3C693::AID-ASI4%3E3.0.CO;2-0",
        "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0",
        "https://onlinelibrary.wiley.com/doi/pdf/10.1002/asi.20508",
    ),
    Publisher(
        ("link.springer.com", "*.biomedcentral.com", "*.springeropen.com"),
        rf"/(?:articles?|chapter|book|protocol|reference(?:work)?entry|referencework)/{_NAME}/?",
        "https://link.springer.com/chapter/10.1007%2F978-3-642-04346-8_62",
        "10.1007/978-3-642-04346-8_62",
        "https://link.springer.com/article/10.1007/s11192-015-1765-5/figures/1",
    ),
    Publisher(  # these look up a name, as doi.org does
        (
            "doi.wiley.com", "doi.acm.org", "dx.plos.org", "link.springer.com", "zenodo.org",
            "elifesciences.org",
        ),
        rf"/(?:(?:lookup/)?doi/)?{_NAME}",
        "http://doi.wiley.com/10.1002/chem.201602949", "10.1002/chem.201602949",
        "http://dx.plos.org/10.1371/journal.pone.0000308.g001",
    ),
    Publisher(
        ("psycnet.apa.org",), r"/doi(?:/|Landing\?)(?P<name>10\.[0-9]{4,9}//?[^/]+)",
        "https://psycnet.apa.org/doiLanding?doi=10.1037%2Fa0021524", "10.1037/a0021524",
        "https://psycnet.apa.org/record/2011-01894-001?doi=1", field="doi",
    ),
    Publisher(  # these, from Silverchair, put a number and a title after the name
        ("pubs.aip.org", "academic.oup.com"),
        r"/(?:[a-z-]+/){1,2}(?:advance-)?article(?:-abstract|-lookup)?/doi/"
        r"(?P<name>10\.(?:1093/[a-z]+/[^/]+|(?!1093/)[0-9]{4,9}/[^/]+))"
        r"(?:/[0-9]+(?:/(?!e?pdf|suppl)[^/]+)?)?/?",
        "https://academic.oup.com/nar/article/doi/10.1093/nar/gkaa1100/6018440",
        "10.1093/nar/gkaa1100",
        "https://academic.oup.com/nar/article-pdf/doi/10.1093/nar/gkaa1100/35363750/gkaa1100.pdf",
    ),
    Publisher(  # a name has up to five parts; `pdf` and `meta` are none, because they have no digit
        ("iopscience.iop.org",),
        r"/article/(?P<name>10\.[0-9]{4,9}/[^/]+(?:/[^/0-9]*+[0-9][^/]*+){0,4})(?:/meta)?/?",
        "https://iopscience.iop.org/article/10.1088/1126-6708/2007/07/062/meta",
        "10.1088/1126-6708/2007/07/062",
        "https://iopscience.iop.org/article/10.1088/1126-6708/2007/07/062/pdf",
    ),
    Publisher(
        ("journals.aps.org", "link.aps.org"),
        r"/(?:[a-z]+/abstract|doi)/(?P<name>10\.1103/[^/]+)/?",
        "https://journals.aps.org/prl/abstract/10.1103/PhysRevLett.116.061102",
        "10.1103/PhysRevLett.116.061102",
        "https://journals.aps.org/prl/supplemental/10.1103/PhysRevLett.116.061102",
    ),
    Publisher(
        ("journals.plos.org", "plosone.org", "plosbiology.org", "ploscompbiol.org"),
        r"/(?:[a-z]+/article/?\?|article/info:doi/)(?P<name>10\.1371/journal\.[a-z]+\.[0-9]{7})",
        "https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0000308",
        "10.1371/journal.pone.0000308",
        "https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0000308.g001",
        field="id",
    ),
    Publisher(
        ("frontiersin.org", "journal.frontiersin.org"),
        r"/(?:journals/[a-z-]+/)?(?:articles?|Journal)/(?P<name>10\.3389/[^/]+)(?:/full|/abstract)?/?",
        "https://www.frontiersin.org/articles/10.3389/fpsyg.2013.00863/full",
        "10.3389/fpsyg.2013.00863",
        "https://www.frontiersin.org/articles/10.3389/fpsyg.2013.00863/pdf",
    ),
    Publisher(
        ("biorxiv.org", "medrxiv.org"),
        r"/content/(?:early/(?:[0-9]+/)*)?(?P<name>10\.(?:1101|64898)/(?:[0-9]{4}\.[0-9]{2}\."
        r"[0-9]{2}\.)?[0-9]{6,8})(?:v[0-9]+)?(?:\.(?:abstract|full|full-text|article-info))?/?",
        "https://www.biorxiv.org/content/10.1101/2020.04.08.032334v2.full",
        "10.1101/2020.04.08.032334",
        "https://www.biorxiv.org/content/10.1101/2020.04.08.032334v2.full.pdf",
    ),
    Publisher(
        ("zenodo.org",), r"/records?/(?P<name>[0-9]+)/?",
        "https://zenodo.org/record/3233118#.XyZ_aB", "10.5281/zenodo.3233118",
        "https://zenodo.org/records/3233118/files/data.csv", before="10.5281/zenodo.",
    ),
    Publisher(  # with a year, as in sdata2018205, the name has full stops that the address has not
        ("nature.com",),
        r"/(?:articles|[a-z]+/journal/v\w+/n\w+/(?:full|abs))/"
        r"(?P<name>(?!(?!srep|ncomms|nature)[a-z]+(?:19|20)[0-9]{3})(?=[a-z.-]*[0-9])[a-z0-9.-]+?)"
        r"(?:\.html|/)?",
        "https://www.nature.com/articles/s41586-020-2649-2", "10.1038/s41586-020-2649-2",
        "https://www.nature.com/articles/sdata2018205", before="10.1038/",
    ),
    Publisher(
        ("elifesciences.org",), r"/articles/(?P<name>[0-9]{5,6})/?",
        "https://elifesciences.org/articles/16800", "10.7554/eLife.16800",
        "https://elifesciences.org/articles/16800/figures", before="10.7554/eLife.",
    ),
    Publisher(
        ("joss.theoj.org",), r"/papers/(?P<name>10\.21105/joss\.[0-9]{5})/?",
        "https://joss.theoj.org/papers/10.21105/joss.01277", "10.21105/joss.01277",
        "https://joss.theoj.org/papers/10.21105/joss.01277/status.svg",
    ),
)  # fmt: skip

_AT: Final[dict[str, list[tuple[Publisher, re.Pattern[str]]]]] = {}
for _row in PUBLISHERS:
    for _host in _row.hosts:
        _AT.setdefault(_host, []).append((_row, re.compile(_row.path)))

# A user name before the host, another port and another scheme do not match.
_URL: Final = re.compile(
    r"(?i)\s*+https?://(?P<host>[a-z0-9.-]{1,253}+)(?::(?:80|443))?"
    r"(?P<path>/[^?#\s\\]{1,2000}+)(?:\?(?P<query>[^#\s]{0,2000}+))?(?P<fragment>#\S*+)?\s*+"
)
# The hosts, at their end, also as EZproxy writes them. The engine searches fast for the slashes.
_ENDS: Final = sorted({".".join(host.split(".")[-2:]) for host in _AT})
_ANY_END: Final = "|".join(end.replace(".", "[.-]") for end in _ENDS)
ADDRESS: Final = re.compile(rf"//[a-z0-9.-]{{0,80}}?(?:{_ANY_END})", re.IGNORECASE)
_COPY: Final = re.compile(r"\.[a-z0-9.-]*(?:proxy|ezp|oclc)")  # of a library, as in DOI_HOST
_SESSION: Final = re.compile(r";jsessionid=[^/;]*", re.IGNORECASE)  # Java adds it to any path
# Fragments that are no place on the page: AddThis writes the first.
_NO_PLACE: Final = re.compile(r"#(?:\.[\w-]*|abstract)?", re.IGNORECASE)
_OTHER_FILE: Final = re.compile(r"pdf|download|suppl|figure", re.IGNORECASE)
_FILE: Final = re.compile(
    r"(?i)\.(?:pdf|epub|html?|xml|zip|docx?|xlsx?|csv|txt|json|ris|bib|png|jpe?g|gif|svg|tiff?"
    r"|[gst][0-9]{3})\Z"  # figures, tables and supplementary files of PLOS
)
_NO_NAME: Final = re.compile(r"[%\s\\\"|]")  # no name in a path has these
_SENTENCE: Final = ".,;:!'*_"  # at the end of an address, these belong to the text around it


def doi_at(url: str) -> DOI | None:
    """Return the DOI in the address of a publisher's page; None if it is not such an address.

    Source: heuristic. The table says what stands for a name; whether there is such a name, only the
    check can say. A query is dropped, except the field that contains the name. An address with a
    fragment counts only if the fragment is not a place on the page.
    """
    found = _URL.fullmatch(url)
    if found is None or not _NO_PLACE.fullmatch(found["fragment"] or "#"):
        return None
    rows = next((_AT[host] for host in _hosts(found["host"].lower()) if host in _AT), ())
    query = found["query"] or ""
    if not rows or _OTHER_FILE.search(query):
        return None
    path = decode(_SESSION.sub("", found["path"])).rstrip(_SENTENCE)
    for row, pattern in rows:
        given = re.search(rf"(?:^|&){row.field}=([^&]*)", query) if row.field else None
        whole = f"{path}?{decode(given[1]).rstrip(_SENTENCE)}" if given else path
        if page := pattern.fullmatch(whole):
            name = row.before + page["name"]
            if _NO_NAME.search(name) or _FILE.search(name):
                return None
            if name.endswith(")") and name.count(")") > name.count("("):
                name = name[:-1].rstrip(_SENTENCE)
            with suppress(InvalidDOI):
                return DOI(name)
            return None
    return None


def _hosts(host: str) -> Iterator[str]:
    """Yield the forms in which the table may contain a host; EZproxy appends the library's host."""
    host = host.removesuffix(".")
    names = [host]
    if _COPY.search(host):
        labels = host.split(".")
        names += [labels[0].replace("-", "."), *(".".join(labels[:n]) for n in (2, 3, 4))]
    for name in names:
        yield name.removeprefix("www.")
        yield f"*.{name.partition('.')[2]}"
