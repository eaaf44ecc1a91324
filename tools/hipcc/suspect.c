// SPDX-License-Identifier: Apache-2.0
// See suspect.h. It is asked only after a failure, because a program may have functions of these
// names.
#include "tools/hipcc/suspect.h"

#include <stdio.h>

#include "tools/command.h"
#include "tools/hipcc/brackets.h"
#include "tools/hipcc/dialect.h"
#include "tools/hipcc/kernel.h"
#include "tools/hipcc/launch.h"

enum kind { INCLUDE, NAME, LAUNCH, SHARED, QUOTE };
// Bits beside them: the other compiler knows these words; Tarn's headers have functions of some names.
enum { KINDS = 7, HIPCC = 8, NVCC = 16, SOME = 32 };

static const struct suspect {
    unsigned kind;
    const char *
        words; // of names, or of the beginnings of headers' names; a "*" ends the beginning of a name
    const char *why;
} suspects[] = {
    {INCLUDE, "rocprim/", "rocPRIM has code for GPUs only; Tarn has no replacement for it"},
    {INCLUDE, "hipcub/", "hipCUB needs rocPRIM, which has code for GPUs only"},
    {INCLUDE, "thrust/", "rocThrust needs rocPRIM, which has code for GPUs only"},
    {INCLUDE, "rocwmma/", "rocWMMA has code for the matrix units of GPUs only"},
    {INCLUDE, "ck/", "Composable Kernel has code for GPUs only"},
    {INCLUDE, "cub/", "CUB is CUDA's, and has code for GPUs only"},
    {INCLUDE | HIPCC, "cuda",
     "the header is CUDA's; convert the source to HIP, as with hipify-perl"},
    {INCLUDE | HIPCC, "cooperative_groups",
     "the header is CUDA's; HIP's is hip/hip_cooperative_groups.h"},
    {INCLUDE | HIPCC, "device_launch_parameters.h",
     "the header is CUDA's; hip/hip_runtime.h replaces it"},
    {INCLUDE, "helper_cuda.h", "the header belongs to CUDA's samples"},
    {INCLUDE, "cublas", "the header is CUDA's; Tarn has no library of linear algebra"},
    {INCLUDE, "curand", "the header is CUDA's; Tarn has no library of random numbers"},
    {INCLUDE, "cuda_occupancy.h",
     "Tarn has no model of NVIDIA's processors; cudaOccupancyMaxActiveBlocksPerMultiprocessor() "
     "answers for the device"},
    {INCLUDE, "cudaTypedefs.h",
     "Tarn has no list of the types PFN_...; decltype(&cuMemAlloc) is that of cuMemAlloc()"},
    {INCLUDE, "cuda_gl_interop.h cudaGL.h cudaEGL.h cudaVDPAU.h", "graphics are not supported"},
    {INCLUDE, "mma.h", "the header is CUDA's, for the matrix units of GPUs"},
    {INCLUDE, "hipblas rocblas", "Tarn has no library of linear algebra"},
    {INCLUDE, "hiprand rocrand", "Tarn has no library of random numbers"},
    {INCLUDE, "hipfft rocfft", "Tarn has no library of Fourier transforms"},
    {NAME, "asm __asm__ __asm", "inline assembly for a GPU cannot be assembled for the CPU"},
    {NAME | SOME, "__builtin_amdgcn_*", "the instruction exists on AMD's GPUs only"},
    {NAME,
     "tex1D* tex2D* tex3D* texCubemap* hipTextureObject_t hipCreateTextureObject hipBindTexture* "
     "hipReadMode* hipTextureType* textureReference",
     "textures are not supported"},
    {NAME, "surf1D* surf2D* surf3D* hipSurfaceObject_t surfaceReference",
     "surfaces are not supported"},
    {NAME | SOME, "__nv_*", "the function is CUDA's"},
    {NAME | HIPCC,
     "cudaDevice* cudaError_t cudaEvent* cudaFree* cudaGet* cudaMalloc* cudaMem* cudaStream* "
     "cudaSuccess",
     "the name is CUDA's; convert the source to HIP, as with hipify-perl"},
    {NAME, "__isGlobal __isShared __isConstant __isLocal", "the CPU has one kind of memory"},
    {NAME | NVCC, "__shfl __shfl_up __shfl_down __shfl_xor __ballot __any __all",
     "from compute capability 7.0 on, the function has a mask and another name, as __shfl_sync()"},
    {LAUNCH, "<<<",
     "this launch has no kernel's name before it, or no arguments behind it: write a macro for the "
     "complete launch"},
    {SHARED, "extern",
     "dynamic shared memory is an array without a size, such as extern __shared__ int x[];"},
    {QUOTE, "\"'",
     "this quote has no end, which g++ misses also in text that #if leaves out, and clang++ does "
     "not"},
};
enum { SUSPECTS = sizeof suspects / sizeof *suspects };

