"""``doilinks fix`` as a user runs it: files on the disk, to the byte."""

import os
import pkgutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from ..tools.command import at_terminal, doilinks
from ..tools.handle_api import HandleServer
from ..tools.modules import BIN, quick, run_module
from ..tools.programs import ended, git, running, tool
from ..tools.tables import tables

TABLES = tables(__file__)

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
    (docs / "a.md").rename(docs / "a\n+.md")
    assert doilinks("fix", "--diff", ".", cwd=docs)[1].startswith("--- a\\n+.md\n+++ a\\n+.md\n@@")


def test_check_writes_nothing(docs):
    code, out, _ = doilinks("fix", "--check", ".", cwd=docs)
    assert (code, out) == (1, f"{SAID}1 change would be made, in 1 of 2 files\n")
    assert (docs / "a.md").read_bytes() == OLD.encode()
    assert doilinks("fix", "--check", "b.md", cwd=docs)[0] == 0


def test_a_summary_counts_by_rule_and_by_file_and_writes_nothing(docs):
    (docs / "c\n.md").write_text(
        "See http://dx.doi.org/10.1000/184 and http://doi.org/doi:10.1000/1."
    )
    code, out, _ = doilinks("fix", "--summary", ".", cwd=docs)
    assert (code, out.splitlines()) == (1, [
        "      3 doi-resolver, in 2 files",
        "      1 doi-doubled, in 1 file",
        "      3 c\\n.md: 2 doi-resolver, 1 doi-doubled",
        "      1 a.md: 1 doi-resolver",
        "3 changes would be made, in 2 of 3 files",
    ])  # fmt: skip
    assert (docs / "a.md").read_bytes() == OLD.encode()


def test_only_what_has_changed_since_a_revision(docs):
    git(docs, "init")
    git(docs, "add", "a.md")
    git(docs, "commit", "-m", "a")
    git(docs, "checkout", "-b", "topic")
    (docs / "new.md").write_bytes(OLD.encode())
    git(docs, "add", "b.md")
    git(docs, "commit", "-m", "b")
    (docs / "sub").mkdir()
    code, out, err = doilinks("fix", "--check", "--since", "main", "..", cwd=docs / "sub")
    assert (code, out) == (
        1,
        f"{SAID.replace('a.md', '../new.md')}1 change would be made, in 1 of 2 files\n",
    )
    code, _, err = doilinks("fix", "--check", "--since", "-x", ".", cwd=docs)
    assert (code, err.splitlines()[-1]) == (2, "doilinks: --since -x: git knows no such revision")


def test_the_house_style_takes_what_the_check_knows(docs):
    (docs / "a.rst").write_text("https://doi.org/10/abc12, https://dl.acm.org/doi/10.1145/1.2\n")
    records = {"10/abc12": {"alias": "10.1000/182"}, "10.1145/1.2": "https://example.org"}
    with HandleServer(records) as server:
        rules = "doi-role,doi-alias,doi-publisher"
        flags = ("--from-check", "--select", rules, "--check-api", server.api)
        code, _, _ = doilinks("fix", *flags, "a.rst", cwd=docs)
    assert (code, (docs / "a.rst").read_text()) == (0, ":doi:`10.1000/182`, :doi:`10.1145/1.2`\n")


def test_a_page_that_a_generator_writes_again_is_left_alone(docs):
    page = f'<meta name="generator" content="pkgdown 2.1">\n<p>{OLD}'
    for name in ("b.html", "c.html"):
        (docs / name).write_text(page)
    (docs / "d.html").write_text(page.replace("pkgdown", "An editor"))
    code, out, err = doilinks("fix", "-q", "b.html", "c.html", "d.html", cwd=docs)
    said = "doilinks: 2 pages that pkgdown has built: left alone, because it writes them again\n"
    assert (code, out, err) == (0, "", said)
    assert [(docs / f"{name}.html").read_text() == page for name in "bc"] == [True, True]
    assert "https://doi.org/10.1000/182," in (docs / "d.html").read_text()


def test_a_list_of_addresses_is_mended_only_if_it_is_named(docs):
    seed = docs / "seed.txt"
    seed.write_text("http://dx.doi.org/10.1000/182\nhttp://example.org/X_1 # a comment\n\n")
    _, _, err = doilinks("fix", ".", cwd=docs, real=True)
    assert "seed.txt stays: it is a list of addresses; to mend it, name the file" in err
    assert "http://dx.doi.org/10.1000/182" in seed.read_text()
    doilinks("fix", "seed.txt", cwd=docs, real=True)
    assert seed.read_text().startswith("https://doi.org/10.1000/182\n")


