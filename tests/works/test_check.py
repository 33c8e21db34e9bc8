"""The check of works: whole checks at a real server on the loopback interface."""

import json
from xml.etree import ElementTree as ET

import pytest

from doilinks import DOI, Found
from doilinks.ask.works.check import check
from doilinks.check import Severity, render
from doilinks.check import check as check_names
from doilinks.core.found import IgnoreComment
from doilinks.core.options import Options

from ..tools.checks import run_works, said
from ..tools.tables import tables

TABLES = tables(__file__)

HANDBOOK = {
    "title": "DOI Handbook of Names", "author": [{"family": "Paskin", "given": "Norman"}],
    "issued": {"date-parts": [[2000]]}, "type": "book",
}  # fmt: skip
NAME = "10.1000/182"
RIGHT = f"- Paskin, N. (2000). DOI handbook of names. https://doi.org/{NAME}"
WRONG = f"- Wiles, A. (1995). Modular elliptic curves and Fermat's theorem. https://doi.org/{NAME}"
MENTION = f"- See the handbook, https://doi.org/{NAME}"
IS = 'doi:10.1000/182 is registered for "DOI Handbook of Names" (Paskin, 2000)'
RETRACTED_IS = 'doi:10.1000/182 "DOI Handbook of Names" (Paskin, 2000)'
SAYS = (
    'the text says "Modular elliptic curves and Fermat\'s theorem" by Wiles, 1995'
    " (other title, people and year); correct the name or the text"
)


def notice(kind, doi="10.1000/notice"):
    return {"DOI": doi, "type": kind, "updated": {"date-parts": [[2010, 2, 6]]}}


@pytest.fixture
def run(handle_api, tmp_path):
    def run(*blocks, name=NAME, work=HANDBOOK, entry=(), **options):
        handle_api.set(name, {"url": "https://example.org/", "work": work, **dict(entry)})
        return run_works(handle_api, tmp_path, *((name, block) for block in blocks), **options)

    return run


def test_another_work_is_reported_where_it_is(run):
    report = run(MENTION, WRONG)
    assert said(report) == [f"a.md:2:3: another work: {IS}; {SAYS} [doi-other-work]"]
    assert (report.warnings, report.exit_code) == (report.problems, 0)


RETRACTED = HANDBOOK | {"updated-by": [{"DOI": "10.1000/n", "type": "retraction"}]}


RIGHT_TOO = RIGHT.replace("names", "the system of names")
DOWN = {"entry": {"work_fault": {"fault": "unavailable"}}}
CORRECTED = {"work": HANDBOOK | {"updated-by": [notice("correction")]}}
NOTICE = HANDBOOK | {
    "title": "Retraction: DOI handbook",
    "update-to": [notice("retraction", "10.1000/1")],
}


@pytest.mark.parametrize(
    ("blocks", "options", "codes", "exit_code"),
    [
        ((RIGHT,), {}, [], 0),
        ((WRONG,), {"check_works": "error"}, ["doi-other-work"], 1),
        ((None,), {}, [], 0),  # a place without text is not judged
        *(((WRONG,), {"check_accept": [name]}, [], 0)
          for name in (NAME, "10.1000/*", "https://doi.org/10.1000/182")),
        ((RIGHT,), {"check_accept": [NAME]}, ["doi-stale-accept"], 0),
        ((RIGHT,), DOWN | {"check_accept": [NAME]}, ["doi-work-unknown"], 0),
        ((WRONG,), DOWN | {"check_works": "error", "check_unknown": "error"}, ["doi-work-unknown"], 3),
        ((WRONG,), DOWN | {"check_unknown": "ignore"}, [], 0),
        ((RIGHT.replace("DOI", "Retraction: DOI"),), {"work": NOTICE}, [], 0),
        ((WRONG,), CORRECTED, ["doi-other-work"], 0),
        ((RIGHT.replace("2000", "2047"),), {"check_accept": [NAME], "check_works": "off"}, [], 0),
        *(((RIGHT_TOO, WRONG), {"check_accept": [NAME], "check_works": works}, [], 0)
          for works in ("off", "warn")),
    ],
)  # fmt: skip
def test_what_is_said(run, blocks, options, codes, exit_code):
    report = run(*blocks, **options)
    assert ([problem.code for problem in report.problems], report.exit_code) == (codes, exit_code)
    if codes == ["doi-stale-accept"]:
        words = "nothing to accept: doi:10.1000/182 (remove it from check_accept)"
        assert said(report) == [f"{words} [doi-stale-accept]"]


