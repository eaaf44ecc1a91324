#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Expandable pools complete the bundled recordings in 1.05 times what lives at the peak, which is little room for a pool
# of a few hundred pages. cnn-train at its own size, of which 194 MiB live, needs up to 16 pages above that.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

for policy in time balanced memory; do
    for trace in gpt-train lora-ckpt serve cnn-train; do
        for scale in 1 4 16; do
            limit=1.05x
            [ "$trace $scale" != "cnn-train 1" ] || limit=+32M
            expect 0 replay "$SRC/traces/$trace.trace.gz" --device sim:0,memory=80G --pool "expandable:$policy" \
                --scale $scale --limit $limit
        done
    done
done
