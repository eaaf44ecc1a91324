// SPDX-License-Identifier: Apache-2.0
// Writes bytes to a file or to standard output, packed by zlib if requested; see output.h.
#include "trace/write/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "base/named_file.h"
#include "base/replacement.h"
#include "trace/base64.h"

// BUFFER is a multiple of 3, so that each buffer is whole in base64.
enum { BUFFER = 63 * 1024, GZIP_WINDOW = 15 + 16 };

struct tn_output {
    const char *name; // for error texts
    struct tn_replacement place;
    int failure;             // errno of the first call that failed, or 0
    struct tn_output *outer; // gets the bytes in base64; NULL if they go to a file
    bool packs;
    z_stream packer;
    size_t used;
    uint8_t buffer[BUFFER];
    uint8_t packed[BUFFER];
};

static void write_bytes(struct tn_output *output, const uint8_t *bytes, size_t size) {
    while (size > 0 && output->failure == 0) {
        ssize_t done = write(output->place.file, bytes, size);
        if (done >= 0) {
            bytes += done;
            size -= (size_t)done;
        } else if (errno != EINTR) {
            output->failure = errno;
        }
    }
}

static void pack_bytes(struct tn_output *output, const uint8_t *bytes, size_t size, int mode) {
    output->packer.next_in = (Bytef *)(uintptr_t)bytes;
    output->packer.avail_in = (uInt)size;
    do {
        output->packer.next_out = output->packed;
        output->packer.avail_out = BUFFER;
        (void)deflate(&output->packer, mode);
        write_bytes(output, output->packed, BUFFER - output->packer.avail_out);
    } while (output->packer.avail_out == 0 && output->failure == 0);
}

static void encode_bytes(struct tn_output *output, const uint8_t *bytes, size_t size) {
    enum { PART = 3 * 256 };
    char text[TN_BASE64_LENGTH(PART)];
    for (size_t at = 0; at < size; at += PART) {
        size_t part = size - at < PART ? size - at : PART;
        tn_output_put(output->outer, text, tn_base64_encode(bytes + at, part, text));
    }
}

static void empty_buffer(struct tn_output *output, int mode) {
    if (output->outer != NULL)
        encode_bytes(output, output->buffer, output->used);
    else if (output->packs)
        pack_bytes(output, output->buffer, output->used, mode);
    else
        write_bytes(output, output->buffer, output->used);
    output->used = 0;
}

void tn_output_put(struct tn_output *output, const void *bytes, size_t size) {
    const uint8_t *from = (const uint8_t *)bytes;
    while (size > 0) {
        size_t part = size < BUFFER - output->used ? size : BUFFER - output->used;
        memcpy(output->buffer + output->used, from, part);
        output->used += part;
        from += part;
        size -= part;
        if (output->used == BUFFER) empty_buffer(output, Z_NO_FLUSH);
    }
}

void tn_output_byte(struct tn_output *output, uint8_t byte) { tn_output_put(output, &byte, 1); }

void tn_output_print(struct tn_output *output, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof text)
        output->failure = output->failure != 0 ? output->failure : EOVERFLOW;
    else
        tn_output_put(output, text, (size_t)length);
}

void tn_output_flush(struct tn_output *output) { empty_buffer(output, Z_SYNC_FLUSH); }

static tarn_status fail_output(const struct tn_output *output, const char *call, int code) {
    return tn_fail_native(code == ENOMEM ? TARN_NO_HOST_MEMORY : TARN_SYSTEM, call, code,
                          "%s: cannot write: %s", output->name, tn_named_file_error(code));
}

tarn_status tn_output_status(const struct tn_output *output) {
    return output->failure == 0 ? TARN_OK : fail_output(output, "write", output->failure);
}

// ---- opening

static tarn_status open_file(struct tn_output *output) {
    if (strcmp(output->name, "-") == 0) {
        output->name = "standard output";
        output->place.file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
        return output->place.file >= 0 ? TARN_OK : fail_output(output, "fcntl", errno);
    }
    int failure = tn_replacement_open(output->name, 0, &output->place);
    return failure == 0 ? TARN_OK : fail_output(output, "open", failure);
}

static void free_output(struct tn_output *output) {
    if (output->packs) (void)deflateEnd(&output->packer);
    free(output);
}

tarn_status tn_output_attach(int file, const char *name, struct tn_output **output) {
    struct tn_output *fresh = (struct tn_output *)calloc(1, sizeof *fresh);
    TN_REFUSE(fresh == NULL, TARN_NO_HOST_MEMORY, "%s: out of host memory to write it", name);
    fresh->name = name;
    fresh->place.file = file;
    *output = fresh;
    return TARN_OK;
}

tarn_status tn_output_open(const char *path, enum tn_output_pack pack, struct tn_output **output) {
    struct tn_output *fresh = NULL;
    TN_TRY(tn_output_attach(-1, path, &fresh));
    fresh->packs =
        pack == TN_OUTPUT_GZIP && deflateInit2(&fresh->packer, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                               GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    tarn_status status =
        pack == TN_OUTPUT_GZIP && !fresh->packs
            ? tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory to pack it", path)
            : open_file(fresh);
    if (status == TARN_OK)
        *output = fresh;
    else
        free_output(fresh);
    return status;
}

tarn_status tn_output_nest(struct tn_output *outer, struct tn_output **output) {
    TN_TRY(tn_output_attach(-1, outer->name, output));
    (*output)->outer = outer;
    return TARN_OK;
}

// ---- closing

tarn_status tn_output_close(struct tn_output *output, tarn_status status) {
    if (output->outer != NULL) {
        empty_buffer(output, Z_FINISH);
        free_output(output);
        return status;
    }
    if (status == TARN_OK) empty_buffer(output, Z_FINISH);
    // A call that failed before has recorded its error, so any number that is no success will do.
    int failure = tn_replacement_close(&output->place, status == TARN_OK ? output->failure : EIO);
    if (status == TARN_OK && failure != 0) status = fail_output(output, "write", failure);
    free_output(output);
    return status;
}
