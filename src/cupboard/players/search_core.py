# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""The compiled part of alpha-beta: one search for every game, through the verbs of its kernel and its evaluation.

    moves play scores key     the kernel's verbs (core.kernel)
    weigh(row, seat, weights) the evaluation with its weights; at least PROVEN in size only when it is certain
    promise(row, move)        what a move seems worth to its mover before it is made, in the units of weigh

Values are the view of whoever is to act at the node. With more than two seats the root's seat plays against all the
others as one opponent: in full (paranoid), or so that between two turns of the root one opponent searches all its
moves and the others make the one that promises most (best reply, BRS+), or so that all of them make the one that
promises most (expect), which leaves time to look far ahead. Chance has no place here.
"""

import numpy as np
from numba import types

from cupboard.core.kernel import KEY, LIVE, MOVES, OVER, PLAY, POINT, PROMISE, ROW, SCORES, TURN, WEIGH, fast, inner

WIN = 1_000_000
"""The value of a game won now; each move until then costs one."""
PROVEN = 900_000
"""From this size on a value is proven and not an estimate."""
INFINITE = 2_000_000

# Entries of `ctl`, through which the search and its caller talk while it runs.
STOP, NODES, NODE_LIMIT, ABORTED, ROOT_SEAT, BEST_REPLY, AGE, FUTILITY, BEST, CONTROLS = range(10)

PARANOID, REPLY, EXPECT = 0, 1, 2
WIDEST = 16
"""How many of its own moves the root's seat looks at in the style `expect`, in which nothing can be cut off."""
HISTORY = 1 << 14
MAX_PLY = 120

_EXACT, _LEAST, _MOST = 0, 1, 2  # a stored value is exact, a lower bound or an upper bound
_MOVE_BITS = 24
_FIRST, _KILLER = 1 << 50, 1 << 45
_USED = 0x5851F42D4C957F2D


@inner
def _pack(value, move, depth, bound, age):
    """One table entry: 22 bits of value, 24 of move, 8 of depth, 2 of bound, 6 of age."""
    kept = move if move < 1 << _MOVE_BITS else 0
    return (((value + INFINITE) << _MOVE_BITS | kept) << 8 | depth) << 8 | bound << 6 | age


@inner
def _value_of(entry):
    return ((entry >> (_MOVE_BITS + 16)) & 0x3FFFFF) - INFINITE


@inner
def _move_of(entry):
    return (entry >> 16) & 0xFFFFFF


@inner
def _to_table(value, ply):
    """A value as the table keeps it: wins are counted from the entry, which many paths reach, and not from the root."""
    return value + ply if value >= PROVEN else value - ply if value <= -PROVEN else value


@inner
def _from_table(value, ply):
    return value - ply if value >= PROVEN else value + ply if value <= -PROVEN else value


@inner
def _slot(table, k):
    """The slot of the table that holds key k, or -1."""
    at = (k ^ (k >> 32)) & (len(table) - 2)
    if table[at, 0] == k:
        return at
    if table[at + 1, 0] == k:
        return at + 1
    return -1


@inner
def _store(table, k, entry):
    """Write an entry. Two slots share an index: the first has the deeper search of this age, the second the latest."""
    at = (k ^ (k >> 32)) & (len(table) - 2)
    old = table[at, 1]
    deeper = (entry >> 8) & 0xFF >= (old >> 8) & 0xFF
    if table[at, 0] == k or deeper or (old & 63) != (entry & 63):
        if table[at, 0] != k:
            table[at + 1, 0], table[at + 1, 1] = table[at, 0], old
    else:
        at += 1
    table[at, 0] = k
    table[at, 1] = entry


@inner
def _best_first(out, order, i, n):
    """Bring the most promising of the moves out[i:n] to place i."""
    best = i
    for j in range(i + 1, n):
        if order[j] > order[best]:
            best = j
    if best != i:
        out[i], out[best] = out[best], out[i]
        order[i], order[best] = order[best], order[i]


_VERBS = (
    types.FunctionType(MOVES), types.FunctionType(PLAY), types.FunctionType(SCORES), types.FunctionType(KEY),
    types.FunctionType(WEIGH), types.FunctionType(PROMISE),
)  # fmt: skip
_GRID = types.int64[:, ::1]
_INT = types.int64


@inner
def _result(scores, row, seat, ply, shares):
    """The value for `seat` of a game that has ended `ply` moves from the root."""
    scores(row, shares)
    if shares[seat] == POINT:
        return WIN - ply
    return ply - WIN if shares[seat] == 0 else 0


