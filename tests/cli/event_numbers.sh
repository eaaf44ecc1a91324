#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An event has the same number in every command: they count from 1 for each device, marks included. A moment is the
# number of the event before it.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

command -v python3 >/dev/null || {
    echo "skipped: no python3" >&2
    exit 77
}

# Event 6 allocates 300 MiB, which is the peak. Before it come a mark and its end, a segment and a block of 40 MiB, and
# its segment. A request for 512 MiB is refused last.
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$SRC/tests/known python3 - "$work" <<'SCRIPT'
import sys
from story import MIB, Story
for name, fails in ('whole', False), ('refused', True), ('retried', True):
    story = Story(device=1)
    story.mark('setup')
    story.alloc(40 * MIB, 'small model.py:3', 'main train.py:5')
    large = story.alloc(300 * MIB, 'large model.py:4', 'main train.py:5')
    if fails:
        story.fail(512 * MIB, 'ask model.py:5', 'main train.py:5', device_free=MIB)
    story.free(large)
    if name == 'retried':
        story.alloc(900 * MIB, 'retry model.py:6', 'main train.py:5')
    story.save(f'{sys.argv[1]}/{name}.pickle')
SCRIPT

for kind in pickle tarn; do
    whole=$work/whole.$kind refused=$work/refused.$kind
    [ $kind = pickle ] || for name in whole refused retried; do
        expect 0 convert "$work/$name.pickle" "$work/$name.tarn"
    done
    expect 0 explain --json --no-replay --device 1 "$whole"
    [ "$(json events)" = 8 ] || fail "$kind: $(json events) events"
    [ "$(json peak_event)" = 6 ] || fail "$kind: the peak is at event $(json peak_event)"
    expect 0 explain --no-replay --device 1 "$whole"
    says out '^[* ] device 1: 8 events, '
    says out '^Device 1 at the peak, after event 6:$'
    says out 'peak 340.0 MiB at event 6 of 8'
    expect 0 explain --no-replay --question 3 --device 1 --at 5 "$whole"
    says out 'of 40.0 MiB live after event 5'
    expect 0 explain --no-replay --question 3 --device 1 --at 6 "$whole"
    says out 'of 340.0 MiB live after event 6'
    expect 2 explain --device 1 --at 9 "$whole"
    says err 'no event 9: device 1 has 8$'
    expect 0 diff --json "$whole" "$whole"
    [ "$(json peak_event)" = 6 ] || fail "$kind: diff has the peak at event $(json peak_event)"
    for at in 5 6; do
        expect 0 convert --device 1 --at $at "$whole" "$work/at.pb.gz"
        expect 0 explain --no-replay --json "$work/at.pb.gz"
        [ "$(json live_bytes)" = $((41943040 + (at - 5) * 314572800)) ] || fail "$kind: $(json live_bytes) bytes after event $at"
    done
    expect 3 replay --device sim:0,devices=2 --pool direct --limit 200M "$whole"
    says err ': event 6: 314,572,800 bytes do not fit\|device 1, event 6: 314,572,800 bytes do not fit'
    expect 0 fit --pool direct "$whole"
    says out 'with less, event 6 fails'
    expect 0 explain --no-replay --question 1 --device 1 "$refused"
    says out '^device 1, event 7 of 9\( (device_traces.1..4.)\)*: 512.0 MiB'
    expect 0 explain --no-replay --json --device 1 "$refused"
    [ "$(json event)" = 7 ] || fail "$kind: the failure is event $(json event)"
    # The requests that fit adds for refused ones have no numbers of their own.
    expect 0 fit --pool direct "$work/retried.$kind"
    says out 'with less, event 11 fails (900.0 MiB'
    expect 0 fit --pool direct --json "$work/retried.$kind"
    [ "$(json refused_event)" = 11 ] || fail "$kind: fit has event $(json refused_event)"
    expect 0 explain --no-replay --json --device 1 "$work/retried.$kind"
    [ "$(json peak_event)" = 11 ] || fail "$kind: the peak is at event $(json peak_event)"
    expect 0 fit --pool direct "$refused"
    says out 'with less, event 7 fails (512.0 MiB'
    expect 0 replay --device sim:0,devices=2 --pool direct --verbose "$refused"
    says out '^ *7 .*out of memory, 536870912 bytes requested'
done

# The lines of a table are positions; events are numbered all the same.
printf 'addr,size\n1,4096\n2,8388608\n' >"$work/table.csv"
columns=--columns=address=addr,size=size
expect 0 explain --json --no-replay $columns "$work/table.csv"
[ "$(json events):$(json peak_event)" = 2:2 ] || fail 'the head counts as an event'
expect 3 replay --json --device sim:0,memory=4M $columns "$work/table.csv"
[ "$(json event):$(json position)" = 2:3 ] || fail "replay: event $(json event), position $(json position)"
says err 'table.csv: device 0, event 2: 8,388,608 bytes do not fit'
expect 0 fit --pool direct $columns "$work/table.csv"
says out 'with less, event 2 fails'
