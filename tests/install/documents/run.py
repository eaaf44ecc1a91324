#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes the blocks of Markdown documents, as tests/install/documents/README.md describes.

usage: run.py [--write | --fill] DOCUMENT...

Environment: SRC is the tree, PREFIX an installed Tarn. --write replaces shown output that does not match
by the actual output. --fill also adds output that is not shown. Exit status: 0 if every block did what its document shows, else 1.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

SRC = pathlib.Path(os.environ["SRC"])
PREFIX = pathlib.Path(os.environ["PREFIX"]).resolve()
TIME_LIMIT = 2400  # seconds for a document
TEXT = ("text", "json")  # blocks of these languages are only shown
SCRIPTS = ("sh", "python", "yaml", "dockerfile")
# A snippet that contains one of these words is compiled with the flags of that module.
MODULES = {"<hip/": "tarn-hip", "<acl/": "tarn-acl", "<hiaiengine/": "tarn-hiai", "<cuda_runtime_api": "tarn-cudart"}
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
RECORDINGS = pathlib.Path(os.environ.get("TARN_RECORDINGS", SRC / "../shared/traces/public")).resolve()
MARK = re.compile(r"^<!-- (not run|run|needs|recording|file|given): (.*) -->$")
SEPARATOR = "@@@@ tarn document @@@@"


@dataclass
class Block:
    """A block of code with the marks above it."""

    line: int
    language: str
    lines: list[str]
    indent: str
    marks: dict[str, str]


@dataclass
class Command:
    """A command of a session. The output starts at the line `output_line` of its document."""

    line: int
    text: str
    shown: list[str]
    output_line: int
    indent: str
    status: int
    output: str  # "same", "numbers" or "any"


@dataclass
class Result:
    """The outcome for one document."""

    path: pathlib.Path
    commands: int = 0
    snippets: int = 0
    programs: int = 0  # blocks in Python: tests/python/test_documents.py executes them
    left_out: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    edits: list[tuple[int, int, list[str]]] = field(default_factory=list)  # of output that does not match
    unshown: list[tuple[int, int, list[str]]] = field(default_factory=list)  # of output that is not shown


def blocks_of(lines: list[str]) -> list[Block]:
    """Returns the fenced and the indented blocks of a document."""
    found: list[Block] = []
    marks: dict[str, str] = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        mark = MARK.match(line)
        fence = re.match(r"^( *)```(\w*)$", line)
        if mark:
            marks[mark[1]] = mark[2]
        elif fence:
            end = at + 1
            while lines[end].strip() != "```":
                end += 1
            body = [text.removeprefix(fence[1]) for text in lines[at + 1 : end]]
            found.append(Block(at + 2, fence[2], body, fence[1], marks))
            at, marks = end, {}
        elif line.startswith("    ") and (at == 0 or not lines[at - 1] or MARK.match(lines[at - 1])):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end]):
                end += 1
            while not lines[end - 1]:
                end -= 1
            body = [text[4:] for text in lines[at:end]]
            found.append(Block(at + 1, "", body, "    ", marks))
            at, marks = end - 1, {}
        elif line:
            marks = {}
        at += 1
    return found


def commands_of(block: Block, prompt: str = "$ ") -> list[Command]:
    """Returns the commands of a session. A line that ends with a backslash continues on the next."""
    options = block.marks.get("run", "")
    status = re.search(r"status (\d+)", options)
    output = "any" if "output varies" in options else "numbers" if "numbers vary" in options else "same"
    found: list[Command] = []
    at = 0
    while at < len(block.lines):
        first, text = at, block.lines[at].removeprefix(prompt)
        while text.endswith("\\"):
            at += 1
            text += "\n" + block.lines[at]
        at += 1
        start = at
        while at < len(block.lines) and not block.lines[at].startswith(prompt):
            at += 1
        found.append(Command(block.line + first, text, block.lines[start:at], block.line + start if prompt else 0,
                             block.indent, int(status[1]) if status else 0, output))
    return found


