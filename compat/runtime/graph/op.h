// SPDX-License-Identifier: Apache-2.0
// Work as data: the kind of a piece of work, its parameters, and the functions of the file that
// implements it. A tn_rt_op is described once; it is then submitted to a stream or becomes a node
// of a graph.
#pragma once

#include "compat/runtime/device/device.h"

struct tn_rt_event;   // event.c
struct tn_rt_graph;   // graph.h
struct tn_rt_stream;  // stream.h
struct tn_rt_failure; // stream_call.h
struct tn_rt_graph_exec;
struct tn_rt_graph_memory;

// The device and stream on which a piece of work runs. With TARN_STREAM_NONE it is complete when
// run() returns.
struct tn_rt_where {
    struct tn_face_device *device;
    tarn_stream stream;
    struct tn_rt_stream *owner;    // of `stream`, for tn_rt_call(); NULL with TARN_STREAM_NONE
    struct tn_rt_failure *failure; // of the stream that the program submitted the work to; likewise
    const char *path; // to a child graph whose nodes run, as "3.0.", for tools; else NULL
};

// ---- parameters

// Elements of an array in their order, from the middle of a row on, and linear memory.
struct tn_rt_elements {
    tarn_array_place at; // of the first
    tarn_addr linear;
    uint64_t count;
    uint64_t row;   // elements
    uint64_t bytes; // of an element
    tarn_device *peer;
    bool to_array;
};

struct tn_rt_3d; // box.h

enum tn_rt_copy_form { TN_RT_COPY_BOX, TN_RT_COPY_ARRAY_BOX, TN_RT_COPY_ELEMENTS };

struct tn_rt_copy {
    tarn_stream *ran;    // receives the stream that got the copy; NULL if no thread waits
    size_t row;          // bytes of a copy of one row of linear memory, else 0
    bool take_source;    // the source may change when the call returns
    tarn_addr linear[2]; // destination and source; 0 for an array
    int kind;            // as the program passed it
    bool kind_counts;    // a kind that is for devices needs memory of the program
    const struct tn_face_device *array[2]; // the devices of those that are arrays, else NULL
    const struct tn_rt_3d *given; // the program's description, if it had this form; of the caller,
                                  // in a graph of the node
    enum tn_rt_copy_form form;
    union {
        tarn_copy_desc box; // of linear memory
        tarn_array_copy_desc array_box;
        struct tn_rt_elements elements;
    };
};

struct tn_rt_function {
    void (*fn)(void *arg);
    void *arg;
};

struct tn_rt_dim {
    uint32_t x, y, z;
};

struct tn_rt_host_block; // kernel.h

// Calls `kernel` of the face's type for one block. *why may receive a static text of a failure.
typedef tn_rt_error (*tn_rt_block_run)(void (*kernel)(void), const void *closure,
                                       struct tn_rt_host_block *block, const char **why);

struct tn_rt_races; // races.h

struct tn_rt_launch {
    tn_rt_block_run run;
    void (*kernel)(void);
    const char *name; // for reports, or NULL
    struct tn_rt_dim grid;
    struct tn_rt_dim block;
    uint32_t max_threads; // of a block, by the kernel's launch bounds; 0: those of the device
    size_t shared_bytes;
    bool cooperative; // all blocks run at the same time
    size_t closure_bytes;
    const void *closure;       // of the caller; in a graph, of the node
    struct tn_rt_races *races; // when it runs: records its accesses; NULL: nothing does
    _Atomic(bool) *reported;   // when it runs: true after its first failure
    const void *function; // as the program names the kernel, or NULL: its parameters are not known
    uint32_t argument_count;
    void (*list)(const void *closure, void **arguments); // writes where the closure has them
    void **arguments;                                    // in a graph: likewise; else NULL
};

struct tn_rt_value {
    void *ptr;
    uint64_t value;
    uint64_t mask;
    uint32_t bytes; // 4 or 8
    bool writes;    // else waits
    unsigned flags; // of a wait: its condition; see value.h
};

// Waits and writes in their order. A node owns the list, and behind it a copy for the program in
// the layout of vendors.
struct tn_rt_values {
    uint32_t count;
    const struct tn_rt_value *of;
    struct tn_rt_value_op *given;
    void *context; // as the program passed it
};

// ---- work

// The numbers are those of the kinds of nodes in HIP; CUDA's differ for VALUE.
enum tn_rt_work {
    TN_RT_WORK_KERNEL = 0,
    TN_RT_WORK_COPY = 1,
    TN_RT_WORK_FILL = 2,
    TN_RT_WORK_HOST = 3,
    TN_RT_WORK_GRAPH = 4,
    TN_RT_WORK_EMPTY = 5,
    TN_RT_WORK_EVENT_WAIT = 6,
    TN_RT_WORK_EVENT_RECORD = 7,
    TN_RT_WORK_MEMORY_ALLOC = 10,
    TN_RT_WORK_MEMORY_FREE = 11,
    TN_RT_WORK_VALUE = 14 // waits for a value in memory, or writes one
};

// Copies and fills that move no byte: a policy lets a capture ignore them, or refuse them.
enum tn_rt_empty { TN_RT_HAS_BYTES, TN_RT_EMPTY_IGNORED, TN_RT_EMPTY_REFUSED };

struct tn_rt_op {
    enum tn_rt_work work;
    enum tn_rt_empty empty;
    // Submits the work to where->stream, or runs it at once. Graphs call it repeatedly. Nothing
    // that it submits may refer to the op: the graph may be destroyed before the work is complete.
    // NULL for a child graph, which becomes executable together with the graph of its node.
    tn_rt_error (*run)(const struct tn_rt_op *op, const struct tn_rt_where *where);
    // Called when a graph has copied the op: makes the copy own everything it points to. NULL if
    // the parameters are plain data. drop() undoes it.
    tn_rt_error (*keep)(struct tn_rt_op *op);
    void (*drop)(struct tn_rt_op *op);
    union { // by `work`
        struct tn_rt_copy copy;
        tarn_fill_desc fill;
        struct tn_rt_function function;
        struct tn_rt_launch launch;
        struct tn_rt_values values;
        struct tn_rt_event *event;
        struct tn_rt_graph_exec *exec;
        struct tn_rt_graph *child;         // a copy of a graph; see graph_child.c
        struct tn_rt_graph_memory *memory; // allocated or freed
    };
};

static inline bool tn_rt_op_is_memory(const struct tn_rt_op *op) {
    return op->work == TN_RT_WORK_MEMORY_ALLOC || op->work == TN_RT_WORK_MEMORY_FREE;
}

// Ends what a copy owns, if it owns anything.
static inline void tn_rt_op_drop(struct tn_rt_op *op) {
    if (op->drop != NULL) op->drop(op);
}
