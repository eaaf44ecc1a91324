// SPDX-License-Identifier: Apache-2.0
// CUDA's driver: memory functions of libcuda.so.1 as a program calls them, or NVIDIA's runtime for
// it. The runtime gets all functions from cuGetProcAddress(), so that is replaced as well. Types
// and numbers are those of CUDA 13's driver API; handles are pointers without a type. Any thread.
#include <string.h>

#include "annotate/mem_event.h"
#include "record/vendor.h"

enum { OUT_OF_MEMORY = 2, STUB_LIBRARY = 34, STREAM_PER_THREAD = 2 };

#define VENDOR            tn_record_cuda
#define MISSING           STUB_LIBRARY
#define NO_MEMORY(result) ((result) == OUT_OF_MEMORY)

#define DEVICE_MEMORY(bytes, stream) TN_RECORD_ALLOC(TN_MEM_MEMORY, *address, bytes, bytes, stream)
#define HOST_MEMORY(bytes)           TN_RECORD_ALLOC(TN_MEM_PINNED, *address, bytes, bytes, 0)
#define PITCHED                      TN_RECORD_ALLOC(TN_MEM_MEMORY, *address, *pitch *height, width *height, 0)
#define OF_THREAD(stream)            ((stream) == NULL ? (void *)(uintptr_t)STREAM_PER_THREAD : (stream))

#define CUDA_LIST(X)                                                                               \
    X(cuMemAlloc_v2, cuMemAlloc, 3020, false, (uint64_t * address, size_t bytes),                  \
      (address, bytes), DEVICE_MEMORY(bytes, 0))                                                   \
    X(cuMemAllocPitch_v2, cuMemAllocPitch, 3020, false,                                            \
      (uint64_t * address, size_t * pitch, size_t width, size_t height, unsigned element),         \
      (address, pitch, width, height, element), PITCHED)                                           \
    X(cuMemAllocManaged, cuMemAllocManaged, 6000, false,                                           \
      (uint64_t * address, size_t bytes, unsigned flags), (address, bytes, flags),                 \
      DEVICE_MEMORY(bytes, 0))                                                                     \
    X(cuMemFree_v2, cuMemFree, 3020, false, (uint64_t address), (address),                         \
      TN_RECORD_FREE(address, 1))                                                                  \
    X(cuMemAllocHost_v2, cuMemAllocHost, 3020, false, (void **address, size_t bytes),              \
      (address, bytes), HOST_MEMORY(bytes))                                                        \
    X(cuMemHostAlloc, cuMemHostAlloc, 2020, false, (void **address, size_t bytes, unsigned flags), \
      (address, bytes, flags), HOST_MEMORY(bytes))                                                 \
    X(cuMemFreeHost, cuMemFreeHost, 2000, false, (void *address), (address),                       \
      TN_RECORD_FREE(address, 1))                                                                  \
    X(cuMemAllocAsync, cuMemAllocAsync, 11020, false,                                              \
      (uint64_t * address, size_t bytes, void *stream), (address, bytes, stream),                  \
      DEVICE_MEMORY(bytes, stream))                                                                \
    X(cuMemAllocAsync_ptsz, cuMemAllocAsync, 11020, true,                                          \
      (uint64_t * address, size_t bytes, void *stream), (address, bytes, stream),                  \
      DEVICE_MEMORY(bytes, OF_THREAD(stream)))                                                     \
    X(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync, 11020, false,                              \
      (uint64_t * address, size_t bytes, void *pool, void *stream),                                \
      (address, bytes, pool, stream), DEVICE_MEMORY(bytes, stream))                                \
    X(cuMemAllocFromPoolAsync_ptsz, cuMemAllocFromPoolAsync, 11020, true,                          \
      (uint64_t * address, size_t bytes, void *pool, void *stream),                                \
      (address, bytes, pool, stream), DEVICE_MEMORY(bytes, OF_THREAD(stream)))                     \
    X(cuMemFreeAsync, cuMemFreeAsync, 11020, false, (uint64_t address, void *stream),              \
      (address, stream), TN_RECORD_FREE(address, 1))                                               \
    X(cuMemFreeAsync_ptsz, cuMemFreeAsync, 11020, true, (uint64_t address, void *stream),          \
      (address, stream), TN_RECORD_FREE(address, 1))                                               \
    X(cuMemCreate, cuMemCreate, 10020, false,                                                      \
      (uint64_t * handle, size_t bytes, const void *properties, unsigned long long flags),         \
      (handle, bytes, properties, flags), TN_RECORD_CREATE(bytes))                                 \
    X(cuMemMap, cuMemMap, 10020, false,                                                            \
      (uint64_t address, size_t bytes, size_t offset, uint64_t handle, unsigned long long flags),  \
      (address, bytes, offset, handle, flags), TN_RECORD_MAP(address, bytes, handle))              \
    X(cuMemUnmap, cuMemUnmap, 10020, false, (uint64_t address, size_t bytes), (address, bytes),    \
      TN_RECORD_FREE(address, bytes))

