# SPDX-License-Identifier: Apache-2.0
"""Recordings of programs that leak, and of programs that do not: question 7."""

from story import GIB, KIB, MIB, Story
from table import SILENT_OR, recording
from training import ACTIVATION, CALL, Training

NO = SILENT_OR + 'no: '


def leaks(size, steps, owner):
    """The answer that a recording leaks `size` bytes a step: all steps but the first and the last count."""
    return rf'yes: {size} (\([0-9,]+ bytes\) )?a step .*in each of {steps} steps.* from {owner} \('


# ---- training

def train(steps, phases, after=lambda story, number: None, layers=6, batch=lambda number: 1, mark=None):
    story = Story()
    program = Training(story, layers, phases)
    program.build()
    for number in range(steps):
        if mark:
            story.mark(mark.format(number))
        program.iterate(batch(number))
        after(story, number)
    return story


def appends(size, every=1):
    def append(story, number):
        if number % every == 0:
            story.alloc(size, 'append metrics.py:88', 'train train.py:44', 'main train.py:60')
    return append


@recording({7: 'no: '})
def training_with_phases():
    return train(8, True)


@recording({7: 'no: '})
def training_without_phases():
    return train(8, False)


@recording({7: 'no: '})
def training_with_marks():
    return train(8, False, mark='step {}')


@recording({7: NO})
def training_with_batches_of_all_sizes():
    return train(14, True, batch=lambda number: 0.5 + number * 7 % 11 / 10)


@recording({7: NO})
def optimizer_state_of_the_first_step():
    return train(1, True)


@recording({7: NO})
def two_steps():
    return train(2, True)


@recording({7: leaks(r'512\.0 KiB', 7, 'append')})
def leak_with_phases():
    return train(10, True, appends(512 * KIB))


@recording({7: leaks(r'512\.0 KiB', 7, 'append')})
def leak_with_marks():
    return train(10, False, appends(512 * KIB), mark='step {}')


@recording({7: SILENT_OR + 'yes: '})
def losses_that_are_kept():
    return train(10, True, appends(512))


@recording({7: leaks(r'2\.00 MiB', '[5-8]', 'append')})
def leak_without_phases():
    return train(10, False, appends(2 * MIB))


@recording({7: leaks(r'2\.00 MiB', 11, 'append')})
def leak_with_batches_of_all_sizes():
    return train(14, True, appends(2 * MIB), batch=lambda number: 0.5 + number * 7 % 11 / 10)


@recording({7: SILENT_OR + 'yes: '})
def leak_every_second_step():
    return train(16, True, appends(2 * MIB, every=2))


@recording({7: SILENT_OR + 'yes: '})
def leak_every_sixth_step():
    return train(20, True, appends(2 * MIB, every=6))


@recording({7: SILENT_OR + 'yes: '})
def leak_of_odd_sizes():
    return train(16, True, lambda story, number: appends(30000 + number * 7919 % 4001)(story, number))


@recording({7: NO})
def leak_that_ends():
    """A table grows in the first steps, and then stays."""
    return train(20, True, lambda story, number: appends(2 * MIB)(story, number) if number < 6 else None)


@recording({7: SILENT_OR + 'yes: '})
def leak_of_few_steps():
    return train(4, True, appends(2 * MIB))


@recording({7: NO})
def cache_that_is_released():
    """Blocks are collected over all steps, and freed by the last."""
    kept = []

    def collect(story, number):
        kept.append(story.alloc(2 * MIB, 'append metrics.py:88', 'train train.py:44', 'main train.py:60'))
        if number == 11:
            story.free(*kept)
    return train(12, True, collect)


@recording({7: NO})
def queue_of_the_last_steps():
    """A queue keeps the outputs of the last six steps."""
    kept = []

    def push(story, number):
        kept.append(story.alloc(2 * MIB, 'push queue.py:8', 'train train.py:44', 'main train.py:60'))
        if len(kept) > 6:
            story.free(kept.pop(0))
    return train(14, True, push)


@recording({7: NO})
def metrics_of_an_epoch():
    """A list grows in each step of an epoch, and is dropped at its end: after 6 of 14 steps."""
    kept = []

    def collect(story, number):
        kept.append(story.alloc(2 * MIB, 'append metrics.py:88', 'train train.py:44', 'main train.py:60'))
        if number == 5:
            story.free(*kept)
            kept.clear()
    return train(14, True, collect)


