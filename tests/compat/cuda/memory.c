// SPDX-License-Identifier: Apache-2.0
// Plain memory: allocated, freed, measured; memory of the host; managed memory; errors of copies.
#include "support/cuda.h"

#define MIB ((size_t)1 << 20)

static CUdeviceptr address(const void *ptr) { return (CUdeviceptr)(uintptr_t)ptr; }

// ---- device memory

static void nothing_is_null_for_the_runtime_and_an_error_for_the_driver(void **state) {
    void *ptr = &ptr;
    CUdeviceptr number = 7;
    (void)state;
    assert_cuda_ok(cudaMalloc(&ptr, 0)); // 22
    assert_null(ptr);
    assert_cu(cuMemAlloc(&number, 0), 1);
    assert_int_equal(number, 0);
    assert_cuda_ok(cudaFree(NULL)); // 26
    assert_cuda_ok(cudaFreeHost(NULL));
    assert_cu_ok(cuMemFree(0));
    assert_cuda(cudaMalloc(NULL, 16), 1);
    assert_cu(cuMemAlloc(NULL, 16), 1);
    assert_cuda_ok(cudaMallocHost(&ptr, 0));
    assert_null(ptr);
    (void)cudaGetLastError();
}

static void a_refused_allocation_takes_no_memory_and_gives_null(void **state) {
    void *ptr = &ptr;
    CUdeviceptr number = 0;
    size_t left = 0, all = 0;
    (void)state;
    size_t before = cuda_free_bytes();
    assert_cuda_ok(cudaMemGetInfo(&left, &all));
    assert_cuda(cudaMalloc(&ptr, all + 1), 2); // 23
    assert_null(ptr);
    assert_cu(cuMemAlloc(&number, all + 1), 2);
    assert_cuda(cudaMalloc(&ptr, SIZE_MAX), 2);
    assert_int_equal(cuda_free_bytes(), before);
    assert_cuda(cudaGetLastError(), 2);
    assert_cuda(cudaGetLastError(), 0);
    assert_cu_ok(cuMemAlloc(&number, before)); // all of it
    assert_int_equal(cuda_free_bytes(), 0);
    assert_cuda(cudaMalloc(&ptr, 1), 2);
    assert_cu_ok(cuMemFree(number));
    assert_int_equal(cuda_free_bytes(), before);
    (void)cudaGetLastError();
}

static void memory_is_aligned_and_counted(void **state) {
    CUdeviceptr ptr[3];
    size_t left = 0;
    size_t all = 0;
    size_t total = 0;
    (void)state;
    size_t before = cuda_free_bytes();
    for (size_t i = 0; i < 3; i++) {
        assert_cu_ok(cuMemAlloc(&ptr[i], 1000 * i + 1));
        assert_int_equal(ptr[i] % 512, 0);
    }
    assert_cuda_ok(cudaMemGetInfo(&left, &all));
    assert_cu_ok(cuDeviceTotalMem(&total, 0));
    assert_int_equal(all, total);
    assert_true(left < before);
    assert_int_equal(cuda_free_bytes(), left);
    for (size_t i = 0; i < 3; i++) assert_cu_ok(cuMemFree(ptr[i]));
    assert_int_equal(cuda_free_bytes(), before);
    assert_cuda_ok(cudaMemGetInfo(NULL, NULL));
}

static void memory_is_freed_by_its_start_once(void **state) {
    char *ptr = NULL;
    void *pinned = NULL;
    void *pooled = NULL;
    (void)state;
    assert_cuda_ok(cudaMalloc((void **)&ptr, MIB));
    assert_cuda(cudaFree(ptr + 1), 1); // 25
    assert_cu(cuMemFree(address(ptr) + 512), 1);
    assert_cuda_ok(cudaFree(ptr));
    assert_cuda(cudaFree(ptr), 1); // 24
    assert_cu(cuMemFree(address(ptr)), 1);
    assert_cuda(cudaFree(&ptr), 1);
    assert_cuda_ok(cudaMalloc((void **)&ptr, MIB));
    assert_cuda_ok(cudaMallocHost(&pinned, MIB));
    assert_cuda(cudaFree(pinned), 1); // 27
    assert_cu(cuMemFree(address(pinned)), 1);
    assert_cuda(cudaFreeHost(ptr), 1); // 27
    assert_cu(cuMemFreeHost(ptr), 1);
    assert_cuda_ok(cudaFreeHost(pinned));
    assert_cuda(cudaFreeHost(pinned), 1);
    assert_cuda_ok(cudaFree(ptr));
    assert_cuda_ok(cudaMallocAsync(&pooled, MIB, NULL));
    assert_cuda_ok(cudaFree(pooled)); // 64
    (void)cudaGetLastError();
}

