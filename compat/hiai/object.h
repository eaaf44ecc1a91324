// SPDX-License-Identifier: Apache-2.0
// Messages in the library's care: counted by who works on them, destroyed by the last. Found by
// their address, since that is all that engines pass on; other messages are the program's and none
// of our business. One lock, held for a look-up; destroying happens without it.
#ifndef TARN_COMPAT_HIAI_OBJECT_H
#define TARN_COMPAT_HIAI_OBJECT_H

#include "compat/hiai/face.h"

// Takes a message that has come about: one reference, or, if whoever made it has called
// HIAIX_Adopt(), that one's; if it is in care for another reason, one more. False: no memory.
bool tn_hiai_object_manage(void *msg, HIAIX_DestroyT destroy, void *arg);

// One more reference. False: it is not in care.
bool tn_hiai_object_ref(void *msg);

// One reference less. False: it is not in care.
bool tn_hiai_object_unref(void *msg);

#endif
