# SPDX-License-Identifier: Apache-2.0
"""Recordings of memory: replayed, explained and fitted by the command `tarn`.

The results are those of its option --json. `raw` has everything that the command printed.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field, fields
from typing import Any, Dict, List, Mapping, Optional, Tuple, Type, TypeVar, Union

from tarn._library import find_command

Path = Union[str, "os.PathLike[str]"]
Size = Union[int, str]  # bytes, or a text such as "20G"
Result = TypeVar("Result")

# Exit statuses of the command: docs/command.md.
BAD_INPUT = 2
DOES_NOT_FIT = 3  # a replay ran out of memory


class CommandError(Exception):
    """The command failed: `status` is its exit status, and the text what it wrote."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text or f"tarn ended with status {status}")
        self.status = status


class BadInput(CommandError, ValueError):
    """The command refused an option or a file, which the text names."""


def command_error(status: int, text: str) -> CommandError:
    """Returns the exception for an exit status."""
    return (BadInput if status == BAD_INPUT else CommandError)(status, text)


def command_options(options: Mapping[str, Any]) -> List[str]:
    """Returns options as the command takes them: `page_size=4096` is `--page-size=4096`. None and
    False leave an option out, True is an option without a value."""
    line = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is not None and value is not False:
            line.append(flag if value is True else f"{flag}={value}")
    return line


def run_json(command: str, *files: Path, options: Mapping[str, Any] = {}) -> Dict[str, Any]:
    """Runs a command of `tarn` with --json on files. `options` are those of the command, such as
    {"page": "4K", "touch": True}."""
    names = [os.fspath(file) for file in files]
    line = [find_command(), command, "--json", *command_options(options), "--", *names]
    done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    text = done.stderr.decode(errors="replace").strip()
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        raise command_error(done.returncode, text) from None
    if not isinstance(answer, dict):
        raise CommandError(done.returncode, f"the command printed a {type(answer).__name__}")
    if answer.keys() == {"command", "schema", "error"}:  # no result
        raise command_error(done.returncode, text)
    return answer


def pick(kind: Type[Result], raw: Dict[str, Any], **extra: Any) -> Result:
    """Returns a dataclass with the members of an object that it has fields for."""
    names = {entry.name for entry in fields(kind)}
    values = {name: value for name, value in raw.items() if name in names}
    if "raw" in names:
        values["raw"] = raw
    return kind(**{**values, **extra})


# ---- replay


@dataclass(frozen=True)
class Failure:
    """Why a replay ended early. The bytes are those of the moment of the refusal."""

    status: str
    message: str
    exit_code: int
    event: Optional[int] = None
    asked_bytes: Optional[int] = None
    live_bytes: Optional[int] = None
    cause: Optional[str] = None
    free_bytes: Optional[int] = None
    largest_free_bytes: Optional[int] = None


@dataclass(frozen=True)
class Replay:
    """A recording on one kind of pool."""

    trace: str
    device: str
    pool: str
    rule: str
    limit_bytes: int = 0
    events: int = 0
    allocations: int = 0
    frees: int = 0
    peak_live_bytes: int = 0
    peak_used_bytes: int = 0
    peak_reserved_bytes: int = 0
    largest_free_at_peak: int = 0
    utilisation: float = 0.0
    driver_calls: int = 0
    device_ns: int = 0
    error: Optional[Failure] = None
    raw: Dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def completed(self) -> bool:
        """True if every request was served."""
        return self.error is None


def read_replay(raw: Dict[str, Any]) -> Replay:
    """Returns the result of one run."""
    error = pick(Failure, raw["error"]) if "error" in raw else None
    if error is not None and error.exit_code != DOES_NOT_FIT:
        raise command_error(error.exit_code, error.message)
    return pick(Replay, raw, error=error)


def replay(
    recording: Path,
    *,
    pool: str = "expandable:balanced",
    device: Optional[str] = None,
    rule: Optional[str] = None,
    limit: Optional[Size] = None,
    page: Optional[Size] = None,
    segment: Optional[Size] = None,
    streams: Optional[str] = None,
    repeat: Optional[int] = None,
    scale: Optional[int] = None,
    touch: bool = False,
    columns: Optional[str] = None,
    max_events: Optional[int] = None,
    max_memory: Optional[Size] = None,
) -> Replay:
    """Replays a recording on one kind of pool. Options are those of `tarn replay`, such as
    device="sim:0,memory=80G", limit="20G", rule="caching". A recording that does not fit is a
    result with an error."""
    options = {key: value for key, value in locals().items() if key != "recording"}
    return read_replay(run_json("replay", recording, options=options))


