// SPDX-License-Identifier: Apache-2.0
// A claim about refusals in a C++ program, as PyTorch is one: an exception that the refusal's
// function throws passes through the plug-in, and the plug-in goes on working.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "plugin/torch/torch.h"

namespace {

template <typename F> F *find(void *library, const char *name) {
    void *symbol = dlsym(library, name);
    F *function = nullptr;
    std::memcpy(&function, &symbol, sizeof function);
    if (function == nullptr) throw std::runtime_error(name);
    return function;
}

[[noreturn]] void refuse(const char *function, const char *, uint32_t, const char *text) {
    throw std::length_error(std::string(function) + ": " + text);
}

// What is destroyed on the way out, as a framework's guards are.
struct guard {
    bool *passed;
    ~guard() { *passed = true; }
};

bool throws(void *(*alloc)(ssize_t, int, void *)) {
    bool passed = false;
    try {
        guard g{&passed};
        (void)alloc(1 << 30, 0, nullptr);
    } catch (const std::length_error &error) {
        return passed &&
               std::strstr(error.what(), "cannot allocate 1073741824 bytes on device 0") != nullptr;
    }
    return false;
}

int run() {
    void *library = dlopen(std::getenv("PLUGIN"), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    auto *alloc = find<decltype(tarn_torch_malloc)>(library, "tarn_torch_malloc");
    auto *release = find<decltype(tarn_torch_free)>(library, "tarn_torch_free");
    find<decltype(tarn_torch_on_refusal)>(library, "tarn_torch_on_refusal")(refuse);
    for (int i = 0; i < 3; i++) {
        void *block = alloc(1 << 20, 0, nullptr);
        if (block == nullptr || !throws(alloc)) return 1;
        release(block, 1 << 20, 0, nullptr);
    }
    return 0;
}

} // namespace

int main() {
    setenv("TARN_TORCH_DEVICE", "host:0,memory=64M", 1);
    try {
        return run();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
