// SPDX-License-Identifier: Apache-2.0
// Runs a test program again with the recorder injected, and reads its recording. With an argument the
// program is the recorded one: it prints its peak and the number of its allocations.
#pragma once

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/trace.h"

// The end of a program that was recorded.
struct recorded {
    char path[64];
    unsigned long long peak, allocs;
    char errors[4096];
};

// A space ends a path in LD_PRELOAD, but not in LD_LIBRARY_PATH.
static inline void preload(const char *library) {
    char *folder = strdup(library);
    char *name = strrchr(folder, '/');
    *name++ = '\0';
    (void)setenv("LD_LIBRARY_PATH", folder, 1);
    (void)setenv("LD_PRELOAD", name, 1);
    free(folder);
}

// `preloads`: as `tarn record` does; otherwise the program finds the recorder by MSTX's variable.
static inline pid_t start_recorded(const char *name, const char *file, bool preloads, int out,
                                   int err) {
    pid_t child = fork();
    if (child == 0) {
        (void)setenv("MSTX_INJECTION_PATH", getenv("RECORDER"), 1);
        (void)setenv("NVTX_INJECTION64_PATH", getenv("RECORDER"), 1);
        (void)setenv("TARN_RECORD_FILE", file, 1);
        (void)setenv("TARN_RECORD_SIGNAL", "12", 1);
        if (preloads) preload(getenv("RECORDER"));
        (void)dup2(out, STDOUT_FILENO);
        (void)dup2(err, STDERR_FILENO);
        (void)execl("/proc/self/exe", "recorded", name, (char *)NULL);
        _exit(5);
    }
    assert_true(child > 0);
    return child;
}

static inline void read_output(int from, char *text, size_t room) {
    ssize_t length = pread(from, text, room - 1, 0);
    text[length < 0 ? 0 : length] = '\0';
    (void)close(from);
}

// Waits until the file has a complete part with blocks.
static inline void wait_for_part(const char *file) {
    for (;;) {
        struct tn_trace trace = {0};
        size_t blocks = tn_trace_read(file, NULL, &trace) == TARN_OK ? trace.block_count : 0;
        tn_trace_release(&trace);
        if (blocks > 0) return;
        (void)usleep(100 * 1000);
    }
}

// Runs a program to its end, or kills it once a part of its recording is there.
static inline void record_to(struct recorded *recorded, const char *name, const char *file,
                             bool preloads, bool killed) {
    int out = open("/tmp", O_TMPFILE | O_RDWR, 0600), err = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    char text[128];
    int status = -1;
    pid_t child = start_recorded(name, file, preloads, out, err);
    if (killed) {
        wait_for_part(file);
        (void)kill(child, SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    read_output(out, text, sizeof text);
    read_output(err, recorded->errors, sizeof recorded->errors);
    if (!killed && status != 0) fail_msg("%s: status %d: %s", name, status, recorded->errors);
    (void)sscanf(text, "%llu %llu", &recorded->peak, &recorded->allocs);
}

static inline struct tn_trace record_program(struct recorded *recorded, const char *name,
                                             bool preloads) {
    struct tn_trace trace = {0};
    (void)unlink(recorded->path);
    record_to(recorded, name, recorded->path, preloads, false);
    assert_int_equal(tn_trace_read(recorded->path, NULL, &trace), TARN_OK);
    (void)unlink(recorded->path);
    assert_int_equal(trace.note_count, 0);
    return trace;
}

static inline size_t count_events(const struct tn_trace *trace, enum tn_event_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < trace->event_count; i++) count += trace->events[i].kind == kind;
    return count;
}

static inline bool has_mark(const struct tn_trace *trace, const char *text) {
    for (size_t i = 0; i < trace->event_count; i++) {
        const struct tn_event *event = &trace->events[i];
        if (event->kind == TN_EVENT_MARK && strcmp(trace->texts[event->item], text) == 0)
            return true;
    }
    return false;
}

static inline bool stack_has(const struct tn_trace *trace, uint32_t stack, const char *function) {
    for (; stack != 0; stack = trace->calls[stack].caller)
        if (strcmp(trace->texts[trace->calls[stack].function], function) == 0) return true;
    return false;
}

// Prepares the path of recordings. Returns false if the recorder is not built.
static inline bool recorder_is_built(struct recorded *recorded) {
    const char *recorder = getenv("RECORDER");
    (void)snprintf(recorded->path, sizeof recorded->path, "/tmp/tarn-recording-%ld",
                   (long)getpid());
    return recorder != NULL && access(recorder, R_OK) == 0;
}

// A sanitizer must be the first library of a program, so that nothing can be preloaded.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CANNOT_PRELOAD true
#elif defined(__has_feature)
#define CANNOT_PRELOAD                                                                             \
    (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                        \
     __has_feature(memory_sanitizer))
#else
#define CANNOT_PRELOAD false
#endif

// Returns true if a program can be recorded as `tarn record` does it. Otherwise prints the reason.
static inline bool may_record(struct recorded *recorded) {
    if (CANNOT_PRELOAD || !recorder_is_built(recorded)) {
        puts(CANNOT_PRELOAD ? "skipped: a sanitizer refuses preloaded libraries"
                            : "skipped: RECORDER is not the path of the recorder");
        return false;
    }
    return true;
}

// The recorder asked the vendor for the memory of the device, and for what was free at each refusal.
__attribute__((unused)) static void check_measured(const struct tn_trace *trace) {
    assert_true(trace->devices[0].memory_bytes > 0);
    for (size_t i = 0; i < trace->failure_count; i++) {
        assert_true(trace->failures[i].device_free <= trace->devices[0].memory_bytes);
        assert_int_equal(trace->failures[i].why.failed, -TARN_NO_DEVICE_MEMORY);
    }
}
