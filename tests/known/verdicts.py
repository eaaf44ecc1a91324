# SPDX-License-Identifier: Apache-2.0
"""The verdict and the remedy with which an explanation opens. A remedy is never what was set already."""

from story import GIB, MIB, Story
from table import OPENING, recording

MAIN = 'main train.py:5'
SETTINGS = {'PYTORCH_CUDA_ALLOC_CONF': '', 'max_split_size': -1, 'expandable_segments': False}
EXPANDABLE = SETTINGS | {'PYTORCH_CUDA_ALLOC_CONF': 'expandable_segments:True', 'expandable_segments': True}
SET = r'Remedy: set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\.$'


class Private(Story):
    """A story whose second segment is that of a CUDA graph."""

    def state(self):
        listed = super().state()
        listed[1]['segment_pool_id'] = (0, 1)
        return listed


# ---- a request was refused

@recording({OPENING: r'Verdict: 44\.0 MiB are missing: 64\.0 MiB were asked at event 5, and 20\.0 MiB were free; '
                     r'grow \(model\.py:10\) holds 60\.0 MiB of 80\.0 MiB live\. Remedy: hold 44\.0 MiB less at event 5, '
                     r'first in grow \(model\.py:10\), or use a device with 44\.0 MiB more\.$'})
def a_shortage():
    story = Story()
    story.alloc(60 * MIB, 'grow model.py:10', MAIN)
    story.alloc(20 * MIB, 'small model.py:11', MAIN)
    story.fail(64 * MIB, 'ask model.py:30', MAIN, device_free=20 * MIB)
    return story


@recording({OPENING: r'Verdict: 44\.0 MiB are missing: .* and 20\.0 MiB were free\. .* 44\.0 MiB more; '
                     r'start the recording before the model is built, to see who holds 60\.0 MiB\.$'})
def a_shortage_with_an_unknown_holder():
    story = Story()
    story.held(60 * MIB)
    story.alloc(20 * MIB, 'small model.py:11', MAIN)
    story.fail(64 * MIB, 'ask model.py:30', MAIN, device_free=20 * MIB)
    return story


@recording({OPENING: r'Verdict: the 40\.0 GiB asked at event 3 are too much alone: 39\.0 GiB would be missing with nothing '
                     r'else live\. Remedy: split the request, or use a device with 39\.1 GiB more\.$'})
def a_request_that_is_too_large():
    story = Story()
    story.alloc(60 * MIB, 'grow model.py:10', MAIN)
    story.fail(40 * GIB, 'ask model.py:30', MAIN, device_free=GIB - 60 * MIB)
    return story


def pieces(settings):
    story = Story(settings=settings)
    for line in 1, 2:
        first = story.alloc(20 * MIB, f'first model.py:{line}', MAIN)
        story.alloc(4 * MIB, f'pin model.py:{line}', MAIN)
        story.free(first)
    story.fail(30 * MIB, 'ask model.py:30', MAIN, device_free=5 * MIB)
    return story


@recording({OPENING: r'Verdict: 30\.0 MiB were asked at event \d+, and .* MiB were free, but 20\.0 MiB at most in one '
                     r'piece\. ' + SET})
def a_fragmented_memory():
    return pieces(SETTINGS)


@recording({OPENING: r'.* Remedy: set expandable_segments:True in PYTORCH_CUDA_ALLOC_CONF, beside "max_split_size_mb:512"\.$'})
def a_fragmented_memory_with_another_setting():
    return pieces(SETTINGS | {'PYTORCH_CUDA_ALLOC_CONF': 'max_split_size_mb:512'})


@recording({OPENING: r'.* Remedy: set PYTORCH_NPU_ALLOC_CONF=expandable_segments:True\.$'})
def a_fragmented_memory_of_an_npu():
    story = pieces({'max_split_size': -1})
    story.free(story.alloc(MIB, 'step torch_npu/optim/adam.py:3', MAIN))
    return story


@recording({OPENING: r'.* Remedy: allocate what lives long before what is freed soon: a block of pin \(model\.py:\d\) '
                     r'keeps a segment with 12\.0 MiB free\.$'})
def a_fragmented_memory_although_segments_expand():
    return pieces(EXPANDABLE)


@recording({OPENING: r'Verdict: 30\.0 MiB were asked at event 4, 1\.00 MiB were free, and 40\.0 MiB had been freed but '
                     r'waited for other streams\. Remedy: call torch\.cuda\.synchronize\(\) before event 4'})
def a_request_beside_waiting_blocks():
    story = Story()
    gathered = story.alloc(40 * MIB, 'gather comm.py:8', MAIN)
    story.request_free(gathered)
    story.fail(30 * MIB, 'ask model.py:30', MAIN, device_free=MIB)
    story.complete_free(gathered)
    return story


