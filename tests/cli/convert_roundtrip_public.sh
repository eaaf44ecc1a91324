#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each format reads back what it wrote: real recordings of PyTorch and of other tools.
# shellcheck disable=SC1091 # sourced
. "$SRC/tests/support/cli.sh"
. "$SRC/tests/support/roundtrip.sh"

public=${TARN_SNAPSHOTS:-$SRC/../shared/traces}
if [ ! -d "$public/public" ] || [ ! -d "$public/formats" ]; then
    echo "skipped: no public recordings, or none of other tools (TARN_SNAPSHOTS)" >&2
    exit 77
fi
round 12 "$public"/*.snapshot.pickle.gz "$public"/public/*.pickle.gz
round 24 "$public"/formats/*.*
