// SPDX-License-Identifier: Apache-2.0
// The command that repeats a run, for a shell. One thread.
#include "tools/runs/runs.h"

// Quotes the word, unless no shell would change it.
static void print_word(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./,+@%";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        printf(" %s", word);
        return;
    }
    printf(" '");
    for (; *word != '\0'; word++)
        if (*word == '\'')
            printf("'\\''");
        else
            (void)putchar(*word);
    printf("'");
}

void tn_run_print_option(const char *option, const char *value) {
    if (value != NULL && *value != '\0') {
        printf(" %s", option);
        print_word(value);
    }
}

void tn_run_print_options(const char *option, const char *values) {
    while (*values != '\0') {
        char value[512];
        size_t length = strcspn(values, ";");
        (void)snprintf(value, sizeof value, "%.*s", (int)length, values);
        tn_run_print_option(option, value);
        values += length + (values[length] == ';');
    }
}

void tn_run_print_again(const struct tn_launch *launch, const char *command) {
    char faces[512] = "";
    for (size_t i = 0, used = 0; i < launch->face_count && used < sizeof faces; i++)
        used += (size_t)snprintf(faces + used, sizeof faces - used, "%s%s", i == 0 ? "" : ",",
                                 launch->faces[i]->name);
    printf("tarn %s", command);
    tn_run_print_option("--as", faces);
    tn_run_print_option("--device", launch->device);
    tn_run_print_option("--compat", launch->level);
    printf("%s%s", launch->sparse ? " --sparse" : "", launch->log ? " --log" : "");
    tn_run_print_options("--quirk", launch->quirks);
    tn_run_print_options("--delay", launch->delays);
}

void tn_run_print_program(const struct tn_launch *launch) {
    printf(" --");
    for (char **word = launch->command; *word != NULL; word++) print_word(*word);
    printf("\n");
}
