# SPDX-License-Identifier: Apache-2.0
# Converts each recording into each format and back, and compares the result with a model of what the format holds
# (docs/recordings.md, Convert). Also compares the sizes. Both sides are binary traces, which are read by their description.
# Usage: roundtrip.py TARN FOLDER FORMAT,... FILE...; FOLDER is for the files that it makes. Prints a line for each difference,
# and the number of recordings. Files that are no recordings are left out.
import codecs
import copy
import gzip
import os
import subprocess
import sys

from binary_trace import Trace

NO_TIMES, NO_STREAMS, NO_ADDRESSES, NO_BLOCKS = 1, 2, 8, 32
ROUNDED = 512


class Refused(Exception):
    pass


def run(*arguments):
    got = subprocess.run([TARN, 'convert', *arguments], capture_output=True)
    if got.returncode != 0:
        assert got.returncode == 2 and got.stderr.startswith(b'tarn convert: '), (got.returncode, got.stderr)
        raise Refused(got.stderr.decode(errors='replace').strip())


# ---- what both sides are compared as: a list of named parts

def block_parts(block):
    return tuple(block[key] for key in ('id', 'size', 'occupied', 'stream', 'stack', 'tag', 'category'))


def event_parts(event, numbers):
    """Blocks have the number of their place among those of the device."""
    head = event['kind'], event['time'], event['where']
    if event['kind'] == 'alloc':
        return head + (numbers[id(event['block'])],) + block_parts(event['block'])
    if 'block' in event:
        return head + (numbers[id(event['block'])],)
    if 'failure' in event:
        return head + tuple(event['failure'].values())
    return head + (tuple(event['segment'].values()) if 'segment' in event else (event['text'],))


def numbers_of(device):
    blocks = device.starting + [event['block'] for event in device.events if event['kind'] == 'alloc']
    return {id(block): number for number, block in enumerate(blocks)}


def device_parts(device):
    numbers = numbers_of(device)
    return [('device', (device.number, device.host))] + [('start', block_parts(block)) for block in device.starting] + [
        ('start segment', tuple(segment.values())) for segment in device.segments] + [
        ('event', event_parts(event, numbers)) for event in device.events] + [
        ('sample', tuple(sample.values())) for sample in device.samples]


def all_parts(trace):
    parts = [('origin', trace.origin), ('lacks', trace.lacks), ('settings', trace.settings)]
    for device in trace.devices:
        parts += device_parts(device) + [('memory', device.memory), ('reserved', device.reserved)]
        parts += [('calls', device.calls)] if device.reserved else []
    return parts


# ---- models: the parts that each format holds of a trace, and those of what is read back

def model_all(trace, back):
    return all_parts(trace), all_parts(back)


def model_csv(trace, back):
    def parts(trace):
        held = [('origin', trace.origin), ('lacks', trace.lacks)]
        for device in sorted(trace.devices, key=lambda device: (device.host, device.number)):
            held += device_parts(device) + [('memory', device.memory)]
            # Reserved bytes are computed from segments and samples, and unknown without them.
            known = device.segments or device.samples or any('segment' in event for event in device.events)
            held += [('reserved', device.reserved if known else None)]
        return held
    return parts(trace), parts(back)


def clean_label(text):
    text = text.replace(b'\n', b' ').replace(b'\0', b'')[:900]
    return text or b'?'


def model_text(trace, back):
    [device] = trace.devices
    begun = min([event['time'] for event in device.events], default=0) if trace.origin != 'text' else 0
    expected, ids = [], {}
    for block in device.starting:
        ids[id(block)] = len(ids)
        expected.append(('alloc', 0, ids[id(block)], block['size']))
    for event in device.events:
        time = event['time'] - begun
        if event['kind'] == 'alloc':
            ids[id(event['block'])] = len(ids)
            expected.append(('alloc', time, ids[id(event['block'])], event['block']['size']))
        elif event['kind'] == 'free':
            expected.append(('free', time, ids[id(event['block'])]))
        elif event['kind'] == 'mark':
            expected.append(('mark', time, clean_label(event['text'])))
    found = []
    for event in back.devices[0].events:
        block = event.get('block')
        found.append((event['kind'], event['time']) + ((event['text'],) if block is None else (block['id'],) + (
            (block['size'],) if event['kind'] == 'alloc' else ())))
    return [('event', event) for event in expected], [('event', event) for event in found]


def live_at_peak(device):
    live = {id(block): block for block in device.starting}
    total = peak = sum(block['size'] for block in device.starting)
    best = list(live.values())
    for event in device.events:
        if event['kind'] == 'alloc':
            live[id(event['block'])] = event['block']
            total += event['block']['size']
        elif event['kind'] == 'free':
            total -= live.pop(id(event['block']))['size']
        if total > peak:
            peak, best = total, list(live.values())
    return best


