// SPDX-License-Identifier: Apache-2.0
// See kernel.h: the code that was compiled for devices. None of it can run here, but an error about
// the launch of such a kernel can name it. One lock guards the list of codes.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/kernel.h"
#include "compat/runtime/lock.h"

// Its address is the handle that the program holds.
struct code {
    struct code *next;
    struct kernel *kernels;
    struct variable *variables;
};

struct kernel {
    struct kernel *next;
    const void *stub;
    const char *name;
};

// Memory of the host for a managed variable, whose pointer the program follows.
struct variable {
    struct variable *next;
    unsigned char bytes[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the next
static struct code *codes;

const char *tn_rt_code_kernel(const void *stub) {
    TN_FACE_LOCKED(&lock);
    for (const struct code *code = codes; code != NULL; code = code->next)
        for (const struct kernel *k = code->kernels; k != NULL; k = k->next)
            if (k->stub == stub) return k->name;
    return NULL;
}

void *tn_rt_code_new(void) {
    struct code *code = (struct code *)calloc(1, sizeof *code);
    if (code == NULL) return NULL;
    TN_FACE_LOCKED(&lock);
    code->next = codes;
    codes = code;
    return code;
}

static struct code *remove_code(const void *handle) {
    TN_FACE_LOCKED(&lock);
    struct code **link = &codes;
    while (*link != NULL && *link != handle) link = &(*link)->next;
    struct code *code = *link;
    if (code != NULL) *link = code->next;
    return code;
}

void tn_rt_code_end(const void *handle) {
    struct code *code = remove_code(handle);
    if (code == NULL) return;
    while (code->kernels != NULL) {
        struct kernel *next = code->kernels->next;
        free(code->kernels);
        code->kernels = next;
    }
    while (code->variables != NULL) {
        struct variable *next = code->variables->next;
        free(code->variables);
        code->variables = next;
    }
    free(code);
}

void tn_rt_code_add_kernel(void *handle, const void *stub, const char *name) {
    struct code *code = (struct code *)handle;
    struct kernel *kernel = code != NULL ? (struct kernel *)calloc(1, sizeof *kernel) : NULL;
    if (kernel == NULL) return;
    kernel->stub = stub;
    kernel->name = name != NULL ? name : "";
    TN_FACE_LOCKED(&lock);
    kernel->next = code->kernels;
    code->kernels = kernel;
}

void tn_rt_code_add_variable(void *handle, void **pointer, const void *initial, size_t size,
                             size_t align) {
    struct code *code = (struct code *)handle;
    struct variable *variable =
        code != NULL ? (struct variable *)calloc(1, sizeof *variable + size + align) : NULL;
    if (variable == NULL) return;
    uintptr_t at = (uintptr_t)variable->bytes;
    at += align > 0 ? (align - at % align) % align : 0;
    if (initial != NULL) memcpy((void *)at, initial, size);
    *pointer = (void *)at;
    TN_FACE_LOCKED(&lock);
    variable->next = code->variables;
    code->variables = variable;
}

// A child has the same code as its parent.
TN_FACE_ON_FORK(TN_RT_LOCK_DEVICE_CODE, &lock, NULL);
