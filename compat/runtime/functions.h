// SPDX-License-Identifier: Apache-2.0
// The work of the functions that HIP and CUDA have under the same names, which functions.c of each face
// lists. The file first defines API(name), which puts the prefix of the runtime API before a type.
#pragma once

#include "compat/runtime/code/launch_rows.h"
#include "compat/runtime/code/variable_rows.h"
#include "compat/runtime/context/context.h"
#include "compat/runtime/copy/array_rows.h"
#include "compat/runtime/copy/copy_rows.h"
#include "compat/runtime/device/identity.h"
#include "compat/runtime/device/peer.h"
#include "compat/runtime/device/preference.h"
#include "compat/runtime/graph/graph.h"
#include "compat/runtime/graph/user_object.h"
#include "compat/runtime/kernel/node_attribute.h"
#include "compat/runtime/memory/graph_memory.h"
#include "compat/runtime/memory/managed.h"
#include "compat/runtime/memory/memory.h"
#include "compat/runtime/memory/pool.h"
#include "compat/runtime/node_rows.h"
#include "compat/runtime/stream/capture.h"
#include "compat/runtime/stream/event.h"
#include "compat/runtime/stream/stream.h"

// ---- work with types of the vendor

#ifdef API

static tn_rt_error fill_box(API(PitchedPtr) to, int value, API(Extent) extent, void *stream,
                            enum tn_rt_copy_call call) {
    const struct tn_rt_fill_box box = {to.ptr,       to.pitch,      to.ysize,
                                       extent.width, extent.height, extent.depth};
    return tn_rt_fill_3d(&box, value, stream, call);
}

static tn_rt_error alloc_box(API(PitchedPtr) * out, API(Extent) extent) {
    void *ptr = NULL;
    size_t pitch = 0;
    TN_RT_TRY(tn_rt_check_pointer(out, "pitchedDevPtr"));
    TN_RT_TRY(tn_rt_memory_alloc_box(&ptr, &pitch, extent.width, extent.height, extent.depth));
    *out = (API(PitchedPtr)){ptr, pitch, extent.width, extent.height};
    return TN_RT_OK;
}

static tn_rt_error get_attributes(API(FuncAttributes) * attributes, const void *function) {
    TN_RT_TRY(tn_rt_check_pointer(attributes, "attr"));
    TN_RT_TRY(tn_rt_kernel_check(function));
    *attributes =
        (API(FuncAttributes)){.maxThreadsPerBlock = (int)tn_rt_host_kernel_threads(function),
                              .maxDynamicSharedSizeBytes = TN_RT_SHARED_BYTES};
    return TN_RT_OK;
}

#endif
