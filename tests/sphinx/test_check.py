"""The check in Sphinx builds, against a real Handle API."""

import io
import json
import os
import re
import sys

import pytest

from ..tools.check_matrix import URL
from ..tools.handle_api import FAULTS
from ..tools.hosts import build
from ..tools.modules import run_module

# Before Sphinx 8, this warning has no type by which it could be suppressed.
NO_TYPE = "document isn't included in any toctree"
GOOD, BAD = "10.1000/182", "10.1000/182x"


@pytest.fixture
def project(tmp_path, handle_api):
    """Write a project; build it and give its exit status, its warnings and its other messages."""
    handle_api.set(GOOD, URL)

    def make(pages, builder="dummy", jobs=0, extensions=("doilinks.sphinx",), conf="", **options):
        source = tmp_path / "source"
        source.mkdir(exist_ok=True)
        (source / "conf.py").write_text(f"extensions = {list(extensions)!r}\n{conf}")
        for name, text in {"index.rst": "Index\n=====\n", **pages}.items():
            if text is None:
                (source / name).unlink()
            elif not (source / name).exists() or (source / name).read_text() != text:
                (source / name).write_text(text)
        warnings, status = io.StringIO(), io.StringIO()
        given = {"check": "error", "check_api": handle_api.api, **options}
        app = build(
            source,
            tmp_path / "out",
            builder,
            {f"doi_{name}": value for name, value in given.items()}
            | {"suppress_warnings": ["toc"], "show_warning_types": True},
            jobs,
            tmp_path / "doctrees",
            warning=warnings,
            status=status,
        )
        plain = re.sub(r"\x1b\[[0-9;]*m", "", warnings.getvalue()).replace(f"{source}{os.sep}", "")
        lines = [line for line in plain.splitlines() if not line.endswith(NO_TYPE)]
        return app.statuscode, lines, status.getvalue()

    return make


def test_all_failures_at_once_after_the_pages_are_written(handle_api, project, tmp_path):
    code, warnings, status = project(
        {"a.rst": f"A\n=\n\ndoi:{BAD}\n\n* x\n* doi:10.1000/other\n", "b.rst": f"B\n=\n\n:doi:`title <{BAD.upper()}>`\n"},
        builder="html",
    )  # fmt: skip
    assert code == 1
    assert [line.split(":", 3)[:2] for line in warnings] == [
        ["a.rst", "4"],
        ["a.rst", "7"],
        ["b.rst", "4"],
    ]
    assert (tmp_path / "out" / "b.html").exists()
    assert "2 not found" in status
    assert handle_api.count(BAD) == 1


def test_incremental_and_parallel_builds_check_every_page(handle_api, project):
    pages = {f"p{n}.rst": f"P\n=\n\ndoi:10.1000/{n}\n" for n in range(12)}
    assert len(project(pages, jobs=2)[1]) == 12
    pages["p3.rst"] = "P\n=\n\nnothing\n"
    assert len(project(pages)[1]) == 11
    pages["p4.rst"] = None
    assert len(project(pages)[1]) == 10
    handle_api.set("10.1000/5", URL)
    assert len(project({}, jobs=2)[1]) == 9


def test_a_strict_build_fails_unless_the_subtype_is_suppressed(handle_api, tmp_path, project):
    source = {"index.rst": f"Index\n=====\n\ndoi:{BAD}\n"}
    assert project(source, check="off")[:2] == (0, [])
    assert handle_api.requests == []
    conf = "extensions = ['doilinks.sphinx']\nshow_warning_types, doi_check = True, 'warn'\n"
    conf += f"doi_check_api = {handle_api.api!r}\n"
    (tmp_path / "source" / "conf.py").write_text(conf)
    assert _sphinx_build(tmp_path).returncode == 0
    done = _sphinx_build(tmp_path, "-W", "--keep-going")
    assert (done.returncode, "[doi.not_found]" in done.stderr) == (1, True)
    conf = conf.replace("'warn'", "'error'") + "suppress_warnings = ['doi.not_found']\n"
    (tmp_path / "source" / "conf.py").write_text(conf)
    done = _sphinx_build(tmp_path, "-W", "--keep-going")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_fault_does_not_end_the_build(project, tmp_path, monkeypatch):
    def fail(*_arguments):
        raise LookupError("nobody foresaw it")

    monkeypatch.setattr("doilinks.ask.names.api.read_record", fail)
    page = {"index.rst": f"Index\n=====\n\ndoi:{GOOD}\n"}
    for check, code in (("warn", 0), ("error", 1)):
        status, warnings, _ = project(page, builder="html", check=check)
        assert status == code
        words = r"WARNING: the check ended early by a fault .* \[doi\.fault\]"
        assert re.fullmatch(words, warnings[0])
        assert (tmp_path / "out" / "index.html").exists()


