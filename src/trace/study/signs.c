// SPDX-License-Identifier: Apache-2.0
// Finds functions and files in the tables; see signs.h. A pattern that ends with "*" matches every
// text that begins with the rest of it. Both separators of folders are equal.
#include "trace/study/signs.h"

#include <string.h>

#include "trace/study/name.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

// ---- native code

// The outermost namespaces of libraries that a program calls for its memory.
static const char *const spaces[] = {
    "std",        "__gnu_cxx", "__cxxabiv1", "_VSTD",    "at",     "c10", "c10d",
    "caffe2",     "torch",     "at_npu",     "c10_npu",  "xla",    "tsl", "stream_executor",
    "tensorflow", "jaxlib",    "paddle",     "pybind11", "thrust", "cub", "cutlass",
    "rmm",        "umpire",    "nanobind",   "hiai"};

// Functions without a namespace. A compiler's variants, such as "run_mod.isra.0", have their names.
static const char *const functions[] = {
    // the start and the end of programs and threads
    // names that begin so are the implementation's; without symbols, the nearest one names a function
    "_start", "__*", "clone", "clone3", "start_thread", "pthread_*",
    "execute_native_thread_routine", "_dl_*", "_IO_*", "gnu_dev_*", "call_init",
    // allocators of the host
    "operator new", "operator new[]", "malloc", "calloc", "realloc", "aligned_alloc", "memalign",
    "posix_memalign", "mmap",
    // calls of vendors that allocate; a program's own may begin in the same way
    "cudaMalloc", "cudaMallocAsync", "cudaMallocFromPoolAsync", "cudaMallocHost",
    "cudaMallocManaged", "cudaMallocPitch", "cudaMalloc3D", "cudaMallocArray", "cudaHostAlloc",
    "cuMemAlloc", "cuMemAlloc_v2", "cuMemAllocAsync", "cuMemAllocFromPoolAsync",
    "cuMemAllocHost_v2", "cuMemAllocManaged", "cuMemAllocPitch_v2", "cuMemCreate", "cuMemHostAlloc",
    "cuMemMap", "hipMalloc", "hipMallocAsync", "hipMallocFromPoolAsync", "hipMallocHost",
    "hipMallocManaged", "hipMallocPitch", "hipMalloc3D", "hipMallocArray", "hipExtMallocWithFlags",
    "hipHostAlloc", "hipHostMalloc", "hipMemAllocHost", "hipMemAllocPitch", "hipMemCreate",
    "hipMemMap", "hsa_memory_*", "hsa_amd_*", "aclrtMalloc", "aclrtMallocAlign32",
    "aclrtMallocCached", "aclrtMallocHost", "aclrtMallocPhysical", "aclrtMallocWithCfg",
    "aclrtMapMem", "HIAI_DMalloc*", "HIAI_DVPP_DMalloc*",
    // Tarn, and descriptions of memory for tools
    "tarn_*", "tn_*", "mstxMem*", "nvtxMem*",
    // the interpreter of Python, and its calls of native functions
    "_Py*", "Py_*", "PyEval_*", "PyObject_*", "PyFunction_*", "PyRun_*", "PyCFunction_*",
    "PyCFuncPtr_*", "PyVectorcall_*", "PyIter_*", "PyNumber_*", "PySequence_*", "PyImport_*",
    "PyMethod_*", "pymain_*", "cfunction_call", "cfunction_vectorcall_*", "method_vectorcall*",
    "method_call", "slot_tp_*", "slot_nb_*", "slot_sq_*", "slot_mp_*", "builtin_exec", "type_call",
    "object_vacall", "vectorcall_method", "gen_send_ex", "gen_send_ex2", "run_mod",
    "run_eval_code_obj", "pyrun_file", "wrap_call", "wrapperdescr_call", "partial_call",
    "ffi_call*", "_call_function_pointer", "THPVariable_*", "THPFunction_*", "THPModule_*",
    "THPEngine_*"};

// The recorder of PyTorch, wherever its names occur.
static const char *const recorder_functions[] = {"unwind::unwind", "CapturedTraceback::gather",
                                                 "gather_with_cpp"};

