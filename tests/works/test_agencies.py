"""Asking the agencies, at a real server on the loopback interface."""

import asyncio

import httpx
import pytest

from doilinks import DOI
from doilinks.ask.loop import Network
from doilinks.ask.net.client import RateLimit
from doilinks.ask.net.transport import Limits, Unusable, limits_in, redirected
from doilinks.ask.works.agencies import _NEGOTIATED, Agencies
from doilinks.core.options import Options

from ..tools.handle_api import FAULTS
from ..tools.programs import LONGEST, taken_port

HANDBOOK = {
    "title": "DOI Handbook", "author": [{"family": "Paskin", "given": "Norman"}],
    "issued": {"date-parts": [[2000]]}, "type": "book",
}  # fmt: skip
AGENCIES = ("Crossref", "DataCite", "mEDRA")


def ask(server, *names, agencies=None, **options):
    """What the agencies say about names; server: or the address of one."""
    given = {"check_retries": 0, "check_timeout": LONGEST} | options
    options = Options(check_works_api=getattr(server, "works_api", server), **given)
    names = [DOI(name) for name in names]

    async def run():
        async with Agencies(options, Network("tests"), names, agencies or {}) as opened:
            answers = await asyncio.gather(*map(opened.resolve, names))
            return answers, opened

    return asyncio.run(run())


def paths(server):
    return [request.path.partition("/agencies/")[2] for request in server.requests]


@pytest.mark.parametrize("agency", AGENCIES)
def test_each_agency_is_asked_in_its_own_way(handle_api, agency):
    handle_api.set("10.1000/182", {"work": HANDBOOK, "agency": agency})
    [answer], opened = ask(handle_api, "10.1000/182")
    assert answer.value.titles == ("DOI Handbook",)
    assert answer.value.names == ("Paskin",)
    assert answer.value.years == (2000,)
    where = {"Crossref": "works/", "DataCite": "dois/", "mEDRA": ""}[agency]
    assert paths(handle_api) == ["doiRA/10.1000", f"{where}10.1000/182"]
    assert opened.agencies == {"10.1000": agency}


def test_many_prefixes_are_one_question(handle_api):
    names = [f"10.{1000 + n}/a" for n in range(60)]
    for name in names:
        handle_api.set(name, {"work": HANDBOOK})
    answers, _ = ask(handle_api, *names)
    assert all(answer.value for answer in answers)
    assert sum(path.startswith("doiRA/") for path in paths(handle_api)) == 2


def test_a_prefix_that_is_known_is_not_asked_about(handle_api):
    handle_api.set("10.1000/182", {"work": HANDBOOK})
    ask(handle_api, "10.1000/182", agencies={"10.1000": "Crossref"})
    assert paths(handle_api) == ["works/10.1000/182"]


def test_what_an_agency_does_not_know_is_asked_at_doi_org(handle_api):
    [answer], _ = ask(handle_api, "10.1000/182", agencies={"10.1000": "Crossref"})
    assert answer.reason == "the agency has no record"
    assert paths(handle_api) == ["works/10.1000/182", "10.1000/182"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [1, 3, 1, 1]),
        ({"check_mail": "a@example.org"}, [3, 3, 3, 3]),
        ({"check_works_api": "http://127.0.0.1:9/"}, [0, 0, 0, 0]),
    ],
)
def test_how_many_questions_at_once_until_a_server_says_more(options, expected):
    clients = [*Agencies(Options(**options), Network("tests"), [], {})._clients.values()]
    assert [client._policy.at_once for client in clients] == expected
    assert [client._policy.every > 0 for client in clients] == [False] * 3 + [expected[0] > 0]


def test_a_prefix_without_agency(handle_api):
    [answer], _ = ask(handle_api, "10.1000/182")
    assert (answer.value, answer.reason) == (None, "the prefix has no agency")


def test_a_name_is_encoded_in_the_address(handle_api):
    name = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0?#"
    handle_api.set(name, {"work": HANDBOOK})
    [answer], _ = ask(handle_api, name)
    assert answer.value
    assert handle_api.requests[-1].path.endswith(":8%3C693::AID-ASI4%3E3.0.CO;2-0%3F%23")


GOOD = {"slow", "drip", "redirect"}


