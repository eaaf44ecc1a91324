# SPDX-License-Identifier: Apache-2.0
# Makes small recordings that use what formats find hard: odd texts, large numbers, equal and falling times, several devices
# and the host, deep stacks, blocks at the start alone, failures alone, and nothing at all. Writes them into a folder.
import sys

from binary_trace import Writer

NO_STREAMS, NO_ADDRESSES, NO_TIMES = 2, 8, 1
ODD = [b'plain', b'', b'a,b', b'say "hi"', b'two\nlines\r\nand more', b'tab\tand bell\x07', b'\xff\xfe no UTF-8', 'ä€😀'.encode(),
       b'semicolon; (paren) [with T = int; U = float] (x.cpp:3); y', b'50% %28', b' leading and trailing ', b'=1+1', b'N/A',
       b'C:\\Program Files (x86)\\a.py', b'un(balanced', b'un)balanced', b"it's", b'snapshot']
folder = sys.argv[1] + '/'


def alloc(w, time, where, address, size, stream=0, stack=0, tag=0, category=0, occupied=0):
    w.event(8, time, where, address, size, occupied, stream, stack, tag, category)
    return w.new_block()


def start(w, address, size, stream=0, stack=0, tag=0, category=0, occupied=0):
    w.record(6, address, size, occupied, stream, stack, tag, category)
    return w.new_block()


# Everything, on two devices and the host. The time of each event is that of the one before or a later one.
w = Writer()
w.setting('expandable_segments', 'true')
w.setting('garbage_collection_threshold', '0')
w.setting('backend', 'native')
devices = [w.device(3, memory=80 << 30), w.device(1), w.device(0, host=True)]
streams = [[w.stream(d), w.stream(d, 0x7f00deadbeef)] for d in devices]
stack = w.stack(('empty', 'alloc.cpp', 7), ('forward', 'model.py', 12), ('main', 'train.py', 0))
other = w.stack(('backward', 'model.py', 40), ('main', 'train.py', 0))
time = 1_700_000_000_000_000
base = 0x7f0000000000
for number, device in enumerate(devices):
    near, far = streams[device]
    at = base + number * (1 << 32)
    for i in range(2):
        w.record(7, at + i * (20 << 20), 20 << 20, near, stack if i else 0, 0)
    first = start(w, at, 1 << 20, near, stack, w.text('weights'), 1, 1 << 20)
    second = start(w, at + (1 << 20), 513, near, 0, 0, 2, 1024)
    where = 0
    w.event(11, time + 1, where, device, w.text('step 1'))
    w.event(14, time + 2, where + 1, at + (60 << 20), 2 << 20, near, stack, 0)
    third = alloc(w, time + 2, where + 1, at + (60 << 20), 1000, far, other, w.text('tag'), 5)
    fourth = alloc(w, time + 3, where + 2, at + (20 << 20), 20 << 20, near, stack, 0, 6)
    w.event(10, time + 4, where + 3, third)
    w.event(13, time + 5, where + 4, 1 << 40, 12345, near, stack)
    w.event(13, time + 5, where + 5, 77, 2**64 - 1, far, 0)
    w.event(9, time + 6, where + 6, third)
    w.event(15, time + 6, where + 7, at + (60 << 20), 2 << 20, near, other, 0)
    w.event(9, time + 7, where + 8, first)
    w.event(12, time + 8, where + 9, device, w.text('step 1'))
    w.event(11, time + 9, where + 10, device, w.text('left open'))
    w.record(17, device, 40 << 20, 42 << 20, 40 << 20, 3, 42 << 20, 1, 0, 0, 0, 2, 2)
    time += 100
w.save(folder + 'everything.tarn', 'pytorch-snapshot')

# Odd texts as tags, marks, functions and files.
w = Writer()
near = w.stream(w.device(0))
for i, text in enumerate(ODD):
    odd = w.stack((text, ODD[-i], i), (ODD[i - 5], text, 2**32 - 1))
    alloc(w, 10 * i, i, 0x1000 * (i + 1), 100 + i, near, odd, w.text(text))
    w.event(11, 10 * i, i, 0, w.text(text))
    w.event(12, 10 * i + 1, i, 0, w.text(text))
w.save(folder + 'odd-texts.tarn')

# Large numbers. The ids are no addresses.
w = Writer()
near = w.stream(w.device(2**32 - 4, memory=2**62), 2**64 - 1)
big = alloc(w, 2**53 + 1, 2**60, 2**64 - 1, 2**60 + 1, near)
alloc(w, 2**53 + 2, 2**60 + 1, 2**64 - 2, 2**53 + 1, near)
alloc(w, 2**53 + 3, 2**60 + 2, 0, 1, near)
w.event(9, 2**53 + 4, 2**60 + 3, big)
w.save(folder + 'large-numbers.tarn', 'text', NO_ADDRESSES)

# Falling and equal times, and an address that recurs.
w = Writer()
near = w.stream(w.device(0))
for i in range(20):
    block = alloc(w, 1000 - 50 * (i % 3), i, 0x1000 * (i % 2 + 1), 256 + i, near)
    w.event(9, 1000 - 40 * (i % 4), i, block)
w.save(folder + 'falling-times.tarn')

# No times, streams or addresses, as tools of other allocators have it; with phases.
w = Writer()
near = w.stream(w.device(0))
w.event(11, 0, 1, 0, w.text('load'))
block = alloc(w, 0, 2, 0, 64, near)
alloc(w, 0, 3, 1, 65, near)
w.event(12, 0, 4, 0, w.text('load'))
w.event(9, 0, 5, block)
w.save(folder + 'order-alone.tarn', 'umpire', NO_TIMES | NO_STREAMS | NO_ADDRESSES)

