// SPDX-License-Identifier: Apache-2.0
// The recorder as the injection library of NVTX: marks and ranges become phases, and the memory
// extension's heaps and regions become memory events. Numbers and layouts of the extension are in
// annotate/nvtx.h, those of NVTX itself here; both are those of NVTX 3. A heap, a region and a
// registered text have their address or their number as handle. Any thread.
#include "annotate/nvtx.h"

#include <string.h>
#include <wchar.h>

#include "record/events.h"
#include "record/images.h"
#include "record/recorder.h"
#include "record/texts.h"

#define EXPORT __attribute__((visibility("default")))

enum { TABLE_OF_CALLBACKS = 1, MODULE_CORE = 1, MODULE_DOMAINS = 5 };
enum { TYPE_ASCII = 1, TYPE_UNICODE, TYPE_REGISTERED };
enum { DEPTH = 32 }; // of pushed ranges in a thread

typedef void (*code)(void);

// The argument of InitializeInjectionNvtx2(): a function that returns the table of callbacks.
typedef const void *(*get_table)(uint32_t number);
struct callbacks {
    size_t size;
    int (*get_slots)(int module, code ***slots, unsigned *count);
};

struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const void *message;
};
_Static_assert(sizeof(struct attributes) == 48, "attributes");

// ---- texts

// Characters beyond ASCII become question marks.
static uint32_t find_wide_text(const wchar_t *text) {
    char narrow[TN_RECORD_TEXT_BYTES] = "";
    for (size_t i = 0; text != NULL && text[i] != 0 && i < sizeof narrow - 1; i++)
        narrow[i] = text[i] > 0 && text[i] < 128 ? (char)text[i] : '?';
    return tn_record_text(narrow);
}

static uint32_t find_message(const struct attributes *attributes) {
    switch (attributes != NULL ? attributes->message_type : 0) {
    case TYPE_ASCII: return tn_record_text((const char *)attributes->message);
    case TYPE_UNICODE: return find_wide_text((const wchar_t *)attributes->message);
    case TYPE_REGISTERED: return (uint32_t)(uintptr_t)attributes->message;
    default: return 0;
    }
}

static void *register_text(void *domain, const char *text) {
    (void)domain;
    return (void *)(uintptr_t)tn_record_text(text);
}

static void *register_wide_text(void *domain, const wchar_t *text) {
    (void)domain;
    return (void *)(uintptr_t)find_wide_text(text);
}

// ---- marks and ranges

// The ranges that the thread has pushed, of all domains.
static __thread struct {
    uint16_t domain[DEPTH]; // numbers of texts, as small as a thread's own block wants them
    uint16_t text[DEPTH];   // 0 for a range without a phase
    unsigned count;
} pushed;

// Returns the level of the range in its domain.
static int push_range(void *handle, uint32_t text) {
    uint16_t domain = (uint16_t)(uintptr_t)handle;
    int level = 0;
    for (unsigned i = 0; i < pushed.count && i < DEPTH; i++) level += pushed.domain[i] == domain;
    if (pushed.count < DEPTH) {
        pushed.domain[pushed.count] = domain;
        pushed.text[pushed.count] = (uint16_t)(text < TN_RECORD_TEXTS ? text : 0);
        tn_record_phase_begin(text);
    }
    pushed.count++;
    return level;
}

// Ends the latest range of a domain. Ranges that are too deep have no phases.
static int pop_range(void *handle) {
    uint16_t domain = (uint16_t)(uintptr_t)handle;
    unsigned i = pushed.count, level = 0;
    if (i > DEPTH) {
        pushed.count--;
        return (int)i - 1;
    }
    while (i > 0 && pushed.domain[i - 1] != domain) i--;
    if (i == 0) return -1;
    uint32_t text = pushed.text[i - 1];
    for (unsigned j = 0; j + 1 < i; j++) level += pushed.domain[j] == domain;
    for (pushed.count--; i <= pushed.count; i++) {
        pushed.domain[i - 1] = pushed.domain[i];
        pushed.text[i - 1] = pushed.text[i];
    }
    tn_record_range_end((uint64_t)text << 32);
    return (int)level;
}

