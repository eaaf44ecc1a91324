// SPDX-License-Identifier: Apache-2.0
// hiprtc's linker. A link can be created, given inputs and destroyed; completing one fails, because
// no device runs device code. A link has no contents, so any thread may use it.
#include <unistd.h>

#include <hip/hiprtc.h>

#include "compat/face/scope.h"
#include "compat/hip/handle.h"

static bool options_are_valid(unsigned count, const void *options, const void *values) {
    return count == 0 || (options != NULL && values != NULL);
}

hiprtcResult hiprtcLinkCreate(unsigned int num_options, hiprtcJIT_option *option_ptr,
                              void **option_vals_pptr, hiprtcLinkState *hip_link_state_ptr) {
    if (hip_link_state_ptr == NULL || !options_are_valid(num_options, option_ptr, option_vals_pptr))
        return HIPRTC_ERROR_INVALID_INPUT;
    struct tn_face_object *link = tn_hip_empty_new(TN_HIP_LINK);
    if (link == NULL) return HIPRTC_ERROR_OUT_OF_MEMORY;
    *hip_link_state_ptr = (hiprtcLinkState)link->handle;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcLinkDestroy(hiprtcLinkState hip_link_state) {
    return tn_face_handle_end((uintptr_t)hip_link_state, TN_HIP_LINK) ? HIPRTC_SUCCESS
                                                                      : HIPRTC_ERROR_INVALID_INPUT;
}

static bool is_link(hiprtcLinkState state) {
    struct tn_face_object TN_FACE_HELD *link =
        tn_face_handle_get((uintptr_t)state, TN_HIP_LINK); // reports one that has ended
    return link != NULL;
}

static hiprtcResult add_input(hiprtcLinkState state, hiprtcJITInputType kind, bool readable,
                              bool options_valid) {
    bool known = kind >= HIPRTC_JIT_INPUT_LLVM_BITCODE &&
                 kind <= HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE;
    return is_link(state) && known && readable && options_valid ? HIPRTC_SUCCESS
                                                                : HIPRTC_ERROR_INVALID_INPUT;
}

hiprtcResult hiprtcLinkAddFile(hiprtcLinkState hip_link_state, hiprtcJITInputType input_type,
                               const char *file_path, unsigned int num_options,
                               hiprtcJIT_option *options_ptr, void **option_values) {
    return add_input(hip_link_state, input_type, file_path != NULL && access(file_path, R_OK) == 0,
                     options_are_valid(num_options, options_ptr, option_values));
}

hiprtcResult hiprtcLinkAddData(hiprtcLinkState hip_link_state, hiprtcJITInputType input_type,
                               void *image, size_t image_size, const char *name,
                               unsigned int num_options, hiprtcJIT_option *options_ptr,
                               void **option_values) {
    (void)name;
    return add_input(hip_link_state, input_type, image != NULL && image_size > 0,
                     options_are_valid(num_options, options_ptr, option_values));
}

hiprtcResult hiprtcLinkComplete(hiprtcLinkState hip_link_state, void **bin_out, size_t *size_out) {
    return is_link(hip_link_state) && bin_out != NULL && size_out != NULL
               ? HIPRTC_ERROR_LINKING
               : HIPRTC_ERROR_INVALID_INPUT;
}
