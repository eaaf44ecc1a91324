// SPDX-License-Identifier: Apache-2.0
// `tarn run`: starts a program with faces, or with calls that fail, and waits for it. One thread.
#include "tools/launch/messages.h"
#include "tools/launch/supervise.h"

static const char doc[] =
    "Runs PROGRAM with Tarn in place of a vendor's library, or with calls that fail. FACES is a "
    "list, separated by commas, of:" TN_FACE_NAMES ".\v"
    "The folders of the faces are prepended to LD_LIBRARY_PATH. The options set the environment "
    "variables of the faces (TARN_HIP_DEVICE, TARN_HIP_COMPAT, TARN_HIP_SPARSE, TARN_HIP_LOG for "
    "hip; TARN_CUDA_DEVICE, TARN_CUDA_COMPAT, TARN_CUDA_LOG for cuda; TARN_ACL_DEVICE, "
    "TARN_ACL_GENERATION, TARN_ACL_LOG for acl; TARN_HIAI_LOG for hiai). "
    "tarn run waits for PROGRAM, and passes signals on to it.\n"
    "\n"
    "If the program has a DT_RPATH to a vendor's library, it loads that one in spite of the "
    "environment. A warning reports this. `LD_DEBUG=libs PROGRAM` shows the loaded library, "
    "`readelf -d PROGRAM` shows the RPATH, and `chrpath -d` or `patchelf --remove-rpath` removes "
    "it. A RUNPATH has no such effect.\n"
    "\n"
    "The face cuda is preloaded as well, so that it is loaded in spite of an RPATH. It cannot "
    "serve a program that contains NVIDIA's own runtime, which nvcc links by default: tarn run "
    "reports such a program and does not start it. Link it with `nvcc -cudart shared`.\n"
    "\n"
    "Exit status: " TN_LAUNCH_EXIT_HELP;

static error_t parse_run(int key, char *text, struct argp_state *state, void *input) {
    struct tn_launch *launch = (struct tn_launch *)input;
    (void)text;
    if (key == ARGP_KEY_END && launch->face_count == 0 && launch->fail[0] == '\0' &&
        launch->quirks[0] == '\0' && launch->delays[0] == '\0')
        argp_error(state,
                   "expected --as, --fail, --quirk or --delay; the faces are:" TN_FACE_NAMES);
    else if (!tn_launch_parse_program(launch, key, state))
        return ARGP_ERR_UNKNOWN;
    return 0;
}

int tn_command_run(int argc, char **argv) {
    static const struct tn_command_line line = {.options = {NULL, parse_run},
                                                .args_doc = "[--] PROGRAM [ARGUMENT...]",
                                                .doc = doc,
                                                .shared = &tn_launch_options};
    struct tn_launch launch = {.face_count = 0};
    pid_t child;
    argp_err_exit_status = TN_LAUNCH_FAILED;
    tn_arguments_parse(&line, argc, argv, ARGP_IN_ORDER, &launch);
    int status = tn_launch_prepare(&launch) ? tn_supervise(&launch, NULL, &child) : -1;
    if (status < 0) return TN_LAUNCH_FAILED;
    return tn_supervise_conclude(&launch, status, tn_messages()->loaded, "Tarn had no effect");
}
