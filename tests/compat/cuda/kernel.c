// SPDX-License-Identifier: Apache-2.0
// Programs with kernels that nvcc compiled: their code is registered, and every launch of it is
// refused by its name. Variables have memory. Modules of such code are not loaded.
#include <elf.h>

#include "support/cuda.h"

// The functions that nvcc's code calls; no header declares them.
void **__cudaRegisterFatBinary(const void *binary);
void __cudaRegisterFatBinaryEnd(void **code);
void __cudaUnregisterFatBinary(void **code);
void __cudaRegisterFunction(void **code, const char *stub, char *function, const char *name,
                            int limit, void *thread, void *block, dim3 *block_dim, dim3 *grid_dim,
                            int *warp);
void __cudaRegisterVar(void **code, char *symbol, char *address, const char *name, int external,
                       size_t size, int constant, int global);
void __cudaRegisterManagedVar(void **code, void **pointer, char *address, const char *name,
                              int external, size_t size, int constant, int global);
char __cudaInitModule(void **code);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream);

static const dim3 one = {1, 1, 1};
static const dim3 none = {0, 1, 1};
static char stub;
static char stranger;
static int variable[4];
static char name[] = "_Z3addPii";

static void **register_code(void) {
    static const struct {
        int magic, version;
        const void *data;
        void *file;
    } wrapper = {0x466243b1, 1, "", NULL};
    void **code = __cudaRegisterFatBinary(&wrapper);
    assert_non_null(code);
    __cudaRegisterFunction(code, &stub, name, name, -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(code, (char *)variable, NULL, "variable", 0, sizeof variable, 0, 0);
    __cudaRegisterFatBinaryEnd(code);
    return code;
}

// 87
static void a_registered_kernel_is_refused_by_its_name(void **state) {
    void *memory = NULL;
    dim3 grid, block;
    size_t shared = 0;
    cudaStream_t stream = NULL;
    cudaKernel_t kernel = NULL;
    void **code = register_code();
    (void)state;
    assert_cuda_ok(cudaMalloc(&memory, 64));
    assert_int_equal(__cudaPushCallConfiguration(one, one, 7, NULL), 0);
    assert_cuda_ok(__cudaGetKernel(&kernel, &stub));
    assert_cuda_ok(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    assert_int_equal(shared, 7);
    assert_cuda(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), 52);
    assert_cuda(__cudaLaunchKernel(kernel, grid, block, NULL, shared, stream), 209);
    assert_cuda(cudaGetLastError(), 209);
    assert_cuda(cudaLaunchKernel(&stub, one, one, NULL, 0, NULL), 209);
    assert_cuda(cudaLaunchCooperativeKernel(&stub, one, one, NULL, 0, NULL), 209);
    assert_cu(cuLaunchKernel((CUfunction)(void *)&stub, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
              209);
    assert_cuda(cudaLaunchKernel(&stub, none, one, NULL, 0, NULL), 1);
    assert_cuda(cudaLaunchKernel(&stub, one, (dim3){2048, 1, 1}, NULL, 0, NULL), 1);
    assert_cuda_ok(cudaFree(memory));
    __cudaUnregisterFatBinary(code);
    assert_cuda(cudaLaunchKernel(&stub, one, one, NULL, 0, NULL), 400);
    (void)cudaGetLastError();
}

// 88
static void an_unknown_address_is_no_kernel(void **state) {
    cudaLaunchConfig_t config = {.gridDim = one, .blockDim = one};
    cudaFunction_t function = NULL;
    cudaFuncAttributes attributes;
    int blocks = 0;
    (void)state;
    assert_cuda(cudaLaunchKernel(&stranger, one, one, NULL, 0, NULL), 400);
    assert_cuda(cudaLaunchKernel(&stranger, none, one, NULL, 0, NULL), 400);
    assert_cuda(cudaLaunchKernelExC(&config, &stranger, NULL), 400);
    assert_cuda(cudaLaunchKernelExC(NULL, &stranger, NULL), 1);
    assert_cuda(cudaGetFuncBySymbol(&function, &stranger), 98);
    assert_cuda(cudaLaunchKernel(NULL, one, one, NULL, 0, NULL), 98);
    assert_cuda(cudaFuncGetAttributes(&attributes, &stranger), 400);
    assert_cuda(cudaFuncSetCacheConfig(&stranger, cudaFuncCachePreferL1), 400);
    assert_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &stranger, 32, 0), 400);
    assert_cu(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), 400);
    assert_cu(cuLaunchKernel(NULL, 0, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), 400);
    (void)cudaGetLastError();
}

