// SPDX-License-Identifier: Apache-2.0
// Moves the bytes of copies, fills and boxes of arrays, row by row, through the software MMU. A
// thread holds the MMU lock shared for one piece at a time, so an unmap waits for one piece and not
// for a complete copy; translations are discarded at each release. A move belongs to the thread
// that runs it.
#include <inttypes.h>
#include <stdio.h>

#include "backend/host/array.h"
#include "backend/host/engine/bulk.h"
#include "backend/host/engine/parts.h"
#include "base/bytes.h"
#include "base/error.h"

// The cost of one step, in bytes. It is added when a piece is measured, so that a million short
// rows form several pieces.
#define STEP_COST 64u

// A fill repeats a block of this size, which fits the first-level cache.
#define FILL_BLOCK 4096u

// One idle worker helps for each SHARED_BYTES of a move; each takes SHARE_BYTES at a time.
#define SHARED_BYTES ((uint64_t)2 << 20)
#define SHARE_BYTES  ((uint64_t)256 << 10)

// One side of a move.
struct side {
    tarn_addr base;
    uint64_t pitch;
    uint64_t slice;
    tarn_addr end; // behind the last byte of the last row; UINT64_MAX for an array
    tarn_access need;
    bool owned;                           // was memory of the platform when the work was submitted
    const struct tn_host_array *array;    // NULL: linear memory
    const tarn_backend_array_side *place; // of an array
    struct tn_host_run run;
};

struct move {
    struct tn_host *host;
    uint64_t width; // bytes
    uint64_t height;
    uint64_t depth;
    struct side dst;
    struct side src; // not of a fill
    enum tn_host_op_kind kind;
    bool is_bulk;           // so large that it bypasses the cache
    uint32_t element_bytes; // of arrays
    uint32_t pattern;       // of a fill: 4 bytes, for every element size
    int devices[3];
    uint64_t layer; // the current position: slice, row and byte
    uint64_t row;
    uint64_t column;
};

static inline uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

// ---- setting up

static void side_init(struct side *side, const struct move *m, tarn_addr base, uint64_t pitch,
                      uint64_t slice, tarn_access need) {
    TARN_ASSERT(m->width != 0 && m->height != 0 && m->depth != 0);
    *side = (struct side){
        .base = base,
        .pitch = pitch,
        .slice = slice,
        .end = base + (m->depth - 1) * slice + (m->height - 1) * pitch + m->width,
        .need = need,
    };
}

// Slices that continue where the previous one ends are rows of one slice.
static void join_slices(struct move *m) {
    bool is_copy = m->kind == TN_HOST_OP_COPY;
    if (m->height == 1) {
        m->dst.pitch = m->dst.slice;
        m->src.pitch = m->src.slice;
    } else if (m->dst.slice != m->dst.pitch * m->height ||
               (is_copy && m->src.slice != m->src.pitch * m->height)) {
        return;
    }
    m->height *= m->depth;
    m->depth = 1;
}

// Rows without gaps are one row.
static void join_rows(struct move *m) {
    bool is_copy = m->kind == TN_HOST_OP_COPY;
    if (m->depth > 1) join_slices(m);
    if (m->depth == 1 && m->dst.pitch == m->width && (!is_copy || m->src.pitch == m->width)) {
        m->width *= m->height;
        m->height = 1;
    }
}

// A copy of one row, the usual one, is judged without a division.
static void move_init_copy(struct move *m, struct tn_host *host, const tarn_backend_copy *copy) {
    uint64_t rows = copy->height * copy->depth;
    *m = (struct move){.host = host,
                       .width = copy->width,
                       .height = copy->height,
                       .depth = copy->depth,
                       .kind = TN_HOST_OP_COPY,
                       .is_bulk = copy->width > TN_HOST_BULK_BYTES / 2 ||
                                  (rows > 1 && rows >= TN_HOST_BULK_BYTES / copy->width),
                       .devices = {copy->device, copy->peers[0], copy->peers[1]}};
    side_init(&m->dst, m, copy->dst, copy->dst_pitch, copy->dst_slice_pitch,
              TARN_ACCESS_READ_WRITE);
    side_init(&m->src, m, copy->src, copy->src_pitch, copy->src_slice_pitch, TARN_ACCESS_READ);
    join_rows(m);
}

