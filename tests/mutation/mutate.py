#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes the source in one place at a time, and counts the changes that the tests notice.

    tests/mutation/mutate.py --seed 1 --count 100 --build build --log mutations.jsonl

A mutation is drawn by the seed from all places where an operator applies. The mutant is built, and the
tests of its area run until one fails twice ("killed"): first the tests named after the file, then
from fast to slow. A mutant that all tests pass has survived: a test is missing, or the change makes no
difference. A mutant is replaced by another if it does not compile, or if its machine code is the same.
The working tree must be clean, and is restored afterwards. `--log` keeps the results, one JSON object
on a line; a second run with the same log continues after the last one. `--again` tries those survivors
of the log once more that are still in the source.
"""
import argparse
import hashlib
import json
import os
import pathlib
import queue
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_TEST_SECONDS = 60

# An area: its sources, the names of its tests, and its share of all mutations.
AREAS = [
    ("src/check", ["src/check/*.c", "src/stack/*.c"], "^(unit_check|unit_stack|check_|cli_check|fuzz_replay_check|example_mstx|compat_mstx)", 40),
    ("src/channel", ["src/channel/*.c"],
     "^(unit_channel|channel_|cli_channel|fuzz_replay_channel|example_frames|compat_hiai|example_hiai)", 25),
    ("compat/hip", ["compat/hip/*.c", "compat/runtime/*/*.c", "compat/face/*.c"],
     "^(compat_hip|fuzz_replay_hip|example_hip|cli_info_as|api_[a-z_]+_hip$|unit_core_failures_hip)", 18),
    ("compat/acl", ["compat/acl/*.c"],
     "^(compat_acl|example_acl|cli_info_as|api_[a-z_]+_ascend$|unit_core_failures_ascend)", 10),
    ("compat/hiai", ["compat/hiai/*.c"], "^(compat_hiai|fuzz_replay_hiai|example_hiai|cli_info_as_hiai)", 7),
    ("compat/mstx", ["compat/mstx/include/mstx/mstx_detail/*.h"], "^(compat_mstx|example_mstx|starve_mstx)", 2),
]

# Operators: a pattern, and the text that replaces its match.
OPERATORS = [
    ("<= to <", r" <= ", " < "), ("< to <=", r" < ", " <= "),
    (">= to >", r" >= ", " > "), ("> to >=", r" > ", " >= "),
    ("== to !=", r" == ", " != "), ("!= to ==", r" != ", " == "),
    ("&& to ||", r" && ", " || "), ("|| to &&", r" \|\| ", " && "),
    ("+ to -", r" \+ ", " - "), ("- to +", r" - ", " + "),
    ("drop !", r"(?<=[( ])!(?=[a-z(])", ""),
    ("true to false", r"\btrue\b", "false"), ("false to true", r"\bfalse\b", "true"),
    ("0 to 1", r"(?<=[ (])0(?=[;,) ])", "1"), ("1 to 2", r"(?<=[ (])1(?=[;,) ])", "2"),
    ("drop a call", r"^(    +)[a-z_]+\([^{}]*\);$", r"\1;"),
    ("drop an assignment", r"^(    +)[a-z_>.*\[\]-]+ (=|\+=|-=|\|=) [^{}]*;$", r"\1;"),
    ("drop ++", r"^(    +)[a-z_>.-]+(\+\+|--);$", r"\1;"),
    ("drop a condition", r"\bif \((?!.*\{.*\}).*\) \{$", "if (1) {"),
]

SKIPPED = re.compile(r"^\s*(//|#|/?\*)|_Static_assert|TARN_ASSERT|^[a-z]")


def sites(area):
    """Returns all (file, index of the line, operator, new line, line number) of an area."""
    found = []
    for pattern in area[1]:
        for path in sorted(ROOT.glob(pattern)):
            for number, line in enumerate(path.read_text().split("\n")):
                code = line.split(" // ")[0]
                if SKIPPED.search(code) or '"' in code:
                    continue
                for name, old, new in OPERATORS:
                    for match in re.finditer(old, code):
                        changed = code[:match.start()] + match.expand(new) + code[match.end():]
                        found.append((path.relative_to(ROOT).as_posix(), number, name, changed, number + 1))
    return found


class Program:
    """A test of CTest's list: its command, environment, folder, and how long it takes without a mutation."""

    def __init__(self, entry):
        properties = {item["name"]: item["value"] for item in entry["properties"]}
        self.name, self.command = entry["name"], entry["command"]
        self.folder = properties.get("WORKING_DIRECTORY")
        self.environment = properties.get("ENVIRONMENT", [])
        self.limit = properties.get("TIMEOUT", MAX_TEST_SECONDS)
        self.seconds = 0.0
        self.skipped = False

    def run(self, stop=None):
        """Runs once. Returns "pass", "fail" or "time". Ends the processes when `stop` is set."""
        start = time.monotonic()
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(self.command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=output, start_new_session=True,
                                       env={**os.environ, **dict(item.split("=", 1) for item in self.environment)})
            outcome = None
            while outcome is None:
                try:
                    code = process.wait(timeout=0.2)
                    outcome = "pass" if code in (0, 77) else "fail"
                    self.skipped = code == 77
                except subprocess.TimeoutExpired:
                    if time.monotonic() - start > self.limit or (stop and stop.is_set()):
                        outcome = "time"
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        self.seconds = time.monotonic() - start
        return outcome


