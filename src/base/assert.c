// SPDX-License-Identifier: Apache-2.0
// What happens when an assertion does not hold. The only place where the library prints unasked:
// it is about to end the process.
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

void tn_assert_failed(const char *file, int line, const char *text) {
    (void)fprintf(stderr, "tarn: %s:%d: assertion failed: %s\n", file, line, text);
    abort();
}