@pytest.mark.parametrize(
    ("blocks", "options", "words"),
    [
        ((RIGHT,), {}, "1 agrees"),
        ((MENTION, WRONG), {}, "1 other"),
        ((WRONG,), {"check_accept": [NAME]}, "1 accepted"),
        ((f"See {NAME}",), {}, "1 says too little"),
        ((RIGHT,), {"work": RETRACTED}, "1 retracted"),
        ((RIGHT,), {"entry": {"work_fault": {"fault": "unavailable"}}}, "1 could not be checked"),
        ((RIGHT,), {"work": None}, "1 without a record"),
        ((RIGHT,), {"check_works": "off"}, ""),
    ],
)
def test_the_summary_counts_works(run, blocks, options, words):
    report = run(*blocks, **options)
    assert report.summary == "1 DOI: 1 found" + (f". Works: {words}" if words else "")


def test_every_format_has_the_counts_and_the_work(run):
    report = run(MENTION, WRONG)
    told = json.loads(render(report, "json"))
    counts = told["works"]
    assert (
        counts["asked"], counts["known"], counts["other_work"], counts["same"],
    ) == (True, 1, 1, 0)  # fmt: skip
    work = told["problems"][0]["work"]
    assert (work["title"], work["names"], work["year"]) == (HANDBOOK["title"], ["Paskin"], 2000)
    [sarif] = json.loads(render(report, "sarif"))["runs"]
    assert sarif["properties"]["works"] == counts
    assert sarif["properties"]["summary"] == report.summary
    evidence = told["problems"][0]["evidence"]
    assert (evidence["verdict"], evidence["year"]) == ("other", False)
    assert {"field": "people", "text": "Wiles", "work": "Paskin"} in evidence["reasons"]
    assert sarif["results"][0]["properties"] == {"work": work, "evidence": evidence}
    junit = ET.fromstring(render(report, "junit"))
    [output] = junit.iter("system-out")
    told = json.loads(output.text.splitlines()[-1])
    assert told == {"code": "doi-other-work", "work": work, "evidence": evidence}
    properties = junit.iter("property")
    values = {each.get("name"): each.get("value") for each in properties}
    assert (values["works.other_work"], values["names.found"]) == ("1", "1")
    assert render(report, "github").splitlines()[-1] == report.summary


def test_a_title_is_no_link_and_no_placeholder_in_sarif(run):
    title = r"[Sign in](https://evil.example) to {0} and C:\names"
    report = run(WRONG, work=HANDBOOK | {"title": title})
    [sarif] = json.loads(render(report, "sarif"))["runs"]
    text = sarif["results"][0]["message"]["text"]
    assert r"\[Sign in\](https://evil.example) to {{0}} and C:\\names" in text


def test_another_work_of_the_same_person(run):
    block = RIGHT.replace(
        "DOI handbook of names", "Encyclopedia of quite different things"
    ).replace("2000", "1990")
    words = 'the text says "Encyclopedia of quite different things", 1990'
    assert f"{words} (other title and year; same people)" in said(run(block))[0]


@pytest.mark.parametrize(
    ("block", "words"),
    TABLES["shown"],
    ids=["accents", "more people", "a short title"],
)
def test_the_text_is_shown_as_it_is_written(run, block, words):
    assert words in said(run(block))[0]


