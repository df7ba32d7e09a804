"""Before all tests: what every machine and every shell must be told for them to mean the same.

- What they import is compiled once, also where Python is told to keep no bytecode: tests start hundreds of programs,
  and each would read numba's thousand modules anew.
- Ctrl-C works: a job in the background of a shell ignores it, and so would every program that tests start and stop.
"""

from __future__ import annotations

import os
import signal
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
