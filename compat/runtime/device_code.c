// SPDX-License-Identifier: Apache-2.0
// See kernel.h: the code that was compiled for devices. None of it can run here, but an error about
// the launch of such a kernel can name it. One lock guards the list of codes.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/kernel.h"
#include "compat/runtime/lock.h"
#include "compat/runtime/memory.h"

// Its address is the handle that the program holds.
struct code {
    struct code *next;
    struct kernel *kernels;
    struct variable *variables;
    struct shadow *shadows;
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

// A variable that the program knows by `symbol`, or managed memory, which *pointer receives.
struct shadow {
    struct shadow *next;
    const void *symbol;
    void **pointer;
    size_t size;
    void *memory[TN_RT_DEVICES];
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
    while (code->shadows != NULL) {
        struct shadow *shadow = code->shadows;
        code->shadows = shadow->next;
        for (int i = 0; i < TN_RT_DEVICES; i++) {
            if (shadow->memory[i] != NULL) (void)tn_rt_host_unregister(shadow->memory[i]);
            free(shadow->memory[i]);
        }
        free(shadow);
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

// ---- variables with memory for each device

static void add_shadow(struct code *code, const struct shadow *shadow) {
    struct shadow *own = code != NULL ? (struct shadow *)malloc(sizeof *own) : NULL;
    if (own == NULL) return;
    *own = *shadow;
    TN_FACE_LOCKED(&lock);
    own->next = code->shadows;
    code->shadows = own;
}

void tn_rt_code_add_shadow(void *code, const void *symbol, size_t size) {
    const struct shadow shadow = {.symbol = symbol, .size = size};
    add_shadow((struct code *)code, &shadow);
}

void tn_rt_code_add_managed(void *code, void **pointer, size_t size) {
    const struct shadow shadow = {.pointer = pointer, .size = size};
    add_shadow((struct code *)code, &shadow);
}

static struct shadow *find_shadow(const void *symbol) {
    for (const struct code *code = codes; code != NULL; code = code->next)
        for (struct shadow *s = code->shadows; s != NULL; s = s->next)
            if (s->symbol == symbol || (s->pointer != NULL && s->pointer == symbol)) return s;
    return NULL;
}

// Returns NULL without memory.
static void *allocate_shadow(const struct shadow *shadow) {
    static bool logged;
    void *memory = calloc(1, shadow->size);
    if (!logged && tn_rt_policy.log)
        fprintf(stderr, "tarn: the initial values of variables in code for GPUs are not known; "
                        "they are 0\n");
    logged = true;
    if (memory != NULL && tn_rt_host_register(memory, shadow->size, 0) == TN_RT_OK) return memory;
    free(memory);
    return NULL;
}

bool tn_rt_code_find_variable(const void *symbol, void **address, size_t *size) {
    TN_FACE_LOCKED(&lock);
    struct shadow *shadow = find_shadow(symbol);
    if (shadow == NULL) return false;
    int device = tn_rt_current()->ordinal;
    if (shadow->pointer == NULL && shadow->memory[device] == NULL)
        shadow->memory[device] = allocate_shadow(shadow);
    *address = shadow->pointer != NULL ? *shadow->pointer : shadow->memory[device];
    *size = shadow->size;
    return true;
}

tn_rt_error tn_rt_code_begin(void *handle) {
    const struct code *code = (const struct code *)handle;
    TN_FACE_LOCKED(&lock);
    for (struct shadow *s = code != NULL ? code->shadows : NULL; s != NULL; s = s->next)
        if (s->pointer != NULL && *s->pointer == NULL)
            TN_RT_TRY(tn_rt_host_alloc(TN_RT_BLOCK_MANAGED, s->pointer, s->size, 1));
    return TN_RT_OK;
}

// A child has the same code as its parent.
TN_FACE_ON_FORK(TN_RT_LOCK_DEVICE_CODE, &lock, NULL);
