"""Before all tests: what they import is compiled once, also on machines whose Python is told to keep no bytecode.

Tests start hundreds of programs; each would read numba's thousand modules anew.
"""

from __future__ import annotations

import os
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
