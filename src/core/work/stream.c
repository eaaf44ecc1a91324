// SPDX-License-Identifier: Apache-2.0
// Streams and events: handles in two tables under one lock. No backend call is made under it.
#include "core/work/stream.h"

#include <stdlib.h>

#include "algo/slots.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/hostfn.h"
#include "base/lock.h"
#include "core/notify.h"
#include "core/platform/slot_kinds.h"

static struct tn_rwlock lock = TN_RWLOCK(STREAM, "streams");
static struct tn_slots streams;
static struct tn_slots events;
static bool tables_ready;

// ---- the tables

static tarn_status insert(struct tn_order *order, uint64_t *id) {
    tn_rwlock_write(&lock);
    if (!tables_ready) {
        tn_slots_init(&streams, TN_SLOT_STREAM, 0);
        tn_slots_init(&events, TN_SLOT_EVENT, 0);
        tables_ready = true;
    }
    tarn_status status =
        tn_slots_insert(order->is_event ? &events : &streams, tn_slots_from_pointer(order), id);
    tn_rwlock_unlock(&lock);
    return status == TARN_OK ? TARN_OK : tn_fail(status, "the table of streams cannot grow");
}

static tarn_status dead(uint64_t id, bool event) {
    return tn_fail(TARN_BAD_HANDLE, "0x%llx is not a live %s", (unsigned long long)id,
                   event ? "event" : "stream");
}

static tarn_status get(const struct tn_slots *table, uint64_t id, struct tn_order **order) {
    uint64_t payload = 0;
    tn_rwlock_read(&lock);
    bool found = tn_slots_get(table, id, &payload);
    struct tn_order *record = found ? tn_slots_to_pointer(payload) : NULL;
    if (found) {
        (void)tn_add_relaxed(&record->refs, 1); // the table's own reference keeps it alive here
    }
    tn_rwlock_unlock(&lock);
    if (!found) {
        return dead(id, table == &events);
    }
    tarn_status status = tn_platform_usable(record->device->platform);
    if (status != TARN_OK) {
        tn_order_put(record);
        return status;
    }
    *order = record;
    return TARN_OK;
}

tarn_status tn_stream_get(tarn_stream id, struct tn_order **stream) {
    return get(&streams, id, stream);
}

tarn_status tn_event_get(tarn_event id, struct tn_order **event) {
    return get(&events, id, event);
}

static void backend_destroy(struct tn_order *order) {
    struct tn_platform *platform = order->device->platform;
    if (order->is_event) {
        platform->ops->event_destroy(platform->p, order->backend);
    } else {
        platform->ops->stream_destroy(platform->p, order->backend);
    }
}

static void tell(unsigned kind, const struct tn_order *order) {
    tn_emit_order(kind, order->device, order->is_event ? 0 : order->id,
                  order->is_event ? order->id : 0);
}

// The calling thread has seen that a stream is empty, or that an event has passed; well or not.
static tarn_status passed(const struct tn_order *order, tarn_status status) {
    bool over = status == TARN_OK || status == TARN_DEVICE_FAULT;
    if (over && tn_subscribed()) {
        tell(order->is_event ? TN_MEM_EVENT_SYNC : TN_MEM_STREAM_SYNC, order);
    }
    return status;
}

static void destroy(struct tn_order *order) {
    struct tn_platform *platform = order->device->platform;
    if (!order->is_event) {
        (void)passed(order, platform->ops->stream_synchronize(platform->p, order->backend));
        tn_stream_drop_calls(order);
    }
    if (tn_subscribed()) {
        tell(order->is_event ? TN_MEM_EVENT_END : TN_MEM_STREAM_END, order);
    }
    backend_destroy(order);
    if (order->is_event) {
        TN_UNCOUNT(platform, events, 1);
    } else {
        TN_UNCOUNT(platform, streams, 1);
    }
    free(order);
}

void tn_order_put(struct tn_order *order) {
    if (tn_sub_acq_rel(&order->refs, 1) == 1) {
        destroy(order);
    }
}