def test_one_name_in_common_is_not_the_same_people(run):
    work = HANDBOOK | {"author": [{"family": each} for each in ("Wiles", "Paskin", "Berg", "Lee")]}
    block = (
        "- He, D., Zakeri, M., Lee, H. (1995). Modular elliptic curves and Fermat's last theorem. "
        "Annals 141, 443-551. doi:10.1000/182"
    )
    assert "; Lee in both); correct" in said(run(block, work=work))[0]


@pytest.mark.parametrize(
    ("author", "is_told"),
    [({"literal": "ATLAS Collaboration"}, False), ({"family": "Berg", "given": "A."}, True)],
)
def test_the_members_of_a_group_are_not_other_people(run, author, is_told):
    block = "- Wiles, A., Miller, J. (2000). DOI handbook of names. Names 12, 3. doi:10.1000/182"
    told = said(run(block, work=HANDBOOK | {"author": [author]}))
    assert any("[doi-other-people]" in each for each in told) is is_told


@pytest.mark.parametrize("works", ["off", "warn"])
def test_a_year_in_the_future_is_found_in_every_check(run, works):
    report = run(RIGHT.replace("2000", "2047"), RIGHT, check_works=works)
    [problem] = [each for each in report.problems if each.code == "doi-future-year"]
    words = "year in the future: the text gives 2047 for doi:10.1000/182"
    assert str(problem) == f"a.md:1:3: {words} [doi-future-year]"
    assert problem.severity is Severity.WARNING


@pytest.mark.parametrize("text", TABLES["numbers"])
def test_a_number_like_a_later_year_is_none(run, text):
    assert "doi-future-year" not in {problem.code for problem in run(text).problems}


@pytest.mark.parametrize("text", TABLES["years"])
def test_a_year_stands_where_references_have_theirs(run, text):
    [problem] = run(text, check_works="off").problems
    assert "the text gives 2047 for" in problem.message


@pytest.mark.parametrize("works", ["off", "warn"])
def test_two_references_are_found_in_every_check(run, works):
    report = run(RIGHT_TOO, WRONG, check_works=works)
    [problem] = [each for each in report.problems if each.code == "doi-two-works"]
    words = "same name, two works: doi:10.1000/182 here and at a.md:1; correct the wrong one"
    assert str(problem) == f"a.md:2:3: {words} [doi-two-works]"
    assert (problem.severity, report.exit_code) == (Severity.WARNING, 0)


def test_a_comment_that_silences_one_of_two_references_is_not_stale(run, handle_api, tmp_path):
    comment = IgnoreComment("ignore", 2, ((2, 1), (3, 1)), "a.md")
    places = [
        Found(DOI(NAME), file="a.md", line=line, around=block)
        for line, block in ((1, RIGHT_TOO), (2, WRONG))
    ]
    handle_api.set(NAME, "https://example.org/")
    options = Options(check="error", check_api=handle_api.api)
    assert check(places, options, silences=[comment], root=tmp_path).problems == ()
    [stale] = check(places[1:], options, silences=[comment], root=tmp_path).problems
    assert stale.code == "doi-stale-comment"


@pytest.mark.parametrize(
    ("block", "lockfile", "stale"),
    [(WRONG, "doi-lock.json", False), (RIGHT, "doi-lock.json", True), (WRONG, "", False)],
)
def test_a_comment_that_silences_a_work(handle_api, tmp_path, block, lockfile, stale):
    """It is the same with works and without, as far as that can be known."""
    handle_api.set(NAME, {"url": "https://example.org/", "work": HANDBOOK})
    options = {"check": "error", "check_api": handle_api.api, "check_lockfile": lockfile}
    options["check_works_api"] = handle_api.works_api
    place = Found(DOI(NAME), file="a.md", line=1, column=1, around=block)
    comment = IgnoreComment("ignore", 1, ((1, 1), (2, 1)), "a.md")
    for works in ("warn", "off"):
        asked = Options(check_works=works, **options)
        report = check([place], asked, silences=[comment], root=tmp_path)
        assert [each.code for each in report.problems] == ["doi-stale-comment"] * stale, works
        assert report.work_counts["known"] == 0


