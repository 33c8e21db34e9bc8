"""Every case of the Markdown files beside this one, in every format that it names."""

import json
import re
from html import escape
from pathlib import Path
from typing import NamedTuple

import pytest

from doilinks.core.options import Options
from doilinks.tools.fix import RULES, Original, chosen, mend

ALL = chosen([rule.code for rule in RULES if not rule.house], [], asks=False)
PROSE = {
    "md": "# Title\n\n{}\n", "rst": "Title\n=====\n\n{}\n", "txt": "{}\n", "html": "<p>{}</p>\n",
    "ipynb": '{{"cells": [{{"cell_type": "markdown", "source": [{}]}}], "nbformat": 4}}\n',
    "py": '"""{}"""\n', "pyx": "# {}\n",
}  # fmt: skip
TARGET = {
    "md": "See [this](<{}>).\n", "rst": "See `this <{}>`__.\n", "html": '<a href="{}">this</a>\n',
    "bib": "@misc{{a, url = {{{}}}}}\n", "cff": 'url: "{}"\n',
    "typ": '#link("{}")[this]\n',
    "tex": "\\href{{{}}}{{this}}\n",
}  # fmt: skip


class Case(NamedTuple):
    title: str
    kind: str
    before: str
    after: str
    says: str
    rules: frozenset[str] = ALL


def cases():
    for path in sorted(Path(__file__).parent.glob("*.md")):
        if path.stem == "README":
            continue
        text = re.sub("«U\\+(.{4})»", lambda m: chr(int(m[1], 16)), path.read_text("utf-8"))
        _, *blocks = re.split(r"\n\n(?=[^\n]+\nfile: \w+(?: [a-z-]+)?\n\.\n)", text)
        for block in blocks:
            head, before, after, says = re.split(r"^\.\n", f"{block}\n", flags=re.MULTILINE)[:4]
            title, _, kind = head.rstrip().partition("\nfile: ")
            kind, _, house = kind.partition(" ")
            before, after = before.rstrip("\n"), (after or before).rstrip("\n")
            if kind not in ("prose", "target"):
                rules = ALL | {house} if house else ALL
                yield Case(title, kind, f"{before}\n", f"{after}\n", says, rules)
                continue
            for each, frame in (PROSE if kind == "prose" else TARGET).items():
                one, two = (frame.format(spelled(text, each)) for text in (before, after))
                yield Case(f"{title}, in {each}", each, one, two, says)


def spelled(text, kind):
    if kind == "html":
        return escape(text)
    if kind == "tex":  # elsewhere, a percent begins a comment
        return text.replace("%", "\\%")
    return json.dumps(text, ensure_ascii=False) if kind == "ipynb" else text


CASES = list(cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_a_case(case):
    mended = mend(Original(case.before.encode(), case.kind), case.kind, Options(), case.rules)
    assert mended.octets.decode() == case.after
    again = mend(Original(mended.octets, case.kind), case.kind, Options(), case.rules)
    assert again.octets == mended.octets
    assert not again.changes
    before, after = (text.replace("\n", "\r\n").encode() for text in (case.before, case.after))
    assert mend(Original(before, case.kind), case.kind, Options(), case.rules).octets == after
    if case.says.startswith("stays: "):
        assert {reason for _, reason in mended.left} == {case.says[7:].strip()}
        return
    assert not mended.left
    used = {code for change in mended.changes for code in change.codes}
    assert used == set(filter(None, case.says.strip().split(", ")))


def test_every_rule_has_a_case():
    of_cases = {code for case in CASES for code in re.findall(r"doi-[a-z-]+", case.says)}
    assert of_cases == {rule.code for rule in RULES if not rule.asks}
    # What needs the check is tried by the command, beside a server.
    tests = [path.read_text("utf-8") for path in Path(__file__).parents[1].glob("*/test_*.py")]
    assert all(any(rule.code in text for text in tests) for rule in RULES if rule.asks)
