#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures in docs/pictures from real commands, or compares them with what the commands print now.

usage: pictures.py [--write]

Environment: SRC is the tree, PREFIX an installed Tarn. Without --write the exit status is 1 if a picture is
out of date: addresses, process numbers and lines of Tarn's own sources do not count.
"""
import pathlib
import re
import sys
import tempfile
from xml.sax.saxutils import escape, unescape

import run

SESSION = [
    "cc -g overflow.c $(pkg-config --cflags --libs tarn) -o overflow",
    "./overflow      # no allocator, GPU or operating system objects",
    "tarn check -- ./overflow 2>&1 | grep -v -e libc_start -e _start",
    "tarn check -- ./overflow >/dev/null 2>&1 || echo \"CI fails with status $?\"",
]
COLUMNS, LINE, LETTER, MARGIN = 112, 18, 7.25, 16
COLOURS = [  # the first that matches a line
    (r"^\$ ", "#7ee787"), (r"ERROR", "#ff7b72"), (r"SUMMARY|status", "#e3b341"), (r"overflow\.c:\d+", "#79c0ff"),
    (r"", "#c9d1d9"),
]


def session_lines() -> list[str]:
    """Runs the session and returns its lines, as a terminal would show them."""
    commands = [run.Command(0, text, [], 0, "", 0, "any") for text in SESSION]
    with tempfile.TemporaryDirectory() as scratch:
        home = pathlib.Path(scratch).resolve()
        folder = home / "work"
        folder.mkdir()
        (home / ".local").symlink_to(run.PREFIX)
        (folder / "overflow.c").write_text((run.SRC / "examples/overflow.c").read_text())
        outputs = run.run_commands(commands, folder, home, run.environment_of(home))
    lines = []
    for command, (_, output) in zip(commands, outputs):
        lines.append(f"$ {command.text}")
        lines += [line if len(line) <= COLUMNS else line[:COLUMNS].rsplit(" ", 1)[0] + " …" for line in output]
    return lines


def session_svg(lines: list[str]) -> str:
    """Draws a terminal with the lines."""
    width, height = COLUMNS * LETTER + 2 * MARGIN, (len(lines) + 1) * LINE + 2 * MARGIN
    text = []
    for number, line in enumerate(lines):
        colour = next(colour for pattern, colour in COLOURS if re.search(pattern, line))
        text.append(f'<text x="{MARGIN}" y="{MARGIN + (number + 1) * LINE}" fill="{colour}">'
                    f"{escape(line)}</text>")
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" role="img" font-family="ui-monospace,Menlo,Consolas,monospace" '
        'font-size="12" xml:space="preserve">',
        "<title>A write past the end of a block, found by tarn check</title>",
        "<style>text{white-space:pre}</style>",
        f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#0d1117"/>', *text, "</svg>", ""])


def training_svg() -> str:
    """Draws the memory of the recording of docs/tutorials/pytorch.md."""
    commands = [
        run.Command(0, f"python3 {run.SRC.resolve()}/examples/python/sample_snapshot.py small.pickle --batch 12", [],
                    0, "", 0, "any"),
        run.Command(0, "tarn view small.pickle --svg -o -", [], 0, "", 0, "any"),
    ]
    with tempfile.TemporaryDirectory() as scratch:
        home = pathlib.Path(scratch).resolve()
        (home / "work").mkdir()
        (home / ".local").symlink_to(run.PREFIX)
        return "\n".join(run.run_commands(commands, home / "work", home, run.environment_of(home))[1][1]) + "\n"


def words(svg: str) -> list[str]:
    """Returns the texts of a picture without the parts that differ from run to run, and without what is cut off."""
    return [run.plain(unescape(text), False)[:72] for text in re.findall(r"<text[^>]*>([^<]*)<", svg)]


def main() -> int:
    """Draws or compares the pictures."""
    stale = False
    for name, svg in (("session", session_svg(session_lines())), ("training", training_svg())):
        path = run.SRC / f"docs/pictures/{name}.svg"
        if "--write" in sys.argv:
            path.write_text(svg)
        elif words(path.read_text()) != words(svg):
            print(f"{path} is out of date; tests/install/documents/pictures.py --write draws it again. It should say:")
            print(*words(svg), sep="\n")
            stale = True
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
