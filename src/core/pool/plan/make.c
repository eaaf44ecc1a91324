// SPDX-License-Identifier: Apache-2.0
// Makes a plan: places the blocks of one stream after another by algo/packing.h. The small blocks of
// a stream are placed as slabs, which live all the time. Any thread.
#include <stdlib.h>
#include <string.h>

#include "algo/packing.h"
#include "algo/rule.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/struct.h"
#include "core/pool/class.h"
#include "core/pool/plan/format.h"

#include <tarn/pool.h>

#define SEARCH_STEPS (UINT64_C(1) << 26)
#define LIMIT_MAX    (UINT64_C(1) << 49) // its product with TN_PLAN_STREAMS_MAX fits
#define BYTES_MAX    (UINT64_C(1) << 62)

enum {
    APART_PART = 16, // of what lives together, for places of streams apart
    JOINED = 2,      // times its size, for the slabs of a class
};

struct maker {
    const tarn_plan_desc *desc;
    tn_packing_block *all; // the blocks with a place, in the order of their requests
    uint32_t *streams;     // of each, numbered in the order of their first blocks
    uint32_t *numbers;     // by stream of the description: its number + 1
    uint32_t *sources;     // of each: its request, or the tag of a slab
    size_t count;
    tn_packing_block *blocks; // of one stream
    uint64_t *offsets;
    size_t slabs; // are first among `all`
    size_t done;  // streams
    tn_pool_classes classes;
    unsigned joined[TN_CLASSES]; // the class whose slabs have the blocks of a class,
    unsigned first[TN_CLASSES];  // and the first class that has its blocks there
    uint64_t from;               // the moment at which the search began
    tarn_plan_info info;         // with the heights and the steps of the streams that are done
};

// ---- the requests

static tarn_status read_requests(struct maker *m) {
    const tarn_plan_desc *desc = m->desc;
    uint64_t sum = 0, last = 0;
    for (size_t i = 0; i < desc->count; i++) {
        const tarn_plan_block *b = &desc->blocks[i];
        uint64_t place = tn_plan_place_bytes(&desc->rule, b->bytes);
        uint64_t occupied = tn_rule_occupied(&desc->rule, b->bytes);
        TN_REFUSE(b->bytes == 0 || b->bytes > BYTES_MAX - sum || b->tag >= TARN_POOL_TAGS ||
                      b->stream >= TN_PLAN_STREAMS_MAX,
                  TARN_BAD_ARGUMENT,
                  "request %zu has %llu bytes, tag %u, stream %u; those before have %llu bytes", i,
                  (unsigned long long)b->bytes, b->tag, b->stream, (unsigned long long)sum);
        TN_REFUSE(
            b->end <= b->begin || b->begin < last ||
                (desc->period != 0 && b->begin >= desc->period),
            TARN_BAD_ARGUMENT, "request %zu lives from %llu to %llu; the one before from %llu", i,
            (unsigned long long)b->begin, (unsigned long long)b->end, (unsigned long long)last);
        last = b->begin;
        sum += b->bytes;
        if (place == 0 && occupied <= TN_SMALL_MAX)
            place = m->classes.stride[tn_pool_class_of(&m->classes, occupied)];
        m->all[m->count] = (tn_packing_block){place, b->begin, b->end};
        uint32_t *number = &m->numbers[b->stream];
        if (*number == 0) *number = (uint32_t)++m->info.streams;
        m->sources[m->count] = (uint32_t)i;
        m->streams[m->count++] = *number - 1;
    }
    return TARN_OK;
}

// ---- passes that repeat themselves

// The difference of the live bytes at one moment of a pass. The key is 0 unless stated otherwise.
struct change {
    uint64_t key;
    uint64_t time;
    int64_t bytes;
};

