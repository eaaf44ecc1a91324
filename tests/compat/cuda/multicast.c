// SPDX-License-Identifier: Apache-2.0
// Multicast objects: copies and fills to one address reach the memory of two devices.
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/cuda.h"

enum { TEAM = 2 };

static const CUmulticastObjectProp two = {.numDevices = TEAM, .size = 2 * G};

// An object of two granules, with memory of each device bound to it.
struct team {
    CUmemGenericAllocationHandle object;
    CUdeviceptr address; // of the object
    CUmemGenericAllocationHandle memory[TEAM];
    CUdeviceptr own[TEAM]; // addresses of the memory
};

static CUdeviceptr map(CUmemGenericAllocationHandle handle) {
    CUmemAccessDesc all[TEAM];
    CUdeviceptr at = 0;
    for (int i = 0; i < TEAM; i++)
        all[i] =
            (CUmemAccessDesc){{CU_MEM_LOCATION_TYPE_DEVICE, i}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    assert_cu_ok(cuMemAddressReserve(&at, 2 * G, 0, 0, 0));
    assert_cu_ok(cuMemMap(at, 2 * G, 0, handle, 0));
    assert_cu_ok(cuMemSetAccess(at, 2 * G, all, TEAM));
    return at;
}

static void unmap(CUdeviceptr at) {
    assert_cu_ok(cuCtxSynchronize()); // the call does not wait
    assert_cu_ok(cuMemUnmap(at, 2 * G));
    assert_cu_ok(cuMemAddressFree(at, 2 * G));
}

static CUresult create(CUmemGenericAllocationHandle *handle, int device,
                       CUmemAllocationHandleType handle_types) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .requestedHandleTypes = handle_types,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, device}};
    return cuMemCreate(handle, 2 * G, &prop, 0);
}

static CUmemGenericAllocationHandle memory_of(int device, CUmemAllocationHandleType handle_types) {
    CUmemGenericAllocationHandle handle = 0;
    assert_cu_ok(create(&handle, device, handle_types));
    return handle;
}

static struct team begin_team(void) {
    struct team team;
    assert_cu_ok(cuMulticastCreate(&team.object, &two));
    for (int i = 0; i < TEAM; i++) {
        assert_cu_ok(cuMulticastAddDevice(team.object, i));
        team.memory[i] = memory_of(i, 0);
        team.own[i] = map(team.memory[i]);
        assert_cu_ok(cuMemsetD8(team.own[i], 0, 2 * G));
    }
    team.address = map(team.object);
    return team;
}

static void bind_all(const struct team *team) {
    for (int i = 0; i < TEAM; i++)
        assert_cu_ok(cuMulticastBindMem(team->object, 0, team->memory[i], 0, 2 * G, 0));
}

static void end_team(const struct team *team) {
    unmap(team->address);
    assert_cu_ok(cuMemRelease(team->object));
    for (int i = 0; i < TEAM; i++) {
        unmap(team->own[i]);
        assert_cu_ok(cuMemRelease(team->memory[i]));
    }
}

static unsigned char byte_at(CUdeviceptr at) {
    unsigned char byte = 0xee;
    assert_cu_ok(cuMemcpyDtoH(&byte, at, 1));
    return byte;
}

static void assert_everywhere(const struct team *team, size_t offset, int value) {
    for (int i = 0; i < TEAM; i++) assert_int_equal(byte_at(team->own[i] + offset), value);
}

static void copies_and_fills_reach_every_device(void **state) {
    static const unsigned char bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct team team = begin_team();
    CUstream stream = NULL;
    (void)state;
    bind_all(&team);
    assert_cu_ok(cuMemcpyHtoD(team.address + 5, bytes, 9));
    assert_everywhere(&team, 5, 1);
    assert_everywhere(&team, 13, 9);
    assert_everywhere(&team, 14, 0);
    assert_cu_ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    assert_cu_ok(cuMemsetD32Async(team.address + G - 4, 0x07070707, 2, stream));
    assert_cu_ok(cuMemcpyDtoDAsync(team.address + 2 * G - 1, team.own[0] + 5, 1, stream));
    assert_cu_ok(cuStreamSynchronize(stream));
    assert_everywhere(&team, G - 4, 7);
    assert_everywhere(&team, G + 3, 7);
    assert_everywhere(&team, 2 * G - 1, 1);
    assert_cu_ok(cuMemsetD2D8(team.address, 64, 9, 2, 3));
    assert_everywhere(&team, 129, 9);
    assert_everywhere(&team, 66, 0);
    assert_cu_ok(cuStreamDestroy(stream));
    end_team(&team);
}

