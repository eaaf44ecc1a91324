/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/link.h - links and libraries of device code. Release 7. No device can run device code:
 * links and libraries can be made and ended, but a link cannot be completed, and a library has no
 * kernels.
 */
#ifndef HIP_DETAIL_LINK_H
#define HIP_DETAIL_LINK_H

#include <hip/detail/kernel.h>

typedef struct ihiprtcLinkState *hipLinkState_t;
typedef struct ihipLibrary_t *hipLibrary_t;
typedef struct ihipKernel_t *hipKernel_t;

typedef enum hipJitInputType {
    hipJitInputCubin = 0,
    hipJitInputPtx = 1,
    hipJitInputFatBinary = 2,
    hipJitInputObject = 3,
    hipJitInputLibrary = 4,
    hipJitInputNvvm = 5,
    hipJitNumLegacyInputTypes = 6,
    hipJitInputLLVMBitcode = 100,
    hipJitInputLLVMBundledBitcode = 101,
    hipJitInputLLVMArchivesOfBundledBitcode = 102,
    hipJitInputSpirv = 103
} hipJitInputType;

typedef enum hipLibraryOption {
    hipLibraryHostUniversalFunctionAndDataTable = 0,
    hipLibraryBinaryIsPreserved = 1
} hipLibraryOption;

HIP_EXTERN_C_BEGIN

/*
 * Makes a link. hipErrorInvalidValue: stateOut NULL, a list NULL with options, or an option other
 * than hipJitOptionIRtoISAOptExt and hipJitOptionIRtoISAOptCountExt; hipErrorInvalidConfiguration:
 * an option's value is NULL.
 */
HIP_API hipError_t hipLinkCreate(unsigned int numOptions, hipJitOption *options,
                                 void **optionValues, hipLinkState_t *stateOut);

/*
 * Checks an input, which is not read. Options are ignored. Data: hipErrorInvalidImage: no data;
 * hipErrorInvalidValue: a type other than hipJitInputSpirv; hipErrorInvalidHandle: unknown link.
 * File: hipErrorInvalidHandle: state NULL; hipErrorInvalidValue: another type, or an unknown link;
 * hipErrorInvalidConfiguration: the file cannot be read.
 */
HIP_API hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void *data,
                                  size_t size, const char *name, unsigned int numOptions,
                                  hipJitOption *options, void **optionValues);
HIP_API hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char *path,
                                  unsigned int numOptions, hipJitOption *options,
                                  void **optionValues);

/* Always an error: hipErrorInvalidValue: an output NULL, or an unknown link; else
 * hipErrorInvalidConfiguration. */
HIP_API hipError_t hipLinkComplete(hipLinkState_t state, void **hipBinOut, size_t *sizeOut);

/* Ends a link. hipErrorInvalidValue: unknown link. */
HIP_API hipError_t hipLinkDestroy(hipLinkState_t state);

/*
 * Make a library of code, which hipModuleLoad() describes. Code that is not for this CPU shows when
 * a kernel is asked for. Options of libraries are ignored. hipErrorInvalidValue: a NULL, options for the compiler, or a file that cannot be read.
 */
HIP_API hipError_t hipLibraryLoadData(hipLibrary_t *library, const void *code,
                                      hipJitOption *jitOptions, void **jitOptionsValues,
                                      unsigned int numJitOptions, hipLibraryOption *libraryOptions,
                                      void **libraryOptionValues, unsigned int numLibraryOptions);
HIP_API hipError_t hipLibraryLoadFromFile(hipLibrary_t *library, const char *fileName,
                                          hipJitOption *jitOptions, void **jitOptionsValues,
                                          unsigned int numJitOptions,
                                          hipLibraryOption *libraryOptions,
                                          void **libraryOptionValues,
                                          unsigned int numLibraryOptions);

/* Ends a library. hipErrorInvalidHandle: unknown library. */
HIP_API hipError_t hipLibraryUnload(hipLibrary_t library);

/* Find a kernel, which can be used as a hipFunction_t, and count kernels. hipErrorInvalidValue: a
 * NULL; hipErrorInvalidHandle: unknown library; hipErrorNoBinaryForGpu; hipErrorNotFound. */
HIP_API hipError_t hipLibraryGetKernel(hipKernel_t *pKernel, hipLibrary_t library,
                                       const char *name);
HIP_API hipError_t hipLibraryGetKernelCount(unsigned int *count, hipLibrary_t library);

HIP_EXTERN_C_END
#endif
