// SPDX-License-Identifier: Apache-2.0
// The bytes of an object and the order of the streams that use them; and the list of live ranges. A
// content is written by fills, copies from the host and copies from another content, and it is
// compared at once or behind a copy in a stream.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/world.h"

struct content *content_new(struct step *step, int writer) {
    struct content *content = (struct content *)calloc(1, sizeof *content);
    CHECK(step, content != NULL);
    (void)pthread_mutex_init(&content->lock, NULL);
    content->refs = 1;
    content->writer = writer;
    return content;
}

struct content *content_share(struct content *content) {
    (void)pthread_mutex_lock(&content->lock);
    content->refs++;
    (void)pthread_mutex_unlock(&content->lock);
    return content;
}

void content_drop(struct content *content) {
    (void)pthread_mutex_lock(&content->lock);
    bool last = --content->refs == 0;
    (void)pthread_mutex_unlock(&content->lock);
    if (!last) return;
    (void)pthread_mutex_destroy(&content->lock);
    free(content);
}

// ---- the order of streams

int stream_draw(struct step *step) {
    return draw_one_in(&step->draw, 5) ? NO_STREAM : (int)draw_below(&step->draw, STREAMS);
}

int stream_device(int stream) { return stream % DEVICES; }

static tarn_stream stream_at(const struct step *step, int stream) {
    return stream == NO_STREAM ? TARN_STREAM_NONE : step->world->streams[stream];
}

void stream_wait_all(struct step *step, uint32_t streams) {
    for (int s = 0; s < STREAMS; s++)
        if ((streams >> s & 1) != 0)
            INSIST(step, tarn_stream_synchronize(step->world->streams[s], TARN_FOREVER));
}

static uint32_t writers(const struct content *content) {
    return content->writer == NO_STREAM ? 0 : UINT32_C(1) << content->writer;
}

uint32_t content_users(const struct content *content) {
    return writers(content) | content->readers;
}

void content_settle(struct step *step, struct content *content) {
    stream_wait_all(step, content_users(content));
    content->writer = NO_STREAM;
    content->readers = 0;
}

// Makes `stream` wait for what `other` has got so far.
static void stream_follow(struct step *step, int other, int stream) {
    struct world *w = step->world;
    bool own_event = draw_one_in(&step->draw, 2);
    tarn_event event = w->events[other];
    if (own_event && !EXPECT(step, tarn_event_create(w->devices[other % DEVICES], &event), TARN_OK))
        own_event = false, event = 0; // the host waits instead
    if (event == 0 || !EXPECT(step, tarn_event_record(event, w->streams[other]), TARN_OK) ||
        !EXPECT(step, tarn_stream_wait(w->streams[stream], event, 0), TARN_OK))
        stream_wait_all(step, UINT32_C(1) << other);
    if (own_event) CHECK(step, tarn_event_destroy(event) == TARN_OK);
}

void content_order(struct step *step, struct content *content, int stream, bool reads) {
    uint32_t before = reads ? writers(content) : content_users(content);
    if (stream == NO_STREAM) stream_wait_all(step, before);
    for (int s = 0; s < STREAMS && stream != NO_STREAM; s++)
        if (s != stream && (before >> s & 1) != 0) stream_follow(step, s, stream);
}

static void content_wrote(struct content *content, int stream, uint32_t id) {
    content->writer = stream;
    content->readers = 0;
    content->id = id;
}

static void content_read(struct content *content, int stream) {
    if (stream != NO_STREAM) content->readers |= UINT32_C(1) << stream;
}

// ---- writes

uint32_t content_word(uint32_t id, uint64_t index) {
    uint64_t words = PAGE / sizeof(uint32_t);
    return id + (index % words == 0 ? (uint32_t)(index / words) * UINT32_C(0x9e3779b1) : 0);
}

