// SPDX-License-Identifier: Apache-2.0
// Moving bytes: the box of a copy or a fill, row by row, through the software MMU. The table is
// held shared for at most a piece at a time, so an unmap waits for one piece and not for a whole
// copy; what was learnt about addresses is forgotten with each hold. A move belongs to the thread
// that runs it.
#include <stdio.h>

#include "backend/host/engine_bulk.h"
#include "backend/host/engine_parts.h"
#include "backend/host/mmu.h"
#include "base/atomic.h"
#include "base/bytes.h"

// What a row counts beside its bytes, so that a million short rows are several pieces too.
#define ROW_COST 64u

// The part of a fill that later parts are copied from: small enough to stay in the first cache.
#define FILL_BLOCK 4096u

// From here on idle workers help, one for so many bytes, taking so many at a time.
#define SHARED_BYTES ((uint64_t)2 << 20)
#define SHARE_BYTES  ((uint64_t)256 << 10)

// One side of a move: where its rows are, and the run of bytes found last.
struct side {
    tarn_addr base;
    uint64_t pitch;
    uint64_t slice;
    tarn_addr end; // behind the last byte of the last row
    tarn_access need;
    tarn_addr run_addr;
    uint64_t run; // 0: nothing known
    unsigned char *run_cpu;
};

struct move {
    struct tn_host *host;
    uint64_t width;
    uint64_t height;
    uint64_t depth;
    struct side dst;
    struct side src; // of a copy
    bool is_copy;
    bool is_bulk;     // so much that it goes past the cache
    uint32_t pattern; // of a fill: 4 bytes, whatever the element
    int devices[3];
    uint64_t layer; // where the move has come to: which slice, row and byte
    uint64_t row;
    uint64_t column;
};

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static void side_init(struct side *side, struct move *m, tarn_addr base, uint64_t pitch,
                      uint64_t slice, tarn_access need) {
    side->base = base;
    side->pitch = pitch;
    side->slice = slice;
    side->end = base + (m->depth - 1) * slice + (m->height - 1) * pitch + m->width;
    side->need = need;
    side->run = 0;
}

// Slices that go on where the one before ends are rows of one slice.
static void join_slices(struct move *m) {
    if (m->height == 1) {
        m->dst.pitch = m->dst.slice;
        m->src.pitch = m->src.slice;
    } else if (m->dst.slice != m->dst.pitch * m->height ||
               (m->is_copy && m->src.slice != m->src.pitch * m->height)) {
        return;
    }
    m->height *= m->depth;
    m->depth = 1;
}

// Rows without gaps are one row.
static void join(struct move *m) {
    if (m->depth > 1) {
        join_slices(m);
    }
    bool dense =
        m->depth == 1 && m->dst.pitch == m->width && (!m->is_copy || m->src.pitch == m->width);
    if (dense) {
        m->width *= m->height;
        m->height = 1;
    }
}

static void move_init_copy(struct move *m, struct tn_host *host, const tarn_backend_copy *copy) {
    *m = (struct move){.host = host,
                       .width = copy->width,
                       .height = copy->height,
                       .depth = copy->depth,
                       .is_copy = true,
                       .is_bulk = copy->height * copy->depth >= TN_HOST_BULK_BYTES / copy->width,
                       .devices = {copy->device, copy->peers[0], copy->peers[1]}};
    side_init(&m->dst, m, copy->dst, copy->dst_pitch, copy->dst_slice_pitch,
              TARN_ACCESS_READ_WRITE);
    side_init(&m->src, m, copy->src, copy->src_pitch, copy->src_slice_pitch, TARN_ACCESS_READ);
    join(m);
}

static uint32_t four_bytes(uint32_t value, unsigned element_bytes) {
    switch (element_bytes) {
    case 1:
        return (value & 0xffu) * 0x01010101u;
    case 2:
        return (value & 0xffffu) * 0x00010001u;
    default:
        return value;
    }
}

static void move_init_fill(struct move *m, struct tn_host *host, const tarn_backend_fill *fill) {
    *m = (struct move){.host = host,
                       .width = fill->width,
                       .height = fill->height,
                       .depth = fill->depth,
                       .pattern = four_bytes(fill->value, fill->element_bytes),
                       .devices = {fill->device, -1, -1}};
    side_init(&m->dst, m, fill->dst, fill->pitch, fill->slice_pitch, TARN_ACCESS_READ_WRITE);
    join(m);
}

