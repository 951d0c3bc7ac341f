"""Runs that gpu-check puts side by side: their programs are built at once, each run's result is known by itself."""

import collections
import contextlib
import json
import os
import re
import shutil
import subprocess

# text: the task set; words: of the generated program; options: of rta workload; mps: under an MPS server of its own; judged: whether its bounds
# count, or it is only to show what the machine can do; seconds: measured at most; None: as long as the others.
Run = collections.namedtuple("Run", "text words options mps judged seconds", defaults=((), (), False, True, None))

SHARES = (("99 %", 0.99), ("90 %", 0.9), ("median", 0.5))


def responses(trace):
    """Of the DAGs' jobs: response times, sorted, ns, and how many jobs ended per second from the first end to the last."""
    times, ends = [], []
    with open(trace) as lines:
        for line in lines:
            if '"t": "dag"' in line[:12]:
                record = json.loads(line)
                times.append(record["end_ns"] - record["release_ns"])
                ends.append(record["end_ns"])
    rate = (len(ends) - 1) * 1e9 / (max(ends) - min(ends)) if len(ends) > 1 and max(ends) > min(ends) else None
    return sorted(times), rate


def keep_dags(trace, kept):
    """The trace without nodes and blocks: all that end-to-end figures need, and small."""
    with open(trace) as lines, open(kept, "w") as out:
        out.writelines(line for line in lines if re.match(r'\{"(schema": |t": "(dag|check|end)")', line))


