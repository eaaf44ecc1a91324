// SPDX-License-Identifier: Apache-2.0
// The books of resources: those that live, by kind and name, and the last that ended. Part of
// check/resource.c, which serialises.
#ifndef TARN_CHECK_LEDGER_H
#define TARN_CHECK_LEDGER_H

#include "annotate/mem_event.h"
#include "check/handle_map.h"
#include "check/stack.h"

enum { TN_CHECK_LEDGER_ENDED = 1024 }; // how many ended ones are remembered

struct tn_check_resource {
    uint16_t what; // enum tn_mem_resource; 0: free
    bool owned;    // by a pool
    int32_t device;
    uint32_t space;
    uint32_t image;
    uint64_t addr;
    uint64_t bytes;
    uint64_t object;
    uint64_t inode; // EXPORT: of the descriptor, which the program closes by itself
    tn_check_stack_id began;
    tn_check_stack_id ended;
    uint32_t began_thread;
    uint32_t ended_thread;
    uint32_t next; // of the same object, or of the free ones
};

// Zeroed is empty.
struct tn_check_ledger {
    struct tn_check_resource *live;
    uint32_t count;
    uint32_t capacity;
    uint32_t first_free; // plus 1; 0: none
    struct tn_check_handle_map names;
    struct tn_check_resource ended[TN_CHECK_LEDGER_ENDED];
    uint32_t ended_count; // ever
    bool incomplete;      // no memory once: what is missing here may exist
};

void tn_check_ledger_fini(struct tn_check_ledger *books);

void tn_check_ledger_begin(struct tn_check_ledger *books, const struct tn_check_resource *resource);

// Moves it to the ended ones. False: there is none of that kind and name.
bool tn_check_ledger_end(struct tn_check_ledger *books, const struct tn_check_resource *like);

// The live one of that kind that begins at the address or has the object's name. NULL: none.
const struct tn_check_resource *tn_check_ledger_find_live(const struct tn_check_ledger *books,
                                                          uint16_t what,
                                                          const struct tn_check_resource *like);

// The last ended one, of any kind when `what` is 0. NULL: none is remembered.
const struct tn_check_resource *tn_check_ledger_find_ended(const struct tn_check_ledger *books,
                                                           uint16_t what,
                                                           const struct tn_check_resource *like);

#endif
