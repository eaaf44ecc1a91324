#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Doxygen reads the public headers without a warning. The reference has a page for each of them, which the main
# page links.
set -eu
command -v doxygen >/dev/null || {
    echo "skipped: needs doxygen"
    exit 77
}
cd "$SRC"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    cat docs/Doxyfile
    echo "OUTPUT_DIRECTORY = $work"
} | doxygen - || exit 1
for header in include/tarn/*.h; do
    name=$(basename "$header" .h | sed 's/_/__/g')
    [ -e "$work/html/${name}_8h.html" ] || {
        echo "the reference has no page for $header" >&2
        exit 1
    }
    grep -q "${name}_8h.html" "$work/html/index.html" || {
        echo "the main page, docs/tour.md, does not link $header" >&2
        exit 1
    }
done