// Parts of the paths of source files.
static const char *const source_parts[] = {
    "/include/c++/", "core/boxing", "/ATen/", "torch/csrc/", "/c10/", "/tarn/compat/",
    // the interpreter of Python
    "Include/cpython/", "Include/internal/", "cpython/abstract.h", "Modules/_ctypes/",
    "Modules/_functoolsmodule.c", "Modules/main.c", "Objects/abstract.c", "Objects/call.c",
    "Objects/classobject.c", "Objects/descrobject.c", "Objects/funcobject.c", "Objects/genobject.c",
    "Objects/iterobject.c", "Objects/methodobject.c", "Objects/object.c", "Objects/typeobject.c",
    "Python/bltinmodule.c", "Python/bytecodes.c", "Python/generated_cases.c.h", "Python/import.c"};

// Base names. Libraries stand in for their sources where there is no debug information.
static const char *const base_names[] = {
    // sources that PyTorch generates
    "RegisterBackendSelect*", "RegisterCPU*", "RegisterCUDA*", "RegisterComposite*",
    "RegisterFunctionalization*", "RegisterMPS*", "RegisterMeta.*", "RegisterMeta_*",
    "RegisterNPU*", "RegisterNestedTensor*", "RegisterPrivateUse*", "RegisterQuantized*",
    "RegisterSparse*", "RegisterXPU*", "RedispatchFunctions*", "VariableType_*",
    "VariableTypeManual*", "ADInplaceOrViewType*", "TraceType_*", "TraceTypeManual*",
    "python_nn_functions*", "python_torch_functions*", "python_variable_methods*",
    // sources of the interpreter and of the C library
    "ceval.c", "pycore_ceval.h", "pythonrun.c", "libc-start.c", "libc_start_call_main.h", "start.S",
    "clone3.S", "pthread_create.c",
    // the C library, C++ and Python
    "ld-linux*", "libc.so*", "libc-2*", "libpthread*", "libdl.so*", "libm.so*", "libstdc++*",
    "libc++*", "libgcc_s*", "libffi*", "_ctypes.*", "libpython*", "python", "python3", "python3.*",
    // vendors
    "libcuda.*", "libcudart*", "libcublas*", "libcudnn*", "libcufft*", "libcusolver*",
    "libcusparse*", "libnvrtc*", "libnccl*", "librccl*", "libamdhip64*", "libhsa-runtime64*",
    "librocblas*", "libMIOpen*", "libascendcl*", "libacl*", "libhiai*", "libms_tools_ext*",
    "libhccl*",
    // frameworks, allocators and Tarn
    "libtarn*", "libtorch*", "libc10*", "libjemalloc*", "libtcmalloc*", "libmimalloc*", "librmm*",
    "libumpire*"};

// ---- Python

// Folders of what is installed: packages, and the libraries of interpreters and of conda.
static const char *const installed[] = {
    "site-packages/", "dist-packages/",   "/lib/python3", "/lib64/python3", "/lib/pypy3",
    "/Lib/asyncio/",  "/Lib/concurrent/", "conda3/lib/",  "conda/lib/",     "forge3/lib/",
    "conda/envs/",    "conda3/envs/",     "forge3/envs/", "mamba/envs/",    "/.conda/envs/"};

// Packages of frameworks, for files whose paths are cut. Their calls tell less than those of another
// installed package, such as models, where a stack has no line of the program.
static const char *const packages[] = {
    // of PyTorch
    "torch/", "torch_npu/", "functorch/", "torch_xla/", "accelerate/", "apex/", "bitsandbytes/",
    "deepspeed/", "flash_attn/", "xformers/", "transformer_engine/", "lightning/",
    "pytorch_lightning/",
    // others
    "einops/", "triton/", "tarn/", "jax/", "jaxlib/", "flax/", "tensorflow/", "keras/",
    "mindspore/", "paddle/", "numpy/", "cupy/", "cupyx/", "numba/", "rmm/"};

// Files that pass a call on, wherever their package lies. A recording that has only base names is
// matched by those.
static const char *const passing_files[] = {
    // of PyTorch
    "torch/nn/functional.py", "torch/functional.py", "torch/_tensor.py", "torch/_ops.py",
    "torch/_compile.py", "torch/_dynamo/eval_frame.py", "torch/_inductor/output_code.py",
    "torch/_inductor/compile_fx.py", "torch/utils/_contextlib.py", "torch/utils/_device.py",
    "torch/nn/parallel/parallel_apply.py", "torch/nn/parallel/data_parallel.py",
    "torch/_functorch/aot_autograd.py", "torch/_functorch/_aot_autograd/runtime_wrappers.py",
    // others
    "einops/einops.py", "einops/_backends.py", "einops/packing.py", "threading.py", "contextlib.py",
    "runpy.py", "functools.py"};

