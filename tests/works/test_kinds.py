"""The table of kinds: each label is the same for the record, the comparison, the search, a citation and the check."""

import re

import pytest

from doilinks import DOI
from doilinks.ask.works.problems import became_in_words, work_problems
from doilinks.core.found import Found
from doilinks.core.options import Options
from doilinks.record.fitting import fitting
from doilinks.record.kinds import (
    ABOUT,
    AROUND,
    CITED_AS,
    IS_ABOUT,
    IS_AROUND,
    LABELS,
    UPDATES,
    csl_type,
    update_of,
)
from doilinks.record.labels import without_label
from doilinks.record.words import state_of
from doilinks.works import Notice, Status, Verdict, Work, compare

TITLE = "Tidal locking of small lakes by migrating herons"
DOI_ = DOI("10.1000/182")
STATUS = {
    "partly": Status.CORRECTED, "retracted": Status.RETRACTED, "concern": Status.CONCERN,
    "retraction": Status.RETRACTION_NOTICE, "correction": Status.CORRECTION_NOTICE,
}  # fmt: skip


def work(title, **more):
    record = {
        "title": title, "author": [{"family": "Overgaard", "given": "Ann"}], "issued": {"date-parts": [[2018]]},
        "type": "journal-article", "container-title": "Journal of Lakes", "volume": "13", "page": "5",
    }  # fmt: skip
    return Work.of(record | more)


def labelled(label):
    """The title of a work with the words of a label before it."""
    return label.example.removesuffix(without_label(label.example)) + TITLE


@pytest.mark.parametrize("label", LABELS, ids=lambda label: label.example)
def test_a_label(label):
    assert work(label.example).status is STATUS[label.kind]
    assert work(label.unlike).status is Status.NONE
    assert without_label(label.unlike) == label.unlike
    assert without_label(labelled(label)) == TITLE
    for kind, words in (("words", label.words), ("stem", label.stem), ("at_end", label.at_end)):
        assert re.compile(words), kind


@pytest.mark.parametrize("label", LABELS, ids=lambda label: label.example)
def test_all_agree_on_a_label(label):
    title = labelled(label)
    text, record = (
        f"* Overgaard, A. (2018). {title}. Journal of Lakes 13, 5. doi:10.1000/182",
        work(title),
    )
    found = compare(text, record, DOI_)
    assert found.verdict is not Verdict.OTHER
    assert found.reasons == ()
    place = Found(DOI_, file="a.md", line=1, around=text)
    options = Options(check="error", check_works="error")
    codes = {each.code for each in work_problems(place, record, found, None, options)}
    assert codes <= {"doi-retracted", "doi-concern", "doi-corrected"}
    told = (Status.RETRACTED, Status.CONCERN, Status.RETRACTION_NOTICE)
    assert bool(state_of(record)) is (record.status in told)
    # The search has the article alone, which the text of a notice does not describe.
    article = work(TITLE, volume="12", page="44-61")
    reference = text.partition(" doi:")[0]
    assert record.status.is_notice == (label.kind in ("retraction", "correction"))
    if record.status.is_notice:
        assert fitting(reference, [(DOI_, article)]).works == ()
        notice = DOI("10.1000/notice")
        assert fitting(reference, [(DOI_, article), (notice, record)]).doi == notice
    # A reference to the article is no reference to the notice.
    plain = compare(text.replace(title, TITLE), record, DOI_)
    assert ("notice" in {reason.field for reason in plain.reasons}) is record.status.is_notice


@pytest.mark.parametrize(("row", "stems"), [
    *((row, IS_ABOUT) for row in ABOUT), *((row, IS_AROUND) for row in AROUND),
], ids=lambda row: getattr(row, "example", ""))  # fmt: skip
def test_a_word_for_what_is_about_another_work(row, stems):
    def is_about(title):
        return any(re.match(stems, word) for word in re.findall(r"\w+", title.lower()))

    assert is_about(row.example)
    assert not is_about(row.unlike)
    reference = f"Overgaard, A. (2018). {TITLE}. Journal of Lakes 13, 5."
    assert fitting(reference, [(DOI_, work(row.example.replace("On mice", TITLE)))]).doi is None


@pytest.mark.parametrize("update", UPDATES, ids=lambda update: update.stem)
def test_a_type_of_update(update):
    kind = f"{update.stem}-x"
    assert update_of(kind) == update
    notice = Notice(kind, "2010-02")
    assert notice.status == update.status
    assert became_in_words(Work(status=notice.status, notices=(notice,))) == (
        f"{update.became or {'concern': 'expression of concern'}.get(update.status, update.status)}, in 2010-02"
    )
    assert csl_type("") == "document"


@pytest.mark.parametrize(("kind", "row"), CITED_AS.items())
def test_the_words_by_which_a_text_cites_a_kind(kind, row):
    words = re.compile(row.stem, re.IGNORECASE)
    assert words.search(row.example)
    assert not words.search(row.unlike)
    assert csl_type(kind) == kind
