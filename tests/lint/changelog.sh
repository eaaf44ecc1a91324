#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CHANGELOG.md begins with an Unreleased head, has entries, and uses the four kinds only. A release with more than
# twenty entries begins with Highlights, of which there are at most ten.
set -eu
file=$SRC/CHANGELOG.md
first=$(grep -m 1 '^## ' "$file" || true)
[ "$first" = '## Unreleased' ] || {
    echo "the first head should be '## Unreleased', not '$first'" >&2
    exit 1
}
if grep '^### ' "$file" | grep -vxE '### (Highlights|Added|Changed|Fixed|Removed)'; then
    echo "kinds are Highlights, Added, Changed, Fixed, Removed" >&2
    exit 1
fi
grep -q '^- ' "$file" || {
    echo "no entries" >&2
    exit 1
}
awk '
    function check() {
        if (entries > 20 && first != "Highlights") { print head ": it does not begin with Highlights"; bad = 1 }
        if (highlights > 10) { print head ": it has " highlights " highlights"; bad = 1 }
        entries = highlights = 0; first = ""
    }
    /^## / { check(); head = $0 }
    /^### / { kind = $2; if (first == "") first = kind; else if (kind == "Highlights") { print head ": Highlights come first"; bad = 1 } }
    /^- / { if (kind == "Highlights") highlights++; else entries++ }
    END { check(); exit bad }' "$file" >&2
