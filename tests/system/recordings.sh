#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The recording of a seed can be read, and shows the blocks that the model has counted: each new one, each
# that became longer, and each that woke. Without contradictions, and every block is freed at the end.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset MSTX_INJECTION_PATH LD_PRELOAD TARN_RECORD_FILE
seeds=4
[ "${TARN_TEST_SWEEP:-}" != all ] || seeds=60
recorder=$(dirname "$TARN")/../lib/tarn/record/libtarn-record.so
[ -e "$recorder" ] || {
    echo "skipped: the recorder is not built" >&2
    exit 77
}
# The program starts itself again unless addresses are fixed, where that is allowed.
plain=
setarch "$(uname -m)" -R true 2>/dev/null && plain="setarch $(uname -m) -R"
for seed in $(seq "$seeds"); do
    rm -f "$work"/seed.tarn*
    # shellcheck disable=SC2086 # several words
    $plain "$TARN" record -o "$work/seed.tarn" -- \
        "$BUILD/tests/bin/system_seeds" --seed "$seed" --turns --inside >"$work/said" 2>"$work/err" ||
        fail "seed $seed: $(tail -n 1 "$work/err")"
    # shellcheck disable=SC2012 # names without odd characters; the peers have smaller recordings
    file=$(ls -S "$work"/seed.tarn* | head -n 1)
    expect 0 convert --quiet --to=csv "$file" "$work/seed.csv"
    seen=$(awk -F, '
        $2 == "alloc" && /,"(block_alloc|pool_wake) [^"]*"\r*$/ { blocks++; bytes += $6 }
        END { printf "%d blocks of %d bytes", blocks, bytes }' "$work/seed.csv")
    [ "$seen" = "$(tail -n 1 "$work/said")" ] ||
        fail "seed $seed: the recording has $seen, the model $(tail -n 1 "$work/said")"
    expect 0 replay --json "$file"
    [ "$(json contradictions)" = 0 ] || fail "seed $seed: $(json contradictions) contradictions"
    [ "$(json allocations)" = "$(json frees)" ] ||
        fail "seed $seed: $(json allocations) allocations, $(json frees) frees"
    expect 0 explain --no-replay "$file"
done
