// SPDX-License-Identifier: Apache-2.0
// Finds the vendor of a recording; see vendor.h. PyTorch calls the devices of AMD "cuda" as well,
// so that word of Python's is no evidence.
#include "trace/study/vendor.h"

struct evidence {
    const char *text;
    enum tn_vendor vendor;
};

// Settings that only one build of PyTorch has.
static const struct evidence settings[] = {
    {"PYTORCH_NPU_ALLOC_CONF", TN_VENDOR_ASCEND},
    {"pinned_use_hip_host_register", TN_VENDOR_AMD},
    {"pinned_use_cuda_host_register", TN_VENDOR_NVIDIA},
};

// Parts of the names of functions and files.
static const struct evidence calls[] = {
    {"c10_npu::", TN_VENDOR_ASCEND},   {"NPUCachingAllocator", TN_VENDOR_ASCEND},
    {"torch_npu/", TN_VENDOR_ASCEND},  {"aclrtMalloc", TN_VENDOR_ASCEND},
    {"c10::hip::", TN_VENDOR_AMD},     {"HIPCachingAllocator", TN_VENDOR_AMD},
    {"at::hip::", TN_VENDOR_AMD},      {"hipMalloc", TN_VENDOR_AMD},
    {"c10::cuda::", TN_VENDOR_NVIDIA}, {"CUDACachingAllocator", TN_VENDOR_NVIDIA},
    {"at::cuda::", TN_VENDOR_NVIDIA},  {"cudaMalloc", TN_VENDOR_NVIDIA},
};

static enum tn_vendor vendor_of_format(const struct tn_trace *trace) {
    switch (trace->origin) {
    case TN_TRACE_NSYS:
    case TN_TRACE_RMM: return TN_VENDOR_NVIDIA;
    case TN_TRACE_ROCPROF: return TN_VENDOR_AMD;
    case TN_TRACE_MEMSCOPE:
    case TN_TRACE_NPU_PROFILER: return TN_VENDOR_ASCEND;
    default: return trace->by_npu ? TN_VENDOR_ASCEND : TN_VENDORS;
    }
}

enum tn_vendor tn_vendor_find(const struct tn_trace *trace) {
    enum tn_vendor vendor = vendor_of_format(trace);
    for (size_t i = 0; vendor == TN_VENDORS && i < sizeof settings / sizeof *settings; i++)
        if (tn_trace_setting(trace, settings[i].text) != NULL) vendor = settings[i].vendor;
    for (size_t i = 0; vendor == TN_VENDORS && i < sizeof calls / sizeof *calls; i++)
        if (tn_trace_mentions(trace, calls[i].text)) vendor = calls[i].vendor;
    return vendor;
}

const char *tn_vendor_name(enum tn_vendor vendor) {
    static const char *const names[TN_VENDORS + 1] = {TN_VENDOR_LIST(TN_TEXT_OF)};
    return names[vendor];
}