def test_in_a_project_that_does_not_check_works_a_comment_may_be_stale(handle_api, tmp_path):
    handle_api.set(NAME, {"url": "https://example.org/", "work": HANDBOOK})
    place = Found(DOI(NAME), file="a.md", line=1, column=1, around=WRONG)
    comment = IgnoreComment("ignore", 1, ((1, 1), (2, 1)), "a.md")
    options = Options(check="error", check_api=handle_api.api)
    report = check([place], options, silences=[comment], root=tmp_path)
    assert [each.code for each in report.problems] == ["doi-stale-comment"]


def test_off_asks_no_agency(run, handle_api):
    assert said(run(WRONG, check_works="off")) == []
    assert len(handle_api.requests) == 1


@pytest.mark.parametrize(
    ("record", "words", "severity"),
    [
        ({"updated-by": [notice("retraction")]}, "retracted", Severity.WARNING),
        ({"updated-by": [notice("withdrawal")]}, "withdrawn", Severity.WARNING),
        ({"updated-by": [notice("removal")]}, "removed", Severity.WARNING),
        ({"updated-by": [notice("partial_retraction")]}, "retracted in part", Severity.REMARK),
        (
            {"updated-by": [notice("expression_of_concern")]},
            "expression of concern",
            Severity.WARNING,
        ),
        ({"updated-by": [notice("correction")]}, "corrected", Severity.REMARK),
    ],
)
def test_a_notice(run, record, words, severity):
    [problem] = run(RIGHT, work=HANDBOOK | record).problems
    what = RETRACTED_IS + ", on 2010-02-06, see doi:10.1000/notice"
    assert problem.message == f"{words}: {what}"
    assert problem.severity is severity


def test_a_notice_of_which_only_the_year_is_known(run):
    update = {**notice("retraction"), "updated": {"date-parts": [[2010]]}}
    [problem] = run(RIGHT, work=HANDBOOK | {"updated-by": [update]}).problems
    assert ", in 2010, see doi:10.1000/notice" in problem.message


def test_works_are_kept_and_offline_builds_compare(run, handle_api, tmp_path):
    run(WRONG)
    kept = json.loads((tmp_path / "doi-lock.json").read_text())
    entry = kept["works"]["doi:10.1000/182"]
    assert list(entry) == ["type", "title", "author", "year"]
    assert kept["agencies"] == {"10.1000": "Crossref"}
    handle_api.requests.clear()
    assert said(run(WRONG)) == said(run(WRONG, check_offline=True))
    assert len(said(run(WRONG))) == 1
    assert handle_api.requests == []


def test_a_status_is_asked_again_after_a_time(run, handle_api):
    run(RIGHT)
    record = HANDBOOK | {"updated-by": [notice("retraction")]}
    assert said(run(RIGHT, work=record)) == []
    assert "retracted" in said(run(RIGHT, work=record, check_max_age=0))[0]


def test_a_title_is_kept_for_good(run, tmp_path):
    """Only what became of the work is asked again; ``--update`` takes all of the record."""
    run(RIGHT)
    changed = {"title": "Another title", "updated-by": [notice("retraction")]}
    [words] = said(run(RIGHT, work=HANDBOOK | changed, check_max_age=0))
    assert words.startswith(f"a.md:1:3: retracted: {RETRACTED_IS}")
    kept = json.loads((tmp_path / "doi-lock.json").read_text())["works"]["doi:10.1000/182"]
    assert (kept["title"], kept["status"]) == ("DOI Handbook of Names", "retracted")
    assert '"Another title"' in said(run(RIGHT, work=HANDBOOK | changed, update=True))[0]


