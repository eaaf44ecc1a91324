// SPDX-License-Identifier: Apache-2.0
// Memory of devices and of the host: sizes, pages, policies, padding, registration and queries.
#include <stdlib.h>

#include "begin.h"

#define TN_GROUP "memory"

static size_t range_bytes(void *ptr) {
    void *base = NULL;
    size_t bytes = 0;
    MUST(aclrtMemGetAddressRange, ptr, &base, &bytes);
    return bytes;
}

QUESTION(malloc_of_zero, "aclrtMalloc: 100000") {
    void *ptr = &ptr;
    ASK(aclrtMalloc, &ptr, 0, ACL_MEM_MALLOC_HUGE_FIRST);
    ASK(aclrtMallocAlign32, &ptr, 0, ACL_MEM_MALLOC_HUGE_FIRST);
    ASK(aclrtMallocCached, &ptr, 0, ACL_MEM_MALLOC_HUGE_FIRST);
    SAY("unchanged", ptr == (void *)&ptr);
}

QUESTION(malloc_to_null, "aclrtMalloc: 100000") {
    ASK(aclrtMalloc, NULL, 16, ACL_MEM_MALLOC_HUGE_FIRST);
    ASK(aclrtMallocAlign32, NULL, 16, ACL_MEM_MALLOC_HUGE_FIRST);
    ASK(aclrtMallocCached, NULL, 16, ACL_MEM_MALLOC_HUGE_FIRST);
}

#define SIZE(name, size)                                                                           \
    QUESTION(malloc_of_##name, "aclrtMalloc") {                                                    \
        void *ptr = &ptr;                                                                          \
        ASK(aclrtMalloc, &ptr, (size), ACL_MEM_MALLOC_HUGE_FIRST);                                 \
        SAY("unchanged", ptr == (void *)&ptr);                                                     \
    }                                                                                              \
    QUESTION(malloc_32_of_##name, "aclrtMallocAlign32") {                                          \
        void *ptr = &ptr;                                                                          \
        ASK(aclrtMallocAlign32, &ptr, (size), ACL_MEM_MALLOC_HUGE_FIRST);                          \
        SAY("unchanged", ptr == (void *)&ptr);                                                     \
    }
SIZE(size_max, SIZE_MAX)
SIZE(size_max_less_31, SIZE_MAX - 31)
SIZE(size_max_less_32, SIZE_MAX - 32)
SIZE(size_max_less_63, SIZE_MAX - 63)
SIZE(size_max_less_64, SIZE_MAX - 64)
SIZE(half_of_size_max, SIZE_MAX / 2)
SIZE(a_pebibyte, (size_t)1 << 50)

#define LENGTH(size)                                                                               \
    QUESTION(length_of_##size, "aclrtMalloc: rounded to 32 bytes, with 32 more") {                 \
        void *plain = NULL;                                                                        \
        char *ptr = make_memory(size);                                                             \
        SAY("bytes", range_bytes(ptr));                                                            \
        SAY("not_of_512", (uintptr_t)ptr % 512);                                                   \
        MUST(aclrtFree, ptr);                                                                      \
        MUST(aclrtMallocAlign32, &plain, (size), ACL_MEM_MALLOC_HUGE_FIRST);                       \
        SAY("bytes", range_bytes(plain));                                                          \
        MUST(aclrtFree, plain);                                                                    \
    }
LENGTH(1)
LENGTH(31)
LENGTH(32)
LENGTH(33)
LENGTH(64)
LENGTH(65)
LENGTH(1000)
LENGTH(4096)
LENGTH(1048544)
LENGTH(1048545)
LENGTH(2097120)
LENGTH(2097152)

#define POLICY(name, policy)                                                                       \
    QUESTION(pages_of_##name, "aclrtMemMallocPolicy") {                                            \
        static const size_t sizes[] = {1, 1048544, 1048545, 2097152, 3 << 20};                     \
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {                                \
            size_t before = free_bytes();                                                          \
            void *ptr = NULL;                                                                      \
            if (ASK(aclrtMalloc, &ptr, sizes[i], (aclrtMemMallocPolicy)(policy)) != 0) continue;   \
            SAY("kib", (before - free_bytes()) / KIB);                                             \
            MUST(aclrtFree, ptr);                                                                  \
        }                                                                                          \
    }
