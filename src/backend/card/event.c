// SPDX-License-Identifier: Apache-2.0
// Events. A vendor's event belongs to a device, ours to none: it gets one of the vendor's when it
// is recorded, of the device of that stream, and another when it is next recorded elsewhere. Who
// waits keeps the one that he found.
#include <stdlib.h>

#include "backend/card/event.h"
#include "base/error.h"

void tn_card_mark_put(struct tn_card_mark *mark) {
    if (mark == NULL || tn_sub_acq_rel(&mark->refs, 1) != 1) {
        return;
    }
    struct tn_card_turn turn;
    if (tn_card_begin(mark->card, mark->device, &turn) == TARN_OK) {
        (void)mark->card->driver->event_destroy(mark->card->d, mark->native);
        tn_card_end(&turn);
    }
    free(mark);
}

// The device is current.
static tarn_status new_mark(struct tn_card *card, int device, struct tn_card_mark **out) {
    struct tn_card_mark *mark = calloc(1, sizeof *mark);
    if (mark == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for the record of an event");
    }
    *mark = (struct tn_card_mark){.card = card, .device = device, .refs = 1};
    struct tn_native answer = card->driver->event_create(card->d, &mark->native);
    if (!tn_card_good(answer)) {
        free(mark);
        return tn_card_fail(card, answer, TARN_NATIVE, TARN_NO_HANDLES, "an event of device %d",
                            device);
    }
    *out = mark;
    return TARN_OK;
}

struct tn_card_mark *tn_card_mark_get(struct tn_card_event *event) {
    tn_mutex_lock(&event->lock);
    struct tn_card_mark *mark = event->mark;
    if (mark != NULL) {
        (void)tn_add_relaxed(&mark->refs, 1);
    }
    tn_mutex_unlock(&event->lock);
    return mark;
}

// ---- life

tarn_status tn_card_event_create(void *p, void **out) {
    struct tn_card_event *event = calloc(1, sizeof *event);
    (void)p;
    if (event == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for an event");
    }
    tn_mutex_init(&event->lock, TN_RANK_BACKEND_STREAM, "event of a card");
    *out = event;
    return TARN_OK;
}

void tn_card_event_destroy(void *p, void *object) {
    struct tn_card_event *event = object;
    (void)p;
    tn_card_mark_put(event->mark);
    tn_mutex_fini(&event->lock);
    free(event);
}

// ---- record

// Records into `mark`, the event's own or a new one.
static tarn_status record_native(struct tn_card_stream *stream, const struct tn_card_mark *mark) {
    struct tn_native answer =
        stream->card->driver->event_record(stream->card->d, mark->native, stream->native);
    return tn_card_stream_answer(stream, answer, "recording an event");
}

static tarn_status record(struct tn_card_event *event, struct tn_card_stream *stream) {
    struct tn_card_mark *mark = tn_card_mark_get(event);
    if (mark != NULL && mark->device == stream->device) {
        tarn_status status = record_native(stream, mark);
        tn_card_mark_put(mark);
        return status;
    }
    tn_card_mark_put(mark);
    struct tn_card_mark *made = NULL;
    tarn_status status = new_mark(stream->card, stream->device, &made);
    if (status != TARN_OK) {
        return status;
    }
    status = record_native(stream, made);
    if (status != TARN_OK) {
        tn_card_mark_put(made);
        return status;
    }
    tn_mutex_lock(&event->lock);
    struct tn_card_mark *old = event->mark;
    event->mark = made;
    tn_mutex_unlock(&event->lock);
    tn_card_mark_put(old);
    return TARN_OK;
}

tarn_status tn_card_event_record(void *p, void *event, void *object) {
    struct tn_card_stream *stream = object;
    struct tn_card_turn turn;
    (void)p;
    tarn_status status = tn_card_stream_check(stream);
    if (status == TARN_OK) {
        status = tn_card_begin(stream->card, stream->device, &turn);
    }
    if (status == TARN_OK) {
        status = record(event, stream);
        tn_card_end(&turn);
    }
    return status;
}

// ---- waiting in a stream

tarn_status tn_card_stream_wait(void *p, void *object, void *event) {
    struct tn_card_stream *stream = object;
    struct tn_card_turn turn;
    (void)p;
    tarn_status status = tn_card_stream_check(stream);
    struct tn_card_mark *mark = status == TARN_OK ? tn_card_mark_get(event) : NULL;
    if (mark == NULL) {
        return status;
    }
    status = tn_card_begin(stream->card, stream->device, &turn);
    if (status == TARN_OK) {
        struct tn_native answer =
            stream->card->driver->stream_wait(stream->card->d, stream->native, mark->native);
        tn_card_end(&turn);
        status = tn_card_stream_answer(stream, answer, "waiting for an event");
    }
    tn_card_mark_put(mark);
    return status;
}

// ---- asking and waiting

tarn_status tn_card_mark_answer(const struct tn_card_mark *mark, struct tn_native answer) {
    if (tn_card_good(answer)) {
        return TARN_OK;
    }
    tarn_status status = mark->card->driver->status_of(answer.code);
    return status == TARN_NOT_READY || status == TARN_TIMED_OUT
               ? status
               : tn_card_fail(mark->card, answer, TARN_NATIVE, TARN_NATIVE, "an event of device %d",
                              mark->device);
}

typedef struct tn_native event_question(void *d, void *event);

static tarn_status ask(struct tn_card_event *event, event_question *question) {
    struct tn_card_turn turn;
    struct tn_card_mark *mark = tn_card_mark_get(event);
    if (mark == NULL) {
        return TARN_OK; // never recorded: holds nobody
    }
    tarn_status status = tn_card_begin(mark->card, mark->device, &turn);
    if (status == TARN_OK) {
        struct tn_native answer = question(mark->card->d, mark->native);
        tn_card_end(&turn);
        status = tn_card_mark_answer(mark, answer);
    }
    tn_card_mark_put(mark);
    return status;
}

tarn_status tn_card_event_query(void *p, void *event) {
    const struct tn_card *card = p;
    return ask(event, card->driver->event_query);
}

tarn_status tn_card_event_synchronize(void *p, void *event) {
    const struct tn_card *card = p;
    return ask(event, card->driver->event_synchronize);
}

// ---- time

static tarn_status elapsed(struct tn_card *card, const struct tn_card_mark *start,
                           const struct tn_card_mark *end, int64_t *ns) {
    struct tn_card_turn turn;
    if (start == NULL || end == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "an event was never recorded");
    }
    if (start->device != end->device) {
        return tn_fail(TARN_UNSUPPORTED, "the events are of devices %d and %d, whose clocks differ",
                       start->device, end->device);
    }
    tarn_status status = tn_card_begin(card, start->device, &turn);
    if (status == TARN_OK) {
        struct tn_native answer =
            card->driver->event_elapsed(card->d, start->native, end->native, ns);
        tn_card_end(&turn);
        status = tn_card_mark_answer(end, answer);
    }
    return status;
}

tarn_status tn_card_event_elapsed(void *p, void *start, void *end, int64_t *elapsed_ns) {
    struct tn_card_mark *first = tn_card_mark_get(start);
    struct tn_card_mark *last = tn_card_mark_get(end);
    int64_t ns = 0;
    tarn_status status = elapsed(p, first, last, &ns);
    if (status == TARN_OK) {
        *elapsed_ns = ns;
    }
    tn_card_mark_put(first);
    tn_card_mark_put(last);
    return status;
}
