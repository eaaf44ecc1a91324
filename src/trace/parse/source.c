// SPDX-License-Identifier: Apache-2.0
// Reads bytes from a file, from standard input or from memory, and unpacks them if they are
// compressed. There is one input buffer (files only) and one output buffer, both of fixed size. See
// source.h.
#include "trace/parse/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tarn/base.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/error.h"
#include "trace/builder.h"
#include "trace/progress.h"

// ---- unpackers: zlib, libzstd and liblzma behind one table

// The bytes of a file from which its compression is known.
#define UNPACK_MAGIC 6

// The input of one step and the room for its output. The step moves both forward.
struct unpack_io {
    const uint8_t *in;
    size_t in_left;
    uint8_t *out;
    size_t out_left;
};

enum unpack_result {
    UNPACK_MORE,     // the step did what it could
    UNPACK_END,      // a compressed stream has ended; another may follow
    UNPACK_DAMAGED,  // `reason` says why
    UNPACK_NO_MEMORY // out of host memory, or the stream needs more than 256 MiB
};

#define MEMORY_LIMIT     (UINT64_C(256) << 20)
#define WINDOW_LOG_MAX   27 // 128 MiB, what `zstd -19` stays below
#define MAGIC_OF(text)   (const uint8_t *)(text), sizeof(text) - 1
#define ZLIB_AVAIL(size) ((uInt)((size) < (1u << 30) ? (size) : (1u << 30)))

struct unpack;

struct kind {
    const char *name;
    const uint8_t *magic;
    size_t magic_size;
    bool (*open)(struct unpack *unpack);
    void (*close)(struct unpack *unpack);
    enum unpack_result (*step)(struct unpack *unpack, struct unpack_io *io);
};

struct unpack {
    const struct kind *kind;
    const char *reason;
    union {
        z_stream gzip;
        ZSTD_DStream *zstd;
        lzma_stream xz;
    } as;
};

// ---- gzip

static bool open_gzip(struct unpack *unpack) {
    return inflateInit2(&unpack->as.gzip, 15 + 16) == Z_OK;
}

static void close_gzip(struct unpack *unpack) { (void)inflateEnd(&unpack->as.gzip); }

static enum unpack_result step_gzip(struct unpack *unpack, struct unpack_io *io) {
    z_stream *z = &unpack->as.gzip;
    uInt in = ZLIB_AVAIL(io->in_left), out = ZLIB_AVAIL(io->out_left);
    z->next_in = (Bytef *)(uintptr_t)io->in;
    z->avail_in = in;
    z->next_out = io->out;
    z->avail_out = out;
    int result = inflate(z, Z_NO_FLUSH);
    io->in += in - z->avail_in;
    io->in_left -= in - z->avail_in;
    io->out += out - z->avail_out;
    io->out_left -= out - z->avail_out;
    switch (result) {
    case Z_OK:
    case Z_BUF_ERROR: return UNPACK_MORE;
    case Z_STREAM_END: (void)inflateReset(z); return UNPACK_END;
    case Z_MEM_ERROR: return UNPACK_NO_MEMORY;
    default: unpack->reason = z->msg != NULL ? z->msg : "no reason given"; return UNPACK_DAMAGED;
    }
}

// ---- zstd

static bool open_zstd(struct unpack *unpack) {
    unpack->as.zstd = ZSTD_createDStream();
    return unpack->as.zstd != NULL && !ZSTD_isError(ZSTD_DCtx_setParameter(
                                          unpack->as.zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX));
}

static void close_zstd(struct unpack *unpack) { (void)ZSTD_freeDStream(unpack->as.zstd); }

static enum unpack_result step_zstd(struct unpack *unpack, struct unpack_io *io) {
    ZSTD_inBuffer in = {io->in, io->in_left, 0};
    ZSTD_outBuffer out = {io->out, io->out_left, 0};
    size_t left = ZSTD_decompressStream(unpack->as.zstd, &out, &in);
    if (ZSTD_isError(left)) {
        unpack->reason = ZSTD_getErrorName(left);
        return UNPACK_DAMAGED;
    }
    io->in += in.pos;
    io->in_left -= in.pos;
    io->out += out.pos;
    io->out_left -= out.pos;
    return left == 0 ? UNPACK_END : UNPACK_MORE;
}

