#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: build.sh hip|cuda SOURCE FOLDER
# Builds the test program of llama.cpp, whose sources are in SOURCE, and its back-end for HIP or CUDA with `tarn hipcc` or
# `tarn nvcc`, in FOLDER. README.md beside this file has the commands before and after it.
# Environment:
#   TARN            the command tarn (default: tarn)
#   TARN_CXX        the compiler under tarn hipcc and tarn nvcc
#   LLAMA_FLAGS     more options for each file of the back-end and for its link, such as --kernel-races, or -DGGML_CUDA_NO_FA, which leaves flash attention out
#   LLAMA_CMAKE     more options for the CMake of llama.cpp
#   LLAMA_JOBS      compilers at the same time (default: one for each CPU)
#   LLAMA_BLAS      options that compile and link a CBLAS (default: what pkg-config says of openblas, or of blis)
set -eu

die() {
    printf 'build.sh: %s\n' "$*" >&2
    exit 1
}

[ $# = 3 ] || die "usage: build.sh hip|cuda SOURCE FOLDER"
vendor=$1
source=$(realpath "$2") || die "$2: no such folder"
mkdir -p "$3"
folder=$(realpath "$3")
here=$(dirname "$(realpath "$0")")
tarn=${TARN:-tarn}
jobs=${LLAMA_JOBS:-$(nproc)}
ggml=$source/ggml
[ -d "$ggml/src/ggml-cuda" ] || die "$source has no ggml/src/ggml-cuda: it is not a source tree of llama.cpp"
command -v "$tarn" >/dev/null || die "$tarn: no such command; TARN names it"

# An architecture whose branch of the source has no assembler and no matrix instructions.
case $vendor in
hip) library=hipblas && set -- hipcc -x hip --offload-arch=gfx1030 -DGGML_USE_HIP -DGGML_HIP_NO_VMM -I"$here/blas" ;;
cuda) library=cublas && set -- nvcc -x cu -arch=sm_61 -I"$here/blas" ;;
*) die "\"$vendor\" is neither hip nor cuda" ;;
esac
compiler=$1
shift

blas=${LLAMA_BLAS:-}
for package in openblas blis; do
    [ -n "$blas" ] || blas=$(pkg-config --cflags --libs $package 2>/dev/null || true)
done
[ -n "$blas" ] || die "no CBLAS was found: install libopenblas-dev, or name its options in LLAMA_BLAS"

# The test program, and what it shares with each back-end. A back-end is a shared object that it opens.
# shellcheck disable=SC2086 # words
cmake -S "$source" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DGGML_BACKEND_DL=ON -DGGML_NATIVE=OFF \
    -DLLAMA_CURL=OFF -DLLAMA_BUILD_TESTS=ON ${LLAMA_CMAKE:-} >"$folder/configure.log" ||
    die "CMake failed; $folder/configure.log has its words"
cmake --build "$folder" -j "$jobs" --target test-backend-ops >"$folder/build.log" 2>&1 || {
    tail -n 20 "$folder/build.log" >&2
    die "the test program was not built; $folder/build.log has all"
}
# The back-end of the CPU is the reference, where it is a shared object of its own.
cmake --build "$folder" -j "$jobs" --target ggml-cpu >>"$folder/build.log" 2>&1 || true

# The BLAS. It stands where the vendor's would, for this program only.
# shellcheck disable=SC2086 # words
"$tarn" $compiler "$@" -O2 -shared -fPIC -Wl,-soname,lib$library.so "$here/blas/$library".* $blas \
    -o "$folder/bin/lib$library.so" ||
    die "the BLAS was not built"

# The files that llama.cpp's own CMakeLists.txt lists.
units=$folder/backend
mkdir -p "$units"
cd "$ggml/src/ggml-cuda"
for file in *.cu template-instances/fattn-tile*.cu template-instances/fattn-mma*.cu template-instances/mmq*.cu \
    template-instances/mmf*.cu template-instances/fattn-vec*q4_0-q4_0.cu template-instances/fattn-vec*q8_0-q8_0.cu \
    template-instances/fattn-vec*f16-f16.cu; do
    [ ! -e "$file" ] || echo "$file"
done >"$units/files"

# The last word is a file; nothing if its object is newer.
cat >"$units/one.sh" <<'END'
units=$1
shift
for file; do :; done
object=$units/$(printf %s "$file" | tr / -).o
[ "$object" -nt "$file" ] || { "$@" -o "$object.part" && mv "$object.part" "$object"; }
END
failed=0
# shellcheck disable=SC2086 # words
xargs -P "$jobs" -n 1 sh "$units/one.sh" "$units" "$tarn" $compiler "$@" -O2 -fPIC -std=c++17 -DNDEBUG -DGGML_SHARED \
    -DGGML_BACKEND_SHARED -DGGML_BACKEND_BUILD -DGGML_BACKEND_DL -DGGML_SCHED_MAX_COPIES=4 \
    -DGGML_CUDA_PEER_MAX_BATCH_SIZE=128 -I"$ggml/include" -I"$ggml/src" ${LLAMA_FLAGS:-} -c <"$units/files" || failed=$?
[ $failed = 0 ] || die "files of the back-end do not compile"

name=ggml-$vendor
# shellcheck disable=SC2016,SC2086 # the loader reads $ORIGIN; words
"$tarn" $compiler ${LLAMA_FLAGS:-} -shared "$units"/*.o -L"$folder/bin" -lggml-base -l$library -Wl,-rpath,'$ORIGIN' \
    -o "$folder/bin/lib$name.so" || die "the back-end was not linked"
echo "$folder/bin/test-backend-ops and lib$name.so are built. Run them: $tarn check --as $vendor -- $folder/bin/test-backend-ops test"
