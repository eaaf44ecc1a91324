/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/ai_nn_tensor_list.h - see ai_types.h.
 */
#ifndef HIAIENGINE_AI_NN_TENSOR_LIST_H
#define HIAIENGINE_AI_NN_TENSOR_LIST_H

#include <hiaiengine/ai_tensor.h>

#ifdef __cplusplus
namespace hiai {

struct NNTensorDescription {
    uint32_t dataSize = 0;
    uint32_t tensorNumber = 0;
    uint32_t channels = 0;
    uint32_t height = 0;
    uint32_t width = 0;
    uint32_t dataType = 0;
    std::string name;
    void *data = nullptr;
};

/* The tensors of a model. Keeps what a program sets. Resize() and AlignToNNTensorDescription(),
 * which would follow a model, do nothing, and the log says so. */
class NNTensorList {
  public:
    NNTensorList() = default;
    virtual ~NNTensorList() = default;
    HIAI_StatusT Resize(std::vector<TensorDimension> &) {
        (void)hiaix::NoModels("NNTensorList::Resize");
        return HIAI_ERROR;
    }
    void AlignToNNTensorDescription() {
        (void)hiaix::NoModels("NNTensorList::AlignToNNTensorDescription");
    }
    const void *GetBuffData() const { return data; }
    void SetBuffData(void *dataPtr) { data = dataPtr; }
    uint64_t GetBufferSize() const { return size; }
    void SetBufferSize(const uint64_t bytes) { size = bytes; }
    uint32_t GetNNTensorNumber() const { return number; }
    void SetNNTensorNumber(const uint32_t count) { number = count; }
    const std::vector<NNTensorDescription> &GetNNTensorVector() const { return tensors; }
    void SetNNTensorVector(const std::vector<NNTensorDescription> &list) { tensors = list; }
    /* Returns an empty pointer for an index beyond the vector. */
    std::shared_ptr<AINeuralNetworkBuffer> GetNNTensor(const uint32_t index) {
        if (index >= tensors.size()) return nullptr;
        const NNTensorDescription &from = tensors[index];
        const std::shared_ptr<AINeuralNetworkBuffer> tensor =
            std::make_shared<AINeuralNetworkBuffer>();
        tensor->SetNumber(static_cast<int32_t>(from.tensorNumber));
        tensor->SetChannel(static_cast<int32_t>(from.channels));
        tensor->SetHeight(static_cast<int32_t>(from.height));
        tensor->SetWidth(static_cast<int32_t>(from.width));
        tensor->SetData_type(static_cast<int32_t>(from.dataType));
        tensor->SetName(from.name);
        tensor->SetBuffer(from.data, from.dataSize);
        return tensor;
    }
    template <class Archive> void serialize(Archive &) {}

  private:
    void *data = nullptr;
    uint64_t size = 0;
    uint32_t number = 0;
    std::vector<NNTensorDescription> tensors;
};

} // namespace hiai
#endif
#endif
