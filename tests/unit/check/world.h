// SPDX-License-Identifier: Apache-2.0
// Support for tests of the checker: options of their own, findings kept instead of printed, MSTX's
// functions as a client calls them, and short names for descriptors and events. A program includes
// it once.
#pragma once

#define MSTX_NO_IMPL
#include <mstx/ms_tools_ext.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/inject.h"
#include "check/model.h"
#include "check/options.h"
#include "check/order/order.h"
#include "check/report/report.h"
#include "check/resource.h"
#include "unit/check/reset.h"

#define UNUSED __attribute__((unused)) static

// ---- options: what a program sets before reset() counts

static struct tn_check_options options;

const struct tn_check_options *tn_check_options(void) { return &options; }

UNUSED void default_options(void) {
    options = (struct tn_check_options){.exitcode = 77,
                                        .leaks = TN_CHECK_LEAKS_EXIT,
                                        .history = 1024,
                                        .max_reports = 1000,
                                        .realloc_keep = true,
                                        .placement = true,
                                        .uninitialised = true};
    strcpy(options.rounded_domains, "atb");
    strcpy(options.quirk_domains, "ptaCaching,msleaks,ptaWorkspace,mindsporeMemPool");
}

// ---- findings

enum { FINDINGS = 64 };

static struct tn_check_report finding[FINDINGS];
static unsigned findings; // since the last time that they were looked at
static unsigned looked_at;

static bool keep(void *context, const struct tn_check_report *report) {
    (void)context;
    if (findings < FINDINGS) finding[findings++] = *report;
    return true;
}

UNUSED void reset(void) {
    reset_model();
    tn_check_order_reset();
    tn_check_resource_reset();
    tn_check_report_reset();
    tn_check_report_set_hook(keep, NULL);
    findings = looked_at = 0;
}

// Before each test.
UNUSED int fresh(void **state) {
    (void)state;
    default_options();
    reset();
    return 0;
}

#define expect_none()                                                                              \
    do {                                                                                           \
        if (looked_at < findings)                                                                  \
            print_error("unexpected: %s: %s\n", kind_name(finding[looked_at].kind),                \
                        finding[looked_at].what);                                                  \
        assert_int_equal(findings, looked_at);                                                     \
    } while (0)

UNUSED const char *kind_name(enum tn_check_kind kind) {
#define NAME(identifier, name, ...) name,
    static const char *const names[] = {TN_CHECK_KIND_LIST(NAME)};
#undef NAME
    return names[kind];
}

// The next finding, which is of this kind.
#define expect(wanted)                                                                             \
    (looked_at < findings                                                                          \
         ? (void)0                                                                                 \
         : (print_error("nothing found, wanted %s\n", kind_name(wanted)), (void)0),                \
     assert_true(looked_at < findings),                                                            \
     assert_string_equal(kind_name(finding[looked_at].kind), kind_name(wanted)),                   \
     &finding[looked_at++])

// The next finding, of this kind, and no other behind it.
#define expect_only(wanted) take_only(expect(wanted))

UNUSED const struct tn_check_report *take_only(const struct tn_check_report *report) {
    expect_none();
    return report;
}

UNUSED void assert_says(const struct tn_check_report *report, const char *part) {
    if (strstr(report->what, part) == NULL)
        print_error("\"%s\" does not say \"%s\"\n", report->what, part);
    assert_non_null(strstr(report->what, part));
}

// ---- a client

static mstxFuncPointer slot_of(unsigned module, unsigned id) {
    for (unsigned i = 0; i < TN_CHECK_MSTX_SLOTS; i++)
        if (tn_check_mstx_slots[i].module == module && tn_check_mstx_slots[i].id == id)
            return tn_check_mstx_slots[i].function;
    abort();
}

#define CALL(name, module, id) ((name##Func)slot_of(MSTX_API_MODULE_##module, MSTX_API_##id))

#define mark(message)          CALL(mstxMarkA, CORE, CORE_MARK_A)(message, NULL)
#define range_start(message)   CALL(mstxRangeStartA, CORE, CORE_RANGE_START_A)(message, NULL)
#define get_tool_id(id)        CALL(mstxGetToolId, CORE, CORE_GET_TOOL_ID)(id)
#define domain_create(name)    CALL(mstxDomainCreateA, CORE_DOMAIN, CORE2_DOMAIN_CREATE_A)(name)
#define domain_destroy(domain) CALL(mstxDomainDestroy, CORE_DOMAIN, CORE2_DOMAIN_DESTROY)(domain)
#define heap_register(domain, desc)                                                                \
    CALL(mstxMemHeapRegister, CORE_MEM, CORE_MEMHEAP_REGISTER)(domain, desc)