static uint32_t repeat_to_four_bytes(uint32_t value, unsigned element_bytes) {
    switch (element_bytes) {
    case 1: return (value & 0xffu) * 0x01010101u;
    case 2: return (value & 0xffffu) * 0x00010001u;
    default: return value;
    }
}

static void move_init_fill(struct move *m, struct tn_host *host, const tarn_backend_fill *fill) {
    *m = (struct move){.host = host,
                       .width = fill->width,
                       .height = fill->height,
                       .depth = fill->depth,
                       .kind = TN_HOST_OP_FILL,
                       .pattern = repeat_to_four_bytes(fill->value, fill->element_bytes),
                       .devices = {fill->device, -1, -1}};
    side_init(&m->dst, m, fill->dst, fill->pitch, fill->slice_pitch, TARN_ACCESS_READ_WRITE);
    join_rows(m);
}

static void side_init_box(struct side *side, const struct move *m,
                          const tarn_backend_array_side *place, tarn_access need) {
    side_init(side, m, place->addr, place->pitch, place->slice_pitch, need);
    side->place = place;
    side->array = (const struct tn_host_array *)place->array;
    side->end = side->array != NULL ? UINT64_MAX : side->end;
}

// Returns true if the rows of a box follow each other without gaps.
static bool side_is_dense(const struct side *side, const tarn_backend_array_copy *box) {
    if (side->array == NULL) return side->pitch == box->extent[0] * box->element_bytes;
    const struct tn_soft_shape *shape = &side->array->shape;
    return shape->kind != TN_SOFT_SPARSE &&
           box->extent[0] == tn_tiles_size(&shape->tiles, side->place->level, 0);
}

static void move_init_box(struct move *m, struct tn_host *host,
                          const tarn_backend_array_copy *box) {
    *m = (struct move){.host = host,
                       .width = box->extent[0] * box->element_bytes,
                       .height = box->extent[1],
                       .depth = box->extent[2],
                       .kind = TN_HOST_OP_BOX,
                       .element_bytes = box->element_bytes,
                       .devices = {box->device, box->peers[0], box->peers[1]}};
    side_init_box(&m->dst, m, &box->dst, TARN_ACCESS_READ_WRITE);
    side_init_box(&m->src, m, &box->src, TARN_ACCESS_READ);
    // Two arrays may share memory, and a bulk copy must not overlap.
    bool apart = m->dst.array == NULL || m->src.array == NULL;
    m->is_bulk = apart && m->width * m->height >= (TN_HOST_BULK_BYTES + m->depth - 1) / m->depth;
    if (side_is_dense(&m->dst, box) && side_is_dense(&m->src, box)) {
        m->width *= m->height;
        m->height = 1;
    }
}

static void move_init(struct move *m, void *p, const struct tn_host_op *op) {
    struct tn_host *h = (struct tn_host *)p;
    if (op->kind == TN_HOST_OP_COPY)
        move_init_copy(m, h, &op->u.copy);
    else if (op->kind == TN_HOST_OP_FILL)
        move_init_fill(m, h, &op->u.fill);
    else
        move_init_box(m, h, op->u.box);
    m->dst.owned = op->owns_dst;
    m->src.owned = op->owns_src;
}

// ---- moving

// Finds the current byte of an array. *addr is 0 if no memory is mapped there. Lowers *bytes to the
// end of the tile. The other side may have cut the row within an element.
static tarn_status side_find(const struct move *m, const struct side *side, tarn_addr *addr,
                             uint64_t *bytes) {
    const uint64_t *at = side->place->at;
    const uint64_t element[3] = {at[0] + m->column / m->element_bytes, at[1] + m->row,
                                 at[2] + m->layer};
    return tn_host_array_find(m->host, side->array, side->place->level, element,
                              m->column % m->element_bytes, addr, bytes);
}

