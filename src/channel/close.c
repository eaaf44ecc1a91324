// SPDX-License-Identifier: Apache-2.0
// Closing a channel. Its thread stops, the peer sees a hang-up, and every parcel that the peer
// holds is reclaimed. Received parcels keep the channel's memory until they are freed.
#include <sys/socket.h>

#include "base/error.h"
#include "channel/channel.h"

tarn_status tarn_channel_close(tarn_channel *channel) {
    if (channel == NULL) return TARN_OK;
    TN_TRY(tn_channel_usable(channel));
    TN_TRY(tn_receiver_stop(channel));
    tarn_arena *arena = channel->arena;
    if (channel->link != NULL) tn_link_leave(channel->link);
    tn_wait_set_remove(&arena->wait_set, channel);
    (void)tn_channel_mark_ended(channel, TARN_PEER_GONE, "closed here");
    tn_receive_free_deliveries(channel);
    tn_receive_free_copied(channel);
    // The messages that would have returned these parcels will not be read.
    tn_spin_lock(&channel->send_lock);
    for (uint32_t i = 0; i < channel->transits.count; i++)
        channel->transits.table[i].returning = false;
    tn_channel_recover(channel);
    tn_spin_unlock(&channel->send_lock);
    (void)shutdown(channel->socket, SHUT_RDWR); // the last reference closes it
    tn_arena_notify_room(arena);
    tn_channel_unref(channel);
    return TARN_OK;
}
