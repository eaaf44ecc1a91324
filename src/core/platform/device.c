// SPDX-License-Identifier: Apache-2.0
// Queries of a device, waits for all of its work, and peers.
#include <stdio.h>

#include "base/clock.h"
#include "base/decide.h"
#include "base/error.h"
#include "base/struct.h"
#include "core/platform/notify.h"
#include "fail/point.h"

tarn_status tarn_device_query(tarn_device *device, tarn_device_info *info) {
    TN_TRY(tn_device_usable(device));
    const tarn_backend_caps *caps = &device->caps;
    tarn_device_info own = {
        .ordinal = device->ordinal,
        .device_count = device->platform->device_count,
        .memory_bytes = caps->memory_bytes,
        .granularity_minimum = device->platform->granularity,
        .granularity_recommended = caps->granularity_recommended,
        .features = caps->features,
        .shareable = caps->shareable,
    };
    (void)snprintf(own.backend, sizeof own.backend, "%s", device->platform->ops->name);
    (void)snprintf(own.name, sizeof own.name, "%s", caps->name);
    return TN_DONE(tn_struct_write(info, &own, sizeof own, "tarn_device_info"));
}

tarn_status tarn_device_query_memory(tarn_device *device, uint64_t *free_bytes,
                                     uint64_t *total_bytes) {
    TN_TRY(tn_device_usable(device));
    uint64_t free_now = 0;
    uint64_t total = 0;
    struct tn_platform *platform = device->platform;
    TN_TRY(platform->ops->memory_info(platform->p, device->ordinal, &free_now, &total));
    if (free_bytes != NULL) *free_bytes = free_now;
    if (total_bytes != NULL) *total_bytes = total;
    return TARN_OK;
}

// A layer may change the answer, and a seed may simulate other users of the memory.
static bool states_free_exactly(const struct tarn_device *device) {
    const struct tn_platform *platform = device->platform;
    return (device->caps.features & TARN_FEATURE_CHECKED) != 0 &&
           platform->ops->memory_info == platform->backend->memory_info && !tn_decide_faults();
}

uint64_t tn_device_room(tarn_device *device, uint64_t held, bool stated) {
    uint64_t most = device->caps.memory_bytes;
    uint64_t left = most;
    TN_ERROR_KEPT;
    if ((stated || states_free_exactly(device)) &&
        tarn_device_query_memory(device, &left, NULL) != TARN_OK)
        left = most;
    most = most > held ? most - held : 0;
    return left < most ? left : most;
}

tarn_status tarn_device_query_setting(tarn_device *device, unsigned index, tarn_setting *setting) {
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(setting == NULL, TARN_BAD_ARGUMENT, "setting is NULL");
    return TN_DONE(device->platform->ops->setting(device->platform->p, index, setting));
}

_Atomic(void (*)(tarn_device *)) tn_synchronized_hook;

// The work has ended, with or without an error.
static tarn_status emit_synchronized(tarn_device *device, tarn_status status) {
    bool over = status == TARN_OK || status == TARN_DEVICE_FAILED;
    if (over && tn_subscribed()) tn_emit_device_sync(device->platform, device->ordinal);
    if (status == TARN_OK) tn_synchronized(device);
    return status;
}

tarn_status tarn_device_synchronize(tarn_device *device, uint64_t timeout_ns) {
    TN_FAIL_POINT(0, 0);
    TN_TRY(tn_device_usable(device));
    struct tn_platform *platform = device->platform;
    const tarn_backend *ops = platform->ops;
    if (timeout_ns != 0) TN_TRY(tn_platform_may_wait(platform));
    tarn_status status = ops->device_synchronize(platform->p, device->ordinal,
                                                 timeout_ns == 0 ? 0 : tn_deadline(timeout_ns));
    return TN_DONE(status == TARN_TIMED_OUT ? tn_timed_out(timeout_ns)
                                            : emit_synchronized(device, status));
}

tarn_status tarn_device_trim(tarn_device *device) {
    TN_TRY(tn_device_usable(device));
    return TN_DONE(device->platform->ops->trim(device->platform->p, device->ordinal));
}

// ---- peers

static tarn_status check_pair(const tarn_device *device, const tarn_device *peer) {
    TN_TRY(tn_device_usable(device));
    TN_TRY(tn_device_usable(peer));
    TN_REFUSE(device->platform != peer->platform, TARN_BAD_ARGUMENT,
              "the two devices are of different platforms");
    return TARN_OK;
}

static bool can_reach(const tarn_device *device, const tarn_device *peer) {
    struct tn_platform *platform = device->platform;
    return platform->ops->peer_can(platform->p, device->ordinal, peer->ordinal);
}

tarn_status tarn_device_query_peer(tarn_device *device, tarn_device *peer, bool *reachable,
                                   bool *enabled) {
    TN_TRY(check_pair(device, peer));
    if (reachable != NULL) *reachable = device != peer && can_reach(device, peer);
    if (enabled != NULL) *enabled = (tn_load_relaxed(&device->peers) >> peer->ordinal & 1u) != 0;
    return TARN_OK;
}

static tarn_status set_peer(tarn_device *device, tarn_device *peer, bool enabled) {
    TN_TRY(check_pair(device, peer));
    TN_REFUSE(device == peer, TARN_BAD_ARGUMENT, "device %d cannot be its own peer",
              device->ordinal);
    TN_REFUSE(!can_reach(device, peer), TARN_UNSUPPORTED, "device %d has no path to device %d",
              device->ordinal, peer->ordinal);
    return tn_platform_set_peer(device, peer, enabled);
}

tarn_status tarn_device_enable_peer(tarn_device *device, tarn_device *peer) {
    TN_FAIL_POINT(0, 0);
    return TN_DONE(set_peer(device, peer, true));
}

tarn_status tarn_device_disable_peer(tarn_device *device, tarn_device *peer) {
    return TN_DONE(set_peer(device, peer, false));
}
