"""The row of Chinese Checkers: what stands where, and what a code means.

Holes are numbered 0..120 row by row from the northern tip, triangles 0..5 clockwise from the northern one
(6 is the hexagon in the middle), directions 0..5 clockwise from east: the opposite is always three further (board.py).

    row[FINISH_RULE] to row[TURN_CAP]   the options
    row[HOLES + h]          bit d: the next hole in direction d is taken, bit 6 + d: the one behind it is (as
                            all that lies beyond the edge), from bit 12 on: 1 + the seat standing there
    row[PIECES + 10 * s..]  the holes of seat s, ascending
    row[OWN + s]            how many of them lie in the target of seat s
    row[FILLED + t]         how many holes of triangle t are taken
    row[FINISHED]           bit s: seat s has finished (CA-12)
    row[TURNS]              turns taken, forced passes included
    row[SIZE..row[LIVE]]    keys of the positions before this one, as far as there was room for them

A move is start * 121 + end: a whole chain of jumps is one move (CC-14), of which only the end changes the
board (CA-5). A swap (CC-18 SE) is a move to a taken hole. Nothing here needs the compiler.
"""

from cupboard.core.row import HEADER

FINISH_RULE, MIN_OWN, LEAVE_HOME, SWAP_BY_JUMP, LENIENT, LOCK, WHOLE_ROUNDS, REPETITION, ROUND_CAP, TURN_CAP = range(
    HEADER, HEADER + 10
)
FI, SE, STRICT = 0, 1, 2  # values of FINISH_RULE

TURNS, FINISHED, REASON, HASH = range(TURN_CAP + 1, TURN_CAP + 5)
OWN = HASH + 1
FILLED = OWN + 6
PIECES = FILLED + 7
HOLES = PIECES + 60
SIZE = HOLES + 122  # the 122nd hole is told what concerns the holes beyond the edge
MOST_ENDS = 36  # jumps keep odd and even coordinates apart, which leaves a piece at most these holes to end in
REMEMBERS = 1
MAX_MOVES = 10 * (6 + MOST_ENDS) + 10 + 10 * MOST_ENDS
"""Room for the moves of ten pieces and, behind them, for what `moves` notes while it looks for chains."""

ONE_FINISHED, SEVERAL_FINISHED, REPEATED, LIMIT_REACHED, ALL_BLOCKED = 1, 2, 3, 4, 5
