#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tarn explain` says of public recordings what a reader of their events found by hand. They are not part of the
# repository: without them the test is skipped.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

folder=$(snapshots)/public
[ -f "$folder/three-gpus-oom.pickle.gz" ] || {
    echo "skipped: no public recordings (TARN_SNAPSHOTS)" >&2
    exit 77
}

# explained NAME OPTIONS...: the JSON of a recording, without replays.
explained() {
    name=$1
    shift
    expect 0 explain --json --no-replay "$@" "$folder/$name.pickle.gz"
}

# is KEY VALUE: the first value of this key in the JSON.
is() {
    [ "$(json "$1")" = "$2" ] || fail "$name: $1 is $(json "$1"), not $2"
}


explained three-gpus-oom
is device 1
is events 596
is cause shortage
is event 422
is asked_bytes 5308694528
is device_free_bytes 95682560
is live_bytes 84063351764
is live_blocks 111
# Four lines of update_nodes own 71,682,928,944 bytes.
sum=0
for line in '174 31867719984 12' '176 7963041792 6' '178 5308694528 1' '181 26543472640 5'; do
    # shellcheck disable=SC2086 # a list of words
    set -- $line
    grep -A 2 -F "\"name\": \"update_nodes (models.py:$1)" "$work/out" | tr -d '\n ' | grep -q "\"bytes\":$2,\"blocks\":$3" ||
        fail "update_nodes, line $1"
    sum=$((sum + $2))
done
[ $sum = 71682928944 ] || fail "the lines of update_nodes sum up to $sum"
grep -A 2 -F '"name": "5,308,694,528 bytes"' "$work/out" | grep -q '"blocks": 12' || fail 'not twelve blocks of the size asked'
for device in 0:8456473388 2:21564645800; do
    explained three-gpus-oom --device ${device%:*}
    is peak_live_bytes ${device#*:}
    grep -q '"failure": null' "$work/out" || fail "device ${device%:*} failed"
done

explained oom
grep -q '"failure": null' "$work/out" || fail 'a failure without a history'
is live_bytes 11840159744
is live_blocks 460
is reserved_bytes 11844714496
for number in 1 2 4 7 8 11 18; do
    expect 0 explain --no-replay --question $number "$folder/oom.pickle.gz"
    says out 'cannot be told: the recording is a state without history'
done

explained xl-forward-2048
is peak_live_bytes 22734989312
is reserved_at_start_bytes 22821208064
is peak_reserved_bytes 22821208064
is found_by period
is grows false
is growth_bytes 0

explained nca-inference
is peak_live_bytes 18497927040
is peak_reserved_bytes 24366809088
is grows false
# Live bytes, rounding, holes and empty segments are all that is reserved.
holds "$(json live_bytes) + $(json rounding_bytes) + $(json hole_bytes) + $(json empty_segment_bytes) == 24366809088"
explained nca-train
is peak_live_bytes 14401221632
is grows false

explained sqattn
is peak_live_bytes 4351237120
is segments_taken 420
is segments_returned 420
is segments_taken_again 420
is grows false
holds "$(json reserved_at_end_bytes) < 0.22 * 1024 * 1024 * 1024"

explained fullstep-128
is segments_returned 430
is peak_live_bytes 54802667524
expect 0 explain --no-replay --question 4 "$folder/fullstep-128.pickle.gz"
says out 'into Optimizer.step#AdamW.step'
