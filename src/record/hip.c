// SPDX-License-Identifier: Apache-2.0
// HIP's runtime: memory functions of libamdhip64 as a program calls them. Types and numbers are those
// of HIP 5 to 7; handles are pointers without a type. Any thread.
#include "annotate/mem_event.h"
#include "record/vendor.h"

enum { OUT_OF_MEMORY = 2, SHARED_OBJECT_INIT_FAILED = 303 };

#define VENDOR            tn_record_hip
#define MISSING           SHARED_OBJECT_INIT_FAILED
#define NO_MEMORY(result) ((result) == OUT_OF_MEMORY)

struct extent {
    size_t width, height, depth;
};

struct pitched {
    void *address;
    size_t pitch, width, height;
};

#define DEVICE_MEMORY(stream) TN_RECORD_ALLOC(TN_MEM_MEMORY, *address, bytes, bytes, stream)
#define HOST_MEMORY           TN_RECORD_ALLOC(TN_MEM_PINNED, *address, bytes, bytes, 0)
#define PITCHED               TN_RECORD_ALLOC(TN_MEM_MEMORY, *address, *pitch *height, width *height, 0)
#define BOX                                                                                        \
    TN_RECORD_ALLOC(TN_MEM_MEMORY, box->address, box->pitch *extent.height *extent.depth,          \
                    extent.width *extent.height *extent.depth, 0)
#define END                 TN_RECORD_FREE(address, 1)
#define ROW(X, symbol, ...) X(symbol, symbol, 0, false, __VA_ARGS__)

// Parameters and arguments that several functions have.
#define PLAIN   (void **address, size_t bytes), (address, bytes)
#define FLAGS   (void **address, size_t bytes, unsigned flags), (address, bytes, flags)
#define ADDRESS (void *address), (address)

#define HIP_LIST(X)                                                                                \
    ROW(X, hipMalloc, PLAIN, DEVICE_MEMORY(0))                                                     \
    ROW(X, hipExtMallocWithFlags, FLAGS, DEVICE_MEMORY(0))                                         \
    ROW(X, hipMallocManaged, FLAGS, DEVICE_MEMORY(0))                                              \
    ROW(X, hipMallocPitch, (void **address, size_t *pitch, size_t width, size_t height),           \
        (address, pitch, width, height), PITCHED)                                                  \
    ROW(X, hipMemAllocPitch,                                                                       \
        (void **address, size_t *pitch, size_t width, size_t height, unsigned element),            \
        (address, pitch, width, height, element), PITCHED)                                         \
    ROW(X, hipMalloc3D, (struct pitched * box, struct extent extent), (box, extent), BOX)          \
    ROW(X, hipFree, ADDRESS, END)                                                                  \
    ROW(X, hipMallocAsync, (void **address, size_t bytes, void *stream), (address, bytes, stream), \
        DEVICE_MEMORY(stream))                                                                     \
    ROW(X, hipMallocFromPoolAsync, (void **address, size_t bytes, void *pool, void *stream),       \
        (address, bytes, pool, stream), DEVICE_MEMORY(stream))                                     \
    ROW(X, hipFreeAsync, (void *address, void *stream), (address, stream), END)                    \
    ROW(X, hipHostMalloc, FLAGS, HOST_MEMORY)                                                      \
    ROW(X, hipHostAlloc, FLAGS, HOST_MEMORY)                                                       \
    ROW(X, hipExtHostAlloc, FLAGS, HOST_MEMORY)                                                    \
    ROW(X, hipMallocHost, PLAIN, HOST_MEMORY)                                                      \
    ROW(X, hipMemAllocHost, PLAIN, HOST_MEMORY)                                                    \
    ROW(X, hipHostFree, ADDRESS, END)                                                              \
    ROW(X, hipFreeHost, ADDRESS, END)                                                              \
    ROW(X, hipMemCreate,                                                                           \
        (void **handle, size_t bytes, const void *properties, unsigned long long flags),           \
        (handle, bytes, properties, flags), TN_RECORD_CREATE(bytes))                               \
    ROW(X, hipMemMap,                                                                              \
        (void *address, size_t bytes, size_t offset, void *handle, unsigned long long flags),      \
        (address, bytes, offset, handle, flags), TN_RECORD_MAP(address, bytes, handle))            \
    ROW(X, hipMemUnmap, (void *address, size_t bytes), (address, bytes),                           \
        TN_RECORD_FREE(address, bytes))

#define QUERY_LIST(X)                                                                              \
    X(hipGetDevice, 0)                                                                             \
    X(hipMemGetAllocationPropertiesFromHandle, 0)                                                  \
    X(hipMemGetInfo, 0)
#define LOADER_LIST(X)                                                                             \
    X(hipGetProcAddress, hipGetProcAddress, 0, false,                                              \
      (const char *symbol, void **function, int version, uint64_t flags, int *found))

enum { QUERY_LIST(TN_RECORD_NUMBER) HIP_LIST(TN_RECORD_NUMBER) LOADER_LIST(TN_RECORD_NUMBER) ROWS };

HIP_LIST(TN_RECORD_REPLACEMENT)
LOADER_LIST(TN_RECORD_DECLARATION)

static struct tn_record_function rows[ROWS] = {QUERY_LIST(TN_RECORD_QUERY) HIP_LIST(TN_RECORD_ROW)
                                                   LOADER_LIST(TN_RECORD_ROW)};
static const char *const libraries[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                        "libamdhip64.so", NULL};
const struct tn_record_vendor tn_record_hip = {"hip", libraries, rows, ROWS, false, 8, 12};

// hipGetProcAddress(). Before HIP 6.2 it has no fifth parameter, and ignores the argument.
LOADER_LIST(TN_RECORD_SIGNATURE) {
    int (*next)(const char *, void **, int, uint64_t, int *) =
        (int (*)(const char *, void **, int, uint64_t, int *))tn_record_find_next(
            &VENDOR, &rows[NUMBER_hipGetProcAddress]);
    int result = next != NULL ? next(symbol, function, version, flags, found) : MISSING;
    struct tn_record_function *row =
        result == 0 && *function != NULL ? tn_record_find_row(&VENDOR, symbol) : NULL;
    if (row != NULL) tn_record_replace(row, function);
    return result;
}