static uint64_t stamp_count(uint64_t bytes) {
    return bytes < sizeof(uint32_t) ? 0 : (bytes - sizeof(uint32_t)) / PAGE + 1;
}

// Describes the copy of the first word of each page, from or to an array.
static tarn_copy_desc stamps(tarn_addr dst, tarn_addr src, bool to_array, uint64_t count) {
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    desc.dst = dst;
    desc.src = src;
    desc.width = sizeof(uint32_t);
    desc.height = count;
    desc.dst_pitch = to_array ? sizeof(uint32_t) : PAGE;
    desc.src_pitch = to_array ? PAGE : sizeof(uint32_t);
    return desc;
}

void content_write(struct step *step, struct content *content, tarn_addr addr, uint64_t bytes,
                   int stream, int device) {
    struct world *w = step->world;
    uint32_t id = ++w->last_id * UINT32_C(0x01000193);
    tarn_device *executes = stream == NO_STREAM ? w->devices[device] : NULL;
    (void)pthread_mutex_lock(&content->lock);
    content_order(step, content, stream, false);
    if (EXPECT(step, tarn_fill(executes, addr, id, 4, bytes / 4, stream_at(step, stream)),
               TARN_OK)) {
        uint64_t count = stamp_count(bytes);
        uint32_t *words = (uint32_t *)malloc((count + 1) * sizeof *words);
        CHECK(step, words != NULL);
        for (uint64_t i = 0; i < count; i++) words[i] = content_word(id, i * (PAGE / 4));
        tarn_copy_desc desc = stamps(addr, TARN_ADDR(words), false, count);
        desc.flags = TARN_COPY_TAKE_SOURCE;
        if (count > 0) INSIST(step, tarn_copy_box(executes, &desc, stream_at(step, stream)));
        free(words);
        content_wrote(content, stream, id);
        step_log(step, "bytes 0x%" PRIx64 " +0x%" PRIx64 ": %08" PRIx32 " in stream %d", addr,
                 bytes, id, stream);
    }
    (void)pthread_mutex_unlock(&content->lock);
}

void content_copy(struct step *step, struct content *to, tarn_addr dst, struct content *from,
                  tarn_addr src, uint64_t bytes, int stream, int device) {
    struct world *w = step->world;
    if (to == from) return;
    (void)pthread_mutex_lock(&(to < from ? to : from)->lock);
    (void)pthread_mutex_lock(&(to < from ? from : to)->lock);
    content_order(step, from, stream, true);
    content_order(step, to, stream, false);
    tarn_device *executes = stream == NO_STREAM ? w->devices[device] : NULL;
    if (EXPECT(step, tarn_copy(executes, dst, src, bytes / 4 * 4, stream_at(step, stream)),
               TARN_OK)) {
        content_read(from, stream);
        content_wrote(to, stream, from->id);
        step_log(step, "bytes 0x%" PRIx64 " +0x%" PRIx64 ": copied from 0x%" PRIx64 " in stream %d",
                 dst, bytes, src, stream);
    }
    (void)pthread_mutex_unlock(&to->lock);
    (void)pthread_mutex_unlock(&from->lock);
}

// ---- comparisons

enum { WINDOWS = 3, WINDOW_WORDS = 128 };

// The words that a comparison looks at: the stamps, and a window at the start, at the end and
// between them.
struct look {
    struct step step; // that asked for it
    tarn_addr addr;
    uint32_t id;
    int stream;
    uint64_t stamp_count, windows[WINDOWS];
    uint64_t window_words;
    uint32_t *words;
};

static void look_compare(void *arg) {
    struct look *look = (struct look *)arg;
    const uint32_t *words = look->words;
    for (uint64_t i = 0; i < look->stamp_count + WINDOWS * look->window_words; i++) {
        uint64_t k = i - look->stamp_count;
        uint64_t at = i < look->stamp_count
                          ? i * (PAGE / 4)
                          : look->windows[k / look->window_words] + k % look->window_words;
        uint32_t want = content_word(look->id, at);
        if (look->step.world->bytes && words[i] != want)
            step_fail(&look->step,
                      "the word at 0x%" PRIx64 " +0x%" PRIx64 " is %08" PRIx32 ", not %08" PRIx32
                      ", in stream %d",
                      look->addr, at * 4, words[i], want, look->stream);
    }
    look->step.world->checks++;
    free(look->words);
    free(look);
}

