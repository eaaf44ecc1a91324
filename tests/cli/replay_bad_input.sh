#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Invalid input ends with exit status 2, and the error names the file and the position.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

sim="--device sim:0,memory=80G"

# refused NAME PATTERN: the file $work/NAME is refused, as text and as JSON.
refused() {
    # shellcheck disable=SC2086 # a list of words
    expect 2 replay "$work/$1" $sim
    says err "$1:$2"
    [ ! -s "$work/out" ] || fail "a table in spite of bad input"
    # shellcheck disable=SC2086
    expect 2 replay "$work/$1" $sim --json
    is_json
    says out '"error"'
    says out "$1:$2"
}

half=$(($(wc -c <"$SRC/traces/cnn-train.trace.gz") / 2))
head -c "$half" "$SRC/traces/cnn-train.trace.gz" >"$work/cut.gz"
refused cut.gz " compressed byte $half: the gzip stream is truncated"

{ head -c "$half" "$SRC/traces/cnn-train.trace.gz"; printf 'rubbish in the middle'; } >"$work/bent.gz"
refused bent.gz '.*[0-9]: '

printf 'once upon a time\nthere was a file\n' >"$work/noise"
refused noise ' not a recording of a known format; it looks like a text or a table of another program'
printf '{"a": 1}' >"$work/object"
refused object ' not a recording of a known format; it looks like JSON without the keys of a known recording'
printf 'PK\003\004' >"$work/zip"
refused zip ' not a recording of a known format; it looks like a zip archive'
head -c 3000 "$SRC/traces/cnn-train.trace.gz" | tail -c 2000 >"$work/binary"
refused binary ' not a recording of a known format; it looks like binary data'
: >"$work/empty"
refused empty '1: the file is empty'

# __import__("os").system, by protocol 2 and by protocol 4, and a snapshot with a complex number inside.
printf '\200\002cposix\nsystem\nq\000.' >"$work/global.pickle"
refused global.pickle ' byte 2: pickle opcode GLOBAL is refused'
printf '\200\004\214\005posix\224\214\006system\224\223\224.' >"$work/stack.pickle"
refused stack.pickle ' byte 19: pickle opcode STACK_GLOBAL is refused'
gzip -c <"$work/global.pickle" >"$work/packed"
refused packed ' byte 2: pickle opcode GLOBAL is refused'
printf '\200\004}.' >"$work/other.pickle"
refused other.pickle ' the snapshot: no list named'

printf 'a 1 0 100\nf 2 1\na 3 1 100\n' >"$work/early"
refused early '2: id 1 is freed before it is allocated'
printf 'a 1 0 100\nf 2 0\nf 3 0\n' >"$work/twice"
refused twice '3: id 0 is freed twice'
printf 'a 1 0 100\na 2 1 18446744073709551616\n' >"$work/overflow"
refused overflow '2: expected'
printf 'a 1 0 9223372036854775807\n' >"$work/product"
# shellcheck disable=SC2086
expect 2 replay "$work/product" $sim --scale 16
says err 'the live bytes after 1 events, times 16, exceed 64 bits'

# shellcheck disable=SC2086
expect 2 replay "$work/absent" $sim
says err 'absent: cannot open: No such file'
expect 2 replay
expect 2 replay "$work/early" --pool nothing
expect 2 replay "$work/early" --rule nothing
expect 2 replay "$work/early" --limit 12Q
expect 2 replay "$work/early" --scale 0
expect 2 replay "$work/early" --device nothing:0
expect 2 replay "$work/early" --device sim:0,memory=nothing
