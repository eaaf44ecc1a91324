#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A recording has why a request was refused: the free memory and the size of the device, the state of the pool and
# the cause. A request that succeeded after a second attempt was not refused, and one that failed counts once.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/record.sh"
command -v "${CC:-cc}" >/dev/null || {
    echo "skipped: no compiler" >&2
    exit 77
}

cat >"$work/native.c" <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <tarn/array.h>
#include <tarn/tarn.h>
#define MIB (UINT64_C(1) << 20)
static tarn_device *device;

// Fills a pool up to `live` blocks of 64 MiB, frees every `every`th, and asks for `bytes`.
static void fill(tarn_pool_kind kind, uint64_t limit, int live, int every, uint64_t bytes) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool;
    tarn_addr blocks[64], base = 0, more;
    desc.kind = kind;
    desc.device = device;
    desc.limit = limit;
    if (kind == TARN_POOL_FIXED) {
        if (tarn_memory_alloc(device, 512 * MIB, &base) != TARN_OK) exit(3);
        desc.base = base;
        desc.bytes = 512 * MIB;
        desc.limit = 0;
    }
    if (tarn_pool_create(&desc, &pool) != TARN_OK) exit(4);
    for (int i = 0; i < live; i++)
        if (tarn_pool_alloc(pool, 64 * MIB, 0, &blocks[i]) != TARN_OK) exit(5);
    for (int i = 0; every > 0 && i < live; i += every) (void)tarn_pool_free(pool, blocks[i]);
    if (tarn_pool_alloc(pool, bytes, 0, &more) == TARN_OK) exit(6);
}

int main(int count, char **arguments) {
    const char *cause = arguments[count - 1];
    tarn_addr addr;
    tarn_phys phys;
    if (tarn_device_open("host:0,memory=1G", &device) != TARN_OK) return 2;
    if (strcmp(cause, "large") == 0 && tarn_memory_alloc(device, UINT64_C(8) << 40, &addr) == TARN_OK) return 7;
    if (strcmp(cause, "full") == 0 &&
        (tarn_memory_alloc(device, 600 * MIB, &addr) != TARN_OK || tarn_memory_alloc(device, 500 * MIB, &addr) == TARN_OK))
        return 7;
    if (strcmp(cause, "phys") == 0 &&
        (tarn_memory_alloc(device, 600 * MIB, &addr) != TARN_OK || tarn_phys_create(device, 500 * MIB, NULL, &phys) == TARN_OK))
        return 7;
    if (strcmp(cause, "pool") == 0) fill(TARN_POOL_EXPANDABLE, 0, 15, 0, 100 * MIB);
    if (strcmp(cause, "limit") == 0) fill(TARN_POOL_EXPANDABLE, 256 * MIB, 3, 0, 100 * MIB);
    if (strcmp(cause, "fixed") == 0) fill(TARN_POOL_FIXED, 0, 7, 0, 100 * MIB);
    if (strcmp(cause, "pieces") == 0) fill(TARN_POOL_FIXED, 0, 8, 2, 100 * MIB);
    if (strcmp(cause, "others") == 0) {
        tarn_array array;
        tarn_array_desc desc = TARN_INIT(tarn_array_desc);
        desc.extent = (tarn_extent){16384, 16384, 0};
        desc.element_bytes = 2;
        if (tarn_array_create(device, &desc, &array) != TARN_OK) return 8;
        if (tarn_memory_alloc(device, 600 * MIB, &addr) == TARN_OK) return 7;
    }
    if (strcmp(cause, "beside") == 0) {
        tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
        tarn_pool *pool;
        desc.kind = TARN_POOL_EXPANDABLE;
        desc.device = device;
        if (tarn_pool_create(&desc, &pool) != TARN_OK || tarn_pool_alloc(pool, 700 * MIB, 0, &addr) != TARN_OK) return 8;
        (void)tarn_pool_free(pool, addr);
        if (tarn_memory_alloc(device, 600 * MIB, &addr) == TARN_OK) return 7;
    }
    if (strcmp(cause, "space") == 0) {
        struct rlimit limit = {UINT64_C(3) << 30, UINT64_C(3) << 30};
        void *pinned;
        if (setrlimit(RLIMIT_AS, &limit) != 0) return 9;
        if (tarn_host_alloc(device, UINT64_C(64) << 30, 0, &pinned) == TARN_OK) return 7;
    }
    return 0;
}
END
"${CC:-cc}" -I "$SRC/include" "$work/native.c" -L "$BUILD/lib" -ltarn -Wl,-rpath,"$BUILD/lib" -o "$work/native" \
    2>"$work/err" || fail "cannot compile"

