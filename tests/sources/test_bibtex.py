"""BibTeX: what counts in an entry, and that the place is exact."""

import pytest

from doilinks.core.options import Options
from doilinks.sources import read

from ..tools.places import names, rows


@pytest.mark.parametrize("between", [" ", "  ", ", ", " and ", "\n    "])
def test_bibtex_several_urls_in_one_field(between):
    """As Mendeley exports them: the second one is not a part of the name."""
    urls = between.join(
        ("https://doi.org/10.1000/1", "http://arxiv.org/abs/1", "doi.org/10.1000/2")
    )
    names = [row[0] for row in rows(f"@article{{a, url = {{{urls}}}}}", "bib")]
    assert names == ["10.1000/1", "10.1000/2"]


@pytest.mark.parametrize("field", ["doi", "url", "note", "howpublished"])
@pytest.mark.parametrize(
    "value", ["", "{}", '""', "{ }", "{\n}", "{{}}", "{} # {}", "#", "{", "\\url{}"]
)
def test_bibtex_values_without_text(field, value):
    text = f"@misc{{a, {field} = {value}, b = 1}}\n@misc{{b, {field} = {value}"
    assert names(text, "bib") == []


def test_bibtex_fields_with_the_name_of_another_work():
    fields = {
        "code_doi": "10.1000/1",
        "data-doi": "https://doi.org/10.1000/2",
        "my.own_DOI": "doi:10.1000/3",
        "no_doi": "true",  # says nothing about a name, so there is no message
        "nodoi": "10.1000/no",
        "doi_of_nothing": "10.1000/no",
        "_doi": "10.1000/no",
    }
    text = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    told = []
    found = list(read(f"@misc{{a,\n{text}}}", "bib", Options(), unread=told.append))
    assert [each.doi.name for each in found] == ["10.1000/1", "10.1000/2", "10.1000/3"]
    # The entry does not describe these works.
    assert [(each.form, each.around) for each in found] == [
        ("bare", None), ("link", None), ("link", None),
    ]  # fmt: skip
    assert not told


def test_bibtex_strings_do_not_grow_without_bounds():
    """Each is twice the one before it."""
    doubled = [f"@string{{a{n} = a{n - 1} # a{n - 1}}}" for n in range(1, 60)]
    text = "\n".join(['@string{a0 = "10.1000/x"}', *doubled, "@misc{a, note = a59, doi = a0}"])
    told = []
    found = [o.doi.name for o in read(text, "bib", Options(), unread=told.append)]
    assert found == ["10.1000/x"]


LINE_ENDS = """
@article{a, doi = {10.1000/abc
    def}}
@article{b, doi = "https://doi.org/10.1000/
    ghi"}
@article{c, url = {https://doi.org/10.1000/j
  kl}}
@article{d, doi = {
    10.1000/one
    10.1000/two
  }}
@article{e, doi = {10.1000/three
    and more}}
@article{f, url = {https://doi.org/10.1000/four
    https://doi.org/10.1000/five}}
"""


def test_a_doi_field_over_several_lines():
    found = list(read(LINE_ENDS, "bib", Options()))
    assert [(o.doi.name, o.line, [remark.code for remark in o.remarks]) for o in found] == [
        ("10.1000/abcdef", 2, ["line-break", "more-than-name"]),
        ("10.1000/ghi", 4, ["line-break", "more-than-name"]),
        ("10.1000/jkl", 6, ["line-break"]), ("10.1000/one", 9, ["more-than-name"]),
        ("10.1000/two", 10, []), ("10.1000/three", 12, ["more-than-name"]), ("10.1000/four", 14, []), ("10.1000/five", 15, []),
    ]  # fmt: skip


def test_a_doi_field_that_names_no_doi_is_told():
    text = (
        '@article{a, doi = {to appear}}\n@article{b, doi = pref # "1"}\n@misc{c, doi = {}, doi = " "}\n'
        "@misc{d, doi = {10.5555/ignored}, note = {not a doi}, doi = {\\url{10.1000/\x1b[31m"
        + "x" * 99
        + "}}}"
    )
    told = []
    found = list(read(text, "bib", Options(ignore=[r"10\.5555/"]), "r.bib", unread=told.append))
    assert found == []
    assert told[:2] == [
        "r.bib:1:20: no DOI name: to%20appear",
        "r.bib:2:19: no DOI name: pref1 ('pref' is not defined)",
    ]
    assert len(told) == 3
    assert told[2].startswith("r.bib:4:67: no DOI name: 10.1000/%1B%5B31mx")
    assert len(told[2]) < 150


def test_a_part_of_a_name_that_is_not_known_makes_no_shorter_name():
    text = (
        '@misc{a, doi = "10.1000/x" # end}\n@string{end = "y"}\n@misc{b, doi = "10.1000/x" # end}\n'
    )
    assert names(text, "bib") == ["10.1000/xy"]


def test_entities_of_a_bib_field_are_read():
    text = "@article{a, doi = {10.1002/x(1996)78:6&lt;1284::A&gt;3.0.CO;2-S}}\n"
    assert names(text, "bib") == ["10.1002/x(1996)78:6<1284::A>3.0.CO;2-S"]


def test_identifiers_of_arxiv_count_where_pages_link_them():
    text = (
        "@article{a, journal = {arXiv preprint arXiv:2301.00003}, eprint = {2301.00004v2},\n"
        "archivePrefix = {arXiv}}\n@misc{b, eprint = {1234567}, eprinttype = {jstor}}\n"
    )
    found = [each.doi.name for each in read(text, "bib", Options(arxiv=True))]
    assert found == ["10.48550/arXiv.2301.00003", "10.48550/arXiv.2301.00004"]
    assert not [*read(text, "bib", Options())]


def test_a_name_in_a_title_is_another_work():
    text = "@article{a, title = {Erratum to 10.1000/182}, journal = {doi:10.1000/183}}"
    around = {each.doi.name: each.block for each in read(text, "bib", Options(), blocks=True)}
    assert around == {"10.1000/182": None, "10.1000/183": text}
