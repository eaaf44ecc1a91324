// SPDX-License-Identifier: Apache-2.0
// NVTX's memory extension from the client's side: numbers, layouts and the entry of its injection
// library, declared here. Structs of NVTX resemble those of MSTX but differ: never cast one to the
// other. Constant.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    TN_NVTX_VERSION = 3,
    TN_NVTX_MODULE_MEM = 1,
    TN_NVTX_COMPAT_MEM = 0x0102,
    TN_NVTX_USAGE_SUB_ALLOCATOR = 1,
    TN_NVTX_TYPE_VIRTUAL_ADDRESS = 1,
    TN_NVTX_REF_POINTER = 1,
    TN_NVTX_MESSAGE_NONE = 0,
    TN_NVTX_MESSAGE_ASCII = 1
};

// Slots of the module, numbered as in the headers of CUDA 13.
enum {
    TN_NVTX_HEAP_REGISTER = 0,
    TN_NVTX_HEAP_UNREGISTER = 1,
    TN_NVTX_HEAP_RESET = 2,
    TN_NVTX_REGIONS_REGISTER = 3,
    TN_NVTX_REGIONS_RESIZE = 4,
    TN_NVTX_REGIONS_UNREGISTER = 5,
    TN_NVTX_SLOTS = 20
};

struct tn_nvtx_segment {
    size_t id;
    size_t slot_count;
    intptr_t *slots;
};

// The argument of InitializeInjectionNvtxExtension(), which returns 0 if it refuses.
struct tn_nvtx_module {
    uint16_t nvtx_version;
    uint16_t struct_size;
    uint16_t module_id;
    uint16_t compat_id;
    size_t segment_count;
    struct tn_nvtx_segment *segments;
    const void *get_export;
    const void *info;
};
typedef int (*tn_nvtx_init)(struct tn_nvtx_module *module);

// Each struct begins with the compatibility number and its own size.
struct tn_nvtx_range {
    size_t size;
    const void *ptr;
};

struct tn_nvtx_heap_desc {
    uint16_t compat_id;
    uint16_t struct_size;
    uint32_t reserved;
    uint32_t usage;
    uint32_t type;
    size_t type_desc_size;
    const void *type_desc;
    uint32_t category;
    uint32_t message_type;
    const char *message;
};

struct tn_nvtx_register_batch {
    uint16_t compat_id;
    uint16_t struct_size;
    uint32_t region_type;
    void *heap;
    size_t region_count;
    size_t desc_size;
    const void *descs;
    void **handles; // NULL identifies regions by their pointers
};

struct tn_nvtx_unregister_batch {
    uint16_t compat_id;
    uint16_t struct_size;
    uint32_t ref_type;
    size_t ref_count;
    size_t ref_size;
    const void *refs;
};

_Static_assert(sizeof(struct tn_nvtx_range) == 16, "range");
_Static_assert(sizeof(struct tn_nvtx_heap_desc) == 48, "heap");
_Static_assert(sizeof(struct tn_nvtx_register_batch) == 48, "regions to register");
_Static_assert(sizeof(struct tn_nvtx_unregister_batch) == 32, "regions to unregister");

typedef void *(*tn_nvtx_heap_register)(void *domain, const struct tn_nvtx_heap_desc *desc);
typedef void (*tn_nvtx_heap_unregister)(void *domain, void *heap);
typedef void (*tn_nvtx_regions_register)(void *domain, const struct tn_nvtx_register_batch *batch);
typedef void (*tn_nvtx_regions_unregister)(void *domain,
                                           const struct tn_nvtx_unregister_batch *batch);
