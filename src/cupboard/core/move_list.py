"""The moves of a position as a sequence that decodes a move only when somebody looks at it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from cupboard.core.move import M, Move

if TYPE_CHECKING:
    from cupboard.core.position import State


class Moves(Sequence[M]):
    """The legal moves of a position: kernel codes, each decoded only when somebody looks at it."""

    __slots__ = ("_codes", "_state")

    def __init__(self, state: State[M], codes: Sequence[int]) -> None:
        self._state = state
        self._codes = codes

    def __len__(self) -> int:
        return len(self._codes)

    @overload
    def __getitem__(self, index: int) -> M: ...
    @overload
    def __getitem__(self, index: slice) -> list[M]: ...
    def __getitem__(self, index: int | slice) -> M | list[M]:
        if isinstance(index, slice):
            return [self._state._decode(code) for code in self._codes[index]]
        return self._state._decode(self._codes[index])

    def __iter__(self) -> Iterator[M]:
        return self._state._decode_all(self._codes)

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self._state._encode(move) in self._codes

    def __repr__(self) -> str:
        shown = [str(move) for move in self[:40]]
        more = [f"… {len(self) - 40} more"] if len(self) > 40 else []
        return f"<{len(self)} moves: {', '.join(shown + more)}>"
