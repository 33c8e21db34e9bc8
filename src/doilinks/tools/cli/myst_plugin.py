#!/usr/bin/env python3
"""The plug-in for mystmd: hands the tree of a page to doilinks, wherever it is installed.

``doilinks myst-plugin`` copies this file. It runs in whatever Python is found first, so it needs
nothing but Python 3, and no package. mystmd starts it for all pages at once, so a page in which
nothing can be linked is given back without another program.
"""

import re
import sys

MISSING = (
    "doilinks: the plug-in for mystmd needs the package doilinks, which is not installed "
    'here; install it with: pip install "doilinks[cli]"'
)
# Each name, identifier of arXiv and address contains one of these.
SIGN = re.compile(rb"10\.|//|doi|arxiv", re.IGNORECASE)


def main() -> "int | str":
    """Run the program on the ``PATH``, or else the package of this Python.

    Without an argument, mystmd asks what the plug-in contains. Returns the exit code, or a message
    if doilinks is not installed.
    """
    page = sys.stdin.buffer.read() if sys.argv[1:] else b""
    if sys.argv[1:] and not SIGN.search(page):
        sys.stdout.buffer.write(page)
        return 0
    # Late, because the pages that end above do not need them.
    import importlib.util
    import shutil
    import subprocess

    program = shutil.which("doilinks")
    command = [program] if program else [sys.executable, "-m", "doilinks"]
    if not program and importlib.util.find_spec("doilinks") is None:
        return MISSING
    command += ["myst-plugin", *(sys.argv[1:] or ["--spec"])]
    return subprocess.run(command, input=page, check=False).returncode  # noqa: S603  ours


if __name__ == "__main__":
    sys.exit(main())
