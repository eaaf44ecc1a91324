// SPDX-License-Identifier: Apache-2.0
// The core on the software device: pages, plain memory, sharing, pinned memory, streams and arrays.
// The limit of kernel mappings is read in full whatever fails: one region in 60 is mapped.
#include "starve/support/tarn.h"

#include <string.h>
#include <unistd.h>

#define BYTES    (UINT64_C(1) << 20)
#define MAPPINGS 60

struct scene {
    tarn_device *device;
    tarn_addr space, scattered, memory, imported, private;
    tarn_phys phys, shared, taken, listed, admitted, piece;
    tarn_stream stream;
    tarn_event event;
    tarn_array array;
    void *pinned;
    int fd;
    bool is_mapped;
    int pieces; // of `scattered` that are mapped
};

static enum starve_kind use_pages(struct scene *s) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    char text[16] = "";
    desc.location = grant.location;
    TRY(tarn_space_reserve(s->device, 4 * BYTES, 0, 0, &s->space));
    TRY(tarn_phys_create(s->device, BYTES, &desc, &s->phys));
    TRY(tarn_map(s->space, BYTES, s->phys));
    s->is_mapped = true;
    TRY(tarn_map_set_access(s->space, BYTES, &grant, 1));
    TRY(tarn_copy(s->device, s->space, TARN_ADDR("pages"), 6, TARN_STREAM_NONE));
    TRY(tarn_copy(s->device, TARN_ADDR(text), s->space, 6, TARN_STREAM_NONE));
    return starve_status(strcmp(text, "pages") == 0 ? TARN_OK : TARN_CORRUPT, "reading pages back");
}

// Every other page, so that the kernel has a mapping for each.
static enum starve_kind use_mappings(struct scene *s) {
    TRY(tarn_space_reserve(s->device, 2 * MAPPINGS * 4096, 0, 0, &s->scattered));
    TRY(tarn_phys_create(s->device, 4096, NULL, &s->piece));
    for (; s->pieces < MAPPINGS; s->pieces++)
        TRY(tarn_map(s->scattered + (uint64_t)s->pieces * 8192, 4096, s->piece));
    return STARVE_DONE;
}

// Permits this process alone, by its id and by removing the permission of all others.
static enum starve_kind share_with_list(struct scene *s) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_shareable token = {0};
    tarn_key key;
    int self = (int)getpid();
    desc.shareable = TARN_SHAREABLE_TOKEN;
    TRY(tarn_phys_create(s->device, BYTES, &desc, &s->listed));
    TRY(tarn_phys_export(s->listed, TARN_SHAREABLE_TOKEN, &token));
    TRY(tarn_phys_allow(s->device, &token, &self, 1));
    TRY(tarn_phys_import(s->device, &token, &s->admitted));
    TRY(tarn_memory_alloc(s->device, BYTES, &s->private));
    TRY(tarn_memory_export(s->private, &key));
    TRY(tarn_memory_allow(s->device, &key, NULL, 0));
    TRY(tarn_memory_allow(s->device, &key, &self, 1));
    return STARVE_DONE;
}

static enum starve_kind share(struct scene *s) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_shareable out = {0};
    tarn_key key;
    desc.shareable = TARN_SHAREABLE_FD;
    TRY(tarn_phys_create(s->device, BYTES, &desc, &s->shared));
    TRY(tarn_phys_export(s->shared, TARN_SHAREABLE_FD, &out));
    s->fd = out.fd;
    TRY(tarn_phys_import(s->device, &out, &s->taken));
    TRY(tarn_memory_alloc(s->device, BYTES, &s->memory));
    TRY(tarn_fill(s->device, s->memory, 7, 4, BYTES / 4, TARN_STREAM_NONE));
    TRY(tarn_memory_export(s->memory, &key));
    TRY(tarn_memory_import(s->device, &key, &s->imported));
    return STARVE_DONE;
}

static void nothing(void *arg) { (void)arg; }

static void no_part(void *arg, uint64_t part) {
    (void)arg;
    (void)part;
}

static enum starve_kind use_streams(struct scene *s) {
    TRY(tarn_host_alloc(s->device, BYTES, 0, &s->pinned));
    TRY(tarn_stream_create(s->device, &s->stream));
    TRY(tarn_event_create(s->device, &s->event));
    TRY(tarn_stream_call(s->stream, nothing, NULL));
    TRY(tarn_stream_run(s->stream, no_part, NULL, 3));
    TRY(tarn_fill(s->device, s->memory, 1, 4, BYTES / 4, s->stream));
    TRY(tarn_copy(s->device, TARN_ADDR(s->pinned), s->memory, BYTES, s->stream));
    TRY(tarn_event_record(s->event, s->stream));
    TRY(tarn_stream_wait(s->stream, s->event, TARN_STREAM_FOLLOW));
    TRY(tarn_event_synchronize(s->event, TARN_FOREVER));
    TRY(tarn_stream_synchronize(s->stream, TARN_FOREVER));
    return STARVE_DONE;
}

static enum starve_kind use_arrays(struct scene *s) {
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    desc.extent = (tarn_extent){256, 256, 0};
    desc.element_bytes = 4;
    TRY(tarn_array_create(s->device, &desc, &s->array));
    return STARVE_DONE;
}

static enum starve_kind use_all(struct scene *s) {
    enum starve_kind (*const parts[])(struct scene *) = {use_pages,       use_mappings, share,
                                                         share_with_list, use_streams,  use_arrays};
    TRY(tarn_device_open("host:0,memory=64M,workers=1", &s->device));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        enum starve_kind kind = parts[i](s);
        if (kind != STARVE_DONE) return kind;
    }
    return STARVE_DONE;
}

static void undo_pages(struct scene *s, enum starve_kind *worst) {
    while (s->pieces > 0) {
        MUST(worst, tarn_unmap(s->scattered + (uint64_t)(s->pieces - 1) * 8192, 4096, 0));
        s->pieces--;
    }
    if (s->is_mapped) MUST(worst, tarn_unmap(s->space, BYTES, 0));
    const tarn_phys handles[] = {s->phys, s->shared, s->taken, s->listed, s->admitted, s->piece};
    for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++)
        if (handles[i] != 0) MUST(worst, tarn_phys_release(handles[i]));
    if (s->space != 0) MUST(worst, tarn_space_release(s->space));
    if (s->scattered != 0) MUST(worst, tarn_space_release(s->scattered));
}

static void undo_all(struct scene *s, enum starve_kind *worst) {
    MUST(worst, tarn_array_destroy(s->array));
    MUST(worst, tarn_event_destroy(s->event));
    MUST(worst, tarn_stream_destroy(s->stream));
    MUST(worst, tarn_host_free(s->pinned));
    if (s->imported != 0) MUST(worst, tarn_memory_free(s->imported, 0));
    MUST(worst, tarn_memory_free(s->memory, 0));
    MUST(worst, tarn_memory_free(s->private, 0));
    if (s->fd >= 0) (void)close(s->fd);
    undo_pages(s, worst);
    if (s->device != NULL) {
        if (starve_device_is_empty(s->device) != STARVE_DONE) *worst = STARVE_WRONG;
        MUST(worst, tarn_device_close(s->device));
    }
}

void starve_provoke(void) {
    tarn_device *device = NULL;
    (void)tarn_device_open("nonsense:0", &device);
}

enum starve_kind starve_round(void) {
    struct scene s = {.fd = -1};
    enum starve_kind worst = use_all(&s);
    undo_all(&s, &worst);
    return worst;
}
