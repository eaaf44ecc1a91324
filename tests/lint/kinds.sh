#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Some rule of the checker reports every kind of finding that `tarn check --explain` describes.
set -eu
cd "$SRC/src/check"
kinds=$(sed -n 's/^    X(\([A-Z_]*\), ".*/\1/p' kinds.h)
[ "$(printf '%s\n' "$kinds" | wc -l)" -gt 30 ] || { echo "kinds.h is not read as it should be" >&2; exit 1; }
bad=0
for kind in $kinds; do
    if ! grep -qw "TN_CHECK_KIND_$kind" ./*.c; then
        echo "kinds.h explains $kind, which nothing tells" >&2
        bad=1
    fi
done
exit $bad
