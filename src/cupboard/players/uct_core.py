# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""The compiled part of plain Monte Carlo tree search: UCB1 in the tree, uniformly random moves below it.

One iteration adds one node. A node's children form a list: each knows its next sister.
"""

import numpy as np
from numba import types

from cupboard.core.kernel import MOVES, OVER, PLAY, POINT, ROW, SCORES, SEATS, TURN, fast, inner
from cupboard.core.prng import below, counted, mixed

CODE, MOVER, VISITS, CHILD, SISTER, TRIED = range(6)
COLUMNS = 6
NOBODY = -1
MAX_PATH = 512
LONGEST = 1000
"""A random game that has not ended after so many moves is shared by all: on the star few ever end."""

_TREE = types.int64[:, ::1]
_FLOATS = types.float64[::1]
_PTR = types.FunctionType


@inner
def best_child(node, explore, tree, totals):
    """UCB1: the child with the best average, given credit for how little it was tried."""
    log = np.log(np.float64(tree[node, VISITS]))
    best, most = np.int64(NOBODY), -1.0
    child = tree[node, CHILD]
    while child != NOBODY:
        visits = tree[child, VISITS]
        worth = totals[child] / visits + explore * np.sqrt(log / visits)
        if worth > most:
            best, most = child, worth
        child = tree[child, SISTER]
    return best


@inner
def add_child(node, move, mover, count, tree, totals):
    """Make node number `count` the first child of `node`."""
    tree[count, CODE] = move
    tree[count, MOVER] = mover
    tree[count, VISITS] = 0
    tree[count, CHILD] = NOBODY
    tree[count, SISTER] = tree[node, CHILD]
    tree[count, TRIED] = 0
    totals[count] = 0.0
    tree[node, CHILD] = count
    tree[node, TRIED] += 1


@inner
def play_out(moves, play, scores, row, out, shares, state):
    """Uniformly random moves to the end; writes what each seat got."""
    for _ in range(LONGEST):
        if row[TURN] == OVER:
            scores(row, shares)
            return state
        state = counted(state)
        play(row, out[below(moves(row, out), mixed(state))])
    for seat in range(row[SEATS]):
        shares[seat] = POINT // row[SEATS]
    return state


@fast(
    types.int64(
        _PTR(MOVES), _PTR(PLAY), _PTR(SCORES), ROW, types.int64, types.int64, types.float64, ROW, ROW, _TREE, _FLOATS
    )
)
def search(moves, play, scores, start, max_moves, iterations, explore, random, nodes, tree, totals):
    """Run so many more iterations from node 0, which must exist; returns how many it ran.

    random[0], the state of the generator, and nodes[0], the number of nodes, carry on from call to call.
    """
    row = start.copy()
    out, shares = np.empty(max_moves, np.int64), np.zeros(8, np.int64)
    path = np.empty(MAX_PATH, np.int64)
    state, count = np.uint64(random[0]), nodes[0]
    for _ in range(iterations):
        row[:] = start
        node, depth = np.int64(0), 1
        path[0] = 0
        while row[TURN] != OVER and depth < MAX_PATH:
            n = moves(row, out)
            if tree[node, TRIED] < n:
                if count < len(tree):
                    # Every node has its own order of first tries: around the list from somewhere.
                    first = (node * 0x9E3779B1 >> 7) % n
                    add_child(node, out[(first + tree[node, TRIED]) % n], row[TURN], count, tree, totals)
                    play(row, tree[count, CODE])
                    path[depth] = count
                    depth += 1
                    count += 1
                break
            node = best_child(node, explore, tree, totals)
            play(row, tree[node, CODE])
            path[depth] = node
            depth += 1
        state = play_out(moves, play, scores, row, out, shares, state)
        for i in range(depth):
            tree[path[i], VISITS] += 1
            if i:
                totals[path[i]] += shares[tree[path[i], MOVER]] / POINT
    random[0], nodes[0] = np.int64(state), count
    return np.int64(iterations)
