// SPDX-License-Identifier: Apache-2.0
// `tarn hipcc`: preprocesses HIP sources, rewrites what no C++ compiler reads, compiles the result,
// and links with the library that replaces HIP's runtime. One thread.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/arguments.h"
#include "tools/command.h"
#include "tools/complete/complete.h"
#include "tools/hipcc/arch.h"
#include "tools/hipcc/brackets.h"
#include "tools/hipcc/dialect.h"
#include "tools/hipcc/options.h"
#include "tools/hipcc/rewrite.h"
#include "tools/hipcc/run.h"
#include "tools/hipcc/sides.h"
#include "tools/hipcc/suspect.h"
#include "tools/launch/faces.h"
#include "tools/launch/program.h"

#define DOC_COMMON                                                                                 \
    "-v prints the commands, -### only prints them. Other options are passed to the compiler.\n"   \
    "\n"                                                                                           \
    "TARN_CXX is the compiler: g++, clang++, or another path with options. Without it, g++ is "    \
    "used, or else clang++. --help and --version are options of this command if they come "        \
    "first.\n"                                                                                     \
    "\n"                                                                                           \
    "Exit status: that of the compiler, 1 for an error in the source; 1 also if an option is "     \
    "wrong, a file is missing or there is no compiler; 5 if host memory is exhausted."

static const char hipcc_doc[] =
    "Compiles and links HIP programs for the CPU, in place of AMD's hipcc. Kernels become "
    "functions of the program, and run on the threads of Tarn's software device.\v"
    "The options are those of a C++ compiler and of hipcc: -c, -S, -E, -o, -I, -D, -O, -g, -std=, "
    "-shared, -fPIC, -l, -L, -x hip, -MD and its relatives, -fsanitize=. Options for code of a "
    "GPU have no effect, except --offload-arch=, which sets macros for kernels. --genco makes a "
    "module for hipModuleLoad(). "
    "--kernel-races makes a program in which `tarn check --kernel-races` finds races. "
    "-mno-wavefrontsize64 makes warps of 32 threads. " DOC_COMMON;

static const char nvcc_doc[] =
    "Compiles and links CUDA programs for the CPU, in place of NVIDIA's nvcc. Kernels become "
    "functions of the program, and run on the threads of Tarn's software device.\v"
    "The options are those of a C++ compiler and of nvcc: -c, -dc, -E, -o, -I, -D, -O, -g, -std=, "
    "-shared, -l, -L, -x cu, -Xcompiler, -MD and its relatives, -default-stream, -ccbin, -rdc=. "
    "-arch= and -gencode set __CUDA_ARCH__ for kernels. Other options for code of a GPU, such as "
    "--expt-relaxed-constexpr, have no effect, and -cudart= has none because the runtime is always "
    "shared. -fatbin, -cubin and -ptx "
    "make a module for cuModuleLoad(). --kernel-races makes a program in which `tarn check "
    "--kernel-races` finds races. " DOC_COMMON;

// ---- the compiler and the files of Tarn

struct toolchain {
    struct tn_hipcc_words compiler;
    bool is_clang;
    char include[PATH_MAX], library[PATH_MAX];
};

// Returns the file that a name or path leads to, also by links, or NULL.
static const char *find_program(const char *program) {
    char path[PATH_MAX], real[PATH_MAX];
    bool found = tn_program_search(program, path) && realpath(path, real) != NULL;
    return found ? tn_hipcc_text("%s", real) : NULL;
}

// `given` is a compiler or its folder, or NULL.
static void choose_compiler(struct toolchain *chain, const char *given) {
    const char *wanted = given != NULL ? tn_hipcc_text("%s/g++", given) : getenv("TARN_CXX");
    if (given != NULL && access(wanted, X_OK) != 0) wanted = given;
    if (wanted == NULL || *wanted == '\0')
        wanted = find_program("g++") != NULL       ? "g++"
                 : find_program("clang++") != NULL ? "clang++"
                                                   : "c++";
    char *words = tn_hipcc_text("%s", wanted), *rest = words, *word;
    while ((word = strsep(&rest, " ")) != NULL) {
        if (*word == '\0') continue;
        tn_hipcc_add(&chain->compiler, word);
        const char *file = *word != '-' ? find_program(word) : NULL; // c++ may lead to clang
        chain->is_clang = chain->is_clang || (*word != '-' && strstr(word, "clang") != NULL) ||
                          (file != NULL && strstr(strrchr(file, '/'), "clang") != NULL);
    }
}