def test_rules_are_selected_and_ignored(docs):
    for flags in (("--select", "doi-doubled,doi-mistyped"), ("--ignore", "doi-resolver")):
        code, out, _ = doilinks("fix", *flags, ".", cwd=docs)
        assert (code, out) == (0, "0 changes made, in 0 of 2 files\n")
    assert doilinks("fix", "--select", "doi-resolver", ".", cwd=docs)[1].startswith(SAID)


def test_a_rule_that_needs_the_check_says_so(tmp_path):
    (tmp_path / "a.md").write_text("http://dx.doi.org/10.1000/182\n")
    flags = ("--diff", "--select", "doi-near,doi-resolver")
    code, out, err = doilinks("fix", *flags, "a.md", cwd=tmp_path)
    assert (code, "+https://doi.org/10.1000/182" in out) == (1, True)
    assert "--select doi-near: this rule changes nothing without --from-check" in err
    assert "doi-resolver:" not in err


def test_a_pipe_is_not_replaced(docs):
    os.mkfifo(docs / "p.md")
    command = [quick(BIN / "doilinks"), "fix", "p.md", "a.md"]
    with running(*command, cwd=docs, stderr=subprocess.PIPE) as process:
        (docs / "p.md").write_text(OLD)
        _, err = ended(process)
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


@pytest.mark.parametrize(("name", "text", "kept"), TABLES["encodings"])
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


AS_ROOT = pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can chown")


@AS_ROOT
def test_owner_group_and_attributes_stay(docs):
    os.chown(docs / "a.md", 1000, 1001)
    (docs / "a.md").chmod(0o640)
    os.setxattr(docs / "a.md", "user.a", b"b")
    assert doilinks("fix", "a.md", cwd=docs)[0] == 0
    status = (docs / "a.md").stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (1000, 1001, 0o640)
    assert os.getxattr(docs / "a.md", "user.a") == b"b"
    assert (docs / "a.md").read_text() == NEW


