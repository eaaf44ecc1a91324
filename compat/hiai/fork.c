// SPDX-License-Identifier: Apache-2.0
// What fork() asks of the face's files.
#include "compat/hiai/face.h"

// In the order in which their locks may be taken.
static const tn_face_fork_step parts[] = {
    tn_hiai_face_fork,     tn_hiai_graph_fork,  tn_hiai_spawn_fork,
    tn_hiai_registry_fork, tn_hiai_object_fork,
};

void tn_hiai_fork_watch(void) {
    tn_face_fork_watch(parts, sizeof parts / sizeof parts[0]);
}
