#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn conform: the software device gives the recorded answers; a library that differs is shown with exactly
# those differences; crashes, missing functions and missing libraries are answers or errors.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
: "${BUILD:?the folder of the build}"

# The address sanitizer's red zones change what blocks occupy.
red_zones=false
ldd "$TARN" | grep -q libasan && red_zones=true

for recorded in "$SRC"/tests/conform/*.answers; do
    api=$(basename "$recorded" .answers)
    got=0
    "$TARN" conform --as "$api" --against "$recorded" >"$work/out" 2>"$work/err" || got=$?
    if [ "$got" = 77 ] && $red_zones &&
        ! sed -n 's/^\([a-z][^ ]*\) (.*/\1/p' "$work/out" | grep -qvE '^(memory\.small_blocks_|pool\.)'; then
        got=0
    fi
    [ "$got" = 0 ] || fail "tarn conform --as $api: exit $got; answers differ from $recorded"
    "$TARN" conform --as "$api" --list | cut -d' ' -f1 >"$work/asked"
    sed -n 's/^\([^ :#]*\): .*/\1/p' "$recorded" | cmp -s - "$work/asked" ||
        fail "$recorded has other questions than the command"
    case $api in hip) least=400 ;; *) least=250 ;; esac
    [ "$(wc -l <"$work/asked")" -ge $least ] || fail "only $(wc -l <"$work/asked") questions for $api"
done

# Two devices, and other releases: exactly the answers of settings.txt differ from those above.
if ! $red_zones; then
    grep -v '^#' "$SRC/tests/conform/settings.txt" | cut -d' ' -f1,2 | sort -u >"$work/settings"
    [ "$(wc -l <"$work/settings")" = 4 ] || fail "settings.txt has not four settings"
    while read -r api option; do
        "$TARN" conform --as "$api" "$option" --answers "$work/answers" >"$work/out" 2>"$work/err" ||
            fail "exit $? of tarn conform --as $api $option"
        grep -v '^#' "$work/answers" | grep -vxFf "$SRC/tests/conform/$api.answers" | sed "s|^|$api $option |" >"$work/differences"
        grep "^$api $option " "$SRC/tests/conform/settings.txt" | diff - "$work/differences" >&2 ||
            fail "other answers of $api with $option"
    done <"$work/settings"
    grep -q 'devices=2,.*skipped="needs two devices"' "$SRC/tests/conform/settings.txt" && fail "a question is skipped with two devices"
fi

# The answers of devices: exactly the recorded questions differ.
for device in "$SRC"/docs/confirmed/*.answers; do
    name=$(basename "$device" .answers)
    api=${name%%-*}
    "$TARN" conform --as "$api" --against "$device" >"$work/out" 2>"$work/err" || [ $? = 77 ] || fail "exit of tarn conform --against $device"
    sed -n 's/^\([a-z][^ ]*\) (.*/\1/p' "$work/out" >"$work/differences"
    $red_zones || grep -v '^#' "$SRC/tests/conform/$name.txt" | diff - "$work/differences" >&2 || fail "other differences from $device"
done

# An answer that differs is found, and each form of the output has it.
sed 's/^event.never_recorded: .*/event.never_recorded: cuEventQuery=600/' "$SRC/tests/conform/cuda.answers" >"$work/other"
expect 77 conform --as cuda --only 'event.*' --against "$work/other" --json="$work/json" --page "$work/page"
says out '^event\.never_recorded (cuEventQuery'
says out '^  recorded cuEventQuery=600$'
says out ' agree, 1 differ, '
grep -q '<tr class=differs><td>event\.never_recorded<td>' "$work/page" || fail "the page lacks the difference"
[ "$(grep -c '<tr class=differs>' "$work/page")" = 1 ] || fail "the page has other differences"
cp "$work/json" "$work/out"
is_json
[ "$(json differ)" = 1 ] || fail "the JSON has $(json differ) differences"

# The same face as a vendor's library: no difference, and its answers can be recorded.
libraries=$BUILD/lib/tarn/cuda/libcuda.so.1:$BUILD/lib/tarn/cuda/libcudart.so.13
export TARN_CUDA_DEVICE=host:0,devices=1,memory=16G
expect 0 conform --native cuda --library "$libraries" --only 'vmm.*' --answers "$work/answers"
says out '; 0 name a function that the native library lacks$'
grep -q '^vmm\.granularities: cuMemGetAllocationGranularity=0 bytes=2097152 ' "$work/answers" || fail "no answers"

# Without the runtime, its questions name a missing function, and the driver's are as before.
expect 77 conform --native cuda --library "${libraries%%:*}" --only 'memory.*_of_zero*' --against "$SRC/tests/conform/cuda.answers"
says out '^  native   cudaMalloc=absent$'
grep -q '^memory\.alloc_of_zero ' "$work/out" && fail "a function of the driver differs"

# The stand-ins of vendors' libraries: the same answers, and the differences that their settings make, and no others.
# differs API LIBRARY SETTING: exactly the questions in standins.txt differ.
differs() {
    got=0
    env "$3" "$TARN" conform --native "$1" --library "$2" >"$work/out" 2>"$work/err" || got=$?
    [ "$got" = 77 ] || fail "exit $got of tarn conform --native $1 with $3"
    sed -n "s/^\([a-z][^ ]*\) (.*/$1 \1/p" "$work/out" >"$work/differences"
    grep "^$1 " "$SRC/tests/conform/standins.txt" | diff - "$work/differences" >&2 || fail "other differences of $1 with $3"
}
standins=$BUILD/tests/standin
export TARN_HIP_DEVICE=$TARN_CUDA_DEVICE TARN_ACL_DEVICE=$TARN_CUDA_DEVICE
if ! $red_zones && [ -e "$standins/hip/libamdhip64.so.6" ] && [ -e "$standins/acl/libascendcl.so" ] && [ -e "$standins/cuda/libcuda.so.1" ]; then
    expect 0 conform --native hip --library "$standins/hip/libamdhip64.so.6"
    expect 0 conform --native acl --library "$standins/acl/libascendcl.so"
    differs hip "$standins/hip/libamdhip64.so.6" TARN_HIP_COMPAT=7
    differs acl "$standins/acl/libascendcl.so" TARN_ACL_PADDING=0
    # This driver stops the process at a NULL, and has few functions.
    expect 77 conform --native cuda --library "$standins/cuda/libcuda.so.1" --only 'init.*'
    says out '^  native   cuDriverGetVersion=0 known=1 cuDriverGetVersion="signal 11"$'
    says out '^  native   cuDeviceGetCount=3 cuDeviceGet=3 .*=absent$'
fi

# No device, no library.
TARN_CUDA_DEVICE=none expect 1 conform --native cuda --library "$libraries"
says err '^tarn conform: .*libcuda\.so\.1 has no device that works (.*cuInit=100'
expect 1 conform --native cuda --library "$work/libnone.so.1"
says err '^tarn conform: .*libnone\.so\.1 has no device that works (dlopen='
expect 2 conform --native nonsense
expect 2 conform

# A pattern that matches no question is wrong.
expect 2 conform --as hip --only 'memroy.*'
says err '^tarn conform: --only=memroy\.\* matches no question; --list shows their names$'
