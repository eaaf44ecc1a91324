// SPDX-License-Identifier: Apache-2.0
// The state of a link, and waking its channel. All other files of links use this one.
#include <stdio.h>
#include <sys/socket.h>

#include "channel/ucx/link.h"

void tn_link_set_state(struct tn_link *l, enum tn_link_state state) {
    TARN_ASSERT(state > tn_link_state(l)); // a link never goes back
    tn_store_release(&l->state, state);
    tn_progress_notify();
}

const char *tn_link_corrupt(const struct tn_link *l) {
    return tn_link_state(l) >= TN_LINK_CLOSING && l->status == TARN_CORRUPT ? l->why : NULL;
}

void tn_link_end(struct tn_link *l, tarn_status status, const char *why) {
    if (tn_link_state(l) >= TN_LINK_CLOSING) return;
    TARN_ASSERT(status != TARN_NOT_READY && why[0] != '\0');
    l->status = status;
    (void)snprintf(l->why, sizeof l->why, "%s", why);
    tn_link_set_state(l, TN_LINK_CLOSING);
}

void tn_link_wake_channel(struct tn_link *l, enum tn_wait_kind what) {
    uint32_t asleep = tn_load_seq_cst(&l->own.head->asleep);
    uint32_t sleep = asleep >> TN_ASLEEP_SHIFT;
    char wakeup = 0;
    if ((asleep & what) != 0 && l->woken_sleep != sleep) {
        l->woken_sleep = sleep;
        (void)!send(l->socket, &wakeup, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
}
