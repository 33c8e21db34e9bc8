"""Every entry point, after one that takes quadratic time, which the tests of linear time have to see."""

import re
from collections.abc import Iterator

from benchmarks.linear import entries as linear
from benchmarks.linear.entries import Entry


def entries() -> Iterator[tuple[str, Entry]]:
    """A search from each place to the end of the text; then what doilinks has."""
    pattern = re.compile("[?]")
    yield "quadratic", Entry(lambda text: [pattern.search(text, at) for at in range(len(text))])
    yield from linear.entries()
