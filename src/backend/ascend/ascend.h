// SPDX-License-Identifier: Apache-2.0
// Cards by Huawei, driven through libascendcl. This is all that is seen of it from outside its
// room.
#ifndef TARN_BACKEND_ASCEND_ASCEND_H
#define TARN_BACKEND_ASCEND_ASCEND_H

#include <tarn/backend.h>

extern const tarn_backend tn_backend_ascend;

// What an error of AscendCL means. For tests.
tarn_status tn_ascend_status_of(int64_t code);

#endif
