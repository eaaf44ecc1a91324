# SPDX-License-Identifier: Apache-2.0
# Verifies events for Perfetto: each begun block ends once, with the same category, id, process and name, and not before it
# began; phases have a duration. Prints for each process its name, the peak of the counter, and the numbers of blocks, phases
# and failures.
import json
import sys

whole = json.load(open(sys.argv[1]))
assert whole['displayTimeUnit'] == 'ms'
begun, rows, names = {}, {}, {}
for event in whole['traceEvents']:
    phase, row = event['ph'], rows.setdefault(event['pid'], dict(peak=0, blocks=0, phases=0, failures=0))
    key = event.get('cat'), event.get('id'), event['pid']
    if phase == 'M':
        names[event['pid']] = event['args']['name'] if event['name'] == 'process_name' else names[event['pid']]
        continue
    assert event['ts'] >= 0
    if phase == 'C':
        assert all(type(value) is int and value >= 0 for value in event['args'].values())
        row['peak'] = max(row['peak'], event['args']['live'])
    elif phase == 'b':
        assert key not in begun, event
        begun[key] = event
        row['blocks'] += 1
    elif phase == 'e':
        begin = begun.pop(key)
        assert begin['name'] == event['name'] and begin['ts'] <= event['ts'], event
    elif phase == 'X':
        assert event['dur'] >= 0
        row['phases'] += 1
    else:
        assert phase == 'i' and event['s'] == 'p', event
        row['failures'] += 1
assert not begun, begun
for pid, row in sorted(rows.items()):
    print(names[pid], *('%s=%d' % item for item in row.items()))
