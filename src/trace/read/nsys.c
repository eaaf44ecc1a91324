// SPDX-License-Identifier: Apache-2.0
// The reader of SQLite exports of Nsight Systems, recorded with --cuda-memory-usage=true. The
// events are those of the CUDA driver, so a program with a pool shows the pool's segments. Tables
// and columns that a version does not have are taken as empty. One thread at a time.
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "trace/read/journal.h"
#include "trace/read/sqlite.h"

#define EVENTS  "CUDA_GPU_MEMORY_USAGE_EVENTS"
#define RUNTIME "CUPTI_ACTIVITY_KIND_RUNTIME"

// Rows of ENUM_CUDA_MEM_KIND and ENUM_CUDA_DEV_MEM_EVENT_OPER, and event types of NVTX.
enum { MEMORY_PINNED = 1, MEMORY_DEVICE = 2, MEMORY_ARRAY = 3, MEMORY_STATIC = 5 };
enum { OPERATION_ALLOC = 0, OPERATION_FREE = 1 };
enum { NVTX_MARK = 34, NVTX_PUSH_POP = 59, NVTX_START_END = 60 };
enum { USES_MAX = 64, DEVICES_MAX = 65536 };

struct chain {
    uint64_t id;
    uint32_t stack;
};

struct nsys {
    struct tn_database *database;
    struct tn_journal journal;
    int64_t base_ns; // of the times: 0, or the earliest time if that is negative
    uint64_t skipped;
    TN_LIST(struct chain) chains; // sorted by id
    struct {
        uint32_t process, device;
    } uses[USES_MAX]; // which process has memory on which device; the phases go there
    size_t use_count;
};

// ---- stacks

// Returns the column of a table, or NULL as SQL, if the table does not have it.
static const char *column_or_null(const struct nsys *nsys, const char *table, const char *column,
                                  const char *expression) {
    return tn_database_has(nsys->database, table, column) ? expression : "NULL";
}

static bool has_calls(const struct nsys *nsys) {
    return tn_database_has(nsys->database, EVENTS, "correlationId") &&
           tn_database_has(nsys->database, RUNTIME, "correlationId") &&
           tn_database_has(nsys->database, RUNTIME, "globalTid");
}

static tarn_status add_chain_call(const struct tn_rows *rows, void *reader) {
    struct nsys *nsys = (struct nsys *)reader;
    struct tn_builder *builder = nsys->database->builder;
    struct tn_trace_call call = {0};
    struct chain *last =
        nsys->chains.count > 0 ? &nsys->chains.items[nsys->chains.count - 1] : NULL;
    struct chain fresh = {0};
    int64_t id;
    TN_TRY(tn_rows_number(rows, 0, false, &id));
    fresh.id = (uint64_t)id;
    TN_TRY(tn_rows_intern_text(rows, 1, &call.function));
    TN_TRY(tn_rows_intern_text(rows, 2, &call.file));
    call.caller = last != NULL && last->id == fresh.id ? last->stack : 0;
    TN_TRY(tn_builder_stack(builder, &call, &fresh.stack));
    if (last != NULL && last->id == fresh.id) {
        last->stack = fresh.stack;
        return TARN_OK;
    }
    return TN_APPEND(builder, &nsys->chains, &fresh, "stacks");
}

// Depth 0 of a chain is its innermost call.
static tarn_status read_chains(struct nsys *nsys) {
    if (!has_calls(nsys) || !tn_database_has(nsys->database, RUNTIME, "callchainId") ||
        !tn_database_has(nsys->database, "CUDA_CALLCHAINS", "symbol") ||
        !tn_database_has(nsys->database, "StringIds", "value"))
        return TARN_OK;
    return tn_rows_read(
        nsys->database, "CUDA_CALLCHAINS", add_chain_call, nsys,
        "SELECT c.id, coalesce(f.value, c.symbol), %s FROM CUDA_CALLCHAINS AS c"
        " LEFT JOIN StringIds AS f ON f.id = c.symbol LEFT JOIN StringIds AS m ON m.id = %s"
        " WHERE c.id IN (SELECT callchainId FROM " RUNTIME
        " WHERE correlationId IN (SELECT correlationId FROM " EVENTS
        ")) ORDER BY c.id, c.stackDepth DESC",
        column_or_null(nsys, "CUDA_CALLCHAINS", "module", "coalesce(m.value, c.module)"),
        column_or_null(nsys, "CUDA_CALLCHAINS", "module", "c.module"));
}

