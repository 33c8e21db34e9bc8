"""The published schemas of JSON, which each run of a test has to keep to."""

import json
from functools import cache
from pathlib import Path

import jsonschema

import doilinks

_SOURCE = Path(doilinks.__file__).parent
FILES = {
    "check": _SOURCE / "ask" / "names" / "report.schema.json",
    "scan": _SOURCE / "tools" / "cli" / "scan.schema.json",
}


def schema(command):
    return json.loads(FILES[command].read_text(encoding="utf-8"))


@cache
def strict(command):
    """Knows no members but those of the schema."""
    closed = '"additionalProperties": false, "type": "object"'
    whole = json.dumps(schema(command)).replace('"type": "object"', closed)
    return jsonschema.Draft202012Validator(json.loads(whole))


def keep_to_schema(arguments, out):
    """Fail if a command has written JSON that its schema does not describe."""
    if arguments and arguments[0] in FILES and "json" in arguments and out[:1] in ("{", "["):
        document, end = json.JSONDecoder().raw_decode(out)
        if not out[end:].strip():  # one report on standard output, not several
            strict(arguments[0]).validate(document)
