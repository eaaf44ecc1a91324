# SPDX-License-Identifier: Apache-2.0
"""The generated module is that of the headers, and its layouts are the compiler's."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tarn
from tarn import _native
from tarn._library import lib
from tarn._struct import Struct

SRC = Path(__file__).resolve().parents[2]


def test_committed_module_is_the_generated_one(tmp_path):
    pytest.importorskip("pycparser", reason="needs python3-pycparser")
    new = tmp_path / "_native.py"
    subprocess.run([sys.executable, SRC / "python/generate.py", new], check=True)
    assert new.read_text() == (SRC / "python/tarn/_native.py").read_text(), (
        "include/tarn has changed: run python3 python/generate.py"
    )


def test_layouts_are_those_of_the_compiler(tmp_path):
    structs = [
        item
        for item in vars(_native).values()
        if isinstance(item, type) and issubclass(item, Struct) and item is not Struct
    ]
    assert len(structs) > 30
    lines, expected = [], []
    for struct in structs:
        name = struct.__name__
        lines.append(f"sizeof({name})")
        expected.append(ctypes.sizeof(struct))
        for field in struct._fields_:
            lines.append(f"offsetof({name}, {field[0]})")
            expected.append(getattr(struct, field[0]).offset)
    headers = sorted(path.name for path in (SRC / "include/tarn").glob("*.h"))
    text = "#include <stdio.h>\n" + "".join(f"#include <tarn/{name}>\n" for name in headers)
    text += "int main(void) {\n"
    text += "".join(f'    printf("%zu\\n", (size_t){line});\n' for line in lines) + "}\n"
    (tmp_path / "layout.c").write_text(text)
    program = tmp_path / "layout"
    compiler = os.environ.get("CC", "cc")
    subprocess.run(
        [compiler, f"-I{SRC}/include", tmp_path / "layout.c", "-o", program], check=True
    )
    printed = subprocess.run([program], check=True, stdout=subprocess.PIPE).stdout.split()
    assert dict(zip(lines, map(int, printed))) == dict(zip(lines, expected))


def test_every_function_of_the_headers_is_in_the_library():
    missing = [name for name in _native.FUNCTIONS if not hasattr(lib, name)]
    assert missing == []


def test_every_status_has_an_exception_with_its_value():
    assert set(tarn.ERRORS) == {status.value for status in tarn.Status} - {0}
    for value, error in tarn.ERRORS.items():
        assert error.status == value
        assert error.__name__ == "".join(w.capitalize() for w in tarn.Status(value).name.split("_"))
        assert lib.tarn_status_name(value).decode() == tarn.Status(value).name