POLICY(huge_first, ACL_MEM_MALLOC_HUGE_FIRST)
POLICY(huge_only, ACL_MEM_MALLOC_HUGE_ONLY)
POLICY(normal_only, ACL_MEM_MALLOC_NORMAL_ONLY)
POLICY(huge_first_p2p, ACL_MEM_MALLOC_HUGE_FIRST_P2P)
POLICY(huge_only_p2p, ACL_MEM_MALLOC_HUGE_ONLY_P2P)
POLICY(normal_only_p2p, ACL_MEM_MALLOC_NORMAL_ONLY_P2P)
POLICY(low_band_width, ACL_MEM_TYPE_LOW_BAND_WIDTH)
POLICY(high_band_width, ACL_MEM_TYPE_HIGH_BAND_WIDTH)
POLICY(no_policy, 99)

QUESTION(pages_of_giants, "ACL_MEM_MALLOC_HUGE1G_ONLY") {
    size_t before = free_bytes();
    void *ptr = NULL;
    if (ASK(aclrtMalloc, &ptr, 1, ACL_MEM_MALLOC_HUGE1G_ONLY) != 0) return;
    SAY("mib", (before - free_bytes()) / MIB);
    SAY("bytes", range_bytes(ptr));
    MUST(aclrtFree, ptr);
}

QUESTION(cached_policies, "aclrtMallocCached") {
    static const int policies[] = {0, 1, 2, 3, 4, 5, 0x100, 99};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        void *ptr = NULL;
        if (ASK(aclrtMallocCached, &ptr, 100, (aclrtMemMallocPolicy)policies[i]) == 0)
            MUST(aclrtFree, ptr);
    }
}

QUESTION(configured, "aclrtMallocWithCfg") {
    aclrtMallocAttribute attribute = {ACL_RT_MEM_ATTR_MODULE_ID, {.moduleId = 33}};
    aclrtMallocConfig config = {&attribute, 1};
    void *ptr = NULL;
    if (ASK(aclrtMallocWithCfg, &ptr, 100, ACL_MEM_MALLOC_HUGE_FIRST, &config) == 0)
        MUST(aclrtFree, ptr);
    if (ASK(aclrtMallocWithCfg, &ptr, 100, ACL_MEM_MALLOC_HUGE_FIRST, NULL) == 0)
        MUST(aclrtFree, ptr);
    config.numAttrs = 0;
    if (ASK(aclrtMallocWithCfg, &ptr, 100, ACL_MEM_MALLOC_HUGE_FIRST, &config) == 0)
        MUST(aclrtFree, ptr);
    config = (aclrtMallocConfig){NULL, 1};
    ASK(aclrtMallocWithCfg, &ptr, 100, ACL_MEM_MALLOC_HUGE_FIRST, &config);
    attribute.attr = (aclrtMallocAttrType)99;
    config = (aclrtMallocConfig){&attribute, 1};
    ASK(aclrtMallocWithCfg, &ptr, 100, ACL_MEM_MALLOC_HUGE_FIRST, &config);
    ASK(aclrtMallocWithCfg, NULL, 100, ACL_MEM_MALLOC_HUGE_FIRST, NULL);
    ASK(aclrtMallocWithCfg, &ptr, 0, ACL_MEM_MALLOC_HUGE_FIRST, NULL);
}

QUESTION(free_of_null, "aclrtFree") {
    ASK(aclrtFree, NULL);
    ASK(aclrtFreeWithDevSync, NULL);
    ASK(aclrtFreeHost, NULL);
    ASK(aclrtFreeHostWithDevSync, NULL);
}

QUESTION(free_twice, "aclrtFree") {
    char *ptr = make_memory(MIB);
    ASK(aclrtFree, ptr);
    ASK(aclrtFree, ptr);
    ASK(aclrtFreeWithDevSync, ptr);
}

QUESTION(free_inside, "aclrtFree") {
    char *ptr = make_memory(MIB);
    ASK(aclrtFree, ptr + 64);
    ASK(aclrtFreeWithDevSync, ptr + 4096);
    ASK(aclrtFree, ptr);
}

QUESTION(free_of_other_memory, "aclrtFree") {
    char *pinned = make_pinned(4096);
    int local = 0;
    ASK(aclrtFree, pinned);
    ASK(aclrtFree, &local);
    MUST(aclrtFreeHost, pinned);
}

