#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A kernel that is compiled with ASan leaves its block, in memory of each kind. The report names the line of the kernel, the
# block, the calls that allocated and freed it, and the thread of the kernel. SRC and TARN are set,
# and TARN_CXX is g++ or clang++.
set -eu
: "${SRC:?}" "${TARN:?}" "${TARN_CXX:?}"
command -v "$TARN_CXX" >/dev/null || { echo "skipped: needs ${TARN_CXX%++}"; exit 77; }
source=$SRC/tests/check/device_blocks.hip
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TARN_CHECK_OPTIONS TARN_DEVICE
export ASAN_OPTIONS=detect_leaks=0
failures=0

# line MARK: the number of the line that ends with the mark.
line() {
    sed -n "\|// $1\$|=" "$source"
}

expect() { # PATTERN
    grep -q -e "$1" "$work/log" || printf 'no line matches: %s\n' "$1" >>"$work/missing"
}

# check KIND FAULT COUNT PLACE [MARK FUNCTION [MARK FUNCTION]]: PLACE is what the report says about the block. The block was
# allocated by FUNCTION in the line of MARK, and freed likewise. Without PLACE nothing is wrong.
check() {
    : >"$work/missing"
    status=0
    timeout 900 "$work/program" "$1" "$2" "$3" >"$work/log" 2>&1 || status=$?
    if [ -z "$4" ]; then
        [ $status = 0 ] && [ ! -s "$work/log" ] || echo "exit $status" >>"$work/missing"
    else
        expect 'ERROR: AddressSanitizer: \(use-after-poison\|SEGV\)'
        expect "#0 .*touch(int\*, long).*device_blocks.hip:$(line 'the access')"
        expect "^tarn: 0x[0-9a-f]* is $4 block of $(($3 * 4)) bytes at 0x"
        expect '^tarn: the thread runs kernel touch, block (1, 0, 0), thread (3, 0, 0)'
        [ $# -lt 6 ] || expect "^tarn: $6 allocated the block:"
        [ $# -lt 6 ] || expect "device_blocks.hip:$(line "$5")"
        [ $# -lt 8 ] || expect "^tarn: $8 freed the block:"
        [ $# -lt 8 ] || expect "device_blocks.hip:$(line "$7")"
    fi
    [ -s "$work/missing" ] || return 0
    echo "--- $TARN_CXX $1 $2 $3"
    cat "$work/missing" "$work/log"
    failures=$((failures + 1))
}

# One compiler inlines functions that the other one does not.
[ "$TARN_CXX" = g++ ] && level=-O1 || level=-O0
"$TARN" hipcc "$level" -g -fsanitize=address "$source" -o "$work/program"
# A module with variables: nothing is wrong.
programs=$SRC/tests/compat/hip/programs
"$TARN" hipcc "$level" -g -fsanitize=address "$programs/module_launch.hip" -o "$work/module_launch"
"$TARN" hipcc --genco "$level" -g -fsanitize=address "$programs/modules/vector.hip" -o "$work/vector.co"
MODULES=$work "$work/module_launch" || failures=$((failures + 1))
for kind in plain rows ordered pooled pinned managed graph mapped; do
    check $kind inside 1024 ''
done
check plain next 100 '0 bytes behind the' plain hipMalloc
check plain next 1024 '0 bytes behind the' plain hipMalloc
check plain far 1024 '200 bytes behind the' plain hipMalloc
check plain before 1024 '4 bytes before the' plain hipMalloc
check plain freed 1024 '4092 bytes inside the freed' plain hipMalloc plain-end hipFree
check rows next 1024 '0 bytes behind the' rows hipMallocPitch
check ordered next 100 '0 bytes behind the' ordered hipMallocAsync
check ordered next 1024 '0 bytes behind the' ordered hipMallocAsync
check ordered before 1024 '4 bytes before the' ordered hipMallocAsync
check ordered freed 1024 '4092 bytes inside the freed' ordered hipMallocAsync ordered-end hipFreeAsync
check ordered used 1024 '4092 bytes inside the freed' ordered hipMallocAsync ordered-end hipFreeAsync
check pooled next 1024 '0 bytes behind the' pooled hipMallocFromPoolAsync
check pinned next 100 '0 bytes behind the' pinned hipHostMalloc
check pinned next 1024 '0 bytes behind the' pinned hipHostMalloc
check pinned freed 1024 '4092 bytes inside the freed' pinned hipHostMalloc plain-end hipFree
check managed next 100 '0 bytes behind the' managed hipMallocManaged
check managed before 1024 '4 bytes before the' managed hipMallocManaged
check graph next 100 '0 bytes behind the' graph 'graph node 0 (memory allocation)'
check graph freed 1024 '4092 bytes inside the freed' graph 'graph node 0 (memory allocation)' ordered-end hipFreeAsync
check graph used 1024 '4092 bytes inside the freed' graph 'graph node 0 (memory allocation)' ordered-end hipFreeAsync
check mapped next 1024 '0 bytes behind the' mapped hipMemMap
check mapped freed 1024 '4092 bytes inside the freed' mapped hipMemMap mapped-end hipMemUnmap
[ $failures = 0 ]
