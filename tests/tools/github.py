"""The few endpoints of GitHub's REST API that keep an issue, over TLS on the loopback interface.

https://docs.github.com/rest/issues/issues describes them. The page of a list is two issues long, so
that a reader has to turn pages.
"""

from __future__ import annotations

import json
import re
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import trustme

TOKEN = "a token"
REPOSITORY = (
    "/api/v3/repos/owner/project"  # of GitHub Enterprise Server, as every host but github.com
)
LONGEST = 65_536  # characters of a body
PAGE = 2


class GitHub:
    """What the server keeps.

    :ivar issues: in the order in which they were opened
    :ivar requests: method and path of each one
    :ivar refuses: a method that is answered with 403, as without the permission
    """

    def __init__(self) -> None:
        self.issues: list[dict[str, Any]] = []
        self.requests: list[str] = []
        self.refuses = ""
        self.address = ""
        self.certificate = Path()

    def open(self, **fields: Any) -> dict[str, Any]:
        issue = {
            "number": len(self.issues) + 1, "state": "open", "body": None, "labels": [],
        } | fields  # fmt: skip
        self.issues.append(issue)
        return issue

    def states(self) -> list[str]:
        return [issue["state"] for issue in self.issues]

    def answer(self, method: str, path: str, given: dict[str, Any]) -> tuple[int, Any, str]:
        """The status, the document, and the header ``Link``."""
        url = urlsplit(path)
        self.requests.append(f"{method} {url.path.removeprefix(REPOSITORY)}")
        if method == self.refuses:
            return 403, {"message": "Resource not accessible by integration\n::error::x"}, ""
        if len(given.get("body") or "") > LONGEST:
            return 422, {"message": "body is too long (maximum is 65536 characters)"}, ""
        if (method, url.path) == ("GET", REPOSITORY):
            return 200, {"default_branch": "main"}, ""
        if (method, url.path) == ("GET", f"{REPOSITORY}/issues"):
            return self._list(path, parse_qs(url.query))
        if (method, url.path) == ("POST", f"{REPOSITORY}/issues"):
            labels = [{"name": name} for name in given.pop("labels", ())]
            return 201, self.open(**given, labels=labels), ""
        found = re.fullmatch(f"{REPOSITORY}/issues/([0-9]+)", url.path)
        if method == "PATCH" and found:
            issue = self.issues[int(found[1]) - 1]
            issue.update(given)
            return 200, issue, ""
        return 404, {"message": "Not Found"}, ""

    def _list(self, path: str, query: dict[str, list[str]]) -> tuple[int, Any, str]:
        [state], [label] = query["state"], query["labels"]
        listed = [
            issue
            for issue in self.issues
            if state in ("all", issue["state"])
            and label in (each["name"] for each in issue["labels"])
        ]
        page = int(query.get("page", ["1"])[0])
        rest = listed[page * PAGE :]
        base = re.sub("&page=[0-9]+$", "", path)
        following = f'<{self.address}{base}&page={page + 1}>; rel="next"' if rest else ""
        return 200, listed[(page - 1) * PAGE : page * PAGE], following


@contextmanager
def github(folder: Path) -> Iterator[GitHub]:
    """A server that ends with the block.

    :param folder: where the certificate of its authority is written
    """
    kept = GitHub()

    class Handler(BaseHTTPRequestHandler):
        def handle_one(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            given = json.loads(self.rfile.read(length) or b"{}")
            if self.headers.get("Authorization") != f"token {TOKEN}":
                status, document, following = 401, {"message": "Bad credentials"}, ""
            else:
                status, document, following = kept.answer(self.command, self.path, given)
            body = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            if following:
                self.send_header("Link", following)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PATCH = handle_one  # noqa: N815  names of http.server

        def log_message(self, *_: object) -> None:
            pass

    authority = trustme.CA()
    kept.certificate = folder / "authority.pem"
    authority.cert_pem.write_to_path(str(kept.certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        kept.address = f"https://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield kept
        finally:
            server.shutdown()
            thread.join()
