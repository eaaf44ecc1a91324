// SPDX-License-Identifier: Apache-2.0
// Memory events (annotate/annotate.h) about order and refusals, and the means by which every room
// of the core emits its own. Each tn_emit function is called behind tn_subscribed() and changes
// nothing. Any thread; locks of the core may be held, but no spin lock.
#pragma once

#include "annotate/annotate.h"
#include "core/platform/platform.h"

// Addresses from here on are numbers of a simulated platform; no memory of a process lies there.
#define TN_NUMBERS_FROM (UINT64_C(1) << 60)

// Numbers from here on are those of elements of arrays, which have no addresses.
#define TN_ELEMENTS_FROM (UINT64_C(1) << 63)

// Fills in to which address space the event's address belongs, and whether the CPU may reach it.
// `platform` may be NULL.
void tn_emit_place(const struct tn_platform *platform, struct tn_mem_event *event);

// A platform has opened, with its devices.
void tn_emit_opened(const struct tn_platform *platform);

// Returns true for a status by which a request for memory fails although nothing is wrong with it.
bool tn_is_shortage(tarn_status status);

// An event about order: its kind, and the stream and the event involved, 0 for none.
void tn_emit_order(unsigned kind, const struct tarn_device *device, uint64_t stream,
                   uint64_t event);

// The calling thread saw the end of all work of a device.
void tn_emit_device_sync(const struct tn_platform *platform, int ordinal);

// A call that frees or releases something was refused. `bytes`: the size that it named, or 0.
void tn_emit_refused(const char *call, tarn_addr addr, uint64_t bytes, uint64_t object,
                     tarn_status status);

// A call used the handle of an object that does not exist. `what`: TN_MEM_STREAM, TN_MEM_PHYS,
// TN_MEM_HANDLE or TN_MEM_ARRAY.
void tn_emit_stale(unsigned what, const char *call, uint64_t handle);

// Returns `status`; a failure is emitted as a refusal of `call`.
static inline tarn_status tn_refused(tarn_status status, const char *call, tarn_addr addr,
                                     uint64_t bytes, uint64_t object) {
    if (status != TARN_OK && tn_subscribed()) tn_emit_refused(call, addr, bytes, object, status);
    return status;
}
