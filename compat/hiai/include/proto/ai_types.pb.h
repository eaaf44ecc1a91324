/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proto/ai_types.pb.h - configurations of engines and descriptions of models, with the accessors
 * that protoc would generate, and without the protobuf library. A program that uses google::protobuf
 * generates its own header from proto/ai_types.proto and puts it before this one on the path.
 */
#ifndef PROTO_AI_TYPES_PB_H
#define PROTO_AI_TYPES_PB_H

#include <hiaiengine/hiaix_text.h>

#ifdef __cplusplus
#define HIAIX_PLAIN_MESSAGES 1

namespace google { // programs say `using namespace google`
namespace protobuf {}
} // namespace google

namespace hiai {
inline namespace plain { // another one than that of generated classes

#define HIAIX_FREQUENCY(X, T)   X(T, UNSET, 0) X(T, LOW, 1) X(T, MEDIUM, 2) X(T, HIGH, 3)
#define HIAIX_DEVICE_TYPE(X, T) X(T, NPU, 0) X(T, IPU, 1) X(T, MLU, 2) X(T, CPU, 3) X(T, NONE, 255)
#define HIAIX_FRAMEWORK(X, T)   X(T, OFFLINE, 0) X(T, CAFFE, 1) X(T, TENSORFLOW, 2)

HIAIX_PB_ENUM(AIModelDescription_Frequency, HIAIX_FREQUENCY)
HIAIX_PB_ENUM(AIModelDescription_DeviceType, HIAIX_DEVICE_TYPE)
HIAIX_PB_ENUM(AIModelDescription_Framework, HIAIX_FRAMEWORK)

#define HIAIX_AI_CONFIG_ITEM(X)                                                                    \
    X(STRING, , name, name)                                                                        \
    X(STRING, , value, value) X(MESSAGES, AIConfigItem, sub_items, sub_items)
class AIConfigItem {
    HIAIX_PB_FIELDS(AIConfigItem, HIAIX_AI_CONFIG_ITEM)
};

#define HIAIX_AI_CONFIG(X) X(MESSAGES, AIConfigItem, items, items)
class AIConfig {
    HIAIX_PB_FIELDS(AIConfig, HIAIX_AI_CONFIG)
};

#define HIAIX_AI_TENSOR_PARA(X)                                                                    \
    X(STRING, , name, name)                                                                        \
    X(STRING, , type, type)                                                                        \
    X(STRING, , value, value)                                                                      \
    X(STRING, , desc, desc)                                                                        \
    X(MESSAGES, AITensorParaDescription, sub_paras, sub_paras)
class AITensorParaDescription {
    HIAIX_PB_FIELDS(AITensorParaDescription, HIAIX_AI_TENSOR_PARA)
};

#define HIAIX_AI_TENSOR(X)                                                                         \
    X(STRING, , name, name)                                                                        \
    X(STRING, , type, type)                                                                        \
    X(STRINGS, , compatible_type, compatible_type)                                                 \
    X(MESSAGES, AITensorParaDescription, paras, paras)
class AITensorDescription {
    HIAIX_PB_FIELDS(AITensorDescription, HIAIX_AI_TENSOR)
};

#define HIAIX_AI_MODEL(X)                                                                          \
    X(STRING, , name, name)                                                                        \
    X(SCALAR, int32_t, type, type)                                                                 \
    X(STRING, , version, version)                                                                  \
    X(SCALAR, int32_t, size, size)                                                                 \
    X(STRING, , path, path)                                                                        \
    X(STRINGS, , sub_path, sub_path)                                                               \
    X(STRING, , key, key)                                                                          \
    X(STRINGS, , sub_key, sub_key)                                                                 \
    X(SCALAR, AIModelDescription_Frequency, frequency, frequency)                                  \
    X(SCALAR, AIModelDescription_DeviceType, device_type, device_type)                             \
    X(SCALAR, AIModelDescription_Framework, framework, framework)                                  \
    X(MESSAGES, AITensorDescription, inputs, inputs)                                               \
    X(MESSAGES, AITensorDescription, outputs, outputs)                                             \
    X(STRING, , data, data)
class AIModelDescription {
  public:
    typedef AIModelDescription_Frequency Frequency;
    typedef AIModelDescription_DeviceType DeviceType;
    typedef AIModelDescription_Framework Framework;
    HIAIX_FREQUENCY(HIAIX_PB_CONSTANT, AIModelDescription_Frequency)
    HIAIX_DEVICE_TYPE(HIAIX_PB_CONSTANT, AIModelDescription_DeviceType)
    HIAIX_FRAMEWORK(HIAIX_PB_CONSTANT, AIModelDescription_Framework)
    HIAIX_PB_FIELDS(AIModelDescription, HIAIX_AI_MODEL)
};

#define HIAIX_AI_NN_NODE(X)                                                                        \
    X(STRING, , name, name)                                                                        \
    X(STRING, , desc, desc)                                                                        \
    X(SCALAR, bool, ispreallocateoutputmem, isPreAllocateOutputMem)                                \
    X(MESSAGE, AIConfig, config, config)                                                           \
    X(MESSAGES, AIModelDescription, model_list, model_list)                                        \
    X(MESSAGES, AITensorDescription, inputs, inputs)                                               \
    X(MESSAGES, AITensorDescription, outputs, outputs)                                             \
    X(SCALAR, bool, need_verify, need_verify)                                                      \
    X(STRINGS, , ignored_check_aitensor, ignored_check_aitensor)
class AINNNodeDescription {
    HIAIX_PB_FIELDS(AINNNodeDescription, HIAIX_AI_NN_NODE)
};

} // namespace plain
} // namespace hiai
#endif
#endif
