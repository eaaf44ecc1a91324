# SPDX-License-Identifier: Apache-2.0
"""A training program that writes its memory into a story: layers with parameters, forward and backward passes, and
AdamW. Each layer has a weight and a bias; a forward pass keeps two activations of a layer and frees its temporary
blocks. Batches may differ in size: `batch` scales the activations."""

from story import KIB, MIB

DISPATCH = 'torch::autograd::VariableType::(anonymous namespace)::mul_Tensor(...) ??:0'
CALL = '_call_impl torch/nn/modules/module.py:1553'
ENGINE = ('torch::autograd::Engine::evaluate_function(...) ??:0', 'torch::autograd::Engine::thread_main(...) ??:0')
WEIGHT, BIAS, ACTIVATION = 4 * MIB, 4 * KIB, 3 * MIB


class Training:
    def __init__(self, story, layers=6, phases=True, main=('main train.py:60',)):
        self.story, self.layers, self.phases, self.main = story, layers, phases, main
        self.parameters, self.gradients, self.states, self.activations = [], [], [], []

    def phase(self, name, work):
        if not self.phases:
            return work()
        with self.story.phase(name):
            return work()

    # ---- stacks, the innermost call first

    def inside(self, *frames):
        return (*frames, 'train train.py:40', *self.main)

    def forward_stack(self, *frames):
        return self.inside(DISPATCH, *frames, CALL, 'forward model.py:31', CALL)

    # ---- work

    def build(self):
        for _ in range(self.layers):
            for size, line in (WEIGHT, 96), (BIAS, 101):
                self.parameters.append(self.story.alloc(size, f'__init__ torch/nn/modules/linear.py:{line}',
                                                        'build model.py:12', *self.main))

    def forward_layer(self, batch=1):
        """Runs one layer forward, and returns the activations that it keeps."""
        story = self.story
        scores = story.alloc(int(2 * ACTIVATION * batch), *self.forward_stack('forward attention.py:50'))
        kept = [story.alloc(int(ACTIVATION * batch), *self.forward_stack('forward attention.py:52'))]
        soft = story.alloc(int(ACTIVATION * batch) // 2, *self.forward_stack('forward attention.py:53'))
        story.free(scores)
        kept.append(story.alloc(int(ACTIVATION * batch) // 2, *self.forward_stack('forward mlp.py:70')))
        story.free(soft)
        return kept

    def forward(self, batch=1):
        for _ in range(self.layers):
            self.activations.append(self.forward_layer(batch))
        return self.story.alloc(4, *self.inside('cross_entropy loss.py:9'))

    def backward(self, loss=None, batch=1):
        story, first = self.story, not self.gradients
        for layer in reversed(range(self.layers)):
            incoming = story.alloc(int(ACTIVATION * batch), 'AddmmBackward0::apply(...) ??:0', *ENGINE)
            for size in (WEIGHT, BIAS):
                gradient = story.alloc(size, 'AddmmBackward0::apply(...) ??:0',
                                       'torch::autograd::AccumulateGrad::apply(...) ??:0', *ENGINE)
                if first:
                    self.gradients.append(gradient)
                else:
                    story.free(gradient)  # added to the one that there is
            story.free(incoming, *self.activations.pop())
        if loss:
            story.free(loss)

    def step(self):
        def update():
            for parameter in self.parameters:
                if len(self.states) < 2 * len(self.parameters):
                    for line in (140, 146):
                        self.states.append(self.story.alloc(
                            parameter.size, *self.inside(f'_init_group torch/optim/adamw.py:{line}',
                                                         'step torch/optim/adamw.py:220')))
                self.story.free(self.story.alloc(parameter.size,
                                                 *self.inside('_single_tensor_adamw torch/optim/adamw.py:400',
                                                              'step torch/optim/adamw.py:220')))
        self.phase('Optimizer.step#AdamW.step', update)

    def zero_grad(self):
        def drop():
            self.story.free(*self.gradients)
            self.gradients = []
        self.phase('Optimizer.zero_grad#AdamW.zero_grad', drop)

    def iterate(self, batch=1):
        """One step of training."""
        self.zero_grad()
        self.backward(self.forward(batch), batch)
        self.step()
