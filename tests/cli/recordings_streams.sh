#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that uses one stream gets what a program without streams gets: the same memory, the same device calls.
# shellcheck disable=SC1091,SC2016,SC2154 # sourced; it sets work; the conditions are for awk
. "$SRC/tests/support/recordings.sh"

# This one uses more than one stream.
many_streams='^gpu-generate-10-streams( |$)'
for pool in fixed segments expandable:time expandable:balanced expandable:memory; do
    replay_all with --pool "$pool"
    replay_all without --pool "$pool" --streams ignore
    for rows in with without; do
        cat "$work/$rows" "$work/$rows.failed" | grep -Ev "$many_streams" >"$work/$rows.one"
    done
    cmp -s "$work/with.one" "$work/without.one" ||
        misses "$pool: one stream differs from none: $(cat "$work/with.one" "$work/without.one" | sort | uniq -u | cut -d ' ' -f 1 | uniq | tr '\n' ' ')"
done
finish
