// SPDX-License-Identifier: Apache-2.0
// The tables of code that owns no memory: each row is a claim about one function or file.
#include "trace/study/signs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void check_flags(const char *text, unsigned flags, unsigned wanted) {
    if (flags != wanted) print_error("%s: %#x, not %#x\n", text, flags, wanted);
    assert_int_equal(flags, wanted);
}

static void functions_of_libraries_are_hidden(void **state) {
    (void)state;
    static const char *const hidden[] = {
        "_PyEval_EvalFrameDefault",
        "PyObject_Call",
        "pymain_run_module",
        "method_vectorcall",
        "cfunction_call",
        "c10::cuda::CUDACachingAllocator::malloc(void**, int)",
        "at::TensorBase at::detail::_empty_generic<long>(c10::ArrayRef<long>)",
        "void torch::autograd::AccumulateGrad::accumulateGrad<int>(at::Tensor const&)",
        "std::vector<float, Mine<float> >::vector(unsigned long)",
        "operator new(unsigned long)",
        "operator new[](unsigned long)",
        "__gnu_cxx::new_allocator<int>::allocate(unsigned long)",
        "rmm::mr::pool_memory_resource<int>::do_allocate(unsigned long)",
        "__libc_start_main",
        "__libc_start_call_main",
        "_start",
        "hipMallocAsync",
        "cudaMalloc",
        "aclrtMalloc",
        "tarn_pool_alloc",
        "run_mod.isra.0",
        "_PyObject_MakeTpCall.localalias",
        "malloc",
        "clone",
        "__xmknodat",
        "__nss_database_lookup",
        "_IO_file_xsgetn",
    };
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        check_flags(hidden[i], tn_signs_of_function(hidden[i]), TN_SIGN_HIDDEN);
    check_flags("unwind", tn_signs_of_function("torch::unwind::unwind()"),
                TN_SIGN_HIDDEN | TN_SIGN_RECORDER);
}

