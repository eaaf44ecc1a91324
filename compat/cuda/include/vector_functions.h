/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vector_functions.h - make_T() for short vectors, which vector_types.h defines with the types.
 */
#ifndef VECTOR_FUNCTIONS_H
#define VECTOR_FUNCTIONS_H

#include <vector_types.h>

#endif
