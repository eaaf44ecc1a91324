// SPDX-License-Identifier: Apache-2.0
// `tarn run`: starts a program with faces, or with calls that fail, waits for it, and lists the differences
// from the vendor that it touched. One thread.
#include "tools/findings.h"
#include "tools/launch/fidelity.h"
#include "tools/launch/messages.h"
#include "tools/launch/supervise.h"
#include "tools/value.h"

struct run {
    struct tn_launch launch;
    bool fidelity, strict, json;
    struct tn_findings_options reporting;
    const char *accept;
};

enum { FINDINGS = 77, NO_CODE = 256 };

static const char doc[] =
    "Runs PROGRAM with Tarn in place of a vendor's library, or with calls that fail. FACES is a "
    "list, separated by commas, of:" TN_FACE_NAMES ".\v"
    "The folders of the faces are prepended to LD_LIBRARY_PATH. The options set the environment "
    "variables of the faces (TARN_HIP_DEVICE, TARN_HIP_COMPAT, TARN_HIP_SPARSE, TARN_HIP_LOG for "
    "hip; TARN_CUDA_DEVICE, TARN_CUDA_COMPAT, TARN_CUDA_LOG for cuda; TARN_ACL_DEVICE, "
    "TARN_ACL_GENERATION, TARN_ACL_LOG for acl; TARN_HIAI_LOG for hiai). tarn run waits for "
    "PROGRAM, and passes signals on to it.\n"
    "\n"
    "If the program has a DT_RPATH to a vendor's library, it loads that one in spite of the "
    "environment. A warning reports this. `LD_DEBUG=libs PROGRAM` shows the loaded library, "
    "`readelf -d PROGRAM` shows the RPATH, and `chrpath -d` or `patchelf --remove-rpath` removes "
    "it. A RUNPATH has no such effect.\n"
    "\n"
    "The face cuda is preloaded as well, so that it is loaded in spite of an RPATH. It cannot "
    "serve a program that contains NVIDIA's own runtime, which nvcc links by default: tarn run "
    "reports such a program and does not start it. Link it with `nvcc -cudart shared`. Of NVIDIA's "
    "libraries that contain it, such as libcublas.so, a warning reports that their calls fail.\n"
    "\n"
    "With --fidelity, tarn run counts the differences from the vendor that PROGRAM and its "
    "children touch, as docs/differences.md and docs/quirks.md list them, and prints them at the "
    "end with the stack of the first call.\n"
    "\n"
    "Exit status: 77 (--error-exitcode) if --fidelity=strict has rows to print; "
    "otherwise " TN_LAUNCH_EXIT_HELP;

static void parse_fidelity(struct argp_state *state, const struct tn_arg_option *option, char *text,
                           void *input) {
    struct run *run = (struct run *)input;
    (void)option;
    run->fidelity = true;
    run->strict = text != NULL &&
                  tn_choice_parse(state, "--fidelity", "report|strict", text, strlen(text)) == 1;
}

static void parse_accept(struct argp_state *state, const struct tn_arg_option *option, char *text,
                         void *input) {
    for (const char *id = text;; id++) {
        size_t length = strcspn(id, ",");
        if (!tn_fidelity_has(id, length))
            argp_error(state, "--accept: no difference has the id \"%.*s\"", (int)length, id);
        id += length;
        if (*id == '\0') break;
    }
    *(const char **)tn_arg_field(option, input) = text;
}

static const struct tn_arg_option rows[] = {
    {"fidelity", 0, "report|strict",
     "List the differences from the vendor that the program touched; with strict, they are "
     "findings",
     TN_PARSED(struct run, fidelity, parse_fidelity), .is_optional = true},
    {"accept", 0, "IDS", "Do not list these differences, separated by commas",
     TN_PARSED(struct run, accept, parse_accept)},
    TN_JSON_OPTION(struct run,
                   "Print what --fidelity lists as one JSON object, to FILE if it is given"),
    TN_FINDINGS_OPTIONS(struct run, reporting),
    {0},
};

static error_t parse_run(int key, char *text, struct argp_state *state, void *input) {
    struct run *run = (struct run *)input;
    struct tn_launch *launch = &run->launch;
    (void)text;
    if (key == ARGP_KEY_END && (run->json || run->accept != NULL) && !run->fidelity)
        argp_error(state, "--json and --accept belong to --fidelity");
    const struct tn_findings_options *reporting = &run->reporting;
    bool reports = reporting->junit != NULL || reporting->sarif != NULL ||
                   reporting->annotations == TN_ANNOTATIONS_GITHUB || reporting->fail_on_warning ||
                   reporting->exitcode != NO_CODE;
    if (key == ARGP_KEY_END && reports && !run->fidelity)
        argp_error(state, "--junit, --sarif, --annotations, --fail-on-warning and --error-exitcode "
                          "belong to --fidelity");
    if (key == ARGP_KEY_END && launch->face_count == 0 && launch->fail[0] == '\0' &&
        launch->quirks[0] == '\0' && launch->delays[0] == '\0' && launch->machine == NULL &&
        !run->fidelity)
        argp_error(state,
                   "expected --as, --fail, --quirk, --delay, --machine or --fidelity; the faces "
                   "are:" TN_FACE_NAMES);
    return ARGP_ERR_UNKNOWN;
}

int tn_command_run(int argc, char **argv) {
    static const struct tn_command_line line = {
        .options = {rows, parse_run},
        .args_doc = "[--] PROGRAM [ARGUMENT...]",
        .doc = doc,
        .shared = &tn_launch_options,
        .shared_at = offsetof(struct run, launch),
        .words = TN_REST(struct run, launch.command, "a program")};
    static struct run run = {.reporting.exitcode = NO_CODE};
    struct tn_launch *launch = &run.launch;
    pid_t child;
    argp_err_exit_status = TN_LAUNCH_FAILED;
    tn_arguments_parse(&line, argc, argv, ARGP_IN_ORDER, &run);
    if (run.reporting.exitcode == NO_CODE) run.reporting.exitcode = FINDINGS;
    bool strict = run.strict || run.reporting.fail_on_warning;
    bool ready = (!run.fidelity || tn_findings_open(&run.reporting, "run", launch->command)) &&
                 tn_launch_prepare(launch) && (!run.fidelity || tn_fidelity_open());
    int status = ready ? tn_supervise(launch, NULL, &child) : -1;
    if (status < 0) return TN_LAUNCH_FAILED;
    int code = tn_supervise_conclude(launch, status, tn_messages()->loaded, "Tarn had no effect");
    unsigned listed = run.fidelity ? tn_fidelity_print(run.accept, run.json, run.strict) : 0;
    if (run.fidelity && !tn_findings_write()) return TN_LAUNCH_FAILED;
    bool failed = strict && listed > 0 && run.reporting.exitcode != 0;
    return failed ? (int)run.reporting.exitcode : code;
}
