"""What the module does, a function for each command."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from . import _native
from ._options import ANALYSIS, CONVERT, takes
from ._result import Certificate, Choice, Picture, Result, Sweep, read_table
from ._task_set import TaskSet, as_json, held

Path = str | os.PathLike[str]


def _whole(value: int | None) -> int | None:
    return None if value is None else operator.index(value)


def _seconds(value: float | None) -> float | None:
    return None if value is None else float(value)


def read(path: Path) -> TaskSet:
    """Reads a task-set file. Raises `InputError` with file, line and column."""
    return TaskSet._of(_native.read(os.fspath(path)))


def parse(text: str, name: str = "<text>") -> TaskSet:
    """Reads a task set from a file's text; `name` stands for the file in errors."""
    return TaskSet._of(_native.parse(text, name))


def task_set(content: Mapping[str, Any], name: str = "<dict>") -> TaskSet:
    """A task set of dicts and lists with the keys of a file, such as `TaskSet.to_dict` gives."""
    return TaskSet._of(_native.parse(as_json(content), name))


@takes(CONVERT, "a conversion")
def convert(path: Path, *, accept_difference: bool = False, **options: Any) -> TaskSet:
    """A task set of another tool's file, as `rta convert` reads it: its `found`, `assumed` and `warnings` say how. What the file does not say is
    asked for by the name of the option."""
    return TaskSet._of(_native.convert(os.fspath(path), bool(accept_difference), options))


def generate(spec: Path | Mapping[str, Any], *, count: int = 1, first: int = 0, seed: int | None = None, point: int | None = None) -> list[TaskSet]:
    """Random task sets as of `rta generate`. `spec`: the path of a specification, or its content as a dict; `first`: from that one on, counted from 0;
    `point`: of its grid."""
    text = isinstance(spec, Mapping)
    sets = _native.generate(as_json(spec) if text else os.fspath(spec), text, _whole(count), _whole(first), _whole(seed), _whole(point))
    return [TaskSet._of(one) for one in sets]


@takes(ANALYSIS, "an analysis")
def analyze(task_set: TaskSet, *, explain: Sequence[str] = (), time_limit: float | None = None, **options: Any) -> Result:
    """Proves bounds: the result of `rta analyze --format json` but for its advice. `explain`: names of which the formulas are added; `time_limit`: seconds
    after which searches end with the best so far."""
    names = [explain] if isinstance(explain, str) else list(explain)
    return Result(json.loads(_native.analyze(held(task_set, "analyze"), names, _seconds(time_limit), options)))


@takes(ANALYSIS, "an analysis")
def certificate(task_set: TaskSet, **options: Any) -> Certificate:
    """What is proven, as a certificate that `rta-check` verifies."""
    file = held(task_set, "certificate")
    text, uncertified = _native.certificate(file, options)
    return Certificate(text, file.text(), tuple(uncertified))


@takes(ANALYSIS, "an analysis")
def draw(task_set: TaskSet, path: Path | None = None, *, bounds: bool = True, **options: Any) -> Picture:
    """The DAGs with what is proven of them, as `rta draw` has them; without bounds, what the file says alone. `path`: where the picture is written
    (.svg, .pdf, .png, .dot)."""
    if not bounds and any(value not in (None, False) for value in options.values()):
        raise _native.Error(f"a picture without bounds takes no options of an analysis ({', '.join(options)})")
    picture = Picture(_native.graph(held(task_set, "draw"), bool(bounds), options))
    if path is not None:
        picture.write(path)
    return picture


