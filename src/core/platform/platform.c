// SPDX-License-Identifier: Apache-2.0
// Platforms and their devices: opening by name, sharing, closing. The registry lock guards the list
// of platforms. It is held while a backend opens or closes a platform, so that two calls that open
// the same name share one platform.
#include "core/platform/platform.h"

#include <stdlib.h>

#include "backend/layer/layer.h"
#include "backend/registry.h"
#include "base/decide.h"
#include "base/list.h"
#include "base/log.h"
#include "base/struct.h"
#include "base/variable.h"
#include "core/platform/fork.h"
#include "core/platform/notify.h"
#include "fail/point.h"

static struct tn_mutex registry = TN_MUTEX(REGISTRY, "registry");
static struct tn_platform *platforms;

// ---- names

struct name {
    const tarn_backend *backend;
    int ordinal;
    const char *options; // text after the first comma, or ""
};

static tarn_status parse_name(const char *uri, struct name *name) {
    const char *colon = strchr(uri, ':');
    TN_REFUSE(colon == NULL, TARN_BAD_CONFIG,
              "device name \"%s\" is not BACKEND:ORDINAL[,KEY=VALUE...]", uri);
    name->backend = tn_backend_find(uri, (size_t)(colon - uri));
    TN_REFUSE(name->backend == NULL, TARN_BAD_CONFIG,
              "device name \"%s\": no backend is called \"%.*s\"", uri, (int)(colon - uri), uri);
    const char *text = colon + 1;
    char *end = NULL;
    unsigned long value = strtoul(text, &end, 10);
    TN_REFUSE(text[0] < '0' || text[0] > '9' || value > 1000000 || (*end != '\0' && *end != ','),
              TARN_BAD_CONFIG, "device name \"%s\": \"%s\" does not begin with an ordinal", uri,
              text);
    TN_REFUSE(*end == ',' && end[1] == '\0', TARN_BAD_CONFIG,
              "device name \"%s\" ends with a comma", uri);
    name->ordinal = (int)value;
    name->options = *end == ',' ? end + 1 : end;
    return TARN_OK;
}

// ---- opening

static tarn_status read_devices(struct tn_platform *platform) {
    for (int i = 0; i < platform->device_count; i++) {
        struct tarn_device *device = &platform->devices[i];
        TARN_ASSERT(device->platform == NULL);
        device->platform = platform;
        device->ordinal = i;
        device->caps.struct_size = sizeof device->caps;
        TN_TRY(platform->ops->caps(platform->p, i, &device->caps));
        if (device->caps.granularity_minimum > platform->granularity)
            platform->granularity = device->caps.granularity_minimum;
    }
    TARN_ASSERT(platform->granularity != 0);
    return TARN_OK;
}

static tarn_status new_platform(const struct name *name, const struct tn_layered *layered,
                                struct tn_platform **out) {
    int count = layered->ops->device_count(layered->p);
    TN_REFUSE(count < 1 || count > TN_MAX_DEVICES, TARN_UNSUPPORTED,
              "backend \"%s\" has %d devices, the library handles 1 to %d", name->backend->name,
              count, TN_MAX_DEVICES);
    struct tn_platform *platform =
        calloc(1, sizeof *platform + (size_t)count * sizeof platform->devices[0]);
    char *key = strdup(name->options);
    if (platform == NULL || key == NULL) {
        free(platform);
        free(key);
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for a platform of %d devices", count);
    }
    platform->backend = name->backend;
    platform->ops = layered->ops;
    platform->p = layered->p;
    platform->owner = layered->owner;
    platform->weak_retain = layered->weak_retain;
    platform->drops_threshold = layered->drops_threshold;
    platform->key = key;
    platform->device_count = count;
    *out = platform;
    return TARN_OK;
}

static void free_platform(struct tn_platform *platform) {
    free(platform->key);
    free(platform);
}

static tarn_status open_platform(const struct name *name, struct tn_platform **out) {
    struct tn_layered layered;
    TN_TRY(tn_layer_open(name->backend, name->options, &layered));
    struct tn_platform *platform = NULL;
    tarn_status status = new_platform(name, &layered, &platform);
    if (status != TARN_OK) goto err_close;
    status = read_devices(platform);
    if (status != TARN_OK) goto err_free;
    platform->next = platforms;
    platforms = platform;
    if (tn_subscribed()) tn_emit_opened(platform);
    *out = platform;
    return TARN_OK;

err_free:
    free_platform(platform);
err_close:
    layered.ops->platform_close(layered.p);
    return status;
}

