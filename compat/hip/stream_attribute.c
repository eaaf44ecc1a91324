// SPDX-License-Identifier: Apache-2.0
// Attributes and numbers of streams. Attributes are stored and returned and have no other effect:
// every wait spins briefly, then sleeps. The members are atomic or constant, so any thread may call
// these functions.
#include <hip/detail/stream_attribute.h>

#include "compat/hip/face.h"
#include "compat/runtime/stream.h"

_Static_assert(sizeof(hipStreamAttrValue) == 64 && sizeof(hipAccessPolicyWindow) == 32,
               "programs compiled for HIP 7 pass these sizes");

static tn_rt_error get_stream(hipStream_t stream, struct tn_rt_stream **s) {
    return tn_rt_invalid_stream(tn_rt_stream_get(stream, s));
}

static tn_rt_error no_attribute(hipStreamAttrID attr) {
    return tn_rt_fail(TN_RT_INVALID_VALUE, "attribute %d of a stream is not supported", (int)attr);
}

static tn_rt_error set_policy(struct tn_rt_stream *s, hipStreamAttrID attr, int policy) {
    TN_RT_TRY(tn_rt_capture_check_query(s));
    TN_RT_TRY(attr == hipStreamAttributeSynchronizationPolicy ? TN_RT_OK : no_attribute(attr));
    TN_RT_REFUSE(policy < hipSyncPolicyAuto || policy > hipSyncPolicyBlockingSync,
                 TN_RT_INVALID_VALUE, "policy %d, 1 to 4 are defined", policy);
    atomic_store_explicit(&s->waits, policy, memory_order_relaxed);
    return TN_RT_OK;
}

static tn_rt_error set_attribute(hipStream_t stream, hipStreamAttrID attr,
                                 const hipStreamAttrValue *value) {
    struct tn_rt_stream *s = NULL;
    TN_RT_TRY(tn_rt_check_pointer(value, "value"));
    TN_RT_TRY(get_stream(stream, &s));
    tn_rt_error error = set_policy(s, attr, (int)value->syncPolicy);
    tn_rt_stream_put(s);
    return error;
}

hipError_t hipStreamSetAttribute(hipStream_t stream, hipStreamAttrID attr,
                                 const hipStreamAttrValue *value) {
    return TN_HIP_CALL(set_attribute(stream, attr, value));
}

static tn_rt_error get_attribute(hipStream_t stream, hipStreamAttrID attr,
                                 hipStreamAttrValue *value) {
    struct tn_rt_stream *s = NULL;
    TN_RT_TRY(tn_rt_check_pointer(value, "value"));
    TN_RT_TRY(get_stream(stream, &s));
    tn_rt_error error = TN_RT_OK;
    if (attr == hipStreamAttributeSynchronizationPolicy) {
        value->syncPolicy =
            (hipSynchronizationPolicy)atomic_load_explicit(&s->waits, memory_order_relaxed);
    } else if (attr == hipStreamAttributePriority) {
        value->priority = s->priority;
    } else {
        error = no_attribute(attr);
    }
    tn_rt_stream_put(s);
    return error;
}

hipError_t hipStreamGetAttribute(hipStream_t stream, hipStreamAttrID attr,
                                 hipStreamAttrValue *value) {
    return TN_HIP_CALL(get_attribute(stream, attr, value));
}

static tn_rt_error copy_attributes(hipStream_t dst, hipStream_t src) {
    struct tn_rt_stream *to = NULL;
    struct tn_rt_stream *from = NULL;
    TN_RT_TRY(get_stream(dst, &to));
    tn_rt_error error = get_stream(src, &from);
    if (error == TN_RT_OK) {
        int policy = atomic_load_explicit(&from->waits, memory_order_relaxed);
        atomic_store_explicit(&to->waits, policy, memory_order_relaxed);
        tn_rt_stream_put(from);
    }
    tn_rt_stream_put(to);
    return error;
}

hipError_t hipStreamCopyAttributes(hipStream_t dst, hipStream_t src) {
    return TN_HIP_CALL(copy_attributes(dst, src));
}

static tn_rt_error get_id(hipStream_t stream, unsigned long long *id) {
    struct tn_rt_stream *s = NULL;
    TN_RT_TRY(tn_rt_check_pointer(id, "streamId"));
    TN_RT_TRY(get_stream(stream, &s));
    *id = s->id;
    tn_rt_stream_put(s);
    return TN_RT_OK;
}

hipError_t hipStreamGetId(hipStream_t stream, unsigned long long *streamId) {
    return TN_HIP_CALL(get_id(stream, streamId));
}
