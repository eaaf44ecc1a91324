#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Advice fits the program that made the recording: also after a conversion, and for profiles of other languages.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$SRC/tests/known python3 - "$work" <<'END' || fail "no recordings"
import sqlite3
import sys
from story import MIB, Story

folder = sys.argv[1]


def number(value):
    low = value & 127
    return bytes([low]) if value < 128 else bytes([low | 128]) + number(value >> 7)


def field(index, value):
    if isinstance(value, int):
        return number(index << 3) + number(value)
    return number(index << 3 | 2) + number(len(value)) + value


def profile(order):
    """A heap profile, with its fields in that order. Go begins with the period; others write the tables first."""
    texts = [b'', b'inuse_objects', b'count', b'inuse_space', b'bytes', b'main.load', b'main.go', b'space']
    parts = {
        11: [field(1, 7) + field(2, 4)], 12: [524288], 1: [field(1, 1) + field(2, 2), field(1, 3) + field(2, 4)],
        2: [field(1, bytes([1])) + field(2, number(2) + number(4 * MIB))],
        4: [field(1, 1) + field(4, field(1, 1) + field(2, 10))],
        5: [field(1, 1) + field(2, 5) + field(4, 6)], 6: texts, 9: [1700000000]}
    return b''.join(field(index, value) for index in order for value in parts[index])


for name, order in {'go': (11, 12, 1, 2, 4, 5, 6, 9), 'tables': (6, 5, 4, 2, 9, 12, 11, 1), 'plain': (1, 2, 4, 5, 6)}.items():
    with open(f'{folder}/{name}.prof', 'wb') as file:
        file.write(profile(order))
with open(f'{folder}/none.prof', 'wb') as file:
    file.write(field(1, field(1, 1) + field(2, 2)) + field(15, 3))

story = Story()
story.free(story.alloc(100 * MIB, 'load model.py:2'), story.alloc(60 * MIB, 'load model.py:3'))
story.alloc(300 * MIB, 'build model.py:4')
story.save(f'{folder}/torch.pickle')

# Two lines of one function hold the same at the peak. The one that is live at the end comes first in the file.
story = Story()
blocks = [story.alloc(30 * MIB, f'forward model.py:{line}', 'main train.py:2') for line in (89, 91)]
story.free(blocks[0])
story.empty_cache()
story.save(f'{folder}/lines.pickle')

# A segment that is smaller than its block.
story = Story()
block = story.alloc(40 * MIB, 'build model.py:4')
block.segment.size = story.events[0]['size'] = 10 * MIB
story.save(f'{folder}/contradiction.pickle')

nsight = sqlite3.connect(f'{folder}/nsight.sqlite')
nsight.execute('CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER)')
nsight.commit()
END

for order in go tables plain; do
    expect 0 explain "$work/$order.prof"
    says out '^Remedy: compare profiles of two moments by .tarn diff.'
    says out '^\* memory of the host 0: 0 events, peak live 4.00 MiB'
    says out '^Host 0 when it was recorded:'
    says out '^  main.load (main.go:10)  *4.00 MiB  *2 '
    says out 'What size of card would fit? *cannot be told: this is memory of the host'
    ! grep -i -e torch -e 'reserved reserved' "$work/out" || fail "$order: advice for PyTorch"
done
expect 2 explain "$work/none.prof"

for file in torch.tarn torch.csv; do
    expect 0 convert "$work/torch.pickle" "$work/$file"
    expect 0 explain --no-replay "$work/$file"
    says out '^Remedy: set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True'
done
for file in lines.pickle lines.tarn lines.csv; do
    [ $file = lines.pickle ] || expect 0 convert "$work/lines.pickle" "$work/$file"
    expect 0 explain --no-replay "$work/$file"
    says out '^  forward (model.py:89, 91) '
done
expect 0 explain "$work/contradiction.pickle"
says out '^Verdict: the recording contradicts itself: 40.0 MiB are live, and 10.0 MiB reserved, at the peak, after event 2\.$'
says out '^ 6 .* cannot be told: the recording contradicts itself: more is live than reserved\.$'
says out '^10 .*; it contradicts itself: 40.0 MiB are live at the peak, and 10.0 MiB reserved'
expect 2 explain "$work/nsight.sqlite"
says err 'CUPTI_ACTIVITY_KIND_RUNTIME. Nsight Systems records memory with --cuda-memory-usage=true'
