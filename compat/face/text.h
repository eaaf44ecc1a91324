// SPDX-License-Identifier: Apache-2.0
// The buffer for the error text of the calling thread. It is not a thread-local array, because a
// library that needs much thread-local memory cannot be opened by dlopen(). It is allocated at the
// thread's first failure and freed when the thread ends.
#pragma once

#define TN_FACE_TEXT 1024

// Returns TN_FACE_TEXT bytes, zero at first, or NULL without host memory.
char *tn_face_text_room(void);
