// SPDX-License-Identifier: Apache-2.0
// Compiles kernels at run time: with options, a header, names of template instances, and a mistake.
#include "check.h"

#include <hip/hiprtc.h>

#include <cstring>
#include <string>

#define RTC_CHECK(call) EXPECT((call) == HIPRTC_SUCCESS)

static const char source[] = R"(
#include "factor.h"

__device__ int bias = 7;

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = FACTOR * a * x[i] + y[i];
}

template <typename T, int By> __global__ void add(T *p) { p[threadIdx.x] += By + bias; }
)";

static std::string log_of(hiprtcProgram program) {
    size_t bytes = 0;
    RTC_CHECK(hiprtcGetProgramLogSize(program, &bytes));
    std::string log(bytes, '\0');
    RTC_CHECK(hiprtcGetProgramLog(program, &log[0]));
    return log;
}

static void compile_and_launch() {
    hiprtcProgram program;
    const char *text = "#define FACTOR SCALE\n", *name = "factor.h", *lowered = nullptr;
    const char *options[] = {"--gpu-architecture=gfx90a", "-DSCALE=2", "-O1"};
    size_t bytes = 0;
    RTC_CHECK(hiprtcCreateProgram(&program, source, "kernels.hip", 1, &text, &name));
    RTC_CHECK(hiprtcAddNameExpression(program, "add<int, 3>"));
    RTC_CHECK(hiprtcAddNameExpression(program, "&bias"));
    hiprtcResult result = hiprtcCompileProgram(program, 3, options);
    if (result != HIPRTC_SUCCESS) std::fprintf(stderr, "%s", log_of(program).c_str());
    RTC_CHECK(result);
    RTC_CHECK(hiprtcGetLoweredName(program, "add<int, 3>", &lowered));
    EXPECT(std::strcmp(lowered, "_Z3addIiLi3EEvPT_") == 0);
    RTC_CHECK(hiprtcGetCodeSize(program, &bytes));
    std::vector<char> code(bytes);
    RTC_CHECK(hiprtcGetCode(program, code.data()));

    hipModule_t module;
    hipFunction_t saxpy, add;
    HIP_CHECK(hipModuleLoadData(&module, code.data()));
    HIP_CHECK(hipModuleGetFunction(&saxpy, module, "saxpy"));
    HIP_CHECK(hipModuleGetFunction(&add, module, lowered));
    int n = 100;
    float a = 1.5f;
    device_array<float> x(std::vector<float>(n, 2)), y(std::vector<float>(n, 1));
    device_array<int> ints(std::vector<int>(32, 10));
    float *px = x.get(), *py = y.get();
    int *pi = ints.get();
    void *arguments[] = {&a, &px, &py, &n}, *one[] = {&pi};
    HIP_CHECK(hipModuleLaunchKernel(saxpy, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    HIP_CHECK(hipModuleLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, one, nullptr));
    for (float got : y.download()) EXPECT(got == 7);
    hipLibrary_t library;
    hipKernel_t same;
    HIP_CHECK(hipLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    HIP_CHECK(hipLibraryGetKernel(&same, library, "saxpy"));
    HIP_CHECK(hipModuleLaunchKernel((hipFunction_t)same, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments,
                                    nullptr));
    for (float got : y.download()) EXPECT(got == 13);
    HIP_CHECK(hipLibraryUnload(library));
    for (int got : ints.download()) EXPECT(got == 20);

    RTC_CHECK(hiprtcGetLoweredName(program, "&bias", &lowered));
    hipDeviceptr_t bias;
    HIP_CHECK(hipModuleGetGlobal(&bias, &bytes, module, lowered));
    EXPECT(bytes == sizeof(int));
    HIP_CHECK(hipModuleUnload(module));
    RTC_CHECK(hiprtcDestroyProgram(&program));
}

static void see_a_mistake() {
    hiprtcProgram program;
    size_t bytes = 0;
    RTC_CHECK(hiprtcCreateProgram(&program, "\n__global__ void k(int *p) { *p = wrong; }\n",
                                  "k.hip", 0, nullptr, nullptr));
    EXPECT(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_ERROR_COMPILATION);
    EXPECT(log_of(program).find("k.hip:2:34: error: ") != std::string::npos);
    EXPECT(hiprtcGetCodeSize(program, &bytes) == HIPRTC_ERROR_INVALID_PROGRAM);
    RTC_CHECK(hiprtcDestroyProgram(&program));
}

int main() {
    compile_and_launch();
    see_a_mistake();
}
