#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The package and its generator pass mypy --strict and flake8.
set -eu
python=/usr/bin/python3
[ -x $python ] || python=python3
command -v mypy >/dev/null || {
    echo "skipped: needs mypy"
    exit 77
}
$python -c 'import flake8' 2>/dev/null || {
    echo "skipped: needs python3-flake8"
    exit 77
}
cd "$SRC/python"
mypy --config-file pyproject.toml --cache-dir "$BUILD/tests/python_types" -p tarn
# E203: a space before the colon of a slice. F401: names that the package passes on.
$python -m flake8 --max-line-length 100 --extend-ignore E203 \
    --per-file-ignores 'tarn/_native.py:E501 tarn/__init__.py:F401' tarn generate.py setup.py ../tests/python
