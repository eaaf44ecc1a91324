// SPDX-License-Identifier: Apache-2.0
// Snapshots of pools as a pickle. The blocks of all pools are copied first, each pool's under its
// locks; everything is written without them. Any thread.
#include <tarn/snapshot.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algo/pickler.h"
#include "base/error.h"
#include "base/named_file.h"
#include "base/replacement.h"
#include "base/uncancelled.h"
#include "fail/point.h"

enum { BUFFER = 64 * 1024, BLOCKS_FIRST = 4096 };

// The copied blocks of one pool, in the order of their addresses.
struct copy {
    tarn_block *blocks;
    size_t count;
    size_t room;
    bool complete;
    bool is_expandable;
    char plan[400]; // how the pool followed its plan, or empty
};

struct snapshot {
    const tarn_snapshot_pool *pools;
    size_t count;
    struct copy *copies; // of each pool
    struct tn_pickler pickler;
    int file;
    int failure; // errno of the first write that failed, or 0
    size_t used;
    uint8_t buffer[BUFFER];
};

// ---- copies

static bool copy_block(const tarn_block *block, void *arg) {
    struct copy *copy = (struct copy *)arg;
    if (block->state == TARN_BLOCK_UNMAPPED || block->occupied == 0) return true;
    copy->complete = copy->count < copy->room;
    if (copy->complete) copy->blocks[copy->count++] = *block;
    return copy->complete;
}

// Describes how a pool followed its plan, if it has one. Readers cut a setting at 511 bytes.
static tarn_status copy_plan(tarn_pool *pool, struct copy *copy) {
    typedef unsigned long long number;
    tarn_pool_stats s = TARN_INIT(tarn_pool_stats);
    tarn_pool_report report = TARN_INIT(tarn_pool_report);
    TN_TRY(tarn_pool_query_stats(pool, &s));
    if (s.planned + s.unplanned + s.late == 0) return TARN_OK;
    int used =
        snprintf(copy->plan, sizeof copy->plan,
                 "%llu requests of %llu bytes got their places, the plan does not have %llu of "
                 "%llu bytes, and the places of %llu of %llu bytes were taken",
                 (number)s.planned, (number)s.planned_bytes, (number)s.unplanned,
                 (number)s.unplanned_bytes, (number)s.late, (number)s.late_bytes);
    const tarn_plan_miss *most = &report.misses[0];
    if (s.unplanned + s.late != 0 && tarn_pool_explain(pool, &report) == TARN_OK)
        (void)snprintf(copy->plan + used, sizeof copy->plan - (size_t)used,
                       "; most: %llu of %llu bytes with tag %u, %s", (number)most->requests,
                       (number)most->bytes, most->tag,
                       most->late != 0 ? "whose places were taken" : "which it does not have");
    return TARN_OK;
}

// Memory is allocated between walks, because a walk holds the pool's locks.
static tarn_status copy_pool(tarn_pool *pool, struct copy *copy) {
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    TN_TRY(tarn_pool_query(pool, &info));
    copy->is_expandable = info.kind == TARN_POOL_EXPANDABLE;
    TN_TRY(copy_plan(pool, copy));
    for (size_t room = BLOCKS_FIRST; !copy->complete; room *= 4) {
        tarn_block *more = (tarn_block *)reallocarray(copy->blocks, room, sizeof *more);
        TN_REFUSE(more == NULL, TARN_NO_HOST_MEMORY,
                  "out of host memory for a snapshot of %zu blocks", room);
        copy->blocks = more;
        copy->room = room;
        copy->count = 0;
        copy->complete = true;
        TN_TRY(tarn_pool_walk(pool, copy_block, copy));
    }
    return TARN_OK;
}

static void free_snapshot(struct snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->count; i++) free(snapshot->copies[i].blocks);
    free(snapshot->copies);
    free(snapshot);
}

static tarn_status check_pools(const tarn_snapshot_pool *pools, size_t count) {
    TN_REFUSE(pools == NULL || count == 0, TARN_BAD_ARGUMENT,
              pools == NULL ? "pools is NULL" : "count is 0");
    for (size_t i = 0; i < count; i++) {
        TN_REFUSE(pools[i].pool == NULL, TARN_BAD_ARGUMENT, "pools[%zu].pool is NULL", i);
        TN_REFUSE(pools[i].device >= TARN_SNAPSHOT_DEVICES, TARN_BAD_ARGUMENT,
                  "pools[%zu].device is %u, not below %d", i, pools[i].device,
                  TARN_SNAPSHOT_DEVICES);
    }
    return TARN_OK;
}

