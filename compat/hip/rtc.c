// SPDX-License-Identifier: Apache-2.0
// hiprtc: compiles with `tarn hipcc`, which makes modules for this CPU. Without it, or without a C++ compiler,
// a compilation fails and its log gives the reason. There is no bit code.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hiprtc.h>

#include "compat/face/scope.h"
#include "compat/hip/compile.h"
#include "compat/hip/handle.h"
#include "compat/runtime/code/image.h"

// The version that HIP returns for its compiler in all releases.
#define MAJOR 9
#define MINOR 0

// A name that the program asks for, and what the linker calls it after a compilation.
struct expression {
    char *text;
    char *lowered;
};

struct program {
    struct tn_face_object object;
    pthread_mutex_t lock; // guards the rest
    char *source, *name;
    struct tn_hip_text *headers;
    size_t header_count;
    struct expression *expressions;
    size_t expression_count;
    bool tried; // a compilation was tried
    char *log;
    char *code; // NULL: it failed
    size_t code_bytes;
};

const char *hiprtcGetErrorString(hiprtcResult result) {
    switch (result) {
#define NAME(name, value)                                                                          \
    case name: return #name;
        HIPRTC_RESULT_LIST(NAME)
#undef NAME
    }
    return "Invalid HIPRTC error code";
}

hiprtcResult hiprtcVersion(int *major, int *minor) {
    if (major == NULL || minor == NULL) return HIPRTC_ERROR_INVALID_INPUT;
    *major = MAJOR;
    *minor = MINOR;
    return HIPRTC_SUCCESS;
}

static void destroy_program(struct tn_face_object *object) {
    struct program *program = (struct program *)object;
    for (size_t i = 0; i < program->header_count; i++) {
        free(program->headers[i].name);
        free(program->headers[i].text);
    }
    for (size_t i = 0; i < program->expression_count; i++) {
        free(program->expressions[i].text);
        free(program->expressions[i].lowered);
    }
    free(program->headers);
    free(program->expressions);
    free(program->source);
    free(program->name);
    free(program->log);
    free(program->code);
    free(program);
}

static struct program *get_program(hiprtcProgram handle) {
    return (struct program *)tn_face_handle_get((uintptr_t)handle, TN_HIP_PROGRAM);
}

// Copies the texts. Returns false without host memory; destroy_program() frees what there is.
static bool fill_program(struct program *program, const char *src, const char *name, size_t count,
                         const char **headers, const char **names) {
    program->source = strdup(src);
    program->name = strdup(name != NULL ? name : "CompileSource");
    program->headers = (struct tn_hip_text *)calloc(count + 1, sizeof *program->headers);
    if (program->source == NULL || program->name == NULL || program->headers == NULL) return false;
    for (; program->header_count < count; program->header_count++) {
        struct tn_hip_text *header = &program->headers[program->header_count];
        *header = (struct tn_hip_text){strdup(names[program->header_count]),
                                       strdup(headers[program->header_count])};
        if (header->name == NULL || header->text == NULL) return false;
    }
    return true;
}

static bool has_null(size_t count, const char *const *list) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == NULL) return true;
    return false;
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram *prog, const char *src, const char *name,
                                 int numHeaders, const char **headers, const char **includeNames) {
    if (prog == NULL || src == NULL || numHeaders < 0 ||
        (numHeaders > 0 &&
         (headers == NULL || includeNames == NULL || has_null((size_t)numHeaders, headers) ||
          has_null((size_t)numHeaders, includeNames))))
        return HIPRTC_ERROR_INVALID_INPUT;
    struct program *program = (struct program *)calloc(1, sizeof *program);
    if (program == NULL) return HIPRTC_ERROR_OUT_OF_MEMORY;
    (void)pthread_mutex_init(&program->lock, NULL);
    if (!fill_program(program, src, name, (size_t)numHeaders, headers, includeNames) ||
        !tn_face_handle_new(&program->object, TN_HIP_PROGRAM, destroy_program)) {
        destroy_program(&program->object);
        return HIPRTC_ERROR_OUT_OF_MEMORY;
    }
    *prog = (hiprtcProgram)program->object.handle;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram *prog) {
    if (prog == NULL) return HIPRTC_ERROR_INVALID_INPUT;
    struct tn_face_object *object = tn_face_handle_close((uintptr_t)*prog, TN_HIP_PROGRAM);
    if (object == NULL) return HIPRTC_ERROR_INVALID_PROGRAM;
    tn_face_object_put(object);
    *prog = NULL;
    return HIPRTC_SUCCESS;
}

// ---- compilation

