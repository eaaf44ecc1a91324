// SPDX-License-Identifier: Apache-2.0
// Adds members to a JSON object; see member.h.
#include "tools/member.h"

uint64_t tn_member_get_number(const json_t *object, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

const char *tn_member_get_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

void tn_member_number(json_t *object, const char *key, uint64_t value) {
    (void)json_object_set_new(object, key, json_integer((json_int_t)value));
}

void tn_member_text(json_t *object, const char *key, const char *value) {
    json_t *text = json_string(value);
    (void)json_object_set_new(object, key, text != NULL ? text : json_string("(not UTF-8)"));
}
