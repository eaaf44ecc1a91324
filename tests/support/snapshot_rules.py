# SPDX-License-Identifier: Apache-2.0
# Verifies snapshots against the rules of PyTorch's viewer, from the bytes alone: the opcodes that its unpickler knows,
# blocks that tile their segments, and events that lie in segments when one walks back from the end.
# Prints the path of each snapshot, and for each of its devices: allocations, frees, failures and the peak of live bytes.
# Exits with 1 after the first that breaks a rule.
import pickle
import pickletools
import sys

KNOWN = set('''PROTO FRAME EMPTY_DICT DICT EMPTY_LIST LIST EMPTY_TUPLE TUPLE TUPLE1 TUPLE2 TUPLE3 MARK APPEND APPENDS SETITEM
SETITEMS SHORT_BINUNICODE BINUNICODE BININT BININT1 BININT2 LONG1 BINFLOAT NEWTRUE NEWFALSE NONE MEMOIZE BINPUT LONG_BINPUT
BINGET LONG_BINGET STOP'''.split())


# The end of a longer pickle has the same opcodes as its begin.
OPCODES_READ = 100000


def check_opcodes(data):
    marks, items = [], 0
    for op, arg, position in pickletools.genops(data):
        if position > OPCODES_READ:
            return
        assert op.name in KNOWN, op.name
        if op.name == 'PROTO':
            assert arg == 4, arg
        if op.name == 'LONG1':
            assert -(1 << 63) <= arg < 1 << 63, arg
        # The items of a batch: values directly above its mark.
        if op.name == 'MARK':
            marks.append(items)
            items = 0
        elif op.name in ('APPENDS', 'SETITEMS', 'DICT', 'LIST', 'TUPLE'):
            if op.name == 'APPENDS':
                assert items <= 1000, items
            items = marks.pop()
        elif op.name == 'TUPLE2':
            items -= 1
        elif op.name not in ('PROTO', 'FRAME', 'MEMOIZE', 'STOP'):
            items += 1


def check_frames(frames):
    for frame in frames:
        assert type(frame['name']) is str and type(frame['filename']) is str and type(frame['line']) is int


def tile(segment):
    at = segment['address']
    for block in segment['blocks']:
        assert block['state'] in ('active_allocated', 'active_pending_free', 'inactive'), block
        assert block['address'] == at and block['size'] > 0 and block['requested_size'] <= block['size'], block
        check_frames(block['frames'])
        at += block['size']
    assert at == segment['address'] + segment['total_size'], 'the blocks do not tile the segment'
    assert type(segment['segment_pool_id']) is tuple and type(segment['is_expandable']) is bool


class Device:
    def __init__(self, segments):
        self.runs = {}  # start: (end, stream)
        self.live = {}
        for segment in segments:
            tile(segment)
            start, end = segment['address'], segment['address'] + segment['total_size']
            assert all(end <= a or b <= start for a, (b, _) in self.runs.items()), 'segments overlap'
            self.runs[start] = end, segment['stream']
            for block in segment['blocks']:
                if block['state'] != 'inactive':
                    self.live[block['address']] = block['requested_size']

    def inside(self, start, end):
        return any(a <= start and end <= b for a, (b, _) in self.runs.items())

    def add(self, event, merges):
        start, end, stream = event['addr'], event['addr'] + event['size'], event['stream']
        assert all(end <= a or b <= start for a, (b, _) in self.runs.items()), event
        if merges:
            for a, (b, other) in list(self.runs.items()):
                if other == stream and (b == start or a == end):
                    del self.runs[a]
                    start, end = min(a, start), max(b, end)
        self.runs[start] = end, stream

    def remove(self, event):
        start, end = event['addr'], event['addr'] + event['size']
        a, (b, stream) = next((a, v) for a, v in self.runs.items() if a <= start and end <= v[0])
        assert not any(start < x + n and x < end for x, n in self.live.items()), 'a segment comes with blocks in it'
        del self.runs[a]
        if a < start:
            self.runs[a] = start, stream
        if end < b:
            self.runs[end] = b, stream

    def undo(self, event):
        action = event['action']
        check_frames(event.get('frames', []))
        if action in ('segment_alloc', 'segment_map'):
            self.remove(event)
        elif action in ('segment_free', 'segment_unmap'):
            self.add(event, action == 'segment_unmap')
        elif action == 'alloc':
            assert self.inside(event['addr'], event['addr'] + event['size']), event
            assert self.live.pop(event['addr']) == event['size'], event
        elif action == 'free_completed':
            assert self.inside(event['addr'], event['addr'] + event['size']), event
            assert event['addr'] not in self.live, event
            self.live[event['addr']] = event['size']
        else:
            assert action in ('free_requested', 'oom', 'snapshot'), action


def pairs(events):
    requested = set()
    for event in events:
        if event['action'] == 'free_requested':
            requested.add(event['addr'])
        if event['action'] == 'free_completed':
            assert event['addr'] in requested, event
            requested.remove(event['addr'])


def summary(device, events):
    live = peak = sum(device.live.values())
    for event in events:
        if event['action'] == 'alloc':
            live += event['size']
        live -= event['size'] if event['action'] == 'free_completed' else 0
        peak = max(peak, live)
    count = lambda action: sum(event['action'] == action for event in events)
    return count('alloc'), count('free_completed'), count('oom'), peak


def verify(path):
    data = open(path, 'rb').read()
    print(path)
    check_opcodes(data)
    whole = pickle.loads(data)
    for number, events in [*enumerate(whole['device_traces']), (-1, whole.get('host_traces', []))]:
        segments = [s for s in whole['segments'] + whole.get('host_segments', []) if s['device'] == number]
        device = Device(segments)
        pairs(events)
        for event in reversed(events):
            device.undo(event)
        if events or segments:
            print(number, *summary(device, events), flush=True)


for path in sys.argv[1:]:
    verify(path)
