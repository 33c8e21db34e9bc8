"""Identifiers of arXiv, each of which is also a DOI: ``arXiv:2301.00001v2``.

Since 2022, arXiv registers ``10.48550/arXiv.2301.00001`` for each paper
(https://info.arxiv.org/help/doi.html). The identifier alone is a number like any other, so only a
label or an address of arXiv makes it one. All of this is off unless the option ``arxiv`` is on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from .begin import ForeignUrls
from .doi import DOI
from .steps import Step, either

# --------------------------------------------------------------------------------------------------
# The rows. In an example, ``|`` is where the identifier begins, its label included.

# https://info.arxiv.org/help/arxiv_identifier.html
IDENTIFIERS: Final = (
    Step("year, month and five digits", r"(?:1[5-9]|[2-9][0-9])(?:0[1-9]|1[0-2])\.[0-9]{5}",
         "see |arXiv:2301.00001", "see arXiv:2313.00001"),
    Step("year, month and four digits", r"(?:0[7-9]|1[0-4])(?:0[1-9]|1[0-2])\.[0-9]{4}",
         "see |arXiv:0704.0001", "see arXiv:2301.0001"),
    Step("archive and seven digits",
        r"(?:acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg"
        r"|comp-gas|cond-mat|cs|dg-ga|funct-an|gr-qc|hep-(?:ex|lat|ph|th)|math(?:-ph)?|mtrl-th|nlin"
        r"|nucl-(?:ex|th)|patt-sol|physics|plasm-ph|q-(?:alg|bio)|quant-ph|solv-int|supr-con)"
        r"(?:\.[A-Za-z-]{2,16})?/(?:9[1-9]|0[0-7])(?:0[1-9]|1[0-2])[0-9]{3}",
        "see |arXiv:math.GT/0309136", "see arXiv:hep-th/9913001"),
)  # fmt: skip
FORMS: Final = (
    Step("label", r"(?i:arxiv(?:\.org)?:)\s{0,3}", "see |arXiv: 2301.00001v2", "in 2301.00001"),
    Step("address", r"(?i:(?:https?://)?(?:www\.|export\.)?arxiv\.org/abs/)",
         "see |https://arxiv.org/abs/hep-th/9901001v1.", "see https://arxiv.org/pdf/2301.00001"),
    Step("DOI without its prefix", r"(?i:(?:doi:\s{0,3}|(?:https?://)?(?:dx\.)?doi\.org/)arxiv\.)",
         "see |https://doi.org/arXiv.2301.00001", "see arXiv.2301.00001"),
)  # fmt: skip
# The character before; at the beginning of a text there is none.
BEFORE: Final = Step("beginning", r"(?<![^\s(\[<>\"'“‘«,;—–*|])",
    "(|arXiv:2301.00001)", "https://example.org/?q=arXiv:2301.00001")  # fmt: skip
# The characters after; with them, the number is part of something else.
AFTER: Final = Step("end", r"(?![0-9A-Za-z_/?#%]|[.:][0-9A-Za-z]|-[0-9])",
    "|arXiv:2301.00001.", "arXiv:2301.00001.pdf")  # fmt: skip

_VERSION: Final = r"(?>(?:v[1-9][0-9]{0,2})?)"
ANCHOR: Final = "(?i:arxiv)"  # in every label and address
_ANCHOR: Final = re.compile(ANCHOR)  # begins with a literal, so that most texts are searched fast
_SITE: Final = "https://arxiv.org/abs/"
_PREFIX: Final = "10.48550/arXiv."


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Build the patterns of a paper in a text, and of one alone; most programs need neither."""
    identifier = rf"(?P<id>{either(*IDENTIFIERS)})(?P<version>{_VERSION})"
    in_text = rf"{BEFORE.pattern}(?:{either(*FORMS)}){identifier}{AFTER.pattern}"
    return re.compile(in_text), re.compile(rf"\s*<?(?P<form>{either(*FORMS)})?{identifier}>?\s*")


class Paper(NamedTuple):
    """A paper of arXiv."""

    id: str  # its identifier, such as ``2301.00001`` or ``hep-th/9901001``
    version: str  # the version that the author names, such as ``v2``, or ``""``

    @property
    def doi(self) -> DOI:
        """Its DOI. All versions share it, and it contains no subject class such as ``.GT``."""
        archive, slash, number = self.id.rpartition("/")
        return DOI(_PREFIX + archive.partition(".")[0] + slash + number)

    @property
    def text(self) -> str:
        """The form in which arXiv asks to cite it."""
        return f"arXiv:{self.id}{self.version}"

    @property
    def page(self) -> str:
        """The address of its page on arxiv.org."""
        return f"{_SITE}{self.id}{self.version}"


def may_contain_paper(text: str) -> bool:
    """Tell cheaply whether a text may name a paper with a label or an address."""
    return _ANCHOR.search(text) is not None


def papers_in(text: str) -> Iterator[tuple[int, int, Paper]]:
    """Yield each paper that a text names with a label or an address: start, end, paper."""
    if not may_contain_paper(text):
        return
    urls = ForeignUrls(text)
    for found in _patterns()[0].finditer(text):
        start, end = found.span()
        if text[max(0, start - 1) : start].strip() and urls.cover(start):
            continue
        closed = text.startswith("<", start - 1) and text.startswith(">", end) if start else False
        yield start - closed, end + closed, Paper(found["id"], found["version"])


def paper_of(written: str, *, bare: bool = False) -> Paper | None:
    """Read the arXiv paper of a text that is only a label or an address; None otherwise."""
    found = _patterns()[1].fullmatch(written)
    if found is None or not (bare or found["form"]):
        return None
    return Paper(found["id"], found["version"])


def paper_in_role(text: str) -> tuple[str, Paper] | None:
    """Read the title, or ``""``, and the arXiv paper in a role; None if it names no paper."""
    if paper := paper_of(text, bare=True):
        return "", paper
    title, _, target = text.rstrip().rpartition("<")
    titled = paper_of(target[:-1], bare=True) if title and target.endswith(">") else None
    return (title.strip(), titled) if titled else None
