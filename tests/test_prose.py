"""Docstrings stand alone: each says in a few words what is returned or done, without pointing at its neighbour."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "cupboard"
SOURCES = [*sorted((ROOT / "src").rglob("*.py")), *sorted((ROOT / "bench").rglob("*.py")), ROOT / "web" / "demo.py"]
FEWEST_WORDS = 3


def docstrings(path: Path) -> Iterator[tuple[str, int, str]]:
    """The name, the line and the text of each docstring in a file, those under attributes and constants included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if (text := ast.get_docstring(node)) is not None:
                yield getattr(node, "name", path.stem), node.body[0].lineno, text
            for assigned, below in zip(node.body, node.body[1:], strict=False):
                if (
                    isinstance(assigned, ast.Assign | ast.AnnAssign)
                    and isinstance(below, ast.Expr)
                    and isinstance(below.value, ast.Constant)
                    and isinstance(below.value.value, str)
                ):
                    yield ast.unparse(assigned).partition("=")[0], below.lineno, below.value.value


def fault(text: str) -> str:
    """What is wrong with a docstring, or an empty text."""
    words = text.split()
    if len(words) < FEWEST_WORDS:
        return f"has {len(words)} word{'s' * (len(words) != 1)}"
    return 'begins with "The same"' if re.match(r"The same\b", text) else ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has 0 words"),
        ("Yes.", "has 1 word"),
        ("No\nnumbers.", "has 2 words"),
        ("The same, encoded as JSON.", 'begins with "The same"'),
        ("The update as JSON.", ""),
        ("Whether the same game is meant.", ""),
    ],
)
def test_a_fault_is_found(text: str, why: str) -> None:
    assert fault(text) == why


def test_the_docstrings_of_attributes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        '"""A."""\nX = 1\n"""B."""\nclass C:\n    """D."""\n    y: int\n    """E."""\n    def f(self):\n        ""\n'
    )
    assert [text for _, _, text in docstrings(path)] == ["A.", "B.", "D.", "E.", ""]


def test_every_docstring_says_something_by_itself() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {name} {why}: {text!r}"
        for path in SOURCES
        for name, line, text in docstrings(path)
        if (why := fault(text))
    ]
    assert not found, f"{len(found)} docstrings do not stand alone:\n" + "\n".join(found)


def test_every_package_says_what_it_is() -> None:
    packages = sorted(PACKAGE.rglob("__init__.py"))
    silent = [path for path in packages if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert packages and not silent
