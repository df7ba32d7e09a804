"""The compiled part of the information-set search: one tree over public moves, a new world for every iteration.

Every iteration deals a world that fits what the seat has seen, walks down the tree along moves that are legal in
that world, adds one node, plays on for a while as sensible players would, and adds the shares of the point to the
nodes of its path. At the root all moves still in the running share the same worlds: in a game of cards the luck of
the deal is far larger than what a move is worth, and comparing under equal luck takes it out.

A node is a sequence of moves; nature's moves are drawn and leave no trace in the tree, so a decision never depends
on a card that nobody could have known (an "open loop", single-observer tree).

Children are found through one hash table over (parent, code). Of a parent's children only those legal in this
world compete, and how often each was in the running is counted (its availability).
"""

import numpy as np
from numba import types

from cupboard.core.kernel import (
    CHANCE,
    DRAW,
    EVALUATE,
    MOVES,
    OVER,
    PLAY,
    POINT,
    REDEAL,
    ROW,
    SCORES,
    SEATS,
    TURN,
    fast,
    inner,
)

JUDGE = types.void(ROW, ROW, types.int64, ROW)
"""judge(row, codes, n, marks): how much the seat to act should like each move, in hundredths of a nat."""

# Settings, all float64.
EXPLORE, HEAT, PRIOR_HEAT, LENGTH, SCALE = range(5)
# Integer columns of the tree.
CODE, PARENT, MOVER, VISITS, AVAILABLE = range(5)
COLUMNS = 5
MAX_PATH = 512

_INTS = types.int64[:, ::1]
_FLOATS = types.float64[::1]
_PTR = types.FunctionType


@inner
def stepped(state):
    """The next state of splitmix64's counter."""
    return state + np.uint64(0x9E3779B97F4A7C15)


