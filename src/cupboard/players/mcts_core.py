# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""The compiled part of Monte Carlo tree search for games without secrets: 2 to 6 seats, one machine code for all.

Every node keeps, besides visits and points, two opinions that go up the tree like in minimax:
    guess[node, seat]  each seat's share of the point by the evaluation, backed up by best answers (implicit minimax)
    tree[node, MASK]   the seats that may still win; one bit means a proven win (MCTS-Solver for any number of seats)

A node's children lie side by side; they are made, and evaluated, when the node is visited for the second time.
"""

import numpy as np
from numba import types

from cupboard.core.kernel import (
    EVALUATE,
    KEY,
    MOVES,
    OVER,
    PLAY,
    POINT,
    ROW,
    SCORES,
    SEATS,
    TURN,
    fast,
    inner,
)
from cupboard.core.prng import below, counted, mixed

FIRST, COUNT, MOVER, VISITS, MASK, TO_MOVE = range(6)
COLUMNS = 6
MAX_PATH = 512
# Settings, all float64.
EXPLORE, BLEND, SHARP, LENGTH, SCALE, SAMPLE = range(6)

_TREE = types.int64[:, ::1]
_GUESS = types.float32[:, ::1]
_FLOATS = types.float64[::1]
_PTR = types.FunctionType


@inner
def appraise(scores, evaluate, row, scale, shares, values):
    """Write each seat's share of the point, exact if the game is over; returns the possible winners as bits."""
    seats = row[SEATS]
    if row[TURN] == OVER:
        scores(row, shares)
        mask = np.int64(0)
        for seat in range(seats):
            values[seat] = shares[seat] / POINT
            mask |= np.int64(shares[seat] > 0) << seat
        return mask
    # Evaluations compare a seat with the best other, so a lead shows twice: in the leader and in the others.
    most = -1e18
    for seat in range(seats):
        values[seat] = evaluate(row, seat) / (2 * scale)
        most = max(most, values[seat])
    total = 0.0
    for seat in range(seats):
        values[seat] = np.exp(max(-50.0, values[seat] - most))
        total += values[seat]
    for seat in range(seats):
        values[seat] /= total
    return (np.int64(1) << seats) - 1


@inner
def expand(moves, play, scores, evaluate, row, child_row, node, count, out, shares, values, state,
           settings, codes, tree, totals, priors, guess):  # fmt: skip
    """Make the children of a node, if there is room; returns how many nodes the tree then has."""
    n = moves(row, out)
    if count + n > len(tree):
        return count
    seats, mover = row[SEATS], row[TURN]
    tree[node, FIRST] = count
    tree[node, COUNT] = n
    tree[node, TO_MOVE] = mover
    most = 0.0
    for i in range(n):
        child = count + i
        child_row[:] = row
        play(child_row, out[i])
        codes[child] = out[i]
        tree[child, FIRST] = 0
        tree[child, COUNT] = 0
        tree[child, MOVER] = mover
        tree[child, VISITS] = 0
        tree[child, TO_MOVE] = child_row[TURN]
        tree[child, MASK] = appraise(scores, evaluate, child_row, settings[SCALE], shares, values)
        totals[child] = 0.0
        for seat in range(seats):
            guess[child, seat] = values[seat]
        most = max(most, values[mover])
    total = 0.0
    for i in range(n):
        # The seed speaks here alone, and only between moves that look alike.
        whim = 1 + 0.05 * below(1024, mixed(state + np.uint64(i))) / 1024
        priors[count + i] = whim * np.exp((guess[count + i, mover] - most) / settings[SHARP])
        total += priors[count + i]
    for i in range(n):
        priors[count + i] /= total
    return count + n


@inner
def conclude(node, seats, tree, guess):
    """Back up the guess and the proof from a node's children: the mover takes what is best for it."""
    mover, first = tree[node, TO_MOVE], tree[node, FIRST]
    mine = np.int64(1) << mover
    best, most, mask = first, -1.0, np.int64(0)
    for child in range(first, first + tree[node, COUNT]):
        if tree[child, MASK] == mine:
            best, mask = child, mine
            break
        mask |= tree[child, MASK]
        if guess[child, mover] > most:
            best, most = child, guess[child, mover]
    tree[node, MASK] = mask
    for seat in range(seats):
        guess[node, seat] = guess[best, seat]
    if mask & (mask - 1) == 0:
        for seat in range(seats):
            guess[node, seat] = np.float32(mask >> seat & 1)


@inner
def best_child(node, settings, tree, totals, priors, guess):
    """The child with the best average, blended with its guess, given credit where it is promising but little tried.

    A proven loss is chosen only if there is nothing else.
    """
    mover, first = tree[node, TO_MOVE], tree[node, FIRST]
    mine = np.int64(1) << mover
    hopeful = tree[node, MASK] & mine
    wide = settings[EXPLORE] * np.sqrt(np.float64(tree[node, VISITS]))
    best, most = first, -1e18
    for child in range(first, first + tree[node, COUNT]):
        if hopeful and not tree[child, MASK] & mine:
            continue
        visits = tree[child, VISITS]
        worth = np.float64(guess[child, mover])
        if visits:
            worth = settings[BLEND] * worth + (1 - settings[BLEND]) * totals[child] / visits
        worth += wide * priors[child] / (1 + visits)
        if worth > most:
            best, most = child, worth
    return best


