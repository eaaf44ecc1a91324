// SPDX-License-Identifier: Apache-2.0
// Devices: their number, identity, attributes, properties, peers, limits and preferences.
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>

#include "support/cuda.h"

// ---- initialisation

static void use_before_init(void *arg) {
    CUdevice device = 7;
    CUcontext ctx = NULL;
    char name[64];
    (void)arg;
    assert_cu(cuDeviceGetCount(&device), 3); // 1
    assert_cu(cuDeviceGet(&device, 0), 3);
    assert_cu(cuDeviceGetName(name, 64, 0), 3);
    assert_cu(cuCtxGetCurrent(&ctx), 3);
    assert_cu(cuDevicePrimaryCtxRetain(&ctx, 0), 3);
    assert_cu_ok(cuDriverGetVersion(&device));
    assert_int_equal(device, 13000);
    assert_cu(cuInit(1), 1); // 2
    assert_cu(cuDeviceGetCount(&device), 3);
    assert_cu_ok(cuInit(0)); // 3
    assert_cu_ok(cuInit(0));
    assert_cu_ok(cuDeviceGetCount(&device));
    assert_true(device > 0);
}

static void the_driver_does_nothing_before_cuInit(void **state) {
    (void)state;
    cuda_in_child(use_before_init, NULL, NULL);
}

static void use_without_device(void *arg) {
    int count = 7;
    (void)arg;
    assert_cu(cuInit(0), 100); // 7
    assert_cuda(cudaGetDeviceCount(&count), 100);
    assert_int_equal(count, 0);
    assert_cuda(cudaGetLastError(), 100);
    assert_cuda(cudaFree(NULL), 100);
    assert_cuda_ok(cudaDriverGetVersion(&count));
    assert_cuda_ok(cudaRuntimeGetVersion(&count));
    assert_int_equal(count, 13000);
    assert_cuda(cudaRuntimeGetVersion(NULL), 1);
}

static void without_a_device_only_versions_are_known(void **state) {
    (void)state;
    cuda_in_child(use_without_device, NULL, "TARN_CUDA_DEVICE", "none", NULL);
}

static void see_one_device(void *arg) {
    struct cudaDeviceProp prop;
    int count = 0;
    (void)arg;
    assert_cuda_ok(cudaGetDeviceCount(&count));
    assert_int_equal(count, 1);
    assert_cuda_ok(cudaGetDeviceProperties(&prop, 0));
    assert_int_equal(prop.pciBusID, 2);
}

static void a_list_selects_the_visible_devices(void **state) {
    (void)state;
    cuda_in_child(see_one_device, NULL, "CUDA_VISIBLE_DEVICES", "1", NULL);
}

// ---- identity

static void devices_have_ordinals(void **state) {
    CUdevice device = 777;
    const int last = cuda_last_device();
    (void)state;
    assert_cu_ok(cuDeviceGet(&device, last));
    assert_int_equal(device, last);
    assert_cu(cuDeviceGet(&device, last + 1), 101); // 8
    assert_cu(cuDeviceGet(&device, -1), 101);
    assert_cu(cuDeviceGet(NULL, 0), 1);
    assert_cu(cuDeviceGetCount(NULL), 1);
    assert_cuda(cudaGetDeviceCount(NULL), 1);
    assert_int_equal(device, last);
    assert_cuda(cudaGetLastError(), 1);
}

static void both_apis_know_a_device_by_the_same_identity(void **state) {
    struct cudaDeviceProp prop;
    CUuuid uuids[2];
    char name[256] = "";
    char bus[2][16] = {"", ""};
    size_t bytes = 0;
    int found = -1;
    const int last = cuda_last_device();
    (void)state;
    assert_cuda_ok(cudaGetDeviceProperties(&prop, last));
    assert_cu_ok(cuDeviceGetName(name, sizeof name, last));
    assert_string_equal(prop.name, name);
    assert_cu_ok(cuDeviceGetName(name, 5, last));
    assert_int_equal(strlen(name), 4);
    assert_cu_ok(cuDeviceGetUuid(&uuids[0], 0));
    assert_cu_ok(cuDeviceGetUuid(&uuids[1], last));
    assert_memory_equal(&prop.uuid, &uuids[1], 16);
    if (last > 0) assert_memory_not_equal(&uuids[0], &uuids[1], 16);
    assert_cu_ok(cuDeviceTotalMem(&bytes, last));
    assert_true(bytes >= (size_t)1 << 30);
    assert_int_equal(prop.totalGlobalMem, bytes);
    assert_cu_ok(cuDeviceGetPCIBusId(bus[0], 16, last));
    assert_cuda_ok(cudaDeviceGetPCIBusId(bus[1], 16, last));
    assert_string_equal(bus[0], bus[1]);
    assert_cu_ok(cuDeviceGetByPCIBusId(&found, bus[0]));
    assert_int_equal(found, last);
    found = -1;
    assert_cuda_ok(cudaDeviceGetByPCIBusId(&found, bus[0]));
    assert_int_equal(found, last);
    (void)snprintf(name, sizeof name, "%04x:%02x:00.0", (unsigned)prop.pciDomainID,
                   (unsigned)prop.pciBusID);
    assert_string_equal(name, bus[0]);
    assert_cu(cuDeviceGetByPCIBusId(&found, "0000:00:00.0"), 101);
    assert_cu(cuDeviceGetPCIBusId(bus[0], 5, last), 1);
    assert_cu(cuDeviceGetName(name, 0, 0), 1);
}

