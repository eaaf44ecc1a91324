#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh [TRACE...]: Tarn beside other allocators in one run of the harness that TARN_PEERS_DIR named
# when build/ was configured. Prints nanoseconds per allocation and free, the share of the published
# caching-allocator algorithm (torchlike), and the geometric mean of the shares. BUILD says where the
# programs are (default build). The harness reads SB_REPS and the like from the environment.
set -eu
build=${BUILD:-build}
[ $# -gt 0 ] || set -- rand-10k small-100k train train-var kv-serve
[ -x "$build/bin/peers_tarn" ] || {
    echo "no $build/bin/peers_tarn: configure with -DTARN_BENCH=ON -DTARN_PEERS_DIR=..." >&2
    exit 1
}
results=$(mktemp)
trap 'rm -f "$results"' EXIT

for trace in "$@"; do
    for peer in tarn torchlike proto jemalloc mimalloc; do
        # mimalloc gives large blocks straight to the system, which would measure the system.
        case $peer/$trace in mimalloc/small-*) ;; mimalloc/*) continue ;; esac
        [ -x "$build/bin/peers_$peer" ] || continue
        [ ! -t 2 ] || printf '%s %s\033[K\r' "$trace" "$peer" >&2
        "$build/bin/peers_$peer" "$trace" | sed "s/^[^,]*/$peer/"
    done
done >"$results"

awk -F , '
    BEGIN { printf "%-12s %-10s %9s %9s %9s %9s %10s %9s\n", "trace", "allocator", "ns/pair",
                   "alloc p99", "free p99", "min arena", "torchlike", "calls/1k" }
    $1 == "torchlike" { base[$2] = $3 }
    NF < 18 { printf "%-12s %-10s %s\n", $2, $1, $3; next } # out of memory, or not for it
    { line[++lines] = $0 }
    END {
        for (i = 1; i <= lines; i++) {
            split(line[i], f, ",")
            share = base[f[2]] > 0 ? f[3] / base[f[2]] : 0
            printf "%-12s %-10s %9.1f %9.1f %9.1f %9.3f %9.2fx %9.3f\n", f[2], f[1], f[3], f[7],
                   f[10], f[15], share, f[18]
            if (share > 0) { sum[f[1]] += log(share); count[f[1]]++ }
        }
        printf "\ngeometric mean of the share of torchlike:"
        for (name in sum) printf " %s %.3f (%d traces)", name, exp(sum[name] / count[name]), count[name]
        printf "\n"
    }' "$results"
