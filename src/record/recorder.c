// SPDX-License-Identifier: Apache-2.0
// The recorder: its state, its thread, and what it does around fork() and at the end; see
// recorder.h. A child of a fork is not recorded, because it has neither the thread nor the devices
// of its parent. A program that it executes is.
#include "record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/launcher.h"
#include "base/named_file.h"
#include "base/printable.h"
#include "base/program.h"
#include "base/thread.h"
#include "record/frames.h"
#include "record/memory.h"
#include "record/options.h"

enum { FLUSH_MS = 200, FLUSH_WAIT_MS = 10000 };

enum state { IDLE, RECORDING, FINISHED };

static _Atomic int state; // a store with release of RECORDING publishes everything below
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_t writer;
static pid_t process;
static char path[PATH_MAX];
static struct tn_record_file *file;     // the writer's
static struct tn_record_memory *memory; // the writer's
static _Atomic bool is_toggled;         // before the recorder started
static bool has_failed;                 // the writer's: it cannot write the file
static _Atomic bool ending;
static _Atomic unsigned flushes_wanted, flushes_done;

// ---- failures

// `tarn record` prints the text and fails. A program that was started in another way prints it itself.
static void complain(const char *unchecked) {
    char text[PATH_MAX + 128];
    tn_printable_copy(unchecked, text, sizeof text); // it may name a file
    if (!tn_launcher_failed(secure_getenv(TN_LAUNCHER_VARIABLE), text))
        (void)dprintf(STDERR_FILENO, "tarn record: %s\n", text);
}

// Complains of the first failure only, as the others follow from it.
static void judge_file(tarn_status status) {
    tarn_error error;
    if (status != TARN_OK && !has_failed) {
        (void)tarn_last_error(&error);
        complain(error.message);
        has_failed = true;
    }
}

// ---- the writer's thread

static bool is_flush_due(uint64_t flushed_ns) {
    return tn_now_ns() - flushed_ns > FLUSH_MS * UINT64_C(1000000);
}

// Applies entries until the ring is empty. Returns false if there was none. Unless the ring must be
// emptied, stops when a flush is due, so that a busy program cannot delay it.
static bool apply_entries(uint64_t flushed_ns, bool must_empty) {
    struct tn_record_entry entry;
    bool applied = false;
    while ((must_empty || !applied || !is_flush_due(flushed_ns)) && tn_record_ring_take(&entry)) {
        tn_record_memory_apply(memory, &entry);
        applied = true;
    }
    return applied;
}

static void *run_writer(void *unused) {
    uint64_t flushed_ns = tn_now_ns();
    bool is_dirty = true; // the header
    (void)unused;
    for (;;) {
        bool is_last = tn_load_acquire(&ending);
        unsigned wanted = tn_load_acquire(&flushes_wanted);
        bool is_wanted = is_last || wanted != tn_load_relaxed(&flushes_done);
        bool is_busy = apply_entries(flushed_ns, is_wanted);
        is_dirty = is_dirty || is_busy;
        if (is_wanted || (is_dirty && is_flush_due(flushed_ns))) {
            judge_file(tn_record_file_flush(file));
            flushed_ns = tn_now_ns();
            is_dirty = false;
            tn_store_release(&flushes_done, wanted);
        }
        if (is_last) {
            tn_record_memory_close(memory);
            judge_file(tn_record_file_close(file, tn_record_ring_counts().lost));
            return NULL;
        }
        if (!is_busy) tn_record_ring_wait(FLUSH_MS / 4);
    }
}

// ---- the beginning

// The first process that records creates the file, later ones add their number to its name. A file
// that is not regular is shared. Returns 0 or an errno.
static int open_file(int *descriptor) {
    const char *wanted = tn_record_options.path;
    (void)snprintf(path, sizeof path, "%s", wanted);
    int failure = tn_named_file_open(path, O_WRONLY | O_CREAT | O_EXCL, descriptor);
    if (failure == EEXIST) {
        struct stat status;
        bool is_regular = lstat(path, &status) == 0 && S_ISREG(status.st_mode);
        int length = is_regular ? snprintf(path, sizeof path, "%s.%ld", wanted, (long)getpid()) : 0;
        if ((size_t)length >= sizeof path) return ENAMETOOLONG;
        failure = tn_named_file_open(path, O_WRONLY | O_CREAT | O_TRUNC, descriptor);
    }
    return failure;
}

static void forget_in_child(void) { tn_store_release(&state, FINISHED); }

static void start_recorder(void) {
    char text[PATH_MAX + 128];
    if (*tn_record_options.path == '\0' || tn_program_is_static()) return;
    int descriptor;
    int failure = open_file(&descriptor);
    if (failure != 0) {
        (void)snprintf(text, sizeof text, "%s: %s", path, tn_named_file_error(failure));
        complain(text);
        return;
    }
    tn_stack_limit(tn_record_options.stacks);
    process = getpid();
    if (!tn_record_ring_open() ||
        tn_record_file_open(descriptor, path, tn_now_ns(), &file) != TARN_OK) {
        (void)close(descriptor);
        complain("out of memory; nothing is recorded");
        return;
    }
    memory = tn_record_memory_open(file, tn_record_options.stopped == tn_load_relaxed(&is_toggled));
    // No signal of the program is handled by the writer, and SIGXFSZ of a full file does not end it.
    if (memory == NULL || tn_thread_create(&writer, run_writer, NULL) != 0) {
        complain("the writer cannot start; nothing is recorded");
        return;
    }
    (void)pthread_setname_np(writer, "tarn-record");
    (void)pthread_atfork(NULL, NULL, forget_in_child);
    tn_store_release(&state, RECORDING);
}

bool tn_record_start(void) {
    (void)pthread_once(&once, start_recorder);
    return tn_load_acquire(&state) == RECORDING;
}

// ---- events

void tn_record_add(struct tn_record_entry *entry) {
    if (tn_load_acquire(&state) == RECORDING) {
        entry->time_ns = tn_now_ns();
        uint32_t frames = tn_record_frames_current();
        entry->stack = tn_stack_capture();
        entry->stack = frames == 0 ? entry->stack : tn_stack_mark(entry->stack, frames);
        tn_record_ring_append(entry);
    }
}

// In the order of the events, so that the memory before it counts as before it.
void tn_record_toggle(void) {
    struct tn_record_entry entry = {.kind = TN_RECORD_TOGGLE, .time_ns = tn_now_ns()};
    if (tn_load_acquire(&state) == RECORDING)
        tn_record_ring_append(&entry);
    else
        tn_store_relaxed(&is_toggled, !tn_load_relaxed(&is_toggled));
}

// A child of vfork() shares this memory, but it is not the recorded process.
static bool is_own_process(void) {
    return tn_load_acquire(&state) == RECORDING && getpid() == process;
}

void tn_record_flush(void) {
    const struct timespec pause = {.tv_nsec = 1000000};
    if (!is_own_process()) return;
    unsigned wanted = tn_add_acq_rel(&flushes_wanted, 1) + 1;
    tn_record_ring_wake();
    for (int i = 0; i < FLUSH_WAIT_MS && (int)(tn_load_acquire(&flushes_done) - wanted) < 0; i++)
        (void)nanosleep(&pause, NULL);
}

// ---- the end

void tn_record_finish(void) {
    int recording = RECORDING;
    if (!is_own_process() || !tn_cas_acq_rel(&state, &recording, FINISHED)) return;
    tn_store_release(&ending, true);
    tn_record_ring_wake();
    (void)pthread_join(writer, NULL);
}
