// SPDX-License-Identifier: Apache-2.0
// See variable.h. The list of known variables never shrinks.
#include "compat/runtime/code/variable.h"

#include <pthread.h>
#include <stdlib.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/code/device_code.h"
#include "compat/runtime/code/image_variable.h"
#include "compat/runtime/exec/graph_exec.h"
#include "compat/runtime/kernel/kernel.h"
#include "compat/runtime/memory/memory.h"
#include "src/base/list.h"

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

// Returns the size, and the address for the current device, of any variable.
static tn_rt_error find_variable(const void *symbol, void **address, size_t *size) {
    *address = (void *)(uintptr_t)symbol;
    *size = symbol != NULL ? known_size(symbol) : 0;
    if (*size > 0) return TN_RT_OK;
    TN_RT_REFUSE(symbol == NULL, TN_RT_INVALID_SYMBOL, "the variable is NULL");
    tn_rt_error error = tn_rt_code_find_variable(symbol, address, size);
    size_t bytes = error == TN_RT_INVALID_SYMBOL ? tn_rt_image_variable_size(symbol) : 0;
    if (bytes == 0) return error;
    TN_RT_TRY(tn_rt_variable_register(symbol, bytes));
    *size = bytes;
    return TN_RT_OK;
}

// At the end of the process, so that memory tools do not take the registrations for leaks.
static void unregister_variables(void) {
    TN_FACE_LOCKED(&lock);
    TN_CHAIN_DRAIN(struct variable, variable, variables, next) {
        (void)tn_rt_host_unregister((void *)(uintptr_t)variable->address);
        free(variable);
    }
}

static void unregister_at_exit(void) { (void)atexit(unregister_variables); }

tn_rt_error tn_rt_variable_register(const void *symbol, size_t bytes) {
    if (symbol != NULL && known_size(symbol) >= bytes && bytes > 0) return TN_RT_OK;
    struct variable *variable = (struct variable *)malloc(sizeof *variable);
    TN_RT_REFUSE(variable == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a variable");
    tn_rt_error error = tn_rt_host_register((void *)(uintptr_t)symbol, bytes, 0);
    if (error != TN_RT_OK) {
        free(variable);
        return error;
    }
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, unregister_at_exit);
    TN_FACE_LOCKED(&lock);
    *variable = (struct variable){variables, symbol, bytes};
    variables = variable;
    return TN_RT_OK;
}

// ---- queries

tn_rt_error tn_rt_variable_address(void **address, const void *symbol) {
    size_t size = 0;
    void *own = NULL;
    TN_RT_TRY(tn_rt_check_pointer(address, "devPtr"));
    TN_RT_TRY(find_variable(symbol, &own, &size));
    *address = own;
    return TN_RT_OK;
}

tn_rt_error tn_rt_variable_size(size_t *bytes, const void *symbol) {
    size_t own = 0;
    void *unused = NULL;
    TN_RT_TRY(tn_rt_check_pointer(bytes, "size"));
    TN_RT_TRY(find_variable(symbol, &unused, &own));
    *bytes = own;
    return TN_RT_OK;
}

// ---- copies

// Finds the row of bytes. Its kind is that of the copy.
static tn_rt_error read_copy(const struct tn_rt_symbol_copy *copy, struct tn_rt_copy_row *row) {
    size_t whole = 0;
    void *address = NULL;
    TN_RT_TRY(find_variable(copy->symbol, &address, &whole));
    TN_RT_REFUSE(copy->offset > whole || copy->size > whole - copy->offset, TN_RT_INVALID_VALUE,
                 "%zu bytes from %zu on of a variable of %zu", copy->size, copy->offset, whole);
    address = (char *)address + copy->offset;
    *row =
        (struct tn_rt_copy_row){copy->to_symbol ? address : (void *)(uintptr_t)copy->memory,
                                copy->to_symbol ? copy->memory : address, copy->size, copy->kind};
    return TN_RT_OK;
}

