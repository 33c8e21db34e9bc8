"""Each fault of the API, over the wire: the right outcome, in time, without a stack trace."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta

import httpx
import pytest
import trustme

from doilinks import DOI
from doilinks.ask.net.transport import Transport, certificates
from doilinks.check import Interrupted, Outcome, check, render
from doilinks.core.options import Options

from ..tools.checks import URL, Clock, out_of_patience, outcomes, places, run, said
from ..tools.handle_api import FAULTS, HandleServer
from ..tools.programs import LONGEST, taken_port
from ..tools.raw_server import raw_server
from ..tools.tables import tables

TABLES = tables(__file__)

GOOD = "10.1000/good"

FAULTY = TABLES["faulty"]


def test_the_table_has_every_fault():
    assert FAULTY.keys() | {"not-found", "redirect"} == FAULTS.keys()


@pytest.mark.parametrize("tls", [False, True], ids=["HTTP/1.1", "HTTP/2"])
@pytest.mark.parametrize("fault", FAULTY)
def test_fault(fault, tls, tmp_path, monkeypatch):
    """The name is unknown, for the right reason, the other one found; again: only the one asked."""
    bad = f"10.1000/{fault}"
    reason, tries = FAULTY[fault]
    done = []
    entry = {"url": URL, "fault": fault, "seconds": LONGEST}

    def ask():
        done.clear()
        given = {"check_retries": 2, "progress": lambda number, of, _: done.append(of - number)}
        if reason != "timed out":
            return run(server, tmp_path, GOOD, bad, **given)
        with out_of_patience(server, bad, monkeypatch, lambda: done and done[-1] == 1):
            return run(server, tmp_path, GOOD, bad, **given)

    with HandleServer({GOOD: URL, bad: entry}, tls=tls) as server:
        if tls:
            monkeypatch.setenv("SSL_CERT_FILE", server.authority)
        report = ask()
        assert outcomes(report) == {GOOD: "found", bad: "unknown"}
        if reason.startswith("the answer broke off") and tls:
            reason = report.problems[0].resolution.reason.removesuffix(", 3 tries")
            assert reason in ("the answer broke off or is not HTTP", "the connection was lost")
        words = f"{reason}, {tries} tries" if tries > 1 and fault != "redirect-loop" else reason
        assert said(report) == [f"guide.md:2:5: could not check: doi:{bad} ({words}) [doi-unknown]"]
        assert report.exit_code == 0
        assert "\x1b" not in render(report)
        assert server.count(bad) == tries
        again = ask()
        assert outcomes(again) == outcomes(report)
        assert (server.count(GOOD), server.count(bad)) == (1, 2 * tries)
        if reason == "timed out":  # each time by another connection, because one may be dead
            assert server.connections == 2 * tries
        assert {request.protocol for request in server.requests} == {
            "HTTP/2" if tls else "HTTP/1.1"
        }


@pytest.mark.parametrize("fault", [fault for fault, (_, tries) in FAULTY.items() if tries == 3])
def test_a_passing_fault_is_asked_again(fault, handle_api, tmp_path, monkeypatch):
    entry = {"url": URL, "fault": fault, "times": 2, "retry_after": 1, "seconds": LONGEST}
    handle_api.set("10.1000/a", entry)
    with (
        out_of_patience(handle_api, "10.1000/a", monkeypatch, times=2)
        if FAULTY[fault][0] == "timed out"
        else nullcontext()
    ):
        report = run(handle_api, tmp_path, "10.1000/a")
    assert outcomes(report) == {"10.1000/a": "found"}
    assert handle_api.count("10.1000/a") == 3
    assert report.problems == ()


def test_not_found_and_no_values_are_never_asked_twice(handle_api, tmp_path):
    handle_api.set("10.1000/empty", None)
    report = run(handle_api, tmp_path, "10.1000/none", "10.1000/empty")
    assert outcomes(report) == {"10.1000/none": "not found", "10.1000/empty": "no values"}
    assert handle_api.count("10.1000/none") == handle_api.count("10.1000/empty") == 1
    assert report.exit_code == 1
    assert not (tmp_path / "doi-lock.json").exists()


def test_redirect_on_the_server(handle_api, tmp_path):
    handle_api.set("10.1000/a#b", {"url": URL, "fault": "redirect"})
    assert outcomes(run(handle_api, tmp_path, "10.1000/a#b")) == {"10.1000/a#b": "found"}
    assert [request.path for request in handle_api.requests] == [
        "/api/handles/10.1000/a%23b",
        "/moved/api/handles/10.1000/a%23b",
    ]


@pytest.mark.parametrize(
    "location",
    [
        "", "http://[::1", "http://127.0.0.1:99999/", "https://127.0.0.1/", "//publisher.example/x",
        "http://127.0.0.1.publisher.example/", "http://user@publisher.example/",
        "javascript:alert(1)", "file:///etc/passwd", "\xff\x01", "http:evil", "http://xn--/", "//[/",
        "x" * 60_000, "%", "http://",
    ],
)  # fmt: skip
def test_redirect_to_anywhere_else(location, handle_api, tmp_path):
    entry = {"url": URL, "fault": "redirect-away", "location": location}
    handle_api.set("10.1000/a", entry)
    report = run(handle_api, tmp_path, "10.1000/a", check_retries=0)
    assert outcomes(report) == {"10.1000/a": "unknown"}
    assert "too long" not in said(report)[0]  # which is said of names alone


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "octets",
    [
        b"", b"\x00" * 1000, b"SSH-2.0-OpenSSH_9.6\r\n", b"HTTP/1.1 99999 \x1b[2J\r\n\r\n",
        b"HTTP/1.1 101 Switching\r\n\r\n", b"HTTP/1.1 204 No\r\n\r\n",
        b"HTTP/1.1 304 Not Modified\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n" * 100,
        OK + b"content-length: -5\r\n\r\nx",
        OK + b"content-length: 5\r\ncontent-length: 6\r\n\r\nxxxxxx",
        OK + b"transfer-encoding: chunked\r\n\r\nzz\r\n",
        OK + b"transfer-encoding: chunked\r\n\r\nffffffffffffffffffff\r\n",
        OK + b"content-type: text/html; charset=\xff\xfe\r\nset-cookie: \x1b\r\n\r\n{}",
        OK + b"set-cookie: a=b; expires=never; max-age=x; port=\r\n\r\n{}",
        OK + b"x: " + b"y" * 200_000 + b"\r\n\r\n",
        OK + b"retry-after: " + b"9" * 5000 + b"\r\n\r\n",
        b"HTTP/1.1 503 X\r\nretry-after: Mon, 99 Foo 99999 99:99:99 GMT\r\n\r\n",
        b"HTTP/1.1 503 X\r\nretry-after: Fri, 31 Dec 0001 23:59:59 +2359\r\n\r\n",
        b"HTTP/1.1 503 X\r\nretry-after: -5\r\n\r\n",
        b"HTTP/1.1 429 X\r\nretry-after: 1e999\r\n\r\n",
    ],
)  # fmt: skip
def test_what_is_no_http_or_hardly(octets, tmp_path):
    with raw_server(lambda: [octets]) as port:
        report = run(f"http://127.0.0.1:{port}/", tmp_path, GOOD, check_retries=1)
    assert outcomes(report) == {GOOD: "unknown"}
    assert said(report)[0].isprintable()


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("10.1000/456#789", "10.1000/456%23789"),
        ("10.6338/JDA.202212/SP_17(4).0000", "10.6338/JDA.202212%2FSP_17(4).0000"),
        ("10.26321/Á.GUTIÉRREZ", "10.26321/%C3%81.GUTI%C3%89RREZ"),
        ("10.1000/a%41", "10.1000/a%2541"),
        ("10.1000/a?b=c&d", "10.1000/a%3Fb=c&d"),
        ("10.1000/..", "10.1000%2F.."),
        ("10.1000/a/../b/.", "10.1000/a%2F..%2Fb%2F."),
        ("10.1000/!$&'()*+,;=:@~", "10.1000/!$&'()*+,;=:@~"),
        ('10.1000/"<>[\\]^`{|} ', "10.1000/%22%3C%3E%5B%5C%5D%5E%60%7B%7C%7D%20"),
        ("10.1000/" + "x" * 8000, "10.1000/" + "x" * 8000),
        ("10.1000/" + "é" * 8000, "10.1000/" + "%C3%A9" * 8000),
    ],
)
@pytest.mark.parametrize("tls", [False, True], ids=["HTTP/1.1", "HTTP/2"])
def test_the_question_byte_for_byte(name, path, tls, tmp_path, monkeypatch):
    """[URI §4]: the address of the API and the scheme-specific part."""
    with HandleServer({name: URL}, tls=tls) as server:
        if tls:
            monkeypatch.setenv("SSL_CERT_FILE", server.authority)
        assert outcomes(run(server, tmp_path, name)) == {name: "found"}
        assert [request.path for request in server.requests] == ["/api/handles/" + path]
        assert DOI(name).api_at(server.api) == server.api + path


def test_a_name_too_long_for_any_request(handle_api, tmp_path):
    report = run(handle_api, tmp_path, "10.1000/" + "x" * 100_000)
    assert report.problems[0].resolution.reason == "the name is too long for a request"


def test_at_most_so_many_at_once(handle_api, tmp_path):
    names = [f"10.1000/n{number}" for number in range(40)]
    for name in names:
        handle_api.set(name, URL)
    handle_api.latency = 0.02
    report = run(handle_api, tmp_path, *names, check_concurrency=3)
    assert report.count(Outcome.FOUND) == 40
    assert handle_api.most_at_once == 3
    assert report.requests == len(handle_api.requests) == 40


@pytest.mark.parametrize(("fault", "least"), [("too-many", 50), ("too-many-until", 25)])
def test_retry_after_is_honoured(fault, least, handle_api, tmp_path):
    """As seconds and as a date, of which some have gone by when it is read."""
    handle_api.set("10.1000/a", {"url": URL, "fault": fault, "times": 2, "retry_after": 50})
    clock = Clock()
    assert outcomes(run(handle_api, tmp_path, "10.1000/a", clock=clock)) == {"10.1000/a": "found"}
    assert len(clock.waits) == 2
    assert all(least <= wait <= 50.5 for wait in clock.waits)


def test_retry_after_is_honoured_by_all(handle_api, tmp_path):
    """When one is asked to wait, the others wait as well."""
    entry = {"url": URL, "fault": "too-many", "times": 1, "retry_after": 9}
    handle_api.set("10.1000/a", entry)
    handle_api.set("10.1000/b", URL)
    clock = Clock()
    run(handle_api, tmp_path, "10.1000/a", "10.1000/b", clock=clock, check_concurrency=1)
    assert [request.name for request in handle_api.requests[:2]] == ["10.1000/a"] * 2
    assert 9 <= clock.now < 10


class TestTimeLimit:
    """``check_time_limit``: nothing that a server says makes a check take hours."""

    NAMES = tuple(f"10.1000/n{number:03}" for number in range(200))

    def serve(self, server):
        """Every tenth name asks everybody to wait a minute, three times; good answers in between."""
        busy = {"url": URL, "fault": "too-many", "retry_after": 60, "times": 3}
        for number, name in enumerate(self.NAMES):
            server.set(name, busy if number % 10 == 5 else URL)

    def test_what_was_not_asked_by_then_is_unknown(self, handle_api, tmp_path):
        self.serve(handle_api)
        clock = Clock()
        report = run(handle_api, tmp_path, *self.NAMES, clock=clock, check_concurrency=1)
        assert clock.now <= 600
        found, unknown = report.count(Outcome.FOUND), report.count(Outcome.UNKNOWN)
        assert found + unknown == 200
        assert 20 <= found < 60
        why = f"{handle_api.api}: check_time_limit, 600 seconds, was reached"
        assert said(report) == [f"could not check: {unknown} DOIs ({why}) [doi-unknown]"]
        assert report.exit_code == 0
        # What was learnt is kept, so that the next check gets further.
        assert (tmp_path / "doi-lock.json").read_text().count("{}") == found

    def test_none(self, handle_api, tmp_path):
        self.serve(handle_api)
        clock = Clock()
        settings = {"check_concurrency": 1, "check_time_limit": 0}
        report = run(handle_api, tmp_path, *self.NAMES, clock=clock, **settings)
        assert report.count(Outcome.FOUND) == 200
        assert clock.now >= 20 * 3 * 60

    def test_no_answer_takes_longer(self, tmp_path):
        """By the real clock: a server that says nothing, and a long check_timeout."""
        with socket.create_server(("127.0.0.1", 0), backlog=100) as silent:
            api = f"http://127.0.0.1:{silent.getsockname()[1]}/"
            options = Options(check_api=api, check_timeout=1000, check_time_limit=0.3)
            report = check(places(*self.NAMES), options, root=tmp_path)
        assert report.count(Outcome.UNKNOWN) == 200
        assert said(report) == [
            f"could not check: 200 DOIs ({api}: check_time_limit, 0.3 seconds, was reached) [doi-unknown]"
        ]


def test_the_pauses_grow(handle_api, tmp_path):
    handle_api.set("10.1000/a", {"fault": "unavailable"})
    clock = Clock()
    run(handle_api, tmp_path, "10.1000/a", clock=clock)
    first, second, third = clock.waits
    assert 0.25 <= first <= 0.5 <= second <= 1 <= third <= 2


def test_who_asks_for_an_hour_is_left_alone(handle_api, tmp_path):
    names = [f"10.1000/n{number:02}" for number in range(50)]
    for name in names:
        handle_api.set(name, {"fault": "too-many", "retry_after": 3600})
    report = run(handle_api, tmp_path, *names, check_concurrency=2)
    assert len(handle_api.requests) <= 2
    reason = f"{handle_api.api}: the API asks to come back in 3600 seconds"
    assert said(report) == [f"could not check: 50 DOIs ({reason}) [doi-unknown]"]


@pytest.mark.parametrize(("count", "most_waits"), [(2, 6), (500, 20)])
def test_nobody_listens(count, most_waits, tmp_path):
    """Unknown for all, one message, and soon: after a few questions."""
    clock = Clock()
    names = [f"10.1000/n{number}" for number in range(count)]
    with taken_port() as port:
        api = f"http://127.0.0.1:{port}/"
        report = run(api, tmp_path, *names, clock=clock)
    assert report.count(Outcome.UNKNOWN) == count
    assert len(report.problems) == 1
    assert said(report)[0].startswith(f"could not check: {count} DOIs ({api}: connection refused")
    assert report.problems[0].doi is None
    assert len(clock.waits) <= most_waits
    assert report.requests <= most_waits + 8  # which are asked at once
    assert report.exit_code == 0


def test_no_such_host(tmp_path):
    report = run("https://user:secret@doi.invalid/", tmp_path, "10.1000/a", "10.1000/b")
    assert len(report.problems) == 1
    assert "(https://doi.invalid/: host name not found" in said(report)[0]


def test_everybody_is_unavailable_after_a_while(handle_api, tmp_path):
    """An outage in the middle: what was answered stays, the rest is one message."""
    for number in range(300):
        entry = URL if number < 20 else {"fault": "unavailable"}
        handle_api.set(f"10.1000/n{number:03}", entry)
    names = [f"10.1000/n{number:03}" for number in range(300)]
    report = run(handle_api, tmp_path, *names, check_concurrency=2)
    assert (report.count(Outcome.FOUND), report.count(Outcome.UNKNOWN)) == (20, 280)
    assert len(handle_api.requests) < 40
    assert len(report.problems) == 1
    assert "280 DOIs" in said(report)[0]


def test_a_broken_registrant_does_not_stop_the_others(handle_api, tmp_path):
    """Response code 2 is an answer: the API is there."""
    for number in range(60):
        handle_api.set(f"10.2000/n{number:02}", {"fault": "server-error"})
    handle_api.set(GOOD, URL)
    names = [*(f"10.2000/n{number:02}" for number in range(60)), GOOD]
    report = run(handle_api, tmp_path, *names, check_concurrency=1, check_retries=0)
    assert report.resolutions[DOI(GOOD)].outcome is Outcome.FOUND
    assert len(report.problems) == 60


def test_certificates_are_read_once_unless_the_environment_names_others(tmp_path, monkeypatch):
    assert certificates() is certificates()
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    assert certificates() is not certificates()
    assert certificates().cert_store_stats()["x509"] == 0


def test_user_agent(tmp_path):
    """Names the project and its version, so that the API's owner knows whom to write to."""
    from doilinks import __version__

    with socket.create_server(("127.0.0.1", 0)) as listening:
        heads = []

        def serve():
            connection, _ = listening.accept()
            with connection:
                heads.append(connection.recv(4096).decode())

        thread = threading.Thread(target=serve)
        thread.start()
        api = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        run(api, tmp_path, GOOD, check_retries=0)
        thread.join()
    assert f"user-agent: doilinks/{__version__}" in heads[0].lower()
    assert "accept-encoding: identity" in heads[0].lower()


