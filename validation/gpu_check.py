"""validation/gpu-check: everything that is to be known of this machine's GPU, in one call. See --help.

A step is one thing that is measured. Its result is written as soon as it is known, to OUTPUT with the ending .partial.json, and a later call
goes on with the steps that are not done; when all are, the file gets its own name.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import sys
import tempfile
import time

from gpu_children import Children, Stopped
from gpu_interference import OF_OTHERS, PARTS, found_in, judged, together, words_of
from gpu_program import PROGRAMS, Recording, Refused, find_cupti, folders_of_cupti, measure, summary
from gpu_sets import IN_PROCESSES, SETS, SIDE_BY_SIDE, Machine, chapter_5, options_of, overheads_of, table_6_1
from gpu_side_by_side import SHARES, SideBySide, in_ms, stands, table

ROOT = pathlib.Path(__file__).resolve().parents[1]
JETSON, DEVICE_FILES = "/etc/nv_tegra_release", ("/dev/nvidiactl", "/dev/nvidia0")
LIMITS = {"record_cost_per_block_ns": 1000, "effect_of_recording_on_L_percent": 2}
# Sets come after what their C, L and slices are made of.
STEPS = ["doctor", "overheads", "interference", "program", "probes", "examination", *SETS, *SIDE_BY_SIDE, "simulations"]


class Failed(Exception):
    """A step could not be run; what is known nevertheless is its second argument."""


def say(text, error=False):
    print(("gpu-check: " if error else "") + text, file=sys.stderr if error else sys.stdout, flush=True)


def seconds(text):
    """Of a time as rta writes it."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m|h)", text)
    if match is None or float(match[1]) <= 0:
        raise argparse.ArgumentTypeError(f"'{text}': expected a time, e.g. 60s or 10m")
    return float(match[1]) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[match[2]]


def chosen(kind, allowed):
    """Reads a list of names with commas."""

    def read(text):
        names = text.split(",")
        for name in names:
            if name not in allowed:
                raise argparse.ArgumentTypeError(f"no {kind} '{name}' (allowed: {', '.join(allowed)})")
        return names

    return read


def parse_options(words):
    parser = argparse.ArgumentParser(
        prog="validation/gpu-check",
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Measures this machine's GPU: what the machine adds to nodes and what measuring costs, how far kernels slow each other\n"
        "down, its scheduling rules, and task sets that are scaled to it and compared with their bounds. Every result is written as\n"
        "soon as it is known, to a file that validation/results/ keeps; after Ctrl-C, an error or the end of the time the same call\n"
        "goes on with what is missing. The device profile goes to validation/profiles/.",
        epilog=f"Steps: {', '.join(STEPS)}.\n\n"
        "Needs the CUDA Toolkit (11.8 or later; NVCC names another nvcc), g++, make and python3; root for real-time scheduling. Exit status:\n"
        "0 every job within its bound and every run valid, 1 not, 2 something is missing, was interrupted or could not be run. What the\n"
        "examination finds does not count: it is about the GPU.",
    )
    parser.add_argument("--duration", metavar="TIME", help="of each run of a task set (default 60s; of table-6.1 10s, of yolo 5s)")
    parser.add_argument("--time-limit", metavar="TIME", type=seconds, default=600, help="begin no step that may end later (default 10m)")
    parser.add_argument("--output", metavar="FILE", type=pathlib.Path, help="result (default validation/results/DEVICE.json)")
    parser.add_argument("--only", metavar="STEP,...", type=chosen("step", STEPS), default=STEPS, help="only these steps")
    parser.add_argument("--parts", metavar="PART,...", type=chosen("part", [*PARTS, *OF_OTHERS]), help="of the step interference these alone")
    parser.add_argument("--fresh", action="store_true", help="begin anew in place of going on with an unfinished result")
    parser.add_argument("--quick", action="store_true", help="try everything for seconds; the figures mean little (default DEVICE-quick.json)")
    parser.add_argument("--allow-settings", action="store_true", help="the examination may fix clocks, and it and the probes may start an MPS server of their own")
    parser.add_argument("--keep", metavar="DIR", type=pathlib.Path, help="keep programs and traces there")
    options = parser.parse_args(words)
    options.own_durations = not options.duration and not options.quick
    options.duration = options.duration or ("1s" if options.quick else "60s")
    try:
        options.seconds = seconds(options.duration)
    except argparse.ArgumentTypeError as error:
        parser.error(f"argument --duration: {error}")
    return options


