#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Advice fits the program that made the recording: also after a conversion, and for profiles of other languages.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$SRC/tests/known python3 - "$work" <<'END' || fail "no recordings"
import sqlite3
import sys
from profiles import Profile, field
from story import MIB, Story

folder = sys.argv[1]

for name, order in {'go': (11, 12, 1, 2, 4, 5, 6, 9), 'tables': (6, 5, 4, 2, 9, 12, 11, 1), 'plain': (1, 2, 4, 5, 6)}.items():
    Profile(order).save(f'{folder}/{name}.prof')
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