static void functions_of_programs_are_not_hidden(void **state) {
    (void)state;
    static const char *const own[] = {
        "main",
        "update_nodes",
        "<module>",
        "train(std::vector<float>&)",
        "std::vector<int> make_batch(c10::ArrayRef<long>)",
        "Mine<float>::allocate(unsigned long)",
        "mine::cuda::reserve(unsigned long)",
        "cuda::reserve(unsigned long)",
        "Pool<std::string>::operator new(unsigned long)",
        "PyramidBuild",
        "malloc_batch",
        "hipMallocChecked",
        "cudaMallocOrDie",
        "run_model",
        "method_caller",
        "THPoolGrow",
        "started",
        "main::{lambda(int)#1}::operator()(int) const",
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        check_flags(own[i], tn_signs_of_function(own[i]), 0);
}

static void operators_and_backward_passes_are_known(void **state) {
    (void)state;
    static const struct {
        const char *function;
        unsigned flags;
    } rows[] = {
        {"at::_ops::mm::call(at::Tensor const&)", TN_SIGN_HIDDEN | TN_SIGN_OPERATOR},
        {"aten::mm", TN_SIGN_HIDDEN | TN_SIGN_OPERATOR},
        {"torch::autograd::generated::MmBackward0::apply(int)", TN_SIGN_HIDDEN | TN_SIGN_BACKWARD},
        {"torch::autograd::AccumulateGrad::apply(int)", TN_SIGN_HIDDEN | TN_SIGN_BACKWARD},
        {"autograd::engine::evaluate_function: MmBackward0", TN_SIGN_HIDDEN | TN_SIGN_BACKWARD},
        {"BackwardPlan::apply_all(int)", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_flags(rows[i].function, tn_signs_of_function(rows[i].function), rows[i].flags);
}

static void native_files_of_libraries_are_hidden(void **state) {
    (void)state;
    static const struct {
        const char *file;
        unsigned flags;
    } rows[] = {
        {"RegisterCUDA.cpp", TN_SIGN_HIDDEN},
        {"/pytorch/build/aten/src/ATen/RegisterCPU.cpp", TN_SIGN_HIDDEN},
        {"VariableType_3.cpp", TN_SIGN_HIDDEN},
        {"/usr/local/src/python-3.12.7/Objects/call.c", TN_SIGN_HIDDEN},
        {"ceval.c", TN_SIGN_HIDDEN},
        {"/usr/include/c++/12/bits/stl_vector.h", TN_SIGN_HIDDEN},
        {"libtarn.so.0", TN_SIGN_HIDDEN},
        {"/opt/tarn/lib/tarn/hip/libamdhip64.so.6", TN_SIGN_HIDDEN},
        {"/usr/lib/x86_64-linux-gnu/libc.so.6", TN_SIGN_HIDDEN},
        {"/usr/bin/python3.11", TN_SIGN_HIDDEN},
        {"/usr/local/cuda/lib64/libcudart.so.12", TN_SIGN_HIDDEN},
        {"/opt/conda/lib/libopenblas.so.0", TN_SIGN_HIDDEN},
        {"/venv/lib/python3.11/site-packages/jaxlib/libjax_common.so", TN_SIGN_HIDDEN},
        {"/data/me/RegisterClient.cpp", 0},
        {"/data/me/Register/memory.c", 0},
        {"/data/me/myceval.c", 0},
        {"/data/me/RegisterMetadata.cpp", 0},
        {"/data/me/TraceTypes.cpp", 0},
        {"/data/me/python3_bindings.cpp", 0},
        {"/data/me/librender.so", 0},
        {"/data/me/python/ext.c", 0},
        {"??", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_flags(rows[i].file, tn_signs_of_file(rows[i].file), rows[i].flags);
}

static void python_files_of_frameworks_are_known_by_their_folders(void **state) {
    (void)state;
    const unsigned own = TN_SIGN_PYTHON, framework = own | TN_SIGN_FRAMEWORK;
    const unsigned package = framework | TN_SIGN_PACKAGE;
    const struct {
        const char *file;
        unsigned flags;
    } rows[] = {
        {"/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py", framework},
        {"/usr/lib/python3/dist-packages/torch/functional.py", framework},
        {"C:\\Users\\me\\venv\\Lib\\site-packages\\torch\\functional.py", framework},
        {"D:\\pytorch\\torch\\nn\\functional.py", framework},
        {"/data/me/pytorch/torch/functional.py", framework},
        {"functional.py", framework},
        {"torch/optim/adamw.py", framework},
        {"torch\\optim\\adamw.py", framework},
        {"/torch/optim/mine.py", own},
        {"mine/torch/optim/mine.py", own},
        {"/venv/lib/python3.11/site-packages/einops/einops.py", framework},
        {"/usr/lib/python3.11/threading.py", framework},
        {"C:\\Python311\\Lib\\threading.py", framework},
        {"/usr/lib/python3.11/concurrent/futures/thread.py", framework},
        {"<frozen runpy>", framework},
        {"<eval_with_key>.7", framework},
        {"/tmp/torchinductor_me/qg/cqgx.py", framework},
        {"C:\\Temp\\torchinductor_me\\qg\\cqgx.py", framework},
        {"cqgrqzqhvzm7ufpfvyl3y5xrz2dqtydlw3x7y6pvrnnqpxvxd3mn.py", framework},
        {"/venv/lib/python3.11/site-packages/transformers/models/qwen2/modeling_qwen2.py", package},
        {"/venv/lib/python3.11/site-packages/equinox/_module.py", package},
        {"/usr/local/lib/python3.10/dist-packages/optax/_src/transform.py", package},
        {"C:\\Users\\me\\venv\\Lib\\site-packages\\torch_geometric\\nn\\conv.py", package},
        {"/opt/conda/envs/me/lib/python3.9/site-packages/lightning_utilities/core.py", package},
        {"/opt/conda/lib/python3.10/multiprocessing/process.py", framework},
        {"/usr/lib64/python3.9/asyncio/events.py", framework},
        {"/data/me/miniforge3/envs/a/share/tool/run.py", framework},
        {"/data/me/site/packages/model.py", own},
        {"/data/me/lib/python/model.py", own},
        {"equinox/_module.py", own},
        {"C:\\Users\\me\\train.py", own},
        {"/data/me/functional.py", own},
        {"/data/me/torch/train.py", own},
        {"linear.py", own},
        {"<string>", own},
        {"<ipython-input-3>", own},
        {"module.py", own | TN_SIGN_ALIKE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_flags(rows[i].file, tn_signs_of_file(rows[i].file), rows[i].flags);
}

static void functions_decide_about_names_that_programs_use_too(void **state) {
    (void)state;
    assert_true(tn_signs_is_pair("_call_impl", "module.py"));
    assert_true(tn_signs_is_pair("_call_impl", "/data/me/pytorch/torch/nn/modules/module.py"));
    assert_true(tn_signs_is_pair("wrapper", "optimizer.py"));
    assert_true(tn_signs_is_pair("apply", "D:\\pytorch\\torch\\autograd\\function.py"));
    assert_false(tn_signs_is_pair("forward", "module.py"));
    assert_false(tn_signs_is_pair("_call", "module.py"));
    assert_false(tn_signs_is_pair("step", "optimizer.py"));
    assert_false(tn_signs_is_pair("_call_impl", "/data/me/module.py"));
    assert_false(tn_signs_is_pair("", "module.py"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_libraries_are_hidden),
        cmocka_unit_test(functions_of_programs_are_not_hidden),
        cmocka_unit_test(operators_and_backward_passes_are_known),
        cmocka_unit_test(native_files_of_libraries_are_hidden),
        cmocka_unit_test(python_files_of_frameworks_are_known_by_their_folders),
        cmocka_unit_test(functions_decide_about_names_that_programs_use_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
