// SPDX-License-Identifier: Apache-2.0
// Moving boxes: the rows of a copy with an array on one side or both. Each row is cut where a tile
// or page ends; each cut is found in the array's table, then, as any address, by the software MMU.
// As for other moves the table is held shared for a piece at a time. A box belongs to the thread
// that moves it.
#include <stdio.h>

#include "backend/host/array.h"
#include "backend/host/engine_bulk.h"
#include "backend/host/engine_parts.h"
#include "backend/host/mmu.h"
#include "backend/host/view.h"
#include "base/bytes.h"
#include "base/error.h"

// What a cut of a row counts beside its bytes.
#define CUT_COST 64u

// One side of a box, and the run of bytes found last.
struct side {
    const tarn_backend_array_side *given;
    const struct tn_host_array *array; // NULL: linear
    tarn_access need;
    tarn_addr run_addr;
    uint64_t run; // 0: nothing known
    unsigned char *run_cpu;
};

struct box {
    struct tn_host *host;
    uint64_t row_bytes;
    uint64_t rows; // of a slice
    uint64_t slices;
    uint32_t element_bytes;
    bool is_bulk; // so much that it goes past the cache
    int devices[3];
    struct side dst;
    struct side src;
    uint64_t slice; // where the move has come to
    uint64_t row;
    uint64_t column; // bytes
};

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static struct side side_of(const tarn_backend_array_side *given, tarn_access need) {
    return (struct side){
        .given = given, .array = (const struct tn_host_array *)given->array, .need = need};
}

// Do the rows of a side follow each other without gaps?
static bool is_dense(const struct side *side, const tarn_backend_array_copy *copy) {
    const struct tn_host_array *array = side->array;
    if (array == NULL) {
        return side->given->pitch == copy->extent[0] * copy->element_bytes;
    }
    return array->kind != TN_HOST_ARRAY_SPARSE &&
           copy->extent[0] == tn_tiles_size(&array->tiles, side->given->level, 0);
}

static void box_init(struct box *box, void *p, const tarn_backend_array_copy *copy) {
    *box = (struct box){.host = (struct tn_host *)p,
                        .row_bytes = copy->extent[0] * copy->element_bytes,
                        .rows = copy->extent[1],
                        .slices = copy->extent[2],
                        .element_bytes = copy->element_bytes,
                        .devices = {copy->device, copy->peers[0], copy->peers[1]},
                        .dst = side_of(&copy->dst, TARN_ACCESS_READ_WRITE),
                        .src = side_of(&copy->src, TARN_ACCESS_READ)};
    // Two arrays may be the same memory, which such a copy must not be given.
    bool apart = box->dst.array == NULL || box->src.array == NULL;
    box->is_bulk =
        apart && box->row_bytes * box->rows >= (TN_HOST_BULK_BYTES + box->slices - 1) / box->slices;
    if (is_dense(&box->dst, copy) && is_dense(&box->src, copy)) {
        box->row_bytes *= box->rows;
        box->rows = 1;
    }
}

// ---- where a byte is

// What a table entry says: an address, or 0 where nothing is mapped.
static tarn_addr mapped_at(const struct box *box, uint64_t entry, uint64_t offset) {
    if (entry == 0) {
        return 0;
    }
    const struct tn_host_phys *phys = tn_host_phys_at(box->host, tn_host_entry_slot(entry));
    return phys->view->addr + tn_host_entry_offset(entry) + offset;
}

// The address of the byte where the box is, for *bytes at most; 0: a hole. The other side may have
// been cut within an element.
static tarn_status find_in_array(const struct box *box, const struct side *side, tarn_addr *addr,
                                 uint64_t *bytes) {
    const struct tn_host_array *array = side->array;
    const tarn_backend_array_side *given = side->given;
    uint64_t part = box->column % box->element_bytes;
    const uint64_t at[3] = {given->at[0] + box->column / box->element_bytes,
                            given->at[1] + box->row, given->at[2] + box->slice};
    if (array->kind == TN_HOST_ARRAY_SPARSE) {
        struct tn_tiles_place place;
        tn_tiles_locate(&array->tiles, given->level, at, &place);
        *bytes = least(*bytes, place.run - part);
        *addr = mapped_at(box, array->table[place.entry], place.offset + part);
        return TARN_OK;
    }
    uint64_t offset = tn_tiles_linear(&array->tiles, given->level, at) + part;
    if (array->kind == TN_HOST_ARRAY_DENSE) {
        *addr = array->base + offset;
        return TARN_OK;
    }
    *addr = mapped_at(box, array->table[0], offset);
    return *addr != 0 ? TARN_OK : tn_fail(TARN_NOT_MAPPED, "a deferred array is not mapped");
}

