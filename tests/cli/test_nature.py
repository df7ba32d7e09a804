"""What is simulated at the terminal: aimed by hand, drawn before and after, decided all the same when it fails."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.cli.conftest import Run

from cupboard.cli import aim_prompt, move_prompt
from cupboard.core.match import Match
from cupboard.core.record import Record
from cupboard.games.cup_king.rules import CupKingPosition

BEGUN = """[Game "cup-king"]
[Seats "2"]
[A "Anna"]
[B "Bo"]

*:deal-A:R3,R6,Y1,Y8,G3,G5,G7,B7,P1,P5
*:deal-B:R1,R4,Y3,Y5,Y8,G8,B1,B4,B8,P2
1. A:build-A:GGGRR/RYYY/BBB/PP/P B:build-B:YYYBB/BGGG/RRR/PP/P *:reveal:GGGRR/RYYY/BBB/PP/P;YYYBB/BGGG/RRR/PP/P *:lot-B
2. B:P2 *:deal-B:R1
"""
FLICKS = 8
"""How many entries the log has before Anna flicks."""


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A kept game in which Anna must beat purple 2 or flick."""
    file = tmp_path / "begun.game"
    file.write_text(BEGUN, encoding="utf-8")
    return file


def flicked(run: Run, file: Path, *lines: str, seed: int = 3) -> tuple[str, list[str]]:
    """What is printed when Anna types these lines, and the moves that are kept then; the game begins anew each time."""
    file.write_text(BEGUN, encoding="utf-8")
    out = run("play", "--resume", file, "--seats", "human,greedy", "--seed", seed, lines=(*lines, "quit")).stdout
    return out, [move.text for move in Record.read(file.read_text(encoding="utf-8")).moves][FLICKS:]


def test_a_flick_is_simulated_judged_and_drawn_before_and_after(run: Run, begun: Path) -> None:
    out, (flick, settle) = flicked(run, begun, "-e1:gentle")
    assert flick == "-e1:gentle"
    assert settle.endswith(";engine") and "(" in settle, "a simulated pyramid has poses"
    judgement, _, drawing = out.partition("-e1:gentle\n")[2].strip().partition("\n")
    assert judgement.startswith("Down: ") and "e1" in judgement and judgement.endswith("buckets left standing.")
    top, base = (next(line for line in drawing.splitlines() if line.startswith(f"  {row} ")) for row in "ea")
    assert top.split() == ["e", "[★P]", "e", "·"], "before and after, with the flicked one marked"
    assert base.split()[:6] == ["a", "■G", "■G", "■G", "●R", "●R"] and "→" in drawing


def test_the_same_seed_flicks_alike_and_another_differently(run: Run, begun: Path) -> None:
    one, again, other = (flicked(run, begun, "-d1", seed=seed)[1] for seed in (3, 3, 4))
    assert one == again and one != other


def test_a_failed_simulation_is_said_and_the_careful_rule_decides(
    run: Run, begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(position: CupKingPosition, rng: object) -> None:
        raise RuntimeError("numbers that are none")

    monkeypatch.setattr(CupKingPosition, "simulate", break_down)
    out, (_, settle) = flicked(run, begun, "-d1")
    assert "The simulation failed (RuntimeError: numbers that are none)." in out
    assert "The simulation failed, so the bucket is taken out with care. Down: d1 and e1." in out
    assert settle == "settle-A:a1,a2,a3,a4,a5,b1,b2,b3,b4,c1,c2,c3,d2;fell=d1,e1;care"


def test_a_game_left_between_flick_and_settle_is_settled_when_it_goes_on(run: Run, begun: Path) -> None:
    begun.write_text(BEGUN + "3. A:-e1\n", encoding="utf-8")
    out = run("play", "--resume", begun, "--seats", "human,greedy", "--seed", 3, lines=("G3", "quit")).stdout
    assert "Down: e1" in out and ";engine" in begun.read_text(encoding="utf-8")


def test_an_aim_may_be_written_or_asked_for(run: Run, begun: Path) -> None:
    written = flicked(run, begun, "-d1:75,40,-10,15,behind")[1]
    out, asked = flicked(run, begun, "aim x1", "D1", "75", "forty", "40", "-10", "15", "back", "behind")
    assert asked == written and asked[0] == "-d1:75,40,-10,15,behind"
    assert "You cannot aim at 'x1' now: d1, d2, e1." in out
    assert "Write a whole number from 0 to 100" in out and "Write front or behind." in out
    assert flicked(run, begun, "aim e1", "", "", "", "", "")[1][0] == "-e1", "Enter alone takes what is usual"
    assert flicked(run, begun, "aim", "")[1] == [], "and leaves it before anything is chosen"


def test_an_aim_off_the_scale_is_refused_before_anything_is_simulated(run: Run, begun: Path) -> None:
    out, moves = flicked(run, begun, "-d1:200", "-d1:nan", "-a1", "-d1:60,50,0,0,left")
    assert moves == []
    assert "Strength goes from 1 to 100, and 200 is beyond that." in out
    assert "You must lose a purple bucket: d1, d2, e1." in out


def test_the_list_of_moves_names_each_thing_once_and_help_explains_aiming(run: Run, begun: Path) -> None:
    out, _ = flicked(run, begun, "help", "moves -d2")
    assert "11 legal moves: P5+P1  P5  -d1…  -d2…  -e1…\n" in out
    assert "-d1… is -d1:gentle  -d1  -d1:hard  or aimed freely" in out
    assert "  Turned right: -60 to 60, usually 0; which way it pushes, in degrees; negative: left\n" in out
    assert "3 legal moves from -d2: -d2:gentle  -d2  -d2:hard\n" in out
    helped = run("play", "jumping-cups", "--seats", "human,human", "--seed", 1, lines=("help",)).stdout
    assert "quit   stop" in helped and "aim" not in helped


def test_an_example_of_aiming_is_a_legal_move(begun: Path) -> None:
    view = Record.read(BEGUN).replay().position.seen_by(0)
    aiming = view.aiming()
    assert aiming is not None
    example = aim_prompt.explain(aiming).partition("as in ")[2].partition(":\n")[0]
    assert str(view.parse(example)) == example


def test_what_can_be_aimed_at_is_listed_even_beside_many_cards() -> None:
    text = BEGUN.replace("R3,R6,Y1,Y8,G3,G5,G7,B7,P1,P5", "P1,P1,P3,P3,P4,P4,P5,P5,P7,P8")
    view = Record.read(text).replay().position.seen_by(0)
    listed = move_prompt.short_list(view.moves(), view.aiming()).splitlines()
    assert len(listed) <= 5
    assert any(line.split()[-3:] == ["-d1…", "-d2…", "-e1…"] for line in listed)


def test_replay_tells_the_judgement_and_never_simulates(run: Run, begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flicked(run, begun, "-d1")
    monkeypatch.delattr(CupKingPosition, "simulate")
    out = run("replay", begun, "--all").stdout
    assert "9. Player A -d1\n10. Chance Down: d1" in out and "buckets left standing." in out


def test_a_match_without_people_draws_from_the_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(CupKingPosition, "simulate")
    match: Match = Record.read(BEGUN + "3. A:-d1\n").replay()
    match.settle(Random(1))
    assert str(match.log[-1].move).startswith("settle-A:") and ";engine" not in str(match.log[-1].move)