def compare(
    recording: Path,
    *,
    device: Optional[str] = None,
    rule: Optional[str] = None,
    limit: Optional[Size] = None,
    page: Optional[Size] = None,
    segment: Optional[Size] = None,
    streams: Optional[str] = None,
    repeat: Optional[int] = None,
    scale: Optional[int] = None,
    touch: bool = False,
    columns: Optional[str] = None,
    max_events: Optional[int] = None,
    max_memory: Optional[Size] = None,
) -> List[Replay]:
    """Replays a recording on every kind of pool. Options are those of replay()."""
    options = {key: value for key, value in locals().items() if key != "recording"}
    runs = run_json("replay", recording, options={"compare": True, **options})["runs"]
    return [read_replay(run) for run in runs]


# ---- plan


@dataclass(frozen=True)
class Plan:
    """A plan of a recording: places for its large requests, which a pool follows."""

    requests: int
    streams: int
    bound_bytes: int
    plan_bytes: int
    ratio: float
    first_event: int
    last_event: int
    search_steps: int
    search_ns: int
    raw: Dict[str, Any] = field(default_factory=dict, repr=False)


def plan(
    recording: Path,
    output: Optional[Path] = None,
    *,
    rule: Optional[str] = None,
    streams: Optional[str] = None,
    gpu: Optional[int] = None,
    steps: Optional[int] = None,
    time_limit: Optional[int] = None,
    whole: bool = False,
    columns: Optional[str] = None,
    max_events: Optional[int] = None,
    max_memory: Optional[Size] = None,
) -> Plan:
    """Makes a plan of a recording, and writes it to a file for Device.pool(plan=...). Options are
    those of `tarn plan`; `steps` is in millions, and `time_limit` in seconds."""
    options = {key: value for key, value in locals().items() if key not in ("recording", "output")}
    options["output"] = None if output is None else os.fspath(output)
    return pick(Plan, run_json("plan", recording, options=options))


# ---- fit


@dataclass(frozen=True)
class Need:
    """The least memory in which a kind of pool completes a recording; None if it is not known. Some
    larger sizes may fail, but none that was tried from completes_from_bytes on."""

    device: int
    pool: str
    needs_bytes: Optional[int] = None
    completes_from_bytes: Optional[int] = None
    refused_bytes: Optional[int] = None
    refused_cause: Optional[str] = None
    refused_text: Optional[str] = None


@dataclass(frozen=True)
class Card:
    """A GPU or NPU, and the memory that each kind of pool leaves on it; negative: it lacks that."""

    card: str
    memory_bytes: int
    margin_bytes: Dict[str, Optional[int]]

    def fits(self, pool: str) -> bool:
        """Returns True if the recording is known to complete on the card with a kind of pool."""
        margin = self.margin_bytes.get(pool)
        return margin is not None and margin >= 0


@dataclass(frozen=True)
class Fit:
    """The least memory for a recording, and the cards that have it."""

    recording: str
    needs: Tuple[Need, ...]
    cards: Tuple[Card, ...]
    raw: Dict[str, Any] = field(default_factory=dict, repr=False)

    def smallest_card(self, pool: str = "expandable:balanced") -> Optional[Card]:
        """Returns the card with the least memory on which the recording completes."""
        fitting = sorted(
            (card for card in self.cards if card.fits(pool)), key=lambda card: card.memory_bytes
        )
        return fitting[0] if fitting else None


def fit(
    recording: Path,
    *,
    pool: Optional[str] = None,
    card: Optional[Size] = None,
    context: Optional[Size] = None,
    device: Optional[str] = None,
    rule: Optional[str] = None,
    streams: Optional[str] = None,
    as_recorded: bool = False,
    jobs: Optional[int] = None,
    columns: Optional[str] = None,
    max_events: Optional[int] = None,
    max_memory: Optional[Size] = None,
) -> Fit:
    """Finds the least memory in which a recording completes. Options are those of `tarn fit`, such
    as card="24G", context="1G", pool="segments"."""
    options = {key: value for key, value in locals().items() if key != "recording"}
    raw = run_json("fit", recording, options=options)
    needs = tuple(
        pick(Need, need, device=device["device"])
        for device in raw["devices"]
        for need in device["pools"]
    )
    return pick(Fit, raw, needs=needs, cards=tuple(pick(Card, card) for card in raw["cards"]))