static void a_graph_writes_to_every_device(void **state) {
    struct team team = begin_team();
    CUstream stream = NULL;
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    (void)state;
    bind_all(&team);
    assert_cu_ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    assert_cu_ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    assert_cu_ok(cuMemsetD8Async(team.address, 3, 100, stream));
    assert_cu_ok(cuStreamEndCapture(stream, &graph));
    assert_everywhere(&team, 99, 0);
    assert_cu_ok(cuGraphInstantiate(&exec, graph, 0));
    assert_cu_ok(cuGraphLaunch(exec, stream));
    assert_cu_ok(cuStreamSynchronize(stream));
    assert_everywhere(&team, 99, 3);
    assert_cu_ok(cuGraphExecDestroy(exec));
    assert_cu_ok(cuGraphDestroy(graph));
    assert_cu_ok(cuStreamDestroy(stream));
    end_team(&team);
}

static void a_write_needs_memory_of_every_device(void **state) {
    struct team team = begin_team();
    unsigned char byte = 1;
    (void)state;
    assert_cu(cuMemcpyHtoD(team.address, &byte, 1), CUDA_ERROR_INVALID_VALUE);
    assert_cu_ok(cuMulticastBindMem(team.object, 0, team.memory[0], G, G, 0));
    assert_cu(cuMemsetD8(team.address, 1, 1), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(byte_at(team.own[0] + G), 0); // nothing happened
    assert_cu_ok(cuMulticastBindAddr(team.object, 0, team.own[1], G, 0));
    assert_cu_ok(cuMemsetD8(team.address + 1, 1, 1));
    assert_int_equal(byte_at(team.own[0] + G + 1), 1);
    assert_int_equal(byte_at(team.own[1] + 1), 1);
    assert_cu(cuMemsetD8(team.address + G - 1, 1, 2), CUDA_ERROR_INVALID_VALUE);
    assert_cu_ok(cuMulticastBindMem(team.object, G, team.memory[0], 0, G, 0));
    assert_cu_ok(cuMulticastBindMem(team.object, G, team.memory[1], G, G, 0));
    assert_cu_ok(cuMemsetD8(team.address + G - 1, 2, 2)); // in two bindings of each
    assert_int_equal(byte_at(team.own[0]), 2);
    assert_int_equal(byte_at(team.own[0] + 2 * G - 1), 2);
    assert_int_equal(byte_at(team.own[1] + G - 1), 2);
    assert_cu(cuMulticastUnbind(team.object, 1, 0, 2 * G), CUDA_ERROR_INVALID_VALUE);
    assert_cu_ok(cuMulticastUnbind(team.object, 1, 0, G));
    assert_cu(cuMemsetD8(team.address, 1, 1), CUDA_ERROR_INVALID_VALUE);
    end_team(&team);
}

static void an_object_can_only_be_written(void **state) {
    struct team team = begin_team();
    unsigned char byte = 1;
    CUmemAllocationProp prop;
    (void)state;
    bind_all(&team);
    assert_cu(cuMemcpyDtoH(&byte, team.address, 1), CUDA_ERROR_NOT_SUPPORTED);
    assert_cu(cuStreamWriteValue32(NULL, team.address, 1, 0), CUDA_ERROR_NOT_SUPPORTED);
    assert_cu(cuMemGetAllocationPropertiesFromHandle(&prop, team.object), CUDA_ERROR_INVALID_VALUE);
    end_team(&team);
}

static void bad_bindings_are_refused(void **state) {
    struct team team = begin_team();
    CUdeviceptr plain = 0;
    (void)state;
    const CUmemGenericAllocationHandle object = team.object;
    assert_cu(cuMulticastBindMem(object, 0, team.memory[0], 0, 2 * G, 1), 1);
    assert_cu(cuMulticastBindMem(object, 0, team.memory[0], 0, 0, 0), 1);
    assert_cu(cuMulticastBindMem(object, 0, team.memory[0], 0, G + 4096, 0), 1);
    assert_cu(cuMulticastBindMem(object, 4096, team.memory[0], 0, G, 0), 1);
    assert_cu(cuMulticastBindMem(object, 0, team.memory[0], 4096, G, 0), 1);
    assert_cu(cuMulticastBindMem(object, G, team.memory[0], 0, 2 * G, 0), 1);
    assert_cu(cuMulticastBindMem(object, 0, team.memory[0], G, 2 * G, 0), 1);
    assert_cu(cuMulticastBindMem(object, 0, object, 0, G, 0), 1);
    assert_cu(cuMulticastBindMem(team.memory[0], 0, team.memory[0], 0, G, 0), 1);
    assert_cu_ok(cuMulticastBindMem(object, 0, team.memory[0], 0, G, 0));
    assert_cu(cuMulticastBindMem(object, 0, team.memory[0], G, G, 0), 1); // bound
    assert_cu_ok(cuMemAlloc(&plain, 2 * G));
    assert_cu(cuMulticastBindAddr(object, G, plain, G, 0), 1);
    assert_cu_ok(cuMemFree(plain));
    assert_cu(cuMulticastAddDevice(object, 0), 1);
    assert_cu(cuMulticastAddDevice(object, 9), 101);
    end_team(&team);
}

static void bad_objects_are_refused(void **state) {
    CUmemGenericAllocationHandle object = 7;
    CUmulticastObjectProp prop = two;
    size_t bytes = 0;
    (void)state;
    assert_cu(cuMulticastCreate(NULL, &two), 1);
    assert_cu(cuMulticastCreate(&object, NULL), 1);
    prop.numDevices = 0;
    assert_cu(cuMulticastCreate(&object, &prop), 1);
    prop.numDevices = 3;
    assert_cu(cuMulticastCreate(&object, &prop), 1);
    prop = two;
    prop.size = G + 1;
    assert_cu(cuMulticastCreate(&object, &prop), 1);
    prop = two;
    prop.handleTypes = 2;
    assert_cu(cuMulticastCreate(&object, &prop), 1);
    prop = two;
    prop.flags = 1;
    assert_cu(cuMulticastCreate(&object, &prop), 1);
    assert_int_equal(object, 7);
    assert_cu_ok(cuMulticastGetGranularity(&bytes, &two, CU_MULTICAST_GRANULARITY_MINIMUM));
    assert_int_equal(bytes, G);
    assert_cu_ok(cuMulticastGetGranularity(&bytes, &two, CU_MULTICAST_GRANULARITY_RECOMMENDED));
    assert_int_equal(bytes % G, 0);
    assert_cu(cuMulticastGetGranularity(&bytes, &two, (CUmulticastGranularity_flags)2), 1);
}

// The object, and the memory bound to it, end with its last reference.
static void an_object_ends_when_it_is_released_and_unmapped(void **state) {
    const size_t before = cuda_free_bytes();
    struct team team = begin_team();
    (void)state;
    bind_all(&team);
    for (int i = 0; i < TEAM; i++) {
        unmap(team.own[i]);
        assert_cu_ok(cuMemRelease(team.memory[i]));
    }
    assert_int_equal(cuda_free_bytes(), before - 2 * G); // bound
    assert_cu_ok(cuMemRelease(team.object));
    assert_cu(cuMemRelease(team.object), CUDA_ERROR_INVALID_VALUE);
    assert_cu_ok(cuMemsetD8(team.address, 1, 1)); // mapped
    unmap(team.address);
    assert_int_equal(cuda_free_bytes(), before);
    assert_cu(cuMulticastAddDevice(team.object, 0), CUDA_ERROR_INVALID_VALUE);
}

static void a_shared_object_takes_shared_memory_and_comes_back(void **state) {
    CUmulticastObjectProp prop = two;
    CUmemGenericAllocationHandle object = 0, same = 0;
    CUmemFabricHandle fabric;
    int fd = -1;
    (void)state;
    prop.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR | CU_MEM_HANDLE_TYPE_FABRIC;
    assert_cu_ok(cuMulticastCreate(&object, &prop));
    for (int i = 0; i < TEAM; i++) assert_cu_ok(cuMulticastAddDevice(object, i));
    CUmemGenericAllocationHandle alone = memory_of(0, 0);
    assert_cu(cuMulticastBindMem(object, 0, alone, 0, G, 0), 1);
    assert_cu_ok(cuMemRelease(alone));
    alone = memory_of(0, CU_MEM_HANDLE_TYPE_FABRIC);
    assert_cu_ok(cuMulticastBindMem(object, 0, alone, 0, G, 0));
    assert_cu_ok(cuMemRelease(alone));
    assert_cu_ok(cuMemExportToShareableHandle(&fd, object, 1, 0));
    assert_cu_ok(cuMemImportFromShareableHandle(&same, (void *)(intptr_t)fd, 1));
    assert_int_equal(close(fd), 0);
    assert_int_equal(same, object);
    assert_cu_ok(cuMemExportToShareableHandle(&fabric, object, CU_MEM_HANDLE_TYPE_FABRIC, 0));
    assert_cu_ok(cuMemImportFromShareableHandle(&same, &fabric, CU_MEM_HANDLE_TYPE_FABRIC));
    for (int i = 0; i < 3; i++) assert_cu_ok(cuMemRelease(object));
    assert_cu(cuMemRelease(object), CUDA_ERROR_INVALID_VALUE);
}

static void *add_second(void *object) {
    assert_cu_ok(cuMulticastAddDevice(*(CUmemGenericAllocationHandle *)object, 1));
    return NULL;
}

static void a_binding_waits_for_the_team(void **state) {
    CUmemGenericAllocationHandle object = 0;
    CUmemGenericAllocationHandle memory = memory_of(0, 0);
    pthread_t thread;
    (void)state;
    assert_cu_ok(cuMulticastCreate(&object, &two));
    assert_cu_ok(cuMulticastAddDevice(object, 0));
    assert_int_equal(pthread_create(&thread, NULL, add_second, &object), 0);
    assert_cu_ok(cuMulticastBindMem(object, 0, memory, 0, 2 * G, 0));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_cu_ok(cuMemRelease(object));
    assert_cu_ok(cuMemRelease(memory));
}

// Makes a call that may fail once without memory.
#define assert_cu_again(failures, call)                                                            \
    do {                                                                                           \
        const CUresult first = (call);                                                             \
        if (first == CUDA_SUCCESS) break;                                                          \
        assert_int_equal(first, CUDA_ERROR_OUT_OF_MEMORY);                                         \
        ++*(failures);                                                                             \
        assert_cu_ok(call);                                                                        \
    } while (0)

static void use_object(const struct team *team, CUdeviceptr at, int *failures) {
    const CUmemGenericAllocationHandle object = team->object;
    CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    assert_cu_again(failures, cuMulticastBindMem(object, 0, team->memory[0], 0, 2 * G, 0));
    assert_cu_again(failures, cuMulticastBindAddr(object, 0, team->own[1], 2 * G, 0));
    assert_cu_again(failures, cuMemMap(at, 2 * G, 0, object, 0));
    assert_cu_again(failures, cuMemSetAccess(at, 2 * G, &access, 1));
    assert_cu_again(failures, cuMemsetD8(at, 7, G));
    assert_cu_again(failures, cuMemcpyHtoD(at + G, "copied", 7));
    for (int i = 0; i < TEAM; i++) {
        char text[8] = "";
        assert_cu_again(failures, cuMemcpyDtoH(text, team->own[i] + G - 1, sizeof text));
        assert_string_equal(text, "\7copied");
    }
}

static void use_everything_again(void *arg) {
    int *failures = arg;
    struct team team = {.object = 0};
    CUdeviceptr at = 0;
    cuda_begin();
    const size_t before = cuda_free_bytes();
    for (int i = 0; i < TEAM; i++) {
        assert_cu_again(failures, create(&team.memory[i], i, 0));
        assert_cu_again(failures, cuMemAddressReserve(&team.own[i], 2 * G, 0, 0, 0));
        assert_cu_again(failures, cuMemMap(team.own[i], 2 * G, 0, team.memory[i], 0));
        const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, i},
                                        CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
        assert_cu_again(failures, cuMemSetAccess(team.own[i], 2 * G, &access, 1));
    }
    assert_cu_again(failures, cuMemAddressReserve(&at, 2 * G, 0, 0, 0));
    assert_cu_again(failures, cuMulticastCreate(&team.object, &two));
    for (int i = 0; i < TEAM; i++) assert_cu_ok(cuMulticastAddDevice(team.object, i));
    use_object(&team, at, failures);
    team.address = at;
    end_team(&team);
    assert_int_equal(cuda_free_bytes(), before);
}

