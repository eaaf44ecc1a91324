# SPDX-License-Identifier: Apache-2.0
"""Writes memory snapshots of PyTorch whose truth is known, because a script tells what the program does.

    story = Story()
    weights = story.alloc(4 * MIB, 'build model.py:10', 'main train.py:5')
    with story.phase('Optimizer.step#Adam.step'):
        ...
    story.free(weights)
    story.save('known.pickle')

The allocator behind it rounds to 512 bytes and takes segments of 2 MiB, of 20 MiB, or of whole 2 MiB for larger
blocks, a set for each stream, as PyTorch's does. The state at the end follows from the events, so that a reader
who walks back from it finds every block in its segment.
"""

import contextlib
import pickle

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
START = 1_700_000_000_000_000  # time of the first event, in microseconds since 1970


def frame(text):
    """Makes a frame of 'function file:line', such as 'forward model.py:31'; C++ has no file: 'at::empty ??:0'."""
    name, place = text.rsplit(' ', 1)
    file, line = place.rsplit(':', 1)
    return {'name': name, 'filename': file, 'line': int(line)}


class Block:
    """A live block. `size` is what the program asked for."""

    def __init__(self, size, address, rounded, segment, stack):
        self.size, self.address, self.rounded = size, address, rounded
        self.segment, self.stack = segment, stack
        self.requested = False  # its free was requested, but has not completed


class Segment:
    def __init__(self, address, size, stream, stack):
        self.address, self.size, self.stream, self.stack = address, size, stream, stack
        self.blocks = {}  # by address
        self.kind = 'small' if size == 2 * MIB else 'large'

    def place(self, size):
        """Returns the address of the smallest free piece that holds `size` bytes, and its size; or None."""
        best, at = None, self.address
        for address in sorted(self.blocks) + [self.address + self.size]:
            piece = address - at
            if piece >= size and (best is None or piece < best[1]):
                best = (at, piece)
            if address in self.blocks:
                at = address + self.blocks[address].rounded
        return best


