// SPDX-License-Identifier: Apache-2.0
// Reports memory that gets a second address while queued work uses it through the first one: work
// by the new address has no order with it. Any thread may call, after order.c judged the event.
#pragma once

#include "annotate/mem_event.h"

void tn_check_alias_event(const struct tn_mem_event *event);
