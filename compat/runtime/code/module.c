// SPDX-License-Identifier: Apache-2.0
// See module.h.
#include "compat/runtime/code/module.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "compat/face/scope.h"
#include "compat/runtime/code/host_kernel.h"
#include "compat/runtime/code/image.h"
#include "compat/runtime/code/policy.h"

struct module {
    struct tn_face_object object;
    struct tn_rt_image code;
    bool is_loaded;
};

static void destroy_module(struct tn_face_object *object) {
    struct module *module = (struct module *)object;
    if (module->is_loaded) tn_rt_image_close(&module->code);
    free(module);
}

tn_rt_error tn_rt_module_load(void *out, enum tn_rt_kind kind, const char *path,
                              const void *image) {
    TN_RT_TRY(tn_rt_check_pointer(out, "the output"));
    TN_RT_TRY(tn_rt_check_pointer(path != NULL ? path : image, "the code"));
    struct module *module = (struct module *)calloc(1, sizeof *module);
    TN_RT_REFUSE(module == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a module");
    tn_rt_error error = path != NULL ? tn_rt_image_load(path, &module->code)
                                     : tn_rt_image_open(image, &module->code);
    module->is_loaded = error == TN_RT_OK;
    bool may_wait = kind == TN_RT_LIBRARY && tn_rt_code_policy.libraries_load_late;
    if (!module->is_loaded && !may_wait) {
        free(module);
        return error;
    }
    if (!tn_face_handle_new(&module->object, (int)kind, destroy_module)) {
        destroy_module(&module->object);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a module");
    }
    tn_rt_give(out, module->object.handle);
    return TN_RT_OK;
}

static tn_rt_error no_module(const void *module, enum tn_rt_kind kind) {
    return tn_rt_fail(TN_RT_INVALID_HANDLE, "%p is not a %s", module,
                      kind == TN_RT_LIBRARY ? "library" : "module");
}

tn_rt_error tn_rt_module_unload(void *module, enum tn_rt_kind kind) {
    return tn_face_handle_end((uintptr_t)module, (int)kind) ? TN_RT_OK : no_module(module, kind);
}

// Returns the module of a handle, with a reference, in *own.
static tn_rt_error get_module(void *handle, enum tn_rt_kind kind, struct module **own) {
    *own = (struct module *)tn_face_handle_get((uintptr_t)handle, (int)kind);
    if (*own == NULL) return no_module(handle, kind);
    return (*own)->is_loaded
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_NO_BINARY, "the code of the library is not for this CPU");
}

tn_rt_error tn_rt_module_kernel(void *out, void *module, enum tn_rt_kind kind, const char *name) {
    TN_RT_TRY(tn_rt_check_pointer(out, "the output"));
    TN_RT_TRY(tn_rt_check_pointer(name, "name"));
    TN_RT_GET(module, own, get_module(module, kind, &own));
    return tn_rt_image_kernel(&own->code, name, out);
}

tn_rt_error tn_rt_module_count(unsigned *count, void *module, enum tn_rt_kind kind) {
    TN_RT_GET(module, own, get_module(module, kind, &own));
    TN_RT_TRY(tn_rt_check_pointer(count, "count"));
    *count = tn_rt_host_kernel_list(own->code.base, NULL, 0);
    return TN_RT_OK;
}

tn_rt_error tn_rt_module_list(void *out, unsigned count, void *module, enum tn_rt_kind kind) {
    TN_RT_TRY(tn_rt_check_pointer(count > 0 ? out : "", "the output"));
    TN_RT_GET(module, own, get_module(module, kind, &own));
    (void)tn_rt_host_kernel_list(own->code.base, (const void **)out, count);
    return TN_RT_OK;
}

tn_rt_error tn_rt_module_variable(void **address, size_t *bytes, void *module, enum tn_rt_kind kind,
                                  const char *name) {
    TN_RT_GET(module, own, get_module(module, kind, &own));
    TN_RT_TRY(tn_rt_check_pointer(name, "name"));
    return tn_rt_image_variable(&own->code, name, address, bytes);
}

static bool is_at(const struct tn_face_object *object, const void *base) {
    const struct module *module = (const struct module *)object;
    return module->is_loaded && module->code.base == base;
}

tn_rt_error tn_rt_module_of(void *out, const void *function) {
    const struct tn_rt_host_kernel *kernel = NULL;
    uint32_t cursor = 0;
    Dl_info info;
    TN_RT_TRY(tn_rt_check_pointer(out, "the output"));
    TN_RT_TRY(tn_rt_host_kernel_get(function, &kernel));
    if (dladdr(kernel->function, &info) == 0) info.dli_fbase = NULL;
    struct module TN_FACE_HELD *module =
        (struct module *)tn_face_handle_next(TN_RT_MODULE, is_at, info.dli_fbase, &cursor);
    TN_RT_REFUSE(module == NULL, TN_RT_NOT_SUPPORTED, "%s is the program's own, not of a module",
                 kernel->name);
    tn_rt_give(out, module->object.handle);
    return TN_RT_OK;
}
