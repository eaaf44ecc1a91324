// SPDX-License-Identifier: Apache-2.0
// Streams. What the vendor tells once about a stream that has failed is kept, so that it is told
// at every later call. A wrapped stream is somebody else's, and is only forgotten.
#include <stdlib.h>

#include "backend/card/card.h"
#include "base/error.h"

// ---- what calls about it gave

void tn_card_stream_fault(struct tn_card_stream *stream, struct tn_native answer) {
    if (!tn_card_good(answer) && !atomic_exchange(&stream->faulting, true)) {
        stream->code = answer.code;
        stream->call = answer.call;
        tn_store_release(&stream->faulted, true);
    }
}

tarn_status tn_card_stream_check(struct tn_card_stream *stream) {
    if (!tn_load_acquire(&stream->faulted)) {
        return TARN_OK;
    }
    const struct tn_card *card = stream->card;
    return tn_fail_native(TARN_DEVICE_FAULT, stream->call, stream->code,
                          "%s: the stream at 0x%llx of device %d has failed: %s: %s (%lld)",
                          card->driver->name, (unsigned long long)(uintptr_t)stream->native,
                          stream->device, stream->call,
                          card->driver->error_name(card->d, stream->code), (long long)stream->code);
}

tarn_status tn_card_stream_answer(struct tn_card_stream *stream, struct tn_native answer,
                                  const char *what) {
    const struct tn_card *card = stream->card;
    if (tn_card_good(answer)) {
        return TARN_OK;
    }
    tarn_status status = card->driver->status_of(answer.code);
    if (status == TARN_NOT_READY || status == TARN_TIMED_OUT) {
        return status;
    }
    if (status == TARN_DEVICE_FAULT) {
        tn_card_stream_fault(stream, answer);
        return tn_card_stream_check(stream);
    }
    return tn_card_fail(card, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                        "%s in a stream of device %d", what, stream->device);
}

// ---- life

static tarn_status adopt(struct tn_card *card, int device, void *native, bool borrowed,
                         struct tn_card_stream **out) {
    struct tn_card_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for the record of a stream");
    }
    *stream = (struct tn_card_stream){
        .card = card, .refs = 1, .device = device, .native = native, .borrowed = borrowed};
    tn_mutex_init(&stream->lock, TN_RANK_BACKEND_STREAM, "stream of a card");
    tn_mutex_init(&stream->staging, TN_RANK_BACKEND_INNER, "staging of a stream");
    tn_mutex_lock(&card->lock);
    stream->next = card->streams;
    if (stream->next != NULL) {
        stream->next->prev = stream;
    }
    card->streams = stream;
    tn_mutex_unlock(&card->lock);
    *out = stream;
    return TARN_OK;
}

static tarn_status create_native(struct tn_card *card, int device, void **native) {
    struct tn_card_turn turn;
    tarn_status status = tn_card_begin(card, device, &turn);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = card->driver->stream_create(card->d, native);
    tn_card_end(&turn);
    return tn_card_good(answer) ? TARN_OK
                                : tn_card_fail(card, answer, TARN_NATIVE, TARN_NO_HANDLES,
                                               "a stream of device %d", device);
}

static void destroy_native(struct tn_card *card, int device, void *native) {
    struct tn_card_turn turn;
    if (tn_card_begin(card, device, &turn) == TARN_OK) {
        (void)card->driver->stream_destroy(card->d, native);
        tn_card_end(&turn);
    }
}

tarn_status tn_card_stream_new(struct tn_card *card, int device, struct tn_card_stream **stream) {
    void *native = NULL;
    tarn_status status = create_native(card, device, &native);
    if (status != TARN_OK) {
        return status;
    }
    status = adopt(card, device, native, false, stream);
    if (status != TARN_OK) {
        destroy_native(card, device, native);
    }
    return status;
}

static void unlink_stream(struct tn_card_stream *stream) {
    struct tn_card *card = stream->card;
    if (stream->prev != NULL) {
        stream->prev->next = stream->next;
    } else {
        card->streams = stream->next;
    }
    if (stream->next != NULL) {
        stream->next->prev = stream->prev;
    }
}

void tn_card_stream_put(struct tn_card_stream *stream) {
    struct tn_card *card = stream->card;
    tn_mutex_lock(&card->lock);
    bool last = --stream->refs == 0;
    if (last) {
        unlink_stream(stream);
    }
    tn_mutex_unlock(&card->lock);
    if (!last) {
        return;
    }
    if (!stream->borrowed) {
        destroy_native(card, stream->device, stream->native);
    }
    tn_card_drop_calls(stream);
    tn_card_stage_free(stream);
    tn_mutex_fini(&stream->lock);
    free(stream);
}

tarn_status tn_card_stream_create(void *p, int device, void **stream) {
    struct tn_card_stream *made = NULL;
    tarn_status status = tn_card_stream_new(p, device, &made);
    if (status == TARN_OK) {
        *stream = made;
    }
    return status;
}

tarn_status tn_card_stream_wrap(void *p, int device, void *native, void **stream) {
    struct tn_card_stream *made = NULL;
    tarn_status status = adopt(p, device, native, true, &made);
    if (status == TARN_OK) {
        *stream = made;
    }
    return status;
}

void tn_card_stream_destroy(void *p, void *stream) {
    (void)p;
    tn_card_stream_put(stream);
}

// ---- asking and waiting

tarn_status tn_card_stream_waited(struct tn_card_stream *stream, struct tn_native answer) {
    tarn_status status =
        tn_card_good(answer) ? TARN_OK : stream->card->driver->status_of(answer.code);
    if (status == TARN_NATIVE) {
        tn_card_stream_fault(stream, answer);
    }
    if (status != TARN_OK && status != TARN_NATIVE) {
        return tn_card_stream_answer(stream, answer, "waiting");
    }
    return tn_card_stream_check(stream); // work of ours may have failed as well
}

typedef struct tn_native stream_question(void *d, void *stream);

static tarn_status ask(struct tn_card_stream *stream, stream_question *question) {
    struct tn_card_turn turn;
    tarn_status status = tn_card_stream_check(stream);
    if (status == TARN_OK) {
        status = tn_card_begin(stream->card, stream->device, &turn);
    }
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = question(stream->card->d, stream->native);
    tn_card_end(&turn);
    return tn_card_stream_waited(stream, answer);
}

tarn_status tn_card_stream_synchronize(void *p, void *object) {
    struct tn_card_stream *stream = object;
    (void)p;
    return ask(stream, stream->card->driver->stream_synchronize);
}

tarn_status tn_card_stream_query(void *p, void *object) {
    struct tn_card_stream *stream = object;
    (void)p;
    return ask(stream, stream->card->driver->stream_query);
}

tarn_status tn_card_device_synchronize(void *p, int device) {
    struct tn_card *card = p;
    struct tn_card_turn turn;
    tarn_status status = tn_card_begin(card, device, &turn);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = card->driver->device_synchronize(card->d);
    tn_card_end(&turn);
    // What failed is told by its stream.
    return tn_card_good(answer) || card->driver->status_of(answer.code) == TARN_DEVICE_FAULT
               ? TARN_OK
               : tn_card_fail(card, answer, TARN_NATIVE, TARN_NATIVE, "waiting for device %d",
                              device);
}
