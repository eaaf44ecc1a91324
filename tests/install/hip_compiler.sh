#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A project with kernels is built by the installed `tarn hipcc`, which finds headers and library after the tree was
# moved: by CMake's language HIP with the toolchain file, by CMake as the C++ compiler, and by a makefile.
set -eu
command -v g++ >/dev/null || { echo "skipped: needs g++"; exit 77; }
work=$BUILD/tests/hip_compiler
example=$SRC/examples/hip-kernel
rm -rf "$work"
mkdir -p "$work/plain"
unset LD_LIBRARY_PATH TARN_HIP_DEVICE TARN_DEVICE TARN_CXX
cmake --install "$BUILD" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
prefix=$work/moved
toolchain=$(find "$prefix" -name toolchain.cmake)

# builds NAME SOURCE OPTION...: configures, builds and tests a project, then builds nothing again.
builds() {
    name=$1 source=$2
    shift 2
    cmake -S "$source" -B "$work/$name" -G Ninja "$@" >/dev/null
    cmake --build "$work/$name" >"$work/out" || { cat "$work/out"; exit 1; }
    ctest --test-dir "$work/$name" >"$work/out" || { cat "$work/out"; exit 1; }
    cmake --build "$work/$name" | grep -q 'no work to do' || { echo "$name: built again" >&2; exit 1; }
}
builds language "$example" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Debug
readelf -d "$work/language/mean" | grep -q "RUNPATH.*$prefix" || { echo "no RUNPATH to the library" >&2; exit 1; }

# The same project for C++, with find_package(hip).
cp "$example"/*.hip "$example"/*.h "$work/plain"
cat >"$work/plain/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.21)
project(mean LANGUAGES CXX)
find_package(hip REQUIRED)
set_source_files_properties(main.hip mean.hip PROPERTIES LANGUAGE CXX)
add_executable(mean main.hip mean.hip)
target_link_libraries(mean PRIVATE hip::device)
enable_testing()
add_test(NAME mean COMMAND mean)
END
builds compiler "$work/plain" -DCMAKE_CXX_COMPILER="$prefix/bin/tarn-hipcc" -DCMAKE_PREFIX_PATH="$prefix"
builds both "$work/plain" -DCMAKE_TOOLCHAIN_FILE="$toolchain"

cd "$work/plain"
# shellcheck disable=SC2016 # for make to expand
printf 'mean: main.o mean.o\n\t$(HIPCC) $^ -o $@\n%%.o: %%.hip mean.h\n\t$(HIPCC) -O1 --offload-arch=gfx90a -c $< -o $@\n' >Makefile
make HIPCC="$prefix/bin/tarn hipcc" mean >/dev/null
./mean