def test_interrupt_keeps_what_was_learnt(handle_api, tmp_path):
    names = [f"10.1000/n{number:02}" for number in range(30)]
    for number, name in enumerate(names):
        fault = {"fault": "slow", "seconds": LONGEST} if number >= 10 else {}
        handle_api.set(name, {"url": URL, **fault})

    def progress(done, total, _):
        assert total == 30
        if done == 10:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupted:
        run(handle_api, tmp_path, *names, progress=progress, check_concurrency=4)
    words = "interrupted after 10 of 30 DOIs; answers are kept in doi-lock.json"
    assert str(interrupted.value) == words
    assert interrupted.value.report.count(Outcome.FOUND) == 10
    assert interrupted.value.report.problems == ()
    for name in names:
        handle_api.set(name, URL)
    report = run(handle_api, tmp_path, *names)
    assert report.summary == "30 DOIs: 30 found (10 from doi-lock.json)"
    assert all(handle_api.count(name) == 1 for name in names[:10])


TLS_FAULTS = {
    "expired": "TLS: certificate has expired",
    "wrong host": "TLS: Hostname mismatch",
    "unknown authority": "TLS: unable to get local issuer certificate",
    "old protocol": "TLS: the server knows only versions that are too old",
}


@pytest.mark.parametrize("fault", TLS_FAULTS)
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_tls_faults(fault, tmp_path, monkeypatch):
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    signer = trustme.CA() if fault == "unknown authority" else authority
    yesterday = datetime.now(UTC) - timedelta(days=1)
    certificate = signer.issue_cert(
        "other.example" if fault == "wrong host" else "localhost",
        not_after=yesterday if fault == "expired" else None,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    if fault == "old protocol":
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    with raw_server(tuple, context=context) as port:
        report = run(f"https://localhost:{port}/", tmp_path, GOOD, check_retries=0)
    assert (outcomes(report), report.exit_code) == ({GOOD: "unknown"}, 0)
    assert TLS_FAULTS[fault] in said(report)[0]


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    ("answer", "reasons"),
    [
        (
            "407 No\r\nProxy-Authenticate: Basic realm=s3cret",
            ["the proxy asks for a user name and password"] * 2,
        ),
        ("403 No s3cret", ["HTTP 403 without a Handle record", "the proxy refused, HTTP 403"]),
        (
            "302 s3cret\r\nLocation: http://login.invalid/s3cret",
            ["the API redirects to another server", "the proxy refused, HTTP 302"],
        ),
        (
            "200 OK\r\nContent-Type: text/html",
            ["HTTP 200 without a Handle record", "the server or a proxy"],
        ),
    ],
)  # fmt: skip
def test_a_proxy_that_does_not_help(scheme, answer, reasons, tmp_path, monkeypatch):
    octets = f"HTTP/1.1 {answer}\r\nContent-Length: 13\r\n\r\n<html></html>".encode()
    with raw_server(lambda: [octets]) as port:
        monkeypatch.setenv(f"{scheme.upper()}_PROXY", f"http://user:s3cret@127.0.0.1:{port}")
        report = run(f"{scheme}://handles.invalid/api/", tmp_path, GOOD, check_retries=0)
    assert (outcomes(report), report.exit_code) == ({GOOD: "unknown"}, 0)
    assert reasons[scheme == "https"] in said(report)[0]
    assert "s3cret" not in said(report)[0]