static tarn_status create_snapshot(const tarn_snapshot_pool *pools, size_t count,
                                   struct snapshot **snapshot) {
    TN_TRY(check_pools(pools, count));
    struct snapshot *fresh = (struct snapshot *)calloc(1, sizeof *fresh);
    struct copy *copies = (struct copy *)calloc(count, sizeof *copies);
    if (fresh == NULL || copies == NULL) {
        free(fresh);
        free(copies);
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a snapshot");
    }
    fresh->pools = pools;
    fresh->count = count;
    fresh->copies = copies;
    for (size_t i = 0; i < count; i++) {
        tarn_status status = copy_pool(pools[i].pool, &copies[i]);
        if (status != TARN_OK) {
            free_snapshot(fresh);
            return status;
        }
    }
    *snapshot = fresh;
    return TARN_OK;
}

// ---- bytes

static void flush_buffer(struct snapshot *snapshot) {
    size_t done = 0;
    while (done < snapshot->used && snapshot->failure == 0) {
        ssize_t part = write(snapshot->file, snapshot->buffer + done, snapshot->used - done);
        if (part >= 0)
            done += (size_t)part;
        else if (errno != EINTR)
            snapshot->failure = errno;
    }
    snapshot->used = 0;
}

static void put_bytes(void *sink, const void *bytes, size_t size) {
    struct snapshot *snapshot = (struct snapshot *)sink;
    if (size > BUFFER - snapshot->used) flush_buffer(snapshot);
    memcpy(snapshot->buffer + snapshot->used, bytes, size); // keys and numbers are short
    snapshot->used += size;
}

// ---- values

static void put_number(struct tn_pickler *pickler, const char *key, uint64_t number) {
    tn_pickler_text(pickler, key);
    tn_pickler_number(pickler, number);
}

static void put_text(struct tn_pickler *pickler, const char *key, const char *text) {
    tn_pickler_text(pickler, key);
    tn_pickler_text(pickler, text);
}

static void put_empty_list(struct tn_pickler *pickler, const char *key) {
    size_t none;
    tn_pickler_text(pickler, key);
    tn_pickler_open_list(pickler, &none);
    tn_pickler_close_list(pickler, none);
}

// The sums over a segment, and the stream of its first block in use.
struct sums {
    uint64_t total, allocated, active, requested;
    tarn_stream stream;
};

static struct sums sum_blocks(const tarn_block *blocks, size_t count) {
    struct sums sums = {0};
    for (size_t i = 0; i < count; i++) {
        bool is_live = blocks[i].state == TARN_BLOCK_LIVE;
        bool is_active = is_live || blocks[i].state == TARN_BLOCK_PENDING;
        if (is_active && sums.active == 0) sums.stream = blocks[i].stream;
        sums.total += blocks[i].occupied;
        sums.allocated += is_live ? blocks[i].occupied : 0;
        sums.active += is_active ? blocks[i].occupied : 0;
        sums.requested += is_active ? blocks[i].bytes : 0;
    }
    return sums;
}

static void put_segment(struct snapshot *snapshot, size_t pool, const tarn_block *blocks,
                        size_t count) {
    const tarn_snapshot_pool *from = &snapshot->pools[pool];
    struct tn_pickler *pickler = &snapshot->pickler;
    struct sums sums = sum_blocks(blocks, count);
    size_t items;
    tn_pickler_open_dict(pickler);
    put_number(pickler, "device", from->device);
    put_number(pickler, "address", blocks[0].addr);
    put_number(pickler, "total_size", sums.total);
    put_number(pickler, "allocated_size", sums.allocated);
    put_number(pickler, "active_size", sums.active);
    put_number(pickler, "requested_size", sums.requested);
    put_number(pickler, "stream",
               from->stream_number != NULL ? from->stream_number(sums.stream, from->arg)
                                           : sums.stream);
    put_text(pickler, "segment_type", "large");
    tn_pickler_text(pickler, "segment_pool_id");
    tn_pickler_pair(pickler, 0, 0);
    tn_pickler_text(pickler, "is_expandable");
    tn_pickler_bool(pickler, snapshot->copies[pool].is_expandable);
    put_empty_list(pickler, "frames");
    tn_pickler_text(pickler, "blocks");
    tn_pickler_open_list(pickler, &items);
    for (size_t i = 0; i < count; i++) {
        tn_pickler_item(pickler, &items);
        const tarn_block *block = &blocks[i];
        tn_pickler_open_dict(pickler);
        put_number(pickler, "address", block->addr);
        put_number(pickler, "size", block->occupied);
        put_number(pickler, "requested_size", block->bytes);
        put_text(pickler, "state",
                 block->state == TARN_BLOCK_LIVE      ? "active_allocated"
                 : block->state == TARN_BLOCK_PENDING ? "active_pending_free"
                                                      : "inactive");
        put_empty_list(pickler, "frames");
        tn_pickler_close_dict(pickler);
    }
    tn_pickler_close_list(pickler, items);
    tn_pickler_close_dict(pickler);
}

