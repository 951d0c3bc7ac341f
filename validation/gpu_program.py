"""Real programs beside their bounds, for gpu-check: each is recorded by `rta record`, a task set is made of the recording and analysed, and what a
later recording shows is compared with the bounds."""

import collections
import json
import math
import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
JOBS = "frame"  # NVTX ranges of this name
LONGEST_TEXT = 40_000  # characters of a task set that is kept as a whole

FIGURES = {"max": "max_ns", "99 %": "p99_ns", "90 %": "p90_ns", "median": "median_ns", "mean": "mean_ns"}

# `arguments`: some seconds on a GPU; `quick`: as much as a device that is only simulated can carry.
Program = collections.namedtuple("Program", "source arguments quick")
PROGRAMS = {
    "detector": Program(ROOT / "tasksets/examples/cuda/detector.cu", ["280", "20"], ["5", "200", "256"]),
    "frames": Program(ROOT / "tasksets/examples/frames.cu", ["200"], ["2"]),
}


class Refused(Exception):
    """Part of it could not be done; what is known nevertheless is the second argument."""


def folders_of_cupti(nvcc):
    """Where CUDA toolkits and packages of Python may have it."""
    named = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    toolkits = [pathlib.Path(name) for name in named if name]
    toolkits += [pathlib.Path(shutil.which(nvcc) or nvcc).resolve().parents[1], pathlib.Path("/usr/local/cuda")]
    toolkits += sorted(pathlib.Path("/usr/local").glob("cuda-*"))
    packages = [pathlib.Path(folder) for folder in sys.path if folder.endswith("-packages")]
    packages += sorted(pathlib.Path("/").glob("opt/*/.venv/lib/python3*/site-packages"))
    for folder in packages:
        toolkits += [*sorted((folder / "nvidia").glob("cu[0-9]*")), folder / "nvidia/cuda_cupti"]
    return [folder for toolkit in toolkits for folder in (toolkit / "extras/CUPTI", toolkit)] + [pathlib.Path("/usr")]


def found_in(folders, places, name):
    return [path for folder in folders for place in places for path in sorted(folder.glob(f"{place}/{name}"))]


def find_cupti(folders, work):
    """A folder with `include` and `lib64` for $CUPTI, made of where its parts lie; None: $CUPTI says it, or there is none."""
    if os.environ.get("CUPTI"):
        return None
    headers = ("include", "targets/*/include")
    for folder in folders:
        own = found_in([folder], headers, "cupti.h")
        libraries = found_in([folder], ("lib64", "lib", "lib/*-linux-gnu", "targets/*/lib"), "libcupti.so*")
        cuda = found_in([folder, *folders], headers, "cuda.h")  # which CUPTI's includes, and a toolkit may have elsewhere
        if not own or not libraries or not cuda:
            continue
        # The loader looks for what the library calls itself, and for what it needs, beside it.
        links = {f"lib64/{path.name}": path for path in libraries[0].parent.glob("lib*.so*")} | {"lib64/libcupti.so": libraries[0]}
        for header in (cuda[0], own[0]):
            links |= {f"include/{path.name}": path for path in header.parent.iterdir()}
        for name, to in links.items():
            link = work / "cupti" / name
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(to.resolve())
        return work / "cupti"
    return None


def percentile(sorted_times, share):
    return sorted_times[max(0, math.ceil(share * len(sorted_times)) - 1)]


def seen(times):
    """Of response times, ns."""
    times = sorted(times)
    return {
        "jobs": len(times),
        "max_ns": times[-1],
        "p99_ns": percentile(times, 0.99),
        "p90_ns": percentile(times, 0.9),
        "median_ns": percentile(times, 0.5),
        "mean_ns": sum(times) // len(times),
    }


def recorded(path):
    """What a recording has: numbers of records, what it says of itself, and the response times of its jobs."""
    counts, calls, checks, times, header, end = collections.Counter(), collections.Counter(), [], [], {}, {}
    with open(path) as lines:
        for line in map(json.loads, lines):
            kind = line.get("t", "header")
            counts[kind] += 1
            if kind == "header":
                header = line
            elif kind == "call":
                calls[f"{line['api']} {line['name']}"] += 1
            elif kind == "check":
                checks.append({key: line[key] for key in ("name", "outcome", "text")})
            elif kind == "range" and line["name"] == JOBS:
                times.append(line["end_ns"] - line["start_ns"])
            elif kind == "end":
                end = line
    del counts["header"], counts["end"]
    found = {"records": dict(counts), "calls": dict(calls.most_common(12)), "checks": checks}
    found |= {key: end.get(key) for key in ("complete", "lost_records")}
    for name in ("plain_run_ns", "recorded_run_ns"):
        if name in header:
            found[name] = header[name]
    if found.get("plain_run_ns"):
        found["cost_percent"] = round(100 * (found["recorded_run_ns"] / found["plain_run_ns"] - 1), 2)
    if times:
        found["responses"] = seen(times)
    return found


def kept_text(text):
    """A task set, or where it is long its head and its size."""
    if len(text) <= LONGEST_TEXT:
        return {"task_set": text}
    head = [line for line in text.splitlines() if line.startswith("#")]
    return {"task_set_head": "\n".join(head)[:LONGEST_TEXT], "task_set_characters": len(text)}


