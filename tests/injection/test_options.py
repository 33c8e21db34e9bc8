"""Options that come from hostile places: a clear error, or escaped."""

from __future__ import annotations

import json

import html5lib
import pytest
from sphinx.errors import ConfigError

from ..tools.hosts import Markdown, MarkdownIt, pandoc
from .builds import DOCUTILS, MKDOCS, sphinx

TEXT = "See doi:10.1000/182 there."
CLASSES = [
    'x" onclick="alert(1)', "x'><script>alert(1)</script>", "&quot; onclick=x", "{{x}}", "x}%",
]  # fmt: skip
PROXIES = [
    "javascript:alert(1)//", "JavaScript:alert(1)/", "data:text/html,", "vbscript:x/",
    "//evil.example/", "https://", 'https://evil.example/"onclick="x',
    "https://evil.example/'><b>/", "https://evil.example/ x/", "https://evil.example/\n/",
    "https://evil.example/\x00/", "https://evil.example/\x1b[31m/",
    "https://evil.example/\\write18{id}/", "\x01javascript:alert(1)/", "",
]  # fmt: skip


def front_matter(sources, options):
    """Pandoc, whose options a document itself can hold."""
    keys = {f"doi-{key}": value for key, value in options.items()}
    page = f"---\n{json.dumps(keys)}\n...\n\n{sources[0]}\n".replace("css_class", "css-class")
    return [pandoc("-f", "markdown", "-t", "html", given=page).stdout.decode()]


HOSTS = {
    "markdown_it": MarkdownIt().pages, "markdown": Markdown(("attr_list",)).pages,
    "mkdocs": MKDOCS.pages, "docutils": DOCUTILS.pages, "sphinx": sphinx().pages,
    "pandoc": front_matter,
}  # fmt: skip
SLOW = {"mkdocs", "sphinx", "pandoc"}
ERRORS = (ValueError, AssertionError, ConfigError, SystemExit)


@pytest.mark.parametrize("host", HOSTS)
def test_a_wrong_proxy_is_an_error(host):
    for proxy in PROXIES[:: 9 if host in SLOW else 1]:
        if host == "docutils":  # goes on with the default, after a message
            (html,) = DOCUTILS.pages([TEXT], {"proxy": proxy})
            assert 'href="https://doi.org/10.1000/182"' in html
            continue
        with pytest.raises(ERRORS, match=r"proxy"):
            HOSTS[host]([TEXT], {"proxy": proxy})


@pytest.mark.parametrize("host", HOSTS)
def test_a_hostile_class_is_escaped(host):
    for css_class in CLASSES[:: 3 if host in SLOW else 1]:
        (html,) = HOSTS[host]([TEXT], {"css_class": css_class})
        root = html5lib.parse(html, namespaceHTMLElements=False)
        links = [a for a in root.iter("a") if a.get("href") == "https://doi.org/10.1000/182"]
        assert len(links) == 1, html
        assert set(links[0].attrib) == {"class", "href"}, html
        assert "alert(1)" not in "".join(script.text or "" for script in root.iter("script"))
