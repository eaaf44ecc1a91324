// SPDX-License-Identifier: Apache-2.0
// Streams and events: handles in two tables under one lock. No call of the backend is made under
// it.
#include "core/work/stage.h"
#include "core/work/stream_call.h"

#include <tarn/face.h>

#include <stdlib.h>

#include "algo/slots.h"
#include "base/clock.h"
#include "base/readers.h"
#include "base/tsan.h"
#include "core/address/notify.h"
#include "core/platform/fork.h"
#include "core/platform/slot_kinds.h"
#include "core/work/event_shared.h"
#include "core/work/vector_clock.h"
#include "fail/point.h"

static struct tn_readers readers; // beside the lock

static void close_readers(struct tn_rwlock *of_streams) {
    (void)of_streams;
    tn_readers_close(&readers);
}

static struct tn_rwlock lock = TN_RWLOCK_BESIDE(close_readers, STREAM, "streams");
static struct tn_slots streams;
static struct tn_slots events;
static bool tables_ready;

TN_ON_FORK(streams, .rank = TN_RANK_STREAM, .rwlock = &lock);

// ---- the tables

static tarn_status insert_object(struct tn_stream_or_event *object, uint64_t *id) {
    TN_WRITE_LOCKED(&lock);
    TARN_ASSERT(object->id == 0 && object->backend != NULL);
    if (!tables_ready) {
        tn_slots_init(&streams, TN_SLOT_STREAM, 0);
        tn_slots_init(&events, TN_SLOT_EVENT, 0);
        tables_ready = true;
    }
    tarn_status status =
        tn_slots_insert(object->is_event ? &events : &streams, tn_slots_from_pointer(object), id);
    return status == TARN_OK ? TARN_OK : tn_fail(status, "the table of streams cannot grow");
}

static tarn_status not_live(const struct tn_slots *table, uint64_t id) {
    return tn_fail(TARN_BAD_HANDLE, "0x%llx is not a live %s", (unsigned long long)id,
                   table == &events ? "event" : "stream");
}

// Emits no event if there is none.
static tarn_status find_object(const struct tn_slots *table, uint64_t id,
                               struct tn_stream_or_event **object) {
    uint64_t payload = 0;
    struct tn_reader *reader = tn_readers_enter(&readers, &lock);
    bool found = tn_slots_get(table, id, &payload);
    struct tn_stream_or_event *record = found ? tn_slots_to_pointer(payload) : NULL;
    if (found) {
        unsigned refs = tn_add_relaxed(&record->refs, 1);
        TARN_ASSERT(refs != 0); // the table's own reference keeps it alive here
        (void)refs;
    }
    tn_readers_leave(reader, &lock);
    if (!found) return not_live(table, id);
    TARN_ASSERT(record->is_event == (table == &events));
    tarn_status status = tn_platform_usable(record->device->platform);
    if (status == TARN_OK)
        *object = record;
    else
        tn_stream_put(record);
    return status;
}

static tarn_status get_object(const struct tn_slots *table, uint64_t id,
                              struct tn_stream_or_event **object) {
    tarn_status status = find_object(table, id, object);
    if (status == TARN_BAD_HANDLE && tn_subscribed() && !tn_emit_is_for_pool())
        tn_emit_stale(TN_MEM_STREAM, "a call", id);
    return status;
}

tarn_status tn_stream_find(tarn_stream id, struct tn_stream_or_event **stream) {
    return find_object(&streams, id, stream);
}

tarn_status tn_stream_get(tarn_stream id, struct tn_stream_or_event **stream) {
    return get_object(&streams, id, stream);
}

tarn_status tn_event_get(tarn_event id, struct tn_stream_or_event **event) {
    return get_object(&events, id, event);
}

static void emit_object(unsigned kind, const struct tn_stream_or_event *object) {
    tn_emit_order(kind, object->device, object->is_event ? 0 : object->id,
                  object->is_event ? object->id : 0);
}

// The calling thread has seen that a stream is empty or that an event has passed, if `status` is a
// success or a failure. `foreign`: the event's record of another process, or 0.
static tarn_status emit_passed(const struct tn_stream_or_event *object, uint64_t foreign,
                               tarn_status status) {
    if ((status != TARN_OK && status != TARN_DEVICE_FAILED) || !tn_subscribed()) return status;
    if (foreign != 0)
        tn_emit_order(TN_MEM_CONDITION, object->device, 0, object->id);
    else
        emit_object(object->is_event ? TN_MEM_EVENT_SYNC : TN_MEM_STREAM_SYNC, object);
    return status;
}

