"""Whatever a server, a proxy or a library does: unknown, with a phrase of ours, and nothing is lost."""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import random
import re
import socket
import subprocess
import sys

import httpx
import pytest

from doilinks.ask.net.transport import Transport
from doilinks.check import render

from ..tools.checks import URL, outcomes, run, said
from ..tools.handle_api import HandleServer
from ..tools.programs import LONGEST
from ..tools.proof import number
from ..tools.raw_server import DATA, END_STREAM, HEADERS, SETTINGS, frame, headers, raw_server

GOOD = "10.1000/good"
PASSWORD = "s3cret"
LOST = "the connection was lost"


@pytest.fixture(autouse=True)
def _no_host_but_this_one(monkeypatch):
    """No other host has an address here, so that nobody asks a name server for an invented one."""
    getaddrinfo = socket.getaddrinfo

    def own(host, *arguments, **settings):
        name = host.decode() if isinstance(host, bytes) else host
        if name not in ("localhost", "127.0.0.1", "::1"):
            raise socket.gaierror(socket.EAI_NONAME, "no such host")
        return getaddrinfo(host, *arguments, **settings)

    monkeypatch.setattr(socket, "getaddrinfo", own)


class TestFrames:
    def test_settings_where_none_may_stand(self, tmp_path, monkeypatch):
        """After the head of an answer, where httpcore passes on what h2 raises.

        The connection is not used again: the third answer is heard.
        """
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
        record = json.dumps({"responseCode": 1, "handle": GOOD}).encode()
        begun, broken = frame(SETTINGS, 0, 0) + headers(), frame(SETTINGS, 0, 3)
        answers = iter([broken, broken, frame(DATA, END_STREAM, 1, record)])
        with raw_server(lambda: [begun, next(answers)], tmp_path) as port:
            for retries, outcome in ((0, "unknown"), (1, "found")):
                api = f"https://localhost:{port}/"
                report = run(api, tmp_path, GOOD, check_retries=retries)
                assert outcomes(report) == {GOOD: outcome}
                assert (report.exit_code, report.fault) == (0, None)
                words = f"guide.md:1:5: could not check: doi:{GOOD} ({LOST}) [doi-unknown]"
                assert said(report) == [words] * (not retries)

    def test_random_frames(self, tmp_path, monkeypatch):
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
        turns = itertools.count()
        often = number("frames made by chance", "each", 300, one_in=6)
        with raw_server(lambda: _frames(random.Random(next(turns))), tmp_path) as port:

            async def ask():
                async with Transport("tests", 2) as transport:
                    return await transport.get(httpx.URL(f"https://localhost:{port}/"), 2)

            async def ask_often():
                return [await ask() for _ in range(often)]

            replies = asyncio.run(ask_often())
        assert next(turns) == often
        troubles = {reply.trouble for reply in replies}
        assert LOST in troubles
        assert all(trouble.isprintable() for trouble in troubles)
        assert all(bool(reply.trouble) or reply.status for reply in replies)


def _frames(chance):
    """What a server might say that has lost its mind: frames of all kinds, whole and cut."""
    pieces = [frame(SETTINGS, 0, 0) + headers(status=chance.choice(["200", "404", "2x", ""]))]
    for _ in range(chance.randrange(1, 4)):
        kind = chance.choice([DATA, HEADERS, SETTINGS, chance.randrange(256)])
        payload = chance.randbytes(chance.choice([0, 1, 4, 6, 8, 40]))
        made = frame(kind, chance.randrange(256), chance.choice([0, 1, 1, 2, 3, 2**31]), payload)
        pieces.append(made[: chance.choice([len(made), len(made), chance.randrange(len(made))])])
    return pieces


PROXIES = [
    f"http://user:{PASSWORD}@127.0.0.1:bad", f"http://user:{PASSWORD}\t@127.0.0.1:1",
    f"http://user:{PASSWORD}@[::1", f"http://user:{PASSWORD}@127.0.0.1:99999",
    f"ftp://user:{PASSWORD}@127.0.0.1:1", f"http://{PASSWORD}@xn--/",
]  # fmt: skip
# Programs differ in where the host of these begins.
AMBIGUOUS = [
    f"http://user:1#{PASSWORD}@127.0.0.1:1", f"http://user:1?{PASSWORD}@127.0.0.1:1",
    f"http://user:1/{PASSWORD}@127.0.0.1:1", f"http://user:{PASSWORD}/{PASSWORD}@127.0.0.1:1",
    f"http://user:{PASSWORD}@{PASSWORD}@127.0.0.1:1", f"user:{PASSWORD}@{PASSWORD}@127.0.0.1:1",
    f"http://127.0.0.1:1/#{PASSWORD}",
]  # fmt: skip


