// SPDX-License-Identifier: Apache-2.0
// Shared memory over memfd. Seals make a peer's file safe to access: a file that cannot shrink
// cannot raise SIGBUS. Files of huge pages are refused, because their pages can run out under a
// mapping.
#include "channel/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/uncancelled.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

// Reserves a larger range, maps the file at the aligned address in it and unmaps the rest.
static tarn_status map_aligned(int fd, uint64_t bytes, uint64_t alignment, int rights,
                               unsigned char **base) {
    uint64_t room = bytes + (alignment > TN_SHM_PAGE ? alignment : 0);
    TARN_ASSERT(bytes != 0 && alignment >= TN_SHM_PAGE && (alignment & (alignment - 1)) == 0);
    void *all = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return tn_fail_native(TARN_NO_ADDRESS_SPACE, "mmap", errno, "%llu bytes of address space",
                              (unsigned long long)room);
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
    TARN_ASSERT(before + bytes <= room && (uintptr_t)start % alignment == 0);
    if (before != 0) (void)munmap(all, before);
    if (after != 0) (void)munmap(start + bytes, after);
    *base = start;
    return TARN_OK;
}

// Old kernels lack F_SEAL_FUTURE_WRITE, so a peer could write to memory that it should only read.
// That is harmless, because this process trusts no word in shared memory.
static bool seal_file(int fd, enum tn_shm_seal seal) {
    int size = F_SEAL_SHRINK | F_SEAL_GROW;
    if (seal == TN_SHM_ONE_WRITES) (void)fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
    return fcntl(fd, F_ADD_SEALS, size | F_SEAL_SEAL) == 0;
}

tarn_status tn_shm_create(const char *name, uint64_t bytes, uint64_t alignment,
                          enum tn_shm_seal seal, struct tn_shm *shm) {
    tarn_status status;
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return tn_fail_native(errno == EMFILE || errno == ENFILE ? TARN_NO_HANDLES : TARN_SYSTEM,
                              "memfd_create", errno, "shared memory \"%s\"", name);
    if (ftruncate(fd, (off_t)bytes) != 0) {
        status = tn_fail_native(TARN_NO_HOST_MEMORY, "ftruncate", errno, "%llu bytes of \"%s\"",
                                (unsigned long long)bytes, name);
        goto err_close;
    }
    status = map_aligned(fd, bytes, alignment, PROT_READ | PROT_WRITE, &shm->base);
    if (status != TARN_OK) goto err_close;
    if (!seal_file(fd, seal)) {
        status = tn_fail_native(TARN_SYSTEM, "fcntl", errno, "sealing \"%s\"", name);
        goto err_unmap;
    }
    shm->fd = fd;
    shm->bytes = bytes;
    return TARN_OK;

err_unmap:
    (void)munmap(shm->base, bytes);
err_close:
    tn_close(fd);
    return status;
}

tarn_status tn_shm_create_private(uint64_t bytes, struct tn_shm *shm) {
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return tn_fail_native(TARN_NO_HOST_MEMORY, "mmap", errno, "%" PRIu64 " bytes", bytes);
    *shm = (struct tn_shm){-1, (unsigned char *)base, bytes};
    return TARN_OK;
}

static tarn_status check_seals(int fd, uint64_t bytes) {
    struct stat file;
    struct statfs system;
    int seals = fcntl(fd, F_GET_SEALS);
    TN_REFUSE(fstat(fd, &file) != 0 || fstatfs(fd, &system) != 0 || seals < 0, TARN_CORRUPT,
              "the peer's memory is not a file that can be sealed");
    TN_REFUSE((seals & F_SEAL_SHRINK) == 0 || (uint64_t)system.f_type != TMPFS_MAGIC, TARN_CORRUPT,
              "the peer's memory can shrink (seals 0x%x) or is not on tmpfs (type 0x%llx)",
              (unsigned)seals, (unsigned long long)system.f_type);
    TN_REFUSE(file.st_size < 0 || (uint64_t)file.st_size != bytes, TARN_CORRUPT,
              "the peer's memory has %lld bytes instead of %llu", (long long)file.st_size,
              (unsigned long long)bytes);
    return TARN_OK;
}

// Returns how many bytes from the start of the file have pages now. Pages behind the first hole do
// not count: a count of all pages would fill holes.
static uint64_t existing_bytes(const struct tn_shm *shm) {
    off_t hole = lseek(shm->fd, 0, SEEK_HOLE);
    uint64_t has = hole > 0 ? (uint64_t)hole : 0;
    return (has < shm->bytes ? has : shm->bytes) & ~(uint64_t)(TN_SHM_PAGE - 1);
}

tarn_status tn_shm_adopt(int fd, uint64_t bytes, uint64_t alignment, bool writable,
                         struct tn_shm *shm) {
    TN_TRY(check_seals(fd, bytes));
    TN_TRY(map_aligned(fd, bytes, alignment, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                       &shm->base));
    shm->fd = fd;
    shm->bytes = bytes;
    uint64_t existing = existing_bytes(shm);
    if (!writable && existing != 0) // an optimisation: failure is harmless
        (void)madvise(shm->base, existing, MADV_POPULATE_READ);
    return TARN_OK;
}

tarn_status tn_shm_populate(const struct tn_shm *shm, uint64_t bytes, bool existing_only) {
    uint64_t limit = existing_only ? existing_bytes(shm) : shm->bytes;
    uint64_t whole = (bytes < limit ? bytes : limit) & ~(uint64_t)(TN_SHM_PAGE - 1);
    if (whole == 0 || madvise(shm->base, whole, MADV_POPULATE_WRITE) == 0) return TARN_OK;
    if (errno != EINVAL)
        return tn_fail_native(TARN_NO_HOST_MEMORY, "madvise", errno, "%llu bytes to prefault",
                              (unsigned long long)whole);
    for (uint64_t at = 0; at < whole; at += TN_SHM_PAGE) // kernels before 5.14
        (void)__atomic_fetch_or(&shm->base[at], (unsigned char)0, __ATOMIC_RELAXED);
    return TARN_OK;
}

void tn_shm_close_file(struct tn_shm *shm) {
    TARN_ASSERT(shm->fd >= 0 && shm->base != NULL); // the mapping stays
    tn_close(shm->fd);
    shm->fd = -1;
}

void tn_shm_close(struct tn_shm *shm) {
    if (shm->base != NULL) (void)munmap(shm->base, shm->bytes);
    if (shm->fd >= 0) tn_close(shm->fd);
    *shm = (struct tn_shm)TN_SHM_NONE;
}
