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
    columns = columns or list(dict.fromkeys(column for _, column in own)) or ["device"]
    lines = [f"## {title}", "", "| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for row in rows:
        lines.append(f"| {row} | " + " | ".join(cell(own.get((row, c))) for c in columns) + " |")
    return "\n".join(lines) + "\n"


def ratio(results, over, under):
    """One cell divided by another, each as (table, row, column); None: one is not there."""
    values = {(r["table"], r["row"], r["column"]): r["value"] for r in results if "value" in r}
    if over not in values or not values.get(under):
        return None
    return values[over] / values[under]


def aims(results):
    """The project's goals on a GPU, and whether they are met."""
    size, steps, reserved = "1 MiB", "steps per second", "peak reserved, MiB"
    rows = [
        ("cuMemAllocAsync / Tarn's pool, time, 1 MiB: at least 5",
         ratio(results, ("pool", size, "cuMemAllocAsync"), ("pool", size, "Tarn's pool")),
         lambda x: x >= 5),
        ("Tarn / PyTorch's allocator, time through PyTorch, 1 MiB: at most 1",
         ratio(results, ("pairs", size, "tarn"), ("pairs", size, "caching")), lambda x: x <= 1),
        ("Tarn / PyTorch's allocator, steps per second: at least 0.99",
         ratio(results, ("train", steps, "tarn"), ("train", steps, "caching")),
         lambda x: x >= 0.99),
        ("Tarn / expandable segments, peak reserved: at most 1",
         ratio(results, ("train", reserved, "tarn"), ("train", reserved, "expandable")),
         lambda x: x <= 1),
        ("live / reserved under Tarn: at least 0.97",
         ratio(results, ("train", "peak live, MiB", "tarn"), ("train", reserved, "tarn")),
         lambda x: x >= 0.97),
    ]
    lines = ["## Aims", "", "| aim | measured | reached |", "|---|---|---|"]
    for text, value, good in rows:
        said = ("not measured", "") if value is None else (f"{value:.3g}", "yes" if good(value) else "no")
        lines.append(f"| {text} | {said[0]} | {said[1]} |")
    return "\n".join(lines) + "\n"


def main():
    results = read(sys.argv[1])
    facts = dict((r["row"], r["text"]) for r in results if r["table"] == "facts")
    parts = ["# What was measured\n", "\n".join(f"- {k}: {v}" for k, v in facts.items()) + "\n"]
    parts += [table(results, *t) for t in TABLES] + [aims(results)]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(parts))


if __name__ == "__main__":
    main()
