// SPDX-License-Identifier: Apache-2.0
// The parts of an event that event.c and wait.c share.
#pragma once

#include "backend/vendor/vendor.h"

// A native event. References: the event, and the threads that wait for it.
struct tn_vendor_mark {
    struct tn_vendor *vendor;
    int device;
    void *native;
    _Atomic unsigned refs;
};

struct tn_vendor_event {
    struct tn_mutex lock;        // guards `mark`
    struct tn_vendor_mark *mark; // of the last record; NULL: never recorded
};

// Returns the mark of the last record with a reference added, or NULL if the event was never
// recorded.
struct tn_vendor_mark *tn_vendor_mark_acquire(struct tn_vendor_event *event);
void tn_vendor_mark_release(struct tn_vendor_mark *mark); // NULL does nothing

// Converts the result of a query or a wait. Records no text for NOT_READY and TIMED_OUT.
tarn_status tn_vendor_mark_answer(const struct tn_vendor_mark *mark, struct tn_native answer);