// ---- xz

// Also begins the next stream, with the memory of the last.
static bool begin_xz(struct unpack *unpack) {
    return lzma_stream_decoder(&unpack->as.xz, MEMORY_LIMIT, 0) == LZMA_OK;
}

static bool open_xz(struct unpack *unpack) {
    unpack->as.xz = (lzma_stream)LZMA_STREAM_INIT;
    return begin_xz(unpack);
}

static void close_xz(struct unpack *unpack) { lzma_end(&unpack->as.xz); }

static enum unpack_result step_xz(struct unpack *unpack, struct unpack_io *io) {
    lzma_stream *xz = &unpack->as.xz;
    xz->next_in = io->in;
    xz->avail_in = io->in_left;
    xz->next_out = io->out;
    xz->avail_out = io->out_left;
    lzma_ret result = lzma_code(xz, LZMA_RUN);
    io->in = xz->next_in;
    io->in_left = xz->avail_in;
    io->out = xz->next_out;
    io->out_left = xz->avail_out;
    switch (result) {
    case LZMA_OK:
    case LZMA_BUF_ERROR: return UNPACK_MORE;
    case LZMA_STREAM_END: return begin_xz(unpack) ? UNPACK_END : UNPACK_NO_MEMORY;
    case LZMA_MEM_ERROR:
    case LZMA_MEMLIMIT_ERROR: return UNPACK_NO_MEMORY;
    case LZMA_OPTIONS_ERROR:
        unpack->reason = "options that this version of liblzma does not know";
        return UNPACK_DAMAGED;
    default:
        unpack->reason = result == LZMA_FORMAT_ERROR ? "not the beginning of a stream" : "bad data";
        return UNPACK_DAMAGED;
    }
}

// ---- all kinds

static const struct kind kinds[] = {
    {"gzip", MAGIC_OF("\x1f\x8b"), open_gzip, close_gzip, step_gzip},
    {"zstd", MAGIC_OF("\x28\xb5\x2f\xfd"), open_zstd, close_zstd, step_zstd},
    {"xz",
     MAGIC_OF("\xfd"
              "7zXZ\0"),
     open_xz, close_xz, step_xz},
};

// Opens the unpacker that the first bytes ask for; its kind is NULL if they are not compressed.
// Returns false if host memory is exhausted.
static bool open_unpack(struct unpack *unpack, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (size >= kinds[i].magic_size && memcmp(bytes, kinds[i].magic, kinds[i].magic_size) == 0)
            unpack->kind = &kinds[i];
    return unpack->kind == NULL || unpack->kind->open(unpack);
}

// ---- sources

enum { BUFFER = 64 * 1024 };

static const char standard_input[] = "standard input"; // the name of a source without a path

struct tn_source {
    const char *name;
    int file;           // -1 if the bytes come from memory
    uint64_t bytes;     // stored bytes of the file; 0 if unknown
    const uint8_t *raw; // stored bytes that are not used yet, in `input` or in the caller's memory
    size_t raw_left;
    uint64_t raw_taken;   // stored bytes that were used before `raw`
    struct unpack unpack; // without a kind if the stored bytes are those to read
    bool in_stream;       // a compressed stream has begun and not ended
    const uint8_t *ready; // bytes for the next peek
    size_t ready_left;
    uint64_t taken;
    tarn_status status;
    uint8_t input[BUFFER];
    uint8_t output[BUFFER];
};

static tarn_status new_source(const char *name, struct tn_source **source) {
    struct tn_source *fresh = (struct tn_source *)calloc(1, sizeof *fresh);
    TN_REFUSE(fresh == NULL, TARN_NO_HOST_MEMORY, "%s: out of host memory to read it", name);
    fresh->name = name;
    fresh->file = -1;
    fresh->ready = fresh->output;
    *source = fresh;
    return TARN_OK;
}

