#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The rooms below state at least 15 invariants in a thousand lines of code: calls of TARN_ASSERT. Prints the
# numbers of each.
set -eu
least=15
rooms='src/algo src/core src/backend/host src/channel'

# count ROOT ROOM: "ROOM LINES ASSERTS". A line of code is neither empty nor a comment.
count() {
    (
        cd "$1"
        find "$2" -name '*.[ch]' -exec cat {} + | awk -v room="$2" '
            /^[ \t]*(\/\/.*)?$/ { next }
            { lines++ }
            /TARN_ASSERT\(/ { asserts++ }
            END { print room, lines + 0, asserts + 0 }'
    )
}

# sparse: reads lines of count() and prints those with too few.
sparse() { awk -v least=$least '$3 * 1000 < least * $2 { print $1 " has " $3 " asserts in " $2 " lines of code" }'; }

counts=$(for room in $rooms; do count "$SRC" "$room"; done)
printf '%s\n' "$counts" | awk '{ printf "%-18s %5d lines %4d asserts %5.1f in a thousand\n", $1, $2, $3, $3 * 1000 / $2 }'
found=$(printf '%s\n' "$counts" | sparse)
if [ -n "$found" ]; then
    printf '%s, fewer than %s in a thousand\n' "$found" $least >&2
    exit 1
fi

# --- the check itself is checked -------------------------------------------------------------------------
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
missed=0
mkdir -p "$copy/src/core"
# try LINES ASSERTS: so many must be counted in src/core.
try() {
    [ "$(count "$copy" src/core)" = "src/core $1 $2" ] || {
        echo "expected $2 asserts in $1 lines" >&2
        missed=1
    }
}
printf '// TARN_ASSERT(a) is no code.\n\nint a;\n    // a comment\n' >"$copy/src/core/a.h"
try 1 0
printf 'void f(void) {\n    TARN_ASSERT(a != 0); // a reason\n}\n' >"$copy/src/core/a.c"
try 4 1
[ "$(printf 'src/a 1000 15\nsrc/b 1000 14\n' | sparse | cut -d' ' -f1)" = src/b ] || missed=1
exit $missed
