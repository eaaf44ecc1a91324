# SPDX-License-Identifier: Apache-2.0
"""Verdicts between two kinds: at their thresholds, with several causes, devices or streams at once."""

from profiles import Profile
from story import KIB, MIB, Devices, Story
from table import OPENING, recording

MAIN = 'main train.py:5'
GOOD = r'Verdict: nothing is wrong as far as the recording shows'


# ---- a refused request: PyTorch takes segments of 2 MiB, of 20 MiB, or of whole 2 MiB from the device

@recording({OPENING: r'Verdict: 8\.00 MiB are missing: 5\.00 MiB were asked at event 3 in a segment of 20\.0 MiB, and '
                     r'12\.0 MiB were free; grow \(model\.py:10\) holds 60\.0 MiB of 60\.0 MiB live\. Remedy: hold 8\.00 '
                     r'MiB less at event 3, first in grow \(model\.py:10\), or use a device with 8\.00 MiB more\.$'})
def a_segment_of_20_mib_that_does_not_fit():
    story = Story()
    story.alloc(60 * MIB, 'grow model.py:10', MAIN)
    story.fail(5 * MIB, 'ask model.py:30', MAIN, device_free=12 * MIB)
    return story


@recording({OPENING: r'Verdict: 512\.0 KiB are missing: 11\.0 MiB were asked at event 3 in a segment of 12\.0 MiB, and '
                     r'11\.5 MiB were free; grow \(model\.py:10\) holds 60\.0 MiB of 60\.0 MiB live\. Remedy: hold 512\.0 '
                     r'KiB less at event 3, first in grow \(model\.py:10\), or use a device with 512\.0 KiB more\.$'})
