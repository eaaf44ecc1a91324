# SPDX-License-Identifier: Apache-2.0
"""Programs whose blocks have roles by construction, for roles.py. A program may name roles that must be told at its
peak, so that silence alone does not pass."""

from program import (ACTIVATIONS, BACKWARD, CALL, ENGINE, GRADIENTS, INPUTS, LINEAR, OTHERS, PARAMETERS, SHAPES, STATE,
                     TEMPORARY, Program)
from story import KIB, MIB

SCRIPTS = {}  # by name: the function, and the roles that must be told at the peak


def program(*told):
    def enter(function):
        SCRIPTS[function.__name__] = function, told
        return function
    return enter


def trained(build=Program.build, count=3, **update):
    story = Program()
    build(story)
    for _ in range(count):
        story.iterate(**update)
    return story


@program(PARAMETERS, GRADIENTS, ACTIVATIONS)
def sgd():
    return trained(states=0, name='SGD')


@program(PARAMETERS, GRADIENTS, ACTIVATIONS, STATE)
def adam_from_the_start():
    return trained()


@program(PARAMETERS, GRADIENTS, ACTIVATIONS, STATE)
def adam_without_announcements():
    story = Program(steps=False)
    story.build()
    for _ in range(3):
        story.iterate()
    return story


def late(states, name, extra=()):
    """A recording that begins after the first steps: nothing is known of what was live."""
    story = Program()
    story.parameters = [story.hold(PARAMETERS, size) for size in SHAPES]
    story.states = [story.hold(STATE, size) for size in SHAPES for _ in range(states)] or [None]
    for role, size in extra:
        story.hold(role, size)
    for _ in range(3):
        story.iterate(states=states, name=name)
    return story


@program(PARAMETERS, GRADIENTS, ACTIVATIONS, STATE)
def adam_from_step_5():
    return late(2, 'AdamW')


@program(GRADIENTS, ACTIVATIONS)
def momentum_from_step_5():
    return late(1, 'SGD')


@program(GRADIENTS, ACTIVATIONS)
def adam_with_a_copy_from_step_5():
    return late(2, 'AdamW', [(OTHERS, size) for size in SHAPES])


@program(PARAMETERS, STATE)
def begins_within_a_forward_pass():
    story = Program()
    story.parameters = [story.hold(PARAMETERS, size) for size in SHAPES]
    story.states = [story.hold(STATE, size) for size in SHAPES for _ in range(2)]
    story.saved = [story.hold(ACTIVATIONS, 5 * MIB) for _ in range(3)]
    story.backward()
    story.update()
    story.forget()
    for _ in range(2):
        story.iterate()
    return story


@program(GRADIENTS, ACTIVATIONS)
def replaced_parameters():
    return trained(replace=True)


@program(PARAMETERS, GRADIENTS, ACTIVATIONS, STATE)
def micro_batches():
    story = Program()
    story.build()
    for _ in range(3):
        for part in range(4):
            batch = story.load()
            story.forward()
            story.backward(accumulate=part > 0)
            story.free(batch)
        story.update()
        story.forget()
    return story


@program(PARAMETERS, GRADIENTS, STATE)
def checkpointing():
    story = Program()
    story.build()
    recompute = ('at::_ops::linear::call(...) ??:0', 'forward torch/nn/modules/linear.py:125', CALL,
                 'forward model.py:31', 'backward torch/utils/checkpoint.py:300',
                 'torch::autograd::PyNode::apply(...) ??:0', *ENGINE)
    for _ in range(3):
        batch = story.load()
        story.forward(layers=1)
        story.free(*[story.make(TEMPORARY, 6 * MIB, *LINEAR) for _ in range(3)])
        again = [story.bare(ACTIVATIONS, 6 * MIB, *recompute) for _ in range(3)]
        story.free(*again)
        story.backward()
        story.update()
        story.forget()
        story.free(batch)
    return story