// NVTX passes a message as attributes, as text or as wide text.
#define FUNCTIONS(form, type, find)                                                                \
    static void mark_##form(type message) { tn_record_phase_begin(find(message)); }                \
    static uint64_t range_start_##form(type message) {                                             \
        return tn_record_range_begin(find(message));                                               \
    }                                                                                              \
    static int range_push_##form(type message) { return push_range(NULL, find(message)); }
FUNCTIONS(ex, const struct attributes *, find_message)
FUNCTIONS(a, const char *, tn_record_text)
FUNCTIONS(w, const wchar_t *, find_wide_text)

static int range_pop(void) { return pop_range(NULL); }

// ---- domains

// Domains of one name are one.
static void *domain_create_a(const char *name) {
    return (void *)(uintptr_t)(tn_record_text(name) + UINT64_C(1));
}

static void *domain_create_w(const wchar_t *name) {
    return (void *)(uintptr_t)(find_wide_text(name) + UINT64_C(1));
}

static void domain_mark_ex(void *domain, const struct attributes *attributes) {
    (void)domain;
    mark_ex(attributes);
}

static uint64_t domain_range_start_ex(void *domain, const struct attributes *attributes) {
    (void)domain;
    return range_start_ex(attributes);
}

static void domain_range_end(void *domain, uint64_t id) {
    (void)domain;
    tn_record_range_end(id);
}

static int domain_range_push_ex(void *domain, const struct attributes *attributes) {
    return push_range(domain, find_message(attributes));
}

static const struct {
    int module;
    unsigned id;
    code function;
} filled_slots[] = {
    {MODULE_CORE, 1, (code)mark_ex},
    {MODULE_CORE, 2, (code)mark_a},
    {MODULE_CORE, 3, (code)mark_w},
    {MODULE_CORE, 4, (code)range_start_ex},
    {MODULE_CORE, 5, (code)range_start_a},
    {MODULE_CORE, 6, (code)range_start_w},
    {MODULE_CORE, 7, (code)tn_record_range_end},
    {MODULE_CORE, 8, (code)range_push_ex},
    {MODULE_CORE, 9, (code)range_push_a},
    {MODULE_CORE, 10, (code)range_push_w},
    {MODULE_CORE, 11, (code)range_pop},
    {MODULE_DOMAINS, 1, (code)domain_mark_ex},
    {MODULE_DOMAINS, 2, (code)domain_range_start_ex},
    {MODULE_DOMAINS, 3, (code)domain_range_end},
    {MODULE_DOMAINS, 4, (code)domain_range_push_ex},
    {MODULE_DOMAINS, 5, (code)pop_range},
    {MODULE_DOMAINS, 10, (code)register_text},
    {MODULE_DOMAINS, 11, (code)register_wide_text},
    {MODULE_DOMAINS, 12, (code)domain_create_a},
    {MODULE_DOMAINS, 13, (code)domain_create_w},
};

// NVTX calls this at the first of its functions. Returns 1 if the process is recorded.
EXPORT int InitializeInjectionNvtx2(get_table get);
int InitializeInjectionNvtx2(get_table get) {
    const struct callbacks *callbacks = get != NULL ? get(TABLE_OF_CALLBACKS) : NULL;
    if (callbacks == NULL || callbacks->size < sizeof *callbacks || !tn_record_start()) return 0;
    for (size_t i = 0; i < sizeof filled_slots / sizeof *filled_slots; i++) {
        code **table = NULL;
        unsigned count = 0;
        if (callbacks->get_slots(filled_slots[i].module, &table, &count) != 0 &&
            filled_slots[i].id < count && table[filled_slots[i].id] != NULL)
            *table[filled_slots[i].id] = filled_slots[i].function;
    }
    return 1;
}

// ---- memory

