// SPDX-License-Identifier: Apache-2.0
// See notify_bit.h. A key names the process, its descriptor of the page, and a random number in the page,
// by which a descriptor that was reused is recognised. The lock guards the records and the list of
// bits with a key; words in a page are atomic, since other processes use them too.
#include "compat/acl/notify_bit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/acl/fork.h"
#include "compat/face/scope.h"
#include "compat/face/uncancelled.h"
#include "src/base/list.h"

#define PAGE_BYTES 4096
#define SEALS      (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
#define KEY_FORMAT "notify-%d-%d-%016llx"
#define PIDS_MAX   1000

// The contents of a page.
struct page {
    uint64_t nonce;
    int32_t number;
    _Atomic(uint32_t) set;
    _Atomic(uint32_t) to_all;
    _Atomic(int32_t) pids[PIDS_MAX]; // 0: free
};
_Static_assert(sizeof(struct page) <= PAGE_BYTES, "the contents fit a page");

struct tn_acl_notify_bit {
    struct tn_acl_notify_bit *next; // in the list of bits with a key
    unsigned refs;
    int number;
    bool set;          // while there is no page
    struct page *page; // of this process or of another one, or NULL
    int fd;            // of the page of this process, or -1
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tn_acl_notify_bit *exported;

static void forget_bits(void) { exported = NULL; }
TN_FACE_ON_FORK(TN_ACL_LOCK_NOTIFY_BIT, &lock, forget_bits);

// ---- records

aclError tn_acl_notify_bit_new(int number, struct tn_acl_notify_bit **made) {
    struct tn_acl_notify_bit *bit = (struct tn_acl_notify_bit *)calloc(1, sizeof *bit);
    TN_ACL_REFUSE(bit == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory for a notify");
    *bit = (struct tn_acl_notify_bit){.refs = 1, .number = number, .fd = -1};
    *made = bit;
    return ACL_SUCCESS;
}

void tn_acl_notify_bit_keep(struct tn_acl_notify_bit *bit) {
    TN_FACE_LOCKED(&lock);
    bit->refs++;
}

void tn_acl_notify_bit_put(struct tn_acl_notify_bit *bit) {
    TN_FACE_UNCANCELLED;
    (void)pthread_mutex_lock(&lock);
    bool last = --bit->refs == 0;
    if (last && bit->fd >= 0) TN_CHAIN_REMOVE(exported, bit, next);
    (void)pthread_mutex_unlock(&lock);
    if (!last) return;
    if (bit->page != NULL) (void)munmap(bit->page, PAGE_BYTES);
    if (bit->fd >= 0) (void)close(bit->fd);
    free(bit);
}

int tn_acl_notify_bit_number(const struct tn_acl_notify_bit *bit) { return bit->number; }

bool tn_acl_notify_bit_exchange(struct tn_acl_notify_bit *bit, bool value) {
    TN_FACE_LOCKED(&lock);
    bool before = bit->page != NULL ? atomic_exchange(&bit->page->set, value) != 0 : bit->set;
    bit->set = value;
    return before;
}

// ---- pages

static aclError refuse_page(int error) {
    TN_ACL_REFUSE(error == EMFILE || error == ENFILE, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
                  "no file descriptors are left");
    return tn_acl_fail(error == ENOMEM ? ACL_ERROR_RT_MEMORY_ALLOCATION
                                       : ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                       "a page for a notify: %s", strerror(error));
}

static struct page *map_page(int fd) {
    void *page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return page != MAP_FAILED ? (struct page *)page : NULL;
}

// Called under the lock. Moves a bit of this process to a page that nobody can shorten.
static aclError move_bit(struct tn_acl_notify_bit *bit) {
    uint64_t nonce = 0;
    struct page *page = NULL;
    int fd = memfd_create("tarn-notify", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || getrandom(&nonce, sizeof nonce, 0) != (ssize_t)sizeof nonce ||
        ftruncate(fd, PAGE_BYTES) != 0 || fcntl(fd, F_ADD_SEALS, SEALS) != 0 ||
        (page = map_page(fd)) == NULL) {
        aclError error = refuse_page(errno);
        if (fd >= 0) (void)close(fd);
        return error;
    }
    page->nonce = nonce;
    page->number = bit->number;
    page->set = bit->set;
    bit->page = page;
    bit->fd = fd;
    bit->next = exported;
    exported = bit;
    return ACL_SUCCESS;
}

// ---- export

aclError tn_acl_notify_bit_export(struct tn_acl_notify_bit *bit, bool to_all,
                                  char key[TN_ACL_KEY_BYTES]) {
    TN_FACE_UNCANCELLED;
    TN_FACE_LOCKED(&lock);
    if (bit->page == NULL) TN_ACL_TRY(move_bit(bit));
    TN_ACL_INVALID(bit->fd < 0, "the notify was imported");
    if (to_all) bit->page->to_all = 1;
    (void)snprintf(key, TN_ACL_KEY_BYTES, KEY_FORMAT, (int)getpid(), bit->fd,
                   (unsigned long long)bit->page->nonce);
    return ACL_SUCCESS;
}

aclError tn_acl_notify_bit_allow(struct tn_acl_notify_bit *bit, const int32_t *pids, size_t count) {
    TN_FACE_LOCKED(&lock);
    TN_ACL_INVALID(bit->fd < 0, "the notify was not exported by this process");
    _Atomic(int32_t) *list = bit->page->pids;
    size_t used = 0;
    while (used < PIDS_MAX && list[used] != 0) used++;
    TN_ACL_REFUSE(count > PIDS_MAX - used, ACL_ERROR_RT_OVER_LIMIT,
                  "%zu processes and %zu more exceed %d", used, count, PIDS_MAX);
    for (size_t i = 0; i < count; i++) list[used + i] = pids[i];
    return ACL_SUCCESS;
}

// ---- import

struct key {
    int pid;
    int fd;
    unsigned long long nonce;
};

// A key has one text only, so that "007" is none.
static bool read_key(const char *text, struct key *key) {
    char again[TN_ACL_KEY_BYTES];
    if (strnlen(text, TN_ACL_KEY_BYTES) == TN_ACL_KEY_BYTES ||
        sscanf(text, "notify-%9d-%9d-%16llx", &key->pid, &key->fd, &key->nonce) != 3)
        return false;
    (void)snprintf(again, sizeof again, KEY_FORMAT, key->pid, key->fd, key->nonce);
    return strcmp(again, text) == 0;
}

// Returns the bit of this process with that key, with one more reference, or NULL.
static struct tn_acl_notify_bit *find_own(const struct key *key) {
    TN_FACE_LOCKED(&lock);
    struct tn_acl_notify_bit *bit = exported;
    while (bit != NULL && (bit->fd != key->fd || bit->page->nonce != key->nonce)) bit = bit->next;
    if (bit != NULL) bit->refs++;
    return bit;
}

// Maps the page of a key, or returns NULL.
static struct page *find_page(const struct key *key) {
    char path[64];
    struct stat info;
    struct page *page = NULL;
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", key->pid, key->fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return NULL;
    if (fstat(fd, &info) == 0 && info.st_size == PAGE_BYTES && fcntl(fd, F_GET_SEALS) == SEALS)
        page = map_page(fd);
    (void)close(fd);
    if (page != NULL && page->nonce != key->nonce) {
        (void)munmap(page, PAGE_BYTES);
        page = NULL;
    }
    return page;
}

static aclError import_page(const struct key *key, struct tn_acl_notify_bit **bit) {
    struct page *page = find_page(key);
    int own = (int)getpid();
    if (page == NULL) return ACL_SUCCESS;
    bool allowed = page->to_all != 0;
    for (size_t i = 0; i < PIDS_MAX && !allowed; i++) allowed = page->pids[i] == own;
    aclError error =
        allowed ? tn_acl_notify_bit_new(page->number, bit)
                : tn_acl_fail(ACL_ERROR_RT_NO_PERMISSION,
                              "the exporter does not let process %d import the notify", own);
    if (error == ACL_SUCCESS)
        (*bit)->page = page;
    else
        (void)munmap(page, PAGE_BYTES);
    return error;
}

aclError tn_acl_notify_bit_import(const char *text, struct tn_acl_notify_bit **bit) {
    TN_FACE_UNCANCELLED;
    struct key key;
    struct tn_acl_notify_bit *found = NULL;
    if (read_key(text, &key)) {
        if (key.pid == (int)getpid())
            found = find_own(&key);
        else
            TN_ACL_TRY(import_page(&key, &found));
    }
    *bit = found;
    TN_ACL_INVALID(found == NULL, "'%.64s' is not a key of a notify that is alive", text);
    return ACL_SUCCESS;
}
