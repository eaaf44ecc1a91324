#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes the source in one place at a time, and counts the changes that the tests notice.

    tests/mutation/mutate.py --seed 1 --count 100 --build build

A mutation is drawn by the seed from all places where an operator applies. The mutant is built and the
tests of its area run until one fails ("killed"). A mutant that all tests pass has survived: a test is
missing, or the change makes no difference. A mutant that does not compile is replaced by another. The
working tree must be clean, and is restored afterwards. `--log` keeps the results, one JSON object on a
line; a second run with the same log continues after the last one.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# An area: its sources, the targets to build, the tests in stages from fast to slow, and its share of all mutations.
AREAS = [
    ("src/check", ["src/check/*.c"], "^(unit_check_|check_)|^tarn$",
     ["^unit_check", "^check_clean$", "^check_bugs$", "^cli_check"], 40),
    ("src/channel", ["src/channel/*.c"], "^(unit_channel_|channel_)|^tarn$",
     ["^unit_channel", "^channel_|^cli_channel"], 25),
    ("compat/hip", ["compat/hip/*.c", "compat/face/*.c"], "^(compat_hip_|unit_compat|face_hip)", ["^compat_hip"], 18),
    ("compat/acl", ["compat/acl/*.c"], "^(compat_acl_|face_acl)", ["^compat_acl"], 10),
    ("compat/hiai", ["compat/hiai/*.c"], "^(compat_hiai_|face_hiai)|hiai", ["^compat_hiai"], 7),
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

SKIPPED = re.compile(r"^\s*(//|#|\*)|_Static_assert|TARN_ASSERT|^[a-z]")


def sites(area):
    """Returns all (file, line number, operator, new line) of an area."""
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
                        found.append((path.relative_to(ROOT).as_posix(), number, name, changed))
    return found


def run(command, limit):
    try:
        return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=limit, check=False)
    except subprocess.TimeoutExpired as error:
        return subprocess.CompletedProcess(command, 124, stdout=str(error.stdout or ""))


def targets_of(area, build):
    """Returns the executables and libraries whose names match the pattern of the area."""
    listed = run(["ninja", "-C", build, "-t", "targets", "all"], 60).stdout
    names = {line.split(":")[0] for line in listed.split("\n") if ": phony" in line and "/" not in line.split(":")[0]}
    return sorted(name for name in names if re.search(area[2], name))


def first_failure(area, build, jobs):
    """Returns the name of the test that failed first, or None."""
    for stage in area[3]:
        done = run(["ctest", "--test-dir", build, "-j", str(jobs), "-R", stage, "--stop-on-failure", "--timeout",
                    "300", "--no-tests=error"], 1800)
        if done.returncode != 0:
            failed = re.search(r"Test +#\d+: (\S+) .*\*\*\*", done.stdout)
            return failed.group(1) if failed else stage
    return None


def try_site(area, site, args):
    """Returns the outcome of one mutation: a dictionary, or None if the mutant does not compile."""
    name, number, operator, changed = site
    path = ROOT / name
    before = path.read_text()
    lines = before.split("\n")
    old = lines[number]
    lines[number] = changed
    path.write_text("\n".join(lines))
    try:
        built = run(["ninja", "-C", args.build, "-j", str(args.jobs), *targets_of(area, args.build)], 900)
        if built.returncode != 0:
            return None
        killer = first_failure(area, args.build, args.jobs)
    finally:
        path.write_text(before)
    return {"area": area[0], "file": name, "line": number + 1, "operator": operator, "old": old.strip(),
            "new": changed.strip(), "killed_by": killer}


def draw(args):
    """Yields (area, sites in random order, number of mutations) for each area."""
    total = sum(area[4] for area in AREAS)
    for area in AREAS:
        if args.area and area[0] != args.area:
            continue
        places = sites(area)
        random.Random(f"{args.seed} {area[0]}").shuffle(places)
        yield area, places, round(args.count * area[4] / total)


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100, help="mutations in all areas together")
    parser.add_argument("--area", help="only this area, with its share of the count")
    parser.add_argument("--build", default="build", help="a configured build folder with tests")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--log", type=pathlib.Path, default=None)
    args = parser.parse_args()
    if run(["git", "status", "--porcelain", "--untracked-files=no"], 60).stdout.strip():
        sys.exit("mutate.py: the working tree has changes; commit them first")
    results = []
    if args.log and args.log.exists():
        results = [json.loads(line) for line in args.log.read_text().split("\n") if line]
    for area, places, wanted in draw(args):
        done = {(result["file"], result["line"], result["new"]) for result in results if result["area"] == area[0]}
        count = len(done)
        for site in places:
            if count >= wanted:
                break
            if (site[0], site[1] + 1, site[3].strip()) in done:
                continue
            result = try_site(area, site, args)
            if result is None:
                continue
            count += 1
            results.append(result)
            print(f"{count:>3}/{wanted} {result['file']}:{result['line']} {result['operator']}: "
                  f"{result['killed_by'] or 'SURVIVED'}", flush=True)
            if args.log:
                with args.log.open("a") as log:
                    log.write(json.dumps(result) + "\n")
        run(["ninja", "-C", args.build, "-j", str(args.jobs), *targets_of(area, args.build)], 900)
    summary(results)


if __name__ == "__main__":
    main()
