"""A link whose target is nothing but a name: it is said where it stands, and counts nowhere."""

import pytest

from ..tools.command import doilinks

TEXTS = {
    "md": "See [a paper](10.1000/182) and [b].\n\n[b]: 10.1000/a%3Cb\n",
    "rst": "See `a paper <10.1000/182>`__ and b_.\n\n.. _b: 10.1000/a%3Cb\n",
}
SAID = "this target leads to a file, and there is none: write https://doi.org/10.1000/{} [doi-bare-target]"


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("command", ["scan", "check", "fix"])
def test_it_is_said_with_the_target_it_should_have(kind, command, tmp_path):
    (tmp_path / f"a.{kind}").write_text(TEXTS[kind])
    flags = ("--offline",) if command == "check" else ()
    code, out, err = doilinks(command, *flags, ".", cwd=tmp_path)
    lines = err.splitlines()
    assert code == 0
    assert [line.split(": ", 2)[2] for line in lines] == [SAID.format("182"), SAID.format("a%3Cb")]
    assert [line.split(":")[2] for line in lines] == ["1", "3"]
    assert out.splitlines()[-1].startswith(("0 DOIs", "0 changes"))
    assert (tmp_path / f"a.{kind}").read_text() == TEXTS[kind]


@pytest.mark.parametrize("there", ["10.1000/182", "10.1000/182.md", "10.1000/182/index.html"])
def test_a_file_or_folder_may_have_that_name(there, tmp_path):
    (tmp_path / "docs" / there).parent.mkdir(parents=True)
    (tmp_path / "docs" / there).write_text("a")
    (tmp_path / "docs/a.md").write_text(
        "[a paper](10.1000/182), [c](10.1000/182.md#a), [d](10.5/a)\n"
    )
    assert doilinks("scan", "docs/a.md", cwd=tmp_path)[2] == ""


def test_what_is_ignored_or_code_is_not_said(tmp_path):
    (tmp_path / "a.md").write_text("`[a](10.1000/182)` [b](10.5555/1)\n")
    assert doilinks("scan", "--ignore", "10.5555", "a.md", cwd=tmp_path)[2] == ""
