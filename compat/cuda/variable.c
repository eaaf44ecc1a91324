// SPDX-License-Identifier: Apache-2.0
// See variable.h. One lock guards the list.
#include "compat/cuda/variable.h"

#include <pthread.h>
#include <stdlib.h>

#include "compat/cuda/face.h"
#include "compat/face/scope.h"
#include "compat/runtime/copy.h"
#include "compat/runtime/fill.h"
#include "compat/runtime/lock.h"
#include "compat/runtime/memory.h"

struct variable {
    struct variable *next;
    const void *code;
    const void *symbol;
    size_t size;
    struct {
        void *at;
        uint32_t id; // of the block; another block may be at the address after a reset
    } memory[TN_RT_DEVICES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the next
static struct variable *variables;

void tn_cu_variable_add(const void *code, const void *symbol, size_t size) {
    struct variable *variable = (struct variable *)calloc(1, sizeof *variable);
    if (variable == NULL) return; // a use of it fails
    TN_FACE_LOCKED(&lock);
    variable->next = variables;
    variable->code = code;
    variable->symbol = symbol;
    variable->size = size;
    variables = variable;
}

// Returns true if the memory of a variable is still its own.
static bool is_alive(const struct variable *variable, int ordinal) {
    struct tn_rt_block block;
    void *at = variable->memory[ordinal].at;
    return at != NULL && tn_rt_block_query(at, &block) && block.id == variable->memory[ordinal].id;
}

void tn_cu_variables_end(const void *code) {
    TN_FACE_LOCKED(&lock);
    for (struct variable **link = &variables; *link != NULL;) {
        struct variable *variable = *link;
        if (variable->code != code) {
            link = &variable->next;
            continue;
        }
        for (int i = 0; i < tn_rt_devices.count; i++)
            if (is_alive(variable, i)) (void)tn_rt_free(variable->memory[i].at);
        *link = variable->next;
        free(variable);
    }
}

static tn_rt_error find_variable(const void *symbol, struct variable **found) {
    for (*found = variables; *found != NULL && (*found)->symbol != symbol;) *found = (*found)->next;
    TN_RT_REFUSE(*found == NULL, TN_RT_INVALID_SYMBOL, "%p is not a variable of the device",
                 symbol);
    return TN_RT_OK;
}

// Finds `size` bytes of a variable on the current device.
static tn_rt_error find_bytes(const void *symbol, size_t offset, size_t size, char **at) {
    TN_FACE_LOCKED(&lock);
    int ordinal = tn_rt_current()->ordinal;
    struct variable *variable = NULL;
    struct tn_rt_block block;
    void *memory = NULL;
    TN_RT_TRY(find_variable(symbol, &variable));
    TN_RT_REFUSE(offset > variable->size || size > variable->size - offset, TN_RT_INVALID_VALUE,
                 "%zu bytes from %zu on of a variable of %zu", size, offset, variable->size);
    if (!is_alive(variable, ordinal)) {
        TN_RT_TRY(tn_rt_memory_alloc(&memory, variable->size, 0));
        TN_RT_TRY(tn_rt_fill(memory, 0, 1, variable->size, NULL, TN_RT_FILL_SYNC));
        (void)tn_rt_block_query(memory, &block);
        variable->memory[ordinal].at = memory;
        variable->memory[ordinal].id = block.id;
    }
    *at = (char *)variable->memory[ordinal].at + offset;
    return TN_RT_OK;
}

// ---- queries

TN_CUDART_FUNCTION(cudaGetSymbolAddress, void **, address, const void *, symbol) {
    char *at = NULL;
    TN_RT_TRY(tn_rt_check_pointer(address, "the output"));
    TN_RT_TRY(find_bytes(symbol, 0, 0, &at));
    *address = at;
    return TN_RT_OK;
}

TN_CUDART_FUNCTION(cudaGetSymbolSize, size_t *, size, const void *, symbol) {
    struct variable *variable = NULL;
    TN_RT_TRY(tn_rt_check_pointer(size, "the output"));
    TN_FACE_LOCKED(&lock);
    TN_RT_TRY(find_variable(symbol, &variable));
    *size = variable->size;
    return TN_RT_OK;
}

// ---- copies

static tn_rt_error check_direction(int kind, int refused) {
    TN_RT_REFUSE(kind == cudaMemcpyHostToHost || kind == refused, TN_RT_INVALID_DIRECTION,
                 "kind %d for this copy of a variable", kind);
    return TN_RT_OK;
}

static tn_rt_error copy_to_async(const void *symbol, const void *src, size_t size, size_t offset,
                                 enum cudaMemcpyKind kind, cudaStream_t stream) {
    char *at = NULL;
    TN_RT_TRY(find_bytes(symbol, offset, size, &at));
    TN_RT_TRY(check_direction((int)kind, cudaMemcpyDeviceToHost));
    return tn_rt_copy_linear(at, src, size, (int)kind, stream, TN_RT_COPY_ASYNC);
}

static tn_rt_error copy_to(const void *symbol, const void *src, size_t size, size_t offset,
                           enum cudaMemcpyKind kind) {
    char *at = NULL;
    TN_RT_TRY(find_bytes(symbol, offset, size, &at));
    TN_RT_TRY(check_direction((int)kind, cudaMemcpyDeviceToHost));
    return tn_rt_copy_linear(at, src, size, (int)kind, NULL, TN_RT_COPY_SYNC);
}

static tn_rt_error copy_from_async(void *dst, const void *symbol, size_t size, size_t offset,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
    char *at = NULL;
    TN_RT_TRY(find_bytes(symbol, offset, size, &at));
    TN_RT_TRY(check_direction((int)kind, cudaMemcpyHostToDevice));
    return tn_rt_copy_linear(dst, at, size, (int)kind, stream, TN_RT_COPY_ASYNC);
}

static tn_rt_error copy_from(void *dst, const void *symbol, size_t size, size_t offset,
                             enum cudaMemcpyKind kind) {
    char *at = NULL;
    TN_RT_TRY(find_bytes(symbol, offset, size, &at));
    TN_RT_TRY(check_direction((int)kind, cudaMemcpyHostToDevice));
    return tn_rt_copy_linear(dst, at, size, (int)kind, NULL, TN_RT_COPY_SYNC);
}

TN_CUDART_DIRECT(cudaMemcpyToSymbol, copy_to, const void *, const void *, size_t, size_t,
                 enum cudaMemcpyKind)
TN_CUDART_STREAM(cudaMemcpyToSymbolAsync, copy_to_async, const void *, const void *, size_t, size_t,
                 enum cudaMemcpyKind, cudaStream_t)
TN_CUDART_DIRECT(cudaMemcpyFromSymbol, copy_from, void *, const void *, size_t, size_t,
                 enum cudaMemcpyKind)
TN_CUDART_STREAM(cudaMemcpyFromSymbolAsync, copy_from_async, void *, const void *, size_t, size_t,
                 enum cudaMemcpyKind, cudaStream_t)

TN_FACE_ON_FORK(TN_RT_LOCK_VARIABLES, &lock, NULL);
