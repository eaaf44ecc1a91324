// SPDX-License-Identifier: Apache-2.0
// See device_code.h. Constructors and destructors of programs call these functions, so they open no
// device and do not fail. One lock guards the list of code objects.
#include "compat/hip/device_code.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <hip/detail/types.h>

#include "compat/hip/lock.h"

// hipcc's code fixes the parameters; most of these functions ignore them.
#pragma GCC diagnostic ignored "-Wunused-parameter"

// A code object. Its address is the handle that the program holds.
struct code {
    struct code *next;
    struct kernel *kernels;
    struct variable *variables;
};

struct kernel {
    struct kernel *next;
    const void *stub;
    const char *name; // owned by the program while the code is registered
};

// Memory of the host for a managed variable, whose pointer the program follows.
struct variable {
    struct variable *next;
    unsigned char bytes[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the next
static struct code *codes;

const char *tn_hip_device_code_name(const void *stub) {
    const char *name = NULL;
    (void)pthread_mutex_lock(&lock);
    for (const struct code *code = codes; code != NULL && name == NULL; code = code->next)
        for (const struct kernel *k = code->kernels; k != NULL && name == NULL; k = k->next)
            name = k->stub == stub ? k->name : NULL;
    (void)pthread_mutex_unlock(&lock);
    return name;
}

// ---- functions that code from hipcc calls; no header declares them

HIP_API void **__hipRegisterFatBinary(const void *data);
HIP_API void __hipUnregisterFatBinary(void **modules);
HIP_API void __hipRegisterFunction(void **modules, const void *hostFunction, char *deviceFunction,
                                   const char *deviceName, unsigned int threadLimit, void *tid,
                                   void *bid, dim3 *blockDim, dim3 *gridDim, int *wSize);
HIP_API void __hipRegisterVar(void **modules, void *var, char *hostVar, char *deviceVar, int ext,
                              size_t size, int constant, int global);
HIP_API void __hipRegisterManagedVar(void *module, void **pointer, void *initial, const char *name,
                                     size_t size, unsigned align);
HIP_API void __hipRegisterSurface(void **modules, void *var, char *hostVar, char *deviceVar,
                                  int type, int ext);
HIP_API void __hipRegisterTexture(void **modules, void *var, char *hostVar, char *deviceVar,
                                  int type, int norm, int ext);

HIP_API void __hipGetPCH(const char **pch, unsigned int *size);

// Returns NULL without memory; the functions below accept NULL.
void **__hipRegisterFatBinary(const void *data) {
    struct code *code = (struct code *)calloc(1, sizeof *code);
    if (code != NULL) {
        (void)pthread_mutex_lock(&lock);
        code->next = codes;
        codes = code;
        (void)pthread_mutex_unlock(&lock);
    }
    return (void **)code;
}

static void free_code(struct code *code) {
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

void __hipUnregisterFatBinary(void **modules) {
    (void)pthread_mutex_lock(&lock);
    struct code **link = &codes;
    while (*link != NULL && (void **)*link != modules)
        link = &(*link)->next;
    struct code *code = *link;
    if (code != NULL) *link = code->next;
    (void)pthread_mutex_unlock(&lock);
    if (code != NULL) free_code(code);
}

void __hipRegisterFunction(void **modules, const void *hostFunction, char *deviceFunction,
                           const char *deviceName, unsigned int threadLimit, void *tid, void *bid,
                           dim3 *blockDim, dim3 *gridDim, int *wSize) {
    struct code *code = (struct code *)modules;
    struct kernel *kernel = (struct kernel *)calloc(1, sizeof *kernel);
    if (code == NULL || kernel == NULL) {
        free(kernel);
        return;
    }
    kernel->stub = hostFunction;
    kernel->name = deviceName != NULL ? deviceName : "";
    (void)pthread_mutex_lock(&lock);
    kernel->next = code->kernels;
    code->kernels = kernel;
    (void)pthread_mutex_unlock(&lock);
}

// Ignored: no function looks up a variable of device code by address or name.
void __hipRegisterVar(void **modules, void *var, char *hostVar, char *deviceVar, int ext,
                      size_t size, int constant, int global) {}

void __hipRegisterManagedVar(void *module, void **pointer, void *initial, const char *name,
                             size_t size, unsigned align) {
    struct code *code = (struct code *)module;
    struct variable *variable = (struct variable *)calloc(1, sizeof *variable + size + align);
    if (code == NULL || variable == NULL) {
        free(variable);
        return;
    }
    uintptr_t at = (uintptr_t)variable->bytes;
    at += align > 0 ? (align - at % align) % align : 0;
    if (initial != NULL) memcpy((void *)at, initial, size);
    *pointer = (void *)at;
    (void)pthread_mutex_lock(&lock);
    variable->next = code->variables;
    code->variables = variable;
    (void)pthread_mutex_unlock(&lock);
}

void __hipRegisterSurface(void **modules, void *var, char *hostVar, char *deviceVar, int type,
                          int ext) {}

void __hipRegisterTexture(void **modules, void *var, char *hostVar, char *deviceVar, int type,
                          int norm, int ext) {}

// The precompiled header for compilation at run time does not exist here.
void __hipGetPCH(const char **pch, unsigned int *size) {
    *pch = NULL;
    *size = 0;
}

// A child has the same code as its parent.
TN_FACE_ON_FORK(TN_HIP_LOCK_DEVICE_CODE, &lock, NULL);
