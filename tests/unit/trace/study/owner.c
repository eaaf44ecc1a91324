// SPDX-License-Identifier: Apache-2.0
// The owners of whole stacks, as programs of several kinds have them.
#include "trace/study/owner.h"

#include "unit/trace/script.h"

struct frame {
    const char *function;
    const char *file;
    uint32_t line;
};

enum { FRAMES = 12 };

// A stack, innermost first, and the index of its owner.
struct stack {
    size_t owner;
    struct frame frames[FRAMES];
};

#define SITE    "/venv/lib/python3.11/site-packages/"
#define WINDOWS "C:\\Users\\me\\venv\\Lib\\site-packages\\"

static uint32_t push_stack(struct trace_script *script, const struct stack *stack) {
    uint32_t call = 0;
    for (size_t i = FRAMES; i-- > 0;)
        if (stack->frames[i].function != NULL)
            call = script_call(script, call, stack->frames[i].function, stack->frames[i].file,
                               stack->frames[i].line);
    return call;
}

static void check_owner(const struct stack *stack) {
    struct trace_script script;
    struct tn_trace trace;
    struct tn_owners owners;
    const struct frame *wanted = &stack->frames[stack->owner];
    script_begin(&script, TN_TRACE_SNAPSHOT);
    uint32_t call = push_stack(&script, stack);
    script_end(&script, &trace);
    assert_int_equal(tn_owners_make_by(&trace, false, &owners), TARN_OK);
    const struct tn_trace_call *owner = &trace.calls[owners.calls[call]];
    assert_string_equal(trace.texts[owner->function], wanted->function);
    assert_string_equal(trace.texts[owner->file], wanted->file);
    assert_int_equal(owner->line, wanted->line);
    tn_owners_release(&owners);
    assert_int_equal(tn_owners_make_by(&trace, true, &owners), TARN_OK);
    assert_int_equal(owners.calls[call], call);
    tn_owners_release(&owners);
    tn_trace_release(&trace);
}

static void check_owners(const struct stack *stacks, size_t count) {
    for (size_t i = 0; i < count; i++) check_owner(&stacks[i]);
}

#define CHECK_OWNERS(stacks) check_owners(stacks, sizeof(stacks) / sizeof *(stacks))

static void native_programs_own_by_their_own_function(void **state) {
    (void)state;
    static const struct stack stacks[] = {
        // a face, with and without debug information of the program
        {1,
         {{"hipMalloc", "libamdhip64.so.6", 0},
          {"grow", "/src/grow.cpp", 12},
          {"main", "/src/grow.cpp", 40},
          {"_start", "", 0}}},
        {1, {{"hipMalloc", "/src/compat/hip/memory.c", 32}, {"main", "/src/grow.cpp", 40}}},
        {1,
         {{"tarn_pool_alloc", "libtarn.a", 0},
          {"reserve", "/src/prog", 0},
          {"main", "/src/prog", 0}}},
        // templates and containers
        {1,
         {{"hipMalloc", "libamdhip64.so.6", 0},
          {"Device<float>::allocate(unsigned long)", "/src/a.cpp", 9},
          {"std::allocator_traits<Device<float> >::allocate(Device<float>&)",
           "/usr/include/c++/12/bits/alloc_traits.h", 464},
          {"std::vector<float, Device<float> >::vector(unsigned long)",
           "/usr/include/c++/12/bits/stl_vector.h", 554},
          {"main", "/src/a.cpp", 30}}},
        {3,
         {{"cudaMalloc", "libcudart.so.12", 0},
          {"rmm::mr::cuda_memory_resource::do_allocate(unsigned long)", "/opt/rmm/cuda.hpp", 70},
          {"operator new(unsigned long)", "libstdc++.so.6", 0},
          {"fill(std::vector<int>&)", "/src/b.cpp", 3}}},
        // nothing but libraries
        {0, {{"cudaMalloc", "libcudart.so.12", 0}, {"_start", "", 0}}},
    };
    CHECK_OWNERS(stacks);
}

