"""Every benchmark, one after the other; each prints its own table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCRIPTS = (
    "core.py",
    "markdown_hosts.py",
    "pandoc_filter.py",
    "sphinx_build.py",
    "check.py",
    "linkcheck.py",
)


def main() -> int:
    failed = 0
    for script in SCRIPTS:
        print(f"== {script}", flush=True)
        failed += subprocess.run([sys.executable, str(HERE / script)], check=False).returncode != 0
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