def figures(trace):
    """What a table says of the jobs of a trace."""
    times, rate = responses(trace)
    found = {"jobs": len(times), "ended_per_second": rate and round(rate, 2)}
    if times:
        found["max_ns"] = times[-1]
        found.update({name: times[max(0, -(-int(len(times) * share * 1000) // 1000) - 1)] for name, share in SHARES})
        found["mean_ns"] = sum(times) // len(times)
    return found


def lateness(checks):
    """What the machine added, by the program's own checks: mean and largest, us; of processes those of the worst."""
    found = {}
    for check in checks:
        match = re.match(r"\d+, mean ([\d.]+) us late, largest ([\d.]+) us", check["text"])
        if match is None:
            continue
        name = "releases" if check["name"] == "releases" else "launches" if check["name"].startswith("launches to ") else None
        if name is not None:
            before = found.get(name, {"mean_us": 0, "largest_us": 0})
            found[name] = {"mean_us": max(before["mean_us"], float(match[1])), "largest_us": max(before["largest_us"], float(match[2]))}
    return found


def in_ms(ns):
    return "-" if ns is None else f"{ns / 1e6:.2f}"


def table(runs, rows):
    """A table in Markdown, a column per run. `rows`: name and what it says of a run that was made."""
    lines = [["", *runs], ["---"] * (len(runs) + 1)]
    for name, value in rows:
        lines.append([name, *(value(run) if "figures" in run else "not run" for run in runs.values())])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


@contextlib.contextmanager
def mps_server(folder):
    """An MPS server with folders of its own; its environment. It ends with this process, however that ends: whoever holds the pipe started it."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "CUDA_MPS_PIPE_DIRECTORY": str(folder / "pipe"), "CUDA_MPS_LOG_DIRECTORY": str(folder / "log")}
    for name in ("pipe", "log"):
        (folder / name).mkdir(exist_ok=True)
    script = """trap '' INT TERM HUP
nvidia-cuda-mps-control -d < /dev/null > /dev/null 2>&1 && echo ready
cat > /dev/null
echo quit | nvidia-cuda-mps-control > /dev/null 2>&1"""
    keeper = subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True)
    try:
        yield environment if keeper.stdout.readline() == "ready\n" else None
    finally:
        keeper.stdin.close()
        try:
            keeper.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(keeper.pid, 9)
        keeper.stdout.close()


class SideBySide:
    """`check`: the caller's Check; `runs`: name -> Run; `known`: name -> what an earlier call found; `keep` is told of each result."""

    def __init__(self, check, name, runs, seconds, known, keep):
        self.check, self.name, self.runs, self.seconds, self.keep = check, name, runs, seconds, keep
        self.known = {each: known[each] for each in runs if "figures" in known.get(each, {})}
        self.folder = check.work / name

    def missing(self):
        return [name for name in self.runs if name not in self.known]

    def build(self):
        """All programs, as many at a time as there are processors."""
        rules = ["all:\n"]
        for number, name in enumerate(self.missing()):
            run, folder = self.runs[name], self.folder / name
            task_set = self.folder / f"{name}.yaml"
            task_set.parent.mkdir(parents=True, exist_ok=True)
            task_set.write_text(run.text)
            written = self.check.run([self.check.rta, "workload", task_set, "-o", folder, "--quiet", *run.options], 300)
            if written.status != 0:
                self.failed(name, written.reason())
                continue
            rules.append(f".PHONY: {number}\nall: {number}\n{number}:\n\t+@$(MAKE) -s -C '{folder}' NVCC='{self.check.nvcc}'\n")
        rules_file = self.folder / "all.mk"
        rules_file.write_text("".join(rules))
        built = self.check.run(["make", "-k", "-s", f"-j{self.check.cpus}", "-f", rules_file], 600)
        for name in self.missing():
            if name not in self.known and not (self.folder / name / "workload").exists():
                self.failed(name, f"could not be built: {built.reason()}")

    def failed(self, name, error):
        self.known[name] = {"error": error}
        self.check.say(f"{self.name}: {name}: {error}", error=True)
        self.keep(self.known)

    def play(self, name):
        run, folder = self.runs[name], self.folder / name
        trace, report = folder / "trace.jsonl", folder / "report.json"
        seconds = min(run.seconds or self.seconds, self.seconds)
        warmup = 0 if self.check.options.quick else 500
        words = [folder / "workload", "--output", trace, "--duration", f"{round(seconds * 1000)}ms", "--warmup", f"{warmup}ms", "--quiet", *run.words]
        with contextlib.ExitStack() as stack:
            environment = None
            if run.mps:
                if shutil.which("nvidia-cuda-mps-control") is None:
                    return self.failed(name, "there is no nvidia-cuda-mps-control")
                if not self.check.options.allow_settings:
                    return self.failed(name, "starts an MPS server of its own: give --allow-settings")
                environment = stack.enter_context(mps_server(self.folder / "mps"))
                if environment is None:
                    return self.failed(name, "the MPS server did not start")
            ran = self.check.run(words, seconds + 120, environment)
        if ran.status not in (0, 1) or not trace.exists():
            return self.failed(name, ran.reason())
        compared = self.check.run([self.check.rta, "compare", trace, self.folder / f"{name}.yaml", "--output", report, "--quiet"], 300)
        if compared.status not in (0, 1) or not report.exists():
            return self.failed(name, compared.reason())
        comparison = json.loads(report.read_text())["comparisons"][0]
        bounds = [dag["bound_ns"] for dag in comparison["dags"]]
        keep_dags(trace, self.folder / f"{name}.jsonl")
        self.known[name] = {
            "figures": figures(trace),
            "bound_ns": None if None in bounds else max(bounds),
            "machine_adds": lateness(comparison["checks"]),
            "judged": run.judged,
            "task_set": run.text,
            "measured": {key: value for key, value in comparison.items() if key not in ("nodes", "violations")},
            "above": comparison["violations"][:5],
        }
        self.keep(self.known)
        return self.known[name]

    def page(self, to):
        """All runs as a page; False: it could not be written."""
        made = [name for name in self.runs if "figures" in self.known.get(name, {})]
        gone = [name for name in made if not (self.folder / f"{name}.jsonl").exists()]
        if gone:
            self.check.say(f"{self.name}: no page: an earlier call kept no trace of {', '.join(gone)} (give --keep, or --fresh)", error=True)
            return False
        sets = {self.runs[name].text: f"{name}.yaml" for name in reversed(made)}
        first, *others = reversed(sets.values())
        words = ["env", "-C", self.folder, os.path.abspath(shutil.which(self.check.rta) or self.check.rta), "compare", *(f"{name}.jsonl" for name in made), first]
        ran = self.check.run([*words, *(word for other in others for word in ("--with", other)), "--output", to.resolve(), "--quiet"], 120)
        if ran.status not in (0, 1):
            self.check.say(f"{self.name}: no page: {ran.reason()}", error=True)
        return ran.status in (0, 1)

    def all(self):
        """What is known of every run, in their order."""
        if self.missing():
            self.build()
        for name in self.missing():
            if not self.check.children.interrupted:
                self.play(name)
        return {name: self.known[name] for name in self.runs if name in self.known}


def stands(run):
    """Whether no job of the run was above a bound, and it was what its task set says."""
    return not run["judged"] or (run["measured"]["verdict"] != "above" and run["measured"]["valid"])
