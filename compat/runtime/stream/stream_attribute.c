// SPDX-License-Identifier: Apache-2.0
// See stream.h: streams as programs make and query them. Attributes are stored and returned and
// have no other effect: every wait spins briefly, then sleeps, and the compute units of a software
// device are threads of the process. The members are atomic or constant, so any thread may call.
#include <stdlib.h>
#include <string.h>

#include "compat/runtime/device/identity.h"
#include "compat/runtime/stream/policy.h"
#include "compat/runtime/stream/stream.h"

tn_rt_error tn_rt_stream_check(void *handle) {
    struct tn_rt_stream TN_RT_STREAM_HELD *s = NULL;
    return tn_rt_stream_get(handle, &s);
}

static int clamp_priority(int priority) {
    return priority > tn_rt_stream_policy.lowest_priority    ? tn_rt_stream_policy.lowest_priority
           : priority < tn_rt_stream_policy.highest_priority ? tn_rt_stream_policy.highest_priority
                                                             : priority;
}

tn_rt_error tn_rt_stream_make(void *handle, unsigned flags, int priority) {
    uintptr_t made = 0;
    TN_RT_TRY(tn_rt_check_pointer(handle, "stream"));
    TN_RT_REFUSE(flags > TN_RT_STREAM_NON_BLOCKING, TN_RT_INVALID_VALUE,
                 "flags 0x%x, 0 and 1 are defined", flags);
    TN_RT_TRY(tn_rt_stream_new(flags, clamp_priority(priority), &made));
    tn_rt_give(handle, made);
    return TN_RT_OK;
}

tn_rt_error tn_rt_stream_priorities(int *lowest, int *highest) {
    if (lowest != NULL) *lowest = tn_rt_stream_policy.lowest_priority;
    if (highest != NULL) *highest = tn_rt_stream_policy.highest_priority;
    return TN_RT_OK;
}

#define PROPERTY(name, type, member)                                                               \
    tn_rt_error name(void *handle, type *out) {                                                    \
        struct tn_rt_stream TN_RT_STREAM_HELD *s = NULL;                                           \
        TN_RT_TRY(tn_rt_check_pointer(out, "the output"));                                         \
        TN_RT_TRY(tn_rt_stream_get(handle, &s));                                                   \
        *out = s->member;                                                                          \
        return TN_RT_OK;                                                                           \
    }
PROPERTY(tn_rt_stream_flags, unsigned, flags)
PROPERTY(tn_rt_stream_priority, int, priority)
PROPERTY(tn_rt_stream_device, int, device->ordinal)

tn_rt_error tn_rt_stream_id(void *handle, unsigned long long *id) {
    TN_RT_TRY(tn_rt_check_pointer(id, "streamId"));
    TN_RT_GET_STREAM(s, tn_rt_invalid_stream(tn_rt_stream_get(handle, &s)));
    *id = s->id;
    return TN_RT_OK;
}

// ---- attributes

tn_rt_error tn_rt_stream_set_attribute(void *handle, int attribute, const void *value) {
    int policy = 0;
    TN_RT_TRY(tn_rt_check_pointer(value, "value"));
    TN_RT_GET_STREAM(s, tn_rt_invalid_stream(tn_rt_stream_get(handle, &s)));
    TN_RT_TRY(tn_rt_capture_check_query(s));
    TN_RT_REFUSE(attribute != TN_RT_ATTRIBUTE_WAITS, TN_RT_INVALID_VALUE,
                 "attribute %d of a stream is not supported", attribute);
    memcpy(&policy, value, sizeof policy);
    TN_RT_REFUSE(policy < TN_RT_WAITS_AUTO || policy > TN_RT_WAITS_BLOCKING, TN_RT_INVALID_VALUE,
                 "policy %d, 1 to 4 are defined", policy);
    atomic_store_explicit(&s->waits, policy, memory_order_relaxed);
    return TN_RT_OK;
}

tn_rt_error tn_rt_stream_get_attribute(void *handle, int attribute, void *value) {
    TN_RT_TRY(tn_rt_not_last_error(tn_rt_check_pointer(value, "value")));
    TN_RT_GET_STREAM(s, tn_rt_invalid_stream(tn_rt_stream_get(handle, &s)));
    TN_RT_REFUSE(attribute != TN_RT_ATTRIBUTE_WAITS && attribute != TN_RT_ATTRIBUTE_PRIORITY,
                 TN_RT_INVALID_VALUE, "attribute %d of a stream is not supported", attribute);
    int own = attribute == TN_RT_ATTRIBUTE_WAITS
                  ? atomic_load_explicit(&s->waits, memory_order_relaxed)
                  : s->priority;
    memcpy(value, &own, sizeof own);
    return TN_RT_OK;
}

tn_rt_error tn_rt_stream_copy_attributes(void *dst, void *src) {
    TN_RT_GET_STREAM(to, tn_rt_invalid_stream(tn_rt_stream_get(dst, &to)));
    TN_RT_GET_STREAM(from, tn_rt_invalid_stream(tn_rt_stream_get(src, &from)));
    atomic_store_explicit(&to->waits, atomic_load_explicit(&from->waits, memory_order_relaxed),
                          memory_order_relaxed);
    return TN_RT_OK;
}

// ---- masks of compute units

tn_rt_error tn_rt_stream_make_masked(void *handle, uint32_t words, const uint32_t *mask) {
    struct tn_rt_stream TN_RT_STREAM_HELD *s = NULL;
    uintptr_t made = 0;
    bool empty = true; // the default: all units
    TN_RT_REFUSE(handle == NULL, TN_RT_INVALID_HANDLE, "stream is NULL");
    TN_RT_REFUSE(words == 0 || mask == NULL, TN_RT_INVALID_VALUE, "a mask of %u words at %p", words,
                 (const void *)mask);
    uint32_t *kept = (uint32_t *)calloc(words, sizeof *kept);
    TN_RT_REFUSE(kept == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a mask of %u words", words);
    memcpy(kept, mask, words * sizeof *kept);
    for (uint32_t i = 0; i < words; i++) empty = empty && mask[i] == 0;
    tn_rt_error error = tn_rt_stream_new(TN_RT_STREAM_BLOCKING, 0, &made);
    if (error == TN_RT_OK) error = tn_rt_stream_get((void *)made, &s);
    if (error == TN_RT_OK && !empty) {
        s->cu_mask = kept;
        s->cu_mask_words = words;
    } else {
        free(kept);
    }
    if (error == TN_RT_OK) tn_rt_give(handle, made);
    return error;
}

tn_rt_error tn_rt_stream_mask(void *handle, uint32_t words, uint32_t *mask) {
    const uint32_t units = (uint32_t)tn_rt_processors();
    TN_RT_TRY(tn_rt_check_pointer(mask, "cuMask"));
    TN_RT_GET_STREAM(s, tn_rt_stream_get(handle, &s));
    TN_RT_REFUSE(words < (units + 31) / 32, TN_RT_INVALID_VALUE,
                 "room for %u words, the mask of %u units has %u", words, units, (units + 31) / 32);
    for (uint32_t i = 0; i < words; i++) {
        uint32_t left = units > i * 32 ? units - i * 32 : 0; // units in this word and the next ones
        uint32_t own = s->cu_mask == NULL ? UINT32_MAX : i < s->cu_mask_words ? s->cu_mask[i] : 0;
        mask[i] = left >= 32 ? own : own & ((1u << left) - 1);
    }
    return TN_RT_OK;
}
