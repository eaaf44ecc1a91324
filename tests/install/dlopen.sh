#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every library of ours can be opened by a program that is already running: it has little of each
# thread's own block, for which a running program has little room left.
set -eu
work=$BUILD/tests/dlopen
mkdir -p "$work"
limit=336 # bytes, of about 1600 that glibc leaves for all libraries together

cat >"$work/open.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (dlopen(argv[i], RTLD_NOW | RTLD_LOCAL) == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
    }
    return 0;
}
END
"$CC" "$work/open.c" -o "$work/open" -ldl
libraries=$(find "$BUILD/lib" -name '*.so*' ! -type l)
[ -n "$libraries" ]
for library in $libraries; do
    hex=$(readelf -lW "$library" | awk '$1 == "TLS" { print $6 }')
    bytes=$((${hex:-0}))
    if [ "$bytes" -gt "$limit" ]; then
        echo "$(basename "$library") takes $bytes bytes of each thread's own block, more than $limit" >&2
        exit 1
    fi
done
# shellcheck disable=SC2086 # a list of words
"$work/open" $libraries
