"""The lock file in reviews and merges: what a diff shows, month after month, and between branches."""

import difflib
import json
import shutil
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from doilinks import DOI, Found
from doilinks.ask.works.check import check
from doilinks.check import InvalidLockfile
from doilinks.core.options import Options
from doilinks.lock.entries import CONFLICT, read_work, spell_work
from doilinks.lock.lockfile import Lockfile
from doilinks.works import Work

from ..tools.command import doilinks as command_line
from ..tools.modules import BIN, quick
from ..tools.programs import git
from ..tools.proof import sample

DAY = date(2026, 11, 20)
_ENTRIES = Path(__file__).parents[1] / "check" / "lock_entries.jsonl"
_LINES = _ENTRIES.read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in _LINES]


@pytest.mark.parametrize("row", CASES, ids=lambda row: row["what"])
def test_the_line_of_a_work(row, tmp_path):
    """What an agency says, and its line. The work of the line is the work of the record."""
    work = Work.of(row["record"])
    lockfile = Lockfile(tmp_path / "doi-lock.json")
    lockfile.learn_work(DOI("10.1000/182"), work)
    lockfile.save()
    text = lockfile.path.read_text(encoding="utf-8")
    assert text.splitlines()[-3] == f'    "doi:10.1000/182": {row["line"]}'
    assert Lockfile(lockfile.path).work(DOI("10.1000/182")) == work


OLD = {
    "title": "DOI Handbook", "names": ["Paskin", "Berg"], "year": 2000,
    "container": "", "type": "book", "volume": "12", "page": "97",
}  # fmt: skip
NEW = {
    "title": "Another title", "type": "book", "publisher": "The Foundation",
    "author": [{"family": "Paskin", "given": "Norman"}, {"family": "Berg", "given": "Ann"}],
    "page": "97-132", "volume": "12", "updated-by": [{"type": "retraction"}],
}  # fmt: skip


def test_an_old_entry_grows_when_it_is_asked_for_again():
    """What is kept for good stays. Nothing is lost of what the record does not say any more."""
    old = read_work(OLD)
    assert (old.names, old.people, old.numbers) == (("Paskin", "Berg"), (), ("12", "97"))
    grown = spell_work(old.renewed(Work.of(NEW)))
    assert grown == {
        "type": "book", "title": "DOI Handbook",
        "author": [["Paskin", "Norman"], ["Berg", "Ann"]], "year": 2000, "volume": "12",
        "page": "97-132", "publisher": "The Foundation", "status": "retracted", "kind": "retraction",
    }  # fmt: skip
    others = old.renewed(Work.of(NEW | {"author": [{"family": "Wiles"}]}))
    assert (others.names, others.page, str(others.status)) == (old.names, "97", "retracted")
    kept = read_work(grown)
    assert kept.renewed(Work.of({"title": "Another", "author": [{"family": "Wiles"}]})).people


def test_an_entry_with_ten_people_gets_the_others():
    every = {"title": "T", "author": [{"family": f"P{at}"} for at in range(40)]}
    many = Work.of(every)
    entry = spell_work(many)
    del entry["author"][10:20]
    old = read_work(entry)
    assert (old.names, old.count, len(old.people)) == (many.names, 40, 11)
    assert old.renewed(many).people == many.people
    others = Work.of(every | {"author": [{"family": "Q"}] * 40})
    assert old.renewed(others).people == old.people


def test_an_entry_without_the_month_gets_it():
    entry = {"title": "Names", "author": [["Paskin", "N."]], "year": 2000}
    now = {"title": "Others", "issued": "2000-04-28", "version": "2"}
    grown = spell_work(read_work(entry).renewed(Work.of(now)))
    more = {"month": 4, "day": 28, "version": "2"}
    assert grown == entry | more
    again = read_work(grown)
    assert again.renewed(Work.of(now | {"issued": "2000-05-01", "version": "3"})) == again
    assert read_work(entry).renewed(Work.of({"issued": "2001-04-28"})).month == 0
    odd = {"month": 13, "day": "x", "version": 3}
    noticed = {"status": "retracted", "kind": "retraction", "date": 7}
    assert read_work(entry | noticed).notices[0].date == ""
    assert read_work(entry | odd) == read_work(entry)


