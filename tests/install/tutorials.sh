#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tutorials do what they show, as the other documents, and the pictures show what commands print now.
# shellcheck disable=SC1091,SC2154 # sourced; it sets run
set -eu
. "$SRC/tests/install/documents/install.sh"
cd "$SRC"
wrong=0
python3 "$run" docs/tutorials/*.md || wrong=1
python3 "$SRC/tests/install/documents/pictures.py" || wrong=1
exit $wrong
