// SPDX-License-Identifier: Apache-2.0
// See node_attribute.h. tn_rt_plan_lock guards the attributes of all nodes.
#include "compat/runtime/kernel/node_attribute.h"

#include <string.h>

#include "compat/runtime/graph/graph.h"
#include "compat/runtime/kernel/kernel.h"
#include "compat/runtime/stream/policy.h"
#include "compat/runtime/stream/stream.h"

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
    TN_RT_REFUSE(priority < tn_rt_stream_policy.highest_priority ||
                     priority > tn_rt_stream_policy.lowest_priority,
                 TN_RT_INVALID_VALUE, "priority %d, %d to %d are defined", priority,
                 tn_rt_stream_policy.highest_priority, tn_rt_stream_policy.lowest_priority);
    return TN_RT_OK;
}

// Checks that the blocks can all run at the same time.
static tn_rt_error set_cooperative(struct tn_rt_launch *launch, bool cooperative) {
    struct tn_rt_launch changed = *launch;
    struct tn_rt_op unused;
    changed.cooperative = cooperative;
    TN_RT_TRY(tn_rt_kernel_op(&unused, &changed));
    launch->cooperative = cooperative;
    return TN_RT_OK;
}

static tn_rt_error set_attribute(struct tn_rt_plan_node *node, int attribute, const void *value) {
    struct tn_rt_window window;
    int number;
    memcpy(&number, value, sizeof number);
    switch (attribute) {
    case TN_RT_NODE_WINDOW:
        memcpy(&window, value, sizeof window);
        TN_RT_TRY(check_window(&window));
        node->attributes.window = window;
        return TN_RT_OK;
    case TN_RT_NODE_COOPERATIVE:
        TN_RT_TRY(set_cooperative(&node->op.launch, number != 0));
        node->attributes.cooperative = number;
        return TN_RT_OK;
    default:
        TN_RT_TRY(check_priority(number));
        node->attributes.priority = number;
        return TN_RT_OK;
    }
}

static void get_attribute(const struct tn_rt_plan_node *node, int attribute, void *value) {
    const int set = node->attributes.cooperative;
    int cooperative = !node->op.launch.cooperative ? 0 : set != 0 ? set : 1;
    if (attribute == TN_RT_NODE_WINDOW)
        memcpy(value, &node->attributes.window, sizeof node->attributes.window);
    else
        memcpy(value,
               attribute == TN_RT_NODE_COOPERATIVE ? &cooperative : &node->attributes.priority,
               sizeof cooperative);
}

static tn_rt_error check_attribute(int attribute, const void *value) {
    TN_RT_TRY(tn_rt_check_pointer(value, "value"));
    TN_RT_REFUSE(attribute != TN_RT_NODE_WINDOW && attribute != TN_RT_NODE_COOPERATIVE &&
                     attribute != TN_RT_NODE_PRIORITY,
                 TN_RT_INVALID_VALUE, "attribute %d of a node is not supported", attribute);
    return TN_RT_OK;
}

tn_rt_error tn_rt_node_set_attribute(void *handle, int attribute, const void *value) {
    TN_RT_TRY(check_attribute(attribute, value));
    TN_RT_GET(tn_rt_graph_node, name, tn_rt_graph_node_get(handle, &name));
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_FIND_NODE(node, tn_rt_graph_node_find_as(name, TN_RT_WORK_KERNEL, &node));
    return set_attribute(node, attribute, value);
}

tn_rt_error tn_rt_node_get_attribute(void *handle, int attribute, void *value) {
    TN_RT_TRY(check_attribute(attribute, value));
    TN_RT_GET(tn_rt_graph_node, name, tn_rt_graph_node_get(handle, &name));
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_FIND_NODE(node, tn_rt_graph_node_find_as(name, TN_RT_WORK_KERNEL, &node));
    get_attribute(node, attribute, value);
    return TN_RT_OK;
}

tn_rt_error tn_rt_node_copy_attributes(void *source, void *destination) {
    TN_RT_GET(tn_rt_graph_node, first, tn_rt_graph_node_get(source, &first));
    TN_RT_GET(tn_rt_graph_node, second, tn_rt_graph_node_get(destination, &second));
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_FIND_NODE(from, tn_rt_graph_node_find_as(first, TN_RT_WORK_KERNEL, &from));
    TN_RT_FIND_NODE(to, tn_rt_graph_node_find_as(second, TN_RT_WORK_KERNEL, &to));
    TN_RT_TRY(set_cooperative(&to->op.launch, from->op.launch.cooperative));
    to->attributes = from->attributes;
    return TN_RT_OK;
}
