# SPDX-License-Identifier: Apache-2.0
"""Frames for the recorder. tests/cli/record_owners.sh records a program in Python."""

import ctypes
import os
import subprocess
import sys

import tarn

RECORDED = """
import ctypes, sys
import tarn.frames as frames

class Library:
    texts, entered = [], []
    @staticmethod
    def tarn_record_frames_define(text):
        Library.texts.append(text.decode().split())
        return len(Library.texts)
    @staticmethod
    def tarn_record_frames_enter(number):
        Library.entered.append(number)
        return 7

recorder = frames._Recorder(Library, 2)
frames._recorder = recorder
double = frames.recorded(lambda number: 2 * number)
def inner():
    return double(21)
for _ in range(2):
    assert inner() == 42
try:
    frames.recorded(int)("no number")
except ValueError:
    pass
assert Library.texts[0] == ["inner", "<string>", "20", "<module>", "<string>", "22"], Library.texts
assert len(Library.texts) == 2, Library.texts
assert Library.entered == [1, 7, 1, 7, 2, 7], Library.entered
"""


def test_a_function_is_the_same_without_a_recorder() -> None:
    assert tarn.recorded(len) is len
    assert ctypes.CDLL.__init__.__module__ == "ctypes"
    assert not hasattr(ctypes.CDLL.__init__, "__wrapped__")


def test_a_stack_is_defined_once_and_left_at_the_end_of_a_call() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", RECORDED], env=environment, check=True)
