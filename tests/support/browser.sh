# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154 # work is that of cli.sh
# Functions for tests in a browser. Sourced after cli.sh; skips without Chromium or Node.
browser=$(command -v chromium || command -v chromium-browser) || {
    echo "skipped: needs chromium"
    exit 77
}
command -v node >/dev/null || {
    echo "skipped: needs nodejs"
    exit 77
}

# browse PAGE: runs the script on standard input in the page; its value goes to $work/out.
browse() {
    cat >"$work/script.js"
    TMPDIR=$work timeout 1200 node "$SRC/tests/support/browser.mjs" "$browser" "$1" "$work/script.js" >"$work/out" 2>"$work/err" ||
        fail "the page failed"
}

# shows KEY VALUE: the value of a key of the last script.
shows() {
    [ "$(json "$1")" = "$2" ] || fail "$1 is not $2"
}
