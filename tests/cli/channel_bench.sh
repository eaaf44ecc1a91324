#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn channel bench streams between two processes, loses nothing, copies nothing, and explains itself.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

expect 0 channel bench --sizes 64K,1080p --time 50 --verify
says out 'messages/s'
says out '^ *65536 '
says out '^ *3110400 '

expect 0 channel bench --sizes 100 --rate 1000 --time 50 --depth 1 --ports 16 --verify --json
is_json
[ "$(json bytes)" = 100 ] || fail "not the size that was asked for"
holds "$(json messages) == 50 && $(json lost) == 0 && $(json copies) == 0"

# 16 streams of 25 frames a second.
expect 0 channel bench --sizes 1080p --ports 16 --rate 400 --depth 32 --time 200 --json
holds "$(json messages) == 80 && $(json lost) == 0 && $(json copies) == 0"

expect 2 channel bench --sizes 63
says err '63'
expect 2 channel bench --sizes 257M
expect 2 channel bench --depth 0
says err 'depth'
expect 2 channel bench surplus
says err 'surplus'
expect 0 channel bench --help
for word in --sizes --rate --depth --ports --verify --json 'exit status'; do
    grep -qi -e "$word" "$work/out" || fail "the help does not mention $word"
done
expect 2 channel
expect 2 channel frobnicate
says err 'frobnicate'
