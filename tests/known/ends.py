# SPDX-License-Identifier: Apache-2.0
"""What is live at the ends of a recording: questions 8 and 9."""

from story import KIB, MIB, Story
from table import recording


@recording({8: r'2 blocks, 5\.00 MiB, .*: 4\.00 MiB keep \(model\.py.*, 1\.00 MiB table \(model\.py',
            9: r'6\.00 MiB in 2 blocks live at the start; stacks are known for 1 '})
def blocks_held_and_kept():
    story = Story()
    held = [story.held(3 * MIB, 'load model.py:3'), story.held(3 * MIB)]
    story.alloc(4 * MIB, 'keep model.py:10', 'main train.py:5')
    story.free(story.alloc(KIB, 'work model.py:11', 'main train.py:6'), held[1])
    story.alloc(MIB, 'table model.py:12', 'main train.py:7')
    return story


@recording({8: r'1 block, 2\.00 MiB, .*: 2\.00 MiB keep \(model\.py:10\)\.'})
def lines_of_what_stays_are_not_those_of_the_peak():
    story = Story()
    story.alloc(2 * MIB, 'keep model.py:10', 'main train.py:5')
    story.free(story.alloc(8 * MIB, 'keep model.py:20', 'main train.py:6'))
    return story
