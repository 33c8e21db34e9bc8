"""A newer work than the cited one: whole checks at a real server on the loopback interface."""

import json
import re

import pytest

from doilinks import DOI, Found
from doilinks.ask.works.newer import (
    ON_PURPOSE,
    RELATIONS,
    is_like,
    relations_of,
)
from doilinks.check import Severity, render
from doilinks.lock.entries import read_work, spell_work
from doilinks.record import project_name
from doilinks.record.project_name import two_names
from doilinks.record.work import Newer, Work
from tests.tools.checks import run_works, said
from tests.tools.command import doilinks
from tests.tools.tables import tables

TABLES = tables(__file__)

PREPRINT, ARTICLE = "10.1101/011569", "10.1371/journal.pcbi.1004259"
VERSION, CONCEPT = "10.5281/zenodo.103", "10.5281/zenodo.100"
TEXT = f"- Miller, A. (2015). Names on the move. bioRxiv. doi:{PREPRINT}"
SAID = f"newer: doi:{PREPRINT} is a preprint, which was published as doi:{ARTICLE} [doi-newer]"


def record(title="Names on the move", kind="journal-article", family="Miller", **more):
    people = [{"family": family, "given": "Ann"}]
    return {"title": title, "type": kind, "author": people} | more


def preprint_of(*names, **more):
    related = [{"id-type": "doi", "id": name, "asserted-by": "subject"} for name in names]
    return record(kind="posted-content", relation={"is-preprint-of": related}, **more)


def related(*relations):
    return {
        "relatedIdentifiers": [
            {"relationType": kind, "relatedIdentifier": name, "relatedIdentifierType": "DOI"}
            for kind, name in relations
        ]
    }


def serve(server, works):
    for name, work in ({PREPRINT: preprint_of(ARTICLE), ARTICLE: record()} | works).items():
        agency = "DataCite" if name.startswith(("10.5281", "10.48550")) else "Crossref"
        entry = {"url": "https://example.org/", "work": work, "agency": agency}
        server.set(name, entry if work else None)


@pytest.fixture
def run(handle_api, tmp_path):
    def run(*places, works=(), **options):
        serve(handle_api, dict(works))
        options = {"check_works": "error", "column": 1} | options
        return run_works(handle_api, tmp_path, *places or [(PREPRINT, TEXT)], **options)

    return run


@pytest.mark.parametrize("kind", [*RELATIONS, "has-preprint", "IsNewVersionOf", "HasPart"])
@pytest.mark.parametrize("id_type", ["doi", "url"])
def test_which_relations_are_read(kind, id_type):
    name = "10.1000/2"
    crossref = {"relation": {kind: [{"id-type": id_type, "id": name, "asserted-by": "subject"}]}}
    related = {"relatedIdentifier": name, "relatedIdentifierType": id_type.upper()}
    datacite = {"relatedIdentifiers": [{**related, "relationType": kind}]}
    read = kind in RELATIONS and id_type == "doi"
    expected = ((kind, DOI(name)),) if read else ()
    assert (relations_of(crossref), relations_of(datacite)) == (expected, expected)


@pytest.mark.parametrize("row", ON_PURPOSE, ids=lambda row: row.example)
def test_the_rows_of_texts(row):
    pattern = re.compile(row.pattern, re.IGNORECASE)
    assert pattern.search(row.example)
    assert not pattern.search(row.unlike)


def test_a_preprint_that_was_published_is_a_remark(run):
    report = run()
    assert said(report) == [f"a.md:1:1: {SAID}"]
    [problem] = report.problems
    assert (problem.severity, report.exit_code) == (Severity.REMARK, 0)
    assert report.summary == "1 DOI: 1 found. Works: 1 with a newer work, 1 agrees"
    told = json.loads(render(report, "json"))
    assert told["problems"][0]["work"]["newer"] == f"doi:{ARTICLE}"
    assert told["works"]["newer"] == 1


def test_it_is_kept_and_offline_checks_know_it(run, handle_api, tmp_path):
    first = said(run())
    path = tmp_path / "doi-lock.json"
    entry = json.loads(path.read_text())["works"][f"doi:{PREPRINT}"]
    assert entry["newer"] == {"published": f"doi:{ARTICLE}"}
    kept = path.read_bytes()
    handle_api.requests.clear()
    assert said(run(check_offline=True)) == said(run()) == first
    assert (handle_api.requests, path.read_bytes()) == ([], kept)


