// SPDX-License-Identifier: Apache-2.0
// Memory of the host that devices can use: allocated, managed, or registered where it is. A program
// that runs on the device gets device memory in normal pages instead of pinned memory. The file has
// no state.
#include <acl/detail/host.h>

#include "compat/acl/memory.h"
#include "compat/acl/pinned.h"
#include "compat/acl/usage.h"

#define PAGE      4096u // aclrtHostRegister() requires addresses to be multiples of it
#define ALL_TYPES ((uint32_t)(ACL_HOST_REGISTER_IOMEMORY | ACL_HOST_REGISTER_READONLY))
#define ALL_FLAGS                                                                                  \
    ((uint32_t)(ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY |              \
                ACL_HOST_REG_PINNED))

// ---- allocating

static aclError alloc_host(void **hostPtr, size_t size, const aclrtMallocConfig *config) {
    const unsigned allowed = 1u << ACL_RT_MEM_ATTR_MODULE_ID | 1u << ACL_RT_MEM_ATTR_VA_FLAG;
    struct tn_acl_request request = {
        .family = TN_ACL_HOST, .page_class = TARN_PAGE_BASE, .module = TN_ACL_MODULE_NONE};
    TN_ACL_POINTER(hostPtr);
    TN_ACL_TRY(tn_acl_memory_bytes(size, 0, &request));
    TN_ACL_TRY(tn_acl_memory_check_config(config));
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    TN_ACL_TRY(tn_acl_memory_config(config, allowed, device, &request.module));
    return tn_acl_face.rc ? tn_acl_memory_alloc(device, &request, hostPtr)
                          : tn_acl_pinned_alloc(device, &request, hostPtr);
}

TN_ACL_ROW(aclrtMallocHost, TN_FACE_EXPRESSION(alloc_host(hostPtr, size, NULL)), void **, hostPtr,
           size_t, size)

TN_ACL_ROW(aclrtMallocHostWithCfg, TN_FACE_EXPRESSION(alloc_host(hostPtr, (size_t)size, cfg)),
           void **, hostPtr, uint64_t, size, aclrtMallocConfig *, cfg)

TN_ACL_FUNCTION(aclrtMemAllocManaged, void **, ptr, uint64_t, size, uint32_t, flag) {
    struct tn_acl_request request = {.family = TN_ACL_MANAGED};
    TN_ACL_POINTER(ptr);
    TN_ACL_TRY(tn_acl_memory_bytes((size_t)size, 0, &request));
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    TN_ACL_INVALID(flag != ACL_RT_MEM_ATTACH_GLOBAL, "flag 0x%x is not ATTACH_GLOBAL", flag);
    return tn_acl_pinned_alloc(device, &request, ptr);
}

TN_ACL_ROW(aclrtFreeHost, TN_FACE_EXPRESSION(tn_acl_memory_free(hostPtr, TN_ACL_HOST)), void *,
           hostPtr)

TN_ACL_ROW(aclrtFreeHostWithDevSync,
           TN_FACE_EXPRESSION(tn_acl_memory_free_synchronized(hostPtr, TN_ACL_HOST)), void *,
           hostPtr)

// ---- registering

// Memory of aclrtMallocHost() is pinned already, so that registering it only changes its mark.
// Other memory must be of the host. Tarn rejects every other overlap.
static aclError register_range(void *ptr, uint64_t size, uint32_t flags) {
    struct tn_acl_block block = {.family = TN_ACL_REGISTERED, .module = TN_ACL_MODULE_NONE};
    tarn_address_info info = TARN_INIT(tarn_address_info);
    TN_ACL_TRY(tn_acl_current_device(&block.device));
    struct tn_acl_block known;
    if (tn_acl_block_query(TARN_ADDR(ptr), &known) && known.family == TN_ACL_HOST) {
        TN_ACL_INVALID(
            known.start != TARN_ADDR(ptr) || size > known.bytes,
            "%llu bytes at %p are not at the start of the host memory of %zu bytes there",
            (unsigned long long)size, ptr, known.bytes);
        TN_ACL_REFUSE(!tn_acl_pinned_set_registered(known.start, true),
                      ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "%p is registered already", ptr);
        return ACL_SUCCESS;
    }
    (void)tarn_address_query(TARN_ADDR(ptr), &info);
    TN_ACL_INVALID(info.kind != TARN_ADDRESS_UNKNOWN && info.location.type != TARN_LOCATION_HOST,
                   "%p is not memory of the host", ptr);
    tarn_status status = tarn_host_register(block.device->tarn, ptr, size, 0);
    TN_ACL_REFUSE(status == TARN_BUSY, ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                  "some of the %llu bytes at %p are pinned or registered", (unsigned long long)size,
                  ptr);
    TN_ACL_TRY(tn_acl_status(status));
    block.mapped = (flags & (uint32_t)ACL_HOST_REG_MAPPED) != 0;
    tn_acl_block_mark(TARN_ADDR(ptr), &block);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtHostRegister, void *, ptr, uint64_t, size, aclrtHostRegisterType, type,
                void **, devPtr) {
    TN_ACL_TRY(tn_acl_memory_check_range(ptr, size));
    TN_ACL_POINTER(devPtr);
    TN_ACL_UNSUPPORTED(((uint32_t)type & ~ALL_TYPES) != 0, "type 0x%x is not supported",
                       (uint32_t)type);
    TN_ACL_INVALID((uintptr_t)ptr % PAGE != 0, "%p is not a multiple of %u", ptr, PAGE);
    TN_ACL_TRY(register_range(ptr, size, (uint32_t)ACL_HOST_REG_MAPPED));
    *devPtr = ptr;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtHostRegisterV2, void *, ptr, uint64_t, size, uint32_t, flag) {
    TN_ACL_TRY(tn_acl_memory_check_range(ptr, size));
    TN_ACL_INVALID(flag == 0 || (flag & ~ALL_FLAGS) != 0, "flag 0x%x is 0 or has unknown bits",
                   flag);
    return register_range(ptr, size, flag);
}

TN_ACL_FUNCTION(aclrtHostGetDevicePointer, void *, pHost, void **, pDevice, uint32_t, flag) {
    struct tn_acl_block block;
    TN_ACL_POINTERS(pHost, pDevice);
    TN_ACL_ARGUMENT(flag != 0, "flag 0x%x is not 0", flag);
    TN_ACL_INVALID(!tn_acl_block_query(TARN_ADDR(pHost), &block), "%p is not registered", pHost);
    TN_ACL_INVALID((block.family != TN_ACL_HOST || !block.registered) &&
                       (block.family != TN_ACL_REGISTERED || !block.mapped),
                   "%p is not mapped for devices", pHost);
    *pDevice = pHost;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtHostUnregister, void *, ptr) {
    struct tn_acl_block block;
    TN_ACL_POINTER(ptr);
    if (tn_acl_pinned_set_registered(TARN_ADDR(ptr), false)) return ACL_SUCCESS;
    TN_ACL_TRY(
        tn_acl_block_find(ptr, TN_ACL_REGISTERED, ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, &block));
    return tn_acl_status(tarn_host_unregister(ptr));
}
