# SPDX-License-Identifier: Apache-2.0
"""The plug-in for pytest: devices for tests, failures on request, and leaks by name.

    def test_upload(tarn_device):
        with upload(tarn_device, b"image") as memory:
            assert memory.read(5) == b"image"

    @pytest.mark.tarn(device="host:0,memory=64M", fail="memory_alloc:2")
    def test_second_allocation_fails(tarn_device): ...

    def test_every_failure(tarn_failures):
        tarn_failures.each(upload_twice)

    def test_peak(tarn_budget):
        tarn_budget("main.tarn", "now.tarn", "1%", pool="expandable:balanced")
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
from typing import Any, Callable, Generator, Iterable, Iterator, List, Optional

import pytest

from tarn._struct import TarnError
from tarn.device import Device
from tarn.recordings import Path, diff

# Failures.each() makes these calls of a back-end fail, unless `calls` names others.
CALLS = (
    "reserve", "phys_create", "map", "set_access", "memory_alloc", "host_alloc", "copy", "fill",
    "stream_create", "stream_wait", "stream_call", "event_create", "event_record",
)  # fmt: skip

failed_key = pytest.StashKey[bool]()
log_key = pytest.StashKey[str]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the settings of pytest.ini and pyproject.toml."""
    parser.addini("tarn_device", "device of the fixture tarn_device", default="host:0,memory=1G")
    parser.addini("tarn_fail", "calls of the device that fail, as in docs/failures.md", default="")
    parser.addini("tarn_quirk", "defects of the device, as in docs/quirks.md", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker, and gives this process a log of its own for failures."""
    config.addinivalue_line(
        "markers",
        "tarn(device=NAME, fail=SPEC, quirk=SPEC, leaks=True): the device of the fixture"
        " tarn_device; leaks=False accepts memory that the test leaves behind",
    )
    descriptor, path = tempfile.mkstemp(prefix="tarn-failures-")
    os.close(descriptor)
    config.stash[log_key] = path
    os.environ["TARN_FAIL_LOG"] = path  # read by the library at its first call


def pytest_unconfigure(config: pytest.Config) -> None:
    """Removes the log."""
    path = config.stash.get(log_key, None)
    if path is not None:
        os.unlink(path)
        os.environ.pop("TARN_FAIL_LOG", None)


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, "pytest.CallInfo[None]", None]:
    """Notes whether a test has failed: its traceback keeps objects alive that are no leaks."""
    outcome = yield
    report = outcome.get_result()  # type: ignore
    if report.when == "call":
        item.stash[failed_key] = not report.passed


def device_name(base: str, fail: str = "", quirk: str = "") -> str:
    """Returns the name of a device with failures and quirks."""
    return base + (f",fail={fail}" if fail else "") + (f",quirk={quirk}" if quirk else "")


class Watch:
    """A device of a test, and everything on it that is not released before the end."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.collected: List[str] = []
        device._ledger.on_leak = self.collected.append
        self.before = set(device.leaks())

    def __repr__(self) -> str:
        return f"<Watch of {self.device.name}>"

    def leaks(self) -> List[str]:
        """Describes what was collected unclosed, or is open and was not there before."""
        left = [text for text in self.device.leaks() if text not in self.before]
        return self.collected + left

    def close(self) -> None:
        """Closes what the test has left open, the newest first, and the device."""
        device = self.device
        device._ledger.on_leak = lambda text: None
        for thing in device._ledger.open_objects():
            try:
                thing.close()
            except (TarnError, BufferError):  # a view of it lives; its own end releases it
                pass


def describe(name: str, leaks: List[str]) -> str:
    """Returns the text of a leak check that failed."""
    return "\n  ".join([f"{len(leaks)} leaked on {name}:", *leaks])


class Log:
    """The lines that the library writes for each failure."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.position = os.path.getsize(path)

    def __repr__(self) -> str:
        return f"<Log {self.path}>"

    def read(self) -> List[str]:
        """Returns the lines since the last call, and repeats them on standard error."""
        with open(self.path, encoding="utf-8", errors="replace") as file:
            file.seek(self.position)
            lines = file.read().splitlines()
            self.position = file.tell()
        for line in lines:
            print(line, file=sys.stderr)
        return lines


@pytest.fixture
def tarn_log(pytestconfig: pytest.Config) -> Log:
    """The log of failures; `tarn_log.read()` returns the lines since the test began."""
    return Log(pytestconfig.stash[log_key])


@pytest.fixture
def tarn_device(request: pytest.FixtureRequest, tarn_log: Log) -> Iterator[Device]:
    """A device that is closed after the test. A test that leaves memory open is an error."""
    ini = request.config.getini
    marker = request.node.get_closest_marker("tarn")
    wish = dict(marker.kwargs) if marker else {}
    check = wish.pop("leaks", True)
    name = device_name(
        wish.pop("device", ini("tarn_device")),
        wish.pop("fail", ini("tarn_fail")),
        wish.pop("quirk", ini("tarn_quirk")),
    )
    unknown = [*wish, *map(repr, marker.args if marker else ())]
    if unknown:
        raise pytest.UsageError(f"the marker tarn has no argument {', '.join(unknown)}")
    watch = Watch(Device(name))
    yield watch.device
    leaks = watch.leaks() if check and not request.node.stash.get(failed_key, False) else []
    watch.close()
    tarn_log.read()
    if leaks:
        pytest.fail(describe(name, leaks), pytrace=False)


class Failures:
    """Runs a function again and again, with another call of its device failing each time."""

    def __init__(self, base: str, log: Log) -> None:
        self.base = base
        self.log = log

    def __repr__(self) -> str:
        return f"<Failures of {self.base}>"

    def each(
        self,
        function: Callable[[Device], object],
        *,
        calls: Iterable[str] = CALLS,
        device: Optional[str] = None,
    ) -> List[str]:
        """Calls function(device) with the first call of each kind failing, then with the second,
        and so on, until it makes no more of them. Returns the specs of the failures.

        `calls` are names of docs/failures.md, several in a list. The function may raise TarnError,
        or succeed without the call. The test fails if it leaks, or raises anything else.
        """
        if not callable(function):
            raise TypeError(f"function is {function!r}, which cannot be called")
        specs: List[str] = []
        for call in (calls,) if isinstance(calls, str) else calls:
            for number in itertools.count(1):
                spec = f"{call}:{number}"
                if not self._run(function, device_name(device or self.base, spec)):
                    break
                specs.append(spec)
        return specs

    def _run(self, function: Callable[[Device], object], name: str) -> bool:
        """Returns whether the failure happened."""
        self.log.read()
        try:
            opened = Device(name)
        except TarnError:
            if self.log.read():
                return True
            raise
        watch = Watch(opened)
        try:
            function(opened)
        except TarnError:
            pass
        except BaseException as error:
            watch.close()
            raise AssertionError(f"{type(error).__name__} on {name}: {error}") from error
        leaks = watch.leaks()
        watch.close()
        if leaks:
            pytest.fail(describe(name, leaks), pytrace=False)
        return bool(self.log.read())


@pytest.fixture
def tarn_failures(pytestconfig: pytest.Config, tarn_log: Log) -> Failures:
    """Makes every call of a device fail in turn; see Failures.each()."""
    return Failures(pytestconfig.getini("tarn_device"), tarn_log)


def check_budget(before: Path, after: Path, limit: str = "1%", **options: Any) -> None:
    """Fails the test if the peak of a recording grew by more than a limit. Options are those of
    tarn.diff(), such as pool="expandable:balanced", fail_over_holder="5%"."""
    exceeded = diff(before, after, fail_over=limit, **options).exceeded
    if exceeded:
        head = f"{os.fspath(after)} exceeds the budget of {limit} over {os.fspath(before)}:"
        pytest.fail("\n  ".join([head, *map(str, exceeded)]), pytrace=False)


@pytest.fixture
def tarn_budget() -> Callable[..., None]:
    """Compares the peaks of two recordings with a limit; see check_budget()."""
    return check_budget
