// SPDX-License-Identifier: Apache-2.0
// The snapshot: the state of every pool, as JSON, or as a pickle for PyTorch's viewer. Blocks are
// copied under the pool's locks and written without them. Any thread may call it.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tarn/snapshot.h>

#include "plugin/torch/device.h"
#include "plugin/torch/torch.h"

// ---- copying the blocks

struct blocks {
    tarn_block *list;
    size_t count;
    size_t room;
    bool complete;
};

static bool copy_block(const tarn_block *block, void *arg) {
    struct blocks *blocks = (struct blocks *)arg;
    blocks->complete = blocks->count < blocks->room;
    if (blocks->complete) blocks->list[blocks->count++] = *block;
    return blocks->complete;
}

// Memory is allocated between walks, because a walk holds the pool's locks.
static tarn_status copy_blocks(tarn_pool *pool, struct blocks *blocks) {
    tarn_status status = TARN_OK;
    for (size_t room = 4096; status == TARN_OK && !blocks->complete; room *= 4) {
        tarn_block *more = (tarn_block *)realloc(blocks->list, room * sizeof *more);
        if (more == NULL) return TARN_NO_HOST_MEMORY;
        *blocks = (struct blocks){.list = more, .count = 0, .room = room, .complete = true};
        status = tarn_pool_walk(pool, copy_block, blocks);
    }
    return status;
}

// ---- writing

// Texts of Tarn are plain, but a device's name may contain anything.
static void write_text(FILE *out, const char *text) {
    (void)fputc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\' || c < ' ')
            (void)fprintf(out, "\\u%04x", c);
        else
            (void)fputc(c, out);
    }
    (void)fputc('"', out);
}

static void write_block(FILE *out, const struct tn_torch_device *device, const tarn_block *block) {
    const char *state = block->state == TARN_BLOCK_LIVE      ? "live"
                        : block->state == TARN_BLOCK_PENDING ? "pending"
                                                             : "free";
    void *native = NULL;
    (void)fprintf(out,
                  "{\"address\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"asked\": %" PRIu64
                  ", \"state\": \"%s\"",
                  block->addr, block->occupied, block->bytes, state);
    if (tn_torch_native(device, block->stream, &native))
        (void)fprintf(out, ", \"stream\": %" PRIu64, (uint64_t)(uintptr_t)native);
    (void)fputs("}", out);
}

// Returns the number of blocks from `first` on that are adjacent and mapped.
static size_t segment_length(const struct blocks *blocks, size_t first) {
    size_t n = 0;
    tarn_addr at = blocks->list[first].addr;
    while (first + n < blocks->count && blocks->list[first + n].addr == at &&
           blocks->list[first + n].state != TARN_BLOCK_UNMAPPED)
        at += blocks->list[first + n++].occupied;
    return n;
}

static void write_segment(FILE *out, const struct tn_torch_device *device, const tarn_block *list,
                          size_t count) {
    uint64_t live = 0;
    const tarn_block *last = &list[count - 1];
    for (size_t i = 0; i < count; i++)
        live += list[i].state == TARN_BLOCK_LIVE ? list[i].occupied : 0;
    (void)fprintf(out,
                  "{\"address\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"live_bytes\": %" PRIu64
                  ",\n        \"blocks\": [",
                  list[0].addr, last->addr + last->occupied - list[0].addr, live);
    for (size_t i = 0; i < count; i++) {
        (void)fputs(i != 0 ? ",\n          " : "\n          ", out);
        write_block(out, device, &list[i]);
    }
    (void)fputs("]}", out);
}

static void write_segments(FILE *out, const struct tn_torch_device *device,
                           const struct blocks *blocks) {
    const char *between = "\n      ";
    (void)fputs(",\n      \"segments\": [", out);
    for (size_t i = 0; i < blocks->count;) {
        size_t length = segment_length(blocks, i);
        if (length != 0) {
            (void)fputs(between, out);
            write_segment(out, device, &blocks->list[i], length);
            between = ",\n      ";
        }
        i += length != 0 ? length : 1;
    }
    (void)fputs("]", out);
}

static void write_streams(FILE *out, const struct tn_torch_device *device) {
    const char *between = "";
    (void)fputs(",\n      \"streams\": [", out);
    for (int i = 0; i < TN_TORCH_STREAMS; i++) {
        if (atomic_load_explicit(&device->streams[i].stream, memory_order_acquire) != 0) {
            (void)fprintf(out, "%s%" PRIu64, between,
                          (uint64_t)(uintptr_t)device->streams[i].native);
            between = ", ";
        }
    }
    (void)fputs("]", out);
}