def test_an_entry_gets_what_earlier_versions_did_not_keep():
    """A line grows when it is asked for again; only a series that was taken for the book changes."""
    record = {
        "title": "Names", "type": "book-chapter", "container-title": ["S Series", "B"],
        "author": [{"family": "Berg", "given": "A.", "suffix": "Jr."}], "article-number": "e12",
        "editor": [{"family": "E"}], "publisher-location": "L", "language": "de",
    }  # fmt: skip
    old = {"type": "book-chapter", "title": "Names", "author": [["Berg", "A."]]}
    old |= {"container": "S Series", "publisher": "P"}
    grown = spell_work(read_work(old).renewed(Work.of(record)))
    assert grown == old | {
        "author": [["Berg", "A.", "Jr."]], "editors": [["E", ""]], "container": "B",
        "article": "e12", "series": "S Series", "place": "L", "language": "de",
    }  # fmt: skip
    assert spell_work(read_work(old)) == old
    assert spell_work(read_work(grown).renewed(Work.of({"title": "Names"}))) == grown


def test_a_file_without_a_common_day_gets_one(tmp_path):
    """Another program may have written it. What has a day of its own keeps that day."""
    path = tmp_path / "doi-lock.json"
    found = {"doi:10.1000/182": {"checked": "2026-11-20"}}
    works = {"doi:10.1000/182": {"fetched": "2026-10-01"} | OLD | {"title": "Über"}}
    path.write_text(json.dumps({"version": 1, "found": found, "works": works}))
    lockfile = Lockfile(path, 30, DAY)
    assert lockfile.is_fresh("found", DOI("10.1000/182"))
    assert not lockfile.is_fresh("works", DOI("10.1000/182"))
    assert not lockfile.save()
    lockfile.learn(DOI("10.1000/183"))
    lockfile.renew()
    assert lockfile.save()
    after = json.loads(path.read_bytes())
    assert after["checked"] == DAY.isoformat()
    assert after["found"] == {**found, "doi:10.1000/183": {}}
    assert after["works"] == works
    assert sum('"Über"' in line for line in path.read_text(encoding="utf-8").splitlines()) == 1


@pytest.mark.parametrize(
    ("sign", "kept"),
    [("ü", True), ("王", True), ("e\u0301", True), ("\u202e", False), ("\u200b", False), ("\ufeff", False),
     ("\x7f", False), ("\x1b", False), ("\u2028", False), ("\u3164", False), ("\U000e0101", False),
     ("\ue000", False), ("\u00ad", False)],
)  # fmt: skip
def test_text_is_readable_and_hides_nothing(sign, kept, tmp_path):
    path = tmp_path / "doi-lock.json"
    note = f"a{sign}b"
    path.write_text(json.dumps({"version": 1, "found": {}, "note": note}))
    lockfile = Lockfile(path)
    lockfile.learn(DOI("10.1000/182"))
    lockfile.save()
    text = path.read_text(encoding="utf-8")
    assert (sign in text) is kept
    assert json.loads(text)["note"] == note


# --------------------------------------------------------------------------------------------------
# A year of checks, at a real server, with the days of a simulated clock.


@pytest.fixture
def project(handle_api, tmp_path, monkeypatch):
    class Project:
        names: list[str]
        today = DAY

        def add(self, *numbers):
            for number in numbers:
                person = {"family": f"Person{number}", "given": "A."}
                work = {"title": f"Über {number}", "author": [person]}
                handle_api.set(f"10.1000/{number}", {"url": "https://example.org/", "work": work})
            return [f"10.1000/{number}" for number in numbers]

        def check(self, names, **options):
            update = options.pop("update", False)
            given = {
                "check": "error", "check_works": "warn", "check_api": handle_api.api,
                "check_works_api": handle_api.works_api, "check_concurrency": 20,
            }  # fmt: skip
            before = self.lines()
            handle_api.requests.clear()
            report = check(
                [Found(DOI(name)) for name in names], Options(**given | options), root=tmp_path,
                update=update,
            )  # fmt: skip
            assert report.problems == ()
            difference = difflib.unified_diff(before, self.lines(), n=0, lineterm="")
            return [each for each in difference if each[0] == "+" and each[:3] != "+++"]

        def lines(self):
            path = tmp_path / "doi-lock.json"
            return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    class Clock(datetime):
        @classmethod
        def now(cls, _zone=UTC):
            return datetime.combine(project.today, datetime.min.time(), UTC)

    project = Project()
    monkeypatch.setattr("doilinks.lock.lockfile.datetime", Clock)
    return project