static bool find_files(struct toolchain *chain) {
    const struct tn_face *face =
        tn_face_find(tn_hipcc_dialect->face, strlen(tn_hipcc_dialect->face));
    if (!tn_face_folder(face, chain->library))
        return tn_complain("%s is not in %s", face->library, chain->library);
    return tn_face_headers(face, tn_hipcc_dialect->header, chain->include) ||
           tn_complain("%s is not in %s", tn_hipcc_dialect->header, chain->include);
}

// ---- commands

static void add_all(struct tn_hipcc_words *to, const struct tn_hipcc_words *from) {
    if (from->count > 0) tn_hipcc_add_list(to, (const char *const *)(const void *)from->all);
}

// Lets the compiler call a function for each access, and another one for those of volatile memory.
// A vector may contain bytes that the source does not access. GCC calls no function for the accesses of
// memcpy() and the like if it expands them itself.
static void add_hooks(struct tn_hipcc_words *command, bool is_clang) {
    tn_hipcc_add(command, "-DHIP_EXT_KERNEL_RACES=1", "-fsanitize=thread",
                 "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-fno-tree-vectorize");
    if (is_clang)
        tn_hipcc_add(command, "-mllvm", "-tsan-distinguish-volatile=1");
    else
        tn_hipcc_add(command, "--param", "tsan-distinguish-volatile=1", "-fno-builtin-memcpy",
                     "-fno-builtin-memmove", "-fno-builtin-memset", "-fno-builtin-memcmp",
                     "-fsanitize=alignment");
}

// Adds the words of a text, between which are blanks.
static void add_words(struct tn_hipcc_words *to, const char *text) {
    for (char *list = tn_hipcc_text("%s", text), *word; (word = strsep(&list, " ")) != NULL;)
        tn_hipcc_add(to, word);
}

// The functions and variables of devices in one file are unknown to others. A program finds those of a
// module by their names.
static bool is_own(const struct tn_hipcc_options *options) {
    return !options->is_relocatable && !options->is_module;
}

// Names the file and the options in symbols, because two files may have functions of one name.
static void add_unit(struct tn_hipcc_words *command, const struct toolchain *chain,
                     const struct tn_hipcc_options *options, const char *path) {
    uint64_t hash = 0xcbf29ce484222325;
    char real[PATH_MAX];
    if (!is_own(options)) return;
    for (size_t i = 0; i <= options->compile.count; i++) {
        const char *word = i > 0                          ? options->compile.all[i - 1]
                           : realpath(path, real) != NULL ? real
                                                          : path;
        do hash = (hash ^ (unsigned char)*word) * 0x100000001b3;
        while (*word++ != '\0');
    }
    const char *tag = tn_hipcc_text("__attribute__((__abi_tag__(\"u%016" PRIx64 "\")))", hash);
    tn_hipcc_add(command, tn_hipcc_text("-DHIP_EXT_D_=%s", tag),
                 tn_hipcc_text("-DHIP_EXT_T_=%s", chain->is_clang ? tag : "static"));
}

