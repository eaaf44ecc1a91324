// SPDX-License-Identifier: Apache-2.0
// The functions of a tool for MSTX clients, and how they get into the slots of a client. No state; any
// thread may call.
#pragma once

#define MSTX_NO_IMPL
#include <mstx/ms_tools_ext.h>
#include <stdbool.h>

#include "annotate/extension.h"

// A function that fills slot `id` of a module.
struct tn_mstx_slot {
    unsigned module; // MSTX's module number
    unsigned id;
    void (*function)(void); // of the type of the slot
};

#define TN_MSTX_SLOT(module, id, function)                                                         \
    { MSTX_API_MODULE_##module, MSTX_API_##id, (mstxFuncPointer)(function) }

// The slots that every tool fills, each with the tool's static function of that name.
#define TN_MSTX_SLOTS                                                                              \
    TN_MSTX_SLOT(CORE, CORE_MARK_A, mark_a),                                                       \
        TN_MSTX_SLOT(CORE, CORE_RANGE_START_A, range_start_a),                                     \
        TN_MSTX_SLOT(CORE, CORE_RANGE_END, range_end),                                             \
        TN_MSTX_SLOT(CORE, CORE_GET_TOOL_ID, get_tool_id),                                         \
        TN_MSTX_SLOT(CORE_DOMAIN, CORE2_DOMAIN_CREATE_A, domain_create_a),                         \
        TN_MSTX_SLOT(CORE_DOMAIN, CORE2_DOMAIN_DESTROY, domain_destroy),                           \
        TN_MSTX_SLOT(CORE_DOMAIN, CORE2_DOMAIN_MARK_A, domain_mark_a),                             \
        TN_MSTX_SLOT(CORE_DOMAIN, CORE2_DOMAIN_RANGE_START_A, domain_range_start_a),               \
        TN_MSTX_SLOT(CORE_DOMAIN, CORE2_DOMAIN_RANGE_END, domain_range_end),                       \
        TN_MSTX_SLOT(CORE_MEM, CORE_MEMHEAP_REGISTER, heap_register),                              \
        TN_MSTX_SLOT(CORE_MEM, CORE_MEMHEAP_UNREGISTER, heap_unregister),                          \
        TN_MSTX_SLOT(CORE_MEM, CORE_MEM_REGIONS_REGISTER, regions_register),                       \
        TN_MSTX_SLOT(CORE_MEM, CORE_MEM_REGIONS_UNREGISTER, regions_unregister)

// Defines the marks and ranges of domains by those without one, for a tool that ignores the domain.
#define TN_MSTX_IGNORE_DOMAINS                                                                     \
    static void domain_mark_a(mstxDomainHandle_t domain, const char *message,                      \
                              aclrtStream stream) {                                                \
        (void)domain;                                                                              \
        mark_a(message, stream);                                                                   \
    }                                                                                              \
    static mstxRangeId domain_range_start_a(mstxDomainHandle_t domain, const char *message,        \
                                            aclrtStream stream) {                                  \
        (void)domain;                                                                              \
        return range_start_a(message, stream);                                                     \
    }                                                                                              \
    static void domain_range_end(mstxDomainHandle_t domain, mstxRangeId id) {                      \
        (void)domain;                                                                              \
        range_end(id);                                                                             \
    }

// Stores a function in a slot of the client, which may load the slot concurrently. Returns false if
// the client lacks the slot, because an old client has smaller tables or lacks a module.
static inline bool tn_mstx_fill(mstxGetModuleFuncTableFunc get, struct tn_mstx_slot slot) {
    mstxFuncTable table = NULL;
    unsigned size = 0;
    if (get((mstxFuncModule)slot.module, &table, &size) != MSTX_SUCCESS || table == NULL ||
        slot.id >= size)
        return false;
    if (table[slot.id] != NULL) __atomic_store_n(table[slot.id], slot.function, __ATOMIC_RELEASE);
    return true;
}

// Connects a tool to a client. Returns true if the client contains Tarn, which then emits complete
// events to `receive`. The functions of the list receive the calls of other clients.
static inline bool tn_mstx_connect(mstxGetModuleFuncTableFunc get, tn_extension_event receive,
                                   const struct tn_mstx_slot *slots, size_t count) {
    if (tn_mstx_fill(get, (struct tn_mstx_slot){TN_EXTENSION_MODULE, TN_EXTENSION_EVENT,
                                                (mstxFuncPointer)receive}))
        return true;
    for (size_t i = 0; i < count; i++) (void)tn_mstx_fill(get, slots[i]);
    return false;
}
