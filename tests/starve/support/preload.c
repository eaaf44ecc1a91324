// SPDX-License-Identifier: Apache-2.0
// A library to preload that makes one call of the system or of libc fail, once. Calls are counted
// between starve_begin() and starve_end(), or, with STARVE_POINT in the environment, in the whole
// program. Each fails as the kernel or libc would fail it without memory, descriptors or threads.
// A munmap() or mprotect() fails only where it would split a mapping. With STARVE_TRACE in the
// environment, the stack of the call is printed. STARVE_FILES adds calls that a broken disk fails.
// Any thread.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "starve/support/preload.h"

#define LOADER_BYTES 0x40000 // more than ld.so has

// ---- the point

static atomic_bool counting;
static atomic_long count;
static atomic_long point; // 0: no call fails
static _Atomic(const char *) failed;

void starve_begin(long at) {
    atomic_store(&count, 0);
    atomic_store(&point, at);
    atomic_store(&failed, NULL);
    atomic_store(&counting, true);
}

long starve_end(void) {
    atomic_store(&counting, false);
    return atomic_load(&count);
}

const char *starve_failed(void) { return atomic_load(&failed); }

// Set once a thread runs its own function. Before that it runs code of libc and of a sanitizer.
static _Thread_local bool has_begun;

// Returns true for a call of the dynamic loader, which ends the process if it has no memory for the
// thread-local variables of a library that was opened later.
static bool is_of_loader(const void *caller) {
    static uintptr_t base;
    base = base != 0 ? base : getauxval(AT_BASE);
    return (uintptr_t)caller - base < LOADER_BYTES;
}

// Returns true, with errno set, if this call is to fail.
static bool starve(const char *call, int error) {
    if (!atomic_load_explicit(&counting, memory_order_relaxed) || !has_begun ||
        atomic_fetch_add(&count, 1) + 1 != atomic_load_explicit(&point, memory_order_relaxed))
        return false;
    atomic_store(&failed, call);
    if (getenv("STARVE_TRACE") != NULL) {
        void *stack[32];
        atomic_store(&counting, false);
        backtrace_symbols_fd(stack, backtrace(stack, 32), STDERR_FILENO);
        atomic_store(&counting, true);
    }
    errno = error;
    return true;
}

// ---- the next definition of each function

#define EARLY_BYTES 65536

// dlsym() may allocate before the next allocator is known.
static _Alignas(16) unsigned char early[EARLY_BYTES];
static atomic_size_t early_used;

static bool is_early(const void *block) {
    return (const unsigned char *)block >= early &&
           (const unsigned char *)block < early + EARLY_BYTES;
}

static void *alloc_early(size_t bytes) {
    size_t at = atomic_fetch_add(&early_used, (bytes + 15) & ~(size_t)15);
    return at + bytes <= EARLY_BYTES ? early + at : NULL;
}

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    void (*free)(void *);
} next;

static atomic_int resolving;

static bool resolve(void) {
    static atomic_bool done;
    if (atomic_load_explicit(&done, memory_order_acquire)) return true;
    if (atomic_exchange(&resolving, 1) != 0) return false;
    *(void **)&next.malloc = dlsym(RTLD_NEXT, "malloc");
    *(void **)&next.calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&next.realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&next.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
    *(void **)&next.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    *(void **)&next.free = dlsym(RTLD_NEXT, "free");
    atomic_store_explicit(&done, true, memory_order_release);
    return true;
}

// Finds the next definition of a function once.
#define NEXT(type, name)                                                                           \
    static type (*real)();                                                                         \
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, #name);

// ---- memory of libc

static atomic_long live;

long starve_live_blocks(void) { return atomic_load(&live); }

static void *count_block(void *block) {
    if (block != NULL) atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return block;
}

void *malloc(size_t bytes) {
    if (!resolve()) return alloc_early(bytes);
    bool fails = !is_of_loader(__builtin_return_address(0)) && starve("malloc", ENOMEM);
    return fails ? NULL : count_block(next.malloc(bytes));
}

void *calloc(size_t number, size_t bytes) {
    if (!resolve()) return alloc_early(number * bytes);
    bool fails = !is_of_loader(__builtin_return_address(0)) && starve("calloc", ENOMEM);
    return fails ? NULL : count_block(next.calloc(number, bytes));
}

