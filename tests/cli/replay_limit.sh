#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A workload that does not fit ends with exit status 3 and names the event that failed.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

big="--device sim:0,memory=80G --scale 16"
for trace in gpt-train serve; do
    file=$SRC/traces/$trace.trace.gz
    # shellcheck disable=SC2086 # a list of words
    expect 0 replay "$file" $big --json
    limit=$(($(json peak_live_bytes) - 1))
    for pool in direct fixed segments expandable:time expandable:balanced expandable:memory expandable:planned; do
        # shellcheck disable=SC2086
        expect 3 replay "$file" $big --pool $pool --limit $limit
        says err "$trace.trace.gz:[0-9]*: event [0-9]*: [0-9,]* bytes do not fit: live [0-9,]*, free [0-9,]*, largest free block [0-9,]* (.*)"
    done
    # shellcheck disable=SC2086
    expect 3 replay "$file" $big --limit $limit --json
    is_json
    says out '"error"'
    holds "$(json event) > 0 && $(json asked_bytes) > 0 && $(json live_bytes) <= $limit"
    [ "$(json exit_code)" = 3 ] || fail "the error does not name its exit code"
    holds "$(json largest_free_bytes) <= $(json free_bytes) && $(json free_bytes) <= $limit - $(json live_bytes)"
    grep -q '"cause": "[a-z ]*"' "$work/out" || fail "the error names no cause"
done

printf 'a 1 0 1000\na 2 1 1000\nf 3 0\n' >"$work/small"
expect 3 replay "$work/small" --device sim:0,granularity=4K --pool direct --limit 4096
says err 'small:2: event 2: 1,000 bytes do not fit: live 1,000, free 0, largest free block 0'
expect 0 replay "$work/small" --device sim:0,granularity=4K --pool direct --limit 8192

# A failure of one kind of pool does not hide the others.
expect 3 replay "$work/small" --device sim:0,granularity=4K --compare --limit 4096 --json
is_json
[ "$(grep -c '"pool"' "$work/out")" = 7 ] || fail "not seven runs"
