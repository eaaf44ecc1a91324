// SPDX-License-Identifier: Apache-2.0
// The unpackers: zlib, libzstd and liblzma behind one table; see unpack.h.
#include "trace/parse/unpack.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define MEMORY_LIMIT     (UINT64_C(256) << 20)
#define WINDOW_LOG_MAX   27 // 128 MiB, what `zstd -19` stays below
#define MAGIC_OF(text)   (const uint8_t *)(text), sizeof(text) - 1
#define ZLIB_AVAIL(size) ((uInt)((size) < (1u << 30) ? (size) : (1u << 30)))

struct kind {
    const char *name;
    const uint8_t *magic;
    size_t magic_size;
    bool (*open)(struct tn_unpack *unpack);
    void (*close)(struct tn_unpack *unpack);
    enum tn_unpack_result (*step)(struct tn_unpack *unpack, struct tn_unpack_io *io);
};

struct tn_unpack {
    const struct kind *kind;
    const char *reason;
    union {
        z_stream gzip;
        ZSTD_DStream *zstd;
        lzma_stream xz;
    } as;
};

// ---- gzip

static bool open_gzip(struct tn_unpack *unpack) {
    return inflateInit2(&unpack->as.gzip, 15 + 16) == Z_OK;
}

static void close_gzip(struct tn_unpack *unpack) { (void)inflateEnd(&unpack->as.gzip); }

static enum tn_unpack_result step_gzip(struct tn_unpack *unpack, struct tn_unpack_io *io) {
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
    case Z_BUF_ERROR: return TN_UNPACK_MORE;
    case Z_STREAM_END: (void)inflateReset(z); return TN_UNPACK_END;
    case Z_MEM_ERROR: return TN_UNPACK_NO_MEMORY;
    default: unpack->reason = z->msg != NULL ? z->msg : "no reason given"; return TN_UNPACK_DAMAGED;
    }
}

// ---- zstd

static bool open_zstd(struct tn_unpack *unpack) {
    unpack->as.zstd = ZSTD_createDStream();
    return unpack->as.zstd != NULL && !ZSTD_isError(ZSTD_DCtx_setParameter(
                                          unpack->as.zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX));
}

static void close_zstd(struct tn_unpack *unpack) { (void)ZSTD_freeDStream(unpack->as.zstd); }

static enum tn_unpack_result step_zstd(struct tn_unpack *unpack, struct tn_unpack_io *io) {
    ZSTD_inBuffer in = {io->in, io->in_left, 0};
    ZSTD_outBuffer out = {io->out, io->out_left, 0};
    size_t left = ZSTD_decompressStream(unpack->as.zstd, &out, &in);
    if (ZSTD_isError(left)) {
        unpack->reason = ZSTD_getErrorName(left);
        return TN_UNPACK_DAMAGED;
    }
    io->in += in.pos;
    io->in_left -= in.pos;
    io->out += out.pos;
    io->out_left -= out.pos;
    return left == 0 ? TN_UNPACK_END : TN_UNPACK_MORE;
}

// ---- xz

// Also begins the next stream, with the memory of the last.
static bool begin_xz(struct tn_unpack *unpack) {
    return lzma_stream_decoder(&unpack->as.xz, MEMORY_LIMIT, 0) == LZMA_OK;
}

static bool open_xz(struct tn_unpack *unpack) {
    unpack->as.xz = (lzma_stream)LZMA_STREAM_INIT;
    return begin_xz(unpack);
}

static void close_xz(struct tn_unpack *unpack) { lzma_end(&unpack->as.xz); }

static enum tn_unpack_result step_xz(struct tn_unpack *unpack, struct tn_unpack_io *io) {
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
    case LZMA_BUF_ERROR: return TN_UNPACK_MORE;
    case LZMA_STREAM_END: return begin_xz(unpack) ? TN_UNPACK_END : TN_UNPACK_NO_MEMORY;
    case LZMA_MEM_ERROR:
    case LZMA_MEMLIMIT_ERROR: return TN_UNPACK_NO_MEMORY;
    case LZMA_OPTIONS_ERROR:
        unpack->reason = "options that this version of liblzma does not know";
        return TN_UNPACK_DAMAGED;
    default:
        unpack->reason = result == LZMA_FORMAT_ERROR ? "not the beginning of a stream" : "bad data";
        return TN_UNPACK_DAMAGED;
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

tarn_status tn_unpack_open(const uint8_t *bytes, size_t size, struct tn_unpack **unpack) {
    const struct kind *kind = NULL;
    *unpack = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (size >= kinds[i].magic_size && memcmp(bytes, kinds[i].magic, kinds[i].magic_size) == 0)
            kind = &kinds[i];
    if (kind == NULL) return TARN_OK;
    struct tn_unpack *fresh = (struct tn_unpack *)calloc(1, sizeof *fresh);
    if (fresh == NULL) return TARN_NO_HOST_MEMORY;
    fresh->kind = kind;
    if (!kind->open(fresh)) {
        kind->close(fresh);
        free(fresh);
        return TARN_NO_HOST_MEMORY;
    }
    *unpack = fresh;
    return TARN_OK;
}

void tn_unpack_close(struct tn_unpack *unpack) {
    if (unpack == NULL) return;
    unpack->kind->close(unpack);
    free(unpack);
}

enum tn_unpack_result tn_unpack_step(struct tn_unpack *unpack, struct tn_unpack_io *io) {
    return unpack->kind->step(unpack, io);
}

const char *tn_unpack_kind(const struct tn_unpack *unpack) { return unpack->kind->name; }

const char *tn_unpack_reason(const struct tn_unpack *unpack) { return unpack->reason; }
