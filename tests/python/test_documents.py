# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md and python/README.md run, and print what they say."""

import contextlib
import io
import re
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2]
pytest_plugins = ["pytester"]


def blocks(path):
    """Returns the indented blocks of a page as texts. Blank lines within a block belong to it."""
    found = re.findall(r"(?:^    .*\n(?:\n(?=    ))*)+", path.read_text(), re.M)
    return [re.sub(r"^    ", "", block, flags=re.M) for block in found]


def expected(program):
    """Returns the comments behind the lines that print, with "..." for any text."""
    texts = re.findall(r"^.*print\(.*  # (.*)$", program, re.M)
    return [re.escape(text).replace(re.escape("..."), ".*") for text in texts]


@pytest.mark.parametrize("page", ["docs/python.md", "python/README.md"])
def test_programs_print_what_their_comments_say(page, monkeypatch):
    pytest.importorskip("numpy", reason="needs python3-numpy")
    monkeypatch.chdir(SRC)
    names = {}
    ran = 0
    for program in blocks(SRC / page):
        if program.startswith("$") or "def test_" in program or "leaked on" in program:
            continue
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(program, page, "exec"), names)
        lines = said.getvalue().splitlines()
        patterns = expected(program)
        assert len(lines) == len(patterns), program
        for line, pattern in zip(lines, patterns):
            assert re.fullmatch(pattern, line), (line, pattern)
        ran += 1
    assert ran > 0
    if "device" in names:
        names["device"].close()


def test_the_tests_of_the_page_run_under_the_plugin(pytester):
    text = "\n".join(block for block in blocks(SRC / "docs/python.md") if "def test_" in block)
    pytester.makepyfile(test_upload="import pytest, tarn\n" + text)
    result = pytester.runpytest_subprocess(
        "-p", "tarn.pytest_plugin", "-p", "no:cacheprovider", "-rx", "--runxfail"
    )
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines([
        "1 leaked on host:0,memory=1G,fail=copy:1:",
        "  unclosed memory of 5 bytes at 0x*, created at *test_upload.py:*",
    ])  # fmt: skip


def test_the_commands_of_the_page_are_those_of_the_package_test():
    commands = [block for block in blocks(SRC / "docs/python.md") if block.startswith("$")]
    assert commands == ["$ ./x python\n$ pip install build/python/tarn-*.whl\n"]
    script = (SRC / "tests/python/package.sh").read_text()
    assert '"$SRC/x" python' in script and "-m pip install" in script
