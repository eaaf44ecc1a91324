// SPDX-License-Identifier: Apache-2.0
// The check of JSON that aclInit() needs: whether a text is one object. It also normalises the
// text, so that equal objects compare equal. The file has no state.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Returns true if `text` is one JSON object (RFC 8259) of at most 64 levels. If so, removes the
// white space without meaning in place and ends the text with a 0, for which text[size] must exist.
// *bad receives the offset of the first byte that is wrong.
bool tn_acl_json_object(char *text, size_t size, size_t *bad);
