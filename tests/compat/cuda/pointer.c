// SPDX-License-Identifier: Apache-2.0
// Attributes of pointers: their widths, and their values for each kind of memory.
#include "support/cuda.h"

#define MIB ((size_t)1 << 20)

enum {
    CONTEXT = 1,
    TYPE,
    DEVICE_POINTER,
    HOST_POINTER,
    TOKENS,
    SYNC,
    ID,
    MANAGED,
    ORDINAL,
    LEGACY
};
enum { START = 11, SIZE, MAPPED, HANDLES, RDMA, ACCESS, POOL, MAPPING_SIZE, MAPPING, BLOCK, HW };

// The bytes that each attribute writes.
static const size_t widths[] = {
    [CONTEXT] = 8, [TYPE] = 4,         [DEVICE_POINTER] = 8, [HOST_POINTER] = 8, [SYNC] = 4,
    [ID] = 8,      [MANAGED] = 4,      [ORDINAL] = 4,        [LEGACY] = 4,       [START] = 8,
    [SIZE] = 8,    [MAPPED] = 4,       [HANDLES] = 8,        [RDMA] = 4,         [ACCESS] = 4,
    [POOL] = 8,    [MAPPING_SIZE] = 8, [MAPPING] = 8,        [BLOCK] = 8,        [HW] = 4,
};

// Returns the value of an attribute, which writes as many bytes as it should.
static uint64_t get(int attribute, CUdeviceptr ptr) {
    unsigned char bytes[16];
    uint64_t value = 0;
    memset(bytes, 0xee, sizeof bytes);
    CUresult result = cuPointerGetAttribute(bytes, (CUpointer_attribute)attribute, ptr);
    if (result != CUDA_SUCCESS) fail_msg("attribute %d gave %d", attribute, (int)result);
    for (size_t i = widths[attribute]; i < sizeof bytes; i++)
        if (bytes[i] != 0xee) fail_msg("attribute %d writes byte %zu", attribute, i);
    memcpy(&value, bytes, widths[attribute]);
    return value;
}

static void expect(const char *of, int attribute, CUdeviceptr ptr, uint64_t value) {
    uint64_t got = get(attribute, ptr);
    if (got != value)
        fail_msg("attribute %d of %s is 0x%llx, not 0x%llx", attribute, of, (unsigned long long)got,
                 (unsigned long long)value);
}

static CUcontext current(void) {
    CUcontext ctx = NULL;
    assert_cu_ok(cuCtxGetCurrent(&ctx));
    return ctx;
}

static CUdeviceptr address(const void *ptr) { return (CUdeviceptr)(uintptr_t)ptr; }

static struct cudaPointerAttributes runtime_view(CUdeviceptr ptr) {
    struct cudaPointerAttributes view;
    memset(&view, 0xee, sizeof view);
    assert_cuda_ok(cudaPointerGetAttributes(&view, (void *)(uintptr_t)ptr));
    return view;
}

static void expect_runtime(CUdeviceptr ptr, int type, int device, bool on_host) {
    struct cudaPointerAttributes view = runtime_view(ptr);
    assert_int_equal(view.type, type);
    assert_int_equal(view.device, device);
    assert_ptr_equal(view.devicePointer, (void *)(uintptr_t)ptr);
    assert_ptr_equal(view.hostPointer, on_host ? (void *)(uintptr_t)ptr : NULL);
}

