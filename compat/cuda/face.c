// SPDX-License-Identifier: Apache-2.0
// See face.h. The environment is read once, when the runtime asks for the policy.
#include "compat/cuda/face.h"

#include <stdatomic.h>

#include "compat/cuda/error.h"
#include "compat/face/fork.h"
#include "compat/face/log.h"
#include "compat/face/variable.h"
#include "compat/runtime/base/policy.h"
#include "compat/runtime/context/context.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/policy.h"

#define HOST_KINDS (TN_RT_BLOCK_HOST | TN_RT_BLOCK_REGISTERED)

static const struct tn_rt_policy policy_of_13 = {
    .base =
        {
            .version = 13000,
            .dead_handle = TN_RT_INVALID_HANDLE,
            .failures_give_null = true,
        },
    .device =
        {
            .explicit_contexts = true,
            .functions_make_no_calls = true,
            .device_keeps_failures = true,
            .own_peer_error = TN_RT_PEER_NOT_ENABLED,
            .primary_flags = CU_CTX_MAP_HOST,
            .context_version = 3020,
            .device_flags = CU_CTX_FLAGS_MASK,
            .limits_printf = true,
            .limit_end = 10,
            .fabric = true,
            .device_variable = "TARN_CUDA_DEVICE",
            .granularity = "2M",
            .visible_variables = {"CUDA_VISIBLE_DEVICES"},
        },
    .graph =
        {
            .memory_nodes_are_fixed = true,
            .children_have_no_memory = true,
        },
    .stream =
        {
            .capture_forbids_settings = true,
            .capture_forbids_event_query = true,
            .capture_forbids_pools = true,
            .capture_lost_by_attempt = true,
            .capture_forbids_launch = true,
            .capture_takes_no_graph = true,
            .capture_allows_apart = true,
            .capture_ends_events = true,
            .capture_drops_empty = true,
            .external_needs_capture = true,
            .events_have_contexts = true,
            .highest_priority = -5,
        },
    .kernel =
        {
            .configuration_error = TN_RT_INVALID_VALUE,
            .bounds_error = TN_RT_INVALID_VALUE,
            .block_z = 64,
        },
    .memory =
        {
            .range_error = TN_RT_INVALID_VALUE,
            .phys_device_error = TN_RT_INVALID_DEVICE,
            .capture_frees_its_memory = true,
            .phys_unit = 1,
            .maps_whole = true,
            .imports_stay = true,
            .import_error = TN_RT_UNKNOWN,
            .pitch_bytes = 512,
            .granularity_anywhere = true,
            .unmaps_gaps = true,
            .unmaps_at_once = true,
            .host_has_no_rights = true,
            .imported_pools_are_passive = true,
            .pointer_words = true,
            .host_pointer_kinds = HOST_KINDS,
            .host_flags_kinds = HOST_KINDS,
            .managed_has_flags = true,
            .advice_checks_range_first = true,
            .attach_needs_managed = true,
            .async_free_accepts_null = true,
            .async_free_of_managed_fails = true,
            .pool_checks_own_rights = true,
            .pool_knows_host = true,
            .pool_exports_first = true,
            .pool_import_error = TN_RT_UNKNOWN,
            .pool_device_error = TN_RT_INVALID_VALUE,
            .pool_flags = TARN_POOL_USER_WORDS | TARN_POOL_SELECT_REUSE,
            .pool_rule = {512, 512, 0},
            .memory_name = "memory of CUDA",
            .free_name = "a free by CUDA",
        },
    .copy =
        {
            .host_types = 1U << CU_MEMORYTYPE_HOST,
            .device_types = 1U << CU_MEMORYTYPE_DEVICE | 1U << CU_MEMORYTYPE_UNIFIED,
            .array_type = CU_MEMORYTYPE_ARRAY,
            .driver_copy_room = sizeof(void *), // reserved
            .channels_named = true,
            .array_entry_bytes = sizeof((CUarrayMapInfo *)0)->resource,
            .sparse = true,
            .aligned_values = true,
            .copies_need_attributes = true,
            .copies_check_sides = true,
            .single_rows_have_no_pitch = true,
        },
    .exec =
        {
            .memory_graphs_come_back = true,
            .changes_keep_memory = true,
        },
    .code =
        {
            .code_makers = "`tarn nvcc` makes",
            .device_code_error = TN_RT_NO_BINARY,
            .launch_checks_extents_first = true,
            .launch_buffer_is_exact = true,
            .stranger_is_no_handle = true,
            .no_code_error = TN_RT_INVALID_IMAGE,
        },
};