// Writes each run of adjacent blocks as a segment.
static void put_segments(struct snapshot *snapshot, size_t pool, size_t *items) {
    const struct copy *copy = &snapshot->copies[pool];
    for (size_t first = 0, next; first < copy->count; first = next) {
        for (next = first + 1; next < copy->count; next++) {
            const tarn_block *last = &copy->blocks[next - 1];
            if (copy->blocks[next].addr != last->addr + last->occupied) break;
        }
        tn_pickler_item(&snapshot->pickler, items);
        put_segment(snapshot, pool, &copy->blocks[first], next - first);
    }
}

// Each device has an empty list of events.
static void put_device_traces(struct snapshot *snapshot) {
    uint32_t devices = 0;
    size_t items, none;
    for (size_t i = 0; i < snapshot->count; i++)
        devices = snapshot->pools[i].device >= devices ? snapshot->pools[i].device + 1 : devices;
    tn_pickler_text(&snapshot->pickler, "device_traces");
    tn_pickler_open_list(&snapshot->pickler, &items);
    for (uint32_t i = 0; i < devices; i++) {
        tn_pickler_item(&snapshot->pickler, &items);
        tn_pickler_open_list(&snapshot->pickler, &none);
        tn_pickler_close_list(&snapshot->pickler, none);
    }
    tn_pickler_close_list(&snapshot->pickler, items);
}

// The settings are the plans of the pools, each with the number of its pool.
static void put_settings(struct snapshot *snapshot) {
    char name[32];
    tn_pickler_text(&snapshot->pickler, "allocator_settings");
    tn_pickler_open_dict(&snapshot->pickler);
    for (size_t i = 0; i < snapshot->count; i++) {
        if (snapshot->copies[i].plan[0] == '\0') continue;
        (void)snprintf(name, sizeof name, "tarn_plan_%zu", i);
        tn_pickler_text(&snapshot->pickler, name);
        tn_pickler_text(&snapshot->pickler, snapshot->copies[i].plan);
    }
    tn_pickler_close_dict(&snapshot->pickler);
}

// Writes everything to the descriptor. The snapshot's failure is set if that fails.
static void write_snapshot(struct snapshot *snapshot, int file) {
    size_t items;
    snapshot->file = file;
    tn_pickler_begin(&snapshot->pickler, put_bytes, snapshot);
    tn_pickler_open_dict(&snapshot->pickler);
    tn_pickler_text(&snapshot->pickler, "segments");
    tn_pickler_open_list(&snapshot->pickler, &items);
    for (size_t i = 0; i < snapshot->count; i++) put_segments(snapshot, i, &items);
    tn_pickler_close_list(&snapshot->pickler, items);
    put_device_traces(snapshot);
    put_settings(snapshot);
    put_empty_list(&snapshot->pickler, "external_annotations");
    tn_pickler_close_dict(&snapshot->pickler);
    tn_pickler_end(&snapshot->pickler);
    flush_buffer(snapshot);
}

// ---- files

tarn_status tarn_snapshot_write(const tarn_snapshot_pool *pools, size_t count, int file) {
    TN_UNCANCELLED;
    TN_FAIL_POINT(0, 0);
    struct snapshot *snapshot = NULL;
    TN_REFUSE(file < 0, TARN_BAD_ARGUMENT, "file is %d", file);
    TN_TRY(create_snapshot(pools, count, &snapshot));
    write_snapshot(snapshot, file);
    int failure = snapshot->failure;
    free_snapshot(snapshot);
    return TN_DONE(failure == 0 ? TARN_OK
                                : tn_fail_native(TARN_SYSTEM, "write", failure,
                                                 "descriptor %d: cannot write: %s", file,
                                                 strerror(failure)));
}

tarn_status tarn_snapshot_save(const tarn_snapshot_pool *pools, size_t count, const char *path) {
    TN_UNCANCELLED;
    TN_FAIL_POINT(0, 0);
    struct snapshot *snapshot = NULL;
    struct tn_replacement replacement;
    TN_REFUSE(path == NULL, TARN_BAD_ARGUMENT, "path is NULL");
    TN_TRY(create_snapshot(pools, count, &snapshot));
    int failure = tn_replacement_open(path, 0, &replacement);
    if (failure == 0) {
        write_snapshot(snapshot, replacement.file);
        failure = tn_replacement_close(&replacement, snapshot->failure);
    }
    free_snapshot(snapshot);
    return TN_DONE(failure == 0
                       ? TARN_OK
                       : tn_fail_native(TARN_SYSTEM, "write", failure, "%s: cannot write: %s", path,
                                        tn_named_file_error(failure)));
}