#define QUERY_LIST(X)                                                                              \
    X(cuCtxGetDevice, 2000)                                                                        \
    X(cuMemGetAllocationPropertiesFromHandle, 10020)                                               \
    X(cuMemGetInfo_v2, 3020)
#define LOADER_LIST(X)                                                                             \
    X(cuGetProcAddress, cuGetProcAddress, 11030, false,                                            \
      (const char *name, void **function, int version, uint64_t flags))                            \
    X(cuGetProcAddress_v2, cuGetProcAddress, 12000, false,                                         \
      (const char *name, void **function, int version, uint64_t flags, int *found))

enum {
    QUERY_LIST(TN_RECORD_NUMBER) CUDA_LIST(TN_RECORD_NUMBER) LOADER_LIST(TN_RECORD_NUMBER) ROWS
};

CUDA_LIST(TN_RECORD_REPLACEMENT)

// ---- functions by name and version

enum { KNOWN_VERSION = 13000, FLAG_PER_THREAD = 2 }; // the table is that of this version

typedef int (*old_loader)(const char *, void **, int, uint64_t);
typedef int (*new_loader)(const char *, void **, int, uint64_t, int *);

LOADER_LIST(TN_RECORD_DECLARATION)

static struct tn_record_function rows[ROWS] = {QUERY_LIST(TN_RECORD_QUERY) CUDA_LIST(TN_RECORD_ROW)
                                                   LOADER_LIST(TN_RECORD_ROW)};
static const char *const libraries[] = {"libcuda.so.1", NULL};
const struct tn_record_vendor tn_record_cuda = {"cu", libraries, rows, ROWS, false, 8, 12};

// Finds the row that a name has in a version: the newest one up to it, and for a program with a
// default stream for each thread the one for such programs.
static struct tn_record_function *find_version(const char *name, int version, uint64_t flags) {
    struct tn_record_function *best = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        struct tn_record_function *row = &rows[i];
        if (row->replacement != NULL && row->since <= version && strcmp(row->base, name) == 0 &&
            (!row->per_thread || flags == FLAG_PER_THREAD) &&
            (best == NULL || row->since > best->since ||
             (row->since == best->since && row->per_thread)))
            best = row;
    }
    return best;
}

// Replaces the driver's answer. Of a version that the table does not know, only a function that
// the known version has too.
static void replace_answer(const char *name, void **function, int version, uint64_t flags,
                           void *in_known_version) {
    struct tn_record_function *row = find_version(name, version, flags);
    if (row != NULL && (version <= KNOWN_VERSION || *function == in_known_version))
        tn_record_replace(row, function);
}

int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
    old_loader next = (old_loader)tn_record_find_next(&VENDOR, &rows[NUMBER_cuGetProcAddress]);
    void *known = NULL;
    int result = next != NULL ? next(name, function, version, flags) : MISSING;
    if (result == 0 && version > KNOWN_VERSION) (void)next(name, &known, KNOWN_VERSION, flags);
    if (result == 0 && *function != NULL) replace_answer(name, function, version, flags, known);
    return result;
}

int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
                        int *found) {
    new_loader next = (new_loader)tn_record_find_next(&VENDOR, &rows[NUMBER_cuGetProcAddress_v2]);
    void *known = NULL;
    int result = next != NULL ? next(name, function, version, flags, found) : MISSING;
    if (result == 0 && version > KNOWN_VERSION)
        (void)next(name, &known, KNOWN_VERSION, flags, NULL);
    if (result == 0 && *function != NULL) replace_answer(name, function, version, flags, known);
    return result;
}
