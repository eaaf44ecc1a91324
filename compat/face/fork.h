// SPDX-License-Identifier: Apache-2.0
// fork(). Before it every lock of a face is taken, in the order of the face's list; after it they
// are released in both processes, and the child forgets what it inherited: it belongs to the
// parent.
#ifndef TARN_COMPAT_FACE_FORK_H
#define TARN_COMPAT_FACE_FORK_H

#include <stddef.h>

enum tn_face_fork { TN_FACE_FORK_PREPARE, TN_FACE_FORK_PARENT, TN_FACE_FORK_CHILD };

// What a file of a face with a lock or state of the process does about it.
typedef void (*tn_face_fork_part)(enum tn_face_fork step);

// Installs the handlers for the parts, once; `parts` stays valid for ever. In the order in which
// their locks may be taken. After the devices are open: handlers installed later run earlier before
// a fork, and the face's locks come before Tarn's.
void tn_face_fork_watch(const tn_face_fork_part *parts, size_t count);

#endif