// Functions of a framework in files whose base name a program may use for a file of its own. With a
// folder, the path of a framework decides.
static const struct pair {
    const char *file;
    const char *functions; // between spaces
} pairs[] = {
    {"torch/nn/modules/module.py",
     " _call_impl _wrapped_call_impl _slow_forward inner _apply to convert cuda npu cpu half float "
     "double bfloat16 type apply to_empty <lambda> load_state_dict load _load_from_state_dict "},
    {"torch/autograd/__init__.py", " backward grad _make_grads _engine_run_backward "},
    {"torch/autograd/graph.py", " _engine_run_backward "},
    {"torch/autograd/function.py", " apply "},
    {"torch/optim/optimizer.py", " wrapper _use_grad profile_hook_step "},
    {"torch/utils/checkpoint.py", " checkpoint forward backward inner unpack_hook recompute_fn "},
    {"torch/_inductor/utils.py", " run "},
    {"torch/_functorch/_aot_autograd/utils.py", " call_func_at_runtime_with_args "},
    {"accelerate/hooks.py", " new_forward pre_forward post_forward "},
    {"accelerate/utils/operations.py", " forward __call__ send_to_device "}};

// ---- programs that train

struct sign_text {
    const char *text;
    unsigned signs;
};

static const struct sign_text parts[] = {
    {"autograd::Engine::", TN_TRAINING_BACKWARD},
    {"autograd::engine::", TN_TRAINING_BACKWARD}, // PyTorch's profiler
    {"AccumulateGrad", TN_TRAINING_BACKWARD},
    {"run_backward", TN_TRAINING_BACKWARD},
    {"PyNode::apply", TN_TRAINING_BACKWARD | TN_TRAINING_HOOK}, // a backward function in Python
    {"unpack_hook", TN_TRAINING_BACKWARD | TN_TRAINING_HOOK},
    {"getNewWorkspace", TN_TRAINING_WORKSPACE},
    {"BlasLtWorkspace", TN_TRAINING_WORKSPACE},
    {"BlasWorkspace", TN_TRAINING_WORKSPACE},
    {"at::_ops::_to_copy::", TN_TRAINING_CAST},
    {"aten::_to_copy", TN_TRAINING_CAST},
    {"nn.Module: ", TN_TRAINING_MODULE},
    {"cached_cast", TN_TRAINING_CAST},
    {"broadcast_coalesced", TN_TRAINING_CAST}, // of parameters, for other devices
    {"c10d::Reducer", TN_TRAINING_REDUCER},
    {"nn/parallel/distributed.py", TN_TRAINING_REDUCER},
    {"nn\\parallel\\distributed.py", TN_TRAINING_REDUCER},
    {"fsdp", TN_TRAINING_SHARDED},
    {"FSDP", TN_TRAINING_SHARDED},
    {"flat_param", TN_TRAINING_SHARDED},
    {"deepspeed", TN_TRAINING_SHARDED},
    {"megatron", TN_TRAINING_SHARDED},
    {"cache", TN_TRAINING_CACHE},
    {"Cache", TN_TRAINING_CACHE},
    {"kv_", TN_TRAINING_CACHE},
    {"past_key", TN_TRAINING_CACHE},
};

static const struct sign_text names[] = {
    {"backward", TN_TRAINING_BACKWARD},
    {"_make_grads", TN_TRAINING_BACKWARD},
    {"forward", TN_TRAINING_MODULE},
    {"_call_impl", TN_TRAINING_MODULE},
    {"step", TN_TRAINING_UPDATE},
    {"_init_group", TN_TRAINING_UPDATE},
    {"__init__", TN_TRAINING_BUILD},
    {"_apply", TN_TRAINING_BUILD},
    {"deepcopy", TN_TRAINING_BUILD},
    {"__deepcopy__", TN_TRAINING_BUILD},
    {"initialize_parameters", TN_TRAINING_BUILD | TN_TRAINING_LAZY},
    {"materialize", TN_TRAINING_BUILD | TN_TRAINING_LAZY},
    {"load_state_dict", TN_TRAINING_BUILD},
    {"_run_ddp_forward", TN_TRAINING_REDUCER},
};