@recording({OPENING: r'Verdict: 30\.0 MiB were asked at event \d+, 1\.00 MiB were free, and 40\.0 MiB more in private '
                     r'pools\. Remedy: let the graphs share a pool \(torch\.cuda\.graph_pool_handle\(\)\)'})
def a_request_beside_a_private_pool():
    story = Private()
    story.held(20 * MIB, 'grow model.py:10', MAIN)
    story.free(story.held(40 * MIB, 'capture graph.py:8', MAIN))
    story.fail(30 * MIB, 'ask model.py:30', MAIN, device_free=MIB)
    return story


@recording({OPENING: r'Verdict: 30\.0 MiB were asked at event 3, and the device had 9\.00 GiB free: a limit .* '
                     r'Remedy: raise torch\.cuda\.set_per_process_memory_fraction\(\), or'})
def a_limit_of_the_process():
    story = Story()
    story.alloc(20 * MIB, 'grow model.py:10', MAIN)
    story.fail(30 * MIB, 'ask model.py:30', MAIN, device_free=9 * GIB)
    return story


@recording({OPENING: r'Verdict: 30\.0 MiB were asked .* a free piece had 40\.0 MiB, which the setting max_split_size '
                     r'\(33554432 bytes\) kept\. Remedy: raise max_split_size_mb'})
def a_piece_that_a_setting_kept():
    story = Story(settings=SETTINGS | {'max_split_size': 32 * MIB})
    story.free(story.alloc(40 * MIB, 'grow model.py:10', MAIN))
    story.fail(30 * MIB, 'ask model.py:30', MAIN, device_free=MIB)
    return story


# ---- nothing was refused

@recording({OPENING: r'Verdict: it leaks: each of \d+ steps leaves 8\.00 MiB, 100 % of it from log \(train\.py:9\)\. '
                     r'Remedy: free in each step what the step allocates, first in log \(train\.py:9\)\.$'})
def a_leak_of_one_tensor():
    story = Story()
    story.alloc(100 * MIB, 'build model.py:3', MAIN)
    for step in range(12):
        story.mark(f'step {step}')
        work = story.alloc(64 * MIB, 'forward model.py:12', MAIN)
        story.alloc(8 * MIB, 'log train.py:9', MAIN)
        story.free(work)
    return story


def empty(settings):
    story = Story(settings=settings)
    story.free(story.alloc(100 * MIB, 'load model.py:2', MAIN), story.alloc(60 * MIB, 'load model.py:3', MAIN))
    story.alloc(300 * MIB, 'build model.py:4', MAIN)
    return story


@recording({OPENING: r'Verdict: 160\.0 MiB of 460\.0 MiB reserved lies in empty segments at the peak, after event 10\. ' + SET})
def empty_segments():
    return empty(SETTINGS)


@recording({OPENING: r'Verdict: 160\.0 MiB of .* in empty segments .* Remedy: call torch\.cuda\.empty_cache\(\) if other '})
def empty_segments_although_they_expand():
    return empty(EXPANDABLE)


@recording({OPENING: r'Verdict: 64\.0 MiB of 400\.0 MiB reserved lies between live blocks at the peak, after event 39\. ' + SET})
def holes_between_blocks():
    story = Story()
    pairs = [(story.alloc(9 * MIB, 'work model.py:5', MAIN), story.alloc(2 * MIB, 'keep model.py:6', MAIN)) for _ in range(8)]
    story.free(*(large for large, _ in pairs))
    story.alloc(300 * MIB, 'build model.py:4', MAIN)
    return story


@recording({OPENING: r'Verdict: 300\.0 MiB were allocated before .*, of 340\.0 MiB live at the peak, after event 2\. '
                     r'Remedy: start the recording earlier'})
def a_recording_that_began_late():
    story = Story()
    story.held(300 * MIB)
    story.alloc(40 * MIB, 'forward model.py:12', MAIN)
    return story


@recording({OPENING: r'Verdict: nothing is wrong as far as the recording shows: 340\.0 MiB are live of 340\.0 MiB reserved at '
                     r'the peak, after event 4\. Remedy: none is needed\.$'})
def nothing_wrong():
    story = Story()
    story.alloc(300 * MIB, 'build model.py:4', MAIN)
    story.free(story.alloc(40 * MIB, 'forward model.py:12', MAIN))
    return story


@recording({OPENING: r'Verdict: 300\.0 MiB are live of 300\.0 MiB reserved; a state shows neither .* Remedy: record with '
                     r'torch\.cuda\.memory\._record_memory_history'})
def a_state():
    story = Story(history=False)
    story.alloc(300 * MIB, 'build model.py:4', MAIN)
    return story
