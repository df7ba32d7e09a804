"""A real proxy before several servers, with the blocks that docs/hosting.md prints."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.server.helpers import wait_for
from tests.web.site import block


@contextmanager
def proxy(kind: str, folder: Path, ports: list[int]) -> Iterator[int]:
    """nginx or Caddy, with the block of docs/hosting.md, before servers at these ports; its own port."""
    if not shutil.which(kind):
        pytest.skip(f"{kind} is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder.chmod(0o755)  # Debian's nginx has workers of another user
    servers = block("nginx-servers" if kind == "nginx" else "caddyfile-servers")
    for n, server in enumerate(ports):
        servers = servers.replace(f"10.0.0.1{n + 1}:8000", f"127.0.0.1:{server}")
    assert "10.0.0" not in servers
    if kind == "nginx":
        text = block("nginx")
        connection, location = text[: text.index("upstream")], text[text.index("    location /") :]
        places = "".join(
            f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "conf").write_text(
            f"daemon off; pid {folder}/pid; error_log {folder}/log; events {{ worker_connections 1024; }}"
            f"http {{ access_log off; {places}\n{connection}{servers}\n"
            f"server {{ listen 127.0.0.1:{port};\n{location}\n}}"
        )
        command = ["nginx", "-c", str(folder / "conf"), "-p", str(folder)]
    else:
        site = servers.replace("games.example", f"http://127.0.0.1:{port}", 1)
        (folder / "conf").write_text("{\n\tadmin off\n\tauto_https off\n}\n" + site)
        command = ["caddy", "run", "--config", str(folder / "conf"), "--adapter", "caddyfile"]
    process = subprocess.Popen(
        command, stderr=subprocess.DEVNULL, env={"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin"}
    )
    try:
        wait_for(lambda: answers(port), 30)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
    except httpx.TransportError:
        return False