QUESTION(free_host_of_other_memory, "aclrtFreeHost") {
    char *ptr = make_memory(4096);
    void *heap = malloc(64);
    ASK(aclrtFreeHost, ptr);
    ASK(aclrtFreeHost, heap);
    MUST(aclrtFree, ptr);
    free(heap);
}

QUESTION(free_waits_for_no_work, "aclrtFree") {
    aclrtStream stream = make_stream();
    char *ptr = make_memory(MIB);
    aclrtStreamStatus status = (aclrtStreamStatus)77;
    int gate;
    close_gate(stream, &gate);
    ASK(aclrtFree, ptr);
    ASK(aclrtStreamQuery, stream, &status);
    SAY("status", status);
    open_gate(&gate);
    MUST(aclrtSynchronizeStream, stream);
    MUST(aclrtDestroyStream, stream);
}

QUESTION(memory_is_counted, "aclrtGetMemInfo") {
    size_t before = free_bytes();
    char *ptr = make_memory(64 * MIB - 32);
    SAY("mib", (before - free_bytes()) / MIB);
    MUST(aclrtFree, ptr);
    SAY("back", before == free_bytes());
}

#define INFO(name, attr)                                                                           \
    QUESTION(info_of_##name, "aclrtGetMemInfo") {                                                  \
        size_t left = 77, all = 77;                                                                \
        ASK(aclrtGetMemInfo, (aclrtMemAttr)(attr), &left, &all);                                   \
        SAY("less", left <= all);                                                                  \
        SAY("empty", all == 0);                                                                    \
    }
INFO(ddr, ACL_DDR_MEM)
INFO(hbm, ACL_HBM_MEM)
INFO(ddr_huge, ACL_DDR_MEM_HUGE)
INFO(ddr_normal, ACL_DDR_MEM_NORMAL)
INFO(hbm_huge, ACL_HBM_MEM_HUGE)
INFO(hbm_normal, ACL_HBM_MEM_NORMAL)
INFO(hbm_p2p_huge, ACL_HBM_MEM_P2P_HUGE)
INFO(hbm_p2p_normal, ACL_HBM_MEM_P2P_NORMAL)
INFO(hbm_huge_1g, ACL_HBM_MEM_HUGE1G)
INFO(normal, ACL_MEM_NORMAL)
INFO(nothing, 99)

QUESTION(info_to_null, "aclrtGetMemInfo") {
    size_t bytes = 0;
    ASK(aclrtGetMemInfo, ACL_HBM_MEM, NULL, &bytes);
    ASK(aclrtGetMemInfo, ACL_HBM_MEM, &bytes, NULL);
    ASK(aclrtGetMemInfo, (aclrtMemAttr)99, NULL, NULL);
}

QUESTION(usage, "aclrtGetMemUsageInfo") {
    aclrtMemUsageInfo info[4];
    size_t count = 77;
    ASK(aclrtGetMemUsageInfo, 0, info, 4, &count);
    ASK(aclrtGetMemUsageInfo, 99, info, 4, &count);
    ASK(aclrtGetMemUsageInfo, 0, NULL, 4, &count);
    ASK(aclrtGetMemUsageInfo, 0, info, 0, &count);
    ASK(aclrtGetMemUsageInfo, 0, info, 4, NULL);
}

QUESTION(errors_of_memory, "aclrtGetMemUceInfo") {
    aclrtMemUceInfo info[2];
    size_t count = 77;
    ASK(aclrtGetMemUceInfo, 0, info, 2, &count);
    SAY("count", count);
    ASK(aclrtGetMemUceInfo, 0, NULL, 2, &count);
    ASK(aclrtGetMemUceInfo, 99, info, 2, &count);
    ASK(aclrtGetMemUceInfo, 0, info, 2, NULL);
}

QUESTION(ranges, "aclrtMemGetAddressRange") {
    char *ptr = make_memory(1000);
    void *base = NULL;
    size_t bytes = 0;
    ASK(aclrtMemGetAddressRange, ptr + 100, &base, &bytes);
    SAY("base", base == ptr);
    SAY("bytes", bytes);
    ASK(aclrtMemGetAddressRange, NULL, &base, &bytes);
    ASK(aclrtMemGetAddressRange, ptr, NULL, &bytes);
    ASK(aclrtMemGetAddressRange, ptr, &base, NULL);
    ASK(aclrtMemGetAddressRange, &base, &base, &bytes);
    MUST(aclrtFree, ptr);
    ASK(aclrtMemGetAddressRange, ptr, &base, &bytes);
}

