#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Public recordings keep all events, peaks and stacks in a binary trace and in a snapshot, and the snapshots follow the
# rules of PyTorch's viewer.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work and files
. "$SRC/tests/support/recordings.sh"

command -v python3 >/dev/null || {
    echo "skipped: needs python3" >&2
    exit 77
}

# rows FILE: the table of a recording, without the places of its events in the file.
rows() {
    "$TARN" convert --to csv "$1" - | cut -d , -f 1,2,4-
}

# The snapshot is made of the binary trace, so what either loses is missing in it.
mkdir "$work/snapshots"
for file in $files; do
    name=${file##*/}
    snapshot=$work/snapshots/${name%%.*}
    expect 0 convert "$file" "$work/there.tarn"
    expect 0 convert --to snapshot "$work/there.tarn" "$snapshot"
    rows "$file" >"$work/before"
    [ -s "$work/before" ] || misses "$name has no rows"
    rows "$snapshot" | cmp -s "$work/before" - || misses "$name changes as .tarn or as a snapshot"
done
python3 "$SRC/tests/support/snapshot_rules.py" "$work/snapshots"/* >"$work/rules" 2>"$work/err" ||
    misses "$(grep / "$work/rules" | tail -n 1) breaks the rules of the viewer: $(tail -n 1 "$work/err")"

# The figures of the recordings' own README: allocations, frees, failures, peak of live bytes.
for line in '4351237120 sqattn' '18497927040 nca-inference' '14401221632 nca-train' '5876132840 finetune' \
    '22734989312 xl-forward-2048' '54802667524 fullstep-128' '2409045992 bert-eval' '8456473388 three-gpus-oom' \
    '84063351764 three-gpus-oom' '21564645800 three-gpus-oom' '1229753640 train-step-fp32' '11840159744 oom'; do
    awk -v name="/${line#* }" -v peak="${line%% *}" '
        NF == 1 { at = $1 }
        index(at, name) > 0 && $5 == peak { found = 1 }
        END { exit !found }' "$work/rules" || misses "$line is not in the snapshot"
done
finish
