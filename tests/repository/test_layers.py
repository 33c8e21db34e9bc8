"""Imports go one way: front doors, works, check, core."""

import ast
import pydoc
import re
import rlcompleter
import subprocess
import sys
from pathlib import Path

import jedi
import pytest

import doilinks
import doilinks.pandoc

SOURCE = Path(doilinks.__file__).parent
NO_IO = {"socket", "ssl", "http", "urllib.request", "subprocess", "os", "pathlib", "io", "tempfile"}


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


def doilinks_layer(module: str) -> str:
    parts = module.split(".")
    return parts[1] if parts[0] == "doilinks" and len(parts) > 1 else ""


def test_references_of_html_are_decoded_by_the_core():
    # What Python has raises an error for a number of thousands of digits.
    direct = re.compile(
        r"\bhtml\.unescape|^from html import .*unescape|^import html\b", re.MULTILINE
    )
    found = {path for path in SOURCE.rglob("*.py") if direct.search(path.read_text("utf-8"))}
    assert found == {SOURCE / "core" / "markup.py"}


def test_one_function_makes_the_address_of_the_api():
    made = re.compile(r"check_api\)? ?\+|\+ ?\w*\.?check_api|\{\w*\.?check_api\}")
    assert [path for path in SOURCE.rglob("*.py") if made.search(path.read_text("utf-8"))] == []


def test_one_function_says_that_a_name_was_not_found():
    said = {
        path.name for path in SOURCE.rglob("*.py") if "did you mean {" in path.read_text("utf-8")
    }
    assert said <= {"problems.py", "options.py"}


def test_the_core_imports_the_standard_library_only():
    for path in (SOURCE / "core").rglob("*.py"):
        for module in imports(path):
            top = module.split(".")[0]
            assert top == "__future__" or top in sys.stdlib_module_names or top == "doilinks", path
            assert doilinks_layer(module) in ("", "core"), f"{path} imports {module}"
            assert module not in NO_IO, f"{path} imports {module}"
            assert top not in NO_IO - {"urllib"}, f"{path} imports {module}"


def test_the_check_imports_no_host():
    for path in (SOURCE / "check").rglob("*.py"):
        for module in imports(path):
            layer = doilinks_layer(module)
            known = ("", "core", "net", "check", "replace", "__version__")
            assert layer in known, f"{path} imports {module}"


def test_the_network_knows_the_core_alone():
    for path in (SOURCE / "net").glob("*.py"):
        for module in imports(path):
            assert doilinks_layer(module) in ("", "core", "net"), f"{path} imports {module}"


def test_works_know_no_host():
    for path in (SOURCE / "works").glob("*.py"):
        for module in imports(path):
            assert doilinks_layer(module) in ("", "core", "net", "check", "works"), (
                f"{path} imports {module}"
            )


def test_what_readers_see_of_a_work_knows_the_core_alone():
    for path in (SOURCE / "cite").glob("*.py"):
        for module in imports(path):
            assert doilinks_layer(module) in ("", "core", "replace", "cite"), (
                f"{path} imports {module}"
            )


# What saves a copy: the host on the left is built on the one on the right.
BUILT_ON = {
    "cli": {"sources", "check", "works", "fix", "html", "mdast"},
    "fix": {"sources"},
    "html": {"sources"},
    "mkdocs": {"markdown", "check", "works", "sources"},
    "pandoc": {"check", "works"},
    "pelican": {"docutils"},
    "sources": {"docutils", "markdown_it"},
    "sphinx": {"docutils", "markdown_it", "check", "works"},
}
LAYERS = {path.stem for path in SOURCE.iterdir()}
SHARED = {"", "core", "cite", "project", "replace", "streams", "program", "__version__"}


def test_a_front_door_imports_no_other():
    inside = {"core", "check", "cite", "works"}
    for path in SOURCE.rglob("*.py"):
        door = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if door in inside or door.startswith("__"):
            continue
        for module in imports(path):
            layer = doilinks_layer(module)
            known = {door, *SHARED, *BUILT_ON.get(door, ())}
            assert layer in known or layer not in LAYERS, f"{path} imports {module}"


# The version and what is imported late; everything else is in a file of its own.
THICK = {SOURCE / "__init__.py", SOURCE / "pandoc" / "__init__.py"}


def test_a_package_contains_imports_alone():
    imported = (ast.Import, ast.ImportFrom)
    for path in set(SOURCE.rglob("__init__.py")) - THICK:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body[1:] if ast.get_docstring(tree) else tree.body:
            is_names = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
            # In a block: the import of a package that may be missing.
            inside = node.body if isinstance(node, (ast.Try, ast.With)) else [node]
            assert is_names or all(isinstance(each, imported) for each in inside), (
                f"{path}:{node.lineno}"
            )


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


def test_the_core_opens_nothing():
    for path in (SOURCE / "core").rglob("*.py"):
        names = {
            node.func.id
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not names & {"open", "print", "input", "exec", "eval"}, path


def test_one_module_writes_to_the_standard_streams():
    """What reaches a terminal is made harmless there; so nothing goes past it."""
    streams = {"stdin", "stdout", "stderr", "__stdout__", "__stderr__"}
    # The plug-in for mystmd is copied, needs no package, and gives a page back to mystmd.
    own = {SOURCE / "streams.py", SOURCE / "cli" / "myst_plugin.py"}
    for path in set(SOURCE.rglob("*.py")) - own:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                named = (node.value.id, node.attr)
                assert named[0] != "sys" or named[1] not in streams, f"{path}:{node.lineno}"
                assert named not in {("click", "echo"), ("click", "secho")}, f"{path}:{node.lineno}"
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"print", "input"}, f"{path}:{node.lineno}"


def test_importing_scan_imports_the_core_alone():
    code = (
        "import sys\n"
        "from doilinks import scan\n"
        "print(*sorted(m for m in sys.modules if m.split('.')[0] == 'doilinks'))\n"
        "print(*sorted({m.split('.')[0] for m in sys.modules} - sys.stdlib_module_names))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    ours, others = done.stdout.splitlines()
    assert ours.split() == [
        "doilinks",
        "doilinks.core",
        "doilinks.core.begin",
        "doilinks.core.doi",
        "doilinks.core.scan",
        "doilinks.core.steps",
    ]
    assert set(others.split()) <= {"__main__", "doilinks", "_virtualenv", "sitecustomize"} | {
        name for name in others.split() if name.startswith(("__editable__", "_distutils"))
    }


def test_importing_doilinks_imports_nothing_more():
    code = "import sys, doilinks; print(*[m for m in sys.modules if m.startswith('doilinks')])"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["doilinks"]


@pytest.mark.parametrize("package", [doilinks, doilinks.pandoc])
def test_each_public_name_is_there(package):
    for name in package.__all__:
        assert getattr(package, name)
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'no'"):
        _ = package.no


def test_public_names():
    assert doilinks.__all__ == ["DOI", "Found", "InvalidDOI", "Match", "__version__", "scan"]
