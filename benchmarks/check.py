"""10,000 distinct names against a loopback Handle API with 50 ms latency, in its own process.

Prints wall time against the ideal (names × latency / concurrency), requests, the most at once, and
the memory that the check adds at its peak (cold); then the same again with the lock file (warm).

    python benchmarks/check.py [--names 10000] [--latency 0.05] [--tls] [--works] [CONCURRENCY ...]

``--works`` also asks the agencies of the same server what each name stands for, and compares.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PART = """
import json, resource, sys, time
from pathlib import Path
from doilinks import DOI, Found
from doilinks.core.options import Options
from doilinks.check import check, Outcome
api, concurrency, names, root = sys.argv[1], *map(int, sys.argv[2:4]), Path(sys.argv[4])
works = sys.argv[5] == "works"
dois = [DOI(f"10.1000/name.{n:05}") for n in range(names)]
text = "Paskin, N. (2000). DOI handbook of names. "
places = [
    Found(doi, file=f"{n // 20}.md", line=n % 20 + 1, around=text + doi.name)
    for n, doi in enumerate(dois)
]
options = Options(
    check="error", check_api=api, check_concurrency=concurrency,
    check_works="error" if works else "off",
    check_works_api=api.replace("api/handles/", "agencies/"),
)
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before, start, cpu = peak(), time.perf_counter(), time.process_time()
report = check(places, options, root=root)
print(json.dumps({
    "wall": time.perf_counter() - start, "cpu": time.process_time() - cpu,
    "requests": report.requests, "found": report.count(Outcome.FOUND), "problems": len(report.problems),
    "before": before, "peak": peak(),
}))
"""


RECORD = {
    "url": "https://example.org/",
    "work": {
        "title": "DOI Handbook of Names",
        "author": [{"family": "Paskin"}],
        "issued": {"date-parts": [[2000]]},
    },
}


def run(api: str, concurrency: int, names: int, root: Path, *, works: bool) -> dict[str, float]:
    command = [sys.executable, "-c", PART, api, str(concurrency), str(names), str(root)]
    command.append("works" if works else "")
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def measure(concurrency: int, names: int, latency: float, *, tls: bool, works: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "records.json").write_text(json.dumps({"*": RECORD}))
        command = [sys.executable, "-m", "tests.tools.handle_api", str(root / "records.json")]
        command += ["--latency", str(latency), *(["--tls"] if tls else [])]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY)
        try:
            api = server.stdout.readline().strip()
            if tls:
                os.environ["SSL_CERT_FILE"] = server.stdout.readline().strip().partition("=")[2]
            first = run(api, concurrency, names, root, works=works)
            second = run(api, concurrency, names, root, works=works)
            most = "-"
            if not tls:
                with urllib.request.urlopen(api.removesuffix("api/handles/")) as answer:
                    most = json.load(answer)["most_at_once"]
        finally:
            server.terminate()
            server.wait()
    ideal = names * (2 if works else 1) * latency / concurrency
    print(
        f"| {concurrency} | {ideal:.1f} s | {first['wall']:.1f} s | {first['wall'] / ideal:.2f} | "
        f"{first['cpu']:.1f} s | {first['requests']} | {most} | "
        f"{first['peak'] - first['before']:.0f} MiB (of {first['peak']:.0f}) | "
        f"{second['wall']:.2f} s | {second['requests']} | "
        f"{second['peak'] - second['before']:.0f} MiB |",
        flush=True,
    )
    if first["found"] != names or second["requests"] or first["problems"] or second["problems"]:
        sys.exit("wrong: not every name was found, the second run asked, or there was a problem")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("concurrency", nargs="*", type=int, default=[8, 32])
    parser.add_argument("--names", type=int, default=10_000)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--tls", action="store_true", help="https and HTTP/2")
    parser.add_argument("--works", action="store_true", help="ask for works too, and compare")
    given = parser.parse_args()
    print(f"{given.names} names, {given.latency * 1000:.0f} ms, {time.strftime('%Y-%m-%d')}\n")
    print(
        "| at once | ideal | cold: wall | ratio | CPU | requests | most at once | memory "
        "| warm: wall | requests | memory |"
    )
    print("|--:" * 11 + "|")
    for concurrency in given.concurrency:
        measure(concurrency, given.names, given.latency, tls=given.tls, works=given.works)


if __name__ == "__main__":
    main()
