// SPDX-License-Identifier: Apache-2.0
// Functions by their numbers. See functions.h.
#include "check/order/functions.h"

#include <stdlib.h>

// With more places, waits look at none of them. A race of a function that waits is missed then if the
// other stream waits for the function later.
enum { LEARNED_PLACES_MAX = 1024 };

static struct tn_check_function *function_at(const struct tn_check_functions *functions,
                                             uint32_t place) {
    return (struct tn_check_function *)functions->table.records + place;
}

static void end_function(struct tn_check_function *function) {
    tn_check_point_fini(&function->before);
    free(function->learned);
    *function = (struct tn_check_function){0};
}

void tn_check_functions_fini(struct tn_check_functions *functions) {
    for (uint32_t i = 0; i < functions->table.count; i++) end_function(function_at(functions, i));
    tn_check_table_fini(&functions->table);
    tn_check_handle_map_fini(&functions->index);
}

void tn_check_functions_begin(struct tn_check_functions *functions, struct tn_check_clocks *clocks,
                              uint32_t image, uint64_t number, uint64_t stream, uint32_t actor) {
    uint32_t place;
    if (!tn_check_table_add(&functions->table, sizeof(struct tn_check_function), &place)) {
        clocks->failed = true;
    } else if (!tn_check_handle_map_set(&functions->index, image, number, place)) {
        tn_check_table_remove(&functions->table, place);
        clocks->failed = true;
    } else {
        struct tn_check_function *function = function_at(functions, place);
        function->moment = tn_check_clocks_tick(clocks, actor);
        function->stack = tn_stack_capture();
        function->thread = tn_stack_thread();
        function->stream = stream;
        tn_check_point_set(clocks, &function->before, actor);
    }
}

void tn_check_functions_end(struct tn_check_functions *functions, uint32_t image, uint64_t number) {
    uint32_t place;
    if (tn_check_handle_map_remove(&functions->index, image, number, &place)) {
        end_function(function_at(functions, place));
        tn_check_table_remove(&functions->table, place);
    }
}

struct tn_check_function *tn_check_functions_find(const struct tn_check_functions *functions,
                                                  uint32_t image, uint64_t number) {
    uint32_t place;
    return tn_check_handle_map_find(&functions->index, image, number, &place)
               ? function_at(functions, place)
               : NULL;
}

// Without memory, the actor counts as one that came after the function from its beginning on.
static void add_learned(struct tn_check_function *function, uint64_t time, uint32_t actor) {
    struct tn_check_learned *more =
        realloc(function->learned, (function->learned_count + 1) * sizeof *more);
    if (more == NULL) return;
    function->learned = more;
    more[function->learned_count++] = (struct tn_check_learned){time, actor};
}

void tn_check_functions_learn(struct tn_check_functions *functions,
                              const struct tn_check_clocks *clocks,
                              const struct tn_check_point *point, uint32_t actor) {
    const struct tn_check_point *own = &clocks->actors[actor].point;
    uint64_t now = actor < own->length ? own->at[actor].time : 0;
    if (functions->table.count > LEARNED_PLACES_MAX) return;
    for (uint32_t i = 0; i < functions->table.count; i++) {
        struct tn_check_function *function = function_at(functions, i);
        if (function->moment.time != 0 && tn_check_point_knows(point, function->moment) &&
            !tn_check_point_knows(own, function->moment))
            add_learned(function, now, actor);
    }
}

bool tn_check_function_precedes(const struct tn_check_function *function,
                                const struct tn_check_clocks *clocks,
                                struct tn_check_moment moment) {
    if (moment.actor == function->moment.actor) return moment.time > function->moment.time;
    for (uint32_t i = 0; i < function->learned_count; i++)
        if (function->learned[i].actor == moment.actor)
            return moment.time > function->learned[i].time;
    return tn_check_clocks_knows(clocks, moment.actor, function->moment);
}