def acl(*entries):
    """An access control list as Linux keeps it: a version, then tag, permissions and id of each."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *each) for each in entries)


@AS_ROOT
def test_who_may_use_the_file_stays(docs):
    nobody = 0xFFFFFFFF
    mine, group, other = (1, 6, nobody), (4, 4, nobody), (32, 0, nobody)
    listed = acl(mine, (2, 6, 1000), group, (16, 6, nobody), other)
    os.setxattr(docs / "a.md", "system.posix_acl_access", listed)
    os.setxattr(
        docs, "system.posix_acl_default", acl(mine, (2, 7, 2000), group, (16, 7, nobody), other)
    )
    assert doilinks("fix", "a.md", cwd=docs)[0] == 0
    assert os.getxattr(docs / "a.md", "system.posix_acl_access") == listed
    (docs / "a.md").write_text(OLD)
    os.removexattr(docs / "a.md", "system.posix_acl_access")
    assert doilinks("fix", "a.md", cwd=docs)[0] == 0
    assert os.listxattr(docs / "a.md") == []


# Another user may not even read Python, so it is loaded before.
ANOTHER = """
import os, sys
from doilinks.tools.cli.command import run
run(["fix", "--check", "-q", "a.md"])
os.setgroups([])
os.setgid(2000)
os.setuid(2000)
sys.exit(run(["fix", "-q", "a.md"]))
"""


@AS_ROOT
@pytest.mark.parametrize(("user", "group"), [(1000, 2000), (2000, 1000), (1000, 1000)])
def test_a_file_of_another_user_is_not_taken_over(user, group):
    # Outside of the tests' own folder, which another user may not even enter.
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        file = Path(name, "a.md")
        file.write_text(OLD)
        os.chown(file, user, group)
        file.chmod(0o666)
        done = run_module("-c", ANOTHER, cwd=Path(name))
        why = "its owner or group would change, and this user may not keep them"
        assert done.stderr == f"doilinks: a.md: {why}; not written\n"
        assert done.returncode == 2
        assert file.read_text() == OLD
        assert [each.name for each in Path(name).iterdir()] == ["a.md"]


def test_other_hard_links_keep_the_old_text_and_that_is_said(docs):
    os.link(docs / "a.md", docs / "c.txt")
    code, _, err = doilinks("fix", "a.md", cwd=docs)
    words = "replaced, but the old text stays in 1 other hard link of the file"
    assert (code, err) == (0, f"doilinks: a.md: {words}\n")
    assert ((docs / "a.md").read_text(), (docs / "c.txt").read_text()) == (NEW, OLD)


@pytest.mark.skipif(sys.platform == "win32", reason="links as POSIX has them")
@pytest.mark.parametrize(
    ("command", "paths", "shown"),
    [
        ("fix", ["."], "src/real.md"),
        ("fix", ["pages", "./src"], "src/real.md"),
        ("fix", ["pages/page.md", "src"], "src/real.md"),
        ("fix", ["pages/page.md"], "pages/page.md"),
        ("fix", ["pages/folder"], "pages/folder/real.md"),
        ("html", ["."], "src/real.html"),
    ],
)
def test_a_file_with_a_link_to_it_stands_at_its_own_path(tmp_path, command, paths, shown):
    """A diff can be applied, even if the user has named the link."""
    ending = "html" if command == "html" else "md"
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / f"real.{ending}").write_text("See http://dx.doi.org/10.1000/182 there.\n")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / f"page.{ending}").symlink_to(f"../src/real.{ending}")
    (tmp_path / "pages" / "folder").symlink_to("../src")
    git(tmp_path, "init", "-q")
    assert doilinks(command, "--check", *paths, cwd=tmp_path)[1].startswith(f"{shown}:")
    diff = doilinks(command, "-q", "--diff", *paths, cwd=tmp_path)[1]
    (tmp_path / "a.patch").write_text(diff)
    git(tmp_path, "apply", "-p0", "a.patch")
    assert doilinks(command, "--check", *paths, cwd=tmp_path)[0] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="links as POSIX has them")
def test_a_link_that_leads_out_of_all_named_paths_is_left_out(docs):
    outside = docs / "outside.md"
    outside.write_text(OLD)
    (docs / "in/sub").mkdir(parents=True)
    (docs / "in/sub/out.md").symlink_to(outside)
    (docs / "in/inside.md").symlink_to("sub/c.md")
    (docs / "in/sub/c.md").write_text(OLD)
    why = "left out, because it is a link that leads out of all paths that are named"
    for command in ("fix", "scan", "check"):
        more = ("--offline",) if command == "check" else ()
        _, out, err = doilinks(command, "-v", *more, "in", cwd=docs)
        assert f"doilinks: in/sub/out.md: {why}\n" in err
        assert "out.md" not in out
    assert outside.read_text() == OLD
    assert (docs / "in/sub/c.md").read_text() == NEW
    # What the user names is written, by its own path or by another.
    assert doilinks("fix", "in", "outside.md", cwd=docs)[0] == 0
    assert outside.read_text() == NEW
    outside.write_text(OLD)
    assert "in/sub/out.md:1:5" in doilinks("fix", "in/sub/out.md", cwd=docs)[1]
    assert (outside.read_text(), (docs / "in/sub/out.md").is_symlink()) == (NEW, True)


def _changed(docs):
    (docs / "a.md").write_text("changed\n")


def _gone(docs):
    (docs / "a.md").unlink()


def _a_link(docs):
    (docs / "a.md").rename(docs / "kept")
    (docs / "a.md").symlink_to("out/a.md")


def _a_pipe(docs):
    (docs / "a.md").rename(docs / "kept")
    os.mkfifo(docs / "a.md")


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes as POSIX has them")
@pytest.mark.parametrize("moment", ["doilinks.tools.cli.changes.write", "os.fsync"])
@pytest.mark.parametrize("swap", [_changed, _gone, _a_link, _a_pipe])
def test_what_another_program_has_changed_is_not_written(docs, monkeypatch, swap, moment):
    """Between reading and writing, and while the new file is written."""
    (docs / "out").mkdir()
    (docs / "out/a.md").write_text(OLD)
    real = pkgutil.resolve_name(moment)

    def late(*args):
        swap(docs)
        names.extend(sorted(each.name for each in docs.iterdir()))
        return real(*args)

    names = []
    monkeypatch.setattr(moment, late)
    code, _, err = doilinks("fix", "a.md", cwd=docs)
    assert code == 2
    assert err.startswith("doilinks: a.md: ")
    assert len(err.splitlines()) == 2 - err.endswith("; not written\n")
    assert "not written\n" in err
    assert (docs / "out/a.md").read_text() == OLD
    left = sorted(each.name for each in docs.iterdir())
    assert left == [each for each in names if not each.endswith(".tmp")]
    if swap is _changed:
        assert (docs / "a.md").read_text() == "changed\n"


@pytest.mark.skipif(sys.platform == "win32", reason="links as POSIX has them")
@pytest.mark.parametrize("moment", ["doilinks.tools.cli.changes.write", "os.fsync"])
def test_a_folder_that_becomes_a_link_leads_nowhere(docs, monkeypatch, moment):
    for folder in ("in", "out"):
        (docs / folder).mkdir()
        (docs / folder / "a.md").write_text(OLD)
    real = pkgutil.resolve_name(moment)

    def late(*args):
        if not (docs / "moved").exists():
            (docs / "in").rename(docs / "moved")
            (docs / "in").symlink_to("out")
        return real(*args)

    monkeypatch.setattr(moment, late)
    code, _, err = doilinks("fix", "in", cwd=docs)
    assert (docs / "out/a.md").read_text() == OLD
    assert [each.name for each in (*docs.glob("out/*"), *docs.glob("moved/*"))] == ["a.md"] * 2
    if moment == "os.fsync":  # the new file was begun beside the old one, and stays there
        assert (code, (docs / "moved/a.md").read_text()) == (0, NEW)
    else:
        words = "another program has changed it meanwhile; not written"
        assert (code, err) == (2, f"doilinks: in/a.md: {words}\n")


@AS_ROOT
def test_a_full_disk(docs):
    disk = docs / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "none", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this machine does not let tests mount a small disk")
    try:
        (disk / "a.md").write_text(OLD + "text " * 1000)
        before = (disk / "a.md").read_bytes()
        with suppress(OSError), (disk / "rest").open("wb", buffering=0) as rest:
            while rest.write(bytes(4096)):
                pass
        code, out, err = doilinks("fix", "disk", cwd=docs)
        assert (code, out) == (2, "0 changes made, in 0 of 1 file\n")
        assert err == "doilinks: disk/a.md: No space left on device; not written\n"
        assert (disk / "a.md").read_bytes() == before
        assert {each.name for each in disk.iterdir()} == {"a.md", "rest"}
    finally:
        subprocess.run(["umount", disk], check=True)


WAITS = """
import os, time
def fsync(_file):
    print("writing", flush=True)
    time.sleep(600)
