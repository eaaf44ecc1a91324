// SPDX-License-Identifier: Apache-2.0
// See fidelity.h. A table knows the functions that were called, by the
// addresses of their names, and the rows that each may touch. A thread that
// wants a full table's last place looks the rows up each time.
#include "compat/face/fidelity.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/face/uncancelled.h"
#include "src/base/differences.h"
#include "src/base/fidelity.h"

struct tn_fidelity *tn_face_fidelity;
_Atomic(bool) tn_face_leaves_slowly;

static const struct {
    const char *id, *seen;
} known_rows[] = {
#define ROW(id, seen, ...) {id, seen},
    TN_DIFFERENCES(ROW)
#undef ROW
};

enum { ROWS = sizeof known_rows / sizeof known_rows[0], FUNCTIONS = 1 << 11, FEW = 6 };
_Static_assert((int)ROWS <= (int)TN_FIDELITY_ROWS, "each row has a counter");

// Returns what follows the name of this face, or of all faces, in the id; else
// NULL.
static const char *own_id(unsigned row) {
    static const char face[] = TN_FACE_NAME ".";
    const char *id = known_rows[row].id;
    if (strncmp(id, face, sizeof face - 1) == 0) return id + sizeof face - 1;
    return strncmp(id, "quirk.", 6) == 0 ? id + 6 : NULL;
}

// Maps the memory. A process with another list of rows leaves a sign.
static __attribute__((constructor)) void open_fidelity(void) {
    const char *path = secure_getenv(TN_FIDELITY_VARIABLE);
    struct stat about;
    if (path == NULL || *path == '\0') return;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    if (fstat(file, &about) == 0 && about.st_size >= (off_t)sizeof(struct tn_fidelity)) {
        void *memory =
            mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        struct tn_fidelity *found = memory != MAP_FAILED ? (struct tn_fidelity *)memory : NULL;
        if (found != NULL && found->hash == TN_DIFFERENCES_HASH && found->rows == ROWS &&
            (uint64_t)about.st_size >= TN_FIDELITY_BYTES(ROWS)) {
            tn_face_fidelity = found;
            atomic_fetch_add(&found->counting, 1);
            atomic_store(&tn_face_leaves_slowly, true);
        } else if (found != NULL) {
            atomic_fetch_add(&found->strangers, 1);
            (void)munmap(memory, (size_t)about.st_size);
        }
    }
    (void)close(file);
}

// ---- counting

// Copies the path of a loaded file. The program itself may have none.
static void copy_path(char *to, size_t room, const char *name) {
    char path[PATH_MAX];
    if (realpath(name, path) == NULL) {
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        path[length > 0 ? length : 0] = '\0';
    }
    size_t length = strlen(path);
    memcpy(to, path, length < room ? length + 1 : 0); // else it stays ""
}

// Writes the frames of the program, without those of this library. Returns the name of the public function
// that the program called, or NULL.
static const char *write_frames(struct tn_fidelity_row *row) {
    void *frames[64];
    const char *called = NULL;
    Dl_info own, info;
    int count = backtrace(frames, 64);
    unsigned written = 0;
    if (dladdr(known_rows, &own) == 0) return NULL;
    for (int i = 0; i < count && written < TN_FIDELITY_FRAMES; i++) {
        const char *call = (const char *)frames[i] - 1; // before the return address
        bool known = dladdr(call, &info) != 0;
        if (known && info.dli_fbase == own.dli_fbase)
            called = info.dli_sname;
        else if (known) {
            struct tn_fidelity_frame *frame = &row->frames[written++];
            frame->offset = (uint64_t)(call - (const char *)info.dli_fbase);
            copy_path(frame->path, sizeof frame->path, info.dli_fname);
        }
    }
    row->frame_count = written;
    return called;
}

static void count_row(unsigned number, const char *function, int result) {
    if (atomic_fetch_add_explicit(&tn_face_fidelity->counts[number], 1, memory_order_relaxed) != 0)
        return;
    struct tn_fidelity_row *row = &tn_face_fidelity->row[number];
    int error = errno;
    TN_FACE_UNCANCELLED;
    row->pid = (uint32_t)getpid();
    const char *called = write_frames(row);
    if (function != NULL)
        (void)snprintf(row->call, sizeof row->call, "%s=%d", function, result);
    else if (called != NULL)
        (void)snprintf(row->call, sizeof row->call, "%s", called);
    atomic_store(&row->written, 1);
    errno = error;
}

