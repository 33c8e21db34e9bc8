"""What ``doilinks fix`` leaves as it was: the names of all sentences of tests/conformance, and the
pages that hosts with doilinks build of them. doilinks makes links canonical, so these are equal."""

import re

import pytest

from doilinks.core.options import Options
from doilinks.sources import read
from doilinks.tools.fix import Original, chosen, mend

from ..hosts import HOSTS
from ..hosts.test_conformance import cases_of
from ..tools.proof import sample

KINDS = {"markdown_it": "md", "markdown": "md", "pandoc": "md", "docutils": "rst"}
OLD, NEW = re.compile(r"https?://(?:dx\.)?doi\.org/"), "https://doi.org/"
# The one rule by which a name becomes another one.
RULES = chosen([], ["doi-invisible"], asks=False)


def mended(text, kind):
    done = mend(Original(text.encode(), kind), kind, Options(), RULES)
    assert not mend(Original(done.octets, kind), kind, Options(), RULES).changes
    return done.octets.decode()


def names(text, kind):
    return [(found.doi.name, found.form, found.line) for found in read(text, kind, Options())]


@pytest.mark.parametrize("host", KINDS)
def test_the_pages_of_a_host(host):
    cases = [case.source for case in cases_of(host) if not case.options]
    before = sample("sentences that are mended", host, cases, one_in=4, turn=[*KINDS].index(host))
    after = [mended(text, KINDS[host]) for text in before]
    assert sum(map(str.__ne__, before, after)) > len(before) // 20
    pages = HOSTS[host].pages
    for old, new, *built in zip(before, after, pages(before, {}), pages(after, {}), strict=True):
        # doilinks keeps a link whose target has octets that are not UTF-8 as it is.
        assert OLD.sub(NEW, built[0]) == built[1], (old, new)
