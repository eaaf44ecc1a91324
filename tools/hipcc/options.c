// SPDX-License-Identifier: Apache-2.0
// See options.h.
#include "tools/hipcc/options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/hipcc/dialect.h"

// ---- the table

enum use {
    PASS,    // to compiler and linker
    LINK,    // to the linker
    DEPEND,  // to the preprocessor
    DROP,    // it has no meaning for a CPU
    ARCH,    // names the architecture of a GPU
    REFUSE,  // it asks for code of a GPU
    HOST,    // -Xarch_host VALUE: VALUE is an option of the host compiler
    HOSTS,   // -Xcompiler VALUE: a list of them, with commas
    SPECIAL, // see take_special()
};

enum shape {
    ALONE,  // -c
    JOINED, // the value follows in the same word: --offload-arch=VALUE
    VALUE,  // the value is the next word: -include VALUE
    EITHER, // -I VALUE or -IVALUE
};

// The first name that matches holds. Other options are passed.
struct row {
    enum use use;
    enum shape shape;
    const char *names;
};

static const struct row nvcc_rows[] = {
    {SPECIAL, ALONE,
     "-dc --device-c -cubin --cubin -ptx --ptx -fatbin --fatbin -default-stream=per-thread "
     "--default-stream=per-thread"},
    {ARCH, VALUE, "-gencode --generate-code -arch --gpu-architecture"},
    {ARCH, JOINED, "-gencode= --generate-code= -arch= --gpu-architecture="},
    {SPECIAL, VALUE,
     "-std --std -default-stream --default-stream -ccbin --compiler-bindir -rdc "
     "--relocatable-device-code"},
    {SPECIAL, JOINED, "--std= -ccbin= --compiler-bindir= -rdc= --relocatable-device-code="},
    {HOSTS, VALUE, "-Xcompiler --compiler-options"},
    {HOSTS, JOINED, "-Xcompiler= --compiler-options="},
    {REFUSE, ALONE, "-dlink --device-link"},
    {DROP, VALUE,
     "-code --gpu-code -Xptxas --ptxas-options "
     "-Xcudafe -Xnvlink --nvlink-options -cudart --cudart "
     "-maxrregcount --maxrregcount -t --threads -diag-suppress --diag-suppress"},
    {DROP, JOINED,
     "-code= --gpu-code= -Xptxas= "
     "--ptxas-options= -Xcudafe= -Xnvlink= --nvlink-options= -cudart= --cudart= "
     "-maxrregcount= --maxrregcount= -t= --threads= -expt- --expt- "
     "-diag- --diag- -default-stream= --default-stream="},
    {DROP, ALONE,
     "-use_fast_math --use_fast_math -lineinfo --generate-line-info -G --device-debug "
     "-extended-lambda --extended-lambda -forward-unknown-to-host-compiler "
     "--forward-unknown-to-host-compiler -lcudart_static -lcudadevrt -restrict --restrict"},
};

static const struct row option_rows[] = {
    {SPECIAL, ALONE,
     "-c -S -E -M -MM -fsyntax-only -### -v --genco --kernel-races --no-hip-rt -no-hip-rt "
     "-mwavefrontsize64 -mno-wavefrontsize64 -xnone -fgpu-rdc -fno-gpu-rdc"},
    {SPECIAL, EITHER, "-o -x"},
    {SPECIAL, JOINED, "-std= -O"},
    {DEPEND, ALONE, "-MD -MMD -MP -MG"},
    {DEPEND, EITHER, "-MF -MT -MQ"},
    {HOST, VALUE, "-Xarch_host"},
    {REFUSE, ALONE, "--offload-device-only --cuda-device-only"},
    {ARCH, VALUE, "--offload-arch"},
    {ARCH, JOINED, "--offload-arch= --amdgpu-target= --gpu-architecture="},
    {DROP, VALUE, "-Xarch_device -mllvm"},
    {DROP, ALONE, // the functions of hiprtc are in libamdhip64
     "-lhiprtc -default-device --cuda-host-only -munsafe-fp-atomics -mno-unsafe-fp-atomics "
     "-mcumode -mno-cumode"},
    {DROP, JOINED, // --fmad= is that of hiprtc
     "--offload- --no-offload-arch= --fmad= "
     "--gpu-max-threads-per-block= --hip- --rocm- -fgpu- -fno-gpu- -fhip- -fno-hip- -nogpu "
     "-mcode-object-version= -parallel-jobs="},
    {LINK, ALONE, "-shared -rdynamic -pie -no-pie -s -nodefaultlibs"},
    {LINK, VALUE, "-Xlinker -T -u -z"},
    {LINK, EITHER, "-l -L"},
    {LINK, JOINED, "-Wl, -static -fuse-ld= -nostdlib"},
    {PASS, VALUE,
     "-include -imacros -isysroot -iprefix -iwithprefix -iwithprefixbefore --sysroot --param "
     "-target -arch -aux-info -Xassembler -Xpreprocessor -Xclang"},
    {PASS, EITHER, "-I -D -U -B -isystem -iquote -idirafter"},
};

