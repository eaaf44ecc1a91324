#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Shell scripts pass shellcheck, and tests can be executed.
set -eu
command -v shellcheck >/dev/null || {
    echo "skipped: needs shellcheck"
    exit 77
}
cd "$SRC"
bad=0
for script in $("$SRC/tests/lint/files" '*.sh' x .ci/run tests/lint/files); do
    [ -x "$script" ] || {
        echo "$script: not executable" >&2
        bad=1
    }
    shellcheck "$script" || bad=1
done
exit $bad
