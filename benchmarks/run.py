"""Every benchmark, one after the other; each prints its own table. None needs a network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCRIPTS = (
    # What a user waits for.
    "tree.py",
    "start.py",
    "sphinx_build.py",
    "mkdocs_build.py",
    "pandoc_filter.py",
    "check.py",
    "linkcheck.py",
    # What that is made of.
    "markdown_hosts.py",
    "core.py",
)


def main() -> int:
    failed = 0
    for script in SCRIPTS:
        print(f"== {script}", flush=True)
        failed += subprocess.run([sys.executable, str(HERE / script)], check=False).returncode != 0
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
