#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the functions in docs/functions/cuda.txt with those of the library, or writes them.

usage: functions.py [--update] LIBCUDA TREE

A function that the library defines weakly is not implemented: see compat/cuda/absent.c. The limits and
notes and the state "partial" are the page's own; --update keeps them. Everything else is computed.
"""
import pathlib
import re
import subprocess
import sys
import textwrap

HEAD = "<!-- functions: tests/compat/cuda/functions.py --update writes what follows -->\n"
FORM = re.compile(r"(_v\d+)?(_ptsz|_ptds)?$")

# The sections, and the functions of each. A function belongs to the first one that matches.
FAMILIES = [
    ("NVML", r"^nvml"),
    ("Versions, errors and lookup", r"Init$|Version|^cu(da)?(Get|Peek)\w*Error|ProcAddress|EntryPoint|ExportTable|Profil"),
    ("Contexts", r"^cuCtx|PrimaryCtx|^cudaDevice(Reset|Synchronize)|cudaInitDevice"),
    ("Device code and its variables", r"^__cuda|Launch(Kernel|Coop)|Func[GSL]|Occupancy|Symbol|Kernel(?!Node)|Module|Library|Link"),
    ("Capture", r"Captur"),
    ("Graphs", r"Graph(?!ics)|UserObject"),
    ("Pools", r"MemPool|(Malloc|MemAlloc|Free)(FromPool)?Async"),
    ("Processes", r"^cu(da)?Ipc"),
    ("Managed memory", r"Managed|MemAdvise|MemPrefetch|MemDiscard|MemRange|AttachMem"),
    ("Streams and events", r"Stream|Event|LaunchHostFunc"),
    ("Arrays", r"Array|AtoA|AtoD|AtoH|DtoA|HtoA|ChannelDesc"),
    ("Virtual memory", r"^cuMem(Address|Create|Map|Unmap|Release|Retain|SetAccess|GetAccess|GetAlloc|Export|Import)|^cuMulticast"),
    ("Copies and fills", r"Memcpy|Memset"),
    ("Memory of the host, and pointers", r"Host|Pointer"),
    ("Devices", r"Device|Peer|P2P"),
    ("Memory of devices", r""),
]

# The matters of functions that are not implemented.
ABSENT = [
    ("NVML: clocks and power", r"^nvml.*(Clock|Clk|Power|PState|Performance|Energy|Throttle|Boost|Fan|Temperature|Therm|Cooler)"),
    ("NVML: links and buses", r"^nvml.*(NvLink|Nvlink|Pci|C2c|P2P|Topolog|Affinity|Numa|Bus|Fabric|Remote)"),
    ("NVML: parts of a device", r"^nvml.*(Mig|GpuInstance|ComputeInstance)"),
    ("NVML: errors of the hardware", r"^nvml.*(Ecc|Retired|Remap|ErrorCounter|Violation|Xid|Sram)"),
    ("NVML: everything else", r"^nvml"),
    ("graphics", r"Graphics|GL|EGL|VDPAU"),
    ("textures and surfaces", r"Tex|Surf"),
    ("external memory and semaphores", r"External|NvSci"),
    ("green contexts and parts of a device", r"Green|DevResource|DevSm|ExecAffinity|CtxRecordEvent|CtxWaitEvent"),
    ("checkpoints, core dumps, logs", r"Checkpoint|Coredump|Logs"),
    ("tensor maps", r"TensorMap"),
    ("device code", r"^__cuda|Launch|Func|Occupancy|Kernel|Module|Library|Link|Symbol|Conditional|^cuParam|ForDevice|ForHost"),
    ("other functions", r""),
]


def family(table: list[tuple[str, str]], name: str) -> str:
    """Returns the first title whose pattern matches."""
    return next(title for title, pattern in table if re.search(pattern, name))


def pair(name: str) -> str:
    """Returns the name of the driver's function that does the same as one of the runtime."""
    name = re.sub(r"^cudaMalloc(?=$|Async|FromPool|Host|Managed|Pitch)", "cuMemAlloc", name)
    name = re.sub(r"^cudaFree(?=$|Async|Host)", "cuMemFree", name)
    name = re.sub(r"^cudaHost(?=Alloc|Register|Unregister|Get)", "cuMemHost", name)
    return re.sub(r"^cuda", "cu", name)


