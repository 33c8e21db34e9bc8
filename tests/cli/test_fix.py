"""``doilinks fix`` as a user runs it: files on the disk, to the byte."""

import os
import stat
import subprocess
import sys
import tempfile

import pytest

from doilinks.testing import HandleServer

from ..tools.command import DOILINKS, at_terminal, doilinks
from ..tools.programs import running, tool

OLD = "See http://dx.doi.org/10.1000/182, `http://dx.doi.org/10.1000/182`.\n"
NEW = "See https://doi.org/10.1000/182, `http://dx.doi.org/10.1000/182`.\n"
SAID = "a.md:1:5: http://dx.doi.org/10.1000/182 → https://doi.org/10.1000/182 [doi-resolver]\n"


@pytest.fixture
def docs(tmp_path):
    (tmp_path / "a.md").write_bytes(OLD.encode())
    (tmp_path / "b.md").write_bytes(b"See https://doi.org/10.1000/183.\r\n")
    return tmp_path


def test_it_writes_in_place_and_says_what(docs):
    os.utime(docs / "b.md", (1, 1))
    code, out, err = doilinks("fix", ".", cwd=docs, real=True)
    assert (code, out, err) == (0, f"{SAID}1 change made, in 1 of 2 files\n", "")
    assert (docs / "a.md").read_bytes() == NEW.encode()
    assert (docs / "b.md").stat().st_mtime == 1
    assert {each.name for each in docs.iterdir()} == {"a.md", "b.md"}
    code, out, err = doilinks("fix", ".", cwd=docs)
    assert (code, out) == (0, "0 changes made, in 0 of 2 files\n")


def test_a_diff_writes_nothing_and_can_be_applied(docs):
    code, out, err = doilinks("fix", "--diff", ".", cwd=docs, real=True)
    assert code == 1
    assert out == f"--- a.md\n+++ a.md\n@@ -1 +1 @@\n-{OLD}+{NEW}"
    assert err == "doilinks: 1 change would be made, in 1 of 2 files\n"
    assert (docs / "a.md").read_bytes() == OLD.encode()
    assert doilinks("fix", "--diff", "b.md", cwd=docs)[0] == 0


def test_check_writes_nothing(docs):
    code, out, _ = doilinks("fix", "--check", ".", cwd=docs)
    assert (code, out) == (1, f"{SAID}1 change would be made, in 1 of 2 files\n")
    assert (docs / "a.md").read_bytes() == OLD.encode()
    assert doilinks("fix", "--check", "b.md", cwd=docs)[0] == 0


def test_rules_are_selected_and_ignored(docs):
    for flags in (("--select", "doi-doubled,doi-mistyped"), ("--ignore", "doi-resolver")):
        code, out, _ = doilinks("fix", *flags, ".", cwd=docs)
        assert (code, out) == (0, "0 changes made, in 0 of 2 files\n")
    code, _, err = doilinks("fix", "--select", "doi-resolve", ".", cwd=docs)
    assert code == 2
    assert "there is no rule 'doi-resolve'" in err
    assert doilinks("fix", "--select", "doi-resolver", ".", cwd=docs)[1].startswith(SAID)


def test_a_pipe_is_not_replaced(docs):
    os.mkfifo(docs / "p.md")
    with running(*DOILINKS, "fix", "p.md", "a.md", cwd=docs, stderr=subprocess.PIPE) as process:
        (docs / "p.md").write_text(OLD)
        _, err = process.communicate(timeout=60)
    assert err == b"doilinks: p.md: it is not a file, but a pipe or a device; not written\n"
    assert process.returncode == 2
    assert stat.S_ISFIFO((docs / "p.md").stat().st_mode)
    assert (docs / "a.md").read_text() == NEW


def test_standard_input_goes_to_standard_output(docs):
    code, out, err = doilinks("fix", "--type", "md", "-", cwd=docs, stdin=OLD.encode(), real=True)
    assert (code, out) == (0, NEW)
    assert err.startswith("doilinks: -:1:5: http://dx.doi.org/10.1000/182 → ")
    same = "Nothing to do.\n"
    assert doilinks("fix", "-", cwd=docs, stdin=same.encode(), real=True)[:2] == (0, same)
    code, out, _ = doilinks(
        "fix", "--check", "--type", "md", "-", cwd=docs, stdin=OLD.encode(), real=True
    )
    assert (code, out.splitlines()[-1]) == (1, "1 change would be made, in 1 of 1 file")


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("a.md", "\ufeffone\r\n{}\ntwo\rthree {}\r\n\r", "utf-8"),
        ("a.rst", "\ufeffé {}\r\n", "utf-16-le"),
        ("a.bib", "% Encoding: latin-1\n@a{{b, note = {{é {}}}}}\n", "latin-1"),
        ("a.txt", "naïve – {}\tx \n\n", "windows-1252"),
        ("a.py", "# coding: koi8-r\n# Я, {}\n", "koi8-r"),
        ("a.html", "<?xml?><meta charset='shift_jis'>日本 {}", "shift_jis"),
    ],
)
def test_the_encoding_and_the_line_ends_stay(tmp_path, name, text, kept):
    def octets(url):
        return text.replace("{}", url).replace("{{", "{").replace("}}", "}").encode(kept)

    (tmp_path / name).write_bytes(octets("http://dx.doi.org/10.1000/182"))
    code, _, _ = doilinks("fix", name, cwd=tmp_path)
    assert code == 0
    assert (tmp_path / name).read_bytes() == octets("https://doi.org/10.1000/182")


