#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Processes of a machine are killed while they take and free memory, and the survivor sees all of it free right
# after each. A sample of 40 kills; with TARN_TEST_SWEEP=all, 600.
set -eu
exec "$BUILD/tests/bin/unit_backend_host_card"
