// SPDX-License-Identifier: Apache-2.0
// The order of work. The work of a stream is ordered with itself and with everything that the host
// had done before it submitted the work. Only events and waits order it with other streams. Two
// accesses to the same bytes without such an order, one of them a write, are a race, even if they
// did no harm in this run.
//
//   copy-race, host-race   the general case, for two accesses that were emitted
//   use-before-event       a stream uses a block that was allocated in order of another stream, and
//                          did not wait for the allocation
//   stream-use-after-free  a block is freed while a stream that the free does not wait for still
//                          uses it: tarn_pool_used_on() or an event is missing
//   reuse-before-event     an allocator gave bytes to a stream that is not ordered after the stream
//                          that freed them
//   unmap-in-flight, free-in-flight
//                          the same for mappings and plain memory, ended by calls that do not wait
//   wait-without-record    a wait for an event that was never recorded
//
// Bytes are those of physical memory, which may have several addresses (names.h).
//
// Accesses are copies, fills and explicit checks. Any thread may call. One lock guards everything,
// and is released before a finding is reported. It is not taken before the first event of a stream.
#pragma once

#include "annotate/mem_event.h"
#include "check/order/shadow.h"
#include "check/order/titles.h"

// `bytes` of a region's end is the size that the region had. `other` of a resize is its size before.
void tn_check_order_event(const struct tn_mem_event *event);

// Only keeps the names of memory. Part of tn_check_order_event().
void tn_check_order_name(const struct tn_mem_event *event);

// True while any memory has or had a second address. Relaxed: other threads must have synchronised
// with the call that made the address before they use it.
extern _Atomic bool tn_check_order_has_names;

// Calls visit(), which must not call back, for each range of addresses by which bytes of [lo, hi) are
// known, [lo, hi) itself included.
void tn_check_order_names(uint32_t space, uint64_t lo, uint64_t hi,
                          void (*visit)(void *arg, uint32_t space, uint64_t lo, uint64_t hi),
                          void *arg);

// Returns true if a byte of the range may have got its contents by another address.
bool tn_check_order_keeps(uint32_t space, uint64_t lo, uint64_t hi);

// Stores the address of the checker's watch: TN_MEM_WATCH.
void tn_check_order_watch(const struct tn_mem_event *event);

// Returns true if work that the host has not waited for uses a byte of [lo, hi). *touch receives
// the access, *other the address of `lo` among those that the access used.
bool tn_check_order_in_flight(uint32_t space, uint64_t lo, uint64_t hi,
                              struct tn_check_touch *touch, uint64_t *other);

// Returns true if no work uses the bytes of a new block that was freed in order of a stream: the host
// knows that all earlier work has run.
bool tn_check_order_is_idle(uint32_t space, uint64_t lo, uint64_t hi);

// Returns true if the calling thread runs a host function, and the bytes were freed in order of a stream
// behind that function.
bool tn_check_order_frees_later(uint32_t space, uint64_t lo, uint64_t hi);

// Returns a moment after the work of this event so far, or one of time 0 if the order is not known.
struct tn_check_moment tn_check_order_moment(const struct tn_mem_event *event);

// Returns true if the host knows that the work before the moment has run.
bool tn_check_order_has_passed(struct tn_check_moment moment);

// Kernels and instructions of the host, as far as the checker knew their accesses.
struct tn_check_seen {
    uint64_t known;      // launches whose accesses were judged, host functions included
    uint64_t unknown;    // launches with too many accesses, or without memory for them
    uint64_t unreported; // launches of kernels that do not report their accesses
    uint64_t processes;  // waits for work of other processes
    bool host;           // instructions of the host report their accesses
};
void tn_check_order_seen(struct tn_check_seen *seen);

// Writes how the program knows a stream.
void tn_check_order_title(uint32_t image, uint64_t stream, struct tn_check_title *title);

// Called before fork(), and after it in the parent and in the child.
void tn_check_order_fork_prepare(void);
void tn_check_order_fork_done(void);

// For tests: forgets everything.
void tn_check_order_reset(void);
