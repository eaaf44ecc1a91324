// SPDX-License-Identifier: Apache-2.0
// Clients made with earlier headers have fewer modules and shorter tables. A tool must live with
// what it is shown; here the test tool does, driven by a client that is written out.
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MSTX_NO_IMPL
#include <mstx/ms_tools_ext.h>

#include "support/tool.h"

static void untouched(void) {}

// Slots of the module in question, with a guard behind those that the client tells of.
static mstxFuncPointer slots[7];
static mstxFuncPointer *table[8];
static int the_module;
static unsigned the_size;

static int get_table(mstxFuncModule module, mstxFuncTable *out, unsigned *size) {
    if ((int)module != the_module) return MSTX_FAIL;
    *out = table;
    *size = the_size;
    return MSTX_SUCCESS;
}

static void meet(int module, unsigned size) {
    void *tool = dlopen(module_path("tool"), RTLD_LAZY | RTLD_LOCAL);
    assert_non_null(tool);
    void *symbol = dlsym(tool, "InitInjectionMstx");
    mstxInitInjectionFunc init = NULL;
    memcpy(&init, &symbol, sizeof init);
    the_module = module;
    the_size = size;
    for (unsigned id = 0; id < 7; id++) {
        slots[id] = untouched;
        table[id] = id != 0 && id < size ? &slots[id] : NULL;
    }
    assert_int_equal(init(get_table), MSTX_SUCCESS);
}

static void expect_filled(unsigned size) {
    for (unsigned id = 0; id < 7; id++)
        assert_int_equal(slots[id] != untouched, id != 0 && id < size);
}

static void the_oldest_client_has_three_functions(void **state) {
    (void)state;
    meet(MSTX_API_MODULE_CORE, 4);
    expect_filled(4);
    assert_int_equal(log_of_tool()->sizes[MSTX_API_MODULE_CORE], 4);
    assert_int_equal(log_of_tool()->sizes[MSTX_API_MODULE_CORE_DOMAIN], 0);
    assert_int_equal(log_of_tool()->sizes[MSTX_API_MODULE_CORE_MEM], 0);
}

static void an_older_memory_module_has_no_permissions(void **state) {
    (void)state;
    meet(MSTX_API_MODULE_CORE_MEM, 5);
    expect_filled(5);
    assert_int_equal(log_of_tool()->sizes[MSTX_API_MODULE_CORE], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_client_has_three_functions),
        cmocka_unit_test(an_older_memory_module_has_no_permissions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