// ---- events

struct event {
    int64_t start, process, device, address, bytes, memory, operation, stream;
};

// X(NAME, "name", flags, how, field). Behind them are the chain and the function of the call.
#define EVENT_LIST(X)                                                                              \
    X(START, "start", TN_NEEDED | TN_INTEGER, TN_CELL, start)                                      \
    X(PROCESS, "globalPid", TN_NEEDED | TN_INTEGER, TN_CELL, process)                              \
    X(DEVICE, "deviceId", TN_NEEDED | TN_INTEGER, TN_CELL, device)                                 \
    X(ADDRESS, "address", TN_NEEDED | TN_INTEGER, TN_CELL, address)                                \
    X(BYTES, "bytes", TN_NEEDED | TN_INTEGER, TN_CELL, bytes)                                      \
    X(MEMORY, "memKind", TN_NEEDED | TN_INTEGER, TN_CELL, memory)                                  \
    X(OPERATION, "memoryOperationType", TN_NEEDED | TN_INTEGER, TN_CELL, operation)                \
    X(NAME, "name", 0, TN_CELL, start)                                                             \
    X(STREAM, "streamId", TN_OPTIONAL | TN_INTEGER, TN_CELL, stream)

enum { EVENT_LIST(TN_COLUMN_NUMBER) COLUMN_CHAIN, COLUMN_CALL };

#define TN_ROW struct event
static const struct tn_column columns[COLUMN_CHAIN] = {EVENT_LIST(TN_COLUMN)};

// The stack of the call behind an event, or its function alone if no stacks were recorded.
static tarn_status find_stack(const struct nsys *nsys, const struct tn_rows *rows,
                              uint32_t *stack) {
    struct tn_trace_call call = {0};
    int64_t id;
    TN_TRY(tn_rows_number(rows, COLUMN_CHAIN, true, &id));
    const struct chain *chain =
        tn_rows_null(rows, COLUMN_CHAIN) ? NULL : TN_FIND(&nsys->chains, (uint64_t)id);
    *stack = chain != NULL ? chain->stack : 0;
    if (chain != NULL || tn_rows_null(rows, COLUMN_CALL)) return TARN_OK;
    TN_TRY(tn_rows_intern_text(rows, COLUMN_CALL, &call.function));
    return tn_builder_stack(nsys->database->builder, &call, stack);
}

static void note_use(struct nsys *nsys, uint32_t process, uint32_t device) {
    for (size_t i = 0; i < nsys->use_count; i++)
        if (nsys->uses[i].process == process && nsys->uses[i].device == device) return;
    if (nsys->use_count < USES_MAX) {
        nsys->uses[nsys->use_count].process = process;
        nsys->uses[nsys->use_count++].device = device;
    }
}

static uint64_t nanos_of(const struct nsys *nsys, int64_t time) {
    return time < nsys->base_ns ? 0 : (uint64_t)time - (uint64_t)nsys->base_ns;
}

// The process is in the bits from 24 on of global numbers of processes and threads.
static uint32_t process_of(int64_t global) { return (uint32_t)((uint64_t)global >> 24 & 0xffffff); }