def plain(line: str, numbers: bool) -> str:
    """Returns a line of output without the parts that differ from run to run."""
    line = re.sub(r"0x[0-9a-fA-F]{5,}", "0x_", line)
    line = re.sub(r"==\d+==", "==_==", line)
    line = re.sub(r"\bthread \d+", "thread _", line)
    line = re.sub(r"(?:\S*/)?\b(src|compat)/\S+:\d+", r"\1/_", line)
    line = re.sub(r"(0x_: \w+)[.\w]* \(([\w.]+):\d+\)", r"\1 (\2:_)", line)  # Valgrind's
    if numbers:
        line = re.sub(r"-*\b\d[\d.,]*( ?([KMGT]i?B|B|ns|us|ms|s)\b)?", "_", line)
        line = re.sub(r"\s+", " ", line)
    return line.rstrip()


def matches(shown: list[str], actual: list[str]) -> bool:
    """Returns whether output is as shown. A line `...` stands for any lines, `...` at an end for any rest."""
    if not shown:
        return not actual
    if shown[0].strip() == "...":
        return any(matches(shown[1:], actual[at:]) for at in range(len(actual) + 1))
    if not actual:
        return False
    wanted = shown[0]
    same = actual[0].startswith(wanted[:-3].rstrip()) if wanted.endswith("...") else actual[0] == wanted
    return same and matches(shown[1:], actual[1:])