def test_a_published_preprint_is_learnt_about_later(run):
    assert said(run(works={PREPRINT: record(kind="posted-content")})) == []
    assert said(run()) == []
    assert said(run(check_max_age=0)) == [f"a.md:1:1: {SAID}"]


def test_check_accept_silences_it(run):
    assert said(run(check_accept=[PREPRINT])) == []
    stale = said(run(works={PREPRINT: record()}, check_accept=[PREPRINT], update=True))
    assert [words[-19:] for words in stale] == [" [doi-stale-accept]"]


def test_an_accepted_newer_work_does_not_hide_a_correction(run):
    notice = {"DOI": "10.1101/n", "type": "correction"}
    work = preprint_of(ARTICLE) | {"updated-by": [notice]}
    [problem] = run(works={PREPRINT: work}, check_accept=[PREPRINT]).problems
    assert problem.code == "doi-corrected"


@pytest.mark.parametrize(("text", "quiet"), TABLES["quiet"])
def test_a_text_may_be_about_the_preprint(run, text, quiet):
    places = [(PREPRINT, text + PREPRINT)]
    if ARTICLE in text:
        places.append((ARTICLE, text + PREPRINT))
    assert ([each for each in said(run(*places)) if "newer" in each] == []) == quiet


def test_a_v_in_the_name_is_not_a_version_in_the_text(run):
    name = "10.21203/rs.1.1/v2"
    report = run((name, TEXT.replace(PREPRINT, name)), works={name: preprint_of(ARTICLE)})
    assert [problem.code for problem in report.problems] == ["doi-newer"]


def test_a_version_in_an_address_is_not_one_in_the_text(run):
    text = f"- Miller (2015). Names on the move. doi:{PREPRINT}, https://doi.org/{PREPRINT}v1"
    assert len(said(run((PREPRINT, text)))) == 1


def test_a_file_that_names_both_knows_about_it(run):
    assert said(run((PREPRINT, TEXT), (ARTICLE, TEXT.replace(PREPRINT, ARTICLE)))) == []


OTHER = "10.1371/journal.pcbi.9"
OTHERS = [{"family": family} for family in ("Miller", "Okoye", "Ito")]
WANG = [{"family": "Wang"}, {"family": "Abe"}]
# Two titles with one word of four in common.
TRAVEL, BEAR = "Names that travel with people and handles", "The names that plants and animals bear"