static struct look *look_new(struct step *step, const struct content *content, tarn_addr addr,
                             uint64_t bytes, int stream) {
    struct look *look = (struct look *)calloc(1, sizeof *look);
    uint64_t words = bytes / 4;
    CHECK(step, look != NULL);
    *look = (struct look){.step = *step, .addr = addr, .id = content->id, .stream = stream};
    look->stamp_count = stamp_count(bytes);
    look->window_words = words < WINDOW_WORDS ? words : WINDOW_WORDS;
    look->windows[1] = draw_next(&step->draw) % (words - look->window_words + 1);
    look->windows[2] = words - look->window_words;
    look->words =
        (uint32_t *)malloc((look->stamp_count + WINDOWS * look->window_words) * sizeof(uint32_t));
    CHECK(step, look->words != NULL);
    return look;
}

void content_check(struct step *step, struct content *content, tarn_addr addr, uint64_t bytes,
                   int stream, int device) {
    struct world *w = step->world;
    if (bytes < 4) return;
    (void)pthread_mutex_lock(&content->lock);
    if (content->id != 0) {
        struct look *look = look_new(step, content, addr, bytes, stream);
        tarn_device *executes = stream == NO_STREAM ? w->devices[device] : NULL;
        tarn_stream s = stream_at(step, stream);
        content_order(step, content, stream, true);
        tarn_copy_desc desc = stamps(TARN_ADDR(look->words), addr, true, look->stamp_count);
        INSIST(step, tarn_copy_box(executes, &desc, s));
        for (int i = 0; i < WINDOWS; i++) {
            uint64_t at = look->stamp_count + (uint64_t)i * look->window_words;
            INSIST(step, tarn_copy(executes, TARN_ADDR(look->words + at),
                                   addr + look->windows[i] * 4, look->window_words * 4, s));
        }
        content_read(content, stream);
        if (stream == NO_STREAM) {
            look_compare(look);
        } else if (!EXPECT(step, tarn_stream_call(s, look_compare, look), TARN_OK)) {
            stream_wait_all(step, UINT32_C(1) << stream);
            look_compare(look);
        }
    }
    (void)pthread_mutex_unlock(&content->lock);
}

// ---- live ranges

void range_add(struct step *step, tarn_addr start, uint64_t bytes) {
    struct world *w = step->world;
    (void)pthread_mutex_lock(&w->range_lock);
    for (unsigned i = 0; i < w->range_count; i++)
        if (start < w->ranges[i].end && w->ranges[i].start < start + bytes)
            step_fail(step, "0x%" PRIx64 " +0x%" PRIx64 " overlaps the live 0x%" PRIx64, start,
                      bytes, w->ranges[i].start);
    CHECK(step, w->range_count < sizeof w->ranges / sizeof w->ranges[0]);
    w->ranges[w->range_count++] = (struct range){start, start + bytes};
    (void)pthread_mutex_unlock(&w->range_lock);
}

void range_remove(struct step *step, tarn_addr start) {
    struct world *w = step->world;
    unsigned i = 0;
    (void)pthread_mutex_lock(&w->range_lock);
    while (i < w->range_count && w->ranges[i].start != start) i++;
    CHECK(step, i < w->range_count);
    w->ranges[i] = w->ranges[--w->range_count];
    (void)pthread_mutex_unlock(&w->range_lock);
}

void range_extend(struct step *step, tarn_addr start, uint64_t bytes) {
    range_remove(step, start);
    range_add(step, start, bytes);
}
