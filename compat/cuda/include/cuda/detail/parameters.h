/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/parameters.h - structs of the same members whose types or names differ between the
 * APIs, because the driver takes addresses as numbers. The header that includes this one defines
 * CUDA_PICK_(), which selects the driver or the runtime.
 */
#ifdef CUDA_PICK_

/* The types of each API. */
#define CUDA_ADDRESS_         CUDA_PICK_(CUdeviceptr, void *)
#define CUDA_CONST_ADDRESS_   CUDA_PICK_(CUdeviceptr, const void *)
#define CUDA_UINT64_          CUDA_PICK_(cuuint64_t, unsigned long long)
#define CUDA_SHARE_FLAGS_     CUDA_PICK_(unsigned long long, unsigned)
#define CUDA_FUNCTION_        CUDA_PICK_(CUfunction, const void *)
#define CUDA_LAUNCH_CONFIG_   CUDA_PICK_(CUlaunchConfig, cudaLaunchConfig_t)
#define CUDA_COPY_            CUDA_PICK_(CUDA_MEMCPY3D, cudaMemcpy3DParms)
#define CUDA_PEER_COPY_       CUDA_PICK_(CUDA_MEMCPY3D_PEER, cudaMemcpy3DPeerParms)
#define CUDA_STREAM_CALLBACK_ CUDA_PICK_(CUstreamCallback, cudaStreamCallback_t)
#define CUDA_KERNEL_NODE_     CUDA_PICK_(CUDA_KERNEL_NODE_PARAMS, cudaKernelNodeParams)
#define CUDA_FILL_NODE_       CUDA_PICK_(CUDA_MEMSET_NODE_PARAMS, cudaMemsetParams)
#define CUDA_ALLOC_NODE_      CUDA_PICK_(CUDA_MEM_ALLOC_NODE_PARAMS, cudaMemAllocNodeParams)
#define CUDA_NODE_PARAMS_     CUDA_PICK_(CUgraphNodeParams, cudaGraphNodeParams)
#define CUDA_INSTANTIATE_     CUDA_PICK_(CUDA_GRAPH_INSTANTIATE_PARAMS, cudaGraphInstantiateParams)

typedef struct CUDA_PICK_(CUmemcpy3DOperand_st, cudaMemcpy3DOperand) {
    CUmemcpy3DOperandType type;
    union {
        struct {
            CUDA_ADDRESS_ ptr;
            size_t rowLength, layerHeight;
            CUmemLocation locHint;
        } ptr;
        struct {
            CUarray array;
            CUoffset3D offset;
        } array;
    } op;
} CUDA_PICK_(CUmemcpy3DOperand, cudaMemcpy3DOperand);

typedef struct CUDA_PICK_(CUDA_MEMCPY3D_BATCH_OP_st, cudaMemcpy3DBatchOp) {
    CUDA_PICK_(CUmemcpy3DOperand, cudaMemcpy3DOperand) src, dst;
    CUextent3D extent;
    CUmemcpySrcAccessOrder srcAccessOrder;
    unsigned flags;
} CUDA_PICK_(CUDA_MEMCPY3D_BATCH_OP, cudaMemcpy3DBatchOp);

typedef struct CUDA_PICK_(CUlaunchAttribute_st, cudaLaunchAttribute_st) {
    CUlaunchAttributeID id;
    char pad[8 - sizeof(CUlaunchAttributeID)];
    CUlaunchAttributeValue CUDA_PICK_(value, val);
} CUDA_PICK_(CUlaunchAttribute, cudaLaunchAttribute);

typedef struct CUDA_PICK_(CUDA_MEMSET_NODE_PARAMS_st, cudaMemsetParams) {
    CUDA_ADDRESS_ dst;
    size_t pitch; /* unused if height is 1 */
    unsigned value;
    unsigned elementSize; /* 1, 2 or 4 */
    size_t width;         /* elements */
    size_t height;
} CUDA_FILL_NODE_;

/* The address is an output: the same at each launch. */
typedef struct CUDA_PICK_(CUDA_MEM_ALLOC_NODE_PARAMS_v2_st, cudaMemAllocNodeParams) {
    CUmemPoolProps poolProps;
    const CUmemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    CUDA_ADDRESS_ dptr;
} CUDA_ALLOC_NODE_, CUDA_PICK_(CUDA_MEM_ALLOC_NODE_PARAMS_v2, cudaMemAllocNodeParamsV2);

typedef struct CUDA_PICK_(CUDA_MEM_FREE_NODE_PARAMS_st, cudaMemFreeNodeParams) {
    CUDA_ADDRESS_ dptr;
} CUDA_PICK_(CUDA_MEM_FREE_NODE_PARAMS, cudaMemFreeNodeParams);

typedef struct CUDA_PICK_(CUDA_GRAPH_INSTANTIATE_PARAMS_st, cudaGraphInstantiateParams_st) {
    CUDA_UINT64_ flags;
    CUstream CUDA_PICK_(hUploadStream, uploadStream);
    CUgraphNode CUDA_PICK_(hErrNode_out, errNode_out);
    CUgraphInstantiateResult result_out;
} CUDA_INSTANTIATE_;

/* Any node: the type selects the member. Reserved members are zero. */
typedef struct CUDA_PICK_(CUgraphNodeParams_st, cudaGraphNodeParams) {
    CUgraphNodeType type;
    int reserved0[3];
    __extension__ union {
        long long reserved1[29];
        CUDA_KERNEL_NODE_ kernel;
        CUDA_PICK_(CUDA_MEMCPY_NODE_PARAMS, cudaMemcpyNodeParams) memcpy;
        CUDA_PICK_(CUDA_MEMSET_NODE_PARAMS_v2, cudaMemsetParams) memset;
        CUDA_HOST_NODE_PARAMS host;
        CUDA_CHILD_GRAPH_NODE_PARAMS graph;
        CUDA_EVENT_WAIT_NODE_PARAMS eventWait;
        CUDA_EVENT_RECORD_NODE_PARAMS eventRecord;
        CUDA_ALLOC_NODE_ alloc;
        CUDA_PICK_(CUDA_MEM_FREE_NODE_PARAMS, cudaMemFreeNodeParams) free;
        CUDA_PICK_(CUDA_BATCH_MEM_OP_NODE_PARAMS memOp;, )
    };
    long long reserved2;
} CUDA_NODE_PARAMS_;

#undef CUDA_PICK_
#endif
