# SPDX-License-Identifier: Apache-2.0
"""The holder of memory, where packages allocate it: the innermost line of the program, whatever the packages are named."""

from story import MIB, Story
from table import recording

SITE = '/venv/lib/python3.11/site-packages/'
DIST = '/usr/local/lib/python3.10/dist-packages/'
CONDA = '/opt/conda/envs/train/lib/python3.9/'
WINDOWS = 'C:\\venv\\Lib\\site-packages\\'


def held_by(*frames):
    story = Story()
    story.alloc(64 * MIB, *frames)
    story.alloc(8 * MIB, 'other other.py:1')
    return story


def holds(name):
    return {3: rf'of 72\.0 MiB live .*: 64\.0 MiB {name}, 1 block; then 8\.00 MiB other'}


@recording(holds(r'loss \(train\.py:12\)'))
def a_package_that_no_list_has():
    return held_by(f'__call__ {SITE}equinox/nn/_linear.py:80', 'loss train.py:12', 'main train.py:90')


@recording(holds(r'step \(train\.py:30\)'))
def packages_that_call_each_other():
    return held_by(f'update_fn {DIST}optax/_src/base.py:9', f'apply {DIST}flax/linen/module.py:3', 'step train.py:30')


@recording(holds(r'forward \(model\.py:8\)'))
def a_layer_of_a_package_below_a_module_of_the_program():
    return held_by(f'forward {SITE}torch_geometric/nn/conv.py:7', f'_call_impl {SITE}torch/nn/modules/module.py:1700',
                   'forward model.py:8', f'fit {SITE}lightning_utilities/loop.py:40', 'main train.py:2')


@recording(holds(r'main \(train\.py:2\)'))
def a_package_of_a_conda_environment():
    return held_by(f'run {CONDA}site-packages/mine/model.py:8', f'submit {CONDA}concurrent/futures/thread.py:50', 'main train.py:2')


@recording(holds(r'main \(train\.py:2\)'))
def a_package_on_windows():
    return held_by(f'forward {WINDOWS}diffusers\\models\\unet.py:7', 'main C:\\me\\train.py:2')


@recording(holds(r'forward \(modeling_qwen2\.py:46\)'))
def a_program_that_is_a_package():
    return held_by(f'forward {SITE}torch/nn/modules/linear.py:125', f'forward {SITE}transformers/models/qwen2/modeling_qwen2.py:46',
                   f'train {SITE}transformers/trainer.py:2000', '<module> /opt/conda/bin/finetune:8')


@recording(holds(r'<module> \(serve:8\)'))
def a_script_that_a_package_installs():
    return held_by(f'empty {SITE}torch/functional.py:1', '<module> /usr/local/bin/serve:8')


@recording(holds(r'main \(serve\.py:8\)'))
def a_script_of_the_program_in_a_folder_bin():
    return held_by(f'empty {SITE}torch/functional.py:1', 'main /data/me/bin/serve.py:8')


@recording(holds(r'forward \(layers\.py:4\)'))
def a_package_of_the_program_whose_path_is_cut():
    return held_by('linear torch/nn/functional.py:3', 'forward mine/layers.py:4')


@recording(holds(r'work \(pool\.cpp:40\)'))
def a_name_that_the_c_library_reserves():
    return held_by('at::_ops::empty::call(int) ??:0', 'work pool.cpp:40', '__xmknodat ??:0', 'clone ??:0')


@recording(holds(r'aten::empty'))
def threads_of_no_program():
    return held_by('at::_ops::empty::call(int) ??:0', 'pthread_condattr_setpshared ??:0', '__nss_database_lookup ??:0', 'clone ??:0')
