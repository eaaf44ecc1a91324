// SPDX-License-Identifier: Apache-2.0
// CUDA, where it has more than HIP: multicast objects of two devices, and their shareable handles.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cuda.h>

#include "starve/support/round.h"

enum { TEAM = 2 };
#define BYTES ((size_t)2 << 20)

static const char *name_of(CUresult error) {
    const char *name = NULL;
    return cuGetErrorName(error, &name) == CUDA_SUCCESS ? name : "an unknown error";
}

#define TRY_OR(shortage, step)                                                                     \
    do {                                                                                           \
        CUresult error_of_step = (step);                                                           \
        if (error_of_step != CUDA_SUCCESS)                                                         \
            return starve_classify(error_of_step == (shortage), #step, name_of(error_of_step));    \
    } while (0)
#define TRY(step) TRY_OR(CUDA_ERROR_OUT_OF_MEMORY, step)
// An export has this error for every failure.
#define TRY_EXPORT(step) TRY_OR(CUDA_ERROR_INVALID_VALUE, step)

#define MUST(worst, step)                                                                          \
    do {                                                                                           \
        CUresult error_of_step = (step);                                                           \
        error_of_step = error_of_step == CUDA_ERROR_OUT_OF_MEMORY ? (step) : error_of_step;        \
        if (error_of_step != CUDA_SUCCESS)                                                         \
            *(worst) = starve_classify(false, #step, name_of(error_of_step));                      \
    } while (0)

struct place {
    CUmemGenericAllocationHandle handle;
    CUdeviceptr address;
    bool is_mapped;
};

struct scene {
    bool is_current; // the primary context of device 0
    struct place object, memory[TEAM];
    CUmemGenericAllocationHandle same[TEAM]; // imports of the object
    CUstream stream;
    size_t free_bytes;
};

static enum starve_kind map(struct place *place) {
    CUmemAccessDesc all[TEAM];
    for (int i = 0; i < TEAM; i++)
        all[i] =
            (CUmemAccessDesc){{CU_MEM_LOCATION_TYPE_DEVICE, i}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    TRY(cuMemAddressReserve(&place->address, BYTES, 0, 0, 0));
    TRY(cuMemMap(place->address, BYTES, 0, place->handle, 0));
    place->is_mapped = true;
    TRY(cuMemSetAccess(place->address, BYTES, all, TEAM));
    return STARVE_DONE;
}

static enum starve_kind use_context(struct scene *s) {
    CUcontext context = NULL;
    size_t all = 0;
    TRY(cuInit(0));
    TRY(cuDevicePrimaryCtxRetain(&context, 0));
    s->is_current = true;
    TRY(cuCtxSetCurrent(context));
    TRY(cuMemGetInfo(&s->free_bytes, &all));
    TRY(cuStreamCreate(&s->stream, CU_STREAM_NON_BLOCKING));
    return STARVE_DONE;
}

static enum starve_kind make_memory(struct scene *s) {
    enum starve_kind kind = STARVE_DONE;
    for (int i = 0; i < TEAM && kind == STARVE_DONE; i++) {
        const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                          .requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC,
                                          .location = {CU_MEM_LOCATION_TYPE_DEVICE, i}};
        TRY(cuMemCreate(&s->memory[i].handle, BYTES, &prop, 0));
        kind = map(&s->memory[i]);
    }
    return kind;
}

static enum starve_kind use_object(struct scene *s) {
    const CUmulticastObjectProp prop = {.numDevices = TEAM,
                                        .size = BYTES,
                                        .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR |
                                                       CU_MEM_HANDLE_TYPE_FABRIC};
    const CUmemGenericAllocationHandle *object = &s->object.handle;
    TRY(cuMulticastCreate(&s->object.handle, &prop));
    for (int i = 0; i < TEAM; i++) TRY(cuMulticastAddDevice(*object, i));
    TRY(cuMulticastBindMem(*object, 0, s->memory[0].handle, 0, BYTES, 0));
    TRY(cuMulticastBindAddr(*object, 0, s->memory[1].address, BYTES, 0));
    return map(&s->object);
}

static enum starve_kind write_object(const struct scene *s) {
    const CUdeviceptr at = s->object.address;
    TRY(cuMemcpyHtoD(at, "everywhere", 10));
    TRY(cuMemsetD8Async(at + 10, 1, 6, s->stream));
    TRY(cuStreamSynchronize(s->stream));
    for (int i = 0; i < TEAM; i++) {
        char text[16] = "";
        TRY(cuMemcpyDtoH(text, s->memory[i].address, sizeof text));
        if (memcmp(text, "everywhere\1\1\1\1\1\1", sizeof text) != 0)
            return starve_classify(false, "a write to the object", "wrong bytes");
    }
    TRY(cuMulticastUnbind(s->object.handle, 1, 0, BYTES));
    return STARVE_DONE;
}

static enum starve_kind share_object(struct scene *s) {
    CUmemFabricHandle fabric;
    int fd = -1;
    TRY_EXPORT(
        cuMemExportToShareableHandle(&fabric, s->object.handle, CU_MEM_HANDLE_TYPE_FABRIC, 0));
    TRY(cuMemImportFromShareableHandle(&s->same[0], &fabric, CU_MEM_HANDLE_TYPE_FABRIC));
    TRY_EXPORT(cuMemExportToShareableHandle(&fd, s->object.handle,
                                            CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CUresult error = cuMemImportFromShareableHandle(&s->same[1], (void *)(intptr_t)fd,
                                                    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    (void)close(fd);
    TRY(error);
    return STARVE_DONE;
}

static enum starve_kind use_all(struct scene *s) {
    enum starve_kind kind = use_context(s);
    if (kind == STARVE_DONE) kind = make_memory(s);
    if (kind == STARVE_DONE) kind = use_object(s);
    if (kind == STARVE_DONE) kind = write_object(s);
    return kind == STARVE_DONE ? share_object(s) : kind;
}

static void undo(const struct place *place, enum starve_kind *worst) {
    if (place->is_mapped) MUST(worst, cuMemUnmap(place->address, BYTES));
    if (place->address != 0) MUST(worst, cuMemAddressFree(place->address, BYTES));
    if (place->handle != 0) MUST(worst, cuMemRelease(place->handle));
}

static void undo_all(const struct scene *s, enum starve_kind *worst) {
    for (int i = 0; i < TEAM; i++)
        if (s->same[i] != 0) MUST(worst, cuMemRelease(s->same[i]));
    undo(&s->object, worst);
    for (int i = 0; i < TEAM; i++) undo(&s->memory[i], worst);
    if (s->stream != NULL) MUST(worst, cuStreamDestroy(s->stream));
}

void starve_provoke(void) {
    CUdeviceptr memory = 0;
    (void)cuMemAlloc(&memory, SIZE_MAX / 4);
}

// The kernel may refuse an unmap once, which the next allocation then completes.
static enum starve_kind check_memory(const struct scene *s) {
    size_t left = 0;
    size_t all = 0;
    for (int i = 0; s->free_bytes != 0 && i < 3 && left != s->free_bytes; i++) {
        CUdeviceptr memory = 0;
        if (cuMemAlloc(&memory, BYTES) != CUDA_SUCCESS || cuMemFree(memory) != CUDA_SUCCESS ||
            cuMemGetInfo(&left, &all) != CUDA_SUCCESS)
            left = 0;
    }
    return left == s->free_bytes
               ? STARVE_DONE
               : starve_classify(false, "free memory at the end", "less than at the beginning");
}

__attribute__((constructor)) static void choose_device(void) {
    (void)setenv("TARN_CUDA_DEVICE", "host:0,devices=2,workers=1,fabric=on", 1);
}

enum starve_kind starve_round(void) {
    struct scene s = {0};
    enum starve_kind worst = use_all(&s);
    undo_all(&s, &worst);
    if (check_memory(&s) != STARVE_DONE) worst = STARVE_WRONG;
    if (s.is_current) MUST(&worst, cuDevicePrimaryCtxRelease(0));
    return worst;
}