static void queries_about_a_registered_kernel_fail(void **state) {
    cudaFuncAttributes attributes;
    int blocks = 0;
    size_t shared = 0;
    const char *text = NULL;
    void **code = register_code();
    (void)state;
    assert_cuda(cudaFuncGetAttributes(&attributes, &stub), 209);
    assert_cuda(cudaFuncSetAttribute(&stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 1), 209);
    assert_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &stub, 32, 0), 209);
    assert_cuda(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, &stub, 1, 32), 209);
    assert_cuda(cudaFuncGetAttributes(NULL, &stub), 1);
    assert_cuda_ok(cudaFuncGetName(&text, &stub));
    assert_string_equal(text, name);
    __cudaUnregisterFatBinary(code);
    (void)cudaGetLastError();
}

// 89
static void a_registered_variable_keeps_bytes_on_each_device(void **state) {
    const int in[4] = {1, 2, 3, 4};
    int out[4] = {9, 9, 9, 9};
    void *first = NULL;
    void *second = NULL;
    size_t size = 0;
    void **code = register_code();
    (void)state;
    assert_cuda_ok(cudaMemcpyFromSymbol(out, variable, sizeof out, 0, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++) assert_int_equal(out[i], 0);
    assert_cuda_ok(cudaMemcpyToSymbol(variable, in, sizeof in, 0, cudaMemcpyHostToDevice));
    assert_cuda_ok(cudaMemcpyFromSymbol(out, variable, 8, 8, cudaMemcpyDeviceToHost));
    assert_int_equal(out[0], 3);
    assert_cuda(cudaMemcpyToSymbol(variable, in, 16, 4, cudaMemcpyHostToDevice), 1);
    assert_cuda(cudaMemcpyToSymbol(variable, in, 16, 0, cudaMemcpyDeviceToHost), 21);
    assert_cuda(cudaMemcpyToSymbol(&stranger, in, 1, 0, cudaMemcpyHostToDevice), 13);
    assert_cuda(cudaGetSymbolAddress(&first, &stranger), 13);
    assert_cuda_ok(cudaGetSymbolSize(&size, variable));
    assert_int_equal(size, sizeof variable);
    assert_cuda_ok(cudaGetSymbolAddress(&first, variable));
    assert_cuda_ok(cudaSetDevice(cuda_last_device()));
    assert_cuda_ok(cudaGetSymbolAddress(&second, variable));
    if (cuda_last_device() > 0) assert_ptr_not_equal(first, second);
    assert_cuda_ok(cudaSetDevice(0));
    __cudaUnregisterFatBinary(code);
    assert_cuda(cudaMemcpyToSymbol(variable, in, 16, 0, cudaMemcpyHostToDevice), 13);
    (void)cudaGetLastError();
}

static void a_managed_variable_points_to_managed_memory(void **state) {
    static void *pointer;
    struct cudaPointerAttributes attributes;
    void **code = register_code();
    (void)state;
    __cudaRegisterManagedVar(code, &pointer, NULL, "managed", 0, 64, 0, 0);
    assert_int_equal(__cudaInitModule(code), 1);
    assert_non_null(pointer);
    assert_int_equal(*(int *)pointer, 0);
    assert_cuda_ok(cudaPointerGetAttributes(&attributes, pointer));
    assert_int_equal(attributes.type, cudaMemoryTypeManaged);
    assert_cuda_ok(cudaFree(pointer));
    __cudaUnregisterFatBinary(code);
}

static void a_graph_copies_a_variable(void **state) {
    static const int in[4] = {5, 6, 7, 8};
    int out[4] = {0};
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t nodes[2] = {NULL, NULL};
    void **code = register_code();
    (void)state;
    assert_cuda_ok(cudaGraphCreate(&graph, 0));
    assert_cuda_ok(cudaGraphAddMemcpyNodeToSymbol(&nodes[0], graph, NULL, 0, variable, in, 16, 0,
                                                  cudaMemcpyHostToDevice));
    assert_cuda_ok(cudaGraphAddMemcpyNodeFromSymbol(&nodes[1], graph, nodes, 1, out, variable, 8, 8,
                                                    cudaMemcpyDeviceToHost));
    assert_cuda(cudaGraphMemcpyNodeSetParamsToSymbol(nodes[0], &stranger, in, 16, 0,
                                                     cudaMemcpyHostToDevice),
                13);
    assert_cuda_ok(cudaGraphInstantiate(&exec, graph, 0));
    assert_cuda_ok(cudaGraphLaunch(exec, NULL));
    assert_cuda_ok(cudaDeviceSynchronize());
    assert_int_equal(out[0], 7);
    assert_cuda_ok(cudaGraphExecDestroy(exec));
    assert_cuda_ok(cudaGraphDestroy(graph));
    __cudaUnregisterFatBinary(code);
    (void)cudaGetLastError();
}

static void a_node_of_any_kind_is_added_and_set(void **state) {
    int value = 0;
    void *memory = NULL;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t node = NULL;
    cudaGraphNodeParams fill = {.type = cudaGraphNodeTypeMemset};
    cudaGraphNodeParams kernel = {.type = cudaGraphNodeTypeKernel};
    CUgraphNodeParams driver = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
    void **code = register_code();
    (void)state;
    assert_cuda_ok(cudaMalloc(&memory, 64));
    assert_cuda_ok(cudaGraphCreate(&graph, 0));
    fill.memset = (struct cudaMemsetParams){
        .dst = memory, .value = 3, .elementSize = 4, .width = 1, .height = 1};
    assert_cuda_ok(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &fill));
    fill.memset.value = 4;
    assert_cuda_ok(cudaGraphNodeSetParams(node, &fill));
    assert_cuda_ok(cudaGraphInstantiate(&exec, graph, 0));
    driver.memset = (CUDA_MEMSET_NODE_PARAMS_v2){.dst = (CUdeviceptr)(uintptr_t)memory,
                                                 .value = 5,
                                                 .elementSize = 4,
                                                 .width = 1,
                                                 .height = 1};
    assert_cu_ok(cuGraphExecNodeSetParams(exec, node, &driver));
    assert_cuda_ok(cudaGraphLaunch(exec, NULL));
    assert_cuda_ok(cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost));
    assert_int_equal(value, 5);
    kernel.kernel = (struct cudaKernelNodeParams){.func = &stub, .gridDim = one, .blockDim = one};
    assert_cuda(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &kernel), 209);
    kernel.kernel.func = &stranger;
    assert_cuda(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &kernel), 400);
    assert_cuda(cudaGraphAddKernelNode(&node, graph, NULL, 0, &kernel.kernel), 400);
    assert_cuda_ok(cudaGraphExecDestroy(exec));
    assert_cuda_ok(cudaGraphDestroy(graph));
    assert_cuda_ok(cudaFree(memory));
    __cudaUnregisterFatBinary(code);
    (void)cudaGetLastError();
}

