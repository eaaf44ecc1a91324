#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints how long a launch takes under `tarn check --kernel-races`, in microseconds, by the number of its threads, for one
# build of Tarn or for two in turn. BUILD says where the programs are (default build), OTHER where those of the second build
# are.
set -eu
SRC=$(dirname "$0")
BUILD=${BUILD:-$SRC/../build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

number=0
for build in "$BUILD" ${OTHER:+"$OTHER"}; do
    number=$((number + 1))
    ln -s "$(cd "$build" && pwd)/bin/tarn" "$work/tarn$number"
    "$work/tarn$number" hipcc -O2 --kernel-races "$SRC/kernel_races.hip" -o "$work/program$number"
done

# Prints the median over the turns of a build.
median() { sort -n "$1" | awk '{ line[NR] = $1 } END { printf "%s", line[int((NR + 1) / 2)] }'; }

printf '| threads | BUILD%s |\n|---|---|%s\n' "${OTHER:+ | OTHER}" "${OTHER:+---|}"
for shape in '32 1 2000' '256 1 2000' '256 8 400' '256 64 50'; do
    # shellcheck disable=SC2086 # words
    set -- $shape
    for _ in 1 2 3; do
        for i in $(seq $number); do
            "$work/tarn$i" check --as hip --kernel-races -- "$work/program$i" "$@" 2>/dev/null >>"$work/$1.$2.$i"
        done
    done
    printf '| %s |' "$(($1 * $2))"
    for i in $(seq $number); do printf ' %s us |' "$(median "$work/$1.$2.$i")"; done
    printf '\n'
done