static void the_older_name_gives_the_same_uuid(void **state) {
    CUresult (*older)(CUuuid *, CUdevice) = NULL;
    CUuuid uuids[2];
    (void)state;
    *(void **)&older = dlsym(RTLD_DEFAULT, "cuDeviceGetUuid");
    assert_non_null(older);
    assert_cu_ok(older(&uuids[0], 0));
    assert_cu_ok(cuDeviceGetUuid(&uuids[1], 0));
    assert_memory_equal(&uuids[0], &uuids[1], 16);
}

// ---- attributes and properties

static int attribute(int number, int device) {
    int of_driver = -77;
    int of_runtime = -78;
    assert_cu_ok(cuDeviceGetAttribute(&of_driver, (CUdevice_attribute)number, device));
    assert_cuda_ok(cudaDeviceGetAttribute(&of_runtime, (enum cudaDeviceAttr)number, device));
    assert_int_equal(of_driver, of_runtime);
    return of_driver;
}

static void attributes_state_what_the_device_supports(void **state) {
    static const struct {
        int number;
        int value;
    } known[] = {{10, 32}, {41, 1},  {75, 9},  {76, 0},  {78, 1},  {83, 1},  {88, 0},  {89, 1},
                 {91, 1},  {99, 1},  {102, 1}, {103, 1}, {104, 0}, {107, 0}, {110, 0}, {115, 1},
                 {119, 1}, {122, 1}, {124, 0}, {125, 1}, {128, 0}, {132, 0}, {136, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (attribute(known[i].number, 0) != known[i].value)
            fail_msg("attribute %d is %d", known[i].number, attribute(known[i].number, 0));
    for (int number = 1; number <= 147; number++) (void)attribute(number, cuda_last_device());
}

static void unknown_attributes_are_refused(void **state) {
    static const int numbers[] = {0, -1, 148, 1000};
    int value = 7;
    (void)state;
    for (int i = 0; i < 4; i++) {
        assert_cu(cuDeviceGetAttribute(&value, (CUdevice_attribute)numbers[i], 0), 1);
        assert_cuda(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)numbers[i], 0), 1);
    }
    assert_cu(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, cuda_last_device() + 1),
              101);
    assert_cuda(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1), 101);
    assert_cu(cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0), 1);
    assert_int_equal(value, 7);
    (void)cudaGetLastError();
}

static void properties_are_the_attributes(void **state) {
    struct cudaDeviceProp prop;
    CUdevprop old;
    int major = 0;
    int minor = -1;
    const int last = cuda_last_device();
    (void)state;
    assert_int_equal(sizeof prop, 1008);
    assert_cuda_ok(cudaGetDeviceProperties(&prop, last));
    assert_int_equal(prop.sharedMemPerBlock, attribute(8, last));
    assert_int_equal(prop.warpSize, 32);
    assert_int_equal(prop.memPitch, INT_MAX);
    assert_int_equal(prop.maxThreadsPerBlock, attribute(1, last));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(prop.maxThreadsDim[i], attribute(2 + i, last));
        assert_int_equal(prop.maxGridSize[i], attribute(5 + i, last));
    }
    assert_int_equal(prop.totalConstMem, attribute(9, last));
    assert_int_equal(prop.major, 9);
    assert_int_equal(prop.multiProcessorCount, attribute(16, last));
    assert_true(prop.multiProcessorCount > 0);
    assert_int_equal(prop.pciBusID, attribute(33, last));
    assert_int_equal(prop.unifiedAddressing, 1);
    assert_int_equal(prop.pageableMemoryAccess, 0);
    assert_int_equal(prop.concurrentManagedAccess, 1);
    assert_int_equal(prop.memoryPoolsSupported, 1);
    assert_int_equal(prop.memoryPoolSupportedHandleTypes, 1);
    assert_int_equal(prop.regsPerMultiprocessor, attribute(82, last));
    assert_int_equal(prop.ipcEventSupported, 1);
    assert_int_equal(prop.hostNumaId, attribute(134, last));
    assert_cu_ok(cuDeviceComputeCapability(&major, &minor, last));
    assert_int_equal(major * 10 + minor, 90);
    assert_cu_ok(cuDeviceGetProperties(&old, 0));
    assert_int_equal(old.maxGridSize[0], attribute(5, 0));
    assert_int_equal(old.SIMDWidth, 32);
    assert_int_equal(old.clockRate, attribute(13, 0));
    assert_cuda(cudaGetDeviceProperties(NULL, 0), 1);
    assert_cuda(cudaGetDeviceProperties(&prop, last + 1), 101);
    (void)cudaGetLastError();
}

