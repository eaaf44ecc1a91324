// SPDX-License-Identifier: Apache-2.0
// Initialisation, devices, contexts, versions, texts of errors, limits and peers.
#include <pthread.h>

#include "begin.h"

#define TN_GROUP "device"

static int count_devices(void) {
    uint32_t count = 0;
    MUST(aclrtGetDeviceCount, &count);
    return (int)count;
}

FIRST_QUESTION(initialised_twice, "aclInit") {
    ASK(aclInit, NULL);
    ASK(aclInit, NULL);
    ASK0(aclFinalize);
    ASK0(aclFinalize);
}

FIRST_QUESTION(initialised_from_no_file, "aclInit") { ASK(aclInit, "/nonexistent/file.json"); }
FIRST_QUESTION(initialised_from_an_empty_file, "aclInit") { ASK(aclInit, "/dev/null"); }
FIRST_QUESTION(finalised_first, "aclFinalize") { ASK0(aclFinalize); }

FIRST_QUESTION(references, "aclFinalizeReference") {
    uint64_t count = 77;
    ASK(aclInit, NULL);
    ASK(aclFinalizeReference, &count);
    SAY("count", count);
    ASK(aclFinalizeReference, NULL);
}

FIRST_QUESTION(initialised_again, "aclInit after aclFinalize") {
    ASK(aclInit, NULL);
    ASK0(aclFinalize);
    ASK(aclInit, NULL);
}

FIRST_QUESTION(devices_before_init, "aclrtSetDevice") {
    uint32_t count = 77;
    ASK(aclrtGetDeviceCount, &count);
    ASK(aclrtSetDevice, 0);
}

FIRST_QUESTION(current_without_a_device, "aclrtGetDevice: 107002") {
    int32_t device = 77;
    aclrtContext context = &device;
    MUST(aclInit, NULL);
    ASK(aclrtGetDevice, &device);
    SAY("device", device);
    ASK(aclrtGetCurrentContext, &context);
    SAY("null", context == NULL);
}

QUESTION(ordinals_out_of_range, "aclrtSetDevice: 107001") {
    int count = count_devices();
    ASK(aclrtSetDevice, count);
    ASK(aclrtSetDevice, -1);
    ASK(aclrtResetDevice, count);
    ASK(aclrtResetDeviceForce, -1);
}

QUESTION(queries_to_null, "aclrtGetDevice") {
    ASK(aclrtGetDevice, NULL);
    ASK(aclrtGetDeviceCount, NULL);
    ASK(aclrtGetRunMode, NULL);
    ASK(aclrtGetCurrentContext, NULL);
}

QUESTION(run_mode, "aclrtGetRunMode") {
    aclrtRunMode mode = (aclrtRunMode)77;
    ASK(aclrtGetRunMode, &mode);
    SAY("mode", mode);
}

QUESTION(versions_to_null, "aclrtGetVersion") {
    int32_t part = 0;
    ASK(aclrtGetVersion, NULL, &part, &part);
    ASK(aclrtGetVersion, &part, NULL, &part);
    ASK(aclrtGetVersion, &part, &part, NULL);
}

FIRST_QUESTION(set_is_counted, "aclrtSetDevice, aclrtResetDevice") {
    int32_t device = -1;
    MUST(aclInit, NULL);
    ASK(aclrtSetDevice, 0);
    ASK(aclrtSetDevice, 0);
    ASK(aclrtResetDevice, 0);
    ASK(aclrtGetDevice, &device);
    SAY("device", device);
    ASK(aclrtResetDevice, 0);
    ASK(aclrtGetDevice, &device);
    ASK(aclrtResetDevice, 0);
}

FIRST_QUESTION(reset_by_force, "aclrtResetDeviceForce") {
    int32_t device = -1;
    MUST(aclInit, NULL);
    MUST(aclrtSetDevice, 0);
    MUST(aclrtSetDevice, 0);
    ASK(aclrtResetDeviceForce, 0);
    ASK(aclrtGetDevice, &device);
    ASK(aclrtResetDeviceForce, 0);
}

FIRST_QUESTION(reset_frees_memory, "aclrtResetDevice") {
    MUST(aclInit, NULL);
    MUST(aclrtSetDevice, 0);
    char *ptr = make_memory(MIB);
    ASK(aclrtResetDevice, 0);
    MUST(aclrtSetDevice, 0);
    ASK(aclrtFree, ptr);
}

