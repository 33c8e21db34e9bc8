"""``doilinks show``: one DOI name in all its forms, and what is doubtful about it."""

from __future__ import annotations

from typing import Any

import click

from ..core.doi import InvalidDOI, parse_parts, tail_form
from ..core.options import Options
from ..core.printable import public
from ..core.remarks import remarks
from ..streams import say
from .options import option_flags, settings_from
from .terminal import warn


@click.command(
    short_help="Show DOI names in all their forms.",
    epilog="\b\nExamples:\n  doilinks show 10.1000/182\n"
    "  doilinks show 'https://doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0'",
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@option_flags("proxy", "check_api")
def show(names: tuple[str, ...], form: str, **flags: object) -> int:
    """Show each NAME as name, URI, URL, URN and API address, and remark on doubtful characters.

    A NAME is a DOI name in any form: bare, doi:, urn:doi:, info:doi/ or a URL of doi.org.
    """
    options, _ = settings_from(flags)
    shown = []
    code = 0
    for text in names:
        try:
            shown.append(_describe(text, options))
        except InvalidDOI as error:
            warn(str(error))
            code = 2
    if form == "json":
        import json  # rarely needed

        say(json.dumps(shown, indent=2))
        return code
    for at, each in enumerate(shown):
        if at:
            say()
        for key in ("name", "uri", "url", "urn", "api"):
            say(f"{key:<5} {each[key]}")
        for remark in each["remarks"]:
            say(f"remark: {remark['message']} [{remark['code']}]")
    return code


def _describe(text: str, options: Options) -> dict[str, Any]:
    doi, tail = parse_parts(text)
    return {
        "name": doi.name,
        "uri": doi.uri,
        "legible": doi.legible,
        "url": doi.url_at(options.proxy) + tail_form(tail),
        "urn": doi.urn,
        "api": doi.api_at(public(options.check_api)),
        "remarks": [remark._asdict() for remark in remarks(doi, text, tail=tail)],
    }
