// SPDX-License-Identifier: Apache-2.0
// HIP: memory of each kind, virtual memory, streams, events, pools, arrays, graphs, user objects, and
// what came with release 7.
// A pool is exported and imported in the same process, as another process does it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "starve/support/hip.h"

#define BYTES ((size_t)1 << 20)

struct scene {
    void *memory, *managed, *pinned, *async, *space;
    hipMemGenericAllocationHandle_t handle;
    bool is_mapped;
    hipStream_t stream;
    hipEvent_t event;
    hipMemPool_t pool, exporting, importing;
    void *exported, *imported;
    int fd; // of `exporting`; 0: none
    hipArray_t array;
    hipGraph_t graph, clone;
    hipGraphExec_t exec;
    hipStream_t masked, side;
    hipGraph_t branched;
    hipGraphExec_t branches;
    hipUserObject_t object;
    int objects; // not yet destroyed
    hipLinkState_t link;
    hipLibrary_t library;
    size_t free_bytes;
};

static enum starve_kind use_memory(struct scene *s) {
    char text[8] = "";
    size_t all = 0;
    TRY(hipMemGetInfo(&s->free_bytes, &all));
    TRY(hipMalloc(&s->memory, BYTES));
    TRY(hipMallocManaged(&s->managed, BYTES, hipMemAttachGlobal));
    TRY(hipHostMalloc(&s->pinned, BYTES, 0));
    TRY(hipMemset(s->memory, 0, BYTES));
    TRY(hipMemcpy(s->memory, "memory", 7, hipMemcpyHostToDevice));
    TRY(hipMemcpy(text, s->memory, 7, hipMemcpyDeviceToHost));
    return strcmp(text, "memory") == 0 ? STARVE_DONE
                                       : starve_classify(false, "copy", "wrong bytes");
}

static enum starve_kind use_pages(struct scene *s) {
    hipMemAllocationProp prop = {.type = hipMemAllocationTypePinned,
                                 .location = {hipMemLocationTypeDevice, 0}};
    hipMemAccessDesc access = {prop.location, hipMemAccessFlagsProtReadWrite};
    TRY(hipMemAddressReserve(&s->space, 2 * BYTES, 0, NULL, 0));
    TRY(hipMemCreate(&s->handle, BYTES, &prop, 0));
    TRY(hipMemMap(s->space, BYTES, 0, s->handle, 0));
    s->is_mapped = true;
    TRY(hipMemSetAccess(s->space, BYTES, &access, 1));
    TRY(hipMemset(s->space, 1, BYTES));
    return STARVE_DONE;
}

static enum starve_kind use_streams(struct scene *s) {
    hipMemPoolProps props = {.allocType = hipMemAllocationTypePinned,
                             .location = {hipMemLocationTypeDevice, 0}};
    TRY(hipStreamCreate(&s->stream));
    TRY(hipEventCreate(&s->event));
    TRY(hipMemPoolCreate(&s->pool, &props));
    TRY(hipMallocFromPoolAsync(&s->async, BYTES, s->pool, s->stream));
    TRY(hipMemcpyAsync(s->async, s->memory, BYTES, hipMemcpyDeviceToDevice, s->stream));
    TRY(hipEventRecord(s->event, s->stream));
    TRY(hipEventSynchronize(s->event));
    TRY(hipStreamSynchronize(s->stream));
    return STARVE_DONE;
}

static enum starve_kind use_shared_pool(struct scene *s) {
    hipMemPoolProps props = {.allocType = hipMemAllocationTypePinned,
                             .handleTypes = hipMemHandleTypePosixFileDescriptor,
                             .location = {hipMemLocationTypeDevice, 0}};
    hipMemPoolPtrExportData data;
    char text[8] = "";
    TRY(hipMemPoolCreate(&s->exporting, &props));
    TRY(hipMallocFromPoolAsync(&s->exported, BYTES, s->exporting, s->stream));
    TRY(hipMemcpyAsync(s->exported, "shared", 7, hipMemcpyHostToDevice, s->stream));
    TRY(hipStreamSynchronize(s->stream));
    TRY(hipMemPoolExportToShareableHandle(&s->fd, s->exporting, props.handleTypes, 0));
    TRY(hipMemPoolExportPointer(&data, s->exported));
    TRY(hipMemPoolImportFromShareableHandle(&s->importing, (void *)(intptr_t)s->fd,
                                            props.handleTypes, 0));
    TRY(hipMemPoolImportPointer(&s->imported, s->importing, &data));
    TRY(hipMemcpy(text, s->imported, 7, hipMemcpyDeviceToHost));
    return strcmp(text, "shared") == 0 ? STARVE_DONE
                                       : starve_classify(false, "shared copy", "wrong bytes");
}

