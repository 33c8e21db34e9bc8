"""DOI names for proofs: every sort of character in every place, and real names."""

from __future__ import annotations

from pathlib import Path

REAL = Path(__file__).parents[1] / "data" / "names.txt"

PRINTABLE = [chr(code) for code in range(0x20, 0x7F)]


def every_printable_character() -> list[str]:
    """Each printable ASCII character in the middle, in the first and in the last place."""
    return [
        f"10.1000/{suffix}"
        for character in PRINTABLE
        for suffix in (f"a{character}b", f"{character}b", f"a{character}")
    ]


DOT_SEGMENTS = [
    f"10.1000/{suffix}"
    for suffix in (
        "a/./b", "a/../b", "a/.", "a/..", "a//b", "./b", "../b", ".", "..", "a/./", "a/../", "/a", "//",
        "a/././b", "a/../../b", "a/../..", "a/.../b", "a/.b/..c", "a/./../b", "a/..//./b",
    )
]  # fmt: skip

PERCENT = [
    f"10.1000/{suffix}" for suffix in ("%", "%41", "%2e", "%2E%2e/b", "%2F", "%25", "a%00b", "%zz")
]

LETTERS = [
    f"10.1000/{suffix}"
    for suffix in (
        "\u00c1", "A\u0301", "\u1e9b\u0323", "\u212b", "\ufb01", "\u05d0\u05d1\u05d2", "\u0627\u0644\u0639",
        "a\u05d01\u05d1", "\u65e5\u672c\u8a9e", "\ud55c\uae00", "\U0001f414\U0001f4a9", "\U00020000", "1\u00b2",
        "a\u00a0b", "a\u3000b", "\u0130\u0131", "\u1e9e\u00df", "\u03a3\u03c3\u03c2", "\u2010\u2013\u2212",
    )
]  # fmt: skip

LONG = ["10.1000/" + "ab<c>é/" * 1142 + "end", "10.1000/" + "ab<c>é/" * 12 + "end"]

WEIRD = [*every_printable_character(), *DOT_SEGMENTS, *PERCENT, *LETTERS]


def real_names() -> list[str]:
    """Five thousand registered names, odd ones first of all."""
    return REAL.read_text(encoding="utf-8").splitlines()
