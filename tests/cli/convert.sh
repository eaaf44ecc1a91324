#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A recording that is converted, and converted back, keeps its blocks, its peak and its stacks, in each format as far as
# the format holds them.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

pickles=$SRC/tests/fuzz/corpus/trace_pickle
newest=$pickles/story-newest
text=$SRC/tests/fuzz/corpus/trace_text/story

# rows FILE: the table of a recording, without the places of its events in the file.
rows() {
    expect 0 convert "$1" "$work/rows.csv"
    cut -d , -f 1,2,4- "$work/rows.csv"
}

# keeps FILE ENDING: a conversion and the same again give the same table.
keeps() {
    expect 0 convert "$1" "$work/there$2"
    rows "$1" >"$work/before"
    rows "$work/there$2" >"$work/after"
    cmp -s "$work/before" "$work/after" || {
        diff "$work/before" "$work/after" >"$work/err" || true
        fail "${1##*/} changes in $2"
    }
}

for file in "$newest" "$pickles/story-npu" "$text"; do
    keeps "$file" .tarn
    keeps "$file" .tarn.gz
done
keeps "$newest" .pickle
keeps "$pickles/story-npu" .pickle
keeps "$text" .trace
keeps "$text" .txt.gz

# A converted recording is explained as before: with PyTorch's rounding, phases and free bytes.
explain() {
    expect 0 explain --json --no-replay "$1"
    grep -v '"\(recording\|path\|file\|format\)":' "$work/out"
}
explain "$pickles/simple-p4" >"$work/before"
says before '"rounding_bytes": 424'
for ending in tarn json csv; do
    expect 0 convert "$pickles/simple-p4" "$work/there.$ending"
    explain "$work/there.$ending" >"$work/after"
    cmp -s "$work/before" "$work/after" || {
        diff "$work/before" "$work/after" >"$work/err" || true
        fail "another explanation of .$ending"
    }
done

# The table has the figures of the story: four allocations, three frees, a peak of 7,864,320 bytes.
rows "$newest" >"$work/out"
[ "$(grep -c '^0,alloc,' "$work/out")" = 4 ] || fail "not four allocations"
[ "$(grep -c '^0,free,' "$work/out")" = 3 ] || fail "not three frees"
[ "$(cut -d , -f 7 "$work/out" | sort -n | tail -n 1)" = 7864320 ] || fail "another peak"
says out '^0,failure,.*8589934592'
says out 'layer 3.*attention (model.py:31); forward'

# A text trace holds one device.
expect 0 convert "$newest" "$work/story.trace"
cat >"$work/expected" <<'END'
a 0 0 2097152
a 10 1 2097152
m 20 step 1
f 30 0
a 40 2 1572864
a 50 3 4194304
f 70 2
f 80 3
END
cmp -s "$work/expected" "$work/story.trace" || fail "another text: $(cat "$work/story.trace")"

# The name of the output, or --to, selects the format; "-" is standard output.
expect 0 convert --to text "$newest" -
cmp -s "$work/expected" "$work/out" || fail "standard output differs from the file"
expect 2 convert "$newest" "$work/story.unknown"
says err 'the ending of .*story.unknown" selects no format'
expect 2 convert "$newest" -
expect 2 convert --to words "$newest" -
says err 'to takes .*, not "words"'
expect 2 convert "$newest"
expect 2 convert "$newest" a.csv b.csv
expect 2 convert --device x "$newest" -
expect 2 convert --device 7 --to csv "$newest" -
says err 'has no device 7'
expect 2 convert --at noon --to pprof "$newest" -
expect 2 convert "$work/expected" "$work"/none/file.csv --at 3 --to nothing
expect 2 convert "$work/nothing" "$work/file.csv"

# A full disk, a missing folder and a folder are errors that name the output.
for format in text binary snapshot chrome pprof csv; do
    expect 1 convert --to "$format" "$newest" /dev/full
    says err '/dev/full: cannot write: No space left'
    got=0
    "$TARN" convert --to "$format" "$newest" - >/dev/full 2>"$work/err" || got=$?
    [ "$got" = 1 ] || fail "exit $got, not 1, with a full standard output: $format"
    says err 'standard output: cannot write: No space left'
done
expect 1 convert "$newest" "$work/none/file.csv"
says err 'none/file.csv: cannot write: No such file'
mkdir "$work/folder.csv"
expect 1 convert "$newest" "$work/folder.csv"