// A host function may destroy a stream that is idle; events never need a wait.
static tarn_status check_destroy(const struct tn_order *order) {
    const struct tn_platform *platform = order->device->platform;
    bool waits = !order->is_event && tn_hostfn_inside(platform->p) &&
                 platform->ops->stream_query(platform->p, order->backend) == TARN_NOT_READY;
    return waits ? tn_platform_may_wait(platform) : TARN_OK;
}

// Takes the handle out; the caller holds a reference of its own from get(), and gives both back.
static tarn_status retire(struct tn_slots *table, uint64_t id) {
    struct tn_order *order = NULL;
    tarn_status status = get(table, id, &order);
    if (status != TARN_OK) {
        return status;
    }
    status = check_destroy(order);
    if (status != TARN_OK) {
        tn_order_put(order);
        return status;
    }
    tn_rwlock_write(&lock);
    bool removed = tn_slots_remove(table, id, NULL); // false: another thread was faster
    tn_rwlock_unlock(&lock);
    if (removed) {
        tn_order_put(order);
    } else {
        status = dead(id, table == &events);
    }
    tn_order_put(order);
    return status;
}

// ---- create

// How the backend makes one.
typedef tarn_status (*maker)(struct tn_order *order, void *native);

static tarn_status make_event(struct tn_order *order, void *native) {
    struct tn_platform *platform = order->device->platform;
    (void)native;
    return platform->ops->event_create(platform->p, &order->backend);
}

static tarn_status make_stream(struct tn_order *order, void *native) {
    struct tn_platform *platform = order->device->platform;
    (void)native;
    return platform->ops->stream_create(platform->p, order->device->ordinal, &order->backend);
}

static tarn_status make_wrapper(struct tn_order *order, void *native) {
    struct tn_platform *platform = order->device->platform;
    return platform->ops->stream_wrap(platform->p, order->device->ordinal, native, &order->backend);
}

static tarn_status create(tarn_device *device, maker make, void *native, uint64_t *id) {
    bool is_event = make == make_event;
    tarn_status status = tn_device_usable(device);
    if (status != TARN_OK) {
        return status;
    }
    if (id == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "the output is NULL");
    }
    struct tn_order *order = calloc(1, sizeof *order);
    if (order == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for a %s", is_event ? "event" : "stream");
    }
    *order = (struct tn_order){.device = device, .is_event = is_event, .refs = 1};
    status = make(order, native);
    if (status != TARN_OK) {
        goto err_free;
    }
    status = insert(order, &order->id);
    if (status != TARN_OK) {
        goto err_destroy;
    }
    if (!is_event && tn_subscribed()) {
        tell(TN_MEM_STREAM_BEGIN, order);
    }
    if (is_event) {
        TN_COUNT(device->platform, events, 1);
    } else {
        TN_COUNT(device->platform, streams, 1);
    }
    *id = order->id;
    return TARN_OK;

err_destroy:
    backend_destroy(order);
err_free:
    free(order);
    return status;
}

tarn_status tarn_stream_create(tarn_device *device, tarn_stream *stream) {
    return create(device, make_stream, NULL, stream);
}

tarn_status tarn_stream_wrap(tarn_device *device, void *native, tarn_stream *stream) {
    return create(device, make_wrapper, native, stream);
}

tarn_status tarn_event_create(tarn_device *device, tarn_event *event) {
    return create(device, make_event, NULL, event);
}

tarn_status tarn_stream_destroy(tarn_stream stream) {
    return stream == TARN_STREAM_NONE
               ? TARN_OK
               : tn_refused(retire(&streams, stream), "tarn_stream_destroy", 0, stream);
}

tarn_status tarn_event_destroy(tarn_event event) {
    return event == 0 ? TARN_OK
                      : tn_refused(retire(&events, event), "tarn_event_destroy", 0, event);
}

// ---- calls on one of them

