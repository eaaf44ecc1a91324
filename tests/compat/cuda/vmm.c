// SPDX-License-Identifier: Apache-2.0
// Virtual memory of CUDA's driver: granularity, physical memory, mappings, rights, and descriptors.
#include <sys/wait.h>
#include <unistd.h>

#include "support/cuda.h"

static const CUmemAllocationProp plain = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                          .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};

static CUmemGenericAllocationHandle create(size_t size) {
    CUmemGenericAllocationHandle handle = 0;
    assert_cu_ok(cuMemCreate(&handle, size, &plain, 0));
    return handle;
}

static CUdeviceptr reserve(size_t size) {
    CUdeviceptr at = 0;
    assert_cu_ok(cuMemAddressReserve(&at, size, 0, 0, 0));
    return at;
}

static void map(CUdeviceptr at, size_t size) {
    CUmemGenericAllocationHandle handle = create(size);
    assert_cu_ok(cuMemMap(at, size, 0, handle, 0));
    assert_cu_ok(cuMemRelease(handle));
}

static void end(CUdeviceptr at, size_t mapped, size_t reserved) {
    assert_cu_ok(cuMemUnmap(at, mapped));
    assert_cu_ok(cuMemAddressFree(at, reserved));
}

static CUresult grant(CUdeviceptr at, size_t size, CUmemAccess_flags flags) {
    const CUmemAccessDesc desc = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, flags};
    return cuMemSetAccess(at, size, &desc, 1);
}

