/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/ai_tensor.h - the inputs and outputs of models; see ai_types.h. A program may register
 * tensors of its own and create them by the type of a description. Each image that hides its names
 * has a list of its own.
 */
#ifndef HIAIENGINE_AI_TENSOR_H
#define HIAIENGINE_AI_TENSOR_H

#include <hiaiengine/ai_types.h>

#ifdef __cplusplus
#include <initializer_list>
#include <new>

using std::string; /* programs for Matrix rely on it */
using std::vector;

namespace hiai {
using namespace std; /* the vendor's header says so, and programs rely on it */

struct TensorDimension {
    uint32_t n = 0;
    uint32_t c = 0;
    uint32_t h = 0;
    uint32_t w = 0;
    uint32_t data_type = 0;
    uint32_t size = 0;
    std::string name;
};

namespace hiaix {

/* A description with a type and parameters. */
inline AITensorDescription
Describe(const char *type,
         std::initializer_list<std::pair<const char *, const std::string *>> paras) {
    AITensorDescription description;
    description.set_type(type);
    for (const auto &para : paras) {
        AITensorParaDescription *const one = description.add_paras();
        one->set_name(para.first);
        one->set_value(*para.second);
    }
    return description;
}

template <typename T> std::shared_ptr<T> MakeTensor(const AITensorDescription &description) {
    const std::shared_ptr<T> tensor = std::make_shared<T>();
    return tensor->Init(description) ? tensor : std::shared_ptr<T>();
}

} // namespace hiaix

class IAITensor {
  public:
    IAITensor() = default;
    virtual ~IAITensor() = default;
    virtual bool Init(const AITensorDescription &description) = 0;
    virtual const char *GetTypeName() = 0;
    virtual uint32_t ByteSizeLong() = 0;
    virtual void SetBufferAttr(void *data, int32_t size, bool isOwner, bool isShared) = 0;
    virtual bool IsSupportZerocpy() = 0;
};

/* A tensor in memory. */
class AISimpleTensor : public IAITensor {
  public:
    AISimpleTensor() = default;
    ~AISimpleTensor() override { reset(); }
    AISimpleTensor(const AISimpleTensor &) = delete;
    AISimpleTensor &operator=(const AISimpleTensor &) = delete;

    bool Init(const AITensorDescription &) override { return true; }
    const char *GetTypeName() override { return "AISimpleTensor"; }
    uint32_t ByteSizeLong() override { return size_; }
    bool IsSupportZerocpy() override { return shared_; }

    void *GetBuffer() { return buffer_; }
    /* With `isOwner` the tensor deletes the buffer, an array of uint8_t. */
    void SetBuffer(void *data, const uint32_t size, bool isOwner = false) {
        reset();
        buffer_ = data;
        size_ = size;
        owner_ = isOwner;
    }
    void SetBufferAttr(void *data, int32_t size, bool isOwner, bool isShared) override {
        SetBuffer(data, static_cast<uint32_t>(size), isOwner);
        shared_ = isShared;
    }
    /* Returns a buffer of the tensor's own, or nullptr if out of memory. */
    void *MallocDataBuffer(uint32_t size) {
        uint8_t *const data = new (std::nothrow) uint8_t[size];
        if (data != nullptr) SetBuffer(data, size, true);
        return data;
    }
    uint32_t GetSize() const { return size_; }

    static AITensorDescription BuildDescription(const std::string &size = "") {
        return hiaix::Describe("AISimpleTensor", {{"size", &size}});
    }
    static std::shared_ptr<IAITensor> CreateTensor(const AITensorDescription &description) {
        return hiaix::MakeTensor<AISimpleTensor>(description);
    }

  private:
    void reset() {
        if (owner_) delete[] static_cast<uint8_t *>(buffer_);
        owner_ = false;
    }

    void *buffer_ = nullptr;
    uint32_t size_ = 0;
    bool owner_ = false;
    bool shared_ = false;
};

/* A tensor with four dimensions. */
class AINeuralNetworkBuffer : public AISimpleTensor {
  public:
    const char *GetTypeName() override { return "AINeuralNetworkBuffer"; }
    int32_t GetNumber() const { return number_; }
    void SetNumber(int32_t number) { number_ = number; }
    int32_t GetChannel() const { return channel_; }
    void SetChannel(int32_t channel) { channel_ = channel; }
    int32_t GetHeight() const { return height_; }
    void SetHeight(int32_t height) { height_ = height; }
    int32_t GetWidth() const { return width_; }
    void SetWidth(int32_t width) { width_ = width; }
    int32_t GetData_type() const { return data_type_; }
    void SetData_type(int32_t type) { data_type_ = type; }
    const std::string &GetName() const { return name_; }
    void SetName(const std::string &name) { name_ = name; }

