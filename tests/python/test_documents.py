# SPDX-License-Identifier: Apache-2.0
"""The blocks in Python of every document run, and print what the comments behind print() say.

tests/install/documents/README.md has the rules for documents.
"""

import contextlib
import io
import re
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2]
PAGES = [SRC / "README.md", SRC / "python/README.md", *sorted(SRC.glob("docs/**/*.md"))]
MARK = r"(?:^<!-- (?:not run|run|needs|file|given): .* -->\n\n?)?"
pytest_plugins = ["pytester"]


def programs(page):
    """Returns the blocks in Python that have no mark."""
    found = re.finditer(MARK + r"^```python\n(.*?)^```$", page.read_text(), re.M | re.S)
    return [block[1] for block in found if not block[0].startswith("<!--")]


def expected(program):
    """Returns patterns for the lines that a program prints; "..." stands for any text."""
    texts = re.findall(r"^.*print\(.*  # (.*)$", program, re.M)
    return [re.escape(text).replace(re.escape("..."), ".*") for text in texts]


@pytest.mark.parametrize("page", [page for page in PAGES if programs(page)], ids=lambda p: p.name)
def test_programs_print_what_their_comments_say(page, monkeypatch):
    monkeypatch.chdir(SRC)
    names = {}
    for program in programs(page):
        if "def test_" in program:
            continue
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(program, str(page), "exec"), names)
        lines = said.getvalue().splitlines()
        patterns = expected(program)
        assert len(lines) == len(patterns), program
        for line, pattern in zip(lines, patterns):
            assert re.fullmatch(pattern, line), (line, pattern)
    for device in [value for value in names.values() if type(value).__name__ == "Device"]:
        device.close()


def test_the_tests_of_the_page_run_under_the_plugin(pytester):
    text = "\n".join(block for block in programs(SRC / "docs/python.md") if "def test_" in block)
    pytester.makepyfile(test_upload=text)
    (pytester.path / "traces").symlink_to(SRC / "traces")
    result = pytester.runpytest_subprocess(
        "-p", "tarn.pytest_plugin", "-p", "no:cacheprovider", "--runxfail"
    )
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines([
        "1 leaked on host:0,memory=1G,fail=copy:1:",
        "  unclosed memory of 5 bytes at 0x*, created at *test_upload.py:5",
    ])  # fmt: skip