FIRST_QUESTION(reset_ends_the_context, "aclrtResetDevice") {
    aclrtContext context = NULL;
    MUST(aclInit, NULL);
    MUST(aclrtSetDevice, 0);
    MUST(aclrtGetCurrentContext, &context);
    MUST(aclrtResetDevice, 0);
    ASK(aclrtSetCurrentContext, context);
}

FIRST_QUESTION(finalised_with_a_device, "aclFinalize") {
    MUST(aclInit, NULL);
    MUST(aclrtSetDevice, 0);
    char *ptr = make_memory(MIB);
    ASK0(aclFinalize);
    ASK(aclrtFree, ptr);
}

// ---- contexts

QUESTION(contexts, "aclrtCreateContext") {
    aclrtContext own = NULL, now = NULL;
    ASK(aclrtCreateContext, &own, 0);
    ASK(aclrtGetCurrentContext, &now);
    SAY("current", own == now);
    ASK(aclrtDestroyContext, own);
    ASK(aclrtDestroyContext, own);
    ASK(aclrtGetCurrentContext, &now);
}

QUESTION(bad_contexts, "aclrtCreateContext") {
    aclrtContext context = NULL;
    ASK(aclrtCreateContext, NULL, 0);
    ASK(aclrtCreateContext, &context, 99);
    ASK(aclrtCreateContext, &context, -1);
    SAY("null", context == NULL);
    ASK(aclrtDestroyContext, NULL);
    ASK(aclrtSetCurrentContext, NULL);
}

QUESTION(nonsense_as_a_context, "aclrtSetCurrentContext") {
    static long words[64];
    ASK(aclrtSetCurrentContext, (aclrtContext)words);
    ASK(aclrtDestroyContext, (aclrtContext)words);
}

QUESTION(the_default_context_is_destroyed, "aclrtDestroyContext") {
    aclrtContext context = NULL;
    MUST(aclrtGetCurrentContext, &context);
    ASK(aclrtDestroyContext, context);
}

QUESTION(memory_of_a_context, "aclrtDestroyContext") {
    aclrtContext own = NULL, usual = NULL;
    MUST(aclrtGetCurrentContext, &usual);
    MUST(aclrtCreateContext, &own, 0);
    char *ptr = make_memory(MIB);
    MUST(aclrtDestroyContext, own);
    MUST(aclrtSetCurrentContext, usual);
    ASK(aclrtFree, ptr);
}

QUESTION(streams_of_a_context, "aclrtDestroyContext") {
    aclrtContext own = NULL, usual = NULL;
    MUST(aclrtGetCurrentContext, &usual);
    MUST(aclrtCreateContext, &own, 0);
    aclrtStream stream = make_stream();
    MUST(aclrtDestroyContext, own);
    MUST(aclrtSetCurrentContext, usual);
    ASK(aclrtSynchronizeStream, stream);
}

QUESTION(a_stream_of_another_context, "ACL_ERROR_RT_STREAM_CONTEXT") {
    aclrtStream stream = make_stream();
    aclrtContext own = NULL, usual = NULL;
    MUST(aclrtGetCurrentContext, &usual);
    MUST(aclrtCreateContext, &own, 0);
    ASK(aclrtSynchronizeStream, stream);
    ASK(aclrtDestroyStream, stream);
    MUST(aclrtSetCurrentContext, usual);
    CALL(aclrtDestroyStream, stream);
    MUST(aclrtDestroyContext, own);
}

static void *current_there(void *result) {
    aclrtContext context = NULL;
    *(int *)result = (int)CALL(aclrtGetCurrentContext, &context);
    return NULL;
}

QUESTION(a_thread_begins_without_a_context, "aclrtGetCurrentContext") {
    pthread_t thread;
    int code = -1;
    (void)pthread_create(&thread, NULL, current_there, &code);
    (void)pthread_join(thread, NULL);
    SAY("code", code);
}

// ---- errors

QUESTION(texts_of_errors, "aclGetRecentErrMsg") {
    SAY("none", CALL0(aclGetRecentErrMsg) == NULL);
    ASK(aclrtSetDevice, 99);
    SAY("none", CALL0(aclGetRecentErrMsg) == NULL);
    SAY("none", CALL0(aclGetRecentErrMsg) == NULL);
}

