"""Plants names into documents that were not written for doilinks, and into each part of each directive.

The readers of sources are tested with forms that they know. A name after a random word of such a document
is in forms that nobody thought of; what the page then links has to be what ``scan`` lists.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, NamedTuple

from doilinks.core.options import Options
from doilinks.sources import read

ROOT = Path(__file__).parents[2]
FORMS = {
    "md": ("doi:{}", "<https://doi.org/{}>", "[there](https://doi.org/{})", "https://doi.org/{}"),
    "rst": ("doi:{}", ":doi:`{}`", "`there <https://doi.org/{}>`__", "https://doi.org/{}"),
}
NAME = "10.1000/seed{}x"
_LISTED = re.compile(r"10\.1000/seed(\d+)x")
_LINKED = re.compile(r"""\shref=["']?https://doi\.org/10\.1000/seed(\d+)x["'\s>]""")
_WORD = re.compile(r"(?<=\w)(?=[.,;:)]?(?:\s|\Z))")
# A name in front matter, in a tag, in a comment or on the line that begins a block of code would make text of what is
# none.
_MARKUP = re.compile(
    r"\A---\n(?s:.*?)^---$|<!--(?s:.*?)-->|</?[A-Za-z][^<>]*>|^[ >]*(?:[-*+] +)?(?:```|~~~).*",
    re.MULTILINE,
)


class Planted(NamedTuple):
    """A document with names in it."""

    text: str
    places: Mapping[int, str]  # what each name was planted into, by its number


def listed(text: str, kind: str) -> set[int]:
    """The numbers of the planted names that ``scan`` lists."""
    found = read(text, kind, Options())
    return {int(name[1]) for each in found if (name := _LISTED.match(each.doi.name))}


def linked(page: str) -> set[int]:
    """The numbers of the planted names that a page links."""
    return {int(number) for number in _LINKED.findall(page)}


def documents(kind: str) -> dict[str, str]:
    """What the distributions that are installed say of themselves, and documents of doilinks."""
    found = {path.name: path.read_text(encoding="utf-8") for path in ROOT.glob(f"*.{kind}")}
    for each in distributions():
        said = (each.metadata["Description-Content-Type"] or "text/x-rst").partition(";")[0]
        if said == {"md": "text/markdown", "rst": "text/x-rst"}[kind]:
            payload = each.metadata.get_payload()
            text = payload if isinstance(payload, str) and payload.strip() else None
            found[each.metadata["Name"]] = text or each.metadata["Description"] or ""
    return dict(sorted(found.items()))


def plant(name: str, text: str, kind: str, number: int = 12) -> Planted:
    """A document with names after random words, which are the same ones in each run."""
    chance = random.Random(name)
    spared = {
        at for found in _MARKUP.finditer(text) for at in range(found.start(), found.end() + 1)
    }
    spots = [at for found in _WORD.finditer(text) if (at := found.start()) not in spared]
    parts, places, at = [], {}, 0
    for seed, spot in enumerate(sorted(chance.sample(spots, min(number, len(spots))))):
        form = chance.choice(FORMS[kind]).format(NAME.format(seed))
        parts += [text[at:spot], " ", form]
        at = spot
        line = text[text.rfind("\n", 0, spot) + 1 :].partition("\n")[0]
        places[seed] = f"{name}: {form} in {line[:90]!r}"
    return Planted("".join([*parts, text[at:]]), places)


# --------------------------------------------------------------------------------------------------
# Every directive of docutils, Sphinx and MyST, with a name in each of its parts.

# What a directive needs as content or argument, unless that is any text.
_CONTENT = {
    "acks": "* {}", "hlist": "* {}", "glossary": "a\n  Text {}.", "csv-table": 'a, "b {}"',
    "table": "=== ====================================\n a  b {}\n=== ====================================",
    "list-table": "* - a\n  - b {}", "figure-md": "![a](a.png)\n\nText {}.",
}  # fmt: skip
_ARGUMENT = {
    "literalinclude": "conf.py", "figure": "a.png", "image": "a.png", "raw": "html", "only": "html",
}  # fmt: skip
# These change what is after them, read other files, or end up in the head of a page.
LEFT = {
    "default-role",
    "default-domain",
    "include",
    "restructuredtext-test-directive",
    "role",
    "meta",
    "todolist",
}


class Directive(NamedTuple):
    """What docutils knows of a directive: how many arguments it needs and may have, its options that take any text."""

    required: int
    allowed: int
    options: Sequence[str]
    has_content: bool


# The end of a configuration that writes what is registered.
TELLS = """
import json
from docutils.parsers.rst import directives, languages
from docutils.utils import new_document

def takes_text(convert):
    try:
        return convert("Text doi:10.1000/182") == "Text doi:10.1000/182"
    except Exception:
        return False

def tell(app):
    document = new_document("")
    found = {name: directives.directive(name, languages.en, document)[0] for name in directives._directive_registry}
    found |= directives._directives
    for domain in app.env.domains.values():
        known = domain.directives.items()
        found |= {name if domain.name == "std" else f"{domain.name}:{name}": kind for name, kind in known}
    rows = {
        name: (kind.required_arguments, kind.required_arguments + kind.optional_arguments,
               [key for key, convert in (kind.option_spec or {}).items() if takes_text(convert) and key != "name"], kind.has_content)
        for name, kind in sorted(found.items())
    }
    (app.outdir / "index.html").write_text(json.dumps(rows))

def setup(app):
    app.connect("build-finished", lambda app, error: tell(app))
"""


def parts_of(name: str, directive: Directive, write: Any) -> Planted:
    """A page with a directive once for each of its parts, and a name in that part.

    :param write: gives the source of a directive with an argument, options and content
    """
    texts, places = [], {}

    def add(part: str, argument: str, options: str, content: str) -> None:
        form = f"doi:{NAME.format(len(places))}"
        places[len(places)] = f"{name}: {part}"
        given = [each.replace("{}", form) for each in (argument, options, content)]
        texts.append(f"Before.\n\n{write(name, *given)}\n\nAfter.\n")

    argument = _ARGUMENT.get(name, "a" * bool(directive.required))
    content = _CONTENT.get(name, "Text {}.") if directive.has_content else ""
    plain = content.replace("{}", "there")
    add("argument", "Text {}", "", plain)
    if argument:
        add("argument after another", f"{argument} {{}}", "", plain)
    for option in directive.options:
        add(f"option {option}", argument, f":{option}: Text {{}}", plain)
    if content:
        add("content", argument, "", content)
    return Planted("\n".join(texts), places)


def in_rest(name: str, argument: str, options: str, content: str) -> str:
    """A directive of reStructuredText."""
    lines = [*options.splitlines(), "", *content.splitlines()]
    return "\n".join([f".. {name}:: {argument}", *(f"   {line}".rstrip() for line in lines)])


def in_eval_rst(name: str, argument: str, options: str, content: str) -> str:
    """The same in a page of MyST."""
    return f"```{{eval-rst}}\n{in_rest(name, argument, options, content)}\n```"


def in_myst(fence: str) -> Any:
    """What writes directives of MyST."""

    def write(name: str, argument: str, options: str, content: str) -> str:
        lines = [f"{fence}{{{name}}} {argument}", *options.splitlines(), "", content, fence]
        return "\n".join(lines)

    return write
