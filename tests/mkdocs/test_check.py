"""The check in sites that MkDocs builds and serves, against a real Handle API."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..tools.check_matrix import URL
from ..tools.checks import without_progress
from ..tools.modules import quick, run_module
from ..tools.programs import LONGEST, running, taken_port, wait
from ..tools.projects import write, write_site

GOOD, BAD = "10.1000/182", "10.1000/182x"


@pytest.fixture
def site(tmp_path, handle_api, monkeypatch):
    """Write a site: its pages, and options of the plug-in beside ``check`` and ``check_api``."""
    handle_api.set(GOOD, URL)
    monkeypatch.chdir(tmp_path)

    def write(pages=None, more=None, others=(), **options):
        project = tmp_path / "project"
        plugin = {"check": "error", "check_api": handle_api.api, **options}
        config = {
            "site_name": "A site", "use_directory_urls": False, "theme": {"name": None, "custom_dir": "theme"},
            "plugins": [{"doilinks": plugin}, *others], **(more or {}),
        }  # fmt: skip
        write_site(project, pages or {}, config)
        return project

    return write


def command(project, *arguments):
    return [sys.executable, "-m", "mkdocs", *arguments, "-f", str(project / "mkdocs.yml")]


def build(project, *arguments):
    """Run ``mkdocs build``; its exit code, and what it logged."""
    done = run_module("mkdocs", "build", "-f", project / "mkdocs.yml", *arguments)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stderr + done.stdout


NEWS = ("INFO", "doi-lock.json written: commit it")


def said(output):
    """What the plug-in logged: level and message, but for the news of the lock file."""
    output = without_progress(output)
    lines = re.findall(r"^(\w+) +-  (?:doilinks: )(.*)$", output, re.MULTILINE)
    return [each for each in lines if each != NEWS]


@pytest.mark.parametrize(("name", "strict"), [("10.1000/old", False), ("10.1000/nope", True)])
def test_strict_counts_warnings(name, strict, site, handle_api):
    handle_api.set("10.1000/old", {"alias": GOOD})  # a remark
    project = site({"guide.md": f"See doi:{name}.\n"}, check="warn")
    code, output = build(project, "--strict")
    assert (code, "Aborted with 1 warnings in strict mode!" in output) == (int(strict), strict)


def test_all_failures_of_all_pages_at_their_lines(site, handle_api):
    project = site(
        {
            "index.md": f"---\ntitle: Home\n---\n\n# Home\n\ndoi:{BAD} and doi:{BAD},\ndoi:{GOOD}\n",
            "sub/more.md": f"[A title](https://doi.org/10.1000/nope)\n\nDOI: {BAD.upper()}\n",
            "lonely.md": "10.1000/lonely\n",
            "draft.md": "10.1000/draft\n",
            "excluded.md": "10.1000/excluded\n",
            "code.md": "`10.1000/code`\n",
        },
        {"not_in_nav": "lonely.md\n", "draft_docs": "draft.md\n", "exclude_docs": "excluded.md\n"},
        others=["search"],
    )  # fmt: skip
    code, output = build(project)
    assert code == 1
    near = f"not found: doi:{BAD} (did you mean doi:{GOOD}?) [doi-not-found]"
    assert said(output) == [
        ("ERROR", f"docs/index.md:7: {near}"),
        ("ERROR", "docs/lonely.md:1: not found: doi:10.1000/lonely [doi-not-found]"),
        ("ERROR", "docs/sub/more.md:1: not found: doi:10.1000/nope [doi-not-found]"),
        ("ERROR", f"docs/sub/more.md:3: {near.replace(BAD, BAD.upper())}"),
        ("ERROR", "4 DOIs: 1 found, 3 not found"),
    ]
    assert output.rstrip().endswith("Aborted with a BuildError!")
    assert (project / "site/sub/more.html").exists()
    assert (
        project / "site/search/search_index.json"
    ).exists()  # other plugins have done their work
    assert handle_api.count(BAD) == 1
    assert not {"10.1000/draft", "10.1000/excluded", "10.1000/code"} & {
        each.name for each in handle_api.requests
    }


def test_options_in_markdown_extensions_count_too(site):
    project = site(
        {"index.md": f"See doi:{BAD}\n"},
        {"markdown_extensions": [{"doilinks": {"check": "error"}}]},
        check="off",
    )
    assert build(project)[0] == 1


def test_files_are_shown_from_mkdocs_yml(site, handle_api, tmp_path):
    hook = """\
from mkdocs.structure.files import File
def on_files(files, config):
    files.append(File.generated(config, "api/made.md", content="# Made\\n\\n10.1000/made"))
    other = config.docs_dir + "/../elsewhere"
    files.append(File("other.md", other, config.site_dir, False))
