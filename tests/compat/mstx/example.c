// SPDX-License-Identifier: Apache-2.0
// The example as C, with MSTX switched off by its macro: nothing of a tool is linked, nothing is
// looked for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define MSTX_DISABLE
#include <mstx/ms_tools_ext.h>

#include "support/example.h"
#include "support/tool.h"

static void a_disabled_program_sees_no_tool(void **state) {
    static char memory[1024];
    uint64_t id = 99;
    (void)state;
    assert_int_equal(setenv("MSTX_INJECTION_PATH", module_path("tool"), 1), 0);
    assert_false(run_example(memory, 0));
    assert_null(mstxDomainCreateA("d"));
    mstxGetToolId(&id);
    assert_int_equal(id, MSTX_TOOL_INVALID_ID);
    assert_int_equal(log_of_tool()->inits, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_disabled_program_sees_no_tool)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