static void expect_unknown(CUdeviceptr ptr) {
    CUdeviceptr value = 0x77;
    unsigned type = 77;
    int device = 77;
    CUcontext ctx = (CUcontext)&ctx;
    CUpointer_attribute list[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_CONTEXT,
                                  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                  CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void *outputs[] = {&type, &ctx, &device, &value};
    for (int i = CONTEXT; i <= HW; i++)
        if (i != TOKENS) assert_cu(cuPointerGetAttribute(&value, (CUpointer_attribute)i, ptr), 1);
    assert_int_equal(value, 0x77); // 31
    assert_cu_ok(cuPointerGetAttributes(4, list, outputs, ptr));
    assert_int_equal(type, 0);
    assert_null(ctx);
    assert_int_equal(device, -2);
    assert_int_equal(value, ptr);
    struct cudaPointerAttributes view = runtime_view(ptr); // 35
    assert_int_equal(view.type, cudaMemoryTypeUnregistered);
    assert_int_equal(view.device, -2);
    assert_null(view.devicePointer);
    assert_ptr_equal(view.hostPointer, (void *)(uintptr_t)ptr);
    assert_cu(cuMemGetAddressRange(&value, NULL, ptr), 500);
    assert_cu_ok(cuMemGetAddressRange(NULL, NULL, ptr)); // it asks for nothing
}

// ---- kinds of memory

static void memory_of_the_program_alone_is_unknown(void **state) {
    static char mine[64];
    void *heap = malloc(64);
    (void)state;
    expect_unknown(address(mine));
    expect_unknown(address(heap));
    expect_unknown(address(&heap)); // 35
    expect_unknown(0x10);
    free(heap);
}

static void plain_memory_belongs_to_its_context_and_device(void **state) {
    CUdeviceptr ptr = 0;
    CUdeviceptr base = 0;
    uint64_t value = 7;
    size_t size = 0;
    int rdma = -1;
    (void)state;
    assert_cu_ok(cuDeviceGetAttribute(
        &rdma, CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED, 0));
    assert_cu_ok(cuMemAlloc(&ptr, MIB));
    CUdeviceptr inside = ptr + MIB - 1;
    expect("plain", TYPE, inside, CU_MEMORYTYPE_DEVICE);
    expect("plain", MANAGED, inside, 0);
    expect("plain", CONTEXT, inside, (uintptr_t)current());
    expect("plain", ORDINAL, inside, 0);
    expect("plain", DEVICE_POINTER, inside, inside);
    expect("plain", START, inside, ptr); // 34
    expect("plain", SIZE, inside, MIB);
    expect("plain", MAPPED, inside, 1);
    expect("plain", LEGACY, inside, 1);
    expect("plain", HANDLES, inside, 0);
    expect("plain", RDMA, inside, (uint64_t)rdma);
    expect("plain", ACCESS, inside, 3);
    expect("plain", POOL, inside, 0);
    expect("plain", MAPPING, inside, ptr);
    expect("plain", MAPPING_SIZE, inside, MIB);
    expect("plain", HW, inside, 0);
    assert_cu(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_HOST_POINTER, ptr), 1);
    assert_int_equal(value, 0);
    expect_runtime(inside, cudaMemoryTypeDevice, 0, false);
    assert_cu_ok(cuMemGetAddressRange(&base, &size, inside)); // 34
    assert_int_equal(base, ptr);
    assert_int_equal(size, MIB);
    assert_cu_ok(cuMemGetAddressRange(NULL, &size, inside));
    expect_unknown(ptr + MIB);
    assert_cu_ok(cuMemFree(ptr));
    expect_unknown(ptr); // 36
}

static void memory_of_another_device_is_not_accessible_yet(void **state) {
    CUdeviceptr ptr = 0;
    (void)state;
    if (cuda_last_device() < 1) skip();
    assert_cuda_ok(cudaSetDevice(1));
    assert_cu_ok(cuMemAlloc(&ptr, MIB));
    assert_cuda_ok(cudaSetDevice(0));
    expect("far", ORDINAL, ptr, 1);
    expect("far", ACCESS, ptr, 0);
    assert_cuda_ok(cudaDeviceEnablePeerAccess(1, 0));
    expect("far", ACCESS, ptr, 3);
    assert_cuda_ok(cudaDeviceDisablePeerAccess(1));
    expect_runtime(ptr, cudaMemoryTypeDevice, 1, false);
    assert_cu_ok(cuMemFree(ptr));
}

static void memory_of_a_pool_has_no_context(void **state) {
    CUmemoryPool pool = NULL;
    CUdeviceptr ptr = 0;
    (void)state;
    assert_cu_ok(cuDeviceGetMemPool(&pool, 0));
    assert_cu_ok(cuMemAllocAsync(&ptr, MIB, NULL));
    expect("pooled", TYPE, ptr, CU_MEMORYTYPE_DEVICE);
    expect("pooled", CONTEXT, ptr, 0);
    expect("pooled", ORDINAL, ptr, 0);
    expect("pooled", POOL, ptr, (uintptr_t)pool);
    expect("pooled", LEGACY, ptr, 0);
    expect("pooled", START, ptr + 5, ptr);
    expect("pooled", SIZE, ptr, MIB);
    expect_runtime(ptr, cudaMemoryTypeDevice, 0, false);
    assert_cu_ok(cuMemFree(ptr));
    expect_unknown(ptr);
}

