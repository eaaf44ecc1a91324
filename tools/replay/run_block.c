// SPDX-License-Identifier: Apache-2.0
// Allocates and frees the blocks of a run. Each call is timed, and each block is touched and
// claimed, if the pass requires it. One thread.
#include "tools/replay/run.h"

static struct tn_touched touched_block(const struct tn_replay_run *run, uint32_t block) {
    return (struct tn_touched){
        .block = block, .addr = run->addresses[block], .bytes = tn_replay_run_size(run, block)};
}

static void count_live(struct tn_replay_run *run, uint32_t block, size_t index) {
    run->live += tn_replay_run_size(run, block);
    if (run->live > run->peak_live) run->peak_live = run->live;
    if (index != run->peak_event || run->round > 0) return;
    struct tn_target_state state = {0};
    if (tn_replay_run_state(run, &state)) run->largest_free_at_peak = state.largest_free;
}

static void touch_block(struct tn_replay_run *run, uint32_t block, size_t index) {
    struct tn_touched at = touched_block(run, block);
    uint64_t occupied = at.bytes;
    if (run->target.pool != NULL)
        (void)tarn_rule_occupied(&run->replay->options->settings.rule, at.bytes, &occupied);
    tarn_status status = tn_ranges_add(&run->claims, at.addr, occupied, block);
    if (status == TARN_BUSY) {
        tn_replay_run_fail_overlap(run, block, index);
        return;
    }
    if (status != TARN_OK)
        tn_replay_fail(run->replay, TN_EXIT_FAILED, status, "out of memory for the pattern");
    else if ((status = tn_touch_write(&run->touch, &at)) != TARN_OK)
        tn_replay_run_fail_at(run, block, index, status, "cannot be written");
}

// A pool that lacks host memory may reach its aim by other means. The result is then another one than
// with that memory.
static void check_host_memory(struct tn_replay_run *run) {
    if (run->observed && tarn_last_error(NULL) == TARN_NO_HOST_MEMORY)
        tn_replay_fail(run->replay, TN_EXIT_FAILED, TARN_NO_HOST_MEMORY, "%s",
                       tn_target_name(run->replay->kind));
}

void tn_replay_run_allocate(struct tn_replay_run *run, uint32_t block, size_t index) {
    tarn_stream stream = run->streams[run->trace->blocks[block].stream];
    uint64_t size = tn_replay_run_size(run, block), start = tn_timing_now();
    tarn_status status = tn_target_alloc(&run->target, size, stream, &run->addresses[block]);
    uint64_t spent = tn_timing_now() - start;
    if (status != TARN_OK) {
        tn_replay_run_fail_alloc(run, block, index, status);
        return;
    }
    if (run->first == 0) run->first = run->addresses[block];
    run->replay->layout =
        (run->replay->layout ^ (run->addresses[block] - run->first)) * UINT64_C(0x9e3779b97f4a7c15);
    run->replay->layout ^= run->replay->layout >> 29;
    check_host_memory(run);
    uint64_t cost = run->replay->timer_ns;
    if (run->timing && index != TN_NO_EVENT)
        tn_histogram_add(&run->replay->alloc_times, spent > cost ? spent - cost : 0);
    if (tn_replay_run_touches(run)) touch_block(run, block, index);
    count_live(run, block, index);
}

static void verify_block(struct tn_replay_run *run, uint32_t block, size_t index) {
    struct tn_mismatch mismatch = {0};
    struct tn_touched at = touched_block(run, block);
    tarn_status status = tn_touch_verify(&run->touch, &at, &mismatch);
    if (status == TARN_CORRUPT)
        tn_replay_run_fail_mismatch(run, block, index, &mismatch);
    else if (status != TARN_OK)
        tn_replay_run_fail_at(run, block, index, status, "cannot be read");
}

// `index` is `TN_NO_EVENT` if no event of the trace frees the block.
void tn_replay_run_free(struct tn_replay_run *run, uint32_t block, size_t index) {
    if (tn_replay_run_touches(run) && !tn_replay_run_failed(run)) verify_block(run, block, index);
    if (tn_replay_run_touches(run))
        (void)tn_interval_remove_value(&run->claims, run->addresses[block], block);
    uint64_t size = tn_replay_run_size(run, block), start = tn_timing_now();
    tarn_status status = tn_target_free(&run->target, size, run->addresses[block]);
    uint64_t spent = tn_timing_now() - start, cost = run->replay->timer_ns;
    if (status != TARN_OK) {
        tn_replay_run_fail_at(run, block, index, status, "cannot be freed");
        return;
    }
    if (run->timing && index != TN_NO_EVENT)
        tn_histogram_add(&run->replay->free_times, spent > cost ? spent - cost : 0);
    run->live -= size;
    run->addresses[block] = 0;
    check_host_memory(run);
}

void tn_replay_run_free_all(struct tn_replay_run *run) {
    for (size_t i = 0; i < run->trace->block_count; i++)
        if (run->addresses[i] != 0) tn_replay_run_free(run, (uint32_t)i, TN_NO_EVENT);
}
