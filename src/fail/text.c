// SPDX-License-Identifier: Apache-2.0
// See text.h.
#include "fail/text.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdarg.h>
#include <stdio.h>

enum { FRAMES = 32 };

void tn_fail_text_add(struct tn_fail_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(text->text + text->used, sizeof text->text - text->used, format, arguments);
    va_end(arguments);
    text->used += length > 0 ? (size_t)length : 0;
    if (text->used >= sizeof text->text) text->used = sizeof text->text - 1;
}

static void add_frame(struct tn_fail_text *text, int number, void *address) {
    Dl_info info;
    if (dladdr(address, &info) == 0 || info.dli_fname == NULL) {
        tn_fail_text_add(text, "    #%d %p\n", number, address);
        return;
    }
    tn_fail_text_add(text, "    #%d %s (%s+0x%llx)\n", number,
                     info.dli_sname != NULL ? info.dli_sname : "?", info.dli_fname,
                     (unsigned long long)((uintptr_t)address - (uintptr_t)info.dli_fbase));
}

void tn_fail_text_add_stack(struct tn_fail_text *text, uintptr_t first) {
    void *frames[FRAMES];
    int count = backtrace(frames, FRAMES), start = 0;
    while (start < count && (uintptr_t)frames[start] != first) start++;
    if (start == count) start = 0;
    for (int i = start; i < count; i++) add_frame(text, i - start, frames[i]);
}
