// SPDX-License-Identifier: Apache-2.0
// See event_page.h. The page is a sealed memory file, which other processes open through the
// descriptor of its maker. They believe it if it has the random number of the key. The slot of a
// record is used again once that record has passed, so a slot only ever counts up.
#include "core/work/event_page.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/atomic.h"
#include "base/error.h"
#include "base/hex.h"
#include "base/key_text.h"
#include "base/uncancelled.h"

#define PAGE_BYTES  4096u
#define PAGE_MAGIC  UINT64_C(0x31746e6576456e54) // "TnEvent1"
#define PAGE_SEALS  (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
#define NUMBER_BITS 40 // of a record; above them the process
#define NUMBER_MASK ((UINT64_C(1) << NUMBER_BITS) - 1)
#define FAILED_BIT  (UINT64_C(1) << 63)
#define SLOTS       496u

struct page_words {
    uint64_t magic;
    uint64_t nonce[2];
    _Atomic uint64_t last;          // the last record
    _Atomic uint64_t passed[SLOTS]; // numbers; FAILED_BIT
};

_Static_assert(sizeof(struct page_words) <= PAGE_BYTES, "a page holds its words");

struct tn_event_page {
    _Atomic unsigned refs;
    struct page_words *words;
    int pid; // of its maker
    int fd;  // of the maker; -1 elsewhere
};

// ---- the file

static tarn_status refuse_file(const char *call) {
    bool few = errno == EMFILE || errno == ENFILE;
    tarn_status status = few               ? TARN_NO_HANDLES
                         : errno == ENOMEM ? TARN_NO_HOST_MEMORY
                                           : TARN_SYSTEM;
    return tn_fail_native(status, call, errno, "the page of a shared event: %s", strerror(errno));
}

static tarn_status map_page(int fd, struct page_words **words) {
    void *at = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) return refuse_file("mmap");
    *words = at;
    return TARN_OK;
}

static struct tn_event_page *new_page(int pid, int fd) {
    struct tn_event_page *page = malloc(sizeof *page);
    if (page == NULL) {
        (void)tn_fail(TARN_NO_HOST_MEMORY, "no memory for a shared event");
        return NULL;
    }
    *page = (struct tn_event_page){.refs = 1, .pid = pid, .fd = fd};
    return page;
}

tarn_status tn_event_page_create(struct tn_event_page **page) {
    TN_UNCANCELLED;
    uint64_t nonce[2];
    int fd = memfd_create("tarn-event", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return refuse_file("memfd_create");
    struct tn_event_page *made = NULL;
    tarn_status status = TARN_OK;
    if (ftruncate(fd, PAGE_BYTES) != 0 || fcntl(fd, F_ADD_SEALS, PAGE_SEALS) != 0)
        status = refuse_file("ftruncate");
    else if ((made = new_page(getpid(), fd)) == NULL)
        status = TARN_NO_HOST_MEMORY;
    if (status == TARN_OK) status = map_page(fd, &made->words);
    if (status == TARN_OK && getrandom(nonce, sizeof nonce, 0) != (ssize_t)sizeof nonce) {
        status = refuse_file("getrandom");
        (void)munmap(made->words, PAGE_BYTES);
    }
    if (status != TARN_OK) {
        free(made);
        tn_close(fd);
        return status;
    }
    memcpy(made->words->nonce, nonce, sizeof nonce);
    made->words->magic = PAGE_MAGIC;
    *page = made;
    return TARN_OK;
}

struct tn_event_page *tn_event_page_keep(struct tn_event_page *page) {
    unsigned before = tn_add_relaxed(&page->refs, 1);
    TARN_ASSERT(before != 0);
    (void)before;
    return page;
}

void tn_event_page_put(struct tn_event_page *page) {
    if (tn_sub_acq_rel(&page->refs, 1) == 1) {
        (void)munmap(page->words, PAGE_BYTES);
        if (page->fd >= 0) tn_close(page->fd);
        free(page);
    }
}

// ---- keys

// The text of a key: the magic, the process, its descriptor, and the two halves of the nonce.
#define KEY_MAGIC "tarnE-"

enum { PID_AT = 6, FD_AT = 15, NONCE_AT = 24, KEY_END = 56 };

_Static_assert(KEY_END < sizeof(tarn_key), "a key ends with a zero");

static void write_event_key(int pid, int fd, const uint64_t nonce[2], tarn_key *key) {
    memset(key, 0, sizeof *key);
    (void)snprintf((char *)key->bytes, sizeof key->bytes, KEY_MAGIC "%08x-%08x-%016llx%016llx",
                   (unsigned)pid, (unsigned)fd, (unsigned long long)nonce[0],
                   (unsigned long long)nonce[1]);
}

static bool read_event_key(const tarn_key *key, int *pid, int *fd, uint64_t nonce[2]) {
    tarn_key again;
    *pid = (int)tn_hex_read(key->bytes + PID_AT, 8);
    *fd = (int)tn_hex_read(key->bytes + FD_AT, 8);
    nonce[0] = tn_hex_read(key->bytes + NONCE_AT, 16);
    nonce[1] = tn_hex_read(key->bytes + NONCE_AT + 16, 16);
    write_event_key(*pid, *fd, nonce, &again);
    return memcmp(key, &again, sizeof again) == 0 && *pid > 0 && *fd >= 0;
}

tarn_status tn_event_page_key(const struct tn_event_page *page, tarn_key *key) {
    TN_REFUSE(page->fd < 0, TARN_BAD_ARGUMENT, "process %d made the event, and only it has the key",
              page->pid);
    write_event_key(page->pid, page->fd, page->words->nonce, key);
    return TARN_OK;
}

static tarn_status refuse_event_key(int pid, int fd, const char *why) {
    return tn_fail(TARN_BAD_HANDLE, "the key of an event names descriptor %d of process %d: %s", fd,
                   pid, why);
}

// A path-only descriptor has no side effects on a file that is not a page.
static tarn_status open_file(int pid, int named, int *fd) {
    char path[64];
    struct stat stat;
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, named);
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0)
        return errno == EMFILE || errno == ENFILE ? refuse_file("open")
                                                  : refuse_event_key(pid, named, strerror(errno));
    tarn_status status = TARN_OK;
    if (fstat(place, &stat) != 0 || !S_ISREG(stat.st_mode)) {
        status = refuse_event_key(pid, named, "it is not a memory file");
    } else {
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", place);
        *fd = open(path, O_RDWR | O_CLOEXEC);
        status = *fd >= 0 ? TARN_OK : refuse_event_key(pid, named, strerror(errno));
    }
    tn_close(place);
    return status;
}

