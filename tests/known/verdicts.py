# SPDX-License-Identifier: Apache-2.0
"""The verdict and the remedy with which an explanation opens. A remedy is never what was set already."""

from story import GIB, MIB, Story
from table import OPENING, recording

MAIN = 'main train.py:5'
SETTINGS = {'PYTORCH_CUDA_ALLOC_CONF': '', 'max_split_size': -1, 'expandable_segments': False}
EXPANDABLE = SETTINGS | {'PYTORCH_CUDA_ALLOC_CONF': 'expandable_segments:True', 'expandable_segments': True}
SET = r'Remedy: set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\.$'


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
    story = Story(private=[1])
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
    return holes_between()


def holes_between():
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


# ---- the whole recording: the peak itself shows nothing

@recording({OPENING: r'Verdict: 300\.0 MiB of 300\.0 MiB reserved are not live at the end, after event 8: the allocator keeps them\. '
                     r'Remedy: call torch\.cuda\.empty_cache\(\) if other programs need the memory\.$'})
def a_cache_that_is_kept_at_the_end():
    story = Story()
    story.free(*[story.alloc(150 * MIB, f'load model.py:{line}', MAIN) for line in (1, 2)])
    return story


def idle(kept, freed):
    """A peak that fills the reserved memory; afterwards only `kept` MiB of it are live."""
    story = Story()
    story.alloc(kept * MIB, 'build model.py:3', MAIN)
    story.free(story.alloc(freed * MIB, 'forward model.py:12', MAIN))
    return story


@recording({OPENING: r'Verdict: 900\.0 MiB of 1000\.0 MiB reserved are not live at the end'})
def a_cache_beside_little_live_memory():
    return idle(100, 900)


@recording({OPENING: r'Verdict: nothing is wrong'})
def the_cache_of_a_training_step():
    return idle(400, 600)


@recording({OPENING: r'Verdict: nothing is wrong'})
def a_cache_that_was_returned():
    story = idle(100, 900)
    story.empty_cache()
    return story


@recording({OPENING: r'Verdict: nothing is wrong'})
def a_small_cache():
    return idle(1, 12)


@recording({OPENING: r'Verdict: 602\.0 MiB of up to 1002\.0 MiB reserved are not live most of the time: .* '
                     r'Remedy: lower the peak, first in spike \(model\.py:12\), or call torch\.cuda\.empty_cache\(\) after it'})
def a_short_peak():
    story = Story()
    story.alloc(400 * MIB, 'build model.py:3', MAIN)
    story.free(story.alloc(600 * MIB, 'spike model.py:12', MAIN))
    for _ in range(40):
        story.free(story.alloc(256, 'step model.py:20', MAIN))
    story.alloc(600 * MIB, 'spike model.py:12', MAIN)
    return story


@recording({OPENING: r'Verdict: 40\.0 MiB are free in private pools at the end, after event 4, which nothing else can use\. '
                     r'Remedy: let the graphs share a pool'})
def a_private_pool_that_nobody_uses():
    story = Story(private=[1])
    story.held(60 * MIB, 'grow model.py:10', MAIN)
    graph = story.held(40 * MIB, 'capture graph.py:8', MAIN)
    story.alloc(2 * MIB, 'work model.py:4', MAIN)
    story.free(graph)
    return story


def grows(marks=False, temporary=64, lines=(9, 9), count=12):
    story = Story()
    story.alloc(40 * MIB, 'build model.py:3', MAIN)
    for number in range(count):
        if marks:
            story.mark(f'step {number}')
        work = [story.alloc(temporary * MIB, 'work model.py:12', MAIN) for _ in range(2)] if temporary else []
        story.alloc(20 * MIB, f'keep cache.py:{lines[number * 2 // count]}', MAIN)
        story.free(*work)
    return story


GROWTH = (r'Verdict: 240\.0 MiB, of 408\.0 MiB live at the peak, are allocated throughout the recording and never freed, by keep '
          r'\(cache\.py:9\): a leak, a cache or a model that is built\. Remedy: record with steps \(torch\.profiler\.record_function')


@recording({OPENING: GROWTH})
def growth_without_steps():
    return grows()


@recording({OPENING: r'Verdict: nothing is wrong'})
def growth_with_steps():
    return grows(marks=True)


@recording({OPENING: r'Verdict: nothing is wrong'})
def a_model_that_is_only_built():
    return grows(temporary=0)


@recording({OPENING: r'Verdict: nothing is wrong'})
def growth_that_ended():
    story = grows(count=6)
    for _ in range(80):
        story.free(story.alloc(256, 'step model.py:20', MAIN))
    return story


@recording({OPENING: r'Verdict: 160\.0 MiB of 460\.0 MiB reserved lies in empty segments when it was recorded\. '
                     r'Remedy: call torch\.cuda\.empty_cache\(\) if other programs need the memory\.$'})
def a_state_with_empty_segments():
    story = empty(SETTINGS)
    story.history = False
    return story


@recording({OPENING: r'Verdict: 64\.0 MiB of 400\.0 MiB reserved lies between live blocks when it was recorded\. '
                     r'Remedy: allocate what lives long before what is freed soon'})
def a_state_with_holes():
    story = holes_between()
    story.history = False
    return story