bool tn_face_fidelity_look_up(_Atomic(int) *row, const char *id) {
    int found = -1;
    for (unsigned i = 0; found < 0 && i < ROWS; i++) {
        const char *own = own_id(i);
        if (own != NULL && strcmp(own, id) == 0) found = (int)i + 1;
    }
    atomic_store_explicit(row, found, memory_order_relaxed);
    return found > 0;
}

void tn_face_fidelity_place(int row) { count_row((unsigned)row - 1, NULL, 0); }

// ---- calls

// Returns true if the name matches the pattern of `length` bytes.
static bool is_name(const char *pattern, size_t length, const char *name) {
    char own[96];
    if (length >= sizeof own) return false;
    memcpy(own, pattern, length);
    own[length] = '\0';
    return fnmatch(own, name, 0) == 0;
}

// Returns true if the text contains the words that stars divide, in their order.
static bool has_words(const char *text, const char *words, const char *end) {
    while (text != NULL && words < end) {
        const char *star = memchr(words, '*', (size_t)(end - words));
        size_t length = (size_t)((star != NULL ? star : end) - words);
        const char *found = memmem(text, strlen(text), words, length);
        text = found != NULL ? found + length : NULL;
        words += length + 1;
    }
    return text != NULL;
}

// Finds the next entry of the column: `NAME=RESULT` or `NAME=RESULT TEXT`,
// between backticks. Returns NULL after the last.
static const char *next_entry(const char *at, size_t *name, size_t *all) {
    const char *begin = at != NULL ? strchr(at, '`') : NULL;
    const char *end = begin != NULL ? strchr(begin + 1, '`') : NULL;
    if (end == NULL) return NULL;
    *all = (size_t)(end - begin - 1);
    *name = strcspn(begin + 1, "=`");
    return begin + 1;
}

// Returns true if an entry of the row names the function with this result and, for a failure, the text.
static bool is_seen(unsigned row, const char *function, int result, const char *text) {
    size_t name, all;
    const char *entry = next_entry(known_rows[row].seen, &name, &all);
    for (; entry != NULL; entry = next_entry(entry + all + 1, &name, &all)) {
        const char *end = entry + all, *at = entry + name + 1;
        char *behind = (char *)(uintptr_t)at + 1;
        bool equal = *at == '!' ? result != 0 : strtol(at, &behind, 10) == result;
        if (equal && is_name(entry, name, function) &&
            (behind >= end || has_words(text, behind + 1, end)))
            return true;
    }
    return false;
}

// The rows that a function touches when it succeeds.
static struct {
    _Atomic(const char *) function;
    _Atomic(int) count; // 0: not known yet; -1: none
    _Atomic(uint16_t) rows[FEW];
} functions[FUNCTIONS];

// Two threads that fill the same entry write the same.
static int find_rows(size_t at, const char *function) {
    int count = 0;
    for (unsigned i = 0; i < ROWS && count < FEW; i++)
        if (own_id(i) != NULL && is_seen(i, function, 0, ""))
            atomic_store_explicit(&functions[at].rows[count++], (uint16_t)i, memory_order_relaxed);
    count = count == 0 ? -1 : count;
    atomic_store_explicit(&functions[at].count, count, memory_order_release);
    return count;
}

// Returns the place of a function in the table, or FUNCTIONS if the table is full.
static size_t find_function(const char *function) {
    size_t at = ((uintptr_t)function * UINT64_C(0x9e3779b97f4a7c15)) >> 53;
    for (unsigned tries = 0; tries < FUNCTIONS; tries++, at = (at + 1) % FUNCTIONS) {
        const char *there = atomic_load_explicit(&functions[at].function, memory_order_relaxed);
        if (there == function ||
            (there == NULL &&
             (atomic_compare_exchange_strong(&functions[at].function, &there, function) ||
              there == function)))
            return at;
    }
    return FUNCTIONS;
}

static void count_success(const char *function) {
    size_t at = find_function(function);
    if (at == FUNCTIONS) return;
    int count = atomic_load_explicit(&functions[at].count, memory_order_acquire);
    if (count == 0) count = find_rows(at, function);
    for (int i = 0; i < count; i++)
        count_row(atomic_load_explicit(&functions[at].rows[i], memory_order_relaxed), function, 0);
}

void tn_face_fidelity_call(const char *function, int result, const char *text) {
    if (result == 0) count_success(function);
    for (unsigned i = 0; result != 0 && i < ROWS; i++)
        if (own_id(i) != NULL && is_seen(i, function, result, text)) count_row(i, function, result);
}