// The device is that of the memory around the address.
static void receive_range(uint16_t kind, const struct tn_nvtx_range *range) {
    const struct tn_mem_event event = {.kind = kind,
                                       .flags = TN_MEM_WHOLE,
                                       .device = TN_RECORD_ANY_DEVICE,
                                       .addr = (uint64_t)(uintptr_t)range->ptr,
                                       .bytes = range->size,
                                       .other = range->size};
    tn_record_receive(&event);
}

static void receive_end(uint16_t kind, const void *address) {
    const struct tn_nvtx_range range = {0, address};
    receive_range(kind, &range);
}

static void *heap_register(void *domain, const struct tn_nvtx_heap_desc *desc) {
    (void)domain;
    if (desc == NULL || desc->type != TN_NVTX_TYPE_VIRTUAL_ADDRESS || desc->type_desc == NULL)
        return NULL;
    const struct tn_nvtx_range *range = (const struct tn_nvtx_range *)desc->type_desc;
    receive_range(TN_MEM_HEAP_BEGIN, range);
    return (void *)(uintptr_t)range->ptr;
}

static void heap_unregister(void *domain, void *heap) {
    (void)domain;
    receive_end(TN_MEM_HEAP_END, heap);
}

static void heap_reset(void *domain, void *heap) {
    (void)domain;
    receive_end(TN_MEM_HEAP_RESET, heap);
}

static const void *element_at(const void *elements, size_t size, size_t i) {
    return (const char *)elements + i * size;
}

static void regions_register(void *domain, const struct tn_nvtx_register_batch *batch) {
    (void)domain;
    if (batch == NULL || batch->descs == NULL || batch->region_type != TN_NVTX_TYPE_VIRTUAL_ADDRESS)
        return;
    for (size_t i = 0; i < batch->region_count; i++) {
        const struct tn_nvtx_range *range = element_at(batch->descs, batch->desc_size, i);
        receive_range(TN_MEM_REGION_BEGIN, range);
        if (batch->handles != NULL) batch->handles[i] = (void *)(uintptr_t)range->ptr;
    }
}

// The batch is one of registration, without the heap and the handles.
struct resize_batch {
    uint16_t compat_id, struct_size;
    uint32_t region_type;
    size_t region_count, desc_size;
    const void *descs;
};

static void regions_resize(void *domain, const struct resize_batch *batch) {
    (void)domain;
    for (size_t i = 0; batch != NULL && batch->descs != NULL && i < batch->region_count; i++)
        receive_range(TN_MEM_REGION_RESIZE, element_at(batch->descs, batch->desc_size, i));
}

static void regions_unregister(void *domain, const struct tn_nvtx_unregister_batch *batch) {
    (void)domain;
    for (size_t i = 0; batch != NULL && batch->refs != NULL && i < batch->ref_count; i++) {
        const void *address = NULL;
        memcpy(&address, element_at(batch->refs, batch->ref_size, i), sizeof address);
        receive_end(TN_MEM_REGION_END, address);
    }
}

// NVTX calls this for each extension. A copy of Tarn calls it too; its events are complete without
// NVTX. Returns 1 if the extension is recorded.
EXPORT int InitializeInjectionNvtxExtension(struct tn_nvtx_module *module);
int InitializeInjectionNvtxExtension(struct tn_nvtx_module *module) {
    static const struct {
        size_t id;
        code function;
    } functions[] = {{TN_NVTX_HEAP_REGISTER, (code)heap_register},
                     {TN_NVTX_HEAP_UNREGISTER, (code)heap_unregister},
                     {TN_NVTX_HEAP_RESET, (code)heap_reset},
                     {TN_NVTX_REGIONS_REGISTER, (code)regions_register},
                     {TN_NVTX_REGIONS_RESIZE, (code)regions_resize},
                     {TN_NVTX_REGIONS_UNREGISTER, (code)regions_unregister}};
    if (module == NULL || module->module_id != TN_NVTX_MODULE_MEM || module->segment_count == 0 ||
        tn_record_image_has(module) || !tn_record_start())
        return 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].id < module->segments[0].slot_count)
            module->segments[0].slots[functions[i].id] = (intptr_t)functions[i].function;
    return 1;
}
