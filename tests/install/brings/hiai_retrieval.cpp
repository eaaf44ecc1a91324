// SPDX-License-Identifier: Apache-2.0
// HEADERS: hiaiengine/data_type.h
// Uses the results of a search, and the tensors of a model.
size_t found(const hiai::BatchRetrievalResultPara &batch,
             const hiai::RetrievalSetPara<float, uint8_t> &set, hiai::NNTensorList &list) {
    hiai::NNTensorDescription tensor;
    tensor.channels = 3;
    list.SetNNTensorVector({tensor});
    list.SetNNTensorNumber(1);
    list.SetBufferSize(set.set.record.size());
    return batch.v_result.size() + list.GetNNTensor(0)->GetChannel() + list.GetBufferSize();
}
