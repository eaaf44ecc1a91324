/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/ai_nn_tensor_list.h - see ai_types.h.
 */
#ifndef HIAIENGINE_AI_NN_TENSOR_LIST_H
#define HIAIENGINE_AI_NN_TENSOR_LIST_H

#include <hiaiengine/ai_tensor.h>

#ifdef __cplusplus
namespace hiai {

/* The tensors of a model. Without contents, because models are not supported. */
class NNTensorList {
  public:
    NNTensorList() = default;
    virtual ~NNTensorList() = default;
    template <class Archive> void serialize(Archive &) {}
};

} // namespace hiai
#endif
#endif
