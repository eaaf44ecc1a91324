// SPDX-License-Identifier: Apache-2.0
// fork(). Before it every lock of the face is taken, in the order of the list in fork.c; after it
// they are released in both processes, and the child forgets what it inherited: it belongs to the
// parent.
#ifndef TARN_COMPAT_HIP_FORK_H
#define TARN_COMPAT_HIP_FORK_H

enum tn_hip_fork { TN_HIP_FORK_PREPARE, TN_HIP_FORK_PARENT, TN_HIP_FORK_CHILD };

// Installs the handlers, once. After the devices are open: handlers installed later run earlier
// before a fork, and the face's locks come before Tarn's.
void tn_hip_fork_watch(void);

// One for each file that has a lock or state of the process.
void tn_hip_face_fork(enum tn_hip_fork step);
void tn_hip_handle_fork(enum tn_hip_fork step);
void tn_hip_device_code_fork(enum tn_hip_fork step);
void tn_hip_context_fork(enum tn_hip_fork step);
void tn_hip_capture_fork(enum tn_hip_fork step);
void tn_hip_graph_fork(enum tn_hip_fork step);
void tn_hip_stream_fork(enum tn_hip_fork step);
void tn_hip_event_fork(enum tn_hip_fork step);
void tn_hip_order_fork(enum tn_hip_fork step);
void tn_hip_block_fork(enum tn_hip_fork step);
void tn_hip_pool_fork(enum tn_hip_fork step);
void tn_hip_ipc_fork(enum tn_hip_fork step);

#endif