def shell(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


class Suite:
    """The tests of an area in a build folder."""

    def __init__(self, area, build, jobs):
        self.build, self.jobs = build, jobs
        self.originals = {}  # hashes of the machine code of sources that were mutated
        listed = self.listed(area)
        if not all("command" in entry for entry in listed):  # a program that is not built has none
            shell("ninja", "-C", build, "-j", str(jobs))
            listed = self.listed(area)
        self.programs = [Program(entry) for entry in listed]
        self.targets = self.needed_targets()

    def listed(self, area):
        """Returns CTest's entries of the area's tests."""
        listed = json.loads(shell("ctest", "--test-dir", self.build, "--show-only=json-v1").stdout)
        return [entry for entry in listed["tests"] if re.search(area[2], entry["name"])]

    def needed_targets(self):
        """Returns the outputs that the tests' commands and environment name, and what is installed."""
        listed = shell("ninja", "-C", self.build, "-t", "targets", "all").stdout
        outputs = [line.split(":")[0] for line in listed.split("\n")]
        text = "\n".join(" ".join([*program.command, *program.environment]) for program in self.programs)
        paths = set(re.findall(re.escape(str((ROOT / self.build).resolve())) + r"/([\w./-]+)", text))
        return ["product"] + [name for name in outputs if name in paths or
                              name.rpartition("/")[0] in paths and not name.startswith("tests/bin/")]

    def make(self):
        return shell("ninja", "-C", self.build, "-j", str(self.jobs), *self.targets)

    def measure(self):
        """Runs every test without a mutation, and drops those that are skipped here."""
        failed = []
        self.each(self.programs, lambda program, stop: program.run() != "pass" and failed.append(program.name))
        if failed:
            sys.exit(f"mutate.py: tests fail without a mutation: {' '.join(failed)}")
        self.programs = sorted((program for program in self.programs if not program.skipped), key=lambda p: p.seconds)
        for program in self.programs:
            program.limit = min(program.limit, max(MAX_TEST_SECONDS, 4 * program.seconds))
            print(f"{program.seconds:7.2f} s {program.name}", flush=True)

    def each(self, programs, visit):
        """Calls `visit(program, stop)` for each on some threads, until `stop` is set."""
        left, stop = queue.SimpleQueue(), threading.Event()
        for program in programs:
            left.put(program)

        def work():
            while not stop.is_set():
                try:
                    visit(left.get_nowait(), stop)
                except queue.Empty:
                    return

        threads = [threading.Thread(target=work) for _ in range(self.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def killer(self, source):
        """Returns the test that failed first, and again when it ran once more; or None."""
        word = pathlib.Path(source).stem.split("_")[0]
        killers = []

        def visit(program, stop):
            first = program.run(stop)
            if first == "pass" or stop.is_set():
                return
            if first == "time" or program.run(stop) != "pass" and not stop.is_set():
                killers.append(program.name + (" (time limit)" if first == "time" else ""))
                stop.set()

        before = [(program, program.seconds) for program in self.programs]
        self.each(sorted(self.programs, key=lambda program: word not in program.name), visit)
        for program, seconds in before:
            program.seconds = seconds
        return killers[0] if killers else None

    def code_of(self, source):
        """Returns a hash of the machine code of a source, from every library that compiles it; "" for a header."""
        digest = hashlib.sha256()
        path = pathlib.Path(source)
        objects = sorted((ROOT / self.build).glob(f"**/{path.parent.name}/{path.name}.o"))
        for path in objects:
            with tempfile.NamedTemporaryFile() as stripped:
                shell("strip", "-g", "-o", stripped.name, str(path))
                digest.update(pathlib.Path(stripped.name).read_bytes())
        return digest.hexdigest() if objects else ""


def try_site(area, suite, site):
    """Returns the outcome of one mutation: a dictionary, or None if the mutant is to be replaced."""
    name, number, operator, changed, line = site
    path = ROOT / name
    before = path.read_text()
    lines = before.split("\n")
    old = lines[number]
    lines[number] = changed
    if name not in suite.originals:
        suite.originals[name] = suite.code_of(name)
    path.write_text("\n".join(lines))
    try:
        if suite.make().returncode != 0 or (suite.originals[name] and suite.code_of(name) == suite.originals[name]):
            return None
        killer = suite.killer(name)
    finally:
        path.write_text(before)
    return {"area": area[0], "file": name, "line": line, "operator": operator, "old": old.strip(),
            "new": changed.strip(), "killed_by": killer}


def survivors(area, results):
    """Yields the places of the survivors that are still in the source, and their lines in the log."""
    for result in results:
        if result["area"] != area[0] or result["killed_by"]:
            continue
        lines = (ROOT / result["file"]).read_text().split("\n")
        same = [number for number, line in enumerate(lines) if line.strip() == result["old"]]
        if not same:
            print(f"gone: {result['file']}:{result['line']}: {result['old']}")
            continue
        number = min(same, key=lambda number: abs(number + 1 - result["line"]))
        indent = lines[number][:len(lines[number]) - len(lines[number].lstrip())]
        yield result["file"], number, result["operator"], indent + result["new"], result["line"]


def latest(log):
    """Returns the results of a log; a later result of the same mutation replaces the earlier one."""
    results = {}
    for line in log.read_text().split("\n") if log and log.exists() else []:
        if line:
            result = json.loads(line)
            results[result["file"], result["old"], result["new"], result["line"]] = result
    return list(results.values())


def summary(results):
    print(f"\n{'area':<12} {'mutations':>9} {'killed':>7}")
    for area in AREAS:
        mine = [result for result in results if result["area"] == area[0]]
        if mine:
            print(f"{area[0]:<12} {len(mine):>9} {sum(1 for result in mine if result['killed_by']):>7}")
    killed = sum(1 for result in results if result["killed_by"])
    print(f"{'all':<12} {len(results):>9} {killed:>7}  {100 * killed / max(len(results), 1):.0f} %")
    for result in results:
        if not result["killed_by"]:
            print(f"survived: {result['file']}:{result['line']}: {result['operator']}: {result['old']}")


def try_area(area, args, results):
    """Tries the mutations of an area; adds to `results` and to the log."""
    places = sites(area)
    random.Random(f"{args.seed} {area[0]}").shuffle(places)
    wanted = round(args.count * area[3] / sum(other[3] for other in AREAS))
    done = {(result["file"], result["new"], result["line"]) for result in results if result["area"] == area[0]}
    count = len(done)
    if args.again:
        places = list(survivors(area, results))
        done, count, wanted = set(), 0, len(places)
    if count >= wanted:
        return
    suite = Suite(area, args.build, args.jobs)
    if suite.make().returncode != 0:
        sys.exit("mutate.py: the tree does not build")
    suite.measure()
    for site in places:
        if count >= wanted:
            break
        if (site[0], site[3].strip(), site[4]) in done:
            continue
        start = time.monotonic()
        result = try_site(area, suite, site)
        if result is None:
            continue
        count += 1
        results.append(result)
        print(f"{count:>3}/{wanted} {result['file']}:{result['line']} {result['operator']}: "
              f"{result['killed_by'] or 'SURVIVED'} ({time.monotonic() - start:.0f} s)", flush=True)
        if args.log:
            with args.log.open("a") as log:
                log.write(json.dumps(result) + "\n")
    suite.make()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100, help="mutations in all areas together")
    parser.add_argument("--area", help="only this area, with its share of the count")
    parser.add_argument("--build", default="build", help="a configured build folder with tests")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--log", type=pathlib.Path, default=None)
    parser.add_argument("--again", action="store_true", help="try the survivors of the log again")
    args = parser.parse_args()
    if shell("git", "status", "--porcelain", "--untracked-files=no").stdout.strip():
        sys.exit("mutate.py: the working tree has changes; commit them first")
    results = latest(args.log)
    for area in AREAS:
        if not args.area or area[0] == args.area:
            try_area(area, args, results)
    summary(latest(args.log) if args.log else results)


if __name__ == "__main__":
    main()
