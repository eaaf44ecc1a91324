#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tarn explain` is right or silent about recordings whose truth is known because a script of tests/known made them.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

command -v python3 >/dev/null || {
    echo "skipped: no python3" >&2
    exit 77
}
PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/known/run.py" "$TARN" "$work" >"$work/out" 2>"$work/err" ||
    fail "wrong answers: $(grep -A 1 -e WRONG "$work/out")"
# Each recording obeys the rules of PyTorch's viewer.
python3 "$SRC/tests/support/snapshot_rules.py" "$work"/*.pickle >"$work/out" 2>"$work/err" || fail 'a snapshot breaks the rules'