// The beginning or the end of a handle. Pools use events of their own all the time.
static void emit_handle(unsigned kind, const struct tn_stream_or_event *object) {
    if (tn_emit_is_for_pool()) return;
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = (uint16_t)kind, .what = TN_MEM_STREAM,
                                              .device = object->device->ordinal,
                                              .object = object->id));
}

static void count_object(const struct tn_stream_or_event *object, int by) {
    if (object->is_event)
        TN_COUNT(object->device->platform, events, by);
    else
        TN_COUNT(object->device->platform, streams, by);
}

// ---- the known order of streams

struct tn_vector_clock *tn_stream_clock(struct tn_stream_or_event *stream) {
    TARN_ASSERT(!stream->is_event);
    struct tn_vector_clock *now = tn_load_acquire(&stream->clock);
    struct tn_vector_clock *fresh = now == NULL ? tn_vector_clock_new() : NULL;
    if (fresh != NULL) {
        if (tn_cas_acq_rel(&stream->clock, &now, fresh)) return fresh;
        tn_vector_clock_put(fresh); // another thread was faster
    }
    return now;
}

static struct tn_clock_stamp *stamp_of(struct tn_stream_or_event *event) {
    TARN_ASSERT(event->is_event);
    struct tn_clock_stamp *now = tn_load_acquire(&event->stamp);
    struct tn_clock_stamp *fresh = now == NULL ? calloc(1, sizeof *fresh) : NULL;
    if (fresh != NULL) {
        tn_clock_stamp_init(fresh);
        if (tn_cas_acq_rel(&event->stamp, &now, fresh)) return fresh;
        free(fresh);
    }
    return now;
}

// ---- destroy

static void backend_destroy(struct tn_stream_or_event *object) {
    struct tn_platform *platform = object->device->platform;
    if (object->is_event)
        platform->ops->event_destroy(platform->p, object->backend);
    else
        platform->ops->stream_destroy(platform->p, object->backend);
}

static void destroy_object(struct tn_stream_or_event *object) {
    struct tn_platform *platform = object->device->platform;
    TARN_ASSERT(tn_load_relaxed(&object->refs) == 0);
    TARN_ASSERT(object->is_event || object->page == NULL);
    if (!object->is_event) {
        // The program does not learn that the work of a retired stream is complete.
        if (object->retired) tn_tsan_ignore(true);
        tarn_status status =
            platform->ops->stream_synchronize(platform->p, object->backend, UINT64_MAX);
        if (object->retired)
            tn_tsan_ignore(false);
        else
            (void)emit_passed(object, 0, status);
        tn_host_call_drop_all(object);
        tn_stage_drop_all(object);
    }
    if (tn_subscribed())
        emit_object(object->is_event ? TN_MEM_EVENT_END : TN_MEM_STREAM_END, object);
    TARN_ASSERT(object->calls == NULL && object->stages == NULL); // they die with the stream
    backend_destroy(object);
    if (object->page != NULL) tn_event_page_put(object->page);
    count_object(object, -1);
    tn_vector_clock_put(tn_load_relaxed(&object->clock));
    struct tn_clock_stamp *stamp = tn_load_relaxed(&object->stamp);
    if (stamp != NULL) {
        tn_clock_stamp_fini(stamp);
        free(stamp);
    }
    free(object);
}

void tn_stream_put(struct tn_stream_or_event *object) {
    if (tn_sub_acq_rel(&object->refs, 1) == 1) destroy_object(object);
}

// A host function may destroy a stream that is idle. Events never need a wait.
static tarn_status check_destroy(const struct tn_stream_or_event *object) {
    const struct tn_platform *platform = object->device->platform;
    bool waits = !object->is_event && tn_platform_inside_hostfn(platform) &&
                 platform->ops->stream_query(platform->p, object->backend) == TARN_NOT_READY;
    return waits ? tn_platform_may_wait(platform) : TARN_OK;
}

