// SPDX-License-Identifier: Apache-2.0
// Annotations of programs about their own memory. Each call checks its arguments and emits an
// event, completed with the core's facts about the address. No state.
#include <tarn/face.h>

#include "algo/rule.h"
#include "annotate/asan_report.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/struct.h"
#include "core/address/notify.h"
#include "core/work/stream_call.h"

#define DOMAIN "tarn"

_Static_assert((int)TARN_ANNOTATE_READ == (int)TN_MEM_READ &&
                   (int)TARN_ANNOTATE_WRITE == (int)TN_MEM_WRITE &&
                   (int)TARN_ANNOTATE_SHARED == (int)TN_MEM_SHARED,
               "rights are passed on as they are");

bool tarn_annotate_subscribed(void) { return tn_subscribed(); }

static tarn_status check_addr(tarn_addr addr) {
    return addr != 0 ? TARN_OK : tn_fail(TARN_BAD_ARGUMENT, "addr is 0");
}

static tarn_status check_range(tarn_addr addr, uint64_t bytes) {
    TN_REFUSE(addr == 0 || bytes == 0, TARN_BAD_ARGUMENT, "%s is 0", addr == 0 ? "addr" : "bytes");
    TN_REFUSE(addr > UINT64_MAX - (bytes - 1), TARN_BAD_ARGUMENT, "[0x%llx, +0x%llx) wraps",
              (unsigned long long)addr, (unsigned long long)bytes);
    return TARN_OK;
}

// TARN_STREAM_NONE is no particular order.
static tarn_status check_stream(tarn_stream stream) {
    TN_STREAM_HELD struct tn_stream_or_event *object = NULL;
    return stream == TARN_STREAM_NONE ? TARN_OK : tn_stream_get(stream, &object);
}

// The status of an annotation whose arguments are checked: emits the event that the arguments
// describe.
#define EMIT(...)                                                                                  \
    (tn_subscribed() ? emit_annotation((struct tn_mem_event)TN_MEM_INIT(__VA_ARGS__)) : TARN_OK)

static tarn_status emit_annotation(struct tn_mem_event event) {
    event.device = -1;
    event.flags |= TN_MEM_PROGRAM;
    event.domain = DOMAIN;
    tn_emit_find_place(&event, event.kind == TN_MEM_HEAP_BEGIN);
    tn_emit(&event);
    return TARN_OK;
}

static tarn_status emit_range(unsigned kind, tarn_addr addr, uint64_t bytes, uint32_t flags,
                              const char *name) {
    TN_TRY(check_range(addr, bytes));
    return EMIT(.kind = (uint16_t)kind, .flags = flags, .addr = addr, .bytes = bytes,
                .other = bytes, .name = name);
}

static tarn_status emit_addr(unsigned kind, tarn_addr addr, uint32_t flags, const char *name) {
    TN_TRY(check_addr(addr));
    return EMIT(.kind = (uint16_t)kind, .flags = flags, .addr = addr, .name = name);
}

tarn_status tarn_annotate_heap_begin(tarn_addr addr, uint64_t bytes, const char *name) {
    return TN_DONE(emit_range(TN_MEM_HEAP_BEGIN, addr, bytes, TN_MEM_WHOLE, name));
}

tarn_status tarn_annotate_heap_reset(tarn_addr addr) {
    return TN_DONE(emit_addr(TN_MEM_HEAP_RESET, addr, TN_MEM_WHOLE, NULL));
}

tarn_status tarn_annotate_heap_end(tarn_addr addr) {
    return TN_DONE(emit_addr(TN_MEM_HEAP_END, addr, TN_MEM_WHOLE, NULL));
}

tarn_status tarn_annotate_region_begin(tarn_addr addr, uint64_t bytes, const char *name) {
    return TN_DONE(emit_range(TN_MEM_REGION_BEGIN, addr, bytes, 0, name));
}

