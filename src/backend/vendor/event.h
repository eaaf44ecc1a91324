// SPDX-License-Identifier: Apache-2.0
// What an event of a platform of cards is made of: see event.c.
#ifndef TARN_BACKEND_VENDOR_EVENT_H
#define TARN_BACKEND_VENDOR_EVENT_H

#include "backend/vendor/vendor.h"

// One of the vendor's events, held by ours and by those who wait for it.
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

// The mark of the last record, with a reference; NULL: never recorded.
struct tn_vendor_mark *tn_vendor_mark_acquire(struct tn_vendor_event *event);
void tn_vendor_mark_release(struct tn_vendor_mark *mark); // NULL is fine

// What a question about it gave, as a status; NOT_READY and TIMED_OUT are without a text.
tarn_status tn_vendor_mark_answer(const struct tn_vendor_mark *mark, struct tn_native answer);

#endif
