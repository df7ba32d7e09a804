"""cupboard serve: starts the server and opens its page in a browser."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Annotated

import typer

PORT = 8000


def serve(
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where to listen: 0.0.0.0 lets the home network in.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=65535, help=f"This one or none. If not said, the first free from {PORT} on."
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page.")] = True,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", file_okay=False, help="Where games are kept; yours if not said.")
    ] = None,
    settings: Annotated[
        Path | None, typer.Option(metavar="FILE", dir_okay=False, help="A file of settings; options go before it.")
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="What people call this server, as in https://games.example/cupboard/."),
    ] = None,
    https: Annotated[
        bool, typer.Option("--https", help="Browsers reach this server by https only, through a proxy.")
    ] = False,
    durable: Annotated[
        bool, typer.Option("--durable", help="Wait for the disk after every move: then a power cut loses none either.")
    ] = False,
    host_name: Annotated[
        list[str] | None,
        typer.Option("--host-name", metavar="NAME", help="Also answer to this name; * for any name."),
    ] = None,
) -> None:
    """Open the cupboard in a browser: play on this screen, with friends by a link, or against bots. Ctrl-C ends it."""
    import webbrowser

    import msgspec

    from cupboard.cli.terminal import say

    say("Opening the cupboard …")
    from cupboard.core.sources import keep_also_in
    from cupboard.server.settings_file import read_settings
    from cupboard.server.store.permissions import make_folder

    chosen = read_settings(
        settings,
        host=host,
        port=port,
        data=data,
        url=url,
        https=https or None,
        durable=durable or None,
        hosts=tuple(host_name) if host_name else None,
    )
    folder = chosen.data.absolute()
    chosen = msgspec.structs.replace(chosen, data=folder, hosts=(chosen.host, *chosen.hosts))
    make_folder(folder)
    keep_also_in(folder / "compiled")
    from cupboard.server.home_network import lan_address, qr_code
    from cupboard.server.run import listen, serve

    wanted = PORT if chosen.port is None else chosen.port
    with listen(chosen.host, wanted, strict=chosen.port is not None) as sock:
        taken = sock.getsockname()[1]
        everywhere = chosen.host in ("0.0.0.0", "::", "")
        here = "127.0.0.1" if everywhere else f"[{chosen.host}]" if ":" in chosen.host else chosen.host
        here = f"http://{here}:{taken}/"
        called = chosen.public_url.base
        address = f"{called}/" if called else here
        # In a thread: for some browsers the call returns only when they are closed.
        visit = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)

        def started() -> None:
            if taken != wanted:
                say(f"Port {wanted} is taken.")
            say(f"The table is laid at {address}")
            if called:
                say(f"The server listens at {here}")
                print(qr_code(address))
            elif everywhere:
                shared = f"http://{lan_address()}:{taken}/"
                say(f"On the home network: {shared}")
                print(qr_code(shared))
            say("Ctrl-C ends it; games are kept.")
            if browser:
                visit.start()

        def network_told(shared: str) -> None:
            if shared:
                say(f"The home network is let in: {shared}/")
                print(qr_code(f"{shared}/"))
            else:
                say("The home network is sent away; only this computer can play.")

        serve(chosen, sock, started, lambda words: say(str(words)), network_told)
    say("The cupboard is closed.")
