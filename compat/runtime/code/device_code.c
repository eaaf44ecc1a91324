// SPDX-License-Identifier: Apache-2.0
// See device_code.h. None of it can run here, but an error about the launch of such a kernel can
// name it. One lock guards the list of codes.
#include "compat/runtime/code/device_code.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/log.h"
#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/copy/fill.h"
#include "compat/runtime/memory/memory.h"
#include "src/base/list.h"

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
    struct {
        void *at;
        uint32_t id; // of the block; another one may be at the address after a reset
    } memory[TN_RT_DEVICES];
};

// Returns true if the memory of a variable is still its own.
static bool is_alive(const struct shadow *shadow, int device) {
    struct tn_rt_block block;
    void *at = shadow->memory[device].at;
    return at != NULL && tn_rt_block_query(at, &block) && block.id == shadow->memory[device].id;
}

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
    TN_CHAIN_DRAIN(struct kernel, kernel, code->kernels, next) free(kernel);
    TN_CHAIN_DRAIN(struct shadow, shadow, code->shadows, next) {
        for (int i = 0; i < tn_rt_devices.count; i++)
            if (is_alive(shadow, i)) (void)tn_rt_free(shadow->memory[i].at);
        free(shadow);
    }
    TN_CHAIN_DRAIN(struct variable, variable, code->variables, next) free(variable);
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

static tn_rt_error allocate_shadow(struct shadow *shadow, int device) {
    static bool logged;
    struct tn_rt_block block;
    void *memory = NULL;
    if (!logged)
        tn_log_line(TN_LOG_ERROR,
                    "the initial values of variables in code for GPUs are not known; they are 0");
    logged = true;
    TN_RT_TRY(tn_rt_memory_alloc(&memory, shadow->size, 0));
    TN_RT_TRY(tn_rt_fill(memory, 0, 1, shadow->size, NULL, TN_RT_COPY_SYNC));
    (void)tn_rt_block_query(memory, &block);
    shadow->memory[device].at = memory;
    shadow->memory[device].id = block.id;
    return TN_RT_OK;
}

tn_rt_error tn_rt_code_find_variable(const void *symbol, void **address, size_t *size) {
    TN_FACE_LOCKED(&lock);
    struct shadow *shadow = find_shadow(symbol);
    TN_RT_REFUSE(shadow == NULL, TN_RT_INVALID_SYMBOL, "%p is not a known variable", symbol);
    int device = tn_rt_current()->ordinal;
    if (shadow->pointer == NULL && !is_alive(shadow, device))
        TN_RT_TRY(allocate_shadow(shadow, device));
    *address = shadow->pointer != NULL ? *shadow->pointer : shadow->memory[device].at;
    *size = shadow->size;
    return TN_RT_OK;
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
