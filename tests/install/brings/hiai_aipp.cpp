// SPDX-License-Identifier: Apache-2.0
// HEADERS: hiaiengine/ai_model_manager.h
// Sets the preprocessing of a model, and listens to its runs.
using hiai::AippInputFormat;

class Listener : public hiai::IAIListener {
  public:
    void OnProcessDone(const hiai::AIContext &context, int result,
                       const std::vector<std::shared_ptr<hiai::IAITensor>> &out) override {
        total += context.GetPara("k").size() + out.size() + static_cast<size_t>(result);
    }
    size_t total = 0;
};

namespace hiai {
enum Formats { FORMAT = AippInputFormat::YUV420SP_U8 };
}

bool prepare(hiai::AIModelManager &manager, std::vector<std::shared_ptr<hiai::IAITensor>> &inputs) {
    const hiai::AITensorDescription description = hiai::AippDynamicParaTensor::GetDescription("1");
    const auto made = hiai::AITensorFactory::GetInstance()->CreateTensor(description);
    const auto aipp = std::static_pointer_cast<hiai::AippDynamicParaTensor>(made);
    std::vector<hiai::TensorDimension> dims;
    aipp->SetDynamicInputEdgeIndex(0);
    aipp->SetDynamicInputIndex(1);
    aipp->SetSrcImageSize(640, 480);
    aipp->SetCscParams(true, 256, 0, 359);
    return aipp->SetInputFormat(hiai::YUV420SP_U8) == hiai::SUCCESS &&
           aipp->SetCscParams(hiai::YUV420SP_U8, hiai::MODEL_BGR888_U8, hiai::JPEG) == 0 &&
           aipp->SetCropParams(true, 0, 0, 224, 224) == 0 &&
           aipp->SetDtcPixelMean(104, 117, 123, 0) == 0 &&
           aipp->SetPixelVarReci(1.0f, 1.0f, 1.0f, 1.0f) == 0 &&
           manager.SetListener(std::make_shared<Listener>()) == 0 &&
           manager.SetInputDynamicAIPP(inputs, aipp) == 0 &&
           manager.SetInputDynamicBatch(dims, inputs, 0, 4) == 0 &&
           manager.CreateInputTensor(inputs) == 0;
}