static void code_for_gpus_is_no_module_and_other_bytes_are_none(void **state) {
    Elf64_Ehdr cubin = {.e_ident = ELFMAG, .e_machine = 190, .e_type = ET_EXEC};
    const unsigned bundle[8] = {0xba55ed50};
    const char *const images[] = {(const char *)&cubin, (const char *)bundle,
                                  ".version 8.0\n.target sm_90\n", "//\n// by nvcc\n"};
    CUmodule module = NULL;
    CUlibrary library = NULL;
    (void)state;
    cuda_begin();
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        assert_cu(cuModuleLoadData(&module, images[i]), 209);
        assert_cu(cuModuleLoadDataEx(&module, images[i], 0, NULL, NULL), 209);
        assert_cu(cuLibraryLoadData(&library, images[i], NULL, NULL, 0, NULL, NULL, 0), 209);
        assert_cuda(cudaLibraryLoadData(&library, images[i], NULL, NULL, 0, NULL, NULL, 0), 209);
    }
    assert_cu(cuModuleLoadData(&module, "junk and more"), 200);
    assert_cu(cuLibraryLoadData(&library, "junk and more", NULL, NULL, 0, NULL, NULL, 0), 200);
    assert_cu(cuModuleLoadData(&module, NULL), 1);
    assert_cu(cuModuleLoad(&module, NULL), 1);
    assert_cu(cuModuleLoad(&module, "/no/such/file"), 301);
    assert_null(module);
    assert_cu(cuModuleUnload(NULL), 400);
    assert_cu(cuLibraryUnload(NULL), 400);
    (void)cudaGetLastError();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_registered_kernel_is_refused_by_its_name),
        cmocka_unit_test(an_unknown_address_is_no_kernel),
        cmocka_unit_test(queries_about_a_registered_kernel_fail),
        cmocka_unit_test(a_registered_variable_keeps_bytes_on_each_device),
        cmocka_unit_test(a_managed_variable_points_to_managed_memory),
        cmocka_unit_test(a_graph_copies_a_variable),
        cmocka_unit_test(a_node_of_any_kind_is_added_and_set),
        cmocka_unit_test(code_for_gpus_is_no_module_and_other_bytes_are_none),
    };
    return cmocka_run_group_tests(tests, cuda_group_setup, NULL);
}
