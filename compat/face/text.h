// SPDX-License-Identifier: Apache-2.0
// Room for the texts of a thread's failures. It is apart from the thread's own block, which a
// library must need little of, or a program cannot dlopen() it; made at a thread's first failure,
// freed when the thread ends.
#ifndef TARN_COMPAT_FACE_TEXT_H
#define TARN_COMPAT_FACE_TEXT_H

#define TN_FACE_TEXT 1024

// TN_FACE_TEXT bytes of the calling thread, zero at first. NULL: no host memory.
char *tn_face_text_room(void);

#endif
