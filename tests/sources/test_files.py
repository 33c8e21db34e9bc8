"""Files: which are read in a folder, and in which encoding."""

from pathlib import Path

import pytest

from doilinks.sources import Binary, CannotRead, Source, load, walk


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in (
        "b.md", "a.rst", "c.sql", "Sub/x.HTML", "sub/y.ipynb", ".hidden/z.md", ".z.md", "_build/z.md",
        "node_modules/z.md", "env/z.md", ".git/z.md", "zeta.qmd",
    ):  # fmt: skip
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("")
    (tmp_path / "env/pyvenv.cfg").write_text("")
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "dangling.md").symlink_to("nowhere.md")
    return tmp_path


def test_copies_of_sources_in_a_built_site_are_left_out(tree):
    """They are markup, of which a reader of plain text would read code and comments too."""
    for path in ("_site/objects.inv", "_site/a.html", "_site/_sources/b.rst.txt", "_sources/c.md"):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text("")
    assert [source.path for source in walk("_site")] == ["_site/a.html"]
    # Not those of an author's own folder, nor what is named.
    assert "_sources/c.md" in [source.path for source in walk(".")]
    assert list(walk("_site/_sources")) == [Source("_site/_sources/b.rst.txt", "rst")]
    assert list(walk("_site/_sources/b.rst.txt")) == [
        Source("_site/_sources/b.rst.txt", "rst", is_named=True)
    ]


@pytest.mark.parametrize(
    ("beside", "built"),
    [
        ((), True),
        (
            ("robots.txt", "404.html", "a.xhtml", "search.json", ".nojekyll", "CNAME", ".git/x"),
            True,
        ),
        (("pkgdown.yml",), True),  # of pkgdown, in each site
        (("setup.py/index.html", "citation/index.html"), True),  # folders
        (("sub/README.md",), True),
        (("README.md",), False),
        (("conf.py",), False),
        (("CITATION",), False),
        (("package.json",), False),
    ],
)
def test_a_site_has_a_first_page_and_no_sources_beside_it(tmp_path, beside, built):
    for path in ("index.html", "build/a.html", "sub/dist/b.html", *beside):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    found = {Path(source.path).name for source in walk(str(tmp_path))}
    assert (found >= {"a.html", "b.html"}, found.isdisjoint({"a.html", "b.html"})) == (
        built,
        not built,
    )
    (tmp_path / "index.html").unlink()
    found = {Path(source.path).name for source in walk(str(tmp_path))}
    assert found.isdisjoint({"a.html", "b.html"})


def test_folders_are_walked_in_order(tree):
    assert list(walk(".")) == [
        Source("a.rst", "rst"), Source("b.md", "md"), Source("zeta.qmd", "md"),
        Source("Sub/x.HTML", "html"), Source("sub/y.ipynb", "ipynb"),
    ]  # fmt: skip


def test_what_is_left_out_is_told(tree):
    for path in (
        "build/a.md", "sub/dist/a.py", "x.egg-info/a.txt", "d/objects.inv", "d/_sources/a.md",
    ):  # fmt: skip
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text("")
    told = []
    before = [source.path for source in walk(".")]
    found = [source.path for source in walk(".", left_out=lambda *each: told.append(each))]
    filled = "tools fill a folder of this name"
    assert found == before == ["a.rst", "b.md", "zeta.qmd", "Sub/x.HTML", "sub/y.ipynb"]
    assert sorted(told) == [
        (".hidden", "it is hidden"),
        (".z.md", "it is hidden"),
        ("_build", filled),
        ("build", filled),
        ("d/_sources", "it contains copies of sources"),
        (
            "dangling.md",
            "it is not a file, but a pipe, a socket, a device or a link that leads nowhere",
        ),
        ("env", "it is a virtual environment"),
        ("node_modules", filled),
        ("sub/dist", filled),
        ("x.egg-info", filled),
    ]
    assert list(walk("build")) == [Source("build/a.md", "md")]


def test_hidden_folders_are_read_when_asked_for(tree):
    found = [source.path for source in walk(".", hidden=True)]
    assert found[:2] == [".z.md", "a.rst"]
    assert ".hidden/z.md" in found
    assert ".git/z.md" not in found


def test_what_is_named_is_read(tree):
    assert list(walk("_build")) == [Source("_build/z.md", "md")]
    assert list(walk("c.sql")) == [Source("c.sql", "txt", is_named=True)]
    assert list(walk("c.sql", "rst")) == [Source("c.sql", "rst", is_named=True)]
    assert list(walk("loop/b.md")) == [Source("loop/b.md", "md", is_named=True)]
    (tree / "a.xhtml").touch()
    assert list(walk("a.xhtml")) == [Source("a.xhtml", "xhtml", is_named=True)]
    with pytest.raises(FileNotFoundError):
        list(walk("nowhere"))


