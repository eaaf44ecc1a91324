// SPDX-License-Identifier: Apache-2.0
// Compares the slot table with a simple model: a list of all handles ever issued and their state.
#include "algo/slots.h"

#include <stdio.h>
#include <stdlib.h>

#define ISSUED_MAX 4096
#define KIND       6

struct model {
    uint64_t handle[ISSUED_MAX];
    uint64_t payload[ISSUED_MAX];
    bool live[ISSUED_MAX];
    size_t issued;
    uint32_t count;
};

static void require(bool claim, const char *text) {
    if (!claim) {
        (void)fprintf(stderr, "fuzz slots: broken claim: %s\n", text);
        abort();
    }
}

static size_t find(const struct model *m, uint64_t handle) {
    size_t i = 0;
    while (i < m->issued && m->handle[i] != handle) i++;
    return i;
}

static void insert(struct tn_slots *table, struct model *m, uint64_t payload) {
    uint64_t handle = 0;
    tarn_status status = tn_slots_insert(table, payload, &handle);
    require((status == TARN_OK) == (m->count < table->limit), "insert fails just at the limit");
    if (status != TARN_OK || m->issued == ISSUED_MAX) return;
    require(handle != 0 && find(m, handle) == m->issued, "a handle is issued once");
    m->handle[m->issued] = handle;
    m->payload[m->issued] = payload;
    m->live[m->issued++] = true;
    m->count++;
}

static void remove_one(struct tn_slots *table, struct model *m, uint64_t handle) {
    uint64_t payload = 0;
    size_t i = find(m, handle);
    bool live = i < m->issued && m->live[i];
    require(tn_slots_remove(table, handle, &payload) == live, "only live handles are removed");
    if (live) {
        require(payload == m->payload[i], "remove gives the payload");
        m->live[i] = false;
        m->count--;
    }
}

static void get(const struct tn_slots *table, const struct model *m, uint64_t handle) {
    uint64_t payload = 0;
    size_t i = find(m, handle);
    bool live = i < m->issued && m->live[i];
    require(tn_slots_get(table, handle, &payload) == live, "only live handles are found");
    require(!live || payload == m->payload[i], "get gives the payload");
}

static void compare_all(const struct tn_slots *table, const struct model *m) {
    uint32_t position = 0;
    uint32_t walked = 0;
    uint64_t handle;
    uint64_t payload;
    while (tn_slots_next(table, &position, &handle, &payload)) {
        size_t i = find(m, handle);
        require(i < m->issued && m->live[i] && m->payload[i] == payload, "a walk gives the live");
        walked++;
    }
    require(walked == m->count && tn_slots_count(table) == m->count, "the count is right");
    require(tn_slots_check(table), "the invariants hold");
}

// Makes a handle from two bytes: an issued one, or a number close to one.
static uint64_t choose(const struct model *m, uint8_t a, uint8_t b) {
    uint64_t near = m->issued > 0 ? m->handle[a % m->issued] : 0;
    switch (b & 7) {
    case 0: return near + ((uint64_t)b << 32);
    case 1: return near + b;
    case 2: return near ^ (uint64_t)b << 28;
    default: return near;
    }
}

static void step(struct tn_slots *table, struct model *m, const uint8_t *in) {
    uint64_t handle = choose(m, in[1], in[2]);
    switch (in[0] % 4) {
    case 0:
    case 1: insert(table, m, (uint64_t)in[1] << 8 | in[2]); break;
    case 2: remove_one(table, m, handle); break;
    default: get(table, m, handle); break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct model model;
    struct tn_slots table;
    model.issued = 0;
    model.count = 0;
    tn_slots_init(&table, KIND, 50);
    for (size_t i = 0; i + 3 <= size && model.issued < ISSUED_MAX; i += 3) {
        step(&table, &model, data + i);
        compare_all(&table, &model);
    }
    tn_slots_fini(&table);
    return 0;
}
