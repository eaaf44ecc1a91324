# SPDX-License-Identifier: Apache-2.0
"""Asks `tarn explain` about recordings whose truth is known, see table.py.

    python3 run.py TARN FOLDER [NAME...]

TARN is the command. The recordings are written into the folder. Each is asked as a snapshot. Question 7 is also asked
of a text trace, which lacks stacks and the ends of phases: there the answer may always be silent, and has no owner.
Exits with 1 if an answer is wrong.
"""

import importlib
import pathlib
import re
import subprocess
import sys

from table import OPENING, SILENT_OR, TABLE

IN_TEXT = {7}
NOT_TABLES = {'profiles', 'run', 'story', 'table', 'training'}


def ask(tarn, path, question):
    which = [] if question == OPENING else ['--question', str(question)]
    done = subprocess.run([tarn, 'explain', '--no-replay', *which, path], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        return f'exit {done.returncode}: {done.stderr}'
    return ' '.join(done.stdout.split('\n')[:2]) if question == OPENING else done.stdout.rstrip('\n')


def main(tarn, folder, *names):
    for module in sorted(path.stem for path in pathlib.Path(__file__).parent.glob('*.py')):
        if module not in NOT_TABLES:
            importlib.import_module(module)
    wrong = 0
    for name, (make, answers) in TABLE.items():
        if names and name not in names:
            continue
        made = make()
        snapshot, text = f'{folder}/{name}{made.ending}', f'{folder}/{name}.trace'
        made.save(snapshot)
        if IN_TEXT & answers.keys():
            subprocess.run([tarn, 'convert', snapshot, text], check=True, capture_output=True, timeout=120)
        for question, right in answers.items():
            asked = [(snapshot, right)]
            if question in IN_TEXT:
                asked.append((text, SILENT_OR + right.split('.* from ')[0]))
            for path, allowed in asked:
                answer = ask(tarn, path, question)
                matches = re.match(f'(?:{allowed})', answer) is not None
                wrong += not matches
                print(f'{"right" if matches else "WRONG"}: {path.rsplit("/", 1)[1]}, question {question}: {answer}')
                if not matches:
                    print(f'    allowed is: {allowed}')
    print(f'{wrong} of the answers are wrong')
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
