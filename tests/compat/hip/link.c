// SPDX-License-Identifier: Apache-2.0
// Links and libraries of device code: they can be made and ended, and no code is found in them.
#include "support/hip.h"

static char code[] = "code";

static void a_link_is_made_and_ended(void **state) {
    hipJitOption option = hipJitOptionIRtoISAOptExt;
    void *value = &option;
    hipLinkState_t link = NULL;
    hipLinkState_t other = NULL;
    void *binary = &link;
    size_t size = 7;
    (void)state;
    assert_hip_ok(hipLinkCreate(0, NULL, NULL, &link));
    assert_hip_ok(hipLinkCreate(1, &option, &value, &other));
    assert_ptr_not_equal(link, other);
    assert_hip_ok(hipLinkAddData(link, hipJitInputSpirv, code, sizeof code, "name", 0, NULL, NULL));
    assert_hip_ok(hipLinkAddFile(link, hipJitInputSpirv, "/dev/null", 0, NULL, NULL));
    assert_hip(hipLinkComplete(link, &binary, &size), hipErrorInvalidConfiguration);
    assert_ptr_equal(binary, &link);
    assert_int_equal(size, 7);
    assert_hip_ok(hipLinkDestroy(link));
    assert_hip_ok(hipLinkDestroy(other));
    assert_hip(hipLinkDestroy(link), hipErrorInvalidValue);
    assert_hip(hipLinkDestroy(NULL), hipErrorInvalidValue);
}

static void bad_links_and_inputs_are_refused(void **state) {
    hipJitOption option = hipJitOptionMaxRegisters;
    void *value = &option;
    hipLinkState_t link = NULL;
    hipLinkState_t dead = (hipLinkState_t)&link;
    size_t size = 7;
    (void)state;
    assert_hip(hipLinkCreate(0, NULL, NULL, NULL), hipErrorInvalidValue);
    assert_hip(hipLinkCreate(1, NULL, &value, &link), hipErrorInvalidValue);
    assert_hip(hipLinkCreate(1, &option, NULL, &link), hipErrorInvalidValue);
    assert_hip(hipLinkCreate(1, &option, &value, &link), hipErrorInvalidValue);
    option = hipJitOptionIRtoISAOptCountExt;
    value = NULL;
    assert_hip(hipLinkCreate(1, &option, &value, &link), hipErrorInvalidConfiguration);
    assert_null(link);
    assert_hip_ok(hipLinkCreate(0, NULL, NULL, &link));
    for (int type = 0; type < 103; type = type == 5 ? 100 : type + 1) {
        assert_hip(hipLinkAddData(link, (hipJitInputType)type, code, 1, NULL, 0, NULL, NULL),
                   hipErrorInvalidValue);
        assert_hip(hipLinkAddFile(link, (hipJitInputType)type, "/dev/null", 0, NULL, NULL),
                   hipErrorInvalidValue);
    }
    assert_hip(hipLinkAddData(link, hipJitInputSpirv, NULL, 1, NULL, 0, NULL, NULL),
               hipErrorInvalidImage);
    assert_hip(hipLinkAddData(link, hipJitInputSpirv, code, 0, NULL, 0, NULL, NULL),
               hipErrorInvalidImage);
    assert_hip(hipLinkAddData(dead, hipJitInputSpirv, code, 1, NULL, 0, NULL, NULL),
               hipErrorInvalidHandle);
    assert_hip(hipLinkAddFile(NULL, hipJitInputSpirv, "/dev/null", 0, NULL, NULL),
               hipErrorInvalidHandle);
    assert_hip(hipLinkAddFile(dead, hipJitInputSpirv, "/dev/null", 0, NULL, NULL),
               hipErrorInvalidValue);
    assert_hip(hipLinkAddFile(link, hipJitInputSpirv, "/no/such", 0, NULL, NULL),
               hipErrorInvalidConfiguration);
    assert_hip(hipLinkComplete(link, NULL, &size), hipErrorInvalidValue);
    assert_hip(hipLinkComplete(dead, &value, &size), hipErrorInvalidValue);
    assert_hip_ok(hipLinkDestroy(link));
}

static void a_library_is_made_and_ended(void **state) {
    hipLibrary_t libraries[2] = {NULL, NULL};
    hipKernel_t kernel = (hipKernel_t)&kernel;
    unsigned count = 7;
    (void)state;
    assert_hip_ok(hipLibraryLoadData(&libraries[0], code, NULL, NULL, 0, NULL, NULL, 0));
    assert_hip_ok(hipLibraryLoadFromFile(&libraries[1], "/dev/null", NULL, NULL, 0, NULL, NULL, 0));
    for (int i = 0; i < 2; i++) {
        assert_hip(hipLibraryGetKernel(&kernel, libraries[i], "k"), hipErrorNoBinaryForGpu);
        assert_hip(hipLibraryGetKernelCount(&count, libraries[i]), hipErrorNoBinaryForGpu);
        assert_hip_ok(hipLibraryUnload(libraries[i]));
        assert_hip(hipLibraryUnload(libraries[i]), hipErrorInvalidHandle);
        assert_hip(hipLibraryGetKernelCount(&count, libraries[i]), hipErrorInvalidHandle);
    }
    assert_ptr_equal(kernel, &kernel);
    assert_int_equal(count, 7);
}

static void bad_libraries_are_refused(void **state) {
    hipJitOption option = hipJitOptionIRtoISAOptExt;
    void *value = &option;
    hipLibrary_t library = NULL;
    hipKernel_t kernel = NULL;
    (void)state;
    assert_hip(hipLibraryLoadData(NULL, code, NULL, NULL, 0, NULL, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipLibraryLoadData(&library, NULL, NULL, NULL, 0, NULL, NULL, 0),
               hipErrorInvalidValue);
    assert_hip(hipLibraryLoadData(&library, code, &option, &value, 1, NULL, NULL, 0),
               hipErrorInvalidValue);
    assert_hip(hipLibraryLoadFromFile(&library, NULL, NULL, NULL, 0, NULL, NULL, 0),
               hipErrorInvalidValue);
    assert_hip(hipLibraryLoadFromFile(&library, "/no/such", NULL, NULL, 0, NULL, NULL, 0),
               hipErrorInvalidValue);
    assert_null(library);
    assert_hip(hipLibraryUnload(NULL), hipErrorInvalidHandle);
    assert_hip_ok(hipLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0));
    assert_hip(hipLibraryGetKernel(NULL, library, "k"), hipErrorInvalidValue);
    assert_hip(hipLibraryGetKernel(&kernel, NULL, "k"), hipErrorInvalidValue);
    assert_hip(hipLibraryGetKernel(&kernel, library, NULL), hipErrorInvalidValue);
    assert_hip(hipLibraryGetKernelCount(NULL, library), hipErrorInvalidValue);
    assert_hip_ok(hipLibraryUnload(library));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_is_made_and_ended),
        cmocka_unit_test(bad_links_and_inputs_are_refused),
        cmocka_unit_test(a_library_is_made_and_ended),
        cmocka_unit_test(bad_libraries_are_refused),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
