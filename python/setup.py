# SPDX-License-Identifier: Apache-2.0
"""The tag of the wheel. pyproject.toml has all other data of the package.

A wheel with the library in it is for one platform, and any Python 3. `./x python` puts the library
there; without it the wheel is pure Python.
"""

import re
import sysconfig
from pathlib import Path

from setuptools import Distribution, setup

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

LIBRARY = next(Path(__file__).parent.glob("tarn/libtarn.so.*"), None)


def platform_tag():
    """Returns manylinux_2_N_MACHINE for a library that needs glibc 2.N, else the machine's."""
    machine = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    needed = [int(minor) for minor in re.findall(rb"\0GLIBC_2\.(\d+)", LIBRARY.read_bytes())]
    return machine.replace("linux", f"manylinux_2_{max(needed)}", 1) if needed else machine


class Package(Distribution):
    """A package that is installed among those with machine code, if it has the library."""

    def has_ext_modules(self):
        return LIBRARY is not None


class Wheel(bdist_wheel):
    """A wheel whose tag is that of the library."""

    def get_tag(self):
        return super().get_tag() if LIBRARY is None else ("py3", "none", platform_tag())


setup(distclass=Package, cmdclass={"bdist_wheel": Wheel})
