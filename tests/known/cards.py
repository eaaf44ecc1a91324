# SPDX-License-Identifier: Apache-2.0
"""The cards that would fit, of the vendor that the recording shows. A context of 512 MiB lies beside the live bytes."""

from story import GIB, MIB, Story
from table import OPENING, recording

CUDA = {'PYTORCH_CUDA_ALLOC_CONF': '', 'pinned_use_cuda_host_register': False}
HIP = {'PYTORCH_CUDA_ALLOC_CONF': '', 'pinned_use_hip_host_register': False}
NO_CARDS_OF_OTHERS = r'(?!.*(?:AMD|Ascend|RX |MI\d|W7900))'


def holding(size, *frames, **options):
    story = Story(**options)
    story.free(story.alloc(size, *(frames or ('build model.py:10', 'main train.py:5'))))
    return story


@recording({14: NO_CARDS_OF_OTHERS + r'smallest that could hold the live 2\.00 GiB: GTX 1650 '
                                     r'\(4 GB\); that holds the recorded 2\.00 GiB: the same; with'})
def two_gibibytes_on_cuda():
    return holding(2 * GIB, settings=CUDA)


@recording({14: r'smallest that could hold the live 2\.00 GiB: RX 5500 XT, RX 6400 \(4 GB\); .* the same; with'})
def two_gibibytes_on_rocm():
    return holding(2 * GIB, settings=HIP)


@recording({OPENING: r'.*Remedy: call torch\.npu\.empty_cache\(\)',
            14: r'smallest that could hold the live 2\.00 GiB: Ascend 310 \(8 GB\); .* the same; with'})
def two_gibibytes_on_an_npu():
    return holding(2 * GIB, 'c10_npu::NPUCachingAllocator::malloc(...) ??:0', 'main train.py:5')


@recording({14: r'smallest that could hold the live 2\.00 GiB: NVIDIA GTX 1650 \(4 GB\) / '
                r'AMD RX 5500 XT, RX 6400 \(4 GB\) / Ascend 310 \(8 GB\);'})
def two_gibibytes_of_an_unknown_vendor():
    return holding(2 * GIB)


@recording({14: r'.*the live 2\.00 GiB: GTX 1650'})
def cuda_that_only_stacks_show():
    return holding(2 * GIB, 'c10::cuda::CUDACachingAllocator::malloc(...) ??:0', 'main train.py:5')


@recording({14: r'.*the live 2\.00 GiB: RX 5500 XT'})
def rocm_that_calls_itself_cuda():
    return holding(2 * GIB, 'c10::hip::HIPCachingAllocator::malloc(...) ??:0', 'at::cuda::wrap(...) ??:0',
                   'empty torch/cuda/memory.py:5')


@recording({14: r'.*could hold the live .*: T4 \(16 GB\); that holds'})
def just_fits():
    return holding((14930 - 512) * MIB, settings=CUDA)


@recording({14: r'.*could hold the live .*: RTX 4080 \(16 GB\); that holds'})
def just_does_not_fit():
    return holding((14930 - 512) * MIB + 1, settings=CUDA)


@recording({14: r'.*could hold the live 400\.0 GiB: no NVIDIA card of the list;'})
def more_than_any_card():
    return holding(400 * GIB, settings=CUDA)


@recording({14: r'smallest that could hold the live and the refused 10\.0 GiB: GTX 1080 Ti \(11 GB\); '
                r'its own card has at least 8\.00 GiB, and refused it; with'})
def refused_on_a_card_of_known_size():
    story = Story(settings=CUDA)
    story.alloc(6 * GIB, 'build model.py:10')
    story.fail(4 * GIB, 'grow model.py:20', device_free=2 * GIB)
    return story


@recording({14: r'.*the live 3\.00 GiB: GTX 1650.*; peaks before the recording are unknown;'})
def begins_late():
    story = Story(settings=CUDA)
    story.held(2 * GIB)
    story.alloc(GIB, 'work model.py:11')
    return story
