// SPDX-License-Identifier: Apache-2.0
// See pool_table.h. One lock guards the additions of all tables of this process. Readers take none:
// an entry is complete before the count includes it.
#include "compat/runtime/memory/pool_table.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/face/scope.h"
#include "compat/face/uncancelled.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/memory/policy.h"

#define TABLE_MAGIC UINT64_C(0x316c6f6f506e5448) // "HTnPool1"
#define TABLE_SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
#define TABLE_KEYS  4095u

struct table_file {
    uint64_t magic;
    uint64_t name[2];
    _Atomic(uint32_t) count;
    uint32_t unused[9]; // as large as a key
    tarn_key keys[TABLE_KEYS];
};

_Static_assert(sizeof(struct table_file) == (TABLE_KEYS + 1) * sizeof(tarn_key),
               "a table is an array of keys behind one of its size");

struct tn_rt_pool_table {
    struct table_file *file;
    int fd;
    int exported; // the program's descriptor, which it may close; -1: none yet. Under the lock.
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static tn_rt_error refuse_table(const char *what) {
    return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "the table of a shared pool: %s: %s", what,
                      strerror(errno));
}

// Takes over the descriptor, also on failure.
static tn_rt_error map_table(int fd, struct tn_rt_pool_table **table) {
    struct tn_rt_pool_table *t = (struct tn_rt_pool_table *)malloc(sizeof *t);
    void *at =
        t != NULL ? mmap(NULL, sizeof(struct table_file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                  : MAP_FAILED;
    if (at == MAP_FAILED) {
        tn_rt_error error = refuse_table("mmap");
        free(t);
        (void)close(fd);
        return error;
    }
    *t = (struct tn_rt_pool_table){(struct table_file *)at, fd, -1};
    *table = t;
    return TN_RT_OK;
}

tn_rt_error tn_rt_pool_table_new(struct tn_rt_pool_table **table) {
    TN_FACE_UNCANCELLED;
    uint64_t name[2];
    int fd = memfd_create("tarn-hip-pool", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || getrandom(name, sizeof name, 0) != (ssize_t)sizeof name ||
        ftruncate(fd, sizeof(struct table_file)) != 0 || fcntl(fd, F_ADD_SEALS, TABLE_SEALS) != 0) {
        tn_rt_error error = refuse_table("memfd_create");
        if (fd >= 0) (void)close(fd);
        return error;
    }
    TN_RT_TRY(map_table(fd, table));
    memcpy((*table)->file->name, name, sizeof name);
    (*table)->file->magic = TABLE_MAGIC;
    return TN_RT_OK;
}

// A file without the seals could be cut, and an access to it would then end this process.
static bool is_table_file(int fd) {
    struct stat stat;
    int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & TABLE_SEALS) == TABLE_SEALS && fstat(fd, &stat) == 0 &&
           stat.st_size == (off_t)sizeof(struct table_file);
}

tn_rt_error tn_rt_pool_table_open(int fd, struct tn_rt_pool_table **table) {
    TN_FACE_UNCANCELLED;
    TN_RT_REFUSE(!is_table_file(fd), tn_rt_memory_policy.pool_import_error,
                 "descriptor %d is not that of a memory pool", fd);
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (own < 0) return refuse_table("fcntl");
    TN_RT_TRY(map_table(own, table));
    if ((*table)->file->magic != TABLE_MAGIC) {
        tn_rt_pool_table_end(*table);
        return tn_rt_fail(tn_rt_memory_policy.pool_import_error,
                          "descriptor %d is not that of a memory pool", fd);
    }
    return TN_RT_OK;
}

void tn_rt_pool_table_end(struct tn_rt_pool_table *table) {
    TN_FACE_UNCANCELLED;
    if (table != NULL) {
        (void)munmap(table->file, sizeof *table->file);
        (void)close(table->fd);
        free(table);
    }
}

static bool is_same_file(int a, int b) {
    struct stat x;
    struct stat y;
    return a >= 0 && fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

// The program may have closed the descriptor of the last call, and opened another file by that
// number.
tn_rt_error tn_rt_pool_table_fd(struct tn_rt_pool_table *table, int *fd) {
    TN_FACE_LOCKED(&lock);
    if (!tn_rt_memory_policy.pool_repeats_descriptor || !is_same_file(table->exported, table->fd))
        table->exported = fcntl(table->fd, F_DUPFD_CLOEXEC, 3);
    if (table->exported < 0) return refuse_table("fcntl");
    *fd = table->exported;
    return TN_RT_OK;
}

void tn_rt_pool_table_name(const struct tn_rt_pool_table *table, uint64_t name[2]) {
    memcpy(name, table->file->name, sizeof table->file->name);
}

// Called under the lock.
static tn_rt_error add_key(struct table_file *file, const tarn_key *key, uint32_t *index) {
    uint32_t count = atomic_load_explicit(&file->count, memory_order_relaxed);
    count = count < TABLE_KEYS ? count : TABLE_KEYS; // any process can write there
    for (uint32_t i = 0; i < count; i++) {
        if (memcmp(&file->keys[i], key, sizeof *key) == 0) {
            *index = i;
            return TN_RT_OK;
        }
    }
    TN_RT_REFUSE(count == TABLE_KEYS, TN_RT_OUT_OF_MEMORY,
                 "the pool has shared %u segments already", TABLE_KEYS);
    file->keys[count] = *key;
    atomic_store_explicit(&file->count, count + 1, memory_order_release);
    *index = count;
    return TN_RT_OK;
}

tn_rt_error tn_rt_pool_table_add(struct tn_rt_pool_table *table, const tarn_key *key,
                                 uint32_t *index) {
    TN_FACE_LOCKED(&lock);
    return add_key(table->file, key, index);
}

bool tn_rt_pool_table_key(const struct tn_rt_pool_table *table, uint32_t index, tarn_key *key) {
    uint32_t count = atomic_load_explicit(&table->file->count, memory_order_acquire);
    if (index >= count || index >= TABLE_KEYS) return false;
    *key = table->file->keys[index];
    return true;
}

TN_FACE_ON_FORK(TN_RT_LOCK_POOL_TABLE, &lock, NULL);
