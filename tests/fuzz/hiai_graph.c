// SPDX-License-Identifier: Apache-2.0
// Any bytes as the text of a graph file: they are read, or refused with a status that this may have
// and a text; and the second time they are answered as the first time.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <hiaiengine/hiaix.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition) {
    if (!condition) abort();
}

static void must_be_known(HIAI_StatusT status) {
    switch (status) {
    case HIAI_OK: break;
    case HIAI_GRAPH_PROTO_FILE_PARSE_FAILED:
    case HIAI_REPEATED_GRAPH:
    case HIAI_GRAPH_ENGINE_NOT_EXIST:
    case HIAI_PORT_ID_NOT_EXIST: must(HIAIX_GetLastErrorText()[0] != '\0'); break;
    default: abort();
    }
    must(HIAIX_GetLastError() == status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // A copy of just that length: whoever reads beyond its end is found.
    char *text = (char *)malloc(size != 0 ? size : 1);
    must(text != NULL);
    if (size != 0) memcpy(text, data, size);
    HIAI_StatusT status = HIAIX_CheckGraphText(text, size);
    must_be_known(status);
    must(HIAIX_CheckGraphText(text, size) == status);
    free(text);
    return 0;
}