// 37
static void both_granularities_are_two_mebibytes(void **state) {
    size_t bytes = 0;
    (void)state;
    assert_cu_ok(cuMemGetAllocationGranularity(&bytes, &plain, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    assert_int_equal(bytes, G);
    assert_cu_ok(
        cuMemGetAllocationGranularity(&bytes, &plain, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    assert_int_equal(bytes, G);
    assert_cu(cuMemGetAllocationGranularity(&bytes, NULL, CU_MEM_ALLOC_GRANULARITY_MINIMUM), 1);
    CUmemAllocationProp far = plain;
    far.location.id = 9;
    assert_cu_ok(cuMemGetAllocationGranularity(&bytes, &far, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
}

// 38, 51
static void memory_that_cannot_be_created_is_refused_by_its_reason(void **state) {
    CUmemGenericAllocationHandle handle = 0;
    CUmemAllocationProp other = plain;
    size_t left = 0, all = 0;
    (void)state;
    assert_cu(cuMemCreate(&handle, G - 1, &plain, 0), 1);
    assert_cu(cuMemCreate(&handle, 0, &plain, 0), 1);
    assert_cu(cuMemCreate(&handle, G, &plain, 1), 1);
    assert_cu_ok(cuMemGetInfo(&left, &all));
    assert_cu(cuMemCreate(&handle, (all / G + 1) * G, &plain, 0), 2);
    other.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    assert_cu(cuMemCreate(&handle, G, &other, 0), 1);
    other = plain;
    other.location.id = 9;
    assert_cu(cuMemCreate(&handle, G, &other, 0), 101);
    other = plain;
    assert_cu(cuMemCreate(&handle, G - 1, &other, 0), 1);
    other = plain;
    other.requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
    assert_cu(cuMemCreate(&handle, G, &other, 0), 801);
    other.requestedHandleTypes = CU_MEM_HANDLE_TYPE_WIN32;
    assert_cu(cuMemCreate(&handle, G, &other, 0), 1);
    other = plain;
    other.allocFlags.compressionType = 9;
    assert_cu(cuMemCreate(&handle, G, &other, 0), 1);
    other = plain;
    other.allocFlags.reserved[3] = 1;
    assert_cu(cuMemCreate(&handle, G, &other, 0), 1);
}

// 39
static void only_physical_memory_takes_capacity(void **state) {
    size_t before = cuda_free_bytes();
    (void)state;
    CUmemGenericAllocationHandle handle = create(G);
    assert_int_equal(cuda_free_bytes(), before - G);
    CUdeviceptr at = reserve(G);
    assert_cu_ok(cuMemMap(at, G, 0, handle, 0));
    assert_cu_ok(cuMemRelease(handle));
    assert_int_equal(cuda_free_bytes(), before - G);
    assert_cu_ok(cuMemUnmap(at, G));
    assert_int_equal(cuda_free_bytes(), before);
    assert_cu_ok(cuMemAddressFree(at, G));
}

// 40 to 43
static void a_mapping_begins_at_offset_0_in_free_reserved_addresses(void **state) {
    CUmemGenericAllocationHandle handle = create(2 * G);
    CUdeviceptr at = reserve(4 * G);
    (void)state;
    assert_cu(cuMemMap(at, G, G, handle, 0), 801);
    assert_cu(cuMemMap(at, G, 0, handle, 0), 801); // a part
    assert_cu(cuMemMap(at, 4 * G, 0, handle, 0), 801);
    assert_cu(cuMemMap(at, 0, 0, handle, 0), 1);
    assert_cu(cuMemMap(at + 4096, 2 * G, 0, handle, 0), 1);
    assert_cu_ok(cuMemMap(at, 2 * G, 0, handle, 0));
    assert_cu(cuMemMap(at, 2 * G, 0, handle, 0), 1);
    assert_cu(cuMemMap(at + 64 * G, 2 * G, 0, handle, 0), 1);
    assert_cu_ok(cuMemRelease(handle));
    end(at, 2 * G, 4 * G);
}

// 44
static void copies_need_the_rights_of_the_device(void **state) {
    char bytes[64] = {1, 2, 3};
    CUdeviceptr at = reserve(G);
    (void)state;
    map(at, G);
    assert_cu(cuMemcpyHtoD(at, bytes, sizeof bytes), 1);
    assert_cu_ok(grant(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    assert_cu_ok(cuMemcpyHtoD(at, bytes, sizeof bytes));
    assert_cu_ok(grant(at, G, CU_MEM_ACCESS_FLAGS_PROT_READ));
    assert_cu(cuMemcpyHtoD(at, bytes, sizeof bytes), 1);
    memset(bytes, 0, sizeof bytes);
    assert_cu_ok(cuMemcpyDtoH(bytes, at, sizeof bytes));
    assert_int_equal(bytes[2], 3);
    end(at, G, G);
}

// 45, 46
static void rights_and_unmapping_take_whole_mappings(void **state) {
    CUdeviceptr at = reserve(4 * G);
    (void)state;
    map(at, 2 * G);
    assert_cu(grant(at, 4 * G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), 1);
    map(at + 2 * G, 2 * G);
    assert_cu_ok(grant(at, 4 * G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    assert_cu(cuMemUnmap(at, G), 1);
    end(at, 4 * G, 4 * G);
}

static void unmapping_skips_gaps_and_cuts_no_mapping(void **state) {
    CUdeviceptr at = reserve(4 * G);
    (void)state;
    map(at, G);
    map(at + 2 * G, 2 * G);
    size_t before = cuda_free_bytes();
    assert_cu(cuMemUnmap(at, 3 * G), 1);
    assert_cu(cuMemUnmap(at + G + 4096, 3 * G), 1);
    assert_int_equal(cuda_free_bytes(), before);
    assert_cu_ok(cuMemUnmap(at, 4 * G));
    assert_int_equal(cuda_free_bytes(), before + 3 * G);
    assert_cu_ok(cuMemUnmap(at, 4 * G)); // nothing is left
    assert_cu_ok(cuMemAddressFree(at, 4 * G));
    assert_cu(cuMemUnmap(at, 4 * G), 1);
}

static void plain_memory_has_rights(void **state) {
    CUmemLocation here = plain.location;
    unsigned long long flags = 77;
    CUdeviceptr ptr = 0;
    (void)state;
    assert_cu_ok(cuMemAlloc(&ptr, G));
    assert_cu_ok(cuMemGetAccess(&flags, &here, ptr));
    assert_int_equal(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    assert_cu(grant(ptr, G, CU_MEM_ACCESS_FLAGS_PROT_READ), 1);
    assert_cu_ok(cuMemFree(ptr));
}

// 47
static void a_reservation_ends_whole_and_unmapped(void **state) {
    char byte = 7;
    CUdeviceptr at = reserve(2 * G);
    (void)state;
    map(at, G);
    assert_cu(cuMemAddressFree(at, 2 * G), 1);
    assert_cu_ok(grant(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    assert_cu_ok(cuMemcpyHtoD(at, &byte, 1));
    assert_cu_ok(cuMemUnmap(at, G));
    assert_cu(cuMemAddressFree(at, G), 1);
    assert_cu_ok(cuMemAddressFree(at, 2 * G));
}

// 48, 49
static void a_retained_handle_needs_one_release_more(void **state) {
    CUmemGenericAllocationHandle handle = create(G);
    CUmemGenericAllocationHandle again = 0;
    CUdeviceptr at = reserve(G);
    size_t before = cuda_free_bytes();
    (void)state;
    assert_cu_ok(cuMemMap(at, G, 0, handle, 0));
    assert_cu_ok(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(at + 512)));
    assert_true(again == handle);
    end(at, G, G);
    assert_cu_ok(cuMemRelease(handle));
    assert_int_equal(cuda_free_bytes(), before);
    assert_cu_ok(cuMemRelease(handle));
    assert_int_equal(cuda_free_bytes(), before + G);
    assert_cu(cuMemRelease(handle), 1);
    assert_cu(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)at), 1);
}

// In a process of its own, which gets the descriptor by its number.
static void read_by_descriptor(void *arg) {
    char bytes[8] = {0};
    CUmemGenericAllocationHandle handle = 0;
    int fd = *(int *)arg;
    cuda_begin();
    assert_cu_ok(cuMemImportFromShareableHandle(&handle, (void *)(intptr_t)fd,
                                                CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    (void)close(fd);
    CUdeviceptr at = reserve(G);
    assert_cu_ok(cuMemMap(at, G, 0, handle, 0));
    assert_cu_ok(grant(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    assert_cu_ok(cuMemcpyDtoH(bytes, at, sizeof bytes));
    assert_string_equal(bytes, "shared");
    assert_cu(
        cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), 1);
    assert_cu_ok(cuMemRelease(handle));
    end(at, G, G);
}

struct exported {
    int to_child[2];
    int to_parent[2];
};

// The exporter is a child too, because the importer must not inherit an initialised CUDA.
static void export_memory(void *arg) {
    CUmemAllocationProp shareable = plain;
    CUmemGenericAllocationHandle handle = 0;
    int fd = -1;
    (void)arg;
    cuda_begin();
    assert_cu_ok(cuMemCreate(&handle, G, &plain, 0));
    assert_cu(
        cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), 1);
    assert_cu_ok(cuMemRelease(handle));
    shareable.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    assert_cu_ok(cuMemCreate(&handle, G, &shareable, 0));
    assert_cu(
        cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1), 1);
    assert_cu_ok(
        cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CUdeviceptr at = reserve(G);
    assert_cu_ok(cuMemMap(at, G, 0, handle, 0));
    assert_cu_ok(grant(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    assert_cu_ok(cuMemcpyHtoD(at, "shared", 7));
    assert_cu_ok(cuMemRelease(handle));
    read_by_descriptor(&fd);
    end(at, G, G);
}

// 50
static void a_descriptor_opens_the_same_memory(void **state) {
    (void)state;
    cuda_in_child(export_memory, NULL, NULL);
}

// 52
static void a_device_without_rights_has_none(void **state) {
    unsigned long long flags = 99;
    CUdeviceptr at = reserve(G);
    CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    int count = 0;
    (void)state;
    map(at, G);
    assert_cu_ok(grant(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    assert_cu_ok(cuMemGetAccess(&flags, &device, at));
    assert_int_equal(flags, 3);
    assert_cu_ok(cuDeviceGetCount(&count));
    for (device.id = 1; device.id < count; device.id++) {
        assert_cu_ok(cuMemGetAccess(&flags, &device, at));
        assert_int_equal(flags, 0);
    }
    assert_cu(cuMemGetAccess(&flags, &device, at), 101);
    end(at, G, G);
}

static void wait_for_flag(void *flag) {
    while (!__atomic_load_n((int *)flag, __ATOMIC_ACQUIRE)) {
    }
}

// The work that comes too late finds nothing there.
static void unmapping_waits_for_no_work(void **state) {
    CUdeviceptr at = reserve(G);
    CUstream stream = NULL;
    int open = 0;
    (void)state;
    map(at, G);
    assert_cu_ok(grant(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    assert_cu_ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    assert_cu_ok(cuLaunchHostFunc(stream, wait_for_flag, &open));
    assert_cu_ok(cuMemsetD8Async(at, 1, G, stream));
    end(at, G, G);
    __atomic_store_n(&open, 1, __ATOMIC_RELEASE);
    assert_cu(cuStreamSynchronize(stream), 700);
    assert_cuda_ok(cudaDeviceReset());
    cuda_begin();
}

// Section 9: touching device memory faults on a card, so no right opens it.
static void the_host_has_no_rights_to_memory_of_devices(void **state) {
    const CUmemAccessDesc both[] = {
        {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE},
        {{CU_MEM_LOCATION_TYPE_HOST, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE}};
    CUmemAllocationProp of_host = plain;
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr at = reserve(2 * G);
    (void)state;
    map(at, G);
    assert_cu(cuMemSetAccess(at, G, both, 2), 801);
    of_host.location = (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
    assert_cu_ok(cuMemCreate(&handle, G, &of_host, 0));
    assert_cu_ok(cuMemMap(at + G, G, 0, handle, 0));
    assert_cu_ok(cuMemRelease(handle));
    assert_cu_ok(cuMemSetAccess(at + G, G, both, 2));
    *(volatile char *)(uintptr_t)(at + G) = 1;
    assert_cu(cuMemSetAccess(at, 2 * G, both, 2), 801);
    end(at, 2 * G, 2 * G);
}

static void reservations_take_whole_granules(void **state) {
    CUdeviceptr at = 0;
    (void)state;
    assert_cu(cuMemAddressReserve(&at, 0, 0, 0, 0), 1);
    assert_cu(cuMemAddressReserve(&at, 100, 0, 0, 0), 1);
    assert_cu(cuMemAddressReserve(&at, 3 * 4096, 0, 0, 0), 1);
    assert_cu(cuMemAddressReserve(&at, G, 3, 0, 0), 1);
    assert_cu(cuMemAddressReserve(&at, G, 0, 0, 1), 1);
    assert_cu(cuMemAddressReserve(NULL, G, 0, 0, 0), 1);
    assert_cu(cuMemAddressReserve(&at, G, 0, 64 * G + 4096, 0), 1); // the wish, too
}

static void properties_come_back_as_they_were_given(void **state) {
    CUmemAllocationProp read;
    CUmemGenericAllocationHandle handle = create(G);
    (void)state;
    memset(&read, 0xff, sizeof read);
    assert_cu_ok(cuMemGetAllocationPropertiesFromHandle(&read, handle));
    assert_memory_equal(&read, &plain, sizeof read);
    assert_cu_ok(cuMemRelease(handle));
    assert_cu(cuMemGetAllocationPropertiesFromHandle(&read, handle), 1);
}

static void map_without_a_context(void *arg) {
    CUcontext context = (CUcontext)arg;
    assert_cu_ok(cuInit(0));
    CUdeviceptr at = reserve(G);
    map(at, G);
    assert_cu_ok(grant(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    end(at, G, G);
    assert_cu_ok(cuCtxGetCurrent(&context));
    assert_null(context);
}

static void virtual_memory_needs_no_context(void **state) {
    (void)state;
    cuda_in_child(map_without_a_context, NULL, NULL);
}

static int begin(void **state) {
    if (cuda_group_setup(state) != 0) return -1;
    return 0;
}

static int initialize(void **state) {
    (void)state;
    cuda_begin();
    return 0;
}

#define TEST(name) cmocka_unit_test_setup(name, initialize)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_descriptor_opens_the_same_memory), // before this process uses CUDA
        cmocka_unit_test(virtual_memory_needs_no_context),
        TEST(both_granularities_are_two_mebibytes),
        TEST(memory_that_cannot_be_created_is_refused_by_its_reason),
        TEST(only_physical_memory_takes_capacity),
        TEST(a_mapping_begins_at_offset_0_in_free_reserved_addresses),
        TEST(copies_need_the_rights_of_the_device),
        TEST(rights_and_unmapping_take_whole_mappings),
        TEST(unmapping_skips_gaps_and_cuts_no_mapping),
        TEST(plain_memory_has_rights),
        TEST(a_reservation_ends_whole_and_unmapped),
        TEST(a_retained_handle_needs_one_release_more),
        TEST(a_device_without_rights_has_none),
        TEST(unmapping_waits_for_no_work),
        TEST(the_host_has_no_rights_to_memory_of_devices),
        TEST(reservations_take_whole_granules),
        TEST(properties_come_back_as_they_were_given),
    };
    return cmocka_run_group_tests(tests, begin, cuda_group_end);
}