@recording({7: NO})
def two_optimizers():
    """A generator and a discriminator have an optimizer each, so each iteration has two of their steps."""
    story = Story()
    programs = [Training(story, layers) for layers in (3, 5)]
    for program in programs:
        program.build()
    for _ in range(8):
        for program in programs:
            program.iterate()
    return story


@recording({7: SILENT_OR + 'yes: '})
def leak_with_two_optimizers():
    story = Story()
    programs = [Training(story, layers) for layers in (3, 5)]
    for program in programs:
        program.build()
    for number in range(8):
        for program in programs:
            program.iterate()
        appends(2 * MIB)(story, number)
    return story


@recording({7: NO})
def accumulated_gradients():
    """Each step has four micro-batches, whose losses stay until the step."""
    story = Story()
    program = Training(story, 4)
    program.build()
    for _ in range(6):
        losses = []
        for _ in range(4):
            program.backward(program.forward())
            losses.append(story.alloc(512 * KIB, 'append train.py:48', 'main train.py:60'))
        program.step()
        program.zero_grad()
        story.free(*losses)
    return story


@recording({7: NO})
def buckets_of_the_second_step():
    """Data-parallel training makes its buckets, and again after the first step; workspaces come later."""
    def work(story, number):
        if number in (0, 1):
            story.alloc(25 * MIB, '_ddp_init_helper distributed.py:1200', 'train train.py:44', 'main train.py:60')
        if number == 3:
            story.alloc(8 * MIB, 'getCUDABlasLtWorkspace ??:0', 'forward linear.py:125', 'main train.py:60')
    return train(12, True, work)


@recording({7: NO})
def parameters_replaced_in_each_step():
    story = Story()
    program = Training(story, 4)
    program.build()
    for _ in range(8):
        program.iterate()
        for number, parameter in enumerate(program.parameters):
            program.parameters[number] = story.alloc(parameter.size, 'apply_gradient update.py:7', 'train train.py:44')
            story.free(parameter)
    return story


# ---- one step, and layers in it

def one_step(layers, stop=None, mark=None):
    """One step of a program that recorded from its step on. `stop` names the place where the recording ends."""
    story = Story()
    program = Training(story, layers, phases=False)
    for _ in range(layers):
        story.held(4 * MIB)
    for layer in range(layers):
        if mark:
            story.mark(mark.format(layer))
        program.activations.append(program.forward_layer())
    if stop == 'backward':
        return story
    program.backward()
    if stop == 'optimizer':
        return story
    program.zero_grad()
    return story


@recording({7: NO})
def one_step_of_many_layers():
    return one_step(24)


@recording({7: NO})
def forward_pass_alone():
    return one_step(24, stop='backward')


@recording({7: NO})
def forward_pass_with_marks_of_layers():
    return one_step(24, stop='backward', mark='layer {}')


@recording({7: NO})
def forward_pass_with_marks_of_blocks():
    return one_step(24, stop='backward', mark='DecoderLayer.step {}')


@recording({7: NO})
def first_backward_pass_keeps_gradients():
    return one_step(24, stop='optimizer')


@recording({7: NO})
def optimizer_in_the_backward_pass():
    """A layer's parameters are updated as soon as their gradients exist: there are as many optimizer steps as layers,
    and the first of each makes its state."""
    story = Story()
    held = [[story.held(ACTIVATION), story.held(2 * ACTIVATION)] for _ in range(24)]
    for layer in range(24):
        temporary = story.alloc(12 * MIB, 'AddmmBackward0::apply(...) ??:0',
                                'torch::autograd::Engine::thread_main(...) ??:0')
        gradient = story.alloc(4 * MIB, 'torch::autograd::AccumulateGrad::apply(...) ??:0',
                               'torch::autograd::Engine::thread_main(...) ??:0')
        story.free(temporary)
        with story.phase('Optimizer.step#AdamW.step'):
            for line in (140, 146):
                story.alloc(4 * MIB, f'_init_group torch/optim/adamw.py:{line}', 'hook train.py:30')
        story.free(gradient)
        if layer % 8 == 7:
            story.free(*held[layer])
    return story