def test_bibliographies_are_checked(handle_api, project, tmp_path):
    (tmp_path / "source").mkdir()
    entry = "@article{a, author={A. A.}, title={T}, journal={J}, year={2020}, doi={10.1000/182x}}"
    (tmp_path / "source" / "refs.bib").write_text(entry)
    code, warnings, _ = project(
        {"index.rst": "Index\n=====\n\n:cite:`a` :ref:`nowhere`\n\n.. bibliography::\n"},
        extensions=("sphinxcontrib.bibtex", "doilinks.sphinx"),
        conf="bibtex_bibfiles = ['refs.bib']\n",
    )
    assert code == 1
    assert [line.rpartition("WARNING: ")[2] for line in warnings] == [
        "undefined label: 'nowhere' [ref.ref]",
        f"not found: doi:{BAD} (did you mean doi:10.1000/182?) [doi.not_found]",
    ]


LINKS = """Index
=====

doi:10.1000/182, doi:10.1000/182x, `t <http://dx.doi.org/10.1000/456%23789>`_, 10.1000/a/b,
10.1000/empty, 10.1000/expected, 10.1000/skipped, 10.1000/busy
"""
LINKCHECK = (
    "linkcheck_ignore = [r'https://doi\\.org/10\\.1000/skipped']\nlinkcheck_timeout = 5\n"
    "linkcheck_report_timeouts_as_broken = False\n"  # Sphinx 7 warns without it
)


def linkcheck(project, tmp_path, **options):
    """What ``linkcheck`` says of each link of a page: its status and the words."""
    given = {"check": "off", "check_ignore": ["10.1000/EXPECTED"], "check_retries": 0, **options}
    code, warnings, _ = project({"index.rst": LINKS}, "linkcheck", conf=LINKCHECK, **given)
    assert warnings == []
    lines = (tmp_path / "out" / "output.json").read_text().splitlines()
    return code, {
        each["uri"].partition("/10.1000/")[2]: (each["status"], each["info"])
        for each in map(json.loads, lines)
    }


def test_linkcheck_says_what_the_check_says(handle_api, project, tmp_path):
    handle_api.set("10.1000/456#789", URL)
    handle_api.set("10.1000/a/b", URL)
    handle_api.set("10.1000/empty", None)
    handle_api.set("10.1000/busy", {"url": URL, "fault": "too-many", "times": 9})
    code, said = linkcheck(project, tmp_path)
    assert code == 1
    why = said["busy"][1]
    assert said == {
        "182": ("working", ""),
        "182x": ("broken", "not found: doi:10.1000/182x (did you mean doi:10.1000/182?)"),
        "456%23789": ("working", ""),
        "a/b": ("working", ""),
        "empty": ("broken", "no values: doi:10.1000/empty"),
        "expected": ("ignored", "in doi_check_ignore"),
        "skipped": ("ignored", ""),
        "busy": ("ignored", why),
    }
    assert why.startswith("could not check: ")
    assert handle_api.count("10.1000/182") == 1
    assert handle_api.count("10.1000/skipped") == 0
    assert not (tmp_path / "source" / "doi-lock.json").exists()
    assert linkcheck(project, tmp_path, check_unknown="error")[1]["busy"] == ("broken", why)


def test_linkcheck_with_the_check_reports_each_name_once(handle_api, project, tmp_path):
    handle_api.set("10.1000/182", URL)
    code, said = linkcheck(project, tmp_path, check="error")
    assert (code, said["182x"][0], said["182"][0]) == (1, "broken", "working")


