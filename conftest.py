"""Settings for all tests, so that they behave the same on every machine and in every shell.

- Bytecode files are written even if PYTHONDONTWRITEBYTECODE is set: tests start hundreds of programs, and each would
  compile numba's thousand modules anew.
- SIGINT is handled: a background job of a shell ignores it, and so would every program that the tests start and stop.
"""

from __future__ import annotations

import os
import signal
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