# 600 and 1000 calls.
w = Writer()
near = w.stream(w.device(0))
for depth in 600, 1000:
    deep = w.stack(*[('recurse%d' % (i % 7), 'deep.py', i) for i in range(depth)])
    for i in range(5):
        alloc(w, i, i, 0x10000 * depth + 0x1000 * i, 10 * depth, near, deep)
w.save(folder + 'deep-stacks.tarn')

# 5,000 equal blocks, which a profile sums.
w = Writer()
near = w.stream(w.device(0))
stack = w.stack(('make', 'many.py', 3))
for i in range(5000):
    alloc(w, i, i, 0x1000 * i, 512, near, stack)
w.save(folder + 'equal-blocks.tarn')

w = Writer()
near, far = w.stream(w.device(0)), w.stream(w.device(1), 5)
start(w, 4096, 100, near)
start(w, 8192, 200, near, w.stack(('f', 'f.py', 1)))
start(w, 4096, 300, far)
w.save(folder + 'starting-alone.tarn')

w = Writer()
near = w.stream(w.device(0))
w.event(13, 5, 1, 1 << 30, 2**64 - 1, near, w.stack(('f', 'f.py', 1)))
w.event(13, 6, 2, 1 << 31, 0, near, 0)
w.save(folder + 'failures-alone.tarn')

w = Writer()
w.stream(w.device(0))
w.event(11, 5, 1, 0, w.text('begin'))
w.save(folder + 'mark-alone.tarn')

w = Writer()
w.device(0)
for i in range(4):
    w.record(16, 1000 * i, 0, 1 << (20 + i), 1 << 25, 0, *range(i, i + 8))
w.record(17, 0, 1 << 25, 1 << 25, 1 << 25, *[0] * 8)
w.save(folder + 'sums.tarn', 'pytorch-timeline', NO_STREAMS | NO_ADDRESSES | 32)

w = Writer()
w.stream(w.device(5, memory=1 << 34))
w.save(folder + 'nothing.tarn')


class Random:
    """The same numbers with every release of Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def choice(self, values):
        return values[self.below(len(values))]


def save_random(path, seed):
    """Up to 60 events of up to three devices, with odd texts, equal and falling times, and blocks that wait."""
    w, random = Writer(), Random(seed)
    devices = [w.device(3 * number + seed, memory=random.choice([0, 1 << 35])) for number in range(1 + random.below(3))]
    streams = {device: [w.stream(device, native) for native in (0, 7, 2**63)] for device in devices}
    live = {device: [] for device in devices}
    address, time = 0, random.choice([0, 10, 2**50])

    def stack():
        return w.stack(*[(random.choice(ODD), random.choice(ODD), random.choice([0, 9, 2**32 - 1]))
                         for _ in range(random.below(4))])

    for device in devices:
        for _ in range(random.below(4)):
            address += 1 << 20
            live[device].append(start(w, address, random.choice([1, 511, 2**20]), streams[device][0], stack(),
                                      w.text(random.choice(ODD)), random.below(9)))
    for where in range(random.below(60)):
        device = random.choice(devices)
        time = max(0, time + random.choice([0, 0, 1, 5, 9, -3]))
        kind = random.choice(['alloc'] * 5 + ['free'] * 3 + ['request', 'mark', 'end', 'failure'])
        stream = random.choice(streams[device])
        if kind == 'alloc':
            address += 1 << 20
            live[device].append(alloc(w, time, where, address, random.choice([1, 3, 512, 70000]), stream, stack(),
                                      w.text(random.choice(ODD)), random.below(9), random.choice([0, 0, 1 << 17])))
        elif kind == 'free' and live[device]:
            w.event(9, time, where, live[device].pop(random.below(len(live[device]))))
        elif kind == 'request' and live[device]:
            w.event(10, time, where, random.choice(live[device]))
        elif kind in ('mark', 'end'):
            w.event(11 if kind == 'mark' else 12, time, where, device, w.text(random.choice(ODD)))
        elif kind == 'failure':
            w.event(13, time, where, random.choice([1, 2**40]), random.choice([0, 5, 2**64 - 1]), stream, stack())
    w.save(path, random.choice([None, 'umpire', 'pytorch-snapshot', 'text', 'rmm']), random.choice([0, NO_ADDRESSES]))


for seed in range(10):
    save_random(folder + 'random-%d.tarn' % seed, seed)

# Blocks that have one address at the same time, and whose frees come in either order.
w = Writer()
device = w.device(0)
stream = w.stream(device, 1)
at = 0x7f0000000000
blocks = [start(w, at, 100, stream), start(w, at, 200, stream)]
for where, size in enumerate((300, 400, 500)):
    blocks.append(alloc(w, 10, where, at, size, stream, 0, w.text('block %d' % size)))
for where, block in enumerate((1, 3, 0)):
    w.event(9, 20, 3 + where, blocks[block])
blocks.append(alloc(w, 30, 6, at, 600, stream))
for where, block in enumerate((5, 4, 2)):
    w.event(9, 40, 7 + where, blocks[block])
w.save(folder + 'one-address.tarn', 'rmm')

# A segment without bytes is all that a device had.
w = Writer()
device = w.device(10)
w.record(7, 0x2b0f00000000, 0, w.stream(device, 1), 0, 0)
w.save(folder + 'empty-segment.tarn')
