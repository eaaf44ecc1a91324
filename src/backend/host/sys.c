// SPDX-License-Identifier: Apache-2.0
// System calls with a failure hook. See sys.h.
#include "backend/host/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "base/atomic.h"
#include "base/uncancelled.h"

// The requested failure. Without one, a call costs one load. If tests request one while several
// threads run, any of these threads may get it.
static _Atomic uint32_t fail_calls;
static _Atomic uint64_t fail_left;
static _Atomic int fail_error;
static _Atomic bool fail_fired;

void tn_host_sys_fail(uint32_t calls, uint64_t nth, int error) {
    tn_store_relaxed(&fail_calls, 0u);
    tn_store_relaxed(&fail_left, nth);
    tn_store_relaxed(&fail_error, error);
    tn_store_relaxed(&fail_fired, false);
    tn_store_release(&fail_calls, nth != 0 ? calls : 0u); // publishes the other three
}

bool tn_host_sys_failed(void) { return tn_load_relaxed(&fail_fired); }

// Returns true, with errno set, if this call is to fail.
static bool call_fails(uint32_t call) {
    if ((tn_load_acquire(&fail_calls) & call) == 0) return false;
    if (tn_sub_relaxed(&fail_left, 1) != 1) return false;
    tn_store_relaxed(&fail_calls, 0u);
    tn_store_relaxed(&fail_fired, true);
    errno = tn_load_relaxed(&fail_error);
    return true;
}

// Moves a descriptor away from the numbers of the standard streams, which other code uses without
// checking.
static int above_standard(int fd) {
    if (fd < 0 || fd > 2) return fd;
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    int error = errno;
    tn_close(fd);
    errno = error;
    return moved;
}

tarn_status tn_host_sys_status(int error) {
    switch (error) {
    case EMFILE:
    case ENFILE: return TARN_NO_HANDLES;
    case ENOMEM:
    case ENOSPC:
    case EAGAIN: return TARN_NO_HOST_MEMORY;
    default: return TARN_SYSTEM;
    }
}

int tn_host_sys_memfd(const char *name) {
    if (call_fails(TN_HOST_SYS_MEMFD)) return -1;
    return above_standard(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
}

int tn_host_sys_truncate(int fd, uint64_t size) {
    return call_fails(TN_HOST_SYS_TRUNCATE) ? -1 : ftruncate(fd, (off_t)size);
}

int tn_host_sys_open(const char *path, int flags) {
    TN_UNCANCELLED;
    return call_fails(TN_HOST_SYS_OPEN) ? -1 : above_standard(open(path, flags | O_CLOEXEC));
}

int tn_host_sys_dup(int fd) {
    return call_fails(TN_HOST_SYS_FCNTL) ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static struct flock lock_of(short kind, uint64_t byte) {
    return (struct flock){.l_type = kind, .l_whence = SEEK_SET, .l_start = (off_t)byte, .l_len = 1};
}

int tn_host_sys_lock(int fd, uint64_t byte, bool wait) {
    TN_UNCANCELLED;
    if (call_fails(TN_HOST_SYS_FCNTL)) return -1;
    struct flock lock = lock_of(F_WRLCK, byte);
    int rc;
    do {
        rc = fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
    } while (rc != 0 && errno == EINTR);
    return rc;
}

void tn_host_sys_unlock(int fd, uint64_t byte) {
    struct flock lock = lock_of(F_UNLCK, byte);
    (void)fcntl(fd, F_OFD_SETLK, &lock);
}

bool tn_host_sys_is_locked(int fd, uint64_t byte) {
    struct flock lock = lock_of(F_WRLCK, byte);
    return fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

int tn_host_sys_seal(int fd, int seals) {
    return call_fails(TN_HOST_SYS_FCNTL) ? -1 : fcntl(fd, F_ADD_SEALS, seals);
}

int tn_host_sys_get_seals(int fd) {
    return call_fails(TN_HOST_SYS_FCNTL) ? -1 : fcntl(fd, F_GET_SEALS);
}

static void *to_pointer(uint64_t addr) { return (void *)(uintptr_t)addr; }

uint64_t tn_host_sys_mmap(uint64_t addr, uint64_t size, int prot, int flags, int fd,
                          uint64_t offset) {
    if (call_fails(TN_HOST_SYS_MMAP)) return 0;
    void *at = mmap(to_pointer(addr), size, prot, flags, fd, (off_t)offset);
    return at == MAP_FAILED ? 0 : (uint64_t)(uintptr_t)at;
}

int tn_host_sys_munmap(uint64_t addr, uint64_t size) {
    return call_fails(TN_HOST_SYS_MUNMAP) ? -1 : munmap(to_pointer(addr), size);
}

int tn_host_sys_mprotect(uint64_t addr, uint64_t size, int prot) {
    return call_fails(TN_HOST_SYS_MPROTECT) ? -1 : mprotect(to_pointer(addr), size, prot);
}

int tn_host_sys_madvise(uint64_t addr, uint64_t size, int advice) {
    return call_fails(TN_HOST_SYS_MADVISE) ? -1 : madvise(to_pointer(addr), size, advice);
}

int tn_host_sys_mlock(uint64_t addr, uint64_t size) {
    return call_fails(TN_HOST_SYS_MLOCK) ? -1 : mlock(to_pointer(addr), size);
}

int tn_host_sys_munlock(uint64_t addr, uint64_t size) { return munlock(to_pointer(addr), size); }

int tn_host_sys_punch(int fd, uint64_t offset, uint64_t size) {
    TN_UNCANCELLED;
    if (call_fails(TN_HOST_SYS_FALLOCATE)) return -1;
    int rc;
    do {
        rc = fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)size);
    } while (rc != 0 && errno == EINTR);
    return rc;
}

int tn_host_sys_next_pages(int fd, uint64_t from, uint64_t end, uint64_t *start, uint64_t *stop) {
    off_t data = lseek(fd, (off_t)from, SEEK_DATA);
    *start = end;
    *stop = end;
    if (data < 0) return errno == ENXIO ? 0 : -1; // ENXIO: no pages up to the end of the file
    if ((uint64_t)data < end) {
        off_t hole = lseek(fd, data, SEEK_HOLE);
        *start = (uint64_t)data;
        *stop = hole < 0 || (uint64_t)hole > end ? end : (uint64_t)hole;
    }
    return 0;
}

int tn_host_sys_pread(int fd, void *bytes, size_t size, uint64_t offset) {
    TN_UNCANCELLED;
    if (call_fails(TN_HOST_SYS_PREAD)) return -1;
    for (size_t done = 0; done < size;) {
        ssize_t n = pread(fd, (char *)bytes + done, size - done, (off_t)(offset + done));
        if (n == 0) errno = EIO;
        if (n == 0 || (n < 0 && errno != EINTR)) return -1;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

int tn_host_sys_pwrite(int fd, const void *bytes, size_t size, uint64_t offset) {
    TN_UNCANCELLED;
    if (call_fails(TN_HOST_SYS_PWRITE)) return -1;
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(fd, (const char *)bytes + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno != EINTR) return -1;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

int tn_host_sys_random(void *bytes, size_t size) {
    TN_UNCANCELLED;
    if (call_fails(TN_HOST_SYS_RANDOM)) return -1;
    ssize_t n;
    do {
        n = getrandom(bytes, size, 0);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)size ? 0 : -1; // requests up to 256 bytes are never cut
}

void *tn_host_sys_alloc(size_t size) {
    return call_fails(TN_HOST_SYS_MEMORY) ? NULL : calloc(1, size);
}
