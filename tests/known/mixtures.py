# SPDX-License-Identifier: Apache-2.0
"""Programs that mix at random what the programs of programs.py do."""

import functools
import random

from program import ACTIVATIONS, BACKWARD, GRADIENTS, INPUTS, LINEAR, OTHERS, PARAMETERS, STATE, TEMPORARY, Program
from programs import SCRIPTS
from story import KIB, MIB


def random_program(number):
    """Combines what programs do at random; `number` is the seed."""
    pick = random.Random(number)
    story = Program(steps=pick.random() < 0.7)
    sizes = [pick.choice([MIB, 2 * MIB, 3 * MIB, 4 * KIB, 2 * KIB, 512]) for _ in range(pick.randint(1, 6))]
    frozen = [pick.choice([MIB, 8 * MIB, 4 * KIB]) for _ in range(pick.choice([0, 0, 1, 3]))]
    states = pick.choice([0, 1, 2])
    name = pick.choice(['AdamW', 'Own']) if states == 2 else 'SGD'
    averages, late = pick.random() < 0.25, pick.random() < 0.35
    if late:
        story.parameters = [story.hold(PARAMETERS, size) for size in sizes]
        for role, more in (PARAMETERS, frozen), (OTHERS, sizes if averages else ()):
            for size in more:
                story.hold(role, size)
        if pick.random() < 0.8:
            story.states = [story.hold(STATE, size) for size in sizes for _ in range(states)]
        if pick.random() < 0.3:
            story.gradients = [story.hold(GRADIENTS, size) for size in sizes]
    else:
        story.build(shapes=frozen)
        story.parameters = []
        story.build(shapes=sizes)
        if averages:
            story.build(shapes=sizes, role=OTHERS, frame='__deepcopy__ torch/nn/parameter.py:68')
        if pick.random() < 0.3:
            story.make(INPUTS, pick.choice([MIB, 96 * KIB]), 'at::_ops::randint::call(...) ??:0', 'main bench.py:12')
        if pick.random() < 0.2:
            story.states = [story.make(STATE, size, 'at::_ops::zeros_like::call(...) ??:0', '__init__ own.py:7')
                            for size in sizes for _ in range(states)]
    zeroes = bool(story.gradients) or pick.random() < 0.2
    replaces, parts, output = pick.random() < 0.2, pick.choice([1, 1, 1, 3]), None
    for _ in range(pick.randint(1, 5)):
        for _ in range(parts):
            output = random_passes(story, pick, output)
        if pick.random() < 0.3:
            story.free(story.make(TEMPORARY, 512, 'at::_ops::norm::call(...) ??:0', 'clip_grad_norm_ clip.py:3'))
        if not states:
            story.states = [None]
        story.update(states=states, name=name, replace=replaces)
        if not zeroes:
            story.forget(name)
    if pick.random() < 0.3:
        story.free(*story.parameters, *filter(None, story.states))
    if pick.random() < 0.25:
        story.wrap(min(pick.randint(20, max(21, len(story.events))), len(story.events)))
    return story


def random_passes(story, pick, output):
    """Runs a forward and a backward pass. Returns the output that the program holds."""
    batch = story.load()
    if pick.random() < 0.2:
        story.free(story.make(TEMPORARY, MIB, *LINEAR))
    story.forward(layers=pick.randint(1, 4))
    if pick.random() < 0.3:
        new = story.make(ACTIVATIONS, 7 * MIB, *LINEAR)
        story.free(*[output] if output else [])
        output = new
    if pick.random() < 0.3:
        story.saved.append(story.make(ACTIVATIONS, MIB, 'at::_ops::log_softmax::call(...) ??:0', 'loss own.py:3'))
    if pick.random() < 0.15:
        story.make(OTHERS, 8519680, 'at::_ops::mm::call(...) ??:0', *LINEAR[2:])
    if pick.random() < 0.15:
        story.bare(OTHERS, 8519680, 'at::cuda::getNewWorkspace() ??:0', *BACKWARD)
    story.backward(accumulate=bool(story.gradients))
    story.free(batch)
    return output


for seed in range(16):
    SCRIPTS[f'random_{seed}'] = functools.partial(random_program, seed), ()
