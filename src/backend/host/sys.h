// SPDX-License-Identifier: Apache-2.0
// The system calls that the software device makes, in one place, so that a test can make any one of
// them fail. Each behaves as the call of its name, with errno, unless said otherwise. Any thread.
#ifndef TARN_HOST_SYS_H
#define TARN_HOST_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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
    TN_HOST_SYS_MEMORY = 1u << 11,   // malloc and calloc of the books
    TN_HOST_SYS_OPEN = 1u << 12,     // open
    TN_HOST_SYS_RANDOM = 1u << 13,   // getrandom
    TN_HOST_SYS_ALL = (1u << 14) - 1
};

// Test hook: the n-th call from now among `calls` fails with `error`, once. n 0: none will.
void tn_host_sys_fail(uint32_t calls, uint64_t nth, int error);

// Whether the failure that was asked for last has happened.
bool tn_host_sys_failed(void);

// A sealable, close-on-exec memfd whose number is 3 or more even when standard streams are closed.
int tn_host_sys_memfd(const char *name);
int tn_host_sys_truncate(int fd, uint64_t size);
// Close-on-exec, with a number of 3 or more.
int tn_host_sys_open(const char *path, int flags);
// A duplicate with a number of 3 or more, close-on-exec.
int tn_host_sys_dup(int fd);
int tn_host_sys_seal(int fd, int seals);
int tn_host_sys_get_seals(int fd);

// Address ranges are numbers. MAP_FAILED is 0 here.
uint64_t tn_host_sys_mmap(uint64_t addr, uint64_t size, int prot, int flags, int fd,
                          uint64_t offset);
int tn_host_sys_munmap(uint64_t addr, uint64_t size);
int tn_host_sys_mprotect(uint64_t addr, uint64_t size, int prot);
int tn_host_sys_madvise(uint64_t addr, uint64_t size, int advice);
int tn_host_sys_mlock(uint64_t addr, uint64_t size);
int tn_host_sys_munlock(uint64_t addr, uint64_t size);
// Frees the pages of a range of a file; it reads zero afterwards.
int tn_host_sys_punch(int fd, uint64_t offset, uint64_t size);
// The first pages at or above `from` that are there, up to `end`: [*start, *stop), empty when there
// are none. Moves the descriptor's own position, which nobody else uses.
int tn_host_sys_next_pages(int fd, uint64_t from, uint64_t end, uint64_t *start, uint64_t *stop);
// All of it or -1.
int tn_host_sys_pread(int fd, void *bytes, size_t size, uint64_t offset);
int tn_host_sys_pwrite(int fd, const void *bytes, size_t size, uint64_t offset);

// Bytes that nobody can guess; all of them or -1.
int tn_host_sys_random(void *bytes, size_t size);

// Zeroed memory for the books; free() gives it back.
void *tn_host_sys_alloc(size_t size);

#endif