@inner
def play_on(moves, play, scores, evaluate, row, child_row, out, shares, values, state, settings):
    """A short playout, each move the best of a few drawn by lot, then the evaluation."""
    for _ in range(np.int64(settings[LENGTH])):
        if row[TURN] == OVER:
            break
        n = moves(row, out)
        mover = row[TURN]
        best, most = out[0], -1e18
        for _ in range(np.int64(settings[SAMPLE])):
            state = counted(state)
            code = out[below(n, mixed(state))]
            child_row[:] = row
            play(child_row, code)
            value = np.float64(evaluate(child_row, mover))
            if value > most:
                best, most = code, value
        play(row, best)
    appraise(scores, evaluate, row, settings[SCALE], shares, values)
    return state


@fast(
    types.int64(
        _PTR(MOVES), _PTR(PLAY), _PTR(SCORES), _PTR(EVALUATE), ROW, types.int64, types.int64, ROW, ROW,
        _FLOATS, ROW, _TREE, _FLOATS, _FLOATS, _GUESS,
    )
)  # fmt: skip
def search(
    moves, play, scores, evaluate, start, max_moves, iterations, random, nodes,
    settings, codes, tree, totals, priors, guess,
):  # fmt: skip
    """Run so many more iterations from node 0, fewer once the root is proven; returns how many it ran.

    random[0], the state of the generator, and nodes[0], the number of nodes, carry on from call to call.
    """
    row, child_row = start.copy(), start.copy()
    out, shares = np.empty(max_moves, np.int64), np.zeros(8, np.int64)
    values = np.zeros(8, np.float64)
    path = np.empty(MAX_PATH, np.int64)
    seats = start[SEATS]
    state = np.uint64(random[0])
    count = nodes[0]
    done = np.int64(0)
    while done < iterations:
        if tree[0, COUNT] and tree[0, MASK] & (tree[0, MASK] - 1) == 0:
            break
        row[:] = start
        node, depth = np.int64(0), 1
        path[0] = 0
        while depth < MAX_PATH:
            settled = tree[node, MASK] & (tree[node, MASK] - 1) == 0
            if row[TURN] == OVER or (settled and node):
                break
            if tree[node, COUNT] == 0:
                if tree[node, VISITS] == 0 and node:
                    break
                state = counted(state)
                count = expand(moves, play, scores, evaluate, row, child_row, node, count, out, shares, values, state,
                               settings, codes, tree, totals, priors, guess)  # fmt: skip
                if tree[node, COUNT] == 0:
                    break
            node = best_child(node, settings, tree, totals, priors, guess)
            play(row, codes[node])
            path[depth] = node
            depth += 1
        proven = tree[node, MASK] & (tree[node, MASK] - 1) == 0
        if settings[LENGTH] > 0 and not proven and row[TURN] != OVER:
            state = play_on(moves, play, scores, evaluate, row, child_row, out, shares, values, state, settings)
        else:
            for seat in range(seats):
                values[seat] = guess[node, seat]
        for i in range(depth - 1, -1, -1):
            node = path[i]
            tree[node, VISITS] += 1
            totals[node] += values[tree[node, MOVER]]
            if tree[node, COUNT]:
                conclude(node, seats, tree, guess)
        done += 1
    random[0] = np.int64(state)
    nodes[0] = count
    return done


@fast(types.int64(_PTR(PLAY), _PTR(KEY), ROW, types.int64, types.int64, ROW, _TREE))
def find(play, key, start, wanted, deepest, codes, tree):
    """The visited node within `deepest` moves below the root whose position has this key, or -1."""
    rows = np.empty((deepest + 1, len(start)), np.int64)
    nodes, nexts = np.zeros(deepest + 1, np.int64), np.zeros(deepest + 1, np.int64)
    rows[0] = start
    if key(rows[0]) == wanted:
        return np.int64(0)
    depth = 0
    while depth >= 0:
        node = nodes[depth]
        if depth == deepest or nexts[depth] >= tree[node, COUNT]:
            depth -= 1
            continue
        child = tree[node, FIRST] + nexts[depth]
        nexts[depth] += 1
        if tree[child, VISITS] == 0 or tree[child, COUNT] == 0:
            continue
        rows[depth + 1] = rows[depth]
        play(rows[depth + 1], codes[child])
        if key(rows[depth + 1]) == wanted:
            return child
        depth += 1
        nodes[depth] = child
        nexts[depth] = 0
    return np.int64(-1)


@fast(types.int64(types.int64, ROW, _TREE, _FLOATS, _FLOATS, _GUESS, ROW, _TREE, _FLOATS, _FLOATS, _GUESS))
def transplant(root, codes, tree, totals, priors, guess, codes2, tree2, totals2, priors2, guess2):
    """Copy what lies below `root` into an empty tree; returns its size."""
    codes2[0], totals2[0], priors2[0] = codes[root], totals[root], priors[root]
    tree2[0], guess2[0] = tree[root], guess[root]
    count, node = 1, 0
    while node < count:
        first, n = tree2[node, FIRST], tree2[node, COUNT]  # still where the old tree has them
        if n:
            tree2[node, FIRST] = count
            for i in range(n):
                old, new = first + i, count + i
                codes2[new], totals2[new], priors2[new] = codes[old], totals[old], priors[old]
                tree2[new], guess2[new] = tree[old], guess[old]
            count += n
        node += 1
    return np.int64(count)
