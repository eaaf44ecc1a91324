// SPDX-License-Identifier: Apache-2.0
// See queue.h.
#include "compat/acl/queue.h"

#include <stdlib.h>

#include <tarn/software.h>

aclError tn_acl_queue_new(int kind, size_t bytes, void (*destroy)(struct tn_face_object *object),
                          const struct tn_acl_queue *like, uint32_t priority,
                          struct tn_acl_queue **made) {
    const char *noun = kind == TN_ACL_STREAM ? "stream" : "context";
    struct tn_acl_queue *queue = (struct tn_acl_queue *)calloc(1, bytes);
    TN_ACL_REFUSE(queue == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory for a %s", noun);
    queue->device = like->device;
    queue->context = like->context;
    queue->flags = like->flags;
    atomic_init(&queue->attributes[ACL_STREAM_ATTR_PRIORITY], priority);
    atomic_init(&queue->attributes[ACL_STREAM_ATTR_USER_CUSTOM_TAG], UINT32_MAX);
    for (int i = 0; i < TN_ACL_RESOURCES; i++) atomic_init(&queue->limits[i], TN_ACL_NO_LIMIT);
    aclError error = tn_acl_from_new(tarn_stream_create(queue->device->tarn, &queue->tarn),
                                     ACL_ERROR_RT_NO_STREAM_RESOURCE);
    if (error != ACL_SUCCESS) goto err_free;
    (void)tarn_stream_set_resilient(queue->tarn, true); // as far as the platform can
    if (tn_face_handle_new_held(&queue->object, kind, destroy) == 0) {
        error = tn_acl_fail(kind == TN_ACL_STREAM ? ACL_ERROR_RT_NO_STREAM_RESOURCE
                                                  : ACL_ERROR_BAD_ALLOC,
                            "out of handles for a %s", noun);
        goto err_destroy;
    }
    if (kind == TN_ACL_CONTEXT) queue->context = queue->object.handle;
    tarn_annotate_stream(queue->tarn, kind == TN_ACL_STREAM ? queue->object.handle : 0,
                         kind == TN_ACL_STREAM ? NULL : "the default stream of a context");
    *made = queue;
    return ACL_SUCCESS;

err_destroy:
    (void)tarn_stream_destroy(queue->tarn);
err_free:
    free(queue);
    return error;
}

tarn_status tn_acl_queue_walk(tn_acl_queue_visit *visit, const void *arg) {
    static const int kinds[] = {TN_ACL_STREAM, TN_ACL_CONTEXT};
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct tn_face_object *object;
        uint32_t cursor = 0;
        while (status == TARN_OK &&
               (object = tn_face_handle_next(kinds[i], NULL, NULL, &cursor)) != NULL) {
            status = visit((struct tn_acl_queue *)object, arg);
            tn_face_object_put(object);
        }
    }
    return status;
}