#define heap_unregister(domain, heap)                                                              \
    CALL(mstxMemHeapUnregister, CORE_MEM, CORE_MEMHEAP_UNREGISTER)(domain, heap)
#define regions_register(domain, batch)                                                            \
    CALL(mstxMemRegionsRegister, CORE_MEM, CORE_MEM_REGIONS_REGISTER)(domain, batch)
#define regions_unregister(domain, batch)                                                          \
    CALL(mstxMemRegionsUnregister, CORE_MEM, CORE_MEM_REGIONS_UNREGISTER)(domain, batch)
#define permissions_assign(domain, batch)                                                          \
    CALL(mstxMemPermissionsAssign, CORE_MEM, CORE_MEM_PERMISSIONS_ASSIGN)(domain, batch)

#define BASE UINT64_C(0x7f0000000000)

UNUSED void *at(uint64_t address) { return (void *)(uintptr_t)address; }

UNUSED mstxMemVirtualRangeDesc_t range_at(uint64_t address, uint64_t bytes) {
    return (mstxMemVirtualRangeDesc_t){.deviceId = 0, .ptr = at(address), .size = bytes};
}

UNUSED mstxMemHeapHandle_t heap_in(mstxDomainHandle_t domain, uint64_t address, uint64_t bytes) {
    mstxMemVirtualRangeDesc_t range = range_at(address, bytes);
    mstxMemHeapDesc_t desc = {MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR, MSTX_MEM_TYPE_VIRTUAL_ADDRESS,
                              &range};
    return heap_register(domain, &desc);
}

UNUSED mstxMemHeapHandle_t heap_at(uint64_t address, uint64_t bytes) {
    return heap_in(NULL, address, bytes);
}

UNUSED mstxMemRegionHandle_t region_in(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap,
                                       uint64_t address, uint64_t bytes) {
    mstxMemVirtualRangeDesc_t range = range_at(address, bytes);
    mstxMemRegionHandle_t handle = NULL;
    mstxMemRegionsRegisterBatch_t batch = {heap, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, 1, &range, &handle};
    regions_register(domain, &batch);
    return handle;
}

UNUSED mstxMemRegionHandle_t region_at(mstxMemHeapHandle_t heap, uint64_t address, uint64_t bytes) {
    return region_in(NULL, heap, address, bytes);
}

UNUSED mstxMemRegionRef_t by_handle(mstxMemRegionHandle_t handle) {
    mstxMemRegionRef_t ref = {.refType = MSTX_MEM_REGION_REF_TYPE_HANDLE};
    ref.handle = handle;
    return ref;
}

UNUSED mstxMemRegionRef_t by_pointer(uint64_t address) {
    mstxMemRegionRef_t ref = {.refType = MSTX_MEM_REGION_REF_TYPE_POINTER};
    ref.pointer = at(address);
    return ref;
}

UNUSED void end_in(mstxDomainHandle_t domain, mstxMemRegionRef_t ref) {
    mstxMemRegionsUnregisterBatch_t batch = {1, &ref};
    regions_unregister(domain, &batch);
}

UNUSED void end_handle(mstxMemRegionHandle_t handle) { end_in(NULL, by_handle(handle)); }

UNUSED void end_pointer(uint64_t address) { end_in(NULL, by_pointer(address)); }

UNUSED void permit(mstxMemRegionRef_t ref, uint32_t flags) {
    mstxMemPermissionsAssignRegionsDesc_t desc = {flags, ref};
    mstxMemPermissionsAssignBatch_t batch = {1, &desc};
    permissions_assign(NULL, &batch);
}

// ---- memory events

UNUSED void emit(struct tn_mem_event event) {
    event.size = sizeof event;
    event.height = event.height == 0 ? 1 : event.height;
    event.depth = event.depth == 0 ? 1 : event.depth;
    tn_check_event_receive(&event);
}

#define EMIT(...) emit((struct tn_mem_event){__VA_ARGS__})

UNUSED void touch(uint32_t how, uint64_t address, uint64_t bytes) {
    EMIT(.kind = TN_MEM_ACCESS, .flags = how, .addr = address, .bytes = bytes, .name = "copy");
}

UNUSED void do_write(uint64_t address, uint64_t bytes) { touch(TN_MEM_WRITE, address, bytes); }

UNUSED void do_read(uint64_t address, uint64_t bytes) { touch(TN_MEM_READ, address, bytes); }
