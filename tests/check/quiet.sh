#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# quiet.sh FACE PROGRAM: a correct program runs under `tarn check --as FACE` without a report. The
# program must have used memory, otherwise nothing was checked. TARN is set.
set -eu
: "${TARN:?}"
unset TARN_CHECK_OPTIONS MSTX_INJECTION_PATH TARN_POOL_FENCE
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
"$TARN" check --as "$1" -- "$2" >"$log" 2>&1 || status=$?
[ "$status" != 77 ] || ! grep -q ' needed$' "$log" || { sed 's/^/skipped: /' "$log"; exit 77; }
if [ "$status" != 0 ] || grep -qE '^(ERROR|WARN|NOTE) [a-z-]+: ' "$log" ||
    ! grep -q 'SUMMARY: 0 error(s), 0 warning(s), 0 byte(s) leaked' "$log"; then
    cat "$log"
    echo "exit $status" >&2
    exit 1
fi
