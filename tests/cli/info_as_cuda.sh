#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn info --as cuda shows what a program for CUDA sees that tarn run starts with the same settings.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CUDA_DEVICE TARN_CUDA_COMPAT TARN_CUDA_LOG CUDA_VISIBLE_DEVICES

expect 0 info --as cuda
for word in 'libcuda.so.1' 'libcudart.so.13' '422 functions, runtime version 13000, driver version 13000' \
    'libcudart.so.12' 'runtime version 12090' 'libnvidia-ml.so.1' 'cuda device 0' \
    'granularity 2.00 MiB, recommended 2.00 MiB' 'virtual memory management: yes'; do
    says out "$word"
done
expect 0 info --as cuda --device host:0,devices=3,memory=1G --json
is_json
[ "$(json memory_bytes)" = 1073741824 ] || fail "the memory asked for is not shown"
[ "$(json granularity_minimum)" = 2097152 ] || fail "another granularity"
[ "$(json driver_version)" = 13000 ] || fail "another version of the driver"
[ "$(grep -c '"ordinal"' "$work/out")" = 3 ] || fail "not three devices"
[ "$(grep -c '"exports"' "$work/out")" = 4 ] || fail "not four libraries"
holds "$(json exports) > 600"

# The settings are those of tarn run, from options or the environment.
expect 0 run --as cuda --device host:0,devices=1,memory=1G -- "$TARN" info --as cuda --json
[ "$(grep -c '"ordinal"' "$work/out")" = 1 ] || fail "--device did not arrive"
CUDA_VISIBLE_DEVICES=1,0,2
export CUDA_VISIBLE_DEVICES
expect 0 info --as cuda --device host:0,devices=2,memory=1G --json
[ "$(grep -c '"ordinal"' "$work/out")" = 2 ] || fail "the visible devices did not arrive"
unset CUDA_VISIBLE_DEVICES
expect 0 info --as cuda --compat 12 --json
[ "$(json driver_version)" = 12090 ] || fail "--compat did not arrive"
expect 2 info --as cuda --compat 1
says err '1 is not a level of cuda'
TARN_CUDA_LOG=1
export TARN_CUDA_LOG
expect 0 info --as cuda
[ ! -s "$work/err" ] || fail "the questions were logged"

# Errors have CUDA's own text.
expect 1 info --as cuda --device none
says err 'CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected'
expect 2 info --as cuda --device hots:0
says err 'hots:0'
