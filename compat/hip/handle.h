// SPDX-License-Identifier: Apache-2.0
// The kinds of objects that have handles. Programs hold handles of all kinds except records; see
// block.h.
#ifndef TARN_COMPAT_HIP_HANDLE_H
#define TARN_COMPAT_HIP_HANDLE_H

#include "compat/face/handle.h"

enum tn_hip_kind {
    TN_HIP_STREAM = 1,
    TN_HIP_EVENT,
    TN_HIP_GRAPH,
    TN_HIP_GRAPH_EXEC,
    TN_HIP_GRAPH_NODE,
    TN_HIP_POOL,
    TN_HIP_CONTEXT,
    TN_HIP_ARRAY,
    TN_HIP_MIPMAP,
    TN_HIP_PROGRAM,
    TN_HIP_LINK,
    TN_HIP_LIBRARY,
    TN_HIP_USER_OBJECT,
    TN_HIP_RECORD,
    TN_HIP_KINDS
};

_Static_assert(TN_HIP_KINDS <= TN_FACE_KINDS, "handles have room for all kinds");

#endif
