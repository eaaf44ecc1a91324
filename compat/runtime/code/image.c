// SPDX-License-Identifier: Apache-2.0
// See image.h. The same file is loaded as often as the program asks, each time with variables of
// its own: a copy in memory has a path of its own.
#include "compat/runtime/code/image.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/face/scope.h"
#include "compat/face/uncancelled.h"
#include "compat/runtime/base/handle.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/code/host_kernel.h"
#include "compat/runtime/code/policy.h"
#include "compat/runtime/device/device.h"
#include "compat/runtime/memory/memory.h"
#include "compat/runtime/stream/order.h"
#include "src/base/list.h"

#define EM_AMD    224
#define EM_NVIDIA 190

#if defined(__x86_64__)
#define EM_HERE EM_X86_64
#elif defined(__aarch64__)
#define EM_HERE EM_AARCH64
#else
#define EM_HERE EM_NONE
#endif

struct tn_rt_image_shared {
    struct tn_rt_image_shared *next;
    void *address;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the lists of variables

// ---- the kinds of code

// Reads nothing behind the first byte that differs.
static bool begins_with(const void *image, const char *magic, size_t bytes) {
    return strncmp((const char *)image, magic, bytes) == 0;
}

static const char no_code[] = "no code";

// Returns NULL for a shared object of this CPU, or what else the image is. Code of every vendor is
// known.
static const char *judge_image(const void *image, size_t readable) {
    static const struct {
        const char *magic;
        size_t bytes;
        const char *kind;
    } kinds[] = {{"__CLANG_OFFLOAD_BUNDLE__", 24, "a bundle of code for GPUs"},
                 {"CCOB", 4, "a compressed bundle of code for GPUs"},
                 {"FPIH", 4, "the code of a program that hipcc compiled for GPUs"},
                 {"\xb1\x43\x62\x46", 4, "the code of a program that nvcc compiled for GPUs"},
                 {"\x50\xed\x55\xba", 4, "a bundle of code for GPUs"},
                 {"//", 2, "PTX"},
                 {".ver", 4, "PTX"},
                 {"BC\xc0\xde", 4, "bit code"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (readable >= kinds[i].bytes && begins_with(image, kinds[i].magic, kinds[i].bytes))
            return kinds[i].kind;
    Elf64_Ehdr head;
    if (readable < sizeof head || !begins_with(image, ELFMAG, SELFMAG)) return no_code;
    memcpy(&head, image, sizeof head);
    if (head.e_machine == EM_AMD || head.e_machine == EM_NVIDIA) return "code for a GPU";
    return head.e_machine == EM_HERE && head.e_type == ET_DYN ? NULL : "code for another machine";
}

static tn_rt_error refuse_image(const char *path, const char *kind) {
    return tn_rt_fail(kind == no_code ? tn_rt_code_policy.no_code_error : TN_RT_NO_BINARY,
                      "%.200s is %s; %s code for this CPU", path, kind,
                      tn_rt_code_policy.code_makers);
}

// Only the magic numbers are read before the image is known to be longer.
static const char *judge_memory(const void *image) {
    const char *kind = judge_image(image, 4);
    if (begins_with(image, ELFMAG, SELFMAG)) return judge_image(image, sizeof(Elf64_Ehdr));
    return begins_with(image, "__CL", 4) ? "a bundle of code for GPUs" : kind;
}

// The tables of sections and segments, and what they describe, end with the file.
static size_t size_of_image(const void *image) {
    const char *bytes = (const char *)image;
    Elf64_Ehdr head;
    memcpy(&head, image, sizeof head);
    size_t end = head.e_shoff + (size_t)head.e_shnum * head.e_shentsize;
    for (size_t i = 0; i < head.e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, bytes + head.e_phoff + i * head.e_phentsize, sizeof segment);
        if (segment.p_offset + segment.p_filesz > end) end = segment.p_offset + segment.p_filesz;
    }
    return end;
}

// ---- loading

// Lets the code find the functions of this library, also if the program opened it for itself alone.
static void show_library(void) {
    Dl_info own;
    if (dladdr((const void *)(uintptr_t)&tn_rt_image_open, &own) == 0) return;
    void *library = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
    if (library != NULL) (void)dlclose(library);
}

static tn_rt_error open_path(const char *path, struct tn_rt_image *code) {
    struct link_map *map;
    show_library();
    code->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    TN_RT_REFUSE(code->library == NULL, TN_RT_NO_BINARY, "%.300s", dlerror());
    if (dlinfo(code->library, RTLD_DI_LINKMAP, &map) == 0) {
        memcpy(&code->base, &map->l_addr, sizeof code->base);
        return TN_RT_OK;
    }
    (void)dlclose(code->library);
    return tn_rt_fail(TN_RT_NO_BINARY, "%.300s", dlerror());
}

static tn_rt_error open_copy(const void *image, size_t bytes, struct tn_rt_image *code) {
    char path[64];
    int copy = memfd_create("tarn-module", MFD_CLOEXEC);
    tn_rt_error error = TN_RT_OK;
    TN_RT_REFUSE(copy < 0, TN_RT_OUT_OF_MEMORY, "memfd_create: %s", strerror(errno));
    for (size_t done = 0; done < bytes && error == TN_RT_OK;) {
        ssize_t got = write(copy, (const char *)image + done, bytes - done);
        if (got <= 0)
            error =
                tn_rt_fail(TN_RT_OUT_OF_MEMORY, "a copy of %zu bytes: %s", bytes, strerror(errno));
        else
            done += (size_t)got;
    }
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
    if (error == TN_RT_OK) error = open_path(path, code);
    (void)close(copy);
    return error;
}

tn_rt_error tn_rt_image_open(const void *image, struct tn_rt_image *code) {
    TN_UNCANCELLED;
    const char *kind = judge_memory(image);
    return kind == NULL ? open_copy(image, size_of_image(image), code)
                        : refuse_image("the image", kind);
}

// A file that is not loaded yet keeps its name, for debuggers and sanitizers.
static tn_rt_error open_file(const char *path, const void *image, size_t bytes,
                             struct tn_rt_image *code) {
    char plain[PATH_MAX];
    const char *kind = judge_image(image, bytes);
    TN_RT_REFUSE(bytes == 0, TN_RT_INVALID_IMAGE, "%.200s is empty", path);
    if (kind != NULL) return refuse_image(path, kind);
    if (realpath(path, plain) == NULL) return tn_rt_fail(TN_RT_FILE_NOT_FOUND, "%.200s", path);
    void *loaded = dlopen(plain, RTLD_LAZY | RTLD_NOLOAD);
    if (loaded == NULL) return open_path(plain, code);
    (void)dlclose(loaded);
    return open_copy(image, bytes, code);
}

tn_rt_error tn_rt_image_load(const char *path, struct tn_rt_image *code) {
    TN_UNCANCELLED;
    struct stat info = {.st_size = 0};
    FILE *file = fopen(path, "re");
    TN_RT_REFUSE(file == NULL || fstat(fileno(file), &info) != 0, TN_RT_FILE_NOT_FOUND,
                 "%.200s cannot be read", path);
    size_t bytes = (size_t)info.st_size;
    char *image = (char *)malloc(bytes + 1);
    tn_rt_error error = TN_RT_OK;
    if (image == NULL)
        error = tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for %zu bytes of code", bytes);
    else if (fread(image, 1, bytes, file) != bytes)
        error = tn_rt_fail(TN_RT_FILE_NOT_FOUND, "%.200s cannot be read", path);
    else
        error = open_file(path, image, bytes, code);
    free(image);
    (void)fclose(file);
    return error;
}

void tn_rt_image_close(struct tn_rt_image *code) {
    TN_UNCANCELLED;
    for (int i = 0; i < tn_rt_devices.count; i++)
        (void)tn_rt_synchronize_device(&tn_rt_devices.of[i]);
    TN_CHAIN_DRAIN(struct tn_rt_image_shared, variable, code->shared, next) {
        (void)tn_rt_host_unregister(variable->address);
        free(variable);
    }
    (void)dlclose(code->library);
}

// ---- names

tn_rt_error tn_rt_image_kernel(const struct tn_rt_image *code, const char *name, void *out) {
    const struct tn_rt_host_kernel *kernel = tn_rt_host_kernel_named(code->base, name);
    TN_RT_REFUSE(kernel == NULL, TN_RT_NOT_FOUND, "no kernel is called \"%.100s\"", name);
    tn_rt_give(out, (uintptr_t)kernel);
    return TN_RT_OK;
}

// Makes the variable memory of the runtime, unless it is already.
static tn_rt_error share_variable(struct tn_rt_image *code, void *address, size_t bytes) {
    TN_FACE_LOCKED(&lock);
    for (const struct tn_rt_image_shared *v = code->shared; v != NULL; v = v->next)
        if (v->address == address) return TN_RT_OK;
    struct tn_rt_image_shared *variable = (struct tn_rt_image_shared *)malloc(sizeof *variable);
    TN_RT_REFUSE(variable == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a variable");
    tn_rt_error error = tn_rt_host_register(address, bytes, 0);
    if (error != TN_RT_OK) {
        free(variable);
        return error;
    }
    *variable = (struct tn_rt_image_shared){code->shared, address};
    code->shared = variable;
    return TN_RT_OK;
}

// Defined if the process runs under ASan.
extern void *__asan_region_is_poisoned(void *address, size_t size) __attribute__((weak));

// Clang's ASan extends a variable by bytes that no access may touch, and the symbol with it.
static size_t size_of_variable(void *address, size_t size) {
    void *end = __asan_region_is_poisoned != NULL ? __asan_region_is_poisoned(address, size) : NULL;
    return end != NULL ? (size_t)((char *)end - (char *)address) : size;
}

tn_rt_error tn_rt_image_variable(struct tn_rt_image *code, const char *name, void **address,
                                 size_t *bytes) {
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    void *found = dlsym(code->library, name);
    bool is_own = found != NULL && dladdr1(found, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0 &&
                  info.dli_fbase == code->base && symbol != NULL &&
                  ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT;
    TN_RT_REFUSE(!is_own, TN_RT_NOT_FOUND, "no variable is called \"%.100s\"", name);
    size_t size = size_of_variable(found, symbol->st_size);
    TN_RT_TRY(share_variable(code, found, size));
    if (address != NULL) *address = found;
    if (bytes != NULL) *bytes = size;
    return TN_RT_OK;
}

TN_FACE_ON_FORK(TN_RT_LOCK_MODULES, &lock, NULL);
