// SPDX-License-Identifier: Apache-2.0
// Device code, refused: launching what hipcc compiled, loading code objects, asking about kernels.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <hip/detail/kernel.h>

#include "compat/hip/device_code.h"
#include "compat/hip/face.h"

// ---- launches

static hipError_t no_function(const void *function) {
    const char *name = tn_hip_device_code_name(function);
    if (name != NULL) {
        return tn_hip_fail(hipErrorInvalidDeviceFunction,
                           "kernel %.100s is device code, and there is no device that runs it",
                           name);
    }
    return tn_hip_fail(hipErrorInvalidDeviceFunction,
                       "%p is no kernel that can be launched by its address", function);
}

static hipError_t refuse_function(const void *function, const char *caller) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = no_function(function);
    }
    return tn_hip_leave(error, caller);
}

hipError_t hipLaunchKernel(const void *function_address, dim3 numBlocks, dim3 dimBlocks,
                           void **args, size_t sharedMemBytes, hipStream_t stream) {
    (void)numBlocks;
    (void)dimBlocks;
    (void)args;
    (void)sharedMemBytes;
    (void)stream;
    return refuse_function(function_address, __func__);
}

hipError_t hipLaunchKernel_spt(const void *function_address, dim3 numBlocks, dim3 dimBlocks,
                               void **args, size_t sharedMemBytes, hipStream_t stream) {
    (void)numBlocks;
    (void)dimBlocks;
    (void)args;
    (void)sharedMemBytes;
    (void)stream;
    return refuse_function(function_address, __func__);
}

hipError_t hipExtLaunchKernel(const void *function_address, dim3 numBlocks, dim3 dimBlocks,
                              void **args, size_t sharedMemBytes, hipStream_t stream,
                              hipEvent_t startEvent, hipEvent_t stopEvent, int flags) {
    (void)numBlocks;
    (void)dimBlocks;
    (void)args;
    (void)sharedMemBytes;
    (void)stream;
    (void)startEvent;
    (void)stopEvent;
    (void)flags;
    return refuse_function(function_address, __func__);
}

hipError_t hipLaunchCooperativeKernel(const void *f, dim3 gridDim, dim3 blockDimX,
                                      void **kernelParams, unsigned int sharedMemBytes,
                                      hipStream_t stream) {
    (void)gridDim;
    (void)blockDimX;
    (void)kernelParams;
    (void)sharedMemBytes;
    (void)stream;
    return refuse_function(f, __func__);
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                 unsigned int gridDimZ, unsigned int blockDimX,
                                 unsigned int blockDimY, unsigned int blockDimZ,
                                 unsigned int sharedMemBytes, hipStream_t stream,
                                 void **kernelParams, void **extra) {
    (void)gridDimX;
    (void)gridDimY;
    (void)gridDimZ;
    (void)blockDimX;
    (void)blockDimY;
    (void)blockDimZ;
    (void)sharedMemBytes;
    (void)stream;
    (void)kernelParams;
    (void)extra;
    return refuse_function(f, __func__);
}

// ---- launches in several calls

struct configuration {
    dim3 grid;
    dim3 block;
    size_t shared;
    hipStream_t stream;
};

// Of a thread; made when it first configures a launch, freed when it ends.
#define CONFIGURATIONS 16
struct configurations {
    int count;
    struct configuration of[CONFIGURATIONS];
};
static pthread_key_t configurations;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_key(void) {
    (void)pthread_key_create(&configurations, free);
}

static struct configurations *mine(void) {
    (void)pthread_once(&once, make_key);
    struct configurations *own = (struct configurations *)pthread_getspecific(configurations);
    if (own == NULL) {
        own = (struct configurations *)calloc(1, sizeof *own);
        if (own != NULL && pthread_setspecific(configurations, own) != 0) {
            free(own);
            own = NULL;
        }
    }
    return own;
}

static hipError_t push(const struct configuration *configuration, const char *caller) {
    hipError_t error = tn_hip_enter();
    struct configurations *own = error == hipSuccess ? mine() : NULL;
    if (error == hipSuccess && (own == NULL || own->count == CONFIGURATIONS)) {
        error = tn_hip_fail(hipErrorOutOfMemory, "no room for the configuration of a launch");
    }
    if (error == hipSuccess) {
        own->of[own->count++] = *configuration;
    }
    return tn_hip_leave(error, caller);
}

