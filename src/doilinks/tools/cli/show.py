"""``doilinks show``: one DOI name in all its forms, with remarks, and its work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ...core.doi import InvalidDOI, parse_parts, tail_form
from ...core.options import Options
from ...core.printable import public
from ...core.remarks import remarks
from ...shared.project import lockfile_of
from ...shared.streams import say
from .options import option_flags, settings_from
from .terminal import warn

if TYPE_CHECKING:
    from ...lock.lockfile import Lockfile

# The members of a work, with words of at most five letters as the other lines.
_WORK: Final = {
    "title": "title", "names": "by", "year": "year", "container": "in", "agency": "from",
    "became": "state",
}  # fmt: skip


@click.command(
    short_help="Show DOI names in all their forms.",
    epilog="\b\nExamples:\n  doilinks show 10.1000/182\n"
    "  doilinks show 'https://doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0'",
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text",
    help="Format of what is shown.  [default: text]",
)  # fmt: skip
@option_flags("proxy", "check_api", "check_lockfile")
def show(names: tuple[str, ...], form: str, **flags: object) -> int:
    """Show each NAME as name, URI, URL, URN and API address, and remark on doubtful characters.

    The legible text is shown if it is not the URI, and the work that the name is registered for if
    the lock file has it.

    A NAME is a DOI name in any form: bare, doi:, urn:doi:, info:doi/ or a URL of doi.org.
    """
    options, root = settings_from(flags)
    lockfile = _lockfile(options, root)
    descriptions = []
    code = 0
    for text in names:
        try:
            descriptions.append(_describe(text, options, lockfile))
        except InvalidDOI as error:
            warn(str(error))
            code = 2
    if form == "json":
        import json  # rarely needed

        say(json.dumps(descriptions, indent=2))
        return code
    for at, each in enumerate(descriptions):
        if at:
            say()
        lines = [(key, each[key]) for key in ("name", "uri", "legible", "url", "urn", "api")]
        lines = [line for line in lines if line != ("legible", each["uri"])]
        for key, word in _WORK.items():
            if value := each.get("work", {}).get(key):
                lines.append((word, ", ".join(value) if isinstance(value, list) else str(value)))
        width = max(5, *(len(key) for key, _ in lines))
        for key, value in lines:
            say(f"{key:<{width}} {value}")
        for remark in each["remarks"]:
            say(f"remark: {remark['message']} [{remark['code']}]")
    return code


def _lockfile(options: Options, root: Path) -> Lockfile | None:
    """Open the lock file; None if there is none."""
    file = lockfile_of(options, root)
    if file is None or not file.exists():
        return None
    from ...lock.entries import InvalidLockfile
    from ...lock.lockfile import Lockfile

    try:
        return Lockfile.of(options, root)
    except InvalidLockfile as error:
        raise click.ClickException(str(error)) from error


def _describe(text: str, options: Options, lockfile: Lockfile | None) -> dict[str, Any]:
    doi, tail = parse_parts(text)
    about = {
        "name": doi.name,
        "uri": doi.uri,
        "legible": doi.legible,
        "url": doi.url_at(options.proxy) + tail_form(tail),
        "urn": doi.urn,
        "api": doi.api_at(public(options.check_api)),
        "remarks": [remark._asdict() for remark in remarks(doi, text, tail=tail)],
    }
    work = lockfile.work(doi) if lockfile else None
    if lockfile is None or work is None:
        return about
    from ...ask.names.problems import work_details
    from ...ask.works.problems import became_in_words

    agency = lockfile.agencies.get(doi.prefix)
    became = became_in_words(work) or None
    return {**about, "work": {**work_details(work), "agency": agency, "became": became}}
