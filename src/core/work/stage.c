// SPDX-License-Identifier: Apache-2.0
// See stage.h. A stage is freed by a function that the stream calls behind the copy. A stream that
// failed drops its work, so the stages of a stream are in a list, which ends with the stream. This
// file owns the lists and their lock.
#include "core/work/stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/tsan.h"

struct tn_stage {
    struct tn_stage *next;
    struct tn_stage **link; // points to this stage
    unsigned char bytes[];
};

// The last rank: no call is made under it.
static struct tn_mutex lock = TN_MUTEX(ANNOTATE, "stages");

static void free_stage(void *arg) {
    struct tn_stage *stage = (struct tn_stage *)arg;
    TN_TSAN_IGNORED;
    tn_mutex_lock(&lock);
    TARN_ASSERT(*stage->link == stage &&
                (stage->next == NULL || stage->next->link == &stage->next));
    *stage->link = stage->next;
    if (stage->next != NULL) stage->next->link = stage->link;
    tn_mutex_unlock(&lock);
    free(stage);
}

static void link_stage(struct tn_stream_or_event *stream, struct tn_stage *stage) {
    TN_TSAN_IGNORED;
    TN_LOCKED(&lock);
    stage->link = &stream->stages;
    stage->next = stream->stages;
    if (stage->next != NULL) stage->next->link = &stage->next;
    TARN_ASSERT(stage->next == NULL || stage->next->link == &stage->next);
    stream->stages = stage;
}

tarn_status tn_stage_new(struct tn_stream_or_event *stream, tarn_backend_copy *copy,
                         struct tn_stage **stage) {
    uint64_t bytes = copy->width * copy->height * copy->depth;
    struct tn_stage *made = (struct tn_stage *)malloc(sizeof *made + bytes);
    TN_REFUSE(made == NULL, TARN_NO_HOST_MEMORY, "no memory for the %llu bytes of a copy's source",
              (unsigned long long)bytes);
    unsigned char *to = made->bytes; // the rows, one behind the other
    for (uint64_t z = 0; z < copy->depth; z++) {
        for (uint64_t y = 0; y < copy->height; y++) {
            uint64_t row = copy->src + z * copy->src_slice_pitch + y * copy->src_pitch;
            memcpy(to, (const void *)(uintptr_t)row, copy->width);
            to += copy->width;
        }
    }
    TARN_ASSERT((uint64_t)(to - made->bytes) == bytes);
    link_stage(stream, made);
    copy->src = (tarn_addr)(uintptr_t)made->bytes;
    copy->src_pitch = copy->width;
    copy->src_slice_pitch = copy->width * copy->height;
    *stage = made;
    return TARN_OK;
}

// Without memory for the call, the stage ends with its stream.
void tn_stage_end(struct tn_stream_or_event *stream, struct tn_stage *stage, bool submitted) {
    struct tn_platform *platform = stream->device->platform;
    if (submitted)
        (void)platform->ops->stream_call(platform->p, stream->backend, free_stage, stage);
    else
        free_stage(stage);
}

void tn_stage_drop_all(struct tn_stream_or_event *stream) {
    while (stream->stages != NULL) free_stage(stream->stages);
}
