// SPDX-License-Identifier: Apache-2.0
// Random operations on one reservation, compared with a simple model after every step: the bytes,
// the rights of each device, the CPU's view and the number of kernel mappings.
#include "setup.h"

#include "backend/host/platform.h"

static uint64_t seed = 12345;

static uint64_t pick(uint64_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % below;
}

enum { UNITS = 64, HANDLES = 24, LOCATIONS = 3 };
#define UNIT (64 * KB)

// The mappings in units of the reservation. The first unit of each mapping is marked.
struct world {
    void *p;
    bool strict;
    tarn_addr addr;
    tarn_addr alias; // 0 without
    tarn_backend_phys phys[HANDLES];
    int owner[HANDLES]; // device
    uint64_t units_of[HANDLES];
    bool tagged[HANDLES][3];
    uint64_t length[UNITS]; // of the mapping that begins here, else 0
    bool taken[UNITS];
    uint64_t tag[UNITS];                  // what the unit's bytes begin with
    int device[UNITS];                    // whose they are
    tarn_access rights[UNITS][LOCATIONS]; // of device 0, device 1, the host
};

static uint64_t kernel_count(const struct world *w) {
    uint64_t size = UNITS * UNIT;
    uint64_t sum = kernel_lines(w->addr, w->addr + size);
    return w->alias == 0 ? sum : sum + kernel_lines(w->alias, w->alias + size);
}

// The first map of a unit of a handle writes a mark to its fresh bytes.
static void mark(struct world *w, uint64_t handle, uint64_t unit, tarn_addr addr, uint64_t tag) {
    uint64_t was = 1;
    if (!w->tagged[handle][unit]) {
        expect_ok(engine_read(w->p, 0, addr, &was, sizeof was));
        assert_int_equal(was, 0);
        expect_ok(engine_write(w->p, 0, addr, &tag, sizeof tag));
        w->tagged[handle][unit] = true;
    }
}

static uint64_t tag_of(uint64_t handle, uint64_t unit) { return (handle + 1) << 8 | unit; }

static void map_items(struct world *w, uint64_t start, const tarn_backend_map_item *items,
                      const uint64_t *handles, uint64_t count) {
    tarn_addr first = w->addr + start * UNIT;
    expect_ok(ops->map(w->p, first, items, count));
    for (uint64_t i = 0; i < count; i++) {
        uint64_t units = items[i].size / UNIT;
        expect_ok(grant(w->p, w->addr + start * UNIT, items[i].size, 0, TARN_ACCESS_READ_WRITE));
        w->length[start] = units;
        for (uint64_t unit = 0; unit < units; unit++, start++) {
            w->taken[start] = true;
            w->tag[start] = tag_of(handles[i], unit);
            w->device[start] = w->owner[handles[i]];
            memset(w->rights[start], 0, sizeof w->rights[start]);
            mark(w, handles[i], unit, w->addr + start * UNIT, w->tag[start]);
        }
    }
    expect_ok(grant(w->p, first, w->addr + start * UNIT - first, 0, TARN_ACCESS_NONE));
}

static void try_random_map(struct world *w) {
    tarn_backend_map_item items[4];
    uint64_t handles[4];
    uint64_t count = 1 + pick(4);
    uint64_t start = pick(UNITS);
    uint64_t total = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t handle = handles[i] = pick(HANDLES);
        uint64_t units = pick(3) == 0 ? 1 : w->units_of[handle];
        items[i] = (tarn_backend_map_item){w->phys[handle], units * UNIT};
        total += units;
    }
    for (uint64_t at = start; at < start + total; at++)
        if (at >= UNITS || w->taken[at]) return;
    map_items(w, start, items, handles, count);
}

// Finds consecutive complete mappings from a random one on. Returns false if there is none.
static bool random_run(const struct world *w, uint64_t *start, uint64_t *units) {
    uint64_t at = pick(UNITS);
    *start = at;
    for (uint64_t left = 1 + pick(5); left > 0 && at < UNITS && w->length[at] != 0; left--)
        at += w->length[at];
    *units = at - *start;
    return *units != 0;
}

static void random_handle(struct world *w, uint64_t i) {
    w->owner[i] = (int)pick(2);
    tarn_phys_desc desc = on_device(w->owner[i]);
    desc.shareable = pick(6) == 0 ? TARN_SHAREABLE_FD : 0;
    desc.page_class = pick(3) == 0 ? TARN_PAGE_HUGE : TARN_PAGE_BASE;
    w->units_of[i] = 1 + pick(3);
    w->phys[i] = create_with(w->p, w->units_of[i] * UNIT, desc);
}

// Replaces a handle that is mapped nowhere.
static void renew_handle(struct world *w, uint64_t i) {
    for (uint64_t at = 0; at < UNITS; at++)
        if (w->taken[at] && w->tag[at] >> 8 == tag_of(i, 0) >> 8) return;
    ops->phys_destroy(w->p, w->phys[i]);
    memset(w->tagged[i], 0, sizeof w->tagged[i]);
    random_handle(w, i);
}

