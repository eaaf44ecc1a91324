// SPDX-License-Identifier: Apache-2.0
// Host functions, kernels and conditions between their submission and their end. Such a function
// acts at the moment of its submission, whenever it runs: work that was submitted behind it comes
// later, although its events may come first. Part of check/order/order.c, which serialises every
// call.
#pragma once

#include "check/handle_map.h"
#include "check/order/clocks.h"
#include "check/table.h"
#include "stack/stack.h"

// From `time` on, `actor` comes after the function.
struct tn_check_learned {
    uint64_t time;
    uint32_t actor;
};

struct tn_check_function {
    struct tn_check_moment moment; // of the submission
    tn_stack_id stack;             // likewise
    uint32_t thread;
    uint64_t stream;
    struct tn_check_point before; // what certainly came before its accesses
    struct tn_check_learned *learned;
    uint32_t learned_count;
};

// Zeroed is empty.
struct tn_check_functions {
    struct tn_check_handle_map index; // from numbers to places in `table`
    struct tn_check_table table;
};

void tn_check_functions_fini(struct tn_check_functions *functions);

// `actor` submits a function. If out of memory, sets clocks->failed.
void tn_check_functions_begin(struct tn_check_functions *functions, struct tn_check_clocks *clocks,
                              uint32_t image, uint64_t number, uint64_t stream, uint32_t actor);
void tn_check_functions_end(struct tn_check_functions *functions, uint32_t image, uint64_t number);

// Returns NULL if there is no such function. Valid until the next one begins.
struct tn_check_function *tn_check_functions_find(const struct tn_check_functions *functions,
                                                  uint32_t image, uint64_t number);

// Returns true if a function has been submitted and has not ended.
static inline bool tn_check_functions_pend(const struct tn_check_functions *functions) {
    return functions->table.count != functions->table.removed_count;
}

// Called before a stream learns a point, because it waits for an event.
void tn_check_functions_learn(struct tn_check_functions *functions,
                              const struct tn_check_clocks *clocks,
                              const struct tn_check_point *point, uint32_t actor);

// Returns true if the moment may come after the function.
bool tn_check_function_precedes(const struct tn_check_function *function,
                                const struct tn_check_clocks *clocks,
                                struct tn_check_moment moment);