// Makes `raw` contain at least `want` bytes, at most BUFFER, unless the file is at its end.
static tarn_status refill_raw(struct tn_source *source, size_t want) {
    if (source->raw_left >= want || source->file < 0) return TARN_OK;
    memmove(source->input, source->raw, source->raw_left);
    source->raw = source->input;
    while (source->raw_left < want) {
        ssize_t got =
            read(source->file, source->input + source->raw_left, BUFFER - source->raw_left);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            return source->status =
                       tn_fail_native(TARN_SYSTEM, "read", errno, "%s: cannot read: %s",
                                      source->name, strerror(errno));
        if (got == 0) break;
        source->raw_left += (size_t)got;
        tn_trace_report(TN_STAGE_READ, source->raw_taken, source->bytes);
    }
    return TARN_OK;
}

static void use_raw(struct tn_source *source, size_t size) {
    source->raw += size;
    source->raw_left -= size;
    source->raw_taken += size;
}

static tarn_status fail_no_memory(struct tn_source *source) {
    return source->status =
               tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory to unpack it", source->name);
}

static tarn_status finish_open(struct tn_source *fresh, struct tn_source **source) {
    tarn_status status = refill_raw(fresh, UNPACK_MAGIC);
    if (status == TARN_OK && !open_unpack(&fresh->unpack, fresh->raw, fresh->raw_left))
        status = fail_no_memory(fresh);
    if (status != TARN_OK) {
        tn_source_close(fresh);
        return status;
    }
    *source = fresh;
    return TARN_OK;
}

tarn_status tn_source_open(const char *path, struct tn_source **source) {
    struct tn_source *fresh = NULL;
    bool is_input = strcmp(path, "-") == 0;
    TN_TRY(new_source(is_input ? standard_input : path, &fresh));
    fresh->raw = fresh->input;
    fresh->file =
        is_input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
    if (fresh->file < 0) {
        tarn_status status = tn_fail_native(TARN_SYSTEM, "open", errno, "%s: cannot open: %s", path,
                                            strerror(errno));
        tn_source_close(fresh);
        return status;
    }
    struct stat info;
    fresh->bytes = fstat(fresh->file, &info) == 0 ? (uint64_t)info.st_size : 0;
    return finish_open(fresh, source);
}

tarn_status tn_source_open_memory(const char *name, const void *bytes, size_t size,
                                  struct tn_source **source) {
    struct tn_source *fresh = NULL;
    TN_TRY(new_source(name, &fresh));
    fresh->raw = (const uint8_t *)bytes;
    fresh->raw_left = size;
    return finish_open(fresh, source);
}

void tn_source_close(struct tn_source *source) {
    if (source == NULL) return;
    if (source->unpack.kind != NULL) source->unpack.kind->close(&source->unpack);
    if (source->file >= 0) (void)close(source->file);
    free(source);
}

const char *tn_source_name(const struct tn_source *source) { return source->name; }

bool tn_source_is_file(const struct tn_source *source) {
    return source->file >= 0 && source->name != standard_input;
}

uint64_t tn_source_offset(const struct tn_source *source) { return source->taken; }

static tarn_status fail_packed(struct tn_source *source, const char *before, const char *behind,
                               const char *reason) {
    return source->status =
               tn_fail(TARN_CORRUPT, "%s: compressed byte %" PRIu64 ": %s%s%s%s", source->name,
                       source->raw_taken, before, source->unpack.kind->name, behind, reason);
}

// Unpacks once, behind the bytes that are ready. It may add none.
static tarn_status unpack_some(struct tn_source *source) {
    size_t used = (size_t)(source->ready - source->output) + source->ready_left;
    struct unpack_io io = {.in = source->raw,
                           .in_left = source->raw_left,
                           .out = source->output + used,
                           .out_left = BUFFER - used};
    enum unpack_result result = source->unpack.kind->step(&source->unpack, &io);
    use_raw(source, source->raw_left - io.in_left);
    source->ready_left += BUFFER - used - io.out_left;
    switch (result) {
    case UNPACK_MORE: return TARN_OK;
    case UNPACK_END: source->in_stream = false; return TARN_OK;
    case UNPACK_NO_MEMORY: return fail_no_memory(source);
    default: return fail_packed(source, "damaged ", ": ", source->unpack.reason);
    }
}