static bool kind_fits(const struct tn_rt_symbol_copy *copy) {
    int opposite = copy->to_symbol ? TN_RT_COPY_DEVICE_TO_HOST : TN_RT_COPY_HOST_TO_DEVICE;
    return copy->kind != TN_RT_COPY_HOST_TO_HOST && copy->kind != opposite;
}

static tn_rt_error refuse_kind(const struct tn_rt_symbol_copy *copy, tn_rt_error error) {
    return tn_rt_fail(error, "kind %d for this copy of a variable", copy->kind);
}

tn_rt_error tn_rt_symbol_copy(const struct tn_rt_symbol_copy *copy, void *stream,
                              enum tn_rt_copy_call call) {
    struct tn_rt_copy_row row;
    TN_RT_TRY(read_copy(copy, &row));
    if (!kind_fits(copy)) return refuse_kind(copy, TN_RT_INVALID_DIRECTION);
    return tn_rt_copy_linear(row.dst, row.src, row.size, row.kind, stream, call);
}

// ---- nodes

static tn_rt_error read_node(const struct tn_rt_symbol_copy *copy, struct tn_rt_op *op) {
    struct tn_rt_copy_row row;
    TN_RT_REFUSE(copy->size == 0 || copy->memory == NULL, TN_RT_INVALID_VALUE, "%zu bytes, %p",
                 copy->size, copy->memory);
    TN_RT_TRY(read_copy(copy, &row));
    row.kind = TN_RT_COPY_DEFAULT;
    TN_RT_TRY(tn_rt_read_row(&row, op));
    op->copy.kind = copy->kind;
    return TN_RT_OK;
}

static tn_rt_error read_new(const void *given, struct tn_rt_op *op) {
    const struct tn_rt_symbol_copy *copy = (const struct tn_rt_symbol_copy *)given;
    TN_RT_TRY(tn_rt_check_pointer(copy->symbol, "symbol"));
    return read_node(copy, op);
}

static tn_rt_error read_other(const void *given, struct tn_rt_op *op) {
    const struct tn_rt_symbol_copy *copy = (const struct tn_rt_symbol_copy *)given;
    size_t size = 0;
    void *unused = NULL;
    TN_RT_REFUSE(copy->memory == copy->symbol, TN_RT_INVALID_VALUE, "a copy of %p onto itself",
                 copy->symbol);
    TN_RT_REFUSE(find_variable(copy->memory, &unused, &size) == TN_RT_OK, TN_RT_INVALID_VALUE,
                 "%p is a variable, too", copy->memory);
    TN_RT_TRY(read_node(copy, op));
    if (kind_fits(copy) && tn_rt_copy_kind(copy->kind) == TN_RT_OK) return TN_RT_OK;
    return refuse_kind(copy, copy->to_symbol ? TN_RT_INVALID_VALUE : TN_RT_INVALID_DIRECTION);
}

tn_rt_error tn_rt_symbol_node_add(const struct tn_rt_spot *spot,
                                  const struct tn_rt_symbol_copy *copy) {
    return tn_rt_node_add(spot, read_new, copy);
}

// An unknown variable comes before a bad node.
tn_rt_error tn_rt_symbol_node_set(void *node, const struct tn_rt_symbol_copy *copy) {
    TN_RT_REFUSE(copy->symbol == NULL, TN_RT_INVALID_SYMBOL, "symbol is NULL");
    return tn_rt_node_set(node, TN_RT_WORK_COPY, read_other, copy);
}

tn_rt_error tn_rt_symbol_node_change(void *exec, void *node, const struct tn_rt_symbol_copy *copy) {
    TN_RT_REFUSE(copy->symbol == NULL, TN_RT_INVALID_SYMBOL, "symbol is NULL");
    return tn_rt_graph_exec_set(exec, node, TN_RT_WORK_COPY, read_other, copy);
}

// A child registers again: the devices of its parent are not its own.
static void forget_variables(void) { variables = NULL; }

TN_FACE_ON_FORK(TN_RT_LOCK_VARIABLES, &lock, forget_variables);