@recording({7: NO})
def checkpointed_forward_pass():
    """Each layer keeps its input alone, one part in thirty of what it allocates."""
    story = Story()
    program = Training(story, phases=False)
    for _ in range(24):
        story.alloc(MIB, *program.forward_stack('forward checkpoint.py:200'))
        inside = [story.alloc(3 * MIB, *program.forward_stack(f'forward attention.py:{line}')) for line in range(10)]
        story.free(*inside)
    return story


@recording({7: NO})
def hidden_states_of_an_inference():
    """A forward pass without gradients that returns the output of each layer."""
    story = Story()
    program = Training(story, phases=False)
    for _ in range(16):
        story.held(16 * MIB)
    for _ in range(32):
        inside = [story.alloc(3 * MIB, *program.forward_stack(f'forward attention.py:{line}')) for line in range(40)]
        story.alloc(MIB, *program.forward_stack('forward model.py:44'))
        story.free(*inside)
    return story


@recording({7: NO})
def forward_passes_with_marks_of_layers():
    """Six passes without gradients, each of twelve marked layers."""
    story = Story()
    program = Training(story, phases=False)
    story.held(GIB)
    for _ in range(6):
        outputs = []
        for layer in range(12):
            story.mark(f'layer {layer}')
            outputs.append(story.alloc(MIB, *program.forward_stack('forward model.py:44')))
            story.free(*[story.alloc(3 * MIB, *program.forward_stack(f'forward attention.py:{line}'))
                         for line in range(5)])
        story.free(*outputs)
    return story


# ---- marks that are no steps

@recording({7: NO})
def marks_of_an_autotuner():
    """An autotuner tries configurations, and keeps a workspace of each until the best is known."""
    story = Story()
    story.held(GIB)
    for number in range(16):
        story.mark(f'autotune: config {number}')
        story.alloc(4 * MIB, 'bench autotuner.py:120', 'run autotuner.py:200', 'main serve.py:9')
        flush = story.alloc(256 * MIB, 'do_bench testing.py:100', 'bench autotuner.py:122')
        story.free(flush)
    return story


@recording({7: NO})
def steps_of_an_autotuner():
    story = Story()
    for number in range(16):
        with story.phase(f'autotune step {number}'):
            story.alloc(4 * MIB, 'bench autotuner.py:120', 'run autotuner.py:200', 'main serve.py:9')
            story.free(story.alloc(256 * MIB, 'do_bench testing.py:100', 'bench autotuner.py:122'))
    return story


def micro_batches(count, label, steps=1, finish=False):
    """Gradients are accumulated over micro-batches. The outputs of each stay until the end of the step."""
    story = Story()
    program = Training(story, 4, phases=False)
    for _ in range(4):
        story.held(4 * MIB)
    for number in range(steps):
        outputs = []
        for micro in range(count):
            if label:
                story.mark(label.format(micro))
            program.backward(program.forward())
            outputs.append(story.alloc(512 * KIB, 'append train.py:48', 'main train.py:60'))
        if number + 1 < steps or finish:
            story.free(*outputs)
            program.zero_grad()
    return story


@recording({7: NO})
def micro_batches_of_whole_steps():
    return micro_batches(8, 'micro-batch {}', steps=5, finish=True)


@recording({7: NO})
def micro_batches_cut_within_a_step():
    return micro_batches(8, 'microbatch {}', steps=1)


@recording({7: NO})
def micro_batches_of_a_pipeline():
    """The forward passes of all micro-batches come first; their activations stay until the backward passes."""
    story = Story()
    program = Training(story, 4, phases=False)
    for micro in range(12):
        story.mark(f'forward microbatch {micro}')
        program.forward()
    return story


# ---- inference

def generate(tokens, concatenates, requests=1, finish=True, mark=None):
    story = Story()
    program = Training(story, 4, phases=False)
    story.held(GIB)
    for _ in range(requests):
        cache = []
        for token in range(tokens):
            if mark:
                story.mark(mark.format(token))
            for layer in range(4):
                inside = [story.alloc(64 * KIB + line, *program.forward_stack(f'forward attention.py:{line}'))
                          for line in range(3)]
                size = 16 * KIB * (token + 1 if concatenates else 1)
                grown = story.alloc(size, *program.forward_stack('update cache_utils.py:440'))
                if concatenates and token > 0:
                    story.free(cache[layer])
                    cache[layer] = grown
                else:
                    cache.append(grown)
                story.free(*inside)
        if finish:
            story.free(*cache)
    return story


