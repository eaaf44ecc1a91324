// SPDX-License-Identifier: Apache-2.0
// The command that repeats a run of `tarn torture`, for a shell. One thread.
#include "tools/torture/torture.h"

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

static void print_option(const char *option, const char *value) {
    if (value != NULL && *value != '\0') {
        printf(" %s", option);
        print_word(value);
    }
}

// Prints an option for each of the values, which semicolons separate.
static void print_options(const char *option, const char *values) {
    while (*values != '\0') {
        char value[512];
        size_t length = strcspn(values, ";");
        (void)snprintf(value, sizeof value, "%.*s", (int)length, values);
        print_option(option, value);
        values += length + (values[length] == ';');
    }
}

void tn_torture_print_again(const struct tn_torture *torture, const struct tn_torture_case *one) {
    const struct tn_launch *launch = &torture->launch;
    const char *quirk = tn_torture_quirk(one->spec);
    char faces[512] = "";
    for (size_t i = 0, used = 0; i < launch->face_count && used < sizeof faces; i++)
        used += (size_t)snprintf(faces + used, sizeof faces - used, "%s%s", i == 0 ? "" : ",",
                                 launch->faces[i]->name);
    printf("tarn %s", torture->check ? "check" : "run");
    print_option("--as", faces);
    print_option("--device", launch->device);
    print_option("--compat", launch->level);
    printf("%s%s", launch->sparse ? " --sparse" : "", launch->log ? " --log" : "");
    print_options("--quirk", launch->quirks);
    print_options("--delay", launch->delays);
    print_option(quirk != NULL ? "--quirk" : "--fail", quirk != NULL ? quirk : one->spec);
    printf(" --");
    for (char **word = launch->command; *word != NULL; word++) print_word(*word);
    printf("\n");
}
