"""``doilinks fix`` as a user runs it: files on the disk, to the byte."""

import os
import stat
import sys
import tempfile

import pytest

from ..tools.command import doilinks

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