static void managed_memory_is_of_both_sides(void **state) {
    CUdeviceptr ptr = 0;
    (void)state;
    assert_cu_ok(cuMemAllocManaged(&ptr, MIB, CU_MEM_ATTACH_GLOBAL));
    expect("managed", MANAGED, ptr, 1); // 32
    expect("managed", TYPE, ptr, CU_MEMORYTYPE_DEVICE);
    expect("managed", CONTEXT, ptr, (uintptr_t)current());
    expect("managed", HOST_POINTER, ptr + 3, ptr + 3);
    expect("managed", LEGACY, ptr, 0);
    expect_runtime(ptr, cudaMemoryTypeManaged, 0, true);
    assert_cu_ok(cuMemFree(ptr));
}

static void pinned_and_registered_memory_is_of_the_host(void **state) {
    static char mine[4096] __attribute__((aligned(4096)));
    void *pinned = NULL;
    (void)state;
    assert_cu_ok(cuMemHostAlloc(&pinned, MIB, 0));
    assert_cu_ok(cuMemHostRegister(mine, sizeof mine, 0));
    const CUdeviceptr both[] = {address(pinned), address(mine)};
    for (int i = 0; i < 2; i++) {
        expect("host", TYPE, both[i], CU_MEMORYTYPE_HOST);
        expect("host", MANAGED, both[i], 0);
        expect("host", CONTEXT, both[i], (uintptr_t)current());
        expect("host", ORDINAL, both[i], 0);
        expect("host", HOST_POINTER, both[i] + 9, both[i] + 9);
        expect("host", DEVICE_POINTER, both[i] + 9, both[i] + 9);
        expect("host", LEGACY, both[i], 0);
        expect("host", ACCESS, both[i], 3);
        expect_runtime(both[i], cudaMemoryTypeHost, 0, true);
    }
    expect("host", SIZE, both[0], MIB);
    assert_cu_ok(cuMemHostUnregister(mine));
    expect_unknown(both[1]);
    assert_cu_ok(cuMemFreeHost(pinned));
    expect_unknown(both[0]);
}

static void a_mapping_has_the_range_of_its_reservation(void **state) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .requestedHandleTypes =
                                          CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                      .location.type = CU_MEM_LOCATION_TYPE_DEVICE};
    CUmemAccessDesc desc = {.location.type = CU_MEM_LOCATION_TYPE_DEVICE,
                            .flags = CU_MEM_ACCESS_FLAGS_PROT_READ};
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr at = 0;
    CUdeviceptr base = 0;
    size_t size = 0;
    (void)state;
    assert_cu_ok(cuMemCreate(&handle, G, &prop, 0));
    assert_cu_ok(cuMemAddressReserve(&at, 4 * G, 0, 0, 0));
    assert_cu_ok(cuMemMap(at + G, G, 0, handle, 0));
    CUdeviceptr inside = at + G + 77;
    expect("mapped", TYPE, inside, CU_MEMORYTYPE_DEVICE);
    expect("mapped", CONTEXT, inside, 0);
    expect("mapped", ORDINAL, inside, 0);
    expect("mapped", START, inside, at);
    expect("mapped", SIZE, inside, 4 * G);
    expect("mapped", MAPPING, inside, at + G);
    expect("mapped", MAPPING_SIZE, inside, G);
    expect("mapped", MAPPED, inside, 1);
    expect("mapped", LEGACY, inside, 0); // 53
    expect("mapped", HANDLES, inside, 1);
    expect("mapped", ACCESS, inside, 0);
    assert_cu_ok(cuMemSetAccess(at + G, G, &desc, 1));
    expect("mapped", ACCESS, inside, 1);
    desc.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    assert_cu_ok(cuMemSetAccess(at + G, G, &desc, 1));
    expect("mapped", ACCESS, inside, 3);
    assert_true(get(ID, inside) != 0 && get(BLOCK, inside) != 0);
    expect_runtime(inside, cudaMemoryTypeDevice, 0, false);
    assert_cu_ok(cuMemGetAddressRange(&base, &size, inside)); // the mapping
    assert_int_equal(base, at + G);
    assert_int_equal(size, G);
    expect_unknown(at); // a gap of the reservation
    expect_unknown(at + 3 * G);
    assert_cu_ok(cuMemUnmap(at + G, G));
    assert_cu_ok(cuMemAddressFree(at, 4 * G));
    assert_cu_ok(cuMemRelease(handle));
    expect_unknown(at);
}

