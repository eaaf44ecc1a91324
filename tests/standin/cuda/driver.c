// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 for tests of the back-end and of programs that use a driver: each function is that
// of the face in another library, unless a test has chosen that it fails or that the driver lacks
// it. So the face stays what users get, and old drivers and failures need no card.
//
// Settings, of which the second is read when the library is loaded:
//   TARN_STANDIN_CUDA_VERSION  the driver's version; default: the face's
//   TARN_STANDIN_CUDA_STUB     set: the toolkit's stub library, all calls return 34
//   TARN_STANDIN_CUDA_WITHOUT  missing parts, of: vmm fd pools procaddress peer
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standin/cuda/exports.h"

// First forms of functions: one that old drivers have, and one with addresses of 32 bits.
#define OLD_LIST(X)                                                                                \
    X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease, 7000)                                  \
    X(cuMemAlloc, cuMemAlloc, 2000)

#define ALL_LIST(X)                                                                                \
    OLD_LIST(X)                                                                                    \
    TN_CU_BASE_LIST(X) TN_CU_VMM_LIST(X) TN_CU_POOL_LIST(X) TN_CU_MORE_LIST(X) TN_CU_LOADER_LIST(X)

typedef void (*function)(void);

// ---- every export jumps to what its slot contains

#if defined(__x86_64__)
#define JUMP(symbol) "jmp *standin_slot_" #symbol "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(symbol)                                                                               \
    "adrp x16, standin_slot_" #symbol "\nldr x16, [x16, :lo12:standin_slot_" #symbol "]\nbr x16\n"
#endif

