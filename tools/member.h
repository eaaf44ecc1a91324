// SPDX-License-Identifier: Apache-2.0
// The members of a JSON object, as all commands write them. No state; any thread may call.
#ifndef TARN_TOOLS_MEMBER_H
#define TARN_TOOLS_MEMBER_H

#include <jansson.h>
#include <stdint.h>

// Return a member of an object: 0 or "" without it.
uint64_t tn_member_get_number(const json_t *object, const char *key);
const char *tn_member_get_text(const json_t *object, const char *key);

void tn_member_number(json_t *object, const char *key, uint64_t value);

// Paths and labels may not be UTF-8, which JSON requires: such a text is replaced by "(not UTF-8)".
void tn_member_text(json_t *object, const char *key, const char *value);

#endif