static void a_call_that_fails_inside_changes_nothing_and_succeeds_the_next_time(void **state) {
    static const char *const calls[] = {
        "tarn_phys_create:",    "tarn_space_reserve:", "tarn_map:",
        "tarn_map_set_access:", "tarn_fill_box:",      "tarn_copy_box:"};
    int *failures = mmap(NULL, sizeof *failures, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                         -1, 0); // in children
    (void)state;
    assert_ptr_not_equal(failures, MAP_FAILED);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        int turn = 0;
        do {
            char spec[96];
            (void)snprintf(spec, sizeof spec, "%s%d:as=NO_HOST_MEMORY", calls[i], ++turn);
            *failures = 0;
            cuda_in_child(use_everything_again, failures, "TARN_FAIL", spec, NULL);
            assert_in_range(*failures, 0, 1);
        } while (*failures == 1);
        assert_true(turn > 1); // the call was made
    }
    assert_int_equal(munmap(failures, sizeof *failures), 0);
}

static void do_without(void *arg) {
    CUmemGenericAllocationHandle object = 0;
    int supported = 9;
    (void)arg;
    cuda_begin();
    assert_cu_ok(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0));
    assert_int_equal(supported, 0);
    assert_cu(cuMulticastCreate(&object, &two), CUDA_ERROR_NOT_SUPPORTED);
}

