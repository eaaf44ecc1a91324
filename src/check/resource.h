// SPDX-License-Identifier: Apache-2.0
// Resources that an owner must release: plain and pinned memory, reservations, handles, mappings,
// exported descriptors. Resources that are live at exit are reported by the place of their
// beginning. A refused free is explained: the address is another kind of resource, or was freed
// before. Any thread may call. One lock guards everything; it is released before anything is
// reported.
#pragma once

#include "check/ledger.h"

// Returns true if the event was a refusal (TN_MEM_REFUSED) that was explained and reported.
bool tn_check_resource_event(const struct tn_mem_event *event);

// A resource began, but its event could not be received.
void tn_check_resource_miss(void);

// Returns true if the refused call ends resources that contain no regions, or if it names a handle.
// The model of memory then cannot explain the refusal.
bool tn_check_resource_decides(const struct tn_mem_event *event);

// Finds the live resource that contains the address, the innermost one, and the one that contained
// it after that began and has ended. `what` is 0 where there is none.
void tn_check_resource_find(uint32_t space, uint64_t addr, struct tn_check_resource *live,
                            struct tn_check_resource *ended);

// Returns the space of the resource that contained this number, which is no address of the process,
// and began last. Returns 0 if there is none.
uint32_t tn_check_resource_space(uint64_t addr);

// Returns the name of the resource's kind, such as "block of device memory".
const char *tn_check_resource_name(const struct tn_check_resource *resource);

// Finds the live block of device memory or pinned memory that begins at an address of this process.
bool tn_check_resource_block_at(uint64_t addr, struct tn_check_resource *found);

// Finds registered memory of this process that has a byte in [lo, hi).
bool tn_check_resource_registered(uint64_t lo, uint64_t hi, struct tn_check_resource *found);

// Finds the block or the reservation that ended last of those that contained the address.
bool tn_check_resource_freed_at(uint64_t addr, struct tn_check_resource *found);

// Judges an access to memory that no region contains: reports its first row that does not begin at
// a multiple of `alignment`, if that is in plain, pinned, registered or mapped memory of the program.
void tn_check_resource_align(const struct tn_mem_event *access, unsigned alignment);

// Reports the live resources that began in this process. Returns the sum of their bytes.
uint64_t tn_check_resource_leaks(void);

// A step of the program has ended. With --leaks=step, reports the resources that began in the step
// before it and are live.
void tn_check_resource_step(void);

// Returns the bytes of live memory outside of pools.
uint64_t tn_check_resource_live_bytes(void);

// Called before fork(), and after it in the parent and in the child.
void tn_check_resource_fork_prepare(void);
void tn_check_resource_fork_done(bool child);

// For tests: forgets everything.
void tn_check_resource_reset(void);