"""
    project = site({}, {"hooks": ["hook.py"], "docs_dir": "../pages"})
    (project / "hook.py").write_text(hook)
    write(tmp_path, {"pages/a.md": "See 10.1000/a\n", "elsewhere/other.md": "See 10.1000/b\n"})
    done = run_module("mkdocs", "build", "-f", "project/mkdocs.yml", cwd=tmp_path)
    assert [message.partition(":")[0] for _, message in said(done.stderr)[:-1]] == [
        "../pages/a.md",
        "api/made.md",
        "other.md",
    ]


def test_configuration_from_standard_input(site):
    project = site({"index.md": f"See doi:{BAD}, doi:{GOOD}\n"})
    configuration = (project / "mkdocs.yml").read_text()
    done = run_module("mkdocs", "build", "-f", "-", cwd=project, given=configuration)
    assert said(done.stderr)[0][1].startswith("docs/index.md:1: not found")
    assert (project / "doi-lock.json").exists()


def test_names_of_files_cannot_write_to_the_terminal(site):
    project = site({"a\x1b[2J\u202eb.md": f"See doi:{BAD}\n"})
    code, output = build(project)
    assert code == 1
    assert "\x1b" not in "".join(message for _, message in said(output))
    assert said(output)[0][1].startswith(r"docs/a\x1b[2J\u202eb.md:1: not found")


@contextmanager
def serving(project, *arguments):
    """A running ``mkdocs serve`` that has built the site, ended by Ctrl-C."""
    log = project.parent / "serve.log"
    line = [quick("mkdocs"), *command(project, "serve", "--livereload")[3:]]
    with taken_port() as port, log.open("w") as out:
        line += ["-a", f"127.0.0.1:{port}", *arguments]
        with running(*line, stderr=out, stdout=out) as process:
            served = Served(process, log)
            if "--strict" not in arguments:
                served.wait_for_build(1)
            yield served
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                served.wait_for_end()


@dataclass
class Served:
    process: subprocess.Popen
    log: Path

    @property
    def output(self):
        return self.log.read_text()

    @property
    def built(self):
        """How many builds are done.

        MkDocs does not say a second time that it took 0.01 seconds, so its own lines about that count too few.
        """
        return self.output.count("Serving on") + self.output.count("Reloading browsers")

    def wait_for_build(self, number):
        self.wait(lambda: self.built >= number)

    def wait(self, ready):
        return wait(ready, self.process, said=lambda: self.output)

    def wait_for_end(self):
        wait(lambda: self.process.poll() is not None, said=lambda: self.output)

    def page(self, name):
        url = re.search(r"Serving on (http://\S+)", self.output)[1]
        with urllib.request.urlopen(url + name, timeout=LONGEST) as answer:
            return answer.read().decode()


def rewrite(path, text):
    """Change a file in one step, so that no build sees it half written."""
    new = path.parent.parent / "new"
    new.write_text(text)
    new.replace(path)


def test_serving_goes_on_and_asks_each_name_once(site, handle_api):
    handle_api.set("10.1000/busy", {"url": URL, "fault": "unavailable"})
    handle_api.set("10.1000/new", URL)
    page = f"# Page\n\ndoi:{GOOD}, doi:{BAD}, doi:10.1000/busy\n"
    project = site({"index.md": page, "draft.md": "10.1000/draft\n"},
                   {"draft_docs": "draft.md\n"},
                   check_retries=0, check_ignore=["10.1000/nowhere"],
                   check_lockfile="", check_unknown="error")  # fmt: skip
    index, lines = project / "docs/index.md", []

    def messages():
        return said(served.output)[len(lines) :]

    with serving(project) as served:
        assert f"doi:{BAD}</a>" in served.page("index.html")
        lines += messages()
        assert lines == [
            ("ERROR", "docs/draft.md:1: not found: doi:10.1000/draft [doi-not-found]"),
            ("ERROR", f"docs/index.md:3: not found: doi:{BAD} (did you mean doi:{GOOD}?) [doi-not-found]"),
            ("ERROR", "docs/index.md:3: could not check: doi:10.1000/busy (HTTP 503 without a Handle record) [doi-unknown]"),
            ("ERROR", "4 DOIs: 1 found, 2 not found, 1 could not be checked; a build would be aborted"),
        ]  # fmt: skip
        asked = len(handle_api.requests)
        # The page again, a line further down: nothing is asked, the same is said of the new line.
        rewrite(index, "\n" + page)
        served.wait_for_build(2)
        again = messages()
        assert [message.replace("index.md:4", "index.md:3") for _, message in again] == [
            message for _, message in lines
        ]
        assert len(handle_api.requests) == asked
        lines += again
        # Another name, and the faulty one corrected: only what is new is asked.
        rewrite(index, f"See doi:{GOOD}, doi:10.1000/new\n")
        rewrite(project / "docs/draft.md", "Nothing.\n")
        served.wait(lambda: ("INFO", "2 DOIs: 2 found") in messages())
        assert [each.name for each in handle_api.requests[asked:]] == ["10.1000/new"]
        assert "<p>Nothing.</p>" in served.page("draft.html")
    assert served.process.returncode == 0


def test_serving_with_a_damaged_lock_file_and_after_a_change_of_the_options(site, handle_api):
    project = site({"index.md": f"See doi:{BAD}\n"})
    (project / "doi-lock.json").write_text("{")
    with serving(project) as served:
        assert "damaged lock file" in said(served.output)[0][1]
        (project / "doi-lock.json").unlink()
        rewrite(project / "docs/index.md", f"See doi:{BAD}.\n")
        served.wait(lambda: "1 DOI: 0 found, 1 not found" in served.output)
        handle_api.set(BAD, URL)  # and all is asked again
        site(check_timeout=5)
        served.wait(lambda: ("INFO", "1 DOI: 1 found") in said(served.output))
    assert handle_api.count(BAD) == 2


def test_serving_shows_a_work_that_comes_into_the_lock_file(site):
    project = site({"index.md": f"See @doi:{GOOD}\n"}, check="off", cite=True)
    lock = project / "doi-lock.json"
    lock.write_text(json.dumps({"version": 1, "found": {}}))
    with serving(project) as served:
        assert f">doi:{GOOD}</a>" in served.page("index.html")
        work = {"fetched": "2026-11-20", "title": "DOI Handbook", "author": [["Paskin", "N."]]}
        works = {f"doi:{GOOD}": work}
        rewrite(lock, json.dumps({"version": 1, "found": {}, "works": works}))
        served.wait_for_build(2)
        assert ">Paskin (n.d.)</a>" in served.page("index.html")


def test_serving_builds_once_more_when_its_own_check_writes_the_lock_file(site, handle_api):
    """And Ctrl-C ends a check that waits."""
    handle_api.set("10.1000/new", URL)
    project = site({"index.md": f"See doi:{GOOD}\n"}, hover=True, check_timeout=LONGEST)
    with serving(project) as served:
        rewrite(project / "docs/index.md", f"See doi:{GOOD}, doi:10.1000/new\n")
        served.wait_for_build(3)
        time.sleep(1)  # MkDocs looks for changes every half second, and waits a quarter for more
        assert served.built == 3
        handle_api.set("10.1000/slow", {"url": URL, "fault": "slow", "seconds": LONGEST})
        rewrite(project / "docs/index.md", f"See doi:{GOOD} doi:10.1000/slow\n")
        served.wait(lambda: handle_api.count("10.1000/slow"))
        served.process.send_signal(signal.SIGINT)
        served.wait_for_end()
    assert "interrupted after 1 of 2 DOIs; answers are kept in doi-lock.json" in served.output
    assert "Shutting down" in served.output


def test_strict_serving_is_strict(site):
    project = site({"index.md": f"See doi:{BAD}\n"}, check="warn")
    with serving(project, "--strict") as served:
        served.wait_for_end()
    assert served.process.returncode == 1
    assert "Aborted with 1 warnings in strict mode!" in served.output


PROGRAM = '''"""A module.