def exports(library: str) -> dict[str, bool]:
    """Returns the functions by name, and whether each is implemented."""
    found = {}
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines():
        _, kind, name = line.split()
        name = re.sub(r"^tn_(cudart|nvml)_", "", name)
        found[name] = kind == "T"
    return found


def own(page: str) -> dict[str, tuple[str, str]]:
    """Returns the state and the notes of each function that has a row in the page."""
    found = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 4 and cells[-3] in ("complete", "partial"):
            for name in re.findall(r"`(\w+)`", " ".join(cells[1:-3])):
                found[name] = (cells[-3], cells[-2])
    return found


def write(functions: dict[str, bool], kept: dict[str, tuple[str, str]]) -> str:
    """Returns the lists and tables."""
    bases: dict[str, list[str]] = {}
    for name in functions:
        bases.setdefault(FORM.sub("", name), []).append(name)
    have = {base for base, forms in bases.items() if any(functions[form] for form in forms)}
    rows: dict[str, dict[str, list[str]]] = {title: {} for title, _ in FAMILIES}
    for base in sorted(have, key=lambda name: (name.startswith("cuda"), name)):
        key = pair(base) if pair(base) in have else base
        rows[family(FAMILIES, key)].setdefault(key, []).append(base)
    text = ""
    for title, names in sorted(rows.items(), key=lambda row: row[0] == "NVML"):
        complete, table = [], ""
        for row in (names[key] for key in sorted(names)):
            state, notes = next((kept[base] for base in row if base in kept), ("complete", ""))
            cell = ", ".join(f"`{base}`" for base in row)
            if (state, notes) == ("complete", ""):
                complete.append(cell)
            else:
                table += f"| {cell} | {state} | {notes} |\n"
        text += f"\n### {title}\n"
        if complete:
            text += "\n" + textwrap.fill("Complete: " + ", ".join(complete) + ".", 140) + "\n"
        if table:
            text += f"\n| function | state | limits and notes |\n|---|---|---|\n{table}"
    text += "\n### Named errors\n\nThese functions return 801, `CUDA_ERROR_NOT_SUPPORTED`, those of NVML"
    text += " 3, `NVML_ERROR_NOT_SUPPORTED`.\nThe log names the function.\n\n| matter | functions |\n|---|---|\n"
    matters: dict[str, list[str]] = {title: [] for title, _ in ABSENT}
    for base in sorted(set(bases) - have):
        matters[family(ABSENT, base)].append(base)
    matters["first forms, replaced before CUDA 4"] = sorted(
        form for base in have for form in bases[base] if not functions[form]
    )
    for title, absent in matters.items():
        if absent:
            text += f"| {title} | {' '.join(f'`{name}`' for name in absent)} |\n"
    return text


def main() -> int:
    """Checks or writes the page."""
    update = sys.argv[1] == "--update"
    library, tree = sys.argv[-2], pathlib.Path(sys.argv[-1])
    path = tree / "docs/functions/cuda.txt"
    page = path.read_text()
    head, mark, tables = page.partition(HEAD)
    if not mark:
        print(f"{path} has no line {HEAD!r}", file=sys.stderr)
        return 1
    wanted = write(exports(library), own(tables))
    if update:
        path.write_text(head + mark + wanted)
        return 0
    old, new = tables.splitlines(), wanted.splitlines()
    wrong = [f"-{line}" for line in old if line not in new] + [f"+{line}" for line in new if line not in old]
    if old != new:
        print("\n".join(wrong or ["the order of the rows"]), file=sys.stderr)
        print("docs/functions/cuda.txt: '-': as it is; '+': as the library is; see --update", file=sys.stderr)
    return int(old != new)


if __name__ == "__main__":
    sys.exit(main())
