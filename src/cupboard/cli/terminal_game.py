"""A game at the terminal: people are asked for moves, bots choose theirs, and each sees only their own view."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from cupboard.cli import aim_prompt, move_prompt
from cupboard.cli.autosave import Autosave, new_file
from cupboard.cli.compile_progress import compile_progress
from cupboard.cli.files import FileTrouble
from cupboard.cli.language import reason, told
from cupboard.cli.nature import before_and_after, let_nature_act
from cupboard.cli.rules import show_rules
from cupboard.cli.seating import Seating, usual_bot
from cupboard.cli.terminal import ask, clear, confirm, is_interactive, say, show, spinner
from cupboard.cli.terminal_board import draw_board, scene_of
from cupboard.core.errors import BadNotation, CupboardError
from cupboard.core.words import catalogue, phrase

if TYPE_CHECKING:
    from cupboard.core.game import Move, Seat, View
    from cupboard.core.match import Match
    from cupboard.players import Player


class QuitGame(Exception):
    """The player typed `quit`."""


class TerminalGame:
    """One match at the terminal, from its present position to its end or until a player quits."""

    def __init__(self, match: Match, seating: Seating, autosave: Autosave | None, seed: int) -> None:
        self.match = match
        self.game = match.game
        self.seating = seating
        self.autosave = autosave
        self._rng = Random(seed)
        with compile_progress(self.game.title):
            self._bots = seating.bots(self.game, seed)
            self._adviser: Player = Seating((usual_bot(self.game),), ("",)).bots(self.game, seed)[0]
        self._told: dict[Seat | None, int] = {}
        self._explained: set[Seat] = set()
        self._is_private = len(seating.humans) > 1 and self.game.has_secrets
        self._at_keyboard: Seat | None = None

    def play(self) -> None:
        """Play to the end of the game. After `quit`, the end of the input or Ctrl-C it stays saved."""
        try:
            while not self.match.position.is_over:
                self._turn()
            self._end()
        except (QuitGame, EOFError):
            self._farewell()
        except KeyboardInterrupt:
            say()
            self._farewell()
            raise

    # Turns.

    def _turn(self) -> None:
        if let_nature_act(self.match, self._rng):
            self._keep()  # at once: who does not like what came of it cannot quit and try again
        position = self.match.position
        if position.is_over:
            return
        # Where several act at once, bots go first: they need not wait for people.
        seat = next((seat for seat in position.to_act if seat in self._bots), position.to_act[0])
        if seat in self._bots:
            with (
                spinner(told(phrase("terminal.thinking", who=self.seating.who(self.game, seat)))),
                compile_progress(self.game.title),
            ):
                move = self._bots[seat].choose(position.seen_by(seat))
            self._make(move, seat)
            if not self.seating.humans:
                self._tell(None)
        else:
            self._ask(seat, position.seen_by(seat))

    def _make(self, move: Move, seat: Seat) -> None:
        self.match.play(move, seat)
        self._keep()

    def _ask(self, seat: Seat, view: View[Any]) -> None:
        """Ask a person for moves and commands until the match has changed."""
        self._hand_over(seat)
        self._show(seat)
        moves = view.moves()
        ready = self._suggest(view) if len(moves) > move_prompt.MANY else moves[0] if len(moves) == 1 else None
        aiming = view.aiming()
        if seat not in self._explained:
            self._explain()
            self._explained.add(seat)
        say(move_prompt.short_list(moves, aiming))
        if ready is not None:
            say(told(phrase("terminal.enter", move=str(ready))))
        whose = phrase("terminal.whoseMove", who=self.seating.who(self.game, seat))
        if len(self.seating.humans) == 1:
            whose = phrase("terminal.yourMove", seat=self.game.seat_name(seat))
        question = told(whose)
        while True:
            text = ask(question, lambda typed: move_prompt.completions(typed, moves))
            command, _, rest = text.partition(" ")
            if aiming and command.lower() == aim_prompt.COMMAND:
                text = aim_prompt.ask_aim(aiming, rest.strip())
            elif command.lower() in ("?", *move_prompt.COMMANDS, "q", "exit"):
                if self._obey(command.lower(), rest.strip(), seat, view):
                    return
                continue
            if not text and ready is None:
                say(told(phrase("terminal.write")))
                continue
            try:
                move = view.parse(text, seat) if text else ready
            except CupboardError as error:
                # The reason for an illegal move may name the right one; a sentence on notation only has an example.
                said = "" if isinstance(error, BadNotation) else reason(error)
                say(" ".join(filter(None, (reason(error), move_prompt.did_you_mean(text, moves, said)))))
                continue
            assert move is not None
            if not move.warning or confirm(told(phrase("terminal.anyway", warning=move.warning))):
                self._make(move, seat)
                self._told[seat] = len(self.match.log)
                return

    # Commands.

    def _obey(self, command: str, rest: str, seat: Seat, view: View[Any]) -> bool:
        """Run a typed command. Returns whether the match has changed, so that a new turn begins."""
        match command:
            case "help" | "?":
                say(told(phrase("terminal.help")))
                commands = move_prompt.COMMANDS
                say("\n".join(f"  {name:6} {told(phrase(f'terminal.help.{name}'))}" for name in commands))
                if aiming := view.aiming():
                    words = told(phrase("terminal.aim.help", name=aiming.names[0]))
                    say(f"  {aim_prompt.COMMAND:6} {words}\n\n{aim_prompt.explain(aiming)}")
                self._explain()
            case "moves":
                say(move_prompt.full_list(view.moves(), rest))
            case "hint":
                say(told(phrase("terminal.hint", move=str(self._suggest(view)))))
            case "board":
                self._show(seat)
            case "rules":
                show_rules(type(self.game))
            case "save":
                self._save(rest)
            case "undo":
                return self._undo()
            case _:
                raise QuitGame
        return False

    def _suggest(self, view: View[Any]) -> Move:
        with spinner(told(phrase("terminal.adviserThinks"))), compile_progress(self.game.title):
            return self._adviser.choose(view)

    def _undo(self) -> bool:
        if not any(entry.seat in self.seating.humans for entry in self.match.log):
            say(told(phrase("terminal.noUndo")))
            return False
        while True:
            seat = next(entry.seat for entry in reversed(self.match.log) if entry.seat >= 0)
            move = self.match.undo()
            if seat in self.seating.humans:
                break
        self._told = {viewer: min(n, len(self.match.log)) for viewer, n in self._told.items()}
        self._keep()
        # With secrets at the table the others may be looking.
        said = move.seen_by(None) if self._is_private else move
        say(told(phrase("terminal.undone", who=self.seating.who(self.game, seat), move=str(said))))
        return True

    def _save(self, name: str) -> None:
        if not name:
            say(told(phrase("terminal.saveName")))
            return
        try:
            path = new_file(name)
            autosave = Autosave(path, *((self.autosave.tags, self.autosave.earlier) if self.autosave else ({}, ())))
            autosave.save(self.match)
        except FileTrouble as error:
            say(str(error).split(": take another name")[0] + "." * (": take" in str(error)))
            return
        self.autosave = autosave
        said = "terminal.keptIn" if autosave.is_saved else "terminal.willKeep"
        say(told(phrase(said, path=str(path))))

    def _keep(self) -> None:
        if self.autosave is None:
            return
        try:
            self.autosave.save(self.match)
        except FileTrouble as error:
            say(told(phrase("terminal.notKept", reason=str(error))))
            self.autosave = None

    # Output.

    def _hand_over(self, seat: Seat) -> None:
        """Where people share the keyboard and hands are secret, clear the screen before the next one plays."""
        if self._is_private and self._at_keyboard != seat:
            who = self.seating.who(self.game, seat)
            if is_interactive():
                clear()
                say(told(phrase("terminal.pass", who=who)), style="bold")
                ask(told(phrase("terminal.alone", who=who)))
                clear()
            else:
                say(told(phrase("terminal.goesTo", who=who)))
        self._at_keyboard = seat

    def _show(self, viewer: Seat | None) -> None:
        say()
        self._tell(viewer)
        show(draw_board(scene_of(self.match, viewer), self.seating.called))

    def _explain(self) -> None:
        """Print how to read the moves and the drawing, if the game says so."""
        if f"{self.game.name}.legend" in catalogue("en"):
            say(told(phrase(f"{self.game.name}.legend")), style="dim")

    def _tell(self, viewer: Seat | None) -> None:
        """Print the moves made since `viewer` last saw the board, without what it may not know."""
        # Without secrets everybody reads the same screen, so a move is told once.
        key = viewer if self._is_private else None
        for entry in self.match.veiled(viewer)[self._told.get(key, 0) :]:
            if entry.seat < 0 or entry.seat != viewer or len(self.seating.humans) != 1:
                words = entry.move.words(lambda seat: self.seating.who(self.game, seat))
                say(told(words.filled(who=self.seating.who(self.game, entry.seat))))
            if drawing := before_and_after(self.match, entry.n, viewer):
                show(drawing)
        self._told[key] = len(self.match.log)

    def _end(self) -> None:
        humans = self.seating.humans
        if self._is_private and is_interactive():
            clear()
        viewer = humans[0] if len(humans) == 1 else None
        self._show(viewer)
        outcome = self.match.position.outcome()
        assert outcome is not None
        if viewer is not None:
            won = phrase("terminal.shared" if outcome.is_draw else "terminal.won")
            say(told(won if viewer in outcome.winners else phrase("terminal.lost")), style="bold")
        if self.autosave is not None and self.autosave.is_saved:
            say(told(phrase("terminal.record", path=str(self.autosave.path))))

    def _farewell(self) -> None:
        if self._is_private:
            clear()
        if self.autosave is not None and self.autosave.is_saved:
            say(told(phrase("terminal.kept", path=str(self.autosave.path))))
        elif any(entry.seat >= 0 for entry in self.match.log):
            say(told(phrase("terminal.byeUnkept")))
        else:
            say(told(phrase("terminal.bye")))
