# SPDX-License-Identifier: Apache-2.0
"""Asks `tarn explain` what is parameters, optimizer state, gradients and activations, where a script knows it.

    python3 roles.py TARN FOLDER [NAME...]

Each block of a program has a role by construction. At several moments of each recording the claims are compared with
the sums of the roles: a figure must be equal to the byte, a lower bound no higher, and bytes that are not told apart
must have room for what is missing. A program may also name roles that must be told at its peak, so that silence alone
does not pass. Exits with 1 if a claim is wrong.
"""

import json
import subprocess
import sys

from story import KIB, MIB, Story

PARAMETERS, STATE, INPUTS, TEMPORARY = 'parameters', 'optimizer state', 'inputs', 'temporary'
ACTIVATIONS, GRADIENTS, OTHERS = 'activations', 'gradients', 'others'
ROLES = (PARAMETERS, STATE, INPUTS, TEMPORARY, ACTIVATIONS, GRADIENTS, OTHERS)

CALL = '_call_impl torch/nn/modules/module.py:1750'
ENGINE = ('torch::autograd::Engine::evaluate_function(...) ??:0', 'torch::autograd::Engine::thread_main(...) ??:0')
BACKWARD = ('torch::autograd::generated::AddmmBackward0::apply(...) ??:0', *ENGINE)
LINEAR = ('at::_ops::addmm::call(...) ??:0', 'at::_ops::linear::call(...) ??:0',
          'forward torch/nn/modules/linear.py:125', CALL, 'forward model.py:31', CALL)
SHAPES = (4 * MIB, 4 * KIB, 2 * MIB, 2 * KIB)  # weight and bias of two layers
SCRIPTS = {}  # by name: the function, and the roles that must be told at the peak


def program(*told):
    def enter(function):
        SCRIPTS[function.__name__] = function, told
        return function
    return enter


class Program(Story):
    """A story whose blocks have roles, and the parts of a training program."""

    def __init__(self, steps=True, main='main train.py:60', **options):
        super().__init__(**options)
        self.roles, self.sums, self.held_sums = {}, [], dict.fromkeys(ROLES, 0)
        self.announces, self.main = steps, main
        self.parameters, self.gradients, self.states, self.saved, self.kept = [], [], [], [], []

    # ---- blocks with roles

    def record(self, action, address, size, stream, stack):
        super().record(action, address, size, stream, stack)
        self.sums.append(None)  # filled by note()

    def note(self):
        """Stores the bytes of each role after the last event. A segment is taken before the block in it."""
        now = dict.fromkeys(ROLES, 0)
        for segment in self.segments:
            for block in segment.blocks.values():
                now[self.roles[block]] += block.size
        before = next((entry for entry in reversed(self.sums) if entry is not None), self.held_sums)
        self.sums = [before if entry is None else entry for entry in self.sums]
        self.sums[-1] = now

    def make(self, role, size, *frames):
        block = self.alloc(size, *frames, 'train train.py:40', self.main)
        self.roles[block] = role
        self.note()
        return block

    def hold(self, role, size):
        block = self.held(size)
        self.roles[block] = role
        self.note()
        self.held_sums, self.sums = self.sums[-1], []
        return block

    def request_free(self, block):
        super().request_free(block)
        self.note()

    def complete_free(self, block):
        super().complete_free(block)
        self.note()

    def fail(self, size, *frames, device_free=0):
        super().fail(size, *frames, device_free=device_free)
        self.sums.append(None)
        self.note()

    def wrap(self, count):
        super().wrap(count)
        self.sums = self.sums[-count:]

    def announce(self, name, work):
        if not self.announces:
            return work()
        with self.phase(name):
            return work()

    # ---- the program

    def build(self, shapes=SHAPES, role=PARAMETERS, frame='__init__ torch/nn/modules/linear.py:106'):
        made = [self.make(role, size, 'at::_ops::empty::call(...) ??:0', frame) for size in shapes]
        if role == PARAMETERS:
            self.parameters += made
        return made

    def load(self):
        return self.make(INPUTS, 96 * KIB, 'at::_ops::_to_copy::call(...) ??:0', 'at::_ops::to_device::call(...) ??:0',
                         'batch data.py:12')

    def forward(self, layers=2):
        for _ in range(layers):
            scores = self.make(TEMPORARY, 3 * MIB, *LINEAR)
            self.saved.append(self.make(ACTIVATIONS, 5 * MIB, *LINEAR))
            self.free(scores)

    def backward(self, trained=None, accumulate=False, into=None):
        root = self.make(TEMPORARY, 4, 'at::_ops::ones_like::call(...) ??:0',
                         '_make_grads torch/autograd/__init__.py:200', 'backward torch/_tensor.py:626')
        trained = self.parameters if trained is None else trained
        self.saved.reverse()
        for number, parameter in enumerate(reversed(trained)):
            incoming = self.bare(TEMPORARY, 5 * MIB, *BACKWARD)
            gradient = self.bare(TEMPORARY if accumulate or into else GRADIENTS, parameter.size, *BACKWARD)
            if accumulate or into:
                self.free(gradient)
            else:
                self.gradients.append(gradient)
            if self.saved and number % 2 == 1:
                self.free(self.saved.pop(0))
            self.free(incoming)
        while self.saved:
            self.free(self.bare(TEMPORARY, KIB, *BACKWARD), self.saved.pop(0))
        self.free(root)

    def bare(self, role, size, *frames):
        """Allocates on a thread without Python."""
        block = self.alloc(size, *frames)
        self.roles[block] = role
        self.note()
        return block

    def update(self, states=2, trained=None, name='AdamW', replace=False):
        def step():
            trained_now = list(self.parameters if trained is None else trained)
            stack = (f'_init_group torch/optim/{name.lower()}.py:140', f'step torch/optim/{name.lower()}.py:220',
                     'wrapper torch/optim/optimizer.py:493')
            if not self.states:
                self.states += [self.make(STATE, parameter.size, 'at::_ops::zeros_like::call(...) ??:0', *stack)
                                for parameter in trained_now for _ in range(states)]
            for parameter in trained_now:
                self.free(self.make(TEMPORARY, parameter.size, 'at::_ops::sqrt::call(...) ??:0', *stack[1:]))
                if replace:
                    new = self.make(PARAMETERS, parameter.size, 'at::_ops::sub::call(...) ??:0', *stack[1:])
                    self.free(parameter)
                    self.parameters[self.parameters.index(parameter)] = new
        self.announce(f'Optimizer.step#{name}.step', step)

    def forget(self, name='AdamW'):
        def zero_grad():
            self.free(*self.gradients)
            self.gradients = []
        self.announce(f'Optimizer.zero_grad#{name}.zero_grad', zero_grad)

    def iterate(self, **update):
        batch = self.load()
        self.forward()
        self.backward()
        self.update(**update)
        self.forget(update.get('name', 'AdamW'))
        self.free(batch)