static void state_attributes(const void *ptr) {
    aclrtPtrAttributes view;
    memset(&view, 0xee, sizeof view);
    if (ASK(aclrtPointerGetAttributes, ptr, &view) != 0) return;
    SAY("type", view.location.type);
    SAY("id", view.location.id);
    SAY("page", view.pageSize);
}

QUESTION(attributes_of_device_memory, "aclrtPointerGetAttributes") {
    char *ptr = make_memory(3 * MIB);
    state_attributes(ptr + 5);
    MUST(aclrtFree, ptr);
    state_attributes(ptr);
}

QUESTION(attributes_of_small_memory, "aclrtPointerGetAttributes") {
    char *ptr = make_memory(1000);
    state_attributes(ptr + 5);
    MUST(aclrtFree, ptr);
}

QUESTION(attributes_of_pinned_memory, "aclrtPointerGetAttributes") {
    char *ptr = make_pinned(MIB);
    state_attributes(ptr + 5);
    MUST(aclrtFreeHost, ptr);
}

QUESTION(attributes_of_other_memory, "aclrtPointerGetAttributes") {
    int local = 0;
    state_attributes(&local);
    ASK(aclrtPointerGetAttributes, NULL, (aclrtPtrAttributes *)&local);
    ASK(aclrtPointerGetAttributes, &local, NULL);
}

QUESTION(attributes_of_managed_memory, "aclrtMemAllocManaged") {
    void *ptr = NULL;
    if (ASK(aclrtMemAllocManaged, &ptr, MIB, 0) == 0) {
        state_attributes(ptr);
        ASK(aclrtFree, ptr);
    }
    ASK(aclrtMemAllocManaged, NULL, MIB, 0);
    ASK(aclrtMemAllocManaged, &ptr, 0, 0);
    ASK(aclrtMemAllocManaged, &ptr, MIB, 99);
}

QUESTION(kinds_of_addresses, "aclrtCheckMemType") {
    char *ptr = make_memory(MIB);
    void *list[] = {ptr, &list};
    uint32_t result = 77;
    ASK(aclrtCheckMemType, list, 1, 1, &result, 0);
    SAY("result", result);
    ASK(aclrtCheckMemType, list, 2, 1, &result, 0);
    SAY("result", result);
    ASK(aclrtCheckMemType, list, 0, 1, &result, 0);
    ASK(aclrtCheckMemType, NULL, 1, 1, &result, 0);
    ASK(aclrtCheckMemType, list, 1, 1, NULL, 0);
    MUST(aclrtFree, ptr);
}

QUESTION(caches, "aclrtMemFlush") {
    char *ptr = make_memory(MIB);
    ASK(aclrtMemFlush, ptr, MIB);
    ASK(aclrtMemInvalidate, ptr, MIB);
    ASK(aclrtMemFlush, NULL, MIB);
    ASK(aclrtMemFlush, ptr, 0);
    ASK(aclrtMemInvalidate, NULL, MIB);
    ASK(aclrtMemInvalidate, ptr, 0);
    ASK(aclrtCmoAsync, ptr, MIB, ACL_RT_CMO_TYPE_PREFETCH, NULL);
    ASK(aclrtCmoAsync, NULL, MIB, ACL_RT_CMO_TYPE_PREFETCH, NULL);
    ASK(aclrtCmoAsync, ptr, MIB, (aclrtCmoType)99, NULL);
    MUST(aclrtSynchronizeStream, NULL);
    MUST(aclrtFree, ptr);
}

QUESTION(all_of_the_memory, "aclrtMalloc: 207001") {
    size_t left = free_bytes();
    void *ptr = NULL;
    ASK(aclrtMalloc, &ptr, left + 64 * MIB, ACL_MEM_MALLOC_HUGE_FIRST);
    SAY("same_free", free_bytes() == left);
}

