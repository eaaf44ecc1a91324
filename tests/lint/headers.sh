#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each public header compiles alone, and twice, as C11 and as C++17, without a warning of GCC; a face's
# headers compile without those of Tarn. All public headers of a folder compile together without a
# warning of Clang. Each internal header compiles alone as C11: those that their own source includes first
# compile alone in every build, and the others here.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
files=0

# later COMPILER STANDARD HEADERS FLAGS...: compiles headers, separated by commas, in one file. All files with
# the same compiler and flags are compiled by few calls.
later() {
    compiler=$1 standard=$2 headers=$3
    shift 3
    group=$work/$(echo "$compiler $standard $*" | tr -c 'a-zA-Z0-9\n' _)
    if [ ! -d "$group" ]; then
        mkdir "$group"
        echo "$compiler -std=$standard $*" >"$group/call"
    fi
    ending=c
    case $standard in c++*) ending=cpp ;; esac
    files=$((files + 1))
    file=$group/$files.$ending
    { # some headers declare nothing
        printf '%s,%s,' "$headers" "$headers" | sed 's/,,*/\n/g' | sed -n 's/..*/#include <&>/p'
        echo 'extern int declared;'
    } >"$file"
}

# first HEADER: prints the header that it includes before any other line of code.
first() {
    sed -n '/^#ifndef\|^#define [A-Za-z0-9_]*$\|^#pragma once/d; /^ *#/{s/^ *#include <\(.*\)>.*/\1/p;q}' "$1"
}

# public DIRECTORY: each header under it, seen as <...> from there. HIP and CUDA share those of kernels. One that another
# header includes first is compiled before that header, in the same file.
# shellcheck disable=SC2086 # words
public() {
    kernel=
    case $1 in compat/hip/* | compat/cuda/*) kernel='-I compat/kernel/include' ;; esac
    headers=$(cd "$1" && find . -name '*.h' | sed 's|^\./||' | sort)
    firsts=$(for header in $headers; do first "$1/$header"; done | sort -u)
    for header in $(printf '%s\n' "$headers" | grep -vxF "$firsts"); do
        below=$header
        while below=$(first "$1/$below") && [ -f "$1/$below" ]; do header=$below,$header; done
        later gcc c11 "$header" -I "$1" $kernel
        later g++ c++17 "$header" -I "$1" $kernel
    done
    command -v clang >/dev/null || return 0
    together=$(printf '%s' "$headers" | tr '\n' ',')
    later clang c11 "$together" -I "$1" $kernel
    later clang++ c++17 "$together" -I "$1" $kernel
}

# alone HEADER NAME: true if the header may be included twice, and its own source includes it first, by this
# name.
alone() {
    source=${1%.h}.c
    [ -f "$source" ] && [ "$(grep -m 1 '^#' "$source")" = "#include \"$2\"" ] &&
        [ "$(grep -m 1 '^#' "$1")" = '#pragma once' ]
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
    for header in $(find "$room" -name '*.h' ! -path '*/include/*' | sort); do
        alone "$header" "$header" || later gcc c11 "$header" -D_GNU_SOURCE -I . -I include -I "$room/include" -I compat/kernel/include
    done
done
# The headers of src/channel/ucx need those of UCX, which are optional.
ucx=keep
echo '#include <ucp/api/ucp.h>' | gcc -x c -fsyntax-only - 2>/dev/null || ucx=src/channel/ucx
for header in $(find src -name '*.h' | grep -v "^$ucx/" | sort); do
    alone "$header" "${header#src/}" || later gcc c11 "${header#src/}" -D_GNU_SOURCE -I include -I src -I compat/mstx/include -I compat/cuda/include
done
for group in "$work"/*/call; do
    read -r call <"$group"
    # shellcheck disable=SC2086 # words
    find "${group%/call}" -name '*.c*' -print0 | xargs -0 -P "$(nproc)" -n 12 $call -Wall -Wextra -Wpedantic -Werror -fsyntax-only || {
        echo "headers above do not compile with $call" >&2
        bad=1
    }
done
exit $bad
