#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Files and tests that build files, scripts, lists, comments and documents name exist. A moved file would otherwise
# break a script of the night, or quietly change which tests are run by day.
set -eu

# Paths that are no files of the tree.
allowed='
installed
include/tarn/plugin/torch.h
'

# paths FILE...: "FILE:PATH" for each path that begins with a folder of the tree. Of C only comments count, because
# the compiler reads the rest. A name in capitals (compat/NAME/face.cmake) or of one letter stands for others.
paths() {
    awk -v allowed="$allowed" '
    BEGIN {
        folders = "(bench|cmake|compat|docs|examples|include|packaging|plugin|python|src|tests|tools)"
        form = folders "/[A-Za-z0-9_./-]*\\.(abi|answers|awk|c|cmake|cpp|css|h|hip|in|js|json|map|md|mjs|py|sed|sh|svg|txt)"
        count = split(allowed, words)
        for (i = 1; i <= count; i++) skipped[words[i]]
    }
    FILENAME ~ /\.(c|cpp|h|hip)$/ && !sub(/^.*(\/\/|\/\* )/, " ") && !/^ *\*/ { next }
    {
        gsub(/"?\$\{?(SRC|PROJECT_SOURCE_DIR)\}?"?\//, " ")
        while (match($0, "(^|[^A-Za-z0-9_.$*/>-])" form "([^A-Za-z0-9_*./-]|\\.?$|\\. )")) {
            rest = substr($0, RSTART + RLENGTH - 1)
            match($0, form)
            path = substr($0, RSTART, RLENGTH)
            if (path !~ /\/([a-zA-Z]|[A-QS-Z][A-Z]*)[.\/]/ && !(path in skipped)) print FILENAME ":" path
            $0 = rest
        }
    }' "$@"
}

# missing_files ROOT FILE...: prints each path in these files that exists neither below ROOT nor beside the file.
missing_files() (
    cd "$1"
    shift
    paths "$@" | sort -u | while IFS=: read -r file path; do
        [ -e "$path" ] || [ -e "$(dirname "$file")/$path" ] || echo "$file: $path does not exist"
    done
)

# expand: prints each regular expression of standard input without alternatives, one expression for each of them.
expand() {
    awk '
    function print_all(text, open, depth, close_at, begin, i, c) {
        open = index(text, "(")
        if (!open) { print text; return }
        for (close_at = open; ; close_at++) {
            c = substr(text, close_at, 1)
            depth += (c == "(") - (c == ")")
            if (!depth) break
        }
        begin = open + 1
        for (i = begin; i <= close_at; i++) {
            c = substr(text, i, 1)
            if (i == close_at || (c == "|" && depth == 0))
                print_all(substr(text, 1, open - 1) substr(text, begin, i - begin) substr(text, close_at + 1))
            if (i < close_at && c == "|" && depth == 0) begin = i + 1
            depth += (c == "(") - (c == ")")
        }
    }
    { print_all("(" $0 ")") }'
}

# patterns ROOT: prints "FILE:PATTERN" for each pattern of names of tests that a list or a build file has.
patterns() (
    cd "$1"
    sed '/^ *#/d; /add_test\|REGEX\|REPLACE/d' tests/tiers.cmake | grep -o '"\^[^"]*"' | tr -d '"' | sed 's/^/tests\/tiers.cmake:/'
    sed 's/ .*//; s/.*/tests\/aarch64\/skipped.txt:^&$/' tests/aarch64/skipped.txt
    sed -n 's/.*name \(MATCHES\|STREQUAL\) "\(^*unit_[^"]*\)".*/tests\/CMakeLists.txt:\2/p' tests/CMakeLists.txt
    sed -n '/^foreach(test /,/)$/p' tests/CMakeLists.txt | tr ' ' '\n' | sed -n 's/)$//; s/^[a-z]*_[a-z_]*$/tests\/CMakeLists.txt:^&$/p'
    sed -n "s/^quick_lints='\(.*\)'/\1/p" x | tr ' ' '\n' | sed 's/.*/x:^lint_&$/'
    sed -n "s/^quick_commands='\(.*\)'/\1/p" x | tr ' ' '\n' | sed 's/.*/x:^cli_&$/'
    sed -n "s/.* -[RE] '\([^']*\)'.*/x:\1/p" x
)

# unmatched NAMES: prints each pattern of standard input that matches no line of the file NAMES.
unmatched() {
    while IFS=: read -r file pattern; do
        printf '%s\n' "$pattern" | expand | while IFS= read -r alternative; do
            grep -qE -e "$alternative" "$1" || echo "$file: no test is called $alternative"
        done
    done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ctest --test-dir "$BUILD" -N | sed -n 's/^ *Test *#[0-9]*: //p' >"$work/names"
grep -q '^channel_ucx' "$work/names" && absent=none || absent=ucx # a tree without UCX lacks its tests
found=$(
    # Lints plant paths to check themselves, and the list of changes names files of its time.
    "$SRC/tests/lint/files" | grep -vE '^(tests/(lint/.*\.sh|fuzz/corpus/.*)|traces/.*|CHANGELOG\.md|LICENSE)$' >"$work/files"
    # shellcheck disable=SC2046 # a list of names without spaces
    missing_files "$SRC" $(cd "$SRC" && xargs grep -lI . <"$work/files")
    patterns "$SRC" | grep -v "$absent" | unmatched "$work/names"
)
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
missed=0
mkdir -p "$work/src/base" "$work/tests/unit"
touch "$work/src/base/lock.c" "$work/tests/unit/lock.c"
# try VERDICT FILE TEXT: a file with that text must be refused (bad) or not (good).
try() {
    printf '%s\n' "$3" >"$work/$2"
    verdict=good
    [ -z "$(missing_files "$work" "$2")" ] || verdict=bad
    [ "$verdict" = "$1" ] && return
    echo "expected $1 in $2: $3" >&2
    missed=1
}
# shellcheck disable=SC2016 # the scripts that are tried expand them
{
    try bad x.sh '"$CC" "$SRC/tests/unit/gone.c" -o "$work/gone"'
    try bad x.sh '"$CC" "$SRC"/src/base/lock.c src/base/gone.c'
    try good x.sh '"$CC" "$SRC"/src/base/lock.c "$work/src/base/gone.c" src/base/*.c'
    try bad x.cmake 'file(STRINGS ${PROJECT_SOURCE_DIR}/src/base/gone.c lines)'
    try bad x.md 'See `src/base/gone.c`.'
}
try good x.cmake 'file(STRINGS compat/NAME/face.cmake lines)'
try bad x.md 'It is in src/base/gone.c.'
try good tests/x.md 'See unit/lock.c and tests/unit/lock.c.'
try bad src/x.c 'int a; // as in src/base/gone.h'
try good src/x.c 'print("src/base/gone.c");'
# try_names VERDICT PATTERN: a pattern beside the tests unit_base_lock and unit_base_time.
printf '%s\n' unit_base_lock unit_base_time >"$work/names"
try_names() {
    verdict=good
    [ -z "$(printf 'list:%s\n' "$2" | unmatched "$work/names")" ] || verdict=bad
    [ "$verdict" = "$1" ] && return
    echo "expected $1: $2" >&2
    missed=1
}
try_names good '^unit_base_(lock|time)$'
try_names good '^unit_(base_(lock|ti)|b)'
try_names bad '^unit_base_(lock|gone)$'
try_names bad '^unit_(base_(lock|(time|gone))|b)'
try_names bad '^api_|^unit_'
exit $missed