def bounds_of(analysis):
    """What `rta analyze` says of the task set, by which theorems."""
    dags = [
        {
            "dag": dag["name"],
            "period_ns": dag["period_ns"],
            "bound_ns": dag.get("response_bound_ns"),
            "theorem": dag.get("theorem"),
            "release": dag.get("release"),
            "nodes": len(dag["nodes"]),
            "theorems_of_nodes": dict(collections.Counter(f"{node['pool']}: {node.get('theorem')}" for node in dag["nodes"])),
            "critical_path": dag.get("critical_path"),
        }
        for dag in analysis["dags"]
    ]
    pools = [{key: pool.get(key) for key in ("name", "kind", "theorem", "utilization", "capacity", "busy", "bounded", "explanation")} for pool in analysis["pools"]]
    return {"verdict": analysis["verdict"], "dags": dags, "pools": pools, "warnings": analysis.get("warnings", [])}


def compared(comparison):
    """What is kept of it: of nodes a few figures."""
    kept = ("dag", "node", "count", "max_ns", "p99_ns", "bound_ns", "over")
    nodes = [{key: node[key] for key in kept} for node in comparison.get("nodes", [])]
    return {**{key: value for key, value in comparison.items() if key != "trace"}, "nodes": nodes, "violations": comparison["violations"][:20]}


class Recording:
    """One program. `run(words, limit, more)` runs rta or a program with more variables of the environment and returns how it ended."""

    def __init__(self, name, work, run, rta, cupti, processors):
        self.name, self.work, self.rta, self.processors = name, work, rta, processors
        self.environment = {} if cupti is None else {"CUPTI": str(cupti)}
        self.run_program = run
        self.kept = {}

    def ran(self, words, limit=120, allowed=(0, 1)):
        ran = self.run_program([self.rta, *words], limit, self.environment)
        if ran.interrupted or ran.status not in allowed:
            raise Refused(f"{self.name}: rta {words[0]}: {'interrupted' if ran.interrupted else ran.reason()}", self.kept)
        return ran

    def record(self, name, program, arguments, pairs):
        path = self.work / f"{self.name}-{name}.jsonl"
        path.unlink(missing_ok=True)
        ran = self.ran(["record", "-o", path, "--pairs", pairs, "--", program, *arguments], allowed=(0, 1))
        found = {"said": [line for line in ran.error.splitlines() if line], "printed": ran.out.splitlines()[-1:], **recorded(path)}
        self.kept[name] = found
        if ran.status != 0:
            raise Refused(f"{self.name}: {ran.reason()}", self.kept)
        if "responses" not in found:
            raise Refused(f"{self.name}: its recording has no range '{JOBS}'", self.kept)
        return path

    def beside(self, first, later, latency_ns):
        """The task set of the first recording, its bounds, and what the later one shows beside them."""
        found = {"dispatch_latency_ns": latency_ns}
        self.kept.setdefault("bounds", []).append(found)
        base = self.work / f"{self.name}-{latency_ns}"
        task_set, analysis, comparison = (base.with_name(base.name + end) for end in (".yaml", "-bounds.json", "-compared.json"))
        cut = ["--job-marker", JOBS, "--waits", "passive"]  # both programs sleep until their events have come
        words = ["convert", first, *cut, "--processors", self.processors, "-q", "-o", task_set]
        words += ["--dispatch-latency", f"{latency_ns} ns"] if latency_ns else []
        ran = self.ran(words, allowed=(0, 2))
        if ran.status != 0:  # where the model differs from the recording, which its head then says
            found["refused"] = ran.error.strip()
            self.ran([*words, "--accept-difference"], allowed=(0,))
        found.update(kept_text(task_set.read_text()))
        analysis.unlink(missing_ok=True)
        self.ran(["analyze", task_set, "--release", "completion", "--format", "json", "-q", "-o", analysis, "--time-limit", "10"])
        found["analysis"] = bounds_of(json.loads(analysis.read_text()))
        comparison.unlink(missing_ok=True)
        ran = self.ran(["compare", later, task_set, *cut, "--format", "json", "-q"])
        found["measured"] = compared(json.loads(ran.out)["comparisons"][0])
        return found


def measure(recording, program, arguments, latency_ns):
    first = recording.record("first", program, arguments, 1)
    later = recording.record("later", program, arguments, 0)
    recording.beside(first, later, 0)
    if latency_ns:
        recording.beside(first, later, latency_ns)
    return recording.kept


def summary(kept):
    """What was found, in a line for each task set, and one of what was seen."""
    for found in kept["bounds"]:
        for dag in found["analysis"]["dags"]:
            bound = "no bound" if dag["bound_ns"] is None else f"bound {dag['bound_ns'] / 1e6:.3f} ms ({dag['theorem']})"
            later = next(of for of in found["measured"]["dags"] if of["dag"] == dag["dag"])
            above = f"{later['over']} of {later['count']} later jobs above" if dag["bound_ns"] is not None else "nothing to compare with"
            yield f"{dag['nodes']} nodes, launch latency {found['dispatch_latency_ns'] / 1000:.1f} us: {bound}; {above}"
    later = kept["later"]["responses"]
    shown = ", ".join(f"{name} {later[key] / 1e6:.3f}" for name, key in FIGURES.items())
    yield f"{later['jobs']} later jobs, ms: {shown}"