// Operators that compute nothing from other memory of the device.
static const char *const sources[] = {
    "_to_copy*", "to",    "to_*",    "to::*", "copy_*", "empty*",    "zeros*",
    "ones*",     "full*", "arange*", "rand*", "eye*",   "linspace*", "scalar_tensor*"};

// ---- patterns

static bool begins_with(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static bool matches_pattern(const char *text, size_t length, const char *pattern) {
    size_t part = strlen(pattern);
    return pattern[part - 1] == '*' ? length >= part - 1 && memcmp(text, pattern, part - 1) == 0
                                    : length == part && memcmp(text, pattern, part) == 0;
}

static bool matches_any(const char *text, size_t length, const char *const *table, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (matches_pattern(text, length, table[i])) return true;
    return false;
}

static bool contains_any(const char *text, const char *const *table, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strstr(text, table[i]) != NULL) return true;
    return false;
}

static bool has_part(const char *text, size_t length, const char *part) {
    return memmem(text, length, part, strlen(part)) != NULL;
}

static bool is_separator(char letter) { return letter == '/' || letter == '\\'; }

// Compares as many letters of a path as `with` has, which uses "/".
static bool path_goes_on(const char *path, const char *with) {
    for (; *with != '\0'; path++, with++)
        if (*path != *with && !(*with == '/' && *path == '\\')) return false;
    return true;
}

// Returns the rest of a path behind a folder, or NULL.
static const char *path_behind(const char *path, const char *folder) {
    for (; *path != '\0'; path++)
        if (path_goes_on(path, folder)) return path + strlen(folder);
    return NULL;
}

// Returns true if the path ends with whole folders and the name of `end`.
static bool path_ends(const char *path, const char *end) {
    size_t length = strlen(path), part = strlen(end);
    return length >= part && path_goes_on(path + length - part, end) &&
           (length == part || is_separator(path[length - part - 1]));
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), part = strlen(end);
    return length >= part && strcmp(text + length - part, end) == 0;
}

// ---- functions

// Returns the name of an operator as stacks or PyTorch's profiler ("aten::mm") have it, or NULL.
static const char *operator_name(const char *function) {
    if (begins_with(function, "at::_ops::")) return function + strlen("at::_ops::");
    return begins_with(function, "aten::") ? function + strlen("aten::") : NULL;
}

// The passes of PyTorch run "...NAMEBackward0::apply", and accumulate gradients. Its profiler names the
// node alone.
static bool is_backward(const char *function) {
    static const char profiled[] = "autograd::engine::evaluate_function: ", apply[] = "::apply";
    size_t length, end = strlen(apply);
    if (begins_with(function, profiled)) return true;
    if (strstr(function, apply) == NULL) return false; // most have none
    const char *name = tn_name_scope(function, &length);
    if (length < end || memcmp(name + length - end, apply, end) != 0) return false;
    return has_part(name, length, "Backward") || has_part(name, length, "::AccumulateGrad::");
}

static bool is_hidden_function(const char *function) {
    size_t length;
    const char *name = tn_name_scope(function, &length);
    const char *colons = memchr(name, ':', length);
    if (begins_with(function, "autograd::engine::")) return true;
    if (colons == NULL || colons[1] != ':') {
        const char *variant = memchr(name, '.', length);
        size_t plain = variant != NULL ? (size_t)(variant - name) : length;
        return matches_any(name, plain, functions, COUNT(functions));
    }
    return matches_any(name, (size_t)(colons - name), spaces, COUNT(spaces));
}

unsigned tn_signs_of_function(const char *function) {
    unsigned flags = is_hidden_function(function) ? TN_SIGN_HIDDEN : 0;
    if (contains_any(function, recorder_functions, COUNT(recorder_functions)))
        flags |= TN_SIGN_HIDDEN | TN_SIGN_RECORDER;
    if (operator_name(function) != NULL) flags |= TN_SIGN_HIDDEN | TN_SIGN_OPERATOR;
    return flags | (is_backward(function) ? TN_SIGN_BACKWARD : 0);
}

// ---- files

// Code that torch.compile generates lies in such a folder. Its base name is "c" and 51 letters of
// base 32.
static bool is_compiled(const char *file) {
    const char *base = tn_name_base(file);
    if (strstr(file, "torchinductor_") != NULL) return true;
    return base[0] == 'c' && strlen(base) == 55 &&
           strspn(base, "abcdefghijklmnopqrstuvwxyz234567") == 52 && ends_with(base, ".py");
}

