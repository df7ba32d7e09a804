"""Running the server: a free port, an address that people can type or scan, uvicorn, and a quiet end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import platform
import random
import signal
import socket
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any

import msgspec
import uvicorn

from cupboard import __version__
from cupboard.core.words import Words
from cupboard.server.administration.running import running_file
from cupboard.server.app import App, make_app
from cupboard.server.errors import Busy
from cupboard.server.http.forwarded import UNIX
from cupboard.server.http.network_access import Told
from cupboard.server.http.timeouts import TimedHTTP
from cupboard.server.http.visitor import network_of
from cupboard.server.settings import ServerSettings
from cupboard.server.socket.connection import MAX_MESSAGE, SERVICE_RESTART, SocketConnection
from cupboard.server.socket.handshake import Handshake
from cupboard.server.store.open_store import database_shown
from cupboard.server.systemd import Notifier
from cupboard.server.unix_socket import listening_at
from cupboard.server.watching.log import logging_to_stderr
from cupboard.server.watching.metrics_server import serving_metrics
from cupboard.server.watching.notes import Note
from cupboard.server.watching.watcher import Watcher

if TYPE_CHECKING:
    from cupboard.server.watching.meters import Meters

_LOG = logging.getLogger(__name__)

_PORTS_TRIED = 100
_SECONDS_TO_ACCEPT = 0.05
_SECONDS_TO_SEND_AWAY = 1.5
_MOST_BETWEEN = 0.1
"""Seconds between two sockets that are closed."""


def listen(host: str, port: int, *, strict: bool = False) -> socket.socket:
    """A socket on the port, or on the next one that is free; on no other when it is `strict`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + (1 if strict else _PORTS_TRIED), 65_536)):
        # Said to be TCP, or asyncio would not send small answers at once.
        sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, candidate))
            sock.listen(2048)
        except OSError as error:
            sock.close()
            if isinstance(error, PermissionError) or error.errno in _NOT_ABOUT_THE_PORT:
                raise Busy(f"Cannot listen on {host}: {error.strerror}.") from error
            continue
        return sock
    if strict:
        raise Busy(f"Port {port} on {host} is taken. Name another with --port, or none: then a free one is found.")
    raise Busy(f"No port from {port} on is free on {host}.")


_NOT_ABOUT_THE_PORT = {-2, -3, -5, 99, 49}  # names that do not resolve, addresses that are not ours


def serve(
    settings: ServerSettings,
    sock: socket.socket,
    started: Callable[[], Any] = lambda: None,
    announce: Callable[[Words], Any] = lambda words: None,
    network_told: Told = lambda _: None,
) -> None:
    """Serve until Ctrl-C. `started` is called when requests are answered, `announce` when games are compiled.

    `network_told` is told the address when the host lets the home network in, and an empty string when it is sent away.
    """
    with logging_to_stderr(settings.log):
        _serve(settings, sock, started, announce, network_told)


def _serve(
    settings: ServerSettings,
    sock: socket.socket,
    started: Callable[[], Any],
    announce: Callable[[Words], Any],
    network_told: Told,
) -> None:
    is_unix = sock.family not in (socket.AF_INET, socket.AF_INET6)
    if is_unix:
        settings = msgspec.structs.replace(settings, behind_proxy=tuple(dict.fromkeys((*settings.behind_proxy, UNIX))))
    notifier = Notifier()

    def announced(words: Words) -> None:
        notifier.tell(STATUS=str(words))
        announce(words)

    with _metrics(settings.metrics) as meters:
        app = make_app(settings, Watcher(settings.log, meters))
        app.services.tables.readiness.announce = announced
        config = uvicorn.Config(
            app,
            lifespan="on",
            h11_max_incomplete_event_size=16_384,  # bytes of headers; 64 kB of tiny ones take 40 ms to read
            http=partial(  # type: ignore[arg-type]
                TimedHTTP,
                limit=app.connections,
                proxies=app.proxies,
                seconds=settings.header_seconds,
                refused=lambda address: app.services.watcher.connection_refused(network_of(address)),
            ),
            ws=Handshake,
            ws_max_size=MAX_MESSAGE,
            ws_ping_interval=None,  # SocketConnection has a heartbeat of its own
            ws_per_message_deflate=False,  # it would take more memory than all the rest of a table
            proxy_headers=False,  # Proxies reads them: uvicorn knows no Unix sockets and no RFC 7239
            server_header=False,
            date_header=False,
            log_config=None,  # what it logs goes where everything does
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=2,
        )
        server = _Server(config, app, notifier)
        if not is_unix and settings.workers == 1:
            app.services.network.begin(sock.getsockname()[:2], server, network_told)
        _LOG.info(_start(settings, sock))
        try:
            with (
                _own_socket(settings) as own,
                running_file(settings.data, own or sock, settings.url, app.services.shell_key),
            ):
                asyncio.run(server.run_on([sock, own] if own else [sock], started))
        finally:
            _LOG.info(Note("server-stopped", version=__version__))


