// SPDX-License-Identifier: Apache-2.0
// A failed assertion prints one line and aborts. The library prints nothing else on its own.
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

void tn_assert_failed(const char *file, int line, const char *text) {
    (void)fprintf(stderr, "tarn: %s:%d: assertion failed: %s\n", file, line, text);
    abort();
}
