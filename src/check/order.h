// SPDX-License-Identifier: Apache-2.0
// The order of work. What a stream does is in order with itself, with what the host had done when
// it gave the work, and with other streams only by events and waits. Two accesses of the same
// bytes, one of them a write, with no such order between them, are a race, however well they went
// this time.
//
//   copy-race, host-race  the general case: both accesses are told
//   use-before-event      a block was allocated in order of one stream and is used on another,
//   which
//                         waited for nothing that came after the allocation
//   stream-use-after-free a block is freed while work of a stream that the free does not wait for
//                         still uses it: tarn_pool_used_on() or an event was forgotten
//   reuse-before-event    an allocator gave bytes to a stream that does not come after the one that
//                         they were freed on
//   unmap-in-flight, free-in-flight
//                         the same for mappings and plain memory, ended by calls that do not wait
//   wait-without-record   an event that was never recorded holds nobody
//
// Accesses are those told by notes: copies, fills, explicit checks. Any thread; one lock, given
// back before a finding is reported.
#ifndef TARN_CHECK_ORDER_H
#define TARN_CHECK_ORDER_H

#include <stdbool.h>

#include "annotate/mem_event.h"
#include "check/shadow.h"

void tn_check_order_event(const struct tn_mem_event *event);

// Does work that the host has not seen the end of use a byte of [lo, hi)? `touch` gets the access.
bool tn_check_order_in_flight(uint32_t space, uint64_t lo, uint64_t hi,
                              struct tn_check_touch *touch);

// Around fork(): before it, and after it on both sides.
void tn_check_order_fork_prepare(void);
void tn_check_order_fork_done(void);

// For tests: forgets everything.
void tn_check_order_reset(void);

#endif