static tarn_status remove_object(struct tn_slots *table, uint64_t id, bool retire) {
    TN_STREAM_GET(object, find_object(table, id, &object));
    TN_TRY(check_destroy(object));
    tn_rwlock_write(&lock);
    bool removed = tn_slots_remove(table, id, NULL); // false: another thread was faster
    if (removed) object->retired = retire;
    tn_rwlock_unlock(&lock);
    if (!removed) return not_live(table, id);
    if (tn_subscribed()) emit_handle(TN_MEM_RESOURCE_END, object);
    tn_stream_put(object); // the table's reference
    return TARN_OK;
}

// 0 is no handle, and ends nothing.
static tarn_status end_handle(struct tn_slots *table, uint64_t id, bool retire, const char *call) {
    return id == 0 ? TARN_OK : tn_refused(remove_object(table, id, retire), call, 0, 0, id);
}

tarn_status tarn_stream_destroy(tarn_stream stream) {
    return TN_DONE(end_handle(&streams, stream, false, "tarn_stream_destroy"));
}

tarn_status tarn_stream_retire(tarn_stream stream) {
    return TN_DONE(end_handle(&streams, stream, true, "tarn_stream_retire"));
}

tarn_status tarn_event_destroy(tarn_event event) {
    return TN_DONE(end_handle(&events, event, false, "tarn_event_destroy"));
}

// ---- create

enum maker { MAKE_STREAM, MAKE_WRAPPER, MAKE_EVENT };

static tarn_status backend_create(struct tn_stream_or_event *object, enum maker maker,
                                  void *native) {
    struct tn_platform *platform = object->device->platform;
    int device = object->device->ordinal;
    switch (maker) {
    case MAKE_STREAM: return platform->ops->stream_create(platform->p, device, &object->backend);
    case MAKE_WRAPPER:
        return platform->ops->stream_wrap(platform->p, device, native, &object->backend);
    default: return platform->ops->event_create(platform->p, &object->backend);
    }
}

// Takes over the reference to `page`, which is NULL unless the event is shared, on success.
static tarn_status create_object(tarn_device *device, enum maker maker, void *native,
                                 struct tn_event_page *page, uint64_t *id) {
    bool is_event = maker == MAKE_EVENT;
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(id == NULL, TARN_BAD_ARGUMENT, "%s is NULL", is_event ? "event" : "stream");
    struct tn_stream_or_event *object = calloc(1, sizeof *object);
    TN_REFUSE(object == NULL, TARN_NO_HOST_MEMORY, "no memory for a %s",
              is_event ? "event" : "stream");
    *object = (struct tn_stream_or_event){
        .device = device, .is_event = is_event, .refs = 1, .page = page};
    tarn_status status = backend_create(object, maker, native);
    if (status != TARN_OK) goto err_free;
    status = insert_object(object, &object->id);
    if (status != TARN_OK) goto err_destroy;
    if (!is_event && tn_subscribed()) emit_object(TN_MEM_STREAM_BEGIN, object);
    if (tn_subscribed()) emit_handle(TN_MEM_RESOURCE_BEGIN, object);
    count_object(object, 1);
    *id = object->id;
    return TARN_OK;

err_destroy:
    backend_destroy(object);
err_free:
    free(object);
    return status;
}

tarn_status tarn_stream_create(tarn_device *device, tarn_stream *stream) {
    TN_FAIL_POINT(0, 0);
    return TN_DONE(create_object(device, MAKE_STREAM, NULL, NULL, stream));
}

tarn_status tarn_stream_wrap(tarn_device *device, void *native, tarn_stream *stream) {
    TN_FAIL_POINT(0, 0);
    return TN_DONE(create_object(device, MAKE_WRAPPER, native, NULL, stream));
}

tarn_status tarn_event_create(tarn_device *device, tarn_event *event) {
    TN_FAIL_POINT(0, 0);
    return TN_DONE(create_object(device, MAKE_EVENT, NULL, NULL, event));
}

// ---- events that processes share

static tarn_status check_conditions(tarn_device *device) {
    TN_TRY(tn_device_usable(device));
    return (device->caps.features & TARN_FEATURE_CONDITIONS) != 0
               ? TARN_OK
               : tn_fail(TARN_UNSUPPORTED, "device %d has no events between processes",
                         device->ordinal);
}

