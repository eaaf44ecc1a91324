// SPDX-License-Identifier: Apache-2.0
// The ring: the entries that the program's threads append and the writer takes, in one order. Any
// number of threads append, and one takes. An append takes no lock and never calls malloc(). If the
// ring is full, it waits for the writer.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// A kind of an entry is an enum tn_mem_event_kind, or one of these.
enum { TN_RECORD_PHASE_END = 128, TN_RECORD_TOGGLE };

// A bit of flags beside those of events: the event is a call to a vendor's library (vendor.h).
// TN_MEM_RESOURCE_END is recorded after the call then; `other` is the position of the ring before
// it, and memory that began at that position or later has not ended.
#define TN_RECORD_OF_VENDOR (1u << 31)

// The pool of a shortage, see TN_MEM_SHORTAGE.
struct tn_record_pool {
    uint64_t held, limit, free, largest, waiting;
};

// An event of the program. The fields are those of struct tn_mem_event. Where a mapping begins,
// `other` identifies the physical memory, or is 0 if that is unknown. Of a shortage, `other` is the
// address of a struct tn_record_pool, which the writer frees, or 0.
struct tn_record_entry {
    uint16_t kind;
    uint16_t what;
    uint32_t flags;
    int32_t device;
    uint32_t space;
    uint32_t stack; // tn_stack_id
    uint32_t text;  // of the name, from tn_record_text()
    uint64_t addr;
    uint64_t bytes;
    uint64_t other;
    uint64_t stream;
    uint64_t time_ns;
};

// Counts of the ring since it was opened.
struct tn_record_ring_counts {
    uint64_t appended;
    uint64_t waits; // appends that found the ring full and waited
    uint64_t lost;  // appends that gave up
};

enum { TN_RECORD_RING_ENTRIES = 1 << 16 };

// Gets the memory of the ring. Returns false if there is none.
bool tn_record_ring_open(void);

// Appends a copy of the entry. If the ring stays full for twenty seconds, counts the entry as lost.
void tn_record_ring_append(const struct tn_record_entry *entry);

// Takes the oldest entry. Returns false if there is none, or if its thread has not completed it.
bool tn_record_ring_take(struct tn_record_entry *entry);

// Waits until an append reports that much of the ring is used, tn_record_ring_wake() is called, or
// the time has passed.
void tn_record_ring_wait(unsigned milliseconds);
void tn_record_ring_wake(void);

struct tn_record_ring_counts tn_record_ring_counts(void);