#define SLOT(name, symbol, version)                                                                \
    extern function standin_slot_##symbol;                                                         \
    function standin_slot_##symbol;                                                                \
    __asm__(".pushsection .text\n.globl " #symbol "\n.type " #symbol ", %function\n" #symbol       \
            ":\n" JUMP(symbol) ".size " #symbol ", . - " #symbol "\n.popsection");
ALL_LIST(SLOT)
#undef SLOT

static const struct row {
    const char *name;
    const char *symbol;
    int version;
    function *slot;
    function exported;
} rows[] = {
#define ROW(name, symbol, version)                                                                 \
    {#name, #symbol, version, &standin_slot_##symbol, (function)symbol},
    ALL_LIST(ROW)};
#define ROW_COUNT (sizeof rows / sizeof rows[0])

// ---- calls that can fail, and what they leave alive

static _Atomic(long) left = -1;
static _Atomic(long) alive;

long standin_cuda_fail(long n) { return atomic_exchange(&left, n); }

unsigned long standin_cuda_alive(void) { return (unsigned long)alive; }

static bool must_fail(void) {
    long now = left;
    while (now >= 0 && !atomic_compare_exchange_weak(&left, &now, now - 1)) {
    }
    return now == 0;
}

typedef CUresult (*any)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

// Calls the face's function, whatever its parameters are, and counts what it made or ended.
#define COUNTED(symbol, fails, change)                                                             \
    static function face_##symbol;                                                                 \
    static CUresult counted_##symbol(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d,           \
                                     uintptr_t e, uintptr_t f) {                                   \
        pthread_testcancel(); /* the driver opens files and waits for other processes */           \
        if (fails && must_fail()) return CUDA_ERROR_OUT_OF_MEMORY;                                 \
        CUresult result = ((any)face_##symbol)(a, b, c, d, e, f);                                  \
        if (result == CUDA_SUCCESS) alive += (change);                                             \
        return result;                                                                             \
    }

// X(symbol, it can fail, the change of the number of objects)
#define COUNTED_LIST(X)                                                                            \
    X(cuDevicePrimaryCtxRetain, true, 0)                                                           \
    X(cuCtxEnablePeerAccess, true, 0)                                                              \
    X(cuMemcpyAsync, true, 0)                                                                      \
    X(cuMemcpy2DAsync_v2, true, 0)                                                                 \
    X(cuLaunchHostFunc, true, 0)                                                                   \
    X(cuMemSetAccess, true, 0)                                                                     \
    X(cuMemExportToShareableHandle, true, 0)                                                       \
    X(cuEventCreate, true, 1)                                                                      \
    X(cuEventDestroy_v2, false, -1)                                                                \
    X(cuStreamCreate, true, 1)                                                                     \
    X(cuStreamDestroy_v2, false, -1)                                                               \
    X(cuMemAlloc_v2, true, 1)                                                                      \
    X(cuMemFree_v2, false, -1)                                                                     \
    X(cuMemHostAlloc, true, 1)                                                                     \
    X(cuMemFreeHost, false, -1)                                                                    \
    X(cuMemHostRegister_v2, true, 1)                                                               \
    X(cuMemHostUnregister, false, -1)                                                              \
    X(cuMemAllocFromPoolAsync, true, 1)                                                            \
    X(cuMemFreeAsync, false, -1)                                                                   \
    X(cuMemAddressReserve, true, 1)                                                                \
    X(cuMemAddressFree, false, -1)                                                                 \
    X(cuMemImportFromShareableHandle, true, 1)                                                     \
    X(cuMemRelease, false, -1)
COUNTED_LIST(COUNTED)

// ---- functions of their own

static bool without(const char *part) {
    const char *parts = getenv("TARN_STANDIN_CUDA_WITHOUT");
    return parts != NULL && strstr(parts, part) != NULL;
}

static CUresult answer_stub(void) { return CUDA_ERROR_STUB_LIBRARY; }

// Functions of a part that the driver may lack.
#define GUARDED(symbol, part)                                                                      \
    static function next_##symbol;                                                                 \
    static CUresult guarded_##symbol(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d,           \
                                     uintptr_t e, uintptr_t f) {                                   \
        return without(part) ? CUDA_ERROR_NOT_SUPPORTED : ((any)next_##symbol)(a, b, c, d, e, f);  \
    }
#define GUARDED_VMM(name, symbol, version)  GUARDED(symbol, "vmm")
#define GUARDED_POOL(name, symbol, version) GUARDED(symbol, "pools")
TN_CU_VMM_LIST(GUARDED_VMM)
TN_CU_POOL_LIST(GUARDED_POOL)

static function face_cuMemCreate;
static CUresult create(CUmemGenericAllocationHandle *phys, size_t bytes,
                       const CUmemAllocationProp *properties, unsigned long long flags) {
    if (must_fail()) return CUDA_ERROR_OUT_OF_MEMORY;
    if (properties != NULL && properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE &&
        without("fd"))
        return CUDA_ERROR_NOT_SUPPORTED;
    CUresult result = ((__typeof__(cuMemCreate) *)face_cuMemCreate)(phys, bytes, properties, flags);
    if (result == CUDA_SUCCESS) alive++;
    return result;
}

// One call can end several mappings, which count as they were made.
enum { MAPPINGS = 1 << 14 };
static CUdeviceptr mapped[MAPPINGS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards it

static void note_mapping(CUdeviceptr address) {
    (void)pthread_mutex_lock(&lock);
    for (size_t i = 0; i < MAPPINGS; i++) {
        if (mapped[i] != 0) continue;
        mapped[i] = address;
        alive++;
        break;
    }
    (void)pthread_mutex_unlock(&lock);
}

static void forget_mappings(CUdeviceptr address, size_t bytes) {
    (void)pthread_mutex_lock(&lock);
    for (size_t i = 0; i < MAPPINGS; i++) {
        if (mapped[i] < address || mapped[i] - address >= bytes) continue;
        mapped[i] = 0;
        alive--;
    }
    (void)pthread_mutex_unlock(&lock);
}

static function face_cuMemMap;
static CUresult map(CUdeviceptr address, size_t bytes, size_t offset,
                    CUmemGenericAllocationHandle phys, unsigned long long flags) {
    if (must_fail()) return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = ((__typeof__(cuMemMap) *)face_cuMemMap)(address, bytes, offset, phys, flags);
    if (result == CUDA_SUCCESS) note_mapping(address);
    return result;
}

static function face_cuMemUnmap;
static CUresult unmap(CUdeviceptr address, size_t bytes) {
    CUresult result = ((__typeof__(cuMemUnmap) *)face_cuMemUnmap)(address, bytes);
    if (result == CUDA_SUCCESS) forget_mappings(address, bytes);
    return result;
}

// A GPU needs some microseconds until it has passed a record, even in an idle stream.
static _Atomic(CUevent) recorded_last;

static function face_cuEventRecord;
static CUresult record(CUevent event, CUstream stream) {
    CUresult result = ((__typeof__(cuEventRecord) *)face_cuEventRecord)(event, stream);
    if (result == CUDA_SUCCESS) recorded_last = event;
    return result;
}

static function face_cuEventQuery;
static CUresult query(CUevent event) {
    CUevent last = event;
    if (atomic_compare_exchange_strong(&recorded_last, &last, NULL)) return CUDA_ERROR_NOT_READY;
    return ((__typeof__(cuEventQuery) *)face_cuEventQuery)(event);
}

static function face_cuDeviceCanAccessPeer;
static CUresult can_access(int *can, CUdevice device, CUdevice peer) {
    CUresult result =
        ((__typeof__(cuDeviceCanAccessPeer) *)face_cuDeviceCanAccessPeer)(can, device, peer);
    if (result == CUDA_SUCCESS && without("peer")) *can = 0;
    return result;
}

static function face_cuDeviceGetAttribute;
static CUresult get_attribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    CUresult result =
        ((__typeof__(cuDeviceGetAttribute) *)face_cuDeviceGetAttribute)(value, attribute, device);
    bool missing =
        (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED && without("vmm")) ||
        (attribute == CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED &&
         without("fd")) ||
        (attribute == CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED && without("pools"));
    if (result == CUDA_SUCCESS && missing) *value = 0;
    return result;
}

// ---- versions and names

static int version(void) {
    const char *given = getenv("TARN_STANDIN_CUDA_VERSION");
    return given != NULL ? atoi(given) : 13000;
}

static CUresult get_version(int *out) {
    *out = version();
    return CUDA_SUCCESS;
}

static CUresult look_up(const char *name, void **found, int wanted, uint64_t flags, int *how) {
    const struct row *best = NULL;
    int unused;
    if (how == NULL) how = &unused;
    if (name == NULL || found == NULL || flags > 1) return CUDA_ERROR_INVALID_VALUE;
    *found = NULL;
    *how = 1;
    if (without("procaddress")) return CUDA_ERROR_NOT_SUPPORTED;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        bool newer = strcmp(rows[i].symbol, "cuGetProcAddress_v2") == 0;
        if (strcmp(newer ? "cuGetProcAddress" : rows[i].name, name) != 0) continue;
        *how = 2;
        if (rows[i].version <= wanted && rows[i].version <= version() &&
            (best == NULL || rows[i].version > best->version))
            best = &rows[i];
    }
    if (best == NULL) return CUDA_ERROR_NOT_FOUND;
    *how = 0;
    memcpy(found, &best->exported, sizeof *found);
    return CUDA_SUCCESS;
}

static CUresult look_up_before_12(const char *name, void **found, int wanted, uint64_t flags) {
    return look_up(name, found, wanted, flags, NULL);
}

// ---- the start

static void *open_face(void) {
    char path[4096];
    Dl_info own;
    if (dladdr((const void *)(uintptr_t)&open_face, &own) == 0) return NULL;
    const char *end = strrchr(own.dli_fname, '/');
    (void)snprintf(path, sizeof path, "%.*s/../cuda_face/libcuda.so.1", (int)(end - own.dli_fname),
                   own.dli_fname);
    void *face = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (face == NULL) fprintf(stderr, "the stand-in for libcuda.so.1: %s\n", dlerror());
    return face;
}

#define REPLACE(symbol, by)                                                                        \
    face_##symbol = standin_slot_##symbol;                                                         \
    standin_slot_##symbol = (function)(by);

__attribute__((constructor)) static void fill_slots(void) {
    bool stub = getenv("TARN_STANDIN_CUDA_STUB") != NULL;
    void *face = stub ? NULL : open_face();
    void *found = face != NULL ? dlsym(face, "cuStandinFunction") : NULL;
    function (*find)(const char *) = NULL;
    memcpy(&find, &found, sizeof find);
    for (size_t i = 0; i < ROW_COUNT; i++)
        *rows[i].slot = find != NULL ? find(rows[i].symbol) : (function)answer_stub;
    if (stub) return;
#define REPLACE_COUNTED(symbol, fails, change) REPLACE(symbol, counted_##symbol)
    COUNTED_LIST(REPLACE_COUNTED)
    REPLACE(cuMemCreate, create)
    REPLACE(cuMemMap, map)
    REPLACE(cuMemUnmap, unmap)
    REPLACE(cuEventRecord, record)
    REPLACE(cuEventQuery, query)
    REPLACE(cuDeviceCanAccessPeer, can_access)
    REPLACE(cuDeviceGetAttribute, get_attribute)
    standin_slot_cuDriverGetVersion = (function)get_version;
    standin_slot_cuGetProcAddress_v2 = (function)look_up;
    standin_slot_cuGetProcAddress = (function)look_up_before_12;
#define GUARD(name, symbol, version)                                                               \
    next_##symbol = standin_slot_##symbol;                                                         \
    standin_slot_##symbol = (function)guarded_##symbol;
    TN_CU_VMM_LIST(GUARD)
    TN_CU_POOL_LIST(GUARD)
}
