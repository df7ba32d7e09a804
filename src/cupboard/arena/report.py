"""The report of a tournament: a table for the terminal, JSON, a plot, and an HTML page with everything.

report.json   report.html   ratings.svg   ratings.png
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from io import BytesIO
from itertools import pairwise
from math import inf, isinf
from pathlib import Path
from typing import Any

from cupboard.arena.atomic import write_atomically
from cupboard.arena.game_runner import GameResult
from cupboard.arena.ratings import Interval, Rating, by_set, elo_interval, ladder_steps, rate_players
from cupboard.arena.schedule import Schedule
from cupboard.arena.sprt import Sprt, Verdict

__all__ = ["HEADER", "WIDTH_OF_NUMBERS", "TournamentReport", "figure_of", "write_report"]

HEADER = ("player", "Elo", "score", "95 %", "games", "forfeits", "moves", "s/move")
WIDTH_OF_NUMBERS = 66
"""How many columns of a terminal the numbers of a row take, with thousands of games."""


@dataclass(frozen=True)
class TournamentReport:
    """The results of a tournament so far: ratings, scores between players, and every game."""

    heading: Mapping[str, object]
    ratings: Sequence[Rating]
    duel: Interval | None
    """With two players, the Elo difference between the first and the second, from their score."""
    steps: Sequence[tuple[str, str, Interval]]
    """For a ladder: a player, the one below it, and the Elo difference between them."""
    sprt: tuple[Sprt, Verdict, float] | None
    cross: Mapping[tuple[str, str], tuple[float, int]]
    """For each pair of players, the points of the first in games with the second, and the number of games."""
    seats: Sequence[float]
    """The share of the points that each seat took, over all players."""
    ends: Mapping[str, int]
    faults: Sequence[tuple[str, str, str]]
    """The game, the player and the reason of each forfeit."""
    games: Sequence[GameResult]

    @classmethod
    def of(cls, schedule: Schedule, played: Iterable[GameResult], sprt: Sprt | None = None) -> TournamentReport:
        """The report on the games played so far; `sprt` adds its verdict."""
        games = sorted(played, key=lambda game: game.id)
        labels, seats = schedule.labels, schedule.game.seats
        judged = None
        if sprt is not None:
            judged = sprt, *sprt.judge(labels[0], games, seats, schedule.rotations)
        return cls(
            heading=schedule.heading(),
            ratings=rate_players(labels, games),
            duel=_duel(labels, games, seats) if len(labels) == 2 and games else None,
            steps=_steps(labels, games) if schedule.is_ladder else (),
            sprt=judged,
            cross=_cross(games),
            seats=[sum(game.scores[seat] for game in games) / max(1, len(games)) for seat in range(seats)],
            ends=Counter(game.end for game in games),
            faults=[(game.id, game.labels[game.forfeit], game.fault) for game in games if game.forfeit is not None],
            games=games,
        )

    def rows(self, room: int | None = None) -> list[tuple[str, ...]]:
        """The rows of the table under HEADER: ratings and scores with their 95 % intervals, and moves per game.

        Names longer than `room` characters are cut short.
        """
        return [
            (
                _cut(rating.label, room),
                f"{rating.elo.value:+.0f} ± {rating.elo.high - rating.elo.value:.0f}",
                f"{rating.score.value:.1%}",
                f"{100 * rating.score.low:.1f}–{100 * rating.score.high:.1f}",
                str(rating.games),
                str(rating.forfeits),
                f"{rating.own_moves:.1f}",
                f"{rating.move_seconds:.3f}",
            )
            for rating in self.ratings
        ]

    def sentences(self) -> list[str]:
        """Sentences on what the table does not show: differences, the verdict, seats, ends and forfeits."""
        said = []
        if self.duel is not None and self.games:
            names = self.heading["players"]
            assert isinstance(names, list)
            low, high = _signed(self.duel.low), _signed(self.duel.high)
            said.append(f"{names[0]} against {names[1]}: {_signed(self.duel.value)} Elo, 95 % within {low} … {high}.")
        for above, below, step in self.steps:
            said.append(f"{above} over {below}: {step.value:+.0f} Elo, 95 % within {step.low:+.0f} … {step.high:+.0f}.")
        if self.sprt is not None:
            test, verdict, ratio = self.sprt
            words = {
                Verdict.OPEN: "not decided yet",
                Verdict.BETTER: f"better by {test.elo1:g} Elo rather than {test.elo0:g}",
                Verdict.NOT_BETTER: f"not better: {test.elo0:g} Elo rather than {test.elo1:g}",
            }
            said.append(f"SPRT: {words[verdict]} (log-likelihood ratio {ratio:+.2f}, bounds ±{test.bound:.2f}).")
        said.append("Seats took " + ", ".join(f"{share:.1%}" for share in self.seats) + " of the points.")
        said.append("Games ended: " + ", ".join(f"{word} {n}" for word, n in sorted(self.ends.items())) + ".")
        said += [f"Game {game}: {label} forfeits. {why}" for game, label, why in self.faults[:5]]
        if len(self.faults) > 5:
            said.append(f"… and {len(self.faults) - 5} more forfeits.")
        return said

    def to_json(self) -> dict[str, Any]:
        """The report as plain data, with the number of games instead of the games."""
        return {
            **self.heading,
            "ratings": [asdict(rating) for rating in self.ratings],
            "elo_difference": None if self.duel is None else _finite(self.duel),
            "steps": [[above, below, asdict(step)] for above, below, step in self.steps],
            "sprt": None
            if self.sprt is None
            else {**asdict(self.sprt[0]), "verdict": self.sprt[1].value, "ratio": self.sprt[2]},
            "cross": [[a, b, points, n] for (a, b), (points, n) in sorted(self.cross.items())],
            "seat_shares": list(self.seats),
            "ends": dict(self.ends),
            "games": len(self.games),
        }


def write_report(report: TournamentReport, folder: Path) -> None:
    """Write report.json, report.html and the pictures of the ratings into `folder`."""
    write_atomically(folder / "report.json", json.dumps(report.to_json(), indent=2, ensure_ascii=False) + "\n")
    pictures = _plot(report)
    for suffix, data in pictures.items():
        write_atomically(folder / f"ratings.{suffix}", data)
    write_atomically(folder / "report.html", _page(report, pictures["svg"].decode()))


def _duel(labels: Sequence[str], games: Sequence[GameResult], seats: int) -> Interval:
    return elo_interval(list(by_set(games, labels[0]).values()), seats)


def _steps(labels: Sequence[str], games: Sequence[GameResult]) -> list[tuple[str, str, Interval]]:
    found = ladder_steps(labels, games)
    return [(above, below, step) for (below, above), step in zip(pairwise(labels), found, strict=True)]


def _cross(games: Iterable[GameResult]) -> dict[tuple[str, str], tuple[float, int]]:
    cross: defaultdict[tuple[str, str], tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for game in games:
        for seat, label in enumerate(game.labels):
            for other in sorted(set(game.labels) - {label}):
                points, n = cross[label, other]
                cross[label, other] = points + game.scores[seat], n + 1
    return dict(cross)


def _signed(elo: float) -> str:
    return ("+∞" if elo > 0 else "−∞") if isinf(elo) else f"{elo:+.0f}"


def _finite(interval: Interval) -> dict[str, float | None]:
    """The interval as plain data, with None for what is infinite: JSON has no infinity."""
    return {name: None if value in (inf, -inf) else value for name, value in asdict(interval).items()}


def figure_of(report: TournamentReport) -> Any:
    """A matplotlib figure: the ratings with their intervals, and below them each player's score from game to game."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    ratings = list(report.ratings)[::-1]
    figure = Figure(figsize=(9, 3.4 + 0.35 * len(ratings)), layout="constrained")
    FigureCanvasAgg(figure)
    above, below = figure.subplots(2, 1, height_ratios=[1 + 0.3 * len(ratings), 3])
    values = [rating.elo.value for rating in ratings]
    widths = [rating.elo.value - rating.elo.low for rating in ratings]
    above.errorbar(values, range(len(ratings)), xerr=widths, fmt="o", capsize=4, color="#20639b")
    above.set_yticks(range(len(ratings)), [_short(rating.label) for rating in ratings])
    above.set_ylim(-0.6, len(ratings) - 0.4)
    above.set_xlabel("Elo, with 95 % intervals")
    above.grid(axis="x", alpha=0.3)
    for rating in report.ratings[:8]:
        points, seats, line = 0.0, 0, []
        for game in report.games:
            mine = [score for score, label in zip(game.scores, game.labels, strict=True) if label == rating.label]
            points, seats = points + sum(mine), seats + len(mine)
            line.append(points / seats if seats else float("nan"))
        below.plot(range(1, len(line) + 1), line, label=_short(rating.label))
    below.set_xlabel("games")
    below.set_ylabel("score so far")
    below.set_ylim(-0.02, 1.02)
    below.grid(alpha=0.3)
    # Beside the axes: inside them it would cover the lines it explains.
    below.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
    return figure