tarn_status tarn_annotate_region_begin_with(const tarn_region_desc *region) {
    tarn_region_desc own;
    TN_REFUSE(region == NULL, TARN_BAD_ARGUMENT, "region is NULL");
    TN_TRY(tn_struct_read(&own, sizeof own, region, "tarn_region_desc"));
    if (own.occupied == 0) own.occupied = own.bytes;
    TN_TRY(check_range(own.addr, own.bytes));
    TN_REFUSE(own.occupied < own.bytes, TARN_BAD_ARGUMENT,
              "occupied is %llu, less than bytes, %llu", (unsigned long long)own.occupied,
              (unsigned long long)own.bytes);
    TN_TRY(check_range(own.addr, own.occupied));
    TN_TRY(check_stream(own.stream));
    return TN_DONE(EMIT(.kind = TN_MEM_REGION_BEGIN, .addr = own.addr, .bytes = own.bytes,
                        .other = own.occupied, .stream = own.stream, .name = own.name));
}

tarn_status tarn_annotate_region_end(tarn_addr addr, tarn_stream stream) {
    TN_TRY(check_addr(addr));
    TN_TRY(check_stream(stream));
    return TN_DONE(EMIT(.kind = TN_MEM_REGION_END, .addr = addr, .stream = stream));
}

tarn_status tarn_annotate_region_resize(tarn_addr addr, uint64_t bytes) {
    return TN_DONE(emit_range(TN_MEM_REGION_RESIZE, addr, bytes, 0, NULL));
}

tarn_status tarn_annotate_permission(tarn_addr addr, uint64_t bytes, uint32_t rights) {
    const uint32_t known = TARN_ANNOTATE_READ | TARN_ANNOTATE_WRITE | TARN_ANNOTATE_SHARED;
    return TN_DONE((rights & ~known) == 0
                       ? emit_range(TN_MEM_PERMISSION, addr, bytes, rights, NULL)
                       : tn_fail(TARN_BAD_ARGUMENT, "rights 0x%x are unknown", rights));
}

tarn_status tarn_annotate_name(tarn_addr addr, const char *name) {
    return TN_DONE(name != NULL ? emit_addr(TN_MEM_NAME, addr, 0, name)
                                : tn_fail(TARN_BAD_ARGUMENT, "name is NULL"));
}

void tarn_annotate_step(const char *name) {
    if (tn_subscribed())
        tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_MARK, .device = -1, .name = name,
                                                  .domain = DOMAIN));
}

void tarn_annotate_caller(const char *function) {
    if (tn_subscribed()) tn_annotate_set_caller(function);
}

void tarn_annotate_describe_by(void (*describe)(char *text, size_t size)) {
    tn_asan_report_describe_by(describe);
}

tarn_status tarn_annotate_requested(tarn_addr addr, uint64_t bytes) {
    return TN_DONE(emit_range(TN_MEM_REQUESTED, addr, bytes, 0, "tarn_annotate_requested"));
}

tarn_status tarn_annotate_rule(tarn_addr addr, const tarn_rule *rule) {
    const tarn_rule none = {0};
    TN_TRY(check_addr(addr));
    TN_REFUSE(rule != NULL && !tn_rule_is_valid(rule), TARN_BAD_ARGUMENT,
              "rule has start %u, rounding %u, padding %u", rule->start, rule->rounding,
              rule->padding);
    rule = rule != NULL ? rule : &none;
    return TN_DONE(EMIT(.kind = TN_MEM_RULE, .addr = addr, .bytes = rule->padding,
                        .pitch = rule->start, .slice_pitch = rule->rounding,
                        .name = "tarn_annotate_rule"));
}

void tarn_annotate_refused(const char *call, tarn_addr addr) {
    if (call != NULL && addr != 0 && tn_subscribed()) {
        struct tn_mem_event event =
            TN_MEM_INIT(.kind = TN_MEM_REFUSED, .what = TN_MEM_ANYTHING, .device = -1, .addr = addr,
                        .other = (uint64_t)TARN_BAD_ADDRESS, .name = call);
        tn_emit_place(NULL, &event);
        tn_emit(&event);
    }
}

void tarn_annotate_refused_handle(const char *call, uint64_t handle) {
    if (call != NULL && handle != 0 && tn_subscribed())
        tn_emit_refused(call, 0, 0, handle, TARN_BAD_HANDLE);
}

void tarn_annotate_refused_access(const char *call, tarn_addr addr, uint64_t bytes,
                                  uint32_t rights) {
    if (call != NULL && addr != 0 && tn_subscribed()) {
        struct tn_mem_event event =
            TN_MEM_INIT(.kind = TN_MEM_ACCESS_REFUSED, .what = TN_MEM_REFUSAL_UNSTATED,
                        .flags = rights & (TARN_ANNOTATE_READ | TARN_ANNOTATE_WRITE), .device = -1,
                        .addr = addr, .bytes = bytes, .other = addr, .name = call);
        tn_emit_place(NULL, &event);
        tn_emit(&event);
    }
}

