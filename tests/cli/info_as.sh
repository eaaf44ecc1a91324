#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn info --as shows what a program sees that tarn run starts with the same settings.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_HIP_DEVICE TARN_HIP_COMPAT TARN_HIP_SPARSE TARN_HIP_LOG HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES

expect 0 info --as hip
for word in 'libamdhip64.so.6' 'runtime version 603' 'release 6' 'libamdhip64.so.7' 'runtime version 702' \
    'release 7' 'granularity 4.00 KiB, recommended 2.00 MiB' \
    'virtual memory management: yes' 'sparse arrays: no'; do
    says out "$word"
done
expect 0 info --as hip --device host:0,devices=1,memory=1G --json
is_json
[ "$(json memory_bytes)" = 1073741824 ] || fail "the memory asked for is not shown"
[ "$(json granularity_minimum)" = 4096 ] || fail "another granularity"
[ "$(json compat)" = 6 ] || fail "another release than that of the library's name"
[ "$(json runtime_version)" = 60342134 ] || fail "another version than that of the release"
[ "$(json sparse_arrays)" = false ] || fail "sparse arrays that nobody asked for"
[ "$(grep -c '"ordinal"' "$work/out")" = 1 ] || fail "not one device"
holds "$(json exports) > 14"

# The settings are those of tarn run, from options or the environment.
expect 0 run --as hip --compat 7 --sparse --device host:0,devices=3 -- "$TARN" info --as hip --json
[ "$(json compat)" = 7 ] || fail "--compat did not arrive"
[ "$(json runtime_version)" = 70226015 ] || fail "the version is not that of the level"
[ "$(json sparse_arrays)" = true ] || fail "--sparse did not arrive"
[ "$(grep -c '"ordinal"' "$work/out")" = 3 ] || fail "--device did not arrive"
run_output=$(cat "$work/out")
expect 0 info --as hip --compat 7 --device host:0,devices=3 --json
[ "$(grep -v sparse "$work/out")" = "$(printf '%s\n' "$run_output" | grep -v sparse)" ] ||
    fail "--compat of info is not that of run"
expect 2 info --as hip --compat 5
says err '5 is not a level of hip'
expect 2 info --compat 7
says err 'as names one'
TARN_HIP_LOG=1
export TARN_HIP_LOG
expect 0 info --as hip
[ ! -s "$work/err" ] || fail "the questions were logged"

# Errors have the face's own text.
expect 1 info --as hip --device none
says err 'hipErrorNoDevice'
expect 1 info --as hip --device host:0,memor=1G --json
is_json
says out 'memor'
expect 2 info --as hip --device hots:0
says err 'hots:0'
expect 2 info --as hap
says err 'as takes hip|cuda|acl|hiai, not "hap"'
mkdir -p "$work/bin" "$work/lib/tarn/hip"
cp "$TARN" "$work/bin/tarn"
TARN=$work/bin/tarn
expect 1 info --as hip
says err 'does not exist'
: >"$work/lib/tarn/hip/libamdhip64.so.6"
expect 1 info --as hip
says err 'dlopen'
