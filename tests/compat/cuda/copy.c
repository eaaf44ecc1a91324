// SPDX-License-Identifier: Apache-2.0
// Copies: rows, rows with a pitch, boxes, between devices, and lists of copies, by both APIs.
#include "support/cuda.h"

enum { PITCH = 512, HEIGHT = 4, SLICES = 2, BYTES = PITCH * HEIGHT * SLICES };

static CUdeviceptr here, there, other; // two blocks of device 0, and one of device 1
static unsigned char sent[BYTES], got[BYTES];

static void *pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

// Device memory `from` has numbers, the others zeros.
static void begin_copy(void) {
    for (size_t i = 0; i < BYTES; i++) sent[i] = (unsigned char)(i % 251);
    memset(got, 0, BYTES);
    assert_cu_ok(cuMemcpyHtoD(here, sent, BYTES));
    assert_cu_ok(cuMemsetD8(there, 0, BYTES));
    assert_cu_ok(cuMemsetD8(other, 0, BYTES));
}

// The bytes at `from` are those that were sent in `rows` rows of `width` bytes of each of `slices`
// slices, and zeros elsewhere.
static void end_copy(CUdeviceptr from, size_t width, size_t rows, size_t slices) {
    assert_cu_ok(cuCtxSynchronize());
    assert_cu_ok(cuMemcpyDtoH(got, from, BYTES));
    for (size_t i = 0; i < BYTES; i++) {
        size_t row = i / PITCH;
        bool copied = i % PITCH < width && row % HEIGHT < rows && row / HEIGHT < slices;
        assert_int_equal(got[i], copied ? sent[i] : 0);
    }
}

static void the_driver_names_the_direction(void **state) {
    unsigned char back[64] = "";
    (void)state;
    for (int async = 0; async < 2; async++) {
        begin_copy();
        assert_cu_ok(async ? cuMemcpyDtoDAsync(there, here, PITCH, NULL)
                           : cuMemcpyDtoD(there, here, PITCH));
        end_copy(there, PITCH, 1, 1);
        assert_cu_ok(async ? cuMemcpyHtoDAsync(there, sent + 64, 64, NULL)
                           : cuMemcpyHtoD(there, sent + 64, 64));
        assert_cu_ok(async ? cuMemcpyDtoHAsync(back, there, 64, NULL)
                           : cuMemcpyDtoH(back, there, 64));
        assert_cu_ok(cuCtxSynchronize());
        assert_memory_equal(back, sent + 64, 64);
    }
    assert_cu(cuMemcpyDtoD(there, (CUdeviceptr)(uintptr_t)sent, 64), 1);
    assert_cu(cuMemcpyHtoDAsync((CUdeviceptr)(uintptr_t)back, sent, 64, NULL), 1);
}

static void addresses_decide_the_direction(void **state) {
    (void)state;
    begin_copy();
    assert_cu_ok(cuMemcpyAsync(there, here, PITCH, NULL));
    end_copy(there, PITCH, 1, 1);
    begin_copy();
    assert_cuda_ok(cudaMemcpyAsync(pointer(there), sent, PITCH, cudaMemcpyDefault, NULL));
    end_copy(there, PITCH, 1, 1);
}

static void copies_go_to_another_device(void **state) {
    CUcontext first = NULL, second = NULL;
    const int last = cuda_last_device();
    (void)state;
    assert_cu_ok(cuDevicePrimaryCtxRetain(&first, 0));
    assert_cu_ok(cuDevicePrimaryCtxRetain(&second, last));
    for (int async = 0; async < 2; async++) {
        begin_copy();
        assert_cu_ok(async ? cuMemcpyPeerAsync(other, second, here, first, PITCH, NULL)
                           : cuMemcpyPeer(other, second, here, first, PITCH));
        end_copy(other, PITCH, 1, 1);
        begin_copy();
        assert_cuda_ok(
            async ? cudaMemcpyPeerAsync(pointer(other), last, pointer(here), 0, PITCH, NULL)
                  : cudaMemcpyPeer(pointer(other), last, pointer(here), 0, PITCH));
        end_copy(other, PITCH, 1, 1);
    }
    assert_cuda(cudaMemcpyPeer(pointer(other), 7, pointer(here), 0, PITCH), 101);
    assert_cu_ok(cuDevicePrimaryCtxRelease(last));
    assert_cu_ok(cuDevicePrimaryCtxRelease(0));
    (void)cudaGetLastError();
}

