// SPDX-License-Identifier: Apache-2.0
// See result.h.
#include "tools/result.h"

enum { REAL_DIGITS = 12 };

void tn_result_print(FILE *file, const char *command, json_t *members) {
    json_t *result = json_pack("{ss, si}", "command", command, "schema", TN_RESULT_SCHEMA);
    (void)json_object_update(result, members);
    (void)json_dumpf(result, file, JSON_INDENT(2) | JSON_REAL_PRECISION(REAL_DIGITS));
    (void)fputc('\n', file);
    json_decref(result);
    json_decref(members);
}
