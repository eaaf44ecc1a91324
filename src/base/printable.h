// SPDX-License-Identifier: Apache-2.0
// Text that comes from elsewhere, such as the name of a file or of a function in a recording, as one
// may print it: a terminal takes control characters as commands. No state; any thread may call.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Returns the number of bytes at the begin of a terminated text that are one printable character of
// UTF-8, or 0 if the first byte is a control character or none of a character.
size_t tn_printable_length(const char *text);

// Returns true if a text has printable characters only.
bool tn_printable_is(const char *text);

// Copies a text, with \xNN for each byte that is not printable. Cuts it to `room` bytes, the NUL
// included, at the end of a character.
void tn_printable_copy(const char *text, char *to, size_t room);