def may_have_real_time():
    """Whether the kernel grants SCHED_FIFO."""
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        return False
    os.sched_setscheduler(0, *before)
    return True


def all_stand(step):
    return all(stands(run) for run in step["runs"].values() if "figures" in run)


class Result:
    """The file of results; on the disk it is always whole."""

    def __init__(self, options, device, key, work):
        self.work = work
        name = re.sub(r"[^a-z0-9]+", "-", device["device"].lower()).strip("-") + ("-quick" if options.quick else "")
        self.path = options.output or ROOT / "validation/results" / f"{name}.json"
        self.partial = self.path.with_suffix(".partial.json")
        self.content = {"schema": 1, "complete": False, **key, "machine": platform.platform(), "passed": False, "steps": {}}
        earlier = self.earlier()
        if earlier is None or options.fresh:
            return
        if any(earlier.get(name) != value for name, value in key.items()):
            say(f"warning: {self.partial} is of another device, program or duration and is begun anew", error=True)
            return
        found = {name: step for name, step in earlier.get("steps", {}).items() if name in STEPS}
        self.content["steps"] = {name: step for name, step in found.items() if step.get("state") == "done" or step.get("runs") or step.get("parts")}
        done = [name for name in found if self.is_done(name)]
        if done:
            say(f"going on with {self.partial}; done: {', '.join(done)}")

    def earlier(self):
        try:
            found = json.loads(self.partial.read_text())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def is_done(self, name):
        return self.content["steps"].get(name, {}).get("state") == "done"

    def put(self, name, step):
        self.content["steps"][name] = step
        steps = self.content["steps"]
        self.content["complete"] = all(self.is_done(each) for each in STEPS)
        self.content["passed"] = all(
            self.is_done(each) and steps[each]["measured"]["verdict"] == "within" and steps[each]["measured"]["valid"] for each in SETS
        ) and all(self.is_done(each) and all_stand(steps[each]) for each in SIDE_BY_SIDE)
        self.partial.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.content, indent=1).replace(json.dumps(f"{self.work}/")[1:-1], "")  # nobody else has that folder
        with tempfile.NamedTemporaryFile("w", dir=self.partial.parent, prefix=".gpu-check-", delete=False) as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.chmod(file.name, 0o644)
        os.replace(file.name, self.partial)

    def end(self):
        """The file's name, which is its own when nothing is missing."""
        if not self.content["complete"]:
            return self.partial
        os.replace(self.partial, self.path)
        return self.path


