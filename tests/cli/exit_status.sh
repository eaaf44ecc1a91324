#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The table of exit statuses in docs/command.md is true: this test provokes each class of it in each command
# that it names. Every command has a row for wrong usage, for a failure of the system and for memory.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
: "${BUILD:?the folder of the build}"
unset TARN_CHECK_OPTIONS MSTX_INJECTION_PATH LD_PRELOAD
good=$BUILD/tests/bin/example_quickstart bad=$BUILD/tests/bin/example_overflow mistaken=$BUILD/tests/bin/example_torture
for program in "$good" "$bad" "$mistaken"; do
    [ -x "$program" ] || { echo "skipped: needs the examples"; exit 77; }
done
[ -e "$BUILD/tests/modules/starve_preload.so" ] || { echo "skipped: needs the library that fails calls"; exit 77; }
skip_sanitized "a sanitizer ends example_overflow with a status of its own"

# start COMMAND: the words in front of a program, for a command that starts one.
start() {
    case $1 in
    check) echo check -- ;;
    explore) echo explore --check -n 2 -- ;;
    record) echo record -o "$work/recording" -- ;;
    run) echo run --quirk late-map -- ;;
    torture) echo torture --time-limit 5 -- ;;
    *) fail "docs/command.md: $1 starts no program" ;;
    esac
}

# started CODE COMMAND PROGRAM...: the command ends with CODE.
started() {
    code=$1 words=$(start "$2")
    shift 2
    # shellcheck disable=SC2086 # words
    expect "$code" $words "$@"
}

# A copy of the command without its libraries cannot start anything.
mkdir "$work/alone"
cp "$TARN" "$work/alone/tarn"

# provoke CLASS CODE COMMAND
provoke() {
    class=$1 code=$2 command=$3
    case $class:$command in
    usage:*)
        # shellcheck disable=SC2086 # words
        expect "$code" $command --no-such-option
        ;;
    nothing:*) started "$code" "$command" true ;;
    findings:check) started "$code" check "$bad" ;;
    findings:conform)
        echo 'event.null_events: cuEventQuery=0' >"$work/answers"
        expect "$code" conform --as cuda --only event.null_events --against "$work/answers"
        ;;
    findings:diff)
        printf 'a 0 1 4096\n' >"$work/less"
        printf 'a 0 1 8192\n' >"$work/more"
        expect "$code" diff --fail-over 1% "$work/less" "$work/more"
        ;;
    findings:explore) expect "$code" explore -n 20 -- "$BUILD/tests/bin/example_streams" ;;
    findings:torture) expect "$code" torture --time-limit 1 --only '[cm]*' -- "$mistaken" bad ;;
    findings:layout)
        printf '0,64\n32,64\n' >"$work/segments"
        expect "$code" layout --verify "$work/segments"
        ;;
    findings:replay)
        printf 'a 0 1 4096\nf 0 1\n' >"$work/trace"
        TARN_CHECK_OPTIONS=alignment=1048576 expect "$code" replay --check --touch "$work/trace"
        ;;
    program:*)
        for own in 1 2 3 4 77 124 125 255; do
            started $own "$command" sh -c "exit $own"
        done
        ;;
    signal:*)
        # shellcheck disable=SC2016 # the inner shell expands
        started 143 "$command" sh -c 'kill -TERM $$'
        # shellcheck disable=SC2016
        started 137 "$command" sh -c 'kill -KILL $$'
        ;;
    start:*)
        : >"$work/plain"
        case $code in
        126) started 126 "$command" "$work/plain" ;;
        *) started "$code" "$command" "$work/absent" ;;
        esac
        ;;
    system:check | system:explore | system:record | system:torture)
        got=0
        # shellcheck disable=SC2046 # words
        "$work/alone/tarn" $(start "$command") "$good" >"$work/out" 2>"$work/err" || got=$?
        [ "$got" = "$code" ] || fail "exit $got, not $code, of tarn $command without its library"
        ;;
    system:run)
        got=0
        "$work/alone/tarn" run --as hip -- "$good" >"$work/out" 2>"$work/err" || got=$?
        [ "$got" = "$code" ] || fail "exit $got, not $code, of tarn run without its library"
        ;;
    system:*)
        got=0
        # shellcheck disable=SC2086 # words
        "$TARN" $command --help >/dev/full 2>"$work/err" || got=$?
        [ "$got" = "$code" ] || fail "exit $got, not $code, of tarn $command with a full disk"
        ;;
    memory:*)
        # One of the first calls of a command asks for memory for its arguments.
        for point in 1 2 3 4; do
            got=0
            # shellcheck disable=SC2086 # words
            MALLOC_ARENA_MAX=1 LD_LIBRARY_PATH=$BUILD/tests/modules LD_PRELOAD=starve_preload.so STARVE_POINT=$point \
                "$TARN" $command --no-such-option >"$work/out" 2>"$work/err" || got=$?
            [ "$got" != "$code" ] || break
        done
        [ "$got" = "$code" ] || fail "exit $got, not $code, of tarn $command without memory"
        says err '^tarn.*Cannot allocate memory'
        ;;
    fit:layout) expect "$code" layout 4K 4K --pool 4K ;;
    fit:replay)
        printf 'a 0 1 4194304\n' >"$work/trace"
        expect "$code" replay --device sim:0,memory=2M "$work/trace"
        ;;
    *) fail "docs/command.md: this test has no example of $class for $command" ;;
    esac
}

# Rows "| CLASS: ... | CODE | `COMMAND` (...), ... |" of the section, as CLASS|CODE|COMMAND.
# shellcheck disable=SC2016 # backquotes of Markdown
sed -n '/^## Exit status/,/^## /s/^| \([a-z]*\)[: ].* | \([^|]*\) | \(`.*\) |$/\1|\2|\3/p' "$SRC/docs/command.md" |
    sed 's/ ([^)]*)//g' | awk -F'|' '{
        n = split($3, names, /`, `/)
        for (i = 1; i <= n; i++) { gsub(/`/, "", names[i]); print $1 "|" $2 "|" names[i] }
    }' >"$work/rows"
[ "$(cut -d'|' -f1 "$work/rows" | sort -u | wc -l)" = 9 ] || fail "docs/command.md has other classes"
while IFS='|' read -r class code command; do
    provoke "$class" "$code" "$command"
done <"$work/rows"

# No command is forgotten.
for command in $("$TARN" complete -- '' | cut -f1) 'channel bench' 'channel top'; do
    for class in usage system memory; do
        [ "$command" = channel ] || grep -q "^$class|[0-9]*|$command\$" "$work/rows" ||
            fail "docs/command.md: tarn $command has no status for $class"
    done
done

# Findings come before the program's own status, and that before 122.
expect 77 check -- sh -c "'$bad'; exit 3"
expect 3 check -- sh -c 'exit 3'
expect 9 check --exitcode 9 -- "$bad"