def test_a_year_of_monthly_checks(project, handle_api):
    """Many names, and one more a month: a line for each day of all, and those of the new name."""
    names = project.add(*sample("names of a year of checks", "", range(100, 300), one_in=20))
    project.check(names)
    changed = []
    for month in range(12):
        project.today += timedelta(days=31)
        names += project.add(300 + month)
        changed.append(len(project.check(names)))
        assert len(handle_api.requests) >= 2 * len(names)
    # The last line of each section gets its comma, too.
    assert max(changed) <= 2 + 2 * 2
    project.today += timedelta(days=29)
    assert (project.check(names), handle_api.requests) == ([], [])


def test_an_update_writes_only_what_changes(project, handle_api):
    names = project.add(1, 2, 3)
    project.check(names)
    project.today += timedelta(days=10)
    assert project.check(names, update=True) == []
    assert handle_api.requests
    project.today += timedelta(days=15)  # near its end
    assert len(project.check(names, update=True)) == 2


def test_what_is_added_is_asked_for_again_with_all_others(project, handle_api):
    """Too soon, and never too late; a renewal is the line of each day."""
    names = project.add(1)
    project.check(names)
    project.today += timedelta(days=20)
    names += project.add(2, 3, 4, 5)
    project.check(names)
    project.today += timedelta(days=11)
    assert len(project.check(names)) == 2
    assert len([each for each in handle_api.requests if "handles" in each.path]) == 5


def test_names_of_other_documents_keep_their_day(project, handle_api):
    """They were not asked for, and are asked for when their documents are checked."""
    names = project.add(*range(10))
    project.check(names)
    project.today += timedelta(days=31)
    changed = project.check(names[1:])
    # Two days, and the two lines of the name that was left behind.
    assert len(changed) == 4
    assert sum("10.1000/0" in line and "2026-11-20" in line for line in changed) == 2
    again = project.check(names[:1])
    assert [each.count("10.1000/0") for each in again] == [1, 1]
    assert not any("2026" in each for each in again)
    assert (project.check(names), handle_api.requests) == ([], [])


def test_a_run_that_reads_little_renews_nothing(project, handle_api):
    """It asks for its names each time, until more of them are asked for."""
    names = project.add(*range(10))
    project.check(names)
    project.today += timedelta(days=31)
    for _ in range(2):
        assert project.check(names[:4]) == []
        assert len(handle_api.requests) == 2 * 4
    assert len(project.check(names)) == 2


def test_a_day_in_the_future_is_put_right(project, tmp_path):
    names = project.add(1, 2)
    project.check(names)
    path = tmp_path / "doi-lock.json"
    future = {"checked": "2099-01-01", "fetched": "x"}
    path.write_text(json.dumps(json.loads(path.read_bytes()) | future))
    project.check(names)
    assert "2099" not in path.read_text(encoding="utf-8")


# --------------------------------------------------------------------------------------------------
# Branches.


def learn(path, *numbers, day=DAY):
    lockfile = Lockfile(path, 30, day)
    for number in numbers:
        doi = DOI(f"10.1000/{number}")
        lockfile.learn(doi)
        work = Work.of({"title": f"Über {number}", "author": [{"family": "P", "given": "A."}]})
        lockfile.learn_work(doi, work, {"10.1000": "Crossref"})
    lockfile.renew()
    lockfile.save()


@pytest.fixture
def branches(tmp_path):
    """Two branches of a repository: ``ours`` is checked out, ``theirs`` is to be merged."""
    if shutil.which("git") is None:
        pytest.skip("needs git")
    path = tmp_path / "doi-lock.json"

    def made(ours, theirs, before=range(100, 300)):
        git(tmp_path, "init", "-q", "-b", "main")
        if before:
            learn(path, *before)
            git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", "before")
        for branch, change in (("theirs", theirs), ("ours", ours)):
            git(tmp_path, "switch", "-q", "-c", branch, "main")
            change(path)
            git(tmp_path, "add", ".")
            git(tmp_path, "commit", "-q", "-m", branch)
        return path

    return made


def adding(*numbers, day=DAY):
    return lambda path: learn(path, *numbers, day=day)


def names_of(path):
    document = json.loads(path.read_bytes())
    assert document["found"].keys() == document["works"].keys()
    return {name.partition("/")[2] for name in document["found"]}


