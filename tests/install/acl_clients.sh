#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs for AscendCL find every function in the installed library under each of its names. PyTorch's
# back end opens libascendcl.so and looks up each function by name. Media programs link libacl_dvpp.so and
# libacl_dvpp_mpi.so.
set -eu
work=$BUILD/tests/acl_clients
rm -rf "$work"
mkdir -p "$work"
cmake --install "$BUILD" --prefix "$work/tree" >/dev/null
folder=$(dirname "$(find "$work/tree" -name libascendcl.so)")
tarn=$work/tree/bin/tarn
fail() {
    echo "$*" >&2
    exit 1
}

"$CC" "$SRC/tests/install/acl_clients/resolve.c" -o "$work/resolve" -ldl
sed '/^#/d' "$SRC/tests/compat/acl/symbols.txt" >"$work/names"
[ "$(wc -l <"$work/names")" -ge 60 ] || fail "the list is too short"
for name in libascendcl.so libacl_rt.so libacl_dvpp.so libacl_dvpp_mpi.so; do
    [ -e "$folder/$name" ] || fail "$name is not installed"
    [ "$(realpath "$folder/$name")" = "$(realpath "$folder/libascendcl.so")" ] ||
        fail "$name is a library of its own: programs that link two would have two runtimes"
    "$tarn" run --as acl -- "$work/resolve" "$name" <"$work/names" || fail "$name lacks names"
done
readelf -d "$folder/libascendcl.so" | grep -q 'SONAME.*\[libascendcl\.so\]' || fail "another SONAME"

# A media program links them all by name, and gets one library.
cat >"$work/media.c" <<'END'
#include <acl/acl.h>
#include <stdio.h>
int main(void) {
    uint32_t count = 0;
    return aclrtGetDeviceCount(&count) == 0 && count > 0 ? 0 : 1;
}
END
"$CC" "$work/media.c" -o "$work/media" -I"$work/tree/include/tarn/compat/acl" -L"$folder" -Wl,--no-as-needed \
    -lascendcl -lacl_rt -lacl_dvpp -lacl_dvpp_mpi
"$tarn" run --as acl -- "$work/media" || fail "a program that links every name"

# Each function that docs/functions/ascendcl.txt calls absent refuses, whatever its arguments are.
"$CC" "$SRC/tests/install/acl_clients/refuse.c" -o "$work/refuse" -ldl
awk '/^### / { absent = /^### Absent/ }
    absent && /^\|/ { split($0, cell, "|"); gsub(/`/, "", cell[3]); print cell[3] }' "$SRC/docs/functions/ascendcl.txt" |
    tr ' ' '\n' | grep '^acl' >"$work/absent"
[ "$(wc -l <"$work/absent")" -ge 100 ] || fail "the list of absent functions is too short"
"$tarn" run --as acl -- "$work/refuse" <"$work/absent" || fail "an absent function does not refuse"