QUESTION(many_blocks, "aclrtMalloc") {
    static void *ptrs[1000];
    int failed = 0;
    for (int i = 0; i < 1000; i++)
        failed += CALL(aclrtMalloc, &ptrs[i], 1000, ACL_MEM_MALLOC_NORMAL_ONLY) != 0;
    SAY("failed", failed);
    for (int i = 0; i < 1000; i++) MUST(aclrtFree, ptrs[i]);
}

// ---- memory of the host

static char mine[4 * 4096] __attribute__((aligned(4096)));

QUESTION(pinned_of_zero, "aclrtMallocHost: 100000") {
    void *ptr = &ptr;
    ASK(aclrtMallocHost, &ptr, 0);
    ASK(aclrtMallocHost, NULL, 16);
    ASK(aclrtMallocHostWithCfg, &ptr, 0, NULL);
    ASK(aclrtMallocHostWithCfg, NULL, 16, NULL);
    SAY("unchanged", ptr == (void *)&ptr);
}

QUESTION(pinned_of_too_much, "aclrtMallocHost") {
    void *ptr = &ptr;
    ASK(aclrtMallocHost, &ptr, (size_t)1 << 50);
    ASK(aclrtMallocHost, &ptr, SIZE_MAX);
    SAY("unchanged", ptr == (void *)&ptr);
}

QUESTION(pinned_memory, "aclrtMallocHost") {
    size_t before = free_bytes();
    char *ptr = make_pinned(64 * MIB);
    SAY("fell_mib", (before - free_bytes()) / MIB);
    SAY("not_of_page", (uintptr_t)ptr % 4096);
    SAY("bytes", range_bytes(ptr));
    ASK(aclrtFreeHost, ptr + 1);
    ASK(aclrtFreeHost, ptr);
    ASK(aclrtFreeHost, ptr);
}

QUESTION(registered_twice, "aclrtHostRegister") {
    void *device = NULL;
    ASK(aclrtHostRegister, mine, sizeof mine, ACL_HOST_REGISTER_MAPPED, &device);
    SAY("same", device == mine);
    ASK(aclrtHostRegister, mine, sizeof mine, ACL_HOST_REGISTER_MAPPED, &device);
    ASK(aclrtHostRegister, mine + 4096, 4096, ACL_HOST_REGISTER_MAPPED, &device);
    ASK(aclrtHostUnregister, mine + 4096);
    ASK(aclrtHostUnregister, mine);
    ASK(aclrtHostUnregister, mine);
    ASK(aclrtHostUnregister, NULL);
}

QUESTION(registered_badly, "aclrtHostRegister") {
    void *device = NULL;
    ASK(aclrtHostRegister, NULL, 4096, ACL_HOST_REGISTER_MAPPED, &device);
    ASK(aclrtHostRegister, mine, 0, ACL_HOST_REGISTER_MAPPED, &device);
    ASK(aclrtHostRegister, mine, 4096, ACL_HOST_REGISTER_MAPPED, NULL);
    ASK(aclrtHostRegister, mine, 4096, (aclrtHostRegisterType)99, &device);
    if (ASK(aclrtHostRegister, mine, 4096, ACL_HOST_REGISTER_IOMEMORY, &device) == 0)
        MUST(aclrtHostUnregister, mine);
    if (ASK(aclrtHostRegister, mine, 4096, ACL_HOST_REGISTER_READONLY, &device) == 0)
        MUST(aclrtHostUnregister, mine);
    if (ASK(aclrtHostRegister, mine + 100, 1000, ACL_HOST_REGISTER_MAPPED, &device) == 0)
        MUST(aclrtHostUnregister, mine + 100);
}

QUESTION(registered_by_the_second_form, "aclrtHostRegisterV2") {
    void *device = NULL;
    ASK(aclrtHostRegisterV2, mine, 4096, 0);
    ASK(aclrtHostGetDevicePointer, mine, &device, 0);
    SAY("same", device == mine);
    ASK(aclrtHostGetDevicePointer, mine, &device, 1);
    ASK(aclrtHostGetDevicePointer, mine, NULL, 0);
    ASK(aclrtHostUnregister, mine);
    ASK(aclrtHostGetDevicePointer, mine, &device, 0);
    if (ASK(aclrtHostRegisterV2, mine, 4096, 0x10000000) == 0) MUST(aclrtHostUnregister, mine);
}
