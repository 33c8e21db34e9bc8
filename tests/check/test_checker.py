"""What is asked, what the lock file answers, and how much each outcome matters."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import timedelta

import pytest

from doilinks import DOI, Found
from doilinks.ask.names.checker import SLIPS, near_misses
from doilinks.check import Interrupted, Memory, Outcome, check
from doilinks.core.options import InvalidOption, Options

from ..tools.check_matrix import ROWS
from ..tools.checks import URL, outcomes, run, said, today
from ..tools.programs import LONGEST
from ..tools.tables import tables

TABLES = tables(__file__)

GOOD = "10.1000/182"
STALE = "(remove it from check_ignore) [doi-stale-ignore]"


def lock(folder, days, *names):
    day = (today() - timedelta(days=days)).isoformat()
    found = {DOI(name).uri: {"checked": day} for name in names}
    (folder / "doi-lock.json").write_text(json.dumps({"version": 1, "found": found}))


def test_each_name_once_every_occurrence_reported(handle_api, tmp_path):
    doi, same = DOI("10.1000/None"), DOI("10.1000/NONE")
    where = [
        Found(same, file="z.md", line=3, column=1), Found(doi, file="a.md", line=10, column=2),
        Found(doi, file="a.md", line=9, column=7), Found(doi, file="a.md"), Found(doi),
    ]  # fmt: skip
    options = Options(check="error", check_api=handle_api.api)
    report = check(where, options, root=tmp_path)
    assert handle_api.count("10.1000/none") == 1
    assert said(report) == [
        "a.md: not found: doi:10.1000/None [doi-not-found]",
        "a.md:9:7: not found: doi:10.1000/None [doi-not-found]",
        "a.md:10:2: not found: doi:10.1000/None [doi-not-found]",
        "z.md:3:1: not found: doi:10.1000/NONE [doi-not-found]",
        "not found: doi:10.1000/None [doi-not-found]",
    ]
    assert report.summary == "1 DOI: 0 found, 1 not found"


@pytest.mark.parametrize("setting", ["warn", "error"])
def test_a_text_that_names_another_doi_is_a_warning(setting, handle_api, tmp_path):
    handle_api.set(GOOD, URL)
    good = Found(DOI(GOOD), file="a.md", line=1, column=1)
    other = Found(DOI(GOOD), file="a.md", line=1, column=1, other=DOI("10.1000/456#789"))
    options = Options(check=setting, check_api=handle_api.api)
    report = check([good, other], options, root=tmp_path)
    words = f"text names another DOI: doi:{GOOD} (the text is doi:10.1000/456%23789)"
    assert said(report) == [f"a.md:1:1: {words} [doi-text-target]"]
    assert (len(report.warnings), report.exit_code) == (1, 0)


def test_the_second_run_asks_nothing(handle_api, tmp_path):
    handle_api.set(GOOD, URL)
    handle_api.set("10/abc1", {"alias": GOOD})
    first = run(handle_api, tmp_path, GOOD, "10/abc1")
    asked = len(handle_api.requests)
    second = run(handle_api, tmp_path, GOOD, "10/abc1", progress=lambda *_: pytest.fail("asked"))
    assert len(handle_api.requests) == asked == first.requests == 2
    assert second.requests == 0
    assert said(second) == said(first)
    assert second.summary == "2 DOIs: 2 found (2 from doi-lock.json)"


@pytest.mark.parametrize(("days", "update"), [(1, True), (45, False)])
def test_a_new_answer_counts_more_than_the_one_that_is_kept(days, update, handle_api, tmp_path):
    lock(tmp_path, days, GOOD)
    report = run(handle_api, tmp_path, GOOD, update=update)
    assert (outcomes(report), report.exit_code) == ({GOOD: "not found"}, 1)
    assert json.loads((tmp_path / "doi-lock.json").read_text())["found"] == {}


@pytest.mark.parametrize(
    ("days", "age", "asked"),
    [(29, 30, 0), (30, 30, 1), (0, 0, 1), (0, 0.5, 0), (1, 1.5, 0), (-1, 30, 0), (-2, 30, 1)],
)
def test_age(days, age, asked, handle_api, tmp_path):
    lock(tmp_path, days, GOOD)
    handle_api.set(GOOD, URL)
    report = run(handle_api, tmp_path, GOOD, check_max_age=age)
    assert report.requests == asked
    assert (today().isoformat() in (tmp_path / "doi-lock.json").read_text()) == (asked or days == 0)


@pytest.mark.parametrize("unknown", ["warn", "error", "ignore"])
@pytest.mark.parametrize(("fault", "reason"), TABLES["faults"])
def test_an_old_answer_counts_while_none_can_be_had(fault, reason, unknown, handle_api, tmp_path):
    lock(tmp_path, 45, GOOD)
    before = (tmp_path / "doi-lock.json").read_text()
    entry = {"fault": fault, "times": 99, "url": "https://example.org/", "seconds": LONGEST}
    handle_api.set(GOOD, entry)
    for update in (False, True):
        report = run(handle_api, tmp_path, GOOD, update=update, check_unknown=unknown,
                     check_retries=1, check_timeout=0.1 if fault == "slow" else LONGEST)  # fmt: skip
        assert outcomes(report) == {GOOD: "found"}
        words = f"found 45 days ago: doi:{GOOD} (not asked now: {reason})"
        assert said(report) == [f"guide.md:1:5: {words} [doi-kept]"]
        assert (len(report.remarks), report.exit_code) == (1, 0)
        assert report.summary == "1 DOI: 1 found (1 from doi-lock.json)"
        assert (tmp_path / "doi-lock.json").read_text() == before


def test_one_remark_for_all_old_answers(tmp_path):
    dead = "http://127.0.0.1:9/api/handles/"
    lock(tmp_path, 45, GOOD, "10.1000/b", "10.1000/c")
    report = run(dead, tmp_path, GOOD, "10.1000/b", "10.1000/c", "10.1000/d", check_retries=0,
                 check_unknown="error")  # fmt: skip
    kept, unknown = said(report)[::-1]
    assert re.fullmatch(
        rf"found up to 45 days ago: 3 DOIs \(not asked now: {dead}: .+\) \[doi-kept\]", kept
    )
    assert unknown.startswith("guide.md:4:5: could not check: doi:10.1000/d (")
    assert report.exit_code == 3
    again = run(dead, tmp_path, GOOD, check_retries=0, check_unknown="error")
    assert said(again)[0].startswith(
        f"guide.md:1:5: found 45 days ago: doi:{GOOD} (not asked now: "
    )
    assert again.exit_code == 0


def test_names_that_no_document_contains_are_removed_when_asked_to(handle_api, tmp_path):
    handle_api.set(GOOD, URL)
    lock(tmp_path, 1, GOOD, "10.1000/old", "10.1000/older", "10.1000/ignored")
    content = json.loads((tmp_path / "doi-lock.json").read_text())
    work = {
        "fetched": "2026-11-20", "title": "T", "names": [], "year": 2000, "container": "",
        "type": "",
    }  # fmt: skip
    content["works"] = {f"doi:{GOOD}": work, "doi:10.1000/old": work}
    (tmp_path / "doi-lock.json").write_text(json.dumps(content))
    options = {"check_ignore": ["10.1000/IGNORED"], "check_offline": True}
    report = run(handle_api, tmp_path, GOOD)
    assert "older" in (tmp_path / "doi-lock.json").read_text()
    report = check([Found(DOI(GOOD))], Options(**options), root=tmp_path, prune=True)
    assert (
        said(report)[-1]
        == "removed from doi-lock.json: 2 names that no document contains [doi-pruned]"
    )
    assert [problem.code for problem in report.remarks] == ["doi-pruned"]
    found = json.loads((tmp_path / "doi-lock.json").read_text())["found"]
    assert sorted(found) == ["doi:10.1000/182", "doi:10.1000/ignored"]
    assert list(json.loads((tmp_path / "doi-lock.json").read_text())["works"]) == [f"doi:{GOOD}"]
    report = check([], Options(check_offline=True), root=tmp_path, prune=True)
    assert json.loads((tmp_path / "doi-lock.json").read_text())["found"] == {}


def test_an_interrupted_check_removes_nothing(handle_api, tmp_path):
    lock(tmp_path, 45, "10.1000/old")
    handle_api.set("*", URL)

    def interrupt(*_):
        raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        check([Found(DOI(GOOD))], Options(check_api=handle_api.api), root=tmp_path, prune=True,
              progress=interrupt)  # fmt: skip
    assert "10.1000/old" in (tmp_path / "doi-lock.json").read_text()


def test_saved_now_and_then(handle_api, tmp_path, monkeypatch):
    """A build that is killed for taking too long gets further the next time."""
    monkeypatch.setattr("doilinks.lock.lockfile._KEEP_EVERY", 0)
    monkeypatch.setattr("doilinks.lock.lockfile._KEEP_PAUSE", 0)
    handle_api.set("*", URL)
    seen = []

    def progress(done, *_):
        if done:
            seen.append((tmp_path / "doi-lock.json").read_text().count("{}"))

    run(handle_api, tmp_path, *(f"10.1000/n{number}" for number in range(5)), progress=progress)
    assert seen == [1, 2, 3, 4, 5]


def test_offline(handle_api, tmp_path):
    """From the lock file alone, however old."""
    lock(tmp_path, 9999, GOOD)
    report = run(handle_api, tmp_path, GOOD, "10.1000/new", check_offline=True)
    assert handle_api.requests == []
    assert said(report) == [
        "guide.md:2:5: could not check: doi:10.1000/new (not in the lock file) [doi-unknown]"
    ]
    summary = "2 DOIs: 1 found (1 from doi-lock.json), 1 could not be checked"
    assert report.summary == summary


def test_no_lock_file_wanted(handle_api, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    handle_api.set(GOOD, URL)
    report = run(handle_api, None, GOOD, check_lockfile="")
    assert report.summary == "1 DOI: 1 found"
    assert list(tmp_path.iterdir()) == []


def test_check_ignore_takes_families(handle_api, tmp_path):
    handle_api.set("10.5555/found", URL)
    handle_api.set("10.1000/ab1", URL)
    handle_api.set("10.1000/ab2", URL)
    ignored = ("10.5555/*", "10.1000/AB*", "10.9999/*", "10.1000/star%2A")
    names = ("10.5555/Found", "10.5555/nope", "10.1000/ab1", "10.1000/ab2", "10.1000/star*")
    report = run(handle_api, tmp_path, *names, "10.1000/starx", check_ignore=ignored)
    assert said(report) == [
        "guide.md:6:5: not found: doi:10.1000/starx [doi-not-found]",
        f"every name of this family resolves after all: doi:10.1000/AB* {STALE}",
    ]
    assert report.summary.endswith(": 3 found, 1 not found, 2 known not to resolve")
    assert report.exit_code == 1


def test_a_family_is_not_stale_while_one_of_its_names_is_unknown(handle_api, tmp_path):
    handle_api.set("10.5555/found", URL)
    handle_api.set("10.5555/odd", {"fault": "unavailable"})
    names = ("10.5555/found", "10.5555/odd")
    report = run(handle_api, tmp_path, *names, check_ignore=("10.5555/*",), check_retries=0)
    assert (said(report), report.exit_code) == ([], 0)
    with pytest.raises(InvalidOption, match="no slash between prefix and suffix"):
        Options(check_ignore=("10.5555*",))


def test_check_ignore(handle_api, tmp_path):
    handle_api.set("10.1000/stale", URL)
    handle_api.set("10.1000/unused", URL)
    handle_api.set("10.1000/odd", {"fault": "unavailable"})
    ignored = ("10.1000/STALE", "10.1000/nope", "doi:10.1000/unused", "10.1000/odd")
    names = ("10.1000/stale", "10.1000/nope", "10.1000/odd")
    report = run(handle_api, tmp_path, *names, check_ignore=ignored, check_retries=0)
    words = "(remove it from check_ignore) [doi-stale-ignore]"
    assert said(report) == [
        f"guide.md:1:5: resolves after all: doi:10.1000/stale {words}",
        f"resolves after all: doi:10.1000/unused {words}",
    ]
    assert {problem.severity for problem in report.problems} == {"warning"}
    assert report.exit_code == 0
    # Told as often as it is so, without asking again.
    again = run(handle_api, tmp_path, *names, check_ignore=ignored, check_retries=0)
    assert said(again) == said(report)
    assert handle_api.count("10.1000/stale") == 1


class TestAlias:
    def test_a_short_doi(self, handle_api, tmp_path):
        handle_api.set("10/abc1", {"alias": "10.1000/182"})
        handle_api.set(GOOD, URL)
        report = run(handle_api, tmp_path, "10/abc1", GOOD)
        assert said(report) == [
            "guide.md:1:5: alias: doi:10/abc1 (stands for doi:10.1000/182) [doi-alias]"
        ]
        assert report.remarks == report.problems
        assert report.exit_code == 0
        assert handle_api.count(GOOD) == 1

    @pytest.mark.parametrize("size", [1, 2, 3])
    def test_loop(self, size, handle_api, tmp_path):
        """Two that stand for each other, asked at the same time, do not wait for each other."""
        names = [f"10.1000/l{number}" for number in range(size)]
        for name, after in zip(names, [*names[1:], names[0]], strict=True):
            handle_api.set(name, {"alias": after})
        report = run(handle_api, tmp_path, *names)
        assert {known.reason for known in report.resolutions.values()} == {"a loop of aliases"}
        assert len(handle_api.requests) == size

    def test_chain(self, handle_api, tmp_path):
        for number in range(100):
            handle_api.set(f"10.1000/c{number}", {"alias": f"10.1000/c{number + 1}"})
        handle_api.set("10.1000/c100", URL)
        assert outcomes(run(handle_api, tmp_path, "10.1000/c97")) == {"10.1000/c97": "found"}
        report = run(handle_api, tmp_path, "10.1000/c0")
        assert report.problems[0].resolution.reason == "a chain of aliases"
        assert len(handle_api.requests) < 12


class TestNear:
    @pytest.mark.parametrize(("wrong", "right"), TABLES["near"])
    def test_offered_if_it_resolves(self, wrong, right, handle_api, tmp_path):
        handle_api.set(right, URL)
        report = run(handle_api, tmp_path, wrong)
        words = f"not found: {DOI(wrong).uri} (did you mean {DOI(right).uri}?)"
        assert said(report) == [f"guide.md:1:5: {words} [doi-not-found]"]
        # It is not in the documents, so it has no place in the lock file.
        assert not (tmp_path / "doi-lock.json").exists()

    def test_a_name_cut_by_an_invisible_character_is_offered_whole(self, handle_api, tmp_path):
        handle_api.set("10.1000/abcd", URL)
        handle_api.set("10.1000/a", URL)
        cut = Found(DOI("10.1000/ab"), line=1, whole=DOI("10.1000/abcd"))
        options = Options(check="error", check_api=handle_api.api)
        report = check([Found(cut.doi, line=2), cut], options, root=tmp_path)
        assert [problem.resolution.near for problem in report.problems] == [cut.whole] * 2

    def test_a_name_that_is_known_is_not_asked_again(self, handle_api, tmp_path):
        lock(tmp_path, 1, GOOD)
        report = run(handle_api, tmp_path, GOOD, "10.1000/182x")
        assert report.problems[0].resolution.near == DOI(GOOD)
        assert handle_api.count(GOOD) == 0

    def test_asked_for_few(self, handle_api, tmp_path):
        names = [f"10.1000/n{number}x" for number in range(100)]
        run(handle_api, tmp_path, *names)
        assert len(handle_api.requests) == 120

    def test_not_for_names_known_not_to_resolve(self, handle_api, tmp_path):
        run(handle_api, tmp_path, "10.1000/182x", check_ignore=("10.1000/182x",))
        assert len(handle_api.requests) == 1

    @pytest.mark.parametrize("name", ["10.1000/a", "10/a", "10.1000/(", "10.1000/–"])
    def test_never_the_name_itself_nor_no_name(self, name):
        assert DOI(name) not in near_misses(DOI(name))


def test_what_is_remembered_is_not_asked_again(handle_api, tmp_path):
    handle_api.set("10.1000/empty", None)
    handle_api.set("10.1000/busy", {"url": URL, "fault": "unavailable"})
    handle_api.set(GOOD, URL)
    names = (GOOD, "10.1000/182x", "10.1000/empty", "10.1000/busy")
    options = {"check_retries": 0, "check_lockfile": "", "check_ignore": ["10.1000/nope"]}
    memory = Memory()
    first = run(handle_api, tmp_path, *names, memory=memory, **options)
    asked = len(handle_api.requests)
    again = run(handle_api, tmp_path, *names, memory=memory, **options)
    assert len(handle_api.requests) == asked
    assert said(again) == said(first)
    assert len(said(first)) == 3
    assert (again.summary, again.exit_code) == (first.summary, 1)
    # A new name is asked alone, and so are its near misses.
    run(handle_api, tmp_path, *names, "10.1000/new", memory=memory, **options)
    assert {each.name for each in handle_api.requests[asked:]} >= {"10.1000/new"}
    assert handle_api.count("10.1000/nope") == handle_api.count("10.1000/182x") == 1
    run(handle_api, tmp_path, GOOD, update=True, memory=memory, **options)
    assert handle_api.count(GOOD) == 2


def test_remembered_silence_is_still_one_message(tmp_path):
    memory = Memory()
    options = {"memory": memory, "check_retries": 0}
    first = run("http://127.0.0.1:9/api/handles/", tmp_path, GOOD, "10.1000/2", **options)
    again = run("http://127.0.0.1:9/api/handles/", tmp_path, GOOD, "10.1000/2", **options)
    assert said(first) == said(again)
    assert len(said(again)) == 1
    assert "2 DOIs" in said(again)[0]
    assert (first.requests > 0, again.requests) == (True, 0)


def test_called_where_an_event_loop_is_running(handle_api, tmp_path):
    import asyncio

    handle_api.set(GOOD, URL)

    async def notebook():
        return run(handle_api, tmp_path, GOOD)

    assert asyncio.run(notebook()).count(Outcome.FOUND) == 1


def test_progress(handle_api, tmp_path):
    lock(tmp_path, 1, GOOD)
    told = []
    names = [GOOD, "10.1000/a", "10.1000/b", "10.1000/A"]
    run(handle_api, tmp_path, *names, progress=lambda *each: told.append(each))
    assert told == [(0, 2, 0), (1, 2, 0), (2, 2, 0)]


@pytest.mark.parametrize("package", ["httpx", "tenacity"])
def test_without_the_extra(package, tmp_path):
    """Whoever imports the check is told what to install."""
    missing = f"raise ModuleNotFoundError('No module named {package}', name={package!r})\n"
    (tmp_path / f"{package}.py").write_text(missing)
    done = subprocess.run(
        [sys.executable, "-c", "import doilinks.check"], capture_output=True, text=True,
        check=False, env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    words = f'the check needs the package {package}: pip install "doilinks[check]"'
    assert done.stderr.splitlines()[-1] == f"ModuleNotFoundError: {words}"


class TestSlips:
    """Each mistake that many people make is a row with an example and a counter-example."""

    @pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
    def test_the_right_name_is_tried_first(self, slip):
        wrong, right = slip.example
        assert right in [near.name for near in near_misses(DOI(wrong))[:2]]

    @pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
    def test_a_name_without_the_slip_is_left_alone(self, slip):
        assert [near.name for near in near_misses(DOI(slip.unlike))] == [slip.unlike[:-1]]

    @pytest.mark.parametrize(("wrong", "right"), TABLES["slips"])
    def test_slips_of_several_kinds(self, wrong, right):
        assert right in [near.name for near in near_misses(DOI(wrong))]


@pytest.mark.parametrize("check", ["warn", "error"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_what_is_said_of_each_outcome(row, check, handle_api, tmp_path):
    row.serve(handle_api)
    report = run(handle_api, tmp_path, row.name, check=check, **row.options)
    want = row.said(check)
    assert [(each.severity, each.code, each.message) for each in report.problems] == (
        [want] if want else []
    )
    fails = want is not None and want.severity == "error"
    assert report.exit_code == (0 if not fails else 3 if want.code == "doi-unknown" else 1)
