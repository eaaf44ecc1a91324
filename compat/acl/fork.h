// SPDX-License-Identifier: Apache-2.0
// What the face's files do about fork(): one line for each that has a lock or state of the process.
#ifndef TARN_COMPAT_ACL_FORK_H
#define TARN_COMPAT_ACL_FORK_H

#include "compat/face/fork.h"

void tn_acl_fork_watch(void);

void tn_acl_face_fork(enum tn_face_fork step);
void tn_acl_context_fork(enum tn_face_fork step);
void tn_acl_stream_fork(enum tn_face_fork step);
void tn_acl_clock_fork(enum tn_face_fork step);
void tn_acl_capture_fork(enum tn_face_fork step);
void tn_acl_init_fork(enum tn_face_fork step);
void tn_acl_peer_fork(enum tn_face_fork step);
void tn_acl_block_fork(enum tn_face_fork step);
void tn_acl_usage_fork(enum tn_face_fork step);
void tn_acl_space_fork(enum tn_face_fork step);
void tn_acl_range_fork(enum tn_face_fork step);
void tn_acl_pinned_fork(enum tn_face_fork step);
void tn_acl_share_fork(enum tn_face_fork step);
void tn_acl_ipc_fork(enum tn_face_fork step);
void tn_acl_pool_fork(enum tn_face_fork step);

#endif