static const struct row *find_in(const struct row *rows, size_t count, const char *word,
                                 size_t *length) {
    for (const struct row *row = rows; row < rows + count; row++) {
        bool may_go_on = row->shape == JOINED || row->shape == EITHER;
        for (const char *name = row->names; *name != '\0';
             name += *length + (name[*length] == ' ')) {
            *length = strcspn(name, " ");
            if (strncmp(word, name, *length) == 0 && (may_go_on || word[*length] == '\0'))
                return row;
        }
    }
    return NULL;
}

// Returns the row of an option, and in *length that of its name; or NULL.
static const struct row *find_row(const char *word, size_t *length) {
    const struct row *row =
        tn_hipcc_dialect->is_nvcc
            ? find_in(nvcc_rows, sizeof nvcc_rows / sizeof *nvcc_rows, word, length)
            : NULL;
    return row != NULL
               ? row
               : find_in(option_rows, sizeof option_rows / sizeof *option_rows, word, length);
}

// ---- inputs

char *tn_hipcc_renamed(const char *path, const char *suffix) {
    const char *name = basename(path), *dot = strrchr(name, '.');
    return tn_hipcc_text("%.*s%s", (int)(dot != NULL ? dot - name : (ptrdiff_t)strlen(name)), name,
                         suffix);
}

