// SPDX-License-Identifier: Apache-2.0
// What the face's files do about fork(): one line for each that has a lock or state of the process.
#ifndef TARN_COMPAT_HIP_FORK_H
#define TARN_COMPAT_HIP_FORK_H

#include "compat/face/fork.h"

// Installs the handlers, once. After the devices are open.
void tn_hip_fork_watch(void);

void tn_hip_face_fork(enum tn_face_fork step);
void tn_hip_device_code_fork(enum tn_face_fork step);
void tn_hip_context_fork(enum tn_face_fork step);
void tn_hip_capture_fork(enum tn_face_fork step);
void tn_hip_graph_fork(enum tn_face_fork step);
void tn_hip_stream_fork(enum tn_face_fork step);
void tn_hip_event_fork(enum tn_face_fork step);
void tn_hip_order_fork(enum tn_face_fork step);
void tn_hip_block_fork(enum tn_face_fork step);
void tn_hip_pool_fork(enum tn_face_fork step);
void tn_hip_ipc_fork(enum tn_face_fork step);

#endif
