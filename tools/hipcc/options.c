// SPDX-License-Identifier: Apache-2.0
// See options.h.
#include "tools/hipcc/options.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"

// ---- the table

enum use {
    PASS,    // to compiler and linker
    LINK,    // to the linker
    DEPEND,  // to the preprocessor
    DROP,    // it has no meaning for a CPU
    REFUSE,  // it asks for code of a GPU
    HOST,    // -Xarch_host VALUE: VALUE is an option of the host compiler
    SPECIAL, // see take_special()
};

enum shape {
    ALONE,  // -c
    JOINED, // the value follows in the same word: --offload-arch=VALUE
    VALUE,  // the value is the next word: -include VALUE
    EITHER, // -I VALUE or -IVALUE
};

// In this order; the first row that matches holds. Other options are passed.
static const struct row {
    const char *name;
    enum shape shape;
    enum use use;
} option_rows[] = {
    {"-c", ALONE, SPECIAL},
    {"-S", ALONE, SPECIAL},
    {"-E", ALONE, SPECIAL},
    {"-M", ALONE, SPECIAL},
    {"-MM", ALONE, SPECIAL},
    {"-fsyntax-only", ALONE, SPECIAL},
    {"-###", ALONE, SPECIAL},
    {"-v", ALONE, SPECIAL},
    {"--genco", ALONE, SPECIAL},
    {"--kernel-races", ALONE, SPECIAL},
    {"--no-hip-rt", ALONE, SPECIAL},
    {"-no-hip-rt", ALONE, SPECIAL},
    {"-lhiprtc", ALONE, DROP}, // its functions are in libamdhip64
    {"-mwavefrontsize64", ALONE, SPECIAL},
    {"-mno-wavefrontsize64", ALONE, SPECIAL},
    {"-o", EITHER, SPECIAL},
    {"-xnone", ALONE, SPECIAL},
    {"-x", EITHER, SPECIAL},
    {"-std=", JOINED, SPECIAL},
    {"-O", JOINED, SPECIAL},
    {"-MD", ALONE, DEPEND},
    {"-MMD", ALONE, DEPEND},
    {"-MP", ALONE, DEPEND},
    {"-MG", ALONE, DEPEND},
    {"-MF", EITHER, DEPEND},
    {"-MT", EITHER, DEPEND},
    {"-MQ", EITHER, DEPEND},
    {"-Xarch_host", VALUE, HOST},
    {"-Xarch_device", VALUE, DROP},
    {"--offload-arch", VALUE, DROP},
    {"--offload-arch=", JOINED, DROP},
    {"--no-offload-arch=", JOINED, DROP},
    {"--amdgpu-target=", JOINED, DROP},
    {"--gpu-architecture=", JOINED, DROP}, // of hiprtc
    {"--fmad=", JOINED, DROP},
    {"-default-device", ALONE, DROP},
    {"--gpu-max-threads-per-block=", JOINED, DROP},
    {"--hip-", JOINED, DROP},
    {"--rocm-", JOINED, DROP},
    {"--offload-host-only", ALONE, DROP},
    {"--cuda-host-only", ALONE, DROP},
    {"--offload-device-only", ALONE, REFUSE},
    {"--cuda-device-only", ALONE, REFUSE},
    {"--offload-", JOINED, DROP},
    {"-fgpu-", JOINED, DROP},
    {"-fno-gpu-", JOINED, DROP},
    {"-fhip-", JOINED, DROP},
    {"-fno-hip-", JOINED, DROP},
    {"-nogpu", JOINED, DROP},
    {"-mcode-object-version=", JOINED, DROP},
    {"-munsafe-fp-atomics", ALONE, DROP},
    {"-mno-unsafe-fp-atomics", ALONE, DROP},
    {"-mcumode", ALONE, DROP},
    {"-mno-cumode", ALONE, DROP},
    {"-parallel-jobs=", JOINED, DROP},
    {"-mllvm", VALUE, DROP},
    {"-Wl,", JOINED, LINK},
    {"-l", EITHER, LINK},
    {"-L", EITHER, LINK},
    {"-Xlinker", VALUE, LINK},
    {"-T", VALUE, LINK},
    {"-u", VALUE, LINK},
    {"-z", VALUE, LINK},
    {"-shared", ALONE, LINK},
    {"-static", JOINED, LINK},
    {"-rdynamic", ALONE, LINK},
    {"-pie", ALONE, LINK},
    {"-no-pie", ALONE, LINK},
    {"-s", ALONE, LINK},
    {"-fuse-ld=", JOINED, LINK},
    {"-nostdlib", JOINED, LINK},
    {"-nodefaultlibs", ALONE, LINK},
    {"-I", EITHER, PASS},
    {"-D", EITHER, PASS},
    {"-U", EITHER, PASS},
    {"-B", EITHER, PASS},
    {"-include", VALUE, PASS},
    {"-imacros", VALUE, PASS},
    {"-isystem", EITHER, PASS},
    {"-iquote", EITHER, PASS},
    {"-idirafter", EITHER, PASS},
    {"-isysroot", VALUE, PASS},
    {"-iprefix", VALUE, PASS},
    {"-iwithprefix", VALUE, PASS},
    {"-iwithprefixbefore", VALUE, PASS},
    {"--sysroot", VALUE, PASS},
    {"--param", VALUE, PASS},
    {"-target", VALUE, PASS},
    {"-arch", VALUE, PASS},
    {"-aux-info", VALUE, PASS},
    {"-Xassembler", VALUE, PASS},
    {"-Xpreprocessor", VALUE, PASS},
    {"-Xclang", VALUE, PASS},
};

