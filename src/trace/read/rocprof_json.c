// SPDX-License-Identifier: Apache-2.0
// The reader of rocprofv3's output in JSON. Only the list of memory allocations and that of the
// agents are kept; the rest, which is most of the file, is passed over. One thread at a time.
#include <inttypes.h>

#include "base/error.h"
#include "trace/parse/cell.h"
#include "trace/parse/json.h"
#include "trace/read/read.h"
#include "trace/read/rocprof.h"

enum { DEVICES = 256, CPU = 1 };

enum operation { ALLOCATE = 1, VIRTUAL_ALLOCATE, FREE, VIRTUAL_FREE };

// A device or the host, by its handle in the records: the key of a set.
struct agent {
    uint64_t handle;
    uint32_t device;
};

struct rocprof {
    struct tn_builder *builder;
    struct tn_json json;
    struct tn_values values;
    struct tn_journal journal;
    TN_SET(struct agent) agents;
    uint32_t device_count;
    TN_LIST(struct tn_entry)
    rows; // `stream` holds the handle of the agent, until all are known
};

static tarn_status fail_record(const struct rocprof *rocprof, const char *list, size_t index,
                               const char *what) {
    return tn_fail(TARN_CORRUPT, "%s:%" PRIu64 ": %s[%zu]: %s", rocprof->builder->name,
                   rocprof->json.line, list, index, what);
}

// Numbers may be texts in hexadecimal.
static bool find_value(const struct rocprof *rocprof, tn_value dict, const char *key,
                       uint64_t *number) {
    tn_value value;
    struct tn_cell cell;
    if (!tn_value_get(&rocprof->values, dict, key, &value)) return false;
    if (tn_value_text(&rocprof->values, value, &cell.text, &cell.length))
        return tn_cell_unsigned(cell, number);
    return tn_value_unsigned(&rocprof->values, value, number);
}

static bool find_handle(const struct rocprof *rocprof, tn_value dict, const char *key,
                        uint64_t *handle) {
    tn_value value;
    return tn_value_get(&rocprof->values, dict, key, &value) &&
           find_value(rocprof, value, "handle", handle);
}

// The number of a GPU is its place among the GPUs.
static tarn_status read_agent(void *reader, tn_value value, size_t index) {
    struct rocprof *rocprof = (struct rocprof *)reader;
    struct agent agent = {.device = TN_ENTRY_HOST};
    uint64_t type = 0, number = rocprof->device_count;
    uint32_t at;
    if (!find_handle(rocprof, value, "id", &agent.handle) ||
        !find_value(rocprof, value, "type", &type))
        return fail_record(rocprof, "agents", index, "no \"id\" or no \"type\"");
    if (type != CPU) {
        (void)find_value(rocprof, value, "logical_node_type_id", &number);
        if (number >= DEVICES) return fail_record(rocprof, "agents", index, "a number above 255");
        agent.device = (uint32_t)number;
        rocprof->device_count++;
    }
    return TN_SET_FIND(rocprof->builder, &rocprof->agents, &agent, sizeof agent.handle, "agents",
                       &at);
}

// A free names neither its agent nor its size.
static tarn_status read_allocation(void *reader, tn_value record, size_t index) {
    struct rocprof *rocprof = (struct rocprof *)reader;
    uint64_t operation = 0;
    struct tn_entry row = {.where = index};
    if (!find_value(rocprof, record, "operation", &operation) ||
        !find_value(rocprof, record, "address", &row.address) ||
        !find_value(rocprof, record, "start_timestamp", &row.time_ns))
        return fail_record(rocprof, "memory_allocation", index,
                           "no \"operation\", \"address\" or \"start_timestamp\"");
    if (operation < ALLOCATE || operation > VIRTUAL_FREE) return TARN_OK;
    bool frees = operation == FREE || operation == VIRTUAL_FREE;
    bool is_virtual = operation == VIRTUAL_ALLOCATE || operation == VIRTUAL_FREE;
    tn_rocprof_set(&row, 0, is_virtual ? TN_ROCPROF_VIRTUAL : TN_ROCPROF_REAL, frees);
    if (!frees && (!find_value(rocprof, record, "allocation_size", &row.size) ||
                   !find_handle(rocprof, record, "agent_id", &row.stream)))
        return fail_record(rocprof, "memory_allocation", index,
                           "no \"allocation_size\" or \"agent_id\"");
    return TN_APPEND_LIMITED(rocprof->builder, &rocprof->rows, &row, "events");
}