static int compare_changes(const void *a, const void *b) {
    const struct change *x = (const struct change *)a, *y = (const struct change *)b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

// Returns the moment of a pass at which the fewest bytes live, behind the frees and before the
// requests of that moment. `changes` has room for two of each block.
static uint64_t quiet_moment(const struct maker *m, struct change *changes) {
    uint64_t period = m->desc->period, best = UINT64_MAX, moment = 0, live = 0;
    for (size_t i = 0; i < m->count; i++) {
        const tn_packing_block *b = &m->all[i];
        bool wraps = b->end > period;
        changes[2 * i] = (struct change){0, b->begin, (int64_t)b->size};
        changes[2 * i + 1] =
            (struct change){0, wraps ? b->end % period : b->end, -(int64_t)b->size};
        live += wraps ? b->size : 0;
    }
    qsort(changes, 2 * m->count, sizeof *changes, compare_changes);
    for (size_t i = 0; i < 2 * m->count; i++) {
        if (changes[i].bytes > 0 && live < best) {
            best = live;
            moment = changes[i].time;
        }
        live += (uint64_t)changes[i].bytes;
    }
    return moment;
}

// Moves the begin of the pass to its quiet moment. A block that lives then has its place for itself.
static tarn_status rotate_pass(struct maker *m) {
    uint64_t period = m->desc->period;
    struct change *changes = (struct change *)malloc((2 * m->count + 1) * sizeof *changes);
    TN_REFUSE(changes == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a plan");
    for (size_t i = 0; i < m->count; i++) // longer than a pass: it is free in none
        if (m->all[i].end - m->all[i].begin >= period) m->all[i].end = m->all[i].begin + period;
    uint64_t from = quiet_moment(m, changes);
    free(changes);
    for (size_t i = 0; i < m->count; i++) {
        tn_packing_block *b = &m->all[i];
        uint64_t length = b->end - b->begin;
        b->begin = (b->begin + (period - from)) % period;
        b->end = b->begin + length;
        if (b->end > period) *b = (tn_packing_block){b->size, 0, period};
    }
    return TARN_OK;
}

// ---- small blocks

// Moves the large blocks together, and writes the changes of the small ones, whose key is the stream
// and the class. Returns the number of changes.
static size_t split_small(struct maker *m, struct change *changes) {
    size_t large = 0, count = 0;
    for (size_t i = 0; i < m->count; i++) {
        const tn_packing_block *b = &m->all[i];
        if (b->size <= TN_SMALL_MAX) {
            unsigned c = tn_pool_class_of(&m->classes, b->size);
            uint64_t key = (uint64_t)m->streams[i] * TN_CLASSES + c;
            changes[count++] = (struct change){key, b->begin, (int64_t)b->size};
            changes[count++] = (struct change){key, b->end, -(int64_t)b->size};
            continue;
        }
        m->all[large] = *b;
        m->sources[large] = m->sources[i];
        m->streams[large++] = m->streams[i];
    }
    m->count = large;
    qsort(changes, count, sizeof *changes, compare_changes);
    return count;
}

static uint64_t round_slab(uint64_t bytes) {
    return (bytes + TN_SMALL_MAX - 1) & ~(uint64_t)(TN_SMALL_MAX - 1);
}

// Returns the bytes of the slabs for so many bytes of a class.
static uint64_t slabs_bytes(const struct maker *m, unsigned c, uint64_t bytes) {
    uint64_t most = m->classes.stride[c] * (uint64_t)tn_pool_class_room(&m->classes, c);
    return bytes / most * round_slab(most) + round_slab(bytes % most);
}

// Adds the slabs for so many bytes of a key.
static void add_slabs(struct maker *m, uint64_t key, uint64_t bytes, uint64_t begin, uint64_t end) {
    unsigned c = key % TN_CLASSES;
    uint64_t stride = m->classes.stride[c];
    uint64_t most = stride * tn_pool_class_room(&m->classes, c);
    for (; bytes != 0; m->slabs++) {
        uint64_t used = bytes < most ? bytes : most;
        m->blocks[m->slabs] = (tn_packing_block){round_slab(used), begin, end};
        m->streams[m->count + m->slabs] = (uint32_t)(key / TN_CLASSES);
        m->sources[m->count + m->slabs] = tn_plan_slab_tag(m->classes.stride[c], c - m->first[c]);
        bytes -= used;
    }
}

// Writes the most blocks of each stream and class that live at one moment.
static void count_blocks(const struct maker *m, const struct change *changes, size_t count,
                         uint32_t *most) {
    uint64_t live = 0;
    for (size_t i = 0; i < count; i++) {
        live += (uint64_t)changes[i].bytes;
        uint32_t blocks = (uint32_t)(live / m->classes.stride[changes[i].key % TN_CLASSES]);
        if (blocks > most[changes[i].key]) most[changes[i].key] = blocks;
    }
}

// Chooses for each class the larger one in whose slabs its blocks lie, at most twice its size, so that
// the slabs of all have the fewest bytes: a slab has at least TN_SMALL_MAX.
static void join_classes(struct maker *m, const uint32_t *most, uint64_t *sums) {
    uint64_t best[TN_CLASSES + 1] = {0};
    for (unsigned last = 0; last < m->classes.count; last++) {
        memset(sums, 0, m->info.streams * sizeof *sums);
        best[last + 1] = UINT64_MAX;
        for (unsigned first = last + 1; first-- > 0;) {
            uint64_t bytes = best[first];
            if (m->classes.stride[last] > JOINED * m->classes.stride[first]) break;
            for (uint64_t s = 0; s < m->info.streams; s++) {
                sums[s] += (uint64_t)most[s * TN_CLASSES + first] * m->classes.stride[last];
                bytes += slabs_bytes(m, last, sums[s]);
            }
            if (bytes >= best[last + 1]) continue;
            best[last + 1] = bytes;
            m->first[last] = first;
        }
    }
    for (unsigned end = m->classes.count; end > 0; end = m->first[end - 1])
        for (unsigned c = m->first[end - 1]; c < end; c++) m->joined[c] = end - 1;
}

static void rotate_words(uint32_t *words, size_t count, size_t by, uint32_t *spare) {
    memcpy(spare, words + count - by, by * sizeof *words);
    memmove(words + by, words, (count - by) * sizeof *words);
    memcpy(words, spare, by * sizeof *words);
}

// Gives the changes of small blocks the classes in whose slabs they lie.
static tarn_status join_changes(struct maker *m, struct change *changes, size_t count) {
    uint64_t *sums = (uint64_t *)malloc((m->info.streams + 1) * sizeof *sums);
    uint32_t *most = (uint32_t *)calloc(m->info.streams * TN_CLASSES + 1, sizeof *most);
    if (sums != NULL && most != NULL) {
        count_blocks(m, changes, count, most);
        join_classes(m, most, sums);
    }
    bool made = sums != NULL && most != NULL;
    free(sums);
    free(most);
    TN_REFUSE(!made, TARN_NO_HOST_MEMORY, "out of host memory for a plan");
    for (size_t i = 0; i < count; i++) {
        unsigned c = changes[i].key % TN_CLASSES, joined = m->joined[c];
        int64_t stride = m->classes.stride[joined];
        changes[i].key += joined - c;
        changes[i].bytes = changes[i].bytes > 0 ? stride : -stride;
    }
    qsort(changes, count, sizeof *changes, compare_changes);
    return TARN_OK;
}

// Replaces the small blocks by slabs, which come first: so they lie at the bottom, one behind the
// other.
static tarn_status place_small(struct maker *m) {
    struct change *changes = (struct change *)malloc((2 * m->count + 1) * sizeof *changes);
    TN_REFUSE(changes == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a plan");
    uint64_t begin = UINT64_MAX, end = 0;
    for (size_t i = 0; i < m->count; i++) {
        begin = m->all[i].begin < begin ? m->all[i].begin : begin;
        end = m->all[i].end > end ? m->all[i].end : end;
    }
    size_t count = split_small(m, changes);
    tarn_status status = join_changes(m, changes, count);
    uint64_t live = 0, most = 0;
    for (size_t i = 0; i < count && status == TARN_OK; i++) {
        live += (uint64_t)changes[i].bytes;
        most = live > most ? live : most;
        if (i + 1 < count && changes[i + 1].key == changes[i].key) continue;
        add_slabs(m, changes[i].key, most, begin, end);
        most = 0;
    }
    memmove(m->all + m->slabs, m->all, m->count * sizeof *m->all);
    memcpy(m->all, m->blocks, m->slabs * sizeof *m->all);
    m->info.blocks = m->count;
    m->count += m->slabs;
    rotate_words(m->sources, m->count, m->slabs, (uint32_t *)(void *)changes);
    rotate_words(m->streams, m->count, m->slabs, (uint32_t *)(void *)changes);
    free(changes);
    return status;
}

// ---- streams

// Returns the most that lives at one moment on a stream, or on all of them if there is no such stream.
static uint64_t peak_live(const struct maker *m, uint64_t stream, struct change *changes) {
    size_t count = 0;
    uint64_t live = 0, most = 0;
    for (size_t i = 0; i < m->count; i++) {
        if (m->streams[i] != stream && stream < m->info.streams) continue;
        changes[count++] = (struct change){0, m->all[i].begin, (int64_t)m->all[i].size};
        changes[count++] = (struct change){0, m->all[i].end, -(int64_t)m->all[i].size};
    }
    qsort(changes, count, sizeof *changes, compare_changes);
    for (size_t i = 0; i < count; i++) {
        live += (uint64_t)changes[i].bytes;
        most = live > most ? live : most;
    }
    return most;
}

// Streams that take turns would need more memory in places of their own than in a pool that all share.
// Then only the one that needs most has places.
static tarn_status choose_streams(struct maker *m) {
    uint64_t sum = 0, most = 0, main = 0;
    if (m->info.streams < 2) return TARN_OK;
    struct change *changes = (struct change *)malloc((2 * m->count + 1) * sizeof *changes);
    TN_REFUSE(changes == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a plan");
    for (uint64_t s = 0; s < m->info.streams; s++) {
        uint64_t peak = peak_live(m, s, changes);
        sum += peak;
        main = peak > most ? s : main;
        most = peak > most ? peak : most;
    }
    uint64_t together = peak_live(m, m->info.streams, changes);
    free(changes);
    size_t count = 0, slabs = m->slabs;
    for (size_t i = 0; i < m->count; i++) {
        bool apart = sum > together + together / APART_PART && m->streams[i] != main;
        if (apart && i < slabs) m->slabs--;
        if (apart) continue;
        m->all[count] = m->all[i];
        m->sources[count] = m->sources[i];
        m->streams[count++] = m->streams[i];
    }
    m->count = count;
    m->info.blocks = count - m->slabs;
    return TARN_OK;
}

// ---- placement

// Returns true if a stream may use more of a limit. Each may use an equal part, and what the streams
// before it left.
static bool has_share(const struct maker *m, uint64_t used, uint64_t limit) {
    return used < LIMIT_MAX && used * m->info.streams < limit * (m->done + 1);
}

static bool goes_on(void *arg, const tn_packing *best) {
    struct maker *m = (struct maker *)arg;
    const tarn_plan_desc *desc = m->desc;
    tarn_plan_info info = m->info;
    info.bound += best->bound;
    info.height += best->height;
    info.steps += best->steps;
    if (!has_share(m, info.steps, desc->limit_steps)) return false;
    if (desc->limit_ns != 0 && !has_share(m, tn_now_ns() - m->from, desc->limit_ns)) return false;
    return m->desc->progress == NULL || m->desc->progress(&info, m->desc->arg);
}

// Writes the requests of a stream, and returns its height.
static tarn_status place_stream(struct maker *m, uint32_t stream, tn_plan_request *requests,
                                uint64_t *height) {
    size_t count = 0;
    tn_packing packing;
    for (size_t i = 0; i < m->count; i++)
        if (m->streams[i] == stream) m->blocks[count++] = m->all[i];
    TN_TRY(tn_packing_solve(m->blocks, count, goes_on, m, m->offsets, &packing));
    for (size_t i = 0, k = 0; i < m->count; i++)
        if (m->streams[i] == stream) requests[i].offset = m->offsets[k++];
    *height = packing.height;
    m->info.height += packing.height;
    m->info.bound += packing.bound;
    m->info.steps += packing.steps;
    m->done++;
    return TARN_OK;
}

static tarn_status place_all(struct maker *m, void *plan, size_t room, size_t *bytes) {
    const tarn_plan_desc *desc = m->desc;
    size_t heights = m->info.streams * sizeof(uint64_t);
    *bytes = sizeof(tn_plan_head) + heights + m->count * sizeof(tn_plan_request);
    TN_REFUSE(room < *bytes, TARN_BAD_ARGUMENT, "room is %zu bytes, and the plan has %zu", room,
              *bytes);
    char *made = (char *)calloc(1, *bytes);
    TN_REFUSE(made == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a plan");
    tn_plan_request *requests = (tn_plan_request *)(void *)(made + sizeof(tn_plan_head) + heights);
    for (size_t i = 0; i < m->count; i++) {
        const tarn_plan_block *b = i < m->slabs ? NULL : &desc->blocks[m->sources[i]];
        requests[i] = b != NULL
                          ? (tn_plan_request){b->bytes, 0, b->tag, m->streams[i]}
                          : (tn_plan_request){m->all[i].size, 0, m->sources[i], m->streams[i]};
    }
    tarn_status status = TARN_OK;
    for (uint32_t s = 0; s < m->info.streams && status == TARN_OK; s++)
        status =
            place_stream(m, s, requests, (uint64_t *)(void *)(made + sizeof(tn_plan_head)) + s);
    if (status == TARN_OK) {
        *(tn_plan_head *)(void *)made = (tn_plan_head){.rule = desc->rule,
                                                       .count = m->count,
                                                       .streams = (uint32_t)m->info.streams,
                                                       .slabs = (uint32_t)m->slabs,
                                                       .bound = m->info.bound,
                                                       .height = m->info.height};
        tn_plan_seal(made, *bytes);
        memcpy(plan, made, *bytes);
    }
    free(made);
    return status;
}

static tarn_status make_plan(struct maker *m, void *plan, size_t room, size_t *bytes) {
    TN_REFUSE(m->all == NULL || m->streams == NULL || m->offsets == NULL || m->numbers == NULL,
              TARN_NO_HOST_MEMORY, "out of host memory for a plan of %zu requests", m->desc->count);
    m->blocks = m->all + m->desc->count;
    m->sources = m->streams + m->desc->count;
    tn_pool_classes_init(&m->classes, (unsigned)__builtin_ctz(tn_plan_granule(&m->desc->rule)));
    TN_TRY(read_requests(m));
    if (m->desc->period != 0 && m->count > 0) TN_TRY(rotate_pass(m));
    TN_TRY(place_small(m));
    TN_TRY(choose_streams(m));
    return place_all(m, plan, room, bytes);
}

tarn_status tn_plan_make(const tarn_plan_desc *desc, void *plan, size_t room, size_t *bytes) {
    tarn_plan_desc own;
    size_t made = 0;
    TN_TRY(tn_struct_read(&own, sizeof own, desc, "tarn_plan_desc"));
    if (own.rule.start == 0 && own.rule.rounding == 0 && own.rule.padding == 0)
        (void)tarn_rule_get(TARN_RULE_GPU_256, &own.rule);
    TN_REFUSE(!tn_rule_is_valid(&own.rule), TARN_BAD_ARGUMENT,
              "rule has start %u, rounding %u, padding %u", own.rule.start, own.rule.rounding,
              own.rule.padding);
    TN_REFUSE(own.blocks == NULL && own.count != 0, TARN_BAD_ARGUMENT, "blocks is NULL");
    if (own.limit_steps == 0) own.limit_steps = SEARCH_STEPS;
    if (own.limit_steps > LIMIT_MAX) own.limit_steps = LIMIT_MAX;
    if (own.limit_ns > LIMIT_MAX) own.limit_ns = LIMIT_MAX;
    struct maker m = {.desc = &own,
                      .from = tn_now_ns(),
                      .info = {.struct_size = sizeof m.info, .rule = own.rule}};
    m.all = (tn_packing_block *)malloc((2 * own.count + 1) * sizeof *m.all);
    m.streams = (uint32_t *)malloc((2 * own.count + 1) * sizeof *m.streams);
    m.offsets = (uint64_t *)malloc((own.count + 1) * sizeof *m.offsets);
    m.numbers = (uint32_t *)calloc(TN_PLAN_STREAMS_MAX, sizeof *m.numbers);
    tarn_status status = make_plan(&m, plan, room, &made);
    free(m.numbers);
    free(m.all);
    free(m.streams);
    free(m.offsets);
    if (status == TARN_OK) *bytes = made;
    return status;
}
