# SPDX-License-Identifier: Apache-2.0
# Reads binary traces by their description alone (traces/README.md). Needs libzstd.so.1, as the command does.
import ctypes
import struct

MAGIC = 0x184D2A50
EVENTS = {8: 'alloc', 9: 'free', 10: 'free_request', 11: 'mark', 12: 'mark_end', 13: 'failure', 14: 'segment',
          15: 'segment_return'}


def unpack_frames(data):
    zstd = ctypes.CDLL('libzstd.so.1')
    zstd.ZSTD_findFrameCompressedSize.restype = zstd.ZSTD_decompress.restype = ctypes.c_size_t
    zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    assert struct.unpack_from('<II', data) == (MAGIC, 16) and data[8:20] == b'tarn-trace\n\0'
    assert struct.unpack_from('<I', data, 20) == (1,)
    at, parts = 24, []
    while at < len(data):
        frame = data[at:at + (1 << 21)]
        size = zstd.ZSTD_findFrameCompressedSize(frame, ctypes.c_size_t(len(frame)))
        assert zstd.ZSTD_isError(ctypes.c_size_t(size)) == 0
        content = zstd.ZSTD_getFrameContentSize(frame, ctypes.c_size_t(size))
        assert content <= 1 << 20
        room = ctypes.create_string_buffer(content + 1)
        got = zstd.ZSTD_decompress(room, ctypes.c_size_t(content), frame, ctypes.c_size_t(size))
        assert got == content
        parts.append(room.raw[:got])
        at += size
    return b''.join(parts)


def numbers(data):
    at, values = 0, []
    while at < len(data):
        value = shift = 0
        while True:
            value |= (data[at] & 0x7f) << shift
            shift += 7
            at += 1
            if data[at - 1] < 0x80:
                break
        values.append(value)
    return values


def records(data):
    at = 0
    while at < len(data):
        kind = data[at]
        size = shift = 0
        while True:
            at += 1
            size |= (data[at] & 0x7f) << shift
            shift += 7
            if data[at] < 0x80:
                break
        yield kind, data[at + 1:at + 1 + size]
        at += 1 + size


def unfold(value):
    return -(value + 1 >> 1) if value & 1 else value >> 1


class Device:
    def __init__(self, number, kind, memory):
        self.number, self.host, self.memory = number, kind == 1, memory
        self.starting, self.segments, self.events, self.samples = [], [], [], []
        self.reserved = None


class Trace:
    """The devices that were used, those of the host last. Blocks, segments, failures and events are dicts. Stacks are tuples
    of (function, file, line), innermost first. `block` of an event is the block itself."""

    def __init__(self, path):
        with open(path, 'rb') as file:
            data = unpack_frames(file.read())
        texts, stacks, devices, streams, blocks = [b''], [()], [], [], []
        self.settings, self.lacks, self.origin, self.notes, self.complete = [], 0, None, 0, False
        time = where = 0

        def block(fields):
            address, size, occupied, stream, stack, tag, category = fields[:7]
            blocks.append(dict(id=address, size=size, occupied=occupied, stream=streams[stream][1], stack=stacks[stack],
                               tag=texts[tag], category=category))
            return devices[streams[stream][0]], blocks[-1]

        def segment(fields):
            address, size, stream, stack, flags = fields[:5]
            return devices[streams[stream][0]], dict(id=address, size=size, stream=streams[stream][1], stack=stacks[stack],
                                                     mapped=flags & 1, private=flags >> 1 & 1)

        for kind, body in records(data):
            if kind == 1:
                texts.append(body)
                continue
            if kind == 21:
                self.origin = body.decode()
                continue
            if kind == 19:
                continue
            fields = numbers(body)
            if kind == 2:
                caller, function, name, line = fields[:4]
                stacks.append(((texts[function], texts[name], line),) + stacks[caller])
            elif kind == 3:
                devices.append(Device(*fields[:3]))
            elif kind == 4:
                streams.append(fields)
            elif kind == 5:
                self.settings.append((texts[fields[0]], texts[fields[1]]))
            elif kind == 6:
                device, it = block(fields)
                it['device'] = device
                device.starting.append(it)
            elif kind == 7:
                device, it = segment(fields)
                device.segments.append(it)
            elif kind in EVENTS:
                time += unfold(fields[0])
                where += unfold(fields[1])
                event = dict(kind=EVENTS[kind], time=time % 2**64, where=where % 2**64)
                fields = fields[2:]
                if kind == 8:
                    device, event['block'] = block(fields)
                    event['block']['device'] = device
                elif kind in (9, 10):
                    event['block'] = blocks[fields[0]]
                    device = event['block']['device']
                elif kind in (11, 12):
                    device, event['text'] = devices[fields[0]], texts[fields[1]]
                elif kind == 13:
                    device = devices[streams[fields[2]][0]]
                    event['failure'] = dict(size=fields[0], free=None if fields[1] == 2**64 - 1 else fields[1],
                                            stream=streams[fields[2]][1], stack=stacks[fields[3]])
                else:
                    device, event['segment'] = segment(fields)
                device.events.append(event)
            elif kind == 16:
                devices[fields[1]].samples.append(dict(time=fields[0], live=fields[2], reserved=fields[3],
                                                       categories=tuple(fields[4:13])))
            elif kind == 17:
                devices[fields[0]].reserved = tuple(fields[1:4])
                devices[fields[0]].calls = tuple(fields[4:12])
            elif kind == 18:
                self.lacks, self.notes = fields[:2]
            elif kind == 20:
                self.complete = True
        used = [d for d in devices if d.starting or d.segments or d.events or d.samples or d.reserved]
        self.devices = sorted(used, key=lambda device: device.host)
        for device in self.devices:
            device.used = True


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


