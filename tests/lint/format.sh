#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every C and C++ file is as clang-format 14 would have it. Another version formats otherwise: skip.
set -eu
command -v clang-format >/dev/null || exit 77
case $(clang-format --version) in
*'version 14.'*) ;;
*) exit 77 ;;
esac
cd "$SRC"
"$SRC/tests/lint/files" '*.c' '*.h' '*.cpp' | xargs -r clang-format --dry-run -Werror
