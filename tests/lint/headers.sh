#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each public header compiles alone, and twice, as C11 and as C++17, without a warning; a face's headers
# compile without those of Tarn. Each internal header compiles alone as C11.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict='-Wall -Wextra -Wpedantic -Werror -fsyntax-only'
bad=0

# alone COMPILER LANGUAGE STANDARD HEADER FLAGS...
alone() {
    compiler=$1 language=$2 standard=$3 header=$4
    shift 4
    printf '#include <%s>\n#include <%s>\nextern int declared;\n' "$header" "$header" >"$work/alone"
    # shellcheck disable=SC2086 # a list of words
    if ! "$compiler" -x "$language" -std="$standard" $strict "$@" "$work/alone"; then
        echo "$header does not compile alone with $compiler -std=$standard" >&2
        bad=1
    fi
}

# public DIRECTORY: each header under it, seen as <...> from there.
public() {
    for header in $(cd "$1" && find . -name '*.h' | sed 's|^\./||' | sort); do
        for pair in gcc/g++ clang/clang++; do
            command -v "${pair%/*}" >/dev/null || continue
            alone "${pair%/*}" c c11 "$header" -I "$1"
            alone "${pair#*/}" c++ c++17 "$header" -I "$1"
        done
    done
}

cd "$SRC"
public include

# The README's way to initialise a struct works in each language.
printf '#include <tarn/tarn.h>\nint main(void) {\n    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);\n    return desc.struct_size == sizeof desc && desc.limit == 0 ? 0 : 1;\n}\n' >"$work/init.c"
for pair in c/c11 c++/c++11 c++/c++17; do
    compiler=gcc
    [ "${pair%/*}" = c ] || compiler=g++
    if ! "$compiler" -x "${pair%/*}" -std="${pair#*/}" -Wall -Wextra -Wpedantic -Werror -I include "$work/init.c" -o "$work/init" ||
        ! "$work/init"; then
        echo "TARN_INIT() does not work with -std=${pair#*/}" >&2
        bad=1
    fi
done
for room in compat/*; do
    [ ! -d "$room/include" ] || public "$room/include"
    for header in $(find "$room" -maxdepth 1 -name '*.h' | sort); do
        alone gcc c c11 "$header" -D_GNU_SOURCE -I . -I include -I "$room/include"
    done
done
# The headers of src/channel/ucx need those of UCX, which are optional.
ucx=keep
echo '#include <ucp/api/ucp.h>' | gcc -x c -fsyntax-only - 2>/dev/null || ucx=src/channel/ucx
for header in $(find src -name '*.h' | grep -v "^$ucx/" | sort); do
    alone gcc c c11 "${header#src/}" -D_GNU_SOURCE -I include -I src
done
exit $bad
