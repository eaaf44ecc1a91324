// SPDX-License-Identifier: Apache-2.0
// Calls of a program to a vendor's library; see vendor.h. The end of memory is recorded after the
// call, if it succeeded. By then another thread may have the same address, so the entry has the
// position of the ring before the call: memory that began later is not meant.
#include "record/vendor.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

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
        call->before = tn_record_ring_counts().appended;
    }
    return call->next;
}

// A face introduces itself during the first call of it.
bool tn_record_call_returned(struct tn_record_call *call) {
    call->saved_errno = errno;
    return depth == 1 && !is_of_tarn(call) && tn_record_start();
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
        (vendor->takes_handle_first ? query(handle, properties) : query(properties, handle)) == 0) {
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

void tn_record_call_failed(const struct tn_record_call *call, uint64_t bytes, uint64_t stream) {
    struct tn_record_entry entry = {
        .kind = TN_MEM_SHORTAGE, .device = call->device, .bytes = bytes, .stream = stream};
    tn_record_add(&entry);
}
