// SPDX-License-Identifier: Apache-2.0
// The ledger of resources: the live ones by kind and identity, and the last ones that ended. Part
// of check/resource.c, which serialises every call.
#pragma once

#include <tarn/rule.h>

#include "annotate/mem_event.h"
#include "check/handle_map.h"
#include "check/table.h"
#include "stack/stack.h"

enum { TN_CHECK_LEDGER_ENDED = 1024 }; // the number of ended resources that are kept

struct tn_check_resource {
    uint16_t what; // enum tn_mem_resource, or 0 if this place of the table is unused
    bool owned;    // by a pool; the program need not release it itself
    bool imported; // MEMORY: of another process
    int32_t device;
    uint32_t space;
    uint32_t image;
    uint64_t addr;
    uint64_t bytes;
    uint64_t requested; // by the program, at most `bytes`
    tarn_rule rule;     // MEMORY, PINNED: how programs must divide it; zeros: anyhow
    uint64_t object;
    uint64_t
        inode; // EXPORT: the inode of the descriptor, which the program closes without an event
    tn_stack_id began;
    tn_stack_id ended;
    uint32_t began_thread;
    uint32_t ended_thread;
    uint32_t generation; // the number of forks between the first process and the one it began in
    uint64_t serial;     // counts beginnings
    uint64_t step;       // of the program, in which it began
};

// Zeroed is empty.
struct tn_check_ledger {
    struct tn_check_table live; // of struct tn_check_resource
    struct tn_check_handle_map index;
    struct tn_check_resource ended[TN_CHECK_LEDGER_ENDED];
    uint32_t ended_count; // so far
    uint64_t serial;      // of the resource that began last
};

void tn_check_ledger_fini(struct tn_check_ledger *ledger);

// If out of memory, the resource is not entered, and its leak is not reported.
void tn_check_ledger_begin(struct tn_check_ledger *ledger,
                           const struct tn_check_resource *resource);

// The program requested only `bytes` of the live resource of the kind `what` and the identity of
// `like`, if there is one.
void tn_check_ledger_request(struct tn_check_ledger *ledger, uint16_t what,
                             const struct tn_check_resource *like, uint64_t bytes);

// States the rule by which programs must divide that resource, if there is one.
void tn_check_ledger_rule(struct tn_check_ledger *ledger, uint16_t what,
                          const struct tn_check_resource *like, const tarn_rule *rule);

// Moves the resource of this kind and identity to the ended ones. Returns false if there is none.
bool tn_check_ledger_end(struct tn_check_ledger *ledger, const struct tn_check_resource *like);

// Finds the live resource of the kind `what` with the address or object of `like`, or returns NULL.
const struct tn_check_resource *tn_check_ledger_find_live(const struct tn_check_ledger *ledger,
                                                          uint16_t what,
                                                          const struct tn_check_resource *like);

// Finds a live resource of the kind `what` that contains the address of `like`, or returns NULL.
// Walks all resources.
const struct tn_check_resource *tn_check_ledger_find_around(const struct tn_check_ledger *ledger,
                                                            uint16_t what,
                                                            const struct tn_check_resource *like);

// Finds the ended resource that contained the address of `like` and began last, or returns NULL. A
// reservation is found only if nothing else had been there.
const struct tn_check_resource *tn_check_ledger_find_past(const struct tn_check_ledger *ledger,
                                                          const struct tn_check_resource *like);

// Returns the space, other than 0, of the live or ended resource that contains the address and began
// last, or 0. Walks all resources.
uint32_t tn_check_ledger_space(const struct tn_check_ledger *ledger, uint64_t addr);

// Finds the resource that ended last, of any kind if `what` is 0, or returns NULL.
const struct tn_check_resource *tn_check_ledger_find_ended(const struct tn_check_ledger *ledger,
                                                           uint16_t what,
                                                           const struct tn_check_resource *like);

// Finds the block or the reservation of this process that ended last of those that contained the
// address and that no live reservation contains, or returns NULL.
const struct tn_check_resource *
tn_check_ledger_find_ended_around(const struct tn_check_ledger *ledger, uint64_t addr);
