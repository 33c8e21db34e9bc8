"""What a person sees at a terminal of 80 columns: groups, colours, a bar that says why it waits."""

import re

import pytest

from ..tools.command import at_terminal, doilinks

STYLE = re.compile(r"\x1b\[(?:[0-9]|3[0-6])m")
LONG = "docs/a/folder/below/others/guide-with-a-name-that-is-long.md"


@pytest.fixture
def docs(tmp_path):
    for name, text in {
        "docs/b.md": "doi:10.1000/1\n\n\n\n\n\n\n\n\n\nand http://dx.doi.org/10.1000/182\n",
        LONG: "See doi:10.1000/182x\x1b[31m there.\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_scan_is_grouped_by_file(docs):
    shown = STYLE.sub("", at_terminal("scan", "docs", cwd=docs))
    assert shown == (
        "docs/b.md\n"
        "   1:1  doi:10.1000/1   label\n"
        "  11:5  doi:10.1000/182   url\n"
        f"{LONG}\n"
        "   1:5  doi:10.1000/182x   label\n"
        "3 DOIs, 3 distinct, in 2 of 2 files\n"
    )
    assert max(map(len, shown.splitlines())) < 80
    piped = doilinks("scan", "docs", cwd=docs)[1].splitlines()
    assert piped[-2].startswith(f"{LONG}:1:5  doi:")  # each line of a pipe names its file


COMMANDS = [("scan", "docs"), ("fix", "--diff", "docs"), ("check", "--offline", "docs")]


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_colour(docs, arguments):
    def coloured(**environment):
        shown = at_terminal(*arguments, cwd=docs, **environment)
        assert "\x1b" not in STYLE.sub("", shown)  # that of the document is spelled
        return "\x1b" in shown

    assert coloured()
    assert not coloured(NO_COLOR="1")
    assert not coloured(NO_COLOR="1", FORCE_COLOR="1")
    assert not coloured(TERM="dumb")
    assert coloured(TERM="dumb", FORCE_COLOR="1")


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_a_pipe_gets_colour_only_if_told(docs, arguments):
    plain, told = (
        doilinks(*arguments, cwd=docs, FORCE_COLOR=forced, NO_COLOR="")[1] for forced in ("", "1")
    )
    assert STYLE.search(told)
    assert STYLE.search(plain) is None
    if arguments[0] != "fix":  # a diff is a patch, which has the octets of the file
        assert STYLE.sub("", told) == plain


def test_a_report_in_a_file_has_no_colour(docs):
    arguments = ("check", "--offline", "--output", "report.txt", "docs")
    doilinks(*arguments, cwd=docs, FORCE_COLOR="1")
    assert "\x1b" not in (docs / "report.txt").read_text()


def test_the_bar_knows_how_many_there_are_and_why_it_waits(docs, handle_api):
    handle_api.set("*", {"fault": "too-many", "retry_after": 2, "times": 1, "url": "https://e.org"})
    asked = ("check", "--check-api", handle_api.api, "--check-lockfile", "", "docs")
    shown = at_terminal(*asked, cwd=docs, errors=True)
    assert "waiting 2 s, as the server asks" in shown
    assert "0/3" in shown
    assert "asking" in shown
    assert "asking" not in at_terminal(*asked, cwd=docs, errors=True, CI="true")


def test_what_is_redirected_does_not_go_to_the_terminal_of_the_bar(docs, capfd):
    shown = at_terminal("fix", "docs", cwd=docs, errors=True)
    assert "fixing" in shown
    assert "doi-resolver" not in shown
    assert "doi-resolver" in capfd.readouterr().out


def test_a_line_beside_the_bar_is_not_broken(docs):
    shown = STYLE.sub("", at_terminal("fix", "docs", cwd=docs, both=True))
    assert "fixing" in shown
    assert "http://dx.doi.org/10.1000/182 → https://doi.org/10.1000/182 [doi-resolver]\n" in shown


def test_a_log_says_why_it_waits(docs, handle_api):
    fault = {"fault": "too-many", "retry_after": 2, "times": 1}
    handle_api.set("10.1000/1", {"url": "https://example.org", **fault})
    asked = ("check", "--check-api", handle_api.api, "--check-lockfile", "", "docs/b.md")
    _, _, err = doilinks(*asked, cwd=docs)
    assert err == "doilinks: waits 2 seconds, as the server asks\n"