// How far from an address on the MMU may be asked: to the end of linear memory, or as far as it
// likes to answer, since an array knows its own bounds.
static uint64_t reach_of(const struct box *box, const struct side *side, tarn_addr addr) {
    const tarn_backend_array_side *given = side->given;
    if (side->array != NULL) {
        return TN_HOST_MMU_PIECE;
    }
    tarn_addr end = given->addr + (box->slices - 1) * given->slice_pitch +
                    (box->rows - 1) * given->pitch + box->row_bytes;
    return least(end - addr, TN_HOST_MMU_PIECE);
}

// The byte of a side where the box is; *bytes of them at most. A hole of an array has no pointer.
static tarn_status side_at(const struct box *box, struct side *side, unsigned char **cpu,
                           uint64_t *bytes) {
    tarn_addr addr = side->given->addr + box->slice * side->given->slice_pitch +
                     box->row * side->given->pitch + box->column;
    if (side->array != NULL) {
        tarn_status status = find_in_array(box, side, &addr, bytes);
        if (status != TARN_OK || addr == 0) {
            *cpu = NULL;
            return status;
        }
    }
    if (addr - side->run_addr >= side->run) {
        void *found;
        uint64_t run;
        tarn_status status = tn_host_mmu_translate(box->host, addr, reach_of(box, side, addr),
                                                   side->need, box->devices, &found, &run);
        if (status != TARN_OK) {
            return status;
        }
        side->run_addr = addr;
        side->run = run;
        side->run_cpu = (unsigned char *)found;
    }
    uint64_t offset = addr - side->run_addr;
    *cpu = side->run_cpu + offset;
    *bytes = least(*bytes, side->run - offset);
    return TARN_OK;
}

// ---- moving

// Two tiles may be the same memory, so source and destination may be too.
static void put(const struct box *box, unsigned char *dst, const unsigned char *src,
                uint64_t bytes) {
    if (dst != NULL && src != NULL && box->is_bulk && !tn_bytes_watched()) {
        tn_host_bulk_copy(dst, src, bytes);
    } else if (dst != NULL && src != NULL) {
        tn_bytes_move(dst, src, bytes);
    } else if (dst != NULL) {
        tn_bytes_set(dst, 0, bytes);
    }
}

static void advance(struct box *box, uint64_t bytes) {
    box->column += bytes;
    if (box->column < box->row_bytes) {
        return;
    }
    box->column = 0;
    if (++box->row == box->rows) {
        box->row = 0;
        box->slice++;
    }
}

// Moves, or with `dry` only checks, what can be done in one go; tells how many bytes that was.
static tarn_status step(struct box *box, bool dry, uint64_t limit, uint64_t *moved) {
    uint64_t bytes = least(box->row_bytes - box->column, limit);
    unsigned char *dst;
    unsigned char *src;
    tarn_status status = side_at(box, &box->dst, &dst, &bytes);
    if (status == TARN_OK) {
        status = side_at(box, &box->src, &src, &bytes);
    }
    if (status != TARN_OK) {
        return status;
    }
    if (!dry) {
        put(box, dst, src, bytes);
    }
    advance(box, bytes);
    *moved = bytes;
    return TARN_OK;
}

// As much as one hold of the MMU lock allows.
static tarn_status piece(struct box *box, bool dry) {
    uint64_t left = TN_HOST_MMU_PIECE;
    tarn_status status = TARN_OK;
    box->dst.run = box->src.run = 0;
    while (box->slice < box->slices && left != 0 && status == TARN_OK) {
        uint64_t moved = 0;
        status = step(box, dry, dry ? UINT64_MAX : left, &moved);
        left -= least(left, dry ? CUT_COST : moved + CUT_COST);
    }
    return status;
}

static tarn_status all_pieces(struct box *box, bool dry) {
    tarn_status status = TARN_OK;
    box->slice = box->row = box->column = 0;
    while (status == TARN_OK && box->slice < box->slices) {
        tn_host_mmu_lock_shared(box->host);
        status = piece(box, dry);
        tn_host_mmu_unlock_shared(box->host);
    }
    return status;
}

tarn_status tn_host_box_now(void *p, const tarn_backend_array_copy *copy) {
    struct box box;
    box_init(&box, p, copy);
    tarn_status status = all_pieces(&box, true);
    return status == TARN_OK ? all_pieces(&box, false) : status;
}

tarn_status tn_host_box_run(void *p, const tarn_backend_array_copy *copy, char *text, size_t size) {
    struct box box;
    box_init(&box, p, copy);
    tarn_status status = all_pieces(&box, false);
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error); // of this thread, just now
        (void)snprintf(text, size,
                       "copy of %llu x %llu x %llu elements of arrays on device %d: %s: %s",
                       (unsigned long long)copy->extent[0], (unsigned long long)copy->extent[1],
                       (unsigned long long)copy->extent[2], copy->device, tarn_status_name(status),
                       error.message);
    }
    return status;
}