// ---- copies

static void copies_check_their_direction_and_their_range(void **state) {
    static unsigned char source[2 * 4096];
    unsigned char back[16];
    void *ptr = NULL;
    (void)state;
    memset(source, 9, sizeof source);
    assert_cuda_ok(cudaMalloc(&ptr, 4096));
    assert_cuda_ok(cudaMemset(ptr, 3, 4096));
    assert_cuda(cudaMemcpy(ptr, source, 16, (enum cudaMemcpyKind)7), 21);  // 28
    assert_cuda_ok(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));     // 28
    assert_cuda(cudaMemcpy(ptr, source, 4097, cudaMemcpyHostToDevice), 1); // 29
    assert_cu(cuMemcpyHtoD(address(ptr) + 4090, source, 16), 1);
    assert_cuda_ok(cudaMemcpy(back, (char *)ptr + 4096 - 16, 16, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; i++) assert_int_equal(back[i], 3);
    assert_cuda_ok(cudaMemcpy(ptr, source, 4096, cudaMemcpyDefault));
    assert_cuda_ok(cudaMemcpy(back, ptr, 16, cudaMemcpyDefault));
    assert_int_equal(back[0], 9);
    assert_cuda_ok(cudaFree(ptr));
    assert_cuda(cudaMemcpy(back, ptr, 16, cudaMemcpyDeviceToHost), 1);
    assert_cuda_ok(cudaMalloc(&ptr, 4096));
    assert_cuda(cudaMemcpy(ptr, source, 16, cudaMemcpyDeviceToDevice), 1);
    assert_cuda(cudaMemcpy(back, ptr, 16, cudaMemcpyHostToDevice), 1);
    assert_cuda_ok(cudaMemcpy(ptr, (char *)ptr + 64, 16, cudaMemcpyHostToHost));
    assert_cuda(cudaMemcpy(ptr, (char *)ptr + 1, 16, cudaMemcpyDeviceToDevice), 1); // overlaps
    assert_cuda_ok(cudaFree(ptr));
    (void)cudaGetLastError();
}

// ---- memory of the host

static void registered_memory_is_registered_once(void **state) {
    static char mine[4 * 4096] __attribute__((aligned(4096)));
    void *on_device = NULL;
    void *pinned = NULL;
    unsigned flags = 0;
    (void)state;
    assert_cuda_ok(cudaHostRegister(mine, sizeof mine, cudaHostRegisterPortable));
    assert_cuda(cudaHostRegister(mine, sizeof mine, 0), 712); // 83
    assert_cuda(cudaHostRegister(mine + 4096, 4096, 0), 712);
    assert_cu(cuMemHostRegister(mine, sizeof mine, 0), 712);
    assert_cuda(cudaHostUnregister(mine + 4096), 1); // 83
    assert_cuda(cudaHostUnregister(NULL), 1);
    assert_cuda_ok(cudaHostGetDevicePointer(&on_device, mine, 0)); // 83
    assert_ptr_equal(on_device, mine);
    assert_cuda_ok(cudaHostGetFlags(&flags, mine));
    assert_int_equal(flags & cudaHostRegisterPortable, cudaHostRegisterPortable);
    assert_cuda_ok(cudaHostUnregister(mine));
    assert_cuda(cudaHostUnregister(mine), 713);
    assert_cuda(cudaHostRegister(mine, 4096, cudaHostRegisterIoMemory), 1); // it is none
    assert_cuda_ok(cudaHostRegister(mine, 4096, cudaHostRegisterReadOnly));
    assert_cuda_ok(cudaHostGetFlags(&flags, mine));
    assert_int_equal(flags, cudaHostAllocMapped);
    assert_cuda_ok(cudaHostUnregister(mine));
    assert_cuda_ok(cudaMallocHost(&pinned, 4096));
    assert_cuda(cudaHostRegister(pinned, 4096, 0), 1);
    assert_cuda(cudaHostUnregister(pinned), 1);
    assert_cuda_ok(cudaFreeHost(pinned));
    assert_cuda(cudaHostRegister(mine, 4096, 0x10), 1);
    assert_cuda(cudaHostGetFlags(&flags, mine), 1); // 83
    (void)cudaGetLastError();
}

