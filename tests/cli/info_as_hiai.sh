#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn info --as hiai shows what a program for Matrix sees that tarn run starts with the same settings.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_HIAI_DEVICES TARN_HIAI_MODE TARN_HIAI_POOL TARN_HIAI_LOG

expect 0 info --as hiai
for word in 'libhiai_matrix.so' 'version 200' 'hiai device 3'; do
    says out "$word"
done
TARN_HIAI_DEVICES=1
export TARN_HIAI_DEVICES
expect 0 info --as hiai --json
is_json
[ "$(grep -c '"ordinal"' "$work/out")" = 1 ] || fail "not one device"
holds "$(json exports) > 40"

# Errors have the face's own text.
TARN_HIAI_DEVICES=65
expect 1 info --as hiai --json
is_json
says out 'TARN_HIAI_DEVICES'