class TestEnvironment:
    @pytest.mark.parametrize("address", PROXIES)
    @pytest.mark.parametrize("name", ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"])
    def test_a_proxy_that_is_none(self, name, address, tmp_path, monkeypatch):
        monkeypatch.setenv(name, address)
        report = run("https://localhost:1/", tmp_path, GOOD)
        words = f"could not check: doi:{GOOD} ({name} is not the address of a proxy)"
        assert said(report) == [f"guide.md:1:5: {words} [doi-unknown]"]
        assert (report.exit_code, report.requests) == (0, 0)

    @pytest.mark.parametrize("address", AMBIGUOUS)
    @pytest.mark.parametrize("name", ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"])
    def test_a_proxy_of_which_the_host_is_doubtful(self, name, address, tmp_path, monkeypatch):
        monkeypatch.setenv(name, address)
        (words,) = said(report := run("http://localhost:1/", tmp_path, GOOD))
        assert f"({name} is not plainly the address of a proxy; in its user name and" in words
        assert "password, write # ? / @ as %23 %3F %2F %40) [doi-unknown]" in words
        assert PASSWORD not in render(report, "json")
        assert (report.exit_code, report.requests) == (0, 0)

    @pytest.mark.parametrize("scheme", ["http", "https"])
    @pytest.mark.parametrize("name", ["{}_PROXY", "ALL_PROXY"])
    @pytest.mark.parametrize(
        ("address", "reason"),
        [
            (f"http://user:{PASSWORD}@127.0.0.1:1", "127.0.0.1:1: connection refused"),
            ("proxy.invalid:8080", "proxy.invalid:8080: host name not found"),
        ],
    )
    def test_a_proxy_that_is_not_reached_is_named(
        self, scheme, name, address, reason, tmp_path, monkeypatch
    ):
        name = name.format(scheme.upper())
        monkeypatch.setenv(name, address)
        (words,) = said(run(f"{scheme}://handles.invalid/api/", tmp_path, GOOD, check_retries=0))
        assert f"(the proxy of {name}, {reason})" in words
        monkeypatch.setenv("NO_PROXY", "handles.invalid")
        (words,) = said(run(f"{scheme}://handles.invalid/api/", tmp_path, GOOD, check_retries=0))
        assert "proxy" not in words

    def test_a_password_that_is_encoded(self, tmp_path, monkeypatch):
        with HandleServer({GOOD: URL}) as proxy:
            monkeypatch.setenv("HTTP_PROXY", f"http://user:p%40ss%23w@127.0.0.1:{proxy.port}/")
            report = run("http://handles.invalid/api/handles/", tmp_path, GOOD)
            assert proxy.requests[0].path == f"http://handles.invalid/api/handles/{GOOD}"
        assert outcomes(report) == {GOOD: "found"}

    def test_a_proxy_that_needs_another_package(self, tmp_path, monkeypatch):
        monkeypatch.setenv("ALL_PROXY", f"socks5://user:{PASSWORD}@127.0.0.1:1")
        (words,) = said(run("https://localhost:1/", tmp_path, GOOD))
        assert "pip install httpx[socks]" in words
        assert PASSWORD not in words

    def test_no_proxy_is_used_at_all(self, handle_api, tmp_path, monkeypatch):
        handle_api.set(GOOD, URL)
        monkeypatch.setenv("HTTPS_PROXY", PROXIES[0])
        monkeypatch.setenv("NO_PROXY", "localhost, *")
        assert outcomes(run(handle_api, tmp_path, GOOD)) == {GOOD: "found"}

    def test_no_proxy_that_is_no_host(self, tmp_path, monkeypatch):
        monkeypatch.setenv("NO_PROXY", "[::1")
        (words,) = said(run("https://localhost:1/", tmp_path, GOOD))
        assert "(NO_PROXY has an entry that is not the address of a host)" in words

    @pytest.mark.parametrize(
        ("name", "why"),
        [("gone", "cannot read {}: No such file or directory"), ("empty", "no certificate in {}")],
    )
    def test_certificates_that_are_not_there(self, name, why, tmp_path, monkeypatch):
        (tmp_path / "empty").write_text("")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / name))
        (words,) = said(run("https://localhost:1/", tmp_path, GOOD, "10.1000/b"))
        why = f"SSL_CERT_FILE: {why.format(tmp_path / name)}"
        assert words == f"could not check: 2 DOIs (https://localhost:1/: {why}) [doi-unknown]"

    def test_an_address_that_is_nearly_one(self, tmp_path):
        (words,) = said(run("http://xn--/", tmp_path, GOOD))
        assert "(check_api is not an address that can be asked)" in words


