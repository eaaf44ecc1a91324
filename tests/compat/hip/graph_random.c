// SPDX-License-Identifier: Apache-2.0
// Graphs that are changed at random, beside a naive model: a matrix of edges. What is listed,
// cloned and run agrees with the model.
#include <pthread.h>

#include "support/graph.h"

enum { NODES = 24, STEPS = 120, ROUNDS = 12 };

// Each node is a function that writes the number of its turn.
struct model {
    hipGraph_t graph;
    hipGraphNode_t nodes[NODES]; // NULL: none
    bool edge[NODES][NODES];     // from, to
};

static atomic_count_t turn;
static int turns[NODES];

static void take_turn(void *own) {
    int now = atomic_fetch_add(&turn, 1) + 1;
    *(int *)own = now;
}

static int choose(void) { return rand() % NODES; }

// Returns true if a path leads from one node to another.
static bool leads(const struct model *m, int from, int to) {
    bool reached[NODES] = {false};
    int queue[NODES];
    int count = 0;
    queue[count++] = from;
    reached[from] = true;
    for (int at = 0; at < count; at++)
        for (int next = 0; next < NODES; next++) {
            if (!m->edge[queue[at]][next] || reached[next]) continue;
            reached[next] = true;
            queue[count++] = next;
        }
    return reached[to];
}

// Every third node is in a child graph of its own.
static hipError_t add_at(const struct model *m, int i, const hipGraphNode_t *before, size_t count,
                         hipGraphNode_t *node) {
    const hipHostNodeParams params = {take_turn, &turns[i]};
    hipGraphNode_t inner = NULL;
    if (i % 3 != 0) return hipGraphAddHostNode(node, m->graph, before, count, &params);
    hipGraph_t child = new_graph();
    assert_hip_ok(hipGraphAddHostNode(&inner, child, NULL, 0, &params));
    hipError_t error = hipGraphAddChildGraphNode(node, m->graph, before, count, child);
    assert_hip_ok(hipGraphDestroy(child));
    return error;
}

static void try_add(struct model *m) {
    int i = choose();
    hipGraphNode_t before[3];
    int chosen[3];
    size_t count = (size_t)rand() % 4;
    bool good = true;
    if (m->nodes[i] != NULL) return;
    for (size_t k = 0; k < count; k++) {
        chosen[k] = choose();
        before[k] = m->nodes[chosen[k]];
        good = good && before[k] != NULL;
        for (size_t j = 0; j < k; j++) good = good && chosen[j] != chosen[k];
    }
    hipGraphNode_t node = NULL;
    assert_hip(add_at(m, i, before, count, &node), good ? hipSuccess : hipErrorInvalidValue);
    if (!good) return;
    m->nodes[i] = node;
    for (size_t k = 0; k < count; k++) m->edge[chosen[k]][i] = true;
}

static void try_destroy(struct model *m) {
    int i = choose();
    assert_hip(hipGraphDestroyNode(m->nodes[i]),
               m->nodes[i] != NULL ? hipSuccess : hipErrorInvalidValue);
    m->nodes[i] = NULL;
    for (int k = 0; k < NODES; k++) m->edge[i][k] = m->edge[k][i] = false;
}

// Adds edges that make no cycle, or removes edges; sometimes bad ones.
static void try_edges(struct model *m, bool add) {
    struct model after = *m;
    hipGraphNode_t from[2];
    hipGraphNode_t to[2];
    size_t count = 1 + (size_t)rand() % 2;
    bool good = true;
    for (size_t k = 0; k < count; k++) {
        int i = choose();
        int j = choose();
        while (add && leads(&after, j, i) && i != j) i = choose();
        from[k] = after.nodes[i];
        to[k] = after.nodes[j];
        good = good && from[k] != NULL && to[k] != NULL && i != j && after.edge[i][j] != add;
        after.edge[i][j] = add;
    }
    assert_hip(add ? hipGraphAddDependencies(m->graph, from, to, count)
                   : hipGraphRemoveDependencies(m->graph, from, to, count),
               good ? hipSuccess : hipErrorInvalidValue);
    if (good) *m = after;
}

static int index_of(const struct model *m, hipGraphNode_t node) {
    int i = 0;
    while (i < NODES && m->nodes[i] != node) i++;
    assert_true(i < NODES);
    return i;
}

