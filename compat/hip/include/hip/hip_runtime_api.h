/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_runtime_api.h - the HIP host API, implemented by Tarn. It has one part for each noun.
 * docs/functions/hip.txt lists the functions that are supported completely, partly and not at all.
 */
#ifndef HIP_HIP_RUNTIME_API_H
#define HIP_HIP_RUNTIME_API_H

#include <hip/detail/array.h>
#include <hip/detail/array_copy.h>
#include <hip/detail/context.h>
#include <hip/detail/copy.h>
#include <hip/detail/copy_batch.h>
#include <hip/detail/copy_box.h>
#include <hip/detail/device.h>
#include <hip/detail/errors.h>
#include <hip/detail/event.h>
#include <hip/detail/fill.h>
#include <hip/detail/graph.h>
#include <hip/detail/graph_exec.h>
#include <hip/detail/graph_node.h>
#include <hip/detail/kernel.h>
#include <hip/detail/link.h>
#include <hip/detail/memory.h>
#include <hip/detail/mipmap.h>
#include <hip/detail/pool.h>
#include <hip/detail/profiler.h>
#include <hip/detail/sparse.h>
#include <hip/detail/stream.h>
#include <hip/detail/stream_attribute.h>
#include <hip/detail/stream_spt.h>
#include <hip/detail/stream_value.h>
#include <hip/detail/types.h>
#include <hip/detail/unsupported.h>
#include <hip/detail/user_object.h>
#include <hip/detail/variable.h>
#include <hip/detail/vmm.h>

#endif