class Writer:
    """Builds a binary trace record by record. Numbers are those of the format."""

    def __init__(self):
        self.parts, self.texts, self.calls, self.time, self.where = [], {b'': 0}, {}, 0, 0
        self.counts = dict(device=0, stream=0, block=0)

    def record(self, kind, *fields):
        body = b''.join(map(varint, fields))
        self.parts.append(bytes([kind]) + varint(len(body)) + body)

    def bytes(self, kind, body):
        self.parts.append(bytes([kind]) + varint(len(body)) + body)

    def text(self, text):
        text = text if isinstance(text, bytes) else text.encode()
        if text not in self.texts:
            self.texts[text] = len(self.texts)
            self.bytes(1, text)
        return self.texts[text]

    def stack(self, *calls):
        """Calls are (function, file, line), innermost first."""
        caller = 0
        for function, name, line in reversed(calls):
            key = caller, self.text(function), self.text(name), line
            if key not in self.calls:
                self.calls[key] = len(self.calls) + 1
                self.record(2, *key)
            caller = self.calls[key]
        return caller

    def device(self, number, host=False, memory=0):
        self.record(3, number, int(host), memory)
        self.counts['device'] += 1
        return self.counts['device'] - 1

    def stream(self, device, native=0):
        self.record(4, device, native)
        self.counts['stream'] += 1
        return self.counts['stream'] - 1

    def setting(self, name, value):
        self.record(5, self.text(name), self.text(value))

    def event(self, kind, time, where, *fields):
        fold = lambda number: number * 2 if number >= 0 else -number * 2 - 1
        self.record(kind, fold(time - self.time), fold(where - self.where), *fields)
        self.time, self.where = time, where

    def new_block(self):
        self.counts['block'] += 1
        return self.counts['block'] - 1

    def save(self, path, origin=None, lacks=None):
        zstd = ctypes.CDLL('libzstd.so.1')
        zstd.ZSTD_compressBound.restype = zstd.ZSTD_compress.restype = ctypes.c_size_t
        if origin is not None:
            self.bytes(21, origin.encode())
        if lacks is not None:
            self.record(18, lacks, 0)
        self.record(20)
        with open(path, 'wb') as file:
            file.write(struct.pack('<II12sI', MAGIC, 16, b'tarn-trace\n\0', 1))
            parts, size = [], 0
            for part in self.parts + [None]:
                if part is None or size + len(part) > 1 << 18:
                    data = b''.join(parts)
                    room = ctypes.create_string_buffer(zstd.ZSTD_compressBound(ctypes.c_size_t(len(data))))
                    got = zstd.ZSTD_compress(room, ctypes.c_size_t(len(room)), data, ctypes.c_size_t(len(data)), 3)
                    file.write(room.raw[:got])
                    parts, size = [], 0
                parts.append(part)
                size += len(part or b'')
