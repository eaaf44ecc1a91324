#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The remedy expandable_segments states what PyTorch's own algorithm reserves with room on the card, and the least card;
# where it reserves as much, it is no remedy, whatever Tarn's pool needs.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$SRC/tests/known python3 - "$work" <<'END' || fail "no recordings"
import sys
from story import MIB, Story

# Two segments of 100 and 60 MiB are empty at the peak; one range would serve the 300 MiB from them.
story = Story()
story.free(story.alloc(100 * MIB, 'load model.py:2'), story.alloc(60 * MIB, 'load model.py:3'))
story.alloc(300 * MIB, 'build model.py:4')
story.save(f'{sys.argv[1]}/helps.pickle')

# The same on two streams: no page moves between their ranges while the card has room.
story = Story()
story.free(story.alloc(160 * MIB, 'load model.py:2', stream=7))
story.alloc(300 * MIB, 'build model.py:4')
story.save(f'{sys.argv[1]}/moves.pickle')

# Reserved before the recording began: not comparable.
story = Story()
story.free(story.held(160 * MIB, 'load model.py:2'), story.held(60 * MIB, 'load model.py:3'))
story.alloc(50 * MIB, 'build model.py:4')
story.save(f'{sys.argv[1]}/late.pickle')
END

expect 0 explain "$work/helps.pickle"
says out '^Remedy: .*expandable_segments:True (it reserves 300.0 MiB for the same work with room on the card, and needs a card of at least 300.0 MiB)\.$'
says out 'expandable segments reserve 300.0 MiB with room on the card, .* need a card of 300.0 MiB at least; .* against 460.0 MiB as recorded'
expect 0 explain --json "$work/helps.pickle"
[ "$(json least_card_bytes)" = $((300 << 20)) ] || fail "the least card is $(json least_card_bytes)"
expect 0 explain "$work/moves.pickle"
says out '^Remedy: call torch.cuda.empty_cache() .*; expandable segments help on a full card only: they reserve 460.0 MiB with room, and need a card of at least 300.0 MiB\.$'
expect 0 explain "$work/late.pickle"
says out 'not comparable'
! grep -q 'Remedy: .*for the same work' "$work/out" || fail "a figure that is not comparable"