@inner
def mixed(state):
    """64 random bits of a state."""
    n = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    n = (n ^ (n >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return n ^ (n >> np.uint64(31))


@inner
def unit(bits):
    """A number between 0 and 1, neither of them."""
    return (np.float64(bits >> np.uint64(11)) + 0.5) / 9007199254740992.0


@inner
def to_chances(marks, n, heat, chances):
    """Softmax of marks at a temperature."""
    most = marks[0]
    for i in range(1, n):
        most = max(most, marks[i])
    total = 0.0
    for i in range(n):
        chances[i] = np.exp((marks[i] - most) / heat)
        total += chances[i]
    for i in range(n):
        chances[i] /= total


@inner
def drawn(chances, n, bits):
    """An index by these chances."""
    rest = unit(bits)
    for i in range(n):
        rest -= chances[i]
        if rest < 0:
            return i
    return n - 1


@inner
def find(table, tree, node, code):
    """The child of `node` by `code`, or the negative of its place in the table - 1."""
    mask = len(table) - 1
    place = np.int64(mixed(np.uint64(node) * np.uint64(0x632BE59BD9B4E019) + np.uint64(code)) & np.uint64(mask))
    while True:
        child = table[place]
        if child == 0:
            return -place - 1
        if tree[child, PARENT] == node and tree[child, CODE] == code:
            return child
        place = (place + 1) & mask


@inner
def bring_to_value(scores, evaluate, row, scale, shares, values):
    """The seats' shares of the point: of a game that is over exactly, else as far as the evaluation can tell."""
    seats = row[SEATS]
    if row[TURN] == OVER:
        scores(row, shares)
        for seat in range(seats):
            values[seat] = shares[seat] / POINT
        return
    most = -1e18
    for seat in range(seats):
        values[seat] = evaluate(row, seat) / scale
        most = max(most, values[seat])
    total = 0.0
    for seat in range(seats):
        values[seat] = np.exp(values[seat] - most)
        total += values[seat]
    for seat in range(seats):
        values[seat] /= total


@inner
def play_on(moves, play, chance, judge, row, plies, heat, state, out, marks, chances):
    """Let everybody play sensibly for so many moves; uniformly at random where nobody judges."""
    made = 0
    nature = mixed(state)  # a stream of its own, so that worlds compared stay alike as long as possible
    while row[TURN] != OVER and made < plies:
        if row[TURN] == CHANCE:
            nature = stepped(nature)
            play(row, chance(row, mixed(nature)))
            continue
        state = stepped(state)
        n = moves(row, out)
        i = 0
        if n > 1:
            judge(row, out, n, marks)
            to_chances(marks, n, heat, chances)
            i = drawn(chances, n, mixed(state))
        play(row, out[i])
        made += 1
    # A position in which nature is to act says less than the one after it.
    while row[TURN] == CHANCE:
        nature = stepped(nature)
        play(row, chance(row, mixed(nature)))
    return stepped(state)


@inner
def selected(row, node, out, n, chances, found, tree, totals, table, explore):
    """Which of a node's legal moves to follow: what did well when it was legal, and what the marks recommend.

    Leaves each move's child, or where it would be filed, in `found`.
    """
    total = visits = 0.0
    for i in range(n):
        child = find(table, tree, node, out[i])
        found[i] = child
        if child > 0:
            tree[child, AVAILABLE] += 1
            total += totals[child]
            visits += tree[child, VISITS]
    # What nobody has tried here is thought a little worse than what somebody has.
    hope = total / visits - 0.05 if visits > 0 else 0.5
    best, most = 0, -1e18
    for i in range(n):
        child = found[i]
        if child > 0:
            tries = tree[child, VISITS]
            worth = totals[child] / tries
            worth += explore * chances[i] * np.sqrt(tree[child, AVAILABLE]) / (1 + tries)
        else:
            worth = hope + explore * chances[i] * np.sqrt(tree[node, VISITS] + 1.0)
        if worth > most:
            best, most = i, worth
    return best


@inner
def grow(tree, totals, table, place, count, node, code, mover):
    """File a new child of `node`."""
    table[place] = count
    tree[count, CODE] = code
    tree[count, PARENT] = node
    tree[count, MOVER] = mover
    tree[count, VISITS] = 0
    tree[count, AVAILABLE] = 1
    totals[count] = 0.0


@fast(
    types.int64(
        _PTR(MOVES), _PTR(PLAY), _PTR(DRAW), _PTR(SCORES), _PTR(REDEAL), _PTR(EVALUATE), _PTR(JUDGE),
        ROW, types.int64, types.int64, ROW, types.int64, ROW, ROW, _FLOATS, _INTS, _FLOATS, ROW, ROW,
    )
)  # fmt: skip
def search(
    moves, play, chance, scores, redeal, evaluate, judge,
    start, seat, max_moves, first_moves, worlds, random, nodes, settings, tree, totals, table, stop,
):  # fmt: skip
    """Deal `worlds` worlds and follow each of the seat's `first_moves` once in every one, with the same luck.

    The same worlds for all: what differs is then the move. random[0] and nodes[0] carry on from call to call.
    Returns how many paths were followed.
    """
    row, dealt = start.copy(), start.copy()
    out, marks, found = np.empty(max_moves, np.int64), np.empty(max_moves, np.int64), np.empty(max_moves, np.int64)
    chances = np.empty(max_moves, np.float64)
    shares, values = np.zeros(8, np.int64), np.zeros(8, np.float64)
    path = np.empty(MAX_PATH, np.int64)
    world = np.uint64(random[0])
    count = nodes[0]
    done = np.int64(0)
    for _ in range(worlds):
        world = stepped(world)
        dealt[:] = start
        redeal(dealt, seat, mixed(world))
        for first in range(len(first_moves)):
            if stop[0]:
                break
            row[:] = dealt
            nature = mixed(stepped(world))
            node = np.int64(0)
            depth = 0
            grown = False
            while not grown and row[TURN] != OVER and depth < MAX_PATH:
                if row[TURN] == CHANCE:
                    nature = stepped(nature)
                    play(row, chance(row, mixed(nature)))
                    continue
                mover = row[TURN]
                best = 0
                if depth == 0:
                    out[0] = first_moves[first]
                    found[0] = find(table, tree, node, out[0])
                else:
                    n = moves(row, out)
                    chances[0] = 1.0
                    if n > 1:
                        judge(row, out, n, marks)
                        to_chances(marks, n, settings[PRIOR_HEAT], chances)
                    best = selected(row, node, out, n, chances, found, tree, totals, table, settings[EXPLORE])
                child = found[best]
                if child <= 0:
                    if count >= len(tree):
                        break
                    grow(tree, totals, table, -child - 1, count, node, out[best], mover)
                    child = count
                    count += 1
                    # The first level is always there, so the first path already reaches the second.
                    grown = depth > 0
                play(row, out[best])
                node = child
                path[depth] = node
                depth += 1
            play_on(
                moves, play, chance, judge, row, np.int64(settings[LENGTH]), settings[HEAT], nature, out, marks, chances
            )
            bring_to_value(scores, evaluate, row, settings[SCALE], shares, values)
            tree[0, VISITS] += 1
            for i in range(depth):
                tree[path[i], VISITS] += 1
                totals[path[i]] += values[tree[path[i], MOVER]]
            done += 1
    random[0] = np.int64(world)
    nodes[0] = count
    return done


@fast(
    types.int64(
        _PTR(MOVES), _PTR(PLAY), _PTR(DRAW), _PTR(SCORES), _PTR(REDEAL), _PTR(EVALUATE), _PTR(JUDGE),
        ROW, types.int64, types.int64, _INTS, ROW, types.int64, ROW, _FLOATS, _FLOATS, ROW,
    )
)  # fmt: skip
def compare(
    moves, play, chance, scores, redeal, evaluate, judge,
    start, seat, max_moves, plans, alive, worlds, random, settings, sums, stop,
):  # fmt: skip
    """Play every plan still alive (a sequence of the seat's own moves, -1 ends it) in the same `worlds` new worlds.

    For decisions of many small moves, such as a pyramid: a tree would drown in their orders.
    """
    row, dealt = start.copy(), start.copy()
    out, marks = np.empty(max_moves, np.int64), np.empty(max_moves, np.int64)
    chances = np.empty(max_moves, np.float64)
    shares, values = np.zeros(8, np.int64), np.zeros(8, np.float64)
    state = np.uint64(random[0])
    done = np.int64(0)
    for _ in range(worlds):
        if stop[0]:
            break
        state = stepped(state)
        dealt[:] = start
        redeal(dealt, seat, mixed(state))
        luck = mixed(stepped(state))
        for i in range(len(alive)):
            plan = plans[alive[i]]
            row[:] = dealt
            for j in range(len(plan)):
                if plan[j] < 0:
                    break
                play(row, plan[j])
            # The same luck for every plan: what differs is then the plan.
            play_on(
                moves, play, chance, judge, row, np.int64(settings[LENGTH]), settings[HEAT], luck, out, marks, chances
            )
            bring_to_value(scores, evaluate, row, settings[SCALE], shares, values)
            sums[alive[i]] += values[seat]
            done += 1
    random[0] = np.int64(state)
    return done
