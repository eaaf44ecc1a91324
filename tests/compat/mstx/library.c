// SPDX-License-Identifier: Apache-2.0
// libms_tools_ext.so in the place of the inline functions: an image of its own, the same tool.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define MSTX_NO_IMPL
#include <mstx/ms_tools_ext.h>

#include "support/example.h"
#include "support/tool.h"

static void the_library_leads_to_the_tool(void **state) {
    static char memory[1024];
    uint64_t id = 0;
    (void)state;
    assert_int_equal(setenv("MSTX_INJECTION_PATH", module_path("tool"), 1), 0);
    mstxGetToolId(&id);
    assert_int_equal(id, TOOL_ID);
    assert_true(run_example(memory, 0));
    mstxDomainHandle_t domain = mstxDomainCreateA("d");
    mstxMarkA("m", NULL);
    mstxRangeEnd(mstxRangeStartA("m", NULL));
    mstxDomainMarkA(domain, "m", NULL);
    mstxDomainRangeEnd(domain, mstxDomainRangeStartA(domain, "m", NULL));
    mstxDomainDestroy(domain);
    const struct tool_log *log = log_of_tool();
    assert_int_equal(log->inits, 1);
    assert_int_equal(log->ends + log->domain_ends + log->destroyed, 3);
    assert_int_equal(log->regions_ended + log->heaps_ended, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_library_leads_to_the_tool)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
