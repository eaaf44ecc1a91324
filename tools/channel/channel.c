// SPDX-License-Identifier: Apache-2.0
// `tarn channel`: selects one of its commands. One thread.
#include "tools/channel/channel.h"
#include "tools/menu.h"

static struct tn_menu_entry entries[] = {
#define COMMAND(name, summary) {"tarn channel " #name, summary, "channel.md", tn_channel_##name},
    TN_CHANNEL_COMMAND_LIST(COMMAND)};

int tn_command_channel(int argc, char **argv) {
    static const struct tn_menu menu = {
        .entries = entries,
        .count = sizeof entries / sizeof *entries,
        .text = "Parcels handed from one process to another without a copy.",
        .after = "`tarn channel COMMAND --help` explains a command.\n"
                 "\n" TN_EXIT_HELP};
    return tn_menu_run(&menu, argc, argv);
}
