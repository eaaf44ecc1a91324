#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each public header compiles alone, and twice, as C11 and as C++17, without a warning; a face's headers
# compile without those of Tarn. Each internal header compiles alone as C11.
set -eu

# headers.sh alone COMPILER LANGUAGE STANDARD HEADER FLAGS... compiles one header; the script calls itself.
if [ "${1:-}" = alone ]; then
    compiler=$2 language=$3 standard=$4 header=$5
    shift 5
    printf '#include <%s>\n#include <%s>\nextern int declared;\n' "$header" "$header" |
        "$compiler" -x "$language" -std="$standard" -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$@" - && exit
    echo "$header does not compile alone with $compiler -std=$standard" >&2
    exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
alone() { echo alone "$@" >>"$work/all"; }

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
xargs -P "$(nproc)" -L 1 "$0" <"$work/all" || bad=1
exit $bad
