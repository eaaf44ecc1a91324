/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/ai_tensor.h - the inputs and outputs of models; see ai_types.h.
 */
#ifndef HIAIENGINE_AI_TENSOR_H
#define HIAIENGINE_AI_TENSOR_H

#include <hiaiengine/ai_types.h>

#ifdef __cplusplus
using std::string; /* programs for Matrix rely on it */
using std::vector;

namespace hiai {

struct TensorDimension {
    uint32_t n = 0;
    uint32_t c = 0;
    uint32_t h = 0;
    uint32_t w = 0;
    uint32_t data_type = 0;
    uint32_t size = 0;
    std::string name;
};

enum NN_DATA_TYPE {
    INVALID = 0,
    NCHW = 1,
    NHWC = 2,
};

class IAITensor {
  public:
    IAITensor() = default;
    virtual ~IAITensor() = default;
    void SetTensorDesc(const AITensorDescription &description) { tensor_desc_ = description; }
    AITensorDescription GetTensorDesc() const { return tensor_desc_; }

  protected:
    AITensorDescription tensor_desc_;
};

/* A tensor in memory. */
class AISimpleTensor : public IAITensor {
  public:
    AISimpleTensor() = default;
    ~AISimpleTensor() override { reset(); }
    AISimpleTensor(const AISimpleTensor &) = delete;
    AISimpleTensor &operator=(const AISimpleTensor &) = delete;

    void *GetBuffer() { return buffer_; }
    /* With `isOwner` the tensor deletes the buffer, an array of uint8_t. */
    void SetBuffer(void *data, const uint32_t size, bool isOwner = false) {
        reset();
        buffer_ = data;
        size_ = size;
        owner_ = isOwner;
    }
    uint32_t GetSize() const { return size_; }

  private:
    void reset() {
        if (owner_) delete[] static_cast<uint8_t *>(buffer_);
        owner_ = false;
    }

    void *buffer_ = nullptr;
    uint32_t size_ = 0;
    bool owner_ = false;
};

/* A tensor with four dimensions. */
class AINeuralNetworkBuffer : public AISimpleTensor {
  public:
    int32_t GetNumber() const { return number_; }
    void SetNumber(int32_t number) { number_ = number; }
    int32_t GetChannel() const { return channel_; }
    void SetChannel(int32_t channel) { channel_ = channel; }
    int32_t GetHeight() const { return height_; }
    void SetHeight(int32_t height) { height_ = height; }
    int32_t GetWidth() const { return width_; }
    void SetWidth(int32_t width) { width_ = width; }
    NN_DATA_TYPE GetData_type() const { return data_type_; }
    void SetData_type(NN_DATA_TYPE type) { data_type_ = type; }
    const std::string &GetName() const { return name_; }
    void SetName(const std::string &name) { name_ = name; }
    /* Returns a description with the name "AINeuralNetworkBuffer" as its type. */
    static AITensorDescription
    GetDescription(const std::string &size = "0", const std::string &data_type = "",
                   const std::string &number = "0", const std::string &channel = "0",
                   const std::string &height = "0", const std::string &width = "0") {
        const std::pair<const char *, const std::string *> paras[] = {
            {"size", &size},       {"data_type", &data_type}, {"number", &number},
            {"channel", &channel}, {"height", &height},       {"width", &width}};
        AITensorDescription description;
        description.set_type("AINeuralNetworkBuffer");
        for (const auto &para : paras) {
            AITensorParaDescription *const one = description.add_paras();
            one->set_name(para.first);
            one->set_value(*para.second);
        }
        return description;
    }

  private:
    int32_t number_ = 0;
    int32_t channel_ = 0;
    int32_t height_ = 0;
    int32_t width_ = 0;
    NN_DATA_TYPE data_type_ = INVALID;
    std::string name_;
};

/* Makes tensors of the two classes above. */
class AITensorFactory {
  public:
    static AITensorFactory *GetInstance() {
        static AITensorFactory factory;
        return &factory;
    }
    /* Returns an empty pointer for another type. */
    std::shared_ptr<IAITensor> CreateTensor(const AITensorDescription &description) {
        std::shared_ptr<IAITensor> tensor;
        if (description.type() == "AINeuralNetworkBuffer")
            tensor = std::make_shared<AINeuralNetworkBuffer>();
        else if (description.type() == "AISimpleTensor")
            tensor = std::make_shared<AISimpleTensor>();
        if (tensor) tensor->SetTensorDesc(description);
        return tensor;
    }
    std::shared_ptr<IAITensor> CreateTensor(const AITensorDescription &description, void *buffer,
                                            uint32_t size) {
        const std::shared_ptr<IAITensor> tensor = CreateTensor(description);
        if (tensor) std::static_pointer_cast<AISimpleTensor>(tensor)->SetBuffer(buffer, size);
        return tensor;
    }

  private:
    AITensorFactory() = default;
};

} // namespace hiai
#endif
#endif
