"""The plug-in for mystmd: pages that the real mystmd builds, without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from doilinks import DOI
from doilinks.core.options import Options
from doilinks.hosts.mystmd import link_dois, transform

from ..tools.command import doilinks
from ..tools.modules import BIN
from ..tools.programs import LONGEST, Done, tool

PLUGIN = "doilinks-plugin.py"
CONFIG = f"""\
version: 1
project:
  title: Site
  plugins:
    - type: executable
      path: {PLUGIN}
site: {{}}
"""
# A server that refuses each connection, so that nothing is asked and nothing is waited for.
NOWHERE = "http://127.0.0.1:9"
NAMES = (
    "10.1000/182",
    "10.1000/456#789",
    "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0",
    "10.1002/1099-0771(200012)13:5+<S29::AID-HPM465>3.0.CO;2-1",
    "10.1000/a%b",
    "10.1016/S0140-6736(97)11096-0",
    "10.1130/0016-7606(1998)110<0001:tpod>2.3.co;2",
    "10.18260/1-2--11357",
    '10.1006/rwei.1999".0001',
    "10.1000/a_b*c*d$e$f",
    "10.4028/www.scientific.net/MSF.1.2",
)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "myst.yml").write_text(CONFIG)
    code, out, err = doilinks("myst-plugin", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert f"type: executable\n      path: {PLUGIN}" in out
    return tmp_path


def myst(project, *command: str, **environment: str) -> Done:
    program = tool("myst", "the plug-in for mystmd is not tried with mystmd")
    path = os.pathsep.join([str(BIN), os.environ["PATH"]])
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), NOWHERE)
    return subprocess.run(
        [program, *command], cwd=project, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False, timeout=120, env={**os.environ, "PATH": path, **proxies, **environment},
    )  # fmt: skip


def built(project, source: str, **environment: str) -> dict:
    """The tree of a page. A theme would have to be fetched, so the build of the site stops after it."""
    (project / "index.md").write_text(source)
    done = myst(project, "build", "--site", **environment)
    page = project / "_build/site/content/index.json"
    assert page.exists(), done.stdout + done.stderr
    return json.loads(page.read_text())["mdast"]


def text_of(node) -> str:
    return node.get("value", "") + "".join(map(text_of, node.get("children", [])))


def links(node) -> list[tuple[str, str]]:
    """The text and target of each link."""
    inside = [link for child in node.get("children", []) for link in links(child)]
    return [(text_of(node), node["url"]), *inside] if node["type"] == "link" else inside


def found(*names: str) -> list[tuple[str, str]]:
    return [(f"doi:{name}", f"https://doi.org/{name}") for name in names]


def nodes(tree, kind: str):
    if tree["type"] == kind:
        yield tree
    for child in tree.get("children", []):
        yield from nodes(child, kind)


def test_names_in_prose(project):
    tree = built(
        project, "# Names\n\n" + "\n\n".join(f"See {name}, or doi:{name}." for name in NAMES)
    )
    expected = [(DOI(name).uri, DOI(name).url) for name in NAMES]
    assert links(tree) == [each for each in expected for _ in range(2)]


def test_what_is_linked_and_what_stays(project):
    tree = built(project, Path(__file__).with_name("page.md").read_text())
    ours = [link for link in nodes(tree, "link") if link.get("class") == "doi"]
    assert [(text_of(each), each["url"]) for each in ours] == [
        *found("10.1000/101"),
        ("10.1000/102", "https://doi.org/10.1000/102"),
        *found("10.1000/103"),
        ("a title", "https://doi.org/10.1000/104"),
        *found("10.1000/105", "10.1000/106", "10.1000/107", "10.1000/108"),
        ("10.1000/109", "https://doi.org/10.1000/109"),
        *found("10.1000/111"),
    ]
    others = [link["url"] for link in nodes(tree, "link") if link.get("class") != "doi"]
    assert others[0] == "https://example.org/"
    # What mystmd cites is its own, and it has not found these works.
    assert [each.rpartition("/")[2] for each in others[1:]] == ["994", "995"]
    assert "DOI: doi:" not in text_of(tree)
    content = (project / "_build/site/content/index.json").read_text()
    abstract = json.loads(content)["frontmatter"]["parts"]["abstract"]["mdast"]
    assert links(abstract) == found("10.1000/110")


def test_what_mystmd_cites_is_cited_as_mystmd_does(project):
    entry = (
        "@book{paskin, title={DOI Handbook}, author={Paskin, N.}, year={2000}, doi={10.1000/456}}"
    )
    (project / "refs.bib").write_text(entry)
    tree = built(project, "# A\n\nSee doi:10.1000/456, 10.1000/456 and [here](doi:10.1000/456).\n")
    assert [each["label"] for each in nodes(tree, "cite")] == ["paskin"] * 3
    assert [text_of(each) for each in nodes(tree, "cite")] == ["Paskin (2000)"] * 2 + ["here"]
    assert links(tree) == []


def test_options_are_those_of_the_project(project):
    (project / "pyproject.toml").write_text(
        '[tool.doilinks]\ndisplay = "name"\nignore = ["10.5555/"]\n'
    )
    tree = built(project, "# A\n\nSee doi:10.1000/456#789 and 10.5555/12345678.\n")
    assert links(tree) == [("10.1000/456#789", "https://doi.org/10.1000/456%23789")]


def test_a_file_that_is_exported(project):
    (project / "index.md").write_text("# A\n\nSee 10.1000/456#789 there.\n")
    myst(project, "build", "--xml", "index.md", "-o", "out.xml")
    assert 'xlink:href="https://doi.org/10.1000/456%23789"' in (project / "out.xml").read_text()


def test_a_package_that_is_missing_is_named(project):
    # -S: without the packages of this Python
    done = subprocess.run(
        [sys.executable, "-S", project / PLUGIN], env={"PATH": "/nowhere"}, check=False,
        capture_output=True, text=True, timeout=LONGEST,
    )  # fmt: skip
    assert done.returncode == 1
    assert 'pip install "doilinks[cli]"' in done.stderr


@pytest.mark.parametrize("given", ['{"type": "root"}', '{"url": "https://zenodo.org/record/1"}'])
def test_the_plugin_starts_doilinks_only_for_what_may_be_linked(project, given):
    # -S: without the packages of this Python, so that doilinks is not found
    done = subprocess.run(
        [sys.executable, "-S", project / PLUGIN, "--transform", "doilinks"], input=given,
        env={"PATH": "/nowhere"}, check=False, capture_output=True, text=True, timeout=LONGEST,
    )  # fmt: skip
    asked = "//" in given
    assert (done.returncode, done.stdout) == (int(asked), "" if asked else given)


def test_the_plugin_gives_what_it_is_told_to_doilinks(project):
    def run(*arguments, given=""):
        return subprocess.run(
            [sys.executable, project / PLUGIN, *arguments], input=given, capture_output=True, text=True,
            check=True, timeout=LONGEST,
        ).stdout  # fmt: skip

    made = run("--transform", "doilinks", given=json.dumps(page(text("10.1000/182"))))
    assert links(json.loads(made)) == found("10.1000/182")
    assert "transforms" in json.loads(run())


def test_writing_it_again_updates_it(project):
    (project / PLUGIN).write_text("old")
    assert doilinks("myst-plugin", cwd=project)[0] == 0
    assert (project / PLUGIN).read_text() != "old"
    assert os.access(project / PLUGIN, os.X_OK)


def test_a_folder_that_cannot_be_written_to(tmp_path):
    (tmp_path / PLUGIN).mkdir()
    code, _, err = doilinks("myst-plugin", cwd=tmp_path)
    assert code == 2
    assert "cannot write" in err


# The protocol, without mystmd


def page(*inlines):
    return {"type": "root", "children": [{"type": "paragraph", "children": list(inlines)}]}


def text(value):
    return {"type": "text", "value": value}


def run_transform(octets: bytes, folder):
    return doilinks("myst-plugin", "--transform", "doilinks", cwd=folder, stdin=octets, real=True)


def test_the_specification(tmp_path):
    code, out, err = doilinks("myst-plugin", "--spec", cwd=tmp_path)
    assert (code, err) == (0, "")
    (only,) = json.loads(out)["transforms"]
    assert (only["name"], only["stage"]) == ("doilinks", "document")


def test_a_wrong_option_is_named(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.doilinks]\ndisplay = "big"\n')
    code, out, err = run_transform(json.dumps(page(text("10.1000/182"))).encode(), tmp_path)
    assert (code, out) == (2, "")
    assert "tool.doilinks.display" in err


def test_a_page_without_names_is_given_back_as_it_is(tmp_path):
    octets = b'{ "type" : "root", "n": 1e21, "children": [] }'
    assert run_transform(octets, tmp_path) == (0, octets.decode(), "")


@pytest.mark.parametrize("shown", ["é", "%C3%A9"])
@pytest.mark.parametrize("href", ["é", "%C3%A9"])
def test_a_name_goes_on_after_what_the_parser_has_made_a_link_of(href, shown):
    address = "https://doi.org/10.1000/"
    link = {"type": "link", "url": f"{address}{href}(c", "children": [text(f"{address}{shown}(c")]}
    tree = json.loads(transform(json.dumps(page(link, text(")d."))).encode(), Options()))
    assert links(tree) == [("doi:10.1000/%C3%A9(c)d", f"{address}%C3%A9(c)d")]


def test_twice_is_once():
    once = transform(json.dumps(page(text("DOI: 10.1000/456#789, x"))).encode(), Options())
    assert transform(once, Options()) == once


@pytest.mark.parametrize("octets", [b"10.1000/182", b"\xff", b'{"type": "10.1000/182"'])
def test_what_is_not_a_page_is_refused(octets, tmp_path):
    code, _, err = run_transform(octets, tmp_path)
    assert code == 2
    assert "this is not the tree of a page" in err
    assert "Traceback" not in err


def test_a_page_that_is_nested_too_deeply_stays(tmp_path):
    octets = b'{"children":[' * 100_000 + b'"10.1000/182"' + b"]}" * 100_000
    code, out, err = run_transform(octets, tmp_path)
    assert (code, out.encode()) == (0, octets)
    assert "nested too deeply" in err


@pytest.mark.parametrize(
    "strange",
    [
        None, 1, "10.1000/182", [], {}, {"type": 1}, {"type": "text"}, {"type": "text", "value": None},
        {"type": "link"}, {"type": "link", "url": None, "children": 7}, {"type": "paragraph", "children": "x"},
        {"type": "link", "url": "doi:10.1000/1", "class": 5, "children": [None]},
        {"type": "emphasis"}, {"type": "strong", "children": [3]}, {"type": "tableRow", "children": [4]},
    ],
)  # fmt: skip
def test_strange_nodes_harm_nothing(strange):
    tree = page(text("a"), strange, text("see 10.1000/182"))
    link_dois(tree, Options())
    assert links({"type": "root", "children": [tree["children"][0]["children"][-1]]}) == found(
        "10.1000/182"
    )


def test_lone_surrogates_stay():
    tree = page(text("\ud800 10.1000/182"))
    after = json.loads(transform(json.dumps(tree).encode(), Options()))
    assert after["children"][0]["children"][0] == text("\ud800 ")


@pytest.mark.parametrize("names", [2_000, 4_000])
def test_a_page_of_many_names_is_read(names):
    tree = page(text("10.1000/182 *" * names))
    link_dois(tree, Options())
    assert len(links(tree)) == names


CLOSED = """linkBlock card cite citeGroup crossReference image code inlineCode math inlineMath html raw comment
mermaid keyboard myst output outputs mystTarget mystRole mystDirective inlineExpression embed iframe bibliography toc
footnoteReference index chemicalFormula"""


@pytest.mark.parametrize("kind", CLOSED.split())
def test_what_is_no_prose_or_is_cited_by_mystmd_stays(kind):
    tree = page({"type": kind, "children": [text("10.1000/182")]})
    link_dois(tree, Options())
    assert links(tree) == []
