// SPDX-License-Identifier: Apache-2.0
// Shared memory. The seals are what makes a peer's file safe to touch: what cannot shrink cannot
// raise SIGBUS, and huge pages, which can run out under a mapping, are refused.
#include "channel/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/error.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

// An aligned mapping: a larger one, then what sticks out is given back.
static tarn_status map(int fd, uint64_t bytes, uint64_t alignment, int rights,
                       unsigned char **base) {
    uint64_t room = bytes + (alignment > TN_SHM_PAGE ? alignment : 0);
    void *all = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) {
        return tn_fail_native(TARN_NO_ADDRESS_SPACE, "mmap", errno, "%llu bytes of address space",
                              (unsigned long long)room);
    }
    uintptr_t first = ((uintptr_t)all + alignment - 1) & ~(uintptr_t)(alignment - 1);
    unsigned char *start = (unsigned char *)all + (first - (uintptr_t)all);
    if (mmap(start, bytes, rights, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, 0) == MAP_FAILED) {
        int code = errno;
        (void)munmap(all, room);
        return tn_fail_native(TARN_NO_ADDRESS_SPACE, "mmap", code, "%llu bytes of shared memory",
                              (unsigned long long)bytes);
    }
    size_t before = (size_t)(start - (unsigned char *)all);
    size_t after = room - before - bytes;
    if (before != 0) {
        (void)munmap(all, before);
    }
    if (after != 0) {
        (void)munmap(start + bytes, after);
    }
    *base = start;
    return TARN_OK;
}

// Kernels older than the last seal do without it: then a peer could write where it should only
// read, which harms nobody but itself, because no word in shared memory is trusted.
static bool seal_it(int fd, enum tn_shm_seal seal) {
    int size = F_SEAL_SHRINK | F_SEAL_GROW;
    if (seal == TN_SHM_ONE_WRITES) {
        (void)fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
    }
    return fcntl(fd, F_ADD_SEALS, size | F_SEAL_SEAL) == 0;
}

tarn_status tn_shm_create(const char *name, uint64_t bytes, uint64_t alignment,
                          enum tn_shm_seal seal, struct tn_shm *shm) {
    tarn_status status;
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) {
        return tn_fail_native(errno == EMFILE || errno == ENFILE ? TARN_NO_HANDLES : TARN_SYSTEM,
                              "memfd_create", errno, "shared memory \"%s\"", name);
    }
    if (ftruncate(fd, (off_t)bytes) != 0) {
        status = tn_fail_native(TARN_NO_HOST_MEMORY, "ftruncate", errno, "%llu bytes of \"%s\"",
                                (unsigned long long)bytes, name);
        goto err_close;
    }
    status = map(fd, bytes, alignment, PROT_READ | PROT_WRITE, &shm->base);
    if (status != TARN_OK) {
        goto err_close;
    }
    if (!seal_it(fd, seal)) {
        status = tn_fail_native(TARN_SYSTEM, "fcntl", errno, "sealing \"%s\"", name);
        goto err_unmap;
    }
    shm->fd = fd;
    shm->bytes = bytes;
    return TARN_OK;

err_unmap:
    (void)munmap(shm->base, bytes);
err_close:
    (void)close(fd);
    return status;
}

tarn_status tn_shm_create_private(uint64_t bytes, struct tn_shm *shm) {
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        return tn_fail_native(TARN_NO_HOST_MEMORY, "mmap", errno, "%llu bytes",
                              (unsigned long long)bytes);
    }
    *shm = (struct tn_shm){-1, (unsigned char *)base, bytes};
    return TARN_OK;
}

static tarn_status check_file(int fd, uint64_t bytes) {
    struct stat file;
    struct statfs system;
    int seals = fcntl(fd, F_GET_SEALS);
    if (fstat(fd, &file) != 0 || fstatfs(fd, &system) != 0 || seals < 0) {
        return tn_fail(TARN_CORRUPT, "the peer's memory is no file that can be sealed");
    }
    if ((seals & F_SEAL_SHRINK) == 0 || (uint64_t)system.f_type != TMPFS_MAGIC) {
        return tn_fail(TARN_CORRUPT,
                       "the peer's memory is not sealed (0x%x) or of pages that may "
                       "run out (type 0x%llx)",
                       (unsigned)seals, (unsigned long long)system.f_type);
    }
    if (file.st_size < 0 || (uint64_t)file.st_size != bytes) {
        return tn_fail(TARN_CORRUPT, "the peer's memory has %lld bytes, not %llu",
                       (long long)file.st_size, (unsigned long long)bytes);
    }
    return TARN_OK;
}

// Bytes of whole pages that the file has already: a peer's word must not make this process fill it.
static uint64_t pages_there(const struct tn_shm *shm) {
    struct stat file;
    uint64_t has = fstat(shm->fd, &file) == 0 ? (uint64_t)file.st_blocks * 512 : 0;
    return (has < shm->bytes ? has : shm->bytes) & ~(uint64_t)(TN_SHM_PAGE - 1);
}

tarn_status tn_shm_adopt(int fd, uint64_t bytes, uint64_t alignment, bool writable,
                         struct tn_shm *shm) {
    tarn_status status = check_file(fd, bytes);
    if (status != TARN_OK) {
        return status;
    }
    status = map(fd, bytes, alignment, writable ? PROT_READ | PROT_WRITE : PROT_READ, &shm->base);
    if (status != TARN_OK) {
        return status;
    }
    shm->fd = fd;
    shm->bytes = bytes;
    uint64_t there = pages_there(shm);
    if (!writable && there != 0) { // only a matter of speed
        (void)madvise(shm->base, there, MADV_POPULATE_READ);
    }
    return TARN_OK;
}

tarn_status tn_shm_populate(const struct tn_shm *shm, uint64_t bytes, bool present) {
    uint64_t most = present ? pages_there(shm) : shm->bytes;
    uint64_t some = (bytes < most ? bytes : most) & ~(uint64_t)(TN_SHM_PAGE - 1);
    if (some == 0 || madvise(shm->base, some, MADV_POPULATE_WRITE) == 0) {
        return TARN_OK;
    }
    if (errno != EINVAL) {
        return tn_fail_native(TARN_NO_HOST_MEMORY, "madvise", errno, "%llu bytes to prefault",
                              (unsigned long long)some);
    }
    for (uint64_t at = 0; at < some; at += TN_SHM_PAGE) { // kernels before 5.14; keeps contents
        (void)__atomic_fetch_or(&shm->base[at], (unsigned char)0, __ATOMIC_RELAXED);
    }
    return TARN_OK;
}

void tn_shm_forget_file(struct tn_shm *shm) {
    (void)close(shm->fd);
    shm->fd = -1;
}

void tn_shm_close(struct tn_shm *shm) {
    if (shm->base != NULL) {
        (void)munmap(shm->base, shm->bytes);
    }
    if (shm->fd >= 0) {
        (void)close(shm->fd);
    }
    *shm = (struct tn_shm)TN_SHM_NONE;
}
