"""A Handle API on the loopback interface, for tests, examples and measurements.

:class:`HandleServer` is a real server that answers from a mapping or a JSON file of records, and
can be told to misbehave in the ways that servers do::

    records = {
        "10.1000/182": "https://www.doi.org/hb.html",   # found
        "10.1000/empty": None,                          # no values
        "10/cr3qwn": {"alias": "10.1000/182"},          # stands for another one
        "10.1000/busy": {"url": "https://example.org/", "fault": "too-many", "times": 2},
    }                                                   # any other name is not found
    with HandleServer(records) as server:
        ...  # check_api=server.api; server.requests, server.count("10.1000/182")

Every test can have one without records: the fixture ``handle_api``. From a shell, in the folder of
the repository: ``python -m tests.tools.handle_api records.json --port 8000``. ``tls=True`` serves
HTTP/2 too.
"""

from .replies import FAULTS
from .server import HandleServer, Request

__all__ = ["FAULTS", "HandleServer", "Request"]