@pytest.mark.parametrize("agency", AGENCIES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_unknown_with_a_reason(handle_api, fault, agency):
    settings = {"fault": fault, "seconds": 0.001, "retry_after": 0}
    handle_api.set("10.1000/182", {"work": HANDBOOK, "agency": agency, "work_fault": settings})
    [answer], _ = ask(handle_api, "10.1000/182")
    if fault in GOOD:
        assert answer.value.title == "DOI Handbook"
    elif fault == "hostile":
        assert answer.value.title.isprintable()
        assert "<script>" not in answer.value.title
    else:
        assert answer.value is None
        assert answer.reason.isprintable()


def test_a_fault_that_ends_is_asked_again(handle_api):
    fault = {"fault": "too-many", "retry_after": 0, "times": 1}
    handle_api.set("10.1000/182", {"work": HANDBOOK, "work_fault": fault})
    [answer], _ = ask(handle_api, "10.1000/182", check_retries=4)
    assert answer.value


def test_an_agency_that_is_down_or_none_is_named(handle_api):
    with taken_port() as port:
        address = f"http://127.0.0.1:{port}/agencies/"
        [answer], _ = ask(address.replace("//", "//user:secret@"), "10.1000/182")
        assert answer.reason == f"{address} (check_works_api): connection refused"
    [answer], _ = ask(handle_api.api, "10.1000/182")
    assert answer.reason == f"{handle_api.api} (check_works_api): HTTP 404 without agencies"


def test_no_more_at_once_than_the_server_allows(handle_api):
    handle_api.limits = {"x-concurrency-limit": "2"}
    handle_api.latency = 0.01
    names = [DOI(f"10.1000/{n}") for n in range(30)]
    for name in names:
        handle_api.set(name.name, {"work": HANDBOOK})
    options = Options(check_works_api=handle_api.works_api, check_concurrency=8)

    async def run():
        async with Agencies(options, Network("tests"), names, {}) as opened:
            await opened.resolve(names[0])  # the server says so in its first answer
            handle_api.most_at_once = 0
            await asyncio.gather(*map(opened.resolve, names[1:]))

    asyncio.run(run())
    assert handle_api.most_at_once == 2


def test_an_address_that_cannot_be_asked():
    with pytest.raises(Unusable):
        ask("http://[:::]/")


AGREED = (
    "https://data.crosscite.org/10.1000%2F182",
    "https://api.crossref.org/v1/works/10.1000/182/transform", "https://doi.org/other",
)  # fmt: skip
REFUSED = (
    "http://data.crosscite.org/10.1000", "https://data.crosscite.org:8443/10.1000",
    "https://user@data.crosscite.org/", "https://data.crosscite.org.evil.example/",
    "https://publisher.example/article", "https://127.0.0.1/", "https://[::1]/",
    "https://169.254.169.254/latest/meta-data", "http://localhost:8000/", "//192.168.0.1/",
    "file:///etc/passwd",
)  # fmt: skip


@pytest.mark.parametrize("to", [*AGREED, *REFUSED])
def test_redirects_lead_to_agencies_only(to):
    url = httpx.URL("https://doi.org/10.1000/182")
    assert (redirected(url, to, _NEGOTIATED) is not None) is (to in AGREED)


def test_limits_in_headers():
    headers = {
        "x-rate-limit-limit": "50", "x-rate-limit-interval": "10s", "x-concurrency-limit": "3",
    }  # fmt: skip
    assert limits_in(headers) == Limits(3, 5.0)
    assert limits_in({"x-rate-limit-limit": "-1", "x-concurrency-limit": "many"}) == Limits()


def test_turns_keep_a_pace():
    turns = RateLimit(1, 8)
    turns.apply_limits(Limits(per_second=4), 0.0)
    turns.apply_limits(Limits(per_second=4), 0.1)  # only the first answer waited for a connection
    pauses = [turns.pause(now, 0.0) for now in (0.0, 0.25, 0.25, 0.5, 10.0)]
    assert pauses == pytest.approx([0.25, 0.0, 0.25, 0.0, 0.0])


def test_after_a_pause_questions_do_not_come_at_once():
    turns = RateLimit(3, 8, every=0.25)
    pauses = [turns.pause(now, 1.0) for now in (0.0, 0.0, 1.0, 1.0, 1.25)]
    assert pauses == pytest.approx([1.0, 1.0, 0.0, 0.25, 0.0])


def test_no_more_run_than_may_when_one_comes_before_the_one_that_is_woken():
    async def run():
        turns, now, most = RateLimit(1, 1), 0, 0

        async def ask(steps, newcomer=False):
            nonlocal now, most
            async with turns:
                now += 1
                most = max(most, now)
                for _ in range(steps):
                    await asyncio.sleep(0)
                # It is ready to run before the one that is woken now.
                later = asyncio.create_task(ask(9)) if newcomer else None
                now -= 1
            return later

        later, _ = await asyncio.gather(ask(5, newcomer=True), ask(9))
        await later
        return most

    assert asyncio.run(asyncio.wait_for(run(), 60)) == 1


def test_turns_grow_and_shrink_with_the_limit():
    async def run():
        turns, most, now = RateLimit(1, 5), [], 0

        async def one():
            nonlocal now
            async with turns:
                now += 1
                most[-1] = max(most[-1], now)
                await asyncio.sleep(0)
                now -= 1

        for limit in (0, 50, 2):  # at first, the server has said nothing
            turns.apply_limits(Limits(at_once=limit), 0.0)
            most.append(0)
            await asyncio.gather(*(one() for _ in range(9)))
        return most

    assert asyncio.run(run()) == [1, 5, 2]