// hipcc takes all sources in C++ for HIP; nvcc takes those in C++ for the host.
static const char *language_of(const char *path) {
    static const char *const pairs[][2] = {{"hip", "hip"},
                                           {"cu", "hip"},
                                           {"cpp", "c++"},
                                           {"cc", "c++"},
                                           {"cxx", "c++"},
                                           {"c++", "c++"},
                                           {"C", "c++"},
                                           {"cp", "c++"},
                                           {"c", "c"},
                                           {"i", "cpp-output"},
                                           {"ii", "c++-cpp-output"},
                                           {"s", "assembler"},
                                           {"S", "assembler-with-cpp"}};
    const char *dot = strrchr(basename(path), '.');
    for (size_t i = 0; dot != NULL && i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(dot + 1, pairs[i][0]) == 0)
            return strcmp(pairs[i][1], "c++") == 0 && !tn_hipcc_dialect->is_nvcc ? "hip"
                                                                                 : pairs[i][1];
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

// Returns false if it is none of nvcc's own.
static bool take_nvcc(struct tn_hipcc_options *options, const char *word, const char *value) {
    if (strstr(word, "default-stream") != NULL) {
        if (value == NULL || strcmp(value, "per-thread") == 0)
            tn_hipcc_add(&options->compile, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    } else if (strstr(word, "-ccbin") != NULL || strstr(word, "-compiler-bindir") != NULL) {
        options->compiler = value;
    } else if (strcmp(word, "-dc") == 0 || strcmp(word, "--device-c") == 0) {
        options->is_relocatable = true;
        take_mode(options, "-c");
    } else if (strstr(word, "-rdc") != NULL || strstr(word, "-relocatable-device-code") != NULL) {
        options->is_relocatable = strcmp(value, "true") == 0;
    } else if (strstr(word, "-cubin") != NULL || strstr(word, "-ptx") != NULL ||
               strstr(word, "-fatbin") != NULL) {
        options->is_module = true; // in place of code for a GPU
    } else {
        return false;
    }
    return true;
}

static void take_special(struct tn_hipcc_options *options, const char *word, const char *value) {
    bool is_flag = value == NULL;
    if (tn_hipcc_dialect->is_nvcc) {
        if (take_nvcc(options, word, value)) return;
        if (strncmp(word, "--std", 5) == 0) word++;
        if (strcmp(word, "-std") == 0) word = tn_hipcc_text("-std=%s", value);
    }
    if (strncmp(word, "-o", 2) == 0) {
        options->output = value;
    } else if (strncmp(word, "-x", 2) == 0) {
        bool is_hip = value != NULL && (strcmp(value, "hip") == 0 || strcmp(value, "cuda") == 0 ||
                                        strcmp(value, "cu") == 0);
        forced = is_hip ? "hip" : is_flag || strcmp(value, "none") == 0 ? NULL : value;
    } else if (strncmp(word, "-std=", 5) == 0 || strncmp(word, "-O", 2) == 0) {
        if (strcmp(word, "-std=c++11") == 0) word = "-std=c++14"; // a launch is a generic lambda
        if (strcmp(word, "-std=gnu++11") == 0) word = "-std=gnu++14";
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
    } else if (strstr(word, "gpu-rdc") != NULL) {
        options->is_relocatable = strncmp(word, "-fno-", 5) != 0;
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
    options->has_depend_target =
        options->has_depend_target || strncmp(word, "-MT", 3) == 0 || strncmp(word, "-MQ", 3) == 0;
}

// Takes an option, and its value if that is the next word.
static void take_option(struct tn_hipcc_options *options, const char *word, const char *next) {
    size_t length;
    const struct row *row = find_row(word, &length);
    const char *value = row != NULL && next == NULL && word[length] != '\0' ? word + length : next;
    switch (row != NULL ? row->use : PASS) {
    case SPECIAL: take_special(options, word, value); return;
    case REFUSE: options->refused = word; return;
    case DROP: return;
    case ARCH: tn_hipcc_add(&options->arch, value); return;
    case HOST: take_option(options, next, NULL); return;
    case HOSTS:
        for (char *list = tn_hipcc_text("%s", value), *one; (one = strsep(&list, ",")) != NULL;)
            take_option(options, one, NULL);
        return;
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

_Noreturn static void refuse_file(const char *path, const char *why) {
    exit((int)tn_exit_with(TN_EXIT_FAILED, "%s: %s", path, why));
}

// Adds the words of a file, in which blanks separate words, quotes keep blanks, and a backslash
// keeps the next byte.
static void add_words(struct tn_hipcc_words *words, const char *path) {
    char *text = tn_hipcc_read(path);
    if (text == NULL) refuse_file(path, "cannot be read");
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

void tn_hipcc_parse(struct tn_hipcc_options *options, int argc, char **argv) {
    struct tn_hipcc_words words = {.count = 0};
    bool only_inputs = false;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '@')
            add_words(&words, argv[i] + 1);
        else
            tn_hipcc_add(&words, argv[i]);
    options->inputs =
        (struct tn_hipcc_input *)tn_hipcc_keep(calloc(words.count + 1, sizeof *options->inputs));
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.all[i];
        if (only_inputs || word[0] != '-' || word[1] == '\0') {
            take_input(options, word);
        } else if (strcmp(word, "--") == 0) {
            only_inputs = true;
        } else {
            size_t length;
            const struct row *row = find_row(word, &length);
            bool takes_next = row != NULL && word[length] == '\0' &&
                              (row->shape == VALUE || row->shape == EITHER);
            if (takes_next && i + 1 == words.count) refuse_file(word, "the value is missing");
            take_option(options, word, takes_next ? words.all[++i] : NULL);
        }
    }
}
