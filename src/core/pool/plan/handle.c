// SPDX-License-Identifier: Apache-2.0
// The handles of plans: made from requests, read from a file or from bytes. A plan never changes. Any
// thread.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/struct.h"
#include "base/text_file.h"
#include "core/pool/plan/format.h"
#include "fail/point.h"

// Returns a plan with room for its bytes, and records NO_HOST_MEMORY if there is none.
static tarn_plan *new_plan(size_t room) {
    tarn_plan *plan = (tarn_plan *)malloc(sizeof *plan + room + 1); // and the 0 behind a file
    if (plan == NULL)
        (void)tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a plan of %zu bytes", room);
    return plan;
}

// Checks the bytes of a new plan. A plan that is refused is freed.
static tarn_status finish(tarn_plan *made, size_t byte_count, tarn_plan **plan) {
    made->byte_count = byte_count;
    tarn_status status = tn_plan_check(made->bytes, byte_count, &made->head);
    if (status == TARN_OK)
        *plan = made;
    else
        free(made);
    return status;
}

tarn_status tarn_plan_create(const tarn_plan_desc *desc, tarn_plan **plan) {
    TN_FAIL_POINT(0, 0);
    TN_REFUSE(desc == NULL || plan == NULL, TARN_BAD_ARGUMENT, "%s is NULL",
              desc == NULL ? "desc" : "plan");
    tarn_plan_desc own;
    size_t byte_count = 0;
    TN_TRY(tn_struct_read(&own, sizeof own, desc, "tarn_plan_desc"));
    tarn_plan *made = new_plan(TN_PLAN_ROOM(own.count));
    if (made == NULL) return TN_DONE(TARN_NO_HOST_MEMORY);
    tarn_status status = tn_plan_make(&own, made->bytes, TN_PLAN_ROOM(own.count), &byte_count);
    if (status == TARN_OK) return TN_DONE(finish(made, byte_count, plan));
    free(made);
    return TN_DONE(status);
}

tarn_status tarn_plan_load(const char *path, tarn_plan **plan) {
    TN_FAIL_POINT(0, 0);
    struct stat info;
    TN_REFUSE(path == NULL || plan == NULL, TARN_BAD_ARGUMENT, "%s is NULL",
              path == NULL ? "path" : "plan");
    TN_REFUSE(stat(path, &info) != 0 || !S_ISREG(info.st_mode), TARN_SYSTEM,
              "the plan \"%s\" is not a readable file", path);
    size_t byte_count = (size_t)info.st_size;
    tarn_plan *made = new_plan(byte_count);
    if (made == NULL) return TN_DONE(TARN_NO_HOST_MEMORY);
    if (tn_text_file_read(path, (char *)made->bytes, byte_count + 1))
        return TN_DONE(finish(made, byte_count, plan));
    int failure = errno;
    free(made);
    return TN_DONE(
        tn_fail_native(TARN_SYSTEM, "read", failure, "the plan \"%s\" cannot be read", path));
}

tarn_status tarn_plan_parse(const void *bytes, size_t byte_count, tarn_plan **plan) {
    TN_FAIL_POINT(0, 0);
    TN_REFUSE(bytes == NULL || plan == NULL, TARN_BAD_ARGUMENT, "%s is NULL",
              bytes == NULL ? "bytes" : "plan");
    tarn_plan *made = new_plan(byte_count);
    if (made == NULL) return TN_DONE(TARN_NO_HOST_MEMORY);
    memcpy(made->bytes, bytes, byte_count);
    return TN_DONE(finish(made, byte_count, plan));
}

tarn_status tarn_plan_query(const tarn_plan *plan, tarn_plan_info *info) {
    TN_REFUSE(plan == NULL || info == NULL, TARN_BAD_ARGUMENT, "%s is NULL",
              plan == NULL ? "plan" : "info");
    const tn_plan_head *head = &plan->head;
    const tarn_plan_info own = {.struct_size = sizeof own,
                                .blocks = head->count - head->slabs,
                                .streams = head->streams,
                                .bound = head->bound,
                                .height = head->height,
                                .rule = head->rule,
                                .bytes = plan->bytes,
                                .byte_count = plan->byte_count};
    return TN_DONE(tn_struct_write(info, &own, sizeof own, "tarn_plan_info"));
}

void tarn_plan_destroy(tarn_plan *plan) { free(plan); }
