// SPDX-License-Identifier: Apache-2.0
// A cell of the table of pairs in docs/check/order.txt: an operation on one stream, an operation on the same bytes on
// another one, and the calls between them, which order the two or do not.
//
//   pairs FIRST SECOND STREAMS BETWEEN
//   pairs list: prints the names of the operations
//
// tests/cli/check_order.sh compiles this program for HIP and, translated, for CUDA, and runs it for each cell.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef EXPLICIT // the compiler does not report accesses of the host, so the program does
#include <tarn/annotate.h>
#define SEE_READ(bytes)  (void)tarn_check_read((tarn_addr)(bytes), BYTES)
#define SEE_WRITE(bytes) (void)tarn_check_write((tarn_addr)(bytes), BYTES)
#else
#define SEE_READ(bytes)  (void)(bytes)
#define SEE_WRITE(bytes) (void)(bytes)
#endif

#define MUST(call) must_be((call), #call)

enum { BYTES = 4096 };

static hipStream_t first, second, third; // NULL is the null stream
static hipEvent_t event;
static bool early;       // the event has been recorded too early, and is waited for all the same
static bool may_fail;    // Tarn refuses operations on freed memory
static char *bytes;      // the operations are about these
static char *scratch[3]; // of the first operation, of the second one, and of calls between them
static void *device_memory[2]; // that has nothing to do with the operations
static void *host_memory;

static void must_be(hipError_t error, const char *call) {
    if (error == hipSuccess || may_fail) return;
    fprintf(stderr, "%s: %s\n", call, hipGetErrorString(error));
    exit(2);
}

// ---- operations

__global__ void store(char *to) { to[threadIdx.x] = 1; }

__global__ void load(const char *from, char *to) { to[threadIdx.x] = from[threadIdx.x]; }

static void store_by_kernel(hipStream_t stream, char *) {
    store<<<1, 32, 0, stream>>>(bytes);
    MUST(hipGetLastError());
}

static void load_by_kernel(hipStream_t stream, char *mine) {
    load<<<1, 32, 0, stream>>>(bytes, mine);
    MUST(hipGetLastError());
}

static void copy_in(hipStream_t stream, char *mine) {
    MUST(hipMemcpyAsync(bytes, mine, BYTES, hipMemcpyHostToDevice, stream));
}

static void copy_out(hipStream_t stream, char *mine) {
    MUST(hipMemcpyAsync(mine, bytes, BYTES, hipMemcpyDeviceToHost, stream));
}

static void fill(hipStream_t stream, char *) { MUST(hipMemsetAsync(bytes, 2, BYTES, stream)); }

static void load_by_host(hipStream_t, char *mine) {
    SEE_READ(bytes);
    for (int i = 0; i < BYTES; i++) mine[i] = bytes[i];
}

static void store_all(void *to) {
    SEE_WRITE(to);
    for (int i = 0; i < BYTES; i++) ((char *)to)[i] = 3;
}

static void store_by_host(hipStream_t, char *) { store_all(bytes); }

static void call(hipStream_t stream, char *) { MUST(hipLaunchHostFunc(stream, store_all, bytes)); }

