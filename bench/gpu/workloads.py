# SPDX-License-Identifier: Apache-2.0
"""A small transformer of our own in plain PyTorch, and work for it whose memory is hard on an
allocator: sequences of varying length, adapters with recomputation, caches that grow. Nothing is
downloaded; the same seed gives the same sizes whatever allocator serves them."""

import random

import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

VOCABULARY = 32000


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before_attention = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.before_mlp = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def attend(self, x, cache=None):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        if cache is not None:
            if "k" in cache:
                k = torch.cat((cache["k"], k), dim=2)
                v = torch.cat((cache["v"], v), dim=2)
            cache["k"], cache["v"] = k, v
        causal = cache is None or length > 1
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))

    def forward(self, x, cache=None):
        x = x + self.attend(self.before_attention(x), cache)
        return x + self.down(functional.gelu(self.up(self.before_mlp(x))))


class Transformer(nn.Module):
    def __init__(self, width, depth, heads, longest=16384):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, width)
        self.places = nn.Embedding(longest, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.recompute = False

    def hidden(self, tokens, caches=None, first=0):
        places = torch.arange(first, first + tokens.shape[1], device=tokens.device)
        x = self.tokens(tokens) + self.places(places)
        for i, block in enumerate(self.blocks):
            if self.recompute:
                x = checkpoint(block, x, use_reentrant=False)
            else:
                x = block(x, caches[i] if caches is not None else None)
        return self.norm(x)

    def forward(self, tokens, caches=None, first=0):
        return functional.linear(self.hidden(tokens, caches, first), self.tokens.weight)


def step(model, optimizer, batch, length):
    """One training step on random tokens."""
    tokens = torch.randint(VOCABULARY, (batch, length + 1), device="cuda")
    with torch.autocast("cuda", torch.bfloat16):
        logits = model(tokens[:, :-1])
        loss = functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def lengths(seed, longest):
    """Lengths without end: most short, some long, as texts are."""
    dice = random.Random(seed)
    while True:
        yield max(16, min(longest, int(longest * dice.betavariate(1.2, 2.5))))


class Adapter(nn.Module):
    """A linear layer that stays, and a small one beside it that learns."""

    def __init__(self, linear, rank=16):
        super().__init__()
        self.linear = linear.requires_grad_(False)
        self.down = nn.Linear(linear.in_features, rank, bias=False)
        self.up = nn.Linear(rank, linear.out_features, bias=False)
        nn.init.zeros_(self.up.weight)

    def forward(self, x):
        return self.linear(x) + self.up(self.down(x))


def adapt(model):
    """Only adapters learn, and blocks are computed twice rather than kept."""
    model.requires_grad_(False)
    for block in model.blocks:
        for name in ("qkv", "out", "up", "down"):
            setattr(block, name, Adapter(getattr(block, name)).to("cuda"))
    model.recompute = True
    return model


@torch.no_grad()
def generate(model, seed, requests, longest):
    """Answers requests a few at a time; their caches grow token by token and go at the end."""
    dice = random.Random(seed)
    alive = []
    while requests > 0 or alive:
        while requests > 0 and len(alive) < 8:
            prompt = torch.randint(VOCABULARY, (1, dice.randint(16, longest // 2)), device="cuda")
            alive.append({"tokens": prompt, "caches": [{} for _ in model.blocks], "at": 0,
                          "end": prompt.shape[1] + dice.randint(8, longest // 4)})
            requests -= 1
        for request in alive:
            with torch.autocast("cuda", torch.bfloat16):
                logits = model(request["tokens"], request["caches"], request["at"])
            request["at"] += request["tokens"].shape[1]
            request["tokens"] = logits[:, -1:].argmax(-1)
        alive = [request for request in alive if request["at"] < request["end"]]
