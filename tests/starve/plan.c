// SPDX-License-Identifier: Apache-2.0
// Pools with a plan: made from requests, read from a file, learnt between marks and without marks, and
// learnt again when the program changes.
#include <fcntl.h>
#include <unistd.h>

#include "starve/support/tarn.h"

#define BLOCKS   8
#define UNMARKED 40 // passes, of which 32 are the requests before the pool looks for a period
#define KIB      UINT64_C(1024)

enum source { REQUESTS, FILE_NAME, MARKS, NO_MARKS, SOURCES };

struct scene {
    tarn_device *device;
    tarn_pool *pool;
    tarn_plan *plan;
    tarn_addr blocks[BLOCKS];
    char name[64];
};

// A pass; block i lives until block i + 2 is requested. With `program` all lengths change.
static enum starve_kind run_pass(struct scene *s, uint64_t program) {
    for (uint64_t i = 0; i < BLOCKS + 2; i++) {
        if (i >= 2) {
            TRY(tarn_pool_free(s->pool, s->blocks[i - 2]));
            s->blocks[i - 2] = 0;
        }
        if (i < BLOCKS)
            TRY(tarn_pool_alloc(s->pool, (32 + 96 * i + 32 * program) * KIB, 0, &s->blocks[i]));
    }
    return STARVE_DONE;
}

static enum starve_kind make_plan(struct scene *s) {
    tarn_plan_block blocks[BLOCKS];
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    for (uint64_t i = 0; i < BLOCKS; i++)
        blocks[i] = (tarn_plan_block){(32 + 96 * i) * KIB, 2 * i, 2 * i + 5, 0, 0};
    desc.blocks = blocks;
    desc.count = BLOCKS;
    TRY(tarn_plan_create(&desc, &s->plan));
    return STARVE_DONE;
}

// Replaces the plan by one of a file.
static enum starve_kind load_plan(struct scene *s) {
    tarn_plan_info info = TARN_INIT(tarn_plan_info);
    TRY(tarn_plan_query(s->plan, &info));
    (void)snprintf(s->name, sizeof s->name, "starve_plan_%ld", (long)getpid());
    int file = open(s->name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written =
        file >= 0 && write(file, info.bytes, info.byte_count) == (ssize_t)info.byte_count;
    if (file >= 0) (void)close(file);
    tarn_plan_destroy(s->plan);
    s->plan = NULL;
    if (!written) return STARVE_SHORT;
    tarn_status loaded = tarn_plan_load(s->name, &s->plan);
    if (loaded == TARN_SYSTEM) return STARVE_SHORT; // it cannot be read
    TRY(loaded);
    return STARVE_DONE;
}

static enum starve_kind use_plan(struct scene *s, enum source source) {
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    uint64_t programs = source == MARKS ? 2 : 1;
    enum starve_kind made = source < MARKS ? make_plan(s) : STARVE_DONE;
    if (made == STARVE_DONE && source == FILE_NAME) made = load_plan(s);
    if (made != STARVE_DONE) return made;
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = s->device;
    desc.plan = s->plan;
    desc.flags = s->plan == NULL ? TARN_POOL_LEARN : 0;
    TRY(tarn_pool_create(&desc, &s->pool));
    for (uint64_t program = 0; program < programs; program++) {
        for (int i = 0; i < (source == NO_MARKS ? UNMARKED : 8); i++) {
            if (source != NO_MARKS) TRY(tarn_pool_mark(s->pool));
            enum starve_kind kind = run_pass(s, program);
            if (kind != STARVE_DONE) return kind;
        }
    }
    TRY(tarn_pool_query_stats(s->pool, &stats));
    return STARVE_DONE;
}

static void undo_plan(struct scene *s, enum starve_kind *worst) {
    if (s->name[0] != '\0') (void)unlink(s->name);
    s->name[0] = '\0';
    tarn_plan_destroy(s->plan);
    s->plan = NULL;
    if (s->pool == NULL) return;
    for (uint64_t i = 0; i < BLOCKS; i++) {
        MUST(worst, tarn_pool_free(s->pool, s->blocks[i]));
        s->blocks[i] = 0;
    }
    MUST(worst, tarn_pool_verify(s->pool));
    MUST(worst, tarn_pool_destroy(s->pool));
    s->pool = NULL;
}

static enum starve_kind use_all(struct scene *s) {
    TRY(tarn_device_open("host:0,memory=64M,workers=1", &s->device));
    for (int source = 0; source < SOURCES; source++) {
        enum starve_kind kind = use_plan(s, (enum source)source);
        undo_plan(s, &kind);
        if (kind != STARVE_DONE) return kind;
    }
    return STARVE_DONE;
}

void starve_provoke(void) {
    tarn_plan *plan = NULL;
    (void)tarn_plan_parse("nonsense", 8, &plan);
}

enum starve_kind starve_round(void) {
    struct scene s = {.name = ""};
    enum starve_kind worst = use_all(&s);
    if (s.device != NULL) {
        if (starve_device_is_empty(s.device) != STARVE_DONE) worst = STARVE_WRONG;
        MUST(&worst, tarn_device_close(s.device));
    }
    return worst;
}
