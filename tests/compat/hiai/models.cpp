// SPDX-License-Identifier: Apache-2.0
// Classes of models: what a program sets is kept, and each call that would need a model names itself.
#include "support/cplusplus.h"

#include <hiaiengine/ai_model_manager.h>
#include <hiaiengine/ai_nn_tensor_list.h>

using hiai::AIStatus;

static void assert_says(AIStatus status, const char *what) {
    assert_int_equal(status, hiai::FAILED);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), what));
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "models are not supported"));
}

static void calls_of_models_name_themselves(void **) {
    hiai::AIModelManager manager;
    std::vector<std::shared_ptr<hiai::IAITensor>> tensors;
    assert_says(manager.SetInputDynamicAIPP(tensors, nullptr), "SetInputDynamicAIPP");
    assert_says(manager.SetInputDynamicBatch({}, tensors, 0, 1), "SetInputDynamicBatch");
    assert_says(manager.CreateInputTensor(tensors), "CreateInputTensor");
    assert_says(manager.IsValid(), "IsValid");
    assert_int_equal(manager.GetMaxUsedMemory(""), -1);
    hiai::NNTensorList list;
    std::vector<hiai::TensorDimension> dims;
    assert_status(list.Resize(dims), HIAI_ERROR);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "NNTensorList::Resize"));
}

static void calls_of_preprocessing_name_themselves(void **) {
    const auto made = hiai::AITensorFactory::GetInstance()->CreateTensor(
        hiai::AippDynamicParaTensor::GetDescription("2"));
    assert_non_null(made.get());
    assert_string_equal(made->GetTypeName(), "AippDynamicParaTensor");
    const auto aipp = std::static_pointer_cast<hiai::AippDynamicParaTensor>(made);
    aipp->SetDynamicInputIndex(3);
    aipp->SetDynamicInputEdgeIndex(4);
    assert_int_equal(aipp->GetDynamicInputIndex(), 3);
    assert_int_equal(aipp->GetDynamicInputEdgeIndex(), 4);
    assert_says(aipp->SetInputFormat(hiai::YUV400_U8), "AippDynamicParaTensor::SetInputFormat");
    assert_says(aipp->SetCscParams(hiai::RGB888_U8, hiai::MODEL_GRAY), "SetCscParams");
    assert_says(aipp->SetDtcPixelMin(), "SetDtcPixelMin");
}

static std::shared_ptr<hiai::IAITensor> make_none(const hiai::AITensorDescription &) {
    return nullptr;
}

static void tensors_are_made_by_their_type(void **) {
    auto *const factory = hiai::AITensorFactory::GetInstance();
    hiai::AITensorDescription description;
    uint8_t bytes[8];
    for (const char *type : {"AISimpleTensor", "AINeuralNetworkBuffer", "AIImageBuffer"}) {
        description.set_type(type);
        const auto tensor = factory->CreateTensor(description, bytes, 8);
        assert_string_equal(tensor->GetTypeName(), type);
        assert_int_equal(tensor->ByteSizeLong(), 8);
        assert_ptr_equal(std::static_pointer_cast<hiai::AISimpleTensor>(tensor)->GetBuffer(),
                         bytes);
    }
    assert_null(factory->CreateTensor(std::string("Unknown")).get());
    assert_int_equal(factory->RegisterTensor("AISimpleTensor", make_none), hiai::INVALID_PARA);
    assert_int_equal(factory->RegisterTensor("Null", nullptr), hiai::INVALID_PARA);
    assert_int_equal(factory->GetTensorDescription("Mine", description), hiai::INVALID_PARA);
    {
        const hiai::AITensorRegisterar mine(std::string("Mine"), make_none);
        assert_int_equal(factory->GetTensorDescription("Mine", description), hiai::SUCCESS);
        assert_string_equal(description.type().c_str(), "Mine");
        assert_null(factory->CreateTensor(description).get());
    }
    assert_int_equal(factory->UnRegisterTensor("Mine"), hiai::INVALID_PARA);
}

static void buffers_of_a_tensor_end_with_it(void **) {
    hiai::AISimpleTensor tensor;
    void *const first = tensor.MallocDataBuffer(16);
    assert_non_null(first);
    assert_int_equal(tensor.GetSize(), 16);
    assert_non_null(tensor.MallocDataBuffer(32));
    tensor.SetBufferAttr(new uint8_t[4], 4, true, true);
    assert_true(tensor.IsSupportZerocpy());
    assert_int_equal(tensor.ByteSizeLong(), 4);
}

static void lists_of_tensors_keep_what_was_set(void **) {
    hiai::NNTensorList list;
    hiai::NNTensorDescription tensor;
    uint8_t byte = 7;
    tensor.tensorNumber = 2;
    tensor.channels = 3;
    tensor.name = "t";
    tensor.data = &byte;
    tensor.dataSize = 1;
    list.SetNNTensorVector({tensor});
    list.SetBuffData(&byte);
    list.SetBufferSize(1);
    assert_ptr_equal(list.GetBuffData(), &byte);
    assert_int_equal(list.GetBufferSize(), 1);
    assert_int_equal(list.GetNNTensorVector().size(), 1);
    assert_null(list.GetNNTensor(1).get());
    const auto got = list.GetNNTensor(0);
    assert_int_equal(got->GetNumber(), 2);
    assert_int_equal(got->GetChannel(), 3);
    assert_string_equal(got->GetName().c_str(), "t");
    assert_ptr_equal(got->GetBuffer(), &byte);
}

int main() {
    prepare();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_of_models_name_themselves),
        cmocka_unit_test(calls_of_preprocessing_name_themselves),
        cmocka_unit_test(tensors_are_made_by_their_type),
        cmocka_unit_test(buffers_of_a_tensor_end_with_it),
        cmocka_unit_test(lists_of_tensors_keep_what_was_set),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
