"""The program of one of several processes that serve on one socket: see `workers`, which starts it."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import sys
import threading
from contextlib import suppress

from cupboard.core.errors import CupboardError
from cupboard.core.sources import keep_also_in

STARTED, SAID, FAILED = "started", "said", "failed"


def tell(kind: str, text: str = "") -> None:
    """Tell the process that started this one, which may have ended."""
    with suppress(OSError):
        print(kind, *text.splitlines(), flush=True)


def main() -> None:
    """Serve on the socket with the number in the arguments, with the settings that come on standard input."""
    settings = pickle.load(sys.stdin.buffer)  # of the process that started this one
    keep_also_in(settings.data / "compiled")
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from cupboard.server.run import serve

    try:
        with socket.socket(fileno=int(sys.argv[1])) as sock:
            serve(settings, sock, lambda: tell(STARTED), lambda words: tell(SAID, str(words)))
    except CupboardError as error:
        tell(FAILED, str(error))
        sys.exit(1)


def _end_with_parent() -> None:
    """Stop when standard input ends, for then the process that started this one has been killed."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