def run_commands(commands: list[Command], folder: pathlib.Path, home: pathlib.Path,
                 environment: dict[str, str]) -> list[tuple[int, list[str]]]:
    """Runs commands in one shell. Returns the status and the output of each that was reached."""
    script = "".join(f"{command.text}\nprintf '\\n{SEPARATOR} %d\\n' $?\n" for command in commands)
    (home / "script").write_text(script)
    with subprocess.Popen(["bash", home / "script"], cwd=folder, env=environment, text=True,
                          start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as shell:
        try:
            output, _ = shell.communicate(timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(shell.pid, signal.SIGKILL)
            output = shell.communicate()[0] + "\n(the time limit is over)"
    found: list[tuple[int, list[str]]] = []
    parts = re.split(f"\n{SEPARATOR} (\\d+)\n", output)
    for at in range(1, len(parts), 2):
        text = parts[at - 1].replace(f"{folder}/", "").replace(str(home), "~").rstrip("\n")
        text = text.replace(str(PREFIX), "~/.local")
        found.append((int(parts[at]), text.split("\n") if text else []))
    if len(found) < len(commands):
        found.append((-1, parts[-1].split("\n")))
    return found


def edit(command: Command, output: list[str]) -> tuple[int, int, list[str]]:
    """Returns the lines of the document that show a command's output, and what they should be."""
    return (command.output_line, command.output_line + len(command.shown),
            [(command.indent + line).rstrip() for line in output])


def judge(command: Command, status: int, output: list[str], result: Result) -> None:
    """Compares a command's status and output with the document."""
    where = f"{result.path}:{command.line}"
    if status != command.status:
        result.errors.append(f"{where}: status {status} instead of {command.status}: {command.text}\n"
                             + "\n".join(output[-20:]))
        return
    if command.output_line > 0 and not command.shown:
        result.unshown.append(edit(command, output))
    if command.output == "any" or not command.shown:
        return
    numbers = command.output == "numbers"
    shown = [plain(line, numbers) for line in command.shown]
    while shown and not shown[-1]:
        shown.pop()
    if not matches(shown, [plain(line, numbers) for line in output]):
        result.errors.append(f"{where}: another output than shown: {command.text}\n" + "\n".join(output))
        result.edits.append(edit(command, output))


def flags(code: str, environment: dict[str, str]) -> list[str]:
    """Returns the compiler's flags for a snippet."""
    names = ["tarn"] + [name for word, name in MODULES.items() if word in code]
    shown = subprocess.run(["pkg-config", "--cflags", *names], env=environment, text=True,
                           capture_output=True, check=True)
    return shown.stdout.split()


def compile_snippet(block: Block, folder: pathlib.Path, environment: dict[str, str]) -> list[str]:
    """Compiles a snippet as C11 and C++17, or as C++17 alone. Returns the errors."""
    code = "\n".join(block.lines) + "\n"
    if "given" in block.marks:  # statements, with the variables that they need as parameters
        includes = "".join(f"#include <{path.relative_to(PREFIX / 'include')}>\n"
                           for path in sorted((PREFIX / "include/tarn").glob("*.h")))
        includes += "".join(f"{line}\n" for line in block.lines if line.startswith("#include"))
        body = "".join(f"{line}\n" for line in block.lines if not line.startswith("#include"))
        parameters = block.marks["given"]
        code = f"{includes}void snippet({parameters});\nvoid snippet({parameters}) {{\n{body}}}\n"
    errors = []
    for language in ("c11", "c++17") if block.language in ("c", "") else ("c++17",):
        kind = "c" if language == "c11" else "c++"
        done = subprocess.run(["cc", f"-std={language}", "-x", kind, "-", *WARNINGS, *flags(code, environment)],
                              input=code, cwd=folder, env=environment, text=True, capture_output=True,
                              check=False)
        if done.returncode != 0:
            errors.append(f"does not compile as {language}:\n{done.stderr}")
    return errors


def environment_of(home: pathlib.Path) -> dict[str, str]:
    """Returns the environment of a new user who has installed Tarn in ~/.local."""
    tarn = home / ".local"
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
    return kept | {
        "HOME": str(home), "PATH": f"{tarn}/bin:{os.environ['PATH']}", "TERM": "dumb", "NO_COLOR": "1",
        "PKG_CONFIG_PATH": f"{tarn}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{tarn}/lib",
    }


def run_block(block: Block, folder: pathlib.Path, environment: dict[str, str], result: Result) -> list[Command]:
    """Saves or compiles a block, or returns the commands that it has."""
    where = f"{result.path}:{block.line}"
    code = block.language in ("c", "cpp") or "given" in block.marks
    if "not run" in block.marks:
        result.left_out.append(f"{where}: {block.marks['not run']}")
        return []
    missing = [tool for tool in block.marks.get("needs", "").split() if shutil.which(tool) is None]
    if missing:
        result.left_out.append(f"{where}: needs {' '.join(missing)}")
        return []
    for recording in block.marks.get("recording", "").split():
        source = next((path / recording for path in (RECORDINGS, RECORDINGS.parent) if (path / recording).exists()), None)
        if source is None:
            result.left_out.append(f"{where}: needs the public recordings (TARN_RECORDINGS)")
            return []
        if not (folder / recording).exists():
            (folder / recording).symlink_to(source)
    if "file" in block.marks:
        (folder / block.marks["file"]).write_text("\n".join(block.lines) + "\n")
    if code:
        result.snippets += 1
        result.errors += [f"{where}: {error}" for error in compile_snippet(block, folder, environment)]
    elif block.language in TEXT:
        if any(re.match(r"^(\$|tarn) ", line) for line in block.lines):
            result.errors.append(f"{where}: a block of {block.language} has a command")
    elif block.language == "diff":
        (folder / f"{block.line}.diff").write_text("\n".join(block.lines) + "\n")
        return [Command(block.line, f"git apply {block.line}.diff", [], 0, "", 0, "any")]
    elif block.language == "sh" and "file" not in block.marks:
        return commands_of(block, "")
    elif block.lines[0].startswith("$ "):
        return commands_of(block)
    elif block.language == "python" and not block.marks:
        result.programs += 1
    elif block.language not in SCRIPTS or "file" not in block.marks:
        result.errors.append(f"{where}: this block is not run, and no mark says why")
    return []


def run_document(name: str) -> Result:
    """Executes a document in a scratch folder with what the tree has for its readers."""
    result = Result(pathlib.Path(name))
    lines = (SRC / name).read_text().split("\n")
    with tempfile.TemporaryDirectory() as scratch:
        home = pathlib.Path(scratch).resolve()
        folder = home / "work"
        folder.mkdir()
        (home / ".local").symlink_to(PREFIX)
        for part in ("examples", "traces", "docs"):
            (folder / part).symlink_to((SRC / part).resolve())
        environment = environment_of(home)
        pending = [command for block in blocks_of(lines)
                   for command in run_block(block, folder, environment, result)]
        result.commands = len(pending)
        for command, (status, output) in zip(pending, run_commands(pending, folder, home, environment)):
            judge(command, status, output, result)
    return result


def check_options(name: str, helps: dict[str, str]) -> list[str]:
    """Returns the options in a document's text that `tarn COMMAND --help` does not have."""
    found = []
    for number, line in enumerate((SRC / name).read_text().split("\n"), 1):
        for command, rest in re.findall(r"`tarn (channel [a-z]+|[a-z]+)([^`]*)`", line):
            if command not in helps:
                shown = subprocess.run([PREFIX / "bin/tarn", *command.split(), "--help"], text=True,
                                       capture_output=True, check=False)
                helps[command] = shown.stdout if shown.returncode == 0 else ""
            if not helps[command]:
                found.append(f"{name}:{number}: no command is called 'tarn {command}'")
            for option in re.findall(r"\s(--[a-z-]+)", rest.split(" -- ")[0]):
                if option not in helps[command] and helps[command]:
                    found.append(f"{name}:{number}: tarn {command} has no option {option}")
    return found


def anchors_of(path: pathlib.Path) -> set[str]:
    """Returns the anchors that hosts give to the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(name: str) -> list[str]:
    """Returns the links of a document to files and headings that do not exist."""
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", (SRC / name).read_text()):
        place, _, anchor = link.partition("#")
        path = (SRC / name).parent / place if place else SRC / name
        if re.match(r"\w+:", link):
            continue
        if not path.exists() or (anchor and anchor not in anchors_of(path)):
            found.append(f"{name}: nothing is at {link}")
    return found


# Programs below build/ that a document may name, if it also says which command builds them.
BUILDERS = {"build/bin/tarn": "", "build/bin/bench_": "./x bench", "build/bin/peers_": "./x bench",
            "build/tests/bin/": "cmake --build build"}


def check_builds(name: str) -> list[str]:
    """Returns the programs below build/ in a document without the command that builds them."""
    text = (SRC / name).read_text()
    named = re.findall(r"\bbuild/(?:tests/)?bin/[a-z_]+", text)
    return [f"{name}: no command here builds {program}" for program in sorted(set(named))
            if not any(program.startswith(start) and builder in text for start, builder in BUILDERS.items())]


def main() -> int:
    """Executes the documents and prints the outcome."""
    names = [name for name in sys.argv[1:] if not name.startswith("--")]
    helps: dict[str, str] = {}
    errors = [error for name in names for error in check_options(name, helps) + check_builds(name)
              + check_links(name)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(run_document, names))
    for result in results:
        errors += result.errors
        if "--write" in sys.argv or "--fill" in sys.argv:
            lines = (SRC / result.path).read_text().split("\n")
            edits = result.edits + (result.unshown if "--fill" in sys.argv else [])
            for start, end, output in sorted(edits, reverse=True):
                lines[start - 1 : end - 1] = output
            (SRC / result.path).write_text("\n".join(lines))
    left_out = [line for result in results for line in result.left_out]
    print(*errors, sep="\n", end="\n" if errors else "")
    print(f"{sum(result.commands for result in results)} commands run, "
          f"{sum(result.snippets for result in results)} snippets compiled, "
          f"{sum(result.programs for result in results)} in Python, {len(left_out)} blocks not run:")
    print(*left_out, sep="\n")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