def test_a_file_that_cannot_be_encoded_again_stays(tmp_path):
    octets = b"\x81 \xe9 http://dx.doi.org/10.1000/182\n"  # Windows-1252 has no 0x81
    (tmp_path / "a.md").write_bytes(octets)
    code, out, err = doilinks("fix", "a.md", cwd=tmp_path)
    assert (code, out) == (0, "0 changes made, in 0 of 1 file; 1 could not be made\n")
    assert "stays, because not all of its octets are WINDOWS-1252" in err
    assert (tmp_path / "a.md").read_bytes() == octets


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links as POSIX has them")
def test_permissions_and_symbolic_links_stay(docs):
    (docs / "a.md").chmod(0o640)
    (docs / "link.md").symlink_to("a.md")
    assert doilinks("fix", "link.md", cwd=docs)[0] == 0
    assert (docs / "link.md").is_symlink()
    assert stat.S_IMODE((docs / "a.md").stat().st_mode) == 0o640
    assert (docs / "a.md").read_text() == NEW


def test_a_file_that_another_program_has_changed_is_not_overwritten(docs, monkeypatch):
    real = tempfile.mkstemp

    def slow(*args, **kwargs):
        (docs / "a.md").write_text("changed\n")
        return real(*args, **kwargs)

    monkeypatch.setattr(tempfile, "mkstemp", slow)
    code, _, err = doilinks("fix", "a.md", cwd=docs)
    assert code == 2
    assert "a.md: another program has changed it meanwhile; not written" in err
    assert (docs / "a.md").read_text() == "changed\n"
    assert {each.name for each in docs.iterdir()} == {"a.md", "b.md"}


def test_what_cannot_be_read_or_written_is_an_error(docs):
    assert doilinks("fix", "missing.md", cwd=docs)[0] == 2
    assert doilinks("fix", cwd=docs)[0] == 2
    (docs / "c.ipynb").write_text("{")
    code, out, err = doilinks("fix", ".", cwd=docs)
    assert code == 2
    assert SAID in out
    assert "c.ipynb: not a notebook" in err


def test_a_project_selects_and_ignores_rules(docs):
    (docs / "pyproject.toml").write_text('[tool.doilinks]\nfix-ignore = ["doi-resolver"]\n')
    assert doilinks("fix", "--check", ".", cwd=docs)[0] == 0
    assert doilinks("fix", "--check", "--select", "doi-resolver", ".", cwd=docs)[0] == 1
    (docs / "pyproject.toml").write_text('[tool.doilinks]\nfix-select = ["doi-resolve"]\n')
    code, _, err = doilinks("fix", ".", cwd=docs)
    assert code == 2
    assert "pyproject.toml: tool.doilinks: there is no rule 'doi-resolve'" in err
    (docs / "pyproject.toml").write_text('[tool.doilinks]\nfix-select = "doi-resolver"\n')
    code, _, err = doilinks("fix", ".", cwd=docs)
    assert code == 2
    assert "tool.doilinks.fix-select: takes a list of codes of rules, got 'doi-resolver'" in err


KNOWN = {
    "10.1000/182": "https://example.org/",
    "10.1000/a-b-c": "https://example.org/",
    "10.1000/x(1)": "https://example.org/",
    "10.1000/<->": "https://example.org/",
    "10/abc12": {"alias": "10.1000/182"},
}
WRONG = {
    "a.md": "See doi:10.1000/a\u2013b\u2013c, [x](http://dx.doi.org/10.1000/a%E2%80%93b-c), "
    "10.1000/182x, https://doi.org/10/abc12, doi:10/abc12 and [y](https://doi.org/abc12).\n",
    "b.bib": "@misc{a, doi = {10.1000/182x}, url = {https://doi.org/10.1000/x(1}}\n"
    "@misc{b, doi = {https://doi.org/10.1000/182x}, url = {http://dx.doi.org/10.1000/<\u2013>}}\n",
}
RIGHT = {
    "a.md": "See doi:10.1000/a-b-c, [x](https://doi.org/10.1000/a-b-c), "
    "10.1000/182, https://doi.org/10.1000/182, doi:10.1000/182 "
    "and [y](https://doi.org/10.1000/182).\n",
    "b.bib": "@misc{a, doi = {10.1000/182}, url = {https://doi.org/10.1000/x(1)}}\n"
    "@misc{b, doi = {10.1000/182}, url = {https://doi.org/10.1000/%3C-%3E}}\n",
}


