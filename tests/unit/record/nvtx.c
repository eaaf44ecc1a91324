// SPDX-License-Identifier: Apache-2.0
// Recordings of a program that describes its memory and its phases by NVTX alone. It finds the recorder
// as NVTX's headers do, and repeats their numbers and layouts on purpose.
#include <dlfcn.h>

#include "unit/record/recorded.h"

#define KIB UINT64_C(1024)
#define AT  (UINT64_C(1) << 40)

static struct recorded recorded;

typedef void (*code)(void);

// ---- the client

static code core[16], domains[16];
static code *core_table[16], *domain_table[16];
static intptr_t memory_slots[20];

static int get_slots(int module, code ***table, unsigned *count) {
    for (unsigned i = 1; i < 16; i++) {
        core_table[i] = &core[i];
        domain_table[i] = &domains[i];
    }
    *table = module == 1 ? core_table : module == 5 ? domain_table : NULL;
    *count = *table != NULL ? 16 : 0;
    return *table != NULL;
}

static const void *get_table(uint32_t number) {
    static const struct {
        size_t size;
        int (*get)(int, code ***, unsigned *);
    } callbacks = {sizeof callbacks, get_slots};
    return number == 1 ? &callbacks : NULL;
}

static void must_be(bool condition, const char *text) {
    if (!condition) {
        fprintf(stderr, "%s\n", text);
        exit(8);
    }
}

static void find_recorder(void) {
    static struct {
        size_t id, count;
        intptr_t *slots;
    } segment = {0, 20, memory_slots};
    static struct {
        uint16_t version, size, number, compat;
        size_t segments;
        void *segment;
        const void *get, *info;
    } module = {3, sizeof module, 1, 0x0102, 1, &segment, NULL, NULL},
      other = {3, sizeof module, 2, 0x0102, 1, &segment, NULL, NULL};
    int (*begin)(const void *(*)(uint32_t)) = NULL;
    int (*extend)(void *) = NULL;
    void *library = dlopen(getenv("NVTX_INJECTION64_PATH"), RTLD_LAZY);
    must_be(library != NULL, "no library");
    void *found = dlsym(library, "InitializeInjectionNvtx2");
    memcpy(&begin, &found, sizeof begin);
    found = dlsym(library, "InitializeInjectionNvtxExtension");
    memcpy(&extend, &found, sizeof extend);
    must_be(begin(get_table) == 1, "NVTX was refused");
    must_be(extend(&other) == 0, "an unknown extension was accepted");
    must_be(extend(&module) == 1, "the memory extension was refused");
}

struct attributes {
    uint16_t version, size;
    uint32_t category, types[2], more[2];
    uint64_t payload;
    uint32_t message_type;
    const void *message;
};

// ---- the recorded program

static void use_phases(void) {
    void *domain = ((void *(*)(const char *))domains[12])("a domain");
    void *text = ((void *(*)(void *, const char *))domains[10])(domain, "registered");
    const struct attributes plain = {2, 48, 0, {0}, {0}, 0, 1, "attributes"};
    const struct attributes known = {2, 48, 0, {0}, {0}, 0, 3, text};
    const struct attributes wide = {2, 48, 0, {0}, {0}, 0, 2, L"wide \x2206"};
    int (*push)(const char *) = (int (*)(const char *))core[9];
    int (*push_in)(void *, const struct attributes *) =
        (int (*)(void *, const struct attributes *))domains[4];
    int (*pop)(void) = (int (*)(void))core[11];
    int (*pop_in)(void *) = (int (*)(void *))domains[5];
    ((void (*)(const char *))core[2])("a mark");
    ((void (*)(const struct attributes *))core[1])(&wide);
    must_be(push("outer") == 0 && push("inner") == 1, "the levels of two ranges");
    must_be(push_in(domain, &known) == 0, "the level of a domain");
    must_be(pop() == 1 && pop() == 0 && pop() < 0, "the levels at the end");
    must_be(pop_in(domain) == 0 && pop_in(domain) < 0, "the level at the end of a domain");
    uint64_t id = ((uint64_t(*)(const struct attributes *))core[4])(&plain);
    uint64_t other = ((uint64_t(*)(const char *))core[5])("another");
    must_be(id != 0 && id != other, "the numbers of ranges");
    ((void (*)(uint64_t))core[7])(id);
    ((void (*)(void *, uint64_t))domains[3])(domain, other);
    for (int i = 0; i < 100; i++) (void)push("deep");
    for (int i = 0; i < 100; i++) must_be(pop() == 99 - i, "a deep level");
}

