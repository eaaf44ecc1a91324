// SPDX-License-Identifier: Apache-2.0
// One who may listen. Each is a file of its own with one such table; annotate.c asks each of them
// once whether it is there, and from then on passes notes to those that are. A listener may be
// called from any thread, under locks of the core; it takes none of them and calls nothing of Tarn.
#ifndef TARN_ANNOTATE_SUBSCRIBER_H
#define TARN_ANNOTATE_SUBSCRIBER_H

#include <stdbool.h>

#include "annotate/mem_event.h"

struct tn_subscriber {
    bool (*detect)(void); // is it there? Called once, before the first note
    void (*notify)(const struct tn_mem_event *event);
    // Around fork(), NULL for none: its locks are taken, and let go on both sides.
    void (*fork_prepare)(void);
    void (*fork_done)(void);
};

// Do bytes at note->addr go with this resource, and with them whatever heap lies on them? Memory
// that was only registered stays its owner's.
static inline bool tn_mem_event_ends_bytes(const struct tn_mem_event *event) {
    return (event->what == TN_MEM_MEMORY || event->what == TN_MEM_PINNED ||
            event->what == TN_MEM_MAPPING) &&
           event->bytes != 0;
}

extern const struct tn_subscriber tn_subscriber_mstx;
extern const struct tn_subscriber tn_subscriber_asan;
extern const struct tn_subscriber tn_subscriber_valgrind;
extern const struct tn_subscriber tn_subscriber_nvtx;

#endif
