#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh [--json | --tight] [TRACE...]: Tarn beside other allocators in one run of the harness that TARN_PEERS_DIR
# named when build/ was configured. Without traces it runs the 14 with one thread and the 3 with two. It prints, for
# each trace, nanoseconds for an allocation and a free, the 99.9th percentile of an allocation, the smallest arena in
# which the trace completes, and geometric means of ratios. --json prints the same as a list of objects.
# `proto` is the harness's own allocator, which has no lock and takes handles; `byaddress` is the same with a lock,
# caches of threads, and blocks that are freed by their address, as Tarn's are.
# --tight instead runs Tarn in little memory (ad_tight.cpp): kv-serve in 1.05 times and train-var in 1.02 times its peak
# of live bytes, and each trace in 1.02 times the smallest arena.
# BUILD says where the programs are (default build). The harness reads SB_REPS and the like from the environment;
# SB_NOMIN=1 leaves out the smallest arenas, which take most of the time.
set -eu
build=${BUILD:-build}
single='lifo-1k lifo-10k lifo-100k fifo-1k fifo-10k fifo-100k rand-1k rand-10k rand-100k small-100k huge-500 train
train-var kv-serve'
form=table
case ${1:-} in --json | --tight) form=${1#--} && shift ;; esac
traces=$*
[ -n "$traces" ] || traces="$single"
[ $# -gt 0 ] || [ "$form" = tight ] || traces="$traces mt-rand mt-small mt-xfree"
[ -x "$build/bin/peers_tarn" ] || {
    echo "no $build/bin/peers_tarn: configure with -DTARN_BENCH=ON -DTARN_PEERS_DIR=..." >&2
    exit 1
}
results=$(mktemp)
trap 'rm -f "$results"' EXIT

# run_one ALLOCATOR TRACE: prints the harness's line, with the allocator's name as this script knows it.
run_one() {
    program=peers_$1
    case $1 in
    fixed) program=peers_tarn ;;
    expandable) program=peers_tarn ;;
    # It gives large blocks straight to the system, which would measure the system.
    mimalloc) case $2 in small-* | mt-small | mt-xfree) ;; *) return 0 ;; esac ;;
    esac
    [ -x "$build/bin/$program" ] || return 0
    [ ! -t 2 ] || printf '%s %s\033[K\r' "$2" "$1" >&2
    TARN_POOL=$1 "$build/bin/$program" "$2" | sed "s/^[^,]*/$1/"
}

# The columns of a line: 3 ns a pair (OOM, MT: million pairs a second with one and two threads follow), 8 p99.9 of an
# allocation, 15 smallest arena, 17 peak live in GB, 18 driver calls for 1000 pairs.
measure_all() {
    for trace in $traces; do
        for allocator in fixed expandable torchlike proto byaddress jemalloc mimalloc; do
            run_one "$allocator" "$trace"
        done
    done >"$results"
}

print_json() {
    awk -F , '
        { printf "%s  {\"allocator\": \"%s\", \"trace\": \"%s\", ", NR == 1 ? "[\n" : ",\n", $1, $2 }
        $3 == "MT" { printf "\"million_pairs_per_s\": %s, \"million_pairs_per_s_2_threads\": %s}", $4, $5; next }
        NF < 18 { printf "\"outcome\": \"%s\"}", $3; next }
        { printf "\"ns_per_pair\": %s, \"alloc_p50_ns\": %s, \"alloc_p99_ns\": %s, \"alloc_p999_ns\": %s, ", $3, $6, $7, $8
          printf "\"free_p999_ns\": %s, \"footprint\": %s, \"minimum_arena\": %s, \"metadata_bytes\": %s, ", $11, $14, $15, $16
          printf "\"driver_calls_per_1000_pairs\": %s}", $18 }
        END { print NR == 0 ? "[]" : "\n]" }' "$results"
}

