"""The program of every child process: answers requests from standard input with a function of the module it is told.

`child_process.py` runs this file by its path with the name of a module and a niceness, so that a child loads only what
the module imports. A request is a tag of eight bytes, four bytes of length, the highest first, and as many bytes. Its
answer looks alike and has the tag of the request, so that nothing else is taken for it. The process ends when its
input does, and so with the server, however that ends.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import BinaryIO


def answer_all(answer: Callable[[bytes], bytes], requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer one request after the other until there are no more."""
    while len(head := requests.read(12)) == 12:
        answered = answer(requests.read(int.from_bytes(head[8:], "big")))
        answers.write(head[:8] + len(answered).to_bytes(4, "big") + answered)
        answers.flush()


def main(module: str, nice: int) -> None:
    """Answer the requests on standard input by the function `answer` of a module, giving way by so much to others."""
    if hasattr(os, "nice"):
        os.nice(nice)
    # What a library prints must not come between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    # The last place to look: the package is mostly installed, but may run from a folder that only the server knows.
    sys.path.append(str(Path(__file__).parents[2]))
    with contextlib.suppress(BrokenPipeError):
        answer_all(import_module(module).answer, sys.stdin.buffer, answers)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