tarn_status tn_event_page_open(const tarn_key *key, struct tn_event_page **page) {
    int pid = 0;
    int fd = -1;
    uint64_t nonce[2];
    TN_REFUSE(!read_event_key(key, &pid, &fd, nonce), TARN_BAD_HANDLE,
              "\"%s\" is not the key of an event", tn_key_text(key->bytes).text);
    TN_REFUSE(pid == getpid(), TARN_BAD_ARGUMENT, "key \"%s\" is of an event of this process",
              tn_key_text(key->bytes).text);
    struct tn_event_page *made = new_page(pid, -1);
    if (made == NULL) return TARN_NO_HOST_MEMORY;
    TN_UNCANCELLED;
    struct stat stat;
    int file = -1;
    tarn_status status = open_file(pid, fd, &file);
    if (status == TARN_OK) {
        // A file without the seals could be cut, and an access to it would then end this process.
        int seals = fcntl(file, F_GET_SEALS);
        bool page_file = seals >= 0 && (seals & PAGE_SEALS) == PAGE_SEALS &&
                         fstat(file, &stat) == 0 && stat.st_size == PAGE_BYTES;
        status = page_file ? map_page(file, &made->words)
                           : refuse_event_key(pid, fd, "it is not the page of an event");
        tn_close(file);
    }
    if (status == TARN_OK && (made->words->magic != PAGE_MAGIC ||
                              memcmp(made->words->nonce, nonce, sizeof nonce) != 0)) {
        (void)munmap(made->words, PAGE_BYTES);
        status = refuse_event_key(pid, fd, "it is another event");
    }
    if (status == TARN_OK)
        *page = made;
    else
        free(made);
    return status;
}

// ---- records

static _Atomic uint64_t *slot_of(const struct tn_event_page *page, uint64_t record) {
    return &page->words->passed[(record & NUMBER_MASK) % SLOTS];
}

tarn_status tn_event_page_begin(struct tn_event_page *page, uint64_t *record) {
    uint64_t last = tn_load_acquire(&page->words->last);
    uint64_t next;
    do {
        next = (uint64_t)getpid() << NUMBER_BITS | ((last & NUMBER_MASK) + 1);
        uint64_t number = next & NUMBER_MASK;
        uint64_t held = number > SLOTS ? number - SLOTS : 0; // by the slot
        TN_REFUSE((tn_load_acquire(slot_of(page, next)) & NUMBER_MASK) < held, TARN_NO_HANDLES,
                  "%u records of the event have not passed", SLOTS);
    } while (!tn_cas_acq_rel(&page->words->last, &last, next));
    TARN_ASSERT((next & NUMBER_MASK) != 0 && tn_event_page_process(next) == getpid());
    *record = next;
    return TARN_OK;
}

void tn_event_page_pass(struct tn_event_page *page, uint64_t record, bool failed) {
    TARN_ASSERT((record & NUMBER_MASK) != 0 && (record & FAILED_BIT) == 0);
    tn_store_release(slot_of(page, record), (record & NUMBER_MASK) | (failed ? FAILED_BIT : 0));
}

uint64_t tn_event_page_last(const struct tn_event_page *page) {
    return tn_load_acquire(&page->words->last);
}

int tn_event_page_process(uint64_t record) { return (int)(record >> NUMBER_BITS); }

enum tn_event_state tn_event_page_state(const struct tn_event_page *page, uint64_t record) {
    uint64_t passed = tn_load_acquire(slot_of(page, record));
    uint64_t number = passed & NUMBER_MASK;
    if (record == 0 || number > (record & NUMBER_MASK)) return TN_EVENT_PASSED;
    if (number < (record & NUMBER_MASK)) return TN_EVENT_PENDING;
    return (passed & FAILED_BIT) != 0 ? TN_EVENT_FAILED : TN_EVENT_PASSED;
}
