# SPDX-License-Identifier: Apache-2.0
"""A training program whose blocks have roles: a story that knows the bytes of each role after each event."""

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
