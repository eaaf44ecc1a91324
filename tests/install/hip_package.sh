#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A project for AMD's HIP that asks for find_package(hip) is configured, compiled and run, also after
# the tree was moved. AMD's own package in the same prefix is preferred.
set -eu
work=$BUILD/tests/hip_package
here=$SRC/tests/install/hip_package
rm -rf "$work"
mkdir -p "$work"
unset LD_LIBRARY_PATH TARN_HIP_DEVICE TARN_DEVICE
cmake --install "$BUILD" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
prefix=$work/moved
cxx=$(printf '%s' "$CC" | sed 's/clang$/clang++/; s/gcc$/g++/; s/gcc-\([0-9]*\)$/g++-\1/')

# project STANDARD: configures it in $work/STANDARD.
project() {
    cmake -S "$here" -B "$work/$1" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
        -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_STANDARD="$1" >/dev/null
}
for standard in 14 17; do
    project $standard
    cmake --build "$work/$standard" >/dev/null
    for program in host device library; do
        "$work/$standard/$program"
    done
done

config=$(find "$prefix" -name hip-config.cmake)
vendor=$(dirname "$(dirname "$config")")/hip
mkdir "$vendor"
echo 'message(FATAL_ERROR "the package of AMD")' >"$vendor/hip-config.cmake"
echo 'set(PACKAGE_VERSION_COMPATIBLE TRUE)' >"$vendor/hip-config-version.cmake"
if project 20 2>"$work/error" || ! grep -q 'the package of AMD' "$work/error"; then
    echo "Tarn's package was preferred to AMD's" >&2
    exit 1
fi
