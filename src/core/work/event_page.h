// SPDX-License-Identifier: Apache-2.0
// The page of memory that the processes of a shared event have in common: which record was made
// last, by which process, and which records have passed. A record is a number, counted over all
// processes. Words of the page are atomic, so any thread of any process may use it. A process that
// may open the page could write anything there, which misleads only those that wait for the event.
#pragma once

#include <tarn/software.h>

struct tn_event_page; // this process's mapping; counted

// A new page; NO_HANDLES, NO_HOST_MEMORY, UNSUPPORTED, SYSTEM.
tarn_status tn_event_page_create(struct tn_event_page **page);

// Opens the page of a key. BAD_ARGUMENT: it is a page of this process. BAD_HANDLE: not a key, or
// the page is gone. NO_HANDLES, NO_HOST_MEMORY, SYSTEM.
tarn_status tn_event_page_open(const tarn_key *key, struct tn_event_page **page);

struct tn_event_page *tn_event_page_keep(struct tn_event_page *page);
void tn_event_page_put(struct tn_event_page *page);

// The key of the page. BAD_ARGUMENT if this process did not make it.
tarn_status tn_event_page_key(const struct tn_event_page *page, tarn_key *key);

// Begins a record of this process, which is the last from now on. NO_HANDLES: as many as the page
// holds have not passed.
tarn_status tn_event_page_begin(struct tn_event_page *page, uint64_t *record);

// The record has passed. `failed`: work before it failed.
void tn_event_page_pass(struct tn_event_page *page, uint64_t record, bool failed);

// The last record, 0 if there is none, and the process that made it.
uint64_t tn_event_page_last(const struct tn_event_page *page);
int tn_event_page_process(uint64_t record);

enum tn_event_state { TN_EVENT_PENDING, TN_EVENT_PASSED, TN_EVENT_FAILED };
enum tn_event_state tn_event_page_state(const struct tn_event_page *page, uint64_t record);
