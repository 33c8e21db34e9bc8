"""``doilinks html`` as a user runs it: pages on the disk, to the byte."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..tools.command import doilinks
from ..tools.tables import tables
from ..tools.works import lock

TABLES = tables(__file__)

OLD = "<p>See 10.1000/182 and <a href='http://dx.doi.org/10.1000/183'>it</a>.</p>\n"
NAME = '<a class="doi" href="https://doi.org/10.1000/182">doi:10.1000/182</a>'
NEW = f"<p>See {NAME} and <a class=\"doi\" href='https://doi.org/10.1000/183'>it</a>.</p>\n"
DONE = "1 link made and 1 made canonical, in 1 of 2 pages\n"
WOULD = "1 link would be made and 1 would be made canonical, in 1 of 2 pages\n"


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.html").write_bytes(OLD.encode())
    (folder / "index.html").write_bytes(b"<p>Nothing.</p>\r\n")
    (folder / "search.js").write_bytes(b"'10.1000/182'")
    return folder


def all_files(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_it_writes_in_place_and_says_what(site):
    before = all_files(site)
    os.utime(site / "index.html", (1, 1))
    assert doilinks("html", "site", cwd=site.parent, real=True) == (0, DONE, "")
    assert all_files(site) == before | {"sub/a.html": NEW.encode()}
    assert (site / "index.html").stat().st_mtime == 1
    again = "0 links made and 0 made canonical, in 0 of 2 pages\n"
    assert doilinks("html", "site", cwd=site.parent) == (0, again, "")


def test_a_copy_is_changed_and_the_site_stays(site):
    before = all_files(site)
    for _ in range(2):
        code, out, err = doilinks("html", "site", "--output", "new/linked", cwd=site.parent)
        if code:
            break
        assert (code, out, err) == (0, DONE, "")
    assert (code, out) == (2, "")
    assert "--output new/linked: the folder is not empty; name a new one" in err
    assert all_files(site) == before
    linked = all_files(site.parent / "new" / "linked")
    assert linked == before | {"sub/a.html": NEW.encode()}


def test_the_name_of_a_copy_does_not_control_the_terminal(site):
    taken = site.parent / "a\x1b[2J"
    taken.write_text("")
    for output, why in ((f"{taken.name}/b", "cannot copy site to"), (".", "inside the other")):
        code, _, err = doilinks("html", "site", "--output", output, cwd=site.parent)
        assert (code, why in err, "\x1b" in err) == (2, True, False)
    taken.unlink()
    taken.mkdir()
    (taken / "x").write_text("")
    err = doilinks("html", "site", "--output", taken.name, cwd=site.parent)[2]
    assert ("the folder is not empty" in err, "\x1b" in err) == (True, False)


def test_check_writes_nothing(site):
    (site / "sub/a.html").rename(site / "sub/a\n.html")
    before = all_files(site)
    said = f"site/sub/a\\n.html: 1 new link, 1 made canonical\n{WOULD}"
    assert doilinks("html", "--check", "site", cwd=site.parent) == (1, said, "")
    assert all_files(site) == before
    assert doilinks("html", "--check", "site/index.html", cwd=site.parent)[0] == 0


def test_a_diff_writes_nothing_and_can_be_applied(site):
    before = all_files(site)
    code, out, err = doilinks("html", "--diff", "site", cwd=site.parent, real=True)
    assert (code, err) == (1, f"doilinks: {WOULD}")
    assert out == f"--- site/sub/a.html\n+++ site/sub/a.html\n@@ -1 +1 @@\n-{OLD}+{NEW}"
    assert all_files(site) == before
    subprocess.run(["patch", "-p0"], cwd=site.parent, input=out.encode(), check=True)
    assert (site / "sub" / "a.html").read_bytes() == NEW.encode()


def test_standard_input(tmp_path):
    given = {"cwd": tmp_path, "stdin": OLD.encode(), "real": True}
    said = "doilinks: 1 link made and 1 made canonical, in 1 of 1 page\n"
    assert doilinks("html", "-", **given) == (0, NEW, said)
    assert doilinks("html", "-", "--type", "xhtml", "-q", **given) == (0, NEW, "")
    given["stdin"] = b"<p>10.1000</p>"
    assert doilinks("html", "-", "-q", **given) == (0, "<p>10.1000</p>", "")


def test_a_file_that_is_no_page_is_named(site):
    before = all_files(site)
    code, out, err = doilinks("html", "site/search.js", "site/index.html", cwd=site.parent)
    assert (code, err) == (0, "doilinks: site/search.js: not a page of HTML; left as it is\n")
    assert out == "0 links made and 0 made canonical, in 0 of 1 page\n"
    assert all_files(site) == before
    (site / "page.inc").write_text(OLD)
    assert doilinks("html", "--type", "html", "-q", "site/page.inc", cwd=site.parent)[0] == 0
    assert (site / "page.inc").read_text() == NEW
    code, _, err = doilinks("html", "--type", "md", "site/page.inc", cwd=site.parent)
    assert (code, "'md' is not one of 'html', 'xhtml'" in err) == (2, True)


def test_a_folder_without_pages_is_said_as_by_the_other_commands(site):
    (site / "index.html").unlink()
    (site / "sub/a.html").rename(site / "sub/a.md")
    said = "doilinks: site/sub: it has no file to read (-v names what is left out); not read\n"
    none = "0 links made and 0 made canonical, in 0 of 0 pages\n"
    assert doilinks("html", "site/sub", cwd=site.parent) == (2, none, said)
    assert doilinks("html", "--check", "-q", "site/sub", cwd=site.parent) == (2, "", said)


# The label of the link goes, and only then the name before it is linked.
AGAIN = "<p>doi:10/abchdl:DOI: <a href='doi:10.1000/2'>10.1000/2</a></p>\n"


def test_a_page_is_read_until_nothing_is_left_to_do(site):
    (site / "odd.html").write_text(OLD + AGAIN, encoding="utf-8")
    assert doilinks("html", "site/odd.html", cwd=site.parent)[::2] == (0, "")
    assert (site / "odd.html").read_text(encoding="utf-8").count("</a>") == 4
    assert doilinks("html", "--check", "site/odd.html", cwd=site.parent)[::2] == (0, "")


def test_a_page_that_is_read_in_another_way_each_time_stays(site):
    page = OLD + "<p>" + "doi:10/abchdl:" * 2000
    (site / "odd.html").write_text(page)
    code, out, err = doilinks("html", "site/odd.html", cwd=site.parent)
    assert (code, out) == (0, "0 links made and 0 made canonical, in 0 of 1 page\n")
    said = "the page stays as it is, because a second run would change this line again"
    assert err == f"doilinks: site/odd.html:2: {said}\n"
    assert (site / "odd.html").read_text() == page
    given = {"cwd": site.parent, "stdin": page.encode(), "real": True}
    assert doilinks("html", "-q", "-", **given)[:2] == (0, page)


def test_a_page_that_cannot_be_read_stays_and_is_named(site):
    (site / "odd.xhtml").write_text("<p>10.1000/182<br></p>")
    said = "left as it is: not well-formed XML (mismatched tag: line 1, column 20)"
    done = "0 links made and 0 made canonical, in 0 of 1 page\n"
    found = doilinks("html", "site/odd.xhtml", cwd=site.parent)
    assert found == (0, done, f"doilinks: site/odd.xhtml: {said}\n")
    assert doilinks("scan", "site/odd.xhtml", cwd=site.parent)[1].startswith("site/odd.xhtml:1:4 ")


def test_several_processes_do_what_one_does(site):
    for number in range(40):
        (site / f"{number}.html").write_text(OLD)
    (site / "binary.html").write_bytes(b"\0\1\2")
    runs = []
    for jobs in "12":
        output = f"of{jobs}"
        said = doilinks("html", "site", "-o", output, "-j", jobs, cwd=site.parent)
        runs.append(
            (said[0], said[1], said[2].replace(output, ""), all_files(site.parent / output))
        )
    assert runs[0] == runs[1]
    assert runs[0][1].startswith("41 links made and 41 made canonical, in 41 of ")


# A page that declares its encoding too late: the octets stay all the same.
LATE = ("windows-1252", f"<!--{'x' * 1100}--><meta charset=iso-8859-15>", "Größe €")


@pytest.mark.parametrize(("encoding", "begin", "word"), [*TABLES["encodings"], LATE])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(tmp_path, encoding, begin, word, end):
    page = tmp_path / "a.html"
    text, new = (f"{begin}\n<p>{word}\n{each}{word}</p>\n" for each in (OLD, NEW))
    page.write_bytes(text.replace("\n", end).encode(encoding))
    code, _, err = doilinks("html", "a.html", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert page.read_bytes() == new.replace("\n", end).encode(encoding)


def test_a_page_with_octets_that_are_none_of_its_encoding_stays(tmp_path):
    octets = b"<meta charset=utf-8><p>caf\xe9 \x81 10.1000/182 caf\xe9 \xc3\xa9</p>"
    (tmp_path / "a.html").write_bytes(octets)
    assert doilinks("html", "a.html", cwd=tmp_path)[0] == 2
    assert (tmp_path / "a.html").read_bytes() == octets


def test_works_are_shown_on_hover(tmp_path):
    record = {"type": "article", "title": "Ein Wörterbuch – 漢字 <b>"}
    retracted = {"status": "retracted", "notice": "doi:10.1000/9"}
    of_paskin = {"author": [["Paskin", "N."]], "year": 2000}
    lock(tmp_path, {"10.1000/182": record | of_paskin, "10.1000/183": record | retracted})
    head = '<meta charset="windows-1252"><p>Größe</p>'
    page = tmp_path / "a.html"
    page.write_bytes((head + OLD).encode("windows-1252"))
    assert doilinks("html", "--hover", "true", "a.html", cwd=tmp_path)[::2] == (0, "")
    text = page.read_bytes().decode("windows-1252")
    assert 'title="Paskin (2000). Ein W&#246;rterbuch &#8211; &#28450;&#23383;' in text
    assert text.startswith(head)
    assert 'class="doi doi-retracted"' in text
    assert doilinks("html", "--hover", "true", "--check", "a.html", cwd=tmp_path)[0] == 0
    # Later without it, the links that are there stay.
    assert doilinks("html", "--check", "a.html", cwd=tmp_path)[0] == 0


def test_nothing_is_written_through_a_link_out_of_the_site(site):
    outside = site.parent / "outside"
    outside.mkdir()
    (outside / "b.html").write_text(OLD)
    (site / "b.html").symlink_to(outside / "b.html")
    (site / "folder").symlink_to(outside)
    (site / "inside.html").symlink_to("sub/a.html")
    code, out, err = doilinks("html", "-v", "site", cwd=site.parent)
    assert (code, out) == (0, DONE)
    assert "b.html: left out, because it is a link that leads out of" in err
    assert (outside / "b.html").read_text() == OLD
    assert (site / "inside.html").is_symlink()
    assert (site / "inside.html").read_bytes() == NEW.encode()
    assert doilinks("html", "site", "-o", "copy", cwd=site.parent)[0] == 0
    assert (site.parent / "copy" / "b.html").is_symlink()
    assert (outside / "b.html").read_text() == OLD
    # Nor if the folder for the copy has such a link.
    target = site.parent / "target"
    target.mkdir()
    (target / "index.html").symlink_to(outside / "b.html")
    assert doilinks("html", "site", "-o", "target", cwd=site.parent)[0] == 2
    assert (outside / "b.html").read_text() == OLD


def test_names_that_stay_are_named_if_asked(tmp_path):
    (tmp_path / "a.html").write_text("<p>10.1000/<i>1</i><span>10.1000/</span>182</p>")
    code, _, err = doilinks("html", "-v", "a.html", cwd=tmp_path)
    assert (code, "doi:10.1000/182 stays, because of tags inside it or around it" in err) == (
        0,
        True,
    )


def test_a_lock_file_is_read_only_if_links_show_works(site):
    (site.parent / "doi-lock.json").write_text("[")
    code, _, err = doilinks("html", "site", "--hover", "true", cwd=site.parent)
    assert (code, err.count("doi-lock.json")) == (0, 1)
    assert doilinks("html", "site", "--hover", "true", cwd=site.parent)[::2] == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders")
def test_a_site_that_cannot_be_copied(site):
    os.mkfifo(site / "pipe.html")
    code, out, err = doilinks("html", "site", "-o", "copy", cwd=site.parent)
    assert (code, out) == (2, "")
    assert "not all is copied to copy: " in err
    assert "pipe.html` is a named pipe" in err
    assert "[(" not in err
