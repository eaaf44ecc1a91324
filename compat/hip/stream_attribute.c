// SPDX-License-Identifier: Apache-2.0
// Attributes and numbers of streams. Attributes are stored and returned and have no other effect:
// every wait spins briefly, then sleeps. The members are atomic or constant, so any thread may call
// these functions.
#include <hip/detail/stream_attribute.h>

#include "compat/hip/stream.h"

_Static_assert(sizeof(hipStreamAttrValue) == 64 && sizeof(hipAccessPolicyWindow) == 32,
               "programs compiled for HIP 7 pass these sizes");

static hipError_t get_stream(hipStream_t stream, struct tn_hip_stream **s) {
    return tn_hip_invalid_stream(tn_hip_stream_get(stream, s));
}

static hipError_t no_attribute(hipStreamAttrID attr) {
    return tn_hip_fail(hipErrorInvalidValue, "attribute %d of a stream is not supported",
                       (int)attr);
}

static hipError_t set_policy(struct tn_hip_stream *s, hipStreamAttrID attr, int policy) {
    TN_HIP_TRY(tn_hip_stream_check_query(s));
    TN_HIP_TRY(attr == hipStreamAttributeSynchronizationPolicy ? hipSuccess : no_attribute(attr));
    if (policy < hipSyncPolicyAuto || policy > hipSyncPolicyBlockingSync) {
        return tn_hip_fail(hipErrorInvalidValue, "policy %d, 1 to 4 are defined", policy);
    }
    atomic_store_explicit(&s->policy, policy, memory_order_relaxed);
    return hipSuccess;
}

static hipError_t set_attribute(hipStream_t stream, hipStreamAttrID attr,
                                const hipStreamAttrValue *value) {
    struct tn_hip_stream *s = NULL;
    TN_HIP_TRY(tn_hip_check_pointer(value, "value"));
    TN_HIP_TRY(get_stream(stream, &s));
    hipError_t error = set_policy(s, attr, (int)value->syncPolicy);
    tn_hip_stream_put(s);
    return error;
}

hipError_t hipStreamSetAttribute(hipStream_t stream, hipStreamAttrID attr,
                                 const hipStreamAttrValue *value) {
    return TN_HIP_CALL(set_attribute(stream, attr, value));
}

static hipError_t get_attribute(hipStream_t stream, hipStreamAttrID attr,
                                hipStreamAttrValue *value) {
    struct tn_hip_stream *s = NULL;
    TN_HIP_TRY(tn_hip_check_pointer(value, "value"));
    TN_HIP_TRY(get_stream(stream, &s));
    hipError_t error = hipSuccess;
    if (attr == hipStreamAttributeSynchronizationPolicy) {
        value->syncPolicy =
            (hipSynchronizationPolicy)atomic_load_explicit(&s->policy, memory_order_relaxed);
    } else if (attr == hipStreamAttributePriority) {
        value->priority = s->priority;
    } else {
        error = no_attribute(attr);
    }
    tn_hip_stream_put(s);
    return error;
}

hipError_t hipStreamGetAttribute(hipStream_t stream, hipStreamAttrID attr,
                                 hipStreamAttrValue *value) {
    return TN_HIP_CALL(get_attribute(stream, attr, value));
}

static hipError_t copy_attributes(hipStream_t dst, hipStream_t src) {
    struct tn_hip_stream *to = NULL;
    struct tn_hip_stream *from = NULL;
    TN_HIP_TRY(get_stream(dst, &to));
    hipError_t error = get_stream(src, &from);
    if (error == hipSuccess) {
        int policy = atomic_load_explicit(&from->policy, memory_order_relaxed);
        atomic_store_explicit(&to->policy, policy, memory_order_relaxed);
        tn_hip_stream_put(from);
    }
    tn_hip_stream_put(to);
    return error;
}

hipError_t hipStreamCopyAttributes(hipStream_t dst, hipStream_t src) {
    return TN_HIP_CALL(copy_attributes(dst, src));
}

static hipError_t get_id(hipStream_t stream, unsigned long long *id) {
    struct tn_hip_stream *s = NULL;
    TN_HIP_TRY(tn_hip_check_pointer(id, "streamId"));
    TN_HIP_TRY(get_stream(stream, &s));
    *id = s->id;
    tn_hip_stream_put(s);
    return hipSuccess;
}

hipError_t hipStreamGetId(hipStream_t stream, unsigned long long *streamId) {
    return TN_HIP_CALL(get_id(stream, streamId));
}