def trained(build=Program.build, count=3, **update):
    story = Program()
    build(story)
    for _ in range(count):
        story.iterate(**update)
    return story


# ---- programs

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


# ---- the comparison

def explain(tarn, path, *options):
    done = subprocess.run([tarn, 'explain', '--no-replay', '--json', *options, path], capture_output=True, text=True,
                          timeout=120, check=True)
    return json.loads(done.stdout)


def judge(claims, truth, live):
    """Yields what is wrong in the claims about a moment."""
    if 'lack' in claims:
        if any(role in claims for role in ROLES):
            yield 'claims beside the reason why none can be made'
        return
    groups, least = claims['not_told_apart'], claims['at_least']
    told = sum(claims.get(role, 0) + least.get(role, 0) for role in ROLES)
    if told + sum(group['bytes'] for group in groups) != live:
        yield f'the sums are not the {live} bytes that are live'
    for role in ROLES:
        possible = sum(group['bytes'] for group in groups if role in group['roles'])
        certain = claims.get(role, 0) + least.get(role, 0)
        if role in claims and role in least:
            yield f'{role}: both exact and a lower bound'
        if not certain <= truth[role] <= certain + possible:
            yield f'{role}: {certain} to {certain + possible} are claimed, {truth[role]} are true'
        if role in claims and claims[role] != truth[role]:
            yield f'{role}: {claims[role]} are claimed, {truth[role]} are true'


def examine(tarn, path, story, told):
    """Yields what is wrong in the claims at some moments, and which roles are not told at the peak."""
    numbers = range(len(story.events))
    live = [sum(entry.values()) for entry in story.sums]
    peak = max(numbers, key=lambda number: (live[number], -number))
    for number in sorted({*numbers[::5], peak, numbers[-1]}):
        claims = explain(tarn, path, '--at', str(number))
        allocated = sum(event['size'] for event in story.events[:number + 1] if event['action'] == 'alloc')
        by_role = claims['by_role']
        if by_role.get(ACTIVATIONS, 0) + by_role.get('at_least', {}).get(ACTIVATIONS, 0) > allocated:
            yield f'event {number}: more activations than bytes allocated inside'
        for wrong in judge(by_role, story.sums[number], claims['moment']['live_bytes']):
            yield f'event {number}: {wrong}'
        if number == peak:
            for role in told:
                if role not in by_role and role not in by_role['at_least'] and story.sums[number][role]:
                    yield f'event {number}, the peak: {role} are not told'


def main(tarn, folder, *names):
    failed = 0
    for name, (make, told) in SCRIPTS.items():
        if names and name not in names:
            continue
        story, path = make(), f'{folder}/{name}.pickle'
        story.save(path)
        wrong = list(examine(tarn, path, story, told))
        answer = subprocess.run([tarn, 'explain', '--no-replay', '--question', '15', path], capture_output=True,
                                text=True, timeout=120, check=True).stdout.strip()
        print(f'{"WRONG" if wrong else "right"}: {name}: {answer}')
        for text in wrong:
            print(f'    {text}')
        failed += bool(wrong)
    print(f'{failed} programs are told wrong')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
