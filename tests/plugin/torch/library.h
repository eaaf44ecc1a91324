// SPDX-License-Identifier: Apache-2.0
// Tests open the plug-in as a framework does: by its path, each function by its name. A process has
// one configuration, so each claim runs in a child with an environment of its own.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plugin/torch/torch.h"
#include "support/child.h"

#define MIB ((ssize_t)1 << 20)

static struct {
    void *(*alloc)(ssize_t size, int device, void *stream);
    void (*release)(void *ptr, ssize_t size, int device, void *stream);
    void (*record_stream)(void *ptr, void *stream);
    void (*memory_fraction)(double fraction, int device);
    void (*reset)(void);
    void (*on_refusal)(tarn_torch_refusal function);
    void *(*cupy_alloc)(void *stream, size_t size, int device);
    void (*cupy_release)(void *stream, void *ptr, int device);
    int (*stats)(int device, struct tarn_torch_statistics *stats);
    const char *(*stats_name)(unsigned index);
    int (*reset_peaks)(int device);
    int (*snapshot)(const char *path);
    int (*snapshot_pickle)(const char *path);
    int (*trim)(int device, uint64_t keep, uint64_t *released);
    int (*mark)(int device);
} lib;

static inline void open_library(void) {
    const struct {
        const char *name;
        void *field;
    } symbols[] = {
        {"tarn_torch_malloc", &lib.alloc},
        {"tarn_torch_free", &lib.release},
        {"tarn_torch_record_stream", &lib.record_stream},
        {"tarn_torch_memory_fraction", &lib.memory_fraction},
        {"tarn_torch_reset", &lib.reset},
        {"tarn_torch_on_refusal", &lib.on_refusal},
        {"tarn_cupy_malloc", &lib.cupy_alloc},
        {"tarn_cupy_free", &lib.cupy_release},
        {"tarn_torch_stats", &lib.stats},
        {"tarn_torch_stats_name", &lib.stats_name},
        {"tarn_torch_reset_peaks", &lib.reset_peaks},
        {"tarn_torch_snapshot", &lib.snapshot},
        {"tarn_torch_snapshot_pickle", &lib.snapshot_pickle},
        {"tarn_torch_trim", &lib.trim},
        {"tarn_torch_mark", &lib.mark},
    };
    void *library = dlopen(getenv("PLUGIN"), RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        assert_non_null(symbol);
        memcpy(symbols[i].field, &symbol, sizeof symbol);
    }
}

// Runs `body` in a child, after opening the library there. Then come names and values of
// environment variables, and NULL.
static inline void with(void (*body)(void *), ...) {
    va_list pairs;
    va_start(pairs, body);
    child_run(body, NULL, pairs);
    va_end(pairs);
}

static inline struct tarn_torch_statistics stats_of(int device) {
    struct tarn_torch_statistics stats;
    memset(&stats, 0, sizeof stats);
    stats.size = sizeof stats;
    assert_int_equal(lib.stats(device, &stats), 0);
    return stats;
}

static inline void *get(ssize_t size, void *stream) {
    void *ptr = lib.alloc(size, 0, stream);
    assert_non_null(ptr);
    assert_int_equal((uintptr_t)ptr % 512, 0);
    return ptr;
}

// ---- what is said on standard error

struct hearing {
    int saved;
    int file;
};

static inline struct hearing listen_begin(void) {
    struct hearing hearing;
    (void)fflush(stderr);
    hearing.saved = dup(2);
    hearing.file = memfd_create("stderr", MFD_CLOEXEC);
    assert_true(hearing.saved >= 0 && hearing.file >= 0 && dup2(hearing.file, 2) == 2);
    return hearing;
}

// What was said meanwhile: a text that lives until the next call.
static inline const char *listen_end(struct hearing hearing) {
    static char text[4096];
    (void)fflush(stderr);
    (void)dup2(hearing.saved, 2);
    ssize_t length = pread(hearing.file, text, sizeof text - 1, 0);
    assert_true(length >= 0);
    text[length] = '\0';
    (void)close(hearing.saved);
    (void)close(hearing.file);
    return text;
}
