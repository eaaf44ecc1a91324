// SPDX-License-Identifier: Apache-2.0
// The platform's books, checked against each other.
#ifndef TARN_HOST_CHECK_H
#define TARN_HOST_CHECK_H

#include "backend/host/platform.h"

// The slots of the table.
tarn_status tn_host_check(void *p);
void tn_host_counters(void *p, tarn_backend_counters *counters);

#endif
