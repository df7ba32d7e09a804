"""The small boards of the first page: web/demo.py runs, and what it wrote is what the page reads."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from cupboard.core.changes import apply
from cupboard.core.registry import names
from cupboard.core.scene import Scene

WEB = Path(__file__).parents[2] / "web"


@pytest.fixture(scope="module")
def demo() -> ModuleType:
    spec = spec_from_file_location("demo", WEB / "demo.py")
    assert spec and spec.loader
    module = sys.modules["demo"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scenes(demo: ModuleType, path: Path) -> list[Scene]:
    """What the page shows of a file, one after the other."""
    out: list[Scene] = []
    for raw in msgspec.json.decode(path.read_bytes(), type=list[msgspec.Raw]):
        frame = msgspec.json.decode(raw, type=demo.Frame)
        assert (frame.scene is None) != (frame.change is None)
        out.append(frame.scene or apply(frame.change, out[-1]))
    return out


@pytest.mark.parametrize("name", names())
def test_every_game_has_a_stretch_to_show(name: str, demo: ModuleType, tmp_path: Path) -> None:
    demo.main([name], tmp_path)
    shown = scenes(demo, tmp_path / f"{name}.json")
    assert len(shown) > 1
    assert len({scene.pieces for scene in shown}) > 1


@pytest.mark.parametrize("path", sorted((WEB / "demos").iterdir()), ids=lambda path: str(path.stem))
def test_the_files_that_are_kept_show_the_boards_of_the_games(path: Path, demo: ModuleType) -> None:
    kept = scenes(demo, path)
    now = demo.game_to_show(path.stem).start().seen_by(None).scene()
    assert len(kept) > 1
    assert ground(kept[0]) == ground(now), f"run `python web/demo.py {path.stem}`"


def ground(scene: Scene) -> list[object]:
    """What never changes: the boards and their places."""
    standing = [part for part in scene.parts if part.role in ("board", "place")]
    cells = [[(cell.spot, cell.x, cell.y, cell.shape) for cell in part.cells] for part in standing]
    return [*cells, *[(part.id, part.outlines) for part in standing]]
