#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn run --as cuda: its libraries are loaded before a program looks for them anywhere, and a program with
# NVIDIA's own runtime is reported before it starts.
# shellcheck disable=SC1091,SC2154,SC2016 # sourced, it sets work; the inner shell expands
. "$SRC/tests/support/cli.sh"
unset LD_LIBRARY_PATH LD_PRELOAD TARN_CUDA_DEVICE TARN_CUDA_COMPAT TARN_CUDA_LOG CUDA_VISIBLE_DEVICES
cc=${CC:-cc}
skip_sanitized "a sanitizer's library must come first in a program"
folder=$(cd "$(dirname "$TARN")/../lib/tarn/cuda" && pwd)

# --- the environment -------------------------------------------------------------------------------
show='printf "%s\n" "path=$LD_LIBRARY_PATH" "preload=$LD_PRELOAD" "device=$TARN_CUDA_DEVICE" \
    "compat=$TARN_CUDA_COMPAT" "log=$TARN_CUDA_LOG"'
expect 122 run --as cuda -- sh -c "$show"
says out "^path=$folder\$"
says out "^preload=$folder/libcuda.so.1:$folder/libcudart.so.13:$folder/libcudart.so.12:$folder/libnvidia-ml.so.1\$"
says out '^device=$'
says out '^compat=$'
says out '^log=$'
expect 122 run --as cuda --device host:0,memory=1G --compat 12 --log -- sh -c "$show"
says out "^preload=$folder/12/libcuda.so.1:$folder/libcudart.so.12:$folder/libnvidia-ml.so.1\$"
says out "^path=$folder/12:$folder\$"
says out '^device=host:0,memory=1G$'
says out '^compat=12$'
says out '^log=1$'
expect 122 run --as cuda --compat 13 -- sh -c "$show"
says out "^preload=$folder/libcuda.so.1:$folder/libcudart.so.13:$folder/libnvidia-ml.so.1\$"
LD_PRELOAD='' LD_LIBRARY_PATH=/before expect 122 run --as cuda,acl --compat 2 -- sh -c "$show"
says out "^path=$folder:${folder%cuda}acl:/before\$"
says out "^preload=$folder/libcuda.so.1:$folder/libcudart.so.13:"
expect 125 run --as cuda --compat 1 -- true
says err 'compat=1 is not a level'
expect 125 run --as cuda --compat '12 13' -- true
expect 125 run --as cuda --sparse -- true
says err 'no sparse arrays'

# --- programs --------------------------------------------------------------------------------------
# library SONAME TEXT: a vendor's library of that name, with functions that answer 99, in $work/vendor.
mkdir -p "$work/vendor"
library() {
    {
        printf 'const char %s[] = "%s";\n' "text_of_$(echo "$1" | tr -c 'a-z\n' _)" "$2"
        echo 'int cudaRuntimeGetVersion(int *version) { (void)version; return 99; }'
        echo 'int cudaGLGetDevices(void) { return 99; }'
    } >"$work/library.c"
    node=-Wl,-z,now
    case $1 in libcudart.*)
        echo "$1 { global: *; };" >"$work/library.map"
        node=-Wl,--version-script="$work/library.map"
        ;;
    esac
    "$cc" -shared -fPIC -Wl,-soname,"$1" "$node" "$work/library.c" -o "$work/vendor/$1"
}
library libcudart.so.13 ' /cudart.shm.%d'
library libcudart.so.12 ''
library libcudart.so.11.0 ''
# client NAME LINKED...: returns the error of a function that the face does not implement.
cat >"$work/client.c" <<'END'
#include <stdio.h>
int cudaGLGetDevices(void);
int main(int count, char **words) {
    (void)words;
    puts("started");
    return count > 1 ? 0 : cudaGLGetDevices() == 801 ? 8 : 9;
}
END
client() {
    name=$1
    shift
    "$cc" "$work/client.c" -o "$work/$name" "$@"
}
client plain "$work/vendor/libcudart.so.13"
client twelve "$work/vendor/libcudart.so.12"
client eleven "$work/vendor/libcudart.so.11.0" -Wl,-rpath,"$work/vendor"
client bound "$work/vendor/libcudart.so.13" -Wl,--disable-new-dtags,-rpath,"$work/vendor"
for program in plain twelve bound; do
    expect 8 run --as cuda -- "$work/$program"
    ! grep -q warning "$work/err" || fail "a warning about $program"
