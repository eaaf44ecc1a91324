// SPDX-License-Identifier: Apache-2.0
// See clock.h. Tarn measures only the time between two points. So the first query of a device
// records a point at a known time of the machine's clock. The lock guards these points.
#include "compat/acl/clock.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "compat/acl/fork.h"

struct origin {
    tarn_event point; // 0 until the first query
    int64_t ns;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct origin origins[TN_ACL_DEVICES];

int64_t tn_acl_clock_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static tarn_status make_origin(const struct tn_face_device *device, struct origin *origin) {
    tarn_stream stream = TARN_STREAM_NONE;
    tarn_event point = 0;
    tarn_status status = tarn_stream_create(device->tarn, &stream);
    if (status == TARN_OK) status = tarn_event_create(device->tarn, &point);
    if (status == TARN_OK) status = tarn_event_record(point, stream);
    if (status == TARN_OK) status = tarn_event_synchronize(point, TARN_FOREVER);
    if (status == TARN_OK)
        *origin = (struct origin){point, tn_acl_clock_now()};
    else
        (void)tarn_event_destroy(point);
    (void)tarn_stream_destroy(stream);
    return status;
}

tarn_status tn_acl_clock_time(const struct tn_face_device *device, tarn_event point, int64_t *ns) {
    struct origin *origin = &origins[device->ordinal];
    tarn_status status = TARN_OK;
    int64_t since = 0;
    (void)pthread_mutex_lock(&lock);
    if (origin->point == 0) status = make_origin(device, origin);
    (void)pthread_mutex_unlock(&lock);
    if (status == TARN_OK) // an origin that is recorded never changes
        status = tarn_event_elapsed(origin->point, point, &since);
    if (status == TARN_OK) *ns = origin->ns + since;
    return status;
}

static void forget_origins(void) { memset(origins, 0, sizeof origins); }
TN_FACE_ON_FORK(TN_ACL_LOCK_CLOCK, &lock, forget_origins);
