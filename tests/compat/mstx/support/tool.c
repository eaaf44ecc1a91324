// SPDX-License-Identifier: Apache-2.0
// See tool.h.
#include "support/tool.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char *module_path(const char *name) {
    static char path[4096];
    const char *folder = getenv("MODULES");
    assert_non_null(folder);
    snprintf(path, sizeof path, "%s/compat_mstx_%s.so", folder, name);
    return path;
}

struct tool_log *log_of_tool(void) {
    void *tool = dlopen(module_path("tool"), RTLD_LAZY | RTLD_LOCAL);
    assert_non_null(tool);
    void *symbol = dlsym(tool, "tool_told");
    assert_non_null(symbol);
    struct tool_log *(*log)(void) = NULL;
    memcpy(&log, &symbol, sizeof log);
    return log();
}
