// SPDX-License-Identifier: Apache-2.0
// The quirk device-lost: one call fails, and with it the device. Every later call fails until the
// last stream, memory and handle of the platform are gone, as after a reset. Work that was accepted
// before still ends, so waits wait. `used` counts the live streams, handles and blocks of memory.
#include <string.h>

#include "backend/contract/slots.h"
#include "backend/layer/quirk.h"

// Returns true for a slot that creates an object. The slot that ends the object counts it down.
static bool is_maker(const char *slot) {
    static const char *const names[] = {
        "memory_alloc", "memory_alloc_with", "memory_import", "phys_create",
        "phys_import",  "stream_create",     "stream_wrap",   NULL};
    const char *const *name = names;
    while (*name != NULL && strcmp(*name, slot) != 0) name++;
    return *name != NULL;
}

static bool is_wait(const char *slot) {
    return strstr(slot, "synchronize") != NULL || strstr(slot, "query") != NULL;
}

static tarn_status fail_lost(const struct tn_quirk *quirk, tarn_addr address, uint64_t bytes) {
    return tn_quirk_fail(quirk, TARN_DEVICE_FAILED, "the device is lost until it is reset", address,
                         bytes);
}

// Returns true if the device is lost, or is lost by this call.
static bool is_lost(struct tn_quirk *quirk, tarn_addr address, uint64_t bytes) {
    bool lost = tn_load_relaxed(&quirk->lost);
    if (!lost && tn_fail_next(&quirk->spec, address, bytes)) {
        tn_store_relaxed(&quirk->lost, true);
        lost = true;
    }
    return lost;
}

static void count_made(struct tn_quirk *quirk, tarn_status status) {
    TN_LOCKED(&quirk->lock);
    quirk->used += status == TARN_OK;
}

static void count_ended(struct tn_quirk *quirk) {
    TN_LOCKED(&quirk->lock);
    if (--quirk->used == 0) tn_store_relaxed(&quirk->lost, false);
}

#define CALL(slot, group, parameters, arguments, address, bytes)                                   \
    static tarn_status lost_##slot parameters {                                                    \
        struct tn_quirk *quirk = (struct tn_quirk *)p;                                             \
        bool lost = is_lost(quirk, (address), (bytes));                                            \
        if (lost && !is_wait(#slot)) return fail_lost(quirk, (address), (bytes));                  \
        tarn_status status = TN_LAYER_PASS(&quirk->layer, slot, arguments);                        \
        if (is_maker(#slot)) count_made(quirk, status);                                            \
        return lost && status == TARN_OK ? fail_lost(quirk, (address), (bytes)) : status;          \
    }
TN_BACKEND_STATUS_SLOTS(CALL)

// The calls that end an object succeed on a lost device too, so that it can recover.
#define END(slot, parameters, arguments)                                                           \
    static void end_##slot parameters {                                                            \
        struct tn_quirk *quirk = (struct tn_quirk *)p;                                             \
        TN_LAYER_PASS(&quirk->layer, slot, arguments);                                             \
        count_ended(quirk);                                                                        \
    }
#define ENDS(X)                                                                                    \
    X(memory_free, (void *p, int device, tarn_addr addr), (p, device, addr))                       \
    X(memory_close, (void *p, int device, tarn_addr addr), (p, device, addr))                      \
    X(phys_destroy, (void *p, tarn_backend_phys phys), (p, phys))                                  \
    X(stream_destroy, (void *p, void *stream), (p, stream))
ENDS(END)

// Replaces all slots except those that describe the device, and `unmap`, by which a reset removes
// mappings: these pass.
void tn_quirk_device_lost(struct tn_quirk *quirk) {
    tarn_backend *table = &quirk->layer.table;
    const tarn_backend pass = *table;
#define USE(slot, ...) table->slot = lost_##slot;
    TN_BACKEND_STATUS_SLOTS(USE)
#undef USE
#define USE(slot, ...) table->slot = end_##slot;
    ENDS(USE)
#undef USE
    table->caps = pass.caps;
    table->unmap = pass.unmap;
    table->check = pass.check;
}