// Opens the runtime of release 12, which lies beside the driver's library.
static void *open_release_12(void) {
    char path[4096];
    Dl_info driver;
    assert_int_not_equal(dladdr(dlsym(RTLD_DEFAULT, "cuInit"), &driver), 0);
    size_t folder = (size_t)(strrchr(driver.dli_fname, '/') - driver.dli_fname);
    (void)snprintf(path, sizeof path, "%.*s/libcudart.so.12", (int)folder, driver.dli_fname);
    return dlopen(path, RTLD_NOW);
}

// The members by their offsets, because this program knows the headers of release 13.
static void the_struct_of_release_12_has_its_own_layout(void **state) {
    static const struct {
        size_t at;
        int number;
    } members[] = {{308, 10}, {320, 1},  {324, 2},  {336, 5},   {348, 13},  {360, 75},
                   {388, 16}, {608, 36}, {612, 37}, {616, 38},  {624, 39},  {652, 83},
                   {668, 87}, {676, 89}, {684, 91}, {744, 115}, {760, 119}, {768, 125}};
    unsigned char bytes[1040];
    cudaError_t (*get)(void *, int) = NULL;
    void *release = open_release_12();
    (void)state;
    assert_non_null(release);
    *(void **)&get = dlsym(release, "cudaGetDeviceProperties_v2");
    assert_non_null(get);
    memset(bytes, 0xee, sizeof bytes);
    assert_cuda_ok(get(bytes, cuda_last_device()));
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        int value = -1;
        memcpy(&value, bytes + members[i].at, sizeof value);
        if (value != attribute(members[i].number, cuda_last_device()))
            fail_msg("attribute %d at %zu is %d", members[i].number, members[i].at, value);
    }
    assert_int_equal(bytes[1031], 0);
    for (size_t i = 1032; i < sizeof bytes; i++) assert_int_equal(bytes[i], 0xee);
    assert_int_equal(dlclose(release), 0);
}

static void see_capability(void *arg) {
    struct cudaDeviceProp prop;
    (void)arg;
    assert_cuda_ok(cudaGetDeviceProperties(&prop, 0));
    assert_int_equal(prop.major, 8);
    assert_int_equal(prop.minor, 6);
    assert_int_equal(attribute(76, 0), 6);
}

static void the_compute_capability_can_be_chosen(void **state) {
    (void)state;
    cuda_in_child(see_capability, NULL, "TARN_CUDA_CAPABILITY", "8.6", NULL);
}

static void any_device_is_a_choice(void **state) {
    struct cudaDeviceProp wish = {.major = 99};
    int device = -1;
    (void)state;
    assert_cuda_ok(cudaChooseDevice(&device, &wish));
    assert_int_equal(device, 0);
    assert_cuda(cudaChooseDevice(NULL, &wish), 1);
    assert_cuda(cudaChooseDevice(&device, NULL), 1);
    (void)cudaGetLastError();
}

// ---- choosing a device

