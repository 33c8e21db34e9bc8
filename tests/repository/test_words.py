"""The words of the field: a verb first, the noun of the thing as its name, one word for one thing."""

import ast
import re
import tokenize
from functools import cache
from pathlib import Path

import pytest

import doilinks

from ..tools.documents import ROOT

SOURCE = Path(doilinks.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def tree_of(file):
    return ast.parse(file.read_text(encoding="utf-8"))


def functions():
    for file in FILES:
        for node in ast.walk(tree_of(file)):
            if isinstance(node, FUNCTIONS):
                yield file, node


# ruff's D401 knows verbs in another mood only.
NO_VERBS = re.compile(
    r"(?:all|at|both|each|every|everything|for|how|if|inside|it|its|like|no|nothing|of|one|that|the"
    r"|this|those|what|when|where|whether|which|who|why)\b",
    re.IGNORECASE,
)


def test_the_docstring_of_a_function_begins_with_a_verb():
    wrong = []
    for file, node in functions():
        properties = {"property", "cached_property", "setter"}
        names = {getattr(each, "id", getattr(each, "attr", "")) for each in node.decorator_list}
        words = ast.get_docstring(node) or ""
        if NO_VERBS.match(words) and properties.isdisjoint(names):
            wrong.append(f"{file.relative_to(SOURCE)}:{node.lineno}: {words.splitlines()[0]}")
    assert wrong == [], "begin with a verb in the imperative, such as Return, Yield, Tell whether"


PARTICIPLES = frozenset({"found", "given", "kept", "known", "made", "said", "shown", "told"})
PREDICATE = re.compile("(?:is|has|are|was|were)_")
# Public names, and words that are terms: the given name of a person, a name that was found.
TERMS = frozenset({
    "check.found", "unresolved.known", "Resolution.kept", "Memory.known", "WorkCounts.known",
    "Found", "FOUND", "NOT_FOUND", "Outcome.FOUND", "Outcome.NOT_FOUND", "read_found",
    "spell_found", "Person.given", "_GIVEN", "_initials.given",
})  # fmt: skip


def is_participle(name):
    name = name.strip("_").lower()
    return name.rpartition("_")[2] in PARTICIPLES and not PREDICATE.match(name)


def named(node, owner=""):
    """What a reader meets outside of a function: functions, classes, parameters, attributes."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, FUNCTIONS | ast.ClassDef):
            name = f"{owner}.{each.name}" if owner[:1].isupper() else each.name
            yield name
            if isinstance(each, FUNCTIONS):
                yield from (f"{each.name}.{arg.arg}" for arg in ast.walk(each.args) if isinstance(arg, ast.arg))  # fmt: skip
            yield from named(each, each.name if isinstance(each, ast.ClassDef) else "")
        elif isinstance(each, ast.Assign | ast.AnnAssign):
            for target in each.targets if isinstance(each, ast.Assign) else [each.target]:
                for part in ast.walk(target):
                    if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
                        yield f"self.{part.attr}"
                    elif isinstance(part, ast.Name) and isinstance(node, ast.Module):
                        yield part.id
                    elif isinstance(part, ast.Name) and isinstance(node, ast.ClassDef):
                        yield f"{owner}.{part.id}"


def test_a_name_is_the_noun_of_the_thing():
    left = sorted(
        {
            f"{file.relative_to(SOURCE)}: {name}"
            for file in FILES
            for name in named(tree_of(file))
            if is_participle(name.rpartition(".")[2]) and name not in TERMS
        }
    )
    assert left == [], "name the thing, such as resolutions, places, options"


def prose_of(file):
    """The comments and strings of a program, or a document without its code."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        text = re.sub(r"^(`{3,}).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE)
        return re.sub(r"`[^`\n]+`", "", text)
    with file.open("rb") as lines:
        kinds = (tokenize.COMMENT, tokenize.STRING)
        return "\n".join(each.string for each in tokenize.tokenize(lines.readline) if each.type in kinds)  # fmt: skip


@pytest.mark.parametrize("word", [r"(?<!leaves nothing )(?<!left )behind", "in front of", "likest", "shall"])  # fmt: skip
def test_no_text_has_a_word_that_the_table_replaces(word):
    documents = [*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "ARCHITECTURE.md"]
    files = [file for file in (*FILES, *documents) if "_build" not in file.parts]
    pattern = re.compile(rf"\b{word}\b", re.IGNORECASE)
    assert [str(file) for file in files if pattern.search(prose_of(file))] == []


def unexplained(file):
    """Yield each constant with a pattern that no comment on it, or above it, explains."""
    text = file.read_text(encoding="utf-8")
    with file.open("rb") as lines:
        tokens = [
            each for each in tokenize.tokenize(lines.readline) if each.type == tokenize.COMMENT
        ]
    comments = {each.start[0] for each in tokens if not re.match("# (?:noqa|fmt|-)", each.string)}
    for node in tree_of(file).body:
        code = ast.get_source_segment(text, node)
        # A pattern of rows of core/steps.py is explained there, with examples.
        if isinstance(node, ast.Assign | ast.AnnAssign) and "re.compile(" in code and not re.search(r"\beither\(", code):  # fmt: skip
            above = node.lineno - 1 in comments
            if not above and comments.isdisjoint(range(node.lineno, node.end_lineno + 1)):
                yield f"{file.relative_to(SOURCE)}:{node.lineno}"


def test_a_comment_says_what_a_pattern_matches():
    assert [each for file in FILES for each in unexplained(file)] == []
