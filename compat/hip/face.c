// SPDX-License-Identifier: Apache-2.0
// See face.h. The environment is read once, when the runtime asks for the policy.
#include "compat/hip/face.h"

#include <hip/detail/kernel.h>
#include <hip/detail/vmm.h>

#include "compat/face/log.h"
#include "compat/face/variable.h"
#include "compat/hip/soname.h"
#include "compat/runtime/base/policy.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/policy.h"

// ---- the releases of HIP

#define HOST_KINDS (TN_RT_BLOCK_HOST | TN_RT_BLOCK_REGISTERED)

static const struct tn_rt_policy release_6 = {
    .base =
        {
            .version = HIP_VERSION,
            .keeps_every_result = true,
        },
    .device =
        {
            .limit_end = 3,
        },
    .graph =
        {
            .stale_graph_is_state = true,
        },
    .memory =
        {
            .range_error = TN_RT_OUT_OF_MEMORY,
            .phys_device_error = TN_RT_INVALID_VALUE,
            .phys_unit = 4096,
            .unmap_promises_no_wait = true,
            .host_pointer_kinds = HOST_KINDS | TN_RT_BLOCK_MANAGED | TN_RT_BLOCK_DEVICE,
            .host_flags_kinds = TN_RT_BLOCK_HOST,
            .host_flags_ignored = true,
            .pointer_query_checks_null = true,
            .pool_keeps_rights_of_peers = true,
            .pool_repeats_descriptor = true,
            .pool_imports_to_first = true,
        },
};

static const struct tn_rt_policy release_7 = {
    .base =
        {
            .version = 70226015, // 7.2
        },
    .device =
        {
            .context_version = 4,
            .limit_end = 0x1003, // behind those of scratch memory
        },
    .stream =
        {
            .capture_forbids_settings = true,
            .capture_forbids_event_query = true,
            .capture_forbids_pools = true,
            .capture_forbids_launch = true,
            .capture_drops_empty = true,
        },
    .memory =
        {
            .range_error = TN_RT_INVALID_VALUE,
            .phys_device_error = TN_RT_INVALID_DEVICE,
            .phys_unit = 1,
            .host_pointer_kinds = HOST_KINDS | TN_RT_BLOCK_MANAGED,
            .host_flags_kinds = HOST_KINDS,
            .managed_has_flags = true,
            .advice_checks_range_first = true,
            .async_free_accepts_null = true,
            .pool_checks_own_rights = true,
            .pool_checks_count = true,
        },
};

// HIP's pools hold what was requested. Pages of this size come close to it, and a pool of small
// blocks still grows in few calls of the device. Devices with larger granules use those.
#define POOL_PAGE (UINT64_C(512) << 10)

TN_FACE_LOG("TARN_HIP_LOG");

// ---- the environment

static int chosen_level(void) {
    return 6 + (int)tn_variable_value("TARN_HIP_COMPAT", (uint64_t)tn_hip_soname - 6);
}

static void fill_policy(struct tn_rt_policy *policy) {
    *policy = chosen_level() == 6 ? release_6 : release_7;
    policy->stream.legacy_per_thread = true;
    policy->base.dead_handle = TN_RT_CONTEXT_DESTROYED;
    policy->stream.lowest_priority = 1;
    policy->stream.highest_priority = -1;
    policy->code.code_makers = "`tarn hipcc --genco` and hiprtc make";
    policy->code.no_code_error = TN_RT_NO_BINARY;
    policy->code.device_code_error = TN_RT_INVALID_DEVICE_FUNCTION;
    policy->kernel.configuration_error = TN_RT_INVALID_CONFIGURATION;
    policy->kernel.bounds_error = TN_RT_LAUNCH_FAILURE;
    policy->code.libraries_load_late = true;
    policy->code.launch_list_end = (uintptr_t)HIP_LAUNCH_PARAM_END;
    policy->copy.host_types = 1U << hipMemoryTypeUnregistered | 1U << hipMemoryTypeHost;
    policy->copy.device_types =
        1U << hipMemoryTypeDevice | 1U << hipMemoryTypeManaged | 1U << hipMemoryTypeUnified;
    policy->copy.array_type = hipMemoryTypeArray;
    policy->kernel.strict_barriers = tn_variable_value("TARN_HIP_BARRIERS", 0) != 0;
    policy->kernel.kernel_races = tn_variable_value("TARN_HIP_KERNEL_RACES", 0) != 0;
    policy->memory.pool_without_gaps = tn_variable_value("TARN_HIP_GAPS", 1) == 0;
    policy->copy.sparse = tn_variable_value("TARN_HIP_SPARSE", 0) != 0;
    policy->copy.sparse_variable = "TARN_HIP_SPARSE=1";
    policy->memory.uncached_type = hipMemAllocationTypeUncached;
    policy->copy.array_entry_bytes = sizeof((hipArrayMapInfo *)0)->resource;
    policy->copy.copy_kind = hipMemcpyDeviceToDeviceNoCU;
    policy->memory.memory_name = "memory of HIP";
    policy->memory.free_name = "a free by HIP";
    policy->device.device_variable = "TARN_HIP_DEVICE";
    policy->device.visible_variables[0] = "HIP_VISIBLE_DEVICES";
    policy->device.visible_variables[1] = "CUDA_VISIBLE_DEVICES";
    policy->memory.pitch_bytes = 256;
    policy->device.own_peer_error = TN_RT_INVALID_DEVICE;
    policy->memory.import_error = TN_RT_INVALID_VALUE;
    policy->memory.pool_import_error = TN_RT_OUT_OF_MEMORY;
    policy->memory.pool_device_error = TN_RT_INVALID_DEVICE;
    policy->memory.pool_flags = TARN_POOL_USER_WORDS | TARN_POOL_SELECT_REUSE;
    policy->memory.pool_page_bytes = POOL_PAGE;
    policy->memory.pool_trims_last = true;
    policy->copy.only_plain_rows_are_taken = true;
    (void)tn_face_variables_check(TN_FACE_NAME, policy->device.wrong, sizeof policy->device.wrong);
    tn_hip_set_codes(policy);
}

int tn_hip_version(void) {
    tn_rt_set_policy(fill_policy);
    return tn_rt_base_policy.version;
}

bool tn_hip_open(void) {
    tn_rt_set_policy(fill_policy);
    return tn_rt_open();
}
