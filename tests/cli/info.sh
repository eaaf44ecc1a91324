#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn info shows back-ends, devices and the source of each setting. The command has a help text.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

expect 0 info
says out 'host:0'
says out 'sim:0'
says out 'granularity'
expect 0 info --json
is_json
says out '"backends"'
expect 0 info --device host:0,memory=1G --json
is_json
[ "$(json memory_bytes)" = 1073741824 ] || fail "the memory asked for is not shown"
says out '"source": "uri"'
# Without virtual memory, an expandable pool uses segments, and the report gives the reason.
expect 0 info --device sim:0,vmm=on
says out 'expandable pools: yes'
expect 0 info --device sim:0,vmm=off
says out 'segments instead: simulated device 0 has no virtual memory management'
expect 0 info --device sim:0,vmm=broken
says out 'segments instead: simulated device 0 cannot map a page: NATIVE'
expect 0 info --device sim:0,vmm=off --json
is_json
says out '"kind": "segments"'
expect 1 replay --device sim:0,vmm=off --pool expandable "$SRC"/traces/serve.trace.gz
says err 'no virtual memory management'
expect 2 info --device nowhere:0
says err 'nowhere'
expect 2 info --device nowhere:0 --json
is_json
says out '"error"'

expect 0 --version
says out '^tarn [0-9]*\.[0-9]*\.[0-9]*\(-dev\)\{0,1\}$'
expect 0 --help
says out 'replay'
expect 0 replay --help
for word in --device --pool --rule --scale --touch --repeat --limit --json --compare 'exit' \
    expandable dvpp; do
    grep -qi -e "$word" "$work/out" || fail "the help does not mention $word"
done
expect 2 frobnicate
says err 'no command is called "frobnicate"'
expect 2
