#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ASan and Valgrind see into pools without any other tool, because the library tells them: a program
# that leaves its block, or uses one that it has given back, is stopped at that instruction, a copy
# or a fill that does so at its call; and the same program without the slip runs clean. The library
# itself is compiled with neither.
set -eu
work=$BUILD/tests/install_annotate
rm -rf "$work"
mkdir -p "$work"
unset LD_PRELOAD MSTX_INJECTION_PATH
fail() {
    echo "$*" >&2
    cat "$work/out" >&2
    exit 1
}

# build NAME FLAGS...
build() {
    name=$1
    shift
    "$CC" -std=c11 -g -D_GNU_SOURCE "$@" -I "$SRC/include" "$SRC/tests/install/annotate/pool.c" \
        -o "$work/$name" -L "$BUILD/lib" -ltarn -Wl,-rpath,"$BUILD/lib"
}

# expect NAME KIND SLIP WORDS COMMAND...: the run's status, and what it says.
expect() {
    name=$1 kind=$2 slip=$3 words=$4
    shift 4
    status=0
    "$@" "$work/$name" "$kind" "$slip" >"$work/out" 2>&1 || status=$?
    if [ "$slip" = none ]; then
        [ $status = 0 ] || fail "$name $kind $slip: status $status"
        grep -qx 'done' "$work/out" || fail "$name $kind $slip: no good end"
        return
    fi
    [ $status != 0 ] || fail "$name $kind $slip: not found"
    grep -q "$words" "$work/out" || fail "$name $kind $slip: found as something else than $words"
    grep -Eq "(in slip|: slip \(pool\.c)" "$work/out" || fail "$name $kind $slip: no line of the slip"
}

build asan -fsanitize=address -fno-omit-frame-pointer
for kind in segments expandable fixed; do
    for slip in none overflow freed copy fill; do
        expect asan "$kind" "$slip" 'AddressSanitizer: use-after-poison' env ASAN_OPTIONS=detect_leaks=0
    done
done
expect asan segments overflow '#0 .* in slip' env ASAN_OPTIONS=detect_leaks=0

command -v valgrind >/dev/null || {
    echo "skipped: needs valgrind"
    exit 77
}
build plain
for kind in segments expandable fixed; do
    expect plain "$kind" none '' valgrind -q --error-exitcode=9
done
expect plain segments overflow 'Invalid write of size 1' valgrind -q --error-exitcode=9
expect plain expandable freed "0 bytes inside a block of size 100 free'd" valgrind -q --error-exitcode=9
expect plain fixed copy 'Unaddressable byte' valgrind -q --error-exitcode=9
