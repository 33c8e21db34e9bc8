"""Which DOI was meant, asked at a real server on the loopback interface."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from doilinks import DOI
from doilinks.ask.names.problems import Memory
from doilinks.ask.works.agencies import read_works
from doilinks.ask.works.find import Question, question_of
from doilinks.check import render
from doilinks.core.found import IgnoreComment
from doilinks.lock.entries import merge, parse, read_suggested, spell

from ..tools.checks import run_works
from ..tools.command import doilinks
from ..tools.handle_api import FAULTS


def work(title, family, year, **more):
    people = [{"family": family, "given": "Ann"}]
    return {"title": title, "author": people, "issued": {"date-parts": [[year]]}, **more}


MEANT, OTHER, NONE = "10.1000/lakes", "10.1000/towers", "10.1000/nothing"
LAKES = work("Tidal locking of small lakes by migrating herons", "Overgaard", 2017)
TOWERS = work("A census of lighthouses in landlocked countries", "Brandt", 2018)
TEXT = (
    "Overgaard, A. (2017). Tidal locking of small lakes by migrating herons. Limnology 12, 44-61."
)
RIGHT = "Brandt, A. (2018). A census of lighthouses in landlocked countries."
OFFER = f"did you mean doi:{MEANT}?"


def records(server):
    server.set(MEANT, {"url": "https://example.org/", "work": LAKES})
    server.set(OTHER, {"url": "https://example.org/", "work": TOWERS})


@pytest.fixture
def run(handle_api, tmp_path):
    records(handle_api)

    def run(*blocks, **options):
        handle_api.requests.clear()
        texts = [(name, f"* {text} doi:{name}") for name, text in blocks]
        return run_works(handle_api, tmp_path, *texts, **{"check_suggest": True} | options)

    return run


@pytest.fixture
def sent(handle_api):
    """The texts that were sent since the last check began."""

    def sent():
        queries = [parse_qs(urlsplit(each.path).query) for each in handle_api.requests]
        return [each["query.bibliographic"][0] for each in queries if each]

    return sent


def lines(tmp_path):
    path = tmp_path / "doi-lock.json"
    return json.loads(path.read_bytes()).get("suggested", {}) if path.exists() else {}


def offers(report):
    return [str(each) for each in report.problems if "did you mean" in each.message]


def test_a_name_that_does_not_resolve(run, sent, tmp_path):
    report = run((NONE, TEXT))
    assert offers(report) == [f"a.md:1:3: not found: doi:{NONE} ({OFFER}) [doi-not-found]"]
    assert report.problems[0].resolution.near == DOI(MEANT)
    assert json.loads(render(report, "json"))["problems"][0]["near"] == f"doi:{MEANT}"
    assert sent() == [TEXT]
    kept = json.loads((tmp_path / "doi-lock.json").read_bytes())
    [(name, line)] = kept["suggested"].items()
    assert (len(name), list(line), line["fits"]) == (16, ["asked", "fits"], [f"doi:{MEANT}"])
    assert kept["works"][f"doi:{MEANT}"]["title"] == LAKES["title"]
    assert "renewed" not in kept


def test_a_name_of_another_work_at_the_place_where_it_is(run, sent):
    report = run((OTHER, RIGHT), (OTHER, TEXT))
    [message] = [each for each in offers(report) if "doi-other-work" in each]
    assert message.startswith("a.md:2:3: another work: ")
    assert message.endswith(f"; {OFFER} [doi-other-work]")
    assert sent() == [TEXT]


def test_each_place_has_its_own_text(run):
    report = run((NONE, TEXT), (NONE, RIGHT))
    assert [each.split(": ")[0] for each in offers(report)] == ["a.md:1:3"]


SILENCED = IgnoreComment("ignore", 1, ((1, 1), (1, 99)), "a.md")


@pytest.mark.parametrize(
    ("places", "options"),
    [
        *(([(NONE, TEXT), (OTHER, TEXT)], options) for options in (
            {"check_suggest": False}, {"check_offline": True}, {"check_suggest": "no"})),
        ([(OTHER, RIGHT)], {}),
        ([(MEANT, TEXT)], {}),
        ([(NONE, "See also for more.")], {}),
        ([(NONE, "The salaries of all are a secret. We use the method of Overgaard (2017),")], {}),
        ([(OTHER, TEXT)], {"check_accept": [OTHER]}),
        ([(NONE, TEXT)], {"check_ignore": [NONE]}),
        ([(NONE, TEXT)], {"silences": [SILENCED]}),
    ],
)  # fmt: skip
def test_nothing_is_sent(run, sent, places, options):
    assert (offers(run(*places, **options)), sent()) == ([], [])


def test_without_works_only_names_that_do_not_resolve_are_asked_about(run, sent):
    report = run((NONE, TEXT), (OTHER, TEXT), check_works="off")
    assert len(offers(report)) == len(sent()) == 1


def test_an_answer_is_kept_and_not_asked_for_again(run, sent, tmp_path):
    before = offers(run((NONE, TEXT), (OTHER, TEXT)))
    lock = (tmp_path / "doi-lock.json").read_bytes()
    for options in ({}, {"check_suggest": False}):
        assert offers(run((NONE, TEXT), (OTHER, TEXT), **options)) == before
        assert sent() == []
    assert offers(run((OTHER, TEXT), check_offline=True)) == [before[1].replace(":2:", ":1:")]
    assert (tmp_path / "doi-lock.json").read_bytes() == lock


def test_that_there_is_none_is_kept_until_the_text_changes(run, sent, tmp_path):
    other = TEXT.replace("lakes by migrating herons", "moons by passing comets")
    assert offers(run((NONE, other))) == []
    assert (len(sent()), list(map(list, lines(tmp_path).values()))) == (1, [["asked"]])
    run((NONE, other))
    assert sent() == []
    assert len(offers(run((NONE, TEXT)))) == len(sent()) == 1
    run((NONE, TEXT), update=True)
    assert sent() == [TEXT]


def test_an_update_with_the_same_answer_changes_nothing(run, tmp_path):
    run((NONE, TEXT))
    path = tmp_path / "doi-lock.json"
    path.write_text(path.read_text("utf-8").replace('"asked": "20', '"asked": "19'), "utf-8")
    before = path.read_bytes()
    run((NONE, TEXT), update=True)
    assert path.read_bytes() == before


def test_a_host_that_builds_again_asks_once(run, sent):
    memory = Memory()
    for count in (1, 0):
        report = run((NONE, TEXT), memory=memory, check_lockfile="")
        assert (len(sent()), len(offers(report))) == (count, 1)


def test_prune_keeps_what_is_suggested_for_a_name_of_the_documents(run, tmp_path):
    run((NONE, TEXT), (OTHER, TEXT))
    run((NONE, TEXT), prune=True)
    kept = json.loads((tmp_path / "doi-lock.json").read_bytes())
    assert (len(kept["suggested"]), list(kept["works"])) == (1, [f"doi:{MEANT}"])
    run((MEANT, TEXT), prune=True)
    kept = json.loads((tmp_path / "doi-lock.json").read_bytes())
    assert ("suggested" in kept, list(kept["works"])) == (False, [f"doi:{MEANT}"])


def test_near_misses_come_first(run, sent, handle_api):
    handle_api.set(NONE[:-1], "https://example.org/")
    assert f"did you mean doi:{NONE[:-1]}?" in offers(run((NONE, TEXT)))[0]
    assert sent() == []
    handle_api.set(OTHER[:-1], {"work": LAKES})
    assert f"did you mean doi:{OTHER[:-1]}?" in offers(run((OTHER, TEXT)))[0]
    assert sent() == []


def test_of_several_works_the_likeliest(run, handle_api):
    earlier = LAKES | {"issued": {"date-parts": [[2011]]}}
    handle_api.set("10.1000/early", {"work": earlier})
    items = [{"DOI": "10.1000/early", **earlier}, {"DOI": MEANT, **LAKES}]
    for found in (items, items[::-1]):
        handle_api.set("?", {"items": found})
        assert OFFER in offers(run((NONE, TEXT), check_lockfile=""))[0]


HUGE = {"DOI": MEANT, **LAKES, "author": [{"family": "X" * 9} for _ in range(50_000)]}


@pytest.mark.parametrize(
    "items",
    [
        [], {}, "items", [None, 7, "10.1000/x", [], {}], [{"DOI": 7, **LAKES}],
        [{"DOI": None, **LAKES}], [{"DOI": "no name", **LAKES}], [{"DOI": NONE, **LAKES}],
        [{"DOI": NONE.upper(), **LAKES}], [{"DOI": "10.1000/a\x1b[2J\n::error::b", **LAKES}],
        [{"DOI": MEANT, **TOWERS}], [{"DOI": MEANT, **LAKES, "author": TOWERS["author"]}],
        [{"DOI": MEANT, **LAKES, "title": {"a": 1}, "author": "x"}], [{"DOI": MEANT}],
        [{"DOI": OTHER, **TOWERS}] * 5 + [{"DOI": MEANT, **LAKES}],
        [HUGE | {"title": "x" * 3_000_000}],
    ],
)  # fmt: skip
def test_a_hostile_answer_offers_nothing(run, handle_api, items):
    handle_api.set("?", {"items": items})
    report = run((NONE, TEXT))
    assert offers(report) == []
    assert all(str(each).isprintable() for each in report.problems)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_remark(run, handle_api, tmp_path, fault):
    handle_api.set("?", {"fault": fault, "seconds": 0.001, "retry_after": 0})
    report = run((NONE, TEXT))
    if fault in {"slow", "drip", "redirect"}:
        assert len(offers(report)) == 1
        return
    assert offers(report) == []
    [remark] = report.remarks
    assert remark.message.startswith("could not ask which DOI 1 text meant (http://127.0.0.1:")
    assert lines(tmp_path) == {}


def test_a_fault_that_ends_is_asked_again(run, handle_api, sent):
    handle_api.set("?", {"fault": "too-many", "retry_after": 0, "times": 1})
    assert len(offers(run((NONE, TEXT), check_retries=1))) == 1
    assert len(sent()) == 2


def test_one_question_at_a_time_if_the_server_says_so(run, handle_api, sent):
    handle_api.limits = {"x-concurrency-limit": "1"}
    handle_api.latency = 0.01
    names = [f"10.{2000 + n}/x" for n in range(60)]
    run((NONE, TEXT), check_lockfile="")
    handle_api.most_at_once = 0
    run(*((name, f"{TEXT} {name[3:7]}") for name in names), check_concurrency=1)
    assert len(sent()) == 50
    assert handle_api.most_at_once == 1


def test_what_is_sent():
    for block in (
        f"* {TEXT} doi:10.1000/182. ![a](b.png) https://secret.example/token?key=1 and",
        f"* **{TEXT}** <https://doi.org/10.1000/182>",
        f'<li>{TEXT} <a href="https://doi.org/10.1000/182">doi:10.1000/182</a></li>',
        f"* {TEXT}\x1b[2J\u202e `doi:10.1000/182`",
    ):
        said = question_of(block, DOI("10.1000/182")).text
        assert said.startswith(TEXT.rstrip("."))
        assert said.isprintable()
        assert not any(each in said for each in ("10.1000", "doi", "secret", "<", "*", "http"))
    for long in (f"{TEXT} {'more and ' * 3000} doi:", "Aa, B., " * 3000 + f"{TEXT} doi:"):
        question = question_of(long)
        assert question is None or len(question.text) <= 400
    assert question_of(f"{TEXT} {'more and ' * 3000}").text.startswith("Overgaard")
    assert len(question_of("王小明, " * 3000 + "名前の研究. (2000).").text) <= 400
    assert question_of("Described in Overgaard et al. (2017), 10.1/2", DOI("10.1/2")) is None


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("[[lakes]]Overgaard, A. (2017). Tidal locking, see <<herons,herons>>.",
         "Overgaard, A. (2017). Tidal locking, see herons."),
        ("* [[[lakes,1]]] Overgaard, A. (2017). Tidal locking of lakes. <<herons>>",
         "Overgaard, A. (2017). Tidal locking of lakes."),
        ("@phdthesis{a, author={Overgaard, Ann}, title={Tidal locking}, School = {A School}, year=2017}",
         "Overgaard, Ann Tidal locking A School 2017"),
        ('@book{a, author="Overgaard, Ann", title="Tidal locking", edition=second, institution="Things"}',
         "Overgaard, Ann Tidal locking Things"),
        ("@book{a, author={Overgaard, Ann}, title={Tidal locking, where a = 0.5}, year=2017}",
         "Overgaard, Ann Tidal locking, where a = 0.5 2017"),
    ],
)  # fmt: skip
def test_no_marks_and_no_names_of_fields_are_sent(block, said):
    assert question_of(block).text == said


def test_an_answer_is_read_whatever_it_is():
    for body in (b"", b"[]", b"[" * 100_000, b'{"message": {"items": {}}}', b"{}", b"1" * 5000):
        assert read_works(200, body).value is None
    assert read_works(503, b"").again


# --------------------------------------------------------------------------------------------------
# The line in the lock file.


HASH = Question("", TEXT).hash


@pytest.mark.parametrize(
    "entry",
    [None, 7, [], {}, {"asked": "x"}, {"asked": 7}, {"asked": "2026-11-20", "fits": "10.1000/1"},
     {"asked": "2026-11-20", "fits": ["x"]}, {"asked": "2026-11-20", "fits": [7]},
     {"asked": "2026-11-20", "fits": None}, {"asked": "2026-11-20", "fits": {}}],
)  # fmt: skip
def test_what_is_no_suggestion_is_asked_for_again(entry, run, sent, tmp_path):
    assert read_suggested(entry) is None
    document = {"version": 1, "found": {}, "suggested": {HASH: entry}}
    (tmp_path / "doi-lock.json").write_text(json.dumps(document))
    assert len(offers(run((NONE, TEXT)))) == len(sent()) == 1


def test_a_suggestion_by_hand_is_compared_too(run, tmp_path):
    run((NONE, TEXT))
    path = tmp_path / "doi-lock.json"
    for name in (OTHER, NONE):
        changed = parse(path.read_bytes())
        changed["suggested"][HASH] = json.dumps({"asked": "2026-11-20", "fits": [f"doi:{name}"]})
        path.write_text(spell(changed), "utf-8")
        assert offers(run((OTHER, RIGHT), (NONE, TEXT), check_suggest=False)) == []


def test_two_versions_are_merged():
    def one(**texts):
        lines = {
            text: json.dumps({"asked": "2026-11-20", "fits": [f"doi:10.1000/{n}"]})
            for text, n in texts.items()
        }
        return {"found": {}, "suggested": lines}

    merged = merge({"found": {}}, one(a=1, b=1), one(b=2, c=1))
    assert {text: each[-4] for text, each in merged["suggested"].items()} == {
        "a": "1", "b": "1", "c": "1",
    }  # fmt: skip
    assert "renewed" not in merged
    assert spell(merged).count('\n    "') == 3


# --------------------------------------------------------------------------------------------------
# The command line.


@pytest.fixture
def folder(handle_api, tmp_path):
    records(handle_api)
    settings = f'check_api = "{handle_api.api}"\ncheck_works_api = "{handle_api.works_api}"\n'
    (tmp_path / "pyproject.toml").write_text(f"[tool.doilinks]\n{settings}")
    (tmp_path / "a.md").write_text(
        f"* {TEXT} doi:{NONE}\n* {RIGHT} doi:{NONE}\n* {TEXT} <https://doi.org/{OTHER}>\n"
        f"* {RIGHT} doi:{OTHER}\n* {TEXT} doi:{NONE} <!-- doilinks: ignore -->\n"
    )
    return tmp_path


def test_the_flag_suggests(folder, sent):
    code, out, _ = doilinks("check", "--works", "a.md", cwd=folder)
    assert (code, sent(), "did you mean" in out) == (1, [], False)
    code, out, _ = doilinks("check", "--works", "--suggest", "a.md", cwd=folder)
    assert (code, out.count(OFFER)) == (1, 2)
    (folder / "doi-lock.json").unlink()
    with (folder / "pyproject.toml").open("a") as file:
        file.write("check_suggest = true\n")
    code, out, _ = doilinks("check", "--no-check-suggest", "a.md", cwd=folder)
    assert OFFER not in out


def test_fix_asks_if_it_is_told_to(folder, sent):
    doilinks("fix", "--from-check", "--suggest", "--diff", "a.md", cwd=folder)
    assert sent() == []
    flags = ("--from-check", "--suggest", "--select", "doi-work", "--diff")
    code, out, _ = doilinks("fix", *flags, "a.md", cwd=folder)
    assert (code, out.count(f"\n+* {TEXT}")) == (1, 2)
    assert len(sent()) == 2