def test_git_alone_merges_names_at_different_places(branches, tmp_path):
    path = branches(adding("1105", "2105"), adding("1505", "2705"))
    git(tmp_path, "merge", "-q", "theirs")
    assert len(names_of(path)) == 204
    text = path.read_bytes()
    learn(path, "1105")
    assert path.read_bytes() == text


def test_a_conflict_is_named_and_merged_by_the_command(branches, tmp_path):
    path = branches(adding("1105", "999"), adding("1106", "9999", day=DAY + timedelta(days=1)))
    assert git(tmp_path, "merge", "-q", "theirs", fails=True).returncode == 1
    line = path.read_text(encoding="utf-8").splitlines().index("<<<<<<< HEAD") + 1
    with pytest.raises(InvalidLockfile) as raised:
        Lockfile(path)
    words = f"{path.name}:{line}: damaged lock file: a merge conflict; merge it with: doilinks lock --merge"
    assert str(raised.value).startswith(words)
    assert "lock --merge 'a b.json', or" in str(InvalidLockfile(line, CONFLICT, Path("a b.json")))
    said = "doilinks: doi-lock.json merged: git add it\n"
    assert command_line("lock", "--merge", "doi-lock.json", cwd=tmp_path) == (0, "", said)
    assert names_of(path) >= {"1105", "999", "1106", "9999"}
    assert len(names_of(path)) == 204
    code, _, said = command_line("lock", "--merge", "doi-lock.json", cwd=tmp_path)
    assert (code, "no merge conflict" in said) == (0, True)


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_conflicts_in_each_style_of_git(branches, tmp_path, style):
    path = branches(adding("1105"), adding("1106"))
    git(tmp_path, "-c", f"merge.conflictStyle={style}", "merge", "-q", "theirs", fails=True)
    assert command_line("lock", "--merge", str(path), cwd=tmp_path)[0] == 0
    assert len(names_of(path)) == 202


def renewing(path):
    """All but the first name are found again, and nothing else is new."""
    learn(path, *range(101, 300), day=DAY + timedelta(days=40))


def removing(path):
    lockfile = Lockfile(path)
    lockfile.prune({DOI(f"10.1000/{number}") for number in range(100, 299)})
    lockfile.save()


DRIVEN = [
    (adding("1105"), adding("1106"), range(100, 300), 202),
    (adding("1105"), adding("1105", day=DAY + timedelta(days=1)), range(100, 300), 201),
    (removing, adding("2985"), range(100, 300), 200),
    (renewing, adding("1105", "2995"), range(100, 300), 202),
    (renewing, renewing, range(100, 300), 200),
    (adding(1, 3), adding(2), (), 3),  # both have the first lock file
]


@pytest.mark.parametrize(("ours", "theirs", "before", "count"), DRIVEN)
def test_as_a_merge_driver_of_git(branches, tmp_path, ours, theirs, before, count):
    path = branches(ours, theirs, before)
    (tmp_path / ".git/info/attributes").write_text("doi-lock.json merge=doilinks\n")
    git(
        tmp_path,
        "config",
        "merge.doilinks.driver",
        f"'{quick(BIN / 'doilinks')}' lock --merge %O %A %B",
    )
    git(tmp_path, "merge", "-q", "theirs")
    assert len(names_of(path)) == count
    if (
        ours is renewing and theirs is not renewing
    ):  # on a day when the new names were not asked for
        kept = Lockfile(path, 30, DAY)
        ages = [kept.age("found", DOI(f"10.1000/{number}")) for number in (100, 101, 1105)]
        assert ages == [0, -40, 0]


def test_what_is_damaged_is_not_merged(tmp_path):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text('{"version": 1, "found": {}}')
    bad.write_text('{"version": 1, "found": {')
    code, _, said = command_line(
        "lock", "--merge", "good.json", "good.json", "bad.json", cwd=tmp_path
    )
    assert (code, said.startswith("doilinks: bad.json:1: damaged lock file")) == (2, True)
    assert good.read_text() == '{"version": 1, "found": {}}'
    half = "<<<<<<< HEAD\n{\n=======\n[]\n>>>>>>> x\n"
    bad.write_text(half)
    assert command_line("lock", "--merge", "bad.json", cwd=tmp_path)[0] == 2
    assert bad.read_text() == half
