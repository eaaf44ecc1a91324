// SPDX-License-Identifier: Apache-2.0
// Memory of the host that devices can use: allocated, registered where it is, or managed. A program
// that runs on the device gets device memory in normal pages instead of pinned memory.
#include <acl/detail/host.h>
#include <stdlib.h>

#include "compat/acl/memory.h"
#include "compat/acl/pinned.h"
#include "compat/acl/usage.h"

#define PAGE      4096u // what aclrtHostRegister() wants addresses to be multiples of
#define ALL_TYPES ((uint32_t)(ACL_HOST_REGISTER_IOMEMORY | ACL_HOST_REGISTER_READONLY))
#define ALL_FLAGS                                                                                  \
    ((uint32_t)(ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY |              \
                ACL_HOST_REG_PINNED))

// ---- allocating

static aclError check_output(void *const *ptr, const char *name) {
    return ptr == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL", name) : ACL_SUCCESS;
}

static aclError take(struct tn_acl_device *device, size_t bytes, int module, void **ptr) {
    const struct tn_acl_want want = {
        .family = TN_ACL_HOST, .bytes = bytes, .page_class = TARN_PAGE_BASE, .module = module};
    return tn_acl_face.rc ? tn_acl_memory_take(device, &want, ptr)
                          : tn_acl_pinned_take(device, TN_ACL_HOST, bytes, ptr);
}

static aclError alloc(void **ptr, size_t size, const aclrtMallocConfig *config) {
    const unsigned allowed = 1u << ACL_RT_MEM_ATTR_MODULE_ID | 1u << ACL_RT_MEM_ATTR_VA_FLAG;
    struct tn_acl_context *context = NULL;
    struct tn_acl_config read;
    size_t bytes = 0;
    aclError error = check_output(ptr, "hostPtr");
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_bytes(size, 0, &bytes);
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_check_config(config);
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_context_get(&context);
    }
    if (error != ACL_SUCCESS) {
        return error;
    }
    error = tn_acl_memory_config(config, allowed, context->device, &read);
    if (error == ACL_SUCCESS) {
        error = take(context->device, bytes, read.module, ptr);
    }
    tn_acl_context_put(context);
    return error;
}

aclError aclrtMallocHost(void **hostPtr, size_t size) {
    return tn_acl_leave(alloc(hostPtr, size, NULL), __func__);
}

aclError aclrtMallocHostWithCfg(void **hostPtr, uint64_t size, aclrtMallocConfig *cfg) {
    return tn_acl_leave(alloc(hostPtr, (size_t)size, cfg), __func__);
}

static aclError alloc_managed(void **ptr, uint64_t size, uint32_t flag) {
    struct tn_acl_context *context = NULL;
    size_t bytes = 0;
    aclError error = check_output(ptr, "ptr");
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_bytes((size_t)size, 0, &bytes);
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_context_get(&context);
    }
    if (error != ACL_SUCCESS) {
        return error;
    }
    error = flag == ACL_RT_MEM_ATTACH_GLOBAL
                ? tn_acl_pinned_take(context->device, TN_ACL_MANAGED, bytes, ptr)
                : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "flag 0x%x is not ATTACH_GLOBAL", flag);
    tn_acl_context_put(context);
    return error;
}

aclError aclrtMemAllocManaged(void **ptr, uint64_t size, uint32_t flag) {
    return tn_acl_leave(alloc_managed(ptr, size, flag), __func__);
}

// ---- freeing

static aclError check_pointer(const void *ptr, const char *name) {
    return ptr == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL", name) : ACL_SUCCESS;
}

aclError aclrtFreeHost(void *hostPtr) {
    aclError error = check_pointer(hostPtr, "hostPtr");
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_free(hostPtr, TN_ACL_HOST);
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtFreeHostWithDevSync(void *hostPtr) {
    aclError error = check_pointer(hostPtr, "hostPtr");
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_synchronize();
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_memory_free(hostPtr, TN_ACL_HOST);
    }
    return tn_acl_leave(error, __func__);
}

// ---- registering

// Device memory is no memory of the host; the rest of what overlaps is for Tarn to find.
static aclError check_place(const void *ptr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    (void)tarn_address_query((uintptr_t)ptr, &info);
    bool host = info.kind == TARN_ADDRESS_UNKNOWN || info.location.type == TARN_LOCATION_HOST;
    return host ? ACL_SUCCESS
                : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is no memory of the host", ptr);
}

