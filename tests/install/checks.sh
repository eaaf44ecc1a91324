#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A project's checks (check_c_source_compiles and its kin) link with every target of every package.
set -eu
work=$BUILD/tests/checks
rm -rf "$work"
mkdir -p "$work"
cmake --install "$BUILD" --prefix "$work/prefix" >/dev/null
cxx=$(printf '%s' "$CC" | sed 's/clang$/clang++/; s/gcc$/g++/; s/gcc-\([0-9]*\)$/g++-\1/')
cmake -S "$SRC/tests/install/checks" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$cxx" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
for target in tarn::tarn tarn::tarn_static tarn::hip tarn::cuda tarn::acl tarn::hiai hip::amdhip64 hip::host hip::device; do
    grep -q "checked $target\$" "$work/log" || {
        echo "no package has the target $target" >&2
        exit 1
    }
done
