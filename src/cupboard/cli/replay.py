"""cupboard replay: shows a played game move by move, or prints its record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cupboard.cli.language import speak, told
from cupboard.cli.parameters import Language
from cupboard.core.words import phrase

if TYPE_CHECKING:
    from collections.abc import Callable

    from cupboard.core.game import Seat
    from cupboard.core.match import Match
    from cupboard.core.record import Record

_NEXT = ("\r", "\n", " ", "n", "\x1b[C", "\x1b[B", "\x1bOC", "\x1bOB", "j", "l")
_BACK = ("p", "b", "\x1b[D", "\x1b[A", "\x1bOD", "\x1bOA", "\x7f", "\x08", "h", "k")
_FIRST = ("g", "0", "\x1b[H", "\x1b[1~", "\x1bOH")
_LAST = ("G", "e", "$", "\x1b[F", "\x1b[4~", "\x1bOF")
_LEAVE = ("q", "Q", "\x1b", "\x04")


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record, as text or JSON; - is the standard input.")],
    at: Annotated[int | None, typer.Option(metavar="N", min=0, help="Show only the position after N moves.")] = None,
    all_moves: Annotated[
        bool, typer.Option("--all", metavar=" ", help="Print every move and the final board.")
    ] = False,
    seat: Annotated[
        str | None, typer.Option(metavar="S", help="Show what this seat saw: a letter or a colour.")
    ] = None,
    truth: Annotated[
        bool, typer.Option("--truth", metavar=" ", help="Show everything, secrets too, in an unfinished game.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", metavar=" ", help="Print the record as JSON instead.")] = False,
    as_text: Annotated[bool, typer.Option("--text", metavar=" ", help="Print the record as text instead.")] = False,
    language: Language = None,
) -> None:
    """Look at a played game: step through it at a terminal, or print it.

    Enter, n or → goes on, p or ← back, g and G to the ends, q leaves.

    A finished game hides nothing, an unfinished one what a spectator may not see.
    """
    from cupboard.cli.compile_progress import load_kernel
    from cupboard.cli.files import STDIN, read_record, record_text
    from cupboard.cli.parameters import read_seat
    from cupboard.cli.terminal import is_interactive

    speak(language)
    if sum((as_json, as_text, at is not None, all_moves)) > 1:
        raise typer.BadParameter("--at, --all, --json and --text exclude each other.")
    record = read_record(file)
    viewer = None if seat is None else read_seat(record.game, seat)
    load_kernel(record.game)
    match = record.replay()
    if as_json or as_text:
        print(record_text(record, as_json), end="")
        return
    record_viewer = RecordViewer(record, match, viewer, truth or (seat is None and match.position.is_over))
    if at is not None:
        check_count(match, at)
        record_viewer.board(at)
    elif all_moves or file == STDIN or not is_interactive():
        record_viewer.everything()
    else:
        record_viewer.step()


def check_count(match: Match, n: int) -> None:
    """Raise BadRecord if the match has fewer than `n` moves."""
    from cupboard.core.errors import BadRecord

    if n > len(match.log):
        raise BadRecord(phrase("terminal.fewMoves", count=len(match.log), n=n))


class RecordViewer:
    """Prints a record as one viewer may see it: a seat, a spectator, or everything with `truth`."""

    def __init__(self, record: Record, match: Match, viewer: Seat | None, truth: bool) -> None:
        self.record = record
        self.match = match
        self.viewer = viewer
        self.truth = truth
        self._entries = match.log if truth else match.veiled(viewer)

    def board(self, n: int) -> None:
        """Print the board after `n` moves."""
        from cupboard.cli.terminal import show
        from cupboard.cli.terminal_board import draw_board, scene_of

        show(draw_board(scene_of(self.match, self.viewer, n, self.truth), self.match.names))

    def line(self, n: int) -> str:
        """The line for move number `n`, counted from 1, with its comment."""
        entry = self._entries[n - 1]
        who = told(self.record.game.seat_name(entry.seat) if entry.seat >= 0 else phrase("terminal.chance"))
        comment = self.record.moves[n - 1].comment
        # The notation of what was simulated is long, with numbers for every piece: the judgement says what came of it.
        said = str(entry.move)
        if self.match.position_at(n - 1).is_simulated:
            said = told(entry.move.words(self.record.game.seat_name))
        width = len(str(len(self._entries)))
        return f"{n:{width}}. {who} {said}" + (f"  {{{comment}}}" if comment else "")

    def everything(self) -> None:
        """Print every move and the final board."""
        from cupboard.cli.terminal import say

        say(self._title())
        for n in range(1, len(self._entries) + 1):
            say(self.line(n))
        say()
        self.board(len(self._entries))

    def step(self) -> None:
        """Step through the positions with the keyboard until the user leaves."""
        from cupboard.cli.terminal import read_keys

        with read_keys() as next_key:
            self._step(next_key)

    def _step(self, next_key: Callable[[], str]) -> None:
        from cupboard.cli.terminal import clear, say

        n, last = 0, len(self._entries)
        while True:
            clear()
            say(self._title(), style="bold")
            say(self.line(n) if n else told(phrase("terminal.start")))
            say()
            self.board(n)
            say("\n" + told(phrase("terminal.keys", n=n, last=last)), style="dim")
            try:
                key = next_key()
            except EOFError:
                return
            if key in _LEAVE:
                return
            if key in _NEXT:
                n = min(n + 1, last)
            elif key in _BACK:
                n = max(n - 1, 0)
            elif key in _FIRST:
                n = 0
            elif key in _LAST:
                n = last

    def _title(self) -> str:
        names = [name for name in self.match.names if name]
        parts = [told(self.record.game.title), " – ".join(names), self.record.tags.get("Date", "")]
        return ", ".join(part for part in parts if part)
