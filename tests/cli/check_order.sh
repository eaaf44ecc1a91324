#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tables of pairs in docs/check/order.txt are true: for each cell, tests/check/order/pairs.hip runs under the checker with the
# two operations, for HIP or CUDA, on a pair of streams, with calls that order them and with calls that do not. It is
# compiled with --kernel-races and without. By day each cell is run in both ways, with faces, streams and calls in turn,
# and each call with each pair of streams. TARN_TEST_SWEEP=all runs each cell for both faces on all streams, and ten times
# what the day runs.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CXX TARN_CHECK_OPTIONS TARN_CUDA_DEVICE TARN_HIP_DEVICE
lib=$(dirname "$TARN")/../lib
for face in hip/libamdhip64.so.6 cuda/libcudart.so; do
    [ -e "$lib/tarn/$face" ] || { echo "skipped: needs the faces hip and cuda"; exit 77; }
done
command -v g++ >/dev/null || { echo "skipped: needs g++"; exit 77; }
skip_sanitized "programs would need the sanitizer of the library"

source=$SRC/tests/check/order/pairs.hip
sed -f "$SRC/tests/compat/cuda/translate.sed" "$source" >"$work/pairs.cu"
explicit="-DEXPLICIT -I$SRC/include -L$lib -ltarn -Wl,-rpath,$lib"
# shellcheck disable=SC2086 # words
expect 0 hipcc -O0 -g "$source" $explicit -o "$work/hip"
# shellcheck disable=SC2086
expect 0 nvcc -O0 -g "$work/pairs.cu" $explicit -o "$work/cuda"
expect 0 hipcc -O0 -g --kernel-races "$source" -o "$work/hip-watched"
expect 0 nvcc -O0 -g --kernel-races "$work/pairs.cu" -o "$work/cuda-watched"

# Prints "TURN FACE PROGRAM FIRST SECOND STREAMS BETWEEN REPORT" for each run; REPORT is a cell of the table.
list_cells() {
    "$work/hip" | awk -v sweep="${TARN_TEST_SWEEP:-}" -v seed="${TARN_TEST_SEED:-0}" '
        function refuse(text) { print text >"/dev/stderr"; failed = 1; exit 1 }
        function is_of_host(name) { return name ~ /^host-(load|store)$/ }
        function is_ordered(first, second, streams, between, column) {
            column = is_of_host(second) ? substr(streams, 1, 1) ", host" : streams
            if (column == "s, host") column = "n, host"
            if ((first == "event" || second == "event") && (between == "event" || between == "event-wait"))
                between = "nothing" # the event is an early one
            return orders[between, column] == "yes"
        }
        function run(face, first, second, streams, between, report) {
            report = cell[table_number, first, second]
            if (report !~ /^[UD?]$/ && is_ordered(first, second, streams, between)) report = "-"
            print ++runs, face, face (table_number == 1 ? "" : "-watched"), first, second, streams, between, report
        }
        # Runs a cell with the next call that orders it, or that does not; there may be none.
        function run_turn(face, first, second, streams, ordered, i) {
            for (i = 0; i < call_count; i++) {
                turn++
                if (is_ordered(first, second, streams, call[turn % call_count]) == ordered) {
                    run(face, first, second, streams, call[turn % call_count])
                    return
                }
            }
        }
        FILENAME == "-" { name[++names] = $0; next }
        !/^[|]/ { table = ""; rows = 0; next }
        { count = split($0, field, / *[|] */) - 1 }
        field[2] ~ /^first / || field[2] == "name" {
            table = field[2]
            tables += table != "name"
            for (i = 3; i <= count; i++) head[i] = field[i]
            next
        }
        table ~ /^first / && !/^[|]-/ {
            rows++
            if (field[2] != name[rows]) refuse("row " rows " of the table of pairs is " field[2] ", not " name[rows])
            if (count != names + 2) refuse("row " field[2] " has not " names " cells")
            for (i = 3; i <= count; i++) {
                if (head[i] != name[i - 2]) refuse("column " head[i] " is not " name[i - 2])
                if (field[i] !~ /^([CHAFUDW?-]|F\/U|no)$/) refuse("cell " field[2] ", " head[i] ": " field[i])
                cell[tables, field[2], head[i]] = field[i]
                cells++
            }
        }
        table == "name" && !/^[|]-/ {
            call[call_count++] = field[2]
            for (i = 4; i <= count; i++) {
                orders[field[2], head[i]] = field[i]
                if (head[i] !~ /host/ && call_count == 1) kinds[kind_count++] = head[i]
            }
        }
        END {
            if (failed) exit 1
            if (cells != 2 * names * names || call_count < 10) refuse("the tables of pairs are not read as they should be")
            for (i = 1; i <= names; i++)
                for (k = 1; k <= names; k++)
                    if ((cell[1, name[i], name[k]] == "-") != (cell[2, name[i], name[k]] == "-"))
                        refuse(name[i] " and " name[k] " race in one table only")
            turn = seed
            for (table_number = 1; table_number <= 2; table_number++)
                list_table()
        }
        function list_table(i, k, j, face, ordered, streams) {
            for (i = 0; i < call_count; i++)
                for (k = 0; k < kind_count; k++) {
                    face = (i + k + seed) % 2 ? "hip" : "cuda"
                    run(face, "fill", "copy-out", kinds[k], call[i])
                    run(face, "fill", "host-load", kinds[k], call[i])
                }
            for (i = 1; i <= names; i++)
                for (k = 1; k <= names; k++) {
                    for (ordered = 0; ordered < 2; ordered++)
                        for (j = 0; j < kind_count; j++) {
                            streams = kinds[(i + k + j + seed) % kind_count]
                            if (!ordered && is_ordered(name[i], name[k], streams, "nothing")) continue
                            run_turn((i + k + ordered + seed) % 2 ? "hip" : "cuda", name[i], name[k], streams, ordered)
                            if (sweep != "all") break
                            run_turn((i + k + ordered + seed) % 2 ? "cuda" : "hip", name[i], name[k], streams, ordered)
                        }
                }
        }' - "$SRC/docs/check/order.txt"
}

