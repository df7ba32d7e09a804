"""cupboard serve: starts the server and opens its page in a browser."""

from __future__ import annotations

import os
import socket
import sys
import threading
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from cupboard.server.settings import ServerSettings

PORT = 8000
_WITHOUT_A_VALUE = {"--behind-proxy": "loopback,unix"}
"""Options that need no value, and what they mean without one."""


class ServeCommand(TyperCommand):
    """The command with options whose value may be left out, which Typer has not."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line after the values that were left out have been filled in."""
        following = [*args[1:], "-"]
        full = [
            f"{arg}={_WITHOUT_A_VALUE[arg]}" if arg in _WITHOUT_A_VALUE and after.startswith("-") else arg
            for arg, after in zip(args, following, strict=True)
        ]
        return super().parse_args(ctx, full)


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
    at_socket: Annotated[
        Path | None,
        typer.Option("--socket", metavar="PATH", help="Listen at this Unix socket instead: for a proxy beside it."),
    ] = None,
    browser: Annotated[
        bool | None,
        typer.Option("--browser/--no-browser", help="Open the page; if not said, where there is a screen."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", file_okay=False, help="Where games are kept; yours if not said.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="A database of PostgreSQL instead of a file: postgresql://user@host/name."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=64, help="Serve with N processes; needs PostgreSQL.")
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
    metrics: Annotated[
        str | None,
        typer.Option(
            "--metrics", metavar="ADDRESS:PORT", help="Where figures for Prometheus are, such as 127.0.0.1:9100."
        ),
    ] = None,
    log_format: Annotated[
        str | None, typer.Option("--log-format", metavar="plain|json", help="How the log on standard error is written.")
    ] = None,
    behind_proxy: Annotated[
        str | None,
        typer.Option(
            metavar="[ADDRESSES]",
            help="Believe these proxies who is asking (10.0.0.2,10.1.0.0/16); those on this computer if none is named.",
        ),
    ] = None,
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
        socket=at_socket,
        data=data,
        database=database,
        workers=workers,
        url=url,
        https=https or None,
        behind_proxy=None
        if behind_proxy is None
        else tuple(name.strip() for name in behind_proxy.split(",") if name.strip()),
        durable=durable or None,
        metrics=metrics,
        log=None if log_format is None else {"format": log_format},
        hosts=tuple(host_name) if host_name else None,
    )
    folder = chosen.data.absolute()
    chosen = msgspec.structs.replace(chosen, data=folder, hosts=(chosen.host, *chosen.hosts))
    make_folder(folder)
    keep_also_in(folder / "compiled")
    from cupboard.server.home_network import lan_address, qr_code
    from cupboard.server.run import serve
    from cupboard.server.systemd import inherited_socket, is_service
    from cupboard.server.workers import check_workers, serve_with_workers

    check_workers(chosen)
    if browser is None:
        browser = _has_screen()
    served = is_service()
    passed = inherited_socket()
    with _listener(chosen) if passed is None else passed as sock:
        is_unix = sock.family not in (socket.AF_INET, socket.AF_INET6)
        host, taken = ("", 0) if is_unix else sock.getsockname()[:2]
        everywhere = host in ("0.0.0.0", "::")
        here = "127.0.0.1" if everywhere else f"[{host}]" if ":" in host else host
        here = f"the socket {sock.getsockname()}" if is_unix else f"http://{here}:{taken}/"
        called = chosen.public_url.base
        address = f"{called}/" if called else here
        # In a thread: for some browsers the call returns only when they are closed.
        visit = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)

        def started() -> None:
            if is_unix and not called:
                say(f"The table is laid at {here}")
                return
            if passed is None and chosen.port is None and not is_unix and taken != PORT:
                say(f"Port {PORT} is taken.")
            say(f"The table is laid at {address}")
            if called:
                say(f"The server listens at {here}")
            shared = address if called else f"http://{lan_address()}:{taken}/" if everywhere else ""
            if shared and not called:
                say(f"On the home network: {shared}")
            if not served:  # nobody scans a code in a log
                if shared:
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

        if chosen.workers == 1:
            serve(chosen, sock, started, lambda words: say(str(words)), network_told)
        else:
            serve_with_workers(chosen, sock, started, say)
    say("The cupboard is closed.")


def _listener(chosen: ServerSettings) -> AbstractContextManager[socket.socket]:
    """The Unix socket to listen at, or a socket on the port."""
    from cupboard.server.errors import BadSettings
    from cupboard.server.run import listen
    from cupboard.server.unix_socket import listening_at

    if chosen.socket is None:
        return listen(chosen.host, PORT if chosen.port is None else chosen.port, strict=chosen.port is not None)
    if chosen.port is not None:
        raise BadSettings(f"A server listens at the socket {chosen.socket} or at port {chosen.port}, not at both.")
    return listening_at(chosen.socket)


def _has_screen() -> bool:
    """Whether somebody can see a browser that is opened here: not under systemd, nor on a machine without a display."""
    from cupboard.server.systemd import is_service

    if is_service():
        return False
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
