#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every source begins with its licence, headers have guards, and no file names the machine that it was
# written on.
set -eu
cd "$SRC"
files=$SRC/tests/lint/files
bad=0
complain() {
    echo "$*" >&2
    bad=1
}

# The licence is the first line, or the second one below #!.
unlicensed=$("$files" '*.c' '*.h' '*.cpp' '*.sh' '*.cmake' '*.in' '*CMakeLists.txt' '*.map' x .ci/run \
    tests/lint/files .clang-format | grep -v '\.pc\.in$' | xargs awk '
        FNR == 1 && /^#!/ { next }
        { if (!/SPDX-License-Identifier: Apache-2\.0/) print FILENAME; nextfile }')
[ -z "$unlicensed" ] || complain "no SPDX line at the top:" "$unlicensed"

# The guard of a header that users include is the path by which they include it, with TARN_ for Tarn's own.
# The headers of both APIs of CUDA are included once for each, and do nothing without CUDA_PICK_().
# Internal headers say #pragma once before anything else.
# shellcheck disable=SC2016 # awk expands $0
unguarded=$("$files" 'include/*.h' 'compat/*/include/*.h' | xargs awk '
    FNR == 1 {
        guard = FILENAME
        prefix = sub(/^include\/tarn\//, "", guard) ? "TARN_" : ""
        sub(/^compat\/[^\/]*\/include\//, "", guard)
        guard = toupper(guard)
        gsub(/[\/.-]/, "_", guard)
    }
    $0 == "#ifndef " prefix guard { nextfile }
    $0 == "#ifdef CUDA_PICK_" && guard ~ /^CUDA_DETAIL_/ { nextfile }
    /^#define|^#include/ { print FILENAME ": " prefix guard; nextfile }')
[ -z "$unguarded" ] || complain "the include guard should be:" "$unguarded"
# shellcheck disable=SC2016 # awk expands $0
repeated=$("$files" 'src/*.h' 'compat/*.h' 'tools/*.h' | grep -v /include/ | xargs awk '
    /^#/ { if ($0 != "#pragma once") print FILENAME; nextfile }')
[ -z "$repeated" ] || complain "the first directive should be #pragma once:" "$repeated"

# Written so that this file does not match itself. The home of "you" stands for a reader's folder in documents.
paths='(^|[^A-Za-z0-9_.}])/(wor[k]|roo[t]|hom[e])/|pkg\.de[v]|artifactor[y]|deb\.debia[n]\.org|pypi\.or[g]'
if "$files" | xargs grep -nIE "$paths" | grep -v '/hom[e]/you'; then
    complain "a path or host of one machine is named above"
fi

if "$files" '*.c' '*.h' | xargs grep -nE '\<(TOD[O]|FIXM[E]|XX[X])\>' /dev/null; then
    complain "unfinished work is marked above; finish it or write it down in an issue"
fi
exit $bad
