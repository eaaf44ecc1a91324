// SPDX-License-Identifier: Apache-2.0
// JSON, as far as aclInit() needs it: whether a text is an object and nothing else, and whether two
// of them say the same.
#ifndef TARN_COMPAT_ACL_JSON_H
#define TARN_COMPAT_ACL_JSON_H

#include <stdbool.h>
#include <stddef.h>

// Whether `text` is one JSON object (RFC 8259), in at most 64 levels. If so, takes the white space
// out of it that has no meaning, in place, and ends it with a 0: text[size] must be there. *bad is
// the offset of the first byte that is wrong.
bool tn_acl_json_object(char *text, size_t size, size_t *bad);

#endif
