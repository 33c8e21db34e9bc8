"""What counts as a citation, and what it says."""

from dataclasses import replace

import pytest

from doilinks import DOI, InvalidDOI
from doilinks.cite import (
    Cite,
    Cluster,
    KnownWorks,
    Mention,
    References,
    StyledText,
    parse,
    parse_role,
)
from doilinks.cite.references import anchor_of, joined_runs
from doilinks.core.options import Options
from doilinks.record.kinds import Status
from doilinks.record.language import language_of
from doilinks.record.words import hover, reference
from doilinks.record.work import Person, Work

from ..tools.tables import tables

TABLES = tables(__file__)

HANDBOOK, OTHER = DOI("10.1000/182"), DOI("10.1000/183")
WORKS = {
    HANDBOOK: Work(("DOI Handbook",), ("Paskin",), (2000,), "book", publisher="IDF"),
    OTHER: Work(("Another",), ("Paskin",), (2000,)),
    DOI("10.1000/a_b"): Work(("Third",), ("Miller", "Berg"), (1999,)),
    DOI("10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0"): Work(("Old",), ("A", "B", "C"), (1998,)),
}  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), TABLES["a_citation_in_words"])
def test_a_citation_in_words(text: str, shown: str):
    references = References(WORKS.get, [])
    done, pieces = 0, []
    for cluster in parse(text):
        pieces += [text[done : cluster.start], *(p.text for p in references.words(cluster))]
        done = cluster.end
    assert "".join([*pieces, text[done:]]) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("-10.1000/182, p. 3", "(2000, p. 3)"),
        ("see -@doi:10.1000/182; doi:10.1000/a_b", "(see 2000; Miller & Berg, 1999)"),
        ("pre-print 10.1000/182", "(pre-print Paskin, 2000)"),
    ],
)
def test_a_role_in_words(text: str, shown: str):
    cluster = Cluster(0, 0, parse_role(text))
    assert "".join(piece.text for piece in References(WORKS.get, []).words(cluster)) == shown


NAMES = (
    "Zuse",
    "Éluard",
    "Łoś",
    "O’Brien",
    "Øster",
    "Berg",
    "Đorđević",
    "Ångström",
    "Lund",
    "Oakes",
)
IN_ORDER = "Ångström Berg Đorđević Éluard Łoś Lund Oakes O’Brien Øster Zuse"


def test_accents_strokes_and_apostrophes_do_not_change_the_order_of_names():
    works = {DOI(f"10.1000/{at}"): Work(("T",), (name,)) for at, name in enumerate(NAMES)}
    entries = References(works.get, map(Mention, works)).entries
    assert " ".join(entry.work.names[0] for entry in entries) == IN_ORDER


def test_works_of_the_same_people_and_year_get_letters_by_title():
    references = References(WORKS.get, [Mention(HANDBOOK), Mention(OTHER)])
    [cluster] = parse("[@doi:10.1000/182; @doi:10.1000/183]")
    said = "".join(piece.text for piece in references.words(cluster))
    assert said == "(Paskin, 2000b; Paskin, 2000a)"
    undated = {doi: replace(work, years=()) for doi, work in WORKS.items() if work}
    references = References(undated.get, [Mention(HANDBOOK), Mention(OTHER)])
    said = "".join(piece.text for piece in references.words(cluster))
    assert said == "(Paskin, n.d.-b; Paskin, n.d.-a)"
    assert "(n.d.-a)" in "".join(run.text for run in references.entries[0].runs)


def test_a_work_that_is_only_linked_needs_no_letter():
    mentions = [Mention(HANDBOOK), Mention(OTHER, cited=False)]
    references = References(WORKS.get, mentions)
    [cluster] = parse("@doi:10.1000/182")
    assert references.words(cluster)[0].text == "Paskin (2000)"


def test_a_list_is_by_names_or_by_places_and_what_is_unknown_comes_last():
    mentions = [Mention(DOI(f"10.1000/{suffix}")) for suffix in ("x", "183", "182", "a_b", "183")]
    names = [entry.doi.suffix for entry in References(WORKS.get, mentions).entries]
    assert names == ["a_b", "183", "182", "x"]
    entries = References(WORKS.get, mentions, order="places").entries
    assert [entry.doi.suffix for entry in entries] == ["183", "182", "a_b", "x"]
    assert len(entries[0].mentions) == 2
    assert entries[-1].runs == ()


@pytest.mark.parametrize("text", ["", "no name", "10.1000/1 10.1000/2", "10.1000/1; and more"])
def test_a_role_without_one_name_in_each_part_is_an_error(text: str):
    with pytest.raises(InvalidDOI):
        parse_role(text)


def test_every_name_has_an_anchor_of_its_own():
    names = ["1", "a-b", "a.b", "a_b", "a/b", "a" * 80, "a" * 81, "é", "ü", "A-b"]
    anchors = {anchor_of(DOI(f"10.1000/{suffix}")) for suffix in names}
    assert len(anchors) == len(names) - 1  # names that differ in case only are equal
    assert all(each.replace("-", "").isalnum() and each.isascii() for each in anchors)