static void remove_platform(struct tn_platform *platform) {
    TARN_ASSERT(tn_mutex_is_held(&registry) && platform->refs <= 1);
    TN_CHAIN_REMOVE(platforms, platform, next);
    if (!platform->forked)
        platform->ops->platform_close(platform->p); // a forked one belongs to the parent's threads
    free_platform(platform);
}

static tarn_status open_locked(const char *uri, const struct name *name, tarn_device **device) {
    struct tn_platform *platform = platforms;
    TARN_ASSERT(tn_mutex_is_held(&registry));
    while (platform != NULL && (platform->backend != name->backend || platform->forked ||
                                strcmp(platform->key, name->options) != 0))
        platform = platform->next;
    if (platform == NULL) TN_TRY(open_platform(name, &platform));
    if (name->ordinal >= platform->device_count) {
        tarn_status status = tn_fail(TARN_BAD_DEVICE, "\"%s\": the platform has %d devices", uri,
                                     platform->device_count);
        if (platform->refs == 0) remove_platform(platform);
        return status;
    }
    platform->refs++;
    *device = &platform->devices[name->ordinal];
    return TARN_OK;
}

// A bad value is refused even if this process does not use it, because its user expects an effect.
static tarn_status check_environment(void) {
    char why[300];
    TN_REFUSE(!tn_variables_check("", why, sizeof why), TARN_BAD_CONFIG, "%s", why);
    tn_log_variables("");
    TN_TRY(tn_decide_status());
    return tn_backend_check_environment();
}

static tarn_status open_named(const char *uri, tarn_device **device) {
    struct name name = {0};
    TN_TRY(parse_name(uri, &name));
    tn_fork_watch();
    if (tn_subscribed()) tn_annotate_introduce();
    tn_mutex_lock(&registry);
    tarn_status status = open_locked(uri, &name, device);
    tn_mutex_unlock(&registry);
    if (status == TARN_OK) {
        tn_fork_watch_behind(name.backend);
        tn_log_opened();
        tn_log_line(TN_LOG_INFO, "info: tarn_device_open: opened \"%s\"", uri);
    }
    return status;
}

// Names the variable whose value was refused.
static tarn_status name_variable(tarn_status status) {
    tarn_error error;
    (void)tarn_last_error(&error);
    bool is_named = strncmp(error.message, "environment variable ", 21) == 0;
    if (is_named || (status != TARN_BAD_CONFIG && status != TARN_BAD_DEVICE)) return status;
    return tn_fail(status, "environment variable TARN_DEVICE: %s", error.message);
}

tarn_status tarn_device_open(const char *uri, tarn_device **device) {
    TN_FAIL_POINT(0, 0);
    TN_REFUSE(device == NULL, TARN_BAD_ARGUMENT, "device is NULL");
    TN_TRY(check_environment());
    const char *wish = uri == NULL || uri[0] == '\0' ? tn_variable_text("TARN_DEVICE") : uri;
    tarn_status status = open_named(wish != NULL ? wish : "host:0", device);
    if (status != TARN_OK && wish != NULL && wish != uri) status = name_variable(status);
    return TN_DONE(status);
}

// ---- closing

struct live_count {
    const char *what;
    uint64_t count;
};

static struct live_count find_live_count(struct tn_platform *platform) {
    const struct live_count all[] = {
        {"reservations", tn_load_relaxed(&platform->stats.reservations)},
        {"handles", tn_load_relaxed(&platform->stats.handles)},
        {"memory blocks", tn_load_relaxed(&platform->stats.memory_blocks)},
        {"imported memory blocks", tn_load_relaxed(&platform->stats.imported_blocks)},
        {"host memory blocks", tn_load_relaxed(&platform->stats.host_blocks)},
        {"arrays", tn_load_relaxed(&platform->stats.arrays)},
        {"streams", tn_load_relaxed(&platform->stats.streams)},
        {"events", tn_load_relaxed(&platform->stats.events)},
        {"objects that another thread is freeing", tn_load_acquire(&platform->in_backend)},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].count != 0) return all[i];
    return (struct live_count){NULL, 0};
}

