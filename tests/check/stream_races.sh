#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each case of stream_races.cu whose name begins with `race` has one race between streams, kernels, copies, functions and the
# host, which is an error. The others have none, and nothing is reported about them. SRC and TARN are set.
# ONLY is a pattern of names.
set -eu
: "${SRC:?}" "${TARN:?}"
command -v g++ >/dev/null || { echo "skipped: needs g++"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TARN_CHECK_OPTIONS TARN_CXX TARN_DEVICE TARN_HOST
failures=0

"$TARN" nvcc --kernel-races -g "$SRC/tests/check/stream_races.cu" -o "$work/program"
for name in $("$work/program"); do
    # shellcheck disable=SC2254 # a pattern
    case $name in ${ONLY:-*}) ;; *) continue ;; esac
    case $name in race*) wanted='77 1' ;; *) wanted='0 0' ;; esac
    status=0
    timeout 900 "$TARN" check --as cuda --kernel-races -- "$work/program" "$name" >"$work/log" 2>&1 || status=$?
    reports=$(grep -c -e '== \(ERROR\|WARN\|NOTE\) ' "$work/log") || true
    races=$(grep -c -e '== ERROR \(copy-race\|host-race\|use-before-event\|stream-use-after-free\): ' "$work/log") || true
    [ "$status $races" = "$wanted" ] && [ "$reports" = "$races" ] && continue
    echo "--- $name: exit $status, $reports report(s), $races race(s)"
    cat "$work/log"
    failures=$((failures + 1))
done
[ $failures = 0 ]
