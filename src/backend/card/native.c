// SPDX-License-Identifier: Apache-2.0
// Calls into a vendor's library: the device that is current on the thread, and what a refusal
// means.
#include <stdarg.h>
#include <stdio.h>

#include "backend/card/card.h"
#include "base/error.h"

tarn_status tn_card_begin(struct tn_card *card, int device, struct tn_card_turn *turn) {
    *turn = (struct tn_card_turn){.card = card};
    struct tn_native answer = card->driver->enter(card->d, device, &turn->before);
    return tn_card_good(answer) ? TARN_OK
                                : tn_card_fail(card, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                               "device %d cannot be made current", device);
}

void tn_card_end(struct tn_card_turn *turn) {
    turn->card->driver->leave(turn->card->d, &turn->before);
}

tarn_status tn_card_fail(const struct tn_card *card, struct tn_native answer, tarn_status wrong,
                         tarn_status scarce, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tarn_status status = card->driver->status_of(answer.code);
    if (status == TARN_BAD_ARGUMENT) {
        status = wrong;
    } else if (status == TARN_NO_DEVICE_MEMORY) {
        status = scarce;
    }
    return tn_fail_native(status, answer.call, answer.code, "%s: %s: %s (%lld)", text, answer.call,
                          card->driver->error_name(card->d, answer.code), (long long)answer.code);
}