    static AITensorDescription
    GetDescription(const std::string &size = "0", const std::string &data_type = "0",
                   const std::string &number = "0", const std::string &channel = "0",
                   const std::string &height = "0", const std::string &width = "0") {
        return hiaix::Describe("AINeuralNetworkBuffer", {{"size", &size},
                                                         {"data_type", &data_type},
                                                         {"number", &number},
                                                         {"channel", &channel},
                                                         {"height", &height},
                                                         {"width", &width}});
    }
    static std::shared_ptr<IAITensor> CreateTensor(const AITensorDescription &description) {
        return hiaix::MakeTensor<AINeuralNetworkBuffer>(description);
    }

  private:
    int32_t number_ = 1;
    int32_t channel_ = 1;
    int32_t height_ = 1;
    int32_t width_ = 1;
    int32_t data_type_ = 0;
    std::string name_;
};

enum ImageFormat { BITMAP, PNG, JPEG, BT_601NARROW };

/* An image. */
class AIImageBuffer : public AISimpleTensor {
  public:
    const char *GetTypeName() override { return "AIImageBuffer"; }
    ImageFormat GetFormat() const { return format_; }
    void SetFormat(ImageFormat format) { format_ = format; }
    int32_t GetHeight() const { return height_; }
    void SetHeight(int32_t height) { height_ = height; }
    int32_t GetWidth() const { return width_; }
    void SetWidth(int32_t width) { width_ = width; }

    static AITensorDescription GetDescription(const std::string &size = "0",
                                              const std::string &height = "0",
                                              const std::string &width = "0",
                                              const std::string &format = "JPEG") {
        return hiaix::Describe(
            "AIImageBuffer",
            {{"size", &size}, {"height", &height}, {"width", &width}, {"format", &format}});
    }
    static std::shared_ptr<IAITensor> CreateTensor(const AITensorDescription &description) {
        return hiaix::MakeTensor<AIImageBuffer>(description);
    }

  private:
    ImageFormat format_ = JPEG;
    int32_t height_ = 0;
    int32_t width_ = 0;
};

enum AippInputFormat { YUV420SP_U8 = 1, XRGB8888_U8, RGB888_U8, YUV400_U8, RESERVED };

enum AippModelFormat {
    MODEL_RGB888_U8 = 1,
    MODEL_BGR888_U8,
    MODEL_GRAY,
    MODEL_YUV444SP_U8,
    MODEL_YVU444SP_U8,
};

/* The preprocessing of a model's input. It is not supported: the indices are kept, and each other
 * call returns FAILED, if it returns anything, and the log says so. */
class AippDynamicParaTensor : public AISimpleTensor {
  public:
    const char *GetTypeName() override { return "AippDynamicParaTensor"; }
    void SetDynamicInputIndex(uint32_t index = 0) { index_ = index; }
    uint32_t GetDynamicInputIndex() const { return index_; }
    void SetDynamicInputEdgeIndex(uint32_t index = 0) { edge_ = index; }
    uint32_t GetDynamicInputEdgeIndex() const { return edge_; }

    AIStatus SetInputFormat(AippInputFormat) { return no("SetInputFormat"); }
    AIStatus SetCscParams(AippInputFormat, AippModelFormat, ImageFormat = BT_601NARROW) {
        return no("SetCscParams");
    }
    void SetCscParams(bool = false, int16_t = 0, int16_t = 0, int16_t = 0, int16_t = 0, int16_t = 0,
                      int16_t = 0, int16_t = 0, int16_t = 0, int16_t = 0, uint8_t = 0, uint8_t = 0,
                      uint8_t = 0, uint8_t = 0, uint8_t = 0, uint8_t = 0) {
        (void)no("SetCscParams");
    }
    void SetRbuvSwapSwitch(bool = false) { (void)no("SetRbuvSwapSwitch"); }
    void SetAxSwapSwitch(bool = false) { (void)no("SetAxSwapSwitch"); }
    void SetSrcImageSize(int32_t = 0, int32_t = 0) { (void)no("SetSrcImageSize"); }
    AIStatus SetCropParams(bool, int32_t, int32_t, int32_t, int32_t, uint32_t = 0) {
        return no("SetCropParams");
    }
    AIStatus SetPaddingParams(int8_t, int32_t, int32_t, int32_t, int32_t, uint32_t = 0) {
        return no("SetPaddingParams");
    }
    AIStatus SetDtcPixelMean(int16_t = 0, int16_t = 0, int16_t = 0, int16_t = 0, uint32_t = 0) {
        return no("SetDtcPixelMean");
    }
    AIStatus SetDtcPixelMin(float = 0, float = 0, float = 0, float = 0, uint32_t = 0) {
        return no("SetDtcPixelMin");
    }
    AIStatus SetPixelVarReci(float = 0, float = 0, float = 0, float = 0, uint32_t = 0) {
        return no("SetPixelVarReci");
    }

