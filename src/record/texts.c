// SPDX-License-Identifier: Apache-2.0
// A hash table of texts that only grows; see texts.h. Looking up a known text takes no lock.
#include "record/texts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "trace/intern.h"

enum { SLOTS = 2 * TN_RECORD_TEXTS };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(char *) texts[TN_RECORD_TEXTS]; // by number; a store with release publishes a text
static _Atomic uint32_t slots[SLOTS];          // of a hash table: the number of a text, or 0
static uint32_t count;                         // guarded by the lock

// Finds the slot of the text. Returns its number, or 0 with the free slot in *slot.
static uint32_t find_text(const char *text, size_t length, uint32_t *slot) {
    for (*slot = tn_intern_hash(0, text, length) % SLOTS;; *slot = (*slot + 1) % SLOTS) {
        uint32_t number = tn_load_acquire(&slots[*slot]);
        if (number == 0) return 0;
        const char *kept = tn_load_relaxed(&texts[number]);
        if (strncmp(kept, text, length) == 0 && kept[length] == '\0') return number;
    }
}

static uint32_t add_text(const char *text, size_t length) {
    uint32_t slot, number = 0;
    (void)pthread_mutex_lock(&lock);
    number = find_text(text, length, &slot); // another thread may have added it
    char *kept = number == 0 && count + 1 < TN_RECORD_TEXTS ? (char *)malloc(length + 1) : NULL;
    if (kept != NULL) {
        memcpy(kept, text, length);
        kept[length] = '\0';
        number = ++count;
        tn_store_relaxed(&texts[number], kept);
        tn_store_release(&slots[slot], number);
    }
    (void)pthread_mutex_unlock(&lock);
    return number;
}

uint32_t tn_record_text(const char *text) {
    uint32_t slot;
    size_t length = text == NULL ? 0 : strnlen(text, TN_RECORD_TEXT_BYTES - 1);
    if (length == 0) return 0;
    uint32_t number = find_text(text, length, &slot);
    return number != 0 ? number : add_text(text, length);
}

const char *tn_record_text_at(uint32_t number) {
    return number == 0 ? "" : tn_load_relaxed(&texts[number]);
}
