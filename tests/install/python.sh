#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The package for Python in an installed tree finds the library and the command of that tree.
set -eu
command -v python3 >/dev/null || {
    echo "skipped: needs python3"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for component in runtime tools; do
    cmake --install "$BUILD" --component $component --prefix "$work/a prefix" >/dev/null
done
unset TARN_LIBRARY TARN_COMMAND
export PYTHONDONTWRITEBYTECODE=1
cat >"$work/look.py" <<'END'
import sys

import tarn
from tarn._library import find_command

tree, recording = sys.argv[1:]
assert tarn.lib.path().startswith(tree + "/lib"), tarn.lib.path()
assert find_command() == tree + "/bin/tarn", find_command()
with tarn.Device("host:0,memory=8M") as device, device.alloc(4) as memory:
    memory.write(b"here")
    assert memory.read() == b"here"
assert tarn.replay(recording, device="sim:0,memory=80G").completed
END
PYTHONPATH="$work/a prefix/share/tarn/python" python3 "$work/look.py" "$work/a prefix" \
    "$SRC/traces/cnn-train.trace.gz"