After doi:10.1000/182x.
"""


class Model:
    """One line, 10.1000/182x."""

    def fit(self):
        """
        Fit.

        Returns:
            What 10.1000/other says.
        """


def made():
    """."""


made.__doc__ = "10.1000/late"
'''


def test_a_name_of_a_docstring_is_at_its_place_in_the_program(site, tmp_path, handle_api):
    """If its file is not in the project, it is named by its object."""
    more = {
        "plugins": [
            {"mkdocstrings": {"handlers": {"python": {"paths": ["../project/src", "../elsewhere"]}}}},
            {"doilinks": {"check": "warn", "check_api": handle_api.api}},
        ],
        "theme": {"name": "mkdocs"},
    }  # fmt: skip
    pages = {
        "index.md": "# Papers\n\nAs in 10.1000/182x.\n\n::: papers\n    options: {show_source: false}\n",
        "others.md": "# Others\n\n::: others.Model\n",
    }
    project = site(pages, more=more)
    write(tmp_path, {"project/src/papers.py": PROGRAM, "elsewhere/others.py": PROGRAM})
    code, log = build(project)
    assert code == 0, log
    found = re.findall(r"doilinks: (.*?): not found: doi:10.1000/([^ ]*)", log)
    assert dict(found) == {
        "docs/index.md:3": "182x", "src/papers.py:3": "182x", "src/papers.py:8": "182x", "src/papers.py:15": "other",
        "docs/others.md:docstring of others.Model": "182x", "docs/others.md:docstring of others.Model.fit": "other",
    }  # fmt: skip