TN_FACE_LOG("TARN_CUDA_LOG");

static void fill_policy(struct tn_rt_policy *policy) {
    *policy = policy_of_13;
    if (tn_variable_value("TARN_CUDA_COMPAT", 1) == 0) policy->base.version = 12090;
    policy->memory.host_has_no_rights = tn_variable_value("TARN_CUDA_COHERENT", 0) == 0;
    policy->kernel.strict_barriers = tn_variable_value("TARN_CUDA_BARRIERS", 0) != 0;
    policy->kernel.kernel_races = tn_variable_value("TARN_CUDA_KERNEL_RACES", 0) != 0;
    (void)tn_face_variables_check(TN_FACE_NAME, policy->device.wrong, sizeof policy->device.wrong);
    tn_cu_set_codes(policy);
}

void tn_cu_set_policy(void) { tn_rt_set_policy(fill_policy); }

int tn_cu_version(void) {
    tn_cu_set_policy();
    return tn_rt_base_policy.version;
}

// ---- initialisation

// A child of fork() cannot use CUDA if its parent did.
enum { UNINITIALIZED, INITIALIZED, FORKED };
static _Atomic(int) state;
_Atomic(int) tn_cu_device_count;

static void forget_state(void) {
    if (state == INITIALIZED) state = FORKED;
}

TN_FACE_ON_FORK(0, NULL, forget_state);

static _Thread_local tn_rt_error refusal;

tn_rt_error tn_cu_refusal(void) { return refusal; }

tn_rt_error tn_cu_initialize(void) {
    int now = atomic_load_explicit(&state, memory_order_acquire);
    if (now == INITIALIZED) return TN_RT_OK;
    TN_RT_REFUSE(now == FORKED, TN_RT_NOT_INITIALIZED,
                 "CUDA was initialised before fork(): start the process anew, as by exec()");
    tn_cu_set_policy();
    if (!tn_rt_open()) return tn_rt_refusal();
    tn_cu_device_count = tn_rt_devices.count;
    atomic_store_explicit(&state, INITIALIZED, memory_order_release);
    return TN_RT_OK;
}

static bool is_initialized(void) {
    return __builtin_expect(atomic_load_explicit(&state, memory_order_acquire) == INITIALIZED, 1);
}

static bool check_initialized(void) {
    if (is_initialized()) return true;
    tn_cu_set_policy(); // has the names of errors
    refusal = tn_rt_fail(TN_RT_NOT_INITIALIZED, "cuInit() was not called in this process");
    return false;
}

// A function in stream order may call nothing. It has no context either, so that calls which need
// one are checked only if they fail.
static bool may_call(tn_rt_error error) {
    tn_rt_error inside = tn_rt_function_check();
    refusal = inside != TN_RT_OK ? inside : error;
    return refusal == TN_RT_OK;
}

bool tn_cu_bare_ready(void) { return check_initialized() && may_call(TN_RT_OK); }

bool tn_cu_ready(void) {
    if (!check_initialized()) return false;
    tn_rt_error error = tn_rt_context_check();
    return error == TN_RT_OK || may_call(error);
}

// A context that is current lives.
bool tn_cu_free_ready(void) {
    if (!check_initialized()) return false;
    tn_rt_error error = tn_rt_context_check();
    return error == TN_RT_OK || may_call(error == TN_RT_INVALID_CONTEXT ? TN_RT_OK : error);
}

static bool initialize_runtime(void) {
    refusal = is_initialized() ? TN_RT_OK : tn_cu_initialize();
    return refusal == TN_RT_OK;
}

bool tn_cudart_bare_ready(void) { return initialize_runtime() && may_call(TN_RT_OK); }

bool tn_cudart_ready(void) {
    return initialize_runtime() && (refusal = tn_rt_context_adopt()) == TN_RT_OK;
}
