#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/llama/build.sh builds a tree of the shape of llama.cpp for both vendors. Its test program passes, and the checker
# finds no error in it; a back-end that writes beyond its result is found. What cannot be built is named.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

pkg-config --exists openblas || {
    echo "skipped: needs libopenblas-dev" >&2
    exit 77
}
skip_sanitized "programs would need the sanitizer of the library"
command -v cmake >/dev/null || fail "there is no cmake"
tree=$SRC/tests/llama/tree
export TARN OPENBLAS_NUM_THREADS=1

# build FOLDER SOURCE [VARIABLE...]: builds it in $work/FOLDER; that of races is for HIP. Fails with its words in $work/err.
build() {
    folder=$work/$1
    vendor=$(printf %s "$1" | sed 's/races/hip/')
    source=$2
    shift 2
    env "$@" "$SRC/examples/llama/build.sh" "$vendor" "$source" "$folder" >"$work/out" 2>"$work/err" </dev/null
}

for vendor in hip cuda; do
    build $vendor "$tree" || fail "$vendor: build.sh ended with $?"
    expect 0 check --as "$vendor" -- "$work/$vendor/bin/test-backend-ops"
    says out '^38/38 tests passed$'
    says err '0 error(s), 0 warning(s)'
done

# What was built is not built again; a changed file is. Without a barrier its warps race, which a build for that shows.
cp -r "$tree" "$work/tree"
chmod -R u+w "$work/tree"
build races "$work/tree" LLAMA_FLAGS=--kernel-races || fail "the tree does not build for races"
expect 0 check --kernel-races --as hip -- "$work/races/bin/test-backend-ops"
before=$(stat -c %y "$work/races/backend/ggml-cuda.cu.o")
sed -i '0,/__syncthreads/{/__syncthreads/d}' "$work/tree/ggml/src/ggml-cuda/norm.cu"
build races "$work/tree" LLAMA_FLAGS=--kernel-races || fail "the changed tree does not build"
[ "$(stat -c %y "$work/races/backend/ggml-cuda.cu.o")" = "$before" ] || fail "a file that did not change was compiled again"
expect 77 check --kernel-races --as hip -- "$work/races/bin/test-backend-ops"
says err 'kernel-race.*'

build hip "$SRC/examples" && fail "a tree without a back-end was built"
says err 'has no ggml/src/ggml-cuda'
build metal "$tree" && fail "another vendor was accepted"
says err '"metal" is neither hip nor cuda'
echo 'this is no source' >"$work/tree/ggml/src/ggml-cuda/wrong.cu"
build races "$work/tree" && fail "a file that does not compile was passed over"
says err 'files of the back-end do not compile'