@program()
def inference_with_a_cache():
    story = Program()
    story.build()
    for _ in range(6):
        batch = story.load()
        scores = story.make(TEMPORARY, 3 * MIB, *LINEAR)
        story.kept.append(story.make(OTHERS, MIB, 'at::_ops::cat::call(...) ??:0', 'update cache.py:88', *LINEAR[2:]))
        story.free(scores, batch)
    return story


@program()
def forward_passes_only():
    story = Program()
    story.build()
    for _ in range(3):
        batch = story.load()
        story.forward()
        story.free(batch, *story.saved)
        story.saved = []
    return story


@program(GRADIENTS, ACTIVATIONS, STATE)
def frozen_with_adapters():
    story = Program()
    story.build(shapes=(16 * MIB, 16 * MIB, 8 * KIB))
    story.parameters, adapters = [], story.parameters
    adapters = story.build(shapes=(64 * KIB, 48 * KIB))
    for _ in range(3):
        batch = story.load()
        story.forward()
        story.backward(trained=adapters)
        story.update(trained=adapters)
        story.forget()
        story.free(batch)
    return story


def averaged(copies):
    def build(story):
        story.build()
        for _ in range(copies):
            story.build(role=OTHERS, frame='__deepcopy__ torch/nn/parameter.py:68')
    return trained(build)


@program(GRADIENTS, ACTIVATIONS, STATE)
def averaged_copy():
    return averaged(1)


@program(GRADIENTS, ACTIVATIONS, STATE)
def two_averaged_copies():
    """As many blocks of a size as a parameter and its two states."""
    return averaged(2)