void *realloc(void *block, size_t bytes) {
    if (is_early(block) || !resolve()) {
        void *moved = malloc(bytes);
        if (moved != NULL && block != NULL) memcpy(moved, block, bytes);
        return moved;
    }
    if (starve("realloc", ENOMEM)) return NULL;
    void *moved = next.realloc(block, bytes);
    return block == NULL ? count_block(moved) : moved;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    (void)resolve();
    return starve("aligned_alloc", ENOMEM) ? NULL
                                           : count_block(next.aligned_alloc(alignment, bytes));
}

int posix_memalign(void **block, size_t alignment, size_t bytes) {
    (void)resolve();
    int before = errno;
    if (starve("posix_memalign", ENOMEM)) {
        errno = before;
        return ENOMEM;
    }
    int error = next.posix_memalign(block, alignment, bytes);
    if (error == 0) (void)count_block(*block);
    return error;
}

void free(void *block) {
    if (block != NULL && !is_early(block) && resolve()) {
        atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
        next.free(block);
    }
}

// ---- mappings

void *mmap(void *at, size_t bytes, int rights, int flags, int fd, off_t offset) {
    return starve("mmap", ENOMEM) ? MAP_FAILED
                                  : (void *)syscall(SYS_mmap, at, bytes, rights, flags, fd, offset);
}

static uint64_t parse_hex(const char **text) {
    uint64_t value = 0;
    for (;; (*text)++) {
        char c = **text;
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) return value;
        value = value * 16 + (uint64_t)digit;
    }
}

// Returns true if a start or an end of the range lies inside a mapping. Allocates nothing.
static bool splits_mapping(const void *at, size_t bytes) {
    char text[4096 + 1];
    uint64_t lo = (uintptr_t)at;
    uint64_t hi = lo + ((bytes + 4095) & ~(size_t)4095);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
    bool splits = false;
    size_t kept = 0;
    ssize_t got;
    while (fd >= 0 && !splits &&
           (got = (ssize_t)syscall(SYS_read, fd, text + kept, sizeof text - 1 - kept)) > 0) {
        text[kept + (size_t)got] = '\0';
        char *line = text;
        for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            const char *field = line;
            uint64_t from = parse_hex(&field);
            field++;
            uint64_t to = parse_hex(&field);
            splits |= (from < lo && lo < to) || (from < hi && hi < to);
        }
        kept = strlen(line);
        memmove(text, line, kept + 1);
    }
    (void)syscall(SYS_close, fd);
    return splits;
}

static bool starve_split(const char *call, const void *at, size_t bytes) {
    return atomic_load(&counting) && splits_mapping(at, bytes) && starve(call, ENOMEM);
}

int munmap(void *at, size_t bytes) {
    return starve_split("munmap", at, bytes) ? -1 : (int)syscall(SYS_munmap, at, bytes);
}

int mprotect(void *at, size_t bytes, int rights) {
    return starve_split("mprotect", at, bytes) ? -1 : (int)syscall(SYS_mprotect, at, bytes, rights);
}

int mlock(const void *at, size_t bytes) {
    return starve("mlock", ENOMEM) ? -1 : (int)syscall(SYS_mlock, at, bytes);
}

int madvise(void *at, size_t bytes, int advice) {
    return starve("madvise", ENOMEM) ? -1 : (int)syscall(SYS_madvise, at, bytes, advice);
}

// ---- files

int memfd_create(const char *name, unsigned flags) {
    return starve("memfd_create", EMFILE) ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

int ftruncate(int fd, off_t bytes) {
    return starve("ftruncate", ENOMEM) ? -1 : (int)syscall(SYS_ftruncate, fd, bytes);
}

int fallocate(int fd, int mode, off_t offset, off_t bytes) {
    return starve("fallocate", ENOMEM) ? -1 : (int)syscall(SYS_fallocate, fd, mode, offset, bytes);
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return starve("open", EMFILE) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
    NEXT(FILE *, fopen)
    return starve("fopen", EMFILE) ? NULL : real(path, mode);
}

int fcntl(int fd, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    long argument = va_arg(arguments, long);
    va_end(arguments);
    if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC) && starve("fcntl", EMFILE)) return -1;
    return (int)syscall(SYS_fcntl, fd, command, argument);
}

