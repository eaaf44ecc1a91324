/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/stream_attribute.h - attributes of streams and of launches, and the numbers of
 * streams. Release 7. The attributes of a stream are stored and returned and have no other effect.
 */
#ifndef HIP_DETAIL_STREAM_ATTRIBUTE_H
#define HIP_DETAIL_STREAM_ATTRIBUTE_H

#include <hip/detail/types.h>

typedef enum hipAccessProperty {
    hipAccessPropertyNormal = 0,
    hipAccessPropertyStreaming = 1,
    hipAccessPropertyPersisting = 2
} hipAccessProperty;

typedef struct hipAccessPolicyWindow {
    void *base_ptr;
    hipAccessProperty hitProp;
    float hitRatio;
    hipAccessProperty missProp;
    size_t num_bytes;
} hipAccessPolicyWindow;

typedef enum hipSynchronizationPolicy {
    hipSyncPolicyAuto = 1,
    hipSyncPolicySpin = 2,
    hipSyncPolicyYield = 3,
    hipSyncPolicyBlockingSync = 4
} hipSynchronizationPolicy;

typedef enum hipLaunchAttributeID {
    hipLaunchAttributeIgnore = 0,
    hipLaunchAttributeAccessPolicyWindow = 1,
    hipLaunchAttributeCooperative = 2,
    hipLaunchAttributeSynchronizationPolicy = 3,
    hipLaunchAttributePriority = 8,
    hipLaunchAttributeMemSyncDomainMap = 9,
    hipLaunchAttributeMemSyncDomain = 10
} hipLaunchAttributeID;

typedef union hipLaunchAttributeValue {
    char pad[64];
    hipAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    int priority;
    hipSynchronizationPolicy syncPolicy;
} hipLaunchAttributeValue;

typedef hipLaunchAttributeID hipStreamAttrID;
typedef hipLaunchAttributeValue hipStreamAttrValue;
#define hipStreamAttributeAccessPolicyWindow    hipLaunchAttributeAccessPolicyWindow
#define hipStreamAttributeSynchronizationPolicy hipLaunchAttributeSynchronizationPolicy
#define hipStreamAttributePriority              hipLaunchAttributePriority

HIP_EXTERN_C_BEGIN

/*
 * Stores the synchronisation policy of a stream. hipErrorInvalidValue: value NULL, another
 * attribute, or an unknown policy; hipErrorInvalidHandle: unknown stream;
 * hipErrorStreamCaptureUnsupported: as in hipStreamQuery().
 */
HIP_API hipError_t hipStreamSetAttribute(hipStream_t stream, hipStreamAttrID attr,
                                         const hipStreamAttrValue *value);

/* Returns the synchronisation policy or the priority of a stream. hipErrorInvalidValue: value NULL,
 * or another attribute; hipErrorInvalidHandle: unknown stream. */
HIP_API hipError_t hipStreamGetAttribute(hipStream_t stream, hipStreamAttrID attr,
                                         hipStreamAttrValue *value);

/* Copies the synchronisation policy of `src` to `dst`. hipErrorInvalidHandle: unknown stream. */
HIP_API hipError_t hipStreamCopyAttributes(hipStream_t dst, hipStream_t src);

/* Returns a number that no other stream of this process has. hipErrorInvalidValue: streamId NULL;
 * hipErrorInvalidHandle: unknown stream. */
HIP_API hipError_t hipStreamGetId(hipStream_t stream, unsigned long long *streamId);

HIP_EXTERN_C_END
#endif