tarn_status tarn_device_close(tarn_device *device) {
    if (device == NULL) return TARN_OK;
    TN_LOCKED(&registry);
    struct tn_platform *platform = device->platform;
    TARN_ASSERT(platform->refs != 0 && device == &platform->devices[device->ordinal]);
    if (platform->refs > 1 || platform->forked) {
        platform->refs--;
        return TARN_OK;
    }
    struct live_count living = find_live_count(platform);
    TN_REFUSE(living.what != NULL, TARN_BUSY, "closing the last device of %s with %llu live %s",
              platform->ops->name, (unsigned long long)living.count, living.what);
    remove_platform(platform);
    return TARN_OK;
}

tarn_status tarn_device_sibling(tarn_device *device, int ordinal, tarn_device **sibling) {
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(sibling == NULL, TARN_BAD_ARGUMENT, "sibling is NULL");
    struct tn_platform *platform = device->platform;
    TN_REFUSE(ordinal < 0 || ordinal >= platform->device_count, TARN_BAD_DEVICE,
              "device %d of a platform with %d", ordinal, platform->device_count);
    *sibling = &platform->devices[ordinal];
    TN_LOCKED(&registry);
    platform->refs++;
    return TARN_OK;
}

// ---- peers

tarn_status tn_platform_set_peer(struct tarn_device *device, const struct tarn_device *peer,
                                 bool enabled) {
    const struct tn_platform *platform = device->platform;
    uint32_t bit = 1u << peer->ordinal;
    TN_LOCKED(&registry);
    uint32_t peers = tn_load_relaxed(&device->peers);
    TN_REFUSE(((peers & bit) != 0) == enabled, enabled ? TARN_BUSY : TARN_BAD_ARGUMENT,
              "access of device %d to device %d is %s", device->ordinal, peer->ordinal,
              enabled ? "enabled already" : "not enabled");
    TN_TRY(platform->ops->peer_set(platform->p, device->ordinal, peer->ordinal, enabled));
    tn_store_relaxed(&device->peers, peers ^ bit);
    return TARN_OK;
}

// ---- checks and waits

tarn_status tn_platform_usable(const struct tn_platform *platform) {
    return !platform->forked
               ? TARN_OK
               : tn_fail(TARN_FORKED,
                         "opened before fork(): open the device again in this process");
}

tarn_status tn_device_usable(const tarn_device *device) {
    TN_REFUSE(device == NULL, TARN_BAD_ARGUMENT, "device is NULL");
    return tn_platform_usable(device->platform);
}

tarn_status tn_platform_may_wait(const struct tn_platform *platform) {
    return tn_platform_inside_hostfn(platform)
               ? tn_fail(TARN_BUSY, "a host function cannot wait for streams of its platform")
               : TARN_OK;
}

tarn_status tn_platform_may_take_away(const struct tn_platform *platform) {
    bool checked = (platform->devices[0].caps.features & TARN_FEATURE_CHECKED) != 0;
    return checked ? TARN_OK : tn_platform_may_wait(platform);
}

tarn_status tn_timed_out(uint64_t timeout_ns) {
    return tn_fail(TARN_TIMED_OUT, "not done after %llu ns", (unsigned long long)timeout_ns);
}

void tn_platform_synchronize(struct tn_platform *platform, uint32_t devices, bool seen) {
    for (int i = 0; i < platform->device_count; i++) {
        if ((devices >> i & 1u) != 0) {
            (void)platform->ops->device_synchronize(platform->p, i, UINT64_MAX);
            if (seen && tn_subscribed()) tn_emit_device_sync(platform, i);
        }
    }
}

// ---- fork

static void prepare_backends(void) {
    for (struct tn_platform *it = platforms; it != NULL; it = it->next)
        if (!it->forked) it->ops->fork_prepare(it->p);
}

static void release_backends(void) {
    for (struct tn_platform *it = platforms; it != NULL; it = it->next)
        if (!it->forked) it->ops->fork_parent(it->p);
}

static void disown_platforms(void) {
    for (struct tn_platform *it = platforms; it != NULL; it = it->next) {
        if (!it->forked) {
            it->ops->fork_child(it->p);
            it->forked = true;
        }
    }
}

TN_ON_FORK(registry, .rank = TN_RANK_REGISTRY, .mutex = &registry);
TN_ON_FORK(backends, .rank = TN_RANK_BACKEND, .prepare = prepare_backends,
           .parent = release_backends, .child = disown_platforms);