static void assert_listed(const struct model *m) {
    hipGraphNode_t from[NODES * NODES];
    hipGraphNode_t to[NODES * NODES];
    int place[NODES];
    size_t edges = 0;
    size_t count = NODES * NODES;
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < NODES; k++) edges += m->edge[i][k] ? 1 : 0;
    assert_hip_ok(hipGraphGetEdges(m->graph, from, to, &count));
    assert_int_equal(count, edges);
    for (size_t i = 0; i < count; i++)
        assert_true(m->edge[index_of(m, from[i])][index_of(m, to[i])]);
    count = NODES;
    assert_hip_ok(hipGraphGetNodes(m->graph, from, &count));
    for (size_t i = 0; i < count; i++) place[index_of(m, from[i])] = (int)i;
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < NODES; k++) assert_true(!m->edge[i][k] || place[i] < place[k]);
}

static void assert_run(const struct model *m, hipGraph_t graph) {
    int count = 0;
    memset(turns, 0, sizeof turns);
    atomic_store(&turn, 0);
    run_graph(graph);
    for (int i = 0; i < NODES; i++) {
        assert_int_equal(turns[i] != 0, m->nodes[i] != NULL);
        count += m->nodes[i] != NULL ? 1 : 0;
        for (int k = 0; k < NODES; k++) assert_true(!m->edge[i][k] || turns[i] < turns[k]);
    }
    assert_int_equal(atomic_load(&turn), count);
}

static void a_graph_is_like_its_model(void **state) {
    (void)state;
    srand(11);
    for (int round = 0; round < ROUNDS; round++) {
        struct model m = {.graph = new_graph()};
        hipGraph_t clone = NULL;
        for (int step = 0; step < STEPS; step++) {
            switch (rand() % 6) {
            case 0: try_destroy(&m); break;
            case 1:
            case 2: try_edges(&m, true); break;
            case 3: try_edges(&m, false); break;
            default: try_add(&m); break;
            }
            if (step % 10 == 0) assert_listed(&m);
            if (step % 40 == 39) assert_run(&m, m.graph);
        }
        assert_hip_ok(hipGraphClone(&clone, m.graph));
        assert_hip_ok(hipGraphDestroy(m.graph));
        assert_run(&m, clone);
        assert_hip_ok(hipGraphDestroy(clone));
    }
}

// ---- threads

enum { THREADS = 4, TURNS = 60 };

struct shared {
    hipGraph_t graph;
    hipEvent_t event;
    hipGraphNode_t root;
};

// Adds, changes and removes nodes of its own, and runs what the graph is just then.
static void *change_graph(void *arg) {
    struct shared *shared = (struct shared *)arg;
    const hipHostNodeParams call = {count, &turn};
    for (int i = 0; i < TURNS; i++) {
        hipGraphNode_t own[3] = {NULL};
        hipGraph_t clone = NULL;
        size_t num = 0;
        (void)hipGraphAddHostNode(&own[0], shared->graph, &shared->root, 1, &call);
        (void)hipGraphAddEventRecordNode(&own[1], shared->graph, own, 1, shared->event);
        (void)hipGraphAddChildGraphNode(&own[2], shared->graph, NULL, 0, shared->graph);
        (void)hipGraphAddDependencies(shared->graph, &own[1], &own[2], 1);
        (void)hipGraphHostNodeSetParams(own[0], &call);
        (void)hipGraphGetNodes(shared->graph, NULL, &num);
        (void)hipGraphDestroyNode(own[2]);
        if (i % 8 == 0) run_graph(shared->graph);
        (void)hipGraphClone(&clone, shared->graph);
        (void)hipGraphDestroyNode(own[0]);
        (void)hipGraphDestroyNode(own[1]);
        (void)hipGraphDestroy(clone);
    }
    return NULL;
}

static void threads_change_one_graph(void **state) {
    pthread_t threads[THREADS];
    struct shared shared = {new_graph(), NULL, NULL};
    (void)state;
    assert_hip_ok(hipEventCreate(&shared.event));
    shared.root = add_empty(shared.graph, NULL, 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, change_graph, &shared), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(count_nodes(shared.graph), 1);
    assert_hip_ok(hipGraphDestroy(shared.graph));
    assert_hip_ok(hipEventDestroy(shared.event));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_graph_is_like_its_model),
        cmocka_unit_test(threads_change_one_graph),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
