// SPDX-License-Identifier: Apache-2.0
// Points and failures: their references, and the statuses that follow from them. See point.h.
#include "backend/soft/point.h"

#include <stdlib.h>

#include "base/error.h"

void tn_soft_failure_unref(struct tn_soft_failure *failure) {
    if (failure != NULL && --failure->refs == 0) free(failure);
}

void tn_soft_point_unref(struct tn_soft_point *point) {
    if (point != NULL && --point->refs == 0) {
        tn_soft_failure_unref(point->failure);
        free(point);
    }
}

void tn_soft_point_pass(struct tn_soft_point *point, uint64_t time_ns,
                        struct tn_soft_failure *failure) {
    point->passed = true;
    point->time_ns = time_ns;
    if (failure != NULL) {
        failure->refs++;
        point->failure = failure;
    }
}

tarn_status tn_soft_point_status(const struct tn_soft_point *point, bool forked) {
    if (point == NULL) return TARN_OK;
    if (!point->passed)
        return forked ? tn_fail(TARN_FORKED,
                                "the event was recorded in a stream of the parent process")
                      : TARN_NOT_READY;
    return point->failure != NULL ? tn_fail(TARN_DEVICE_FAILED, "%s", point->failure->text)
                                  : TARN_OK;
}

tarn_status tn_soft_point_elapsed(const struct tn_soft_point *start,
                                  const struct tn_soft_point *end, bool forked,
                                  int64_t *elapsed_ns) {
    TN_REFUSE(start == NULL || end == NULL, TARN_BAD_ARGUMENT, "the %s event was never recorded",
              start == NULL ? "start" : "end");
    tarn_status status = tn_soft_point_status(start, forked);
    if (status == TARN_OK) status = tn_soft_point_status(end, forked);
    if (status == TARN_OK) *elapsed_ns = (int64_t)(end->time_ns - start->time_ns);
    return status;
}

tarn_status tn_soft_stream_status(const struct tn_soft_failure *failure, bool forked) {
    TN_REFUSE(forked, TARN_FORKED, "the stream belongs to the parent process");
    return failure != NULL ? tn_fail(TARN_DEVICE_FAILED, "%s", failure->text) : TARN_OK;
}
