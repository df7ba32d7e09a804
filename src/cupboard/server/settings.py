"""The settings of a server, decided by the person who starts it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import platformdirs

from cupboard.server.errors import NoRoom


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings; all but the folder have a sensible default."""

    data: Path
    """The folder of the database."""
    durable: bool = False
    """Whether a move counts only when it would survive a power cut. A killed server loses nothing either way."""
    bot_pause: float = 0.35
    """Seconds before a bot moves, so that people can follow."""
    think_seconds: float = 4.0
    """How long a bot or a hint may think."""
    value_seconds: float = 1.0
    """How long a search for the value of a position may take."""
    analysis_seconds: float = 50.0
    """How long all searches of the analysis of a game may take together; a very long game takes longer."""
    simulation_seconds: float = 5.0
    """How long a simulation of nature's move may take; then the rules decide without it."""
    simulation_wait: float = 30.0
    """How long a simulation may wait for its turn; then the rules decide without it."""
    simulation_processes: int = 1
    """How many simulations run at once, each in a process of its own."""
    limited: bool = True
    """Whether clients that do too much are slowed down; off only for measuring."""
    rooms: int = 2000
    """How many tables nobody is looking at stay in memory."""
    warm: bool = True
    """Whether to get every game ready at the start; off, each is got ready when somebody asks for it."""
    patience: float = 10.0
    """Seconds for which a request waits for a game that is being compiled; then it is refused, and may come again."""
    compilers: int = 2
    """How many processes compile the games at once, the first time on a machine; no more than it has processors."""
    look_around: float = 0.5
    """Seconds between looks for what other servers wrote to the same database."""
    look_at_clocks: float = 5.0
    """Seconds between looks for clocks that may have run out at tables nobody has opened here."""
    hosts: tuple[str, ...] = ()
    """More names that browsers may call this server by; `*` for any. Its addresses and its own name are known."""
    header_seconds: float = 10.0
    """How long a client may take to send a request's headers, or to read a part of its answer."""
    body_seconds: float = 20.0
    """How long a client may take to send a request's body."""
    connections: int = 256
    """How many HTTP connections one address may have open: a class behind one router has six for each browser."""
    sockets: int = 128
    """How many tables' sockets one address may have open."""
    heartbeat: float = 20.0
    """Seconds of silence after which a socket is asked for a sign of life."""
    https: bool = False
    """Whether browsers reach us by https only: cookies are then marked Secure."""

    @property
    def database(self) -> Path:
        """The file of the database."""
        return self.data / "cupboard.db"


def data_folder() -> Path:
    """The folder of the database unless another is chosen; NoRoom for a user without a home."""
    try:
        folder = platformdirs.user_data_path("cupboard", appauthor=False)
    except RuntimeError:
        folder = Path("~")
    if not folder.is_absolute():  # some versions of platformdirs leave the "~" of a user without a home as it is
        raise NoRoom("There is no home folder to keep games in: say where with --data.")
    return folder
