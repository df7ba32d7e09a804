"""A server for the browser tests: `python tests/web/host.py FOLDER [PORT [PAGE [PAUSE [URL]]]]` prints its port."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

from cupboard.server import home_network
from cupboard.server.http import pages
from cupboard.server.run import serve
from cupboard.server.settings import ServerSettings

LAN = "127.0.0.2"
"""Stands for the address on the home network: to the server it is another one than 127.0.0.1."""


def main() -> None:
    """Serve with bots that answer almost at once; what is not compiled yet is waited for."""
    home_network.home_address = lambda: LAN
    folder = Path(sys.argv[1])
    if len(sys.argv) > 3:
        pages.PAGE = Path(sys.argv[3])
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    pause = float(sys.argv[4]) if len(sys.argv) > 4 else 0.05
    url = sys.argv[5] if len(sys.argv) > 5 else ""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("127.0.0.1", port))
    sock.listen(128)
    print(sock.getsockname()[1], flush=True)
    # CI starts with nothing compiled.
    settings = ServerSettings(data=folder, url=url, bot_pause=pause, think_seconds=0.5, warm=False, patience=180.0)
    serve(settings, sock)


if __name__ == "__main__":
    main()
