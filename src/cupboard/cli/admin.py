"""cupboard admin: what is going on at a server, and the verbs of whoever keeps it in order.

Everything works on the database, whether servers are running or not: they follow what is written there. Only who is
connected is known to a running server alone; those of the data folder are asked.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

from cupboard.cli.database import DatabaseUrl
from cupboard.cli.terminal import confirm, print_table, say

if TYPE_CHECKING:
    from cupboard.server.administration.administration import Administration, By
    from cupboard.server.administration.running import Running
    from cupboard.server.settings import ServerSettings
    from cupboard.server.store.store import Store
    from cupboard.server.wire.administration import AdminClass, AdminNow, AdminPerson, AdminTable

T = TypeVar("T")
BY: By = "shell"

app = typer.Typer(
    help="Look after a server: what is going on, tables, people, and the link of the admin page.", no_args_is_help=True
)

Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="FOLDER", file_okay=False, help="Where games are kept; yours if not said."),
]
Settings = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", dir_okay=False, help="The settings file of the server.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask whether it is meant.")]
Person = Annotated[str, typer.Argument(metavar="PERSON", help="An id, a username, or a name that only one has.")]
Table = Annotated[str, typer.Argument(metavar="TABLE", help="The id of a table, as in its address.")]


class Place(NamedTuple):
    """Where the database is, as the command line says it."""

    data: Path | None
    settings: Path | None
    database: str | None


@app.command()
def now(data: Data = None, settings: Settings = None, database: DatabaseUrl = None, json: Json = False) -> None:
    """What is going on: tables, who is connected, a few counts."""
    import msgspec

    from cupboard.server.administration.running import ask, running_servers
    from cupboard.server.wire.administration import AdminNow

    folder = _settings(Place(data, settings, database)).data
    found = []
    for server in running_servers(folder):
        try:
            found.append(msgspec.json.decode(ask(server, "/api/admin/now"), type=AdminNow))
        except OSError as error:
            _say_why_not(server, error)
    if not found:
        if not json:
            say("No running server can be asked, so nobody knows who is connected: this is what the database knows.")
        found = [_work(Place(data, settings, database), lambda admin: admin.now())]
    if json:
        _print_json(found)
        return
    for one in found:
        _show_now(one)


@app.command()
def tables(
    find: Annotated[str, typer.Option(help="An id, a game, or a part of somebody's name.")] = "",
    data: Data = None,
    settings: Settings = None,
    database: DatabaseUrl = None,
    json: Json = False,
) -> None:
    """The tables that are not over, or those that are searched for, newest first."""
    found = _work(Place(data, settings, database), lambda admin: admin.find_tables(find))
    _print_json(found) if json else _show_tables(found)


@app.command()
def people(
    find: Annotated[str, typer.Option(help="An id, or a part of a name or username.")] = "",
    data: Data = None,
    settings: Settings = None,
    database: DatabaseUrl = None,
    json: Json = False,
) -> None:
    """The newest people, or those that are searched for."""
    found = _work(Place(data, settings, database), lambda admin: admin.find_people(find))
    _print_json(found) if json else _show_people(found)


@app.command()
def sessions(
    person: Person,
    end: Annotated[str, typer.Option("--end", metavar="SESSION", help="End this one; `all` ends all of them.")] = "",
    data: Data = None,
    settings: Settings = None,
    database: DatabaseUrl = None,
    json: Json = False,
    yes: Yes = False,
) -> None:
    """The sessions of a person, with their age; with --end they are ended."""
    found = _person(Place(data, settings, database), person)
    if end:
        _ask_whether(yes, f"End {'all sessions' if end == 'all' else f'session {end}'} of {_called(found)}?")
        which = "" if end == "all" else end
        count = _work(Place(data, settings, database), lambda admin: admin.end_sessions(found.id, BY, which))
        _done(json, f"Ended: {count}.", count=count)
        return
    info = _work(Place(data, settings, database), lambda admin: admin.person(found.id))
    if json:
        _print_json(info.sessions)
        return
    rows = [(one.id, _when(one.made), _when(one.used), _when(one.expires)) for one in info.sessions]
    print_table(("session", "begun", "last used", "expires"), rows)


@app.command()
def close(
    table: Table,
    data: Data = None,
    settings: Settings = None,
    database: DatabaseUrl = None,
    json: Json = False,
    yes: Yes = False,
) -> None:
    """Close a table: its game ends without a result, everybody there is told, and it can only be looked at."""
    _ask_whether(yes, f"Close table {table}? Its game ends.")
    _work(Place(data, settings, database), lambda admin: admin.close_table(table, BY))
    _done(json, f"Table {table} is closed.", table=table)


@app.command()
def end(
    table: Table,
    winner: Annotated[
        int | None, typer.Option(metavar="SEAT", min=1, max=6, help="This seat, from 1 on, wins.")
    ] = None,
    draw: Annotated[bool, typer.Option("--draw", help="It is a draw.")] = False,
    data: Data = None,
    settings: Settings = None,
    database: DatabaseUrl = None,
    json: Json = False,
    yes: Yes = False,
) -> None:
    """End a game: without a result, as a draw or with a winner. Its people can go on talking, and play another."""
    _ask_whether(yes, f"End the game of table {table}?")
    seat = None if winner is None else winner - 1
    _work(Place(data, settings, database), lambda admin: admin.end_game(table, BY, seat, draw))
    _done(json, f"The game of table {table} is over.", table=table)


@app.command()
def ban(
    person: Person,
    data: Data = None,
    settings: Settings = None,
    database: DatabaseUrl = None,
    json: Json = False,
    yes: Yes = False,
) -> None:
    """Shut a person out at once: sessions and sockets end, and neither cookie nor password lets them in."""
    found = _person(Place(data, settings, database), person)
    _ask_whether(yes, f"Ban {_called(found)}?")
    _work(Place(data, settings, database), lambda admin: admin.ban(found.id, BY))
    _done(json, f"{_called(found)} is banned.", person=found.id)


@app.command()
def unban(
    person: Person, data: Data = None, settings: Settings = None, database: DatabaseUrl = None, json: Json = False
) -> None:
    """Let a banned person in again."""
    found = _person(Place(data, settings, database), person)
    _work(Place(data, settings, database), lambda admin: admin.unban(found.id, BY))
    _done(json, f"{_called(found)} may come in again.", person=found.id)


@app.command()
def rename(
    person: Person,
    name: Annotated[str, typer.Argument(help="What they are called from now on.")],
    data: Data = None,
    settings: Settings = None,
    database: DatabaseUrl = None,
    json: Json = False,
) -> None:
    """Give a person another name, also at the tables where they play."""
    found = _person(Place(data, settings, database), person)
    renamed = _work(Place(data, settings, database), lambda admin: admin.rename(found.id, name, BY))
    _done(json, f"{_called(found)} is now called {renamed.name}.", person=found.id, name=renamed.name)


@app.command("reset-password")
def reset_password(
    person: Person,
    data: Data = None,
    settings: Settings = None,
    database: DatabaseUrl = None,
    json: Json = False,
    yes: Yes = False,
) -> None:
    """Give an account a new password, which is printed once, and end all its sessions."""
    found = _person(Place(data, settings, database), person)
    _ask_whether(yes, f"Reset the password of {_called(found)}? All sessions end.")
    password = _work(Place(data, settings, database), lambda admin: admin.reset_password(found.id, BY))
    _done(json, f"{_called(found)} signs in with {password} from now on, and can change it then.", password=password)


@app.command()
def export(
    person: Person,
    file: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="Write it there, not to the screen.")
    ] = None,
    data: Data = None,
    settings: Settings = None,
    database: DatabaseUrl = None,
) -> None:
    """All that is stored of a person, as JSON, without secrets."""
    import msgspec

    found = _person(Place(data, settings, database), person)
    told = _work(Place(data, settings, database), lambda admin: admin.export(found.id, BY))
    text = msgspec.json.format(msgspec.json.encode(told), indent=2)
    if file is None:
        print(text.decode())
        return
    part = file.with_name(f"{file.name}.tmp")
    part.write_bytes(text + b"\n")
    part.replace(file)
    say(f"Written: {file}")


@app.command()
def delete(
    person: Person,
    data: Data = None,
    settings: Settings = None,
    database: DatabaseUrl = None,
    json: Json = False,
    yes: Yes = False,
) -> None:
    """Delete a person's data: account, sessions, results, what they said, the classes they teach.

    Their games stay, as those of a guest."""
    found = _person(Place(data, settings, database), person)
    if not yes:
        info = _work(Place(data, settings, database), lambda admin: admin.person(found.id))
        asked = f"Delete all data of {_called(found)}, who has {found.games} games?"
        _ask_whether(yes, " ".join([asked, *_about_classes(info.classes), "It cannot be undone."]))
    _work(Place(data, settings, database), lambda admin: admin.delete(found.id, BY))
    _done(json, f"{_called(found)} is forgotten.", person=found.id)


@app.command()
def link(
    renew: Annotated[bool, typer.Option("--renew", help="Make a new one; the old one is worthless at once.")] = False,
    data: Data = None,
    settings: Settings = None,
    database: DatabaseUrl = None,
    json: Json = False,
) -> None:
    """Make the link of the admin page. Whoever has it may do what these verbs do: keep it like a password."""
    from cupboard.server.administration.link import AdminLink
    from cupboard.server.administration.running import running_servers
    from cupboard.server.errors import AdminLinkMade

    async def made(store: Store) -> str:
        there = AdminLink(store)
        if not renew and (when := await there.made()) is not None:
            raise AdminLinkMade(
                f"There is an admin link, made on {_when(when)}. It cannot be shown again, since only its digest is "
                "kept: --renew makes a new one, and the old one is worthless then."
            )
        return await there.renew()

    chosen = _settings(Place(data, settings, database))
    token = _with_store(chosen, made)
    running = running_servers(chosen.data)
    url = chosen.url or (running[0].url if running else "") or f"http://127.0.0.1:{chosen.port or 8000}/"
    address = f"{url.rstrip('/')}/admin#{token}"
    _done(json, address, link=address)


# What the verbs share.


def _settings(place: Place) -> ServerSettings:
    from cupboard.server.settings_file import read_settings

    return read_settings(place.settings, data=place.data, database=place.database)


def _with_store(chosen: ServerSettings, work: Callable[[Store], Awaitable[T]]) -> T:
    """What `work` returns with the database open; NotFound when there is none."""
    from cupboard.server.errors import NotFound
    from cupboard.server.store.open_store import open_store

    if not chosen.database and not chosen.database_file.is_file():
        raise NotFound(f"There is no database in {chosen.data}: say where games are kept with --data or --settings.")
    store = open_store(chosen)

    async def run() -> T:
        return await work(store)

    try:
        return asyncio.run(run())
    finally:
        store.close()


def _work(place: Place, work: Callable[[Administration], Awaitable[T]]) -> T:
    from cupboard.server.administration.administration import Administration
    from cupboard.server.people.people import People

    chosen = _settings(place)
    return _with_store(chosen, lambda store: work(Administration(store, People(store, chosen.people))))


def _person(place: Place, text: str) -> AdminPerson:
    """The one person that a text names; UnknownPerson when it is nobody or several."""
    from cupboard.server.errors import UnknownPerson

    found = _work(place, lambda admin: admin.find_people(text))
    sure = [one for one in found if text == one.id or text.lower() == one.username] if text else []
    named = sure or [one for one in found if one.name == text]
    if len(named) == 1:
        return named[0]
    if named:
        raise UnknownPerson(f"{len(named)} people are called {text}: use an id of `cupboard admin people --find`.")
    raise UnknownPerson(f"Nobody has the id, the username or the name {text}.")


def _about_classes(classes: Sequence[AdminClass]) -> list[str]:
    """What becomes of the classes of somebody who is deleted, as sentences."""
    taught = ", ".join(one.name for one in classes if not one.called)
    joined = ", ".join(one.name for one in classes if one.called)
    sentences = (
        (taught, f"Deleted with their members and results are the classes they teach: {taught}."),
        (joined, f"Their results stay without a name in the classes they belong or belonged to: {joined}."),
    )
    return [sentence for which, sentence in sentences if which]


def _ask_whether(yes: bool, question: str) -> None:
    if not yes and not confirm(question):
        print("Nothing was done.", file=sys.stderr)
        raise typer.Exit(1)


def _done(json: bool, sentence: str, **facts: object) -> None:
    if json:
        _print_json(facts)
    else:
        say(sentence)


def _print_json(found: Any) -> None:
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())


def _say_why_not(server: Running, error: OSError) -> None:
    """Say why a server that runs cannot be asked; nothing of one that was killed."""
    from cupboard.server.administration.running import is_here

    if not is_here(server):
        return
    cure = " Under systemd, SocketUser= of its socket says who may ask." if isinstance(error, PermissionError) else ""
    why = error.strerror or str(error)
    print(f"A server runs (process {server.pid}), but cannot be asked at {server.place}: {why}.{cure}", file=sys.stderr)


def _show_now(one: AdminNow) -> None:
    counts = one.counts
    if one.since:
        print(
            f"Cupboard {one.version}, running since {_when(one.since)}: {counts.sockets} connections to tables, "
            f"{counts.in_memory} tables in memory, {counts.thinking} bots thinking."
        )
    print(
        f"Tables: {counts.playing} playing, {counts.waiting} waiting, {counts.over} over. "
        f"People: {counts.accounts} accounts, {counts.guests} guests, {counts.banned} banned."
    )
    if one.tables:
        print()
        _show_tables(one.tables)
    if one.people:
        print()
        _show_people(one.people)


def _show_tables(found: Any) -> None:
    rows = [_table_row(table) for table in found]
    print_table(("table", "game", "status", "moves", "made", "last", "watching", "seats"), rows, right=(3, 6))


def _table_row(table: AdminTable) -> tuple[str, ...]:
    seats = ", ".join(
        (seat.name or seat.kind) + ("*" if seat.here and seat.kind == "person" else "") + ("…" if seat.thinking else "")
        for seat in table.seats
    )
    status = f"{table.status}{', damaged' if table.damaged else ''}"
    made, moved = _when(table.made), _when(table.moved)
    return table.id, table.game, status, str(table.moves), made, moved, str(table.watching), seats


def _show_people(found: Any) -> None:
    rows = [
        (
            one.id,
            one.name,
            one.username or "–",
            "banned" if one.banned else "",
            _when(one.made),
            _when(one.used),
            str(one.sessions),
            str(one.games),
            " ".join(one.tables),
        )
        for one in found
    ]
    header = ("id", "name", "username", "", "made", "last used", "sessions", "games", "tables")
    print_table(header, rows, right=(6, 7))


def _when(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000):%Y-%m-%d %H:%M}" if milliseconds else "–"


def _called(person: AdminPerson) -> str:
    return f"{person.name} ({person.username or person.id})"
