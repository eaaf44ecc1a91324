# SPDX-License-Identifier: Apache-2.0
# Reads a profile of pprof by its description alone (github.com/google/pprof, profile.proto) and checks what pprof demands.
# Prints the sums of the two values, and for each sample its values, its labels and its stack, leaf first.
import gzip
import sys


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            assert key & 7 == 2, key
            size, at = varint(data, at)
            assert at + size <= len(data)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def message(data):
    found = {}
    for field, value in fields(data):
        found.setdefault(field, []).append(value)
    return found


profile = message(gzip.open(sys.argv[1]).read())
texts = [text.decode() for text in profile[6]]
assert texts[0] == ''
one = lambda part, field: part.get(field, [0])[0]
types = [(texts[one(t, 1)], texts[one(t, 2)]) for t in map(message, profile[1])]
assert types == [('inuse_objects', 'count'), ('inuse_space', 'bytes')], types
assert texts[one(profile, 14)] == 'inuse_space'
functions = {}
for function in map(message, profile.get(5, [])):
    assert one(function, 1) not in functions and one(function, 1) != 0
    functions[one(function, 1)] = texts[one(function, 2)], texts[one(function, 4)]
locations = {}
for location in map(message, profile.get(4, [])):
    assert one(location, 1) not in locations and one(location, 1) != 0
    line = message(one(location, 4))
    locations[one(location, 1)] = '%s:%d' % (functions[one(line, 1)][0], one(line, 2))
sums, lines = [0, 0], []
for sample in map(message, profile.get(2, [])):
    values = packed(one(sample, 2))
    assert len(values) == 2
    sums = [a + b for a, b in zip(sums, values)]
    labels = []
    for label in map(message, sample.get(3, [])):
        assert (2 in label) != (3 in label)
        labels.append('%s=%s' % (texts[one(label, 1)], texts[one(label, 2)] if 2 in label else one(label, 3)))
    lines.append('%d %d %s %s' % (*values, ' '.join(labels), '<'.join(locations[i] for i in packed(one(sample, 1)))))
print('sum', *sums)
print('\n'.join(sorted(lines)))