os.fsync = fsync
from doilinks.tools.cli import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_no_file(docs, number):
    command = [sys.executable, "-c", WAITS, "fix", "a.md"]
    with running(*command, cwd=docs, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"writing\n"
        assert len(list(docs.iterdir())) == 3
        process.send_signal(number)
        _, err = ended(process)
    assert (process.returncode, err) == (130, b"doilinks: interrupted\n")
    assert (docs / "a.md").read_text() == OLD
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
    (docs / "pyproject.toml").write_text('[tool.doilinks]\nfix-select = "doi-resolver"\n')
    code, _, err = doilinks("fix", ".", cwd=docs)
    assert code == 2
    assert "tool.doilinks.fix-select: takes a list of codes of rules, got 'doi-resolver'" in err


KNOWN = TABLES["known"]
WRONG = TABLES["wrong"]
RIGHT = TABLES["right"]


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


HOSTILE = "\x1b[31m \u202e\thttp://dx.doi.org/10.1000/182\n"


def test_a_diff_on_a_terminal_does_not_control_it(tmp_path):
    (tmp_path / "a\x1b.txt").write_text(HOSTILE, encoding="utf-8")
    shown = at_terminal("fix", "--diff", ".", cwd=tmp_path, NO_COLOR="1")
    assert "-\\x1b[31m \\u202e        http://dx.doi.org/10.1000/182" in shown
    assert "--- a\\x1b.txt" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    painted = at_terminal("fix", "--diff", ".", cwd=tmp_path, NO_COLOR="")
    assert all(each in painted for each in ("\x1b[36m@@", "\x1b[31m-", "\x1b[32m+"))


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
        command = [quick(BIN / "doilinks"), "fix", "--diff", "."]
        subprocess.run(command, cwd=tmp_path, stdout=diff, check=False)
    git = [tool("git", "no diff is applied"), "apply", "-p0", "--whitespace=nowarn", "x.diff"]
    subprocess.run(git, cwd=tmp_path, check=True)
    applied = {name: (tmp_path / name).read_bytes() for name in texts}
    for name, octets in texts.items():
        (tmp_path / name).write_bytes(octets)
    assert doilinks("fix", ".", cwd=tmp_path)[0] == 0
    assert applied == {name: (tmp_path / name).read_bytes() for name in texts} != texts


@pytest.mark.parametrize(
    ("conf", "more", "writes"),
    [
        ("extensions = []", "", False),
        ("extensions = ['doilinks.sphinx']", "", True),
        ("extensions = ['sphinxext.doi_role']", "", True),
        ("extlinks = {'doi': ('https://doi.org/%s', '%s')}", "", True),
        ("extensions = []", "See :doi:`10.1000/183`.\n", True),
        (None, "", True),  # not a project of Sphinx
    ],
)
def test_a_role_that_the_project_lacks_is_not_written(conf, more, writes, tmp_path):
    (tmp_path / "doc/source").mkdir(parents=True)
    (tmp_path / "a.rst").write_text("See doi:10.1000/182.\n" + more)
    if conf is not None:
        (tmp_path / "doc/source/conf.py").write_text(conf)
    code, _, err = doilinks("fix", "--select", "doi-role", "a.rst", cwd=tmp_path)
    written = ":doi:`10.1000/182`" in (tmp_path / "a.rst").read_text()
    assert (code, written, "has no role doi" in err) == (0, writes, not writes)
