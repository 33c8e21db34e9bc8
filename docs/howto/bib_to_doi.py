"""Replaces the keys of a .bib file by DOI names, as docs/howto/migrate.md says."""

import re
from pathlib import Path

from pybtex.database import parse_file

from doilinks import DOI, InvalidDOI

FOLDERS = ["docs", "src"]  # of your pages, and of docstrings
KINDS = {".rst", ".md", ".ipynb", ".py"}
KEY = re.compile(r"(?<![\w{])@([\w:.+/-]*\w)")
ROLE = re.compile(r"(?<!\w)([:{])(foot)?cite(:\w+)?([:}])`([^`]+)`")
WORK = re.compile(r"(?:\{([^{}]+)\})?\s*([^{}\s,]+)\s*(?:\{([^{}]+)\})?\s*(?:,|$)")
ROLES = {None: "p", ":p": "p", ":ps": "p", ":alp": "p", ":alps": "p", ":yearpar": "p"}
ROLES |= {":t": "t", ":ts": "t", ":ct": "t", ":cts": "t"}

names, kept = {}, set()
for file in Path().rglob("*.bib"):
    for key, entry in parse_file(file).entries.items():
        try:
            names[key] = DOI.parse(entry.fields["doi"]).uri
        except (KeyError, InvalidDOI):
            kept.add(key)
            print(file, key, "has no DOI")


def role(found):
    begin, _, kind, end, text = found.groups()
    works = WORK.findall(text)
    if kind not in ROLES or any(key not in names.keys() | kept for _, key, _ in works):
        print(page, found[0])
        return found[0]
    hyphen = "-" if kind == ":yearpar" else ""
    texts = [
        f"{before} {hyphen}{names.get(key, key)}".strip() + (f", {after}" if after else "")
        for before, key, after in works
    ]
    return f"{begin}doi:cite:{ROLES[kind]}{end}`{'; '.join(texts)}`"


for page in (each for folder in FOLDERS for each in Path(folder).rglob("*")):
    if page.suffix not in KINDS:
        continue
    text = page.read_text(encoding="utf-8")
    text = ROLE.sub(role, text)
    if page.suffix == ".md":
        text = KEY.sub(lambda at: f"@{{{names[at[1]]}}}" if at[1] in names else at[0], text)
    page.write_text(text, encoding="utf-8")
