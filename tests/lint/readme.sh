#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The README shows the code that is compiled. A fenced block below the line
# <!-- PATH --> equals that file without the comment lines at its head. It explains the word "face" where it first
# has it, and no picture is animated, so that the first frame shows all.
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
grep -wE -m 1 'faces?' README.md | grep -qF '*face*' || {
    echo "README.md uses the word face before it explains a *face*" >&2
    exit 1
}
if grep -liE 'animat' docs/pictures/*.svg; then
    echo "the pictures above are animated" >&2
    exit 1
fi
