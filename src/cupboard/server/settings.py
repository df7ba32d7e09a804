"""The settings of a server, decided by the person who starts it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
import platformdirs

from cupboard.server.errors import NoRoom
from cupboard.server.public_url import PublicUrl, read_url

Days = Annotated[int, msgspec.Meta(ge=1, le=36_500)]
Seconds = Annotated[float, msgspec.Meta(ge=0.01, le=86_400)]
ShortSeconds = Annotated[float, msgspec.Meta(ge=0.001, le=86_400)]
Many = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Processes = Annotated[int, msgspec.Meta(ge=1, le=64)]
Limited = Literal[
    "tables",
    "address-tables",
    "logs",
    "address-logs",
    "pictures",
    "address-pictures",
    "lessons",
    "address-lessons",
    "strength",
    "address-strength",
    "readiness",
    "address-readiness",
    "boards",
    "address-boards",
    "hints",
    "address-hints",
    "analyses",
    "address-analyses",
    "evaluations",
    "address-evaluations",
    "class-codes",
    "address-class-codes",
    "classes",
    "rounds",
    "chat",
    "address-chat",
    "table-chat",
    "messages",
    "guests",
    "accounts",
    "sign-ins",
    "links",
    "codes",
    "address-codes",
    "admin",
    "faults",
    "network",
]
"""The things that are limited. A closed type, so that the type checker finds a misspelt name."""


class Section(msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """A section of the settings file; its keys are written with hyphens."""


class Rate(Section, frozen=True, kw_only=True):
    """How often something may be done."""

    at_once: Many
    """How many times in one go."""
    every: ShortSeconds
    """Seconds until one more is allowed."""


class LimitSettings(Section, frozen=True, kw_only=True):
    """How much one person, one table and one address may ask for."""

    profile: Literal["home", "school"] = "home"
    """The rates to start from: `school` lets a class of thirty behind one address play at once."""
    connections: Many | None = None
    """How many HTTP connections one address may have open; the profile's number if not said: a browser has six."""
    sockets: Many | None = None
    """How many tables' sockets one address may have open; the profile's number if not said."""
    rates: dict[Limited, Rate] = {}
    """Rates that differ from the profile's, by the name of what is limited."""

    @property
    def most_connections(self) -> int:
        """The cap on HTTP connections of one address."""
        return self.connections or _MOST[self.profile][0]

    @property
    def most_sockets(self) -> int:
        """The cap on tables' sockets of one address."""
        return self.sockets or _MOST[self.profile][1]


_MOST = {"home": (256, 128), "school": (512, 256)}
"""The caps on connections and on sockets in each profile: a class of thirty needs 180, and has its tables open in two
windows, when half of them still count because the network was lost."""


class PeopleSettings(Section, frozen=True, kw_only=True):
    """Who may make an account, what people may be called, and how long they are remembered."""

    sign_up: Literal["open", "closed", "code"] = "open"
    """Whether anybody may make an account, nobody, or whoever knows the class code."""
    class_code: str = ""
    """The code that lets people make an account when `sign_up` is `code`."""
    names: Literal["free", "list", "checked"] = "free"
    """Whether people choose their names freely, from a list, or freely but for words that are not wanted."""
    name_list: Path | None = None
    """A text file with a name on each line: the names to choose from, or the words that are not wanted. It is read anew
    when it has changed. There is no list of unwanted words to begin with: which they are depends on who plays."""
    guest_days: Days = 365
    """A guest who does not come back for so many days is forgotten: only the cookie knows who it was."""
    account_days: Days = 90
    """A person with an account must sign in again after so many days without a visit."""
    keep_guests_games: Annotated[int, msgspec.Meta(ge=0, le=36_500)] = 0
    """Days after which games that only guests and bots played are deleted; 0 keeps them."""


class LogSettings(Section, frozen=True, kw_only=True):
    """What the server writes to its log, and how."""

    format: Literal["plain", "json"] = "plain"
    """Lines for people, or one JSON object a line for programs."""
    slow_move: ShortSeconds = 1.0
    """Seconds after which answering a move is noted as slow."""
    slow_database: ShortSeconds = 1.0
    """Seconds after which a piece of work in the database is noted as slow."""
    sum_up: Seconds = 60.0
    """Seconds for which an event that is repeated is only counted; then one line says how often."""


