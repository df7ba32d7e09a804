"""The command that asks whether the tests notice: which faults it makes, and that it leaves the tree alone."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from bench import mutate  # noqa: E402
from bench.python_faults import faults_in_python  # noqa: E402
from bench.sandbox import Area, importers  # noqa: E402
from bench.typescript_faults import faults_in_typescript  # noqa: E402


def wrong_lines(source: str) -> set[str]:
    """The source with each fault in it, one line each."""
    return {" ".join(fault.apply(source).split()) for fault in faults_in_python(source)}


@pytest.mark.parametrize(
    ("sound", "faulty"),
    [
        ("x = a < b", "x = a <= b"),
        ("x = a in b", "x = a not in b"),
        ("x = a and b", "x = (a or b)"),
        ("x = not a", "x = (a)"),
        ("x = 9 + y", "x = 10 + y"),
        ("x = y - z", "x = (y + z)"),
        ("f(a, b)", "f(b, a)"),
        ("f(a)", "pass"),
        ("a.b = c", "pass"),
        ("if f(a): g = 'words'", "if (not (f(a))): g = 'words'"),
        ("def f(a=True): return a", "def f(a=False): return a"),
        ("def f(a): return a", "def f(a): return None"),
        ("raise E('words')", "pass"),
        ("é, x = 'ü', a < b", "é, x = 'ü', a <= b"),
    ],
)
def test_faults_in_python_are_small(sound: str, faulty: str) -> None:
    assert faulty in wrong_lines(sound)


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring of 7 words."""',
        "x: Annotated[int, 3]",
        "_LOG.info('words', 7)",
        "@lru_cache(1 << 13)\ndef f(a): ...",
        "class A(Struct, gc=False): ...",
        "__slots__ = ('a',)",
        "assert a == 3",
        "x = 'words' + f'{a}'",
    ],
)
def test_words_types_logs_and_caches_are_left_alone(source: str) -> None:
    assert faults_in_python(source) == []


def test_every_fault_of_our_own_code_can_be_read_by_python() -> None:
    source = (ROOT / "src/cupboard/server/table/state.py").read_text(encoding="utf-8")
    found = faults_in_python(source)
    assert len({fault.kind for fault in found}) >= 8
    for fault in found:
        ast.parse(fault.apply(source))


def test_faults_in_typescript_leave_words_types_and_imports_alone() -> None:
    source = """import { a } from "./b-1";
// 1 < 2
const far: Map<string, number> = new Map<string, number>();
const text = `1 + 2 ${here + 1}`;
if (far === 3 && !x) sound("1");
  this.at = null;
const found = /1 < 2/.exec(text);
"""
    found = {(fault.line, source[fault.start : fault.end], fault.text) for fault in faults_in_typescript(source)}
    assert found == {
        (4, "+", "-"),
        (4, "1", "2"),
        (5, "===", "!=="),
        (5, "3", "4"),
        (5, "&&", "||"),
        (5, "!", ""),
        (6, "this.at = null;", ";"),
    }


def test_only_the_script_of_a_component_is_made_faulty() -> None:
    source = '<script lang="ts">\n  let a = b > 1;\n</script>\n<p>{a > 2}</p>\n<style>p { top: 3px }</style>\n'
    found = {(fault.line, source[fault.start : fault.end]) for fault in faults_in_typescript(source, svelte=True)}
    assert found == {(2, ">"), (2, "1")}


def test_a_seed_draws_the_same_sample_and_another_seed_another() -> None:
    area = mutate.AREAS["server"]
    first = mutate.draw(area, 1, 30)
    assert first == mutate.draw(area, 1, 30) != mutate.draw(area, 2, 30)
    assert len({(case.file, case.line) for case in first}) == 30
    assert {case.file for case in mutate.draw(area, 1, 30, "table/state")} == {"src/cupboard/server/table/state.py"}


def test_what_compiled_code_is_made_of_is_found_through_imports() -> None:
    source = ROOT / "src"
    found = importers(source)
    game = source / "cupboard/games/jumping_cups"
    assert {game / "kernel.py", game / "evaluate.py"} <= found[game / "kernel.py"]
    assert game / "kernel.py" in found[source / "cupboard/core/row.py"]
    assert source / "cupboard/games/double_dutch/kernel.py" not in found[game / "kernel.py"]


def test_a_fault_is_noticed_in_a_copy_and_the_journal_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree of one module and one test, in which a fault in the tested half is noticed and the other is not."""
    tree = tmp_path / "project"
    (tree / "src").mkdir(parents=True)
    (tree / "tests").mkdir()
    source = "def less(a, b):\n    return a < b\n\n\ndef more(a, b):\n    return a > b\n"
    (tree / "src/small.py").write_text(source)
    (tree / "tests/test_small.py").write_text(
        "from small import less\n\ndef test_it():\n    assert less(1, 2) is True and less(2, 2) is False\n"
    )
    subprocess.run(["git", "init", "-q"], cwd=tree, check=True)
    monkeypatch.setattr(mutate, "ROOT", tree)
    area = Area(files=("src/*.py",), tests=("tests",))
    journal = tmp_path / "journal.jsonl"
    cases = mutate.draw(area, 1, 10)
    tried = list(mutate.measure(area, cases, journal))
    assert {case.line: case.noticed for case in tried} == {2: True, 6: False}
    assert (tree / "src/small.py").read_text() == source
    kept = journal.read_text()
    assert [json.loads(line)["noticed"] for line in kept.splitlines()] == [case.noticed for case in tried]
    assert list(mutate.measure(area, cases, journal)) == tried and journal.read_text() == kept, "nothing is tried twice"


@pytest.mark.parametrize("arguments", [["kitchen"], ["core", "--count", "0"], ["core", "--only", "no such file"]])
def test_bad_arguments_get_a_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        mutate.main(arguments)
    assert stopped.value.code == 2 and "error:" in capsys.readouterr().err


def test_the_share_comes_with_its_doubt() -> None:
    console = Console(record=True, width=100)
    case = mutate.draw(mutate.AREAS["core"], 1, 1)[0]
    mutate.report(console, "core", [replace(case, noticed=n < 36) for n in range(40)])
    assert "noticed 36 of 40 faults, 90% (77% to 96%)" in console.export_text()
