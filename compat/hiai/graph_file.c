// SPDX-License-Identifier: Apache-2.0
// Loads and parses graph files. Graphs share a parsed file by references; it is constant.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compat/face/uncancelled.h"
#include "compat/hiai/graph.h"

#define FILE_MAX (16L << 20)

static HIAI_StatusT fail_file(const char *path, const char *why) {
    return tn_hiai_fail(HIAI_GRAPH_PROTO_FILE_PARSE_FAILED, "graph file \"%s\": %s", path, why);
}

static HIAI_StatusT fail_memory(const char *path) {
    return tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "out of memory or descriptors for graph file \"%s\"",
                        path);
}

static HIAI_StatusT read_text(const char *path, FILE *file, char **text, size_t *length) {
    long bytes = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (bytes < 0 || bytes > FILE_MAX || fseek(file, 0, SEEK_SET) != 0)
        return fail_file(path, "not a file of at most 16 MiB");
    *text = (char *)malloc((size_t)bytes + 1);
    if (*text == NULL) return fail_memory(path);
    *length = fread(*text, 1, (size_t)bytes, file);
    return ferror(file) == 0 ? HIAI_OK : fail_file(path, strerror(errno));
}

// Stores a text in a descriptor that a device process can inherit.
static int text_descriptor(const char *text, size_t length) {
    TN_FACE_UNCANCELLED;
    int fd = memfd_create("tarn-hiai-graph", MFD_CLOEXEC);
    for (size_t done = 0; fd >= 0 && done < length;) {
        ssize_t bytes = write(fd, text + done, length - done);
        if (bytes <= 0) {
            (void)close(fd);
            return -1;
        }
        done += (size_t)bytes;
    }
    return fd;
}

static HIAI_StatusT load_config(const char *path, struct tn_hiai_config *config) {
    TN_FACE_UNCANCELLED;
    char *text = NULL;
    size_t length = 0;
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        bool is_shortage = errno == ENOMEM || errno == EMFILE || errno == ENFILE;
        return is_shortage ? fail_memory(path) : fail_file(path, strerror(errno));
    }
    HIAI_StatusT status = read_text(path, file, &text, &length);
    (void)fclose(file);
    if (status == HIAI_OK) status = tn_hiai_config_read(text, length, config);
    free(text);
    return status;
}

HIAI_StatusT tn_hiai_file_open(const char *path, struct tn_hiai_file **file) {
    struct tn_hiai_file *f = (struct tn_hiai_file *)calloc(1, sizeof *f);
    char *copy = strdup(path);
    HIAI_StatusT status =
        f != NULL && copy != NULL ? load_config(path, &f->config) : fail_memory(path);
    if (status != HIAI_OK) {
        free(copy);
        free(f);
        return status;
    }
    f->path = copy;
    f->fd = -1;
    atomic_init(&f->refs, 1);
    *file = f;
    return HIAI_OK;
}

HIAI_StatusT tn_hiai_file_of_text(const char *text, size_t length, struct tn_hiai_file **file) {
    char path[40];
    if (length > FILE_MAX) return fail_file("(text)", "not a text of at most 16 MiB");
    int fd = text_descriptor(text, length);
    (void)snprintf(path, sizeof path, TN_HIAI_INHERITED "%d", fd);
    HIAI_StatusT status = fd >= 0 ? tn_hiai_file_open(path, file) : fail_memory("(text)");
    if (status == HIAI_OK)
        (*file)->fd = fd;
    else if (fd >= 0)
        (void)close(fd);
    return status;
}

void tn_hiai_file_put(struct tn_hiai_file *file) {
    if (atomic_fetch_sub_explicit(&file->refs, 1, memory_order_acq_rel) == 1) {
        tn_hiai_config_close(&file->config);
        if (file->fd >= 0) (void)close(file->fd);
        free(file->path);
        free(file);
    }
}

TN_HIAI_FUNCTION(HIAIX_CheckGraphText, const char *, text, size_t, length) {
    struct tn_hiai_config config;
    TN_HIAI_REFUSE(text == NULL, HIAI_GRAPH_INVALID_VALUE, "text is NULL");
    TN_HIAI_TRY(tn_hiai_config_read(text, length, &config));
    tn_hiai_config_close(&config);
    return HIAI_OK;
}
