# SPDX-License-Identifier: Apache-2.0
"""Tables of what run.sh measured: report.py RESULTS REPORT. A cell that nothing was measured for
says so. Needs nothing but Python."""

import json
import sys

ALLOCATORS = ["caching", "expandable", "tarn", "tarn-loose"]
STEPS = ["create", "map", "access", "unmap", "release"]
WAYS = ["to the device, pinned", "from the device, pinned", "to the device, pageable",
        "from the device, pageable", "within"]

# Each table: its name in the results, its title, its columns (None: those that come).
TABLES = [
    ("api", "The API suite", None),
    ("vmm", "Virtual memory management, nanoseconds for one call, by size of the chunk",
     [f"{who} {step}" for step in STEPS for who in ("Tarn", "driver")]),
    ("pool", "One allocation and one free together, nanoseconds, by size of the block",
     ["Tarn's pool", "libtarn-torch", "cuMemAlloc", "cuMemAllocAsync"]),
    ("pairs", "The same from Python through PyTorch, nanoseconds", ALLOCATORS),
    ("copy", "Copies, GB/s, by size",
     [f"{who}, {way}" for way in WAYS for who in ("Tarn", "driver")]),
    ("train", "Training a transformer with sequences of varying length", ALLOCATORS),
    ("limit", "How much fits before memory runs out", ALLOCATORS),
]
ROWS = {
    "pairs": ["512 B", "64 KiB", "1 MiB", "20 MiB"],
    "train": ["steps per second", "peak reserved, MiB", "peak live, MiB", "live / reserved"],
    "limit": ["tokens of the largest step", "peak reserved, MiB", "peak live, MiB"],
}


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def number(value):
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def cell(result):
    if result is None:
        return "not measured"
    return result["text"] if "text" in result else number(result["value"])


def table(results, name, title, columns):
    own = {(r["row"], r["column"]): r for r in results if r["table"] == name}
    rows = list(dict.fromkeys(ROWS.get(name, []) + [row for row, _ in own])) or ["all"]
    columns = columns or list(dict.fromkeys(column for _, column in own)) or ["card"]
    lines = [f"## {title}", "", "| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for row in rows:
        lines.append(f"| {row} | " + " | ".join(cell(own.get((row, c))) for c in columns) + " |")
    return "\n".join(lines) + "\n"


def main():
    results = read(sys.argv[1])
    facts = dict((r["row"], r["text"]) for r in results if r["table"] == "facts")
    parts = ["# What was measured\n", "\n".join(f"- {k}: {v}" for k, v in facts.items()) + "\n"]
    parts += [table(results, *t) for t in TABLES]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(parts))


if __name__ == "__main__":
    main()
