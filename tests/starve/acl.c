// SPDX-License-Identifier: Apache-2.0
// AscendCL: memory of each kind, virtual memory, streams, events, notifies, callbacks, and words in
// streams.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <acl/acl.h>
#include <acl/acl_tdt.h>

#include "starve/support/round.h"

#define BYTES ((size_t)2 << 20)

static bool is_shortage(aclError error) {
    return error == ACL_ERROR_RT_MEMORY_ALLOCATION || error == ACL_ERROR_RT_RESOURCE_ALLOC_FAIL ||
           error == ACL_ERROR_RT_NO_STREAM_RESOURCE || error == ACL_ERROR_RT_NO_EVENT_RESOURCE ||
           error == ACL_ERROR_BAD_ALLOC;
}

static const char *name_of(aclError error) {
    static char text[64];
    const char *message = aclGetRecentErrMsg();
    (void)snprintf(text, sizeof text, "%d: %.50s", error, message != NULL ? message : "");
    return text;
}

#define TRY(step)                                                                                  \
    do {                                                                                           \
        aclError error_of_step = (step);                                                           \
        if (error_of_step != ACL_SUCCESS)                                                          \
            return starve_classify(is_shortage(error_of_step), #step, name_of(error_of_step));     \
    } while (0)

#define MUST(worst, step)                                                                          \
    do {                                                                                           \
        aclError error_of_step = (step);                                                           \
        error_of_step = is_shortage(error_of_step) ? (step) : error_of_step;                       \
        if (error_of_step != ACL_SUCCESS)                                                          \
            *(worst) = starve_classify(false, #step, name_of(error_of_step));                      \
    } while (0)

struct scene {
    bool is_set, is_mapped;
    void *memory, *host, *late, *space;
    aclrtDrvMemHandle handle;
    aclrtStream stream;
    aclrtEvent event, shared;
    aclrtNotify notify, imported;
    aclrtAllocatorDesc allocator;
    acltdtDataItem *item;
    acltdtDataset *set;
    bool is_subscribed;
    size_t free_bytes;
};

static enum starve_kind use_memory(struct scene *s) {
    char text[8] = "";
    size_t all = 0;
    TRY(aclrtSetDevice(0));
    s->is_set = true;
    TRY(aclrtGetMemInfo(ACL_HBM_MEM, &s->free_bytes, &all));
    TRY(aclrtMalloc(&s->memory, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    TRY(aclrtMallocHost(&s->host, BYTES));
    TRY(aclrtMemset(s->memory, BYTES, 0, BYTES));
    TRY(aclrtMemcpy(s->memory, BYTES, "memory", 7, ACL_MEMCPY_HOST_TO_DEVICE));
    TRY(aclrtMemcpy(text, 7, s->memory, 7, ACL_MEMCPY_DEVICE_TO_HOST));
    return strcmp(text, "memory") == 0 ? STARVE_DONE
                                       : starve_classify(false, "copy", "wrong bytes");
}

static enum starve_kind use_pages(struct scene *s) {
    aclrtPhysicalMemProp prop = {.handleType = ACL_MEM_HANDLE_TYPE_NONE,
                                 .allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED,
                                 .memAttr = ACL_HBM_MEM_HUGE,
                                 .location = {0, ACL_MEM_LOCATION_TYPE_DEVICE}};
    TRY(aclrtReserveMemAddress(&s->space, BYTES, 0, NULL, 1));
    TRY(aclrtMallocPhysical(&s->handle, BYTES, &prop, 0));
    TRY(aclrtMapMem(s->space, BYTES, 0, s->handle, 0));
    s->is_mapped = true;
    TRY(aclrtMemset(s->space, BYTES, 1, BYTES));
    return STARVE_DONE;
}

static enum starve_kind use_streams(struct scene *s) {
    TRY(aclrtCreateStream(&s->stream));
    TRY(aclrtCreateEvent(&s->event));
    TRY(aclrtMemcpyAsync(s->memory, BYTES, s->host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, s->stream));
    TRY(aclrtRecordEvent(s->event, s->stream));
    TRY(aclrtSynchronizeEvent(s->event));
    TRY(aclrtSynchronizeStream(s->stream));
    return STARVE_DONE;
}

static enum starve_kind use_notifies(struct scene *s) {
    aclrtIpcEventHandle handle;
    char key[65];
    TRY(aclrtCreateNotify(&s->notify, 0));
    TRY(aclrtNotifyGetExportKey(s->notify, key, sizeof key, 0));
    TRY(aclrtNotifyImportByKey(&s->imported, key, 0));
    TRY(aclrtRecordNotify(s->imported, s->stream));
    TRY(aclrtWaitAndResetNotify(s->notify, s->stream, 0));
    TRY(aclrtCreateEventExWithFlag(&s->shared, ACL_EVENT_IPC));
    TRY(aclrtIpcGetEventHandle(s->shared, &handle));
    TRY(aclrtRecordEvent(s->shared, s->stream));
    TRY(aclrtSynchronizeStream(s->stream));
    return STARVE_DONE;
}

static void count_call(void *counter) { (*(int *)counter)++; }

static enum starve_kind use_callbacks(struct scene *s) {
    static int calls;
    calls = 0;
    s->allocator = aclrtAllocatorCreateDesc();
    TRY(s->allocator != NULL ? ACL_SUCCESS : ACL_ERROR_BAD_ALLOC);
    TRY(aclrtSubscribeReport((uint64_t)pthread_self(), s->stream));
    s->is_subscribed = true;
    TRY(aclrtLaunchCallback(count_call, &calls, ACL_CALLBACK_NO_BLOCK, s->stream));
    TRY(aclrtSynchronizeStream(s->stream));
    TRY(aclrtProcessReport(1000));
    return calls == 1 ? STARVE_DONE : starve_classify(false, "callback", "not one call");
}

static enum starve_kind use_words(struct scene *s) {
    char *memory = s->memory;
    TRY(aclrtValueWrite(memory, 7, 0, s->stream));
    TRY(aclrtValueWait(memory, 7, ACL_STREAM_WAIT_VALUE_EQ, s->stream));
    TRY(aclrtReduceAsync(memory + 4096, memory, 4096, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX, ACL_INT32,
                         s->stream, NULL));
    TRY(aclrtSynchronizeStream(s->stream));
    TRY(aclrtStreamAbort(s->stream));
    return STARVE_DONE;
}

static enum starve_kind use_items(struct scene *s) {
    s->item = acltdtCreateDataItem(ACL_TENSOR_DATA_ABNORMAL, NULL, 0, ACL_INT8, NULL, 0);
    s->set = acltdtCreateDataset();
    TRY(s->item != NULL && s->set != NULL ? ACL_SUCCESS : ACL_ERROR_BAD_ALLOC);
    TRY(acltdtAddDataItem(s->set, s->item));
    return STARVE_DONE;
}

struct late_free {
    void **host; // NULL in place of memory that was freed
    aclError error;
};

static void free_late(void *arg) {
    struct late_free *late = (struct late_free *)arg;
    late->error = aclrtFreeHost(*late->host);
    *late->host = late->error == ACL_SUCCESS ? NULL : *late->host;
}

// A free inside a function that a stream runs cannot wait. If it fails, the memory can be freed later.
static enum starve_kind use_functions(struct scene *s) {
    struct late_free late = {&s->late, ACL_SUCCESS};
    TRY(aclrtMallocHost(&s->late, BYTES));
    TRY(aclrtLaunchHostFunc(NULL, free_late, &late));
    TRY(aclrtSynchronizeStream(NULL));
    TRY(late.error);
    return STARVE_DONE;
}

static enum starve_kind use_all(struct scene *s) {
    enum starve_kind (*const parts[])(struct scene *) = {use_memory,   use_pages,     use_streams,
                                                         use_notifies, use_callbacks, use_words,
                                                         use_items,    use_functions};
    enum starve_kind kind = STARVE_DONE;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && kind == STARVE_DONE; i++)
        kind = parts[i](s);
    return kind;
}

static void undo_all(struct scene *s, enum starve_kind *worst) {
    if (s->is_subscribed) MUST(worst, aclrtUnSubscribeReport((uint64_t)pthread_self(), s->stream));
    if (s->set != NULL) MUST(worst, acltdtDestroyDataset(s->set));
    if (s->item != NULL) MUST(worst, acltdtDestroyDataItem(s->item));
    if (s->allocator != NULL) MUST(worst, aclrtAllocatorDestroyDesc(s->allocator));
    if (s->imported != NULL) MUST(worst, aclrtDestroyNotify(s->imported));
    if (s->notify != NULL) MUST(worst, aclrtDestroyNotify(s->notify));
    if (s->shared != NULL) MUST(worst, aclrtDestroyEvent(s->shared));
    if (s->event != NULL) MUST(worst, aclrtDestroyEvent(s->event));
    if (s->stream != NULL) MUST(worst, aclrtDestroyStream(s->stream));
    if (s->is_mapped) MUST(worst, aclrtUnmapMem(s->space));
    if (s->handle != NULL) MUST(worst, aclrtFreePhysical(s->handle));
    if (s->space != NULL) MUST(worst, aclrtReleaseMemAddress(s->space));
    if (s->late != NULL) MUST(worst, aclrtFreeHost(s->late));
    if (s->host != NULL) MUST(worst, aclrtFreeHost(s->host));
    if (s->memory != NULL) MUST(worst, aclrtFree(s->memory));
}

// The kernel may refuse an unmap once, which the next allocation then completes.
static enum starve_kind check_memory(const struct scene *s) {
    size_t left = 0;
    size_t all = 0;
    for (int i = 0; s->free_bytes != 0 && i < 3 && left != s->free_bytes; i++) {
        void *memory = NULL;
        if (aclrtMalloc(&memory, BYTES, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS ||
            aclrtFree(memory) != ACL_SUCCESS ||
            aclrtGetMemInfo(ACL_HBM_MEM, &left, &all) != ACL_SUCCESS)
            left = 0;
    }
    return left == s->free_bytes
               ? STARVE_DONE
               : starve_classify(false, "free memory at the end", "less than at the beginning");
}

void starve_provoke(void) {
    void *memory = NULL;
    (void)aclrtSetDevice(0);
    (void)aclrtMalloc(&memory, SIZE_MAX / 4, ACL_MEM_MALLOC_HUGE_FIRST);
    (void)aclrtResetDevice(0);
}

enum starve_kind starve_round(void) {
    struct scene s = {0};
    enum starve_kind worst = use_all(&s);
    undo_all(&s, &worst);
    if (check_memory(&s) != STARVE_DONE) return STARVE_WRONG;
    if (s.is_set) MUST(&worst, aclrtResetDevice(0));
    return worst;
}
