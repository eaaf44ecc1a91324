// SPDX-License-Identifier: Apache-2.0
// Lists and queues whose items point to both neighbours, by members that the macros name. NULL ends
// them. No state; an owner serialises its list. The macros evaluate their arguments more than once.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Adds an item at the front.
#define TN_LIST_ADD(first, item, next, prev)                                                       \
    do {                                                                                           \
        (item)->prev = NULL;                                                                       \
        (item)->next = (first);                                                                    \
        if ((first) != NULL) (first)->prev = (item);                                               \
        (first) = (item);                                                                          \
    } while (0)

#define TN_LIST_REMOVE(first, item, next, prev)                                                    \
    do {                                                                                           \
        *((item)->prev != NULL ? &(item)->prev->next : &(first)) = (item)->next;                   \
        if ((item)->next != NULL) (item)->next->prev = (item)->prev;                               \
    } while (0)

// The same for a queue, whose last item is known too. Adds an item at the end.
#define TN_QUEUE_ADD(first, last, item, next, prev)                                                \
    do {                                                                                           \
        (item)->next = NULL;                                                                       \
        (item)->prev = (last);                                                                     \
        *((last) != NULL ? &(last)->next : &(first)) = (item);                                     \
        (last) = (item);                                                                           \
    } while (0)

#define TN_QUEUE_REMOVE(first, last, item, next, prev)                                             \
    do {                                                                                           \
        *((item)->prev != NULL ? &(item)->prev->next : &(first)) = (item)->next;                   \
        *((item)->next != NULL ? &(item)->next->prev : &(last)) = (item)->prev;                    \
    } while (0)

// Chains, whose items point to the next one only, by the member that the macros name. Removes an item
// that is in the chain.
#define TN_CHAIN_REMOVE(first, item, next)                                                         \
    do {                                                                                           \
        __typeof__(&(first)) chain_link = &(first);                                                \
        while (*chain_link != (item)) chain_link = &(*chain_link)->next;                           \
        *chain_link = (item)->next;                                                                \
    } while (0)

// A loop: removes the first item, which the statement behind it may free, until there is none.
#define TN_CHAIN_DRAIN(type, item, first, next)                                                    \
    for (type * item; (item = (first)) != NULL && ((first) = item->next, true);)
