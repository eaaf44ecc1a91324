// SPDX-License-Identifier: Apache-2.0
// Calls of a program to a vendor's library; see vendor.h. The end of memory is recorded after the
// call, if it succeeded. By then another thread may have the same address, so the entry has the
// position of the ring before the call: memory that began later is not meant.
#include "record/vendor.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include <tarn/base.h>

#include "annotate/mem_event.h"
#include "base/atomic.h"
#include "record/images.h"
#include "record/recorder.h"

enum { LOCATION_DEVICE = 1 }; // of all vendors

static __thread unsigned depth; // calls of the thread that have begun; the outermost counts

// ---- functions

// The first version of the function, which every later C library has too.
#if defined(__x86_64__)
#define DLSYM_VERSION "GLIBC_2.2.5"
#else
#define DLSYM_VERSION "GLIBC_2.17"
#endif

tn_record_dlsym tn_record_next_dlsym(void) {
    static _Atomic(tn_record_dlsym) next;
    tn_record_dlsym function = tn_load_relaxed(&next);
    if (function == NULL) {
        void *found = dlvsym(RTLD_NEXT, "dlsym", DLSYM_VERSION);
        memcpy(&function, &found, sizeof function);
        tn_store_relaxed(&next, function);
    }
    return function;
}

struct tn_record_function *tn_record_find_row(const struct tn_record_vendor *vendor,
                                              const char *symbol) {
    for (size_t i = 0; i < vendor->count; i++)
        if (vendor->rows[i].replacement != NULL && strcmp(vendor->rows[i].symbol, symbol) == 0)
            return &vendor->rows[i];
    return NULL;
}

static tn_record_code find_in(void *library, const char *symbol) {
    tn_record_dlsym next = tn_record_next_dlsym();
    void *found = next != NULL ? next(library, symbol) : NULL;
    tn_record_code code = NULL;
    memcpy(&code, &found, sizeof code);
    return code;
}

// A library that was opened for its opener alone is not behind this one, but has a name.
static tn_record_code find_by_name(const char *library, const char *symbol) {
    void *opened = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    tn_record_code code = opened != NULL ? find_in(opened, symbol) : NULL;
    if (opened != NULL) (void)dlclose(opened);
    return code;
}

tn_record_code tn_record_find_next(const struct tn_record_vendor *vendor,
                                   struct tn_record_function *row) {
    tn_record_code next = tn_load_acquire(&row->next);
    if (next != NULL) return next;
    next = find_in(RTLD_NEXT, row->symbol);
    for (size_t i = 0; next == NULL && vendor->libraries[i] != NULL; i++)
        next = find_by_name(vendor->libraries[i], row->symbol);
    if (next != NULL) tn_store_release(&row->next, next);
    return next;
}

// A library that was closed, and opened again, may have moved.
void tn_record_replace(struct tn_record_function *row, void **function) {
    Dl_info info;
    void *address = NULL;
    tn_record_code code = NULL, next = tn_load_acquire(&row->next);
    memcpy(&code, function, sizeof code);
    memcpy(&address, &next, sizeof address);
    if (next == NULL || (next != code && dladdr(address, &info) == 0)) {
        tn_store_release(&row->next, code);
        next = code;
    }
    if (next == code) memcpy(function, &row->replacement, sizeof *function);
}

// ---- calls

static bool is_of_tarn(const struct tn_record_call *call) {
    const void *next = NULL;
    memcpy(&next, &call->next, sizeof next);
    return tn_record_image_has(call->caller) || tn_record_image_has(next);
}

// Measures the memory of the current device.
static bool measure_device(const struct tn_record_vendor *vendor, size_t *left, size_t *card) {
    enum { DDR, HBM };
    tn_record_code query = tn_record_find_next(vendor, &vendor->rows[2]);
    int (*plain)(size_t *, size_t *) = (int (*)(size_t *, size_t *))query;
    int (*of_kind)(int, size_t *, size_t *) = (int (*)(int, size_t *, size_t *))query;
    *card = 0;
    if (query == NULL) return false;
    if (!vendor->is_acl) return plain(left, card) == 0 && *card != 0;
    return (of_kind(HBM, left, card) == 0 && *card != 0) ||
           (of_kind(DDR, left, card) == 0 && *card != 0);
}

// The first call for a device measures its memory, unless the vendor cannot tell it yet.
static size_t find_card(const struct tn_record_vendor *vendor, int device) {
    static _Atomic uint64_t known; // a bit for each device
    size_t left, card;
    if (device < 0 || device >= 64 || (tn_load_relaxed(&known) >> device & 1) != 0) return 0;
    if (!measure_device(vendor, &left, &card)) return 0;
    (void)tn_or_acq_rel(&known, UINT64_C(1) << device);
    return card;
}

