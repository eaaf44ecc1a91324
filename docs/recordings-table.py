#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the verdicts on recordings, and what expandable segments would save where the remedy names them.

    python3 docs/recordings-table.py RECORDING...

The savings are GiB of the bytes that were reserved at the moment: with room on the card, and on the least card that
suffices. A negative one is what the option would reserve more. The command `tarn` is that of the shell.
"""

import json
import re
import subprocess
import sys


def saved(explained, figure):
    bytes_saved = explained["moment"]["reserved_bytes"] - explained["expandable_segments"][figure]
    return f"{bytes_saved / (1 << 30):.2f}"


print(f'{"recording":25} {"verdict":15} {"with room":>9} {"least card":>10}  remedy')
for path in sys.argv[1:]:
    command = ["tarn", "explain", "--json", path]
    explained = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    savings = ["", ""]
    if "expandable" in explained["remedy"]:
        savings = [saved(explained, figure) for figure in ("reserved_with_room_bytes", "least_card_bytes")]
    name = re.sub(r"(\.snapshot)?\.pickle\.gz$", "", path)
    remedy = re.split(r"[;:(]| first |, (?:if|which|before|or) ", explained["remedy"].replace("segments:True", "segments=True"))
    print(f'{name:25} {explained["verdict_kind"]:15} {savings[0]:>9} {savings[1]:>10}  '
          f'{remedy[0].replace("segments=True", "segments:True").strip(" ,")}')
