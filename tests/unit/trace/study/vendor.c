// SPDX-License-Identifier: Apache-2.0
// The vendor of recordings: by format, by settings, by stacks, and not by the word "cuda" alone.
#include "trace/study/vendor.h"

#include "unit/trace/script.h"

// A recording with a setting and a call, which may be NULL.
static enum tn_vendor find_vendor(enum tn_trace_format format, const char *setting,
                                  const char *function, const char *file) {
    struct trace_script script;
    struct tn_trace trace;
    script_begin(&script, format);
    if (setting != NULL)
        assert_int_equal(tn_builder_setting(&script.builder, script_text(&script, setting), 0),
                         TARN_OK);
    if (function != NULL) (void)script_call(&script, 0, function, file, 1);
    script_end(&script, &trace);
    enum tn_vendor vendor = tn_vendor_find(&trace);
    tn_trace_release(&trace);
    return vendor;
}

static void vendor_is_that_of_the_format(void **state) {
    (void)state;
    assert_int_equal(find_vendor(TN_TRACE_NSYS, NULL, NULL, NULL), TN_VENDOR_NVIDIA);
    assert_int_equal(find_vendor(TN_TRACE_RMM, NULL, NULL, NULL), TN_VENDOR_NVIDIA);
    assert_int_equal(find_vendor(TN_TRACE_ROCPROF, NULL, NULL, NULL), TN_VENDOR_AMD);
    assert_int_equal(find_vendor(TN_TRACE_MEMSCOPE, NULL, NULL, NULL), TN_VENDOR_ASCEND);
    assert_int_equal(find_vendor(TN_TRACE_NPU_PROFILER, NULL, NULL, NULL), TN_VENDOR_ASCEND);
    assert_int_equal(find_vendor(TN_TRACE_TEXT, NULL, NULL, NULL), TN_VENDORS);
}

static void settings_of_one_build_show_it(void **state) {
    (void)state;
    assert_int_equal(find_vendor(TN_TRACE_SNAPSHOT, "pinned_use_cuda_host_register", NULL, NULL),
                     TN_VENDOR_NVIDIA);
    assert_int_equal(find_vendor(TN_TRACE_SNAPSHOT, "pinned_use_hip_host_register", NULL, NULL),
                     TN_VENDOR_AMD);
    assert_int_equal(find_vendor(TN_TRACE_SNAPSHOT, "PYTORCH_CUDA_ALLOC_CONF", NULL, NULL),
                     TN_VENDORS);
}

static void stacks_show_it_unless_they_are_of_python(void **state) {
    (void)state;
    assert_int_equal(
        find_vendor(TN_TRACE_BINARY, NULL, "c10::cuda::CUDACachingAllocator::malloc", "??"),
        TN_VENDOR_NVIDIA);
    assert_int_equal(find_vendor(TN_TRACE_BINARY, NULL, "c10::hip::HIPCachingAllocator", "??"),
                     TN_VENDOR_AMD);
    assert_int_equal(find_vendor(TN_TRACE_BINARY, NULL, "empty", "site/torch_npu/npu/memory.py"),
                     TN_VENDOR_ASCEND);
    assert_int_equal(find_vendor(TN_TRACE_BINARY, NULL, "empty", "site/torch/cuda/memory.py"),
                     TN_VENDORS);
}

static void each_vendor_has_a_name(void **state) {
    (void)state;
    assert_string_equal(tn_vendor_name(TN_VENDOR_AMD), "AMD");
    assert_null(tn_vendor_name(TN_VENDORS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vendor_is_that_of_the_format),
        cmocka_unit_test(settings_of_one_build_show_it),
        cmocka_unit_test(stacks_show_it_unless_they_are_of_python),
        cmocka_unit_test(each_vendor_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
