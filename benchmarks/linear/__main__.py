"""Time against size for hostile input, through every entry point: it has to stay linear.

``python -m benchmarks.linear`` prints, for each entry point, the inputs that cost most and those that
grow fastest; ``--all`` prints every input. ``--table`` takes some of them up to 10^7 characters, which
takes hours where the hosts do. Words pick entry points (``python -m benchmarks.linear scan pandoc``).
``--instructions`` counts what the processor executes instead, under valgrind;
``tests/repository/test_linear.py`` keeps it below a bound.
"""

from __future__ import annotations

import argparse

from .instructions import COUNTED, in_instructions, pairs
from .seconds import steepest, table


def main() -> None:
    """Run as a program."""
    parser = argparse.ArgumentParser(prog="benchmarks.linear", description=__doc__)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--all", action="store_true", help="every input")
    mode.add_argument("--table", action="store_true", help="10^4 to 10^7 characters, in Markdown")
    mode.add_argument("--instructions", action="store_true", help="under valgrind")
    parser.add_argument("words", nargs="*", metavar="ENTRY", help="part of an entry point's name")
    asked = parser.parse_args()
    if asked.instructions:
        sizes = {
            name: 500
            for name in COUNTED
            if not asked.words or any(word in name for word in asked.words)
        }
        for count in sorted(in_instructions(pairs(sizes), 8), key=lambda count: -count.grown):
            print(
                f"{count.entry:25} {count.made:30} {count.large:12,} instructions  x{count.grown:.1f}"
            )
    else:
        lines = table(asked.words) if asked.table else steepest(asked.words, every=asked.all)
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    main()
