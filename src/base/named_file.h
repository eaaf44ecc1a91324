// SPDX-License-Identifier: Apache-2.0
// Opens a file for writing under a name that a user gave. A symbolic link is refused, so that no
// link in a shared folder leads a writer to another file. No state; any thread may call.
#pragma once

// Opens the file with `flags` of open(), and with a descriptor that programs started later do not
// inherit. "/dev/stdout", "/dev/stderr" and "/dev/fd/N" are copies of the process's own
// descriptors, whatever they are open for. Returns 0 or an errno: ELOOP for a symbolic link.
int tn_named_file_open(const char *path, int flags, int *file);

// Returns the number of the descriptor that such a name stands for, or -1.
int tn_named_file_descriptor(const char *path);

// Returns the text for an errno of this file or of replacement.h.
const char *tn_named_file_error(int failure);
