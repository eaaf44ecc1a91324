// SPDX-License-Identifier: Apache-2.0
// See hip/detail/variable.h. One lock guards the list of known variables, which never shrinks.
#include <pthread.h>
#include <stdlib.h>

#include <hip/detail/variable.h>

#include "compat/face/scope.h"
#include "compat/hip/face.h"
#include "compat/hip/variable.h"
#include "compat/runtime/copy.h"
#include "compat/runtime/lock.h"
#include "compat/runtime/memory.h"

struct variable {
    struct variable *next;
    const void *address;
    size_t size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the next
static struct variable *variables;

static size_t known_size(const void *symbol) {
    TN_FACE_LOCKED(&lock);
    for (const struct variable *v = variables; v != NULL; v = v->next)
        if (v->address == symbol) return v->size;
    return 0;
}

static tn_rt_error find_size(const void *symbol, size_t *size) {
    *size = symbol != NULL ? known_size(symbol) : 0;
    return *size > 0 ? TN_RT_OK
                     : tn_rt_fail(TN_RT_INVALID_SYMBOL, "%p is not a known variable", symbol);
}

// At the end of the process, so that memory tools do not take the registrations for leaks.
static void unregister_variables(void) {
    TN_FACE_LOCKED(&lock);
    while (variables != NULL) {
        struct variable *variable = variables;
        variables = variable->next;
        (void)tn_rt_host_unregister((void *)(uintptr_t)variable->address);
        free(variable);
    }
}

static void unregister_at_exit(void) { (void)atexit(unregister_variables); }

TN_HIP_FUNCTION(hipExtRegisterHostVariable, const void *, symbol, size_t, sizeBytes) {
    if (symbol != NULL && known_size(symbol) >= sizeBytes && sizeBytes > 0) return TN_RT_OK;
    struct variable *variable = (struct variable *)malloc(sizeof *variable);
    TN_RT_REFUSE(variable == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a variable");
    tn_rt_error error = tn_rt_host_register((void *)(uintptr_t)symbol, sizeBytes, 0);
    if (error != TN_RT_OK) {
        free(variable);
        return error;
    }
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, unregister_at_exit);
    TN_FACE_LOCKED(&lock);
    *variable = (struct variable){variables, symbol, sizeBytes};
    variables = variable;
    return TN_RT_OK;
}

tn_rt_error tn_hip_variable_range(const void *symbol, size_t offset, size_t size, void **address) {
    size_t whole = 0;
    TN_RT_TRY(find_size(symbol, &whole));
    TN_RT_REFUSE(offset > whole || size > whole - offset, TN_RT_INVALID_VALUE,
                 "%zu bytes from %zu on of a variable of %zu", size, offset, whole);
    *address = (char *)(uintptr_t)symbol + offset;
    return TN_RT_OK;
}

// ---- queries

TN_HIP_FUNCTION(hipGetSymbolAddress, void **, devPtr, const void *, symbol) {
    TN_RT_TRY(tn_rt_check_pointer(devPtr, "devPtr"));
    return tn_hip_variable_range(symbol, 0, 0, devPtr);
}

TN_HIP_FUNCTION(hipGetSymbolSize, size_t *, size, const void *, symbol) {
    size_t own = 0;
    TN_RT_TRY(tn_rt_check_pointer(size, "size"));
    TN_RT_TRY(find_size(symbol, &own));
    *size = own;
    return TN_RT_OK;
}

// ---- copies

static tn_rt_error check_direction(hipMemcpyKind kind, hipMemcpyKind refused) {
    return kind != hipMemcpyHostToHost && kind != refused
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_DIRECTION, "kind %d for this copy of a variable",
                            (int)kind);
}

static tn_rt_error copy_to(const void *symbol, const void *src, size_t size, size_t offset,
                           hipMemcpyKind kind, hipStream_t stream, enum tn_rt_copy_call call) {
    void *address = NULL;
    TN_RT_TRY(tn_hip_variable_range(symbol, offset, size, &address));
    TN_RT_TRY(check_direction(kind, hipMemcpyDeviceToHost));
    return tn_rt_copy_linear(address, src, size, (int)kind, stream, call);
}

static tn_rt_error copy_from(void *dst, const void *symbol, size_t size, size_t offset,
                             hipMemcpyKind kind, hipStream_t stream, enum tn_rt_copy_call call) {
    void *address = NULL;
    TN_RT_TRY(tn_hip_variable_range(symbol, offset, size, &address));
    TN_RT_TRY(check_direction(kind, hipMemcpyHostToDevice));
    return tn_rt_copy_linear(dst, address, size, (int)kind, stream, call);
}

hipError_t hipMemcpyToSymbol(const void *symbol, const void *src, size_t sizeBytes, size_t offset,
                             hipMemcpyKind kind) {
    return TN_HIP_CALL(copy_to(symbol, src, sizeBytes, offset, kind, NULL, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *src, size_t sizeBytes,
                                  size_t offset, hipMemcpyKind kind, hipStream_t stream) {
    return TN_HIP_CALL(copy_to(symbol, src, sizeBytes, offset, kind, stream, TN_RT_COPY_ASYNC));
}

hipError_t hipMemcpyFromSymbol(void *dst, const void *symbol, size_t sizeBytes, size_t offset,
                               hipMemcpyKind kind) {
    return TN_HIP_CALL(copy_from(dst, symbol, sizeBytes, offset, kind, NULL, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t sizeBytes, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream) {
    return TN_HIP_CALL(copy_from(dst, symbol, sizeBytes, offset, kind, stream, TN_RT_COPY_ASYNC));
}

hipError_t hipMemcpyToSymbol_spt(const void *symbol, const void *src, size_t sizeBytes,
                                 size_t offset, hipMemcpyKind kind) {
    return TN_HIP_CALL(
        copy_to(symbol, src, sizeBytes, offset, kind, hipStreamPerThread, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyToSymbolAsync_spt(const void *symbol, const void *src, size_t sizeBytes,
                                      size_t offset, hipMemcpyKind kind, hipStream_t stream) {
    return TN_HIP_CALL(
        copy_to(symbol, src, sizeBytes, offset, kind, tn_hip_spt(stream), TN_RT_COPY_ASYNC));
}

hipError_t hipMemcpyFromSymbol_spt(void *dst, const void *symbol, size_t sizeBytes, size_t offset,
                                   hipMemcpyKind kind) {
    return TN_HIP_CALL(
        copy_from(dst, symbol, sizeBytes, offset, kind, hipStreamPerThread, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyFromSymbolAsync_spt(void *dst, const void *symbol, size_t sizeBytes,
                                        size_t offset, hipMemcpyKind kind, hipStream_t stream) {
    return TN_HIP_CALL(
        copy_from(dst, symbol, sizeBytes, offset, kind, tn_hip_spt(stream), TN_RT_COPY_ASYNC));
}

// A child registers again: the devices of its parent are not its own.
static void forget_variables(void) { variables = NULL; }

TN_FACE_ON_FORK(TN_RT_LOCK_VARIABLES, &lock, forget_variables);