def model_pprof(trace, back):
    def parts(trace, blocks_of):
        held = []
        for device in sorted(trace.devices, key=lambda device: (device.host, device.number)):
            keys = 'size', 'stream', 'tag', 'stack'
            held += [('block', (device.number, device.host) + tuple(block[key] for key in keys))
                     for block in blocks_of(device)]
        return sorted(held)
    return parts(trace, live_at_peak), parts(back, lambda device: device.starting)


# The rules of PyTorch's format: a state at the end and the events before it.

def snapshot_events(device, numbers, timed, placed):
    """Frees have a request and a completion; marks are ordered by time, before events of the same time. Segments are held if
    they are not made up."""
    actions, marks, waiting = [], [], set()
    for index, event in enumerate(device.events):
        time = event['time'] if timed else index
        if event['kind'] in ('mark', 'mark_end') and (event['kind'], event['text']) != ('mark', b'snapshot'):
            if event['text'] and not device.host:
                marks.append((time, event['kind'], event['text']))
            continue
        block = event.get('block')
        if event['kind'] == 'free' and id(block) not in waiting:
            actions.append(('free_request', time, numbers[id(block)]))
        if event['kind'] == 'alloc':
            actions.append((event['kind'], time, numbers[id(block)]) + tuple(
                block[key] for key in ('size', 'stream', 'stack', 'tag', 'category')))
        elif block is not None:
            waiting ^= {id(block)} if event['kind'] == 'free_request' or id(block) in waiting else set()
            actions.append((event['kind'], time, numbers[id(block)]))
        elif 'failure' in event:
            actions.append((event['kind'], time) + tuple(event['failure'].values()))
        elif 'segment' in event and not placed:
            continue
        elif 'segment' in event:
            actions.append((event['kind'], time) + tuple(event['segment'].values())[:5])
        else:
            actions.append((event['kind'], time, event['text']))
    marks.sort(key=lambda mark: mark[0])
    merged = []
    for action in actions:
        while marks and marks[0][0] <= action[1]:
            time, kind, text = marks.pop(0)
            merged.append((kind, time, text))
        merged.append(action)
    return merged + ([(kind, time, text) for time, kind, text in marks] if actions else [])


def is_covered(ranges, start, end):
    while start < end:
        ends = [b for a, b in ranges if a <= start < b]
        if not ends:
            return False
        start = max(ends)
    return True


def remove_range(ranges, start, end):
    """Removes a range, or parts of several. Returns false if it is not there as a whole."""
    if not is_covered(ranges, start, end):
        return False
    cut = [part for part in ranges if part[0] < end and part[1] > start]
    for a, b in cut:
        ranges.remove((a, b))
        ranges += [part for part in ((a, start), (end, b)) if part[0] < part[1]]
    return True


def is_placed(device):
    """Each block lies in segments and apart from the other live blocks, and segments do not overlap."""
    ranges, live = [], []

    def hold(block):
        range_ = block['id'], block['id'] + block['size']
        fits = is_covered(ranges, *range_) and not any(a < range_[1] and range_[0] < b for a, b in live)
        live.append(range_)
        return fits

    def get(segment):
        range_ = segment['id'], segment['id'] + segment['size']
        fits = not any(a < range_[1] and range_[0] < b for a, b in ranges)
        ranges.append(range_)
        return fits

    def give(segment):
        range_ = segment['id'], segment['id'] + segment['size']
        return not any(a < range_[1] and range_[0] < b for a, b in live) and remove_range(ranges, *range_)

    for segment in device.segments:
        if not get(segment):
            return False
    for block in device.starting:
        if not hold(block):
            return False
    for event in device.events:
        if event['kind'] == 'alloc' and not hold(event['block']):
            return False
        if event['kind'] == 'free':
            live.remove((event['block']['id'], event['block']['id'] + event['block']['size']))
        if event['kind'] == 'segment' and not get(event['segment']):
            return False
        if event['kind'] == 'segment_return' and not give(event['segment']):
            return False
    return True


codecs.register_error('each byte', lambda error: ('\ufffd', error.start + 1))


def replace_bytes(value):
    """Texts as pickles have them: each byte that is no UTF-8 is replaced."""
    if isinstance(value, bytes):
        return value.decode(errors='each byte').encode()
    return type(value)(map(replace_bytes, value)) if isinstance(value, (tuple, list)) else value