static const struct row *find_row(const char *word) {
    for (size_t i = 0; i < sizeof option_rows / sizeof *option_rows; i++) {
        size_t length = strlen(option_rows[i].name);
        bool begins = strncmp(word, option_rows[i].name, length) == 0,
             is_exact = begins && word[length] == '\0';
        if (is_exact ||
            (begins && (option_rows[i].shape == JOINED || option_rows[i].shape == EITHER)))
            return &option_rows[i];
    }
    return NULL;
}

// ---- inputs

char *tn_hipcc_renamed(const char *path, const char *suffix) {
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return tn_hipcc_text("%.*s%s", (int)(dot != NULL ? dot - name : (ptrdiff_t)strlen(name)), name,
                         suffix);
}

// hipcc takes all sources in C++ for HIP.
static const char *language_of(const char *path) {
    static const char *const pairs[][2] = {{"hip", "hip"},
                                           {"cu", "hip"},
                                           {"cpp", "hip"},
                                           {"cc", "hip"},
                                           {"cxx", "hip"},
                                           {"c++", "hip"},
                                           {"C", "hip"},
                                           {"cp", "hip"},
                                           {"c", "c"},
                                           {"i", "cpp-output"},
                                           {"ii", "c++-cpp-output"},
                                           {"s", "assembler"},
                                           {"S", "assembler-with-cpp"}};
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash != NULL ? slash : path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(dot + 1, pairs[i][0]) == 0) return pairs[i][1];
    return NULL;
}

static const char *forced; // -x, or NULL

static void take_input(struct tn_hipcc_options *options, const char *path) {
    const char *own = language_of(path), *dot = strrchr(path, '.');
    // CMake says that a file named .hip is C++.
    bool is_hip = dot != NULL && (strcmp(dot, ".hip") == 0 || strcmp(dot, ".cu") == 0) &&
                  forced != NULL && strcmp(forced, "c++") == 0;
    const struct tn_hipcc_input input = {path, forced != NULL && !is_hip ? forced : own,
                                         options->link.count};
    if (options->input_count == options->input_room) { // the old list is kept too
        options->input_room = options->input_room == 0 ? 16 : 2 * options->input_room;
        struct tn_hipcc_input *grown =
            (struct tn_hipcc_input *)tn_hipcc_keep(calloc(options->input_room, sizeof *grown));
        if (options->input_count > 0)
            memcpy(grown, options->inputs, options->input_count * sizeof *grown);
        options->inputs = grown;
    }
    options->inputs[options->input_count++] = input;
    tn_hipcc_add(&options->link, path);
}

// ---- options

static void take_mode(struct tn_hipcc_options *options, const char *word) {
    static const struct {
        const char *word;
        enum tn_hipcc_mode mode;
    } modes[] = {{"-c", TN_HIPCC_COMPILE},     {"-S", TN_HIPCC_ASSEMBLE},
                 {"-E", TN_HIPCC_PREPROCESS},  {"-M", TN_HIPCC_PREPROCESS},
                 {"-MM", TN_HIPCC_PREPROCESS}, {"-fsyntax-only", TN_HIPCC_SYNTAX}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(word, modes[i].word) == 0 && modes[i].mode >= options->mode) {
            options->mode = modes[i].mode;
            options->mode_word = modes[i].word;
        }
}

