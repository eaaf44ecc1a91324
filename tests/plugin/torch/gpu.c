// SPDX-License-Identifier: Apache-2.0
// The plug-in on a GPU as frameworks use it: the default device, over a library that
// stands in for the driver, and streams made by the driver's own calls. Its work is host functions,
// so that the test says when it ends.
#include "plugin/torch/library.h"

#include "support/gate.h"

// The driver's calls that a framework makes, found in the library that the plug-in opens too.
static struct {
    int (*init)(unsigned flags);
    int (*retain)(void **context, int device);
    int (*push_context)(void *context);
    int (*stream_create)(void **stream, unsigned flags);
    int (*stream_synchronize)(void *stream);
    int (*launch)(void *stream, void (*fn)(void *), void *arg);
} driver;

static void open_driver(void) {
    const struct {
        const char *name;
        void *field;
    } symbols[] = {
        {"cuInit", &driver.init},
        {"cuDevicePrimaryCtxRetain", &driver.retain},
        {"cuCtxPushCurrent_v2", &driver.push_context},
        {"cuStreamCreate", &driver.stream_create},
        {"cuStreamSynchronize", &driver.stream_synchronize},
        {"cuLaunchHostFunc", &driver.launch},
    };
    void *library = dlopen(getenv("TARN_CUDA_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        assert_non_null(symbol);
        memcpy(symbols[i].field, &symbol, sizeof symbol);
    }
    void *context = NULL;
    assert_int_equal(driver.init(0), 0);
    assert_int_equal(driver.retain(&context, 0), 0);
    assert_int_equal(driver.push_context(context), 0);
}

static void *new_stream(void) {
    void *stream = NULL;
    assert_int_equal(driver.stream_create(&stream, 1), 0);
    return stream;
}

static void look_at_pool(void *arg) {
    (void)arg;
    open_library();
    void *block = get(30 * MIB, NULL);
    struct tarn_torch_statistics stats = stats_of(0);
    assert_int_equal(stats.live_blocks, 1);
    assert_int_equal(stats.fallback, strcmp(getenv("EXPECTED"), "segments") == 0);
    lib.release(block, 30 * MIB, 0, NULL);
    assert_int_equal(lib.trim(0, 0, NULL), 0);
    assert_int_equal(stats_of(0).held_bytes, 0);
}

// Runs `body` on cuda:0 over a stand-in.
static void on_gpu(void (*body)(void *), const char *library, const char *expected) {
    assert_non_null(library);
    with(body, "TARN_TORCH_DEVICE", NULL, "TARN_CUDA_LIBRARY", library, "TARN_CUDA", "memory=96M",
         "EXPECTED", expected, NULL);
}

static void the_first_gpu_is_the_default(void **state) {
    (void)state;
    on_gpu(look_at_pool, getenv("STANDIN"), "expandable");
}

static void a_driver_without_virtual_memory_gets_segments(void **state) {
    (void)state;
    on_gpu(look_at_pool, getenv("STANDIN_OLD"), "segments");
}

static void gpus_of_other_vendors_work_too(void **state) {
    (void)state;
    with(look_at_pool, "TARN_TORCH_DEVICE", "hip:0", "TARN_HIP_LIBRARY", getenv("FACE_HIP"),
         "TARN_HIP_DEVICE", "host:0,memory=96M", "EXPECTED", "expandable", NULL);
    with(look_at_pool, "TARN_TORCH_DEVICE", "ascend:0", "TARN_ASCEND_LIBRARY", getenv("FACE_ACL"),
         "EXPECTED", "expandable", NULL);
}

// A block freed while work was on `busy` goes to no other stream before that work is done.
static void assert_order(void *busy, void *other) {
    struct gate gate = {false, 0};
    void *block = get(60 * MIB, busy);
    assert_int_equal(driver.launch(busy, pass_gate, &gate), 0);
    lib.release(block, 60 * MIB, 0, busy);
    void *meanwhile = get(20 * MIB, other); // the remaining memory of the device
    // A free piece beside the block waits with it.
    assert_true(stats_of(0).pending_bytes - 60 * MIB <= 8 * MIB);
    gate.open = true;
    assert_int_equal(driver.stream_synchronize(busy), 0);
    lib.release(meanwhile, 20 * MIB, 0, other);
    lib.release(get(60 * MIB, other), 60 * MIB, 0, other);
    lib.reset();
    assert_int_equal(stats_of(0).held_bytes, 0);
}

static void order_streams(void *arg) {
    (void)arg;
    open_driver();
    open_library();
    void *first = new_stream();
    void *second = new_stream();
    assert_order(first, second);
    assert_order(NULL, second); // the default stream
    struct gate gate = {false, 0};
    void *block = get(60 * MIB, first);
    assert_int_equal(driver.launch(second, pass_gate, &gate), 0);
    lib.record_stream(block, second);
    lib.release(block, 60 * MIB, 0, first);
    assert_true(get(20 * MIB, first) != block); // not even on its own stream
    gate.open = true;
    assert_int_equal(driver.stream_synchronize(second), 0);
    lib.release(get(60 * MIB, first), 0, 0, first);
}

static void streams_of_the_driver_order_blocks(void **state) {
    (void)state;
    on_gpu(order_streams, getenv("STANDIN"), "");
    on_gpu(order_streams, getenv("STANDIN_OLD"), "");
}

static void find_no_gpu(void *arg) {
    (void)arg;
    open_library();
    struct hearing hearing = listen_begin();
    void *block = lib.alloc(100, 0, NULL);
    const char *said = listen_end(hearing);
    assert_null(block);
    assert_non_null(strstr(
        said,
        "tarn-torch: tarn_torch_malloc: UNSUPPORTED: cuda: library \"/nowhere/libcuda.so.1\""));
}

static void without_a_driver_the_refusal_names_it(void **state) {
    (void)state;
    on_gpu(find_no_gpu, "/nowhere/libcuda.so.1", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_gpu_is_the_default),
        cmocka_unit_test(a_driver_without_virtual_memory_gets_segments),
        cmocka_unit_test(gpus_of_other_vendors_work_too),
        cmocka_unit_test(streams_of_the_driver_order_blocks),
        cmocka_unit_test(without_a_driver_the_refusal_names_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
