# SPDX-License-Identifier: Apache-2.0
"""Writes profiles of pprof: one block of 4 MiB by main.load (main.go:10)."""


def number(value):
    low = value & 127
    return bytes([low]) if value < 128 else bytes([low | 128]) + number(value >> 7)


def field(index, value):
    if isinstance(value, int):
        return number(index << 3) + number(value)
    return number(index << 3 | 2) + number(len(value)) + value


class Profile:
    """A profile with its fields in that order. Go begins with the period; others write the tables first. A profile of
    JAX has the label `device`."""

    ending = '.prof'

    def __init__(self, order=(11, 12, 1, 2, 4, 5, 6, 9), device=False):
        self.order, self.device = order, device

    def save(self, path):
        texts = [b'', b'inuse_objects', b'count', b'inuse_space', b'bytes', b'main.load', b'main.go', b'space', b'device', b'TPU_1']
        label = field(3, field(1, 8) + field(2, 9)) if self.device else b''
        parts = {
            11: [field(1, 7) + field(2, 4)], 12: [524288], 1: [field(1, 1) + field(2, 2), field(1, 3) + field(2, 4)],
            2: [field(1, bytes([1])) + field(2, number(2) + number(4 << 20)) + label],
            4: [field(1, 1) + field(4, field(1, 1) + field(2, 10))],
            5: [field(1, 1) + field(2, 5) + field(4, 6)], 6: texts, 9: [1700000000]}
        with open(path, 'wb') as file:
            file.write(b''.join(field(index, value) for index in self.order for value in parts[index]))
