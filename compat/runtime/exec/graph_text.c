// SPDX-License-Identifier: Apache-2.0
// See graph.h: the names of nodes in reports, and graphs as text for Graphviz. The names live as long
// as the process, because tools keep them; one lock-free table holds them.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/runtime/graph/graph.h"
#include "compat/runtime/stream/event.h"

#define BUCKETS 256

struct node_name {
    struct node_name *next; // of the same bucket
    char text[64];
};

static _Atomic(struct node_name *) names[BUCKETS];

static const char *text_of(enum tn_rt_work work) {
    static const char *const texts[] = {
        [TN_RT_WORK_KERNEL] = "kernel",
        [TN_RT_WORK_COPY] = "memcpy",
        [TN_RT_WORK_FILL] = "memset",
        [TN_RT_WORK_HOST] = "host function",
        [TN_RT_WORK_GRAPH] = "graph",
        [TN_RT_WORK_EMPTY] = "empty",
        [TN_RT_WORK_EVENT_WAIT] = "event wait",
        [TN_RT_WORK_EVENT_RECORD] = "event record",
        [TN_RT_WORK_MEMORY_ALLOC] = "memory allocation",
        [TN_RT_WORK_MEMORY_FREE] = "memory free",
        [TN_RT_WORK_VALUE] = "values",
    };
    return texts[work];
}

const char *tn_rt_graph_node_name(const char *path, uint32_t id, enum tn_rt_work work) {
    _Atomic(struct node_name *) *bucket = &names[(id * 16 + work) % BUCKETS];
    struct node_name *first = atomic_load(bucket);
    struct node_name own = {.next = first};
    (void)snprintf(own.text, sizeof own.text, "graph node %s%u (%s)", path != NULL ? path : "", id,
                   text_of(work));
    for (const struct node_name *name = first; name != NULL; name = name->next)
        if (strcmp(name->text, own.text) == 0) return name->text;
    struct node_name *fresh = (struct node_name *)malloc(sizeof *fresh);
    if (fresh == NULL) return "a node of a graph";
    *fresh = own;
    while (!atomic_compare_exchange_weak(bucket, &fresh->next, fresh)) {
    } // another thread may have added the same name, which is as good
    return fresh->text;
}

// ---- Graphviz

struct dot {
    FILE *file;
    unsigned flags;
    unsigned graphs; // so far; the number of a graph is a part of the names of its nodes
};

#define OUT(dot, ...) ((void)fprintf((dot)->file, __VA_ARGS__))

static bool shows(const struct dot *dot, unsigned flag) {
    return (dot->flags & (flag | TN_RT_DOT_ALL)) != 0;
}

static void print_copy(const struct dot *dot, const struct tn_rt_copy *copy) {
    OUT(dot, "\\nkind %d", copy->kind);
    if (copy->form == TN_RT_COPY_BOX)
        OUT(dot, "\\n0x%llx from 0x%llx\\n%llu x %llu x %llu bytes",
            (unsigned long long)copy->box.dst, (unsigned long long)copy->box.src,
            (unsigned long long)copy->box.width,
            (unsigned long long)(copy->box.height > 1 ? copy->box.height : 1),
            (unsigned long long)(copy->box.depth > 1 ? copy->box.depth : 1));
}

static void print_parameters(const struct dot *dot, const struct tn_rt_op *op) {
    const struct tn_rt_launch *launch = &op->launch;
    void *handle = NULL;
    switch (op->work) {
    case TN_RT_WORK_KERNEL:
        if (shows(dot, TN_RT_DOT_KERNEL))
            OUT(dot, "\\ngrid %u x %u x %u, block %u x %u x %u, shared %zu", launch->grid.x,
                launch->grid.y, launch->grid.z, launch->block.x, launch->block.y, launch->block.z,
                launch->shared_bytes);
        break;
    case TN_RT_WORK_COPY:
        if (shows(dot, TN_RT_DOT_COPY)) print_copy(dot, &op->copy);
        break;
    case TN_RT_WORK_FILL:
        if (shows(dot, TN_RT_DOT_FILL))
            OUT(dot, "\\n0x%llx, value 0x%x\\n%llu x %llu elements of %u bytes",
                (unsigned long long)op->fill.dst, op->fill.value,
                (unsigned long long)op->fill.width,
                (unsigned long long)(op->fill.height > 1 ? op->fill.height : 1),
                op->fill.element_bytes);
        break;
    case TN_RT_WORK_HOST:
        if (shows(dot, TN_RT_DOT_HOST))
            OUT(dot, "\\nfunction %p(%p)", (void *)(uintptr_t)op->function.fn, op->function.arg);
        break;
    case TN_RT_WORK_EVENT_WAIT:
    case TN_RT_WORK_EVENT_RECORD:
        (void)tn_rt_write_event(op, &handle);
        if (shows(dot, TN_RT_DOT_EVENT)) OUT(dot, "\\nevent %p", handle);
        break;
    default: break;
    }
}

static void print_plan(struct dot *dot, const struct tn_rt_plan *plan) {
    unsigned number = dot->graphs++;
    OUT(dot, "subgraph cluster_%u {\nlabel=\"graph %u\";\n", number, number);
    const struct tn_rt_plan_node *node = tn_rt_plan_next(plan, 0);
    for (; node != NULL; node = tn_rt_plan_next(plan, node->id + 1)) {
        OUT(dot, "\"%u.%u\" [label=\"%u %s", number, node->id, node->id, text_of(node->op.work));
        print_parameters(dot, &node->op);
        if (node->op.work == TN_RT_WORK_GRAPH && node->op.run == NULL)
            OUT(dot, "\\ngraph %u", dot->graphs);
        OUT(dot, "\"];\n");
        for (uint32_t i = 0; i < node->after.count; i++)
            OUT(dot, "\"%u.%u\" -> \"%u.%u\";\n", number, node->id, number, node->after.of[i]);
        if (node->op.work == TN_RT_WORK_GRAPH && node->op.run == NULL)
            print_plan(dot, node->op.child->plan);
    }
    OUT(dot, "}\n");
}

static tn_rt_error write_file(const char *path, unsigned flags, const struct tn_rt_plan *plan) {
    struct dot dot = {fopen(path, "we"), flags, 0};
    TN_RT_REFUSE(dot.file == NULL, errno == ENOMEM ? TN_RT_OUT_OF_MEMORY : TN_RT_OPERATING_SYSTEM,
                 "%.200s cannot be written", path);
    (void)fprintf(dot.file, "digraph graphs {\n");
    print_plan(&dot, plan);
    (void)fprintf(dot.file, "}\n");
    bool failed = ferror(dot.file) != 0;
    failed = fclose(dot.file) != 0 || failed;
    return failed ? tn_rt_fail(TN_RT_OPERATING_SYSTEM, "%.200s cannot be written", path) : TN_RT_OK;
}

tn_rt_error tn_rt_graph_print(void *handle, const char *path, unsigned flags) {
    struct tn_rt_graph TN_FACE_HELD *graph = NULL;
    struct tn_rt_plan *plan = NULL;
    if (handle == NULL || path == NULL)
        return tn_rt_not_last_error(tn_rt_null_pointer(handle == NULL ? "graph" : "path"));
    TN_RT_TRY(tn_rt_graph_get(handle, false, &graph));
    TN_RT_TRY(tn_rt_graph_copy_plan(graph, true, &plan));
    tn_rt_error error = write_file(path, flags, plan);
    tn_rt_plan_free(plan);
    return error;
}
