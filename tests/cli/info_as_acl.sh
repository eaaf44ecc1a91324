#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn info --as acl shows what a program for AscendCL sees that tarn run starts with the same settings.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_ACL_DEVICE TARN_ACL_GENERATION TARN_ACL_MODE TARN_ACL_PADDING TARN_ACL_STRICT TARN_ACL_POISON \
    TARN_ACL_LOG

expect 0 info --as acl
for word in 'libascendcl.so' 'version 1.17.0, chip Ascend910B' \
    'generation 2, mode EP, 32 bytes of padding' 'memory 4.00 GiB, free 4.00 GiB'; do
    says out "$word"
done
expect 0 info --as acl --device host:0,devices=2,memory=1G --json
is_json
[ "$(json memory_bytes)" = 1073741824 ] || fail "the memory asked for is not shown"
[ "$(json memory_free_bytes)" = 1073741824 ] || fail "memory is taken before a program started"
[ "$(json generation)" = 2 ] || fail "another generation"
[ "$(grep -c '"ordinal"' "$work/out")" = 2 ] || fail "not two devices"
holds "$(json exports) > 60"

# The settings are those of tarn run, from options or the environment.
expect 0 run --as acl --compat 1 -- "$TARN" info --as acl --json
[ "$(json generation)" = 1 ] || fail "--compat did not arrive"
[ "$(json api_version)" = 1.13.0 ] || fail "another version than generation 1 has"
TARN_ACL_MODE=RC
export TARN_ACL_MODE
expect 0 info --as acl --json
[ "$(json mode)" = RC ] || fail "the mode did not arrive"
unset TARN_ACL_MODE
TARN_ACL_PADDING=0
TARN_ACL_LOG=1
export TARN_ACL_PADDING TARN_ACL_LOG
expect 0 info --as acl --json
[ "$(json padding)" = 0 ] || fail "the padding did not arrive"
[ ! -s "$work/err" ] || fail "the questions were logged"
unset TARN_ACL_PADDING TARN_ACL_LOG

# Errors have the face's own text.
expect 1 info --as acl --device host:0,memor=1G --json
is_json
says out 'memor'
expect 2 info --as acl --device hots:0
says err 'hots:0'
