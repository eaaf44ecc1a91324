#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The table of capabilities in docs/backends.md matches `tarn info`: for the software devices, and for each
# vendor's back-end over the library that stands in for the vendor's.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

# cells COLUMN: prints "feature cell" for each row of the table; its head names the columns.
cells() {
    awk -F'|' -v column="\`$1\`" '
        /^\| capability \|/ { for (i = 2; i < NF; i++) { name = $i; gsub(/ /, "", name); if (name == column) at = i }; inside = 1; next }
        inside && !/^\|/ { exit }
        inside && !/^\|---/ && at { feature = $2; cell = $at; gsub(/ /, "", feature); gsub(/^ +| +$/, "", cell); print feature, cell }' \
        "$SRC/docs/backends.md" | sort
}
# found YES DEVICE: prints the same for a device; YES stands for a supported feature.
found() {
    "$TARN" info --json --device "$2" >"$work/info" || fail "no $2"
    awk '/"features"/ { inside = 1; next } inside && /\]/ { exit } inside { gsub(/[ ",]/, ""); print }' \
        "$work/info" | sort >"$work/can"
    "$TARN" info | sed -n '/^features:/,$p' | awk 'NR > 1 { print $1 }' | sort >"$work/all"
    if [ ! -s "$work/can" ] || [ ! -s "$work/all" ]; then fail "tarn info has no features of $2"; fi
    while read -r feature; do
        if grep -qx "$feature" "$work/can"; then echo "$feature $1"; else echo "$feature -"; fi
    done <"$work/all"
}
# compare COLUMN YES DEVICE
compare() {
    cells "$1" >"$work/documented"
    found "$2" "$3" >"$work/found"
    diff -u "$work/documented" "$work/found" >"$work/diff" ||
        fail "docs/backends.md, column $1 ('-' is what it says, '+' what is): $(cat "$work/diff")"
}

compare host yes host:0
compare sim yes sim:0
standin=$BUILD/tests/standin/cuda/libcuda.so.1
if [ -e "$standin" ]; then
    export TARN_CUDA_LIBRARY="$standin"
    compare cuda stand-in cuda:0
fi
face=$BUILD/lib/tarn/hip/libamdhip64.so.6
if [ -e "$face" ]; then
    export TARN_HIP_LIBRARY="$face" TARN_HIP_DEVICE=host:0
    compare hip stand-in hip:0
fi
face=$BUILD/lib/tarn/acl/libascendcl.so
if [ -e "$face" ] && "$TARN" info | grep -q '^  ascend '; then
    export TARN_ASCEND_LIBRARY="$face"
    compare ascend stand-in ascend:0
fi
