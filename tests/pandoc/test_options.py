"""The options of the filter, in a document, on the command line and in the environment."""

import dataclasses

import pytest

from doilinks import DOI
from doilinks.core.options import InvalidOption, Options
from doilinks.hosts.pandoc.document import LIMITS, options_of

from ..tools.hosts import pandoc
from ..tools.links import html_links
from .filtered import inside, links

OPTIONS = """---
doi-display: name
doi-bare: false
doi-css-class: ref doi
doi-ignore: [10.5555/*, 10.9999/x, '`10.1000/a--b`', 10.1000/4.6]
doi-check: off
doi-check-max-age: 7
---

doi:10.1000/456#789 10.1000/182 doi:10.5555/1 doi:10.9999/xy doi:10.1000/A--b
"""


def test_options_from_yaml():
    made = pandoc("-f", "markdown", "-t", "html", given=OPTIONS).stdout.decode()
    assert html_links(made) == [("10.1000/456#789", "https://doi.org/10.1000/456%23789")]
    assert 'class="ref doi"' in made


def test_options_from_the_command_line():
    given = ["-M", "doi-display=url", "-M", "doi-bare=false", "-M", "doi-proxy=http://127.0.0.1:9/"]
    made = links("doi:10.1000/182 10.1000/183", "markdown", *given)
    assert made == [("https://doi.org/10.1000/182", "http://127.0.0.1:9/10.1000/182")]


WRONG = [
    ("doi-display=nmae", "doi-display: takes one of 'uri'", "got 'nmae'"),
    ("doi-dsiplay=name", "doi-dsiplay", "did you mean doi-display?"),
    ("doi_display=name", "doi_display", "did you mean doi-display?"),
    ("doi-bare=\x1b[31mperhaps", "doi-bare: takes true or false", r"\x1b[31m"),
    ("doi-ignore=(", "doi-ignore: takes beginnings of DOI names", "got '('"),
    ("doi-ignore=true", "doi-ignore: takes beginnings of DOI names", "got True"),
    (r"doi-ignore=10\.5555/", r"got '10\\.5555/'", "environment variable DOILINKS_IGNORE"),
    ("doi-ignore=10.1000/(a|aa)+$", "doi-ignore: takes beginnings of DOI names", ""),
    ("doi-ignore=10.1000/.*", "doi-ignore: takes beginnings of DOI names", ""),
    ("doi-check-timeout=61", "doi-check-timeout: takes at most 60 ", "got 61"),
    ("doi-check-timeout=soon", "doi-check-timeout: takes a number", "got 'soon'"),
    ("doi-check-retries=999999999", "doi-check-retries: takes at most 10 ", ""),
    ("doi-check-concurrency=1000", "doi-check-concurrency: takes at most 16 ", ""),
    ("doi-check-max-age=999999999", "doi-check-max-age: takes at most 3650 ", ""),
]


@pytest.mark.parametrize(("option", "words", "more"), WRONG)
@pytest.mark.parametrize("text", ["doi:10.1000/182", "no-name"])
def test_wrong_options_fail(option, words, more, text):
    name, _, given = option.partition("=")
    code, out, said = inside(text, **{name: given})
    assert (code, out) == (1, "")
    assert said.startswith("pandoc-doilinks: ")
    assert words in said
    assert more in said
    assert "Traceback" not in said
    assert "\x1b" not in said


def test_every_number_has_an_upper_limit_in_a_document():
    numbers = {
        each.name
        for each in dataclasses.fields(Options)
        if isinstance(each.default, (int, float)) and not isinstance(each.default, bool)
    }
    assert LIMITS.keys() == numbers
    for name, limit in LIMITS.items():
        assert getattr(Options(), name) <= limit
        key, above = f"doi-{name.replace('_', '-')}", {"t": "MetaString", "c": str(limit + 1)}
        with pytest.raises(InvalidOption, match=f"{key}: takes at most {limit} "):
            options_of({key: above}, {})
        at = options_of({key: {"t": "MetaString", "c": str(limit)}}, {})
        assert getattr(at, name) == limit
        # Whoever runs pandoc may set what they like.
        own = {f"DOILINKS_{name.upper()}": str(limit + 1)}
        assert getattr(options_of({}, own), name) == limit + 1


def test_a_document_cannot_take_the_time_limit_away():
    none = {"t": "MetaString", "c": "0"}
    with pytest.raises(InvalidOption, match="doi-check-time-limit: takes at most 3600 "):
        options_of({"doi-check-time-limit": none}, {})
    assert options_of({}, {"DOILINKS_CHECK_TIME_LIMIT": "0"}).check_time_limit == 0


def test_a_document_may_name_a_thousand_beginnings():
    def ignoring(count):
        names = [{"t": "MetaString", "c": f"10.1000/{number}"} for number in range(count)]
        return options_of({"doi-ignore": {"t": "MetaList", "c": names}}, {})

    assert ignoring(1000).ignores(DOI("10.1000/999a"))
    with pytest.raises(InvalidOption, match="doi-ignore: takes at most 1000 beginnings, got 1001"):
        ignoring(1001)


def test_the_environment_wins_over_the_document(monkeypatch):
    monkeypatch.setenv("DOILINKS_DISPLAY", "url")
    monkeypatch.setenv("DOILINKS_IGNORE", "10\\.5555/(a|b)\n10\\.9999/")
    monkeypatch.setenv("DOILINKS_CSS_CLASS", "")  # as if it were not set
    text = "---\ndoi-display: name\ndoi-css-class: mine\n---\n\n"
    text += "doi:10.1000/182 doi:10.5555/b doi:10.5555/c doi:10.9999/x\n"
    made = pandoc("-f", "markdown", "-t", "html", given=text).stdout.decode()
    assert [text for text, _ in html_links(made)] == [
        "https://doi.org/10.1000/182",
        "https://doi.org/10.5555/c",
    ]
    assert 'class="mine"' in made


@pytest.mark.parametrize("text", ["doi:10.1000/182", "no-name"])
def test_a_wrong_option_in_the_environment_fails(text, monkeypatch):
    monkeypatch.setenv("DOILINKS_IGNORE", "(?\x1b[31m")
    monkeypatch.setenv("DOILINKS_CHECK", "sometimes")
    code, _, said = inside(text)
    assert code == 1
    assert "pandoc-doilinks: DOILINKS_IGNORE: takes a list of regular expressions, got" in said
    assert "pandoc-doilinks: DOILINKS_CHECK: takes one of 'off', 'warn', 'error', got" in said
    assert "\x1b" not in said