class Check:
    """The steps, each a method that returns what is to be kept."""

    def __init__(self, options, work):
        self.options = options
        self.work = work
        self.children = Children()
        self.nvcc = os.environ.get("NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        self.rta = os.environ.get("RTA_PROGRAM") or str(ROOT / "rta")
        self.cpus = len(os.sched_getaffinity(0))
        self.deadline = time.monotonic() + options.time_limit
        self.device = {}
        self.unbuilt = {}  # what nvcc said of programs that it did not build
        self.say = say

    def missing(self):
        """What this machine lacks, all of it at once."""
        found = [] if os.access(self.nvcc, os.X_OK) else ["nvcc is missing: install the CUDA Toolkit (11.8 or later) or set NVCC"]
        found += [f"{tool} is missing: install it (Debian: {tool})" for tool in ("g++", "make") if shutil.which(tool) is None]
        if not os.path.exists(JETSON) and not all(os.path.exists(file) for file in DEVICE_FILES):
            found.append(
                "no NVIDIA GPU is visible here (no /dev/nvidia0): load its driver (Debian: nvidia-driver), or measure on a machine that has one; "
                "`rta simulate` plays task sets without"
            )
        return found

    def left(self):
        return self.deadline - time.monotonic()

    def run(self, words, limit, more=None):
        return self.children.run([str(word) for word in words], limit, {**os.environ, "NVCC": self.nvcc, **(more or {})})

    def building(self, name):
        """The words by which nvcc builds validation/NAME.cu, or a program that is recorded."""
        source, words = ROOT / f"validation/{name}.cu", [f"-I{ROOT}/validation/runtime"]
        if name in PROGRAMS:
            source, words = PROGRAMS[name].source, []
        arch = os.environ.get("ARCH", "native")
        return [self.nvcc, "-std=c++17", "-O2", f"-arch={arch}", "-Xcompiler", "-pthread", *words, "-o", self.work / name, source]

    def build(self, names):
        """All at once, before anything is measured. What cannot be built fails when its step comes."""
        names = [name for name in names if not (self.work / name).exists()]
        said = {name: self.work / f"{name}.built" for name in names}
        commands = [f"{shlex.join(map(str, self.building(name)))} > {shlex.quote(str(said[name]))} 2>&1 &" for name in names]
        ran = self.run(["sh", "-c", "\n".join([*commands, "wait"])], 300)
        if ran.interrupted:
            raise Stopped("interrupted", {})
        for name in names:
            self.unbuilt[name] = f"did not end within {ran.limit:.0f} s" if ran.status is None else said[name].read_text()[-4000:]
            said[name].unlink(missing_ok=True)

    def built(self, name):
        program = self.work / name
        if not program.exists():
            if name not in self.unbuilt:
                self.build([name])
            if not program.exists():
                raise Failed(f"{name}.cu could not be built: {self.unbuilt[name]}", {})
        return program

    def answer(self, name, *words):
        """What a program of ours prints."""
        ran = self.run([self.built(name), *words], 120)
        if ran.status != 0:
            raise Failed(ran.reason(), {})
        return json.loads(ran.out)

    def ask_device(self):
        self.device = self.answer("overheads", "--device")
        return self.device

    def others(self):
        """Other processes on the GPU, as far as nvidia-smi tells."""
        smi = shutil.which("nvidia-smi")
        if smi is None:
            return []
        ran = self.run([smi, "--query-compute-apps=pid,process_name", "--format=csv,noheader"], 30)
        return [line.strip() for line in ran.out.splitlines() if line.strip()] if ran.status == 0 else []

    def machine(self):
        """As the task sets need it: with what the steps before them found."""
        return Machine(self.device, self.cpus, may_have_real_time(), self.overheads_found(), self.slices_found())

    def measured(self, name):
        return self.results.content["steps"][name] if self.results.is_done(name) else None

    def overheads_measured(self):
        step = self.measured("overheads")
        return step["measured"] if step else {}

    def overheads_found(self):
        measured = self.overheads_measured()
        return overheads_of(measured) if measured else {}

    def slices_found(self):
        """The longest slice and switch of two processes, ns; None: not measured."""
        step = self.measured("examination")
        latencies = (step or {}).get("report") or {}
        found = {latency["name"]: latency["max_ns"] for latency in latencies.get("latencies", [])}
        return (found["time-slice"], found["context-switch"]) if {"time-slice", "context-switch"} <= set(found) else None

    def needs(self, name):
        """About how long a step takes; s."""
        if name in SETS:
            return self.options.seconds + 20
        if name in SIDE_BY_SIDE:
            runs = {"table-6.1": 12, "yolo": 4}[name]
            return runs * (self.seconds_of(name) + 2) + 40
        return {"examination": 30, "program": 45, "overheads": 20, "interference": 60, "probes": 60}.get(name, 5)

    def step(self, name):
        if name in SETS:
            return self.task_set(name)
        return {"table-6.1": self.table_6_1, "yolo": self.yolo}.get(name, lambda: getattr(self, name)())()

    def seconds_of(self, name):
        return SIDE_BY_SIDE[name] if self.options.own_durations else self.options.seconds

    def doctor(self):
        ran = self.run([self.rta, "workload", "--doctor", "--format", "json"], 120)
        if ran.status not in (0, 1):
            raise Failed(ran.reason(), {})
        findings = json.loads(ran.out)
        for finding in findings["findings"]:
            if finding["severity"] in ("doubtful", "missing"):
                say(f"warning: {finding['subject']}: {finding['text']}", error=True)
        return {"findings": findings}

    def overheads(self):
        found = self.answer("overheads", *["--quick"] * self.options.quick)
        for key, value in found.items():
            if key.endswith(("_ns", "_percent")):
                say(f"  {key}: {value}")
        exceeded = [f"{name} is {found[name]} (at most {limit} expected)" for name, limit in LIMITS.items() if found[name] > limit]
        for line in exceeded:
            say(f"warning: recording costs more than it should: {line}", error=True)
        return {"measured": found, "above_limits": exceeded}

    def known_parts(self):
        return self.results.content["steps"].get("interference", {}).get("parts", {})

    def is_done(self, name):
        """Of interference what was asked for; all of it has to be known before it is done for good."""
        if name == "interference" and self.options.parts and set(self.options.parts) <= set(self.known_parts()):
            return True
        return self.results.is_done(name)

    def interference(self):
        """Parts that an earlier call has measured are kept: what one cannot do, or an interrupt, loses nothing that others found."""
        parts = dict(self.known_parts())
        wanted = [part for part in self.options.parts or PARTS if part not in parts]
        folder, missing = self.work / "interference", {}
        if wanted:
            limit = 60 * len(wanted) + 300  # a part ends after a minute by itself; the rest is for nvcc
            ran = self.run([self.rta, *words_of(wanted, folder, self.options.quick, limit)], limit + 300)
            parts.update(found_in(folder, wanted))
            if ran.interrupted:
                raise Stopped("interrupted", {"parts": parts})
            if ran.status not in (0, 1):
                raise Failed(ran.reason(), {"parts": parts})
            missing = json.loads(ran.out)["interference"]["not_possible"]
        for found in parts.values():
            missing.update(found["not_possible"])
        measured = together(parts)
        if not measured["cases"]:
            raise Failed(next(iter(missing.values()), "no part was measured"), {"not_possible": missing})
        for case in measured["cases"]:
            say(
                f"  {case['kernel']:<10} {case['where']:<16} {case['beside']:<28} {case['max_ns'] / 1e6:8.3f} ms (largest), "
                f"{case['growth_of_largest_percent']:+.1f} %"
            )
        for part, reason in missing.items():
            say(f"  {part}: not possible here: {reason}")
        try:
            block = judged(self.run, self.rta, parts, self.work / "interference-parts")
        except ValueError as error:
            raise Failed(error.args[0], {"parts": parts}) from error
        say(block["task_set"] or f"  no `interference` for task sets: {block['reason']}")
        found = {"measured": measured, "not_possible": missing, "interference": {key: block[key] for key in block if key not in ("beside", "not_possible")}}
        return found if self.options.parts is None else {"state": "unfinished", "parts": parts, **found}

    def probes(self):
        found = self.answer("probes", *["--quick"] * self.options.quick, *["--allow-settings"] * self.options.allow_settings)
        for probe in found["probes"]:
            say(f"  {probe['probe']:<24} {probe['answer']}, {probe['agreeing']} of {probe['runs']} runs{': ' + probe['reason'] if probe['reason'] else ''}")
        return {"measured": found}

    def program(self):
        """Programs that nobody wrote for this tool: recorded, converted, analysed, and compared with a later recording."""
        # Below 0 where the clocks of host and GPU could not be compared any better.
        launch = max(0, self.overheads_measured().get("kernel_launch_to_start_ns", {}).get("max", 0))
        cupti, kept, failed = find_cupti(folders_of_cupti(self.nvcc), self.work), {}, []
        for name, is_ in PROGRAMS.items():
            recording = Recording(name, self.work, self.run, self.rta, cupti, self.cpus)
            kept[name] = recording.kept
            try:
                measure(recording, self.built(name), is_.quick if self.options.quick else is_.arguments, launch)
            except (Failed, Refused) as error:
                if self.children.interrupted:
                    raise Stopped("interrupted", {"programs": kept}) from error
                failed.append(error.args[0])
                continue
            for line in [*recording.kept["first"]["said"], *summary(recording.kept)]:
                say(f"  {name}: {line}")
        if failed:
            raise Failed("; ".join(failed), {"programs": kept})
        return {"programs": kept}

    def task_set(self, name):
        machine = self.machine()
        text = SETS[name](machine)
        folder, task_set, report = self.work / name, self.work / f"{name}.yaml", self.work / f"{name}.json"
        task_set.write_text(text)
        report.unlink(missing_ok=True)
        words = ["--duration", self.options.duration, "--keep", folder, "--output", report, "--quiet", *options_of(machine, text)]
        words += ["--tasks", "processes"] if name in IN_PROCESSES else []
        ran = self.run([self.rta, "run", task_set, *words], self.options.seconds + 400)
        if ran.status not in (0, 1) or not report.exists():
            raise Failed(ran.reason(), {"task_set": text})
        comparison = json.loads(report.read_text())["comparisons"][0]
        for dag in comparison["dags"]:
            largest = "no job" if dag["max_ns"] is None else f"max {dag['max_ns'] / 1e6:.3f} ms"
            bound = "no bound" if dag["bound_ns"] is None else f"bound {dag['bound_ns'] / 1e6:.3f} ms"
            say(f"  {dag['dag']:<12} {dag['count']:>7} jobs  {largest}  {bound}")
        say(f"  {comparison['verdict']}{'' if comparison['valid'] else ', INVALID'}")
        for check in comparison["checks"]:
            if check["outcome"] != "ok":
                say(f"{name}: {check['outcome']}: {check['name']}: {check['text']}", error=True)
        kept = {"task_set": text, "measured": comparison}
        if comparison["verdict"] != "within" or not comparison["valid"]:
            kept["trace"] = self.keep_trace(name, folder / "trace.jsonl")
        lost = [check["text"] for check in comparison["checks"] if check["name"] == "GPU" and check["outcome"] == "failed"]
        if lost:
            raise Failed(lost[0], kept)
        if ran.interrupted:
            raise Stopped("interrupted", kept)
        return kept

    def side_by_side(self, name, runs):
        """Each run's result is kept as soon as it is known."""
        known = self.results.content["steps"].get(name, {}).get("runs", {})

        def keep(found):
            self.results.put(name, {"state": "unfinished", "runs": dict(found)})

        side_by_side = SideBySide(self, name, runs, self.seconds_of(name), known, keep)
        found = side_by_side.all()
        for each, run in found.items():
            for check in run.get("measured", {}).get("checks", []):
                if check["outcome"] == "failed" and run["judged"]:
                    say(f"{name}: {each}: failed: {check['name']}: {check['text']}", error=True)
            if "figures" in run and not stands(run):
                run["trace"] = self.keep_trace(f"{name}-{re.sub(r'[^a-zA-Z0-9]+', '-', each).strip('-')}", self.work / name / each / "trace.jsonl")
        kept = {"runs": found}
        if self.children.interrupted:
            raise Stopped("interrupted", kept)
        if not any("figures" in run for run in found.values()):
            raise Failed(next((run["error"] for run in found.values()), "no run was made"), kept)
        page = self.results.path.with_suffix("").with_name(f"{self.results.path.stem}-{name}.html")
        if side_by_side.page(page):
            kept["page"] = page.name
            say(f"  a page of all: {page}")
        return kept

    def table_6_1(self):
        """Response times of the HOG-like set by granularity and by what its DAGs are to the system."""
        kept = self.side_by_side("table-6.1", table_6_1(self.machine()))
        overheads = self.overheads_found()
        rows = [("bound", lambda run: in_ms(run["bound_ns"]))]
        keys = {"max": "max_ns", **{name: name for name, _ in SHARES}, "mean": "mean_ns"}
        rows += [(name, lambda run, key=key: in_ms(run["figures"].get(key))) for name, key in keys.items()]
        rows += [("jobs", lambda run: str(run["figures"]["jobs"]))]
        rows += [(f"{name} late: mean, largest (us)", lambda run, key=name: self.late(run, key)) for name in ("releases", "launches")]
        kept["table"] = table(kept["runs"], rows)
        kept["overheads_ns"] = overheads
        say("response times of DAGs, ms:")
        say(kept["table"])
        return kept

    @staticmethod
    def late(run, name):
        found = run["machine_adds"].get(name)
        return "-" if found is None else f"{found['mean_us']:.0f}, {found['largest_us']:.0f}"

    def analyzed(self, text, options):
        task_set, out = self.work / "analyzed.yaml", self.work / "analyzed.json"
        task_set.write_text(text)
        out.unlink(missing_ok=True)
        ran = self.run([self.rta, "analyze", task_set, *options, "--output", out, "--quiet"], 120)
        if ran.status not in (0, 1) or not out.exists():
            raise Failed(ran.reason(), {})
        return json.loads(out.read_text())

    def yolo(self):
        """Tiny YOLO of chapter 5: one frame at a time, several at once, every node as soon as it is ready."""
        kept = self.side_by_side("yolo", chapter_5(self.machine(), self.analyzed, self.options.quick))
        proven = {name: run for name, run in kept["runs"].items() if run.get("judged", not name.endswith("saturated"))}
        rows = [("frames per second", lambda run: f"{run['figures']['ended_per_second'] or 0:.1f}")]
        rows += [("bound", lambda run: in_ms(run["bound_ns"]))]
        rows += [(name, lambda run, key=key: in_ms(run["figures"].get(key))) for name, key in (("max", "max_ns"), ("median", "median"))]
        kept["table"] = table(proven, rows)
        most = {name: run for name, run in kept["runs"].items() if name not in proven}
        kept["saturated"] = table(most, rows[:1])
        say("frames that are proven to be kept up with; latency in ms:")
        say(kept["table"])
        say("frames kept up with:")
        say(kept["saturated"])
        return kept

    def keep_trace(self, name, trace):
        """Beside the result: what shows a bound too small or a run that does not count is not to be lost."""
        if not trace.exists():
            return None
        kept = self.results.path.with_suffix("").with_name(f"{self.results.path.stem}-{name}.jsonl")
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(trace, kept)
        return kept.name

    def examination(self):
        folder = self.work / "examination"
        rest = sum(self.needs(name) for name in self.options.only if name in SETS and not self.results.is_done(name))
        limit = 20 if self.options.quick else int(max(30, min(300, self.left() - rest)))
        words = ["--time-limit", f"{limit}s", "--quiet", *["--allow-settings"] * self.options.allow_settings]
        ran = self.run([self.rta, "examine", "-o", folder, *words], limit + 300)
        report = folder / "report.json"
        kept = {"text": ran.out, "report": json.loads(report.read_text()) if report.exists() else None}
        profiles = sorted(folder.glob("*.yaml"))
        if ran.interrupted:
            raise Stopped("interrupted", kept)
        if ran.status not in (0, 1) or not profiles:
            raise Failed(ran.reason(), kept)
        if not self.options.quick:
            (ROOT / "validation/profiles").mkdir(parents=True, exist_ok=True)
            for profile in profiles:
                shutil.copy(profile, ROOT / "validation/profiles" / profile.name)
                say(f"  profile kept in {ROOT / 'validation/profiles' / profile.name}")
        say("  " + (ran.out.splitlines() or [""])[0])
        return {"rules_hold": ran.status == 0, "profiles": {profile.name: profile.read_text() for profile in profiles}, **kept}

    def simulations(self):
        """The same sets by the simulator; needs no GPU, and so comes last."""
        kept = {}
        for name, make in SETS.items():
            task_set, out = self.work / f"{name}.yaml", self.work / f"{name}-simulated.json"
            task_set.write_text(make(self.machine()))
            ran = self.run([self.rta, "simulate", task_set, "--duration", "1s" if self.options.quick else "10s", "--output", out, "--quiet"], 300)
            if ran.interrupted:
                raise Stopped("interrupted", kept)
            kept[name] = json.loads(out.read_text()) if ran.status in (0, 1) and out.exists() else {"error": ran.reason()}
        return {"simulated": kept}

    def one(self, name):
        """A step's entry in the result; whether the next one may begin."""
        others = self.others() if name not in ("doctor", "simulations") else []
        for line in others:
            say(f"warning: another process is on the GPU: {line}", error=True)
        say(f"{name}:")
        begun = time.monotonic()
        entry, goes_on = {"state": "done"}, True
        try:
            entry.update(self.step(name))
        except (Failed, Stopped) as error:
            interrupted = isinstance(error, Stopped) or self.children.interrupted
            entry.update({**error.args[1], "state": "interrupted" if interrupted else "failed", "error": error.args[0]})
            say(f"{name}: {error.args[0] if not interrupted else 'interrupted'}", error=True)
            goes_on = not interrupted
        entry["seconds"] = round(time.monotonic() - begun, 3)
        if others:
            entry["other_processes"] = others
        return entry, goes_on

    def answers_still(self):
        try:
            self.ask_device()
        except (Failed, Stopped) as error:
            say(f"the GPU does not answer any more: {error.args[0]}", error=True)
            return False
        return True

    def all(self):
        version = self.run([self.rta, "--version"], 600)  # builds ./rta where it has to
        if version.status != 0:
            raise Failed(f"{self.rta} does not run: {version.reason()}", {})
        programs = ["probes"] * ("probes" in self.options.only) + list(PROGRAMS) * ("program" in self.options.only)
        self.build(["overheads", *programs])
        try:
            self.ask_device()
        except Failed as error:
            raise Failed(f"the GPU cannot be used: {error.args[0]}", {}) from error
        say(f"{self.device['device']}, {self.device['sms']} SMs; {self.cpus} processors")
        key = {name: getattr(self.options, name) for name in ("duration", "quick", "allow_settings")}
        self.results = results = Result(self.options, self.device, {"device": self.device, "program": version.out.strip(), **key}, self.work)
        for name in self.options.only:
            if self.is_done(name):
                continue
            if self.left() < self.needs(name):
                say(f"{name}: left for the next call: the time is up", error=True)
                continue
            entry, goes_on = self.one(name)
            results.put(name, entry)
            if not goes_on or (entry["state"] == "failed" and not self.answers_still()):
                break
        path = results.end() if results.content["steps"] else None
        missing = [name for name in self.options.only if not self.is_done(name)]
        if path is not None:
            say(f"written to {path}")
        if missing:
            say(f"not done: {', '.join(missing)}; the same call goes on with them", error=True)
            return 2
        measured = [results.content["steps"][name]["measured"] for name in self.options.only if name in SETS]
        stand = all(all_stand(results.content["steps"][name]) for name in self.options.only if name in SIDE_BY_SIDE)
        return 0 if stand and all(each["verdict"] == "within" and each["valid"] for each in measured) else 1


def main():
    options = parse_options(sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="gpu-check-") as temporary:
        work = options.keep.resolve() if options.keep else pathlib.Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        check = Check(options, work)
        missing = check.missing()
        for line in missing:
            say(line, error=True)
        if missing:
            return 2
        try:
            return check.all()
        except (Failed, Stopped) as error:
            say(error.args[0], error=True)
            return 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:  # not Python's status 1, which would say that a bound was exceeded
        say(f"{type(error).__name__}: {error}", error=True)
        sys.exit(2)
