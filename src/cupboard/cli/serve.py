"""cupboard serve: the table in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Host = Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen: 0.0.0.0 lets the home network in.")]
Port = Annotated[int, typer.Option(metavar="N", min=1, max=65535, help="If it is taken, the next free one is used.")]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page.")]
Data = Annotated[
    Path | None, typer.Option(metavar="FOLDER", file_okay=False, help="Where games are kept; yours if not said.")
]
Https = Annotated[bool, typer.Option("--https", help="Browsers reach this server by https only, through a proxy.")]


def serve(
    host: Host = "127.0.0.1", port: Port = 8000, browser: Browser = True, data: Data = None, https: Https = False
) -> None:
    """Open the cupboard in a browser: play on this screen, with friends by a link, or against bots. Ctrl-C ends it."""
    import webbrowser

    from cupboard.cli.loading import building
    from cupboard.cli.terminal import say
    from cupboard.core.registry import find, names
    from cupboard.server import bots

    say("Opening the cupboard …")
    for name in names():
        game = find(name)
        with building(game.title):
            bots.warm_up(game())
    from cupboard.server.run import data_folder, lan_address, listen, qr_code, serve
    from cupboard.server.settings import Settings

    folder = data if data is not None else data_folder()
    with listen(host, port) as sock:
        taken = sock.getsockname()[1]
        everywhere = host in ("0.0.0.0", "::", "")
        here = "127.0.0.1" if everywhere else f"[{host}]" if ":" in host else host
        address = f"http://{here}:{taken}/"

        def started() -> None:
            if taken != port:
                say(f"Port {port} is taken.")
            say(f"The table is laid at {address}")
            if everywhere:
                shared = f"http://{lan_address()}:{taken}/"
                say(f"On the home network: {shared}")
                print(qr_code(shared))
            say("Ctrl-C ends it; games are kept.")
            if browser:
                webbrowser.open(address)

        serve(Settings(data=folder, https=https), sock, started)
    say("The cupboard is closed.")
