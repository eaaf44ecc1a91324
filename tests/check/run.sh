#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh bugs|clean: runs each program of the folder under its detector and compares the reports with
# the expected ones. Comments at the top of a program describe it:
#
#   // OPTIONS: options of tarn check, which runs in the root of the sources
#   // EXPECT: a line of the output, or a part of it; ... stands for anything. The order counts
#   // EXPECT asan: and EXPECT valgrind: the same, under one detector
#   // RUN: plain (without tarn check), valgrind, or missing: under tarn check
#   // EXIT: the exit status, if it is not 77 after errors and 0 otherwise
#
# both_NAME.c is built twice, as asan_NAME, which runs plain, and as valgrind_NAME. A report that no
# EXPECT names is a false one. SRC, TARN and BIN (the folder of the programs) are set.
set -eu
folder=$1
: "${SRC:?}" "${TARN:?}" "${BIN:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TARN_CHECK_OPTIONS MSTX_INJECTION_PATH TARN_POOL_FENCE TARN_DEVICE
leaks=0 # a program with a bug may not reach the end that frees its memory
[ "$folder" != clean ] || leaks=1
ASAN_OPTIONS=exitcode=77:detect_leaks=$leaks
export ASAN_OPTIONS
# A pattern of names, to run only some programs.
only=${ONLY:-*}

# values KEY FILE: prints the values of a key, one on a line. KEY is an extended regular expression.
values() { sed -nE "s#^// ($1): ##p" "$2"; }

# run_of SOURCE: prints how the program $name is run.
run_of() {
    case $(basename "$1"):$name in
    both_*:asan_*) echo plain ;;
    both_*) echo valgrind ;;
    *) values RUN "$1" ;;
    esac
}

# launch SOURCE PROGRAM: its output goes to $work/log; prints its status.
# shellcheck disable=SC2086 # options are lists of words
launch() {
    status=0
    face=
    case $(basename "$2") in
    hip_*) face='--as hip' ;;
    acl_*) face='--as acl' ;;
    hiai_*) face='--as hiai' ;;
    esac
    options=$(values OPTIONS "$1")
    case $(run_of "$1") in
    plain) set -- "$2" ;;
    valgrind) set -- valgrind -q --error-exitcode=77 "$2" ;;
    *) set -- "$TARN" check $face $options -- "$2" ;;
    esac
    "$@" >"$work/log" 2>&1 || status=$?
    sed -i 's/^==[0-9]*== //' "$work/log"
    printf '%s\n' "$status"
}

# unmatched: prints the first expectation that no line meets behind the line of the one before.
unmatched() {
    [ -s "$work/wanted" ] || return 0
    awk '
    function meets(line, part, n, i, at) {
        n = split(wanted[next_one], part, /\.\.\./)
        for (i = 1; i <= n; i++) {
            if (part[i] == "") continue
            at = index(line, part[i])
            if (!at) return 0
            line = substr(line, at + length(part[i]))
        }
        return 1
    }
    NR == FNR { wanted[++count] = $0; next }
    FNR == 1 { next_one = 1 }
    next_one <= count && meets($0) { next_one++ }
    END { if (next_one == 0) next_one = 1; if (next_one <= count) print wanted[next_one] }' \
        "$work/wanted" "$work/log"
}

heads() { grep -cE '^(ERROR|WARN|NOTE) [a-z-]+: ' "$1" || true; }

bad=0
complain() {
    printf '%s: %s\n' "$name" "$*"
    sed 's/^/    /' "$work/log" | head -n 60
    bad=$((bad + 1))
}

# judge SOURCE STATUS: true when what was found is what was planted.
judge() {
    wrong=0
    exit_code=$(values EXIT "$1")
    ended=$exit_code # there are no stacks then
    if [ -z "$exit_code" ]; then
        exit_code=0
        ! grep -qE '^ERROR|Sanitizer|Invalid|uninitialised' "$work/wanted" || exit_code=77
    fi
    missing=$(unmatched)
    if [ -n "$missing" ]; then
        complain "not reported: $missing"
        wrong=1
    elif [ "$2" != "$exit_code" ]; then
        complain "exit $2, not $exit_code"
        wrong=1
    elif [ -z "$(run_of "$1")" ] && grep -qE '#[0-9]+ 0x[0-9a-f]+ tn_' "$work/log"; then
        complain "a function inside of Tarn is named"
        wrong=1
    elif [ -z "$ended" ] && [ -s "$work/wanted" ] && ! grep -qE "$(basename "$1" .c)\\.c:[0-9]+" "$work/log"; then
        complain "no line of the program is named"
        wrong=1
    fi
    extra=$(($(heads "$work/log") - $(heads "$work/wanted")))
    if [ "$extra" -gt 0 ]; then
        false_reports=$((false_reports + extra))
        [ "$wrong" = 1 ] || complain "$extra report(s) too many"
    fi
    [ "$wrong" = 0 ]
}

total=0 found=0 false_reports=0 left_out=0
# programs: prints the name of each program and the source that it is built from.
programs() {
    for source in "$SRC/tests/check/$folder"/*.c; do
        name=$(basename "$source" .c)
        case $name in
        both_*) printf '%s %s\n' "asan_${name#both_}" "$source" "valgrind_${name#both_}" "$source" ;;
        *) printf '%s %s\n' "$name" "$source" ;;
        esac
    done
}

programs >"$work/programs"
cd "$SRC"
while read -r name source <&3; do
    # shellcheck disable=SC2254 # a pattern
    case $name in $only) ;; *) continue ;; esac
    if [ ! -x "$BIN/$name" ] || { [ "$(run_of "$source")" = valgrind ] && ! command -v valgrind >/dev/null; }; then
        left_out=$((left_out + 1))
        continue
    fi
    values "EXPECT|EXPECT ${name%%_*}" "$source" >"$work/wanted"
    status=$(launch "$source" "$BIN/$name")
    total=$((total + 1))
    ! judge "$source" "$status" || found=$((found + 1))
done 3<"$work/programs"
[ "$left_out" = 0 ] || echo "$left_out left out"
echo "found $found of $total, false reports $false_reports"
[ "$bad" = 0 ] && [ "$false_reports" = 0 ] && [ "$total" -gt 0 ]
