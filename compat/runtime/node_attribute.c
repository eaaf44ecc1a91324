// SPDX-License-Identifier: Apache-2.0
// See node_attribute.h. tn_rt_plan_lock guards the attributes of all nodes.
#include "compat/runtime/node_attribute.h"

#include <string.h>

#include "compat/runtime/graph.h"
#include "compat/runtime/stream.h"

enum { MISS_PERSISTS = 2 };

static tn_rt_error check_window(const struct tn_rt_window *window) {
    TN_RT_REFUSE(!(window->hit_ratio >= 0 && window->hit_ratio <= 1), TN_RT_INVALID_VALUE,
                 "hit ratio %g, 0 to 1 are defined", (double)window->hit_ratio);
    TN_RT_REFUSE(window->miss == MISS_PERSISTS, TN_RT_INVALID_VALUE, "misses cannot persist");
    TN_RT_REFUSE(window->bytes > 0, TN_RT_INVALID_VALUE,
                 "a window of %zu bytes, and the device allows 0", window->bytes);
    return TN_RT_OK;
}

static tn_rt_error check_priority(int priority) {
    TN_RT_REFUSE(priority < TN_RT_PRIORITY_HIGHEST || priority > TN_RT_PRIORITY_LOWEST,
                 TN_RT_INVALID_VALUE, "priority %d, %d to %d are defined", priority,
                 TN_RT_PRIORITY_HIGHEST, TN_RT_PRIORITY_LOWEST);
    return TN_RT_OK;
}

// Finds the bytes of an attribute, and checks a value unless it is NULL.
static tn_rt_error find_attribute(struct tn_rt_node_attributes *all, int attribute,
                                  const void *value, void **own, size_t *size) {
    struct tn_rt_node_attributes given;
    switch (attribute) {
    case TN_RT_NODE_WINDOW:
        *own = &all->window;
        *size = sizeof all->window;
        if (value == NULL) return TN_RT_OK;
        memcpy(&given.window, value, sizeof given.window);
        return check_window(&given.window);
    case TN_RT_NODE_COOPERATIVE:
        *own = &all->cooperative;
        *size = sizeof all->cooperative;
        return TN_RT_OK;
    case TN_RT_NODE_PRIORITY:
        *own = &all->priority;
        *size = sizeof all->priority;
        if (value == NULL) return TN_RT_OK;
        memcpy(&given.priority, value, sizeof given.priority);
        return check_priority(given.priority);
    default:
        return tn_rt_fail(TN_RT_INVALID_VALUE, "attribute %d of a node is not supported",
                          attribute);
    }
}

// Called under tn_rt_plan_lock.
static tn_rt_error find_kernel(const struct tn_rt_graph_node *name, struct tn_rt_plan_node **node) {
    TN_RT_TRY(tn_rt_graph_node_find(name, node));
    TN_RT_REFUSE((*node)->op.work != TN_RT_WORK_KERNEL, TN_RT_INVALID_VALUE,
                 "node %u is of kind %d, not a kernel", name->id, (int)(*node)->op.work);
    return TN_RT_OK;
}

// Copies one attribute between the node and the program.
static tn_rt_error move_attribute(void *handle, int attribute, const void *in, void *out) {
    struct tn_rt_graph_node TN_FACE_HELD *name = NULL;
    struct tn_rt_plan_node *node = NULL;
    void *own = NULL;
    size_t size = 0;
    TN_RT_TRY(tn_rt_check_pointer(in != NULL ? in : out, "value"));
    TN_RT_TRY(tn_rt_graph_node_get(handle, &name));
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_TRY(tn_rt_graph_node_find(name, &node));
    TN_RT_TRY(find_attribute(&node->attributes, attribute, in, &own, &size));
    TN_RT_TRY(find_kernel(name, &node));
    if (in != NULL)
        memcpy(own, in, size);
    else
        memcpy(out, own, size);
    return TN_RT_OK;
}

tn_rt_error tn_rt_node_set_attribute(void *node, int attribute, const void *value) {
    return move_attribute(node, attribute, value, NULL);
}

tn_rt_error tn_rt_node_get_attribute(void *node, int attribute, void *value) {
    return move_attribute(node, attribute, NULL, value);
}

tn_rt_error tn_rt_node_copy_attributes(void *source, void *destination) {
    struct tn_rt_graph_node TN_FACE_HELD *first = NULL;
    struct tn_rt_graph_node TN_FACE_HELD *second = NULL;
    struct tn_rt_plan_node *from = NULL;
    struct tn_rt_plan_node *to = NULL;
    TN_RT_TRY(tn_rt_graph_node_get(source, &first));
    TN_RT_TRY(tn_rt_graph_node_get(destination, &second));
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_TRY(find_kernel(first, &from));
    TN_RT_TRY(find_kernel(second, &to));
    to->attributes = from->attributes;
    return TN_RT_OK;
}
