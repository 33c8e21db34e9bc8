"""500 pages whose publisher answers 403, as publishers do to robots: who finds the wrong DOIs?

Checks one Sphinx project three times: with Sphinx's ``linkcheck`` alone, with ``linkcheck`` when
``doilinks.sphinx`` is enabled, and with the builder ``doicheck``. Of its DOIs three do not exist.
A loopback server stands between the build and the web and plays doi.org and the publisher, to whom
doi.org redirects; ``HandleServer`` plays the Handle API. No request leaves the
machine.

    python benchmarks/linkcheck.py
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from sphinx_build import PAGES, project

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.tools.handle_api import HandleServer

# Without TLS, so that a plain proxy can answer in the name of doi.org.
NAMES = "See http://doi.org/10.1000/182.{page} and http://doi.org/10.1000/456.{page}."
WRONG = ("10.1000/182.130x", "10.1000/182.2700", "10.1000/4S6.410")
PUBLISHER = "http://publisher.example"
CHECKS = {
    "linkcheck alone": ("linkcheck", []),
    "linkcheck with doilinks": ("linkcheck", ["doilinks.sphinx"]),
    "doicheck": ("doicheck", ["doilinks.sphinx"]),
}


class Web(BaseHTTPRequestHandler):
    """An HTTP proxy that answers itself, as doi.org and as the publisher."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        host, _, name = self.path.removeprefix("http://").partition("/")
        self.server.seen[host] += 1
        if host == "doi.org" and name not in self.server.names:
            self._answer(404)
        elif host == "doi.org":
            self._answer(302, Location=f"{PUBLISHER}/article/{name}")
        else:
            self._answer(403)

    do_HEAD = do_GET  # noqa: N815  http.server's name

    def _answer(self, status: int, **fields: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": "0", **fields}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


def run(source: Path, out: Path, builder: str, extensions: list[str], environ) -> dict:
    """Run a check; what it said of how many links, and its exit code."""
    command = [sys.executable, "-m", "sphinx", "-q", "-b", builder, str(source), str(out)]
    if extensions:
        command += ["-D", f"extensions={','.join(extensions)}"]
    if builder == "linkcheck":  # alone; the check would follow every builder
        command += ["-D", "doi_check=off"]
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env=environ, check=False)
    said: Counter[str] = Counter()
    if builder == "linkcheck":
        for line in (out / "output.json").read_text().splitlines():
            link = json.loads(line)
            if link["status"] in ("unchecked", "ignored"):
                continue
            reason = re.search(r"\b[45]\d\d\b", link["info"])
            said[f"{link['status']}{f' ({reason[0]})' if reason else ''}"] += 1
    else:
        said.update(re.findall(r"\[doi\.(\w+)\]", done.stderr))
    return {
        "said": said,
        "exit": done.returncode,
        "seconds": time.perf_counter() - begin,
        "reported": set(re.findall(r"10\.1000/[^\s;)\]]+(?=[\s;)])", _reports(done.stderr))),
        "first": next((line for line in done.stderr.splitlines() if "not_found" in line), ""),
    }


def _reports(messages: str) -> str:
    """The lines about DOIs, without what is proposed in their place and where they redirect to."""
    return re.sub(rf"did you mean .*|{PUBLISHER}\S*", "", messages)


def main() -> None:
    pages = range(0, PAGES, 10)
    good = [f"10.1000/{part}.{page}" for page in pages for part in ("182", "456")]
    web = ThreadingHTTPServer(("127.0.0.1", 0), Web)
    web.names = set(good)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    environ = os.environ | {"http_proxy": f"http://127.0.0.1:{web.server_port}"}
    environ |= {"no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}
    records = dict.fromkeys(good, f"{PUBLISHER}/")
    with tempfile.TemporaryDirectory() as folder, HandleServer(records) as api:
        source = Path(folder, "source")
        project(source, NAMES)
        wrong = "\n\n".join(f"* http://doi.org/{name}" for name in WRONG)
        with (source / "p000.rst").open("a") as page:
            page.write(f"\n{wrong}\n")
        with (source / "conf.py").open("a") as conf:
            conf.write("linkcheck_ignore = ['https://example.org/']\n")
            conf.write(
                f"doi_check = 'error'\ndoi_check_lockfile = ''\ndoi_check_api = {api.api!r}\n"
            )
        print(f"{PAGES} pages, {len(good) + len(WRONG)} DOIs, {len(WRONG)} of them wrong\n")
        print(
            "| check | says | wrong DOIs reported | good DOIs reported "
            "| requests to doi.org, publisher, API | time | exit |"
        )
        print("|---|---|--:|--:|--:|--:|--:|")
        for number, (title, (builder, extensions)) in enumerate(CHECKS.items()):
            web.seen, asked = Counter(), len(api.requests)
            done = run(source, Path(folder, str(number)), builder, extensions, environ)
            said = ", ".join(f"{count} {what}" for what, count in sorted(done["said"].items()))
            requests = web.seen["doi.org"], web.seen["publisher.example"], len(api.requests) - asked
            print(
                f"| {title} | {said} | {len(done['reported'].intersection(WRONG))} "
                f"| {len(done['reported'].intersection(good))} | {', '.join(map(str, requests))} "
                f"| {done['seconds']:.1f} s | {done['exit']} |",
                flush=True,
            )
        print(f"\n{done['first'].replace(str(source), 'docs')}")
    web.shutdown()
    if done["said"] != {"not_found": len(WRONG)} or done["reported"] != set(WRONG):
        sys.exit("wrong: doicheck has not found what is wrong, and only that")


if __name__ == "__main__":
    main()
