#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each message that heads a part of docs/troubleshooting.md is in the sources. `...` in a heading stands for
# what differs. Messages under "From the system" are not Tarn's.
set -eu

# texts: the sources without the seams of string literals that continue on the next line.
texts() {
    find "$SRC/src" "$SRC/tools" "$SRC/compat" "$SRC/plugin" -name '*.[ch]' -exec cat {} + | tr '\n' ' ' |
        sed 's/\\"/\x01/g; s/" *"//g' | tr '\001' '"'
}

# headings FILE: the messages of a document.
headings() {
    awk '/^## / { ours = !/From the system/ } ours && /^### `/ { sub(/^### `/, ""); sub(/`$/, ""); print }' "$1"
}

# missing TEXTS FILE: prints the messages that no text has, part by part.
missing() {
    headings "$2" | while IFS= read -r message; do
        printf '%s\n' "$message" | sed 's/ *\.\.\. */\n/g' | while IFS= read -r part; do
            grep -qF -e "$part" "$1" || printf 'no message of the sources has "%s": %s\n' "$part" "$message"
        done
    done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
texts >"$work/texts"
found=$(missing "$work/texts" "$SRC/docs/troubleshooting.md")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -------------------------------------------------------------------------
# shellcheck disable=SC2016 # the backquotes are Markdown's
printf '## Ours\n\n### `the pool belongs to ... elephant`\n\n## From the system\n\n### `elephant`\n' >"$work/try.md"
[ "$(missing "$work/texts" "$work/try.md" | grep -c elephant)" = 1 ] || {
    echo "a message that does not exist was not noticed" >&2
    exit 1
}
[ "$(headings "$SRC/docs/troubleshooting.md" | wc -l)" -gt 9 ]
