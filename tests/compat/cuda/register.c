// SPDX-License-Identifier: Apache-2.0
// Device code that nvcc compiled into a program: its registration, refused launches of its kernels, and
// its variables. The functions are those that nvcc's code calls.
#include "support/cuda.h"

void **__cudaRegisterFatBinary(void *binary);
void __cudaRegisterFatBinaryEnd(void **code);
void __cudaUnregisterFatBinary(void **code);
void __cudaRegisterFunction(void **code, const char *stub, char *device, const char *name,
                            int threads, void *tid, void *bid, dim3 *block, dim3 *grid, int *warp);
void __cudaRegisterVar(void **code, char *symbol, char *device, const char *name, int ext,
                       size_t size, int constant, int global);
void __cudaRegisterManagedVar(void **code, void **pointer, char *device, const char *name, int ext,
                              size_t size, int constant, int global);
char __cudaInitModule(void **code);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream);

static const dim3 one = {1, 1, 1};
static char stub, symbol[64], other_symbol[64];
static int *managed;
static void **code;

static void launch(dim3 grid, dim3 block) {
    dim3 got_grid, got_block;
    size_t shared = 0;
    cudaStream_t stream = NULL;
    cudaKernel_t kernel = NULL;
    assert_int_equal(__cudaPushCallConfiguration(grid, block, 16, cudaStreamLegacy), 0);
    assert_cuda_ok(__cudaGetKernel(&kernel, &stub));
    assert_cuda_ok(__cudaPopCallConfiguration(&got_grid, &got_block, &shared, &stream));
    assert_int_equal(got_grid.x, grid.x);
    assert_int_equal(got_block.z, block.z);
    assert_int_equal(shared, 16);
    assert_ptr_equal(stream, cudaStreamLegacy);
    (void)__cudaLaunchKernel(kernel, got_grid, got_block, NULL, shared, stream);
}

// 87
static void a_launch_of_device_code_is_refused_and_harms_nothing(void **state) {
    void *memory = NULL;
    (void)state;
    assert_cuda_ok(cudaMalloc(&memory, 4096));
    launch(one, one);
    assert_cuda(cudaGetLastError(), 209);
    assert_cuda_ok(cudaGetLastError());
    assert_cuda_ok(cudaFree(memory));
    assert_cuda_ok(cudaMalloc(&memory, 4096));
    assert_cuda_ok(cudaFree(memory));
    assert_cuda(cudaLaunchKernel(&stub, one, one, NULL, 0, NULL), 209);
    cudaFuncAttributes attributes;
    int blocks = 0;
    assert_cuda(cudaFuncGetAttributes(&attributes, &stub), 209);
    assert_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &stub, 64, 0), 209);
    assert_cuda(cudaFuncSetCacheConfig(&stub, cudaFuncCachePreferL1), 209);
    assert_cuda(cudaGetLastError(), 209);
}

static void the_configuration_is_checked_before_the_kernel(void **state) {
    static const dim3 bad_blocks[] = {{0, 1, 1}, {1025, 1, 1}, {1, 1, 65}, {32, 33, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof bad_blocks / sizeof *bad_blocks; i++) {
        launch(one, bad_blocks[i]);
        assert_cuda(cudaGetLastError(), 1);
    }
    launch((dim3){1, 65536, 1}, one);
    assert_cuda(cudaGetLastError(), 1);
    assert_cuda(cudaLaunchKernel(&stub, one, one, NULL, (size_t)1 << 20, NULL), 1);
    assert_cuda(cudaGetLastError(), 1);
}

// 88
static void another_address_is_no_kernel(void **state) {
    cudaKernel_t kernel = NULL;
    (void)state;
    assert_cuda(cudaLaunchKernel((const void *)(uintptr_t)launch, one, one, NULL, 0, NULL), 400);
    assert_cuda(__cudaGetKernel(&kernel, symbol), 98);
    assert_null(kernel);
    assert_cuda(cudaGetLastError(), 98);
}

static void functions_that_need_the_code_are_refused(void **state) {
    const cudaLaunchConfig_t config = {.gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}};
    cudaFunction_t function = NULL;
    cudaKernel_t kernel = NULL;
    size_t bytes = 0;
    int number = 0;
    (void)state;
    assert_cuda(cudaLaunchCooperativeKernel(&stub, one, one, NULL, 0, NULL), 209);
    assert_cuda(cudaLaunchKernelExC(&config, &stub, NULL), 209);
    assert_cuda(cudaFuncSetAttribute(&stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 1), 209);
    assert_cuda(cudaGetFuncBySymbol(&function, &stub), 209);
    assert_cuda(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &stub, 1, 32), 209);
    assert_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&number, &stub, 32, 0, 0),
                209);
    assert_cuda(cudaOccupancyMaxActiveClusters(&number, &stub, &config), 209);
    assert_cuda(cudaOccupancyMaxPotentialClusterSize(&number, &stub, &config), 209);
    assert_cuda_ok(cudaGetKernel(&kernel, &stub));
    assert_non_null(kernel);
    assert_cuda(cudaGetLastError(), 209);
}

