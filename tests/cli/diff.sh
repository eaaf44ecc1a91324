#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tarn diff` compares peaks, holders at the peaks and phases of two recordings, matched by their names.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

printf 'm 0 load\na 1 0 1000\na 2 1 2000\nm 3 work\na 4 2 500\nf 5 2\n' >"$work/before"
printf 'm 0 load\na 1 0 1000\nm 3 work\na 4 1 500\na 5 2 500\na 6 3 7000\n' >"$work/after"
expect 0 diff "$work/before" "$work/after" --by size --json
is_json
[ "$(grep -c '"peak_live_bytes": 3500,\{0,1\}$' "$work/out")" = 1 ] || fail "not 3,500 bytes before"
[ "$(grep -c '"peak_live_bytes": 9000,\{0,1\}$' "$work/out")" = 1 ] || fail "not 9,000 bytes after"

# row NAME: the four numbers of a row.
row() {
    sed -n "/\"name\": \"$1\"/,/}/s/.*: \([0-9]*\),\{0,1\}\$/\1/p" "$work/out" | tr '\n' ' '
}
[ "$(row 'blocks of 7000 bytes')" = '0 7000 0 1 ' ] || fail "the new block: $(row 'blocks of 7000 bytes')"
[ "$(row 'blocks of 2000 bytes')" = '2000 0 1 0 ' ] || fail "the block that is gone"
[ "$(row 'blocks of 500 bytes')" = '500 1000 1 2 ' ] || fail "the blocks that became more"
[ "$(row load)" = '3000 1000 1 1 ' ] || fail "the peak of the first phase: $(row load)"
[ "$(row work)" = '3500 9000 1 1 ' ] || fail "the peak of the second phase: $(row work)"

expect 0 diff "$work/before" "$work/after" --by size
says out '^  peak of live bytes  *3.42 KiB  *8.79 KiB  *+5.37 KiB$'
says out '^ *+6.84 KiB .* blocks of 7000 bytes  (new)$'
says out '^ *-1.95 KiB .* blocks of 2000 bytes  (gone)$'
expect 0 diff "$work/before" "$work/before"
says out '^  peak of live bytes .* 0 B$'
grep -q 'Held at the peak' "$work/out" && fail "a change where there is none"
expect 0 diff "$work/before" "$work/after" --by size --top 1
says out '2 more that changed less'

# Functions match by name and file, lines by their number too.
if command -v python3 >/dev/null; then
    python3 - "$work" <<'END'
import pickle, sys
def snapshot(name, line, sizes):
    events = [{'action': 'alloc', 'addr': 4096 * (i + 1), 'size': size, 'stream': 0,
               'frames': [{'name': 'attend', 'filename': '/src/model.py', 'line': line}]}
              for i, size in enumerate(sizes)]
    with open(sys.argv[1] + '/' + name, 'wb') as file:
        pickle.dump({'segments': [], 'device_traces': [events]}, file, protocol=4)
snapshot('one.pickle', 31, [1000])
snapshot('two.pickle', 33, [1000, 4000])
END
    expect 0 diff "$work/one.pickle" "$work/two.pickle" --json
    [ "$(row 'attend (model.py)')" = '1000 5000 1 2 ' ] || fail "the function: $(row 'attend (model.py)')"
    expect 0 diff "$work/one.pickle" "$work/two.pickle" --json --by line
    [ "$(row 'attend (model.py:31)')" = '1000 0 1 0 ' ] || fail "the line before"
    [ "$(row 'attend (model.py:33)')" = '0 5000 0 2 ' ] || fail "the line after"
fi

# The limit on the growth of the peak: 1,000 bytes may become 1,010, and no more.
printf 'a 1 0 1000\nf 2 0\n' >"$work/base"
printf 'a 1 0 1000\na 2 1 10\nf 3 0\n' >"$work/grown"
printf 'a 1 0 1000\na 2 1 11\nf 3 0\n' >"$work/over"
expect 0 diff --fail-over 1% "$work/base" "$work/grown"
expect 77 diff --fail-over 1% --by size "$work/base" "$work/over"
says err 'tarn diff: device 0: the peak of live bytes, most at blocks of 11 bytes grew by more than 1%, from 1000 to 1011 bytes'
expect 0 diff --fail-over 1.5% "$work/base" "$work/over"
expect 0 diff --fail-over 0% "$work/over" "$work/base"
expect 0 diff --fail-over 0% "$work/over" "$work/over"
expect 77 diff --fail-over 0% "$work/base" "$work/grown"
expect 77 diff --fail-over 1% --json "$work/base" "$work/over"
is_json
says out '"over": true'
says out '"limit_percent": 1.0'
expect 0 diff --json "$work/base" "$work/over"
grep -q '"over"' "$work/out" && fail "a limit that was not asked for"
# The reserved bytes of a replay on a named pool, and each holder.
printf 'a 1 0 40000000\na 2 1 60000000\n' >"$work/base"
printf 'a 1 0 40000000\na 2 1 40000000\nf 3 0\na 4 2 60000000\n' >"$work/other"
expect 0 diff --by size --fail-over 1% --pool segments "$work/base" "$work/other"
says out '^  reserved under segments  *98.0 MiB  *98.0 MiB  *0 B$'
expect 77 diff --by size --fail-over 1% --pool expandable:time "$work/base" "$work/other" --json="$work/json"
says err 'device 0: the peak of reserved bytes under expandable:time grew by more than 1%, from 100663296 to 150994944 bytes$'
grep -q 'the peak of live bytes' "$work/err" && fail "live bytes did not grow"
[ "$(grep -c '"figure": "peak_reserved_bytes"' "$work/json")" = 1 ] || fail "the excess is not in the JSON"
printf 'a 1 0 10000000\nf 2 0\n' >"$work/base"
printf 'a 1 0 9000000\na 2 1 1000000\n' >"$work/other"
expect 77 diff --by size --fail-over-holder 5% "$work/base" "$work/other"
says err 'device 0: blocks of 1000000 bytes grew by more than 5% of the peak, from 0 to 1000000 bytes$'
expect 77 diff --by size --fail-over-holder 89% "$work/base" "$work/other"
says err 'blocks of 9000000 bytes grew by more than 89% of the peak'
expect 0 diff --by size --fail-over-holder 90% "$work/base" "$work/other"
expect 2 diff --pool elastic "$work/base" "$work/other"
expect 2 diff --fail-over-holder 5 "$work/base" "$work/other"
says err '^tarn diff: --fail-over-holder takes a percentage'

for value in 1 % -1% 1%% x% nan% inf% 2000000% ''; do
    expect 2 diff "--fail-over=$value" "$work/base" "$work/over"
    says err "fail-over takes a percentage from 0% to 1000000%, not \"$value\""
done

expect 2 diff "$work/before"
says err 'expected two recordings'
expect 2 diff "$work/before" "$work/absent"
says err 'absent: cannot open'
expect 2 diff "$work/before" "$work/after" --by colour
expect 2 diff "$work/before" "$work/after" --device 3
says err 'no device has the number of one of the other recording'
