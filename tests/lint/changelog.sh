#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CHANGELOG.md begins with an Unreleased head, has entries, and uses the four kinds only.
set -eu
file=$SRC/CHANGELOG.md
first=$(grep -m 1 '^## ' "$file" || true)
[ "$first" = '## Unreleased' ] || {
    echo "the first head should be '## Unreleased', not '$first'" >&2
    exit 1
}
if grep '^### ' "$file" | grep -vxE '### (Added|Changed|Fixed|Removed)'; then
    echo "kinds are Added, Changed, Fixed, Removed" >&2
    exit 1
fi
grep -q '^- ' "$file" || {
    echo "no entries" >&2
    exit 1
}
