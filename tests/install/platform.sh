#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CMake refuses a system with 32 bits or another C library than glibc, by a sentence that names the reason.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused SENTENCE ARGUMENT...: configures with the arguments, which must fail with the sentence.
refused() {
    sentence=$1
    shift
    if cmake -S "$SRC" -B "$work/build" -DTARN_UCX=OFF "$@" >"$work/out" 2>&1; then
        echo "configured, and should have said: $sentence" >&2
        exit 1
    fi
    # CMake wraps its messages.
    tr -s ' \n' '  ' <"$work/out" | grep -qF "$sentence" || {
        cat "$work/out" >&2
        echo "no sentence: $sentence" >&2
        exit 1
    }
    rm -rf "$work/build"
}

case $(uname -m) in
x86_64)
    refused 'needs 64 bits; this compiler makes programs of 4 bytes to a pointer' \
        -DCMAKE_C_FLAGS=-m32 -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY
    ;;
esac

mkdir "$work/include"
printf '#ifndef _FEATURES_H\n#define _FEATURES_H\n#endif\n' >"$work/include/features.h"
refused 'needs glibc, because it takes the place of libraries that are linked with it' \
    "-DCMAKE_C_FLAGS=-isystem $work/include"
