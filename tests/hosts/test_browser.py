"""The request that leaves a reader's browser names exactly that DOI.

Each host makes a page whose links point to a loopback server. Headless Chromium clicks the links;
the path that the server receives, percent-decoded once, is the DOI name, byte for byte.

Clicking takes a minute a host, so that ``make test`` clicks every fourth name with an uncommon character
in one of them, and a few of the real names, others in each.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote_to_bytes

import pytest

from doilinks import DOI

from ..tools import names
from ..tools.hosts import MarkdownIt, MkDocs, Pandoc, Sphinx
from ..tools.programs import LONGEST, tool
from ..tools.proof import sample

CHROMIUM = tool("chromium", "the links are not clicked", "chromium-browser", "google-chrome")

# Every link is clicked; the next one when the server has the request, and none after one that did
# not come. The server answers 204, so that the browser, which has asked for the page, stays where it is.
CLICK_ALL = """async () => {
  const links = [...document.querySelectorAll("a.doi")];
  for (const [at, link] of links.entries()) {
    link.click();
    if (!(await fetch(`/received/${at + 1}`)).ok) break;
  }
  return links.map((link) => link.textContent);
}"""


class Recorder(BaseHTTPRequestHandler):
    """Answers anything and keeps the path as it came, before anybody tidies it."""

    protocol_version = "HTTP/1.1"
    page = b""
    paths: list[str] = []  # noqa: RUF012
    came = threading.Condition()

    def do_GET(self):
        path = self.requestline.split(" ")[1]
        if path == "/page.html":
            self._answer(200, self.page)
        elif path == "/favicon.ico":
            self._answer(204, b"")
        elif path.startswith("/received/"):
            with self.came:
                wanted = int(path.split("/")[2])
                came = self.came.wait_for(lambda: len(self.paths) >= wanted, LONGEST)
            self._answer(200 if came else 504, b"")
        else:
            with self.came:
                self.paths.append(path)
                self.came.notify_all()
            self._answer(204, b"")

    def _answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Recorder) as http:
        thread = threading.Thread(target=http.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{http.server_address[1]}/"
        http.shutdown()


@pytest.fixture(scope="module")
def tab():
    """One for all pages: the process that shows a page takes as long to start as some clicks."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
                  "--disable-component-update", "--disable-sync"],
        )  # fmt: skip
        page = chromium.new_page()
        page.set_default_timeout(1000 * LONGEST)
        yield page
        chromium.close()


def _clicked(tab, server, page_html: str) -> tuple[list[str], list[bytes]]:
    """The texts of the links on a page, and the names that the server was asked for."""
    Recorder.page = page_html.encode()
    tab.goto(f"{server}page.html")
    Recorder.paths.clear()  # style sheets and the like
    texts = tab.evaluate(CLICK_ALL)
    return texts, [unquote_to_bytes(path.removeprefix("/")) for path in Recorder.paths]


def _sphinx(chosen: list[str]) -> str:
    # A reST role is no place for a backslash or a backquote; both are encoded in a URI.
    rows = "".join(f"* :doi:`{DOI(name).uri}`\n" for name in chosen)
    return f"Names\n=====\n\n{rows}"


def _angle(chosen: list[str]) -> str:
    """A Markdown list in which each name says where it ends."""
    return "".join(f"- <{DOI(name).uri}>\n" for name in chosen)


HOSTS = {
    "sphinx": (Sphinx(conf="html_theme = 'basic'"), _sphinx),
    "mkdocs": (MkDocs({"strict": True}), _angle),
    "pandoc": (Pandoc(), _angle),
    "markdown_it": (MarkdownIt(), _angle),
}


@pytest.mark.parametrize("host", HOSTS)
def test_every_click_asks_for_exactly_that_name(host, tab, server):
    turn = list(HOSTS).index(host)
    chosen = [
        *sample("odd names clicked", host, names.WEIRD, one_in=4 * len(HOSTS), turn=4 * turn),
        *names.LONG,
        *sample("real names clicked", host, names.real_names(), one_in=800, turn=200 * turn),
    ]
    asked = list(dict.fromkeys(chosen))  # Chromium may ignore a second click with the same target
    run, text_of = HOSTS[host]
    made = run({"index": text_of(asked)}, {"proxy": server})
    assert (made.code, made.log) == (0, "")
    texts, received = _clicked(tab, server, f"<!DOCTYPE html>{made.pages['index']}")
    assert texts == [DOI(name).uri for name in asked]
    wrong = [(a, r) for a, r in zip(asked, received, strict=False) if a.encode() != r]
    assert wrong == []
    assert len(received) == len(asked)