// Bytes of files fail only with STARVE_FILES in the environment, as a disk fails.
static bool starve_disk(const char *call) {
    return atomic_load(&counting) && getenv("STARVE_FILES") != NULL && starve(call, EIO);
}

ssize_t read(int fd, void *bytes, size_t size) {
    NEXT(ssize_t, read)
    return starve_disk("read") ? -1 : real(fd, bytes, size);
}

ssize_t write(int fd, const void *bytes, size_t size) {
    NEXT(ssize_t, write)
    return starve_disk("write") ? -1 : real(fd, bytes, size);
}

int fsync(int fd) {
    NEXT(int, fsync)
    return starve_disk("fsync") ? -1 : real(fd);
}

int fchmod(int fd, mode_t mode) {
    NEXT(int, fchmod)
    return starve_disk("fchmod") ? -1 : real(fd, mode);
}

int rename(const char *from, const char *to) {
    NEXT(int, rename)
    return starve_disk("rename") ? -1 : real(from, to);
}

// The descriptor is closed in any case, as Linux does it.
int close(int fd) {
    NEXT(int, close)
    bool fails = starve_disk("close");
    int got = real(fd);
    if (fails) errno = EIO;
    return fails ? -1 : got;
}

// A library that cannot be opened. dlerror() then has the text of a file that is not there.
void *dlopen(const char *path, int flags) {
    NEXT(void *, dlopen)
    return real(starve("dlopen", ENOMEM) ? "/nonexistent/starved" : path, flags);
}

int pipe2(int fds[2], int flags) {
    return starve("pipe2", EMFILE) ? -1 : (int)syscall(SYS_pipe2, fds, flags);
}

int eventfd(unsigned value, int flags) {
    return starve("eventfd", EMFILE) ? -1 : (int)syscall(SYS_eventfd2, value, flags);
}

int epoll_create1(int flags) {
    return starve("epoll_create1", EMFILE) ? -1 : (int)syscall(SYS_epoll_create1, flags);
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event) {
    if (operation == EPOLL_CTL_ADD && starve("epoll_ctl", ENOMEM)) return -1;
    return (int)syscall(SYS_epoll_ctl, epoll, operation, fd, event);
}

// ---- sockets

int socket(int domain, int type, int protocol) {
    return starve("socket", EMFILE) ? -1 : (int)syscall(SYS_socket, domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int fds[2]) {
    return starve("socketpair", EMFILE) ? -1
                                        : (int)syscall(SYS_socketpair, domain, type, protocol, fds);
}

int accept4(int fd, struct sockaddr *address, socklen_t *bytes, int flags) {
    return starve("accept4", EMFILE) ? -1 : (int)syscall(SYS_accept4, fd, address, bytes, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    return starve("sendmsg", ENOBUFS) ? -1 : syscall(SYS_sendmsg, fd, message, flags);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
    return starve("recvmsg", ENOMEM) ? -1 : syscall(SYS_recvmsg, fd, message, flags);
}

// ---- threads

struct start {
    void *(*body)(void *);
    void *arg;
};

static void *run_thread(void *arg) {
    struct start start = *(struct start *)arg;
    next.free(arg);
    has_begun = true;
    void *result = start.body(start.arg);
    has_begun = false;
    return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *arg) {
    NEXT(int, pthread_create)
    int before = errno;
    if (starve("pthread_create", EAGAIN)) {
        errno = before;
        return EAGAIN;
    }
    struct start *start = resolve() ? (struct start *)next.malloc(sizeof *start) : NULL;
    if (start == NULL) return EAGAIN;
    *start = (struct start){body, arg};
    int error = real(thread, attributes, run_thread, start);
    if (error != 0) next.free(start);
    return error;
}

// ---- whole programs

__attribute__((constructor)) static void begin_program(void) {
    has_begun = true;
    const char *at = getenv("STARVE_POINT");
    if (at != NULL) starve_begin(atol(at));
}

// Appends the number of calls to the file STARVE_COUNT, a line for each process.
__attribute__((destructor)) static void end_program(void) {
    const char *path = getenv("STARVE_COUNT");
    if (path != NULL) {
        char text[64];
        long calls = starve_end();
        int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
        int length = snprintf(text, sizeof text, "%ld\n", calls);
        (void)!write(fd, text, (size_t)length);
        (void)syscall(SYS_close, fd);
    }
}
