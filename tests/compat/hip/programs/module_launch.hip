// SPDX-License-Identifier: Apache-2.0
// Loads a module twice, from a file and from memory, and launches its kernels by their names.
#include "check.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

static std::vector<char> read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int main() {
    const char *folder = std::getenv("MODULES");
    const std::string path = std::string(folder != nullptr ? folder : ".") + "/vector.co";
    hipModule_t module, copy;
    hipFunction_t add, scale, reverse, other;
    hipDeviceptr_t address, second;
    size_t bytes;
    unsigned count = 0;
    HIP_CHECK(hipModuleLoad(&module, path.c_str()));
    std::vector<char> image = read_file(path);
    HIP_CHECK(hipModuleLoadData(&copy, image.data()));
    image.assign(image.size(), 0); // a module keeps no pointer to its image
    HIP_CHECK(hipModuleGetFunction(&add, module, "add_offset"));
    HIP_CHECK(hipModuleGetFunction(&scale, module, "_Z5scaleIiEvPT_S0_i"));
    HIP_CHECK(hipModuleGetFunction(&reverse, module, "_Z7reversePi"));
    HIP_CHECK(hipModuleGetFunction(&other, copy, "add_offset"));
    HIP_CHECK(hipModuleGetFunctionCount(&count, module));
    EXPECT(count == 3);
    EXPECT(hipModuleGetFunction(&other, module, "missing") == hipErrorNotFound);

    // Each module has variables of its own.
    HIP_CHECK(hipModuleGetGlobal(&address, &bytes, module, "offset"));
    HIP_CHECK(hipModuleGetGlobal(&second, nullptr, copy, "offset"));
    EXPECT(bytes == sizeof(int) && address != second);
    int offset = 100;
    HIP_CHECK(hipMemcpyHtoD(second, &offset, sizeof offset));

    const int n = 64;
    std::vector<int> host(n);
    for (int i = 0; i < n; i++) host[i] = i;
    device_array<int> data(host);
    int *p = data.get(), by = 3, length = n;
    void *two[] = {&p, &length}, *three[] = {&p, &by, &length}, *one[] = {&p};
    HIP_CHECK(hipModuleLaunchKernel(add, 2, 1, 1, 32, 1, 1, 0, nullptr, two, nullptr));
    HIP_CHECK(hipModuleLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, nullptr, three, nullptr));
    HIP_CHECK(hipModuleLaunchKernel(other, 2, 1, 1, 32, 1, 1, 0, nullptr, two, nullptr));
    HIP_CHECK(
        hipModuleLaunchKernel(reverse, 1, 1, 1, n, 1, 1, n * sizeof(int), nullptr, one, nullptr));
    std::vector<int> got = data.download();
    for (int i = 0; i < n; i++) EXPECT(got[i] == (n - 1 - i + 5) * 3 + 100);

    // A library is a module for all devices.
    hipLibrary_t library;
    hipKernel_t kernel;
    HIP_CHECK(
        hipLibraryLoadFromFile(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    HIP_CHECK(hipLibraryGetKernel(&kernel, library, "add_offset"));
    HIP_CHECK(hipLibraryGetKernelCount(&count, library));
    EXPECT(count == 3);
    HIP_CHECK(
        hipModuleLaunchKernel((hipFunction_t)kernel, 2, 1, 1, 32, 1, 1, 0, nullptr, two, nullptr));
    EXPECT(data.download()[0] == got[0] + 5);
    HIP_CHECK(hipLibraryUnload(library));

    // Code for a GPU stays an error that says what it is.
    const char bundle[] = "__CLANG_OFFLOAD_BUNDLE__";
    hipModule_t none = nullptr;
    EXPECT(hipModuleLoadData(&none, bundle) == hipErrorNoBinaryForGpu);
    EXPECT(std::strstr(hipExtGetLastErrorText(), "a bundle of code for GPUs") != nullptr);
    HIP_CHECK(hipModuleUnload(module));
    HIP_CHECK(hipModuleUnload(copy));
    EXPECT(hipModuleLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, nullptr, two, nullptr) != hipSuccess);
}
