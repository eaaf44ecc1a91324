// SPDX-License-Identifier: Apache-2.0
// Memory events about regions, physical memory and mappings. The rules of core/platform/notify.h
// hold.
#pragma once

#include "core/address/map.h"
#include "core/platform/notify.h"

// Like tn_emit_place() for an address whose platform only the index may know. event->device is kept
// if the index does not know the device. With `probe`, the kernel is asked about an address that
// the index does not know, since it may be a mere number.
void tn_emit_find_place(struct tn_mem_event *event, bool probe);

// The beginning or the end (`kind`) of a region. `flags`: TN_MEM_UNWAITED, TN_MEM_ZEROED or 0.
// `call`: the public function.
void tn_emit_region(unsigned kind, const struct tn_region *region, uint32_t flags,
                    const char *call);

// The plain memory was exported: other processes may write it without an event, so its bytes count
// as written.
void tn_emit_exported(const struct tn_region *region);

// There was no memory for `bytes`, of the host if `device` is NULL. Other statuses are no shortage.
// Not emitted for a pool, which may still succeed.
void tn_emit_shortage(tarn_status status, tarn_device *device, uint64_t bytes, const char *call);

// The same for an event that has further facts.
void tn_emit_shortage_of(tarn_status status, tarn_device *device, struct tn_mem_event *event);

// Until the call with false, physical memory that this thread obtains belongs to a pool, as do
// mappings, regions and handles. Returns the value until now.
bool tn_emit_for_pool(bool begin);

// Returns true if this thread works for a pool.
bool tn_emit_is_for_pool(void);

// The beginning or the end of the ownership of a handle to physical memory.
void tn_emit_phys(unsigned kind, const struct tn_phys *phys, const char *call);

// The beginning or the end of a mapping [addr, addr + bytes) in `region`.
void tn_emit_mapping(unsigned kind, const struct tn_region *region, tarn_addr addr, uint64_t bytes,
                     const struct tn_mapping *mapping, uint32_t flags);

// An export of the handle `id` as the object `object`.
void tn_emit_export(uint64_t object, uint64_t id, const char *call);

// A handle was exported as, or imported from, an object; a block as or from a key, or as a
// descriptor. Objects of one memory have one number each, and so do keys. The number of a descriptor that is not a memory file
// is not known, and not emitted.
void tn_emit_shared_phys(const struct tn_phys *phys, const tarn_shareable *object);
void tn_emit_shared_memory(const struct tn_region *region, const tarn_key *key);
void tn_emit_shared_memory_fd(const struct tn_region *region, int fd);
