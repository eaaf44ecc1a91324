#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The functions in docs/functions/cuda.txt agree with the library, and a page with one wrong row or name does not. See tests/compat/cuda/functions.py.
set -eu
command -v python3 >/dev/null || {
    echo "skipped: needs python3"
    exit 77
}
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
compare() { python3 "$SRC/tests/compat/cuda/functions.py" "$BUILD/lib/tarn/cuda/libcuda.so.1" "$1"; }
compare "$SRC"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/docs/functions"
# try EXPRESSION: the page changed by sed is refused.
try() {
    sed "$1" "$SRC/docs/functions/cuda.txt" >"$copy/docs/functions/cuda.txt"
    if cmp -s "$SRC/docs/functions/cuda.txt" "$copy/docs/functions/cuda.txt" || compare "$copy" 2>/dev/null; then
        echo "a page changed by $1 is accepted" >&2
        exit 1
    fi
}
# shellcheck disable=SC2016 # the page's own marks
{
    try 's/`cuInit`, //'
    try '/^| `cuCtxCreate` /d'
    try 's/`cuTensorMapEncodeTiled` //'
    try 's/`cuInit`, /&`cuTensorMapEncodeTiled`, /'
    try 's/^| `cuCtxCreate` | partial/| `cuCtxCreate` | 801/'
}