static aclError register_at(void *ptr, size_t size, uint32_t flags, struct tn_acl_device *device) {
    struct tn_acl_block *block = tn_acl_block_new(TN_ACL_REGISTERED, device, size);
    if (block == NULL) {
        return ACL_ERROR_BAD_ALLOC;
    }
    tarn_status status = tarn_host_register(device->tarn, ptr, size, 0);
    if (status != TARN_OK) {
        free(block);
        return status == TARN_BUSY ? tn_acl_fail(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                                                 "%zu bytes at %p, or some of them", size, ptr)
                                   : tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
    }
    block->pinned = true;
    block->flags = flags;
    tn_acl_block_insert(block, (uintptr_t)ptr);
    return ACL_SUCCESS;
}

static aclError register_here(void *ptr, size_t size, uint32_t flags) {
    struct tn_acl_context *context = NULL;
    aclError error = tn_acl_context_get(&context);
    if (error != ACL_SUCCESS) {
        return error;
    }
    error = check_place(ptr);
    if (error == ACL_SUCCESS) {
        error = register_at(ptr, size, flags, context->device);
    }
    tn_acl_context_put(context);
    return error;
}

static aclError check_range(const void *ptr, uint64_t size) {
    return ptr == NULL || size == 0 ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%llu bytes at %p",
                                                  (unsigned long long)size, ptr)
                                    : ACL_SUCCESS;
}

static aclError register_mapped(void *ptr, uint64_t size, uint32_t type, void **device_ptr) {
    aclError error = check_range(ptr, size);
    if (error == ACL_SUCCESS) {
        error = check_output(device_ptr, "devPtr");
    }
    if (error != ACL_SUCCESS) {
        return error;
    }
    if ((type & ~ALL_TYPES) != 0) {
        return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "type 0x%x", type);
    }
    if ((uintptr_t)ptr % PAGE != 0) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is not a multiple of %u", ptr, PAGE);
    }
    error = register_here(ptr, (size_t)size, type | (uint32_t)ACL_HOST_REG_MAPPED);
    if (error == ACL_SUCCESS) {
        *device_ptr = ptr;
    }
    return error;
}

aclError aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type, void **devPtr) {
    return tn_acl_leave(register_mapped(ptr, size, (uint32_t)type, devPtr), __func__);
}

static aclError register_flagged(void *ptr, uint64_t size, uint32_t flag) {
    aclError error = check_range(ptr, size);
    if (error == ACL_SUCCESS && (flag == 0 || (flag & ~ALL_FLAGS) != 0)) {
        error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "flag 0x%x", flag);
    }
    return error == ACL_SUCCESS ? register_here(ptr, (size_t)size, flag) : error;
}

aclError aclrtHostRegisterV2(void *ptr, uint64_t size, uint32_t flag) {
    return tn_acl_leave(register_flagged(ptr, size, flag), __func__);
}

static aclError tell_device_pointer(void *host, void **device, uint32_t flag) {
    struct tn_acl_block block;
    if (host == NULL || device == NULL || flag != 0) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "pHost %p, pDevice %p, flag 0x%x", host,
                           (void *)device, flag);
    }
    bool known = tn_acl_block_look(host, &block);
    bool mapped = known && block.family == TN_ACL_REGISTERED
                      ? (block.flags & (uint32_t)ACL_HOST_REG_MAPPED) != 0
                      : known && block.family == TN_ACL_HOST;
    if (!mapped) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is %s", host,
                           known ? "not mapped for devices" : "not registered");
    }
    *device = host;
    return ACL_SUCCESS;
}

aclError aclrtHostGetDevicePointer(void *pHost, void **pDevice, uint32_t flag) {
    return tn_acl_leave(tell_device_pointer(pHost, pDevice, flag), __func__);
}

static aclError unregister(void *ptr) {
    const aclError unknown = ACL_ERROR_HOST_MEMORY_NOT_REGISTERED;
    struct tn_acl_block *block = tn_acl_block_take(ptr, TN_ACL_REGISTERED, unknown);
    if (block == NULL) {
        return unknown;
    }
    tarn_status status = tarn_host_unregister(ptr);
    if (status != TARN_OK) {
        tn_acl_block_insert(block, block->start);
        return tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
    }
    free(block);
    return ACL_SUCCESS;
}

aclError aclrtHostUnregister(void *ptr) {
    aclError error = check_pointer(ptr, "ptr");
    if (error == ACL_SUCCESS) {
        error = unregister(ptr);
    }
    return tn_acl_leave(error, __func__);
}
