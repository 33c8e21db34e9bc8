"""What is for a DOI name and holds none."""

import pickle
from time import process_time

import pytest

from doilinks.core.nameless import NoName, aimed_in, no_name_in, nowhere
from doilinks.core.options import Options

NOWHERE = {  # what a link leads to, and the name that was meant
    "https://doi.org/10.1O16/x": "10.1016/x",
    "https://doi.org/1O.1016/x": "10.1016/x",
    "https://doi.org/l0.1016/x": "10.1016/x",
    "http://dx.doi.org/10.lOl6/a/b": "10.1016/a/b",
    "https://https://doi.org/abc": None,
    "https://https://doi.org/10.1O16/x": "10.1016/x",
    "https://doi.org/https://example.org/doi/10.1000/182": "10.1000/182",
    "https://doi.org/10.1000/%20182": "10.1000/182",
    "https://doi.org/10.1016": None,
    "https://doi.org/10.1016/": None,
    "http://doi.org/abc": None,
    "HTTPS://DX.DOI.ORG/abc": None,
    "//www.doi.org/abc?x=y": None,
    "doi.org/abc": None,
    "https://doi.org:443/abc": None,
    "https://doi.org/j.cell.2022.03.007": None,
    "https://doi.org/zenodo.123": None,
    "https://doi.org/undefined": None,
    "https://doi.org/DOI:abc": None,
    "https://doi.org/doi:zenodo.12": None,
    "https://doi.org/arXiv:2301.00001": None,
    "doi:1O.1000/182": "10.1000/182",
}
HANDLES = ("10779/crick.1", "20.500.12345/678", "1721.1/12345", "2027/mdp.1", "21.T11148/a")
QUIET = [
    *(f"https://{host}doi.org{path}" for host in ("", "www.", "dx.") for path in (
        "", "/", "?a=b", "#a", "/index.html", "/the-identifier/what-is-a-doi/",
        "/the-community/existing-registration-agencies/", "/doi-handbook/HTML/", "/hb.html",
        "/doi_handbook/2_Numbering.html#2.4", "/factsheets/DOIProxy.html", "/resources",
        "/api/handles/10.1000/182", "/doiRA/10.1000/182", "/ra/10.1000", "/images/logo.png",
        "/10.1000/182", "/10/abc",
    )),
    *(f"https://doi.org/{path}" for path in (
        "{doi}", "%7Bdoi%7D", "{{ page.doi }}", "${doi}", "$1", "<DOI>", "%3CDOI%3E", "%s",
        "%(doi)s", "...", "…", "10.", "10.xxxx/yyyy", "10.XXXX/zenodo.XXXXX", "10.####/a", "DOI",
        "your-doi", "YOUR_DOI", "<%= doi %>", "#{doi}", '" + doi', "' . $doi", ":doi", "\\1", "*",
        "[doi]", "@doi", "10.5281/zenodo.", "TBD", "prefix/suffix",
    )),
    "https://example.org/abc", "https://notdoi.org/abc", "https://doi.org.example.org/abc", "abc",
    "doi:{doi}", "https://doi.org/cr3qwn", "https://doi.org/bcdf", "https://hdl.handle.net/10779/crick.1",
]  # fmt: skip


@pytest.mark.parametrize(("href", "meant"), NOWHERE.items())
def test_it_leads_nowhere(href, meant):
    found = nowhere(href)
    assert found.is_sure
    assert getattr(found.meant, "name", None) == meant
    assert found.message.startswith(f"no DOI name: {href}")


@pytest.mark.parametrize("handle", HANDLES)
def test_a_handle_is_no_name(handle):
    assert not nowhere(f"https://doi.org/{handle}").is_sure


@pytest.mark.parametrize("href", QUIET)
def test_names_pages_and_templates_are_quiet(href):
    assert nowhere(href) is None


FIELDS = {
    "1016/j.x.2013": (True, "10.1016/j.x.2013"), "10.1O00/3": (True, "10.1000/3"),
    "10.1000/ 182": (True, "10.1000/182"), "0.1000/182": (True, "10.1000/182"), "zenodo.123": (True, None), "in press": (True, None),
    "10.x": (False, None), "n/a": (False, None), "10779/crick.1": (False, None),
    "20.500.1/2": (False, None), "someDoi": (False, None), "doi-8": (False, None),
}  # fmt: skip


@pytest.mark.parametrize(("value", "said"), FIELDS.items())
def test_a_field_without_a_name(value, said):
    found = no_name_in(value)
    assert (found.is_sure, getattr(found.meant, "name", None)) == said


@pytest.mark.parametrize("value", ["", " - ", "{{ doi }}", "#1", "$doi", "<doi>"])
def test_a_field_without_a_value(value):
    assert no_name_in(value) is None


PROSE = {
    "See doi:1O.1000/182, there.": ["doi:1O.1000/182"],
    "See (https://doi.org/10.1O00/182).": ["https://doi.org/10.1O00/182"],
    "See doi.org/j.cell.2022.03.007.": ["doi.org/j.cell.2022.03.007"],
    "See https://doi.org/ or https://doi.org/10.1000/ or doi.org/abc, doi: lo.and/behold": [],
    "All of https://doi.org/10.1000/<suffix> and doi:10.1000/182 and https://doi.org/10.1000/2": [],
    "[a](https://doi.org/abc) <https://doi.org/abd> [[doi.org/abe][x]] doi:1O.1000/182[]": [
        "https://doi.org/abc",
        "https://doi.org/abd",
        "doi.org/abe",
        "doi:1O.1000/182",
    ],
    "https://example.org/doi.org/abc1 and doi:2019/20": [],
}


@pytest.mark.parametrize(("text", "aimed"), PROSE.items())
def test_prose_that_aims_at_a_name(text, aimed):
    found = list(aimed_in(text))
    assert [text[start:end] for start, end, _ in found] == aimed


def test_it_is_equal_to_no_name_and_can_be_sent():
    here, there = NoName("https://doi.org/ABC"), NoName("http://dx.doi.org/abc", is_sure=False)
    assert here == there
    assert not pickle.loads(pickle.dumps(there)).is_sure
    options = Options(check_ignore=["https://doi.org/abc"])
    assert options.check_ignore == ("https://doi.org/abc",)
    assert len(NoName("x" * 999).message) < 100


@pytest.mark.parametrize(
    "piece", ["doi.org/1O.", "https://", "doi:1O.1", "10.1O16/", "https://doi.org/a"]
)
def test_time_is_linear(piece):
    begun = process_time()
    text = piece * (400_000 // len(piece))
    list(aimed_in(text))
    nowhere(f"https://doi.org/{text}")
    no_name_in(text)
    assert process_time() - begun < 4
