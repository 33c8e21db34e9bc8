"""``doilinks show`` as a user runs it."""

import json
import subprocess
import sys

import pytest

from doilinks import DOI

from ..tools.command import doilinks
from ..tools.handle_api import HandleServer


def test_a_name_in_all_forms(tmp_path):
    assert doilinks("show", '10.1006/rwei.1999".0001', cwd=tmp_path, real=True) == (
        0,
        (
            'name  10.1006/rwei.1999".0001\n'
            "uri   doi:10.1006/rwei.1999%22.0001\n"
            "url   https://doi.org/10.1006/rwei.1999%22.0001\n"
            "urn   urn:doi:10.1006:rwei.1999%22.0001\n"
            "api   https://doi.org/api/handles/10.1006/rwei.1999%22.0001\n"
        ),
        "",
    )


def test_the_legible_text_if_it_is_another(tmp_path):
    _, out, _ = doilinks("show", "10.1051/0004-6361/201935325", cwd=tmp_path)
    assert out.splitlines()[1:3] == [
        "uri     doi:10.1051/0004-6361%2F201935325",
        "legible doi:10.1051/0004-6361/201935325",
    ]


def test_as_a_module():
    command = [sys.executable, "-m", "doilinks", "show", "10.1000/182"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("name  10.1000/182\n")


def test_remarks_come_last(tmp_path):
    code, out, _ = doilinks("show", "10.1000/a–b", cwd=tmp_path)
    lines = out.splitlines()
    assert code == 0
    assert [line.startswith("remark: ") for line in lines] == [False] * (len(lines) - 1) + [True]
    words = "U+2013 EN DASH at character 10 of the name looks like a hyphen [dash-look-alike]"
    assert lines[-1].startswith(f"remark: {words}")


def test_several_names(tmp_path):
    code, out, err = doilinks("show", "10.1000/1", "nonsense", "10.1000/2", cwd=tmp_path)
    assert code == 2
    assert err == "doilinks: not a DOI name: 'nonsense' (it does not begin with 10.)\n"
    assert [line for line in out.splitlines() if line.startswith("uri")] == [
        "uri   doi:10.1000/1",
        "uri   doi:10.1000/2",
    ]


def test_json(tmp_path):
    code, out, _ = doilinks("show", "--format", "json", "10.1000/a–b", cwd=tmp_path)
    (shown,) = json.loads(out)
    assert code == 0
    assert shown["api"] == "https://doi.org/api/handles/10.1000/a%E2%80%93b"
    assert shown["remarks"][0]["code"] == "dash-look-alike"


def test_other_services(tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        '[tool.doilinks]\nproxy = "https://example.org/"\ncheck_api = "https://example.org/api"\n'
    )
    _, out, _ = doilinks("show", "10.1000/1", cwd=tmp_path)
    assert "url   https://example.org/10.1000/1\n" in out
    assert "api   https://example.org/api/10.1000/1\n" in out


def test_no_password_is_shown(tmp_path):
    """Of an address that is right, and of one that is wrong."""
    right = "http://user:s3cret@127.0.0.1:1/api/"
    code, out, err = doilinks("show", "--check-api", right, "10.1000/182", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "api   http://127.0.0.1:1/api/10.1000/182"
    wrong = "http://user:s3c/ret@127.0.0.1:1/api/"
    code, out, err = doilinks("show", "--check-api", wrong, "10.1000/182", cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "--check-api: takes an http or https URL" in err
    assert "s3c" not in err


@pytest.mark.parametrize("name", ["10.1000/a/b+c", "10.1000/..", "10.1000/a'(b)"])
def test_the_address_of_the_api_is_the_one_that_the_check_asks(name, tmp_path):
    with HandleServer({name: "https://example.org/"}) as server:
        api = ("--check-api", server.api)
        _, out, _ = doilinks("show", *api, name, cwd=tmp_path)
        (tmp_path / "a.html").write_text(f'<a href="{DOI(name).url}">a</a>')
        assert doilinks("check", *api, "a.html", cwd=tmp_path)[0] == 0
        [asked] = server.requests
        (address,) = [line.split()[1] for line in out.splitlines() if line.startswith("api ")]
        assert address == server.api.partition("/api")[0] + asked.path


WORK = {
    "fetched": "2026-11-20", "title": "DOI Handbook", "names": ["Paskin", "Berg"], "year": 2000,
    "container": "Names", "status": "retracted", "kind": "retraction", "date": "2010-02-06",
}  # fmt: skip


@pytest.mark.parametrize(("name", "is_kept"), [("10.1000/182", True), ("10.1000/183", False)])
def test_the_work_in_the_lock_file(tmp_path, name, is_kept):
    lock = {"version": 1, "found": {}, "works": {"doi:10.1000/182": WORK}}
    lock["agencies"] = {"10.1000": "Crossref"}
    (tmp_path / "doi-lock.json").write_text(json.dumps(lock))
    code, out, err = doilinks("show", name, cwd=tmp_path)
    words = (
        "title DOI Handbook\nby    Paskin, Berg\nyear  2000\nin    Names\nfrom  Crossref\n"
        "state retracted, on 2010-02-06\n"
    )
    assert (code, err, words in out) == (0, "", is_kept)
    [shown] = json.loads(doilinks("show", "--format", "json", name, cwd=tmp_path)[1])
    assert ("work" in shown) == is_kept
    if is_kept:
        assert shown["work"]["agency"] == "Crossref"
