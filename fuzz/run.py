"""Fuzzes every target, several at a time, and prints what each has done.

``python -m fuzz.run --seconds 600`` takes that long for all of them together; words on the command
line pick targets. ``python -m fuzz.run --replay FILE`` runs one reproducer again.

Guided by coverage with atheris (libFuzzer); where atheris cannot be had, Hypothesis makes the
documents. Exits with 1 when a target has failed; the input is then in ``fuzz/crashes``, named for
its target.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
CRASHES = HERE / "crashes"
SLOWEST = 20  # seconds for one input
LARGEST = 1500  # bytes of one input


class Result(NamedTuple):
    """What one target has done."""

    target: str
    executions: int
    edges: str
    crash: Path | None
    output: str


def main() -> int:
    """Run as a program; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=600, help="for all targets together")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--replay", type=Path, metavar="FILE")
    parser.add_argument("--one", metavar="TARGET", help=argparse.SUPPRESS)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    given = parser.parse_args()
    if given.one:
        return _one(given.one, given.seconds, given.work)
    from .targets import TARGETS

    if given.replay:
        name = next(name for name in TARGETS if given.replay.name.startswith(name + "-"))
        TARGETS[name]()(given.replay.read_bytes())
        print(f"{given.replay}: {name} holds")
        return 0
    if wrong := [name for name in given.targets if name not in TARGETS]:
        parser.error(f"no such target: {', '.join(wrong)} (there are: {', '.join(TARGETS)})")
    names = given.targets or list(TARGETS)
    print(f"fuzzing with {_fuzzer()}: {len(names)} targets, {given.jobs} at a time", flush=True)
    each = max(5, given.seconds * given.jobs // len(names))
    CRASHES.mkdir(exist_ok=True)
    results = []
    folder = tempfile.TemporaryDirectory(prefix="doilinks-fuzz-")
    with folder as work, ThreadPoolExecutor(given.jobs) as pool:
        for result in pool.map(lambda name: _start(name, each, Path(work)), names):
            verdict = f"FAILED: {result.crash}" if result.crash else "held"
            print(
                f"  {result.target:12} {result.executions:>9,} executions, "
                f"{result.edges:>5} edges   {verdict}",
                flush=True,
            )
            results.append(result)
    failed = [result for result in results if result.crash]
    for result in failed:
        print(f"\n== {result.target}: python -m fuzz.run --replay {result.crash}\n{result.output}")
    total = sum(result.executions for result in results)
    print(
        f"{total:,} executions in {each} s a target, {len(failed)} of {len(results)} targets failed"
    )
    return 1 if failed else 0


def _fuzzer() -> str:
    try:
        import atheris  # noqa: F401  is it installed?
    except ImportError as error:
        version = ".".join(map(str, sys.version_info[:2]))
        return f"Hypothesis, for lack of atheris on Python {version} ({error})"
    return "atheris"


def _start(target: str, seconds: int, work: Path) -> Result:
    """Fuzz one target in a process of its own."""
    folder = work / target
    folder.mkdir()
    command = [sys.executable, "-m", __spec__.name, "--one", target, "--seconds", str(seconds)]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "TMPDIR": str(folder)}
    done = subprocess.run(
        [*command, "--work", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        env=environment,
        cwd=HERE.parent,
    )
    output = done.stdout.decode("utf-8", "backslashreplace")
    crash = None
    for file in sorted(folder.glob("crash-*")) + sorted(folder.glob("timeout-*")):
        crash = CRASHES / f"{target}-{file.name}"
        shutil.copy(file, crash)
    if done.returncode and crash is None:
        crash = CRASHES / f"{target}-no-input.txt"
        crash.write_text(output)
    executions = re.findall(r"number_of_executed_units: (\d+)|#(\d+)\t", output)
    edges = re.findall(r"cov: (\d+)", output)
    lines = [line for line in output.splitlines() if not re.match(r"#\d+\t|INFO:|MS: |0x", line)]
    return Result(
        target,
        max((int(one or two) for one, two in executions), default=0),
        edges[-1] if edges else "?",
        crash,
        "\n".join(lines[-40:]),
    )


def _one(target: str, seconds: int, work: Path) -> int:
    try:
        import atheris
    except ImportError:
        return _with_hypothesis(target, seconds, work)
    with atheris.instrument_imports(include=["doilinks"]):
        from .targets import SEEDS, TARGETS, WORDS

        run = TARGETS[target]()
        # What is imported when it is first needed is to be seen, too.
        with contextlib.suppress(Exception):
            run(b"\0See 10.1000/182.")
    corpus = work / "corpus"
    corpus.mkdir()
    for number, seed in enumerate(seeds_of(target, SEEDS)):
        (corpus / f"{number:05d}").write_bytes(seed)
    words = work / "words"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in WORDS))
    arguments = [
        sys.argv[0], str(corpus), f"-dict={words}", f"-max_total_time={seconds}",
        f"-artifact_prefix={work}/", f"-timeout={SLOWEST}", f"-max_len={LARGEST}",
        "-print_final_stats=1", "-rss_limit_mb=4096",
    ]  # fmt: skip
    atheris.Setup(arguments, run)
    atheris.Fuzz()
    return 0