    static AITensorDescription GetDescription(const std::string &batchNumber = "") {
        return hiaix::Describe("AippDynamicParaTensor", {{"batchNumber", &batchNumber}});
    }
    static std::shared_ptr<IAITensor> CreateTensor(const AITensorDescription &description) {
        return hiaix::MakeTensor<AippDynamicParaTensor>(description);
    }

  private:
    static AIStatus no(const std::string &function) {
        return hiaix::NoModels(("AippDynamicParaTensor::" + function).c_str());
    }

    uint32_t index_ = 0;
    uint32_t edge_ = 0;
};

typedef std::shared_ptr<IAITensor> (*CREATE_TENSOR_FUN)(const AITensorDescription &description);

/* Makes tensors of the classes above, and of the program's. */
class AITensorFactory {
  public:
    static AITensorFactory *GetInstance() {
        static AITensorFactory *const factory = new AITensorFactory();
        return factory;
    }
    /* These return an empty pointer for another type. */
    std::shared_ptr<IAITensor> CreateTensor(const AITensorDescription &description) {
        const CREATE_TENSOR_FUN create = creators.Find(description.type(), nullptr);
        return create != nullptr ? create(description) : nullptr;
    }
    std::shared_ptr<IAITensor> CreateTensor(const std::string &type) {
        AITensorDescription description;
        description.set_type(type);
        return CreateTensor(description);
    }
    std::shared_ptr<IAITensor> CreateTensor(const AITensorDescription &description, void *buffer,
                                            int32_t size) {
        const std::shared_ptr<IAITensor> tensor = CreateTensor(description);
        if (tensor) tensor->SetBufferAttr(buffer, size, false, false);
        return tensor;
    }
    /* These return INVALID_PARA for a type that is unknown, or known already. */
    AIStatus RegisterTensor(const AITensorDescription &description, CREATE_TENSOR_FUN create) {
        return creators.Add(description.type(), description, create);
    }
    AIStatus RegisterTensor(const std::string &type, CREATE_TENSOR_FUN create) {
        AITensorDescription description;
        description.set_type(type);
        return RegisterTensor(description, create);
    }
    AIStatus UnRegisterTensor(const AITensorDescription &description) {
        return creators.Remove(description.type());
    }
    AIStatus UnRegisterTensor(const std::string &type) { return creators.Remove(type); }
    AIStatus GetTensorDescription(const std::string &type, AITensorDescription &description) {
        return creators.Find(type, &description) != nullptr ? SUCCESS : INVALID_PARA;
    }

  private:
    AITensorFactory() {
        (void)RegisterTensor(AISimpleTensor::BuildDescription(), AISimpleTensor::CreateTensor);
        (void)RegisterTensor(AINeuralNetworkBuffer::GetDescription(),
                             AINeuralNetworkBuffer::CreateTensor);
        (void)RegisterTensor(AIImageBuffer::GetDescription(), AIImageBuffer::CreateTensor);
        (void)RegisterTensor(AippDynamicParaTensor::GetDescription(),
                             AippDynamicParaTensor::CreateTensor);
    }
    hiaix::Creators<AITensorDescription, CREATE_TENSOR_FUN> creators;
};

class AITensorRegisterar {
  public:
    template <typename What> /* a description, or a type */
    AITensorRegisterar(const What &what, CREATE_TENSOR_FUN create)
        : type(type_of(what)),
          status(AITensorFactory::GetInstance()->RegisterTensor(what, create)) {}
    ~AITensorRegisterar() {
        if (status == SUCCESS) (void)AITensorFactory::GetInstance()->UnRegisterTensor(type);
    }
    AITensorRegisterar(const AITensorRegisterar &) = delete;
    AITensorRegisterar &operator=(const AITensorRegisterar &) = delete;

  private:
    static std::string type_of(const AITensorDescription &description) {
        return description.type();
    }
    static std::string type_of(const std::string &name) { return name; }
    const std::string type;
    const AIStatus status;
};

/* Register a function that creates tensors of a type, at file scope. */
#define REGISTER_TENSOR_CREATER_UNIQUE(desc, name, func)                                           \
    static ::hiai::AITensorRegisterar g_hiaix_tensor_##name(desc, func)
#define REGISTER_TENSOR_CREATER(name, desc, func) REGISTER_TENSOR_CREATER_UNIQUE(desc, name, func)

} // namespace hiai
#endif
#endif
