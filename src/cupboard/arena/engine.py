"""The engine side of our UCI-shaped protocol: a program sends lines, this answers. docs/engine.md shows an exchange.

A search runs in a thread of its own, so `stop`, `isready` and `quit` are handled meanwhile. A line that cannot be
understood is answered with one `info string error` line. `uci` and `setoption` are answered at once; code is compiled
at `isready`, or at the first command that needs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from threading import Event, Lock, Thread
from typing import Any

from cupboard import __version__
from cupboard.arena.thinkers import TimedSearch, check_thinker, find_thinker, thinkers_of, warm_up_thinker
from cupboard.core.errors import BadOption, BadPosition, BadTurn, CupboardError, GameOver
from cupboard.core.game import CHANCE, Game, Position, Seat, letter
from cupboard.core.notation import said_seat, tidy
from cupboard.core.options import Option
from cupboard.players.thinking import Limits, Thinker, Thought

__all__ = ["BadCommand", "Engine", "read_position"]

COMMANDS = ("uci", "isready", "ucinewgame", "setoption", "position", "go", "stop", "quit")
_LONGEST_LINE = 1_000_000


class BadCommand(CupboardError):
    """The line is not a command of the protocol, or its arguments are wrong."""

    code = "bad-command"


class Engine:
    """One session with one program: `handle` takes each line it sends, `say` is called with each line to answer."""

    def __init__(self, game: Game[Any], say: Callable[[str], None], player: str = "", seed: int = 0) -> None:
        self._write = say
        self._lock = Lock()
        self._player = player
        self._seed = seed
        self._game = game
        self._seats: int = game.seats
        self._chosen: dict[str, object] = dict(game.chosen)
        self._position: Position[Any] | None = None  # None is the start, which is made only when it is needed
        self._seat: Seat | None = None
        self._thinker: Thinker | None = None
        if player:
            check_thinker(game, player)  # an unknown player is refused now, not at the first move
        self._search: Thread | None = None
        self._stop = Event()
        self._endless = False
        self._warm: set[tuple[str, Game[Any]]] = set()

    def run(self, lines: Iterable[str]) -> None:
        """Handle lines until `quit` or the end of the input; at the end of the input, a limited search is finished."""
        for line in lines:
            if not self.handle(line):
                return
        self._finish()

    def handle(self, line: str) -> bool:
        """Answer one line. Returns False after `quit`, else True."""
        try:
            if len(line) > _LONGEST_LINE:
                raise BadCommand("The line is longer than a million characters.")
            word, _, rest = line.strip().partition(" ")
            if word == "quit":
                self._stop.set()
                self._join(2.0)
                return False
            if word:
                self._obey(word, rest.strip())
        except CupboardError as error:
            self._complain(error)
        except Exception as error:  # a broken player or game must not end the session
            self._complain(BadCommand(f"{type(error).__name__}: {str(error)[:200]}"))
        return True

    # The commands.

    def _obey(self, word: str, rest: str) -> None:
        match word:
            case "uci":
                self._introduce()
            case "isready":
                try:
                    if self._search is None or not self._search.is_alive():
                        self._choose_rules()
                        self._make_ready()
                finally:
                    self._say("readyok")  # the other program waits for it, whatever went wrong
            case "stop":
                self._stop.set()
                self._join(None)
            case "ucinewgame":
                self._finish()
                self._choose_rules()
                self._thinker = None
                self._position, self._seat = None, None
            case "setoption":
                self._finish()
                self._set_option(rest)
            case "position":
                self._finish()
                self._choose_rules()
                self._position, self._seat = read_position(self._game, rest)
            case "go":
                self._finish()
                self._choose_rules()
                self._go(rest)
            case _:
                raise BadCommand(f"{word[:40]!r} is no command: there are {', '.join(COMMANDS)}.")

    def _introduce(self) -> None:
        game = self._game
        self._say(f"id name Cupboard {__version__} {game.name}")
        self._say("id author Cupboard")
        names = thinkers_of(game)
        self._say(f"option name Player type combo default {self._player or names[0]}" + _choices(names))
        self._say(f"option name Seed type spin default {self._seed} min 0 max {2**31 - 1}")
        self._say(f"option name Seats type spin default {game.seats} min {min(game.SEATS)} max {max(game.SEATS)}")
        for option in _options_of(game):
            self._say(f"option name {option.name} {_kind(option, game.options[option.name])}")
        self._say("uciok")

    def _set_option(self, rest: str) -> None:
        found = re.fullmatch(r"name\s+(\S+)(?:\s+value\s*(.*))?", rest)
        if found is None:
            raise BadCommand("Write setoption name NAME value VALUE.")
        name, value = found[1], (found[2] or "").strip()
        game = self._game
        if name.lower() == "player":
            check_thinker(game, value)
            self._player, self._thinker = value, None
        elif name.lower() == "seed":
            self._seed, self._thinker = _whole(value, "Seed"), None
        elif name.lower() == "seats":
            self._seats = _whole(value, "Seats")
        else:
            names = {option.name.lower(): option for option in _options_of(game)}
            if name.lower() not in names:
                known = ", ".join(("Player", "Seed", "Seats", *(option.name for option in names.values())))
                raise BadOption(f"There is no option {name[:40]!r}: there are {known}.")
            option = names[name.lower()]
            read = option.read(value)
            if option.name == "profile":
                self._chosen.clear()  # a profile chooses every option anew
            self._chosen[option.name] = read

    def _go(self, rest: str) -> None:
        limits, seat, endless = _read_go(rest)
        position = self._position = self._position or self._game.start()
        seat = self._seat if seat is None else seat
        if position.is_over:
            raise GameOver("The game is over: there is nothing to think about.")
        if position.to_act == (CHANCE,):
            raise BadTurn("Nature acts now: add its move to the position.")
        if seat is None:
            seat = position.to_act[0]
        if seat not in position.to_act:
            raise BadTurn(f"{letter(seat)} is not to act: it is {letter(position.to_act[0])}'s turn.")
        self._make_ready()
        thinker = self._ready_thinker()
        if limits.is_endless and not endless:
            limits = thinker.limits
        if limits.depth is not None and not thinker.knows_depth:
            instead = "thinks for a second" if limits == Limits(depth=limits.depth) else "keeps to the other limits"
            self._say(f"info string depth means nothing to a search of playouts: it {instead}")
        self._stop, self._endless = Event(), endless
        view = position.seen_by(seat)
        self._search = Thread(target=self._think, args=(thinker, view, limits, self._stop), daemon=True, name="search")
        self._search.start()

    def _think(self, thinker: Thinker, view: Any, limits: Limits, stop: Event) -> None:
        last: list[Thought] = []

        def report(thought: Thought) -> None:
            last[:] = [thought]
            self._say(thought.info())

        thought, fault = TimedSearch(thinker, limits, stop, report).answer(view)
        if fault is not None:
            self._complain(fault)
        if not last or last[0].info() != thought.info():
            self._say(thought.info())
        if self._endless and not limits.seconds:
            stop.wait()  # a search that is through early still waits to be stopped, as `infinite` says
        self._say(f"bestmove {thought.move}")

    # The rules, the player and the search thread.

    def _choose_rules(self) -> None:
        """Apply the options set so far, all at once: one by one they might not fit together. Bad ones are dropped."""
        if self._seats == self._game.seats and self._chosen == self._game.chosen:
            return
        try:
            game = type(self._game)(self._seats, **self._chosen)
        except CupboardError:
            self._seats, self._chosen = self._game.seats, dict(self._game.chosen)
            raise
        self._chosen = dict(game.chosen)
        if game != self._game:
            self._game, self._position, self._seat, self._thinker = game, None, None, None

    def _ready_thinker(self) -> Thinker:
        if self._thinker is None:
            self._thinker = find_thinker(self._game, self._player, self._seed)
        return self._thinker

    def _make_ready(self) -> None:
        """Compile what the search needs now, so that the first move does not lose its time to the compiler."""
        if (self._player, self._game) not in self._warm:
            warm_up_thinker(self._game, self._player)
            self._warm.add((self._player, self._game))

    def _finish(self) -> None:
        """Wait for the search under way; stop it first if it has no limit."""
        if self._endless:
            self._stop.set()
        self._join(None)

    def _join(self, seconds: float | None) -> None:
        if self._search is not None:
            self._search.join(seconds)

    def _say(self, line: str) -> None:
        with self._lock:
            self._write(line)

    def _complain(self, error: CupboardError) -> None:
        self._say(f"info string error {error.code}: {' '.join(str(error).split())}")


def read_position(game: Game[Any], text: str) -> tuple[Position[Any], Seat | None]:
    """The position that `start|text …|view B … [past n …] [moves …]` describes, and the seat of a `view`, else None."""
    words = text.split()
    if not words:
        raise BadPosition("Write position start, position text … or position view SEAT …")
    form, *words = words
    moves: list[str] = []
    if "moves" in words:
        at = words.index("moves")
        words, moves = words[:at], words[at + 1 :]
    past: list[int] = []
    if "past" in words:
        at = words.index("past")
        try:
            words, past = words[:at], [int(word) for word in words[at + 1 :]]
        except ValueError:
            raise BadPosition("The past of a position is a list of whole numbers.") from None
    seat = None
    if form == "view":
        if not words:
            raise BadPosition("A view begins with the letter of its seat: position view B …")
        seat = _read_seat(game, words.pop(0))
    if form in ("text", "view"):
        position = game.from_json({"position": " ".join(words), "past": past})
    elif form == "start" and not words and not past:
        position = game.start()
    else:
        raise BadPosition(f"{form[:20]!r} begins no position: write start, text … or view SEAT …")
    for number, word in enumerate(_apart(moves), start=1):
        position = _play(position, word, number)
    return position, seat


def _apart(words: list[str]) -> list[str]:
    """The words joined into moves: a mark that stands alone belongs to its neighbours, as in `5 - 6` or `B: 5-6`."""
    text = " ".join(map(tidy, words))
    text = re.sub(r"(?<=\w) ([-+]) (?=\w)", r"\1", text)
    return re.sub(r"(?<!\S)([<>]|[A-F*]:) ", r"\1", text).split()


def _play(position: Position[Any], word: str, number: int) -> Position[Any]:
    """The position after one move in notation; the prefix `B:` says whose it is where several seats act at once."""
    seat, _ = said_seat(word)
    if seat is None and len(position.to_act) > 1:
        seat = position.to_act[0]
    try:
        return position.play(position.parse(word, seat), seat)
    except CupboardError as error:
        raise type(error)(f"Move {number}, {word[:60]}: {error}") from error


def _read_go(text: str) -> tuple[Limits, Seat | None, bool]:
    found: dict[str, int] = {}
    seat: Seat | None = None
    endless = False
    words = iter(text.split())
    for word in words:
        if word == "infinite":
            endless = True
        elif word == "seat":
            value = next(words, "")
            if not re.fullmatch("[A-F]", value):
                raise BadCommand("After seat comes its letter.")
            seat = ord(value) - ord("A")
        elif word in ("movetime", "nodes", "depth"):
            found[word] = _whole(next(words, ""), word)
            if not found[word]:
                raise BadCommand(f"{word} must be above 0.")
        else:
            raise BadCommand(f"{word[:20]!r} cannot follow go: write movetime, nodes, depth, infinite or seat.")
    milliseconds = found.get("movetime")
    seconds = None if milliseconds is None else milliseconds / 1000
    return Limits(seconds, found.get("nodes"), found.get("depth")), seat, endless and not found


def _read_seat(game: Game[Any], text: str) -> Seat:
    seats = [letter(seat) for seat in range(game.seats)]
    if text not in seats:
        raise BadPosition(f"{text[:20]!r} is no seat: there are {', '.join(seats)}.")
    return seats.index(text)


def _whole(text: str, name: str) -> int:
    if not re.fullmatch(r"[0-9]{1,12}", text, re.ASCII):
        raise BadCommand(f"{name} takes a whole number, not {text[:20]!r}.")
    return int(text)


def _options_of(game: Game[Any]) -> list[Option]:
    names = tuple(game.PROFILES)
    profile = [Option("profile", names[0], choices=names)] if names else []
    return [*profile, *game.OPTIONS]


def _kind(option: Option, value: object) -> str:
    """The type, default value and bounds of an option as a UCI `option` line writes them."""
    if isinstance(option.default, bool):
        return f"type check default {str(value).lower()}"
    if isinstance(option.default, int):
        return f"type spin default {value} min {option.least} max {option.most}"
    if option.of_seats:
        return f"type string default {value}"
    return f"type combo default {value}{_choices(option.choices)}"


def _choices(names: Iterable[str]) -> str:
    return "".join(f" var {name}" for name in names)
