#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No function has over 80 lines and no file over 800. Longer tables are listed below.
set -eu
ctags --version 2>/dev/null | grep -q Universal || {
    echo "skipped: needs universal-ctags"
    exit 77
}
cd "$SRC"
exempt=' '
longest_function=80
longest_file=800
bad=0
for file in $("$SRC/tests/lint/files" '*.c' '*.h' '*.cpp' '*.sh' x); do
    case $exempt in *" $file "*) continue ;; esac
    lines=$(wc -l <"$file")
    if [ "$lines" -gt $longest_file ]; then
        echo "$file: $lines lines, $longest_file at most" >&2
        bad=1
    fi
done
long=$("$SRC/tests/lint/files" '*.c' '*.h' '*.cpp' |
    xargs -r ctags -f - --languages=C,C++ --kinds-C=f --kinds-C++=f --fields=+ne --excmd=number |
    awk -F '\t' -v most=$longest_function '
        /^!/ { next }
        {
            first = last = 0
            for (i = 4; i <= NF; i++) {
                if ($i ~ /^line:/) first = substr($i, 6)
                if ($i ~ /^end:/) last = substr($i, 5)
            }
            if (last - first + 1 > most)
                printf "%s:%d: %s has %d lines, %d at most\n", $2, first, $1, last - first + 1, most
        }')
if [ -n "$long" ]; then
    printf '%s\n' "$long" >&2
    bad=1
fi
exit $bad