// Translates the current position of a side, and lowers *bytes to the end of the run. *cpu is NULL
// where no memory is mapped in a sparse array.
static inline tarn_status side_at(struct move *m, struct side *side, unsigned char **cpu,
                                  uint64_t *bytes) {
    TARN_ASSERT(m->layer < m->depth && m->row < m->height);
    tarn_addr addr = side->base + m->layer * side->slice + m->row * side->pitch + m->column;
    if (side->array != NULL) {
        tarn_status status = side_find(m, side, &addr, bytes);
        if (status != TARN_OK || addr == 0) {
            *cpu = NULL;
            return status;
        }
    }
    // The translation may reach beyond this row: the next rows are often in the same run.
    return tn_host_run_at(m->host, &side->run, addr, side->end, side->need, m->devices, cpu, bytes);
}

// Doubles the filled part, then repeats its first block. `phase` is the first byte of the pattern.
static void fill_bytes(unsigned char *dst, uint32_t pattern, unsigned phase, uint64_t bytes) {
    if (pattern == (pattern & 0xffu) * 0x01010101u) {
        tn_bytes_set(dst, (int)(pattern & 0xffu), bytes);
        return;
    }
    uint32_t twice[2] = {pattern, pattern};
    uint64_t done = smaller(sizeof pattern, bytes);
    tn_bytes_copy(dst, (unsigned char *)twice + phase, done);
    while (done < bytes) {
        uint64_t part = smaller(smaller(done, FILL_BLOCK), bytes - done);
        tn_bytes_copy(dst + done, dst, part);
        done += part;
    }
}

// Copies 4 or 8 aligned bytes in one access, so that a thread of the program that uses atomics sees
// all of them or none. Returns false for any other copy.
static bool copy_word(unsigned char *dst, const unsigned char *src, uint64_t bytes) {
    uintptr_t either = (uintptr_t)dst | (uintptr_t)src;
    if ((bytes != 4 && bytes != 8) || either % bytes != 0 || tn_bytes_watched()) return false;
    if (bytes == 4) {
        uint32_t word = tn_load_acquire((const _Atomic uint32_t *)(const void *)src);
        tn_store_release((_Atomic uint32_t *)(void *)dst, word);
    } else {
        uint64_t word = tn_load_acquire((const _Atomic uint64_t *)(const void *)src);
        tn_store_release((_Atomic uint64_t *)(void *)dst, word);
    }
    return true;
}

static void move_bytes(const struct move *m, unsigned char *dst, const unsigned char *src,
                       uint64_t bytes) {
    if (m->kind == TN_HOST_OP_FILL) {
        fill_bytes(dst, m->pattern, (unsigned)(m->column % sizeof m->pattern), bytes);
    } else if (dst == NULL) {
        return; // a write to a tile without memory is discarded
    } else if (src == NULL) {
        tn_bytes_set(dst, 0, bytes); // a tile without memory reads zero
    } else if (m->is_bulk && !tn_bytes_watched()) {
        tn_host_bulk_copy(dst, src, bytes);
    } else if (m->kind == TN_HOST_OP_COPY) {
        if (!copy_word(dst, src, bytes)) tn_bytes_copy(dst, src, bytes);
    } else {
        tn_bytes_move(dst, src, bytes); // two tiles may share memory
    }
}

static inline void move_advance(struct move *m, uint64_t bytes) {
    TARN_ASSERT(bytes != 0 && bytes <= m->width - m->column);
    m->column += bytes;
    if (m->column == m->width) {
        m->column = 0;
        m->row++;
    }
    if (m->row == m->height) {
        m->row = 0;
        m->layer++;
    }
}

