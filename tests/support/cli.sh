#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the tests of the command share. Sourced by tests/cli/*.sh, which get TARN (the command) and SRC (the
# root of the sources) from their environment.
set -eu
: "${TARN:?the path of the command}" "${SRC:?the root of the sources}"
unset TARN_DEVICE GITHUB_ACTIONS GITHUB_WORKSPACE CI_PROJECT_DIR
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    for name in out err; do
        printf -- '--- %s\n' "$name" >&2
        head -c 4000 "$work/$name" >&2 2>/dev/null || true
    done
    exit 1
}

# is_sanitized: returns 0 if the command needs the library of a sanitizer.
is_sanitized() { ldd "$TARN" | grep -q 'lib.san'; }

# skip_sanitized REASON: ends the test as skipped if is_sanitized.
skip_sanitized() {
    is_sanitized || return 0
    echo "skipped: $1" >&2
    exit 77
}

# expect CODE ARGUMENTS...: runs the command; its output goes to $work/out and $work/err.
expect() {
    wanted=$1
    shift
    got=0
    "$TARN" "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
    [ "$got" = "$wanted" ] || fail "exit $got, not $wanted, of: tarn $*"
}

# says FILE PATTERN: the output (out) or the errors (err) have a line that matches.
says() {
    grep -q -e "$2" "$work/$1" || fail "no line in $1 matches: $2"
}

# each_command: the words of each command that has options, one on each line, from the help.
each_command() {
    for command in $("$TARN" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p'); do
        inner=$("$TARN" help "$command" | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  .*/'"$command"' \1/p')
        printf '%s\n' "${inner:-$command}"
    done
}

# json KEY: the number or text of a key of the object in $work/out, without quotes.
json() {
    sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$work/out" | head -n 1
}

# is_json: $work/out is one JSON object, as far as this machine can tell.
is_json() {
    case $(head -c 1 "$work/out")$(tail -c 2 "$work/out") in
    '{}') ;;
    *) fail "the output is no JSON object" ;;
    esac
    command -v python3 >/dev/null || return 0
    python3 -c 'import json, sys; assert type(json.load(sys.stdin)) is dict' <"$work/out" ||
        fail "the output is no JSON object"
}

# holds EXPRESSION: arithmetic on decimal numbers, by awk.
holds() {
    awk "BEGIN { exit !($1) }" || fail "this does not hold: $1"
}

# snapshots: the folder of the public recordings, which are not part of the repository; skips without.
snapshots() {
    folder=${TARN_SNAPSHOTS:-$SRC/../shared/traces}
    ls "$folder"/*.snapshot.pickle.gz >/dev/null 2>&1 || {
        echo "skipped: no public recordings (TARN_SNAPSHOTS)" >&2
        exit 77
    }
    printf '%s\n' "$folder"
}
