#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The README shows the code that is compiled. A fenced block below the line
# <!-- PATH --> equals that file without the comment lines at its head.
set -eu
cd "$SRC"
example=examples/quickstart.c
[ -e README.md ] && [ -e $example ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v marker="<!-- $example -->" '
    $0 == marker { armed = 1; next }
    armed && /^```c$/ { inside = 1; next }
    inside && /^```$/ { exit }
    inside' README.md >"$work/shown"
awk '!begun && (/^\/\// || /^$/) { next } { begun = 1; print }' $example >"$work/compiled"
[ -s "$work/shown" ] || {
    echo "README.md has no code block below <!-- $example -->" >&2
    exit 1
}
diff -u "$work/compiled" "$work/shown"
