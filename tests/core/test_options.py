"""Options: each value checked once, all problems told at once, in the host's spelling."""

from dataclasses import fields

import pytest

from doilinks import DOI
from doilinks.core.options import PANDOC, SPHINX, InvalidOption, Options, kind_of


def test_defaults_are_valid():
    assert Options() == Options.read({})


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("display", "name", "name"),
        ("bare", "false", False),
        ("bare", True, True),
        ("proxy", "https://doi.example.edu", "https://doi.example.edu/"),
        ("proxy", "http://127.0.0.1:8000/", "http://127.0.0.1:8000/"),
        ("proxy", "https://x.org/login?url=", "https://x.org/login?url="),
        ("check", False, "off"),
        ("ignore", ["10\\.5555/"], ("10\\.5555/",)),
        ("ignore", "10\\.5555/\n10\\.5072/", ("10\\.5555/", "10\\.5072/")),
        ("check_ignore", ["doi:10.1000/182"], ("doi:10.1000/182",)),
        ("check_timeout", "2.5", 2.5),
        ("check_concurrency", "4", 4),
        ("check_lockfile", "", ""),
    ],
)
def test_values(name, value, read):
    assert getattr(Options.read({name: value}), name) == read


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("display", "nmae"), ("display", None), ("bare", "maybe"), ("bare", None),
        ("proxy", "javascript:alert(1)"), ("proxy", 'https://x.org/"><script>'),
        ("proxy", "https://x.org/ a"), ("proxy", "//x.org/"), ("proxy", "https://x.org:port/"),
        ("proxy", 7), ("css_class", "a\nb"), ("check_lockfile", "\ud800"),
        ("check_lockfile", "a\0b"), ("ignore", ["("]), ("ignore", 7), ("ignore", [7]),
        ("check_ignore", ["nothing"]), ("check_timeout", 0), ("check_timeout", "nan"),
        ("check_retries", -1), ("check_retries", 1.5), ("check_concurrency", 0),
        ("check_concurrency", True),
    ],
)  # fmt: skip
def test_wrong_values(name, value):
    with pytest.raises(InvalidOption) as caught:
        Options.read({name: value}, lambda option: f"--{option.replace('_', '-')}")
    [problem] = caught.value.problems
    assert problem.startswith(f"--{name.replace('_', '-')}: takes ")
    assert repr(value) in problem


def _nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("name", Options.NAMES)
@pytest.mark.parametrize(
    "value",
    [10**400, 10**5000, "1" * 5000, _nested(5000), ["a{99999999999}"], ["(" * 5000], "(" * 10**6],
    ids=["number", "huge number", "digits", "lists", "repetition", "brackets", "text"],
)
def test_a_value_that_is_too_large_is_a_wrong_value_like_others(name, value):
    try:
        Options.read({name: value})
    except InvalidOption as error:
        [problem] = error.problems
        assert problem.startswith(f"{name}: takes ")
        assert len(problem) < 1500
    else:
        assert isinstance(value, str) or name == "cite_bib"  # paths are of any length
        assert name in {"css_class", "check_lockfile", "cite_style", "cite_bib"} or value[0] == "1"


def test_each_pattern_counts_its_own_groups():
    ignore = [r"10\.1/(?P<a>x)\1", r"10\.2/(?P<a>y)\1", "(?i)10.3/z"]
    options = Options(ignore=tuple(ignore))
    for name, ignored in {"10.1/XX": 1, "10.2/yy": 1, "10.2/yx": 0, "10.3/Z": 1}.items():
        assert options.ignores(DOI(name)) == bool(ignored), name


def test_all_problems_at_once():
    with pytest.raises(InvalidOption) as caught:
        Options.read({"display": 1, "dispaly": 2, "check": 3}, lambda option: f"doi_{option}")
    assert [problem.split(":")[0] for problem in caught.value.problems] == [
        "doi_dispaly", "doi_display", "doi_check",
    ]  # fmt: skip


def test_a_wrong_family_is_named_as_written():
    with pytest.raises(InvalidOption) as caught:
        Options(check_ignore=("10.5555/*", "junk*"))
    assert "not a DOI name: 'junk*' (it does not begin with 10.)" in str(caught.value)


def test_construction_checks_too():
    with pytest.raises(InvalidOption):
        Options(display="nmae")


def test_ignore_matches_from_the_start_of_the_name_in_any_case():
    options = Options(ignore=(r"10\.5555/", r"10\.1000/a$"))
    names = ["10.5555/x", "10.1000/A", "10.1000/ab", "10.1000/10.5555/"]
    assert [options.ignores(DOI(name)) for name in names] == [True, True, False, False]


def test_a_slip_is_one_when_the_option_would_take_the_value():
    words = "doi-dispaly: there is no such option (did you mean doi-display?)"
    assert PANDOC.slips({"doi-dispaly": "name"}) == [words]
    assert PANDOC.slips({"doi_display": "name"}) == [words.replace("-dispaly", "_display")]
    assert PANDOC.slips({"doi-dispaly": "7 inches", "doi-author": "x", "dispaly": "name"}) == []
    assert SPHINX.slips({"doi_dispaly": "7 inches", "doi_display": "name"}) == [
        words.replace("doi-", "doi_")
    ]
    [escaped] = PANDOC.slips({"doi-displ\x1bay": "name"})
    assert "\x1b" not in escaped


@pytest.mark.parametrize(
    "name", ["doi_display", "doi-display", "--doi-display", "DOI_DISPLAY", "DOILINKS_DISPLAY"]
)
def test_the_name_in_another_host_is_meant(name):
    with pytest.raises(InvalidOption, match=r"did you mean display\?"):
        Options.read({name: "name"})


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [("check_works", True, "warn"), ("check", "yes", "warn"), ("display", "legibel", "legible")],
)
def test_the_value_that_is_meant(name, value, meant):
    with pytest.raises(InvalidOption, match=f"got {value!r} \\(did you mean {meant!r}\\?\\)"):
        Options(**{name: value})


def test_each_option_has_help_and_a_kind():
    for field in fields(Options):
        assert field.metadata["help"].endswith(".")
        assert field.metadata["kind"].takes


def test_each_example_is_a_value_that_the_option_takes():
    for field in fields(Options):
        kind = kind_of(field)
        if kind.example is not None:
            assert kind.read(kind.example) == kind.example != field.default


def test_the_name_of_no_option_does_not_control_the_terminal():
    with pytest.raises(InvalidOption) as caught:
        Options.read({"dis\x1b[2Jplay": 1})
    assert "dis\\x1b[2Jplay" in str(caught.value)
