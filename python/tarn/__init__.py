# SPDX-License-Identifier: Apache-2.0
"""Tarn: one memory manager for accelerators."""

from tarn._library import lib
from tarn._native import ERRORS, VERSION, Status
from tarn._struct import TarnError

for _error in ERRORS.values():
    _error.__module__ = "tarn"  # as tracebacks show it

__version__ = VERSION

__all__ = ["ERRORS", "Status", "TarnError", "lib"]
