"""Addresses: one reading by everybody, and no password in a message."""

from __future__ import annotations

import random
from urllib.parse import urlsplit

import httpx
import pytest

from doilinks.core.options import InvalidOption, Options, read_address
from doilinks.core.printable import public, without_password

PASSWORD = "s3cret"


@pytest.mark.parametrize(
    "address",
    [
        "https://[::1]@evil.example[doi.org/", "https://doi.org\\@evil.example/",
        "https://evil.example\\doi.org/", "https://doi.org@[::1/", "https://[::1]evil.example/",
        "https://evil.example%2f@doi.org%00/", "https://doi.org:443:80/", "https://doi.org:99999/",
        "https://doi.org:/", "https:///doi.org/", "https://@doi.org/", "https:doi.org/",
        "//doi.org/", "javascript://doi.org/", "https://доi.org/", "https://doi.org/#x",
        "https://doi.org/ x", " https://doi.org/", "https://doi.org/\n",
    ],
)  # fmt: skip
def test_what_two_readers_may_read_differently_is_no_address(address):
    with pytest.raises(ValueError, match=r"^$"):
        read_address(address)


@pytest.mark.parametrize("seed", range(20))
def test_everybody_reads_the_same(seed):
    """Python's reader, with which links are judged, and that of httpx, which asks."""
    chance = random.Random(seed)
    parts = ["http", "https", ":", "//", "/", "@", "[", "]", "::1", "doi.org", "evil.example", "\\"]
    parts += [":80", "?", "#", "%2f", "%40", "user", "127.0.0.1", ".", "..", ";", "&", "\t", "é"]
    accepted = 0
    for _ in range(5000):
        text = "http" + chance.choice(["", "s"]) + "://" + "".join(chance.choices(parts, k=4))
        try:
            address = read_address(text)
            url = httpx.URL(address)
        except (ValueError, httpx.InvalidURL):  # httpx reads brackets more strictly
            continue
        accepted += 1
        seen = urlsplit(address)
        assert (url.scheme, url.host) == (seen.scheme, seen.hostname)
        assert url.port in (seen.port, None)
        assert (url.userinfo.decode() == "") == (seen.username is None)
        assert urlsplit(public(address)).username is None
        assert urlsplit(public(address)).hostname == seen.hostname
    assert accepted > 100


@pytest.mark.parametrize(
    "wrong",
    [
        f"http://user:{PASSWORD}@host:99999/", f"http://user:{PASSWORD}/{PASSWORD}@host/",
        f"http://user:{PASSWORD} @host/", f"user:{PASSWORD}@host",
        f"http://user:{PASSWORD}{'x' * 200} @host/{'x' * 400}",
        f"http://user:{PASSWORD}\n{PASSWORD}@host", [f"http://user:{PASSWORD}@host/"],
    ],
)  # fmt: skip
@pytest.mark.parametrize("option", ["check_api", "proxy"])
def test_no_password_in_a_message(option, wrong):
    with pytest.raises(InvalidOption) as raised:
        Options.read({option: wrong})
    assert f"{option}: takes an http or https URL" in str(raised.value)
    assert "host" in str(raised.value)
    assert PASSWORD not in str(raised.value)
    assert PASSWORD not in without_password(wrong)


def test_a_path_without_end():
    with pytest.raises(InvalidOption, match="check_lockfile: takes a path"):
        Options(check_lockfile="doi\0lock.json")