done
expect 8 run --as cuda --log -- "$work/plain"
says err 'cudaGLGetDevices.* is not in this library'
expect 9 run --as cuda -- "$work/eleven"
says err 'warning: .*eleven needs libcudart.so.11.0, which is not libcudart.so.13'
expect 122 run --as cuda -- "$work/plain" quiet
says err 'plain links libcudart.so.13 and made no call of it'
expect 122 check --as cuda -- "$work/eleven" quiet
says err 'eleven links libcudart.so.11.0, and the face replaces libcudart.so.13 and libcudart.so.12. Link it again'
# The library of the release that the program links comes alone.
expect 122 run --as cuda -- "$work/twelve" quiet
cat >"$work/maps.c" <<'END'
#include <stdio.h>
#include <string.h>
int cudaGLGetDevices(void);
int main(int count, char **words) {
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    (void)words;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, "libcud") != NULL) fputs(strrchr(line, '/'), stdout);
    return count > 9 ? cudaGLGetDevices() : 0;
}
END
"$cc" "$work/maps.c" -o "$work/maps" "$work/vendor/libcudart.so.12"
expect 122 run --as cuda -- "$work/maps"
[ "$(sort -u "$work/out" | tr '\n' ' ')" = '/libcuda.so.1 /libcudart.so.12 ' ] || fail "other libraries"

# --- calls that fail, by the names of both APIs ------------------------------------------------------
cat >"$work/allocates.c" <<'END'
#include <stddef.h>
int cudaFree(void *);
int cudaMalloc(void **, size_t);
int cuMemAlloc_v2(unsigned long long *, size_t);
int main(void) {
    void *a = 0;
    unsigned long long b = 0;
    if (cudaFree(0) != 0) return 9;
    return cudaMalloc(&a, 4096) * 10 + cuMemAlloc_v2(&b, 4096);
}
END
"$cc" "$work/allocates.c" -o "$work/allocates" -L"$folder" -lcudart -lcuda
expect 0 run --as cuda -- "$work/allocates"
expect 20 run --as cuda --fail 'cudaMalloc:1:as=cudaErrorMemoryAllocation' -- "$work/allocates"
expect 2 run --as cuda --fail 'cuMemAlloc_v2:1:as=CUDA_ERROR_OUT_OF_MEMORY' -- "$work/allocates"
expect 1 run --as cuda --fail 'cuMemAlloc_v2:1:as=1' -- "$work/allocates"
expect 125 run --as cuda --fail 'cudaMallok:1' -- "$work/allocates"
says err 'no face has this function'
expect 125 run --as cuda --fail 'cudaMalloc:1:as=cudaErrorNonsense' -- "$work/allocates"
says err 'has no such error'

# --- a program that looks for the library that is loaded ---------------------------------------------
cat >"$work/opens.c" <<'END'
#include <dlfcn.h>
int main(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    int (*get)(const void **, const void *) = 0;
    const void *table = &table;
    if (driver == 0 || dlopen("libcudart.so.13", RTLD_LAZY | RTLD_NOLOAD) == 0) return 1;
    *(void **)&get = dlsym(driver, "cuGetExportTable");
    return get(&table, "0123456789abcdef") == 1 && table == 0 ? 5 : 2;
}
END
"$cc" "$work/opens.c" -o "$work/opens" -ldl
expect 5 run --as cuda --log -- "$work/opens"
says err 'link the program with -cudart shared'