QUESTION(the_last_error, "aclrtGetLastError") {
    ASK(aclrtGetLastError, ACL_RT_THREAD_LEVEL);
    ASK(aclrtSetDevice, 99);
    ASK(aclrtPeekAtLastError, ACL_RT_THREAD_LEVEL);
    ASK(aclrtGetLastError, ACL_RT_THREAD_LEVEL);
    ASK(aclrtGetLastError, ACL_RT_THREAD_LEVEL);
    ASK(aclrtGetLastError, (aclrtLastErrLevel)9);
}

QUESTION(the_last_error_after_success, "aclrtGetLastError") {
    uint32_t count = 0;
    ASK(aclrtSetDevice, 99);
    MUST(aclrtGetDeviceCount, &count);
    ASK(aclrtGetLastError, ACL_RT_THREAD_LEVEL);
}

// ---- peers and limits

QUESTION(peers_of_itself, "aclrtDeviceCanAccessPeer") {
    int32_t can = 77, status = 77;
    ASK(aclrtDeviceCanAccessPeer, &can, 0, 0);
    SAY("can", can);
    ASK(aclrtDeviceCanAccessPeer, &can, 0, 99);
    ASK(aclrtDeviceCanAccessPeer, NULL, 0, 0);
    ASK(aclrtDeviceEnablePeerAccess, 0, 0);
    ASK(aclrtDeviceEnablePeerAccess, 99, 0);
    ASK(aclrtDeviceEnablePeerAccess, 0, 1);
    ASK(aclrtDeviceDisablePeerAccess, 0);
    ASK(aclrtDevicePeerAccessStatus, 0, 0, &status);
    ASK(aclrtDevicePeerAccessStatus, 0, 99, &status);
    ASK(aclrtDevicePeerAccessStatus, 0, 0, NULL);
}

QUESTION(peers, "aclrtDeviceEnablePeerAccess") {
    int32_t can = 77, status = 77;
    if (count_devices() < 2) SKIP("needs two devices");
    ASK(aclrtDeviceCanAccessPeer, &can, 0, 1);
    SAY("can", can);
    ASK(aclrtDeviceEnablePeerAccess, 1, 0);
    ASK(aclrtDeviceEnablePeerAccess, 1, 0);
    ASK(aclrtDevicePeerAccessStatus, 0, 1, &status);
    SAY("status", status);
    ASK(aclrtDeviceDisablePeerAccess, 1);
    ASK(aclrtDeviceDisablePeerAccess, 1);
}

QUESTION(limits_of_cores, "aclrtGetDeviceResLimit") {
    uint32_t value = 77;
    ASK(aclrtGetDeviceResLimit, 0, ACL_RT_DEV_RES_CUBE_CORE, NULL);
    ASK(aclrtGetDeviceResLimit, 99, ACL_RT_DEV_RES_CUBE_CORE, &value);
    ASK(aclrtGetDeviceResLimit, 0, (aclrtDevResLimitType)9, &value);
    ASK(aclrtSetDeviceResLimit, 0, ACL_RT_DEV_RES_CUBE_CORE, 0);
    ASK(aclrtSetDeviceResLimit, 0, ACL_RT_DEV_RES_CUBE_CORE, 1);
    ASK(aclrtGetDeviceResLimit, 0, ACL_RT_DEV_RES_CUBE_CORE, &value);
    SAY("value", value);
    ASK(aclrtResetDeviceResLimit, 0);
    ASK(aclrtResetDeviceResLimit, 99);
}

QUESTION(limits_of_streams, "aclrtGetStreamResLimit") {
    aclrtStream stream = make_stream();
    uint32_t value = 77;
    ASK(aclrtSetStreamResLimit, stream, ACL_RT_DEV_RES_VECTOR_CORE, 1);
    ASK(aclrtGetStreamResLimit, stream, ACL_RT_DEV_RES_VECTOR_CORE, &value);
    SAY("value", value);
    ASK(aclrtGetStreamResLimit, stream, ACL_RT_DEV_RES_VECTOR_CORE, NULL);
    ASK(aclrtResetStreamResLimit, stream);
    ASK(aclrtUseStreamResInCurrentThread, stream);
    ASK(aclrtUnuseStreamResInCurrentThread, stream);
    ASK(aclrtGetResInCurrentThread, ACL_RT_DEV_RES_VECTOR_CORE, NULL);
    MUST(aclrtDestroyStream, stream);
}

