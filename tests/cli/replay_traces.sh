#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The bundled recordings replay on a simulated GPU of 80 GiB, at the size of a real workload, and waste little
# memory, the less so the fewer calls the policy makes.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

for case in "gpt-train balanced 0.90" "lora-ckpt balanced 0.90" "cnn-train balanced 0.90" "serve balanced 0.90" \
    "gpt-train memory 0.97" "lora-ckpt memory 0.97" "cnn-train memory 0.97" "serve memory 0.97"; do
    # shellcheck disable=SC2086 # three words
    set -- $case
    trace=$1
    expect 0 replay "$SRC/traces/$trace.trace.gz" --device sim:0,memory=80G --scale 16 \
        --pool "expandable:$2" --json
    [ "$(json pool)" = "expandable:$2" ] || fail "$trace: pool $(json pool)"
    is_json
    for key in events peak_live_bytes peak_reserved_bytes utilisation ns_per_alloc_median \
        ns_per_free_median driver_calls; do
        [ -n "$(json $key)" ] || fail "$trace: no $key"
    done
    holds "$(json peak_live_bytes) > 0 && $(json peak_live_bytes) <= $(json peak_reserved_bytes)"
    holds "$(json utilisation) >= $3"
    holds "$(json events) == $(gzip -dc "$SRC/traces/$trace.trace.gz" | wc -l)"
done
