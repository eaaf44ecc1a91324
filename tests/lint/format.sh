#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every C and C++ file is formatted as clang-format 14 formats it. Other versions format otherwise.
set -eu
command -v clang-format >/dev/null || {
    echo "skipped: needs clang-format"
    exit 77
}
case $(clang-format --version) in
*'version 14.'*) ;;
*)
    echo "skipped: clang-format is not version 14"
    exit 77
    ;;
esac
cd "$SRC"
"$SRC/tests/lint/files" '*.c' '*.h' '*.cpp' | xargs -r clang-format --dry-run -Werror
