#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tarn layout` places segments like AscendCL's "Secondary Memory Allocation", reports segments that do not
# fit, and finds each rule that another pool breaks.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

# starts WANTED: the starts of the table, in order.
starts() {
    got=$(awk '$1 ~ /^[0-9]+$/ && NF == 6 { printf "%s ", $3 }' "$work/out")
    [ "$got" = "$1 " ] || fail "starts $got, not $1"
}

# --- the worked examples
expect 0 layout --rule acl 1 31 32 33 1000 --pool 1376
starts "0 64 128 192 320"
says out '^total: 1376 bytes; fits into 1376$'
expect 3 layout --rule acl 1 31 32 33 1000 --pool 1375
says err 'segment 5 (1000 bytes) does not fit'
starts "0 64 128 192"
expect 0 layout --rule dvpp 1 31 32 33 1000
starts "0 128 256 384 512"
says out '^total: 1568 bytes$'
expect 0 layout --rule mixed 1 31 32 33 1000 --pool 1568
expect 3 layout --rule mixed 1 31 32 33 1000 --pool 1567
expect 0 layout --rule 950 1 31 32 33 1000 --pool 1280
starts "0 64 128 192 256"
expect 3 layout --rule 950 1 31 32 33 1000 --pool 1279

# --- sizes, an unaligned base, JSON
expect 0 layout 63 64 65 96 97 4096 2097120 2M
[ "$(awk '$1 ~ /^[0-9]+$/ && NF == 6 { printf "%s ", $4 }' "$work/out")" = \
    "96 96 128 128 160 4128 2097152 2097184 " ] || fail "other sizes"
expect 0 layout --base 0x1001 1 1
starts "63 127"
expect 0 layout --json 1 33
is_json
[ "$(json total)" = 160 ] || fail "total $(json total)"

# --- other pools
printf '# a pool that keeps the rule\n0,1\n64,31\n\n 0x80 , 32\n192,33\n320,1000\n' >"$work/good"
expect 0 layout --verify "$work/good" --pool 1376
says out '5 segments under rule acl: 0 broken'
expect 4 layout --verify "$work/good" --pool 1375
says out 'line 7: .* the block ends at 1375'
expect 4 layout --rule dvpp --verify "$work/good"
says out 'line 3: segment 64,31 starts at an address that is not a multiple of 128'

printf '0,100\n64,10\n' >"$work/overlap"
expect 4 layout --verify "$work/overlap"
says out 'line 1: segment 0,100 overlaps the segment of line 2 by 36 bytes'
printf '64,10\n0,64\n' >"$work/slack"
expect 4 layout --verify "$work/slack"
says out 'line 2: segment 0,64 has no room for its padding: its 96 bytes overlap the segment of line 1 by 32'
printf '0,10\n100,10\n' >"$work/start"
expect 4 layout --verify "$work/start"
says out 'line 2: segment 100,10 starts at an address that is not a multiple of 64'
expect 4 layout --base 32 --verify "$work/good"
says out 'line 2: segment 0,1 starts'

# --- invalid input
expect 2 layout
expect 2 layout --rule nothing 1
says err 'rule takes .*, not "nothing"'
expect 2 layout 0
says err 'a segment of 0 bytes'
expect 2 layout 12Q
expect 2 layout 1 --verify "$work/good"
expect 2 layout --pool 0 1
expect 2 layout --base -1 1
expect 2 layout --verify "$work/absent"
says err 'absent: cannot open'
printf '0,1\n5\n' >"$work/noise"
expect 2 layout --verify "$work/noise"
says err 'noise:2: expected START,LENGTH'
printf '0,0\n' >"$work/empty"
expect 2 layout --verify "$work/empty"
says err 'empty:1'
expect 2 layout 18446744073709551615
expect 3 layout --base 0xfffffffffffffff0 1 1
