"""The rows of tests that stand in a file of YAML beside them."""

from pathlib import Path
from typing import Any

import yaml


def tables(test: str) -> dict[str, Any]:
    """The tables of a file of tests, by the test that takes each: ``test_doi.py`` has ``doi.yaml``."""
    file = Path(test).with_name(Path(test).stem.removeprefix("test_") + ".yaml")
    return yaml.safe_load(file.read_text(encoding="utf-8"))