class JobSettings(Section, frozen=True, kw_only=True):
    """The processes that do the heavy work beside the tables."""

    processes: Processes | None = None
    """How many bots above the quick levels think at once, each in a process of its own; one for each processor, and at
    least two, if not said. A process that is idle for a minute ends, all but one."""


class ServerSettings(Section, frozen=True, kw_only=True):
    """The settings; all but the folder have a sensible default."""

    data: Path
    """The folder of the database, unless that is elsewhere, and of what else the server keeps."""
    database: str = ""
    """The address of a database of PostgreSQL, such as postgresql://cupboard@db.example/cupboard; empty for a file of
    SQLite in the folder."""
    workers: Processes = 1
    """How many processes serve; more than one needs a database of PostgreSQL."""
    host: str = "127.0.0.1"
    """The address to listen on: 0.0.0.0 lets the home network in."""
    port: Annotated[int, msgspec.Meta(ge=1, le=65_535)] | None = None
    """The port to listen on; the first free one from 8000 on if not said."""
    socket: Path | None = None
    """A Unix socket to listen on instead of an address and a port."""
    url: str = ""
    """The address people reach this server by, such as https://games.example/cupboard/; empty for its own."""
    behind_proxy: tuple[str, ...] = ()
    """The addresses and networks of proxies whose word about who is asking is believed. `loopback` stands for this
    computer, `unix` for a Unix socket, which is always believed."""
    metrics: str = ""
    """The address and port at which figures for Prometheus are served, such as 127.0.0.1:9100; empty for none."""
    chat: Literal["free", "phrases", "off"] = "free"
    """Whether people at a table may write what they like, choose among phrases, or say nothing."""
    limits: LimitSettings = LimitSettings()
    people: PeopleSettings = PeopleSettings()
    log: LogSettings = LogSettings()
    jobs: JobSettings = JobSettings()
    durable: bool = False
    """Whether a move counts only when it would survive a power cut. A killed server loses nothing either way."""
    bot_pause: Annotated[float, msgspec.Meta(ge=0, le=60)] = 0.35
    """Seconds before a bot moves, so that people can follow."""
    think_seconds: Seconds = 4.0
    """How long a bot or a hint may think."""
    value_seconds: Seconds = 1.0
    """How long a search for the value of a position may take."""
    analysis_seconds: Seconds = 50.0
    """How long all searches of the analysis of a game may take together; a very long game takes longer."""
    simulation_seconds: Seconds = 5.0
    """How long a simulation of nature's move may take; then the rules decide without it."""
    simulation_wait: Seconds = 30.0
    """How long a simulation may wait for its turn; then the rules decide without it."""
    simulation_processes: Processes = 1
    """How many simulations run at once, each in a process of its own."""
    limited: bool = True
    """Whether clients that do too much are slowed down; off only for measuring."""
    rooms: Many = 2000
    """How many tables nobody is looking at stay in memory."""
    warm: bool = True
    """Whether to get every game ready at the start; off, each is got ready when somebody asks for it."""
    patience: Seconds = 10.0
    """Seconds for which a request waits for a game that is being compiled; then it is refused, and may come again."""
    compilers: Processes = 2
    """How many processes compile the games at once, the first time on a machine; no more than it has processors."""
    look_around: Seconds = 0.5
    """Seconds between looks for what other servers wrote to the same database."""
    look_at_clocks: Seconds = 5.0
    """Seconds between looks for clocks that may have run out at tables nobody has opened here."""
    hosts: tuple[str, ...] = ()
    """More names that browsers may call this server by; `*` for any. Its addresses and its own name are known."""
    look_for_old: Seconds = 3600.0
    """Seconds between looks for guests and games that are old enough to be forgotten."""
    header_seconds: Seconds = 10.0
    """How long a client may take to send a request's headers, or to read a part of its answer."""
    body_seconds: Seconds = 20.0
    """How long a client may take to send a request's body."""
    heartbeat: Seconds = 20.0
    """Seconds of silence after which a socket is asked for a sign of life."""
    https: bool = False
    """Whether browsers reach us by https only: cookies are then marked Secure."""

    @property
    def believed_proxies(self) -> tuple[str, ...]:
        """The proxies that are believed: with `https`, where one is needed, those on this computer if none is named."""
        return self.behind_proxy or (("loopback",) if self.https else ())

    @property
    def public_url(self) -> PublicUrl:
        """The address that people reach this server by; BadSettings when `url` makes no sense."""
        return read_url(self.url)

    @property
    def database_file(self) -> Path:
        """The file of the database, where it is SQLite's."""
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