# print_column TITLE COLUMN FORMAT: a line for each trace, a column for each allocator.
print_column() {
    awk -F , -v title="$1" -v column="$2" -v form="$3" '
        $3 == "MT" || $3 == "SKIP" { next }
        !($2 in seen) { seen[$2] = 1; trace[++traces] = $2 }
        { value[$2, $1] = NF < 18 ? $3 : $column == 0 || $column == -1 ? "-" : sprintf(form, $column) }
        END {
            n = split("fixed expandable torchlike proto byaddress jemalloc mimalloc", name, " ")
            if (traces == 0) exit
            printf "%s\n%-12s", title, "trace"
            for (i = 1; i <= n; i++) printf " %10s", name[i]
            printf "\n"
            for (t = 1; t <= traces; t++) {
                printf "%-12s", trace[t]
                for (i = 1; i <= n; i++)
                    printf " %10s", (trace[t], name[i]) in value ? value[trace[t], name[i]] : "-"
                printf "\n"
            }
            printf "\n"
        }' "$results"
}

# print_means: the geometric mean of the time of each allocator, relative to each of two peers.
print_means() {
    awk -F , '
        NF >= 18 && $3 > 0 { ns[$2, $1] = $3; seen[$2] = 1 }
        function mean(a, b, t, sum, n) {
            sum = n = 0
            for (t in seen) if (ns[t, a] > 0 && ns[t, b] > 0) { sum += log(ns[t, a] / ns[t, b]); n++ }
            return n == 0 ? "" : sprintf("%.3f (%d traces)", exp(sum / n), n)
        }
        END {
            n = split("fixed:torchlike expandable:torchlike fixed:proto expandable:proto byaddress:proto fixed:byaddress expandable:fixed fixed:jemalloc", pair, " ")
            printf "geometric means of the time\n"
            for (i = 1; i <= n; i++) {
                split(pair[i], p, ":")
                if (mean(p[1], p[2]) != "") printf "%-24s %s\n", p[1] " / " p[2], mean(p[1], p[2])
            }
        }' "$results"
}

print_threads() {
    awk -F , '
        $3 != "MT" { next }
        !any++ { printf "\nmillion pairs a second\n%-12s %-10s %10s %10s %8s\n", "trace", "allocator", "1 thread", "2 threads", "scaling" }
        $4 > 0 { printf "%-12s %-10s %10.2f %10.2f %7.2fx\n", $2, $1, $4, $5, $5 / $4; next }
        { printf "%-12s %-10s %10s %10.2f\n", $2, $1, "-", $5 }' "$results"
}

# ---- little memory

# tight ALLOCATOR TRACE [FACTOR]: a row.
tight() {
    [ ! -t 2 ] || printf '%s %s\033[K\r' "$2" "$1" >&2
    allocator=$1
    shift
    TARN_POOL=$allocator "$build/bin/peers_tight" "$@" | awk -F , -v name="$allocator" '
        $5 < 0 { printf "%-12s %-10s %8.3f %10.1f %10s\n", $2, name, $3, $4, "no fit"; next }
        { printf "%-12s %-10s %8.3f %10.1f %10.1f %7.2fx\n", $2, name, $3, $4, $5, $5 / $4 }'
}

print_tight() {
    printf '%-12s %-10s %8s %10s %10s %8s\n' trace allocator arena 'ns, room' 'ns, tight' ratio
    tight expandable kv-serve 1.05
    tight expandable train-var 1.02
    for trace in $traces; do
        tight fixed "$trace"
        tight expandable "$trace"
    done
}

case $form in
tight) print_tight ;;
json)
    measure_all
    print_json
    ;;
table)
    measure_all
    print_column 'ns for an allocation and a free' 3 %.1f
    print_column 'ns of an allocation, 99.9th percentile' 8 %.0f
    print_column 'smallest arena / peak of live bytes' 15 %.3f
    print_column 'driver calls for 1000 pairs' 18 %.3f
    print_means
    print_threads
    ;;
esac
