"""cupboard play, with moves from a script."""

from __future__ import annotations

from pathlib import Path

import pytest

from cupboard.core.record import Record

from .conftest import RECORDS, Run

RED_FIRST = ("--option", "starter=red")
TWO = ("--seats", "human,human")
OVERSHOT = RECORDS / "overshot.game"


def script(record: Path) -> tuple[str, ...]:
    """The seats' moves of a record, as people would type them."""
    return tuple(move.text for move in Record.read(record.read_text(encoding="utf-8")).moves if move.seat >= 0)


def moves_in(file: Path) -> list[str]:
    return [move.text for move in Record.read(file.read_text(encoding="utf-8")).moves]


def test_a_whole_game_from_the_first_move_to_the_reason(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "whole.game"
    typed = script(RECORDS / "blocked.game")
    result = run("play", "jumping-cups", *RED_FIRST, *TWO, "--names", "Anna,Bo", "--save", file, lines=typed)
    assert result.exit_code == 0
    assert "Red wins. Yellow has no free cup left to move." in result.stdout
    assert result.stdout.endswith(f"The record: {file}\n")
    record = Record.read(file.read_text(encoding="utf-8"))
    assert record.result == "A blocked" and record.tags["B"] == "Bo"
    assert moves_in(file) == list(typed)


def test_the_same_seed_plays_the_same_game(run: Run) -> None:
    one, again = (run("play", "jumping-cups", "--seats", "greedy,random", "--seed", 7).stdout for _ in range(2))
    assert one == again and "wins." in one
    assert run("play", "jumping-cups", "--seats", "greedy,random", "--seed", 8).stdout != one


def test_bots_alone_leave_no_file_behind(run: Run, own_data_folder: Path) -> None:
    run("play", "jumping-cups", "--seats", "random,random", "--seed", 1)
    assert not own_data_folder.exists()


def test_a_misspelt_move_is_explained_and_the_near_one_offered(run: Run) -> None:
    out = run("play", "jumping-cups", *RED_FIRST, lines=("5-7", "5_6", "undp")).stdout
    assert "The cup on 5 moves 1, for the 1 cup there: write 5-6.\n" in out
    assert "'5_6' is no move" in out and "Did you mean 5-6" in out
    assert "Did you mean undo?" in out


def test_a_move_may_be_typed_loosely(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "loose.game"
    lines = ("5 - 6", "10–9", "a: 6 7", "B:9 8", "B:7-8", "quit")
    out = run("play", "jumping-cups", *RED_FIRST, *TWO, "--save", file, lines=lines).stdout
    assert moves_in(file) == ["5-6", "10-9", "6-7", "9-8"]
    assert "B: before a move says that it is Yellow's, but it is Red who moves here." in out


def test_moves_lists_those_that_begin_so(run: Run) -> None:
    out = run("play", "jumping-cups", *RED_FIRST, lines=("moves", "moves 5", "moves 9")).stdout
    assert "5 legal moves: 1-2  2-3  3-4  4-5  5-6\n" in out
    assert "1 legal move from 5: 5-6\n" in out
    assert "No legal move begins with '9'.\n" in out


def test_help_hint_and_rules(run: Run) -> None:
    out = run("play", "jumping-cups", *RED_FIRST, lines=("help", "hint", "rules", "")).stdout
    assert "undo   take back" in out
    assert "A quick bot would play " in out
    assert "JC-13" in out
    assert "Write a move, or `help`." in out


def test_a_losing_move_is_asked_about_first(run: Run, tmp_path: Path) -> None:
    typed = script(OVERSHOT)
    assert typed[-1].endswith("off")
    file = tmp_path / "over.game"
    first = Record.read(OVERSHOT.read_text(encoding="utf-8")).replay().log
    starter = "red" if next(entry.seat for entry in first if entry.seat >= 0) == 0 else "yellow"
    args = ("play", "jumping-cups", "--option", f"starter={starter}", *TWO, "--save", file)
    out = run(*args, lines=(*typed, "perhaps", "no", "quit")).stdout
    assert "would leave the track, and you would lose at once. Play it all the same? [y/N] perhaps\n" in out
    assert "Please answer yes or no." in out
    assert moves_in(file) == list(typed[:-1])
    out = run("play", "--resume", file, lines=(typed[-1], "yes")).stdout
    assert "moved a cup off the track" in out or "could only move a cup off the track" in out


# Taking back.


def test_undo_takes_back_to_the_last_human_decision_bots_included(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "undone.game"
    args = ("play", "jumping-cups", *RED_FIRST, "--seed", 1, "--save", file)
    out = run(*args, lines=("5", "6", "undo", "4", "quit")).stdout
    assert "Red (you) takes back 6-7.\n" in out
    assert [text for n, text in enumerate(moves_in(file)) if n % 2 == 0] == ["5-6", "4-5"]


def test_undo_with_nothing_to_take_back_says_so(run: Run) -> None:
    out = run("play", "jumping-cups", "--option", "starter=yellow", lines=("undo",)).stdout
    assert "There is no move of yours to take back.\n" in out, "a bot's move is not the person's"


# Keeping.


def test_every_move_is_kept_at_once_and_the_end_of_input_loses_nothing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "kept.game"
    result = run("play", "jumping-cups", *RED_FIRST, *TWO, "--save", file, lines=("5", "10"))
    assert result.exit_code == 0
    assert moves_in(file) == ["5-6", "10-9"]
    assert f"Go on with: cupboard play --resume {file}\n" in result.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["kept.game"]


def test_resume_goes_on_with_the_same_seats_names_and_comments(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "on.json"
    args = ("play", "jumping-cups", *RED_FIRST, "--seats", "human,random", "--names", "Anna", "--save", file)
    run(*args, lines=("5", "quit"))
    text = file.read_text(encoding="utf-8").replace('"5-6"', '"5-6",\n      "calm"')
    file.write_text(text, encoding="utf-8")
    out = run("play", "--resume", file, lines=("6", "quit")).stdout
    assert "Red · Anna" in out and "Yellow · random" in out
    after = file.read_text(encoding="utf-8")
    assert '"calm"' in after and '"6-7"' in after


def test_without_a_file_games_are_kept_in_the_own_folder(run: Run, own_data_folder: Path) -> None:
    run("play", "jumping-cups", *RED_FIRST, *TWO, lines=("5", "quit"))
    (file,) = own_data_folder.iterdir()
    assert moves_in(file) == ["5-6"]


def test_a_game_in_which_nobody_has_moved_leaves_no_file(run: Run, own_data_folder: Path) -> None:
    assert run("play", "jumping-cups", *RED_FIRST, lines=("quit",)).stdout.endswith("Good-bye.\n")
    assert list(own_data_folder.iterdir()) == []


def test_save_moves_the_game_to_another_file_but_over_nothing(run: Run, tmp_path: Path) -> None:
    there, new = tmp_path / "there.game", tmp_path / "new.game"
    there.write_text("precious", encoding="utf-8")
    lines = ("5", f"save {there}", "save", f"save {new}", "10", "quit")
    out = run("play", "jumping-cups", *RED_FIRST, *TWO, lines=lines).stdout
    assert f"{str(there)!r} is there already." in out and there.read_text(encoding="utf-8") == "precious"
    assert "Write the file's name too" in out
    assert moves_in(new) == ["5-6", "10-9"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("jumping-cups", "--seats", "human,nobody"), "'nobody' cannot sit at the table"),
        (("jumping-cups", "--seats", "human,"), "'' cannot sit at the table"),
        (("jumping-cups", "--seats", "human"), "Jumping Cups is for 2 players, not 1."),
        (("jumping-cups", "--names", "A,B,C"), "There are 3 names for 2 seats."),
        (("jumping-cups", "--profile", "x"), "Jumping Cups has no option 'profile'."),
        (("jumping-cups", "--option", "starter=green"), "starter is random, red or yellow, not 'green'."),
        (("jumping-cup",), "There is no game called 'jumping-cup'. Did you mean jumping-cups?"),
        (("--resume", "no.game"), "There is no file 'no.game'."),
        (("--resume", RECORDS / "blocked.game"), "This game is over."),
        (("double-dutch", "--resume", RECORDS / "blocked.game"), f"{str(RECORDS / 'blocked.game')!r} holds a game of"),
        (("jumping-cups", "--save", RECORDS / "blocked.game"), f"{str(RECORDS / 'blocked.game')!r} is there already"),
        (("jumping-cups", "--save", "no/such/a.game"), "There is no folder 'no/such'"),
    ],
)
def test_what_cannot_be_played_is_explained(run: Run, args: tuple[object, ...], sentence: str) -> None:
    result = run("play", *args)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(sentence)


# Secret hands and everybody at once.


def test_cup_king_offers_a_pyramid_and_shows_only_the_own_hand(run: Run) -> None:
    out = run("play", "cup-king", "--seed", 5, lines=("", "quit")).stdout
    assert "168,168,000 legal moves: too many to list." in out and "Enter alone plays build-A:" in out
    assert "Player B (quick bot) gets 10 cards." in out and "Player A (you) gets 10 cards" not in out


def test_several_people_with_secrets_see_each_only_their_own(run: Run) -> None:
    out = run(
        "play", "cup-king", "--seats", "human,human", "--names", "Anna,Bo", "--seed", 5, lines=("", "", "")
    ).stdout
    _, first, second, *_ = out.split("---- The keyboard goes to ")
    assert first.startswith("Player A (Anna) ----") and second.startswith("Player B (Bo) ----")
    assert "hand of A" in first and "hand of B" not in first
    assert "hand of B" in second and "hand of A" not in second
    assert "Player A (Anna) gets 10 cards." in second and "Player A (Anna) has built a pyramid." in second
