// SPDX-License-Identifier: Apache-2.0
// tarn_machine_query(): what each process of a machine holds, read without a lock. The caller need not be a
// member. See card.h.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <tarn/software.h>

#include "backend/host/machine.h"
#include "base/atomic.h"
#include "base/error.h"
#include "base/uncancelled.h"
#include "base/variable.h"

static void describe_use(const struct tn_host_card_file *file, unsigned member, unsigned card,
                         tarn_machine_use *use) {
    const struct tn_host_card_member *of = &file->members[member];
    *use = (tarn_machine_use){
        .pid = (int32_t)tn_load_relaxed(&of->pid),
        .device = (int32_t)tn_load_relaxed(&file->cards[card].device),
        .bytes = (tn_load_relaxed(&of->words[card]) & UINT32_MAX) * TN_CARD_UNIT,
        .capacity = tn_load_relaxed(&file->cards[card].bytes),
    };
    // The text is the other process's, so its end is not trusted.
    (void)snprintf(use->program, sizeof use->program, "%.*s", (int)sizeof of->program, of->program);
}

// Counts all uses, and describes as many as there is room for.
static size_t read_uses(int fd, const struct tn_host_card_file *file, tarn_machine_use *uses,
                        size_t room) {
    size_t count = 0;
    for (unsigned member = 0; member < TN_CARD_MEMBERS; member++) {
        if (!tn_host_card_lives(fd, file, member)) continue;
        const uint64_t attached = tn_load_relaxed(&file->members[member].attached);
        for (unsigned card = 0; card < TN_CARD_CARDS; card++) {
            if ((attached >> card & 1) == 0) continue;
            if (count < room) describe_use(file, member, card, &uses[count]);
            count++;
        }
    }
    return count;
}

static tarn_status query_machine(const char *given, tarn_machine_use *uses, size_t *count) {
    struct tn_host_card_file *file = NULL;
    char name[TN_CARD_NAME];
    bool named = true;
    int fd = -1;
    TN_REFUSE(count == NULL, TARN_BAD_ARGUMENT, "count is NULL");
    TN_REFUSE(uses == NULL && *count != 0, TARN_BAD_ARGUMENT, "uses is NULL and *count is %zu",
              *count);
    TN_REFUSE(given != NULL && !tn_variable_is_name(given), TARN_BAD_CONFIG,
              "\"%.60s\" is not the name of a machine", given);
    if (given == NULL) TN_TRY(tn_host_machine_name(name, &named));
    TN_REFUSE(!named, TARN_BAD_CONFIG, "name is NULL and TARN_MACHINE is not set");
    TN_TRY(tn_host_machine_enter(given != NULL ? given : name, false, &fd, &file));
    *count = read_uses(fd, file, uses, *count);
    (void)munmap(file, sizeof *file);
    tn_close(fd);
    return TARN_OK;
}

tarn_status tarn_machine_query(const char *name, tarn_machine_use *uses, size_t *count) {
    return TN_DONE(query_machine(name, uses, count));
}