static void write_pool(FILE *out, int number, const tarn_device_info *device,
                       const tarn_pool_info *pool) {
    static const char *const kinds[] = {"none", "fixed", "segments", "expandable"};
    (void)fprintf(out, "    {\"device\": %d, \"backend\": ", number);
    write_text(out, device->backend);
    (void)fprintf(out, ", \"ordinal\": %d, \"name\": ", device->ordinal);
    write_text(out, device->name);
    (void)fprintf(out,
                  ",\n      \"pool\": \"%s\", \"asked\": \"%s\", \"reason\": ", kinds[pool->kind],
                  kinds[pool->asked]);
    write_text(out, pool->reason);
    (void)fprintf(out, ", \"limit\": %" PRIu64 ", \"page_bytes\": %" PRIu64, pool->limit,
                  pool->page_bytes);
}

static void write_stats(FILE *out, const struct tarn_torch_statistics *stats) {
    const char *between = "";
    (void)fputs(",\n      \"stats\": {", out);
#define WRITE_FIELD(name, text)                                                                    \
    (void)fprintf(out, "%s\"" #name "\": %" PRIu64, between, stats->name);                         \
    between = ", ";
    TARN_TORCH_STATS_LIST(WRITE_FIELD)
    (void)fputs("}", out);
}

static tarn_status write_device(FILE *out, int number, struct tn_torch_device *device) {
    struct tarn_torch_statistics stats = {.size = sizeof stats};
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_pool_info pool = TARN_INIT(tarn_pool_info);
    struct blocks blocks = {.list = NULL};
    tarn_status status = (tarn_status)tarn_torch_stats(number, &stats);
    status = status == TARN_OK ? tarn_device_query(device->tarn, &info) : status;
    status = status == TARN_OK ? tarn_pool_query(tn_torch_pool(device), &pool) : status;
    status = status == TARN_OK ? copy_blocks(tn_torch_pool(device), &blocks) : status;
    if (status == TARN_OK) {
        write_pool(out, number, &info, &pool);
        write_stats(out, &stats);
        write_streams(out, device);
        write_segments(out, device, &blocks);
        (void)fputs("}", out);
    }
    free(blocks.list);
    return status;
}

static tarn_status write_all(FILE *out) {
    tarn_status status = TARN_OK;
    const char *between = "\n";
    (void)fprintf(out, "{\"version\": %" PRIu32 ",\n  \"devices\": [", tarn_version());
    for (int i = 0; i < TN_TORCH_DEVICES && status == TARN_OK; i++) {
        struct tn_torch_device *device = tn_torch_known(i);
        if (device != NULL) {
            (void)fputs(between, out);
            status = write_device(out, i, device);
            between = ",\n";
        }
    }
    (void)fputs("]}\n", out);
    return status;
}

int tarn_torch_snapshot(const char *path) {
    if (path == NULL) return TARN_BAD_ARGUMENT;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (out == NULL) {
        tn_torch_report(__func__, "SYSTEM: %s: errno %d", path, errno);
        return TARN_SYSTEM;
    }
    tarn_status status = write_all(out);
    bool lost = ferror(out) != 0;
    lost = fclose(out) != 0 || lost;
    if (status == TARN_OK && lost) {
        tn_torch_report(__func__, "SYSTEM: %s cannot be written: errno %d", path, errno);
        return TARN_SYSTEM;
    }
    return status;
}

// ---- the pickle

// The viewer shows the framework's handles of streams.
static uint64_t number_of_stream(tarn_stream stream, void *device) {
    void *native = NULL;
    (void)tn_torch_native((const struct tn_torch_device *)device, stream, &native);
    return (uint64_t)(uintptr_t)native;
}

int tarn_torch_snapshot_pickle(const char *path) {
    tarn_snapshot_pool pools[TN_TORCH_DEVICES];
    size_t count = 0;
    for (int i = 0; i < TN_TORCH_DEVICES; i++) {
        struct tn_torch_device *device = tn_torch_known(i);
        if (device != NULL)
            pools[count++] = (tarn_snapshot_pool){.pool = tn_torch_pool(device),
                                                  .device = (uint32_t)i,
                                                  .stream_number = number_of_stream,
                                                  .arg = device};
    }
    tarn_status status = tarn_snapshot_save(pools, count, path);
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        tn_torch_report(__func__, "%s", error.message);
    }
    return status;
}