@pytest.mark.thorough
def test_linkcheck_with_hostile_answers(handle_api, project, tmp_path):
    """Each fault of a server is a reason in our words; nothing of the answer is in it."""
    for fault in FAULTS:
        handle_api.set(f"10.1000/{fault}", {"url": URL, "fault": fault, "seconds": 3})
    page = "Index\n=====\n\n" + " ".join(f"10.1000/{fault}" for fault in FAULTS)
    given = {"check": "off", "check_retries": 0, "check_timeout": 1}
    code, warnings, status = project({"index.rst": page}, "linkcheck", conf=LINKCHECK, **given)
    assert (code, warnings) == (1, [])
    said = {
        each["uri"].removeprefix("https://doi.org/10.1000/"): (each["status"], each["info"])
        for each in map(json.loads, (tmp_path / "out" / "output.json").read_text().splitlines())
    }
    assert said.pop("not-found") == ("broken", "not found: doi:10.1000/not-found")
    assert said.pop("redirect") == ("working", "")
    assert said.keys() == FAULTS.keys() - {"not-found", "redirect"}
    assert {status for status, _ in said.values()} == {"ignored"}
    assert all(re.fullmatch(r"could not check: [\w ,-]{8,50}", why) for _, why in said.values()), (
        said
    )
    assert "owned" not in status


def test_linkcheck_without_the_check(handle_api, project, tmp_path, monkeypatch):
    """Sphinx asks the Handle API, which is not the publisher, but it reads no answer."""
    monkeypatch.setitem(sys.modules, "doilinks.ask.names", None)
    code, said = linkcheck(project, tmp_path)
    assert code == 1
    status = {name: status for name, (status, _) in said.items()}
    assert status["182"] == "working"
    assert status["182x"] == "broken"
    assert status["expected"] == status["skipped"] == "ignored"
    names = ("182", "182x", "456%23789", "a%2Fb", "empty", "busy")
    asked = {each.path for each in handle_api.requests}
    assert asked == {f"/api/handles/10.1000/{name}" for name in names}


@pytest.mark.parametrize("extra", [True, False])
def test_linkcheck_reads_families_as_the_check_does(extra, project, tmp_path, monkeypatch):
    if not extra:
        monkeypatch.setitem(sys.modules, "doilinks.ask.names", None)
    _, said = linkcheck(project, tmp_path, check_ignore=["10.1000/EX*", "10/*"])
    assert said["expected"] == ("ignored", "in doi_check_ignore")
    assert (said["182"][0], said["182x"][0]) == ("working", "broken")


def test_the_last_line_of_a_failed_check_counts_the_names(handle_api, project, tmp_path):
    """Not the warnings: here one name is in two places, and a third warning is about something else."""
    pages = {"index.rst": f"I\n=\n\ndoi:{BAD}, doi:{GOOD}\n\n* doi:{BAD}\n\n:unknown:`role`\n"}
    for builder, said in (("html", 3), ("doicheck", 2)):  # which does not read the page again
        code, warnings, status = project(pages, builder=builder)
        assert (code, len(warnings)) == (1, said)
        assert status.splitlines()[-1].startswith("2 DOIs: 1 found")
    # This builder checks whatever the options say, and writes nothing.
    pages = {"index.rst": f"I\n=\n\ndoi:{BAD}, doi:10.1000/nope\n"}
    code, _, status = project(pages, builder="doicheck", check="off")
    assert (code, status.splitlines()[-1]) == (1, "2 DOIs: 0 found, 2 not found")
    handle_api.set("10.1000/busy", {"url": URL, "fault": "unavailable"})
    pages = {"index.rst": "I\n=\n\ndoi:10.1000/busy\n"}
    options = {"check_unknown": "error", "check_retries": 0}
    status = project(pages, builder="doicheck", **options)[2]
    assert status.splitlines()[-1] == "1 DOI: 0 found, 1 could not be checked"
    status = project(pages, check="warn", **options)[2]
    assert "could not be checked" not in status.splitlines()[-1]


def _sphinx_build(folder, *arguments):
    given = ("-q", "-E", "-b", "dummy", *arguments, folder / "source", folder / "out2")
    return run_module("sphinx", *given, NO_PROXY="127.0.0.1")