static void unmap_all(struct world *w) {
    for (uint64_t at = 0; at < UNITS; at++)
        if (w->length[at] != 0)
            expect_ok(ops->unmap(w->p, w->addr + at * UNIT, w->length[at] * UNIT));
    memset(w->length, 0, sizeof w->length);
    memset(w->taken, 0, sizeof w->taken);
}

// Maps new handles of one device completely and in order. The kernel merges them to one mapping.
static void start_over(struct world *w) {
    unmap_all(w);
    for (uint64_t i = 0, at = 0; i < HANDLES; i++) {
        renew_handle(w, i);
        if (i < HANDLES / 2) {
            ops->phys_destroy(w->p, w->phys[i]);
            w->owner[i] = 0;
            w->phys[i] = create(w->p, 0, w->units_of[i] * UNIT);
            const tarn_backend_map_item item = {w->phys[i], w->units_of[i] * UNIT};
            map_items(w, at, &item, &i, 1);
            at += w->units_of[i];
        }
    }
}

static void step(struct world *w) {
    static const tarn_access accesses[] = {TARN_ACCESS_NONE, TARN_ACCESS_READ,
                                           TARN_ACCESS_READ_WRITE};
    uint64_t start;
    uint64_t units;
    uint64_t what = pick(12);
    if (pick(100) == 0) {
        start_over(w);
        return;
    }
    if (what < 3) {
        try_random_map(w);
        return;
    }
    if (what >= 8) {
        renew_handle(w, pick(HANDLES));
        return;
    }
    if (!random_run(w, &start, &units)) return;
    if (what < 5) {
        expect_ok(ops->unmap(w->p, w->addr + start * UNIT, units * UNIT));
        memset(&w->length[start], 0, units * sizeof w->length[0]);
        memset(&w->taken[start], 0, units);
    } else {
        const tarn_grant grants[] = {
            {{TARN_LOCATION_DEVICE, (int)pick(2)}, accesses[pick(3)]},
            {{TARN_LOCATION_HOST, 0}, accesses[pick(3)]},
        };
        uint64_t count = 1 + pick(2);
        expect_ok(ops->set_access(w->p, w->addr + start * UNIT, units * UNIT, grants, count));
        for (uint64_t at = start; at < start + units; at++) {
            w->rights[at][grants[0].location.id] = grants[0].access;
            if (count == 2) w->rights[at][2] = grants[1].access;
        }
    }
}

// Checks that a device sees the expected bytes of a unit, or has no access.
static void look_as_device(struct world *w, uint64_t at, int device) {
    uint64_t tag = 0;
    tarn_status wanted = !w->taken[at] ? TARN_NOT_MAPPED
                         : w->rights[at][device] != 0 || w->rights[at][w->device[at]] != 0
                             ? TARN_OK
                             : TARN_NO_ACCESS;
    expect_status(engine_read(w->p, device, w->addr + at * UNIT, &tag, sizeof tag), wanted);
    if (wanted == TARN_OK) assert_int_equal(tag, w->tag[at]);
}

static void look_as_cpu(const struct world *w, uint64_t at) {
    static const char *const views[] = {"---", "r--", "", "rw-"};
    int rights = 0;
    for (int location = w->strict ? 2 : 0; w->taken[at] && location < LOCATIONS; location++)
        rights |= (int)w->rights[at][location];
    assert_string_equal(kernel_rights(w->addr + at * UNIT), views[rights]);
}

static void compare(struct world *w, int step_number) {
    uint64_t at = pick(UNITS);
    if (mappings_of(w->p) != kernel_count(w)) {
        fail_msg("step %d: counted %llu, the kernel has %llu", step_number,
                 (unsigned long long)mappings_of(w->p), (unsigned long long)kernel_count(w));
    }
    look_as_cpu(w, at);
    for (at = 0; at < UNITS; at++) look_as_device(w, at, (int)pick(2));
    expect_ok(ops->check(w->p));
}

static void run_world(const char *options, int steps) {
    struct world w = {.p = open_host(options), .strict = strstr(options, "strict") != NULL};
    w.addr = reserve(w.p, UNITS * UNIT);
    struct tn_host *h = (struct tn_host *)w.p;
    struct tn_interval_entry entry;
    h->probe.huge = true; // huge pages are asked for, whether or not this system gives them
    assert_true(tn_interval_find(&h->spaces, w.addr, &entry));
    uint64_t distance = ((const struct tn_host_space *)(uintptr_t)entry.value)->alias;
    w.alias = distance != 0 ? w.addr + distance : 0;
    for (uint64_t i = 0; i < HANDLES; i++) random_handle(&w, i);
    for (int i = 0; i < steps; i++) {
        step(&w);
        compare(&w, i);
    }
    unmap_all(&w);
    assert_int_equal(kernel_count(&w), w.alias != 0 ? 2 : 1);
    for (int i = 0; i < HANDLES; i++) ops->phys_destroy(w.p, w.phys[i]);
    ops->release(w.p, w.addr, UNITS * UNIT);
    close_host(w.p);
}

static void a_random_life_is_as_the_model_says(void **state) {
    (void)state;
    run_world("", SLOW ? 300 : 2000);
    run_world("access=strict", SLOW ? 300 : 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_random_life_is_as_the_model_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