static void emit_handle(unsigned kind, uint64_t handle) {
    if (handle != 0 && tn_subscribed())
        tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = (uint16_t)kind, .what = TN_MEM_HANDLE,
                                                  .device = -1, .object = handle));
}

void tarn_annotate_handle_begin(uint64_t handle) { emit_handle(TN_MEM_RESOURCE_BEGIN, handle); }

void tarn_annotate_handle_end(uint64_t handle) { emit_handle(TN_MEM_RESOURCE_END, handle); }

void tarn_annotate_stale_handle(const char *call, uint64_t handle) {
    if (call != NULL && handle != 0 && tn_subscribed()) tn_emit_stale(TN_MEM_HANDLE, call, handle);
}

// ---- checks

static tarn_status emit_check(unsigned kind, tarn_addr addr, uint64_t bytes, uint32_t flags,
                              const char *name) {
    return bytes == 0 ? check_addr(addr) : emit_range(kind, addr, bytes, flags, name);
}

tarn_status tarn_check_read(tarn_addr addr, uint64_t bytes) {
    return TN_DONE(emit_check(TN_MEM_ACCESS, addr, bytes, TN_MEM_READ, "tarn_check_read"));
}

tarn_status tarn_check_write(tarn_addr addr, uint64_t bytes) {
    return TN_DONE(emit_check(TN_MEM_ACCESS, addr, bytes, TN_MEM_WRITE, "tarn_check_write"));
}

// Finds the block, or the plain memory or mapping, that contains the address.
static bool find_block(tarn_addr addr, tarn_address_info *info) {
    if (tarn_address_query(addr, info) != TARN_OK) return false;
    if (info->block != 0) {
        info->base = info->block;
        info->bytes = info->block_bytes;
        return true;
    }
    return info->pool == NULL &&
           (info->kind == TARN_ADDRESS_MEMORY || info->kind == TARN_ADDRESS_MAPPED ||
            info->kind == TARN_ADDRESS_IMPORTED || info->kind == TARN_ADDRESS_HOST);
}

struct arguments {
    const char *bytes;
    size_t count; // words
};

static tarn_addr argument_at(const struct arguments *arguments, size_t index) {
    tarn_addr word;
    TARN_ASSERT(index < arguments->count);
    memcpy(&word, arguments->bytes + index * sizeof word, sizeof word);
    tn_bytes_take_as_written(&word, sizeof word); // it may be padding between arguments
    return word;
}

// Returns true if the address ends a live block that another argument points into: both are a range,
// and the address may be the beginning of any other memory.
static bool ends_argument(const struct arguments *arguments, tarn_addr addr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    bool ends = find_block(addr - 1, &info);
    for (size_t i = 0; ends && i < arguments->count; i++)
        if (argument_at(arguments, i) - info.base < addr - info.base) return true;
    return false;
}

static void emit_arguments(const void *bytes, size_t size, const char *work, tarn_stream stream,
                           uint32_t flags) {
    const struct arguments arguments = {(const char *)bytes, size / sizeof(tarn_addr)};
    const tarn_addr lowest = 1 << 16; // programs have no memory below
    if (stream == TARN_STREAM_NONE || !tn_subscribed()) return;
    for (size_t i = 0; i < arguments.count; i++) {
        tarn_address_info info = TARN_INIT(tarn_address_info);
        tarn_addr addr = argument_at(&arguments, i);
        bool found = addr >= lowest && find_block(addr, &info);
        if (addr < lowest || (!found && ends_argument(&arguments, addr))) continue;
        struct tn_mem_event event =
            TN_MEM_INIT(.kind = TN_MEM_ARGUMENT, .flags = flags, .device = -1, .addr = addr,
                        .other = addr, .stream = stream, .name = work);
        tn_emit_find_place(&event, false);
        event.addr = found ? info.base : 0;
        event.bytes = found ? info.bytes : 0;
        if (work == NULL && event.caller == NULL) event.name = "tarn_check_arguments";
        tn_emit(&event);
    }
}

void tarn_check_arguments(const void *bytes, size_t size, const char *work, tarn_stream stream) {
    emit_arguments(bytes, size, work, stream, 0);
}