// Begins a compilation with the options that hipcc adds too.
static void add_compile(struct tn_hipcc_words *command, const struct toolchain *chain,
                        const struct tn_hipcc_options *options, bool is_hip) {
    add_all(command, &chain->compiler);
    if (is_hip) {
        add_words(command, tn_hipcc_dialect->defines);
        const char *lanes = tn_hipcc_lanes(options);
        if (lanes != NULL)
            tn_hipcc_add(command, tn_hipcc_text("-DHIP_EXT_WARP_SIZE=%s", lanes),
                         tn_hipcc_text("-D__AMDGCN_WAVEFRONT_SIZE=%s", lanes),
                         tn_hipcc_text("-D__AMDGCN_WAVEFRONT_SIZE__=%s", lanes));
        if (!options->has_standard) tn_hipcc_add(command, "-std=gnu++17");
        if (!chain->is_clang) tn_hipcc_add(command, "-Wno-unknown-pragmas"); // unroll
        if (options->finds_races) add_hooks(command, chain->is_clang);
    }
    if (!options->has_level) tn_hipcc_add(command, options->finds_races ? "-Og" : "-O2");
    if (options->is_module) tn_hipcc_add(command, "-fPIC");
    // Else a name of the program, or of another module, could stand for that of the module.
    if (options->is_module && !chain->is_clang) tn_hipcc_add(command, "-fno-gnu-unique");
    tn_hipcc_add(command, "-pthread");
    add_all(command, &options->compile);
    if (is_hip || tn_hipcc_dialect->is_nvcc) tn_hipcc_add(command, "-isystem", chain->include);
}

static void add_output(struct tn_hipcc_words *command, const struct tn_hipcc_options *options,
                       const char *object) {
    tn_hipcc_add(command, options->mode == TN_HIPCC_LINK ? "-c" : options->mode_word);
    if (options->mode != TN_HIPCC_SYNTAX) tn_hipcc_add(command, "-o", object);
}

static int run(const struct tn_hipcc_words *command, const struct tn_hipcc_options *options) {
    return tn_hipcc_run(command, options->is_dry, options->is_verbose, NULL, NULL);
}

// ---- the steps of a HIP source

// Returns the file for dependencies: that of -MF, or one named like the output.
static const char *depend_file(const struct tn_hipcc_options *options, const char *object) {
    const char *output = options->output != NULL ? options->output : object;
    const char *dot = strrchr(output, '.'), *slash = strrchr(output, '/');
    size_t stem =
        dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - output) : strlen(output);
    for (size_t i = 0; i < options->depend.count; i++)
        if (strncmp(options->depend.all[i], "-MF", 3) == 0)
            return options->depend.all[i][3] != '\0' ? options->depend.all[i] + 3
                                                     : options->depend.all[i + 1];
    return tn_hipcc_text("%.*s.d", (int)stem, output);
}

static void add_depend(struct tn_hipcc_words *command, const struct tn_hipcc_options *options,
                       const char *object, const char *file) {
    if (!options->wants_depend) return;
    add_all(command, &options->depend);
    tn_hipcc_add(command, "-MF", file);
    if (!options->has_depend_target)
        tn_hipcc_add(command, "-MQ", options->output != NULL ? options->output : object);
}

// Adds the dependencies of the host to those of the device. Rules of one target add up.
static bool join_depend(const char *device, const char *host) {
    const char *first = tn_hipcc_read(device), *second = tn_hipcc_read(host);
    if (first == NULL || second == NULL || strcmp(first, second) == 0) return true;
    const char *both = tn_hipcc_text("%s%s", first, second);
    return tn_hipcc_save(device, both, strlen(both));
}

// Explains a failure by the source, which the preprocessor could not read.
static void explain_file(const char *path) {
    const char *text = tn_hipcc_read(path);
    struct tn_cxx_source source;
    if (text == NULL) return;
    if (tn_cxx_lex(&source, text, strlen(text))) tn_hipcc_explain(&source, path);
    tn_cxx_source_end(&source);
}