// Returns true if the token is the quoted name in an include.
static bool is_included(const struct tn_cxx_source *source, size_t index) {
    return source->tokens[index].directive != 0 && index >= 2 &&
           tn_cxx_is_one(source, index - 1, "include include_next");
}

static bool is_one_of(const struct tn_cxx_source *source, size_t index,
                      const struct suspect *suspect) {
    const struct tn_cxx_token *token = &source->tokens[index];
    const char *text = source->text + token->at, *word = suspect->words;
    bool is_include = (suspect->kind & KINDS) == INCLUDE;
    for (size_t length; *word != '\0'; word += length + (word[length] == ' ')) {
        length = strcspn(word, " ");
        bool is_beginning = is_include || word[length - 1] == '*';
        size_t bytes = length - (is_beginning && !is_include);
        if (token->bytes >= bytes + is_include && (is_beginning || token->bytes == bytes) &&
            memcmp(text + is_include, word, bytes) == 0)
            return true;
    }
    return false;
}

static bool matches(const struct tn_cxx_source *source, size_t index,
                    const struct suspect *suspect) {
    struct tn_cxx_launch launch;
    switch ((enum kind)(suspect->kind & KINDS)) {
    case INCLUDE:
        return tn_cxx_is_a(source, index, TN_CXX_TEXT) && is_included(source, index) &&
               is_one_of(source, index, suspect);
    case NAME: return tn_cxx_is_a(source, index, TN_CXX_NAME) && is_one_of(source, index, suspect);
    case LAUNCH:
        return tn_cxx_is_triple(source, index, "<") && index > 0 &&
               !tn_cxx_is(source, index - 1, "operator") && !tn_cxx_is(source, index - 1, "<") &&
               !tn_cxx_launch_find(source, index, &launch);
    case SHARED: return tn_cxx_shared_is_unknown(source, index);
    case QUOTE: // in a source that the preprocessor refused
        return source->origin_count == 0 && source->tokens[index].directive == 0 &&
               tn_cxx_is_mark(source, index, "\"'");
    }
    return false;
}

// ---- conditions, which stay in a source that the preprocessor refused, and in clang's output

enum truth { FALSE, TRUE, UNKNOWN };

// Returns the value of the condition of #if, #elif, #ifdef or #ifndef, of which `word` is one, if it is a number or
// asks for a vendor.
static enum truth condition_of(const struct tn_cxx_source *source, size_t word) {
    static const char amd[] = "__HIPCC__ __HIP__ __HIP_PLATFORM_AMD__ __HIP_PLATFORM_HCC__";
    static const char nvidia[] =
        "__CUDACC__ __NVCC__ __HIP_PLATFORM_NVIDIA__ __HIP_PLATFORM_NVCC__";
    bool is_nvcc = tn_hipcc_dialect->is_nvcc, holds = !tn_cxx_is(source, word, "ifndef");
    size_t i = tn_cxx_next(source, word);
    if (tn_cxx_is_one(source, word, "if elif")) {
        if (tn_cxx_is_a(source, i, TN_CXX_NUMBER) && tn_cxx_next(source, i) == TN_CXX_NONE)
            return tn_cxx_is(source, i, "0") ? FALSE : TRUE;
        if (tn_cxx_is(source, i, "!")) holds = false, i = tn_cxx_next(source, i);
        if (!tn_cxx_is(source, i, "defined")) return UNKNOWN;
        i = tn_cxx_next(source, i);
        size_t last = tn_cxx_is(source, i, "(") ? tn_cxx_close(source, i) : i;
        if (last != i) i = tn_cxx_next(source, i);
        if (last == TN_CXX_NONE || tn_cxx_next(source, last) != TN_CXX_NONE) return UNKNOWN;
    }
    if (tn_cxx_is_one(source, i, is_nvcc ? nvidia : amd)) return holds ? TRUE : FALSE;
    if (tn_cxx_is_one(source, i, is_nvcc ? amd : nvidia)) return holds ? FALSE : TRUE;
    return UNKNOWN;
}

