# SPDX-License-Identifier: Apache-2.0
"""Recordings of memory: replayed, explained and fitted by the command `tarn`.

The results are those of its option --json. `raw` has everything that the command printed.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field, fields
from typing import Any, Dict, List, Optional, Tuple, Type, TypeVar, Union

from tarn._library import find_command

Path = Union[str, "os.PathLike[str]"]
Result = TypeVar("Result")

DOES_NOT_FIT = 3  # the exit status of a replay that ran out of memory


class CommandError(Exception):
    """The command failed: `status` is its exit status, and the text what it wrote."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text or f"tarn ended with status {status}")
        self.status = status


def run_json(*arguments: Path, **options: Any) -> Dict[str, Any]:
    """Runs a command of `tarn` with --json. The option `page_size=4096` is `--page-size=4096`; None
    and False leave an option out, True is an option without a value."""
    line = [find_command(), *[os.fspath(argument) for argument in arguments], "--json"]
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is not None and value is not False:
            line.append(flag if value is True else f"{flag}={value}")
    done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    text = done.stderr.decode(errors="replace").strip()
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        raise CommandError(done.returncode, text) from None
    if not isinstance(answer, dict):
        raise CommandError(done.returncode, f"the command printed a {type(answer).__name__}")
    if answer.keys() == {"command", "schema", "error"}:  # no result
        raise CommandError(done.returncode, text)
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
        raise CommandError(error.exit_code, error.message)
    return pick(Replay, raw, error=error)


def replay(recording: Path, *, pool: str = "expandable:balanced", **options: Any) -> Replay:
    """Replays a recording on one kind of pool. Options are those of `tarn replay`, such as
    device="sim:0,memory=80G", limit="20G", rule="caching". A recording that does not fit is a
    result with an error."""
    return read_replay(run_json("replay", recording, pool=pool, **options))


def compare(recording: Path, **options: Any) -> List[Replay]:
    """Replays a recording on every kind of pool."""
    runs = run_json("replay", recording, compare=True, **options)["runs"]
    return [read_replay(run) for run in runs]


# ---- fit


@dataclass(frozen=True)
class Need:
    """The least memory in which a kind of pool completes a recording; None if it is not known."""

    device: int
    pool: str
    needs_bytes: Optional[int] = None
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


def fit(recording: Path, **options: Any) -> Fit:
    """Finds the least memory in which a recording completes. Options are those of `tarn fit`, such
    as card="24G", context="1G", pool="segments"."""
    raw = run_json("fit", recording, **options)
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


def explain(recording: Path, **options: Any) -> Explanation:
    """Explains a recording. Options are those of `tarn explain`, such as at=EVENT, top=3."""
    raw = run_json("explain", recording, **options)
    questions = tuple(pick(Question, question) for question in raw["questions"])
    peak = raw["whole"]["peak_live_bytes"]
    return pick(Explanation, raw, questions=questions, peak_live_bytes=peak)
