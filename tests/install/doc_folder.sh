#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The installed documents link only to files and headings that are installed too, with the answers of devices. The
# sources of documents (scripts, lists, inputs of CMake, Doxygen and dot) are not among them.
set -eu
command -v python3 >/dev/null || {
    echo "skipped: needs python3"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for component in doc licence; do
    cmake --install "$BUILD" --prefix "$work" --component $component >/dev/null
done
cd "$work"/share/doc/tarn
bad=0
if find . -path ./examples -prune -o -type f ! -name LICENSE ! -name '*.md' ! -name '*.svg' ! -name '*.png' \
    ! -path './docs/confirmed/*' ! -path './docs/differences/*.txt' ! -path './docs/functions/*.txt' ! -path './docs/check/*.txt' -print |
    grep . >&2; then
    echo "the files above are no documents" >&2
    bad=1
fi
find . -type d -empty | grep . >&2 && bad=1
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$SRC/tests/install/documents" PREFIX="$work"
SRC=. python3 -c '
import pathlib, run, sys
sys.exit("\n".join(error for page in sorted(run.SRC.rglob("*.md")) for error in run.check_links(str(page))) or 0)' || bad=1
exit $bad