@pytest.fixture
def asked(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    for name, text in WRONG.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with HandleServer(KNOWN) as server:
        (tmp_path / "pyproject.toml").write_text(f'[tool.doilinks]\ncheck-api = "{server.api}"\n')
        yield tmp_path, server


def test_what_the_check_knows_is_used_only_if_wanted(asked):
    root, server = asked
    assert doilinks("fix", "--check", "--select", "doi-dash,doi-near", ".", cwd=root)[0] == 0
    assert server.requests == []
    code, out, err = doilinks("fix", "--from-check", ".", cwd=root)
    assert code == 0, err
    assert {name: (root / name).read_text(encoding="utf-8") for name in RIGHT} == RIGHT, out
    assert "a.md:1:5: doi:10.1000/a\u2013b\u2013c → doi:10.1000/a-b-c [doi-dash]" in out
    assert "[doi-resolver, doi-dash]" in out
    assert "10.1000/182x → 10.1000/182 [doi-near]" in out
    assert "doi:10/abc12 → doi:10.1000/182 [doi-alias]" in out
    code, out, _ = doilinks("fix", "--from-check", ".", cwd=root)
    assert (code, out) == (0, "0 changes made, in 0 of 2 files\n")


def test_the_lock_file_is_enough_for_an_alias(asked):
    root, server = asked
    assert doilinks("check", ".", cwd=root)[0] == 1
    asked_before = len(server.requests)
    code, out, _ = doilinks("fix", "--from-check", "--offline", "a.md", cwd=root)
    assert (code, len(server.requests)) == (0, asked_before)
    assert "https://doi.org/10/abc12 → https://doi.org/10.1000/182 [doi-alias]" in out


def test_rules_of_the_check_apply_to_standard_input(asked):
    text = WRONG["a.md"].encode()
    code, out, _ = doilinks("fix", "--from-check", "--type", "md", "-", cwd=asked[0], stdin=text)
    assert (code, out) == (0, RIGHT["a.md"])


def test_a_damaged_lock_file_is_an_error(asked):
    (asked[0] / "doi-lock.json").write_text("{")
    code, _, err = doilinks("fix", "--from-check", ".", cwd=asked[0])
    assert code == 2
    assert "doi-lock.json" in err
    assert (asked[0] / "a.md").read_text(encoding="utf-8") == WRONG["a.md"]


HOSTILE = "\x1b[31m \u202e\thttp://dx.doi.org/10.1000/182\n"


def test_a_diff_on_a_terminal_does_not_control_it(tmp_path):
    (tmp_path / "a\x1b.txt").write_text(HOSTILE, encoding="utf-8")
    shown = at_terminal("fix", "--diff", ".", cwd=tmp_path, NO_COLOR="1")
    assert "-\\x1b[31m \\u202e        http://dx.doi.org/10.1000/182" in shown
    assert "--- a\\x1b.txt" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_messages_do_not_control_a_terminal(tmp_path):
    (tmp_path / "a\x1b.txt").write_text(HOSTILE, encoding="utf-8")
    _, out, _ = doilinks("fix", ".", cwd=tmp_path)
    assert out.startswith("a\\x1b.txt:1:9: http")


def test_a_diff_in_a_file_can_be_applied(tmp_path):
    """The octets of the file, also those that are not shown on a terminal."""
    texts = {
        "a.txt": HOSTILE.encode(),
        "c.txt": b"one\rtwo http://dx.doi.org/10.1000/182\rthree\n\x0cfour",
        "b.md": b"\xe9 http://dx.doi.org/10.1000/182\r\n\r\nx\r\n" * 9
        + b"http://doi.org/10.1000/1",
    }
    for name, octets in texts.items():
        (tmp_path / name).write_bytes(octets)
    with (tmp_path / "x.diff").open("wb") as diff:
        subprocess.run([*DOILINKS, "fix", "--diff", "."], cwd=tmp_path, stdout=diff, check=False)
    git = [tool("git", "no diff is applied"), "apply", "-p0", "--whitespace=nowarn", "x.diff"]
    subprocess.run(git, cwd=tmp_path, check=True)
    applied = {name: (tmp_path / name).read_bytes() for name in texts}
    for name, octets in texts.items():
        (tmp_path / name).write_bytes(octets)
    assert doilinks("fix", ".", cwd=tmp_path)[0] == 0
    assert applied == {name: (tmp_path / name).read_bytes() for name in texts} != texts
