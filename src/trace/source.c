// SPDX-License-Identifier: Apache-2.0
// Reads bytes from a file or from memory, and unpacks them if they are gzip. There is one input
// buffer (files only) and one output buffer (gzip only), both of fixed size. See source.h.
#include "trace/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"

enum { BUFFER = 64 * 1024 };

struct tn_source {
    const char *name;
    int file;           // -1 if the bytes come from memory
    const uint8_t *raw; // stored bytes that are not used yet, in `input` or in the caller's memory
    size_t raw_left;
    uint64_t raw_taken; // stored bytes that were used before `raw`
    bool gzip;
    bool in_member; // gzip: a member has begun and not ended
    z_stream inflater;
    const uint8_t *ready; // bytes for the next peek
    size_t ready_left;
    uint64_t taken;
    tarn_status status;
    uint8_t input[BUFFER];
    uint8_t output[BUFFER];
};

static tarn_status new_source(const char *name, struct tn_source **source) {
    struct tn_source *fresh = (struct tn_source *)calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory to read it", name);
    fresh->name = name;
    fresh->file = -1;
    *source = fresh;
    return TARN_OK;
}

// Makes `raw` contain at least one byte unless the file is at its end.
static tarn_status refill_raw(struct tn_source *source) {
    if (source->raw_left > 0 || source->file < 0)
        return TARN_OK;
    ssize_t got;
    do
        got = read(source->file, source->input, BUFFER);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return source->status = tn_fail_native(TARN_SYSTEM, "read", errno, "%s: cannot read: %s",
                                               source->name, strerror(errno));
    source->raw = source->input;
    source->raw_left = (size_t)got;
    return TARN_OK;
}

static void use_raw(struct tn_source *source, size_t size) {
    source->raw += size;
    source->raw_left -= size;
    source->raw_taken += size;
}

static tarn_status sniff_gzip(struct tn_source *source) {
    tarn_status status = refill_raw(source);
    if (status != TARN_OK)
        return status;
    // A pipe may deliver a single byte. The inflater then checks the second one itself.
    source->gzip = source->raw_left > 0 && source->raw[0] == 0x1f &&
                   (source->raw_left == 1 || source->raw[1] == 0x8b);
    if (source->gzip && inflateInit2(&source->inflater, 15 + 16) != Z_OK) {
        source->gzip = false;
        return tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory to unpack it", source->name);
    }
    return TARN_OK;
}

static tarn_status finish_open(struct tn_source *fresh, struct tn_source **source) {
    tarn_status status = sniff_gzip(fresh);
    if (status != TARN_OK) {
        tn_source_close(fresh);
        return status;
    }
    *source = fresh;
    return TARN_OK;
}

tarn_status tn_source_open(const char *path, struct tn_source **source) {
    struct tn_source *fresh = NULL;
    tarn_status status = new_source(path, &fresh);
    if (status != TARN_OK)
        return status;
    fresh->file = open(path, O_RDONLY | O_CLOEXEC);
    if (fresh->file < 0) {
        status = tn_fail_native(TARN_SYSTEM, "open", errno, "%s: cannot open: %s", path,
                                strerror(errno));
        tn_source_close(fresh);
        return status;
    }
    return finish_open(fresh, source);
}

tarn_status tn_source_open_memory(const char *name, const void *bytes, size_t size,
                                  struct tn_source **source) {
    struct tn_source *fresh = NULL;
    tarn_status status = new_source(name, &fresh);
    if (status != TARN_OK)
        return status;
    fresh->raw = (const uint8_t *)bytes;
    fresh->raw_left = size;
    return finish_open(fresh, source);
}

void tn_source_close(struct tn_source *source) {
    if (source == NULL)
        return;
    if (source->gzip)
        (void)inflateEnd(&source->inflater);
    if (source->file >= 0)
        (void)close(source->file);
    free(source);
}

const char *tn_source_name(const struct tn_source *source) {
    return source->name;
}

uint64_t tn_source_offset(const struct tn_source *source) {
    return source->taken;
}

static tarn_status bad_gzip(struct tn_source *source, const char *what) {
    return source->status = tn_fail(TARN_CORRUPT, "%s: compressed byte %" PRIu64 ": %s",
                                    source->name, source->raw_taken, what);
}

// Calls the inflater once. Its output is in `ready`, and may be empty.
static tarn_status inflate_some(struct tn_source *source) {
    z_stream *z = &source->inflater;
    size_t offered = source->raw_left < BUFFER ? source->raw_left : (size_t)BUFFER;
    z->next_in = (Bytef *)(uintptr_t)source->raw;
    z->avail_in = (uInt)offered;
    z->next_out = source->output;
    z->avail_out = BUFFER;
    int result = inflate(z, Z_NO_FLUSH);
    use_raw(source, offered - z->avail_in);
    source->ready = source->output;
    source->ready_left = BUFFER - z->avail_out;
    if (result == Z_STREAM_END) {
        source->in_member = false;
        (void)inflateReset(z);
        return TARN_OK;
    }
    if (result == Z_OK || result == Z_BUF_ERROR)
        return TARN_OK;
    if (result == Z_MEM_ERROR)
        return source->status = tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory to unpack it",
                                        source->name);
    char what[96];
    (void)snprintf(what, sizeof what, "damaged gzip: %s",
                   z->msg != NULL ? z->msg : "no reason given");
    return bad_gzip(source, what);
}

// Unpacks until a byte is ready or the last member has ended. At the end of the file the inflater
// may still hold bytes that did not fit into the output, so it is called until it produces none.
static tarn_status unpack_bytes(struct tn_source *source) {
    while (source->ready_left == 0) {
        tarn_status status = refill_raw(source);
        if (status != TARN_OK)
            return status;
        bool at_end = source->raw_left == 0;
        if (at_end && !source->in_member)
            return TARN_OK;
        source->in_member = true;
        status = inflate_some(source);
        if (status != TARN_OK)
            return status;
        if (at_end && source->in_member && source->ready_left == 0)
            return bad_gzip(source, "the gzip stream is truncated");
    }
    return TARN_OK;
}

static tarn_status make_ready(struct tn_source *source) {
    if (source->status != TARN_OK || source->ready_left > 0)
        return source->status;
    if (source->gzip)
        return unpack_bytes(source);
    tarn_status status = refill_raw(source);
    source->ready = source->raw;
    source->ready_left = source->raw_left;
    use_raw(source, source->raw_left);
    return status;
}

tarn_status tn_source_peek(struct tn_source *source, const uint8_t **bytes, size_t *size) {
    tarn_status status = make_ready(source);
    if (status != TARN_OK)
        return status;
    *bytes = source->ready;
    *size = source->ready_left;
    return TARN_OK;
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
        tarn_status status = tn_source_peek(source, &from, &ready);
        if (status != TARN_OK)
            return status;
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