def model_snapshot(trace, back):
    # Other addresses and segments are made up, and no part of the comparison.
    kept = not trace.lacks & NO_ADDRESSES and all(map(is_placed, trace.devices))

    def parts(trace, blocks):
        held = [('origin', trace.origin), ('lacks', trace.lacks), ('settings', trace.settings)]
        used = [device for device in trace.devices if device.starting or device.segments or any(
            not event['kind'].startswith('mark') for event in device.events)]
        for device in sorted(used, key=lambda device: (device.host, device.number)):
            has_marks = any(event['kind'].startswith('mark') for event in device.events)
            # Blocks of the start have the order of their first free, then that of the end.
            freed = {id(event['block']) for event in device.events if event['kind'] == 'free'}
            gone = [block for block in device.starting if id(block) in freed]
            stay = [block for block in device.starting if id(block) not in freed]
            order = [id(event['block']) for event in device.events if event['kind'] in ('free', 'free_request')]
            gone.sort(key=lambda block: order.index(id(block)))
            stay.sort(key=lambda block: block['id'] if blocks else 0)
            waiting = [block for block in stay if id(block) in order]
            rest = [block for block in stay if id(block) not in order]
            if not kept:
                rest.sort(key=lambda block: (block['size'], block['stream'], block['stack'], block['tag'], block['category']))
            starting = sorted(gone + waiting, key=lambda block: order.index(id(block))) + rest
            named = starting + [event['block'] for event in device.events if event['kind'] == 'alloc']
            numbers = {id(block): number for number, block in enumerate(named)}
            timed = not trace.lacks & NO_TIMES or not has_marks or blocks
            held.append(('device', (device.number, device.host)))
            for block in gone:
                held.append(('start', (block['size'], block['stream']) + ((block['id'],) if kept else ())))
            for block in waiting:
                held.append(('start', (block['size'], block['stream']) + ((block['id'],) if kept else ())))
            for block in rest:
                held.append(('start', (block['size'], block['stream'], block['stack'], block['tag'], block['category']) + (
                    (block['id'],) if kept else ())))
            own = blocks or (not trace.lacks & NO_ADDRESSES and is_placed(device))
            held += [('event', event) for event in snapshot_events(device, numbers, timed, own)]
            held += [('reserved', device.reserved if own else None)]
            if kept:
                held += [('id', event['block']['id']) for event in device.events if event['kind'] == 'alloc']
        return held
    return replace_bytes(parts(trace, False)), parts(back, True)


FORMATS = {'binary': ('.tarn', model_all), 'chrome': ('.json', model_all), 'csv': ('.csv', model_csv),
           'text': ('.trace', model_text), 'pprof': ('.pb', model_pprof), 'snapshot': ('.pickle', model_snapshot)}
# Formats that refuse a recording, and why: the text of the refusal.
REFUSALS = {'text': ('a text trace holds one device', 'a text trace holds blocks'),
            'snapshot': ('a snapshot holds blocks', 'the live blocks need more addresses'),
            'pprof': ('a profile holds blocks',)}


def judge_size(path, name, there, file_format):
    """A file is at most ten times as large as the recording, both unpacked or both packed, besides what every file has."""
    with open(path, 'rb') as file:
        before = file.read()
    with open(there, 'rb') as file:
        after = file.read()
    if before.startswith(b'\x1f\x8b'):
        packed = len(before), len(after if after.startswith(b'\x1f\x8b') else gzip.compress(after, 6))
        before = gzip.decompress(before)
    else:
        packed = 0, 0
    for a, b in (len(before), len(after)), packed:
        if b > 10 * a + 2000:
            print('%s: %s has %d bytes, more than ten times %d' % (name, file_format, b, a))


def compare(path, name, file_format, trace):
    """Models leave the trace as it is, so that it is read once for all formats."""
    ending, model = FORMATS[file_format]
    there, again = (os.path.join(FOLDER, part) for part in ('there' + ending, 'again.tarn'))
    trace = copy.copy(trace)
    options = []
    if file_format == 'text' and len(trace.devices) > 1:
        chosen = [device for device in trace.devices if not device.host][0]
        trace.devices = [chosen]
        options = ['--device', str(chosen.number)]
    if file_format == 'pprof':
        options = ['--all-frames'] # otherwise a stack begins with its owner
    try:
        run(*options, path, there)
    except Refused as refusal:
        if not any(text in str(refusal) for text in REFUSALS.get(file_format, ())):
            print('%s: %s is refused: %s' % (name, file_format, refusal))
        return
    try:
        run(there, again)
    except Refused as refusal:
        print('%s: %s is not read back: %s' % (name, file_format, refusal))
        return
    if not path.endswith('.tarn'):
        judge_size(path, name, there, file_format)
    expected, found = model(trace, Trace(again))
    if expected == found:
        return
    if len(expected) != len(found):
        print('%s: %s: %d parts, not %d' % (name, file_format, len(found), len(expected)))
    for number, (a, b) in enumerate(zip(expected, found)):
        if a != b:
            print('%s: %s: part %d: %.300r, not %.300r' % (name, file_format, number, b, a))
            return


TARN, FOLDER, formats = sys.argv[1:4]
compared = 0
for path in sys.argv[4:]:
    try:
        run(path, os.path.join(FOLDER, 'first.tarn'))
    except Refused:
        continue
    compared += 1
    first = Trace(os.path.join(FOLDER, 'first.tarn'))
    for chosen in formats.split(','):
        compare(path, os.path.basename(path), chosen, first)
print('compared %d' % compared)