@recording({7: NO})
def generation_with_a_cache():
    return generate(24, True, requests=4)


@recording({7: NO})
def generation_cut_in_the_middle():
    return generate(40, True, finish=False)


@recording({7: NO})
def generation_with_pages():
    return generate(24, False, requests=4)


@recording({7: NO})
def generation_with_pages_cut_in_the_middle():
    return generate(40, False, finish=False)


@recording({7: NO})
def generation_with_marks_cut_in_the_middle():
    return generate(40, False, finish=False, mark='decode step {}')


@recording({7: NO})
def evaluation_that_frees_its_outputs():
    story = Story()
    program = Training(story, 4, phases=False)
    story.held(GIB)
    outputs = []
    for _ in range(12):
        inside = program.forward_layer() + program.forward_layer()
        outputs.append(story.alloc(MIB, 'append evaluate.py:31', 'main train.py:60'))
        story.free(*inside)
    story.free(*outputs)
    return story


@recording({7: leaks(r'1\.00 MiB', 9, 'append')})
def evaluation_that_keeps_its_outputs():
    story = Story()
    program = Training(story, 4, phases=False)
    story.held(GIB)
    for number in range(12):
        with story.phase(f'evaluation step {number}'):
            inside = program.forward_layer() + program.forward_layer()
            story.alloc(MIB, 'append evaluate.py:31', 'main train.py:60')
            story.free(*inside)
    return story


# ---- loading

@recording({7: NO})
def model_that_is_built():
    story = Story()
    Training(story, 24).build()
    return story


@recording({7: NO})
def weights_that_are_quantised():
    """Each layer is loaded whole, and its small form stays: the recording ends with the last layer."""
    story = Story()
    for _ in range(32):
        for size, line in (32 * MIB, 10), (32 * MIB, 11), (86 * MIB, 12):
            whole = story.alloc(size, 'to modeling_utils.py:800', 'load quantize.py:40', 'main serve.py:9')
            inside = [story.alloc(size * 2, f'quantize_4bit functional.py:{900 + part}', 'load quantize.py:41',
                                  'main serve.py:9') for part in range(4)]
            story.alloc(size // 4, f'quantize_4bit functional.py:{950 + line}', 'load quantize.py:41',
                        'main serve.py:9')
            story.free(whole, *inside)
    return story


@recording({7: NO})
def layers_that_are_quantised_with_samples():
    """Each layer sees many samples, so that its small form is less than a hundredth of what it allocates."""
    story = Story()
    for _ in range(24):
        for sample in range(16):
            inside = [story.alloc(24 * MIB, f'forward attention.py:{50 + part}', CALL, 'search scale.py:40',
                                  'main quantize.py:9') for part in range(3)]
            story.free(*inside)
        story.alloc(8 * MIB, 'pack scale.py:77', 'main quantize.py:9')
    return story


# ---- recordings that are cut

@recording({7: NO})
def ring_that_begins_within_a_step():
    story = train(12, True)
    story.wrap(len(story.events) * 5 // 9)
    return story


@recording({7: leaks(r'2\.00 MiB', '[6-9]', 'append')})
def ring_of_a_leak():
    story = train(16, True, appends(2 * MIB))
    story.wrap(len(story.events) * 5 // 9)
    return story


def cut_within_a_step(steps, phases):
    story = Story()
    program = Training(story, 6, phases)
    program.build()
    for _ in range(steps):
        program.iterate()
    program.zero_grad()
    for _ in range(4):
        program.forward_layer()
    return story


@recording({7: 'no: '})
def cut_within_the_ninth_step():
    return cut_within_a_step(8, True)


@recording({7: NO})
def cut_within_the_second_step():
    return cut_within_a_step(1, True)


@recording({7: NO})
def cut_within_a_step_without_phases():
    return cut_within_a_step(5, False)