def a_segment_of_whole_2_mib_that_does_not_fit():
    story = Story()
    story.alloc(60 * MIB, 'grow model.py:10', MAIN)
    story.fail(11 * MIB, 'ask model.py:30', MAIN, device_free=11 * MIB + MIB // 2)
    return story


@recording({OPENING: r'Verdict: 1\.00 MiB are missing: 4\.00 KiB were asked at event 3 in a segment of 2\.00 MiB, and '
                     r'1\.00 MiB were free; grow \(model\.py:10\) holds 60\.0 MiB of 60\.0 MiB live\. Remedy: hold 1\.00 '
                     r'MiB less at event 3, first in grow \(model\.py:10\), or use a device with 1\.00 MiB more\.$'})
def a_segment_of_2_mib_that_does_not_fit():
    story = Story()
    story.alloc(60 * MIB, 'grow model.py:10', MAIN)
    story.fail(4 * KIB, 'ask model.py:30', MAIN, device_free=MIB)
    return story


@recording({OPENING: r'Verdict: 5\.00 MiB were asked at event 3, and the device had 20\.0 MiB free: a limit of the '
                     r'process refused, or another process took the memory first\. Remedy: raise '
                     r'torch\.cuda\.set_per_process_memory_fraction\(\), or look for other processes\.$'})
def a_limit_although_a_segment_fits():
    story = Story()
    story.alloc(60 * MIB, 'grow model.py:10', MAIN)
    story.fail(5 * MIB, 'ask model.py:30', MAIN, device_free=20 * MIB)
    return story


@recording({OPENING: r'Verdict: 2\.00 MiB are missing: 512\.0 KiB were asked at event 3 in a segment of 2\.00 MiB, and '
                     r'0 B were free; pin \(model\.py:9\) holds 4\.00 MiB of 4\.00 MiB live\. Remedy: hold 2\.00 MiB less at event 3, first '
                     r'in pin \(model\.py:9\), or use a device with 2\.00 MiB more\.$'})
def a_small_request_beside_free_memory_of_large_ones():
    story = Story()
    story.alloc(4 * MIB, 'pin model.py:9', MAIN)
    story.fail(512 * KIB, 'ask model.py:30', MAIN, device_free=0)
    return story


@recording({OPENING: r'Verdict: 19\.0 MiB are missing: 20\.0 MiB were asked at event 137, and 1\.00 MiB were free; pin '
                     r'\(model\.py:9\) holds 30\.0 MiB of 30\.0 MiB live\. Remedy: hold 19\.0 MiB less at event 137, '
                     r'first in pin \(model\.py:9\), or use a device with 19\.0 MiB more\.$'})
def a_large_request_beside_free_memory_of_small_ones():
    story = Story()
    for _ in range(30):
        block = story.alloc(MIB, 'small model.py:8', MAIN)
        story.alloc(MIB, 'pin model.py:9', MAIN)
        story.free(block)
    story.fail(20 * MIB, 'ask model.py:30', MAIN, device_free=MIB)
    return story


@recording({OPENING: r'Verdict: 14\.0 MiB were asked at event 6, 1\.00 MiB were free, and 16\.0 MiB more in segments of '
                     r'other streams\. Remedy: allocate on the stream that has them, whose segments serve no other\.$'})
def free_memory_of_another_stream():
    story = Story()
    story.alloc(4 * MIB, 'pin model.py:9', MAIN, stream=7)
    story.free(story.alloc(12 * MIB, 'copy model.py:8', MAIN, stream=7))
    story.fail(14 * MIB, 'ask model.py:30', MAIN, device_free=MIB)
    return story


@recording({OPENING: r'Verdict: 30\.0 MiB were asked at event 7, and 30\.0 MiB were free, but 20\.0 MiB at most in one '
                     r'piece\. Remedy: set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\.$'})
def pieces_that_suffice_exactly():
    story = Story()
    story.alloc(10 * MIB, 'pin model.py:9', MAIN)
    story.free(story.alloc(20 * MIB, 'work model.py:8', MAIN))
    story.fail(30 * MIB, 'ask model.py:30', MAIN, device_free=10 * MIB)
    return story


@recording({OPENING: r'Verdict: 512 B are missing: 30\.0 MiB were asked at event 7, and 30\.0 MiB were free; pin '
                     r'\(model\.py:9\) holds 10\.0 MiB of 10\.0 MiB live\. Remedy: hold 512 B less at event 7, first in '
                     r'pin \(model\.py:9\), or use a device with 512 B more\.$'})
def pieces_that_lack_512_bytes():
    story = Story()
    story.alloc(10 * MIB, 'pin model.py:9', MAIN)
    story.free(story.alloc(20 * MIB, 'work model.py:8', MAIN))
    story.fail(30 * MIB, 'ask model.py:30', MAIN, device_free=10 * MIB - 512)
    return story


@recording({OPENING: r'Verdict: 40\.0 MiB were asked at event 6, 0 B were free; 22\.0 MiB that waited for other streams, '
                     r'0 B in segments of other streams and 20\.0 MiB in private pools would have sufficed together\. '
                     r'Remedy: call torch\.cuda\.synchronize\(\) before event 6, and let the graphs share a pool '
                     r'\(torch\.cuda\.graph_pool_handle\(\)\), or delete those that are not replayed\.$'})
def waiting_and_private_together():
    story = Story(private=[1])
    story.held(20 * MIB, 'grow model.py:10', MAIN)
    story.free(story.held(20 * MIB, 'capture graph.py:8', MAIN))
    gathered = story.alloc(22 * MIB, 'gather comm.py:8', MAIN)
    story.request_free(gathered)
    story.fail(40 * MIB, 'ask model.py:30', MAIN, device_free=0)
    return story


@recording({OPENING: r'Verdict: 44\.0 MiB are missing: 64\.0 MiB were asked at event 3, and 20\.0 MiB were free; grow '
                     r'\(model\.py:10\) holds 60\.0 MiB of 60\.0 MiB live\. Remedy: hold 44\.0 MiB less at event 3, first '
                     r'in grow \(model\.py:10\), or use a device with 44\.0 MiB more\.$',
            14: r'.*its own card has at least 102\.0 MiB, and refused it'})
def a_probe_that_failed_and_was_repeated():
    story = Story()
    story.alloc(60 * MIB, 'grow model.py:10', MAIN)
    story.fail(64 * MIB, 'probe model.py:29', MAIN, device_free=20 * MIB)
    story.alloc(32 * MIB, 'probe model.py:29', MAIN)
    story.fail(20 * MIB, 'ask model.py:30', MAIN, device_free=10 * MIB)
    return story


@recording({OPENING: r'Verdict: 44\.0 MiB are missing: 64\.0 MiB were asked at event 3, and 20\.0 MiB were free; grow '
                     r'\(model\.py:10\) holds 60\.0 MiB of 60\.0 MiB live\. Remedy: hold 44\.0 MiB less at event 3, first '
                     r'in grow \(model\.py:10\), or use a device with 44\.0 MiB more\.$'})
def a_failure_on_the_emptier_device():
    large, small = Story(), Story(device=1)
    large.alloc(300 * MIB, 'grow model.py:10', MAIN)
    small.alloc(60 * MIB, 'grow model.py:10', MAIN)
    small.fail(64 * MIB, 'ask model.py:30', MAIN, device_free=20 * MIB)
    return Devices(large, small)


# ---- nothing was refused

@recording({OPENING: r'Verdict: nothing is wrong on device 0 as far as the recording shows: 300\.0 MiB are live of 300\.0 '
                     r'MiB reserved at the peak, after event 2\. Remedy: none is needed there; --device N looks at '
                     r'another device\.$'})
def a_leak_on_the_emptier_device():
    large, small = Story(), Story(device=1)
    large.free(large.alloc(300 * MIB, 'grow model.py:10', MAIN))
    large.alloc(300 * MIB, 'grow model.py:10', MAIN)
    for step in range(12):
        small.mark(f'step {step}')
        work = small.alloc(64 * MIB, 'forward model.py:12', MAIN)
        small.alloc(4 * MIB, 'log train.py:9', MAIN)
        small.free(work)
    return Devices(large, small)


@recording({OPENING: r'Verdict: 20\.0 MiB of 200\.0 MiB reserved lies in empty segments at the peak, after event 6\. '
                     r'Remedy: set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\.$'})
def a_tenth_in_empty_segments():
    story = Story()
    story.free(story.alloc(20 * MIB, 'load model.py:2', MAIN))
    story.alloc(180 * MIB, 'build model.py:4', MAIN)
    return story


@recording({OPENING: GOOD + r': 182\.0 MiB are live of 202\.0 MiB reserved at the peak, after event 6\.'})
def less_than_a_tenth_in_empty_segments():
    story = Story()
    story.free(story.alloc(20 * MIB, 'load model.py:2', MAIN))
    story.alloc(182 * MIB, 'build model.py:4', MAIN)
    return story


@recording({OPENING: r'Verdict: it leaks: each of 9 steps leaves 12\.0 MiB, 100 % of it from log \(train\.py:9\)\. '
                     r'Remedy: free in each step what the step allocates, first in log \(train\.py:9\)\.$'})
def a_leak_beside_holes():
    story = Story()
    pairs = [(story.alloc(9 * MIB, 'work model.py:5', MAIN), story.alloc(2 * MIB, 'keep model.py:6', MAIN)) for _ in range(8)]
    story.free(*(large for large, _ in pairs))
    for step in range(12):
        story.mark(f'step {step}')
        work = story.alloc(64 * MIB, 'forward model.py:12', MAIN)
        story.alloc(12 * MIB, 'log train.py:9', MAIN)
        story.free(work)
    return story


@recording({OPENING: r'Verdict: 1\.88 GiB, of 2\.62 GiB live at the peak, are allocated throughout the recording and '
                     r'never freed, by workspace \(pages\.py:7\): a leak, a cache or a model that is built\. Remedy: '
                     r'record with steps \(torch\.profiler\.record_function\("step"\)\), which tell these apart, or free '
                     r'what workspace \(pages\.py:7\) allocates\.$'})
def growth_behind_a_sequence_that_recurs():
    story = Story()
    for number in range(8):
        pages = [story.alloc(size * MIB, 'map pages.py:5', MAIN) for size in (256, 512)]
        story.alloc(240 * MIB, 'workspace pages.py:7', MAIN)
        story.free(*pages)
    return story


@recording({OPENING: r'Verdict: 240\.0 MiB, of 536\.0 MiB live at the peak, are allocated throughout the recording and '
                     r'never freed, by keep \(cache\.py:9, 10\): a leak, a cache or a model that is built\. Remedy: '
                     r'record with steps \(torch\.profiler\.record_function\("step"\)\), which tell these apart, or free '
                     r'what keep \(cache\.py:9, 10\) allocates\.$'})
def growth_by_two_lines_of_a_function():
    story = Story()
    story.alloc(40 * MIB, 'build model.py:3', MAIN)
    for _ in range(12):
        work = [story.alloc(64 * MIB, 'work model.py:12', MAIN) for _ in range(4)]
        story.alloc(10 * MIB, 'keep cache.py:9', MAIN)
        story.alloc(10 * MIB, 'keep cache.py:10', MAIN)
        story.free(*work)
    return story


@recording({OPENING: r'Verdict: 40\.0 MiB of 100\.0 MiB reserved are free in private pools when it was recorded\. Remedy: '
                     r'let the graphs share a pool \(torch\.cuda\.graph_pool_handle\(\)\), or delete those that are not '
                     r'replayed\.$'})
def a_state_with_a_private_pool():
    story = Story(private=[1], history=False)
    story.held(60 * MIB, 'grow model.py:10', MAIN)
    story.free(story.held(40 * MIB, 'capture graph.py:8', MAIN))
    return story


@recording({OPENING: r'Verdict: 40\.0 MiB of 100\.0 MiB reserved are freed but wait for other streams at the peak, after '
                     r'event 5\. Remedy: free blocks on the stream that uses them, or call torch\.cuda\.synchronize\(\) '
                     r'earlier\.$'})
def waiting_blocks_at_the_peak():
    story = Story()
    gathered = story.alloc(40 * MIB, 'gather comm.py:8', MAIN)
    story.request_free(gathered)
    story.alloc(60 * MIB, 'grow model.py:10', MAIN)
    story.complete_free(gathered)
    return story


@recording({OPENING: GOOD + r': 304\.0 MiB are live of 320\.0 MiB reserved at the peak, after event 1\.'})
def a_ring_that_lost_the_beginning():
    story = Story()
    story.alloc(300 * MIB, 'build model.py:3', MAIN)
    for _ in range(20):
        story.free(story.alloc(4 * MIB, 'work model.py:12', MAIN))
    story.wrap(12)
    return story


@recording({OPENING: r'Verdict: 40\.0 MiB of 142\.0 MiB reserved are free in private pools at the start\. Remedy: let the '
                     r'graphs share a pool \(torch\.cuda\.graph_pool_handle\(\)\), or delete those that are not '
                     r'replayed\.$'})
def two_private_pools():
    story = Story(private=[0, 2])
    story.free(story.held(40 * MIB, 'capture graph.py:8', MAIN))
    story.held(60 * MIB, 'grow model.py:10', MAIN)
    story.free(story.held(42 * MIB, 'capture graph.py:9', MAIN))
    story.alloc(2 * MIB, 'work model.py:4', MAIN)
    return story


@recording({OPENING: r'Verdict: 240\.0 MiB of 300\.0 MiB reserved are not live at the end, after event 9: the allocator '
                     r'keeps them\. Remedy: call torch\.cuda\.empty_cache\(\) if other programs need the memory\.$'})
def a_cache_beside_a_block_that_stays():
    story = Story()
    story.free(*[story.alloc(150 * MIB, f'load model.py:{line}', MAIN) for line in (1, 2)])
    story.alloc(60 * MIB, 'keep model.py:3', MAIN)
    return story


@recording({OPENING: r'Verdict: 5\.00 MiB are missing: 30\.0 MiB were asked at event 3 in whole pages, and 35\.0 MiB were '
                     r'free; grow \(model\.py:10\) holds 60\.0 MiB of 60\.0 MiB live\. Remedy: hold 5\.00 MiB less at '
                     r'event 3, first in grow \(model\.py:10\), or use a device with 5\.00 MiB more\.$'})
def a_page_of_20_mib_that_does_not_fit():
    story = Story(expands=True)
    story.alloc(60 * MIB, 'grow model.py:10', MAIN)
    story.fail(30 * MIB, 'ask model.py:30', MAIN, device_free=35 * MIB)
    return story


@recording({OPENING: r'Verdict: 30\.0 MiB were asked at event 3, and the device had 40\.0 MiB free: a limit of the '
                     r'process refused, or another process took the memory first\. Remedy: raise '
                     r'torch\.cuda\.set_per_process_memory_fraction\(\), or look for other processes\.$'})
def a_limit_although_two_pages_fit():
    story = Story(expands=True)
    story.alloc(60 * MIB, 'grow model.py:10', MAIN)
    story.fail(30 * MIB, 'ask model.py:30', MAIN, device_free=40 * MIB)
    return story


@recording({OPENING: r'Verdict: 5\.00 MiB are missing: 30\.0 MiB were asked at event 3 in whole pages, and 30\.0 MiB were '
                     r'free; grow \(model\.py:10\) holds 45\.0 MiB of 45\.0 MiB live\. Remedy: hold 5\.00 MiB less at '
                     r'event 3, first in grow \(model\.py:10\), or use a device with 5\.00 MiB more\.$'})
def a_page_beside_a_free_piece_of_one():
    story = Story(expands=True)
    story.alloc(45 * MIB, 'grow model.py:10', MAIN)
    story.fail(30 * MIB, 'ask model.py:30', MAIN, device_free=15 * MIB)
    return story


@recording({OPENING: r'Verdict: 40\.0 MiB are free in private pools at the end, after event 6, which nothing else can '
                     r'use\. Remedy: let the graphs share a pool \(torch\.cuda\.graph_pool_handle\(\)\), or delete those '
                     r'that are not replayed\.$'})
def a_private_pool_beside_a_cache_at_the_end():
    story = Story(private=[1])
    story.held(60 * MIB, 'grow model.py:10', MAIN)
    graph = story.held(40 * MIB, 'capture graph.py:8', MAIN)
    story.free(graph, story.alloc(300 * MIB, 'work model.py:4', MAIN))
    return story


@recording({OPENING: r'Verdict: 4\.00 MiB are live; a profile shows neither a failure nor a leak\. Remedy: compare '
                     r'profiles of two moments by `tarn diff`, to see what grows\.$',
            14: r'cannot be told: this is memory of the host'})
def the_heap_of_a_program_in_go():
    return Profile()


@recording({OPENING: r'Verdict: 4\.00 MiB are live; a profile shows neither a failure nor a leak\. Remedy: compare '
                     r'profiles of two moments by `tarn diff`, to see what grows\.$'})
def the_memory_of_a_device_in_jax():
    return Profile(device=True)
