"""What tests of the action and of its issue have in common."""

import pytest

from ..tools.handle_api import HandleServer
from ..tools.projects import configure, write


@pytest.fixture
def checked_out(tmp_path):
    once = {"url": "https://example.org/", "fault": "not-found", "times": 1}
    records = {"10.1000/182": "https://www.doi.org/hb.html", "10.1000/once": once}
    with HandleServer(records) as server:
        configure(tmp_path, check_api=server.api)
        write(
            tmp_path, {"a b.md": "See doi:10.1000/182.\n", "docs/c.md": "See doi:10.1000/182x.\n"}
        )
        yield tmp_path