# rows, outs, orders: one line per ply; killers has two moves per ply, history one line per seat.
@fast(_INT(*_VERBS, ROW, _GRID, _GRID, _GRID, _GRID, _GRID, _GRID, ROW, _INT, _INT, _INT, _INT, _INT))
def _search(
    moves, play, scores, key, weigh, promise, weights, rows, outs, orders, table, history, killers, ctl,
    depth, alpha, beta, ply, used,
):  # fmt: skip
    """The value of rows[ply], a position that is not over, searched `depth` > 0 moves deep.

    `used` says that, since the root's seat moved last, one opponent has had its free choice (BRS+).
    """
    if ctl[STOP] or ctl[NODES] >= ctl[NODE_LIMIT]:
        ctl[ABORTED] = 1
        return np.int64(0)
    row, out, order, child = rows[ply], outs[ply], orders[ply], rows[ply + 1]
    turn, root = row[TURN], ctl[ROOT_SEAT]
    mine = turn == root
    if WIN - ply < beta:  # nothing beats an earlier win
        beta = WIN - ply
        if alpha >= beta:
            return beta
    k = key(row) ^ (_USED if used else 0)
    at = _slot(table, k)
    first = np.int64(-1)
    if at >= 0:
        entry = table[at, 1]
        first = _move_of(entry)
        value = _from_table(_value_of(entry), ply)
        bound = (entry >> 6) & 3
        if ((entry >> 8) & 0xFF >= depth or abs(value) >= PROVEN) and (
            bound == _EXACT or (bound == _LEAST and value >= beta) or (bound == _MOST and value <= alpha)
        ):
            return value

    follow = ctl[BEST_REPLY] and not mine  # one of several opponents
    n = moves(row, out)
    futile = ctl[FUTILITY] > 0 and depth == 1 and not follow and n > 1 and abs(alpha) < PROVEN
    static = np.int64(0)
    if futile:
        static = weigh(row, root, weights) + (ctl[FUTILITY] if mine else -ctl[FUTILITY])
        if not mine:
            static = -static
    best, best_move, low = np.int64(-INFINITE), np.int64(-1), alpha
    best_hope = 0
    total = 0
    for i in range(n):
        move = out[i]
        hope = promise(row, move)
        if futile and static + hope <= alpha and move != first:
            best = max(best, static + hope)  # it cannot matter, and is not even tried
            continue
        if total == 0 or hope > order[best_hope] >> 20:
            best_hope = total
        out[total] = move
        order[total] = (hope << 20) + history[turn, move & (HISTORY - 1)]
        total += 1
    n = total
    expects = ctl[BEST_REPLY] == EXPECT
    if follow:
        expected = out[best_hope]
        if used or expects:
            n = 1
            out[0] = expected
    for i in range(n):
        if out[i] == first:
            order[i] = _FIRST
        elif out[i] == killers[ply, 0] or out[i] == killers[ply, 1]:
            order[i] += _KILLER

    # Best reply: the whole table may also play what is expected of it; that costs no depth.
    extra = 1 if follow and not used and not expects else 0
    if expects and mine and n > WIDEST:
        n = WIDEST
        for i in range(n):  # the most promising ones to the front
            _best_first(out, order, i, total)
    for i in range(n + extra):
        if i < n:
            _best_first(out, order, i, n)
            move = out[i]
        else:
            move = expected
        free = follow and not used and not expects and i < n
        child[:] = row
        play(child, move)
        ctl[NODES] += 1
        less = depth if follow and not free else depth - 1
        if child[TURN] == OVER:
            value = _result(scores, child, root, ply + 1, outs[ply + 1])
            if not mine:  # to a coalition only what the root's seat gets matters
                value = -value
        elif less <= 0 or ply + 2 >= len(rows):
            value = weigh(child, root, weights)
            if not mine:
                value = -value
        else:
            same = mine == (child[TURN] == root)
            now_used = np.int64(0 if child[TURN] == root else (1 if used or free else 0))
            cut = np.int64(0)
            if i >= 4 and depth >= 3 and order[i] < _KILLER and i < n:
                cut = np.int64(1 + (i >= 16) + (depth >= 6))
                if cut > less - 1:
                    cut = less - 1
            # A narrow look first; a full one where it finds more than the best so far.
            value = np.int64(0)
            narrow = i > 0 and beta - alpha > 1
            if narrow or cut > 0:
                if same:
                    value = _search(moves, play, scores, key, weigh, promise, weights, rows, outs, orders, table,
                        history, killers, ctl, less - cut, alpha, alpha + 1, ply + 1, now_used)  # fmt: skip
                else:
                    value = -_search(moves, play, scores, key, weigh, promise, weights, rows, outs, orders, table,
                        history, killers, ctl, less - cut, -alpha - 1, -alpha, ply + 1, now_used)  # fmt: skip
            if not (narrow or cut > 0) or (value > alpha and (cut > 0 or value < beta)):
                if same:
                    value = _search(moves, play, scores, key, weigh, promise, weights, rows, outs, orders, table,
                        history, killers, ctl, less, alpha, beta, ply + 1, now_used)  # fmt: skip
                else:
                    value = -_search(moves, play, scores, key, weigh, promise, weights, rows, outs, orders, table,
                        history, killers, ctl, less, -beta, -alpha, ply + 1, now_used)  # fmt: skip
            if ctl[ABORTED]:
                return np.int64(0)
        if value > best:
            best, best_move = value, move
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    if i < n:
                        if killers[ply, 0] != move:
                            killers[ply, 1] = killers[ply, 0]
                            killers[ply, 0] = move
                        heat = history[turn, move & (HISTORY - 1)] + depth * depth
                        history[turn, move & (HISTORY - 1)] = min(heat, (1 << 19))
                    break
    bound = _MOST if best <= low else _LEAST if best >= beta else _EXACT
    _store(table, k, _pack(_to_table(best, ply), max(best_move, 0), depth, bound, ctl[AGE]))
    return best