void tarn_check_watched_arguments(const void *bytes, size_t size, const char *work,
                                  tarn_stream stream) {
    emit_arguments(bytes, size, work, stream, TN_MEM_SEEN);
}

void tarn_check_accesses(const tarn_check_range *ranges, size_t count, const char *work) {
    if (work == NULL || !tn_subscribed()) return;
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_FOOTPRINT, .device = -1,
                                              .bytes = count, .object = (uintptr_t)ranges,
                                              .name = work));
}

static uint32_t flags_of(uint32_t how) {
    return ((how & TARN_CHECK_WRITE) != 0 ? TN_MEM_WRITE : TN_MEM_READ) |
           ((how & TARN_CHECK_ATOMIC) != 0 ? TN_MEM_ATOMIC : 0u);
}

void tarn_check_host(tarn_addr addr, uint64_t bytes, uint32_t how, const tarn_addr *frame) {
    const struct tn_mem_watch *watch = tn_annotate_watch();
    if (watch == NULL || bytes == 0 || !tn_mem_watch_has(watch, addr, bytes)) return;
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_HOST_ACCESS, .flags = flags_of(how),
                                              .device = -1, .addr = addr, .bytes = bytes,
                                              .object = frame != NULL ? frame[1] : 0));
}

void tarn_annotate_stream(tarn_stream stream, uint64_t handle, const char *name) {
    if (stream == TARN_STREAM_NONE || !tn_subscribed()) return;
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_STREAM_NAME, .device = -1,
                                              .stream = stream, .object = handle, .name = name));
}

static void emit_function(unsigned kind, tarn_stream stream, uint64_t function) {
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = (uint16_t)kind, .device = -1,
                                              .stream = stream, .object = function));
}

uint64_t tarn_annotate_function(tarn_stream stream) {
    uint64_t function = stream != TARN_STREAM_NONE && tn_subscribed() ? tn_host_call_number() : 0;
    if (function != 0) emit_function(TN_MEM_CALL_QUEUED, stream, function);
    return function;
}

void tarn_annotate_function_begin(uint64_t function) {
    if (function != 0) emit_function(TN_MEM_CALL_BEGIN, 0, function);
}

void tarn_annotate_function_end(uint64_t function) {
    if (function == 0) return;
    emit_function(TN_MEM_CALL_END, 0, function);
    emit_function(TN_MEM_CALL_PASSED, 0, function);
}

void tarn_check_free_on(tarn_addr addr, tarn_stream stream) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    if (stream == TARN_STREAM_NONE || !tn_subscribed() || !find_block(addr, &info) ||
        info.block_stream == stream)
        return;
    struct tn_mem_event event = TN_MEM_INIT(.kind = TN_MEM_FREE_ON, .device = -1, .addr = info.base,
                                            .bytes = info.bytes, .stream = stream);
    tn_emit_find_place(&event, false);
    tn_emit(&event);
}

static void emit_accesses(const char *work, struct tn_mem_event *event) {
    if (work == NULL || !tn_subscribed()) return;
    event->name = work;
    tn_emit_find_place(event, false);
    tn_emit(event);
}

void tarn_check_race(tarn_addr addr, uint64_t bytes, const char *work,
                     const tarn_check_access accesses[2]) {
    emit_accesses(work,
                  &(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_RACE, .device = -1, .addr = addr,
                                                    .bytes = bytes, .object = (uintptr_t)accesses));
}

void tarn_check_misaligned(tarn_addr addr, uint64_t bytes, uint64_t alignment, const char *work,
                           const tarn_check_access *access) {
    if (access == NULL) return;
    emit_accesses(work, &(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_MISALIGNED, .device = -1,
                                                          .addr = addr, .bytes = bytes,
                                                          .object = (uintptr_t)access,
                                                          .other = alignment));
}

void tarn_check_failure(tarn_addr addr, const char *why, tarn_addr code) {
    if (why == NULL || !tn_subscribed()) return;
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = TN_MEM_FAILURE, .device = -1, .addr = addr, .other = code, .name = why);
    tn_emit_find_place(&event, false);
    tn_emit(&event);
}

tarn_status tarn_check_initialised(tarn_addr addr, uint64_t bytes) {
    return TN_DONE(emit_check(TN_MEM_INITIALISED, addr, bytes, 0, "tarn_check_initialised"));
}
