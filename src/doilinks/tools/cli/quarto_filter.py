#!/usr/bin/env python3
"""The filter of the Quarto extension: hands a document to the filter that is installed.

``doilinks quarto-extension`` copies this file. It runs in whatever Python is found first, so it
needs nothing but Python 3, and no package.
"""

import importlib
import shutil
import subprocess
import sys

PROGRAM = "pandoc-doilinks"
MISSING = (
    "doilinks: the extension for Quarto needs the package doilinks, which is not installed "
    'here; install it with: pip install "doilinks[pandoc]"'
)


def main() -> "int | str":
    """Run the program on the ``PATH``, as pandoc does, or else the package of this Python.

    Returns the exit code of the filter, or a message if doilinks is not installed.
    """
    program = shutil.which(PROGRAM)
    if program:
        return subprocess.run([program, *sys.argv[1:]], check=False).returncode  # noqa: S603  ours
    try:
        package = importlib.import_module("doilinks.pandoc")
    except ImportError:
        return MISSING
    return int(package.main())


if __name__ == "__main__":
    sys.exit(main())
