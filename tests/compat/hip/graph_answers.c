// SPDX-License-Identifier: Apache-2.0
// Answers of AMD's runtime 6.3 about graphs that are built by hand, in its order of checks. ASK()
// expects AMD's answer. KEEP() expects another one, which docs/differences.md lists.
#include "support/graph.h"

static int differing;

static void check_answer(const char *question, long long got, long long want) {
    if (got != want) fail_msg("%s: %lld, not %lld", question, got, want);
}

#define ASK(question, amd) check_answer(#question, (long long)(question), (amd))
#define KEEP(question, amd, ours)                                                                  \
    do {                                                                                           \
        assert_int_not_equal((amd), (ours));                                                       \
        check_answer(#question, (long long)(question), (ours));                                    \
        differing++;                                                                               \
    } while (0)

static size_t edges_of(hipGraph_t graph) {
    size_t count = 99;
    assert_hip_ok(hipGraphGetEdges(graph, NULL, NULL, &count));
    return count;
}

static hipMemsetParams fill_of(void *dst, unsigned value, unsigned element, size_t width,
                               size_t height, size_t pitch) {
    const hipMemsetParams params = {dst, element, height, pitch, value, width};
    return params;
}

static hipGraphNode_t add_fill(hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                               void *dst, unsigned value) {
    const hipMemsetParams params = fill_of(dst, value, 4, 1, 1, 0);
    hipGraphNode_t node = NULL;
    assert_hip_ok(hipGraphAddMemsetNode(&node, graph, before, count, &params));
    return node;
}

static atomic_count_t calls;

static hipGraphNode_t add_call(hipGraph_t graph, const hipGraphNode_t *before, size_t num) {
    const hipHostNodeParams params = {count, &calls};
    hipGraphNode_t node = NULL;
    assert_hip_ok(hipGraphAddHostNode(&node, graph, before, num, &params));
    return node;
}

// Level 6 keeps the result of every call but those that are marked.
static hipError_t last(void) { return hipPeekAtLastError(); }

// ---- questions

static void empty_nodes_and_graphs(void **state) {
    hipGraph_t g = new_graph();
    hipGraphNode_t n = (hipGraphNode_t)9;
    hipGraphExec_t x = (hipGraphExec_t)9;
    (void)state;
    ASK(hipGraphCreate(NULL, 0), 1);
    ASK(hipGraphCreate(&g, 1), 1);
    ASK(hipGraphAddEmptyNode(NULL, NULL, NULL, 0), 1);
    ASK(hipGraphAddEmptyNode(&n, g, NULL, 1), 1);
    ASK(n == (hipGraphNode_t)9, 1);
    ASK(hipGraphAddEmptyNode(NULL, g, NULL, 0), 1);
    hipGraphNode_t a = add_empty(g, NULL, 0);
    ASK(hipGraphAddEmptyNode(&n, g, &a, 0), 0);
    ASK(edges_of(g), 0);
    ASK(hipGraphInstantiate(NULL, NULL, NULL, NULL, 0), 1);
    ASK(last(), 0); // not kept
    ASK(hipGraphLaunch(NULL, NULL), 1);
    ASK(last(), 1);
    ASK(hipGraphInstantiateWithFlags(&x, g, 3), 1);
    ASK(hipGraphDestroy(NULL), 1);
    ASK(hipGraphDestroy(g), 0);
    ASK(hipGraphDestroy(g), 401);
    KEEP(hipGraphInstantiate(&x, g, NULL, NULL, 0), 0, 1);
    ASK(hipGraphClone(&g, g), 1);
}

static void nodes_that_are_destroyed(void **state) {
    hipGraph_t g = new_graph();
    hipGraphNodeType type;
    size_t k = 9;
    (void)state;
    hipGraphNode_t n = NULL;
    hipGraphNode_t a = add_empty(g, NULL, 0);
    hipGraphNode_t b = add_empty(g, NULL, 0);
    ASK(hipGraphDestroyNode(a), 0);
    ASK(hipGraphDestroyNode(a), 1);
    ASK(hipGraphNodeGetType(a, &type), 1);
    ASK(hipGraphAddDependencies(g, &a, &b, 1), 1);
    KEEP(hipGraphAddEmptyNode(&n, g, &a, 1), 0, 1);
    KEEP(hipGraphNodeGetDependencies(a, NULL, &k), 0, 1);
    ASK(hipGraphDestroyNode(NULL), 1);
    assert_hip_ok(hipGraphDestroy(g));
}

static void edges(void **state) {
    hipGraph_t g = new_graph();
    hipGraph_t h = new_graph();
    (void)state;
    hipGraphNode_t a = add_empty(g, NULL, 0);
    hipGraphNode_t b = add_empty(g, NULL, 0);
    hipGraphNode_t c = add_empty(g, NULL, 0);
    hipGraphNode_t f = add_empty(h, NULL, 0);
    hipGraphNode_t none = NULL;
    ASK(hipGraphAddDependencies(NULL, NULL, NULL, 0), 1);
    ASK(hipGraphAddDependencies(g, &a, &b, 1), 0);
    ASK(hipGraphAddDependencies(g, &a, &b, 1), 1);
    ASK(hipGraphAddDependencies(g, &none, &b, 1), 1);
    ASK(hipGraphAddDependencies(g, &f, &b, 1), 1);
    ASK(hipGraphAddDependencies(g, &a, &f, 1), 1);
    ASK(hipGraphAddDependencies(h, &a, &b, 1), 1);
    hipGraphNode_t from[] = {b, a};
    hipGraphNode_t to[] = {c, b};
    ASK(hipGraphAddDependencies(g, from, to, 2), 1); // the second exists
    KEEP(edges_of(g), 2, 1);
    ASK(hipGraphRemoveDependencies(g, NULL, NULL, 0), 0);
    ASK(hipGraphRemoveDependencies(NULL, &a, &b, 1), 1);
    ASK(hipGraphRemoveDependencies(g, NULL, &b, 1), 1);
    ASK(hipGraphRemoveDependencies(g, &a, &c, 1), 1);
    ASK(hipGraphRemoveDependencies(g, &a, &b, 1), 0);
    ASK(hipGraphRemoveDependencies(g, &a, &b, 1), 1);
    assert_hip_ok(hipGraphDestroy(g));
    assert_hip_ok(hipGraphDestroy(h));
}

static void lists_and_cycles(void **state) {
    hipGraph_t g = new_graph();
    hipGraph_t k = NULL;
    hipGraphNode_t v[5];
    hipGraphExec_t x = (hipGraphExec_t)9;
    size_t n = 5;
    (void)state;
    hipGraphNode_t a = add_empty(g, NULL, 0);
    hipGraphNode_t b = add_empty(g, &a, 1);
    hipGraphNode_t c = add_empty(g, &b, 1);
    ASK(hipGraphGetNodes(g, v, &n), 0);
    ASK(n == 3 && v[3] == NULL && v[4] == NULL, 1);
    n = 2;
    ASK(hipGraphGetNodes(g, v, &n), 0);
    ASK(n, 2);
    ASK(hipGraphGetNodes(g, v, NULL), 1);
    ASK(hipGraphGetEdges(g, NULL, v, &n), 1);
    ASK(edges_of(g), 2);
    ASK(hipGraphGetRootNodes(g, NULL, &n), 0);
    ASK(n, 1);
    ASK(hipGraphAddDependencies(g, &c, &a, 1), 0);
    n = 9;
    ASK(hipGraphGetNodes(g, NULL, &n), 1);
    ASK(n, 9);
    ASK(hipGraphGetRootNodes(g, NULL, &n), 0);
    ASK(n, 0);
    ASK(hipGraphInstantiate(&x, g, NULL, NULL, 0), 1);
    ASK(x == (hipGraphExec_t)9, 1);
    ASK(hipGraphClone(&k, g), 0);
    ASK(hipGraphDestroy(g), 0);
    assert_hip_ok(hipGraphDestroy(k));
}

static void fills(void **state) {
    hipGraph_t g = new_graph();
    hipGraphNode_t n = NULL;
    hipGraphNode_t e = add_empty(g, NULL, 0);
    char *d = (char *)new_zeros(64);
    int stack = 0;
    hipMemsetParams o;
    (void)state;
#define FILL(...) (o = fill_of(__VA_ARGS__), hipGraphAddMemsetNode(&n, g, NULL, 0, &o))
    ASK(FILL(d, 0x01020304, 1, 64, 1, 0), 0);
    ASK(FILL(d, 1, 3, 64, 1, 0), 1);
    ASK(FILL(d, 1, 1, 0, 1, 0), 1);
    ASK(FILL(d, 1, 1, 64, 0, 0), 1);
    ASK(FILL(d, 1, 1, 65, 1, 0), 1);
    ASK(FILL(d, 1, 1, 8, 2, 4), 1);
    ASK(FILL(d, 1, 1, 8, 2, 32), 0);
    ASK(FILL(d, 1, 1, 8, 3, 32), 1);
    ASK(FILL(NULL, 1, 1, 8, 1, 0), 1);
    ASK(FILL(&stack, 1, 1, 4, 1, 0), 1);
    ASK(FILL(d, 0x1234, 1, 8, 1, 32), 0);
#undef FILL
    ASK(hipGraphMemsetNodeGetParams(n, &o), 0);
    ASK(o.value == 0x1234 && o.elementSize == 1 && o.width == 8 && o.height == 1 && o.pitch == 32,
        1);
    ASK(hipGraphMemsetNodeGetParams(n, NULL), 1);
    ASK(hipGraphMemsetNodeSetParams(n, NULL), 1);
    KEEP(hipGraphMemsetNodeGetParams(e, &o), 0, 1);
    o = fill_of(d, 1, 4, 16, 1, 0);
    ASK(hipGraphMemsetNodeSetParams(n, &o), 0);
    o = fill_of(d, 1, 4, 17, 1, 0);
    ASK(hipGraphMemsetNodeSetParams(n, &o), 1);
    o = fill_of(d, 1, 4, 4, 2, 8);
    ASK(hipGraphMemsetNodeSetParams(n, &o), 1);
    assert_hip_ok(hipGraphDestroy(g));
    assert_hip_ok(hipFree(d));
}

static void what_a_fill_writes(void **state) {
    hipGraph_t g = new_graph();
    char *d = (char *)new_zeros(128);
    hipGraphNode_t n = NULL;
    (void)state;
    const hipMemsetParams one = fill_of(d, 0x01020304, 2, 2, 1, 0);
    const hipMemsetParams box = fill_of(d + 64, 7, 4, 1, 3, 16);
    assert_hip_ok(hipGraphAddMemsetNode(&n, g, NULL, 0, &one));
    assert_hip_ok(hipGraphAddMemsetNode(&n, g, NULL, 0, &box));
    run_graph(g);
    ASK(word_at(d, 0), 0x03040304);
    ASK(word_at(d, 64), 7);
    KEEP(word_at(d, 68), 7, 0);
    ASK(word_at(d, 80), 7);
    ASK(word_at(d, 96), 7);
    assert_hip_ok(hipGraphDestroy(g));
    assert_hip_ok(hipFree(d));
}

static void copies(void **state) {
    hipGraph_t g = new_graph();
    hipGraphNode_t n = NULL;
    char *d = (char *)new_zeros(64);
    char *e = (char *)new_zeros(64);
    char b[64];
    hipMemcpy3DParms o;
    (void)state;
#define ROW(dst, src, size, kind)                                                                  \
    hipGraphAddMemcpyNode1D(&n, g, NULL, 0, dst, src, size, (hipMemcpyKind)(kind))
    ASK(ROW(d, b, 0, 1), 1);
    ASK(ROW(d, b, 8, 7), 21);
    ASK(ROW(d, b, 8, 2), 1);
    ASK(ROW(d, b, 65, 1), 1);
    ASK(ROW(NULL, b, 8, 1), 1);
    ASK(ROW(b, b + 32, 8, 1), 1);
    ASK(ROW(d, e, 8, 1), 0);
    ASK(ROW(d, b, 8, 1024), 1);
    ASK(ROW(d, b, 24, 1), 0);
#undef ROW
    ASK(type_of(n), 1);
    ASK(hipGraphMemcpyNodeGetParams(n, &o), 0);
    KEEP(o.extent.width, 0, 24);
#define SET(dst, src, size, kind)                                                                  \
    hipGraphMemcpyNodeSetParams1D(n, dst, src, size, (hipMemcpyKind)(kind))
    ASK(SET(b, d, 8, 2), 0);
    ASK(SET(d, b, 0, 1), 1);
    ASK(SET(d, d, 8, 3), 1);
    ASK(SET(d, b, 16, 1), 0);
#undef SET
    assert_hip_ok(hipGraphDestroy(g));
    assert_hip_ok(hipFree(d));
    assert_hip_ok(hipFree(e));
}

static void boxes(void **state) {
    hipGraph_t g = new_graph();
    hipGraphNode_t n = NULL;
    hipGraphNode_t empty = add_empty(g, NULL, 0);
    char *d = (char *)new_zeros(4096);
    hipMemcpy3DParms p;
    (void)state;
    memset(&p, 0, sizeof p);
    p.srcPtr = make_hipPitchedPtr(d, 64, 64, 4);
    p.dstPtr = make_hipPitchedPtr(d + 2048, 64, 64, 4);
    p.extent = make_hipExtent(32, 2, 1);
    p.kind = hipMemcpyDeviceToDevice;
    const hipMemcpy3DParms ok = p;
#define BOX(change) (p = ok, change, hipGraphAddMemcpyNode(&n, g, NULL, 0, &p))
    ASK(hipGraphAddMemcpyNode(&n, g, NULL, 0, NULL), 1);
    ASK(BOX(p.kind = (hipMemcpyKind)7), 21);
    ASK(BOX(p.srcPtr.pitch = 16), 12);
    ASK(BOX((p.srcPtr.pitch = 16, p.kind = (hipMemcpyKind)7)), 12);
    ASK(BOX(p.extent.width = 65), 1);
    ASK(BOX(p.extent.width = 0), 0);
    ASK(BOX(p.srcPtr.ptr = NULL), 1);
    ASK(BOX(p.dstPos.x = 40), 1);
    ASK(BOX(p.extent.height = 100), 0);
    ASK(BOX(p.kind = hipMemcpyHostToDevice), 0);
#undef BOX
    ASK(hipGraphMemcpyNodeGetParams(n, &p), 0);
    ASK(p.extent.width == 32 && p.srcPtr.pitch == 64, 1);
    ASK(hipGraphMemcpyNodeGetParams(n, NULL), 1);
    ASK(hipGraphMemcpyNodeSetParams(n, NULL), 1);
    KEEP(hipGraphMemcpyNodeGetParams(empty, &p), 0, 1);
    p.extent.width = 16;
    ASK(hipGraphMemcpyNodeSetParams(n, &p), 0);
    assert_hip_ok(hipGraphDestroy(g));
    assert_hip_ok(hipFree(d));
}

static void functions_and_events(void **state) {
    hipGraph_t g = new_graph();
    hipHostNodeParams p = {NULL, NULL};
    hipGraphNode_t n = NULL;
    hipGraphNode_t w = NULL;
    hipEvent_t e = NULL;
    hipEvent_t o = NULL;
    (void)state;
    hipGraphNode_t empty = add_empty(g, NULL, 0);
    assert_hip_ok(hipEventCreate(&e));
    ASK(hipGraphAddHostNode(&n, g, NULL, 0, &p), 1);
    n = add_call(g, NULL, 0);
    ASK(hipGraphHostNodeGetParams(n, &p), 0);
    ASK(p.fn == count && p.userData == (void *)&calls, 1);
    ASK(hipGraphHostNodeGetParams(n, NULL), 1);
    ASK(hipGraphHostNodeGetParams(NULL, NULL), 1);
    ASK(hipGraphHostNodeSetParams(n, NULL), 1);
    KEEP(hipGraphHostNodeSetParams(empty, &p), 0, 1);
    p.fn = NULL;
    ASK(hipGraphHostNodeSetParams(n, &p), 1);
    ASK(hipGraphAddEventRecordNode(&n, g, NULL, 0, NULL), 1);
    ASK(hipGraphAddEventRecordNode(&n, g, NULL, 0, e), 0);
    ASK(hipGraphAddEventWaitNode(&w, g, &n, 1, e), 0);
    ASK(hipGraphEventRecordNodeGetEvent(n, &o), 0);
    ASK(o == e, 1);
    ASK(hipGraphEventWaitNodeGetEvent(n, &o), 1);
    ASK(hipGraphEventRecordNodeGetEvent(empty, &o), 1);
    ASK(hipGraphEventRecordNodeGetEvent(n, NULL), 1);
    ASK(hipGraphEventRecordNodeSetEvent(n, NULL), 1);
    ASK(hipGraphEventRecordNodeSetEvent(w, e), 1);
    ASK(hipEventDestroy(e), 0);
    KEEP(hipGraphAddEventRecordNode(&n, g, NULL, 0, e), 0, 400);
    assert_hip_ok(hipGraphDestroy(g));
}

static void children(void **state) {
    hipGraph_t g = new_graph();
    hipGraph_t c = new_graph();
    hipGraph_t o = NULL;
    hipGraphNode_t n = NULL;
    unsigned *d = (unsigned *)new_zeros(64);
    (void)state;
    hipGraphNode_t m = add_fill(c, NULL, 0, d, 5);
    hipGraphNode_t e = add_empty(g, NULL, 0);
    ASK(hipGraphAddChildGraphNode(&n, g, NULL, 0, NULL), 1);
    ASK(hipGraphAddChildGraphNode(&n, g, NULL, 0, c), 0);
    ASK(hipGraphChildGraphNodeGetGraph(n, &o), 0);
    ASK(o != c, 1);
    (void)add_fill(c, &m, 1, d, 6);
    ASK(count_nodes(o), 1);
    run_graph(g);
    ASK(word_at(d, 0), 5);
    ASK(hipGraphChildGraphNodeGetGraph(NULL, &o), 1);
    ASK(hipGraphChildGraphNodeGetGraph(n, NULL), 1);
    ASK(hipGraphChildGraphNodeGetGraph(e, &o), 1);
    ASK(hipGraphDestroy(c), 0);
    KEEP(hipGraphDestroy(o), 0, 1);
    ASK(hipGraphAddChildGraphNode(&n, g, NULL, 0, g), 0);
    assert_hip_ok(hipGraphDestroy(g));
    assert_hip_ok(hipFree(d));
}

static void memory(void **state) {
    hipGraph_t g = new_graph();
    hipGraph_t h = new_graph();
    hipGraph_t k = NULL;
    hipGraphNode_t a = (hipGraphNode_t)9;
    hipGraphNode_t f = add_empty(h, NULL, 0);
    hipMemAllocNodeParams p;
    hipMemAllocNodeParams o;
    void *q = NULL;
    (void)state;
    memset(&p, 0, sizeof p);
    p.poolProps.allocType = hipMemAllocationTypePinned;
    p.poolProps.location.type = hipMemLocationTypeDevice;
#define ALLOC(change, dependency)                                                                  \
    (o = p, o.bytesize = 100, o.dptr = (void *)9, change,                                          \
     hipGraphAddMemAllocNode(&a, g, dependency, (dependency) != NULL ? 1 : 0, &o))
    ASK(ALLOC((o.bytesize = 0, o.poolProps.location.id = 9), (hipGraphNode_t *)NULL), 1);
    ASK(o.dptr == NULL, 1);
    ASK(ALLOC(o.poolProps.location.id = 9, (hipGraphNode_t *)NULL), 1);
    ASK(o.dptr == (void *)9, 1);
    ASK(ALLOC(o.poolProps.location.type = hipMemLocationTypeInvalid, (hipGraphNode_t *)NULL), 1);
    ASK(o.dptr == NULL, 1);
    ASK(a == (hipGraphNode_t)9, 1);
    ASK(ALLOC((void)0, &f), 1);
    KEEP(o.dptr == (void *)9, 0, 1);
    KEEP(count_nodes(g), 1, 0);
    ASK(ALLOC((void)0, (hipGraphNode_t *)NULL), 0);
#undef ALLOC
    q = o.dptr;
    ASK(o.bytesize, 100);
    ASK(hipGraphMemAllocNodeGetParams(a, &o), 0);
    ASK(o.bytesize == 100 && o.dptr == q, 1);
    ASK(hipGraphAddMemFreeNode(&f, g, &a, 1, q), 0);
    ASK(hipGraphMemFreeNodeGetParams(a, &q), 1);
    ASK(hipGraphMemAllocNodeGetParams(f, &o), 1);
    ASK(type_of(a), 10);
    ASK(type_of(f), 11);
    ASK(hipGraphDestroyNode(a), 801);
    ASK(hipGraphDestroyNode(f), 801);
    ASK(hipGraphClone(&k, g), 801);
    assert_hip_ok(hipGraphDestroy(g));
    assert_hip_ok(hipGraphDestroy(h));
}

static void nodes_of_any_kind(void **state) {
    hipGraph_t g = new_graph();
    hipGraphNode_t n = NULL;
    hipGraphNodeParams p;
    (void)state;
    memset(&p, 0, sizeof p);
#define KIND(kind) (p.type = (hipGraphNodeType)(kind), hipGraphAddNode(&n, g, NULL, 0, &p))
    ASK(hipGraphAddNode(&n, g, NULL, 0, NULL), 1);
    ASK(KIND(5), 1);
    ASK(KIND(3), 1);
    ASK(KIND(99), 1);
    ASK(KIND(8), 801);
    p.host.fn = count;
    p.host.userData = &calls;
    ASK(KIND(3), 0);
#undef KIND
    ASK(count_nodes(g), 1);
    ASK(hipGraphNodeSetParams(n, NULL), 1);
    p.type = (hipGraphNodeType)10;
    ASK(hipGraphNodeSetParams(n, &p), 801);
    p.type = (hipGraphNodeType)99;
    ASK(hipGraphNodeSetParams(n, &p), 1);
    assert_hip_ok(hipGraphDestroy(g));
}

static void what_a_capture_makes(void **state) {
    const int types[] = {1, 1, 2, 2, 3, 10, 11, 1};
    hipStream_t s = hipStreamPerThread;
    hipGraph_t g = NULL;
    hipGraphNode_t v[8];
    size_t n = 8;
    char *d = (char *)new_zeros(4096);
    static char b[4096];
    void *q = NULL;
    (void)state;
    ASK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal), 0);
    ASK(hipMemcpyAsync(d, b, 64, hipMemcpyHostToDevice, s), 0);
    ASK(hipMemcpy2DAsync(d, 64, b, 64, 32, 2, hipMemcpyHostToDevice, s), 0);
    ASK(hipMemsetAsync(d, 1, 64, s), 0);
    ASK(hipMemset2DAsync(d, 64, 1, 16, 2, s), 0);
    ASK(hipLaunchHostFunc(s, count, &calls), 0);
    ASK(hipMallocAsync(&q, 4096, s), 0);
    ASK(hipFreeAsync(q, s), 0);
    ASK(hipMemcpyAsync(d, b, 0, hipMemcpyHostToDevice, s), 0); // becomes a node too
    ASK(hipStreamEndCapture(s, &g), 0);
    assert_hip_ok(hipGraphGetNodes(g, v, &n));
    ASK(n, 8);
    for (size_t i = 0; i < n; i++) ASK(type_of(v[i]), types[i]);
    ASK(edges_of(g), 7);
    assert_hip_ok(hipGraphDestroy(g));
    assert_hip_ok(hipFree(d));
}

// The differences are those that docs/differences.md lists for these questions.
static void few_answers_differ(void **state) {
    (void)state;
    assert_int_equal(differing, 13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_nodes_and_graphs),
        cmocka_unit_test(nodes_that_are_destroyed),
        cmocka_unit_test(edges),
        cmocka_unit_test(lists_and_cycles),
        cmocka_unit_test(fills),
        cmocka_unit_test(what_a_fill_writes),
        cmocka_unit_test(copies),
        cmocka_unit_test(boxes),
        cmocka_unit_test(functions_and_events),
        cmocka_unit_test(children),
        cmocka_unit_test(memory),
        cmocka_unit_test(nodes_of_any_kind),
        cmocka_unit_test(what_a_capture_makes),
        cmocka_unit_test(few_answers_differ),
    };
    (void)setenv("TARN_HIP_COMPAT", "6", 1);
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