@pytest.mark.parametrize(
    ("works", "why"),
    [
        ({PREPRINT: preprint_of(PREPRINT)}, "itself"),
        ({ARTICLE: preprint_of(PREPRINT)}, "a circle of preprints"),
        ({ARTICLE: record(relation={"is-preprint-of": [{"id-type": "doi", "id": PREPRINT}]})}, "2"),
        ({PREPRINT: preprint_of(*(f"10.1371/{n}" for n in range(40)))}, "a book's chapters"),
        ({ARTICLE: None}, "a name without a record"),
        ({ARTICLE: record("Quite another matter", family="Wiles")}, "nonsense"),
        ({ARTICLE: record("Quite another matter")}, "a common family name only"),
        (
            {
                PREPRINT: preprint_of(ARTICLE, title=TRAVEL, author=[*OTHERS[:1], *WANG]),
                ARTICLE: record(BEAR, author=OTHERS),
            },
            "a word and one person of three",
        ),
        ({ARTICLE: record(kind="posted-content")}, "another posting"),
        ({ARTICLE: record(kind="peer-review")}, "a review"),
        ({ARTICLE: record("RETRACTED: Names on the move")}, "a withdrawn work"),
        ({ARTICLE: record("Retraction: Names on the move")}, "the notice"),
        ({PREPRINT: record(relation=preprint_of(ARTICLE)["relation"])}, "not a preprint"),
        ({PREPRINT: preprint_of("", "10.", "x" * 90_000, "javascript:alert(1)", None, 3)}, "ids"),
        ({PREPRINT: record(kind="posted-content", relation={"is-preprint-of": {"id": 3}})}, "1"),
        ({PREPRINT: record(kind="posted-content", relation=["is-preprint-of"])}, "shapes"),
        ({PREPRINT: preprint_of("10.5281/zenodo.7"), "10.5281/zenodo.7": record()}, "a copy"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_asserted_is_not_believed(run, works, why):
    assert said(run(works=works)) == []


def test_the_second_name_is_followed_when_the_first_is_nonsense(run):
    works = {PREPRINT: preprint_of(OTHER, ARTICLE), OTHER: record("Of mice", family="Wiles")}
    assert said(run(works=works)) == [f"a.md:1:1: {SAID}"]


@pytest.mark.parametrize(
    ("title", "is_said"),
    [
        ("The move of names and what it costs", True),
        ("How a name is on the road: the move of handles and what it costs", False),
    ],
)
def test_a_title_that_is_mostly_the_same_is_believed(run, title, is_said):
    assert said(run(works={ARTICLE: record(title)})) == [f"a.md:1:1: {SAID}"] * is_said


@pytest.mark.parametrize(("title", "is_said"), [(f"{TRAVEL} today", True), (BEAR, False)])
def test_a_title_by_half_of_the_people_is_believed(run, title, is_said):
    works = {
        PREPRINT: preprint_of(ARTICLE, title=TRAVEL, author=[*OTHERS[:2], *WANG[:1]]),
        ARTICLE: record(title, author=[*OTHERS[:2], WANG[1]]),
    }
    assert said(run(works=works)) == [f"a.md:1:1: {SAID}"] * is_said


def test_a_hostile_name_is_harmless_in_the_message(run, tmp_path):
    name = 'https://doi.org/10.1371/x"><script>\u00e4'
    works = {PREPRINT: preprint_of(name), DOI.parse(name).name: record()}
    [problem] = run(works=works).problems
    assert problem.message.isascii()
    assert "<" not in problem.message
    assert "<script>" not in (tmp_path / "doi-lock.json").read_text()


def test_each_name_is_asked_for_once(run, handle_api):
    names = [f"10.1101/{n}" for n in range(20)]
    places = [(name, TEXT.replace(PREPRINT, name)) for name in [*names, ARTICLE]]
    run(*places, works=dict.fromkeys(names, preprint_of(ARTICLE)))
    paths = [each.path.partition("/agencies/")[2] for each in handle_api.requests]
    asked = [path for path in paths if path.startswith(("works/", "doiRA/"))]
    assert len(asked) == len(set(asked)) == 22


# --------------------------------------------------------------------------------------------------
# DataCite: arXiv, and the versions of a deposit.


def test_arxiv_names_the_article(run):
    name = "10.48550/arXiv.2201.06719"
    work = record(kind="Preprint") | related(("IsVersionOf", ARTICLE))
    report = run((name, TEXT.replace(PREPRINT, name)), works={name: work})
    assert said(report) == [f"a.md:1:1: {SAID.replace(PREPRINT, name)}"]


def zenodo(count, *, own=3):
    versions = [f"10.5281/zenodo.{100 + n}" for n in range(count, 0, -1)]
    work = record(kind="Software")
    return {
        f"10.5281/zenodo.{100 + own}": work | related(("IsVersionOf", CONCEPT)),
        CONCEPT: work | related(*(("HasVersion", name) for name in versions)),
    }


BADGE = f"[![DOI](https://zenodo.org/badge/DOI/{VERSION}.svg)](https://doi.org/{VERSION})"
SHIELD = BADGE.replace("zenodo.org/badge/DOI/10.5281/", "img.shields.io/badge/DOI-10.5281%2F")
OLD = f"newer: doi:{VERSION} is version 3 of 9; doi:{CONCEPT} stands for all of them [doi-newer]"


# Zenodo makes the picture of the repository, not of the name.
OF_REPOSITORY = BADGE.replace(f"DOI/{VERSION}.svg", '123456.svg "DOI"')


@pytest.mark.parametrize("badge", [BADGE, SHIELD, OF_REPOSITORY])
def test_a_badge_with_an_old_version(run, tmp_path, badge):
    assert said(run((VERSION, badge), works=zenodo(9))) == [f"a.md:1:1: {OLD}"]
    entry = json.loads((tmp_path / "doi-lock.json").read_text())["works"][f"doi:{VERSION}"]
    assert entry["newer"] == {"version": f"doi:{CONCEPT}", "number": 3, "of": 9}
    assert said(run((VERSION, badge), check_offline=True)) == [f"a.md:1:1: {OLD}"]


@pytest.mark.parametrize(
    ("text", "works"),
    [
        (f"Miller (2015). Names on the move 0.3. doi:{VERSION}", zenodo(9)),
        (f"https://zenodo.org/badge/DOI/{VERSION}4.svg doi:{VERSION}", zenodo(9)),
        (BADGE, zenodo(3)),
        (BADGE, zenodo(2)),  # the record of all does not have it
        (BADGE, zenodo(9) | {CONCEPT: None}),
        (BADGE, {VERSION: record() | related(("HasVersion", CONCEPT))}),
    ],
    ids=["a reference", "another badge", "the latest", "not in it", "no record", "not a version"],
)
def test_a_version_is_cited_rightly(run, text, works):
    assert said(run((VERSION, text), works=works)) == []


def test_the_next_version(run):
    work = record(kind="Software") | related(("IsPreviousVersionOf", "10.5281/zenodo.104"))
    works = {VERSION: work, "10.5281/zenodo.104": record(kind="Software")}
    words = f"newer: doi:{VERSION} is a version, and the next one is doi:10.5281/zenodo.104"
    assert said(run((VERSION, BADGE), works=works)) == [f"a.md:1:1: {words} [doi-newer]"]


# --------------------------------------------------------------------------------------------------
# On the command line, and in a host.


@pytest.fixture
def tree(tmp_path, handle_api, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    serve(handle_api, zenodo(9))
    api, works_api = handle_api.api, handle_api.works_api
    settings = f'check-api = "{api}"\ncheck-works-api = "{works_api}"\n'
    (tmp_path / "pyproject.toml").write_text(f"[tool.doilinks]\n{settings}")
    return tmp_path


IMAGE = f"https://zenodo.org/badge/DOI/{VERSION}.svg"
BADGES = TABLES["badges"]
NO_BADGES = TABLES["no_badges"]


@pytest.mark.parametrize("files", [BADGES, NO_BADGES], ids=["own", "others"])
def test_badges_and_fields_of_each_type(tree, files):
    for name, text in files.items():
        (tree / name).write_text(text)
    code, out, err = doilinks("check", "--works", ".", cwd=tree)
    said = [line.partition(":")[0] for line in out.splitlines() if "is version 3 of 9" in line]
    assert (code, said) == (0, sorted(files) if files is BADGES else []), out + err


TWO = TABLES["two"]


def test_identifiers_of_a_citation_file_belong_to_its_names(tree):
    listed = "identifiers:\n  - type: doi\n    value: 10.5281/zenodo.100\n  - value: {0}\n    type: doi\n"
    for name, text in TWO.items():
        if "/" not in name:
            (tree / name).write_text(text.format(103, 100, 104))
    assert doilinks("check", ".", cwd=tree)[1].count("doi-two-names") == 2
    with (tree / "CITATION.cff").open("a") as file:
        file.write(listed.format("10.5281/zenodo.102"))
    assert doilinks("check", ".", cwd=tree)[1].count("doi-two-names") == 0


def test_a_block_with_many_badges_takes_no_longer_for_each():
    names = [f"10.5281/zenodo.{number}" for number in range(3000)]
    block = " ".join(BADGE.replace(VERSION, name) for name in names)
    found = [Found(DOI(name), file="README.md", line=1, around=block) for name in names]
    project_name._badges.cache_clear()
    assert [*two_names([*found, Found(DOI(VERSION), file="CITATION.cff", around="doi:")])] == []
    assert project_name._badges.cache_info().misses == 2  # both blocks are read once, for all names in them


@pytest.mark.parametrize(
    ("numbers", "flags", "where"),
    [
        ((103, 103, 103, 103), (), []),
        ((103, 104, 103, 104), (), []),  # one of these may stand for all versions
        ((103, 104, 100, 103), (), ["README.md", "codemeta.json"]),
        ((103, 100, 100, 103), ("--works",), []),
        ((200, 103, 100, 200), ("--works",), ["codemeta.json"]),
    ],
    ids=["one", "without records", "three names", "version and concept", "another deposit"],
)
def test_the_files_of_a_project_name_several_works(tree, handle_api, numbers, flags, where):
    others = [f"10.5281/zenodo.{number}" for number in (1, 2, 104, 200)]
    serve(handle_api, zenodo(9) | dict.fromkeys(others, record("Another")))
    for folder in ("docs", "lib"):
        (tree / folder).mkdir()
    for name, text in TWO.items():
        (tree / name).write_text(text.format(*numbers))
    code, out, err = doilinks("check", *flags, ".", cwd=tree)
    lines = [line for line in out.splitlines() if "doi-two-names" in line]
    assert (code, [line.partition(":")[0] for line in lines]) == (0, where), out + err
    if where:
        name = numbers[1 if where[0] == "README.md" else 2]
        words = f"two names: doi:10.5281/zenodo.{name} stands for the project here, "
        assert f"{words}doi:10.5281/zenodo.{numbers[0]} at CITATION.cff:2 [" in lines[0]
    # Kept records decide too, and `check_accept` silences what is said.
    if flags:
        again = doilinks("check", "--offline", ".", cwd=tree)[1]
        assert again.count("doi-two-names") == len(where)
    accept = ", ".join(f'"10.5281/zenodo.{number}"' for number in numbers)
    with (tree / "pyproject.toml").open("a") as file:
        file.write(f"check-accept = [{accept}]\n")
    assert "doi-two-names" not in doilinks("check", *flags, ".", cwd=tree)[1]


def test_fix_writes_the_article_only_if_it_is_named(tree):
    (tree / "a.md").write_text(f"{TEXT}\n\n{BADGE}\n")
    code, out, err = doilinks("fix", "--from-check", ".", cwd=tree)
    assert (code, out) == (0, "0 changes made, in 0 of 1 file\n"), err
    assert doilinks("fix", "--select", "doi-newer", ".", cwd=tree)[0] == 0
    assert (tree / "a.md").read_text() == f"{TEXT}\n\n{BADGE}\n"
    code, out, err = doilinks("fix", "--from-check", "--select", "doi-newer", ".", cwd=tree)
    assert (code, f"doi:{PREPRINT} → doi:{ARTICLE} [doi-newer]" in out) == (0, True), out + err
    assert (tree / "a.md").read_text() == f"{TEXT.replace(PREPRINT, ARTICLE)}\n\n{BADGE}\n"


PREPRINT_PAGE = "https://www.biorxiv.org/content/10.1101/011569v1"


def test_a_page_of_a_preprint_that_was_published(tree):
    rules = {"doi-newer": PREPRINT_PAGE, "doi-publisher": f"https://doi.org/{PREPRINT}"}
    rules["doi-publisher,doi-newer"] = f"https://doi.org/{ARTICLE}"
    for rule, page in rules.items():
        (tree / "a.md").write_text(
            f"{TEXT}\n- Miller (2015). [Names on the move]({PREPRINT_PAGE})\n"
        )
        code, out, err = doilinks("fix", "--from-check", "--select", rule, "a.md", cwd=tree)
        assert code == 0, err
        name = ARTICLE if "newer" in rule else PREPRINT
        text = f"{TEXT.replace(PREPRINT, name)}\n- Miller (2015). [Names on the move]({page})\n"
        assert (tree / "a.md").read_text() == text, (rule, out)


# --------------------------------------------------------------------------------------------------
# The lock file, and records of any shape.


@pytest.mark.parametrize(
    ("entry", "newer"),
    [
        ({"published": "doi:10.1000/2"}, Newer("published", DOI("10.1000/2"))),
        (
            {"version": "doi:10.1000/2", "number": 3, "of": 9},
            Newer("version", DOI("10.1000/2"), 3, 9),
        ),
        ({"version": "10.1000/2", "number": "3", "of": 9}, Newer("version", DOI("10.1000/2"))),
        ({"published": "nonsense"}, None),
        ({"published": ["doi:10.1000/2"]}, None),
        ({}, None),
        ("doi:10.1000/2", None),
    ],
)
def test_an_entry_of_the_lock_file(entry, newer):
    kept = read_work({"title": "A", "newer": entry})
    assert kept.newer == newer
    assert read_work(spell_work(kept)) == kept


@pytest.mark.parametrize("shape", [None, 3, "x", [], {}, [[]], [None], {"relationType": []}])
def test_relations_of_any_shape(shape):
    for record in (
        shape, {"relation": shape}, {"relatedIdentifiers": shape}, {"relatedIdentifiers": [shape]},
        {"relation": {"is-preprint-of": shape}}, {"relation": {"is-preprint-of": [shape]}},
    ):  # fmt: skip
        assert relations_of(record) == ()


def test_a_status_that_changes_takes_the_newer_work_along():
    old = Work(titles=("A",), names=("B",), newer=Newer("published", DOI("10.1000/2")))
    assert old.renewed(Work(titles=("A",), names=("C",))).newer is None


@pytest.mark.parametrize(("title", "people", "like", "version"), TABLES["like"])
def test_title_and_people_are_like_together(title, people, like, version):
    """A group has written many works on one subject; of versions, the people change."""
    first = Work(("Tracing single cells by dynamics in mice",), ("Miller", "Berg"))
    other = Work((title,), tuple(people.split()))
    assert is_like(DOI("10.1000/182"), first, other) is like
    assert is_like(DOI("10.1000/182"), first, other, is_version=True) is version