// Writes dependencies of the object to `depend`.
static int preprocess(const struct toolchain *chain, const struct tn_hipcc_options *options,
                      const char *path, const char *object, const char *depend,
                      const struct tn_hipcc_words *arch, char **text, size_t *bytes) {
    struct tn_hipcc_words command = {.count = 0};
    add_compile(&command, chain, options, true);
    add_unit(&command, chain, options, path);
    add_all(&command, arch);
    add_depend(&command, options, object, depend);
    const char *dot = strrchr(path, '.');
    // AMD's compiler brings the words of device code to sources that include nothing.
    if (!tn_hipcc_dialect->is_nvcc && dot != NULL && strcmp(dot, ".hip") == 0)
        tn_hipcc_add(&command, "-include", tn_hipcc_dialect->header);
    // Both leave macros and blanks as they are.
    if (chain->is_clang)
        tn_hipcc_add(&command, "-w", "-E", "-frewrite-includes");
    else
        tn_hipcc_add(&command, "-E", "-fdirectives-only");
    tn_hipcc_add(&command, "-x", "c++", path);
    int code = tn_hipcc_run(&command, options->is_dry, options->is_verbose, text, bytes);
    if (code != 0) explain_file(path);
    return code;
}

// clang reads the macros and conditions of the text again, but no file that an option includes.
static void add_rewritten(struct tn_hipcc_words *command, bool is_clang) {
    size_t kept = 0;
    if (!is_clang) {
        tn_hipcc_add(command, "-fpreprocessed", "-fdirectives-only");
        return;
    }
    for (size_t i = 0; i < command->count; i++) {
        const char *word = command->all[i];
        bool is_file = strcmp(word, "-include") == 0 || strcmp(word, "-imacros") == 0;
        i += is_file;
        if (!is_file) command->all[kept++] = command->all[i];
    }
    command->count = kept;
    command->all[kept] = NULL;
}

// Returns true if the texts are equal behind the definitions of the macros, and name none of them.
static bool are_equal(const char *device, size_t device_bytes, const char *host, size_t host_bytes,
                      const struct tn_hipcc_words *arch) {
    const char *begin = device;
    for (size_t i = 0; i < arch->count; i++) {
        const char *name = arch->all[i] + 2;
        int bytes = (int)strcspn(name, "=");
        const char *defined = strstr(device, tn_hipcc_text("#define %.*s ", bytes, name));
        if (strstr(host, tn_hipcc_text("%.*s", bytes, name)) != NULL) return false;
        if (defined != NULL && defined > begin) begin = defined;
    }
    size_t common = 0;
    while (common < host_bytes && common < device_bytes &&
           device[device_bytes - common - 1] == host[host_bytes - common - 1])
        common++;
    return begin == device
               ? device_bytes == host_bytes && common == host_bytes
               : common + strcspn(begin, "\n") >= (size_t)(device + device_bytes - begin);
}

// Preprocesses for the device and for the host. `source` gets the text that serves both.
static int read_source(const struct toolchain *chain, const struct tn_hipcc_options *options,
                       const char *path, const char *object, const struct tn_hipcc_words *arch,
                       struct tn_cxx_source *source) {
    char *device = NULL, *host = NULL;
    size_t device_bytes = 0, host_bytes = 0, only = 0;
    const char *depend = depend_file(options, object);
    const char *other_depend = options->wants_depend ? tn_hipcc_temporary("host.d") : NULL;
    int code = preprocess(chain, options, path, object, depend, arch, &device, &device_bytes);
    const struct tn_hipcc_words none = {.count = 0};
    if (code == 0 && !options->is_dry)
        code = preprocess(chain, options, path, object, other_depend, &none, &host, &host_bytes);
    if (code == 0 && other_depend != NULL && !join_depend(depend, other_depend))
        code = TN_EXIT_FAILED;
    if (device != NULL) tn_hipcc_keep(device);
    if (host != NULL) tn_hipcc_keep(host);
    if (code != 0 || options->is_dry) return code;
    if (!tn_cxx_lex(source, device, device_bytes)) tn_hipcc_no_memory();
    if (are_equal(device, device_bytes, host, host_bytes, arch)) return TN_EXIT_OK;
    struct tn_cxx_source other = {.count = 0};
    if (!tn_cxx_lex(&other, host, host_bytes)) tn_hipcc_no_memory();
    char *text = tn_cxx_join(source, &other, arch, &device_bytes, &only);
    if (text == NULL && only == TN_CXX_NONE) tn_hipcc_no_memory();
    if (text == NULL)
        return tn_hipcc_refuse(
            &other, only, path,
            "a macro of the architecture leaves this function to the host alone: "
            "one compilation serves both, so the condition must be in its body");
    tn_cxx_source_end(&other);
    tn_cxx_source_end(source);
    if (!tn_cxx_lex(source, (char *)tn_hipcc_keep(text), device_bytes)) tn_hipcc_no_memory();
    return TN_EXIT_OK;
}

