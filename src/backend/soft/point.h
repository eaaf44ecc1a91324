// SPDX-License-Identifier: Apache-2.0
// A position in a stream of a software device, where an event was recorded, and the failure that
// stopped a stream. Both are counted references. The lock of the engine that made them guards them.
#pragma once

#include <tarn/base.h>

#define TN_SOFT_FAILURE_TEXT 320

// The reason why a stream stopped. The stream and the points dropped behind it share it.
struct tn_soft_failure {
    uint64_t refs;
    char text[TN_SOFT_FAILURE_TEXT]; // does not change once the stream is failed
};

// The event, the operation that will pass the point, and all who wait for it share it.
struct tn_soft_point {
    uint64_t refs;
    bool passed;
    uint64_t time_ns;                // when it passed
    struct tn_soft_failure *failure; // not NULL if the record was dropped
};

// Drop a reference. NULL is permitted. An engine may allocate a larger struct that begins with the
// point.
void tn_soft_failure_unref(struct tn_soft_failure *failure);
void tn_soft_point_unref(struct tn_soft_point *point);

// Makes the point pass at a time. `failure` is NULL, or the failure because of which the record is
// dropped; the point then takes a reference to it.
void tn_soft_point_pass(struct tn_soft_point *point, uint64_t time_ns,
                        struct tn_soft_failure *failure);

// Returns OK if the point has passed or is NULL, and DEVICE_FAILED if its record was dropped.
// Before that, returns NOT_READY, or FORKED if `forked`: points of a parent process never pass.
tarn_status tn_soft_point_status(const struct tn_soft_point *point, bool forked);

// Computes the time from one point to another, which may be negative. Returns BAD_ARGUMENT if one
// is NULL, because its event was never recorded; otherwise fails like tn_soft_point_status().
tarn_status tn_soft_point_elapsed(const struct tn_soft_point *start,
                                  const struct tn_soft_point *end, bool forked,
                                  int64_t *elapsed_ns);

// Returns the status of a stream: OK, FORKED, or DEVICE_FAILED if `failure` is not NULL.
tarn_status tn_soft_stream_status(const struct tn_soft_failure *failure, bool forked);
