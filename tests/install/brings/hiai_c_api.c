// SPDX-License-Identifier: Apache-2.0
// HEADERS: hiaiengine/c_api.h
// Uses names as programs in C do, without an include of its own.
HIAI_StatusT send(void *message, HIAI_MEMORY_ATTR attribute);

HIAI_StatusT send(void *message, HIAI_MEMORY_ATTR attribute) {
    const HIAI_PortID_t port = {1, 2, 3};
    char name[16];
    size_t length = 0;
    if (attribute == MEMORY_ATTR_MANUAL_FREE || HIAI_Init(0) != HIAI_OK) {
        HIAI_ENGINE_LOG(0x421, HIAI_ERROR, "attribute %d", attribute);
        return HIAI_ERROR;
    }
    if (strcpy_s(name, sizeof name, "string") == EOK) length = strlen(name);
    (void)printf("%s\n", name);
    return HIAI_C_SendData(port, name, length, message);
}