@pytest.mark.parametrize("chain", [("10/abc1",), ("10/abc1", "10.1000/old")])
def test_what_became_of_a_work_is_told_under_its_other_names(run, handle_api, tmp_path, chain):
    for name, other in zip(chain, [*chain[1:], NAME], strict=True):
        handle_api.set(name, {"alias": other})
    handle_api.set(NAME, {"url": "https://example.org/", "work": RETRACTED})
    for options in ({}, {"check_offline": True}):
        report = run_works(handle_api, tmp_path, (chain[0], None), (chain[0], WRONG), **options)
        codes = [problem.code for problem in report.problems]
        assert codes == ["doi-alias", "doi-retracted", "doi-alias", "doi-other-work", "doi-retracted"]  # fmt: skip
    kept = json.loads((tmp_path / "doi-lock.json").read_text("utf-8"))
    assert (*kept["found"], *kept["works"]) == ("doi:10/abc1", "doi:10.1000/182")
    run_works(handle_api, tmp_path, (chain[0], None), prune=True)
    assert json.loads((tmp_path / "doi-lock.json").read_text("utf-8")) == kept


def test_a_kept_work_counts_when_the_agency_is_down(run):
    run(WRONG)
    report = run(WRONG, entry={"work_fault": {"fault": "unavailable"}}, check_max_age=0)
    assert [problem.code for problem in report.problems] == ["doi-other-work"]


def test_offline_without_the_work(run, tmp_path):
    run(WRONG, check_works="off")
    report = run(WRONG, check_offline=True)
    words = "could not check: the work of 1 DOI (not in the lock file) [doi-work-unknown]"
    assert (said(report), report.exit_code) == ([words], 0)


def test_a_name_that_is_not_found_has_no_work(run, handle_api):
    report = run(WRONG, entry={"fault": "not-found"})
    assert [problem.code for problem in report.problems] == ["doi-not-found"]
    assert all("/agencies/" not in request.path for request in handle_api.requests)


def test_a_check_of_names_alone_does_not_pass_over_works():
    with pytest.raises(ValueError, match=r"doilinks\.works\.check"):
        check_names([], Options(check="error", check_works="warn"))


def test_a_text_with_the_title_and_other_people(run):
    block = RIGHT.replace("Paskin, N.", "Wiles, A., and Taylor, R.")
    [problem] = run(block).problems
    words = "the text says Wiles; Taylor (other people; same title and year)"
    assert problem.message == f"other people: {IS}; {words}; correct the people or the name"
    assert (problem.severity, problem.code) == (Severity.WARNING, "doi-other-people")
    assert run(block).summary == "1 DOI: 1 found (1 from doi-lock.json). Works: 1 of other people"


@pytest.mark.parametrize("block", [WRONG, RIGHT.replace("Paskin, N.", "Wiles, A., and Taylor, R.")])
def test_another_work_that_was_retracted_is_both(run, block):
    report = run(block, work=RETRACTED)
    first, second = report.problems
    assert first.code in ("doi-other-work", "doi-other-people")
    assert second.message == f"retracted: {RETRACTED_IS}, see doi:10.1000/n"
    assert report.summary.endswith((". Works: 1 other, 1 retracted", " people, 1 retracted"))


def test_what_a_text_says_is_characters_and_short(run):
    title = "Modular \x1b[31melliptic \u202ecurves " + "and the theorem of Fermat " * 20
    [problem] = run(WRONG.replace("Modular elliptic curves and Fermat's theorem", title)).problems
    assert problem.message.isprintable()
    assert len(problem.message) < 400


def test_a_long_title_ends_after_a_word(run):
    title = "DOI Handbook of Names " + "for objects in the network " * 10
    [problem] = run(WRONG, work=HANDBOOK | {"title": title}).problems
    shown = problem.message.split('"')[1]
    assert len(shown) <= 80
    assert (title.startswith(shown[:-2]), title[len(shown) - 2], shown[-2:]) == (True, " ", " …")