def test_text_on_hover_is_short_and_text_from_right_to_left_is_isolated():
    long = hover(Work(("word " * 400,), ("A",), (2000,)))
    assert len(long) <= 300
    assert long.endswith("word…")
    hebrew = hover(Work(("שלום",), ("A",), (2000,)))
    assert hebrew == "A (2000). \u2068שלום\u2069."
    cut = hover(Work(("שלום " * 400,), ("A",), (2000,)))
    assert cut.count("\u2068") == cut.count("\u2069") == 1


def test_a_reference_in_the_plain_style():
    work = Work(
        ("A study",), ("Anders", "Group"), (2001,), "journal-article", "The Journal",
        Status.RETRACTED, (), "12", "3", "45-67",
        people=(Person("Anders", "Jo-Ann M"), Person("Group")), count=2,
    )  # fmt: skip
    runs = reference(HANDBOOK, work, "a")
    text = "Retracted. Anders, J.-A. M. & Group (2001a). A study. The Journal, 12(3), 45–67."
    assert "".join(run.text for run in runs) == text
    assert [run.text for run in runs if run.styles == ("i",)] == ["The Journal"]
    bare = reference(HANDBOOK, Work(("A study?",), (), ()))
    assert "".join(run.text for run in bare) == "A study? (n.d.)."


def test_a_state_is_said_once_and_people_who_were_left_out_count():
    work = Work(
        ("RETRACTED: A study",), ("A", "B"), (2001,), status=Status.RETRACTED, count=26,
        people=(Person("A"), Person("B")),
    )  # fmt: skip
    assert hover(work) == "Retracted. A, B et al. (2001). A study."
    assert "".join(run.text for run in reference(HANDBOOK, work)) == (
        "Retracted. A, … B (2001). A study."
    )
    [cluster] = parse("@doi:10.1000/182")
    assert (
        References({HANDBOOK: work}.get, []).words(cluster)[0].text == "A et al. (2001, retracted)"
    )


def test_the_message_about_a_work_says_where_a_lock_file_is_missing(tmp_path):
    file = tmp_path / "doi-lock.json"
    said = f"the work of doi:10.1000/182 is {{}}: run doilinks works --fetch in {tmp_path}"
    assert [*KnownWorks(file).unknown([HANDBOOK, HANDBOOK])] == [
        (HANDBOOK, said.format(f"not known, as there is no {file}"))
    ]
    file.write_text('{"version": 1, "found": {}}')
    assert [*KnownWorks(file).unknown([HANDBOOK])] == [(HANDBOOK, said.format(f"not in {file}"))]


@pytest.mark.parametrize("option", ["check_ignore", "check_accept"])
def test_a_work_that_nobody_knows_is_accepted_by_the_options_of_the_check(option, tmp_path):
    """Of a name that exists, the message says how; it cannot know whether an agency was asked."""
    file = tmp_path / "doi-lock.json"
    file.write_text('{"version": 1, "found": {"doi:10.1000/182": {"checked": "2026-11-20"}}}')
    [(_, said)] = KnownWorks(file).unknown([HANDBOOK])
    assert said.endswith("; if no agency knows it, list it in check_accept")
    assert [*KnownWorks(file, Options(**{option: ["10.1000/*"]})).unknown([HANDBOOK])] == []


def test_the_newest_works_come_first_and_those_without_a_year_last():
    works = {
        DOI(f"10.1000/{at}"): Work((f"T{at}",), (name,), years)
        for at, (name, years) in enumerate([("B", (2001,)), ("A", ()), ("C", (2003,)), ("A", (2001,))])
    }  # fmt: skip
    references = References(works.get, map(Mention, [*works, HANDBOOK]), order="years")
    titles = [entry.work.title if entry.work else entry.doi.uri for entry in references.entries]
    assert titles == ["T2", "T3", "T0", "T1", HANDBOOK.uri]


def test_several_works_in_a_sentence_are_a_list_of_words():
    works = {DOI(f"10.1000/{name}"): Work((), (name,), (2000,)) for name in "abc"}
    cluster = Cluster(0, 0, tuple(map(Cite, works)), narrative=True)
    for tag, said in (
        ("", "a (2000), b (2000) & c (2000)"),
        ("de", "a (2000), b (2000) und c (2000)"),
    ):
        pieces = References(works.get, [], language=language_of(tag)).words(cluster)
        assert "".join(piece.text for piece in pieces) == said


def test_a_run_without_text_is_no_element_and_parts_no_others():
    runs = [
        StyledText("a"),
        StyledText("", ("i",)),
        StyledText("b"),
        StyledText("c", ("i",)),
        StyledText("", ("b",)),
    ]
    assert joined_runs(runs) == (StyledText("ab"), StyledText("c", ("i",)))