// The slots for synchronize and query have one shape, those with a deadline another.
typedef tarn_status (*unary_slot)(void *p, void *object);
typedef tarn_status (*timed_slot)(void *p, void *object, uint64_t deadline_ns);

// Calls the slot and gives the reference back.
static tarn_status call_one(unary_slot slot, struct tn_order *order) {
    tarn_status status = passed(order, slot(order->device->platform->p, order->backend));
    tn_order_put(order);
    return status;
}

// The same for one that waits. A host function may ask as long as there is nothing to wait for.
static tarn_status wait_one(unary_slot wait, unary_slot query, struct tn_order *order) {
    struct tn_platform *platform = order->device->platform;
    if (!tn_hostfn_inside(platform->p)) {
        return call_one(wait, order);
    }
    tarn_status status = call_one(query, order);
    return status == TARN_NOT_READY ? tn_platform_may_wait(platform) : status;
}

// The same for a public call: pools with a release threshold are notified.
static tarn_status wait_and_notify(unary_slot wait, unary_slot query, struct tn_order *order) {
    tarn_device *device = order->device;
    tarn_status status = wait_one(wait, query, order);
    if (status == TARN_OK) {
        tn_synchronized(device);
    }
    return status;
}

// The same with a time limit, 0 or more.
static tarn_status wait_one_for(timed_slot wait, unary_slot query, struct tn_order *order,
                                uint64_t timeout_ns) {
    tarn_device *device = order->device;
    struct tn_platform *platform = device->platform;
    bool asks = timeout_ns == 0 || tn_hostfn_inside(platform->p);
    tarn_status status = asks ? query(platform->p, order->backend)
                              : wait(platform->p, order->backend, tn_deadline(timeout_ns));
    (void)passed(order, status);
    tn_order_put(order);
    if (status == TARN_NOT_READY && timeout_ns != 0) {
        return tn_platform_may_wait(platform);
    }
    if (status == TARN_OK) {
        tn_synchronized(device);
    }
    bool late = status == TARN_NOT_READY || status == TARN_TIMED_OUT;
    return late ? tn_timed_out(timeout_ns) : status;
}

tarn_status tarn_stream_synchronize(tarn_stream stream) {
    struct tn_order *order = NULL;
    tarn_status status = tn_stream_get(stream, &order);
    if (status != TARN_OK) {
        return status;
    }
    const tarn_backend *ops = order->device->platform->ops;
    return wait_and_notify(ops->stream_synchronize, ops->stream_query, order);
}

tarn_status tarn_stream_synchronize_for(tarn_stream stream, uint64_t timeout_ns) {
    if (timeout_ns == TARN_FOREVER) {
        return tarn_stream_synchronize(stream);
    }
    struct tn_order *order = NULL;
    tarn_status status = tn_stream_get(stream, &order);
    if (status != TARN_OK) {
        return status;
    }
    const tarn_backend *ops = order->device->platform->ops;
    return wait_one_for(ops->stream_synchronize_until, ops->stream_query, order, timeout_ns);
}

tarn_status tarn_stream_query(tarn_stream stream) {
    struct tn_order *order = NULL;
    tarn_status status = tn_stream_get(stream, &order);
    return status != TARN_OK ? status : call_one(order->device->platform->ops->stream_query, order);
}

tarn_status tarn_event_query(tarn_event event) {
    struct tn_order *order = NULL;
    tarn_status status = tn_event_get(event, &order);
    return status != TARN_OK ? status : call_one(order->device->platform->ops->event_query, order);
}

tarn_status tarn_event_synchronize(tarn_event event) {
    struct tn_order *order = NULL;
    tarn_status status = tn_event_get(event, &order);
    if (status != TARN_OK) {
        return status;
    }
    const tarn_backend *ops = order->device->platform->ops;
    return wait_and_notify(ops->event_synchronize, ops->event_query, order);
}

