// SPDX-License-Identifier: Apache-2.0
// See host_kernel.h.
#include "compat/runtime/code/host_kernel.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/code/device_code.h"
#include "compat/runtime/code/policy.h"

struct tn_rt_code_policy tn_rt_code_policy;

// Programs may launch one of hundreds of kernels by its address.
enum { BUCKETS = 512 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the next
static struct tn_rt_host_kernel *buckets[BUCKETS];       // by the address
static _Atomic(uint32_t) bounded; // kernels with launch bounds; without any, launches take no lock

static struct tn_rt_host_kernel **bucket_of(const void *function) {
    return &buckets[((uintptr_t)function >> 4) % BUCKETS];
}

void tn_rt_host_kernel_register(struct tn_rt_host_kernel *kernel) {
    TN_FACE_LOCKED(&lock);
    struct tn_rt_host_kernel **bucket = bucket_of(kernel->function);
    kernel->next = *bucket;
    *bucket = kernel;
    if (kernel->max_threads > 0) atomic_fetch_add(&bounded, 1);
}

void tn_rt_host_kernel_unregister(struct tn_rt_host_kernel *kernel) {
    TN_FACE_LOCKED(&lock);
    struct tn_rt_host_kernel **link = bucket_of(kernel->function);
    while (*link != NULL && *link != kernel) link = &(*link)->next;
    if (*link == NULL) return;
    *link = kernel->next;
    if (kernel->max_threads > 0) atomic_fetch_sub(&bounded, 1);
}

static const struct tn_rt_host_kernel *find_address(const void *function) {
    const struct tn_rt_host_kernel *k = *bucket_of(function);
    while (k != NULL && k->function != function) k = k->next;
    return k;
}

const struct tn_rt_host_kernel *tn_rt_host_kernel_find(const void *function) {
    TN_FACE_LOCKED(&lock);
    const struct tn_rt_host_kernel *known = find_address(function);
    for (unsigned i = 0; known == NULL && i < BUCKETS; i++)
        for (const struct tn_rt_host_kernel *k = buckets[i]; k != NULL; k = k->next)
            if (k == function) known = k;
    return known;
}

uint32_t tn_rt_host_kernel_threads(const void *function) {
    if (atomic_load_explicit(&bounded, memory_order_acquire) == 0) return TN_RT_THREADS_PER_BLOCK;
    TN_FACE_LOCKED(&lock);
    const struct tn_rt_host_kernel *kernel = find_address(function);
    return kernel != NULL && kernel->max_threads > 0 ? kernel->max_threads
                                                     : TN_RT_THREADS_PER_BLOCK;
}

tn_rt_error tn_rt_no_kernel(const void *function, const char *why) {
    const char *name = tn_rt_code_kernel(function);
    TN_RT_REFUSE(name != NULL, tn_rt_code_policy.device_code_error,
                 "kernel %.100s is code for a GPU; %s code for this CPU", name,
                 tn_rt_code_policy.code_makers);
    bool stranger = function != NULL && tn_rt_code_policy.stranger_is_no_handle;
    return tn_rt_fail(stranger ? TN_RT_INVALID_HANDLE : TN_RT_INVALID_DEVICE_FUNCTION, "%p %s",
                      function, why);
}

tn_rt_error tn_rt_host_kernel_get(const void *function, const struct tn_rt_host_kernel **kernel) {
    *kernel = function != NULL ? tn_rt_host_kernel_find(function) : NULL;
    if (*kernel != NULL) return TN_RT_OK;
    return tn_rt_no_kernel(function, "is not a kernel that can be launched by its address");
}

// ---- kernels of a loaded object

// The kernels that are registered now. The caller frees the list; *count is 0 without memory.
// dladdr() takes the loader's lock, under which constructors register kernels, so it is not called
// under this file's lock.
static const struct tn_rt_host_kernel **list_kernels(unsigned *count) {
    TN_FACE_LOCKED(&lock);
    unsigned all = 0;
    *count = 0;
    for (unsigned i = 0; i < BUCKETS; i++)
        for (const struct tn_rt_host_kernel *k = buckets[i]; k != NULL; k = k->next) all++;
    const struct tn_rt_host_kernel **list =
        (const struct tn_rt_host_kernel **)calloc(all + 1, sizeof(struct tn_rt_host_kernel *));
    for (unsigned i = 0; list != NULL && i < BUCKETS; i++)
        for (const struct tn_rt_host_kernel *k = buckets[i]; k != NULL; k = k->next)
            list[(*count)++] = k;
    return list;
}

static bool is_in(const struct tn_rt_host_kernel *kernel, const void *base, Dl_info *info) {
    return dladdr(kernel->function, info) != 0 && info->dli_fbase == base;
}

static bool is_named(const struct tn_rt_host_kernel *kernel, const Dl_info *info,
                     const char *name) {
    bool exported = info->dli_saddr == kernel->function && info->dli_sname != NULL;
    return (exported && strcmp(info->dli_sname, name) == 0) || strcmp(kernel->name, name) == 0;
}

const struct tn_rt_host_kernel *tn_rt_host_kernel_named(const void *base, const char *name) {
    Dl_info info;
    unsigned count;
    const struct tn_rt_host_kernel *found = NULL;
    const struct tn_rt_host_kernel **list = list_kernels(&count);
    for (unsigned i = 0; i < count && found == NULL; i++)
        if (is_in(list[i], base, &info) && is_named(list[i], &info, name)) found = list[i];
    free(list);
    return found;
}

unsigned tn_rt_host_kernel_list(const void *base, const void **out, unsigned count) {
    Dl_info info;
    unsigned all;
    unsigned found = 0;
    const struct tn_rt_host_kernel **list = list_kernels(&all);
    for (unsigned i = 0; i < all; i++) {
        if (!is_in(list[i], base, &info)) continue;
        if (found < count) out[found] = list[i];
        found++;
    }
    free(list);
    return found;
}

// ---- arguments

// The words before a buffer and before the address of its size. The policy has that at the end.
enum { BUFFER = 1, BUFFER_SIZE = 2 };

// Sets the addresses of the arguments in a buffer that is laid out like a struct.
static tn_rt_error find_in_buffer(const struct tn_rt_host_kernel *kernel, void *const *extra,
                                  void **arguments) {
    char *buffer = NULL;
    size_t size = SIZE_MAX;
    size_t at = 0;
    for (; (uintptr_t)extra[0] != tn_rt_code_policy.launch_list_end; extra += 2) {
        uintptr_t word = (uintptr_t)extra[0];
        TN_RT_REFUSE((word != BUFFER && word != BUFFER_SIZE) || extra[1] == NULL,
                     TN_RT_INVALID_VALUE, "%p and %p in the list `extra`", extra[0], extra[1]);
        if (word == BUFFER)
            buffer = (char *)extra[1];
        else
            memcpy(&size, extra[1], sizeof size);
    }
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const struct tn_rt_parameter *p = &kernel->parameters[i];
        at = (at + p->alignment - 1) / p->alignment * p->alignment;
        arguments[i] = buffer + at;
        at += p->bytes;
    }
    bool exact = tn_rt_code_policy.launch_buffer_is_exact && at > 0;
    TN_RT_REFUSE((at > 0 && (buffer == NULL || at > size)) || (exact && size == SIZE_MAX),
                 TN_RT_INVALID_VALUE, "a buffer of %zu bytes for %zu bytes of arguments",
                 buffer != NULL ? size : 0, at);
    TN_RT_REFUSE(exact && at < size, TN_RT_LAUNCH_TOO_LARGE,
                 "%zu bytes in a buffer for %zu bytes of arguments", size, at);
    return TN_RT_OK;
}

tn_rt_error tn_rt_host_kernel_arguments(const struct tn_rt_host_kernel *kernel,
                                        void *const *arguments, void *const *extra, void **found) {
    TN_RT_REFUSE(kernel->parameter_count > TN_RT_ARGUMENTS, TN_RT_INVALID_VALUE,
                 "kernel %.100s has %u parameters, %d at most", kernel->name,
                 kernel->parameter_count, TN_RT_ARGUMENTS);
    TN_RT_REFUSE(arguments != NULL && extra != NULL, TN_RT_INVALID_VALUE,
                 "arguments both as pointers and in a buffer");
    if (extra != NULL) return find_in_buffer(kernel, extra, found);
    TN_RT_REFUSE(arguments == NULL && kernel->parameter_count > 0, TN_RT_INVALID_VALUE,
                 "kernel %.100s has %u parameters, and no arguments are given", kernel->name,
                 kernel->parameter_count);
    for (uint32_t i = 0; i < kernel->parameter_count; i++) found[i] = arguments[i];
    return TN_RT_OK;
}

TN_FACE_ON_FORK(TN_RT_LOCK_HOST_KERNELS, &lock, NULL);