# run_cells: runs the cells of $work/cells, and prints those whose reports are wrong.
run_cells() {
    while read -r turn face program first second streams between report; do
        option=
        [ "$program" = "$face" ] || option=--kernel-races
        printf 'CELL %s %s %s %s %s %s %s\n' "$turn" "$program" "$first" "$second" "$streams" "$between" "$report"
        status=0
        # Copies of fresh blocks are reports of another kind.
        # shellcheck disable=SC2086 # no word, or one
        timeout 600 "$TARN" check --as "$face" $option --stack-depth 0 --uninitialised=0 -- \
            "$work/$program" "$first" "$second" "$streams" "$between" 2>&1 </dev/null || status=$?
        printf 'STATUS %s\n' "$status"
    done <"$work/cells" >"$work/log"
    awk '
        BEGIN {
            kind["C"] = " copy-race:"
            kind["H"] = " host-race:"
            kind["A"] = " use-before-event:"
            kind["F"] = " stream-use-after-free:"
            kind["F/U"] = " stream-use-after-free: use-after-free:"
            kind["U"] = kind["?"] = " use-after-free:"
            kind["D"] = " double-free:"
            kind["W"] = " overlapping-writers:"
        }
        /^CELL / { title = $0; report = $NF; text = ""; reported = 0; wrong = 0; next }
        /^STATUS / {
            count++
            found = report == "?" ? reported > 0 : report ~ /^[CHAFUDW]/
            if ($2 != (found && report != "W" ? 77 : 0) || wrong || (reported > 0) != found) {
                printf "%s\n%s%s\n", title, text, $0
                bad++
            }
        }
        { text = text $0 "\n" }
        # After a use of freed memory the program has not the resources that it frees.
        /^==[0-9]+== (ERROR|WARN|NOTE) / {
            reported++
            wrong += !index(kind[report], " " $3) && !(report == "U" && reported > 1)
        }
        END {
            printf "%d runs, %d wrong\n", count, bad
            exit !(bad == 0 && count > 0)
        }' "$work/log"
}

list_cells >"$work/cells" || fail "the tables in docs/check/order.txt do not fit the program"
run_cells || fail "cells have other reports than docs/check/order.txt says"
[ "${TARN_TEST_SWEEP:-}" = all ] || exit 0
for TARN_TEST_SEED in 1 2 3 4 5 6 7 8 9; do
    TARN_TEST_SWEEP='' list_cells >"$work/cells"
    run_cells || fail "with TARN_TEST_SEED=$TARN_TEST_SEED"
done
