#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tests of the package beside this file, with the built library and command.
set -eu
python=/usr/bin/python3
[ -x $python ] || python=python3
for module in pytest numpy pycparser; do
    $python -c "import $module" 2>/dev/null || {
        echo "skipped: needs python3-$module"
        exit 77
    }
done
[ -x "$BUILD/bin/tarn" ] || {
    echo "skipped: the command tarn was left out of the build"
    exit 77
}
unset TARN_DEVICE TARN_FAIL TARN_QUIRK TARN_LIBRARY TARN_COMMAND
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$SRC/python"
export TARN_LIBRARY="$BUILD/lib/libtarn.so" TARN_COMMAND="$BUILD/bin/tarn"
exec $python -m pytest -q -p no:cacheprovider -p tarn.pytest_plugin -W error \
    --basetemp "$BUILD/tests/python_api" "$SRC/tests/python"