static void pinned_memory_is_the_same_for_devices(void **state) {
    void *pinned = NULL;
    void *on_device = NULL;
    unsigned flags = 0;
    (void)state;
    assert_cu_ok(cuMemHostAlloc(&pinned, MIB, CU_MEMHOSTALLOC_PORTABLE));
    assert_cuda_ok(cudaHostGetDevicePointer(&on_device, pinned, 0)); // 83
    assert_ptr_equal(on_device, pinned);
    assert_cu_ok(cuMemHostGetFlags(&flags, pinned));
    assert_int_equal(flags, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    assert_cu_ok(cuMemFreeHost(pinned));
    assert_cu(cuMemHostGetFlags(&flags, &flags), 1);
    assert_cuda(cudaHostAlloc(&pinned, 16, 8), 1);
    (void)cudaGetLastError();
}

// ---- managed memory

static void managed_memory_has_one_way_to_be_attached(void **state) {
    void *ptr = NULL;
    CUdeviceptr number = 0;
    (void)state;
    assert_cuda_ok(cudaMallocManaged(&ptr, 0, cudaMemAttachGlobal)); // 30
    assert_null(ptr);
    assert_cuda(cudaMallocManaged(&ptr, 16, 3), 1);
    assert_cuda(cudaMallocManaged(&ptr, 16, 0), 1);
    assert_cu(cuMemAllocManaged(&number, 0, CU_MEM_ATTACH_GLOBAL), 1);
    assert_null(ptr);
    size_t before = cuda_free_bytes();
    assert_cuda_ok(cudaMallocManaged(&ptr, 16 * MIB, cudaMemAttachHost));
    assert_int_equal(cuda_free_bytes(), before); // it takes no memory of the device
    assert_cuda_ok(cudaFree(ptr));
    (void)cudaGetLastError();
}

static int prefetched(CUdeviceptr ptr) {
    int device = 77;
    assert_cu_ok(cuMemRangeGetAttribute(&device, sizeof device,
                                        CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, ptr, MIB));
    return device;
}

static void a_prefetch_is_remembered(void **state) {
    struct cudaMemLocation device = {.type = cudaMemLocationTypeDevice, .id = 0};
    struct cudaMemLocation host = {.type = cudaMemLocationTypeHost, .id = 0};
    void *ptr = NULL;
    void *plain = NULL;
    (void)state;
    assert_cuda_ok(cudaMalloc(&plain, MIB));
    assert_cuda(cudaMemPrefetchAsync(plain, MIB, device, 0, NULL), 1); // 85
    assert_cuda_ok(cudaFree(plain));
    assert_cuda_ok(cudaMallocManaged(&ptr, MIB, cudaMemAttachGlobal));
    assert_int_equal(prefetched(address(ptr)), -2); // 85
    assert_cuda_ok(cudaMemPrefetchAsync(ptr, MIB, device, 0, NULL));
    assert_int_equal(prefetched(address(ptr)), 0); // 85
    assert_cuda_ok(cudaMemPrefetchAsync(ptr, MIB / 2, host, 0, NULL));
    assert_int_equal(prefetched(address(ptr)), -2);
    assert_cuda_ok(cudaMemPrefetchAsync(ptr, MIB, host, 0, NULL));
    assert_int_equal(prefetched(address(ptr)), -1); // 85
    device.id = 7;
    assert_cuda(cudaMemPrefetchAsync(ptr, MIB, device, 0, NULL), 101);
    assert_cuda_ok(cudaFree(ptr));
    (void)cudaGetLastError();
}

static int begin(void **state) {
    int failed = cuda_group_setup(state);
    if (failed == 0) cuda_begin();
    return failed;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_null_for_the_runtime_and_an_error_for_the_driver),
        cmocka_unit_test(a_refused_allocation_takes_no_memory_and_gives_null),
        cmocka_unit_test(memory_is_aligned_and_counted),
        cmocka_unit_test(memory_is_freed_by_its_start_once),
        cmocka_unit_test(copies_check_their_direction_and_their_range),
        cmocka_unit_test(registered_memory_is_registered_once),
        cmocka_unit_test(pinned_memory_is_the_same_for_devices),
        cmocka_unit_test(managed_memory_has_one_way_to_be_attached),
        cmocka_unit_test(a_prefetch_is_remembered),
    };
    return cmocka_run_group_tests(tests, begin, cuda_group_end);
}
