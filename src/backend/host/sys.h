// SPDX-License-Identifier: Apache-2.0
// The system calls of the software device, in one place, so that a test can make any one of them
// fail. Each behaves as the call of its name, with errno, unless its comment states otherwise. Any
// thread.
#pragma once

#include <sys/types.h>

#include <tarn/base.h>

// The calls, as bits for tn_host_sys_fail().
enum {
    TN_HOST_SYS_MEMFD = 1u << 0,     // memfd_create
    TN_HOST_SYS_TRUNCATE = 1u << 1,  // ftruncate
    TN_HOST_SYS_MMAP = 1u << 2,      // mmap
    TN_HOST_SYS_MUNMAP = 1u << 3,    // munmap
    TN_HOST_SYS_MPROTECT = 1u << 4,  // mprotect
    TN_HOST_SYS_FALLOCATE = 1u << 5, // fallocate, to punch
    TN_HOST_SYS_FCNTL = 1u << 6,     // fcntl: duplicates and seals
    TN_HOST_SYS_MADVISE = 1u << 7,   // madvise
    TN_HOST_SYS_MLOCK = 1u << 8,     // mlock
    TN_HOST_SYS_PREAD = 1u << 9,     // pread
    TN_HOST_SYS_PWRITE = 1u << 10,   // pwrite
    TN_HOST_SYS_MEMORY = 1u << 11,   // calloc of records
    TN_HOST_SYS_OPEN = 1u << 12,     // open
    TN_HOST_SYS_RANDOM = 1u << 13,   // getrandom
    TN_HOST_SYS_ALL = (1u << 14) - 1
};

// Test hook: the n-th call from now among `calls` fails with `error`, once. n = 0 cancels it.
void tn_host_sys_fail(uint32_t calls, uint64_t nth, int error);

// Returns true if the failure requested last has happened.
bool tn_host_sys_failed(void);

// Returns the status for errno of a failed call: NO_HANDLES without a descriptor, NO_HOST_MEMORY
// without memory or without room for a thread, else SYSTEM.
tarn_status tn_host_sys_status(int error);

// Makes a sealable, close-on-exec memfd. Its number is above those of the standard streams.
int tn_host_sys_memfd(const char *name);
int tn_host_sys_truncate(int fd, uint64_t size);
// Opens close-on-exec. The number is above those of the standard streams.
int tn_host_sys_open(const char *path, int flags);
// Duplicates close-on-exec. The number is above those of the standard streams.
int tn_host_sys_dup(int fd);
// Locks one byte for this open file, and waits for it if `wait` is true.
int tn_host_sys_lock(int fd, uint64_t byte, bool wait);
void tn_host_sys_unlock(int fd, uint64_t byte);
// Returns true unless it is certain that no other open file has locked the byte.
bool tn_host_sys_is_locked(int fd, uint64_t byte);
int tn_host_sys_seal(int fd, int seals);
int tn_host_sys_get_seals(int fd);

// Addresses are numbers. mmap returns 0 instead of MAP_FAILED.
uint64_t tn_host_sys_mmap(uint64_t addr, uint64_t size, int prot, int flags, int fd,
                          uint64_t offset);
int tn_host_sys_munmap(uint64_t addr, uint64_t size);
int tn_host_sys_mprotect(uint64_t addr, uint64_t size, int prot);
int tn_host_sys_madvise(uint64_t addr, uint64_t size, int advice);
int tn_host_sys_mlock(uint64_t addr, uint64_t size);
int tn_host_sys_munlock(uint64_t addr, uint64_t size);
// Frees the pages of a range of a file. The range then reads as zero.
int tn_host_sys_punch(int fd, uint64_t offset, uint64_t size);
// Finds the first existing pages of [from, end): [*start, *stop), empty if there are none. Moves
// the position of the descriptor, which no other code uses.
int tn_host_sys_next_pages(int fd, uint64_t from, uint64_t end, uint64_t *start, uint64_t *stop);
// Read or write all bytes, or return -1.
int tn_host_sys_pread(int fd, void *bytes, size_t size, uint64_t offset);
int tn_host_sys_pwrite(int fd, const void *bytes, size_t size, uint64_t offset);

// Writes unpredictable bytes. Returns -1 if it cannot write all of them.
int tn_host_sys_random(void *bytes, size_t size);

// Returns zeroed memory for records, or NULL. free() frees it.
void *tn_host_sys_alloc(size_t size);
