#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# explain, diff, view and convert name the same holders: the program's own lines. Two holders never have one
# name. --all-frames names the innermost calls.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"

windows='C:\Users\me\venv\Lib\site-packages\torch\functional.py:407 einsum;C:\Users\me\train.py:12 main'
layer='/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py:125 forward;/data/a/model.py:8 forward;/data/train.py:3 main'
twin='/data/b/model.py:8 forward;/data/train.py:3 main'
compiled='/tmp/torchinductor_me/qg/cqgx.py:99 call;/data/train.py:30 step'
other='/data/b/model.py:8 forward;/data/train.py:4 main'
{
    printf '%s\n' 'action,address,size,stack'
    printf '%s\n' "alloc,0x1000,5500,$windows"
    printf '%s\n' "alloc,0x10000,5000,$layer"
    printf '%s\n' "alloc,0x20000,4000,$twin"
    printf '%s\n' "alloc,0x30000,3000,$compiled"
    printf '%s\n' "alloc,0x40000,2000,$other"
} >"$work/table.csv"
columns=action=action,address=address,size=size,stack=stack

explained() {
    expect 0 explain --columns $columns --json --no-replay "$@" "$work/table.csv"
}

# holder NUMBER NAME: the name of a holder in a list of $work/names.
holder() {
    [ "$(sed -n "$1p" "$work/names")" = "$2" ] || fail "holder $1 is $(sed -n "$1p" "$work/names"), not $2"
}

# names KEY: the names of the holders by KEY, the largest first, to $work/names.
names() {
    sed -n "/\"$1\": {/,/^ *],/s/^ *\"name\": \"\(.*\)\",*\$/\1/p" "$work/out" >"$work/names"
}

explained
names by_function
holder 1 'forward (b/model.py:8)'
holder 2 'main (train.py:12)'
holder 3 'forward (a/model.py:8)'
holder 4 'step (train.py:30)'
names by_line
holder 1 'forward (b/model.py:8)'
names by_stack
[ "$(wc -l <"$work/names")" = 5 ] || fail 'not five stacks'
[ "$(sort -u "$work/names" | wc -l)" = 5 ] || fail 'two stacks have one name'
sed -n 3p "$work/names" | grep -q '^forward (b/model.py:8) < main (train.py:3) \[stack' || fail "$(cat "$work/names")"
explained --all-frames
names by_function
holder 2 'einsum (functional.py:407)'
holder 3 'forward (linear.py:125)'
expect 0 explain --columns $columns --question 5 --no-replay --at 3 --all-frames "$work/table.csv"
expect 0 explain --columns $columns --question 3 --no-replay "$work/table.csv"
says out 'forward (b/model.py:8), 2 blocks; then .* main (train.py:12)'

# The other side has one file of the name only, and the same holders.
grep -v -F -e "$layer" "$work/table.csv" >"$work/less.csv"
expect 0 diff --columns $columns "$work/table.csv" "$work/less.csv"
says out 'forward (a/model.py)  (gone)'
if grep -q 'forward (b/model.py)\|forward (model.py)' "$work/out"; then
    fail 'a holder of both sides has two names'
fi
expect 0 diff --columns $columns --all-frames "$work/table.csv" "$work/less.csv"
says out 'forward (linear.py)  (gone)'

expect 0 view --columns $columns --svg -o "$work/page.svg" "$work/table.csv"
grep -q 'forward (b/model.py)' "$work/page.svg" || fail 'the picture names other holders'
expect 0 view --columns $columns --svg --all-frames -o "$work/page.svg" "$work/table.csv"
grep -q 'einsum (functional.py)' "$work/page.svg" || fail 'the picture does not name the innermost calls'

expect 0 convert --columns $columns --to csv "$work/table.csv" -
says out ',"main (C:\\Users\\me\\train.py:12)"'
says out ',"forward (/data/a/model.py:8)"'
expect 0 convert --columns $columns --to chrome "$work/table.csv" -
says out '"owner":"/data/train.py:30:step"'
expect 0 convert --columns $columns --at end "$work/table.csv" "$work/end.pb"
expect 0 convert --to csv "$work/end.pb" -
says out '"forward (/data/a/model.py:8); main (/data/train.py:3)"'
expect 0 convert --columns $columns --at end --all-frames "$work/table.csv" "$work/end.pb"
expect 0 convert --to csv "$work/end.pb" -
says out 'linear.py:125); forward (/data/a/model.py:8)'