def _escaped(word: str) -> str:
    return "".join(f"\\x{octet:02x}" for octet in word.encode("utf-8", "surrogatepass"))


def seeds_of(target: str, seeds: tuple[bytes, ...]) -> list[bytes]:
    extra = {
        "record": [
            b'\0{"responseCode":1,"handle":"10.1000/182","values":[{"type":"HS_ALIAS","data":'
            b'{"value":"10.1000/b"}}]}',
            b'\1{"responseCode":100,"handle":"10.1000/182"}',
        ],
        "lockfile": [
            b'{"version":1,"x":[1],"found":{"doi:10.1000/182":{"checked":"2026-11-20","y":1},'
            b'"doi:10/cr3qwn":{"checked":"2026-11-20","alias":"doi:10.1017/S01"}}}'
        ],
        "options": [
            b'{"display":"url","proxy":"https://a.example/","bare":"yes","ignore":["10.1/(a)"],'
            b'"check":false,"check_max_age":"30","check_retries":3}'
        ],
        "pandoc": [
            b"\0doi: \x0f10.1000/a|https://doi.org/10.1000/a \x0b<a::b> \x0810.1000/b \x0010.1000/c",
            b'{"pandoc-api-version":[1,23,1],"meta":{"doi-display":{"t":"MetaString","c":"name"}},'
            b'"blocks":[{"t":"Para","c":[{"t":"Str","c":"10.1000/a"}]}]}',
        ],
        "sources": [
            b'\0@a{b, doi = {10.1000/182}, url = "https://doi.org/10.1000/b"}',
            b'\0<p class="a">10.1000/a<a href="https://doi.org/10.1000/b">b</a><!-- 10.1000/c -->',
            b'\0{"cells":[{"cell_type":"markdown","source":["10.1000/a\\n","b"]}]}',
        ],
    }.get(target, [])
    # The first byte picks options.
    return [*extra, *(bytes([number % 256]) + seed for number, seed in enumerate(seeds))]


def _with_hypothesis(target: str, seconds: int, work: Path) -> int:
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    from .targets import SEEDS, TARGETS, WORDS

    run = TARGETS[target]()
    count, end = 0, time.monotonic() + seconds
    pieces = st.one_of(st.sampled_from(WORDS), st.text(max_size=4))
    words = st.lists(pieces, max_size=30).map(lambda p: "".join(p).encode("utf-8", "surrogatepass"))
    seeds = st.sampled_from(seeds_of(target, SEEDS))
    documents = st.one_of(st.tuples(st.binary(max_size=1), words), st.tuples(seeds, words))

    @settings(
        max_examples=500, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(documents.map(b"".join))
    def check(data: bytes) -> None:
        nonlocal count
        count += 1
        try:
            run(data)
        except BaseException:
            (work / "crash-hypothesis").write_bytes(data)
            raise

    while time.monotonic() < end:
        check()
    print(f"number_of_executed_units: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