// ---- the document

static tarn_status read_buffer(void *reader) {
    struct rocprof *rocprof = (struct rocprof *)reader;
    return strcmp(rocprof->json.key, "memory_allocation") == 0
               ? tn_json_list(&rocprof->json, read_allocation, rocprof)
               : tn_json_skip(&rocprof->json);
}

static tarn_status read_process_member(void *reader) {
    struct rocprof *rocprof = (struct rocprof *)reader;
    struct tn_json *json = &rocprof->json;
    if (strcmp(json->key, "agents") == 0) return tn_json_list(json, read_agent, rocprof);
    return strcmp(json->key, "buffer_records") == 0 ? tn_json_members(json, read_buffer, rocprof)
                                                    : tn_json_skip(json);
}

// The output of a process stands alone or in a list.
static tarn_status read_tool(void *reader) {
    struct rocprof *rocprof = (struct rocprof *)reader;
    uint8_t byte = 0;
    bool more = false;
    if (strcmp(rocprof->json.key, "rocprofiler-sdk-tool") != 0) return tn_json_skip(&rocprof->json);
    TN_TRY(tn_json_peek(&rocprof->json, &byte));
    if (byte != '[') return tn_json_members(&rocprof->json, read_process_member, rocprof);
    TN_TRY(tn_json_open(&rocprof->json, '['));
    TN_TRY(tn_json_next(&rocprof->json, '[', &more));
    if (!more) return TARN_OK;
    TN_TRY(tn_json_members(&rocprof->json, read_process_member, rocprof));
    TN_TRY(tn_json_next(&rocprof->json, '[', &more));
    return more ? tn_json_fail(&rocprof->json, "more than one process in a file") : TARN_OK;
}

// Agents that the file does not describe are numbered as they appear.
static tarn_status find_device(struct rocprof *rocprof, uint64_t handle, uint32_t *device) {
    const struct agent fresh = {.handle = handle, .device = rocprof->device_count};
    size_t known = rocprof->agents.count;
    struct agent *agent = NULL;
    TN_TRY(
        TN_SET_PLACE(rocprof->builder, &rocprof->agents, &fresh, sizeof handle, "agents", &agent));
    rocprof->device_count += rocprof->agents.count > known;
    *device = agent->device;
    return TARN_OK;
}

static tarn_status convert_rocprof(void *reader) {
    struct rocprof *rocprof = (struct rocprof *)reader;
    TN_TRY(tn_json_members(&rocprof->json, read_tool, rocprof));
    TN_TRY(tn_json_finish(&rocprof->json));
    for (size_t i = 0; i < rocprof->rows.count; i++) {
        struct tn_entry row = rocprof->rows.items[i];
        row.device = TN_ENTRY_MATCHED;
        if (row.kind != TN_ENTRY_FREE) TN_TRY(find_device(rocprof, row.stream, &row.device));
        row.stream = 0;
        TN_TRY(tn_journal_add(&rocprof->journal, &row));
    }
    return TARN_OK;
}

bool tn_rocprof_json_detect(const uint8_t *bytes, size_t size) {
    uint8_t second = 0;
    return tn_json_first_bytes(bytes, size, &second) == '{' &&
           tn_json_mentions(bytes, size, "rocprofiler-sdk-tool");
}

tarn_status tn_rocprof_json_read(struct tn_source *source, struct tn_builder *builder) {
    struct rocprof rocprof = {.builder = builder,
                              .journal = {.builder = builder, .noun = "memory_allocation"}};
    builder->trace.lacks |= TN_TRACE_NO_STREAMS | TN_TRACE_NO_STACKS | TN_TRACE_NO_POOL;
    tarn_status status =
        tn_json_parts(&rocprof.json, &rocprof.values, source, builder, convert_rocprof, &rocprof);
    free(rocprof.rows.items);
    TN_SET_RELEASE(&rocprof.agents);
    return tn_journal_finish(&rocprof.journal, status, TN_JOURNAL_BY_TIME);
}
