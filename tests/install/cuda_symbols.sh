#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CUDA's libraries export the names of NVIDIA's, with its versions, and a program that was linked with
# NVIDIA's libraries and needs every name at its start runs. The runtime and NVML jump to libcuda.so.1,
# which they find beside them.
set -eu
work=$BUILD/tests/cuda_symbols
folder=$BUILD/lib/tarn/cuda
lists=$SRC/tests/compat/cuda
rm -rf "$work"
mkdir -p "$work/vendor"
LC_ALL=C
export LC_ALL
unset LD_LIBRARY_PATH LD_PRELOAD
fail() {
    echo "$*" >&2
    exit 1
}
# The names of the versions themselves are absolute.
exports() { nm -D --with-symbol-versions --defined-only "$folder/$1" | awk '$2 != "A" { print $3 }' | sort; }
names() { grep -v '^#' "$lists/$1.txt" | sort; }

# --- names and versions ----------------------------------------------------------------------------
# cudaExt... are those that kernels for this CPU call.
exports libcuda.so.1 | grep -v -e '^tn_\(cudart\|nvml\)_' -e '^cudaExt[A-Z]' >"$work/driver"
names driver | diff -u - "$work/driver" >&2 || fail "libcuda.so.1 exports other names than NVIDIA's"
exports libcudart.so.13 >"$work/runtime"
names runtime | sed 's/$/@@libcudart.so.13/' | sort | diff -u - "$work/runtime" >&2 ||
    fail "libcudart.so.13 exports other names than NVIDIA's"
exports libcudart.so.12 | grep -v '@@libcudart\.so\.12$' && fail "another version in libcudart.so.12"
for name in cudaGetDeviceProperties_v2 cudaMemAdvise_v2 cudaThreadSynchronize; do
    exports libcudart.so.12 | grep -q "^$name@" || fail "libcudart.so.12 has no $name"
done
exports libnvidia-ml.so.1 | grep -v '^nvml[A-Z][A-Za-z0-9_]*$' && fail "another name in libnvidia-ml.so.1"
# Each name of NVML is declared, or turned into its newest form, which is.
echo '#include <nvml.h>' | "$CC" -E -dD -P -I "$SRC/compat/cuda/include" -I "$SRC/compat/kernel/include" - >"$work/nvml"
{
    sed -n 's/^#define \(nvml[A-Za-z0-9_]*\) nvml.*/\1/p' "$work/nvml"
    grep -v '^#' "$work/nvml" | tr '\n' ' ' | grep -o 'nvml[A-Za-z0-9_]*(' | tr -d '('
} | sort -u >"$work/declared"
exports libnvidia-ml.so.1 | comm -23 - "$work/declared" | grep . && fail "names of NVML that nvml.h does not declare"

for library in libcudart.so.13 libcudart.so.12 libnvidia-ml.so.1; do
    readelf -d "$folder/$library" >"$work/dynamic"
    for word in "SONAME.*\[$library\]" 'NEEDED.*\[libcuda\.so\.1\]' "RUNPATH.*\[\$ORIGIN\]"; do
        grep -q "$word" "$work/dynamic" || fail "$library has no $word"
    done
    grep 'NEEDED' "$work/dynamic" | grep -v -e 'libcuda\.so\.1\]' -e 'libc\.so' && fail "$library needs more than that"
done

# --- programs --------------------------------------------------------------------------------------
# program LIST SONAME MAP: a program that needs all names of the list, linked with a vendor's library.
program() {
    names "$1" | sed 's/.*/void &(void); void &(void) {}/' >"$work/vendor.c"
    "$CC" -w -shared -fPIC "$work/vendor.c" -o "$work/vendor/$2" -Wl,-soname,"$2" -Wl,--version-script="$3"
    {
        names "$1" | sed 's/.*/void &(void);/'
        echo 'void *volatile all[] = {'
        names "$1" | sed 's/.*/&,/'
        echo '}; int main(void) { return all[0] == 0; }'
    } >"$work/program.c"
    "$CC" -w "$work/program.c" -o "$work/program" "$work/vendor/$2"
    LD_BIND_NOW=1 LD_LIBRARY_PATH=$folder "$work/program" >"$work/out" 2>&1 ||
        fail "a program that needs every name of $2 does not start: $(cat "$work/out")"
    [ ! -s "$work/out" ] || fail "the loader complains: $(cat "$work/out")"
}
echo '{ global: *; };' >"$work/plain.map"
echo 'libcudart.so.13 { global: *; };' >"$work/13.map"
program driver libcuda.so.1 "$work/plain.map"
program runtime libcudart.so.13 "$work/13.map"
[ "$(readelf -W --dyn-syms "$work/program" | grep -c '@libcudart\.so\.13')" -ge 422 ] ||
    fail "the program needs too few names with a version"

# --- entries of functions --------------------------------------------------------------------------
# entry COMPILER FLAG INSTRUCTION: with the flag, functions of a front begin with the instruction.
entry() {
    command -v "$1" >/dev/null || return 0
    printf '%s\n' '#include "compat/face/front.h"' 'TN_FRONT(f, g)' 'int here;' >"$work/front.c"
    "$1" -I "$SRC" -S "$2" "$work/front.c" -o "$work/front.s" || fail "$1 cannot compile a front"
    sed -n '/^f:/,/^\.size f/p' "$work/front.s" >"$work/entry"
    grep -q "$3" "$work/entry" || fail "$1 $2: no $3"
    "$1" -c "$work/front.s" -o "$work/front.o"
}
entry gcc -fcf-protection=full endbr64
entry gcc -fcf-protection=none 'jmp g@PLT'
entry aarch64-linux-gnu-gcc -mbranch-protection=standard 'bti c'
entry aarch64-linux-gnu-gcc -mbranch-protection=none 'b g'

# --- the facts, where they lie beside the tree ------------------------------------------------------
facts=$SRC/../shared/facts
[ -d "$facts" ] || exit 0
grep -v '^#' "$facts/cudart-13-exports.txt" | sort >"$work/facts"
names runtime | diff -u "$work/facts" - >&2 || fail "the list has other names than the facts"
awk -F '|' '!/^#/ { n = split($4, s, " "); for (i = 1; i <= n; i++) print s[i] }' "$facts/cuda-symbols.txt" |
    sort -u >"$work/facts"
comm -23 "$work/facts" "$work/driver" >"$work/alone"
[ -s "$work/facts" ] || fail "no facts"
[ ! -s "$work/alone" ] || fail "not exported: $(cat "$work/alone")"