struct range {
    size_t bytes;
    uint64_t addr;
};

// A heap with regions of 3, 5 and 7 KiB, of which one grows to 6; the peak is 16 KiB.
static void use_heap(void) {
    const struct range whole = {64 * KIB, AT};
    const struct range regions[] = {
        {3 * KIB, AT}, {5 * KIB, AT + 8 * KIB}, {7 * KIB, AT + 16 * KIB}};
    const struct range grown = {6 * KIB, AT + 8 * KIB};
    const struct {
        uint16_t compat, size;
        uint32_t reserved, usage, type;
        size_t type_size;
        const void *description;
        uint32_t category, message_type;
        const char *message;
    } heap = {0x0102, 48, 0, 1, 1, sizeof whole, &whole, 0, 1, "a heap"};
    void *handle = ((void *(*)(void *, const void *))memory_slots[0])(NULL, &heap),
         *handles[3] = {NULL};
    const struct {
        uint16_t compat, size;
        uint32_t type;
        void *heap;
        size_t count, each;
        const void *ranges;
        void **handles;
    } batch = {0x0102, 48, 1, handle, 3, sizeof *regions, regions, handles};
    const struct {
        uint16_t compat, size;
        uint32_t type;
        size_t count, each;
        const void *elements;
    } resize = {0x0102, 32, 1, 1, sizeof grown, &grown},
      unregister = {0x0102, 32, 2, 2, sizeof *handles, handles};
    must_be(handle != NULL, "no handle of a heap");
    ((void (*)(void *, const void *))memory_slots[3])(NULL, &batch);
    must_be(handles[2] != NULL, "no handle of a region");
    ((void (*)(void *, const void *))memory_slots[4])(NULL, &resize);
    ((void (*)(void *, const void *))memory_slots[5])(NULL, &unregister);
    ((void (*)(void *, void *))memory_slots[2])(NULL, handle);
    ((void (*)(void *, void *))memory_slots[1])(NULL, handle);
}

// ---- tests

static size_t count_texts(const struct tn_trace *trace, enum tn_event_kind kind, const char *text) {
    size_t count = 0;
    for (size_t i = 0; i < trace->event_count; i++) {
        count +=
            trace->events[i].kind == kind && strcmp(trace->texts[trace->events[i].item], text) == 0;
    }
    return count;
}

static void marks_and_ranges_are_phases(void **state) {
    (void)state;
    static const char *const ranges[] = {"outer", "inner", "registered", "attributes", "another"};
    struct tn_trace trace = record_program(&recorded, "nvtx", false);
    assert_int_equal(count_texts(&trace, TN_EVENT_MARK, "a mark"), 1);
    assert_int_equal(count_texts(&trace, TN_EVENT_MARK, "wide ?"), 1);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        assert_int_equal(count_texts(&trace, TN_EVENT_MARK, ranges[i]), 1);
        assert_int_equal(count_texts(&trace, TN_EVENT_MARK_END, ranges[i]), 1);
    }
    assert_int_equal(count_texts(&trace, TN_EVENT_MARK, "deep"), 32);
    assert_int_equal(count_texts(&trace, TN_EVENT_MARK_END, "deep"), 32);
    tn_trace_release(&trace);
}

static void heaps_and_regions_are_segments_and_blocks(void **state) {
    (void)state;
    struct tn_trace trace = record_program(&recorded, "nvtx", false);
    assert_int_equal(trace.device_count, 1);
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, 16 * KIB);
    assert_int_equal(count_events(&trace, TN_EVENT_ALLOC), 4);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), 4);
    assert_int_equal(trace.devices[0].reserved_peak, 64 * KIB);
    assert_int_equal(trace.devices[0].reserved_at_end, 0);
    tn_trace_release(&trace);
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc == 2) {
        find_recorder();
        use_phases();
        use_heap();
        return 0;
    }
    if (!recorder_is_built(&recorded)) {
        puts("skipped: RECORDER is not the path of the recorder");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_and_ranges_are_phases),
        cmocka_unit_test(heaps_and_regions_are_segments_and_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