@program(PARAMETERS, GRADIENTS, STATE)
def autocast_copies():
    story = Program()
    story.build()
    cast = ('at::_ops::_to_copy::call(...) ??:0', 'at::autocast::cached_cast(...) ??:0', *LINEAR)
    for _ in range(3):
        batch = story.load()
        copies = [story.make(OTHERS, parameter.size // 2, *cast) for parameter in story.parameters]
        story.forward()
        story.saved += copies
        story.backward()
        story.update()
        story.forget()
        story.free(batch)
    return story


@program(PARAMETERS, GRADIENTS, ACTIVATIONS, STATE)
def gradients_that_are_zeroed():
    story = Program()
    story.build()
    for number in range(3):
        batch = story.load()
        story.forward()
        story.backward(accumulate=number > 0)
        story.update()
        story.announce('Optimizer.zero_grad#AdamW.zero_grad', lambda: None)
        story.free(batch)
    return story


@program(PARAMETERS, GRADIENTS, STATE)
def outputs_and_workspaces_that_are_kept():
    story = Program()
    story.build()
    workspace = ('at::cuda::getNewWorkspace() ??:0', 'at::cuda::getCurrentCUDABlasHandle() ??:0')
    logits = loss = None
    for number in range(3):
        batch = story.load()
        if number == 0:
            story.make(OTHERS, 8519680, *workspace, *LINEAR)
        story.forward()
        new = story.make(ACTIVATIONS, 7 * MIB, *LINEAR)
        story.free(*[logits] if logits else [])
        logits = new
        new = story.make(ACTIVATIONS, 4, 'at::_ops::nll_loss::call(...) ??:0', 'cross_entropy loss.py:9')
        story.free(*[loss] if loss else [])
        loss = new
        if number == 0:
            story.bare(OTHERS, 8519680, *workspace, *BACKWARD)
        story.backward()
        story.update()
        story.forget()
        story.free(batch)
    return story


@program()
def step_that_runs_the_passes():
    """A program may give its passes to the optimizer's step, as Lightning does."""
    story = Program()
    story.build()
    for _ in range(3):
        batch = story.load()

        def work():
            story.announces = False
            story.forget()
            story.forward()
            story.backward()
            story.update()
            story.announces = True
        story.announce('Optimizer.step#AdamW.step', work)
        story.free(batch)
    return story


@program()
def buckets_of_gradients():
    story = Program()
    story.build()
    reducer = ('c10d::Reducer::initialize_buckets(...) ??:0', '__init__ torch/nn/parallel/distributed.py:800')
    bucket = story.make(GRADIENTS, sum(SHAPES), *reducer)
    for _ in range(3):
        batch = story.load()
        story.forward()
        story.backward(into=bucket)
        story.update()
        story.announce('Optimizer.zero_grad#AdamW.zero_grad', lambda: None)
        story.free(batch)
    return story


@program()
def sharded_parameters():
    story = Program()
    story.build()
    for _ in range(3):
        whole = story.make(PARAMETERS, 6 * MIB, 'at::_ops::empty::call(...) ??:0',
                           '_alloc_storage torch/distributed/fsdp/_flat_param.py:1400', *LINEAR[2:])
        story.iterate()
        story.free(whole)
    return story


@program()
def refused_in_the_first_forward_pass():
    story = Program()
    story.build()
    story.load()
    story.forward()
    story.fail(64 * MIB, *LINEAR)
    return story


@program(PARAMETERS, GRADIENTS, STATE)
def refused_in_a_later_forward_pass():
    story = trained()
    story.load()
    story.forward(layers=4)
    story.fail(64 * MIB, *LINEAR)
    return story


@program()
def one_step_and_the_model_is_gone():
    story = trained(count=1)
    story.free(*story.parameters, *story.states)
    story.parameters, story.states = [], []
    story.build(shapes=(6 * MIB,))
    story.iterate()
    return story


@program()
def ring_that_overflowed():
    story = trained(count=6)
    story.wrap(70)
    return story


@program(ACTIVATIONS, STATE)
def outputs_that_leak():
    story = Program()
    story.build()
    for _ in range(4):
        batch = story.load()
        story.forward()
        story.kept.append(story.make(ACTIVATIONS, MIB, *LINEAR))
        story.backward()
        story.update()
        story.forget()
        story.free(batch)
    return story


@program(GRADIENTS, ACTIVATIONS, STATE)
def inputs_with_gradients():
    """Adversarial training: the batch gets a gradient too."""
    story = Program()
    story.build()
    for _ in range(3):
        batch = story.load()
        story.forward()
        gradient = story.bare(GRADIENTS, 96 * KIB, *BACKWARD)
        story.backward()
        story.update()
        story.forget()
        story.free(gradient, batch)
    return story


@program(PARAMETERS, ACTIVATIONS)
def gradients_replaced_by_the_step():
    story = Program()
    story.build()
    for _ in range(3):
        batch = story.load()
        story.forward()
        story.backward()
        old, story.gradients = story.gradients, []
        with story.phase('Optimizer.step#Own.step'):
            for gradient in old:
                story.gradients.append(story.make(GRADIENTS, gradient.size, 'at::_ops::mul::call(...) ??:0',
                                                  'step own.py:31', 'wrapper torch/optim/optimizer.py:493'))
                story.free(gradient)
        story.free(batch)
        story.forget()
    return story


@program(PARAMETERS, ACTIVATIONS, STATE)
def two_models_with_an_optimizer_each():
    story = Program()
    models = story.build(shapes=(3 * MIB, 3 * KIB)), story.build(shapes=(2 * MIB, 5 * KIB))
    states = [], []
    for _ in range(3):
        for model, own in zip(models, states):
            batch = story.load()
            story.forward()
            story.backward(trained=model)
            story.states = own
            story.update(trained=model)
            story.forget()
            story.free(batch)
    return story


@program()
def functions_without_modules():
    story = Program()
    weights = [story.make(PARAMETERS, size, 'at::_ops::randn::call(...) ??:0', 'weights functional.py:5')
               for size in SHAPES]
    story.parameters = weights
    for _ in range(3):
        batch = story.load()
        for _ in range(2):
            story.saved.append(story.make(ACTIVATIONS, 5 * MIB, 'at::_ops::mm::call(...) ??:0', 'loss functional.py:9'))
        out = story.make(ACTIVATIONS, MIB, 'at::_ops::mm::call(...) ??:0', 'loss functional.py:10')
        story.backward()
        story.update()
        story.forget()
        story.free(batch, out)
    return story


@program(GRADIENTS, ACTIVATIONS, STATE)
def data_that_stays():
    story = Program()
    story.make(INPUTS, 9 * MIB, 'at::_ops::randint::call(...) ??:0', 'main bench.py:12')
    story.make(INPUTS, 4 * MIB, 'at::_ops::randint::call(...) ??:0', 'main bench.py:13')  # as large as a weight
    story.build()
    for _ in range(3):
        story.forward()
        story.backward()
        story.update()
        story.forget()
    return story


@program(PARAMETERS, GRADIENTS, ACTIVATIONS, STATE)
def average_that_is_replaced():
    story = Program()
    story.build()
    average = []
    for _ in range(4):
        story.iterate()
        old, average = average, [story.make(OTHERS, size, 'at::_ops::add::call(...) ??:0', 'average ema.py:14')
                                 for size in SHAPES]
        story.free(*old)
    return story


@program(PARAMETERS, GRADIENTS, ACTIVATIONS, STATE)
def optimizer_in_a_wrapper():
    story = Program()
    story.parameters = [story.hold(PARAMETERS, size) for size in SHAPES]
    story.states = [story.hold(STATE, size) for size in SHAPES for _ in range(2)]
    for _ in range(3):
        batch = story.load()
        story.forward()
        story.backward()
        story.announce('Optimizer.step#AcceleratedOptimizer.step', story.update)
        story.forget()
        story.free(batch)
    return story


@program(GRADIENTS, ACTIVATIONS)
def state_that_is_loaded():
    story = Program()
    story.build()
    story.states = [story.make(STATE, size, 'at::_ops::_to_copy::call(...) ??:0',
                               '_process_value_according_to_param_policy torch/optim/optimizer.py:770',
                               'load_state_dict torch/optim/optimizer.py:870') for size in SHAPES for _ in range(2)]
    for _ in range(3):
        story.iterate()
    return story


@program(GRADIENTS, ACTIVATIONS)
def quantised_weights():
    story = Program()
    story.build(shapes=(MIB, MIB), frame='_apply torch/nn/modules/module.py:920')
    story.parameters, adapters = [], story.build(shapes=(64 * KIB, 48 * KIB))
    for _ in range(3):
        batch = story.load()
        for _ in range(2):
            story.free(story.make(TEMPORARY, 8 * MIB, 'at::_ops::empty::call(...) ??:0', 'dequantize_4bit quant.py:70',
                                  *LINEAR[2:]))
        story.forward()
        story.backward(trained=adapters)
        story.update(trained=adapters)
        story.forget()
        story.free(batch)
    return story


@program(PARAMETERS, GRADIENTS, ACTIVATIONS, STATE)
def stacks_that_are_cut():
    """Some stacks of a backward pass end before the function that names it."""
    story = Program()
    story.build()
    for _ in range(3):
        batch = story.load()
        story.forward()
        bare = story.bare
        story.bare = lambda role, size, *frames: bare(role, size, *(frames if size >= MIB else
                                                                   ('at::detail::empty_cuda(...) ??:0',)))
        story.backward()
        story.bare = bare
        story.update()
        story.forget()
        story.free(batch)
    return story


@program(PARAMETERS, GRADIENTS, ACTIVATIONS, STATE)
def validation_between_steps():
    story = Program()
    story.build()
    for _ in range(3):
        story.iterate()
        batch = story.load()
        for _ in range(3):
            story.free(story.make(TEMPORARY, 6 * MIB, *LINEAR))
        story.free(batch)
    return story


@program(PARAMETERS, GRADIENTS, ACTIVATIONS)
def one_step():
    story = Program()
    story.build()
    batch = story.load()
    story.forward()
    story.backward()
    story.update()
    del batch
    return story


@program(GRADIENTS, ACTIVATIONS, STATE)
def second_model_that_is_not_trained():
    story = trained()
    story.build(shapes=(8 * MIB, MIB))
    story.parameters = story.parameters[:len(SHAPES)]
    story.iterate()
    return story


@program(GRADIENTS, ACTIVATIONS, STATE)
def parameters_made_by_the_first_forward_pass():
    story = Program()
    for number in range(3):
        batch = story.load()
        if number == 0:
            story.parameters = [story.make(PARAMETERS, size, 'at::_ops::empty::call(...) ??:0',
                                           'initialize_parameters torch/nn/modules/linear.py:270', CALL)
                                for size in SHAPES]
        story.forward()
        story.backward()
        story.update()
        story.forget()
        story.free(batch)
    return story


@program(ACTIVATIONS, STATE)
def parameters_made_late_by_the_program():
    story = Program()
    story.build()
    for number in range(3):
        batch = story.load()
        if number == 0:
            story.parameters.append(story.make(PARAMETERS, 3 * MIB, *LINEAR))
        story.forward()
        story.backward()
        story.update()
        story.forget()
        story.free(batch)
    return story


@program(PARAMETERS, ACTIVATIONS, STATE)
def gradients_replaced_before_the_step():
    story = Program()
    story.build()
    for _ in range(3):
        batch = story.load()
        story.forward()
        story.backward()
        old, story.gradients = story.gradients, []
        for gradient in old:
            story.gradients.append(story.make(GRADIENTS, gradient.size, 'at::_ops::mul::call(...) ??:0',
                                              'clip own.py:8'))
            story.free(gradient)
        story.update()
        story.forget()
        story.free(batch)
    return story


@program(STATE)
def gradients_replaced_and_dropped_unannounced():
    story = Program()
    story.build()
    for _ in range(3):
        batch = story.load()
        story.forward()
        story.backward()
        old, story.gradients = story.gradients, []
        for gradient in old:
            story.gradients.append(story.make(GRADIENTS, gradient.size, 'at::_ops::mul::call(...) ??:0',
                                              'clip own.py:8'))
            story.free(gradient)
        story.update()
        story.announces = False
        story.forget()
        story.announces = True
        story.free(batch)
    return story


@program(PARAMETERS, GRADIENTS, STATE)
def distributions_in_the_loss():
    """Objects that the loss constructs hold tensors of the graph."""
    story = Program()
    story.build()
    held = None
    for _ in range(3):
        batch = story.load()
        story.forward()
        new = story.make(ACTIVATIONS, 2 * MIB, 'at::_ops::add::call(...) ??:0',
                         '__init__ torch/distributions/normal.py:60', 'loss own.py:4')
        story.saved.append(story.make(ACTIVATIONS, MIB, 'at::_ops::add::call(...) ??:0',
                                      '__init__ torch/distributions/normal.py:61', 'loss own.py:4'))
        story.free(*[held] if held else [])
        held = new
        story.backward()
        story.update()
        story.forget()
        story.free(batch)
    return story


@program(PARAMETERS, GRADIENTS, STATE)
def data_moved_by_the_forward_pass():
    story = Program()
    story.build()
    for _ in range(3):
        story.saved.append(story.make(INPUTS, 96 * KIB, 'at::_ops::_to_copy::call(...) ??:0',
                                      'at::_ops::to_device::call(...) ??:0', *LINEAR[2:]))
        story.forward()
        story.backward()
        story.update()
        story.forget()
    return story


@program(PARAMETERS, GRADIENTS, ACTIVATIONS, STATE)
def workspace_of_the_step():
    story = Program()
    story.build()
    for number in range(3):
        batch = story.load()
        story.forward()
        story.backward()
        if number == 0:
            story.begin('Optimizer.step#Muon.step')
            story.make(OTHERS, 8519680, 'at::cuda::getNewWorkspace() ??:0', 'at::_ops::mm::call(...) ??:0',
                       'step muon.py:9', 'wrapper torch/optim/optimizer.py:493')
            story.update()
            story.end('Optimizer.step#Muon.step')
        else:
            story.update()
        story.forget()
        story.free(batch)
    return story


@program(GRADIENTS, ACTIVATIONS, STATE)
def recomputed_without_reentry():
    """Hooks of saved tensors recompute within the pass; the stacks have Python and the engine."""
    story = Program()
    story.build()
    recompute = (*LINEAR, 'recompute_fn torch/utils/checkpoint.py:1100', 'unpack_hook torch/utils/checkpoint.py:1129',
                 *BACKWARD)
    for _ in range(3):
        batch = story.load()
        story.forward(layers=1)
        story.free(*[story.make(TEMPORARY, 6 * MIB, *LINEAR) for _ in range(2)])
        first = story.bare(TEMPORARY, MIB, *BACKWARD)
        again = [story.bare(ACTIVATIONS, 6 * MIB, *recompute) for _ in range(2)]
        story.free(first, story.bare(TEMPORARY, MIB, *BACKWARD), *again)
        story.backward()
        story.update()
        story.forget()
        story.free(batch)
    return story


@program(GRADIENTS, ACTIVATIONS)
def forces_before_the_loss():
    """A first backward pass, which is part of the forward pass, makes a graph of its own."""
    story = Program()
    story.build()
    for _ in range(3):
        batch = story.load()
        story.forward()
        graph = [story.bare(ACTIVATIONS, 2 * MIB, *BACKWARD) for _ in range(2)]
        story.free(story.bare(TEMPORARY, MIB, *BACKWARD))
        story.make(ACTIVATIONS, MIB, 'at::_ops::sub::call(...) ??:0', 'loss own.py:9')
        story.saved += graph
        story.backward()
        story.update()
        story.forget()
        story.free(batch)
    return story


@program(PARAMETERS, GRADIENTS, STATE)
def stacks_of_python_only():
    """Neither the casts nor the workspace of the step are visible, nor the stacks of the backward pass."""
    story = Program()
    alloc = story.alloc
    story.alloc = lambda size, *frames: alloc(size, *[frame for frame in frames if '.py:' in frame])
    story.build()
    for number in range(3):
        batch = story.load()
        copies = [story.make(OTHERS, parameter.size // 2, *LINEAR) for parameter in story.parameters]
        story.forward()
        story.saved += copies
        story.backward()
        if number == 0:
            story.begin('Optimizer.step#Muon.step')
            story.make(OTHERS, 8519680, 'step muon.py:9', 'wrapper torch/optim/optimizer.py:493')
            story.update()
            story.end('Optimizer.step#Muon.step')
        else:
            story.update()
        story.forget()
        story.free(batch)
    return story


@program(GRADIENTS, STATE)
def workspace_as_large_as_a_parameter():
    """The stacks do not show the workspaces of the forward and the backward pass, nor what was there before."""
    story = Program()
    story.parameters = [story.hold(PARAMETERS, size) for size in (4 * MIB, 5 * MIB)]
    story.hold(OTHERS, 32 * MIB)
    story.hold(OTHERS, 5 * MIB)
    for number in range(3):
        batch = story.load()
        story.forward()
        if number == 0:
            story.bare(OTHERS, 32 * MIB, *BACKWARD)
            story.bare(OTHERS, 5 * MIB, *BACKWARD)
        story.backward()
        story.update()
        story.forget()
        story.free(batch)
    return story


@program(GRADIENTS, STATE)
def workspace_in_the_only_step():
    story = Program()
    story.parameters = [story.hold(PARAMETERS, 4 * MIB)]
    story.hold(OTHERS, 32 * MIB)
    story.forward()
    story.bare(OTHERS, 32 * MIB, *BACKWARD)
    story.backward()
    story.update()
    return story
