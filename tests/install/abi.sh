#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# libtarn.so has the binary interface that tests/abi/libtarn.abi records. lint_abi compares the headers.
set -eu
command -v abidiff >/dev/null || {
    echo "skipped: needs abigail-tools"
    exit 77
}
[ "$(uname -m)" = x86_64 ] || {
    echo "skipped: the recorded interface is that of x86-64"
    exit 77
}
abidiff "$SRC/tests/abi/libtarn.abi" "$BUILD/lib/libtarn.so"
