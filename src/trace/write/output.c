// SPDX-License-Identifier: Apache-2.0
// Writes bytes to a file or to standard output, packed by zlib if requested; see output.h.
#include "trace/write/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"

enum { BUFFER = 64 * 1024, GZIP_WINDOW = 15 + 16, NAMES_TRIED = 100 };

struct tn_output {
    const char *name; // for error texts
    char *target;     // the file to replace; NULL if the output is written in place
    char *temporary;  // where it is written until then
    int file;
    int failure; // errno of the first call that failed, or 0
    bool packs;
    z_stream packer;
    size_t used;
    uint8_t buffer[BUFFER];
    uint8_t packed[BUFFER];
};

static void write_bytes(struct tn_output *output, const uint8_t *bytes, size_t size) {
    while (size > 0 && output->failure == 0) {
        ssize_t done = write(output->file, bytes, size);
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

static void empty_buffer(struct tn_output *output, int mode) {
    if (output->packs)
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
        if (output->used == BUFFER)
            empty_buffer(output, Z_NO_FLUSH);
    }
}

void tn_output_byte(struct tn_output *output, uint8_t byte) {
    tn_output_put(output, &byte, 1);
}

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

void tn_output_flush(struct tn_output *output) {
    empty_buffer(output, Z_SYNC_FLUSH);
}

static tarn_status fail_output(const struct tn_output *output, const char *call, int code) {
    return tn_fail_native(TARN_SYSTEM, call, code, "%s: cannot write: %s", output->name,
                          strerror(code));
}

// ---- opening

// Creates a file of an unused name beside the target.
static tarn_status create_temporary(struct tn_output *output) {
    for (int i = 0; i < NAMES_TRIED; i++) {
        if (asprintf(&output->temporary, "%s.%ld-%d", output->target, (long)getpid(), i) < 0) {
            output->temporary = NULL;
            return tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory", output->name);
        }
        output->file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->file >= 0)
            return TARN_OK;
        int code = errno;
        free(output->temporary);
        output->temporary = NULL;
        if (code != EEXIST)
            return fail_output(output, "open", code);
    }
    return fail_output(output, "open", EEXIST);
}

// Prepares to replace a regular file, which keeps its mode, or to create a file.
static tarn_status open_replacement(struct tn_output *output, const struct stat *old) {
    if (old != NULL && access(output->name, W_OK) != 0)
        return fail_output(output, "access", errno);
    output->target = old != NULL ? realpath(output->name, NULL) : strdup(output->name);
    if (output->target == NULL)
        return fail_output(output, "realpath", errno);
    TN_TRY(create_temporary(output));
    if (old != NULL && fchmod(output->file, old->st_mode & 07777) != 0)
        output->failure = errno;
    return TARN_OK;
}

static tarn_status open_file(struct tn_output *output) {
    struct stat status;
    if (strcmp(output->name, "-") == 0) {
        output->name = "standard output";
        output->file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
        return output->file >= 0 ? TARN_OK : fail_output(output, "fcntl", errno);
    }
    bool exists = stat(output->name, &status) == 0;
    if (!exists || S_ISREG(status.st_mode))
        return open_replacement(output, exists ? &status : NULL);
    output->file = open(output->name, O_WRONLY | O_CLOEXEC);
    return output->file >= 0 ? TARN_OK : fail_output(output, "open", errno);
}

static void free_output(struct tn_output *output) {
    if (output->packs)
        (void)deflateEnd(&output->packer);
    free(output->target);
    free(output->temporary);
    free(output);
}

tarn_status tn_output_open(const char *path, enum tn_output_pack pack, struct tn_output **output) {
    struct tn_output *fresh = (struct tn_output *)calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory to write it", path);
    fresh->name = path;
    fresh->file = -1;
    if (pack == TN_OUTPUT_GZIP) {
        fresh->packs = deflateInit2(&fresh->packer, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                                    8, Z_DEFAULT_STRATEGY) == Z_OK;
        if (!fresh->packs) {
            free_output(fresh);
            return tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory to pack it", path);
        }
    }
    tarn_status status = open_file(fresh);
    if (status != TARN_OK) {
        free_output(fresh);
        return status;
    }
    *output = fresh;
    return TARN_OK;
}

tarn_status tn_output_attach(int file, const char *name, struct tn_output **output) {
    struct tn_output *fresh = (struct tn_output *)calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory to write it", name);
    fresh->name = name;
    fresh->file = file;
    *output = fresh;
    return TARN_OK;
}

// ---- closing

// Moves the complete file to its place.
static void complete_file(struct tn_output *output) {
    if (output->failure == 0 && output->target != NULL && fsync(output->file) != 0)
        output->failure = errno;
    if (close(output->file) != 0 && output->failure == 0)
        output->failure = errno;
    if (output->failure == 0 && output->target != NULL &&
        rename(output->temporary, output->target) != 0)
        output->failure = errno;
}

tarn_status tn_output_close(struct tn_output *output, tarn_status status) {
    if (status == TARN_OK) {
        empty_buffer(output, Z_FINISH);
        complete_file(output);
        if (output->failure != 0)
            status = fail_output(output, "write", output->failure);
    } else {
        (void)close(output->file);
    }
    if (status != TARN_OK && output->temporary != NULL)
        (void)unlink(output->temporary);
    free_output(output);
    return status;
}