static void take_special(struct tn_hipcc_options *options, const char *word, const char *value) {
    bool is_flag = value == NULL;
    if (strncmp(word, "-o", 2) == 0) {
        options->output = value;
    } else if (strncmp(word, "-x", 2) == 0) {
        bool is_hip = value != NULL && (strcmp(value, "hip") == 0 || strcmp(value, "cuda") == 0);
        forced = is_hip ? "hip" : is_flag || strcmp(value, "none") == 0 ? NULL : value;
    } else if (strncmp(word, "-std=", 5) == 0 || strncmp(word, "-O", 2) == 0) {
        options->has_standard = options->has_standard || word[1] == 's';
        options->has_level = options->has_level || word[1] == 'O';
        tn_hipcc_add(&options->compile, word);
        tn_hipcc_add(&options->link, word);
    } else if (strcmp(word, "-###") == 0) {
        options->is_dry = options->is_verbose = true;
    } else if (strcmp(word, "-v") == 0) {
        options->is_verbose = true;
    } else if (strcmp(word, "--genco") == 0) {
        options->is_module = true;
    } else if (strcmp(word, "--kernel-races") == 0) {
        options->finds_races = true;
    } else if (strstr(word, "no-hip-rt") != NULL) {
        options->no_runtime = true;
    } else if (strstr(word, "wavefrontsize64") != NULL) {
        options->lanes = strncmp(word, "-mno-", 5) == 0 ? "32" : "64";
    } else {
        take_mode(options, word);
    }
}

static void take_depend(struct tn_hipcc_options *options, const char *word) {
    options->wants_depend =
        options->wants_depend || strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0;
    options->has_depend_file = options->has_depend_file || strncmp(word, "-MF", 3) == 0;
    options->has_depend_target =
        options->has_depend_target || strncmp(word, "-MT", 3) == 0 || strncmp(word, "-MQ", 3) == 0;
}

// Takes an option, and its value if that is the next word.
static void take_option(struct tn_hipcc_options *options, const char *word, const char *next) {
    const struct row *row = find_row(word);
    const char *value = next;
    if (row != NULL && next == NULL && strlen(word) > strlen(row->name))
        value = word + strlen(row->name);
    switch (row != NULL ? row->use : PASS) {
    case SPECIAL: take_special(options, word, value); return;
    case REFUSE: options->refused = word; return;
    case DROP: return;
    case HOST: take_option(options, next, NULL); return;
    case DEPEND:
        take_depend(options, word);
        tn_hipcc_add(&options->depend, word, next);
        return;
    case LINK: tn_hipcc_add(&options->link, word, next); return;
    case PASS:
        tn_hipcc_add(&options->compile, word, next);
        tn_hipcc_add(&options->link, word, next);
        return;
    }
}

// ---- response files

static void refuse_file(const char *path, const char *why) {
    fprintf(stderr, "tarn hipcc: %s: %s\n", path, why);
    exit(TN_EXIT_FAILED);
}

// Adds the words of a text, in which blanks separate words, quotes keep blanks, and a backslash keeps
// the next byte. Changes the text.
static void add_words(struct tn_hipcc_words *words, char *text) {
    while (*text != '\0') {
        while (isspace((unsigned char)*text)) text++;
        if (*text == '\0') return;
        char *word = text, *to = text, quote = '\0';
        for (; *text != '\0' && (quote != '\0' || !isspace((unsigned char)*text)); text++)
            if (*text == quote)
                quote = '\0';
            else if (quote == '\0' && (*text == '"' || *text == '\''))
                quote = *text;
            else
                *to++ = *text == '\\' && text[1] != '\0' ? *++text : *text;
        if (*text != '\0') text++;
        *to = '\0';
        tn_hipcc_add(words, word);
    }
}

static void add_file(struct tn_hipcc_words *words, const char *path) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (file == NULL) {
        refuse_file(path, "cannot be read");
        return;
    }
    bool is_read = getdelim(&text, &room, '\0', file) > 0;
    if (text != NULL) text = (char *)tn_hipcc_keep(text);
    if (is_read) add_words(words, text);
    (void)fclose(file);
}

void tn_hipcc_parse(struct tn_hipcc_options *options, int argc, char **argv) {
    struct tn_hipcc_words words = {.count = 0};
    bool only_inputs = false;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '@')
            add_file(&words, argv[i] + 1);
        else
            tn_hipcc_add(&words, argv[i]);
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.all[i];
        if (only_inputs || word[0] != '-' || word[1] == '\0') {
            take_input(options, word);
        } else if (strcmp(word, "--") == 0) {
            only_inputs = true;
        } else {
            const struct row *row = find_row(word);
            bool takes_next = row != NULL && strcmp(word, row->name) == 0 &&
                              (row->shape == VALUE || row->shape == EITHER);
            if (takes_next && i + 1 == words.count) refuse_file(word, "the value is missing");
            take_option(options, word, takes_next ? words.all[++i] : NULL);
        }
    }
}