# A failure leaves the old file and no other; success keeps its mode.
echo old >"$work/kept.trace"
chmod 600 "$work/kept.trace"
printf 'a 0 0 1\na 0 0 1\n' >"$work/bad"
expect 2 convert "$work/bad" "$work/kept.trace"
expect 2 convert --device 9 "$newest" "$work/kept.trace"
[ "$(cat "$work/kept.trace")" = old ] || fail "a failure changed the file"
expect 0 convert "$newest" "$work/kept.trace"
cmp -s "$work/expected" "$work/kept.trace" || fail "the file was not replaced"
[ "$(stat -c %a "$work/kept.trace")" = 600 ] || fail "another mode"
[ -z "$(find "$work" -name '*.trace.*' ! -name '*.gz')" ] || fail "a temporary file is left"

command -v python3 >/dev/null || {
    echo "skipped the rest: needs python3" >&2
    exit 0
}

# The rules of PyTorch's viewer, with recorded addresses and with made-up ones.
follows() {
    expect 0 convert "$1" "$work/viewer.pickle"
    python3 "$SRC/tests/support/snapshot_rules.py" "$work/viewer.pickle" >"$work/out" 2>"$work/err" ||
        fail "${1##*/} breaks the rules of the viewer"
}
follows "$newest"
says out '^0 4 3 1 7864320$'
says out '^-1 1 0 0 1048576$'
follows "$pickles/story-npu"
says out '^0 4 3 1 8912896$'
follows "$text"
says out '^0 4 3 0 7864320$'
follows "$SRC/traces/lora-ckpt.trace.gz"
says out '^0 35036 34696 0 '
for file in simple-p4 lost_beginning-p4 contradictions-p4; do
    follows "$pickles/$file"
done

# The profile has who holds the memory at the peak.
expect 0 convert "$newest" "$work/peak.pb.gz" --device 0
python3 "$SRC/tests/support/pprof_read.py" "$work/peak.pb.gz" >"$work/out" || fail "no profile"
cat >"$work/expected" <<'END'
sum 3 7864320
1 1572864 device=0 stream=0 size=1572864 tag=layer 3 attention:31<forward:14<train_step:40<<module>:71
1 2097152 device=0 stream=0 size=2097152 init_state:88<train_step:44<<module>:71
1 4194304 device=0 stream=21968 size=4194304 tag=gathered weights all_gather:9<train_step:47<<module>:71
END
cmp -s "$work/expected" "$work/out" || fail "another profile"
for moment in start:0:0 end:1:2097152 failure:1:2097152 2:1:2097152 3:2:4194304 1000:1:2097152; do
    expect 0 convert "$newest" "$work/at.pb.gz" --device 0 --at "${moment%%:*}"
    python3 "$SRC/tests/support/pprof_read.py" "$work/at.pb.gz" >"$work/out" || fail "no profile"
    says out "^sum $(echo "${moment#*:}" | tr : ' ')\$"
done

# Events for Perfetto.
expect 0 convert "$newest" "$work/perfetto.json"
python3 "$SRC/tests/support/chrome_rules.py" "$work/perfetto.json" >"$work/out" || fail "no events for Perfetto"
says out '^device 0 peak=7864320 blocks=4 phases=1 failures=1$'
says out '^host memory 0 peak=1048576 blocks=1 phases=0 failures=0$'
expect 0 convert "$SRC/traces/gpt-train.trace.gz" "$work/perfetto.json.gz"
gzip -dc "$work/perfetto.json.gz" >"$work/perfetto.json"
python3 "$SRC/tests/support/chrome_rules.py" "$work/perfetto.json" >"$work/out" || fail "no events for Perfetto"
says out '^device 0 peak=1328519996 '

# Bytes that are no UTF-8, and characters that JSON and tables quote.
printf 'a 0 0 7\nm 1 \377"\\,\t\303\244\nf 2 0\n' >"$work/odd.trace"
expect 0 convert "$work/odd.trace" "$work/odd.json"
python3 "$SRC/tests/support/chrome_rules.py" "$work/odd.json" >"$work/out" || fail "no JSON"
expect 0 convert "$work/odd.trace" "$work/odd.csv"
follows "$work/odd.trace"
python3 - "$work" <<'END' || fail "a text is damaged"
import csv, json, pickle, sys
name = json.load(open(sys.argv[1] + '/odd.json'))['traceEvents']
assert '\ufffd"\\,\t\xe4' in [event['name'] for event in name]
name = pickle.load(open(sys.argv[1] + '/viewer.pickle', 'rb'))['external_annotations'][0]['name']
assert name == '\ufffd"\\,\t\xe4', name
rows = list(csv.reader(open(sys.argv[1] + '/odd.csv', encoding='utf-8', errors='replace', newline='')))
assert rows[3][8] == '\ufffd"\\,\t\xe4', rows
END