// The device is queried before the call: afterwards, HIP's last error would be that of the query.
tn_record_code tn_record_call_begin(struct tn_record_call *call,
                                    const struct tn_record_vendor *vendor, size_t row,
                                    const void *caller) {
    *call = (struct tn_record_call){.caller = caller,
                                    .next = tn_record_find_next(vendor, &vendor->rows[row])};
    if (call->next == NULL) return NULL;
    if (++depth == 1 && !is_of_tarn(call)) {
        int (*query)(int *) = (int (*)(int *))tn_record_find_next(vendor, &vendor->rows[0]);
        int device = 0;
        call->device = query != NULL && query(&device) == 0 ? device : 0;
        call->card = find_card(vendor, call->device);
        call->before = tn_record_ring_counts().appended;
    }
    return call->next;
}

// A face introduces itself during the first call of it.
bool tn_record_call_returned(struct tn_record_call *call) {
    call->saved_errno = errno;
    if (depth != 1 || is_of_tarn(call) || !tn_record_start()) return false;
    struct tn_record_entry entry = {
        .kind = TN_MEM_DEVICE, .device = call->device, .bytes = call->card};
    if (call->card != 0) tn_record_add(&entry);
    return true;
}

void tn_record_call_end(const struct tn_record_call *call) {
    depth--;
    errno = call->saved_errno;
}

// ---- events

void tn_record_call_alloc(const struct tn_record_call *call, int what, uint64_t address,
                          uint64_t bytes, uint64_t stream) {
    struct tn_record_entry entry = {.kind = TN_MEM_RESOURCE_BEGIN,
                                    .what = (uint16_t)what,
                                    .flags = TN_RECORD_OF_VENDOR,
                                    .device = what == TN_MEM_PINNED ? -1 : call->device,
                                    .addr = address,
                                    .bytes = bytes,
                                    .stream = stream};
    tn_record_add(&entry);
}

void tn_record_call_map(struct tn_record_call *call, const struct tn_record_vendor *vendor,
                        void *handle, uint64_t address, uint64_t bytes) {
    unsigned char properties[128] = {0};
    int32_t type = 0, number = 0;
    int (*query)(void *, void *) =
        (int (*)(void *, void *))tn_record_find_next(vendor, &vendor->rows[1]);
    if (query != NULL &&
        (vendor->is_acl ? query(handle, properties) : query(properties, handle)) == 0) {
        memcpy(&type, properties + vendor->type_at, sizeof type);
        memcpy(&number, properties + vendor->number_at, sizeof number);
        call->device = type == LOCATION_DEVICE ? number : -1;
    }
    tn_record_call_alloc(call, TN_MEM_MAPPING, address, bytes, 0);
}

void tn_record_call_free(const struct tn_record_call *call, uint64_t address, uint64_t bytes) {
    struct tn_record_entry entry = {.kind = TN_MEM_RESOURCE_END,
                                    .what = TN_MEM_MEMORY,
                                    .flags = TN_RECORD_OF_VENDOR,
                                    .addr = address,
                                    .bytes = bytes,
                                    .other = call->before};
    tn_record_add(&entry);
}

// The query would be HIP's last error, so that an impossible request, which fails in the same way,
// follows it.
static void hide_query(const struct tn_record_vendor *vendor) {
    struct tn_record_function *row = tn_record_find_row(vendor, "hipMalloc");
    int (*allocate)(void **, size_t) =
        row != NULL ? (int (*)(void **, size_t))tn_record_find_next(vendor, row) : NULL;
    void *address = NULL;
    if (allocate != NULL) (void)allocate(&address, SIZE_MAX / 2);
}

void tn_record_call_failed(const struct tn_record_call *call, const struct tn_record_vendor *vendor,
                           int what, uint64_t bytes, uint64_t stream) {
    size_t left = 0, card = 0;
    bool of_host = what == TN_MEM_PINNED;
    bool is_measured = !of_host && measure_device(vendor, &left, &card);
    struct tn_record_entry entry = {
        .kind = TN_MEM_SHORTAGE,
        .flags = (uint32_t) - (of_host ? TARN_NO_HOST_MEMORY : TARN_NO_DEVICE_MEMORY),
        .device = of_host ? -1 : call->device,
        .addr = is_measured ? left : UINT64_MAX,
        .bytes = bytes,
        .stream = stream};
    if (is_measured) hide_query(vendor);
    tn_record_add(&entry);
}
