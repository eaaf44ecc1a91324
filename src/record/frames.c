// SPDX-License-Identifier: Apache-2.0
// Keeps the stacks of an interpreter; see frames.h. A text is complete before its number is returned
// and never changes, so the writer reads it without a lock.
#include "record/frames.h"

#include <string.h>

#include "base/atomic.h"

#define EXPORT __attribute__((visibility("default")))

static _Atomic(char *) texts[TN_RECORD_FRAMES]; // by number; a store with release publishes a text
static _Atomic uint32_t count;

// The initial-exec model, because the default one would call malloc() at a thread's first access.
static _Thread_local uint32_t current __attribute__((tls_model("initial-exec")));

EXPORT uint32_t tarn_record_frames_define(const char *text) {
    uint32_t number = tn_load_relaxed(&count) + 1 < TN_RECORD_FRAMES ? tn_add_relaxed(&count, 1) + 1
                                                                     : TN_RECORD_FRAMES;
    char *kept = number < TN_RECORD_FRAMES ? strdup(text) : NULL;
    if (kept == NULL) return 0;
    tn_store_release(&texts[number], kept);
    return number;
}

EXPORT uint32_t tarn_record_frames_enter(uint32_t number) {
    uint32_t before = current;
    current = number;
    return before;
}

uint32_t tn_record_frames_current(void) { return current; }

const char *tn_record_frames_text(uint32_t number) {
    const char *text = number < TN_RECORD_FRAMES ? tn_load_acquire(&texts[number]) : NULL;
    return text != NULL ? text : "";
}
