// SPDX-License-Identifier: Apache-2.0
// See queue.h.
#include "compat/acl/queue.h"

aclError tn_acl_queue_open(struct tn_acl_queue *queue, const struct tn_face_device *device,
                           uint32_t priority, uint32_t flags) {
    TN_ACL_TRY(tn_acl_from_new(tarn_stream_create(device->tarn, &queue->tarn),
                               ACL_ERROR_RT_NO_STREAM_RESOURCE));
    (void)tarn_stream_set_resilient(queue->tarn, true); // as far as the platform can
    queue->flags = flags;
    atomic_init(&queue->attributes[ACL_STREAM_ATTR_PRIORITY], priority);
    for (int i = 0; i < TN_ACL_RESOURCES; i++)
        atomic_init(&queue->limits[i], TN_ACL_NO_LIMIT);
    return ACL_SUCCESS;
}
