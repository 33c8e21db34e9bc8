"""Run the test server: ``python -m tests.tools.handle_api records.json --port 8000``."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from typing import Final

from doilinks.shared.program import first_interrupt
from doilinks.shared.streams import say, tell

from . import FAULTS, HandleServer

_NAME: Final = "handle_api"
_LONG: Final = 3600


def main() -> int:
    """Serve until interrupted; print the address of the API first."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.handle_api",
        description="A Handle API on the loopback interface, for tests. GET / tells the counts.",
        epilog="Faults:\n" + "\n".join(f"  {name}: {words}" for name, words in FAULTS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("records", help="JSON file: name → entry")
    parser.add_argument("--port", type=int, default=0, help="port (default: a free one)")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before every answer")
    parser.add_argument("--tls", action="store_true", help="https, with HTTP/2; needs trustme")
    given = parser.parse_args()
    with first_interrupt(signal.SIGINT, signal.SIGTERM):
        return _serve(given)


def _serve(given: argparse.Namespace) -> int:
    try:
        with HandleServer(
            given.records, port=given.port, latency=given.latency, tls=given.tls
        ) as server:
            say(server.api, flush=True)
            if given.tls:
                say(f"SSL_CERT_FILE={server.authority}", flush=True)
            say(f"check_works_api: {server.works_api}", flush=True)
            while True:
                time.sleep(_LONG)
    except KeyboardInterrupt:
        return 0
    except (OSError, OverflowError, ValueError) as error:  # overflow: no port has such a number
        tell(_NAME, str(error))
    return 2


if __name__ == "__main__":
    sys.exit(main())
