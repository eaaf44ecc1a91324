// SPDX-License-Identifier: Apache-2.0
// What the core tells those who listen (annotate/annotate.h), in words of the core. Each function
// is called behind tn_subscribed() and changes nothing. Any thread; locks of the core may be held,
// but no spin lock.
#ifndef TARN_CORE_NOTIFY_H
#define TARN_CORE_NOTIFY_H

#include "annotate/annotate.h"
#include "core/address/index.h"
#include "core/address/range.h"
#include "core/work/executor.h"

// Addresses from here on are numbers of a simulated platform; no memory of a process lies there.
#define TN_NUMBERS_FROM (UINT64_C(1) << 60)

// Fills in which addresses those of a platform are, and whether the CPU may reach this one.
void tn_emit_place(const struct tn_platform *platform, struct tn_mem_event *note);

// The same for an address of which only the index may know something; note->device is kept where it
// says less. `probe`: an address that the index does not know is asked of the system, since it may
// be a number.
void tn_emit_find_place(struct tn_mem_event *note, bool probe);

// The beginning or the end (a note kind) of plain memory, pinned memory or a reservation. `flags`:
// TN_MEM_UNWAITED or 0. `call`: the public one.
void tn_emit_region(unsigned kind, const struct tn_region *region, uint32_t flags,
                    const char *call);

// Until the same call with false, what this thread acquires belongs to a pool.
void tn_emit_for_pool(bool begin);

// The same of a handle to physical memory, a mapping of one, or something exported.
void tn_emit_phys(unsigned kind, int device, uint64_t id, uint64_t bytes, const char *call);
void tn_emit_mapping(unsigned kind, const struct tn_platform *platform, int device, tarn_addr addr,
                     uint64_t bytes, uint64_t id, uint32_t flags);
void tn_emit_export(uint64_t object, uint64_t id, const char *call);

// A call that gives something back was refused.
void tn_emit_refused(const char *call, tarn_addr addr, uint64_t object, tarn_status status);

// An access by a copy or a fill that is about to be given: `how` is TN_MEM_READ or TN_MEM_WRITE.
void tn_emit_access(const struct tn_executor *executor, const struct tn_box *box, uint32_t how,
                    const char *call);

// Order: a note kind, the stream and the event, 0 for none.
void tn_emit_order(unsigned kind, const struct tarn_device *device, uint64_t stream,
                   uint64_t event);

// The calling thread saw the end of all work of a device.
void tn_emit_device_sync(const struct tn_platform *platform, int ordinal);

// Returns what a telling call returned from within the public one, which so stays in the stacks
// that listeners take.
static inline tarn_status tn_keep_frame(tarn_status status) {
    __asm__ volatile("" ::: "memory");
    return status;
}

// Passes a refusal on, told to those who listen.
static inline tarn_status tn_refused(tarn_status status, const char *call, tarn_addr addr,
                                     uint64_t object) {
    if (status != TARN_OK && tn_subscribed()) {
        tn_emit_refused(call, addr, object, status);
    }
    return status;
}

#endif