tarn_status tn_event_synchronize_quietly(tarn_event event) {
    struct tn_order *order = NULL;
    tarn_status status = tn_event_get(event, &order);
    if (status != TARN_OK) {
        return status;
    }
    const tarn_backend *ops = order->device->platform->ops;
    return wait_one(ops->event_synchronize, ops->event_query, order);
}

tarn_status tarn_event_synchronize_for(tarn_event event, uint64_t timeout_ns) {
    if (timeout_ns == TARN_FOREVER) {
        return tarn_event_synchronize(event);
    }
    struct tn_order *order = NULL;
    tarn_status status = tn_event_get(event, &order);
    if (status != TARN_OK) {
        return status;
    }
    const tarn_backend *ops = order->device->platform->ops;
    return wait_one_for(ops->event_synchronize_until, ops->event_query, order, timeout_ns);
}

tarn_status tarn_stream_query_device(tarn_stream stream, tarn_device **device) {
    if (device == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "device is NULL");
    }
    struct tn_order *order = NULL;
    tarn_status status = tn_stream_get(stream, &order);
    if (status == TARN_OK) {
        *device = order->device;
        tn_order_put(order);
    }
    return status;
}

// ---- calls on two of them

static void put_pair(struct tn_order *a, struct tn_order *b) {
    tn_order_put(a);
    tn_order_put(b);
}

static tarn_status get_pair(const struct tn_slots *first_table, uint64_t first_id,
                            const struct tn_slots *second_table, uint64_t second_id,
                            struct tn_order **first, struct tn_order **second) {
    tarn_status status = get(first_table, first_id, first);
    if (status != TARN_OK) {
        return status;
    }
    status = get(second_table, second_id, second);
    if (status != TARN_OK) {
        tn_order_put(*first);
        return status;
    }
    if ((*first)->device->platform != (*second)->device->platform) {
        put_pair(*first, *second);
        return tn_fail(TARN_BAD_ARGUMENT, "0x%llx and 0x%llx are of different platforms",
                       (unsigned long long)first_id, (unsigned long long)second_id);
    }
    return TARN_OK;
}

tarn_status tarn_stream_wait(tarn_stream stream, tarn_event event) {
    struct tn_order *s = NULL;
    struct tn_order *e = NULL;
    tarn_status status = get_pair(&streams, stream, &events, event, &s, &e);
    if (status == TARN_OK) {
        struct tn_platform *platform = s->device->platform;
        if (tn_subscribed()) {
            tn_emit_order(TN_MEM_STREAM_WAIT, s->device, stream, event);
        }
        status = platform->ops->stream_wait(platform->p, s->backend, e->backend);
        put_pair(s, e);
    }
    return status;
}

tarn_status tarn_event_record(tarn_event event, tarn_stream stream) {
    struct tn_order *s = NULL;
    struct tn_order *e = NULL;
    tarn_status status = get_pair(&streams, stream, &events, event, &s, &e);
    if (status == TARN_OK) {
        struct tn_platform *platform = s->device->platform;
        if (tn_subscribed()) {
            tn_emit_order(TN_MEM_EVENT_RECORD, s->device, stream, event);
        }
        status = platform->ops->event_record(platform->p, e->backend, s->backend);
        put_pair(s, e);
    }
    return status;
}

tarn_status tarn_event_elapsed(tarn_event start, tarn_event end, int64_t *elapsed_ns) {
    if (elapsed_ns == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "elapsed_ns is NULL");
    }
    struct tn_order *s = NULL;
    struct tn_order *e = NULL;
    tarn_status status = get_pair(&events, start, &events, end, &s, &e);
    if (status == TARN_OK) {
        struct tn_platform *platform = s->device->platform;
        status = platform->ops->event_elapsed(platform->p, s->backend, e->backend, elapsed_ns);
        put_pair(s, e);
    }
    return status;
}

// ---- fork

void tn_stream_fork_prepare(void) {
    tn_rwlock_write_for_fork(&lock);
}

void tn_stream_fork_done(void) {
    tn_rwlock_unlock_after_fork(&lock);
}