@contextlib.contextmanager
def _metrics(address: str) -> Iterator[Meters | None]:
    """The figures, served within this; None without an address. Their library is loaded only where they are wanted."""
    if not address:
        yield None
        return
    from cupboard.server.watching.meters import Meters

    meters = Meters()
    logging.getLogger().addHandler(meters)
    try:
        with serving_metrics(address, meters.registry):
            yield meters
    finally:
        logging.getLogger().removeHandler(meters)


@contextlib.contextmanager
def _own_socket(settings: ServerSettings) -> Iterator[socket.socket | None]:
    """Where several processes share a socket, one more that leads to this process: for the shell beside it."""
    if settings.workers == 1:
        yield None
        return
    path = settings.data / f"running-{os.getpid()}.sock"
    with contextlib.ExitStack() as stack:
        try:
            own = stack.enter_context(listening_at(path))
        except Busy as error:  # the path is too long, perhaps
            _LOG.warning(Note("own-socket-failed", why=str(error)))
            own = None
        yield own


def _start(settings: ServerSettings, sock: socket.socket) -> Note:
    """The event of the start, with the settings that matter to whoever reads the log."""
    name = sock.getsockname()
    return Note(
        "server-started",
        version=__version__,
        listens=f"{name[0]}:{name[1]}" if isinstance(name, tuple) else name,
        database=database_shown(settings),
        python=platform.python_version(),
        pid=os.getpid(),
        url=settings.url,
        behind_proxy=",".join(settings.behind_proxy) or settings.https,
        metrics=settings.metrics,
        durable=settings.durable,
        limits=settings.limits.profile if settings.limited else "off",
    )


class _Server(uvicorn.Server):
    """uvicorn's server, which calls back when it has started and ends quietly on Ctrl-C. It tells systemd of both."""

    def __init__(self, config: uvicorn.Config, app: App, notifier: Notifier) -> None:
        super().__init__(config)
        self._app = app
        self._notifier = notifier

    async def run_on(self, socks: list[socket.socket], started: Callable[[], Any]) -> None:
        self._wish = asyncio.Event()
        serving = asyncio.create_task(self.serve(socks))
        while not self.started and not serving.done():
            await asyncio.sleep(0.01)
        alive = asyncio.create_task(self._notifier.keep_alive())
        if self.started:
            self._notifier.tell(READY="1", STATUS="Requests are answered.")
            await asyncio.to_thread(started)
        await serving
        alive.cancel()

    async def listen_also(self, host: str, port: int) -> int:
        """Listen on an address more, and return the port: the next free one if this one is taken. Busy if none is."""
        sock = listen(host, port)
        loop = asyncio.get_running_loop()
        server = await loop.create_server(self._make_protocol, sock=sock, backlog=self.config.backlog)
        self.servers.append(server)
        return int(sock.getsockname()[1])

    def _make_protocol(self) -> asyncio.Protocol:
        return self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    async def stop_listening(self, host: str, port: int) -> None:
        """Listen there no longer, and end the connections that came that way."""
        for server in list(self.servers):
            if any(sock.getsockname()[:2] == (host, port) for sock in server.sockets):
                self.servers.remove(server)
                server.close()
        await asyncio.sleep(_SECONDS_TO_ACCEPT)  # who was let in at the last moment is ended, too
        for connection in list(self.server_state.connections):
            name = connection.transport.get_extra_info("sockname")
            if name is not None and name[:2] == (host, port):
                connection.shutdown()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for wish in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(wish, self.handle_exit, wish, None)
        yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._notifier.tell(STOPPING="1", STATUS="The server is ending.")
        self._app.begin_to_drain()
        self._wish.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody in, give the tables to other servers if there are any, then end what is left."""
        for server in self.servers:
            server.close()
        cluster = self._app.services.cluster
        if not self.force_exit:
            await cluster.leave()
            if cluster.servers > 1:
                await self._send_away()
        await super().shutdown(sockets)

    async def _send_away(self) -> None:
        """Close the tables' sockets one after the other, so that not all players knock at the other servers at once."""
        leaving = [one for one in self.server_state.connections if isinstance(one, SocketConnection)]
        random.shuffle(leaving)
        for one in leaving:
            if self.force_exit:
                return
            one.close(SERVICE_RESTART, "")
            await asyncio.sleep(min(_MOST_BETWEEN, _SECONDS_TO_SEND_AWAY / len(leaving)))

    async def main_loop(self) -> None:
        # uvicorn's own looks ten times a second, whether it is to stop and for things that we do not use.
        await self._wish.wait()