def _plot(report: TournamentReport) -> dict[str, bytes]:
    """The figure as the content of an SVG and a PNG file, by suffix."""
    import matplotlib as mpl

    figure = figure_of(report)
    pictures = {}
    with mpl.rc_context({"svg.hashsalt": "cupboard", "svg.fonttype": "path"}):
        for suffix in ("svg", "png"):
            out = BytesIO()
            figure.savefig(out, format=suffix, metadata={"Date": None} if suffix == "svg" else {"Software": None})
            pictures[suffix] = out.getvalue()
    return pictures


def _cut(label: str, room: int | None) -> str:
    return label if room is None or len(label) <= room else label[: room - 1] + "…"


def _short(label: str) -> str:
    # matplotlib would read a $ as the beginning of a formula.
    return _cut(label, 32).replace("$", r"\$")


_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; } th, td { padding: .25rem .7rem; text-align: right; }
th:first-child, td:first-child { text-align: left; } tr + tr { border-top: 1px solid #ddd; }
svg { max-width: 100%; height: auto; } a { color: #20639b; }
@media (prefers-color-scheme: dark) { body { background: #16181b; color: #ddd; } tr + tr { border-color: #333; }
svg { background: #fff; border-radius: 6px; } a { color: #8ab8e0; } }
"""


def _page(report: TournamentReport, picture: str) -> str:
    title = f"{report.heading['game']}, {report.heading['seats']} seats: {len(report.games)} games"
    options = report.heading["options"]
    assert isinstance(options, dict)
    rules = ", ".join(f"{name}={value}" for name, value in options.items())
    spent = [f"{name} {report.heading[name]}" for name in ("seconds", "nodes", "depth") if report.heading[name]]
    labels = [rating.label for rating in report.ratings]
    cross = []
    for label in labels:
        cells = [report.cross.get((label, other)) for other in labels]
        cross.append((label, *("" if cell is None else f"{cell[0]:g} / {cell[1]}" for cell in cells)))
    games = [
        (
            f'<a href="games/{escape(game.id)}.game">{escape(game.id)}</a>',
            escape(", ".join(game.labels)),
            " : ".join(f"{score:g}" for score in game.scores),
            escape(game.end),
            str(game.moves),
        )
        for game in report.games
    ]
    parts = [
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>',
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style><h1>{escape(title)}</h1>',
        f"<p>{escape(rules)}. Per move: {escape(', '.join(spent) or 'as each player likes')}. "
        f"Seed {report.heading['seed']}.</p>",
        _html_table(HEADER, [tuple(map(escape, row)) for row in report.rows()]),
        *(f"<p>{escape(sentence)}</p>" for sentence in report.sentences()),
        picture[picture.index("<svg") :],
        "<h2>Points against each other</h2>",
        _html_table(tuple(map(escape, ("", *labels))), [tuple(map(escape, row)) for row in cross]),
        f"<h2>Games</h2><details><summary>{len(games)} games</summary>",
        _html_table(("game", "seats", "points", "end", "moves"), games),
        "</details></html>",
    ]
    return "\n".join(parts)


def _html_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{cell}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"
