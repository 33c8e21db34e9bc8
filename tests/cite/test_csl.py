"""A work as CSL-JSON."""

import json

import pytest

from doilinks import DOI
from doilinks.checking.record.work import Person, Status, Work
from doilinks.linking.cite.export import csl_of, type_of

NAME = DOI("10.1000/456#789")


def test_all_that_a_record_says():
    work = Work(
        ("Ants", "Ants: a study"),
        ("Müller", "R Core Team"),
        (1999, 2000),
        "journal-article",
        "Journal of Ants",
        Status.RETRACTED,
        volume="3",
        issue="2",
        page="1-9",
        publisher="A press",
        people=(Person("Müller", "Anna"), Person("R Core Team")),
        count=2,
        month=4,
        day=28,
        version="1.2",
    )
    assert csl_of(NAME, work) == {
        "id": "doi:10.1000/456%23789",
        "type": "article-journal",
        "title": "Ants: a study",
        "author": [{"family": "Müller", "given": "Anna"}, {"literal": "R Core Team"}],
        "issued": {"date-parts": [[1999, 4, 28]]},
        "container-title": "Journal of Ants",
        "volume": "3",
        "issue": "2",
        "page": "1-9",
        "publisher": "A press",
        "version": "1.2",
        "status": "retracted",
        "DOI": "10.1000/456#789",
        "URL": "https://doi.org/10.1000/456%23789",
    }
    json.dumps(csl_of(NAME, work))


def test_what_is_unknown_is_left_out():
    assert csl_of(NAME, Work()) == {
        "id": "doi:10.1000/456%23789", "type": "document", "title": "doi:10.1000/456%23789",
        "DOI": "10.1000/456#789", "URL": "https://doi.org/10.1000/456%23789",
    }  # fmt: skip


def test_people_who_are_left_out_are_not_hidden():
    people = tuple(Person(f"P{number}", "") for number in range(11))
    work = Work(("T",), tuple(p.family for p in people), people=people, role="editor", count=3000)
    editors = csl_of(NAME, work)["editor"]
    assert editors[-3:] == [{"family": "P9"}, {"literal": "…"}, {"family": "P10"}]


@pytest.mark.parametrize(
    ("registered", "csl"),
    [
        ("posted-content", "article"),
        ("Preprint", "article"),
        ("ConferencePaper", "paper-conference"),
        ("Software", "software"),
        ("dissertation", "thesis"),
        ("article-journal", "article-journal"),
        ("motion_picture", "motion_picture"),
        ("", "document"),
        ("Other", "document"),
        ("<script>", "document"),
    ],
)
def test_types(registered, csl):
    assert type_of(registered) == csl