static tarn_status create_with_page(tarn_device *device, struct tn_event_page *page,
                                    tarn_event *event) {
    tarn_status status = create_object(device, MAKE_EVENT, NULL, page, event);
    if (status != TARN_OK) tn_event_page_put(page);
    return status;
}

tarn_status tarn_event_create_shared(tarn_device *device, tarn_event *event) {
    TN_FAIL_POINT(0, 0);
    struct tn_event_page *page = NULL;
    TN_TRY(check_conditions(device));
    TN_TRY(tn_event_page_create(&page));
    return TN_DONE(create_with_page(device, page, event));
}

tarn_status tarn_event_import(tarn_device *device, const tarn_key *key, tarn_event *event) {
    TN_FAIL_POINT(0, 0);
    struct tn_event_page *page = NULL;
    TN_TRY(check_conditions(device));
    TN_REFUSE(key == NULL, TARN_BAD_ARGUMENT, "key is NULL");
    TN_TRY(tn_event_page_open(key, &page));
    return TN_DONE(create_with_page(device, page, event));
}

tarn_status tarn_event_export(tarn_event event, tarn_key *key) {
    TN_FAIL_POINT(0, 0);
    TN_REFUSE(key == NULL, TARN_BAD_ARGUMENT, "key is NULL");
    TN_STREAM_GET(e, tn_event_get(event, &e));
    TN_REFUSE(e->page == NULL, TARN_BAD_ARGUMENT, "0x%llx was created for this process alone",
              (unsigned long long)event);
    return TN_DONE(tn_event_page_key(e->page, key));
}

// ---- calls about one stream or event

// Queries the backend without waiting, or waits until the deadline.
static tarn_status backend_wait(struct tn_stream_or_event *object, bool only_query,
                                uint64_t timeout_ns) {
    struct tn_platform *platform = object->device->platform;
    const tarn_backend *ops = platform->ops;
    bool is_event = object->is_event;
    if (only_query)
        return (is_event ? ops->event_query : ops->stream_query)(platform->p, object->backend);
    return (is_event ? ops->event_synchronize : ops->stream_synchronize)(
        platform->p, object->backend, tn_deadline(timeout_ns));
}

static tarn_status wait_and_emit(struct tn_stream_or_event *object, bool only_query,
                                 uint64_t timeout_ns) {
    uint64_t foreign = tn_event_shared_foreign(object);
    if (foreign == 0) return emit_passed(object, 0, backend_wait(object, only_query, timeout_ns));
    tarn_status status =
        tn_event_shared_await(object, foreign, only_query ? 0 : tn_deadline(timeout_ns));
    return emit_passed(object, foreign,
                       status == TARN_NOT_READY && !only_query ? TARN_TIMED_OUT : status);
}

// `quietly`: release thresholds are not applied.
static tarn_status synchronize(const struct tn_slots *table, uint64_t id, uint64_t timeout_ns,
                               bool quietly) {
    struct tn_stream_or_event *object = NULL;
    TN_TRY(get_object(table, id, &object));
    tarn_device *device = object->device;
    // A host function may not wait, but it may find out that no wait is needed.
    bool only_query = timeout_ns == 0 || tn_platform_inside_hostfn(device->platform);
    tarn_status status = wait_and_emit(object, only_query, timeout_ns);
    tn_stream_put(object);
    if (status == TARN_NOT_READY && timeout_ns != 0) return tn_platform_may_wait(device->platform);
    if (status == TARN_OK && !quietly) tn_synchronized(device);
    bool late = status == TARN_NOT_READY || status == TARN_TIMED_OUT;
    return late ? tn_timed_out(timeout_ns) : status;
}

tarn_status tarn_stream_synchronize(tarn_stream stream, uint64_t timeout_ns) {
    TN_FAIL_POINT(0, 0);
    return TN_DONE(synchronize(&streams, stream, timeout_ns, false));
}

tarn_status tarn_event_synchronize(tarn_event event, uint64_t timeout_ns) {
    TN_FAIL_POINT(0, 0);
    return TN_DONE(synchronize(&events, event, timeout_ns, false));
}

tarn_status tn_stream_synchronize_quietly(tarn_stream stream) {
    return synchronize(&streams, stream, TARN_FOREVER, true);
}

tarn_status tn_event_synchronize_quietly(tarn_event event) {
    return synchronize(&events, event, TARN_FOREVER, true);
}

