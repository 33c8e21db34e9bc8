"""Whatever the API says and whatever is in the lock file: an answer or one kind of error."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doilinks import DOI, InvalidDOI
from doilinks.ask.names.checker import near_misses
from doilinks.core.remarks import DASHES
from doilinks.lock.entries import day_of, entry_of, merge, parse, spell
from doilinks.lock.lockfile import InvalidLockfile, Lockfile
from doilinks.works import Work

from ..tools.proof import number

NAME = DOI("10.1000/182")
QUIET = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    max_examples=number("answers made by chance", "each", 150, one_in=10),
    deadline=None,
)

words = st.sampled_from(
    ["responseCode", "handle", "values", "type", "data", "value", "HS_ALIAS", "10.1000/182"]
    + ["found", "version", "checked", "alias", "2026-11-20", "doi:10.1000/182"]
    + ["works", "agencies", "renewed", "fetched", "author", "title", "status", "kind", "notice"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | words
    | st.sampled_from([1, 2, 100, 200]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words | st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def _doi(text):
    try:
        return DOI("10.1000/" + text)
    except InvalidDOI:
        return None


dois = st.text(min_size=1).map(_doi).filter(bool)


@QUIET
@given(st.dictionaries(words, values), values, st.sampled_from(["2026-11-20", "2026-10-01"]))
def test_any_member_of_a_lock_file(tmp_path, members, entry, day):
    """What is no member of ours, or is one of another shape, stops neither a check nor a merge."""
    path = tmp_path / "doi-lock.json"
    found = {"doi:10.1000/182": {"checked": day}, "doi:10.1000/183": {"checked": day}}
    works = {"doi:10.1000/182": entry, "doi:10.1000/183": {"fetched": day, "title": "T"}}
    document = members | {"version": 1, "found": found, "works": members.get("works", works)}
    path.write_text(json.dumps(document))
    try:
        lockfile = Lockfile(path, 30, date(2026, 11, 20))
    except InvalidLockfile:  # of a number that JSON does not have
        return
    for doi in (NAME, DOI("10.1000/183"), DOI("10.1000/184")):
        lockfile.work(doi)
        lockfile.learn(doi)
        lockfile.learn_work(doi, Work(titles=("T",)), {"10.1000": "Crossref"})
    lockfile.renew()
    lockfile.save()
    again = Lockfile(path, 30, date(2026, 11, 20))
    assert again.work(NAME).title == "T"
    assert again.age("found", NAME) < 30


days = st.dates(date(2026, 11, 1), date(2026, 11, 4)).map(str)
entries = st.dictionaries(
    st.sampled_from([f"doi:10.1000/{number}" for number in range(6)]),
    st.sampled_from(["{}", '{"alias": "doi:10.1000/9"}']) | days.map('{{"checked": "{}"}}'.format),
)
documents = st.fixed_dictionaries({"found": entries, "checked": days})


@given(documents, documents, documents)
def test_any_merge(base, ours, theirs):
    """Nothing that one has added or changed is lost, and no answer is younger than it is."""
    merged = merge(base, ours, theirs)
    for name in ours["found"].keys() | theirs["found"].keys():
        sides = [each for each in (ours, theirs) if name in each["found"]]
        same = base["found"].get(name) in [each["found"].get(name) for each in (ours, theirs)]
        assert name in merged["found"] or same
        if name in merged["found"]:
            known = [day_of(each, "found", entry_of(each, "found", name)) for each in sides]
            assert day_of(merged, "found", entry_of(merged, "found", name)) <= max(known)
    assert parse(spell(merged).encode()) == merged


@QUIET
@given(st.dictionaries(dois, st.none() | dois, max_size=5))
def test_what_is_kept_comes_back(tmp_path, answers):
    path = tmp_path / "doi-lock.json"
    path.unlink(missing_ok=True)
    lockfile = Lockfile(path)
    for doi, alias in answers.items():
        lockfile.learn(doi, alias)
    lockfile.save()
    again = Lockfile(path)
    assert all(doi in again for doi in answers)
    assert {doi: again.alias(doi) for doi in answers} == answers


@given(dois)
def test_near_misses_are_few_and_other_names(doi):
    near = near_misses(doi)
    assert len(near) <= 4
    assert doi not in near


@pytest.mark.parametrize("dash", DASHES)
def test_each_dash_that_is_remarked_on_has_its_cure_tried(dash):
    assert DOI("10.1000/a-1") in near_misses(DOI(f"10.1000/a{dash}1"))