static void move_init(struct move *m, void *p, const struct tn_host_op *op) {
    if (op->kind == TN_HOST_OP_COPY) {
        move_init_copy(m, (struct tn_host *)p, &op->u.copy);
    } else {
        move_init_fill(m, (struct tn_host *)p, &op->u.fill);
    }
}

// The byte of this side where the move is; at most *bytes of them, lowered to what the run has.
static tarn_status side_at(struct move *m, struct side *side, unsigned char **cpu,
                           uint64_t *bytes) {
    tarn_addr addr = side->base + m->layer * side->slice + m->row * side->pitch + m->column;
    if (addr - side->run_addr >= side->run) {
        // Beyond this row too: the next ones are often in the same run.
        uint64_t reach = least(side->end - addr, TN_HOST_MMU_PIECE);
        void *found;
        uint64_t run;
        tarn_status status =
            tn_host_mmu_translate(m->host, addr, reach, side->need, m->devices, &found, &run);
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

// Doubles what is there, then repeats its first block. `phase`: which byte of the pattern is first.
static void fill_bytes(unsigned char *dst, uint32_t pattern, unsigned phase, uint64_t bytes) {
    if (pattern == (pattern & 0xffu) * 0x01010101u) {
        tn_bytes_set(dst, (int)(pattern & 0xffu), bytes);
        return;
    }
    uint32_t twice[2] = {pattern, pattern};
    uint64_t done = least(sizeof pattern, bytes);
    tn_bytes_copy(dst, (unsigned char *)twice + phase, done);
    while (done < bytes) {
        uint64_t part = least(least(done, FILL_BLOCK), bytes - done);
        tn_bytes_copy(dst + done, dst, part);
        done += part;
    }
}

static void put(const struct move *m, unsigned char *dst, const unsigned char *src,
                uint64_t bytes) {
    if (!m->is_copy) {
        fill_bytes(dst, m->pattern, (unsigned)(m->column % sizeof m->pattern), bytes);
    } else if (m->is_bulk && !tn_bytes_watched()) {
        tn_host_bulk_copy(dst, src, bytes);
    } else {
        tn_bytes_copy(dst, src, bytes);
    }
}

// Moves, or with `dry` only checks, what can be done in one go; tells how many bytes that was.
static tarn_status step(struct move *m, bool dry, uint64_t limit, uint64_t *moved) {
    uint64_t bytes = least(m->width - m->column, limit);
    unsigned char *dst;
    unsigned char *src = NULL;
    tarn_status status = side_at(m, &m->dst, &dst, &bytes);
    if (status == TARN_OK && m->is_copy) {
        status = side_at(m, &m->src, &src, &bytes);
    }
    if (status != TARN_OK) {
        return status;
    }
    if (!dry) {
        put(m, dst, src, bytes);
    }
    m->column += bytes;
    if (m->column == m->width) {
        m->column = 0;
        m->row++;
    }
    if (m->row == m->height) {
        m->row = 0;
        m->layer++;
    }
    *moved = bytes;
    return TARN_OK;
}

// As much as one hold of the table allows.
static tarn_status piece(struct move *m, bool dry) {
    uint64_t left = TN_HOST_MMU_PIECE;
    while (m->layer < m->depth && left != 0) {
        uint64_t moved;
        tarn_status status = step(m, dry, dry ? UINT64_MAX : left, &moved);
        if (status != TARN_OK) {
            return status;
        }
        left -= least(left, dry ? ROW_COST : moved + ROW_COST);
    }
    return TARN_OK;
}

static tarn_status all_pieces(struct move *m, bool dry) {
    tarn_status status = TARN_OK;
    while (status == TARN_OK && m->layer < m->depth) {
        m->dst.run = m->src.run = 0;
        tn_host_mmu_lock_shared(m->host);
        status = piece(m, dry);
        tn_host_mmu_unlock_shared(m->host);
    }
    return status;
}

static bool fits_one_piece(const struct move *m) {
    uint64_t rows = m->height * m->depth;
    return m->width <= TN_HOST_MMU_PIECE && rows <= TN_HOST_MMU_PIECE &&
           (m->width + ROW_COST) * rows <= TN_HOST_MMU_PIECE;
}

// Checked and moved under one hold, with the runs of the check still good for the move.
static tarn_status one_piece(struct move *m) {
    tn_host_mmu_lock_shared(m->host);
    tarn_status status = piece(m, true);
    if (status == TARN_OK) {
        m->layer = m->row = m->column = 0;
        status = piece(m, false);
    }
    tn_host_mmu_unlock_shared(m->host);
    return status;
}

tarn_status tn_host_move_now(void *p, const struct tn_host_op *op) {
    struct move m;
    move_init(&m, p, op);
    if (fits_one_piece(&m)) {
        return one_piece(&m);
    }
    tarn_status status = all_pieces(&m, true);
    if (status == TARN_OK) {
        m.layer = m.row = m.column = 0;
        status = all_pieces(&m, false);
    }
    return status;
}

static void describe(const struct tn_host_op *op, tarn_status status, char *text, size_t size) {
    tarn_error error;
    (void)tarn_last_error(&error); // the MMU's, of this thread
    if (op->kind == TN_HOST_OP_COPY) {
        const tarn_backend_copy *c = &op->u.copy;
        (void)snprintf(
            text, size,
            "copy of %llu x %llu x %llu bytes from 0x%llx to 0x%llx on device %d: %s: %s",
            (unsigned long long)c->width, (unsigned long long)c->height,
            (unsigned long long)c->depth, (unsigned long long)c->src, (unsigned long long)c->dst,
            c->device, tarn_status_name(status), error.message);
    } else {
        const tarn_backend_fill *f = &op->u.fill;
        (void)snprintf(text, size,
                       "fill of %llu x %llu x %llu bytes at 0x%llx on device %d: %s: %s",
                       (unsigned long long)f->width, (unsigned long long)f->height,
                       (unsigned long long)f->depth, (unsigned long long)f->dst, f->device,
                       tarn_status_name(status), error.message);
    }
}

// A move of one row that several threads divide among them.
struct shared_move {
    struct tn_host_share share; // first, so that the one is the other
    struct move whole;          // constant; each thread works on a copy
    const struct tn_host_op *op;
    _Atomic uint64_t taken; // bytes; the share's end, under the engine's lock, publishes them
    _Atomic bool failed;
    tarn_status status; // of the one who failed first, who alone writes it and the text
    char *text;
    size_t size;
};

static void run_part(struct tn_host_share *share) {
    struct shared_move *s = (struct shared_move *)share;
    tarn_status status = TARN_OK;
    struct move part = s->whole;
    uint64_t from;
    while (status == TARN_OK && !tn_load_relaxed(&s->failed) &&
           (from = tn_add_relaxed(&s->taken, SHARE_BYTES)) < s->whole.width) {
        part.layer = part.row = 0;
        part.column = from;
        part.width = least(from + SHARE_BYTES, s->whole.width);
        status = all_pieces(&part, false);
    }
    if (status != TARN_OK && !tn_exchange_relaxed(&s->failed, true)) {
        s->status = status;
        describe(s->op, status, s->text, s->size);
    }
}

static unsigned helpers_for(struct tn_host *host, uint64_t bytes) {
    return (unsigned)least(bytes / SHARED_BYTES, tn_host_engine_of(host)->helpers_max);
}

static tarn_status move_shared(const struct move *m, const struct tn_host_op *op, char *text,
                               size_t size) {
    struct shared_move s = {.share = {.run = run_part, .places = helpers_for(m->host, m->width)},
                            .whole = *m,
                            .op = op,
                            .text = text,
                            .size = size};
    tn_host_share_run(tn_host_engine_of(m->host), &s.share);
    return s.status;
}

tarn_status tn_host_move_run(void *p, const struct tn_host_op *op, char *text, size_t size) {
    struct move m;
    move_init(&m, p, op);
    if (m.height == 1 && m.depth == 1 && helpers_for(m.host, m.width) != 0) {
        return move_shared(&m, op, text, size);
    }
    tarn_status status = all_pieces(&m, false);
    if (status != TARN_OK) {
        describe(op, status, text, size);
    }
    return status;
}