@pytest.mark.parametrize("first", ["::1", "127.0.0.1"])
def test_a_host_of_which_one_address_does_not_answer(first, tmp_path, monkeypatch):
    """The name has two addresses, and the server listens on one of them."""
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    other = "127.0.0.1" if first == "::1" else "::1"

    def addresses(host, port, *_arguments, **_options):
        families = {"::1": socket.AF_INET6, "127.0.0.1": socket.AF_INET}
        return [
            (families[each], socket.SOCK_STREAM, 6, "", (each, port)) for each in (first, other)
        ]

    with HandleServer({GOOD: URL}) as server:
        monkeypatch.setattr(socket, "getaddrinfo", addresses)
        api = server.api.replace("127.0.0.1", "handles.example")
        assert outcomes(run(api, tmp_path, GOOD, check_retries=0)) == {GOOD: "found"}


@pytest.mark.parametrize("together", [False, True])
def test_a_late_answer_leaves_no_connection_open(monkeypatch, together):
    """Over HTTP/2. A connection on which other answers arrive meanwhile is not dead."""
    with HandleServer({GOOD: URL}, tls=True) as server:
        monkeypatch.setenv("SSL_CERT_FILE", server.authority)
        server.set("10.1000/slow", {"fault": "slow", "seconds": LONGEST})
        slow, good = (httpx.URL(server.api + name) for name in ("10.1000/slow", GOOD))

        async def ask():
            async with Transport("tests", LONGEST) as transport:
                for _ in range(4):
                    assert (await transport.get(good, LONGEST)).status == 200
                    late = asyncio.create_task(transport.get(slow, 0.3))
                    await asyncio.sleep(0.1)
                    if together:
                        assert (await transport.get(good, LONGEST)).status == 200
                    assert (await late).trouble == "timed out"
                return len(transport._connections)

        assert asyncio.run(ask()) == int(together)
        assert server.connections == (1 if together else 4)
