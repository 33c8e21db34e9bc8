"""No connection but to loopback, in the process that imports this: a Python looks for this name when it starts.

Whatever is refused is also written down, since a program may take the refusal for a network that is
down and go on.
"""

import os
import sys

REFUSED = "DOILINKS_TESTS_REFUSED"  # the variable that names the file to write to

_HOST = {  # which argument of an audit event has the host, or the address with it
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
}


def _refuse(event, arguments):
    at = _HOST.get(event)
    if at is None:
        return
    address = arguments[at]
    host = address[0] if isinstance(address, tuple) and address else address
    # A str is the path of a socket in the file system, unless it is looked up.
    if host is None or (event == "socket.connect" and host is address):
        return
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if name in ("", "localhost", "::1") or name.startswith("127."):
        return
    if name.endswith(".invalid"):  # a name that nobody can have [RFC 6761 §6.4]
        return
    test = os.environ.get("PYTEST_CURRENT_TEST", "no test")
    said = f"{event} to {name!r} by {' '.join(sys.orig_argv)[:200]!r} in {test}"
    if file := os.environ.get(REFUSED):
        with open(file, "a", encoding="utf-8") as refused:  # noqa: PTH123  quick to start
            refused.write(said + "\n")
    raise RuntimeError(f"a test may reach loopback alone: {said}")


sys.addaudithook(_refuse)