// Refuses a header of AMD's, as one in /usr/include, that has come in because Tarn has none of that name:
// it is of another release.
static int refuse_foreign(const struct tn_cxx_source *source, const char *path) {
    for (size_t i = 0; i < source->origin_count && !tn_hipcc_dialect->is_nvcc; i++) {
        const struct tn_cxx_origin *origin = &source->origins[i];
        const char *file =
            tn_hipcc_text("%.*s", (int)origin->file_bytes, source->text + origin->file);
        const char *folder = strstr(file, "/hip/");
        if (folder == NULL ||
            access(tn_hipcc_text("%.*s/hip/amd_detail", (int)(folder - file) - 1, file + 1),
                   R_OK) != 0)
            continue;
        return tn_hipcc_refuse_at(
            source, origin->file, path,
            tn_hipcc_text("%s is of AMD's HIP, and Tarn has no header of this name", file));
    }
    return TN_EXIT_OK;
}

static int compile_hip(const struct toolchain *chain, const struct tn_hipcc_options *options,
                       const char *path, const char *object) {
    char *plain = tn_hipcc_temporary(tn_hipcc_renamed(path, ".ii"));
    struct tn_cxx_source source = {.count = 0};
    struct tn_hipcc_words command = {.count = 0}, arch = {.count = 0};
    tn_hipcc_add_arch(&arch, options);
    int code = read_source(chain, options, path, object, &arch, &source);
    if (code == 0) code = refuse_foreign(&source, path);
    if (code == 0 && !options->is_dry) {
        size_t bytes;
        char *rewritten = tn_cxx_rewrite(&source, is_own(options), &bytes);
        if (rewritten == NULL) tn_hipcc_no_memory();
        if (!tn_hipcc_save(plain, rewritten, bytes)) code = TN_EXIT_FAILED;
        free(rewritten);
    }
    if (code == 0) {
        add_compile(&command, chain, options, true);
        add_unit(&command, chain, options, path);
        add_all(&command, &arch);
        add_rewritten(&command, chain->is_clang);
        tn_hipcc_add(&command, "-x", "c++", plain);
        add_output(&command, options, object);
        code = run(&command, options);
        if (code != 0 && !options->is_dry) tn_hipcc_explain(&source, path);
    }
    tn_cxx_source_end(&source);
    return code;
}

static int compile_other(const struct toolchain *chain, const struct tn_hipcc_options *options,
                         const struct tn_hipcc_input *input, const char *object) {
    struct tn_hipcc_words command = {.count = 0};
    add_compile(&command, chain, options, false);
    add_all(&command, &options->depend);
    tn_hipcc_add(&command, "-x", input->language, input->path);
    add_output(&command, options, object);
    return run(&command, options);
}

// ---- the command

static const char *name_object(const struct tn_hipcc_options *options, size_t index) {
    const char *path = options->inputs[index].path;
    if (options->mode == TN_HIPCC_LINK)
        return tn_hipcc_temporary(tn_hipcc_text("%zu-%s", index, tn_hipcc_renamed(path, ".o")));
    if (options->output != NULL) return options->output;
    return tn_hipcc_renamed(path, options->mode == TN_HIPCC_ASSEMBLE ? ".s" : ".o");
}

