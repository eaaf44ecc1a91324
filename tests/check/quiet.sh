#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# quiet.sh check|valgrind FACE PROGRAM: a correct program runs without a report, under `tarn check --as FACE`
# or under Valgrind. It must have used memory, otherwise nothing was checked. TARN is set.
set -eu
: "${TARN:?}"
unset TARN_CHECK_OPTIONS MSTX_INJECTION_PATH TARN_POOL_FENCE
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
case $1 in
check) "$TARN" check --as "$2" -- "$3" >"$log" 2>&1 || status=$? ;;
valgrind)
    command -v valgrind >/dev/null || {
        echo "skipped: needs valgrind"
        exit 77
    }
    valgrind "$3" >"$log" 2>&1 || status=$?
    ;;
esac
if [ "$status" = 77 ] && grep -q ' needed$' "$log"; then
    sed 's/^/skipped: /' "$log"
    exit 77
fi
if [ "$status" != 0 ] || grep -qE '^(ERROR|WARN|NOTE) [a-z-]+: ' "$log" ||
    ! grep -qE 'SUMMARY: 0 error\(s\), 0 warning\(s\), 0 byte\(s\) leaked|ERROR SUMMARY: 0 errors' "$log" ||
    grep -qE 'ERROR SUMMARY: [1-9]' "$log"; then
    cat "$log"
    echo "exit $status" >&2
    exit 1
fi
