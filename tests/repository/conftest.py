"""What tests of the action and of its issue have in common."""

import pytest

from ..tools.handle_api import HandleServer


@pytest.fixture
def checked_out(tmp_path):
    once = {"url": "https://example.org/", "fault": "not-found", "times": 1}
    records = {"10.1000/182": "https://www.doi.org/hb.html", "10.1000/once": once}
    with HandleServer(records) as server:
        (tmp_path / "pyproject.toml").write_text(f'[tool.doilinks]\ncheck_api = "{server.api}"\n')
        (tmp_path / "a b.md").write_text("See doi:10.1000/182.\n")
        (tmp_path / "docs").mkdir()
        (tmp_path / "docs" / "c.md").write_text("See doi:10.1000/182x.\n")
        yield tmp_path
