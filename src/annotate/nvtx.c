// SPDX-License-Identifier: Apache-2.0
// NVTX's memory extension as a subscriber, for compute-sanitizer: pools in device memory that only
// kernels access. The variable of NVTX64 names the injection library, which fills the slots once. A
// resize is reported as an end and a beginning. Heaps whose pages come and go are not reported,
// because the sanitizer accepts only heaps over one allocation. Permissions are not reported,
// because the sanitizer applies them to kernels only.
#include "annotate/nvtx.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/subscriber.h"

static intptr_t slots[TN_NVTX_SLOTS];
static struct tn_reported_heaps heaps = TN_REPORTED_HEAPS; // with the tool's handles

static tn_nvtx_heap_register heap_register;
static tn_nvtx_heap_unregister heap_unregister;
static tn_nvtx_regions_register regions_register;
static tn_nvtx_regions_unregister regions_unregister;

static bool nvtx_detect(void) {
    static struct tn_nvtx_segment segment = {0, TN_NVTX_SLOTS, slots};
    static struct tn_nvtx_module module = {
        .nvtx_version = TN_NVTX_VERSION,
        .struct_size = sizeof module,
        .module_id = TN_NVTX_MODULE_MEM,
        .compat_id = TN_NVTX_COMPAT_MEM,
        .segment_count = 1,
        .segments = &segment,
    };
    const char *path = secure_getenv("NVTX_INJECTION64_PATH");
    void *library = path != NULL ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
    void *symbol = library != NULL ? dlsym(library, "InitializeInjectionNvtxExtension") : NULL;
    tn_nvtx_init init = NULL;
    memcpy(&init, &symbol, sizeof init);
    if (init == NULL || init(&module) == 0) return false;
    heap_register = (tn_nvtx_heap_register)slots[TN_NVTX_HEAP_REGISTER];
    heap_unregister = (tn_nvtx_heap_unregister)slots[TN_NVTX_HEAP_UNREGISTER];
    regions_register = (tn_nvtx_regions_register)slots[TN_NVTX_REGIONS_REGISTER];
    regions_unregister = (tn_nvtx_regions_unregister)slots[TN_NVTX_REGIONS_UNREGISTER];
    return heap_register != NULL && heap_unregister != NULL && regions_register != NULL &&
           regions_unregister != NULL;
}

// Returns true for device memory that instructions of this process do not reach.
static bool is_device_memory(const struct tn_mem_event *event) {
    return event->device >= 0 && (event->flags & (TN_MEM_HOST_CAN | TN_MEM_NUMBERS)) == 0;
}

static struct tn_nvtx_range range_of(const struct tn_mem_event *event) {
    return (struct tn_nvtx_range){event->bytes, (const void *)(uintptr_t)event->addr};
}

static void heap_begin(const struct tn_mem_event *event) {
    const struct tn_nvtx_range range = range_of(event);
    const struct tn_nvtx_heap_desc desc = {
        .compat_id = TN_NVTX_COMPAT_MEM,
        .struct_size = sizeof desc,
        .usage = TN_NVTX_USAGE_SUB_ALLOCATOR,
        .type = TN_NVTX_TYPE_VIRTUAL_ADDRESS,
        .type_desc_size = sizeof range,
        .type_desc = &range,
        .message_type = event->name != NULL ? TN_NVTX_MESSAGE_ASCII : TN_NVTX_MESSAGE_NONE,
        .message = event->name,
    };
    if (!is_device_memory(event) || (event->flags & TN_MEM_WHOLE) == 0) return;
    const struct tn_annotate_range heap = {event->addr, event->bytes, heap_register(NULL, &desc)};
    if (heap.handle != NULL && !tn_reported_heaps_add(&heaps, &heap))
        heap_unregister(NULL, heap.handle);
}

static void forget_heap(struct tn_annotate_range *heap, bool open) {
    (void)open;
    heap_unregister(NULL, heap->handle);
}

static void region_begin(const struct tn_mem_event *event) {
    const struct tn_nvtx_range range = range_of(event);
    struct tn_annotate_range heap;
    if (!tn_reported_heaps_find(&heaps, event->addr, &heap)) return;
    const struct tn_nvtx_register_batch batch = {
        .compat_id = TN_NVTX_COMPAT_MEM,
        .struct_size = sizeof batch,
        .region_type = TN_NVTX_TYPE_VIRTUAL_ADDRESS,
        .heap = heap.handle,
        .region_count = 1,
        .desc_size = sizeof range,
        .descs = &range,
    };
    regions_register(NULL, &batch);
}

static void region_end(const struct tn_mem_event *event) {
    const void *ref = (const void *)(uintptr_t)event->addr;
    struct tn_annotate_range heap;
    if (!tn_reported_heaps_find(&heaps, event->addr, &heap)) return;
    const struct tn_nvtx_unregister_batch batch = {
        .compat_id = TN_NVTX_COMPAT_MEM,
        .struct_size = sizeof batch,
        .ref_type = TN_NVTX_REF_POINTER,
        .ref_count = 1,
        .ref_size = sizeof ref,
        .refs = &ref,
    };
    regions_unregister(NULL, &batch);
}

const struct tn_subscriber tn_subscriber_nvtx = {
    .detect = nvtx_detect,
    .handlers = {[TN_MEM_HEAP_BEGIN] = heap_begin,
                 [TN_MEM_REGION_BEGIN] = region_begin,
                 [TN_MEM_REGION_END] = region_end},
    .forget = forget_heap,
    .heaps = &heaps,
};