static void begin_with_second(void *arg) {
    int bad = 77;
    int count = 0;
    int device = -1;
    CUcontext ctx = (CUcontext)&device;
    unsigned flags = 0;
    int active = 0;
    (void)arg;
    assert_cuda_ok(cudaGetDeviceCount(&count));
    int list[] = {count - 1, 0};
    assert_cuda(cudaSetValidDevices(&bad, 1), 101);
    assert_cuda(cudaSetValidDevices(list, count + 1), 1);
    assert_cuda(cudaSetValidDevices(NULL, 1), 1);
    assert_cuda_ok(cudaSetValidDevices(list, count > 1 ? 2 : 1));
    assert_cuda_ok(cudaGetDevice(&device));
    assert_int_equal(device, count - 1);
    assert_cuda(cudaInitDevice(count, 0, 0), 101);
    assert_cuda_ok(cudaInitDevice(0, 0, 2)); // unknown flags
    assert_cuda_ok(cudaInitDevice(0, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid));
    assert_cu_ok(cuCtxGetCurrent(&ctx));
    assert_null(ctx); // it is not current
    assert_cu_ok(cuDevicePrimaryCtxGetState(0, &flags, &active));
    assert_int_equal(flags, cudaDeviceScheduleYield);
    assert_int_equal(active, 1);
    assert_cu_ok(cuDevicePrimaryCtxRelease(0)); // the runtime's own reference
    assert_cuda_ok(cudaFree(NULL));
    assert_cu_ok(cuCtxGetDevice(&device));
    assert_int_equal(device, count - 1);
}

static void a_thread_begins_with_the_first_valid_device(void **state) {
    (void)state;
    cuda_in_child(begin_with_second, NULL, NULL);
}

static void flags_of_a_device_are_kept(void **state) {
    unsigned flags = 77;
    (void)state;
    assert_cuda_ok(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync | cudaDeviceMapHost));
    assert_cuda_ok(cudaGetDeviceFlags(&flags));
    assert_int_equal(flags, cudaDeviceScheduleBlockingSync | cudaDeviceMapHost);
    assert_cuda(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield), 1);
    assert_cuda(cudaSetDeviceFlags(0x100), 1);
    assert_cuda(cudaGetDeviceFlags(NULL), 1);
    assert_cu_ok(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
    assert_cuda_ok(cudaGetDeviceFlags(&flags));
    assert_int_equal(flags & cudaDeviceScheduleMask, cudaDeviceScheduleYield);
    assert_cuda_ok(cudaSetDeviceFlags(0));
    assert_cuda_ok(cudaGetDeviceFlags(&flags));
    assert_int_equal(flags, cudaDeviceMapHost);
    (void)cudaGetLastError();
}

// ---- limits and preferences

static void limits_are_kept_and_checked(void **state) {
    size_t bytes = 0;
    (void)state;
    assert_cu_ok(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
    assert_int_equal(bytes, 1024);
    assert_cuda_ok(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
    assert_int_equal(bytes, 1 << 20);
    assert_cuda_ok(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4096));
    assert_cu_ok(cuCtxGetLimit(&bytes, CU_LIMIT_PRINTF_FIFO_SIZE));
    assert_int_equal(bytes, 4096);
    assert_cu_ok(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 0));
    assert_cuda_ok(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    assert_int_equal(bytes, 0);
    assert_cuda(cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize), 215);
    assert_cu(cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 4), 215);
    assert_cu(cuCtxGetLimit(&bytes, (CUlimit)7), 215); // of shared memory
    assert_cu(cuCtxGetLimit(&bytes, (CUlimit)10), 1);
    assert_cu(cuCtxGetLimit(NULL, CU_LIMIT_STACK_SIZE), 1);
    assert_cuda_ok(cudaDeviceReset());
    assert_cuda_ok(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
    assert_int_equal(bytes, 1 << 20);
    (void)cudaGetLastError();
}

