// SPDX-License-Identifier: Apache-2.0
// AscendCL: memory functions of libascendcl.so and its parts as a program calls them. Types and numbers
// are those of CANN 7 to 8; handles and configurations are pointers without a type. Any thread.
#include "annotate/mem_event.h"
#include "record/vendor.h"

enum { BAD_ALLOC = 200000, MEMORY_ALLOCATION = 207001, INTERNAL_ERROR = 500000 };

#define VENDOR            tn_record_acl
#define MISSING           INTERNAL_ERROR
#define NO_MEMORY(result) ((result) == BAD_ALLOC || (result) == MEMORY_ALLOCATION)

#define DEVICE_MEMORY(stream) TN_RECORD_ALLOC(TN_MEM_MEMORY, *address, bytes, bytes, stream)
#define HOST_MEMORY           TN_RECORD_ALLOC(TN_MEM_PINNED, *address, bytes, bytes, 0)
#define END                   TN_RECORD_FREE(address, 1)
#define ROW(X, symbol, ...)   X(symbol, symbol, 0, false, __VA_ARGS__)

// Parameters and arguments that several functions have.
#define PLAIN  (void **address, size_t bytes), (address, bytes)
#define POLICY (void **address, size_t bytes, int policy), (address, bytes, policy)
#define CONFIG                                                                                     \
    (void **address, size_t bytes, int policy, void *config), (address, bytes, policy, config)
#define MAPPING                                                                                    \
    (void *address, size_t bytes, size_t offset, void *handle, uint64_t flags),                    \
        (address, bytes, offset, handle, flags)
#define ADDRESS (void *address), (address)

#define ACL_LIST(X)                                                                                \
    ROW(X, aclrtMalloc, POLICY, DEVICE_MEMORY(0))                                                  \
    ROW(X, aclrtMallocAlign32, POLICY, DEVICE_MEMORY(0))                                           \
    ROW(X, aclrtMallocCached, POLICY, DEVICE_MEMORY(0))                                            \
    ROW(X, aclrtMallocWithCfg, CONFIG, DEVICE_MEMORY(0))                                           \
    ROW(X, aclrtMallocForTaskScheduler, CONFIG, DEVICE_MEMORY(0))                                  \
    ROW(X, aclrtMemAllocManaged, (void **address, uint64_t bytes, uint32_t flag),                  \
        (address, bytes, flag), DEVICE_MEMORY(0))                                                  \
    ROW(X, acldvppMalloc, PLAIN, DEVICE_MEMORY(0))                                                 \
    ROW(X, acldvppMallocWithCfg, CONFIG, DEVICE_MEMORY(0))                                         \
    ROW(X, aclrtMemPoolMallocAsync, (void **address, size_t bytes, void *pool, void *stream),      \
        (address, bytes, pool, stream), DEVICE_MEMORY(stream))                                     \
    ROW(X, aclrtMallocHost, PLAIN, HOST_MEMORY)                                                    \
    ROW(X, aclrtMallocHostWithCfg, (void **address, uint64_t bytes, void *config),                 \
        (address, bytes, config), HOST_MEMORY)                                                     \
    ROW(X, aclrtFree, ADDRESS, END)                                                                \
    ROW(X, aclrtFreeWithDevSync, ADDRESS, END)                                                     \
    ROW(X, acldvppFree, ADDRESS, END)                                                              \
    ROW(X, aclrtMemPoolFreeAsync, (void *address, void *stream), (address, stream), END)           \
    ROW(X, aclrtFreeHost, ADDRESS, END)                                                            \
    ROW(X, aclrtFreeHostWithDevSync, ADDRESS, END)                                                 \
    ROW(X, aclrtMallocPhysical,                                                                    \
        (void **handle, size_t bytes, const void *properties, uint64_t flags),                     \
        (handle, bytes, properties, flags), TN_RECORD_CREATE(bytes))                               \
    ROW(X, aclrtMapMem, MAPPING, TN_RECORD_MAP(address, bytes, handle))                            \
    ROW(X, aclrtMemMapNoAccess, MAPPING, TN_RECORD_MAP(address, bytes, handle))                    \
    ROW(X, aclrtUnmapMem, ADDRESS, END)

#define QUERY_LIST(X)                                                                              \
    X(aclrtGetDevice, 0)                                                                           \
    X(aclrtMemGetAllocationPropertiesFromHandle, 0)                                                \
    X(aclrtGetMemInfo, 0)

enum { QUERY_LIST(TN_RECORD_NUMBER) ACL_LIST(TN_RECORD_NUMBER) ROWS };

ACL_LIST(TN_RECORD_REPLACEMENT)

static struct tn_record_function rows[ROWS] = {QUERY_LIST(TN_RECORD_QUERY) ACL_LIST(TN_RECORD_ROW)};
static const char *const libraries[] = {"libascendcl.so", "libacl_rt.so", "libacl_dvpp.so", NULL};
const struct tn_record_vendor tn_record_acl = {"acl", libraries, rows, ROWS, true, 16, 12};