// A bit for each open condition: its branch is left out, and another branch is known to hold.
struct conditions {
    uint64_t off, taken;
};

static void take_condition(struct conditions *open, const struct tn_cxx_source *source,
                           size_t word) {
    bool is_else = tn_cxx_is(source, word, "else"), is_elif = tn_cxx_is(source, word, "elif");
    enum truth holds = is_else ? TRUE : UNKNOWN;
    if (tn_cxx_is_one(source, word, "if ifdef ifndef elif"))
        holds = condition_of(source, word);
    else if (!is_else && !tn_cxx_is(source, word, "endif"))
        return;
    if (is_else || is_elif) {
        open->off = (open->off & ~(uint64_t)1) | (open->taken & 1) | (holds == FALSE);
        open->taken |= holds == TRUE;
    } else if (tn_cxx_is(source, word, "endif")) {
        open->off >>= 1;
        open->taken >>= 1;
    } else {
        open->off = open->off << 1 | (holds == FALSE);
        open->taken = open->taken << 1 | (holds == TRUE);
    }
}

// Returns true if the source itself gives the name a meaning: #define cudaMalloc hipMalloc. With `SOME`,
// also if a header of the system names it.
static bool is_mapped(const struct tn_cxx_source *source, size_t index, unsigned kind) {
    for (size_t i = 2; i < source->count; i++) {
        const struct tn_cxx_token *name = &source->tokens[i];
        if (tn_cxx_is_same(source, i, index) &&
            ((name->directive != 0 && tn_cxx_is(source, i - 1, "define") &&
              tn_cxx_is(source, i - 2, "#")) ||
             ((kind & SOME) != 0 && tn_cxx_locate(source, name->at).is_system)))
            return true;
    }
    return false;
}

// ---- reports

static void print_place(const struct tn_cxx_place *place, const char *path, const char *severity,
                        const char *why) {
    if (place->file_bytes > 2)
        fprintf(stderr, "%.*s", (int)place->file_bytes - 2, place->file + 1);
    else
        fputs(path, stderr);
    fprintf(stderr, ":%u:%u: %s: tarn %s: %s\n", place->line, place->column, severity,
            tn_hipcc_dialect->command, why);
}

int tn_hipcc_refuse_at(const struct tn_cxx_source *source, size_t at, const char *path,
                       const char *why) {
    const struct tn_cxx_place place = tn_cxx_locate(source, at);
    print_place(&place, path, "error", why);
    return TN_EXIT_FAILED;
}

int tn_hipcc_refuse(const struct tn_cxx_source *source, size_t index, const char *path,
                    const char *why) {
    return tn_hipcc_refuse_at(source, source->tokens[index].at, path, why);
}

void tn_hipcc_explain(const struct tn_cxx_source *source, const char *path) {
    bool printed[SUSPECTS] = {false};
    struct conditions open = {0, 0};
    const char *severity = "error";
    for (size_t i = 0; i < source->count; i++) {
        if (i > 0 && source->tokens[i].directive != 0 && tn_cxx_is(source, i - 1, "#"))
            take_condition(&open, source, i);
        for (size_t k = 0; k < SUSPECTS; k++) {
            bool is_off = open.off != 0 && (suspects[k].kind & KINDS) != QUOTE;
            if (printed[k] || is_off ||
                (suspects[k].kind & (tn_hipcc_dialect->is_nvcc ? HIPCC : NVCC)) != 0 ||
                !matches(source, i, &suspects[k]))
                continue;
            struct tn_cxx_place place = tn_cxx_locate(source, source->tokens[i].at);
            if (place.is_system ||
                ((suspects[k].kind & KINDS) == NAME && is_mapped(source, i, suspects[k].kind)))
                continue;
            printed[k] = true;
            print_place(&place, path, severity, suspects[k].why);
            severity = "note"; // the first one may be the cause of the others
        }
    }
}