static void the_division_of_the_cache_is_a_preference(void **state) {
    CUfunc_cache cache = CU_FUNC_CACHE_PREFER_NONE;
    CUsharedconfig banks = CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;
    (void)state;
    assert_cuda_ok(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    assert_cu_ok(cuCtxGetCacheConfig(&cache));
    assert_int_equal(cache, CU_FUNC_CACHE_PREFER_L1);
    assert_cu(cuCtxSetCacheConfig((CUfunc_cache)4), 1);
    assert_cu_ok(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_NONE));
    assert_cu_ok(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
    assert_cu_ok(cuCtxGetSharedMemConfig(&banks));
    assert_int_equal(banks, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE);
    enum cudaFuncCache same = cudaFuncCachePreferShared;
    enum cudaSharedMemConfig width = cudaSharedMemBankSizeDefault;
    assert_cuda_ok(cudaDeviceGetCacheConfig(&same));
    assert_int_equal(same, cudaFuncCachePreferNone);
    assert_cuda_ok(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
    assert_cuda_ok(cudaDeviceGetSharedMemConfig(&width));
    assert_int_equal(width, cudaSharedMemBankSizeFourByte);
}

// ---- peers

static void peers_are_enabled_once(void **state) {
    int can = -1;
    int value = -1;
    (void)state;
    if (cuda_last_device() < 1) skip();
    assert_cu_ok(cuDeviceCanAccessPeer(&can, 0, 1));
    assert_int_equal(can, 1);
    assert_cuda_ok(cudaDeviceCanAccessPeer(&can, 0, 0));
    assert_int_equal(can, 0);
    assert_cuda(cudaDeviceCanAccessPeer(&can, 0, 2), 101);
    assert_cuda_ok(cudaDeviceEnablePeerAccess(1, 0)); // 84
    assert_cuda(cudaDeviceEnablePeerAccess(1, 0), 704);
    assert_cuda_ok(cudaDeviceDisablePeerAccess(1));
    assert_cuda(cudaDeviceDisablePeerAccess(1), 705);
    assert_cuda(cudaDeviceEnablePeerAccess(1, 1), 1);
    assert_cuda_ok(cudaDeviceEnablePeerAccess(1, 0));
    assert_cuda_ok(cudaDeviceReset());
    assert_cuda(cudaDeviceDisablePeerAccess(1), 705);
    assert_cu_ok(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
    assert_int_equal(value, 1);
    assert_cuda_ok(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 1));
    assert_int_equal(value, 0);
    assert_cu(cuDeviceGetP2PAttribute(&value, (CUdevice_P2PAttribute)0, 0, 1), 1);
    assert_cu(cuDeviceGetP2PAttribute(&value, (CUdevice_P2PAttribute)6, 0, 1), 1);
    assert_cu(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, 0, 0), 101);
    (void)cudaGetLastError();
}

static void a_device_is_no_peer_of_itself(void **state) {
    CUcontext own = NULL;
    (void)state;
    assert_cu_ok(cuCtxGetCurrent(&own));
    assert_cuda(cudaDeviceEnablePeerAccess(0, 0), 217);
    assert_cu(cuCtxEnablePeerAccess(own, 0), 217); // 84
    assert_cu(cuCtxEnablePeerAccess(NULL, 1), 201);
    assert_cu(cuCtxEnablePeerAccess((CUcontext)&own, 1), 709);
    assert_cuda(cudaDeviceEnablePeerAccess(0, 1), 1);
    assert_cuda(cudaDeviceDisablePeerAccess(0), 705);
    assert_cu(cuCtxDisablePeerAccess(own), 705);
    assert_cuda(cudaDeviceEnablePeerAccess(cuda_last_device() + 1, 1), 101);
    (void)cudaGetLastError();
}

static void the_driver_names_peers_by_contexts(void **state) {
    CUcontext other = NULL;
    (void)state;
    if (cuda_last_device() < 1) skip();
    assert_cu_ok(cuDevicePrimaryCtxRetain(&other, 1));
    assert_cu_ok(cuCtxEnablePeerAccess(other, 0));
    assert_cu(cuCtxEnablePeerAccess(other, 0), 704);
    assert_cuda(cudaDeviceEnablePeerAccess(1, 0), 704); // both APIs show the same
    assert_cu_ok(cuCtxDisablePeerAccess(other));
    assert_cu(cuCtxDisablePeerAccess(other), 705);
    assert_cu(cuCtxEnablePeerAccess(other, 1), 1);
    assert_cu_ok(cuDevicePrimaryCtxRelease(1));
    (void)cudaGetLastError();
}

static int begin(void **state) {
    int failed = cuda_group_setup(state);
    (void)unsetenv("TARN_CUDA_CAPABILITY");
    return failed;
}

static int use_device_0(void **state) {
    (void)state;
    cuda_begin();
    return 0;
}

#define test(name) cmocka_unit_test_setup(name, use_device_0)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_driver_does_nothing_before_cuInit),
        cmocka_unit_test(without_a_device_only_versions_are_known),
        cmocka_unit_test(a_list_selects_the_visible_devices),
        cmocka_unit_test(the_compute_capability_can_be_chosen),
        cmocka_unit_test(a_thread_begins_with_the_first_valid_device),
        test(devices_have_ordinals),
        test(both_apis_know_a_device_by_the_same_identity),
        test(the_older_name_gives_the_same_uuid),
        test(attributes_state_what_the_device_supports),
        test(unknown_attributes_are_refused),
        test(properties_are_the_attributes),
        test(the_struct_of_release_12_has_its_own_layout),
        test(any_device_is_a_choice),
        test(flags_of_a_device_are_kept),
        test(limits_are_kept_and_checked),
        test(the_division_of_the_cache_is_a_preference),
        test(peers_are_enabled_once),
        test(a_device_is_no_peer_of_itself),
        test(the_driver_names_peers_by_contexts),
    };
    return cmocka_run_group_tests(tests, begin, cuda_group_end);
}