// Moves the bytes up to the end of the run of either side, at most `limit`. With `dry` it only
// checks them.
static tarn_status move_step(struct move *m, bool dry, uint64_t limit, uint64_t *moved) {
    uint64_t bytes = smaller(m->width - m->column, limit);
    unsigned char *dst;
    unsigned char *src = NULL;
    tarn_status status = side_at(m, &m->dst, &dst, &bytes);
    if (status == TARN_OK && m->kind != TN_HOST_OP_FILL) status = side_at(m, &m->src, &src, &bytes);
    if (status != TARN_OK) return status;
    if (!dry) move_bytes(m, dst, src, bytes);
    move_advance(m, bytes);
    *moved = bytes;
    return TARN_OK;
}

// Takes as many steps as one hold of the MMU lock allows.
static tarn_status move_piece(struct move *m, bool dry) {
    uint64_t left = TN_HOST_MMU_PIECE;
    while (m->layer < m->depth && left != 0) {
        uint64_t moved;
        TN_TRY(move_step(m, dry, dry ? UINT64_MAX : left, &moved));
        left -= smaller(left, dry ? STEP_COST : moved + STEP_COST);
    }
    return TARN_OK;
}

// A released reservation fails the work that uses it. Under the shared lock.
static tarn_status check_kept(const struct move *m, const struct side *side) {
    TN_REFUSE(side->owned && !tn_host_mmu_owns(m->host, side->base), TARN_NOT_MAPPED,
              "the reservation of 0x%llx has been released", (unsigned long long)side->base);
    return TARN_OK;
}

// Moves everything in pieces. The MMU lock is free between two of them, so a piece discards the
// translations of the one before.
static tarn_status move_all(struct move *m, bool dry) {
    tarn_status status = TARN_OK;
    while (status == TARN_OK && m->layer < m->depth) {
        m->dst.run.bytes = m->src.run.bytes = 0;
        struct tn_reader *reader = tn_host_mmu_lock_shared(m->host);
        status = check_kept(m, &m->dst);
        if (status == TARN_OK) status = check_kept(m, &m->src);
        if (status == TARN_OK) status = move_piece(m, dry);
        tn_host_mmu_unlock_shared(m->host, reader);
    }
    return status;
}

// A row of an array may be cut into any number of steps, so only linear moves have a bound.
static bool fits_one_piece(const struct move *m) {
    uint64_t rows = m->height * m->depth;
    return m->kind != TN_HOST_OP_BOX && m->width <= TN_HOST_MMU_PIECE &&
           rows <= TN_HOST_MMU_PIECE && (m->width + STEP_COST) * rows <= TN_HOST_MMU_PIECE;
}

// Checks and moves under one hold of the lock, so the translations of the check remain valid.
static tarn_status move_one_piece(struct move *m) {
    struct tn_reader *reader = tn_host_mmu_lock_shared(m->host);
    tarn_status status = check_kept(m, &m->dst);
    if (status == TARN_OK) status = check_kept(m, &m->src);
    if (status == TARN_OK) status = move_piece(m, true);
    if (status == TARN_OK) {
        m->layer = m->row = m->column = 0;
        status = move_piece(m, false);
    }
    tn_host_mmu_unlock_shared(m->host, reader);
    return status;
}

static tarn_status move_now(struct move *m) {
    if (fits_one_piece(m)) return move_one_piece(m);
    TN_TRY(move_all(m, true));
    m->layer = m->row = m->column = 0;
    return move_all(m, false);
}

// ---- the thread sanitizer

static void access_of_copy_or_fill(const struct move *m, const struct side *side, bool writes) {
    if (side->base == 0 || side->array != NULL) return;
    for (uint64_t z = 0; z < m->depth; z++)
        for (uint64_t y = 0; y < m->height; y++) {
            void *row = (void *)(uintptr_t)(side->base + z * side->slice + y * side->pitch);
            (writes ? __tsan_write_range : __tsan_read_range)(row, m->width);
        }
}

void tn_host_move_report(void *p, const struct tn_host_op *op) {
    struct move m;
    move_init(&m, p, op);
    access_of_copy_or_fill(&m, &m.src, false);
    access_of_copy_or_fill(&m, &m.dst, true);
}