static tarn_status query_object(const struct tn_slots *table, uint64_t id) {
    TN_STREAM_GET(object, get_object(table, id, &object));
    return wait_and_emit(object, true, 0);
}

tarn_status tarn_stream_query(tarn_stream stream) {
    return TN_DONE(query_object(&streams, stream));
}

tarn_status tarn_event_query(tarn_event event) { return TN_DONE(query_object(&events, event)); }

static tarn_status peek_object(const struct tn_slots *table, uint64_t id) {
    TN_STREAM_GET(object, get_object(table, id, &object));
    const tarn_backend *ops = object->device->platform->ops;
    uint64_t foreign = tn_event_shared_foreign(object);
    if (foreign != 0) return TN_DONE(tn_event_shared_await(object, foreign, 0));
    return TN_DONE((object->is_event ? ops->event_peek : ops->stream_peek)(
        object->device->platform->p, object->backend));
}

tarn_status tarn_stream_peek(tarn_stream stream) { return TN_DONE(peek_object(&streams, stream)); }

tarn_status tarn_event_peek(tarn_event event) { return TN_DONE(peek_object(&events, event)); }

tarn_status tarn_stream_call(tarn_stream stream, void (*fn)(void *), void *arg) {
    TN_FAIL_POINT(0, 0);
    TN_REFUSE(fn == NULL, TARN_BAD_ARGUMENT, "fn is NULL");
    TN_STREAM_GET(object, tn_stream_get(stream, &object));
    return TN_DONE(tn_host_call_enqueue(object, fn, arg));
}

tarn_status tarn_stream_run(tarn_stream stream, void (*fn)(void *arg, uint64_t part), void *arg,
                            uint64_t parts) {
    TN_FAIL_POINT(0, 0);
    TN_REFUSE(fn == NULL, TARN_BAD_ARGUMENT, "fn is NULL");
    TN_REFUSE(parts == 0, TARN_BAD_ARGUMENT, "parts is 0");
    TN_STREAM_GET(object, tn_stream_get(stream, &object));
    return TN_DONE(tn_run_enqueue(object, fn, arg, parts));
}

tarn_status tarn_stream_wait_until(tarn_stream stream,
                                   tarn_status (*passed)(void *arg, bool dropped), void *arg) {
    TN_FAIL_POINT(0, 0);
    TN_REFUSE(passed == NULL, TARN_BAD_ARGUMENT, "passed is NULL");
    TN_STREAM_GET(object, tn_stream_get(stream, &object));
    return TN_DONE(tn_condition_enqueue(object, passed, arg));
}

// `failure` is NULL for an abort.
static tarn_status drop_work(tarn_stream stream, const char *failure) {
    TN_STREAM_GET(object, tn_stream_get(stream, &object));
    const tarn_backend *ops = object->device->platform->ops;
    void *p = object->device->platform->p;
    TN_TRY(failure == NULL ? ops->stream_abort(p, object->backend)
                           : ops->stream_fail(p, object->backend, failure));
    tn_clock_forget_all(); // the waits of the stream are dropped too
    return TARN_OK;
}

tarn_status tarn_stream_abort(tarn_stream stream) {
    TN_FAIL_POINT(0, 0);
    return TN_DONE(drop_work(stream, NULL));
}

tarn_status tarn_stream_fail(tarn_stream stream, const char *text) {
    TN_FAIL_POINT(0, 0);
    TN_REFUSE(text == NULL, TARN_BAD_ARGUMENT, "text is NULL");
    return TN_DONE(drop_work(stream, text));
}

tarn_status tarn_stream_set_resilient(tarn_stream stream, bool resilient) {
    TN_STREAM_GET(object, tn_stream_get(stream, &object));
    struct tn_platform *platform = object->device->platform;
    return TN_DONE(platform->ops->stream_set_resilient(platform->p, object->backend, resilient));
}

// ---- calls about two of them

// Gets references to an event and to a stream or another event. Refuses two platforms. The caller
// drops them, also after a failure.
static tarn_status get_pair(tarn_event event, const struct tn_slots *table, uint64_t id,
                            struct tn_stream_or_event **first, struct tn_stream_or_event **second) {
    TN_TRY(get_object(table, id, second));
    TN_TRY(tn_event_get(event, first));
    TN_REFUSE((*first)->device->platform != (*second)->device->platform, TARN_BAD_ARGUMENT,
              "0x%llx and 0x%llx are of different platforms", (unsigned long long)id,
              (unsigned long long)event);
    return TARN_OK;
}