class TestFault:
    """What nobody foresaw, in the middle of asking."""

    NAMES = tuple(f"10.1000/n{number}" for number in range(30))

    @pytest.fixture
    def faulty(self, handle_api, monkeypatch):
        """The eleventh answer is read by something that fails."""
        from doilinks.ask.names.api import read_record

        handle_api.set("*", URL)
        read = itertools.count(1)

        def fail(*arguments):
            if next(read) > 10:
                raise LookupError(f"http://user:{PASSWORD}@proxy/")
            return read_record(*arguments)

        monkeypatch.setattr("doilinks.ask.names.api.read_record", fail)
        return handle_api

    @pytest.mark.parametrize(("check", "severity"), [("error", "error"), ("warn", "warning")])
    def test_what_was_learnt_is_kept_and_said(self, check, severity, faulty, tmp_path):
        settings = {"check": check, "check_concurrency": 1}
        report = run(faulty, tmp_path, "10.1000/n0", *self.NAMES, **settings)
        (problem,) = report.problems
        assert problem.code == "doi-fault"
        assert problem.severity == severity
        assert problem.message.startswith(
            "the check ended early by a fault of doilinks: LookupError in tests.check.test_trouble:"
        )
        assert PASSWORD not in render(report, "json")
        assert isinstance(report.fault, ExceptionGroup)
        assert report.exit_code == 4
        words = "30 DOIs: 10 found, 20 could not be checked"
        assert report.summary == f"{words}; a fault of doilinks ended the check early"
        assert (tmp_path / "doi-lock.json").read_text().count("{}") == 10

    def test_also_of_several_at_once(self, faulty, tmp_path, caplog):
        report = run(faulty, tmp_path, *self.NAMES)
        assert (report.exit_code, len(report.problems)) == (4, 1)
        del report
        gc.collect()  # when asyncio says what it has heard of questions that nobody waits for
        assert caplog.text == ""

    def test_it_is_not_remembered(self, faulty, tmp_path):
        from doilinks.check import Memory

        memory = Memory()
        run(faulty, tmp_path, *self.NAMES, memory=memory, check_concurrency=1)
        assert memory.known == {}

    def test_an_error_of_the_callback_loses_nothing(self, handle_api, tmp_path):
        """It is the caller's, and leaves the check; what was learnt is in the lock file."""
        handle_api.set("*", URL)

        def progress(done, *_):
            if done == 10:
                raise ValueError("no terminal")

        with pytest.raises(ValueError, match="no terminal"):
            run(handle_api, tmp_path, *self.NAMES, progress=progress)
        assert (tmp_path / "doi-lock.json").read_text().count("{}") == 10

    @pytest.mark.parametrize("lost", ["AsyncClient", "Proxy", "Response.aiter_raw"])
    def test_a_library_without_what_is_called_is_a_fault(
        self, lost, handle_api, tmp_path, monkeypatch
    ):
        """As with the next major version of httpx: nobody takes it for an answer."""
        handle_api.set(GOOD, URL)
        if lost == "Proxy":
            monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
        monkeypatch.delattr(f"httpx.{lost}")
        report = run(handle_api, tmp_path, GOOD, check="warn")
        assert report.exit_code == 4
        [told] = said(report)
        words = r"the check ended early by a fault of doilinks: AttributeError in \S+:\d+"
        assert re.fullmatch(rf"{words}; please report it \[doi-fault\]", told)

    def test_a_package_that_is_missing_is_named(self):
        program = "import sys; sys.modules['httpx'] = None; import doilinks.check"
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=False
        )
        words = 'the check needs the package httpx: pip install "doilinks[check]"'
        assert done.stderr.endswith(f"ModuleNotFoundError: {words}\n")

    def test_no_files_left(self, tmp_path):
        """Not even for the event loop."""
        done = subprocess.run(
            [sys.executable, "-c", NO_FILES], capture_output=True, text=True, check=True
        )
        words = rf"could not check: doi:{GOOD} \(cannot set up the connection: OSError in \S+:\d+\)"
        assert re.fullmatch(rf"{words} \[doi-unknown\] 0\n", done.stdout)


NO_FILES = f"""
import resource
from doilinks import DOI, Found
from doilinks.check import check
from doilinks.core.options import Options
import doilinks.ask.names.api
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
report = check([Found(DOI("{GOOD}"))], Options(check_lockfile=""))
print(*report.problems, report.exit_code)
"""


LOGGING = """\
import logging, sys
from pathlib import Path
logging.basicConfig(level=logging.DEBUG)
import httpx
from doilinks import DOI, Found
from doilinks.check import check
from doilinks.core.options import Options
options = Options(check="error", check_api=sys.argv[1])
print(check([Found(DOI("10.1000/good"))], options, root=Path.cwd()).summary)
print("libraries:", file=sys.stderr)
httpx.get(sys.argv[1] + "10.1000/good")
"""


def test_libraries_do_not_log_our_requests_into_the_host(tmp_path):
    """With logging in a host set up as anybody does; the host's own use of httpx is logged."""
    with HandleServer() as server:
        server.set(GOOD, URL)
        done = subprocess.run(
            [sys.executable, "-c", LOGGING, server.api],
            cwd=tmp_path, capture_output=True, text=True, check=True, timeout=LONGEST,
        )  # fmt: skip
    assert done.stdout == "1 DOI: 1 found\n"
    ours, theirs = done.stderr.split("libraries:\n")
    assert [line for line in ours.splitlines() if "asyncio" not in line] == []
    assert "INFO:httpx:HTTP Request: GET" in theirs
    assert "DEBUG:httpcore." in theirs
