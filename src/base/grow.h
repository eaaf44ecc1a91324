// SPDX-License-Identifier: Apache-2.0
// Arrays that grow. No state; any thread may call.
#pragma once

#include <stdlib.h>
#include <string.h>

// Grows `array`, of `element` bytes each, to hold at least `need` elements; *room is its capacity.
// Returns the array, which may have moved. Returns NULL, and leaves the old array unchanged, if out
// of memory.
static inline void *tn_grow(void *array, size_t *room, size_t need, size_t element) {
    if (need <= *room) return array;
    size_t wanted = *room < 64 ? 64 : *room + *room / 2;
    if (wanted < need) wanted = need;
    void *grown = reallocarray(array, wanted, element);
    if (grown != NULL) *room = wanted;
    return grown;
}

// Appends a copy of one element and counts it. Returns like tn_grow().
static inline void *tn_append(void *array, size_t *count, size_t *room, const void *element,
                              size_t bytes) {
    char *grown = (char *)tn_grow(array, room, *count + 1, bytes);
    if (grown != NULL) memcpy(grown + (*count)++ * bytes, element, bytes);
    return grown;
}
