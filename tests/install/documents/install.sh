# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Sourced: installs Tarn to PREFIX in the scratch folder `work`, for the documents; `run` is their runner.
set -eu
for tool in python3 pkg-config git; do
    command -v $tool >/dev/null || {
        echo "skipped: needs $tool"
        exit 77
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PREFIX=$work/prefix
export PREFIX
cmake --install "$BUILD" --prefix "$PREFIX" >/dev/null
# shellcheck disable=SC2034 # the scripts that source this use it
run=$SRC/tests/install/documents/run.py