static void python_programs_own_by_their_own_line(void **state) {
    (void)state;
    static const struct stack stacks[] = {
        // a layer of torch belongs to the line that calls it
        {3,
         {{"torch::unwind::unwind()", "??", 0},
          {"at::_ops::mm::call(int)", "??", 0},
          {"forward", SITE "torch/nn/modules/linear.py", 125},
          {"forward", "/data/me/model.py", 8},
          {"_call_impl", SITE "torch/nn/modules/module.py", 1700},
          {"main", "/data/me/train.py", 3}}},
        {2,
         {{"at::_ops::einsum::call(int)", "??", 0},
          {"einsum", SITE "torch/functional.py", 407},
          {"forward", "/data/me/functional.py", 36},
          {"main", "/data/me/train.py", 3}}},
        {1,
         {{"einsum", "functional.py", 407},
          {"forward", "attention.py", 36},
          {"main", "train.py", 3}}},
        {1,
         {{"einsum", WINDOWS "torch\\functional.py", 407},
          {"forward", "C:\\Users\\me\\functional.py", 36},
          {"main", "C:\\Users\\me\\train.py", 3}}},
        // installed packages own nothing beside a line of the program, whatever their names
        {2,
         {{"forward", SITE "torch/nn/modules/linear.py", 125},
          {"forward", SITE "transformers/models/qwen2/modeling_qwen2.py", 46},
          {"main", "/data/me/train.py", 3}}},
        {3,
         {{"xla::PjRtBuffer::Create()", "??", 0},
          {"__call__", SITE "equinox/nn/_linear.py", 80},
          {"update", "/usr/lib/python3/dist-packages/optax/_src/base.py", 9},
          {"main", "/data/me/train.py", 3},
          {"<module>", "/opt/conda/bin/torchrun", 8}}},
        // without such a line, the innermost package that is no framework, then the script that starts it
        {1,
         {{"forward", SITE "torch/nn/modules/linear.py", 125},
          {"forward", SITE "transformers/models/qwen2/modeling_qwen2.py", 46},
          {"train", SITE "transformers/trainer.py", 2000},
          {"<module>", "/opt/conda/bin/finetune", 8}}},
        {1, {{"empty", SITE "torch/functional.py", 1}, {"<module>", "/usr/local/bin/serve", 8}}},
        // the interpreter, with debug information
        {2,
         {{"binary_op1", "/src/python-3.12.7/Objects/abstract.c", 882},
          {"_PyEval_EvalFrame", "pycore_ceval.h", 89},
          {"step", "/data/me/optimizer.py", 51}}},
        {3,
         {{"tarn_memory_alloc", "libtarn.so.0", 0},
          {"ffi_call", "libffi.so.8", 0},
          {"_call_function_pointer", "_ctypes.cpython-311.so", 0},
          {"load", "/data/me/load.py", 4}}},
        // a native extension of the program
        {1,
         {{"cudaMalloc", "libcudart.so.12", 0},
          {"scan(at::Tensor)", "/data/me/scan.cpp", 77},
          {"pybind11::cpp_function::dispatcher(int)", "pybind11.h", 900},
          {"forward", "/data/me/model.py", 8}}},
        // a function of the program in a backward pass
        {1,
         {{"at::_ops::mul_Tensor::call(int)", "??", 0},
          {"backward", "/data/me/scan.py", 40},
          {"torch::autograd::generated::ScanBackward0::apply(int)", "??", 0}}},
        // compiled code
        {4,
         {{"call", "/tmp/torchinductor_me/qg/cqgx.py", 123},
          {"run", SITE "torch/_inductor/utils.py", 2000},
          {"_fn", SITE "torch/_dynamo/eval_frame.py", 400},
          {"<lambda>", "<eval_with_key>.3", 1},
          {"step", "/data/me/train.py", 30}}},
        {3,
         {{"call", "cqgrqzqhvzm7ufpfvyl3y5xrz2dqtydlw3x7y6pvrnnqpxvxd3mn.py", 123},
          {"run", "utils.py", 2000},
          {"_fn", "eval_frame.py", 400},
          {"step", "train.py", 30}}},
    };
    CHECK_OWNERS(stacks);
}

static void frameworks_alone_own_by_the_best_that_is_known(void **state) {
    (void)state;
    static const struct stack stacks[] = {
        {2,
         {{"torch::unwind::unwind()", "??", 0},
          {"at::_ops::bmm::call(int)", "??", 0},
          {"torch::autograd::generated::BmmBackward0::apply(int)", "??", 0},
          {"torch::autograd::Engine::thread_main(int)", "??", 0},
          {"execute_native_thread_routine", "thread48.o", 0}}},
        {2,
         {{"torch::unwind::unwind()", "??", 0},
          {"at::_ops::empty::call(int)", "??", 0},
          {"at::_ops::zeros_like::call(int)", "??", 0}}},
        {0, {{"aten::linear", "", 0}}},
        {1,
         {{"torch::unwind::unwind()", "??", 0},
          {"forward", SITE "torch/nn/modules/linear.py", 125},
          {"_call_impl", SITE "torch/nn/modules/module.py", 1700}}},
        {1, {{"torch::unwind::unwind()", "??", 0}, {"c10::Allocator::allocate(int)", "??", 0}}},
    };
    CHECK_OWNERS(stacks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_programs_own_by_their_own_function),
        cmocka_unit_test(python_programs_own_by_their_own_line),
        cmocka_unit_test(frameworks_alone_own_by_the_best_that_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