static void without_the_option_there_are_none(void **state) {
    (void)state;
    cuda_in_child(do_without, NULL, "TARN_CUDA_DEVICE", "host:0,devices=2,memory=1G", NULL);
}

static int begin(void **state) {
    int supported = 0;
    if (cuda_group_setup(state) != 0 ||
        setenv("TARN_CUDA_DEVICE", "host:0,devices=2,memory=1G,fabric=on", 1) != 0)
        return -1;
    without_the_option_there_are_none(state); // both before this process uses CUDA
    a_call_that_fails_inside_changes_nothing_and_succeeds_the_next_time(state);
    cuda_begin();
    assert_cu_ok(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0));
    assert_int_equal(supported, 1);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_and_fills_reach_every_device),
        cmocka_unit_test(a_graph_writes_to_every_device),
        cmocka_unit_test(a_write_needs_memory_of_every_device),
        cmocka_unit_test(an_object_can_only_be_written),
        cmocka_unit_test(bad_bindings_are_refused),
        cmocka_unit_test(bad_objects_are_refused),
        cmocka_unit_test(an_object_ends_when_it_is_released_and_unmapped),
        cmocka_unit_test(a_shared_object_takes_shared_memory_and_comes_back),
        cmocka_unit_test(a_binding_waits_for_the_team),
    };
    return cmocka_run_group_tests(tests, begin, cuda_group_end);
}
