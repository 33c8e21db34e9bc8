"""What docs/howto/fix.md says is what ``doilinks fix`` does."""

import re

import pytest

from doilinks.core.options import Options
from doilinks.tools.fix import RULES, Original, chosen, mend

from ..tools.command import doilinks
from ..tools.documents import DOCS, FENCE

PAGE = (DOCS / "howto" / "fix.md").read_text(encoding="utf-8")
BLOCKS = {block[3]: block[4] for block in reversed(list(FENCE.finditer(PAGE)))}
ROWS = re.findall(r"^\| `(doi-[a-z-]+)` \| `(.+?)` \| `(.+?)` \|$", PAGE, re.MULTILINE)


def test_the_readme_before_and_after(tmp_path):
    readme = tmp_path / "README.md"
    before = BLOCKS["diff"].splitlines()[0].removeprefix("-")
    readme.write_text(f"# A tool\n\n{before}\n")
    code, diff, _ = doilinks("fix", "--diff", "README.md", cwd=tmp_path)
    changed = [line for line in diff.splitlines() if re.match(r"[-+][^-+]", line)]
    assert (code, changed) == (1, BLOCKS["diff"].splitlines())
    assert doilinks("fix", "README.md", cwd=tmp_path) == (0, BLOCKS["text"], "")
    assert doilinks("fix", "--check", ".", cwd=tmp_path)[0] == 0


def test_every_rule_is_in_the_table():
    assert [code for code, _, _ in ROWS] == [
        rule.code for rule in RULES if not (rule.asks or rule.house)
    ]


@pytest.mark.parametrize(("code", "before", "after"), ROWS)
def test_a_row_of_the_table(code, before, after):
    before = before.replace("«U+00AD»", "\xad")
    kind, frame = ("bib", "@misc{{a, {}}}") if " = " in before else ("md", "See {}.")
    original = Original(frame.format(before).encode(), kind)
    named = any(rule.named for rule in RULES if rule.code == code)
    mended = mend(original, kind, Options(), chosen([code] * named, [], asks=False))
    assert mended.octets.decode() == frame.format(after)
    assert [change.codes for change in mended.changes] == [(code,)]
