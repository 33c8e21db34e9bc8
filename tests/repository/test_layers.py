"""Imports go one way: hosts, works, check, core; and each floor has a budget."""

import ast
import pydoc
import re
import rlcompleter
import subprocess
import sys
from functools import cache
from pathlib import Path

import jedi
import pytest

import doilinks
import doilinks.pandoc

SOURCE = Path(doilinks.__file__).parent
NO_IO = {"socket", "ssl", "http", "urllib.request", "subprocess", "os", "pathlib", "io", "tempfile"}


@cache
def imports(path: Path) -> set[str]:
    """The modules that a file imports, relative ones made absolute."""
    package = ["doilinks", *path.relative_to(SOURCE).parent.parts]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return found


def rooms_of(path: Path) -> set[str]:
    """The rooms of doilinks that a file imports; a room is a package of a floor."""
    return {room for module in imports(path) if (room := room_of(module))}


def room_of(module: str) -> str:
    parts = module.split(".")
    if parts[0] != "doilinks" or len(parts) == 1:
        return ""
    if parts[1] in ("linking", "checking", "files"):
        return parts[2] if len(parts) > 2 else ""
    return parts[1]


def test_references_of_html_are_decoded_by_the_core():
    # What Python has raises an error for a number of thousands of digits.
    direct = re.compile(
        r"\bhtml\.unescape|^from html import .*unescape|^import html\b", re.MULTILINE
    )
    found = {path for path in SOURCE.rglob("*.py") if direct.search(path.read_text("utf-8"))}
    assert found == {SOURCE / "core" / "markup.py"}


# What each room may import beside itself, the core and what all floors share.
FLOORS = {
    "core": {"core": set()},
    "shared": {"shared": set()},
    "linking": {
        "cite": {"record"},
        "docutils": {"cite", "record"},
        "markdown_it": {"cite", "record"},
        "markdown": {"cite", "record"},
        "mkdocs": {"cite", "markdown", "check", "works", "record", "sources"},
        "mystmd": set(),
        "pandoc": {"cite", "check", "works", "record"},
        "pelican": {"docutils"},
        "sphinx": {"cite", "record", "docutils", "markdown_it", "check", "works"},
    },
    "checking": {
        "record": set(), "net": set(), "check": {"net", "record"},
        "works": {"net", "record", "check"},
    },
    "files": {
        "sources": {"cite", "docutils", "markdown_it", "record"},
        "fix": {"sources"},
        "pages": {"sources", "cite"},
        "cli": {"sources", "cite", "check", "works", "record", "fix", "pages", "mystmd", "net"},
    },
}  # fmt: skip
# Without a program around them; they open, ask and print nothing.
PURE = {"core", "record"}


@pytest.mark.parametrize("floor", FLOORS)
def test_a_room_imports_what_is_below_it(floor):
    rooms = {path.stem for path in (SOURCE / floor).iterdir() if path.suffix in ("", ".py")}
    rooms -= {"__init__", "__pycache__"}
    if floor not in ("core", "shared"):
        assert rooms == set(FLOORS[floor])
    for path in (SOURCE / floor).rglob("*.py"):
        room = room_of(".".join(["doilinks", *path.relative_to(SOURCE).with_suffix("").parts]))
        known = {room, "core", "__version__", *FLOORS[floor].get(room, ())}
        known |= {"shared"} - PURE if room not in PURE else set()
        # On the ground floor and in what all share, the names of modules are those of files.
        assert rooms_of(path) - {floor} <= known, path


def test_the_doors_show_and_contain_nothing():
    """What users import: it leads to the floors, which import no door."""
    doors = {path for path in SOURCE.glob("*.py") if not path.name.startswith("__")}
    names = {path.stem for path in doors}
    assert names == {
        "check", "docutils", "markdown", "markdown_it", "mkdocs", "pandoc", "pelican", "sphinx", "works"
    }  # fmt: skip
    for floor in FLOORS:
        for path in (SOURCE / floor).rglob("*.py"):
            direct = {
                module.split(".")[1] for module in imports(path) if module.startswith("doilinks.")
            }
            assert not direct & names, path