static enum starve_kind use_objects(struct scene *s) {
    hipChannelFormatDesc format = {32, 0, 0, 0, hipChannelFormatKindFloat};
    TRY(hipMallocArray(&s->array, &format, 64, 64, 0));
    TRY(hipGraphCreate(&s->graph, 0));
    return STARVE_DONE;
}

static void destroy_object(void *objects) { --*(int *)objects; }

static enum starve_kind use_graphs(struct scene *s) {
    const uint32_t mask = 1;
    TRY(hipExtStreamCreateWithCUMask(&s->masked, 1, &mask));
    TRY(hipUserObjectCreate(&s->object, &s->objects, destroy_object, 1,
                            hipUserObjectNoDestructorSync));
    s->objects = 1;
    TRY(hipGraphRetainUserObject(s->graph, s->object, 1, 0));
    TRY(hipGraphClone(&s->clone, s->graph));
    TRY(hipGraphInstantiate(&s->exec, s->clone, NULL, NULL, 0));
    TRY(hipGraphLaunch(s->exec, s->masked));
    return STARVE_DONE;
}

static void do_nothing(void *arg) { (void)arg; }

// A graph of two branches, which is launched twice.
static enum starve_kind use_branches(struct scene *s) {
    char *bytes = s->memory;
    char text[3];
    TRY(hipStreamCreate(&s->side));
    TRY(hipStreamBeginCapture(s->masked, hipStreamCaptureModeRelaxed));
    TRY(hipMemsetAsync(bytes, '0', sizeof text, s->masked));
    TRY(hipEventRecord(s->event, s->masked));
    TRY(hipStreamWaitEvent(s->side, s->event, 0));
    TRY(hipMemsetAsync(bytes, '1', 1, s->masked));
    TRY(hipLaunchHostFunc(s->side, do_nothing, NULL));
    TRY(hipMemsetAsync(bytes + 1, '2', 1, s->side));
    TRY(hipEventRecord(s->event, s->side));
    TRY(hipStreamWaitEvent(s->masked, s->event, 0));
    TRY(hipStreamEndCapture(s->masked, &s->branched));
    TRY(hipGraphInstantiate(&s->branches, s->branched, NULL, NULL, 0));
    TRY(hipGraphLaunch(s->branches, s->masked));
    TRY(hipGraphLaunch(s->branches, s->side));
    TRY(hipStreamSynchronize(s->side));
    TRY(hipMemcpy(text, bytes, sizeof text, hipMemcpyDeviceToHost));
    return memcmp(text, "120", sizeof text) == 0
               ? STARVE_DONE
               : starve_classify(false, "branches", "wrong bytes");
}

static enum starve_kind use_release_7(struct scene *s) {
    hipStreamBatchMemOpParams ops[2] = {
        {.writeValue = {.operation = hipStreamMemOpWriteValue32, .address = s->pinned, .value = 5}},
        {.waitValue = {.operation = hipStreamMemOpWaitValue32, .address = s->pinned, .value = 5}}};
    void *dsts[] = {s->memory, s->pinned};
    void *srcs[] = {s->pinned, s->memory};
    size_t sizes[] = {64, 64};
    TRY(hipLinkCreate(0, NULL, NULL, &s->link));
    TRY(hipLibraryLoadData(&s->library, "code", NULL, NULL, 0, NULL, NULL, 0));
    TRY(hipStreamBatchMemOp(s->stream, 2, ops, 0));
    TRY(hipMemcpyBatchAsync(dsts, srcs, sizes, 2, NULL, NULL, 0, NULL, s->stream));
    TRY(hipStreamSynchronize(s->stream));
    return *(const int *)s->pinned == 5 ? STARVE_DONE
                                        : starve_classify(false, "batch", "wrong value");
}