static void no_two_allocations_have_the_same_id(void **state) {
    CUdeviceptr ptr = 0;
    CUdeviceptr first = 0;
    uint64_t before = 0;
    int same = 0;
    (void)state;
    for (int i = 0; i < 8; i++) { // 33
        if (i < 4)
            assert_cu_ok(cuMemAllocAsync(&ptr, MIB, NULL));
        else
            assert_cu_ok(cuMemAlloc(&ptr, MIB));
        if (i == 0) first = ptr;
        same += ptr == first;
        uint64_t id = get(ID, ptr);
        assert_true(id > before);
        assert_int_equal(get(ID, ptr + MIB - 1), id);
        before = id;
        assert_cu_ok(i < 4 ? cuMemFreeAsync(ptr, NULL) : cuMemFree(ptr));
    }
    assert_true(same > 1); // an address came again
}

// ---- arguments

static void attributes_are_checked_before_anything_is_written(void **state) {
    CUpointer_attribute list[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUpointer_attribute)22};
    unsigned values[2] = {7, 7};
    unsigned long long tokens[2];
    void *outputs[] = {&values[0], &values[1]};
    CUdeviceptr ptr = 0;
    (void)state;
    assert_cu_ok(cuMemAlloc(&ptr, 64));
    assert_cu(cuPointerGetAttribute(values, (CUpointer_attribute)0, ptr), 1);
    assert_cu(cuPointerGetAttribute(values, (CUpointer_attribute)22, ptr), 1);
    assert_cu(cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr), 1);
    assert_cu(cuPointerGetAttribute(values, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0), 1);
    assert_cu(cuPointerGetAttribute(tokens, CU_POINTER_ATTRIBUTE_P2P_TOKENS, ptr), 801);
    assert_cu(cuPointerGetAttributes(2, list, outputs, ptr), 1);
    assert_cu(cuPointerGetAttributes(0, list, outputs, ptr), 1);
    assert_cu(cuPointerGetAttributes(1, NULL, outputs, ptr), 1);
    outputs[0] = NULL;
    assert_cu(cuPointerGetAttributes(1, list, outputs, ptr), 1);
    assert_int_equal(values[0], 7);
    assert_int_equal(values[1], 7);
    assert_cuda(cudaPointerGetAttributes(NULL, outputs), 1);
    assert_cu_ok(cuMemFree(ptr));
    (void)cudaGetLastError();
}

static void only_synchronous_operations_can_be_set(void **state) {
    unsigned value = 1;
    CUdeviceptr ptr = 0;
    CUdeviceptr pooled = 0;
    (void)state;
    assert_cu_ok(cuMemAlloc(&ptr, 64));
    assert_cu_ok(cuMemAllocAsync(&pooled, 64, NULL));
    assert_cu_ok(cuPointerSetAttribute(&value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr));
    expect("plain", SYNC, ptr, 1);
    assert_cu_ok(cuPointerSetAttribute(&value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, pooled));
    expect("pooled", SYNC, pooled, 1);
    value = 0;
    assert_cu_ok(cuPointerSetAttribute(&value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr));
    expect("plain", SYNC, ptr, 0);
    assert_cu(cuPointerSetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr), 1);
    assert_cu(cuPointerSetAttribute(NULL, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr), 1);
    assert_cu(cuPointerSetAttribute(&value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, address(&value)), 1);
    assert_cu_ok(cuMemFree(pooled));
    assert_cu_ok(cuMemFree(ptr));
}

static int use_device_0(void **state) {
    (void)state;
    cuda_begin();
    return 0;
}

#define test(name) cmocka_unit_test_setup(name, use_device_0)

int main(void) {
    const struct CMUnitTest tests[] = {
        test(memory_of_the_program_alone_is_unknown),
        test(plain_memory_belongs_to_its_context_and_device),
        test(memory_of_another_device_is_not_accessible_yet),
        test(memory_of_a_pool_has_no_context),
        test(managed_memory_is_of_both_sides),
        test(pinned_and_registered_memory_is_of_the_host),
        test(a_mapping_has_the_range_of_its_reservation),
        test(no_two_allocations_have_the_same_id),
        test(attributes_are_checked_before_anything_is_written),
        test(only_synchronous_operations_can_be_set),
    };
    return cmocka_run_group_tests(tests, cuda_group_setup, cuda_group_end);
}
