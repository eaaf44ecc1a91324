#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The headers are the reference: each exported prototype has a comment above it (one comment may serve a
# group without blank lines), and comments name only statuses and constants that exist.
set -eu

# Names of environment variables: the headers speak of them, yet define nothing.
environment='TARN_DEVICE TARN_FAIL TARN_LOG'

# undocumented FILE...: prints prototypes without a comment. Comments count that begin a line.
undocumented() {
    awk '
    FNR == 1 { inside = 0; documented = 0 }
    /^\/\*/ { inside = 1; documented = 1 }
    inside { if (/\*\//) inside = 0; next }
    /^[ \t]*$/ { documented = 0 }
    /^TARN_API/ && !documented { printf "%s:%d: no comment above: %s\n", FILENAME, FNR, $0 }' "$@"
}

# unknown_names FILE...: prints names in comments that no header defines. TARN_X_ and TARN_X... stand
# for a family. Names in capitals with an underscore may leave out TARN_ and what follows it.
unknown_names() {
    awk -v environment="$environment" '
    # Splits each line into code and comment.
    function part(line, at) {
        code = ""; comment = ""
        while (line != "") {
            if (inside) {
                at = index(line, "*/")
                if (!at) { comment = comment " " line; return }
                comment = comment " " substr(line, 1, at - 1); line = substr(line, at + 2); inside = 0
            } else {
                at = index(line, "/*")
                if (!at) { code = code " " line; return }
                code = code " " substr(line, 1, at - 1); line = substr(line, at + 2); inside = 1
            }
        }
    }
    function names(text, into, n, words, i, list) {
        n = split(text, words, /[^A-Za-z0-9_]+/)
        for (i = 1; i <= n; i++) if (words[i] ~ /^[A-Z][A-Z0-9_]*$/) into[words[i]] = 1
    }
    FNR == 1 { inside = 0 }
    {
        part($0)
        gsub(/\.\.\./, " ", comment) # a family: its ends are looked at apart
        split("", found)
        names(code, found)
        for (name in found) defined[name] = 1
        split("", found)
        names(comment, found)
        for (name in found) if (name ~ /_/) used[name] = used[name] FILENAME ":" FNR " "
        # X(NAME, ...) of TARN_RULE_LIST gives TARN_RULE_NAME; of TARN_STATUS_LIST it gives TARN_NAME.
        if (match(code, /define TARN_[A-Z_]*LIST/)) {
            family = substr(code, RSTART + 7, RLENGTH - 11)
            if (family == "TARN_STATUS_") family = "TARN_"
        }
        if (match(code, /X\([A-Z][A-Z0-9_]*/)) defined[family substr(code, RSTART + 2, RLENGTH - 2)]
    }
    END {
        for (name in defined) all = all " " name
        all = all " " environment " "
        for (name in used) {
            if (name in defined) continue
            if (name ~ /_$/ && index(all, " " name)) continue
            if (index(all, name " ")) continue # the tail of a longer name
            printf "%s: %s is nothing that the headers define\n", used[name], name
        }
    }' "$@"
}

# All that is wrong under a root.
check() {
    (
        cd "$1"
        undocumented include/tarn/*.h
        unknown_names include/tarn/*.h
    )
}

found=$(check "$SRC")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/include/tarn"
missed=0
# try TEXT WANTED: TEXT added to a header must be refused (bad) or not (good).
try() {
    cp "$SRC"/include/tarn/*.h "$copy/include/tarn/"
    printf '%b' "$1" >>"$copy/include/tarn/base.h"
    verdict=good
    [ -z "$(check "$copy")" ] || verdict=bad
    [ "$verdict" = "$2" ] && return
    echo "expected $2: $1" >&2
    missed=1
}
try '\nTARN_API int tarn_x(void);\n' bad
try '\n/* Does x. */\n\nTARN_API int tarn_x(void);\n' bad
try '\n/* Fails with NO_SUCH_STATUS. */\nTARN_API int tarn_x(void);\n' bad
try '\n/* Fails with TARN_NO_SUCH. */\nTARN_API int tarn_x(void);\n' bad
try '\n/* Fails with NO_DEVICE_MEMORY, or with TARN_BUSY. */\nTARN_API int tarn_x(void);\n' good
try '\n/* Both. */\nTARN_API int tarn_x(void);\nTARN_API int tarn_y(void);\n' good
exit $missed