static hipError_t pop(struct configuration *configuration) {
    struct configurations *own = mine();
    if (own == NULL || own->count == 0) {
        return tn_hip_fail(hipErrorMissingConfiguration, "no launch is configured");
    }
    *configuration = own->of[--own->count];
    return hipSuccess;
}

hipError_t hipConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, hipStream_t stream) {
    return push(&(struct configuration){gridDim, blockDim, sharedMem, stream}, __func__);
}

hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                      hipStream_t stream) {
    return push(&(struct configuration){gridDim, blockDim, sharedMem, stream}, __func__);
}

hipError_t __hipPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem,
                                     hipStream_t *stream) {
    struct configuration configuration = {.shared = 0};
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess &&
        (gridDim == NULL || blockDim == NULL || sharedMem == NULL || stream == NULL)) {
        error = tn_hip_fail(hipErrorInvalidValue, "an output is NULL");
    }
    if (error == hipSuccess) {
        error = pop(&configuration);
    }
    if (error == hipSuccess) {
        *gridDim = configuration.grid;
        *blockDim = configuration.block;
        *sharedMem = configuration.shared;
        *stream = configuration.stream;
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipLaunchByPtr(const void *func) {
    struct configuration configuration = {.shared = 0};
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = pop(&configuration);
    }
    if (error == hipSuccess) {
        error = no_function(func);
    }
    return tn_hip_leave(error, __func__);
}

// ---- about kernels

static hipError_t refuse_question(const void *output, const void *function, const char *caller) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = output == NULL
                    ? tn_hip_fail(hipErrorInvalidValue, "where the answer shall go is NULL")
                    : no_function(function);
    }
    return tn_hip_leave(error, caller);
}

hipError_t hipFuncGetAttributes(hipFuncAttributes *attr, const void *func) {
    return refuse_question(attr, func, __func__);
}

hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attrib, hipFunction_t hfunc) {
    (void)attrib;
    return refuse_question(value, hfunc, __func__);
}

hipError_t hipFuncSetAttribute(const void *func, hipFuncAttribute attr, int value) {
    (void)attr;
    (void)value;
    return refuse_function(func, __func__);
}

hipError_t hipFuncSetCacheConfig(const void *func, hipFuncCache_t config) {
    (void)config;
    return refuse_function(func, __func__);
}

hipError_t hipFuncSetSharedMemConfig(const void *func, hipSharedMemConfig config) {
    (void)config;
    return refuse_function(func, __func__);
}

const char *hipKernelNameRef(const hipFunction_t f) {
    (void)f;
    return NULL;
}

const char *hipKernelNameRefByPtr(const void *hostFunction, hipStream_t stream) {
    (void)stream;
    return tn_hip_device_code_name(hostFunction);
}

// ---- code objects

static hipError_t refuse_code(const void *output, const void *code, const char *path) {
    if (output == NULL || code == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%s is NULL",
                           output == NULL ? "module" : "the code");
    }
    if (path != NULL && access(path, R_OK) != 0) {
        return tn_hip_fail(hipErrorFileNotFound, "%.200s cannot be read", path);
    }
    return tn_hip_fail(hipErrorNoBinaryForGpu, "there is no device that runs device code");
}

hipError_t hipModuleLoad(hipModule_t *module, const char *fname) {
    return TN_HIP_CALL(refuse_code(module, fname, fname));
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
    return TN_HIP_CALL(refuse_code(module, image, NULL));
}

hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int numOptions,
                               hipJitOption *options, void **optionValues) {
    hipError_t error = tn_hip_enter();
    (void)numOptions;
    (void)options;
    (void)optionValues;
    if (error == hipSuccess) {
        error = refuse_code(module, image, NULL);
    }
    return tn_hip_leave(error, __func__);
}

static hipError_t refuse_module(hipModule_t module, const char *caller) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = tn_hip_fail(hipErrorInvalidHandle, "%p is no module", (void *)module);
    }
    return tn_hip_leave(error, caller);
}

hipError_t hipModuleUnload(hipModule_t module) {
    return refuse_module(module, __func__);
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *kname) {
    (void)function;
    (void)kname;
    return refuse_module(module, __func__);
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t *dptr, size_t *bytes, hipModule_t hmod,
                              const char *name) {
    (void)dptr;
    (void)bytes;
    (void)name;
    return refuse_module(hmod, __func__);
}
