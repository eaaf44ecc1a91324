#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each public header compiles alone, and twice, as C11 and as C++17, without a warning of GCC; a face's
# headers compile without those of Tarn. All public headers of a folder compile together without a
# warning of Clang. Each internal header compiles alone as C11.
set -eu

# headers.sh compile COMPILER LANGUAGE STANDARD HEADERS FLAGS... compiles headers, separated by commas, in one
# file; the script calls itself.
if [ "${1:-}" = compile ]; then
    compiler=$2 language=$3 standard=$4 headers=$5
    shift 5
    {
        for header in $(printf '%s,%s' "$headers" "$headers" | tr ',' ' '); do
            printf '#include <%s>\n' "$header"
        done
        echo 'extern int declared;' # some headers declare nothing
    } | "$compiler" -x "$language" -std="$standard" -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$@" - && exit
    echo "$headers does not compile with $compiler -std=$standard" >&2
    exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
later() { echo compile "$@" >>"$work/all"; }

# public DIRECTORY: each header under it, seen as <...> from there.
public() {
    headers=$(cd "$1" && find . -name '*.h' | sed 's|^\./||' | sort)
    for header in $headers; do
        later gcc c c11 "$header" -I "$1"
        later g++ c++ c++17 "$header" -I "$1"
    done
    command -v clang >/dev/null || return 0
    together=$(printf '%s' "$headers" | tr '\n' ',')
    later clang c c11 "$together" -I "$1"
    later clang++ c++ c++17 "$together" -I "$1"
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
        later gcc c c11 "$header" -D_GNU_SOURCE -I . -I include -I "$room/include"
    done
done
# The headers of src/channel/ucx need those of UCX, which are optional.
ucx=keep
echo '#include <ucp/api/ucp.h>' | gcc -x c -fsyntax-only - 2>/dev/null || ucx=src/channel/ucx
for header in $(find src -name '*.h' | grep -v "^$ucx/" | sort); do
    later gcc c c11 "${header#src/}" -D_GNU_SOURCE -I include -I src
done
xargs -P "$(nproc)" -L 1 "$0" <"$work/all" || bad=1
exit $bad