@fast(_INT(*_VERBS, ROW, ROW, ROW, ROW, ROW, _GRID, _GRID, _GRID, _GRID, _GRID, _GRID, ROW, _INT, _INT))
def _root(
    moves, play, scores, key, weigh, promise, weights, start, codes, values, visits,
    rows, outs, orders, table, history, killers, ctl, depth, margin,
):  # fmt: skip
    """Search each of `codes` from `start`, a row with its history; returns how many were finished.

    Writes their values (exact within `margin` of the best, else a bound) and the nodes each took.
    """
    root = ctl[ROOT_SEAT]
    size = rows.shape[1]
    full = np.zeros(len(start) + 1, np.int64)
    best = np.int64(-INFINITE)
    for i in range(len(codes)):
        if ctl[STOP] or ctl[NODES] >= ctl[NODE_LIMIT]:
            ctl[ABORTED] = 1
            return i
        # The real past counts here: a move that repeats it may end the game.
        full[: len(start)] = start
        full[len(start)] = 0
        play(full, codes[i])
        ctl[NODES] += 1
        before = ctl[NODES]
        child = rows[1]
        child[:] = full[:size]
        child[LIVE] = size
        if child[TURN] == OVER:
            value = _result(scores, child, root, 1, outs[1])
        elif depth <= 1:
            value = weigh(child, root, weights)
        else:
            alpha = max(best - margin - 1, -INFINITE)
            same = child[TURN] == root
            value = np.int64(0)
            if i > 0 and margin == 0:
                if same:
                    value = _search(moves, play, scores, key, weigh, promise, weights, rows, outs, orders, table,
                        history, killers, ctl, depth - 1, best, best + 1, 1, 0)  # fmt: skip
                else:
                    value = -_search(moves, play, scores, key, weigh, promise, weights, rows, outs, orders, table,
                        history, killers, ctl, depth - 1, -best - 1, -best, 1, 0)  # fmt: skip
            if (i == 0 or margin > 0 or value > best) and not ctl[ABORTED]:
                if same:
                    value = _search(moves, play, scores, key, weigh, promise, weights, rows, outs, orders, table,
                        history, killers, ctl, depth - 1, alpha, INFINITE, 1, 0)  # fmt: skip
                else:
                    value = -_search(moves, play, scores, key, weigh, promise, weights, rows, outs, orders, table,
                        history, killers, ctl, depth - 1, -INFINITE, -alpha, 1, 0)  # fmt: skip
            if ctl[ABORTED]:
                return i
        values[i] = value
        visits[i] += ctl[NODES] - before + 1
        best = max(best, value)
        ctl[BEST] = best
    return len(codes)


@fast(PROMISE)
def no_promise(row, move):
    """The promise of every move in a game that gives none: 0."""
    return 0


@fast(types.int64(_GRID, types.int64))
def remembered(table, k):
    """The best move the table knows for a position's key, or -1; for principal variations."""
    at = _slot(table, k)
    return np.int64(-1) if at < 0 or (table[at, 1] >> 6) & 3 == _MOST else _move_of(table[at, 1])
