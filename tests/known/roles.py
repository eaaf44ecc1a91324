# SPDX-License-Identifier: Apache-2.0
"""Asks `tarn explain` what is parameters, optimizer state, gradients and activations, where a script knows it.

    python3 roles.py TARN FOLDER [NAME...]

Each block of a program of programs.py has a role by construction. At several moments of each recording the claims are
compared with the sums of the roles: a figure must be equal to the byte, a lower bound no higher, and bytes that are not
told apart must have room for what is missing. Exits with 1 if a claim is wrong.
"""

import json
import subprocess
import sys

import mixtures  # noqa: F401, which adds to SCRIPTS
from program import ACTIVATIONS, ROLES
from programs import SCRIPTS


def explain(tarn, path, *options):
    done = subprocess.run([tarn, 'explain', '--no-replay', '--json', *options, path], capture_output=True, text=True,
                          timeout=120, check=True)
    return json.loads(done.stdout)


def judge(claims, truth, live):
    """Yields what is wrong in the claims about a moment."""
    if 'lack' in claims:
        if any(role in claims for role in ROLES):
            yield 'claims beside the reason why none can be made'
        return
    groups, least = claims['not_told_apart'], claims['at_least']
    told = sum(claims.get(role, 0) + least.get(role, 0) for role in ROLES)
    if told + sum(group['bytes'] for group in groups) != live:
        yield f'the sums are not the {live} bytes that are live'
    for role in ROLES:
        possible = sum(group['bytes'] for group in groups if role in group['roles'])
        certain = claims.get(role, 0) + least.get(role, 0)
        if role in claims and role in least:
            yield f'{role}: both exact and a lower bound'
        if not certain <= truth[role] <= certain + possible:
            yield f'{role}: {certain} to {certain + possible} are claimed, {truth[role]} are true'
        if role in claims and claims[role] != truth[role]:
            yield f'{role}: {claims[role]} are claimed, {truth[role]} are true'
    for group in groups:
        rest = sum(truth[role] - claims.get(role, 0) - least.get(role, 0) for role in group['roles'])
        if group['bytes'] > rest:
            yield f'{group["bytes"]} are not told apart as {group["roles"]}, which have {rest} left'


def examine(tarn, path, story, told):
    """Yields what is wrong in the claims at some moments, and which roles are not told at the peak."""
    numbers = range(len(story.events))
    live = [sum(entry.values()) for entry in story.sums]
    peak = max(numbers, key=lambda number: (live[number], -number))
    for number in sorted({*numbers[::11], peak, numbers[-1]}):
        claims = explain(tarn, path, '--at', str(story.number(number)))
        allocated = sum(event['size'] for event in story.events[:number + 1] if event['action'] == 'alloc')
        by_role = claims['by_role']
        if by_role.get(ACTIVATIONS, 0) + by_role.get('at_least', {}).get(ACTIVATIONS, 0) > allocated:
            yield f'event {number}: more activations than bytes allocated inside'
        for wrong in judge(by_role, story.sums[number], claims['moment']['live_bytes']):
            yield f'event {number}: {wrong}'
        if number == peak:
            for role in told:
                if role not in by_role and role not in by_role['at_least'] and story.sums[number][role]:
                    yield f'event {number}, the peak: {role} are not told'


def main(tarn, folder, *names):
    failed = 0
    for name, (make, told) in SCRIPTS.items():
        if names and name not in names:
            continue
        story, path = make(), f'{folder}/{name}.pickle'
        story.save(path)
        wrong = list(examine(tarn, path, story, told))
        answer = subprocess.run([tarn, 'explain', '--no-replay', '--question', '15', path], capture_output=True,
                                text=True, timeout=120, check=True).stdout.strip()
        print(f'{"WRONG" if wrong else "right"}: {name}: {answer}')
        for text in wrong:
            print(f'    {text}')
        failed += bool(wrong)
    print(f'{failed} programs get wrong roles')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