@takes(ANALYSIS, "an analysis", but=("release",))
def compare(traces: Path | Sequence[Path], task_set: TaskSet, *, job_marker: str | Sequence[str] | None = None, gpu: int | None = None,
            waits: Literal["active", "passive"] | None = None, fuse: str | None = None, blocking_streams: bool = False, **options: Any) -> Result:
    """Observed response times beside the bounds for how the trace's jobs were released: the result of `rta compare --format json`. `traces`: files of one
    task set. The options up to `blocking_streams` say how jobs are found in a recording of `rta record`, as for `convert`."""
    files = [os.fspath(traces)] if isinstance(traces, (str, os.PathLike)) else [os.fspath(one) for one in traces]
    if not files:
        raise _native.Error("compare takes at least one trace")
    recording = {"job_marker": list(job_marker) if isinstance(job_marker, (list, tuple)) else job_marker, "gpu": _whole(gpu), "waits": waits, "fuse": fuse,
                 "blocking_streams": bool(blocking_streams)}
    given = {key: value for key, value in recording.items() if value not in (None, False)}
    return Result(json.loads(_native.compare(files, held(task_set, "compare"), given, options)))


def _execution(how: Any) -> Any:
    if isinstance(how, str):
        return how
    return tuple(float(one) for one in how) if isinstance(how, (tuple, list)) else float(how)


@takes(ANALYSIS, "an analysis")
def simulate(task_set: TaskSet, *, duration: str | int = "10 s", execution: str | float | tuple[float, float] = "worst",
             placement: Literal["most-free", "least-free", "first-fit", "round-robin", "random"] = "most-free",
             ties: Literal["in-order", "random"] = "in-order", copy_rules: Literal["yang2020", "amert2017"] = "yang2020", jitter: float = 0.0,
             random_phases: bool = False, seed: int = 1, time_limit: float | None = None, trace: Literal["dag", "job", "block"] | None = None,
             **options: Any) -> Result:
    """Simulates: the result of `rta simulate --format json`. `duration`: a time such as "2 s", or whole ns; `execution`: worst, uniform, a percentage
    of the worst case or a pair of them; `jitter`: percent of T; `time_limit`: seconds; `trace` adds the records of that level and of those above it."""
    length = duration if isinstance(duration, str) else f"{operator.index(duration)} ns"
    text, lines = _native.simulate(held(task_set, "simulate"), length, _execution(execution), placement, ties, copy_rules, float(jitter), bool(random_phases),
                                   operator.index(seed), _seconds(time_limit), trace, options)
    result = Result(json.loads(text))
    if trace is not None:
        result["trace"] = [json.loads(line) for line in lines.splitlines()[1:]]  # behind the header
    return result


@takes(ANALYSIS, "an analysis")
def optimize(spec: Path | Mapping[str, Any], *, seed: int = 1, effort: int = 1000, time_limit: float | None = None, **options: Any) -> Choice:
    """The best of the task sets that a file (or dict) with alternatives stands for: the result of `rta optimize --format json`, and the task set as
    `chosen`. The option of an analysis that is called `optimize` searches for priority points in each."""
    text, name = (as_json(spec), "<dict>") if isinstance(spec, Mapping) else (_native.read_text(os.fspath(spec)), os.fspath(spec))
    found, chosen = _native.optimize(text, name, operator.index(seed), operator.index(effort), _seconds(time_limit), options)
    result = Choice(json.loads(found))
    result.chosen = TaskSet._of(chosen)
    return result


def sweep(spec: Path | Mapping[str, Any], folder: Path, *, count: int | None = None, seed: int | None = None, jobs: int = 0, timing: bool = False) -> Sweep:
    """Analyses over random task sets, as `rta sweep` runs them in `folder`: the tables summary, ratios, weighted and points. What is there already is not
    computed again, and after Ctrl-C the same call goes on. `jobs`: threads (0: all cores); `timing` adds how long each analysis took."""
    text = isinstance(spec, Mapping)
    place = os.fspath(folder)
    if not _native.sweep(as_json(spec) if text else os.fspath(spec), text, place, _whole(count), _whole(seed), operator.index(jobs), bool(timing)):
        raise _native.Error(f"the sweep in {place} was stopped; the same call goes on where it stopped")
    tables = [name for name in ("summary", "ratios", "weighted", "points") if os.path.exists(os.path.join(place, f"{name}.csv"))]
    result = Sweep({name: read_table(os.path.join(place, f"{name}.csv")) for name in tables})
    result.folder = place
    return result