# --- NVIDIA's own runtime --------------------------------------------------------------------------
# Nothing of the program runs, also if a library contains it.
refused() {
    expect 125 run --as cuda -- "$@"
    says err "contains NVIDIA's own runtime.* Link with .nvcc -cudart shared"
    ! grep -q started "$work/out" || fail "$1 was started"
    expect 125 check --as cuda -- "$@"
    [ "$(wc -l <"$work/err")" = 1 ] || fail "more than one line about $1"
}
cat >"$work/runtime.c" <<'END'
static const char *volatile name = "/cudart.shm.%d";
const char *contained(void);
const char *contained(void) { return name; }
END
"$cc" "$work/client.c" "$work/runtime.c" -o "$work/static" "$work/vendor/libcudart.so.13"
refused "$work/static"
says err "check: $work/static contains"
strip "$work/static"
refused "$work/static"
printf '#!%s\n' "$work/static" >"$work/script"
chmod +x "$work/script"
refused "$work/script"
"$cc" -shared -fPIC "$work/runtime.c" -Wl,-soname,libcontains.so -o "$work/vendor/libcontains.so"
"$cc" -Wl,--no-as-needed "$work/client.c" -o "$work/links" "$work/vendor/libcontains.so" \
    "$work/vendor/libcudart.so.13" -Wl,-rpath,"$work/vendor"
refused "$work/links"
says err "$work/links links $work/vendor/libcontains.so, which contains NVIDIA"
# A library of NVIDIA is a warning, and the program runs.
"$cc" -shared -fPIC "$work/runtime.c" -Wl,-soname,libcublas.so.13 -o "$work/vendor/libcublas.so.13"
"$cc" -Wl,--no-as-needed "$work/client.c" -o "$work/blas" "$work/vendor/libcublas.so.13" \
    "$work/vendor/libcudart.so.13" -Wl,-rpath,"$work/vendor"
expect 8 run --as cuda -- "$work/blas" # the answer of a function that Tarn lacks
says err "warning: $work/vendor/libcublas.so.13 contains NVIDIA's own runtime.*: calls of this library fail"
says out started
expect 0 run --as acl --fail map:1 -- sh -c "'$work/links' quiet; '$TARN' version"

# --- programs of NVIDIA's compiler, where it is -----------------------------------------------------
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || exit 0
cat >"$work/kernel.cu" <<'END'
#include <stdio.h>
__device__ int variable;
__global__ void nothing() {}
int main() {
    int value = 5, got = 0;
    puts("started");
    if (cudaMemcpyToSymbol(variable, &value, sizeof value) != cudaSuccess) return 4;
    if (cudaMemcpyFromSymbol(&got, variable, sizeof got) != cudaSuccess || got != 5) return 3;
    nothing<<<1, 1>>>();
    return cudaGetLastError() == 209 && cudaDeviceSynchronize() == cudaSuccess ? 0 : 2;
}
END
"$nvcc" -o "$work/nvcc_static" "$work/kernel.cu" >"$work/out" 2>&1 || exit 0 # it has no compiler of the host
refused "$work/nvcc_static"
# 90: a library of NVIDIA's runtime that is opened later finds no table, and the log says what to do.
got=0
TARN_CUDA_LOG=1 LD_LIBRARY_PATH=$folder "$work/nvcc_static" >"$work/out" 2>"$work/err" || got=$?
[ "$got" = 4 ] || fail "NVIDIA's own runtime worked: $got"
says err 'link the program with -cudart shared'
"$nvcc" -cudart shared -o "$work/nvcc_shared" "$work/kernel.cu"
expect 0 run --as cuda --log -- "$work/nvcc_shared"
says err '_Z7nothingv is code for a GPU; .tarn nvcc. makes code for this CPU'
# 86: it also starts if there is no device.
expect 4 run --as cuda --device none -- "$work/nvcc_shared"
says out started