enum order { ORDER_RECORD, ORDER_WAIT, ORDER_FOLLOW };

// Passes a record of an event, or a wait for one, to the back-end.
static tarn_status enqueue_order(enum order order, struct tn_stream_or_event *e,
                                 struct tn_stream_or_event *s) {
    struct tn_platform *platform = s->device->platform;
    TARN_ASSERT(e->is_event && !s->is_event && e->device->platform == platform);
    unsigned kind = order == ORDER_RECORD ? TN_MEM_EVENT_RECORD : TN_MEM_STREAM_WAIT;
    if (tn_subscribed()) tn_emit_order(kind, s->device, s->id, e->id);
    if (order == ORDER_WAIT) return platform->ops->stream_wait(platform->p, s->backend, e->backend);
    if (order == ORDER_FOLLOW)
        return platform->ops->stream_follow(platform->p, s->backend, e->backend);
    TN_TRY(e->page != NULL ? tn_event_shared_record(e, s) : TARN_OK);
    return platform->ops->event_record(platform->p, e->backend, s->backend);
}

// The same, once a pool needs the order of streams: keeps the vector clocks too. The order stays
// unknown for a shared event, which other processes may record, and if host memory for the
// clocks is exhausted.
static tarn_status enqueue_known_order(enum order order, struct tn_stream_or_event *e,
                                       struct tn_stream_or_event *s) {
    struct tn_clock_stamp *stamp = e->page == NULL ? stamp_of(e) : NULL;
    if (stamp == NULL) return enqueue_order(order, e, s);
    struct tn_vector_clock *clock = tn_stream_clock(s);
    tarn_status status;
    if (order != ORDER_RECORD) {
        uint64_t change = tn_clock_wait_begin(stamp);
        status = enqueue_order(order, e, s);
        tn_clock_wait_end(stamp, clock, status == TARN_OK ? change : 0);
    } else {
        struct tn_clock_record record;
        tn_clock_record_begin(stamp, clock, &record);
        status = enqueue_order(order, e, s);
        tn_clock_record_end(stamp, &record, status == TARN_OK);
    }
    return status;
}

// Records an event in a stream, or makes the stream wait for it.
static tarn_status order_pair(enum order order, tarn_event event, tarn_stream stream) {
    TN_STREAM_HELD struct tn_stream_or_event *e = NULL;
    TN_STREAM_HELD struct tn_stream_or_event *s = NULL;
    TN_TRY(get_pair(event, &streams, stream, &e, &s));
    uint64_t foreign = order != ORDER_RECORD ? tn_event_shared_foreign(e) : 0;
    if (foreign != 0) return tn_event_shared_wait(e, s, foreign);
    return tn_clock_started() ? enqueue_known_order(order, e, s) : enqueue_order(order, e, s);
}

tarn_status tarn_stream_wait(tarn_stream stream, tarn_event event, uint32_t flags) {
    TN_FAIL_POINT(0, 0);
    TN_REFUSE((flags & ~(uint32_t)TARN_STREAM_FOLLOW) != 0, TARN_BAD_ARGUMENT,
              "flags 0x%x are unknown", flags);
    return TN_DONE(order_pair(flags != 0 ? ORDER_FOLLOW : ORDER_WAIT, event, stream));
}

tarn_status tarn_event_record(tarn_event event, tarn_stream stream) {
    TN_FAIL_POINT(0, 0);
    return TN_DONE(order_pair(ORDER_RECORD, event, stream));
}

tarn_status tarn_event_elapsed(tarn_event start, tarn_event end, int64_t *elapsed_ns) {
    TN_REFUSE(elapsed_ns == NULL, TARN_BAD_ARGUMENT, "elapsed_ns is NULL");
    TN_STREAM_HELD struct tn_stream_or_event *e = NULL;
    TN_STREAM_HELD struct tn_stream_or_event *s = NULL;
    TN_TRY(get_pair(end, &events, start, &e, &s));
    struct tn_platform *platform = s->device->platform;
    return TN_DONE(platform->ops->event_elapsed(platform->p, s->backend, e->backend, elapsed_ns));
}