static tarn_status read_event(const struct tn_rows *rows, void *reader) {
    struct nsys *nsys = (struct nsys *)reader;
    struct event event;
    TN_TRY(tn_rows_fields(rows, columns, COLUMN_CHAIN, &event));
    if (event.bytes < 0) return tn_rows_fail(rows, "%" PRId64 " bytes", event.bytes);
    if (event.device < 0 || event.device >= DEVICES_MAX)
        return tn_rows_fail(rows, "device %" PRId64 " is not below %d", event.device, DEVICES_MAX);
    bool on_device = event.memory == MEMORY_DEVICE || event.memory == MEMORY_ARRAY ||
                     event.memory == MEMORY_STATIC;
    bool allocates = event.operation == OPERATION_ALLOC;
    if ((!on_device && event.memory != MEMORY_PINNED) ||
        (!allocates && event.operation != OPERATION_FREE)) {
        nsys->skipped++;
        return TARN_OK;
    }
    struct tn_entry entry = {.time_ns = nanos_of(nsys, event.start),
                             .where = rows->row,
                             .key = (uint64_t)event.address,
                             .address = (uint64_t)event.address,
                             .size = (uint64_t)event.bytes,
                             .stream = (uint64_t)event.stream,
                             .space = process_of(event.process),
                             .device = on_device ? (uint32_t)event.device : TN_ENTRY_HOST,
                             .kind = allocates ? TN_ENTRY_ALLOC : TN_ENTRY_FREE};
    TN_TRY(find_stack(nsys, rows, &entry.stack));
    TN_TRY(tn_rows_intern_text(rows, COLUMN_NAME, &entry.tag));
    if (on_device) note_use(nsys, entry.space, entry.device);
    return tn_journal_add(&nsys->journal, &entry);
}

static tarn_status read_base(const struct tn_rows *rows, void *reader) {
    int64_t *base_ns = &((struct nsys *)reader)->base_ns;
    TN_TRY(tn_rows_number(rows, 0, true, base_ns));
    if (*base_ns > 0) *base_ns = 0;
    return TARN_OK;
}

static tarn_status read_events(struct nsys *nsys) {
    bool calls = has_calls(nsys);
    bool names = calls && tn_database_has(nsys->database, RUNTIME, "nameId") &&
                 tn_database_has(nsys->database, "StringIds", "value");
    bool chains = calls && tn_database_has(nsys->database, RUNTIME, "callchainId");
    char list[TN_DATABASE_COLUMNS];
    char join[512] = "";
    if (calls)
        (void)snprintf(join, sizeof join,
                       " LEFT JOIN (SELECT correlationId AS c, globalTid >> 24 AS p, max(%s) AS "
                       "chain, max(%s) AS function FROM " RUNTIME
                       " WHERE correlationId IN (SELECT correlationId FROM " EVENTS
                       ") GROUP BY 1, 2) AS r ON r.c = e.correlationId AND r.p = e.globalPid >> 24",
                       chains ? "callchainId" : "NULL", names ? "nameId" : "NULL");
    tn_database_list(nsys->database, EVENTS, "e.", columns, COLUMN_CHAIN, list);
    TN_TRY(
        tn_rows_read(nsys->database, EVENTS, read_event, nsys,
                     "SELECT %s, %s, %s FROM " EVENTS " AS e%s", list, chains ? "r.chain" : "NULL",
                     names ? "(SELECT value FROM StringIds WHERE id = r.function)" : "NULL", join));
    return nsys->skipped == 0
               ? TARN_OK
               : tn_builder_note(nsys->database->builder,
                                 "%" PRIu64 " events of memory that is neither of a device nor "
                                 "pinned are skipped",
                                 nsys->skipped);
}

// ---- phases