// Launches a graph that was captured while `run` submitted work.
static void launch_graph_of(void (*run)(hipStream_t, char *), hipStream_t stream, char *mine) {
    hipStream_t capture = NULL;
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    MUST(hipStreamCreateWithFlags(&capture, hipStreamNonBlocking));
    MUST(hipStreamBeginCapture(capture, hipStreamCaptureModeGlobal));
    run(capture, mine);
    MUST(hipStreamEndCapture(capture, &graph));
    MUST(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    MUST(hipGraphLaunch(exec, stream));
    MUST(hipGraphExecDestroy(exec));
    MUST(hipGraphDestroy(graph));
    MUST(hipStreamDestroy(capture));
}

static void launch_fill(hipStream_t stream, char *mine) { launch_graph_of(fill, stream, mine); }

static void launch_kernel(hipStream_t stream, char *mine) {
    launch_graph_of(store_by_kernel, stream, mine);
}

static void allocate(hipStream_t stream, char *) {
    MUST(hipMallocAsync((void **)&bytes, BYTES, stream));
}

static void release(hipStream_t stream, char *) { MUST(hipFreeAsync(bytes, stream)); }

// As a second operation, an allocation gets bytes that the first stream has freed, and uses them.
static void reuse(hipStream_t stream, char *mine) {
    allocate(stream, mine);
    fill(stream, mine);
}

// An event that is recorded before the work that it should cover. The first operation is a fill behind it; the
// second one is a fill behind a wait for it.
static void record_early(hipStream_t stream, char *) {
    MUST(hipEventRecord(event, stream));
    early = true;
}

struct operation {
    const char *name;
    void (*run)(hipStream_t stream, char *mine);
};

static const operation operations[] = {
    {"kernel", store_by_kernel},
    {"kernel-load", load_by_kernel},
    {"copy-in", copy_in},
    {"copy-out", copy_out},
    {"fill", fill},
    {"host-load", load_by_host},
    {"host-store", store_by_host},
    {"host-function", call},
    {"allocation", allocate},
    {"free", release},
    {"graph", launch_fill},
    {"graph-kernel", launch_kernel},
    {"event", fill},
};

static const operation &find_operation(const char *name) {
    for (const operation &operation : operations)
        if (strcmp(operation.name, name) == 0) return operation;
    fprintf(stderr, "no operation %s\n", name);
    exit(2);
}

// ---- streams

static hipStream_t make_stream(char kind) {
    hipStream_t stream = NULL;
    if (kind != '0')
        MUST(hipStreamCreateWithFlags(&stream,
                                      kind == 'b' ? hipStreamDefault : hipStreamNonBlocking));
    return stream;
}

// Each letter is a stream: b one that waits for the null stream, n one that does not, 0 the null stream. "s" is
// one stream for both operations.
static void make_streams(const char *kinds) {
    first = make_stream(kinds[0] == 's' ? 'n' : kinds[0]);
    second = kinds[0] == 's' ? first : make_stream(kinds[1]);
    third = make_stream('n');
}

// ---- calls between the operations

static void pass_nothing() {}

static void wait_in_stream() {
    if (!early) MUST(hipEventRecord(event, first));
    MUST(hipStreamWaitEvent(second, event, 0));
}

static void
wait_in_turn() { // the second stream waits for a third one, which waits for the first one
    MUST(hipEventRecord(event, first));
    MUST(hipStreamWaitEvent(third, event, 0));
    MUST(hipEventRecord(event, third));
    MUST(hipStreamWaitEvent(second, event, 0));
}

static void wait_for_event() {
    if (!early) MUST(hipEventRecord(event, first));
    MUST(hipEventSynchronize(event));
}

static void query_event() {
    MUST(hipEventRecord(event, first));
    while (hipEventQuery(event) == hipErrorNotReady) continue;
}

static void wait_for_stream() { MUST(hipStreamSynchronize(first)); }

static void query_stream() {
    while (hipStreamQuery(first) == hipErrorNotReady) continue;
}

static void wait_for_device() { MUST(hipDeviceSynchronize()); }

static void fill_in_null() { MUST(hipMemsetAsync(scratch[2], 4, BYTES, NULL)); }

static void copy_in_null() {
    MUST(hipMemcpy(scratch[2], scratch[2] + BYTES / 2, BYTES / 2, hipMemcpyDefault));
}

static void record_in_null() {
    MUST(hipEventRecord(event, NULL));
    MUST(hipStreamWaitEvent(second, event, 0));
}

static void allocate_other() {
    MUST(hipMalloc(&device_memory[1], BYTES));
    MUST(hipHostMalloc(&host_memory, BYTES, 0));
}

static void free_other() {
    MUST(hipFree(device_memory[0]));
    device_memory[0] = NULL;
}

static void wait_for_other_event() { // of a stream without the work
    MUST(hipEventRecord(event, third));
    MUST(hipStreamWaitEvent(second, event, 0));
}

static void wait_for_other_stream() { MUST(hipStreamSynchronize(third)); }

struct passage {
    const char *name;
    void (*run)();
};

static const passage passages[] = {
    {"nothing", pass_nothing},
    {"event", wait_in_stream},
    {"events", wait_in_turn},
    {"event-wait", wait_for_event},
    {"event-query", query_event},
    {"stream-wait", wait_for_stream},
    {"stream-query", query_stream},
    {"device-wait", wait_for_device},
    {"null-fill", fill_in_null},
    {"null-copy", copy_in_null},
    {"malloc", allocate_other},
    {"free", free_other},
    {"null-event", record_in_null},
    {"other-event", wait_for_other_event},
    {"other-stream", wait_for_other_stream},
};

static const passage &find_passage(const char *name) {
    for (const passage &passage : passages)
        if (strcmp(passage.name, name) == 0) return passage;
    fprintf(stderr, "no call %s\n", name);
    exit(2);
}

// ---- the cell

static bool is(const char *name, const char *other) { return strcmp(name, other) == 0; }

// Operations on blocks of pools need such a block; the others get memory that the host reaches too.
static bool is_about_blocks(const char *name) { return is(name, "allocation") || is(name, "free"); }

static void run_cell(const char *one, const char *two, const char *kinds, const passage &between) {
    bool in_pool = is_about_blocks(one) || is_about_blocks(two);
    make_streams(kinds);
    MUST(hipEventCreate(&event));
    for (char *&buffer : scratch) {
        MUST(hipHostMalloc((void **)&buffer, BYTES, 0));
        memset(buffer, 0, BYTES);
    }
    MUST(hipMalloc(&device_memory[0], BYTES));
    if (!in_pool) MUST(hipMallocManaged((void **)&bytes, BYTES, hipMemAttachGlobal));
    if (in_pool && !is(one, "allocation")) allocate(first, NULL);
    if (in_pool && !is(one, "allocation")) MUST(hipMemsetAsync(bytes, 0, BYTES, first));
    if (!in_pool) MUST(hipMemset(bytes, 0, BYTES));
    MUST(hipDeviceSynchronize());

    if (is(one, "event") || is(two, "event")) record_early(first, NULL);
    find_operation(one).run(first, scratch[0]);
    if (is(two, "allocation") && !is(one, "free")) release(first, NULL);
    between.run();
    may_fail = is(one, "free");
    if (is(two, "allocation"))
        reuse(second, NULL);
    else
        find_operation(two).run(second, scratch[1]);
    may_fail = false;

    MUST(hipDeviceSynchronize());
    if (is(two, "allocation") || (is(one, "allocation") && !is(two, "free"))) release(second, NULL);
    if (!in_pool) MUST(hipFree(bytes));
    MUST(hipDeviceSynchronize());
    for (char *buffer : scratch) MUST(hipHostFree(buffer));
    for (void *memory : device_memory) MUST(hipFree(memory));
    MUST(hipHostFree(host_memory));
    MUST(hipEventDestroy(event));
    MUST(hipStreamDestroy(third));
    if (second != NULL && second != first) MUST(hipStreamDestroy(second));
    if (first != NULL) MUST(hipStreamDestroy(first));
}

int main(int argc, char **argv) {
    if (argc == 5) {
        run_cell(find_operation(argv[1]).name, find_operation(argv[2]).name, argv[3],
                 find_passage(argv[4]));
        return 0;
    }
    for (const operation &operation : operations) puts(operation.name);
    return argc == 1 ? 0 : 2;
}
