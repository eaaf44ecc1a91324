// SPDX-License-Identifier: Apache-2.0
// Reads short text files, above all those of /proc and /sys. It uses no stdio: a stream without
// memory for its buffer reads a byte at a time, and most files of /proc/sys end after the first
// read. Any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Reads the first `size` - 1 bytes of a file, or all of a shorter one, into `text` and terminates
// them. Returns false, with errno and an empty text, if the file cannot be opened or read.
bool tn_text_file_read(const char *path, char *text, size_t size);
