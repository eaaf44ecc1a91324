// SPDX-License-Identifier: Apache-2.0
// Opens each back-end beside this program, and compares its operations with those of the CPU.
#include "ggml.h"

#include <dlfcn.h>
#include <libgen.h>
#include <unistd.h>

#include <climits>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

static unsigned seed = 1;
static int cases, failures;

static std::vector<float> numbers(size_t count) {
    std::vector<float> made(count);
    for (float &number : made) {
        seed = seed * 1103515245u + 12345;
        number = (float)((int)(seed >> 16 & 255) - 128) / 64; // exact in every type but the blocks
    }
    return made;
}

// The error of a result, relative to the numbers in it.
static void judge(const char *what, bool done, const std::vector<float> &got,
                  const std::vector<float> &want, double most) {
    double error = 0, size = 0;
    for (size_t i = 0; i < want.size(); i++) {
        error += (got[i] - want[i]) * (double)(got[i] - want[i]);
        size += want[i] * (double)want[i];
    }
    bool ok = done && error <= most * size;
    std::printf("  %s: %s\n", what, ok ? "OK" : "FAIL");
    cases++;
    failures += !ok;
}

static void test_multiply(const ggml_backend *backend, ggml_type type, int rows, int columns,
                          int k) {
    std::vector<float> w = numbers((size_t)columns * k), x = numbers((size_t)rows * k);
    std::vector<float> got((size_t)rows * columns), want(got.size());
    std::vector<char> packed(ggml_row_bytes(type, k) * (size_t)columns);
    ggml_from_float(type, w.data(), packed.data(), columns * k);
    ggml_to_float(type, packed.data(), w.data(), columns * k);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            for (int i = 0; i < k; i++)
                want[(size_t)r * columns + c] += w[(size_t)c * k + i] * x[(size_t)r * k + i];
    bool done = backend->multiply(type, packed.data(), x.data(), got.data(), rows, columns, k);
    char what[100];
    std::snprintf(what, sizeof what, "MUL_MAT %s %dx%dx%d", ggml_name(type), rows, columns, k);
    judge(what, done, got, want, 5e-4);
}

static void test_multiply_each(const ggml_backend *backend, int rows, int columns, int k,
                               int count) {
    std::vector<float> w = numbers((size_t)columns * k * count),
                       x = numbers((size_t)rows * k * count);
    std::vector<float> got((size_t)rows * columns * count), want(got.size());
    std::vector<char> halves(w.size() * 2);
    ggml_from_float(TYPE_F16, w.data(), halves.data(), (int)w.size());
    for (size_t b = 0; b < (size_t)count; b++)
        for (size_t r = 0; r < (size_t)rows; r++)
            for (size_t c = 0; c < (size_t)columns; c++)
                for (size_t i = 0; i < (size_t)k; i++)
                    want[(b * rows + r) * columns + c] +=
                        w[(b * columns + c) * k + i] * x[(b * rows + r) * k + i];
    judge("MUL_MAT each",
          backend->multiply_each(halves.data(), x.data(), got.data(), rows, columns, k, count), got,
          want, 1e-6);
}

static void test_rows(const ggml_backend *backend, int rows, int columns) {
    std::vector<float> x = numbers((size_t)rows * columns), got(x.size()), norm(x.size()),
                       soft(x.size());
    for (size_t r = 0; r < (size_t)rows; r++) {
        double squares = 0, sum = 0;
        const float *row = &x[r * columns];
        for (int i = 0; i < columns; i++)
            squares += row[i] * (double)row[i], sum += std::exp((double)row[i]);
        for (int i = 0; i < columns; i++) {
            norm[r * columns + i] = (float)(row[i] / std::sqrt(squares / columns + 1e-6));
            soft[r * columns + i] = (float)(std::exp((double)row[i]) / sum);
        }
    }
    judge("RMS_NORM", backend->rms_norm(x.data(), got.data(), rows, columns, 1e-6f), got, norm,
          1e-9);
    judge("SOFT_MAX", backend->soft_max(x.data(), got.data(), rows, columns), got, soft, 1e-9);
}

static bool test_backend(const std::string &path) {
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    ggml_backend_init_t init = (ggml_backend_init_t)dlsym(library, "ggml_backend_init");
    const ggml_backend *backend = init != nullptr ? init() : nullptr;
    if (backend == nullptr) return false;
    std::printf("Backend %s\n", backend->name);
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int k : {32, 256, 1024})
            for (int rows : {1, 7}) test_multiply(backend, (ggml_type)type, rows, 33, k);
    for (int count : {1, 6}) test_multiply_each(backend, 3, 20, 64, count);
    for (int columns : {1, 100, 1025}) test_rows(backend, 5, columns);
    return true;
}

int main() {
    char self[PATH_MAX] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0) return 1;
    std::string folder = dirname(self);
    int backends = 0;
    for (const char *name : {"/libggml-hip.so", "/libggml-cuda.so"})
        if (access((folder + name).c_str(), R_OK) == 0)
            backends += test_backend(folder + name) ? 1 : 100;
    std::printf("%d/%d tests passed\n", cases - failures, cases);
    return backends == 1 && failures == 0 && cases != 0 ? 0 : 1;
}
