#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# src/a/b.c is tested by tests/unit/a/b.c, and a source of src/core also by tests/api/b.c: the public calls of that
# noun, on every device. Otherwise a line of untested.txt says what tests it, or why nothing can.
set -eu
cd "$SRC"

# check ROOT: prints each source that is neither tested nor excused, and each excuse that is wrong.
check() {
    (
        cd "$1"
        find src -name '*.c' | sort | while read -r source; do
            test=tests/unit/${source#src/}
            public=tests/api/${source##*/}
            case $source in
            src/core/pool/*) ;; # whose files are no nouns of the interface
            src/core/*) if [ ! -e "$test" ] && [ -e "$public" ]; then test=$public; fi ;;
            esac
            excuses=$(awk -v source="$source" '$1 == source { n++ } END { print n + 0 }' tests/lint/untested.txt)
            if [ -e "$test" ] && [ "$excuses" != 0 ]; then
                echo "$source: tests/lint/untested.txt excuses it, but it is tested by $test"
            elif [ ! -e "$test" ] && [ "$excuses" = 0 ]; then
                echo "$source: there is no $test, and tests/lint/untested.txt does not excuse it"
            elif [ "$excuses" -gt 1 ]; then
                echo "$source: tests/lint/untested.txt excuses it $excuses times"
            fi
        done
        grep -v '^#' tests/lint/untested.txt | while read -r source reason; do
            [ -e "$source" ] || echo "$source: tests/lint/untested.txt excuses it, but it does not exist"
            [ -n "$reason" ] || echo "$source: tests/lint/untested.txt gives no reason"
            case $reason in
            tests/*) [ -e "${reason%% *}" ] || echo "$source: its reason ${reason%% *} does not exist" ;;
            esac
        done
    )
}

found=$(check .)
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
missed=0
mkdir -p "$copy/src/a" "$copy/src/core/a" "$copy/tests/unit/a" "$copy/tests/api" "$copy/tests/lint"
touch "$copy/src/a/tested.c" "$copy/tests/unit/a/tested.c" "$copy/src/a/other.c" "$copy/src/core/a/noun.c" "$copy/tests/api/noun.c"
# try VERDICT LIST: that list must be refused (bad) or not (good).
try() {
    printf '%s\n' "$2" >"$copy/tests/lint/untested.txt"
    verdict=good
    [ -z "$(check "$copy")" ] || verdict=bad
    [ "$verdict" = "$1" ] && return
    echo "expected $1: $2" >&2
    missed=1
}
try good 'src/a/other.c tests/unit/a/tested.c'
try good '# A comment.
src/a/other.c only in a build without it'
try bad 'src/a/other.c why
src/core/a/noun.c why'
try bad '# neither tested nor excused'
try bad 'src/a/other.c'
try bad 'src/a/other.c tests/unit/a/gone.c'
try bad 'src/a/other.c why
src/a/tested.c why'
try bad 'src/a/other.c why
src/a/gone.c why'
try bad 'src/a/other.c why
src/a/other.c why'
exit $missed