// Compiles the functions that code with hooks calls.
static int compile_hooks(const struct toolchain *chain, const struct tn_hipcc_options *options,
                         const char *object) {
    struct tn_hipcc_words command = {.count = 0};
    add_all(&command, &chain->compiler);
    tn_hipcc_add(&command, "-O2", "-g", "-fPIC", "-fno-omit-frame-pointer", "-x", "c++", "-isystem",
                 chain->include, "-include", tn_hipcc_dialect->launches,
                 tn_hipcc_text("%s/kernel/races.h", chain->include), "-c", "-o", object);
    return run(&command, options);
}

static int link_all(const struct toolchain *chain, const struct tn_hipcc_options *options) {
    struct tn_hipcc_words command = {.count = 0};
    const char *output = options->output;
    char *hooks = options->finds_races ? tn_hipcc_temporary("kernel-races.o") : NULL;
    int code = hooks != NULL ? compile_hooks(chain, options, hooks) : TN_EXIT_OK;
    if (code != TN_EXIT_OK) return code;
    add_all(&command, &chain->compiler);
    // AMD's linker takes a static library before the file that needs it. A group of the program's own
    // excludes another one around it.
    bool is_group = !tn_hipcc_dialect->is_nvcc;
    for (size_t i = 0; i < options->link.count; i++)
        is_group = is_group && strstr(options->link.all[i], "-group") == NULL;
    if (is_group) tn_hipcc_add(&command, "-Wl,--start-group");
    add_all(&command, &options->link);
    if (is_group) tn_hipcc_add(&command, "-Wl,--end-group");
    if (hooks != NULL) tn_hipcc_add(&command, hooks);
    if (options->is_module) {
        tn_hipcc_add(&command, "-shared", "-fPIC", "-Wl,-Bsymbolic");
        if (output == NULL) output = tn_hipcc_renamed(options->inputs[0].path, ".co");
    }
    if (output != NULL) tn_hipcc_add(&command, "-o", output);
    // A module uses the library that its program has loaded.
    if (!options->is_module && !options->no_runtime) {
        tn_hipcc_add(&command, "-L", chain->library);
        add_words(&command, tn_hipcc_dialect->libraries);
        tn_hipcc_add(&command, "-Wl,--enable-new-dtags",
                     tn_hipcc_text("-Wl,-rpath,%s", chain->library));
    }
    tn_hipcc_add(&command, "-pthread");
    return run(&command, options);
}

// The compiler does the rest of its work itself: it preprocesses, or it prints something.
static int hand_over(const struct toolchain *chain, const struct tn_hipcc_options *options) {
    struct tn_hipcc_words command = {.count = 0};
    add_compile(&command, chain, options, options->input_count > 0);
    add_all(&command, &options->depend);
    if (options->mode_word != NULL) tn_hipcc_add(&command, options->mode_word);
    for (size_t i = 0; i < options->input_count; i++) {
        const char *language = options->inputs[i].language;
        bool is_hip = language == NULL || strcmp(language, "hip") == 0;
        tn_hipcc_add(&command, "-x", is_hip ? "c++" : language, options->inputs[i].path);
    }
    if (options->output != NULL) tn_hipcc_add(&command, "-o", options->output);
    return run(&command, options);
}

// Standard input is read several times, so it becomes a file. Errors name it as compilers do.
static const char *save_input(void) {
    const char *text = tn_hipcc_read("/dev/stdin");
    char *path = tn_hipcc_temporary("stdin.hip");
    if (text == NULL) return NULL;
    text = tn_hipcc_text("# 1 \"<stdin>\"\n%s", text);
    return tn_hipcc_save(path, text, strlen(text)) ? path : NULL;
}