# ---- explain


@dataclass(frozen=True)
class Holder:
    """Somebody who holds memory at the explained moment: a function, a stream, a size."""

    name: str
    bytes: int
    blocks: int


@dataclass(frozen=True)
class Question:
    """A question about a recording, with its answer."""

    number: int
    question: str
    answer: str


@dataclass(frozen=True)
class Explanation:
    """The peak of a recording or its first failure, and who holds the memory then."""

    recording: str
    format: str
    device: int
    peak_live_bytes: int
    questions: Tuple[Question, ...]
    failure: Optional[Dict[str, Any]] = None
    raw: Dict[str, Any] = field(default_factory=dict, repr=False)

    def holders(self, by: str = "function") -> List[Holder]:
        """Returns who holds the memory, the largest first, by "function", "line", "stack",
        "stream", "tag", "category", "phase" or "size"."""
        key = "by_" + by
        if key not in self.raw:
            known = ", ".join(name[3:] for name in self.raw if name.startswith("by_"))
            raise ValueError(f'"{by}" is not one of {known}')
        return [pick(Holder, holder) for holder in self.raw[key].get("holders", [])]

    def answer(self, number: int) -> str:
        """Returns the answer to a question of docs/recordings.md."""
        for question in self.questions:
            if question.number == number:
                return question.answer
        raise ValueError(f"question {number} is not one of 1 to {len(self.questions)}")


def explain(
    recording: Path,
    *,
    at: Optional[int] = None,
    device: Optional[int] = None,
    top: Optional[int] = None,
    no_replay: bool = False,
    columns: Optional[str] = None,
    max_events: Optional[int] = None,
    max_memory: Optional[Size] = None,
) -> Explanation:
    """Explains a recording. Options are those of `tarn explain`: the event and the device to
    explain, and the number of holders to list."""
    options = {key: value for key, value in locals().items() if key != "recording"}
    raw = run_json("explain", recording, options=options)
    questions = tuple(pick(Question, question) for question in raw["questions"])
    peak = raw["whole"]["peak_live_bytes"]
    return pick(Explanation, raw, questions=questions, peak_live_bytes=peak)


# ---- diff


@dataclass(frozen=True)
class Excess:
    """A figure that grew by more than its limit: "peak_live_bytes" with the holder that grew most,
    "peak_reserved_bytes" with the pool, or "holder_bytes" with the holder."""

    device: int
    figure: str
    name: str
    before_bytes: int
    after_bytes: int

    def __str__(self) -> str:
        grown = f"from {self.before_bytes} to {self.after_bytes} bytes"
        return f"device {self.device}: {self.figure} ({self.name}) grew {grown}"


@dataclass(frozen=True)
class Difference:
    """What changed between two recordings, and what grew by more than a limit."""

    exceeded: Tuple[Excess, ...]
    raw: Dict[str, Any] = field(default_factory=dict, repr=False)


def diff(
    before: Path,
    after: Path,
    *,
    fail_over: Optional[str] = None,
    fail_over_holder: Optional[str] = None,
    pool: Optional[str] = None,
    by: Optional[str] = None,
    device: Optional[int] = None,
    top: Optional[int] = None,
    all_frames: bool = False,
    max_events: Optional[int] = None,
    max_memory: Optional[Size] = None,
) -> Difference:
    """Compares two recordings at their peaks. Options are those of `tarn diff`, such as
    fail_over="1%", pool="expandable:balanced", fail_over_holder="5%"."""
    options = {key: value for key, value in locals().items() if key not in ("before", "after")}
    raw = run_json("diff", before, after, options=options)
    exceeded = tuple(
        pick(Excess, excess, device=device["after"]["device"])
        for device in raw["devices"]
        for excess in device.get("exceeded", [])
    )
    return Difference(exceeded, raw)
