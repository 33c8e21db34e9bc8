"""Replaces the keys of a .bib file by DOI names, as docs/howto/migrate.md says."""

import re
from pathlib import Path

from pybtex.database import parse_file

from doilinks import DOI, InvalidDOI

FOLDERS = ["docs", "src"]  # of your pages, and of docstrings
KINDS = {".rst", ".md", ".ipynb", ".py"}
BUILT = {"_build", "build", "dist", "node_modules", "site", "venv"}  # and hidden folders
KEY = re.compile(r"(?<![\w{])@([\w:.+/-]*\w)")
ROLE = re.compile(r"(?<!\w)([:{])(foot)?cite(:\w+)?([:}])`([^`]+)`")
WORK = re.compile(r"(?:\{([^{}]+)\})?\s*([^{}\s,]+)\s*(?:\{([^{}]+)\})?\s*(?:,|$)")
ROLES = {None: "p", ":p": "p", ":ps": "p", ":yearpar": "p"}
ROLES |= {":t": "t", ":ts": "t", ":ct": "t", ":cts": "t"}
BARE = {":alp", ":alps"}  # without brackets

names, people, kept, found_in = {}, {}, set(), {}


def files(folder, kinds):
    for path in sorted(Path(folder).rglob("*")):
        is_built = any(part[0] == "." or part in BUILT for part in path.parts[:-1] if part != "..")
        if path.suffix in kinds and path.is_file() and not is_built:
            yield path


def label(entry):
    """Return the people and year of an entry: Paskin, 2000."""
    every = entry.persons.get("author") or entry.persons.get("editor") or []
    last = [" ".join(map(str, each.rich_last_names)) for each in every]
    shown = f"{last[0]} et al." if len(last) > 2 else " and ".join(last)
    return ", ".join(filter(None, [shown, entry.fields.get("year", "")])) or "?"


# A file that the configuration names counts, before a copy of it that is not in use.
configured = " ".join(
    path.read_text(encoding="utf-8")
    for path in files(".", {".py", ".yml", ".toml"})
    if path.name in ("conf.py", "mkdocs.yml", "_config.yml", "zensical.toml")
)
in_use = re.compile(r"[\w./-]+\.bib\b").findall(configured)


def rank(file):
    used = any(f"/{file.as_posix()}".endswith("/" + each.lstrip("./")) for each in in_use)
    return not used, len(file.parts), str(file)


for file in sorted(files(".", {".bib"}), key=rank):
    copies = {}
    for key, entry in parse_file(file).entries.items():
        if key in found_in:
            copies.setdefault(found_in[key], []).append(key)
            continue
        found_in[key] = file
        people[key] = label(entry)
        try:
            names[key] = DOI.parse(entry.fields["doi"]).uri
        except (KeyError, InvalidDOI):
            kept.add(key)
            print(f"{file}: {key} has no DOI")
    for first, keys in copies.items():
        print(f"{file}: {len(keys)} keys are in {first} too, which counts")


def bare(begin, end, works):
    """Return links without brackets; None if a work has no DOI."""
    if any(key not in names for _, key, _ in works):
        return None
    texts = [
        f"{before} {begin}doi{end}`{people[key]} <{names[key]}>`".strip()
        + (f", {after}" if after else "")
        for before, key, after in works
    ]
    return "; ".join(texts)


def role(found):
    begin, _, kind, end, text = found.groups()
    works = WORK.findall(text)
    if kind in BARE and (links := bare(begin, end, works)):
        return links
    if kind not in ROLES or any(key not in names.keys() | kept for _, key, _ in works):
        print(f"{page}: {found[0]} stays")
        return found[0]
    hyphen = "-" if kind == ":yearpar" else ""
    texts = [
        f"{before} {hyphen}{names.get(key, key)}".strip() + (f", {after}" if after else "")
        for before, key, after in works
    ]
    return f"{begin}doi:cite:{ROLES[kind]}{end}`{'; '.join(texts)}`"


changed = {page for folder in FOLDERS for page in files(folder, KINDS)}
for page in sorted(changed):
    text = page.read_text(encoding="utf-8")
    new = ROLE.sub(role, text)
    if page.suffix == ".md":
        new = KEY.sub(lambda at: f"@{{{names[at[1]]}}}" if at[1] in names else at[0], new)
    if new != text:
        page.write_text(new, encoding="utf-8")

for page in files(".", KINDS):
    if page not in changed:
        text = page.read_text(encoding="utf-8")
        keys = [key for found in ROLE.finditer(text) for _, key, _ in WORK.findall(found[5])]
        if count := sum(key in found_in for key in keys):
            print(f"{page}: {count} works stay cited by key, because it is not below FOLDERS")
