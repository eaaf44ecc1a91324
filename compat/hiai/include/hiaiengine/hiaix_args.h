/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/hiaix_args.h - the parameters and arguments of a Process with 1 to 16 input ports.
 */
#ifndef HIAIENGINE_HIAIX_ARGS_H
#define HIAIENGINE_HIAIX_ARGS_H

#include <hiaiengine/hiaix.h>

#define HIAI_INPUT_ARGS(n) HIAIX_CONCAT(HIAI_INPUT_ARGS_, n)
#define HIAI_ARGS_LIST(n)  HIAIX_CONCAT(HIAI_ARGS_LIST_, n)

#define HIAI_INPUT_ARGS_1  std::shared_ptr<void> &arg0
#define HIAI_INPUT_ARGS_2  HIAI_INPUT_ARGS_1, std::shared_ptr<void> &arg1
#define HIAI_INPUT_ARGS_3  HIAI_INPUT_ARGS_2, std::shared_ptr<void> &arg2
#define HIAI_INPUT_ARGS_4  HIAI_INPUT_ARGS_3, std::shared_ptr<void> &arg3
#define HIAI_INPUT_ARGS_5  HIAI_INPUT_ARGS_4, std::shared_ptr<void> &arg4
#define HIAI_INPUT_ARGS_6  HIAI_INPUT_ARGS_5, std::shared_ptr<void> &arg5
#define HIAI_INPUT_ARGS_7  HIAI_INPUT_ARGS_6, std::shared_ptr<void> &arg6
#define HIAI_INPUT_ARGS_8  HIAI_INPUT_ARGS_7, std::shared_ptr<void> &arg7
#define HIAI_INPUT_ARGS_9  HIAI_INPUT_ARGS_8, std::shared_ptr<void> &arg8
#define HIAI_INPUT_ARGS_10 HIAI_INPUT_ARGS_9, std::shared_ptr<void> &arg9
#define HIAI_INPUT_ARGS_11 HIAI_INPUT_ARGS_10, std::shared_ptr<void> &arg10
#define HIAI_INPUT_ARGS_12 HIAI_INPUT_ARGS_11, std::shared_ptr<void> &arg11
#define HIAI_INPUT_ARGS_13 HIAI_INPUT_ARGS_12, std::shared_ptr<void> &arg12
#define HIAI_INPUT_ARGS_14 HIAI_INPUT_ARGS_13, std::shared_ptr<void> &arg13
#define HIAI_INPUT_ARGS_15 HIAI_INPUT_ARGS_14, std::shared_ptr<void> &arg14
#define HIAI_INPUT_ARGS_16 HIAI_INPUT_ARGS_15, std::shared_ptr<void> &arg15

#define HIAI_ARGS_LIST_1  args[0]
#define HIAI_ARGS_LIST_2  HIAI_ARGS_LIST_1, args[1]
#define HIAI_ARGS_LIST_3  HIAI_ARGS_LIST_2, args[2]
#define HIAI_ARGS_LIST_4  HIAI_ARGS_LIST_3, args[3]
#define HIAI_ARGS_LIST_5  HIAI_ARGS_LIST_4, args[4]
#define HIAI_ARGS_LIST_6  HIAI_ARGS_LIST_5, args[5]
#define HIAI_ARGS_LIST_7  HIAI_ARGS_LIST_6, args[6]
#define HIAI_ARGS_LIST_8  HIAI_ARGS_LIST_7, args[7]
#define HIAI_ARGS_LIST_9  HIAI_ARGS_LIST_8, args[8]
#define HIAI_ARGS_LIST_10 HIAI_ARGS_LIST_9, args[9]
#define HIAI_ARGS_LIST_11 HIAI_ARGS_LIST_10, args[10]
#define HIAI_ARGS_LIST_12 HIAI_ARGS_LIST_11, args[11]
#define HIAI_ARGS_LIST_13 HIAI_ARGS_LIST_12, args[12]
#define HIAI_ARGS_LIST_14 HIAI_ARGS_LIST_13, args[13]
#define HIAI_ARGS_LIST_15 HIAI_ARGS_LIST_14, args[14]
#define HIAI_ARGS_LIST_16 HIAI_ARGS_LIST_15, args[15]

#endif
