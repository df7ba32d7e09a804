"""Mutation testing: puts small faults into a copy of the code, one at a time, and reports how many the tests notice.

    uv run python bench/mutate.py server --count 40 --seed 7

Draws a fresh sample for each seed: every line of the area is equally likely. The working tree is never touched. The
tests nearest to the faulty file run first, the rest of the area's tests only when those pass. Ctrl-C keeps what was
done, and the same command goes on there. bench/python_faults.py and bench/typescript_faults.py say what a fault is.

Why neither mutmut nor cosmic-ray: mutmut calls every function through a switch that numba cannot compile and keeps
all faults in one process, while our server's tests start their own; cosmic-ray changes the working tree, runs one
command for everything and knows nothing of numba's caches. Neither reads TypeScript.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from cupboard.arena.ratings import score_interval

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.python_faults import Fault, faults_in_python  # noqa: E402
from bench.sandbox import Area, Case, TreeCopy  # noqa: E402
from bench.typescript_faults import faults_in_typescript  # noqa: E402

EQUIVALENT = ROOT / "bench" / "equivalent.txt"
"""Faults known to change no behaviour, one on a line: `file | the faulty line | why`."""


AREAS = {
    "core": Area(
        files=("src/cupboard/core/*.py",),
        tests=(
            "tests/core",
            "tests/test_every_game.py",
            "tests/cli/test_looking.py",
            "src/cupboard/games/jumping_cups",
            "docs/python.md",
        ),
        usual=("tests/core",),
        # Helpers of the tests themselves.
        without=("src/cupboard/core/testing.py",),
    ),
    "games": Area(
        files=("src/cupboard/games/*/*.py",),
        tests=(
            "src/cupboard/games",
            "tests/test_every_game.py",
            "tests/test_every_position.py",
            "tests/players/test_oracles.py",
        ),
        # Reference rules are tests. Opinions and how they are fitted are measured by the arena, not tested.
        without=("**/test_*.py", "**/reference.py", "**/evaluate.py", "**/weight_fitting.py"),
    ),
    "server": Area(
        files=("src/cupboard/server/**/*.py",),
        tests=("tests/server",),
        usual=(
            "tests/server/table/test_state.py",
            "tests/server/table/test_room.py",
            "tests/server/table/test_updates.py",
            "tests/server/table/test_play.py",
        ),
        without=("src/cupboard/server/http/api_page.py", "src/cupboard/server/store/migrations/**/*.py"),
    ),
    "page": Area(
        files=("web/src/**/*.ts", "web/src/**/*.svelte"),
        tests=(),
        # How a knock sounds is a matter of taste.
        without=("**/*.test.ts", "web/src/wire.gen.ts", "web/src/test/*", "web/src/main.ts", "web/src/lib/sound.ts"),
    ),
}


# The sample.


def draw(area: Area, seed: int, count: int, only: str = "") -> list[Case]:
    """A random sample of `count` faults, at most one on a line. Every line that has a fault is equally likely."""
    places: list[list[Case]] = []
    same = _equivalent()
    for path in _files(area):
        name = path.relative_to(ROOT).as_posix()
        if only not in name:
            continue
        source = path.read_text(encoding="utf-8")
        lines: dict[int, list[Case]] = {}
        for fault in _faults(path, source):
            case = _case(name, source, fault)
            if (case.file, case.after) not in same:
                lines.setdefault(fault.line, []).append(case)
        places += lines.values()
    rng = random.Random(seed)
    return [rng.choice(place) for place in rng.sample(places, min(count, len(places)))]


def _files(area: Area) -> list[Path]:
    found = {path for pattern in area.files for path in ROOT.glob(pattern)}
    return sorted(found - {path for pattern in area.without for path in ROOT.glob(pattern)})


def _faults(path: Path, source: str) -> list[Fault]:
    if path.suffix == ".py":
        return faults_in_python(source)
    return faults_in_typescript(source, svelte=path.suffix == ".svelte")


def _case(name: str, source: str, fault: Fault) -> Case:
    start = source.rfind("\n", 0, fault.start) + 1
    end = source.find("\n", fault.end)
    before = source[start : end if end >= 0 else len(source)]
    after = before[: fault.start - start] + fault.text + before[fault.end - start :]
    return Case(name, fault.line, fault.kind, _flat(before), _flat(after), fault.start, fault.end, fault.text)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _equivalent() -> set[tuple[str, str]]:
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines() if EQUIVALENT.exists() else []
    parts = [line.split(" | ") for line in lines if line.strip() and not line.startswith("#")]
    for part in parts:
        if len(part) < 3:
            raise SystemExit(f"{EQUIVALENT.name}: {' | '.join(part)!r} lacks its reason: file | faulty line | why.")
    return {(part[0].strip(), " | ".join(part[1:-1]).strip()) for part in parts}


# The run.


def measure(area: Area, cases: Sequence[Case], journal: Path, near: bool = False) -> Iterator[Case]:
    """Yield each case with its result. Cases in the journal are not run again; `near` runs the nearest tests only."""
    journal.parent.mkdir(parents=True, exist_ok=True)
    lines = journal.read_text(encoding="utf-8").splitlines() if journal.exists() else []
    done = {case.key: case for case in (Case(**json.loads(line)) for line in lines)}
    yield from [done[case.key] for case in cases if case.key in done]
    left = [case for case in cases if case.key not in done]
    if not left:
        return
    with tempfile.TemporaryDirectory(prefix="cupboard-mutate-") as folder, journal.open("a", encoding="utf-8") as file:
        copy = TreeCopy(ROOT, Path(folder), area, near)
        for case in left:
            copy.check(case.file)
            tried = copy.try_out(case)
            file.write(json.dumps(asdict(tried)) + "\n")
            file.flush()
            yield tried


def report(console: Console, area: str, tried: Sequence[Case]) -> None:
    """Print the faults that no test noticed, and the share of those noticed."""
    noticed = sum(case.noticed is True for case in tried)
    for case in sorted((case for case in tried if not case.noticed), key=lambda case: (case.file, case.line)):
        console.print(f"{case.file}:{case.line}  {case.kind}", style="bold", markup=False, highlight=False)
        console.print(f"  - {case.before}\n  + {case.after}", markup=False, highlight=False)
    if tried:
        share = score_interval([[float(case.noticed is True) for case in tried]])
        told = f"{share.value:.0%} ({share.low:.0%} to {share.high:.0%})"
        console.print(f"{area}: the tests noticed {noticed} of {len(tried)} faults, {told}.", highlight=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, test the sample, print the report, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("area", choices=AREAS)
    parser.add_argument("--count", type=int, default=40, help="how many faults (default 40)")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws another sample")
    parser.add_argument("--only", default="", help="only files whose path contains this")
    parser.add_argument(
        "--near", action="store_true", help="only the tests nearest to each file: a lower bound, quickly"
    )
    parser.add_argument("--journal", type=Path, help="where results are kept (default mutants/AREA-SEED.jsonl)")
    given = parser.parse_args(arguments)
    if given.count < 1:
        parser.error("--count must be at least 1.")
    area = AREAS[given.area]
    cases = draw(area, given.seed, given.count, given.only)
    if not cases:
        parser.error(f"no file of {given.area} has {given.only!r} in its path.")
    journal = given.journal or ROOT / "mutants" / f"{given.area}-{given.seed}.jsonl"
    console, tried, stopped = Console(), [], False
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(given.area, total=len(cases))
        try:
            for case in measure(area, cases, journal, given.near):
                tried.append(case)
                unnoticed = sum(not one.noticed for one in tried)
                bar.update(task, advance=1, description=f"{given.area}: {unnoticed} unnoticed")
        except KeyboardInterrupt:
            stopped = True
    report(console, given.area, tried)
    if stopped:
        console.print(f"Stopped. {journal} keeps what was done; the same command goes on there.", highlight=False)
    return 130 if stopped else 0


if __name__ == "__main__":
    raise SystemExit(main())