static void rows_have_a_pitch(void **state) {
    CUDA_MEMCPY2D rect = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = here,
                          .srcPitch = PITCH,
                          .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                          .dstDevice = there,
                          .dstPitch = PITCH,
                          .WidthInBytes = 100,
                          .Height = 3};
    (void)state;
    begin_copy();
    assert_cu_ok(cuMemcpy2D(&rect));
    end_copy(there, 100, 3, 1);
    begin_copy();
    assert_cu_ok(cuMemcpy2DUnaligned(&rect));
    end_copy(there, 100, 3, 1);
    begin_copy();
    assert_cu_ok(cuMemcpy2DAsync(&rect, NULL));
    end_copy(there, 100, 3, 1);
    rect.dstPitch = 99;
    assert_cu(cuMemcpy2D(&rect), 1);
    begin_copy();
    assert_cuda_ok(cudaMemcpy2D(pointer(there), PITCH, pointer(here), PITCH, 100, 3,
                                cudaMemcpyDeviceToDevice));
    end_copy(there, 100, 3, 1);
    begin_copy();
    assert_cuda_ok(cudaMemcpy2DAsync(pointer(there), PITCH, sent, PITCH, 100, 3,
                                     cudaMemcpyHostToDevice, NULL));
    end_copy(there, 100, 3, 1);
    assert_cuda(cudaMemcpy2D(pointer(there), 99, sent, PITCH, 100, 3, cudaMemcpyHostToDevice), 12);
    (void)cudaGetLastError();
}

static void boxes_have_slices(void **state) {
    const CUDA_MEMCPY3D box = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                               .srcHost = sent,
                               .srcPitch = PITCH,
                               .srcHeight = HEIGHT,
                               .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                               .dstDevice = there,
                               .dstPitch = PITCH,
                               .dstHeight = HEIGHT,
                               .WidthInBytes = 100,
                               .Height = 3,
                               .Depth = 2};
    struct cudaMemcpy3DParms params = {.srcPtr = {pointer(here), PITCH, PITCH, HEIGHT},
                                       .dstPtr = {pointer(there), PITCH, PITCH, HEIGHT},
                                       .extent = {100, 3, 2},
                                       .kind = cudaMemcpyDeviceToDevice};
    struct cudaMemcpy3DPeerParms peers = {.srcPtr = {pointer(here), PITCH, PITCH, HEIGHT},
                                          .dstPtr = {pointer(other), PITCH, PITCH, HEIGHT},
                                          .dstDevice = cuda_last_device(),
                                          .extent = {100, 3, 2}};
    (void)state;
    for (int async = 0; async < 2; async++) {
        begin_copy();
        assert_cu_ok(async ? cuMemcpy3DAsync(&box, NULL) : cuMemcpy3D(&box));
        end_copy(there, 100, 3, 2);
        begin_copy();
        assert_cuda_ok(async ? cudaMemcpy3DAsync(&params, NULL) : cudaMemcpy3D(&params));
        end_copy(there, 100, 3, 2);
        begin_copy();
        assert_cuda_ok(async ? cudaMemcpy3DPeerAsync(&peers, NULL) : cudaMemcpy3DPeer(&peers));
        end_copy(other, 100, 3, 2);
    }
}

