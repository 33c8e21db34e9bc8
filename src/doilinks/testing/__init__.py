"""A Handle API of your own, for tests that check DOIs without the network.

:class:`HandleServer` is a real server on the loopback interface that answers from a mapping or a
JSON file of records, and can be told to misbehave in the ways that servers do::

    from doilinks.testing import HandleServer

    records = {
        "10.1000/182": "https://www.doi.org/hb.html",   # found
        "10.1000/empty": None,                          # no values
        "10/cr3qwn": {"alias": "10.1000/182"},          # stands for another one
        "10.1000/busy": {"url": "https://example.org/", "fault": "too-many", "times": 2},
    }                                                   # any other name is not found
    with HandleServer(records) as server:
        ...  # check_api=server.api; server.requests, server.count("10.1000/182")

With pytest, ``pytest_plugins = ["doilinks.testing"]`` in ``conftest.py`` gives the fixture
``handle_api``, a server without records::

    def test_docs(handle_api):
        handle_api.set("10.1000/182", "https://www.doi.org/hb.html")

From a shell or another language: ``python -m doilinks.testing records.json --port 8000``. The
faults are listed in :data:`FAULTS`. Needs nothing but Python for HTTP/1.1; ``tls=True`` serves
HTTP/2 too and needs ``trustme`` and ``h2``.
"""

from contextlib import suppress

from .replies import FAULTS
from .server import HandleServer, Request

with suppress(ImportError):  # pytest is not installed
    from .server import handle_api  # noqa: F401  pytest looks for it here

__all__ = ["FAULTS", "HandleServer", "Request"]
