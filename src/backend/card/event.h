// SPDX-License-Identifier: Apache-2.0
// What an event of a platform of cards is made of: see event.c.
#ifndef TARN_BACKEND_CARD_EVENT_H
#define TARN_BACKEND_CARD_EVENT_H

#include "backend/card/card.h"

// One of the vendor's events, held by ours and by those who wait for it.
struct tn_card_mark {
    struct tn_card *card;
    int device;
    void *native;
    _Atomic unsigned refs;
};

struct tn_card_event {
    struct tn_mutex lock;      // guards `mark`
    struct tn_card_mark *mark; // of the last record; NULL: never recorded
};

// The mark of the last record, with a reference; NULL: never recorded.
struct tn_card_mark *tn_card_mark_get(struct tn_card_event *event);
void tn_card_mark_put(struct tn_card_mark *mark); // NULL is fine

// What a question about it gave, as a status; NOT_READY and TIMED_OUT are without a text.
tarn_status tn_card_mark_answer(const struct tn_card_mark *mark, struct tn_native answer);

#endif
