/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/hiaix_args.h - the parameters and arguments of a Process with 1 to 16 input ports.
 */
#ifndef HIAIENGINE_HIAIX_ARGS_H
#define HIAIENGINE_HIAIX_ARGS_H

#include <hiaiengine/hiaix.h>

#define HIAI_INPUT_ARGS(n) HIAIX_CONCAT(HIAIX_INPUT_, n)
#define HIAI_ARGS_LIST(n)  HIAIX_CONCAT(HIAIX_LIST_, n)

#define HIAIX_INPUT_1  std::shared_ptr<void> &arg0
#define HIAIX_INPUT_2  HIAIX_INPUT_1, std::shared_ptr<void> &arg1
#define HIAIX_INPUT_3  HIAIX_INPUT_2, std::shared_ptr<void> &arg2
#define HIAIX_INPUT_4  HIAIX_INPUT_3, std::shared_ptr<void> &arg3
#define HIAIX_INPUT_5  HIAIX_INPUT_4, std::shared_ptr<void> &arg4
#define HIAIX_INPUT_6  HIAIX_INPUT_5, std::shared_ptr<void> &arg5
#define HIAIX_INPUT_7  HIAIX_INPUT_6, std::shared_ptr<void> &arg6
#define HIAIX_INPUT_8  HIAIX_INPUT_7, std::shared_ptr<void> &arg7
#define HIAIX_INPUT_9  HIAIX_INPUT_8, std::shared_ptr<void> &arg8
#define HIAIX_INPUT_10 HIAIX_INPUT_9, std::shared_ptr<void> &arg9
#define HIAIX_INPUT_11 HIAIX_INPUT_10, std::shared_ptr<void> &arg10
#define HIAIX_INPUT_12 HIAIX_INPUT_11, std::shared_ptr<void> &arg11
#define HIAIX_INPUT_13 HIAIX_INPUT_12, std::shared_ptr<void> &arg12
#define HIAIX_INPUT_14 HIAIX_INPUT_13, std::shared_ptr<void> &arg13
#define HIAIX_INPUT_15 HIAIX_INPUT_14, std::shared_ptr<void> &arg14
#define HIAIX_INPUT_16 HIAIX_INPUT_15, std::shared_ptr<void> &arg15

#define HIAIX_LIST_1  args[0]
#define HIAIX_LIST_2  HIAIX_LIST_1, args[1]
#define HIAIX_LIST_3  HIAIX_LIST_2, args[2]
#define HIAIX_LIST_4  HIAIX_LIST_3, args[3]
#define HIAIX_LIST_5  HIAIX_LIST_4, args[4]
#define HIAIX_LIST_6  HIAIX_LIST_5, args[5]
#define HIAIX_LIST_7  HIAIX_LIST_6, args[6]
#define HIAIX_LIST_8  HIAIX_LIST_7, args[7]
#define HIAIX_LIST_9  HIAIX_LIST_8, args[8]
#define HIAIX_LIST_10 HIAIX_LIST_9, args[9]
#define HIAIX_LIST_11 HIAIX_LIST_10, args[10]
#define HIAIX_LIST_12 HIAIX_LIST_11, args[11]
#define HIAIX_LIST_13 HIAIX_LIST_12, args[12]
#define HIAIX_LIST_14 HIAIX_LIST_13, args[13]
#define HIAIX_LIST_15 HIAIX_LIST_14, args[14]
#define HIAIX_LIST_16 HIAIX_LIST_15, args[15]

#endif
