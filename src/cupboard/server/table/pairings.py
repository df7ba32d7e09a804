"""What the pairing of a class takes from its table: the score, the moves and the end.

A game that whoever runs the server has stopped or closed has no winners and gives no score: it was not played to an
end. A teacher may still enter a result, and the two may meet again. The functions are for `Store.read` and
`Store.write`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.server.store.damage import report
from cupboard.server.store.schema import EVENT, GAME, PAIRING
from cupboard.server.table.state import CLOSED, STOPPED

GameScore = Literal["first", "draw", "second"]


def score_of(game: str, outcome: str | None) -> GameScore | None:
    """The score of a game for two with this outcome, which is JSON; None for one that ended without a result."""
    try:
        known = msgspec.json.decode(outcome or "")
        winners, reason = known["winners"], known.get("reason")
    except Exception as error:  # a row that was damaged: the teacher can still enter a result
        report(game, error)
        return None
    if not winners and reason in (STOPPED, CLOSED):
        return None
    return "draw" if len(winners) != 1 else "first" if winners == [0] else "second"


def grown(conn: Connection, games: Collection[str]) -> dict[str, tuple[int, int]]:
    """How many moves people and bots have made in each game, and when something last happened there."""
    is_move = sa.and_(EVENT.c.kind == "move", EVENT.c.seat >= 0)
    query = (
        sa.select(EVENT.c.game, sa.func.count().filter(is_move), sa.func.max(EVENT.c.at))
        .where(EVENT.c.game.in_(games))
        .group_by(EVENT.c.game)
    )
    return {game: (moves, at) for game, moves, at in conn.execute(query)}


def note_scores(conn: Connection, games: Collection[str]) -> None:
    """Note the scores of those of the games that are over: they are then kept, whatever becomes of the games."""
    query = (
        sa.select(GAME.c.id, GAME.c.outcome)
        .join(PAIRING, PAIRING.c.game == GAME.c.id)
        .where(GAME.c.id.in_(games), GAME.c.status == "over", PAIRING.c.score.is_(None))
    )
    scores = {game: score_of(game, outcome) for game, outcome in conn.execute(query)}
    lengths = grown(conn, scores)
    for game, score in scores.items():
        if score is not None:
            moves, ended = lengths.get(game, (0, None))
            change = sa.update(PAIRING).where(PAIRING.c.game == game, PAIRING.c.score.is_(None))
            conn.execute(change.values(score=score, moves=moves, ended=ended))