def test_loading(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree")
    assert load(Source(str(file), "txt")) == "one\ntwo\nthree"
    with pytest.raises(CannotRead, match="Is a directory"):
        load(Source(str(tmp_path), "txt"))


META = '<meta http-equiv="content-type" content="text/html; charset={}">'
DECLARED = [
    ("txt", "utf-8-sig", ""),
    ("md", "utf-16", ""),
    ("rst", "utf-32", ""),
    ("html", "utf-16", '<meta charset="latin-1">'),  # the mark wins
    ("html", "koi8-r", "<p>\n<META CharSet = KOI8-R>"),
    ("html", "cp1251", META.format("windows-1251")),
    ("xhtml", "cp1251", '<?xml version="1.0" encoding="windows-1251"?>'),
    ("xhtml", "cp1251", META.format("windows-1251")),
    ("py", "koi8-r", "#!/usr/bin/python\n# vim: set fileencoding=koi8-r :\n"),
    ("py", "cp866", "# -*- coding: cp866 -*-\n"),
    ("rst", "koi8-r", ".. -*- coding: koi8-r -*-\n"),
    ("bib", "cp1251", "% Encoding: windows-1251\n\n"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "encoding", "head"), DECLARED)
def test_what_a_file_says_of_its_encoding_is_followed(kind, encoding, head, tmp_path):
    file = tmp_path / "file"
    text = f"{head} Ж 10.1000/ж"
    file.write_bytes(text.encode(encoding))
    remarks = []
    assert load(Source(str(file), kind), remarks.append) == text
    assert remarks == []


@pytest.mark.parametrize(
    ("kind", "octets", "text", "where"),
    [
        ("txt", b"one\ntwo \xe9 \x93", "one\ntwo é “", "0xe9 in line 2"),
        ("txt", b"\x81", "\ufffd", "0x81 in line 1"),
        ("py", b"# coding: utf-8\n'\xe9'", "# coding: utf-8\n'é'", "0xe9 in line 2"),
        ("py", b"# coding: nonsense\n'\xe9'", "# coding: nonsense\n'é'", "0xe9 in line 2"),
        ("py", b"\n\n# coding: koi8-r\n'\xe9'", "\n\n# coding: koi8-r\n'é'", "0xe9 in line 4"),
        ("html", b"<meta charset=utf-16>\xe9", "<meta charset=utf-16>é", "0xe9 in line 1"),
        ("ipynb", b'{"coding: koi8-r": "\xe9"}', '{"coding: koi8-r": "é"}', "0xe9 in line 1"),
    ],
)
def test_what_is_not_utf_8_is_guessed(kind, octets, text, where, tmp_path):
    file = tmp_path / "file"
    file.write_bytes(octets)
    remarks = []
    assert load(Source(str(file), kind), remarks.append) == text
    assert remarks == [f"{file}: not UTF-8 (byte {where}); read as Windows-1252"]


@pytest.mark.parametrize(
    ("kind", "octets"),
    [("html", b"<meta charset=iso-8859-1>\x93"), ("py", b"# coding: latin-1\n\x93")],
)
def test_latin_1_is_what_browsers_take_it_for(kind, octets, tmp_path):
    (tmp_path / "a").write_bytes(octets)
    assert load(Source(str(tmp_path / "a"), kind))[-1] == "“"


@pytest.mark.parametrize(
    "name",
    ["utf-7", "idna", "punycode", "rot13", "zlib", "unicode_escape", "raw_unicode_escape", "cp037",
     "undefined", "utf-16-le"],
)  # fmt: skip
def test_an_encoding_in_which_the_declaration_could_not_be_is_not_followed(name, tmp_path):
    text = f"# coding: {name}\n10.1000/a\\u0062+AGE- xn--bcher-kva é"
    (tmp_path / "a").write_text(text, encoding="utf-8")
    assert load(Source(str(tmp_path / "a"), "py")) == text


@pytest.mark.parametrize(
    ("octets", "why"),
    [
        (b"10.1000/1 \0", "octet 11 is null"),
        ("10.1000/1".encode("utf-16-le"), "octet 2 is null"),
        (b"\xff\xfe10.1000/1", "it has the mark of UTF-16-LE, but is not such a text"),
        (b"\xef\xbb\xbf\xff", "it has the mark of UTF-8, but is not such a text"),
    ],
)
def test_a_binary_file_is_an_error_of_its_own(octets, why, tmp_path):
    (tmp_path / "a").write_bytes(octets)
    with pytest.raises(Binary, match=f"^{why}$"):
        load(Source(str(tmp_path / "a"), "txt"))


def test_a_null_far_inside_a_text_is_a_character_of_it(tmp_path):
    (tmp_path / "a").write_bytes(b"a" * 8000 + b"\0 10.1000/1")
    assert load(Source(str(tmp_path / "a"), "txt")).endswith("a\0 10.1000/1")