// Adds the marks of a range, or a single mark, to the devices of its process.
static tarn_status read_range(const struct tn_rows *rows, void *reader) {
    struct nsys *nsys = (struct nsys *)reader;
    int64_t start, end, type, thread;
    struct tn_entry entry = {.where = rows->row};
    TN_TRY(tn_rows_number(rows, 0, false, &start));
    TN_TRY(tn_rows_number(rows, 1, true, &end));
    TN_TRY(tn_rows_number(rows, 2, false, &type));
    TN_TRY(tn_rows_number(rows, 3, true, &thread));
    TN_TRY(tn_rows_intern_text(rows, 4, &entry.tag));
    bool ends = type != NVTX_MARK && !tn_rows_null(rows, 1);
    bool of_all = tn_rows_null(rows, 3);
    for (size_t i = 0; i < nsys->use_count && entry.tag != 0; i++) {
        if (!of_all && nsys->uses[i].process != process_of(thread)) continue;
        entry.device = nsys->uses[i].device;
        entry.time_ns = nanos_of(nsys, start);
        entry.kind = TN_ENTRY_MARK;
        TN_TRY(tn_journal_add(&nsys->journal, &entry));
        entry.time_ns = nanos_of(nsys, end);
        entry.kind = TN_ENTRY_MARK_END;
        if (ends) TN_TRY(tn_journal_add(&nsys->journal, &entry));
    }
    return TARN_OK;
}

static tarn_status read_ranges(struct nsys *nsys) {
    if (!tn_database_has(nsys->database, "NVTX_EVENTS", "eventType")) return TARN_OK;
    bool ids = tn_database_has(nsys->database, "NVTX_EVENTS", "textId") &&
               tn_database_has(nsys->database, "StringIds", "value");
    return tn_rows_read(nsys->database, "NVTX_EVENTS", read_range, nsys,
                        "SELECT n.start, n.\"end\", n.eventType, %s, coalesce(%s, %s) FROM "
                        "NVTX_EVENTS AS n%s WHERE n.eventType IN (%d, %d, %d)",
                        column_or_null(nsys, "NVTX_EVENTS", "globalTid", "n.globalTid"),
                        column_or_null(nsys, "NVTX_EVENTS", "text", "n.text"),
                        ids ? "s.value" : "NULL",
                        ids ? " LEFT JOIN StringIds AS s ON s.id = n.textId" : "", NVTX_MARK,
                        NVTX_PUSH_POP, NVTX_START_END);
}

// ---- cards

static tarn_status read_card(const struct tn_rows *rows, void *reader) {
    struct tn_trace *trace = (struct tn_trace *)reader;
    int64_t id, bytes;
    TN_TRY(tn_rows_number(rows, 0, false, &id));
    TN_TRY(tn_rows_number(rows, 1, true, &bytes));
    struct tn_trace_device *device = tn_trace_find_device(trace, (uint64_t)id);
    if (device != NULL && bytes > 0) device->memory_bytes = (uint64_t)bytes;
    return TARN_OK;
}

static tarn_status read_database(struct nsys *nsys) {
    TN_TRY(read_chains(nsys));
    TN_SORT(&nsys->chains, 1);
    TN_TRY(tn_rows_read(nsys->database, EVENTS, read_base, nsys,
                        "SELECT min(start) AS start FROM " EVENTS));
    TN_TRY(read_events(nsys));
    TN_TRY(read_ranges(nsys));
    TN_TRY(tn_journal_end(&nsys->journal, TN_JOURNAL_BY_TIME));
    return tn_database_has(nsys->database, "TARGET_INFO_GPU", "totalMemory")
               ? tn_rows_read(nsys->database, "TARGET_INFO_GPU", read_card,
                              &nsys->database->builder->trace,
                              "SELECT id, totalMemory FROM TARGET_INFO_GPU")
               : TARN_OK;
}

tarn_status tn_nsys_read(struct tn_database *database, const char *name) {
    (void)name;
    struct nsys nsys = {.database = database,
                        .journal = {.builder = database->builder, .noun = "row"}};
    database->builder->trace.lacks |= TN_TRACE_NO_POOL;
    tarn_status status = read_database(&nsys);
    tn_journal_release(&nsys.journal);
    free(nsys.chains.items);
    return status;
}