# why WANTED COUNT OPTIONS...: the recording of a program has COUNT refusals, and the verdict matches.
why() {
    verdict=$1 refusals=$2
    shift 2
    rm -f "$work/p.tarn"
    expect 0 record -o "$work/p.tarn" "$@"
    expect 0 explain --no-replay "$work/p.tarn"
    tr '\n' ' ' <"$work/out" >"$work/opening"
    grep -q -e "Verdict: $verdict" "$work/opening" || fail "$*: no \"$verdict\""
    expect 0 convert --to csv "$work/p.tarn" "$work/p.csv"
    refused=$(grep -c "^[a-z0-9]*,failure" "$work/p.csv" || true)
    [ "$refused" = "$refusals" ] || fail "$*: $refused refusals: $(cat "$work/p.csv")"
}
n=$work/native
why 'the 8\.00 TiB asked at event 1 are too much alone: .* Remedy: split the request' 1 -- "$n" large
why '76\.0 MiB are missing: 500\.0 MiB were asked .* 424\.0 MiB were free; main .* holds 600\.0 MiB' 1 -- "$n" full
why '76\.0 MiB are missing: 500\.0 MiB were asked .* 424\.0 MiB were free' 1 -- "$n" phys
why '36\.0 MiB are missing: 100\.0 MiB were asked' 1 -- "$n" pool
why '100\.0 MiB were asked .* the pool may hold 256\.0 MiB, .* Remedy: raise the limit of the pool by 36\.0 MiB' 1 -- "$n" limit
why '100\.0 MiB were asked .* the pool may hold 512\.0 MiB, .* raise the limit of the pool by 36\.0 MiB' 1 -- "$n" fixed
why '100\.0 MiB were asked .* and 256\.0 MiB were free, but 64\.0 MiB at most in one piece' 1 -- "$n" pieces
why '.* others hold 512\.0 MiB of the device.s 1\.00 GiB' 1 -- "$n" others
why '600\.0 MiB were asked .* 324\.0 MiB were free, and 700\.0 MiB more were free inside pools.*tarn_pool_trim' 1 -- "$n" beside
why '64\.0 GiB were asked .* the host had no memory left' 1 -- "$n" space

# Programs for faces: a pool that reclaims and tries again asks once, and so does a call of plain memory.
cat >"$work/hip.c" <<'END'
#include <hip/hip_runtime_api.h>
#include <string.h>
#define MIB (1ull << 20)
int main(int count, char **arguments) {
    const char *cause = arguments[count - 1];
    void *first = NULL, *more = NULL;
    hipMemAllocationProp own = {0};
    hipMemGenericAllocationHandle_t handle = NULL;
    own.type = hipMemAllocationTypePinned;
    own.location.type = hipMemLocationTypeDevice;
    if (hipMallocAsync(&first, 700 * MIB, NULL) != hipSuccess) return 2;
    if (strcmp(cause, "pool") == 0) return hipMallocAsync(&more, 500 * MIB, NULL) == hipSuccess;
    if (strcmp(cause, "plain") == 0) return hipMalloc(&more, 500 * MIB) == hipSuccess;
    if (strcmp(cause, "create") == 0) return hipMemCreate(&handle, 500 * MIB, &own, 0) == hipSuccess;
    if (hipFreeAsync(first, NULL) != hipSuccess || hipStreamSynchronize(NULL) != hipSuccess) return 3;
    return hipMalloc(&more, 900 * MIB) != hipSuccess; // the pool returns its memory
}
END
cat >"$work/cuda.c" <<'END'
#include <cuda.h>
#include <string.h>
#define MIB (1ull << 20)
int main(int count, char **arguments) {
    const char *cause = arguments[count - 1];
    CUdeviceptr first, more;
    CUcontext context;
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp own = {0};
    own.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    own.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    if (cuInit(0) != CUDA_SUCCESS || cuDevicePrimaryCtxRetain(&context, 0) != CUDA_SUCCESS ||
        cuCtxSetCurrent(context) != CUDA_SUCCESS || cuMemAllocAsync(&first, 700 * MIB, NULL) != CUDA_SUCCESS)
        return 2;
    if (strcmp(cause, "pool") == 0) return cuMemAllocAsync(&more, 500 * MIB, NULL) == CUDA_SUCCESS;
    if (strcmp(cause, "plain") == 0) return cuMemAlloc(&more, 500 * MIB) == CUDA_SUCCESS;
    return cuMemCreate(&handle, 500 * MIB, &own, 0) == CUDA_SUCCESS;
}
END
cat >"$work/acl.c" <<'END'
#include <acl/acl.h>
#include <string.h>
#define MIB (1ull << 20)
int main(int count, char **arguments) {
    const char *cause = arguments[count - 1];
    void *first = NULL, *more = NULL;
    aclrtDrvMemHandle handle = NULL;
    aclrtPhysicalMemProp own = {0};
    own.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
    own.memAttr = ACL_HBM_MEM_HUGE;
    own.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    if (aclInit(NULL) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS) return 2;
    if (aclrtMalloc(&first, 700 * MIB, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return 3;
    if (strcmp(cause, "plain") == 0) return aclrtMalloc(&more, 500 * MIB, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS;
    return aclrtMallocPhysical(&handle, 500 * MIB, &own, 0) == ACL_SUCCESS;
}
END
compile() {
    "${CC:-cc}" -I "$SRC/compat/$1/include" -I "$SRC/compat/kernel/include" "$work/$1.c" -L "$BUILD/lib/tarn/$1" "-l$2" \
        -o "$work/$1" 2>"$work/err" || fail "cannot compile"
}
compile hip amdhip64
compile cuda cuda
compile acl ascendcl
for case in hip:pool hip:plain hip:create cuda:pool cuda:plain cuda:create acl:plain acl:create; do
    why '17[678]\.[0-9]* MiB are missing: 500\.0 MiB were asked .* 32[234]\.[0-9]* MiB were free; main .* holds 700\.0 MiB' 1 \
        --as "${case%:*}" --device host:0,memory=1G -- "$work/${case%:*}" "${case#*:}"
done
why 'nothing is wrong' 0 --as hip --device host:0,memory=1G -- "$work/hip" again