class Story:
    """The history of one device. Memory that is held before the recording comes first: see held()."""

    ending = '.pickle'

    def __init__(self, device=0, settings=None, history=True, private=(), expands=False):
        self.device, self.settings, self.history = device, settings, history
        self.private = private  # the numbers of the segments of CUDA graphs
        self.expands = expands  # large segments are ranges into which pages of 20 MiB are mapped
        self.segments, self.events, self.annotations = [], [], []
        self.clock = START
        self.top = 0x7F00_0000_0000

    # ---- the program

    def held(self, size, *frames, stream=0):
        """Allocates a block that was live before the recording began. Its stack is known only if `frames` has one."""
        assert not any(event['action'] == 'alloc' for event in self.events), 'the recording has begun'
        block = self.alloc(size, *frames, stream=stream)
        self.events.clear()
        return block

    def alloc(self, size, *frames, stream=0):
        """Allocates a block. The frames are texts, the innermost first: see frame()."""
        stack = [frame(text) for text in frames]
        rounded = max(512, -(-size // 512) * 512)
        small = rounded <= MIB
        fits = [(segment.place(rounded), number) for number, segment in enumerate(self.segments)
                if segment.stream == stream and (segment.kind == 'small') == small]
        fits = [(place[1], place[0], number) for place, number in fits if place is not None]
        if fits:
            _, address, number = min(fits)
            segment = self.segments[number]
        else:
            page = 20 * MIB if self.expands else 2 * MIB
            grown = 2 * MIB if small else 20 * MIB if rounded < 10 * MIB else -(-rounded // page) * page
            segment = Segment(self.top, grown, stream, stack)
            self.top += max(grown, 64 * MIB)
            self.segments.append(segment)
            self.record('segment_map' if self.expands else 'segment_alloc', segment.address, grown, stream, stack)
            address = segment.address
        block = Block(size, address, rounded, segment, stack)
        segment.blocks[address] = block
        self.record('alloc', address, size, stream, stack)
        return block

    def free(self, *blocks):
        """Frees blocks."""
        for block in blocks:
            self.request_free(block)
            self.complete_free(block)

    def request_free(self, block):
        """Gives up a block that streams still use, as record_stream() causes. complete_free() ends it."""
        assert not block.requested, 'freed twice'
        block.requested = True
        self.record('free_requested', block.address, block.size, block.segment.stream, [])

    def complete_free(self, block):
        del block.segment.blocks[block.address]
        self.record('free_completed', block.address, block.size, block.segment.stream, [])

    def empty_cache(self):
        """Returns the segments without a block to the device."""
        for segment in [segment for segment in self.segments if not segment.blocks]:
            self.segments.remove(segment)
            self.record('segment_free', segment.address, segment.size, segment.stream, [])

    def fail(self, size, *frames, device_free=0):
        """Records that the allocator refused a request."""
        self.clock += 10
        self.events.append({'action': 'oom', 'device_free': device_free, 'size': size, 'stream': 0,
                            'time_us': self.clock, 'frames': [frame(text) for text in frames]})

    def begin(self, name):
        """Begins a phase, as torch.cuda.memory and record_function() do."""
        self.annotate(name, 'START')

    def end(self, name):
        self.annotate(name, 'END')

    @contextlib.contextmanager
    def phase(self, name):
        self.begin(name)
        yield
        self.end(name)

    def mark(self, name):
        """Records a phase without a duration."""
        self.begin(name)
        self.end(name)

    # ---- the recorder

    def record(self, action, address, size, stream, stack):
        self.clock += 10
        self.events.append({'action': action, 'addr': address, 'size': size, 'stream': stream,
                            'time_us': self.clock, 'frames': stack})

    def annotate(self, name, stage):
        self.clock += 1
        self.annotations.append({'stage': stage, 'name': name, 'device': self.device, 'time_us': self.clock})

    def wrap(self, count):
        """Forgets all but the last `count` events, as a ring buffer does. Its phases have a ring of their own."""
        self.events = self.events[-count:]

    def state(self):
        """Lists the segments as they are now."""
        listed = []
        for number, segment in enumerate(self.segments):
            live = [segment.blocks[address] for address in sorted(segment.blocks)]
            blocks, at = [], segment.address
            for block in live + [None]:
                end = block.address if block else segment.address + segment.size
                if end > at:
                    blocks.append({'address': at, 'size': end - at, 'requested_size': 0, 'state': 'inactive',
                                   'frames': []})
                if block:
                    state = 'active_pending_free' if block.requested else 'active_allocated'
                    blocks.append({'address': block.address, 'size': block.rounded, 'requested_size': block.size,
                                   'state': state, 'frames': block.stack})
                    at = block.address + block.rounded
            active = sum(block.rounded for block in live)
            listed.append({'device': self.device, 'address': segment.address, 'total_size': segment.size,
                           'allocated_size': sum(block.rounded for block in live if not block.requested),
                           'active_size': active, 'requested_size': sum(block.size for block in live),
                           'stream': segment.stream, 'segment_type': segment.kind,
                           'segment_pool_id': (0, int(number in self.private)),
                           'is_expandable': self.expands, 'frames': segment.stack, 'blocks': blocks})
        return listed

    def save(self, path):
        """Writes the snapshot as it is now; the story may go on."""
        Devices(self).save(path)

    def number(self, index):
        """The number of an event, by its place among those of the allocator: the begins and ends of phases count too."""
        time = self.events[index]['time_us']
        return index + 1 + sum(entry['time_us'] <= time for entry in self.annotations)

    @property
    def live(self):
        """The bytes of all live blocks, as asked for."""
        return sum(block.size for segment in self.segments for block in segment.blocks.values())


class Devices:
    """The stories of several devices, in one snapshot with the settings of the first."""

    ending = '.pickle'

    def __init__(self, *stories):
        self.stories = stories

    def save(self, path):
        traces = [[] for _ in range(max(story.device for story in self.stories) + 1)]
        for story in self.stories:
            traces[story.device] = story.events if story.history else []
        snapshot = {'segments': [segment for story in self.stories for segment in story.state()], 'device_traces': traces,
                    'allocator_settings': self.stories[0].settings or
                    {'PYTORCH_CUDA_ALLOC_CONF': '', 'max_split_size': -1, 'expandable_segments': False},
                    'external_annotations': [entry for story in self.stories for entry in story.annotations]}
        with open(path, 'wb') as file:
            pickle.dump(snapshot, file, protocol=4)