// 89
static void bytes_of_a_variable_come_back(void **state) {
    char in[64], out[64];
    void *at = NULL;
    size_t size = 0;
    (void)state;
    assert_cuda_ok(cudaMemcpyFromSymbol(out, symbol, 64, 0, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++) {
        assert_int_equal(out[i], 0);
        in[i] = (char)(i + 1);
    }
    assert_cuda_ok(cudaMemcpyToSymbol(symbol, in, 16, 16, cudaMemcpyHostToDevice));
    assert_cuda_ok(cudaMemcpyToSymbolAsync(symbol, in + 16, 16, 32, cudaMemcpyHostToDevice, NULL));
    assert_cuda_ok(cudaMemcpyFromSymbolAsync(out, symbol, 32, 16, cudaMemcpyDefault, NULL));
    assert_cuda_ok(cudaDeviceSynchronize());
    assert_memory_equal(in, out, 32);
    assert_cuda_ok(cudaGetSymbolSize(&size, symbol));
    assert_int_equal(size, 64);
    assert_cuda_ok(cudaGetSymbolAddress(&at, symbol));
    assert_cuda_ok(cudaMemcpy(out, (char *)at + 16, 32, cudaMemcpyDeviceToHost));
    assert_memory_equal(in, out, 32);
    for (int i = 0; i < 64; i++) assert_int_equal(symbol[i], 0);
}

static void a_variable_has_bytes_on_each_device(void **state) {
    char byte = 7, got = 1;
    (void)state;
    if (cuda_last_device() < 1) skip();
    assert_cuda_ok(cudaMemcpyToSymbol(symbol, &byte, 1, 0, cudaMemcpyHostToDevice));
    assert_cuda_ok(cudaSetDevice(1));
    assert_cuda_ok(cudaMemcpyFromSymbol(&got, symbol, 1, 0, cudaMemcpyDeviceToHost));
    assert_int_equal(got, 0);
    assert_cuda_ok(cudaSetDevice(0));
    assert_cuda_ok(cudaMemcpyFromSymbol(&got, symbol, 1, 0, cudaMemcpyDeviceToHost));
    assert_int_equal(got, 7);
}

static void a_reset_gives_new_bytes(void **state) {
    char byte = 7, got = 1;
    (void)state;
    assert_cuda_ok(cudaMemcpyToSymbol(symbol, &byte, 1, 0, cudaMemcpyHostToDevice));
    assert_cuda_ok(cudaDeviceReset());
    assert_cuda_ok(cudaMemcpyFromSymbol(&got, symbol, 1, 0, cudaMemcpyDeviceToHost));
    assert_int_equal(got, 0);
}

static void ranges_and_names_of_variables_are_checked(void **state) {
    char bytes[64] = "";
    void *at = NULL;
    (void)state;
    assert_cuda(cudaMemcpyToSymbol(other_symbol, bytes, 1, 0, cudaMemcpyHostToDevice), 13);
    assert_cuda(cudaMemcpyFromSymbol(bytes, other_symbol, 1, 0, cudaMemcpyDeviceToHost), 13);
    assert_cuda(cudaGetSymbolAddress(&at, other_symbol), 13);
    assert_null(at);
    assert_cuda(cudaMemcpyToSymbol(symbol, bytes, 64, 1, cudaMemcpyHostToDevice), 1);
    assert_cuda(cudaMemcpyToSymbol(symbol, bytes, 1, SIZE_MAX, cudaMemcpyHostToDevice), 1);
    assert_cuda(cudaMemcpyToSymbol(symbol, bytes, 1, 0, cudaMemcpyDeviceToHost), 21);
    assert_cuda(cudaMemcpyFromSymbol(bytes, symbol, 1, 0, cudaMemcpyHostToDevice), 21);
    assert_cuda(cudaGetLastError(), 21);
}

static void a_managed_variable_has_memory_before_the_first_call(void **state) {
    int value = 0;
    (void)state;
    assert_int_equal(__cudaInitModule(code), 1);
    assert_non_null(managed);
    assert_int_equal(*managed, 0);
    *managed = 5;
    assert_cuda_ok(cudaMemcpy(&value, managed, sizeof value, cudaMemcpyDefault));
    assert_int_equal(value, 5);
}

static void the_end_of_the_code_frees_its_variables(void **state) {
    size_t before = cuda_free_bytes();
    void **more = __cudaRegisterFatBinary(NULL);
    void *at = NULL;
    (void)state;
    __cudaRegisterVar(more, other_symbol, other_symbol, "other", 0, sizeof other_symbol, 0, 0);
    __cudaRegisterFatBinaryEnd(more);
    assert_cuda_ok(cudaGetSymbolAddress(&at, other_symbol));
    assert_true(cuda_free_bytes() < before);
    __cudaUnregisterFatBinary(more);
    assert_int_equal(cuda_free_bytes(), before);
    assert_cuda(cudaGetSymbolAddress(&at, other_symbol), 13);
    assert_cuda(cudaGetLastError(), 13);
}

// As nvcc's code does before main(): no device is open.
static int begin(void **state) {
    if (cuda_group_setup(state) != 0) return -1;
    code = __cudaRegisterFatBinary(NULL);
    __cudaRegisterFunction(code, &stub, &stub, "_Z6kernelv", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(code, symbol, symbol, "symbol", 0, sizeof symbol, 0, 0);
    __cudaRegisterManagedVar(code, (void **)&managed, NULL, "managed", 0, sizeof *managed, 0, 0);
    __cudaRegisterFatBinaryEnd(code);
    return cudaGetLastError() == cudaSuccess ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    __cudaUnregisterFatBinary(code);
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
        TEST(a_launch_of_device_code_is_refused_and_harms_nothing),
        TEST(the_configuration_is_checked_before_the_kernel),
        TEST(another_address_is_no_kernel),
        TEST(functions_that_need_the_code_are_refused),
        TEST(bytes_of_a_variable_come_back),
        TEST(a_variable_has_bytes_on_each_device),
        TEST(a_reset_gives_new_bytes),
        TEST(ranges_and_names_of_variables_are_checked),
        TEST(a_managed_variable_has_memory_before_the_first_call),
        TEST(the_end_of_the_code_frees_its_variables),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
