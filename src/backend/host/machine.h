// SPDX-License-Identifier: Apache-2.0
// Finds the memory file of a machine. The file is unnamed: a process finds it among the open files of the
// user's other processes, so that nothing is left when the last one has ended, however it ended.
#pragma once

#include "backend/host/card.h"

// Reads TARN_MACHINE. Clears *named if it is not set. BAD_CONFIG.
tarn_status tn_host_machine_name(char name[TN_CARD_NAME], bool *named);

// Opens and maps the file, and creates it if `create` is true and no process has it. BAD_DEVICE: no process has it; BAD_CONFIG: it
// is of another release; NO_HANDLES, NO_HOST_MEMORY, SYSTEM.
tarn_status tn_host_machine_enter(const char *name, bool create, int *fd,
                                  struct tn_host_card_file **file);

// Opens the file of a descriptor once more, with locks of its own. Returns -1 on failure.
int tn_host_machine_reopen(int fd);
