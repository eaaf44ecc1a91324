// SPDX-License-Identifier: Apache-2.0
// The order of streams, as far as it is known without asking the device: which work of one stream
// runs behind work of another. Each record of an event on a stream has a number. A stream that
// waits for the event follows the recorded stream up to that number, and follows what the recorded
// stream followed at the record (Mattern, "Virtual Time and Global States of Distributed Systems",
// 1989). A clock holds at most TN_CLOCK_FOLLOWED streams and forgets the oldest, so an unknown
// order counts as none.
//
// Nothing is recorded before the first pool asks for it. Any thread may call these functions. A
// clock may outlive its stream.
#pragma once

#include "base/lock.h"

enum { TN_CLOCK_FOLLOWED = 16 };

typedef struct tn_clock_table {
    uint64_t era; // of the entries; those of another era are void
    unsigned count;
    unsigned oldest; // replaced next, once the table is full
    struct {
        uint64_t clock;
        uint64_t record;
    } entries[TN_CLOCK_FOLLOWED];
} tn_clock_table;

// Returns true if the table holds no clock twice, and no number of a record that never began.
static inline bool tn_clock_table_check(const tn_clock_table *table) {
    if (table->count > TN_CLOCK_FOLLOWED) return false;
    if (table->count < TN_CLOCK_FOLLOWED && table->oldest != 0) return false;
    for (unsigned i = 0; i < table->count; i++) {
        if (table->entries[i].clock == 0 || table->entries[i].record == 0) return false;
        for (unsigned j = 0; j < i; j++)
            if (table->entries[i].clock == table->entries[j].clock) return false;
    }
    return true;
}

// The clock of a stream.
typedef struct tn_vector_clock {
    _Atomic(uint32_t) refs;
    uint64_t id;              // never used again
    _Atomic(uint64_t) next;   // number of the next record on the stream, from 1
    _Atomic(uint64_t) waited; // the last record that another stream waits for directly
    struct tn_spin lock;
    tn_clock_table table; // what the stream follows. Guard: lock
} tn_vector_clock;

// The last record of an event. Zeroed memory with an initialised lock is an event never recorded.
typedef struct tn_clock_stamp {
    struct tn_spin lock;    // guards the rest
    uint64_t changes;       // records begun
    uint32_t recorders;     // records that run
    bool overlapped;        // several ran at once, so the order of the backend is not known
    tn_vector_clock *clock; // with a reference; NULL: unknown
    uint64_t record;
    tn_clock_table table;
} tn_clock_stamp;

// A record that runs.
typedef struct tn_clock_record {
    tn_vector_clock *clock;
    uint64_t number;
    tn_clock_table table;
} tn_clock_record;

// Starts the recording, for the rest of the process.
void tn_clock_start(void);
bool tn_clock_started(void);

// A new clock with one reference, or NULL without host memory.
tn_vector_clock *tn_vector_clock_new(void);
tn_vector_clock *tn_vector_clock_keep(tn_vector_clock *clock);
// NULL does nothing.
void tn_vector_clock_put(tn_vector_clock *clock);

void tn_clock_stamp_init(tn_clock_stamp *stamp);
void tn_clock_stamp_fini(tn_clock_stamp *stamp);

// Bracket the backend's call that records an event on the stream of a clock. Without a clock, the
// record is not known.
void tn_clock_record_begin(tn_clock_stamp *stamp, tn_vector_clock *clock, tn_clock_record *record);
void tn_clock_record_end(tn_clock_stamp *stamp, tn_clock_record *record, bool succeeded);

// Bracket the backend's call that makes the stream of a clock, which may be NULL, wait for an
// event. The number that the first one returns is for the second; 0: the record is not known.
uint64_t tn_clock_wait_begin(tn_clock_stamp *stamp);
void tn_clock_wait_end(tn_clock_stamp *stamp, tn_vector_clock *clock, uint64_t change);

// Forgets all orders: work that a stream drops does not wait for anything.
void tn_clock_forget_all(void);

// Returns the number that the next record will have. Work enqueued before the call precedes it.
static inline uint64_t tn_clock_next(const tn_vector_clock *clock) {
    return tn_load_acquire(&clock->next);
}

// Returns true if the stream of `clock` follows any other.
bool tn_clock_follows_any(tn_vector_clock *clock);

// Returns true if later work on the stream of `clock` runs behind that record of `first`.
bool tn_clock_follows(tn_vector_clock *clock, const tn_vector_clock *first, uint64_t record);