QUESTION(numbers_of_devices, "aclrtGetPhyDevIdByLogicDevId") {
    int32_t id = 77;
    ASK(aclrtGetPhyDevIdByLogicDevId, 0, &id);
    ASK(aclrtGetLogicDevIdByUserDevId, 0, &id);
    ASK(aclrtGetUserDevIdByLogicDevId, id, &id);
    SAY("id", id);
    ASK(aclrtGetLogicDevIdByUserDevId, 99, &id);
    ASK(aclrtGetLogicDevIdByUserDevId, 0, NULL);
}

QUESTION(versions_of_packages, "aclsysGetCANNVersion") {
    aclCANNPackageVersion version;
    ASK(aclsysGetCANNVersion, ACL_PKG_NAME_CANN, NULL);
    ASK(aclsysGetCANNVersion, (aclCANNPackageName)99, &version);
}

// ---- calls of a thread without a context

#define WITHOUT_CONTEXT(name, function, ...)                                                       \
    FIRST_QUESTION(without_context_##name, #function ": 107002") {                                 \
        void *ptr = &ptr;                                                                          \
        (void)ptr;                                                                                 \
        MUST(aclInit, NULL);                                                                       \
        ASK(function, __VA_ARGS__);                                                                \
    }
WITHOUT_CONTEXT(malloc, aclrtMalloc, &ptr, 16, ACL_MEM_MALLOC_HUGE_FIRST)
WITHOUT_CONTEXT(malloc_32, aclrtMallocAlign32, &ptr, 16, ACL_MEM_MALLOC_HUGE_FIRST)
WITHOUT_CONTEXT(malloc_cached, aclrtMallocCached, &ptr, 16, ACL_MEM_MALLOC_HUGE_FIRST)
WITHOUT_CONTEXT(free, aclrtFree, &ptr)
WITHOUT_CONTEXT(malloc_host, aclrtMallocHost, &ptr, 16)
WITHOUT_CONTEXT(free_host, aclrtFreeHost, &ptr)
WITHOUT_CONTEXT(memory_info, aclrtGetMemInfo, ACL_HBM_MEM, (size_t *)&ptr, (size_t *)&ptr)
WITHOUT_CONTEXT(copy, aclrtMemcpy, &ptr, 8, &ptr, 8, ACL_MEMCPY_HOST_TO_HOST)
WITHOUT_CONTEXT(fill, aclrtMemset, &ptr, 8, 0, 8)
WITHOUT_CONTEXT(stream, aclrtCreateStream, &ptr)
WITHOUT_CONTEXT(destroy_stream, aclrtDestroyStream, &ptr)
WITHOUT_CONTEXT(synchronize_stream, aclrtSynchronizeStream, NULL)
WITHOUT_CONTEXT(event, aclrtCreateEvent, &ptr)
WITHOUT_CONTEXT(record, aclrtRecordEvent, &ptr, NULL)
WITHOUT_CONTEXT(host_function, aclrtLaunchHostFunc, NULL, wait_for_gate, &ptr)
WITHOUT_CONTEXT(notify, aclrtCreateNotify, &ptr, 0)
WITHOUT_CONTEXT(host_register, aclrtHostRegister, &ptr, 8, ACL_HOST_REGISTER_MAPPED, &ptr)
WITHOUT_CONTEXT(reserve, aclrtReserveMemAddress, &ptr, G, 0, NULL, 0)
WITHOUT_CONTEXT(attributes, aclrtPointerGetAttributes, &ptr, (aclrtPtrAttributes *)NULL)
WITHOUT_CONTEXT(enable_peer, aclrtDeviceEnablePeerAccess, 0, 0)

// The context is checked before, or after, other arguments.
WITHOUT_CONTEXT(and_malloc_of_zero, aclrtMalloc, &ptr, 0, ACL_MEM_MALLOC_HUGE_FIRST)
WITHOUT_CONTEXT(and_free_of_null, aclrtFree, NULL)
WITHOUT_CONTEXT(and_event_to_null, aclrtCreateEvent, NULL)
WITHOUT_CONTEXT(and_stream_to_null, aclrtCreateStream, NULL)