def test_the_core_and_the_records_are_pure():
    for room in (SOURCE / "core", SOURCE / "checking" / "record"):
        for path in room.rglob("*.py"):
            for module in imports(path):
                top = module.split(".")[0]
                assert top == "__future__" or top in sys.stdlib_module_names or top == "doilinks", (
                    path
                )
                assert module not in NO_IO, f"{path} imports {module}"
                assert top not in NO_IO - {"urllib"}, f"{path} imports {module}"


@pytest.mark.parametrize(
    ("floors", "most"),
    [(("core", "linking"), 14_241), (("checking",), 7_447), (("files",), 9_863)],
)
def test_each_floor_has_a_budget(floors, most):
    """A new feature says in its pull request which floor pays for it."""
    lines = sum(
        path.read_text(encoding="utf-8").count("\n")
        for floor in floors
        for path in (SOURCE / floor).rglob("*.py")
    )
    assert lines <= most, lines


@pytest.mark.parametrize("module", [doilinks, doilinks.pandoc])
def test_what_is_imported_late_can_be_discovered(module):
    """By ``dir``, ``help`` and completion; jedi, which IPython uses, reads the stub alone."""
    late = set(module.__all__)
    assert late <= set(dir(module))
    assert not {"_HOMES", "__dir__", "__getattr__", "TYPE_CHECKING", "setup"} & set(dir(doilinks))
    text = pydoc.plain(pydoc.render_doc(module))
    assert all(re.search(rf"\b{name}\b", text) for name in late)
    code = f"import {module.__name__}\n{module.__name__}."
    found = {
        each.name
        for each in jedi.Script(code, environment=jedi.InterpreterEnvironment()).complete()
    }
    assert late - {"__version__"} <= found
    complete = rlcompleter.Completer({"doilinks": doilinks}).complete
    assert complete(f"{module.__name__}.{min(late)[:2]}", 0)


def test_files_can_be_read_in_one_go():
    """A story is one file that reads from top to bottom; one that is longer is two stories."""
    for path in SOURCE.rglob("*.py"):
        lines = path.read_text(encoding="utf-8").count("\n")
        assert lines <= 600, f"{path} has {lines} lines"


def test_one_module_writes_to_the_standard_streams():
    """What reaches a terminal is made harmless there; so nothing goes past it."""
    streams = {"stdin", "stdout", "stderr", "__stdout__", "__stderr__"}
    # The plug-in for mystmd is copied, needs no package, and gives a page back to mystmd.
    own = {SOURCE / "shared" / "streams.py", SOURCE / "files" / "cli" / "myst_plugin.py"}
    for path in set(SOURCE.rglob("*.py")) - own:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                named = (node.value.id, node.attr)
                assert named[0] != "sys" or named[1] not in streams, f"{path}:{node.lineno}"
                assert named not in {("click", "echo"), ("click", "secho")}, f"{path}:{node.lineno}"
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"print", "input"}, f"{path}:{node.lineno}"


def test_importing_scan_imports_the_core_alone():
    """And the package by itself nothing."""
    code = (
        "import sys, doilinks\n"
        "print(*sorted(m for m in sys.modules if m.split('.')[0] == 'doilinks'))\n"
        "from doilinks import scan\n"
        "print(*sorted(m for m in sys.modules if m.split('.')[0] == 'doilinks'))\n"
        "print(*sorted({m.split('.')[0] for m in sys.modules} - sys.stdlib_module_names))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    package, ours, others = done.stdout.splitlines()
    assert package == "doilinks"
    assert ours.split() == [
        "doilinks", "doilinks.core", "doilinks.core.begin", "doilinks.core.doi",
        "doilinks.core.scan", "doilinks.core.steps",
    ]  # fmt: skip
    assert set(others.split()) <= {"__main__", "doilinks", "_virtualenv", "sitecustomize"} | {
        name for name in others.split() if name.startswith(("__editable__", "_distutils"))
    }


@pytest.mark.parametrize("package", [doilinks, doilinks.pandoc])
def test_each_public_name_is_there(package):
    for name in package.__all__:
        assert getattr(package, name)
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'no'"):
        _ = package.no
