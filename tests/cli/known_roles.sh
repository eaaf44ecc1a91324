#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `tarn explain` says of parameters, optimizer state, gradients and activations is equal to the byte to what a
# script of tests/known allocated for them, or is left open.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

command -v python3 >/dev/null || {
    echo "skipped: no python3" >&2
    exit 77
}
PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/known/roles.py" "$TARN" "$work" >"$work/out" 2>"$work/err" ||
    fail "wrong claims: $(grep -v -e '^right' "$work/out" | head -n 20; tail -n 3 "$work/err")"