// Returns the text for the compiler. The address of each name that the program asks for is in a variable, so
// that templates are instantiated and that the linker's name can be found.
static char *complete_source(const struct program *program) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL) return NULL;
    fprintf(out, "#line 1 \"%s\"\n%s\n", program->name, program->source);
    for (size_t i = 0; i < program->expression_count; i++) {
        const char *expression = program->expressions[i].text;
        expression += strspn(expression, " \t&");
        fprintf(out,
                "#line 1 \"name expression\"\nextern \"C\" { __attribute__((used)) const void *"
                "tarn_hip_name_%zu = (const void *)(&%s); }\n",
                i, expression);
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

// Returns the name by which the linker knows what the variable of an expression points to.
static char *find_lowered(const struct tn_rt_image *code, size_t index, const char *expression) {
    char variable[64];
    Dl_info info;
    (void)snprintf(variable, sizeof variable, "tarn_hip_name_%zu", index);
    void *const *address = (void *const *)dlsym(code->library, variable);
    bool is_named = address != NULL && dladdr(*address, &info) != 0 && info.dli_saddr == *address;
    return strdup(is_named ? info.dli_sname : expression);
}

static hiprtcResult lower_names(struct program *program) {
    struct tn_rt_image code = {.shared = NULL};
    if (program->expression_count == 0) return HIPRTC_SUCCESS;
    if (tn_rt_image_open(program->code, &code) != TN_RT_OK) return HIPRTC_ERROR_INTERNAL_ERROR;
    hiprtcResult result = HIPRTC_SUCCESS;
    for (size_t i = 0; i < program->expression_count; i++) {
        struct expression *expression = &program->expressions[i];
        free(expression->lowered);
        expression->lowered = find_lowered(&code, i, expression->text);
        if (expression->lowered == NULL) result = HIPRTC_ERROR_OUT_OF_MEMORY;
    }
    tn_rt_image_close(&code);
    return result;
}

static hiprtcResult compile(struct program *program, size_t count, const char *const *options) {
    TN_FACE_LOCKED(&program->lock);
    char *source = complete_source(program);
    struct tn_hip_compilation compilation = {.source = source,
                                             .headers = program->headers,
                                             .header_count = program->header_count,
                                             .options = options,
                                             .option_count = count};
    if (source == NULL) return HIPRTC_ERROR_OUT_OF_MEMORY;
    bool is_compiled = tn_hip_compile(&compilation);
    free(source);
    free(program->log);
    free(program->code);
    program->tried = true;
    program->log = compilation.log;
    program->code = is_compiled ? compilation.code : NULL;
    program->code_bytes = compilation.code_bytes;
    if (is_compiled) return lower_names(program);
    free(compilation.code);
    return compilation.log != NULL ? HIPRTC_ERROR_COMPILATION : HIPRTC_ERROR_OUT_OF_MEMORY;
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram prog, int numOptions, const char **options) {
    struct program TN_FACE_HELD *program = get_program(prog);
    if (program == NULL) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (numOptions < 0 ||
        (numOptions > 0 && (options == NULL || has_null((size_t)numOptions, options))))
        return HIPRTC_ERROR_INVALID_INPUT;
    return compile(program, (size_t)numOptions, options);
}

// ---- queries

// The next functions begin with this: the program and an output that is not NULL.
#define GET_PROGRAM(prog, output)                                                                  \
    struct program TN_FACE_HELD *program = get_program(prog);                                      \
    if (program == NULL) return HIPRTC_ERROR_INVALID_PROGRAM;                                      \
    if ((output) == NULL) return HIPRTC_ERROR_INVALID_INPUT;                                       \
    TN_FACE_LOCKED(&program->lock)

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram prog, size_t *logSizeRet) {
    GET_PROGRAM(prog, logSizeRet);
    *logSizeRet = program->log != NULL ? strlen(program->log) + 1 : 1;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram prog, char *log) {
    GET_PROGRAM(prog, log);
    strcpy(log, program->log != NULL ? program->log : "");
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram prog, size_t *codeSizeRet) {
    GET_PROGRAM(prog, codeSizeRet);
    if (program->code == NULL) return HIPRTC_ERROR_INVALID_PROGRAM;
    *codeSizeRet = program->code_bytes;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetCode(hiprtcProgram prog, char *code) {
    GET_PROGRAM(prog, code);
    if (program->code == NULL) return HIPRTC_ERROR_INVALID_PROGRAM;
    memcpy(code, program->code, program->code_bytes);
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram prog, const char *name_expression) {
    GET_PROGRAM(prog, name_expression);
    if (program->tried) return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    struct expression *grown = (struct expression *)reallocarray(
        program->expressions, program->expression_count + 1, sizeof *grown);
    if (grown == NULL) return HIPRTC_ERROR_OUT_OF_MEMORY;
    program->expressions = grown;
    grown[program->expression_count] = (struct expression){strdup(name_expression), NULL};
    if (grown[program->expression_count].text == NULL) return HIPRTC_ERROR_OUT_OF_MEMORY;
    program->expression_count++;
    return HIPRTC_SUCCESS;
}

// The name lives as long as the program.
hiprtcResult hiprtcGetLoweredName(hiprtcProgram prog, const char *name_expression,
                                  const char **lowered_name) {
    GET_PROGRAM(prog, name_expression != NULL ? lowered_name : NULL);
    if (program->code == NULL) return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (size_t i = 0; i < program->expression_count; i++) {
        if (strcmp(program->expressions[i].text, name_expression) != 0) continue;
        *lowered_name = program->expressions[i].lowered;
        return HIPRTC_SUCCESS;
    }
    return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

hiprtcResult hiprtcGetBitcode(hiprtcProgram prog, char *bitcode) {
    (void)prog;
    return bitcode != NULL ? HIPRTC_ERROR_INVALID_PROGRAM : HIPRTC_ERROR_INVALID_INPUT;
}

hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram prog, size_t *bitcode_size) {
    (void)prog;
    return bitcode_size != NULL ? HIPRTC_ERROR_INVALID_PROGRAM : HIPRTC_ERROR_INVALID_INPUT;
}
