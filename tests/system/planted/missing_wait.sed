# src/core/pool/stream/events.c
# A freed block is free for all streams before the work of its own stream has passed.
s/: tarn_event_query(event) == TARN_NOT_READY)/: false)/
