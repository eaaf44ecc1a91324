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
# EXPECT names is a false one. SRC, TARN and BIN (the folder of the programs) are set. One call of awk reads
# all programs, and one judges all logs: between two programs no other process starts.
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

cd "$SRC"
# Prints "NAME SOURCE RUN EXIT OPTIONS" for each program, "-" for a value that is missing, and writes what is wanted of it
# to NAME.wanted.
awk -v work="$work" '
    function value(keys) { # of a line "// KEY: VALUE" with one of the keys
        if (match($0, "^// (" keys "): ")) return substr($0, RLENGTH + 1)
        return ""
    }
    function describe(name, how, i, wanted) {
        wanted = work "/" name ".wanted"
        printf "" >wanted
        prefix = name
        sub(/_.*/, "", prefix)
        for (i = 1; i <= count; i++)
            if (prefixes[i] == "" || prefixes[i] == prefix) print expected[i] >wanted
        close(wanted)
        print name, source, how, code, options
    }
    function finish(base) {
        if (source == "") return
        base = source
        sub(/.*\//, "", base)
        sub(/\.c$/, "", base)
        if (base ~ /^both_/) {
            describe("asan" substr(base, 5), "plain")
            describe("valgrind" substr(base, 5), "valgrind")
        } else {
            describe(base, run)
        }
    }
    FNR == 1 { finish(); source = FILENAME; run = code = "-"; options = ""; count = 0 }
    /^\/\/ RUN: / { run = value("RUN") }
    /^\/\/ EXIT: / { code = value("EXIT") }
    /^\/\/ OPTIONS: / { options = value("OPTIONS") }
    /^\/\/ EXPECT[a-z ]*: / {
        expected[++count] = value("EXPECT[a-z ]*")
        prefixes[count] = $2 == "EXPECT:" ? "" : $3
        sub(/:.*/, "", prefixes[count])
    }
    END { finish() }' "tests/check/$folder"/*.c >"$work/programs"

left_out=0
while read -r name source run code options <&3; do
    # shellcheck disable=SC2254 # a pattern
    case $name in $only) ;; *) continue ;; esac
    if [ ! -x "$BIN/$name" ] || { [ "$run" = valgrind ] && ! command -v valgrind >/dev/null; }; then
        left_out=$((left_out + 1))
        continue
    fi
    face=
    case $name in
    hip_*) face='--as hip' ;;
    acl_*) face='--as acl' ;;
    hiai_*) face='--as hiai' ;;
    esac
    # shellcheck disable=SC2086 # options are lists of words
    case $run in
    plain) set -- "$BIN/$name" ;;
    valgrind) set -- valgrind -q --error-exitcode=77 "$BIN/$name" ;;
    *) set -- "$TARN" check $face $options -- "$BIN/$name" ;;
    esac
    status=0
    "$@" >"$work/$name.log" 2>&1 || status=$?
    printf '%s %s %s %s %s\n' "$name" "$source" "$run" "$code" "$status" >>"$work/ended"
done 3<"$work/programs"
[ "$left_out" = 0 ] || echo "$left_out left out"
[ -e "$work/ended" ] || : >"$work/ended"

# The first expectation that no line meets behind the line of the one before is missing.
awk -v work="$work" '
    function read_file(path, lines, n, line) {
        n = 0
        while ((getline line <path) > 0) {
            sub(/^==[0-9]*== /, "", line)
            lines[++n] = line
        }
        close(path)
        return n
    }
    function meets(line, wanted, part, n, i, at) {
        n = split(wanted, part, /\.\.\./)
        for (i = 1; i <= n; i++) {
            if (part[i] == "") continue
            at = index(line, part[i])
            if (!at) return 0
            line = substr(line, at + length(part[i]))
        }
        return 1
    }
    function count_lines(lines, n, pattern, i, found) {
        for (i = 1; i <= n; i++) found += lines[i] ~ pattern
        return found + 0
    }
    function complain(text, i) {
        printf "%s: %s\n", name, text
        for (i = 1; i <= log_count && i <= 60; i++) print "    " log_lines[i]
        bad++
    }
    {
        name = $1; base = $2; run = $3; ended = $4; status = $5
        sub(/.*\//, "", base)
        split("", wanted); split("", log_lines)
        wanted_count = read_file(work "/" name ".wanted", wanted)
        log_count = read_file(work "/" name ".log", log_lines)
        code = ended != "-" ? ended \
            : count_lines(wanted, wanted_count, "^ERROR|Sanitizer|Invalid|uninitialised") ? 77 : 0
        next_one = 1
        for (i = 1; i <= log_count && next_one <= wanted_count; i++)
            next_one += meets(log_lines[i], wanted[next_one])
        wrong = 1
        if (next_one <= wanted_count)
            complain("not reported: " wanted[next_one])
        else if (status != code)
            complain("exit " status ", not " code)
        else if (run == "-" && count_lines(log_lines, log_count, "#[0-9]+ 0x[0-9a-f]+ tn_"))
            complain("a function inside of Tarn is named")
        else if (ended == "-" && wanted_count > 0 && !count_lines(log_lines, log_count, base ":[0-9]+")) # no stacks otherwise
            complain("no line of the program is named")
        else
            wrong = 0
        head = "^(ERROR|WARN|NOTE) [a-z-]+: "
        extra = count_lines(log_lines, log_count, head) - count_lines(wanted, wanted_count, head)
        if (extra > 0) {
            false_reports += extra
            if (!wrong) complain(extra " report(s) too many")
        }
        found += !wrong
    }
    END {
        printf "found %d of %d, false reports %d\n", found, NR, false_reports
        exit !(bad == 0 && false_reports == 0 && NR > 0)
    }' "$work/ended"