// Code without a file that no one wrote: "<string>" and cells of notebooks are the program's.
static bool is_generated(const char *file) {
    return begins_with(file, "<frozen ") || begins_with(file, "<eval_with_key>") ||
           begins_with(file, "<__array_function__");
}

// Returns the rest of a path behind the last folder of what is installed, or NULL.
static const char *behind_installed(const char *file) {
    const char *rest = NULL;
    for (size_t i = 0; i < COUNT(installed); i++) {
        const char *found = path_behind(file, installed[i]);
        rest = found != NULL && (rest == NULL || found > rest) ? found : rest;
    }
    return rest;
}

// PyTorch's profiler leaves out the folder of the packages.
static unsigned installed_flags(const char *file) {
    const char *rest = behind_installed(file);
    bool has_packages = path_behind(file, "-packages/") != NULL;
    unsigned other = rest == NULL   ? 0
                     : has_packages ? TN_SIGN_FRAMEWORK | TN_SIGN_PACKAGE
                                    : TN_SIGN_FRAMEWORK;
    rest = rest != NULL || is_separator(file[0]) ? rest : file;
    for (size_t i = 0; rest != NULL && i < COUNT(packages); i++)
        if (path_goes_on(rest, packages[i])) return TN_SIGN_FRAMEWORK;
    return other;
}

// A file without a folder is known by its base name.
static bool is_file(const char *file, const char *known) {
    const char *base = tn_name_base(known);
    return tn_name_base(file) != file ? path_ends(file, known) : strcmp(file, base) == 0;
}

static bool is_passing(const char *file) {
    for (size_t i = 0; i < COUNT(passing_files); i++)
        if (is_file(file, passing_files[i])) return true;
    return false;
}

static bool is_alike(const char *file) {
    for (size_t i = 0; i < COUNT(pairs); i++)
        if (strcmp(tn_name_base(file), tn_name_base(pairs[i].file)) == 0) return true;
    return false;
}

bool tn_signs_is_pair(const char *function, const char *file) {
    size_t length = strlen(function);
    for (size_t i = 0; i < COUNT(pairs) && length > 0; i++) {
        const char *at = pairs[i].functions;
        if (is_file(file, pairs[i].file))
            while ((at = strstr(at + 1, function)) != NULL)
                if (at[-1] == ' ' && at[length] == ' ') return true;
    }
    return false;
}

static bool is_python(const char *file) { return ends_with(file, ".py") || file[0] == '<'; }

unsigned tn_signs_of_file(const char *file) {
    const char *base = tn_name_base(file);
    if (is_python(file))
        return TN_SIGN_PYTHON |
               (is_compiled(file) || is_generated(file) || is_passing(file) ? TN_SIGN_FRAMEWORK
                : installed_flags(file) != 0                                ? installed_flags(file)
                : is_alike(file)                                            ? TN_SIGN_ALIKE
                                                                            : 0);
    bool hidden = behind_installed(file) != NULL || path_behind(file, "/lib/tarn/") != NULL ||
                  matches_any(base, strlen(base), base_names, COUNT(base_names)) ||
                  contains_any(file, source_parts, COUNT(source_parts));
    return hidden ? TN_SIGN_HIDDEN : 0;
}

// ---- programs that train

unsigned tn_signs_of_training(const char *text) {
    unsigned signs = 0;
    for (size_t i = 0; i < COUNT(parts); i++)
        signs |= strstr(text, parts[i].text) != NULL ? parts[i].signs : 0;
    for (size_t i = 0; i < COUNT(names); i++)
        signs |= strcmp(text, names[i].text) == 0 ? names[i].signs : 0;
    if (is_backward(text)) signs |= TN_TRAINING_BACKWARD;
    if (is_python(text)) signs |= TN_TRAINING_PYTHON;
    bool optimizes = strstr(text, "torch/optim/") != NULL || strstr(text, "torch\\optim\\") != NULL;
    if (optimizes && strstr(text, "scheduler") == NULL && strstr(text, "swa_utils") == NULL)
        signs |= TN_TRAINING_OPTIMIZER;
    const char *name = operator_name(text);
    if (name != NULL)
        signs |= matches_any(name, strlen(name), sources, COUNT(sources))
                     ? TN_TRAINING_OPERATOR | TN_TRAINING_SOURCE
                     : TN_TRAINING_OPERATOR;
    return signs;
}
