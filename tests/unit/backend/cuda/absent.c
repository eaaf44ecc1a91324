// SPDX-License-Identifier: Apache-2.0
// What the backend for CUDA says where something is missing: the driver, a device, or a part of
// either. Each case is a process of its own, over the stand-in or without any library.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tarn/tarn.h>

#include "support/child.h"

// The library of that folder of the build.
static const char *standin(const char *folder) {
    static char path[512];
    (void)snprintf(path, sizeof path, "%s/%s/libcuda.so.1", getenv("STANDIN"), folder);
    return path;
}

static void run(void (*body)(void *), ...) {
    va_list pairs;
    va_start(pairs, body);
    child_run(body, NULL, pairs);
    va_end(pairs);
}

static tarn_device *open_good(void) {
    tarn_device *device = NULL;
    tarn_status status = tarn_device_open("cuda:0", &device);
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        fail_msg("%s", error.message);
    }
    return device;
}

static tarn_device_info info_of(tarn_device *device) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    assert_int_equal(tarn_device_query(device, &info), TARN_OK);
    return info;
}

// Refused with this status, the driver's code, and a text with this in it.
static void refused(tarn_status want, int64_t code, const char *call, const char *text) {
    tarn_device *device = NULL;
    tarn_error error;
    assert_int_equal(tarn_device_open("cuda:0", &device), want);
    assert_int_equal(tarn_last_error(&error), want);
    assert_int_equal(error.native_code, code);
    assert_string_equal(error.call, call);
    if (strstr(error.message, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, text);
}

// ---- no driver

static void open_without(void *arg) {
    (void)arg;
    refused(TARN_UNSUPPORTED, 0, "", "/nowhere/libcuda.so.1");
    tarn_device *device = NULL;
    assert_int_equal(tarn_device_open("cuda:0,library=/elsewhere/libcuda.so.1", &device),
                     TARN_UNSUPPORTED);
    assert_int_equal(tarn_device_open("host:0", &device), TARN_OK); // the others are there
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void no_library_is_unsupported_and_named(void **state) {
    (void)state;
    run(open_without, "TARN_CUDA_LIBRARY", "/nowhere/libcuda.so.1", NULL);
}

static void open_not_cuda(void *arg) {
    (void)arg;
    refused(TARN_UNSUPPORTED, 0, "", "cuInit");
}

static void a_library_that_is_no_driver_is_refused(void **state) {
    (void)state;
    run(open_not_cuda, "TARN_CUDA_LIBRARY", "libm.so.6", NULL);
}

static void open_stub(void *arg) {
    (void)arg;
    refused(TARN_UNSUPPORTED, 34, "cuInit", "CUDA_ERROR_STUB_LIBRARY (34)");
    refused(TARN_UNSUPPORTED, 34, "cuInit", "toolkit's stub"); // each time
}

static void the_toolkits_stub_is_told_as_such(void **state) {
    glob_t real; // where a toolkit is installed
    (void)state;
    run(open_stub, "TARN_CUDA_LIBRARY", standin("cuda"), "TARN_STANDIN_CUDA_STUB", "1", NULL);
    if (glob("/usr/local/cuda*/lib*/stubs/libcuda.so", 0, NULL, &real) == 0)
        run(open_stub, "TARN_CUDA_LIBRARY", real.gl_pathv[0], NULL);
    globfree(&real);
}

static void open_no_device(void *arg) {
    (void)arg;
    refused(TARN_BAD_DEVICE, 100, "cuInit", "CUDA_ERROR_NO_DEVICE");
}

static void no_device_is_told_with_the_drivers_code(void **state) {
    (void)state;
    run(open_no_device, "TARN_CUDA_LIBRARY", standin("cuda"), "TARN_CUDA_DEVICE", "none", NULL);
}

static void open_after_fork(void *arg) {
    (void)arg;
    tarn_device *device = open_good();
    pid_t child = fork();
    if (child == 0) {
        refused(TARN_UNSUPPORTED, 3, "cuInit", "fork()");
        _exit(0); // a failure does not come here
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void a_child_of_fork_is_told_why_not(void **state) {
    (void)state;
    run(open_after_fork, "TARN_CUDA_LIBRARY", standin("cuda"), NULL);
}

// ---- an old driver, or a device without a part

// Everything but virtual memory.
static void use_plain_memory(tarn_device *device) {
    tarn_stream stream = 0;
    tarn_addr memory = 0;
    char byte = 0;
    assert_int_equal(tarn_memory_alloc(device, 100, &memory), TARN_OK);
    assert_int_equal(tarn_stream_create(device, &stream), TARN_OK);
    assert_int_equal(tarn_fill(NULL, memory, 5, 1, 100, stream), TARN_OK);
    assert_int_equal(tarn_copy(NULL, TARN_ADDR(&byte), memory, 1, stream), TARN_OK);
    assert_int_equal(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_OK);
    assert_int_equal(byte, 5);
    assert_int_equal(tarn_stream_destroy(stream), TARN_OK);
    assert_int_equal(tarn_memory_free(memory, 0), TARN_OK);
}

static void live_without_vmm(tarn_device *device) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    assert_int_equal(info_of(device).features & TARN_FEATURE_VMM, 0);
    assert_int_equal(info_of(device).shareable, 0);
    assert_int_equal(tarn_space_reserve(device, 1 << 21, 0, 0, &addr), TARN_UNSUPPORTED);
    assert_int_equal(tarn_phys_create(device, 1 << 21, NULL, &phys), TARN_UNSUPPORTED);
    use_plain_memory(device);
    desc.kind = TARN_POOL_EXPANDABLE; // made of segments instead
    desc.device = device;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    assert_int_equal(tarn_pool_alloc(pool, 1000, 0, &addr), TARN_OK);
    assert_int_equal(tarn_pool_free(pool, addr), TARN_OK);
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void use_old(void *arg) {
    (void)arg;
    live_without_vmm(open_good());
}

static void a_driver_from_before_virtual_memory_still_serves(void **state) {
    (void)state;
    run(use_old, "TARN_CUDA_LIBRARY", standin("cuda_old"), "TARN_STANDIN_CUDA_VERSION", "10010",
        NULL);
}

// What the platform's settings say about its virtual memory.
static const char *vmm_of(tarn_device *device) {
    tarn_setting setting;
    for (unsigned i = 0; tarn_device_query_setting(device, i, &setting) == TARN_OK; i++)
        if (strcmp(setting.key, "vmm") == 0) return setting.value;
    return "";
}

static void use_without_vmm(void *arg) {
    (void)arg;
    tarn_device *device = open_good();
    assert_string_equal(vmm_of(device), "not in this version");
    live_without_vmm(device);
}

static void a_device_without_virtual_memory_still_serves(void **state) {
    (void)state;
    run(use_without_vmm, "TARN_CUDA_LIBRARY", standin("cuda"), "TARN_STANDIN_CUDA_WITHOUT", "vmm",
        NULL);
}

static void use_without_sharing(void *arg) {
    (void)arg;
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys phys = 0;
    tarn_device *device = open_good();
    tarn_device_info info = info_of(device);
    desc.shareable = TARN_SHAREABLE_FD;
    assert_int_equal(info.features & TARN_FEATURE_VMM, TARN_FEATURE_VMM);
    assert_int_equal(info.shareable, 0);
    assert_int_equal(tarn_phys_create(device, info.granularity_minimum, &desc, &phys),
                     TARN_UNSUPPORTED);
    assert_int_equal(tarn_phys_create(device, info.granularity_minimum, NULL, &phys), TARN_OK);
    assert_int_equal(tarn_phys_release(phys), TARN_OK);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void memory_that_cannot_leave_is_found_by_trying(void **state) {
    (void)state;
    run(use_without_sharing, "TARN_CUDA_LIBRARY", standin("cuda"), "TARN_STANDIN_CUDA_WITHOUT",
        "fd", NULL);
}

static void use_without_peers(void *arg) {
    (void)arg;
    tarn_device *device = open_good();
    tarn_device *peer = NULL;
    bool can = true;
    assert_int_equal(info_of(device).features & TARN_FEATURE_PEER, 0);
    assert_int_equal(tarn_device_sibling(device, 1, &peer), TARN_OK);
    assert_int_equal(tarn_device_query_peer(device, peer, &can, NULL), TARN_OK);
    assert_false(can);
    assert_int_equal(tarn_device_enable_peer(device, peer), TARN_UNSUPPORTED);
    assert_int_equal(tarn_device_close(peer), TARN_OK);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void devices_out_of_each_others_reach_are_no_peers(void **state) {
    (void)state;
    run(use_without_peers, "TARN_CUDA_LIBRARY", standin("cuda"), "TARN_STANDIN_CUDA_WITHOUT",
        "peer", NULL);
}

static void use_coherent(void *arg) {
    (void)arg;
    const uint32_t want = TARN_FEATURE_HOST_ACCESS | TARN_FEATURE_HOST_PHYS;
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_grant both[] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE},
                         {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ_WRITE}};
    tarn_device *device = open_good();
    tarn_device_info info = info_of(device);
    tarn_addr addr = 0;
    uint64_t g = info.granularity_minimum;
    assert_int_equal(info.features & want, want);
    assert_int_equal(tarn_space_reserve(device, g, 0, 0, &addr), TARN_OK);
    for (int round = 0; round < 2; round++) {
        tarn_phys phys = 0;
        desc.location.type = round == 0 ? TARN_LOCATION_DEVICE : TARN_LOCATION_HOST_NUMA;
        assert_int_equal(tarn_phys_create(device, g, &desc, &phys), TARN_OK);
        assert_int_equal(tarn_map(addr, g, phys), TARN_OK);
        assert_int_equal(tarn_phys_release(phys), TARN_OK);
        assert_int_equal(tarn_map_set_access(addr, g, both, 2), TARN_OK);
        assert_int_equal(tarn_fill(device, addr, 9, 1, g, 0), TARN_OK);
        assert_int_equal(*(unsigned char *)(uintptr_t)(addr + g - 1), 9);
        assert_int_equal(tarn_unmap(addr, g, 0), TARN_OK);
    }
    assert_int_equal(tarn_space_release(addr), TARN_OK);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void a_machine_whose_cpu_sees_the_cards_memory_is_found_by_trying(void **state) {
    (void)state;
    run(use_coherent, "TARN_CUDA_LIBRARY", standin("cuda"), "TARN_CUDA_COHERENT", "1", NULL);
}

static void use_by_symbols(void *arg) {
    (void)arg;
    tarn_device *device = open_good();
    assert_int_equal(info_of(device).features & TARN_FEATURE_VMM, TARN_FEATURE_VMM);
    use_plain_memory(device);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void a_driver_that_finds_no_functions_is_read_by_its_symbols(void **state) {
    (void)state;
    run(use_by_symbols, "TARN_CUDA_LIBRARY", standin("cuda"), "TARN_STANDIN_CUDA_WITHOUT",
        "procaddress", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_library_is_unsupported_and_named),
        cmocka_unit_test(a_library_that_is_no_driver_is_refused),
        cmocka_unit_test(the_toolkits_stub_is_told_as_such),
        cmocka_unit_test(no_device_is_told_with_the_drivers_code),
        cmocka_unit_test(a_child_of_fork_is_told_why_not),
        cmocka_unit_test(a_driver_from_before_virtual_memory_still_serves),
        cmocka_unit_test(a_device_without_virtual_memory_still_serves),
        cmocka_unit_test(memory_that_cannot_leave_is_found_by_trying),
        cmocka_unit_test(devices_out_of_each_others_reach_are_no_peers),
        cmocka_unit_test(a_machine_whose_cpu_sees_the_cards_memory_is_found_by_trying),
        cmocka_unit_test(a_driver_that_finds_no_functions_is_read_by_its_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