static void a_list_of_copies_is_one_call(void **state) {
    CUdeviceptr dsts[] = {there, there + PITCH}, srcs[] = {here, here + PITCH};
    void *const to[] = {pointer(there), pointer(there + PITCH)};
    const void *const from[] = {pointer(here), pointer(here + PITCH)};
    size_t sizes[] = {100, 100}, first = 0;
    CUmemcpyAttributes attributes = {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    CUstream stream = NULL;
    (void)state;
    assert_cu_ok(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    begin_copy();
    assert_cu_ok(cuMemcpyBatchAsync(dsts, srcs, sizes, 2, &attributes, &first, 1, stream));
    end_copy(there, 100, 2, 1);
    begin_copy();
    assert_cuda_ok(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    end_copy(there, 100, 2, 1);
    assert_cu(cuMemcpyBatchAsync(dsts, srcs, sizes, 2, &attributes, &first, 0, stream), 1);
    assert_cu(cuMemcpyBatchAsync(dsts, srcs, sizes, 0, &attributes, &first, 1, stream), 1);
    first = 1; // the first copy has no attributes
    assert_cu(cuMemcpyBatchAsync(dsts, srcs, sizes, 2, &attributes, &first, 1, stream), 1);

    CUDA_MEMCPY3D_BATCH_OP box = {.src = {.type = CU_MEMCPY_OPERAND_TYPE_POINTER},
                                  .dst = {.type = CU_MEMCPY_OPERAND_TYPE_POINTER},
                                  .extent = {100, 3, 2},
                                  .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    box.src.op.ptr.ptr = here;
    box.dst.op.ptr.ptr = there;
    box.src.op.ptr.rowLength = box.dst.op.ptr.rowLength = PITCH;
    box.src.op.ptr.layerHeight = box.dst.op.ptr.layerHeight = HEIGHT;
    begin_copy();
    assert_cu_ok(cuMemcpy3DBatchAsync(1, &box, 0, stream));
    end_copy(there, 100, 3, 2);
    struct cudaMemcpy3DBatchOp same;
    memcpy(&same, &box, sizeof same);
    begin_copy();
    assert_cuda_ok(cudaMemcpy3DBatchAsync(1, &same, 0, stream));
    end_copy(there, 100, 3, 2);
    assert_cu_ok(cuStreamDestroy(stream));
    (void)cudaGetLastError();
}

static void pitched_memory_has_aligned_rows(void **state) {
    CUdeviceptr number = 0;
    void *ptr = NULL;
    size_t pitch = 0;
    struct cudaPitchedPtr box = {0};
    (void)state;
    assert_cu_ok(cuMemAllocPitch(&number, &pitch, 100, 3, 4));
    assert_true(pitch >= 100 && pitch % 32 == 0);
    assert_cu_ok(cuMemsetD8(number, 1, pitch * 3));
    assert_cu_ok(cuMemFree(number));
    assert_cu(cuMemAllocPitch(&number, &pitch, 100, 3, 5), 1); // no size of an element
    assert_cuda_ok(cudaMallocPitch(&ptr, &pitch, 100, 3));
    assert_true(pitch >= 100);
    assert_cuda_ok(cudaMemset2D(ptr, pitch, 1, 100, 3));
    assert_cuda_ok(cudaFree(ptr));
    assert_cuda_ok(cudaMalloc3D(&box, (struct cudaExtent){100, 3, 2}));
    assert_true(box.pitch >= 100 && box.xsize == 100 && box.ysize == 3);
    assert_cuda_ok(cudaMemset3D(box, 1, (struct cudaExtent){100, 3, 2}));
    assert_cuda_ok(cudaFree(box.ptr));
}

static int begin(void **state) {
    int failed = cuda_group_setup(state);
    void *ptr = NULL;
    if (failed != 0 || cudaSetDevice(cuda_last_device()) != cudaSuccess ||
        cudaMalloc(&ptr, BYTES) != cudaSuccess)
        return 1;
    other = (CUdeviceptr)(uintptr_t)ptr;
    cuda_begin();
    return cuMemAlloc(&here, BYTES) != CUDA_SUCCESS || cuMemAlloc(&there, BYTES) != CUDA_SUCCESS;
}

static int end(void **state) {
    assert_cu_ok(cuMemFree(here));
    assert_cu_ok(cuMemFree(there));
    assert_cu_ok(cuMemFree(other));
    return cuda_group_end(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_driver_names_the_direction),
        cmocka_unit_test(addresses_decide_the_direction),
        cmocka_unit_test(copies_go_to_another_device),
        cmocka_unit_test(rows_have_a_pitch),
        cmocka_unit_test(boxes_have_slices),
        cmocka_unit_test(a_list_of_copies_is_one_call),
        cmocka_unit_test(pitched_memory_has_aligned_rows),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