tarn_status tn_host_move_now(void *p, const struct tn_host_op *op) {
    struct move m;
    move_init(&m, p, op);
    if (!tn_tsan_watches()) return move_now(&m);
    tn_tsan_ignore_accesses(true);
    tarn_status status = move_now(&m);
    tn_tsan_ignore_accesses(false);
    if (status == TARN_OK && !tn_host_in_condition) {
        tn_tsan_show(true);
        tn_host_move_report(p, op);
        tn_tsan_show(false);
    }
    return status;
}

// ---- moving in a stream

// Describes a violation, which the MMU has recorded as this thread's last error.
static void describe_failure(const struct tn_host_op *op, tarn_status status, char *text,
                             size_t size) {
    tarn_error error;
    (void)tarn_last_error(&error);
    const char *name = tarn_status_name(status);
    if (op->kind == TN_HOST_OP_COPY) {
        const tarn_backend_copy *c = &op->u.copy;
        (void)snprintf(text, size,
                       "copy of %" PRIu64 " x %" PRIu64 " x %" PRIu64 " bytes from 0x%" PRIx64
                       " to 0x%" PRIx64 " on device %d: %s: %s",
                       c->width, c->height, c->depth, c->src, c->dst, c->device, name,
                       error.message);
    } else if (op->kind == TN_HOST_OP_FILL) {
        const tarn_backend_fill *f = &op->u.fill;
        (void)snprintf(text, size,
                       "fill of %" PRIu64 " x %" PRIu64 " x %" PRIu64 " bytes at 0x%" PRIx64
                       " on device %d: %s: %s",
                       f->width, f->height, f->depth, f->dst, f->device, name, error.message);
    } else {
        const tarn_backend_array_copy *b = op->u.box;
        (void)snprintf(text, size,
                       "copy of %llu x %llu x %llu elements of arrays on device %d: %s: %s",
                       (unsigned long long)b->extent[0], (unsigned long long)b->extent[1],
                       (unsigned long long)b->extent[2], b->device, name, error.message);
    }
}

// A move of one row that several threads divide among them.
struct shared_move {
    struct tn_host_parallel parallel; // first, so that a pointer to it is one to this struct
    struct move whole;                // constant; each thread works on a copy
    const struct tn_host_op *op;
    _Atomic uint64_t taken; // bytes; the lock of the engine publishes them at the end
    _Atomic bool failed;
    tarn_status status; // written with the text by the thread that sets `failed`
    char *text;
    size_t size;
};

static void shared_move_help(struct tn_host_parallel *parallel) {
    struct shared_move *s = (struct shared_move *)parallel;
    tarn_status status = TARN_OK;
    struct move part = s->whole;
    uint64_t from;
    while (status == TARN_OK && !tn_load_relaxed(&s->failed) &&
           (from = tn_add_relaxed(&s->taken, SHARE_BYTES)) < s->whole.width) {
        part.layer = part.row = 0;
        part.column = from;
        part.width = smaller(from + SHARE_BYTES, s->whole.width);
        status = move_all(&part, false);
    }
    if (status != TARN_OK && !tn_exchange_relaxed(&s->failed, true)) {
        s->status = status;
        describe_failure(s->op, status, s->text, s->size);
    }
}

tarn_status tn_host_move_run(void *p, const struct tn_host_op *op, char *text, size_t size) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct move m;
    move_init(&m, p, op);
    unsigned helpers = (unsigned)smaller(m.width / SHARED_BYTES, engine->helpers_max);
    if (m.kind != TN_HOST_OP_BOX && m.height == 1 && m.depth == 1 && helpers != 0) {
        struct shared_move s = {.parallel = {.run = shared_move_help, .places = helpers},
                                .whole = m,
                                .op = op,
                                .text = text,
                                .size = size};
        tn_host_parallel_run(engine, &s.parallel);
        return s.status;
    }
    tarn_status status = move_all(&m, false);
    if (status != TARN_OK) describe_failure(op, status, text, size);
    return status;
}