static int build(const struct toolchain *chain, struct tn_hipcc_options *options) {
    bool one_output = options->output != NULL && options->mode != TN_HIPCC_LINK;
    if (options->refused != NULL)
        return (int)tn_exit_with(TN_EXIT_FAILED, "%s: Tarn makes no code for a GPU",
                                 options->refused);
    for (size_t i = 0; options->finds_races && i < options->compile.count; i++)
        if (strncmp(options->compile.all[i], "-fsanitize=", 11) == 0 &&
            strstr(options->compile.all[i], "thread") != NULL)
            return (int)tn_exit_with(TN_EXIT_FAILED, "--kernel-races excludes %s",
                                     options->compile.all[i]);
    if (options->input_count == 0 || options->mode == TN_HIPCC_PREPROCESS)
        return hand_over(chain, options);
    if (one_output && options->input_count > 1)
        return (int)tn_exit_with(TN_EXIT_FAILED, "-o %s: several sources have one output",
                                 options->output);
    for (size_t i = 0; i < options->input_count; i++) {
        const struct tn_hipcc_input *input = &options->inputs[i];
        if (input->language == NULL && strcmp(input->path, "-") == 0)
            return (int)tn_exit_with(TN_EXIT_FAILED,
                                     "-: standard input needs a language, such as -x hip");
        if (input->language == NULL) continue;
        const char *object = name_object(options, i), *path = input->path;
        bool is_hip = strcmp(input->language, "hip") == 0;
        if (is_hip && strcmp(path, "-") == 0) {
            tn_hipcc_add(&options->compile, "-iquote", ".");
            path = save_input();
        }
        if (path == NULL) return TN_EXIT_FAILED;
        int code = is_hip ? compile_hip(chain, options, path, object)
                          : compile_other(chain, options, input, object);
        if (code != 0) return code;
        options->link.all[input->link_index] = (char *)(uintptr_t)object;
    }
    return options->mode == TN_HIPCC_LINK ? link_all(chain, options) : TN_EXIT_OK;
}

static int print_version(const struct toolchain *chain) {
    struct tn_hipcc_words command = {.count = 0};
    if (tn_hipcc_dialect->is_nvcc)
        printf("Cuda compilation tools, release 13.0 (tarn %s)\n", tn_arguments_version());
    else
        printf("HIP version: %s (tarn %s)\n", tn_face_hip_release, tn_arguments_version());
    add_all(&command, &chain->compiler);
    tn_hipcc_add(&command, "--version");
    return tn_hipcc_run(&command, false, false, NULL, NULL);
}

static bool defines_level_12(const struct tn_hipcc_words *compile) {
    for (size_t i = 0; i < compile->count; i++) {
        const char *word = compile->all[i];
        if (strcmp(word, "-DTARN_CUDA_LEVEL=12") == 0 ||
            (i > 0 && strcmp(word, "TARN_CUDA_LEVEL=12") == 0 &&
             strcmp(compile->all[i - 1], "-D") == 0))
            return true;
    }
    return false;
}

// The options of a compiler are none of argp's.
static bool is_own_option(const char *word) {
    static const char *const own[] = {"--help", "-h", "-?", "--usage", "-V", "--quiet"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(word, own[i]) == 0) return true;
    return false;
}

static int compile_for(const char *doc, int argc, char **argv) {
    const struct tn_command_line line = {.args_doc = "FILE...", .doc = doc};
    struct tn_hipcc_options options = {.mode = TN_HIPCC_LINK};
    struct toolchain chain = {.is_clang = false};
    int unused = 0;
    if (tn_complete_has_begun() || (argc > 1 && is_own_option(argv[1]))) {
        tn_arguments_parse(&line, argc, argv, 0, &unused);
        return TN_EXIT_OK;
    }
    bool asks_version = argc > 1 && strcmp(argv[1], "--version") == 0;
    if (!asks_version) tn_hipcc_parse(&options, argc, argv);
    if (tn_hipcc_dialect->is_nvcc && defines_level_12(&options.compile))
        tn_hipcc_dialect = &tn_hipcc_of_nvidia_12;
    choose_compiler(&chain, options.compiler);
    if (asks_version) return print_version(&chain);
    return find_files(&chain) ? build(&chain, &options) : TN_EXIT_FAILED;
}

int tn_command_hipcc(int argc, char **argv) { return compile_for(hipcc_doc, argc, argv); }

int tn_command_nvcc(int argc, char **argv) {
    tn_hipcc_dialect = &tn_hipcc_of_nvidia;
    return compile_for(nvcc_doc, argc, argv);
}
