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

# One browser serves the whole test, each script in a page of its own.
mkfifo "$work/ask" "$work/answer"
TMPDIR=$work timeout 3000 node "$SRC/tests/support/browser.mjs" "$browser" serve <"$work/ask" >"$work/answer" 2>"$work/server" &
exec 8>"$work/ask" 9<"$work/answer"
trap 'exec 8>&-; wait; rm -rf "$work"' EXIT

# browse PAGE: runs the script on standard input in the page; its value goes to $work/out.
browse() {
    cat >"$work/script.js"
    printf '%s\t%s\t%s\t%s\n' "$1" "$work/script.js" "$work/out" "$work/err" >&8
    read -r code <&9 || code="no answer: $(cat "$work/server")"
    [ "$code" = 0 ] || fail "the page failed: $code"
}

# shows KEY VALUE: the value of a key of the last script.
shows() {
    [ "$(json "$1")" = "$2" ] || fail "$1 is not $2"
}
