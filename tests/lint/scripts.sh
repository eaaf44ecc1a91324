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
scripts=$("$SRC/tests/lint/files" '*.sh' x .ci/run tests/lint/files)
for script in $scripts; do
    [ -x "$script" ] || {
        echo "$script: not executable" >&2
        bad=1
    }
done
printf '%s\n' "$scripts" | xargs shellcheck || bad=1
exit $bad