static enum starve_kind use_all(struct scene *s) {
    enum starve_kind (*const parts[])(struct scene *) = {use_memory,      use_pages,    use_streams,
                                                         use_shared_pool, use_objects,  use_graphs,
                                                         use_branches,    use_release_7};
    enum starve_kind kind = STARVE_DONE;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && kind == STARVE_DONE; i++)
        kind = parts[i](s);
    return kind;
}

static void undo_shared_pool(struct scene *s, enum starve_kind *worst) {
    if (s->imported != NULL) MUST(worst, hipFreeAsync(s->imported, s->stream));
    if (s->exported != NULL) {
        MUST(worst, hipFreeAsync(s->exported, s->stream));
        MUST(worst, hipStreamSynchronize(s->stream));
    }
    if (s->importing != NULL) MUST(worst, hipMemPoolDestroy(s->importing));
    if (s->fd > 0) (void)close(s->fd);
    if (s->exporting != NULL) MUST(worst, hipMemPoolDestroy(s->exporting));
}

static void undo_streams(struct scene *s, enum starve_kind *worst) {
    undo_shared_pool(s, worst);
    if (s->async != NULL) MUST(worst, hipFreeAsync(s->async, s->stream));
    if (s->pool != NULL) {
        MUST(worst, hipStreamSynchronize(s->stream));
        MUST(worst, hipMemPoolDestroy(s->pool));
    }
    if (s->event != NULL) MUST(worst, hipEventDestroy(s->event));
    if (s->stream != NULL) MUST(worst, hipStreamDestroy(s->stream));
}

static void undo_graphs(struct scene *s, enum starve_kind *worst) {
    if (s->object != NULL) MUST(worst, hipUserObjectRelease(s->object, 1));
    if (s->exec != NULL) MUST(worst, hipGraphExecDestroy(s->exec));
    if (s->branches != NULL) MUST(worst, hipGraphExecDestroy(s->branches));
    if (s->branched != NULL) MUST(worst, hipGraphDestroy(s->branched));
    if (s->side != NULL) MUST(worst, hipStreamDestroy(s->side));
    if (s->clone != NULL) MUST(worst, hipGraphDestroy(s->clone));
    if (s->masked != NULL) MUST(worst, hipStreamDestroy(s->masked));
    if (s->graph != NULL) MUST(worst, hipGraphDestroy(s->graph));
    if (s->objects != 0)
        *worst = starve_classify(false, "the last reference", "the object is not destroyed once");
}

static void undo_all(struct scene *s, enum starve_kind *worst) {
    if (s->link != NULL) MUST(worst, hipLinkDestroy(s->link));
    if (s->library != NULL) MUST(worst, hipLibraryUnload(s->library));
    undo_graphs(s, worst);
    if (s->array != NULL) MUST(worst, hipFreeArray(s->array));
    undo_streams(s, worst);
    if (s->is_mapped) MUST(worst, hipMemUnmap(s->space, BYTES));
    if (s->handle != NULL) MUST(worst, hipMemRelease(s->handle));
    if (s->space != NULL) MUST(worst, hipMemAddressFree(s->space, 2 * BYTES));
    MUST(worst, hipFree(s->memory));
    MUST(worst, hipFree(s->managed));
    MUST(worst, hipHostFree(s->pinned));
}

void starve_provoke(void) {
    void *memory = NULL;
    (void)hipMalloc(&memory, SIZE_MAX / 4);
}

// The kernel may refuse an unmap once, which the next allocation then completes.
static enum starve_kind check_memory(const struct scene *s) {
    size_t left = 0;
    size_t all = 0;
    for (int i = 0; s->free_bytes != 0 && i < 3 && left != s->free_bytes; i++) {
        void *memory = NULL;
        if (hipMalloc(&memory, BYTES) != hipSuccess || hipFree(memory) != hipSuccess ||
            hipMemGetInfo(&left, &all) != hipSuccess)
            left = 0;
    }
    return left == s->free_bytes
               ? STARVE_DONE
               : starve_classify(false, "free memory at the end", "less than at the beginning");
}

enum starve_kind starve_round(void) {
    // With one worker, what the engine keeps does not depend on how branches run beside each other.
    (void)setenv("TARN_HIP_DEVICE", "host:0,workers=1", 1);
    struct scene s = {0};
    enum starve_kind worst = use_all(&s);
    undo_all(&s, &worst);
    return check_memory(&s) == STARVE_DONE ? worst : STARVE_WRONG;
}