// Unpacks until `want` bytes are ready or the last stream has ended. At the end of the file the
// unpacker may still hold bytes that did not fit into the output, so it is called until it makes
// none.
static tarn_status unpack_bytes(struct tn_source *source, size_t want) {
    while (source->ready_left < want) {
        size_t before = source->ready_left;
        TN_TRY(refill_raw(source, 1));
        bool at_end = source->raw_left == 0;
        if (at_end && !source->in_stream) return TARN_OK;
        source->in_stream = true;
        TN_TRY(unpack_some(source));
        if (at_end && source->in_stream && source->ready_left == before)
            return fail_packed(source, "the ", " stream is truncated", "");
    }
    return TARN_OK;
}

// Without an unpacker the bytes that are ready are the stored ones.
static tarn_status pass_bytes(struct tn_source *source, size_t want) {
    source->raw -= source->ready_left;
    source->raw_left += source->ready_left;
    source->raw_taken -= source->ready_left;
    tarn_status status = refill_raw(source, want);
    source->ready = source->raw;
    source->ready_left = source->raw_left;
    use_raw(source, source->raw_left);
    return status;
}

tarn_status tn_source_look(struct tn_source *source, size_t want, const uint8_t **bytes,
                           size_t *size) {
    if (source->status == TARN_OK && source->ready_left < want) {
        if (source->unpack.kind == NULL) {
            (void)pass_bytes(source, want);
        } else {
            memmove(source->output, source->ready, source->ready_left);
            source->ready = source->output;
            (void)unpack_bytes(source, want);
        }
    }
    *bytes = source->ready;
    *size = source->ready_left;
    return source->status;
}

tarn_status tn_source_peek(struct tn_source *source, const uint8_t **bytes, size_t *size) {
    return tn_source_look(source, 1, bytes, size);
}

void tn_source_take(struct tn_source *source, size_t size) {
    source->ready += size;
    source->ready_left -= size;
    source->taken += size;
}

tarn_status tn_source_read(struct tn_source *source, void *bytes, size_t size) {
    uint8_t *to = (uint8_t *)bytes;
    while (size > 0) {
        const uint8_t *from;
        size_t ready;
        TN_TRY(tn_source_peek(source, &from, &ready));
        if (ready == 0)
            return source->status =
                       tn_fail(TARN_CORRUPT, "%s: byte %" PRIu64 ": the file ends early",
                               source->name, source->taken);
        size_t part = ready < size ? ready : size;
        memcpy(to, from, part);
        tn_source_take(source, part);
        to += part;
        size -= part;
    }
    return TARN_OK;
}

tarn_status tn_source_read_all(struct tn_source *source, uint64_t limit, uint8_t **bytes,
                               size_t *size) {
    size_t room = 0, count = 0;
    uint8_t *all = NULL;
    for (;;) {
        const uint8_t *from;
        size_t ready;
        tarn_status status = tn_source_peek(source, &from, &ready);
        if (status == TARN_OK && ready > limit - count)
            status = tn_fail(TARN_NO_HOST_MEMORY, "%s: more than the %" PRIu64 " bytes allowed",
                             source->name, limit);
        if (status == TARN_OK) {
            uint8_t *grown = (uint8_t *)tn_grow(all, &room, count + ready + 1, 1);
            if (grown == NULL)
                status =
                    tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory to read it", source->name);
            all = grown != NULL ? grown : all;
        }
        if (status != TARN_OK) {
            free(all);
            return status;
        }
        if (ready == 0) break;
        memcpy(all + count, from, ready);
        tn_source_take(source, ready);
        count += ready;
    }
    all[count] = 0;
    *bytes = all;
    *size = count;
    return TARN_OK;
}
