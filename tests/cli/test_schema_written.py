"""Schemas of what rta writes and reads back: traces, worst runs, schedules, device profiles and limits, the identity of a sweep's folder. Each file that is written is accepted; of the same files with
one thing changed, whatever a schema refuses rta refuses, too, and the other way round, but for what lies between values."""

import json
import pathlib
import re
import tempfile
import unittest

import yaml

import test_recorded
from program import EXAMPLE, ROOT, rta
from schemas import SCHEMAS, Loader, errors

GRAPHS = sorted((ROOT / "tasksets/static").glob("*.yaml"))
PROFILE = ROOT / "fuzz/corpus/device-profile/h200.yaml"
SET = """platform: {cpu: {processors: 1}, gpu: {device: h200}, copy: {engines: 1}, worker: {workers: 2}}
dags:
  - name: d
    T: 10 ms
    nodes: {a: {on: cpu, C: {max: 1 ms, min: 1 us}}, k: {on: gpu, B: 2, H: 64, L: 1 ms}, c: {on: copy, C: 1 ms}, w: {on: worker, B: 2, L: 1 ms}}
    edges: [a -> k -> c -> w]
"""
# Kinds of lines that test_recorded.py has no use for.
MORE = [
    {"t": "memcpy", "direction": "h2d", "from": "pinned", "to": "device", "bytes": 64, "async": True, "correlation": 5, "graph": 1, "graph_node": 2**33,
     "start_ns": 5, "end_ns": 6} | test_recorded.ON,
    {"t": "memset", "to": "device", "bytes": 64, "async": False, "correlation": 6, "start_ns": 5, "end_ns": 6} | test_recorded.ON,
    {"t": "event", "context": 1, "stream": 13, "event": 4, "record": 9, "correlation": 7} | test_recorded.OF,
    {"t": "mark", "name": "m", "domain": "", "thread": 9, "at_ns": -4} | test_recorded.OF,
    {"t": "overhead", "kind": "buffer_flush", "thread": 9, "start_ns": 5, "end_ns": 6} | test_recorded.OF,
    {"t": "stream", "context": 1, "stream": 13, "priority": -5, "kind": "non_blocking"} | test_recorded.OF]


def read(path):
    """As JSON knows it."""
    return json.loads(json.dumps(yaml.load(path.read_text(), Loader)))


def places(value, place=()):
    """All places of a value, as keys and indices; of a list the first entry stands for all."""
    if place:
        yield place
    inner = value.items() if isinstance(value, dict) else [(0, value[0])] if isinstance(value, list) and value else ()
    for key, part in inner:
        yield from places(part, (*place, key))


def edited(value, place, edit):
    """A copy in which `edit` has changed what holds the last key of the place."""
    value = json.loads(json.dumps(value))
    holder = value
    for key in place[:-1]:
        holder = holder[key]
    edit(holder, place[-1])
    return value


def wrong_form(value):
    """A value of another kind, or a number out of range."""
    if isinstance(value, bool):
        return 7
    if isinstance(value, (int, float)):
        return "many" if value % 2 else 0.5 if value else -1
    if isinstance(value, str):
        return "-1 ms" if re.fullmatch(r"\d+ (ns|us|ms|s)", value) else {}
    return "text"


def changed(value):
    """The value with one thing changed, and where: keys are left out, unknown ones come in, and values take another form, in turns."""
    def replace(holder, key):
        holder[key] = wrong_form(holder[key])

    def leave_out(holder, key):
        del holder[key]

    def add(holder, key):
        if isinstance(holder[key], dict):
            holder[key]["unknown-key"] = 1
        else:
            replace(holder, key)

    for turn, place in enumerate(places(value)):
        yield place, edited(value, place, (replace, leave_out, replace, add)[turn % 4])


class Written(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.set = self.folder / "set.yaml"
        self.set.write_text(SET)

    def done(self, *arguments):
        run = rta(*arguments)
        self.assertLess(run.returncode, 2, run.stderr)
        return run

    def agrees(self, schema, value, command, by_meaning):
        """`command(file)`: what reads it. `by_meaning`: places (keys joined by /) whose change rta may refuse though the form is right."""
        self.assertEqual(errors(schema, value), [])
        path = self.folder / f"{schema}.yaml"
        refused = 0
        for place, other in changed(value):
            path.write_text(json.dumps(other))
            run = rta(*command(path))
            place = "/".join(map(str, place))
            with self.subTest(schema, place=place, value=json.dumps(other)[:2000], message=run.stderr[:300]):
                self.assertIn(run.returncode, (0, 1, 2))
                names_a_place = run.returncode == 2 and re.search(rf"{path.name}:\d+:\d+: ", run.stderr) is not None
                if errors(schema, other):
                    self.assertTrue(names_a_place)
                    refused += 1
                elif names_a_place:
                    self.assertRegex(place, by_meaning)
        self.assertGreater(refused, 10)


class Runs(Written):
    def found(self, *options):
        path = self.folder / "worst.yaml"
        self.done("simulate", self.set, "--search-runs", "2", "--search-out", path, "--quiet", *options)
        return read(path)

    def test_worst_runs_are_accepted_and_what_is_wrong_is_refused(self):
        found = self.found()
        if "duration" not in found:
            found = {key: value for key, value in found.items() if key != "jobs"} | {"duration": "1 ms"}
        long_run = found | {"duration": "1 ms", "jitter": 0, "ties": "in-order", "slices": "worst", "options": {"fitting": "true"},
                            "dags": [{"dag": "d", "phase": "3 ns", "execution": [1_000_000, [1, 2], 5, 5]}]}
        scenario = {key: value for key, value in long_run.items() if key not in ("duration", "jitter", "ties", "dags")} | {
            "jobs": [{"dag": "d", "release": "0 ns", "execution": [1, 2, 3, 4], "rank": [0, 1, 2, 3]}]}

        def command(path):
            return "simulate", self.set, "--replay", path, "--quiet"

        # Other names, policies and numbers of values than the task set has.
        meaning = r"^(shows/(dag|job)|release|task_set_sha256|options.*|(jobs|dags)/0/(dag|execution|rank)(/\d+)*|jobs/0|jobs|dags|shows|duration)$"
        self.agrees("run", long_run, command, meaning)
        self.agrees("run", scenario, command, meaning)

    def test_every_example_gives_one(self):
        for example in sorted((ROOT / "tasksets/examples").glob("*.yaml"))[:6]:
            path = self.folder / f"{example.stem}.run.yaml"
            run = rta("simulate", example, "--search-runs", "2", "--search-out", path, "--quiet")
            with self.subTest(example.name):
                self.assertLess(run.returncode, 2, run.stderr)
                self.assertEqual(errors("run", read(path)), [])


class Schedules(Written):
    def test_schedules_are_accepted_and_what_is_wrong_is_refused(self):
        for graph in (*GRAPHS, EXAMPLE):
            path = self.folder / "schedule.yaml"
            self.done("compile", graph, "--effort", "1", "-o", path, "--quiet")
            with self.subTest(graph.name):
                self.assertEqual(errors("schedule", read(path)), [])
        path = self.folder / "schedule.yaml"
        self.done("compile", GRAPHS[0], "--effort", "1", "-o", path, "--quiet")
        schedule = read(path)
        (hyperepoch,) = schedule["hyperepochs"]
        hyperepoch["sharing"] = [{"resource": "iGPU", "by": "weights", "capacity": 8}]
        # All keys stand in the first runnable; what the schedule then means is of no concern here.
        hyperepoch["runnables"][0] |= {"steps": ["none"], "stream": "GpuX.CUDA_STREAMX", "after": [], "after_start": [2], "blocks": 1, "weight": 2,
                                       "deadline": "90 ms"}
        # Names and ids that others refer to.
        refers = r"(resources|epochs)/\d/name|runnables/\d/(id|epoch|frame|resources|stream|submits|after|after_start|name|kind|client)|sharing/0/resource"
        self.agrees("schedule", schedule, lambda path: ("compile", "--check", path, GRAPHS[0], "--quiet"),
                    rf"^hyperepochs(/0(/({refers})(/\d+)?|/(resources|epochs|runnables)(/\d)?|/resources/\d/serves)?)?$")


class Profiles(Written):
    def command(self, path):
        return "analyze", self.set, "--profile", path

    def test_profiles_are_accepted_and_what_is_wrong_is_refused(self):
        profile = read(PROFILE)
        profile["calls"] = {"cudaFree": {"blocks_others": "yes", "synchronises": "no", "caller_waits": "unclear", "samples": 3}}
        profile["company"] = {"classes": ["L2", "DRAM"], "mixtures": {"measured": 4, "confirm": "sum", "beyond-max": 0.35, "beyond-sum": -0.02},
                              "beside": {"other SMs": {"DRAM on a half": [0.4, None]}, "CPUs": {"7 that write memory": [1.5, -0.01]}}}
        # The order of quantiles, counts of counts, names of latencies, and as many numbers as classes.
        meaning = r"^(company/classes(/\d)?|company/beside/[^/]*/[^/]*(/\d)?|latencies/\w+(/(median|p99|max))?|rules/\w+/contradicting|rules/\w+/runs|limits/threads_per_block|limits/threads|limits)$"
        self.agrees("profile", profile, self.command, meaning)

    def test_the_rules_are_those_of_the_program(self):
        profile = read(PROFILE)
        names = SCHEMAS["profile"]["properties"]["rules"]["properties"]
        profile["rules"] = {name: {"verdict": "untested"} for name in names}
        path = self.folder / "profile.yaml"
        path.write_text(json.dumps(profile))
        self.assertEqual(rta(*self.command(path)).returncode, 0)
        path.write_text(json.dumps(profile | {"rules": {"none": {"verdict": "untested"}}}))
        self.assertEqual(set(re.search(r"allowed: ([^)]*)\)", rta(*self.command(path)).stderr)[1].split(", ")), set(names))


class Traces(Written):
    def lines_agree(self, lines, command, by_meaning):
        """Each kind of line, changed in every way, at its place."""
        path = self.folder / "changed.jsonl"
        seen = set()
        for at, line in enumerate(lines):
            self.assertEqual(errors("trace", line), [], line)
            kind = line.get("t", "header")
            if kind in seen:
                continue
            seen.add(kind)
            for place, other in changed(line):
                path.write_text("".join(json.dumps(other if i == at else each) + "\n" for i, each in enumerate(lines)))
                run = rta(*command(path))
                place = f"{kind}/{'/'.join(map(str, place))}"
                with self.subTest(place, value=json.dumps(other), message=run.stderr[:300]):
                    names_the_line = run.returncode == 2 and f"{path.name}:{at + 1}:1: " in run.stderr
                    if errors("trace", other):
                        self.assertTrue(names_the_line)
                    elif names_the_line:
                        self.assertRegex(place, by_meaning)
        return seen

    def test_traces_of_jobs_are_accepted_and_what_is_wrong_is_refused(self):
        path = self.folder / "trace.jsonl"
        self.done("simulate", self.set, "--duration", "10ms", "--trace", path, "--trace-level", "block", "--quiet")
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        lines[0] |= {"started": "2026-01-31T12:00:00Z", "device": None, "driver": "550", "clock_error_ns": 5}
        lines.insert(-1, {"t": "check", "name": "clock", "outcome": "ok", "text": "steady"})
        # The end before the start.
        kinds = self.lines_agree(lines, lambda trace: ("compare", trace, self.set, "--quiet"), r"/(start|end|release)_ns$")
        self.assertEqual(kinds, {"header", "dag", "job", "block", "copy", "run", "check", "end"})

    def test_recordings_are_accepted_and_what_is_wrong_is_refused(self):
        lines = [json.loads(line) for line in test_recorded.recording(1).splitlines()]
        lines[5] |= {"cluster": [2, 1, 1]}
        self.assertEqual(lines[5]["t"], "kernel")
        lines[-1:-1] = MORE
        kinds = self.lines_agree(lines, lambda trace: ("lint", trace), r"/(start|end)_ns$")
        self.assertEqual(kinds, {"header", "end", *(line["t"] for line in [*MORE, *lines[1:]])})
        known = {each["properties"]["t"]["const"] for each in SCHEMAS["trace"]["oneOf"] if "t" in each["properties"]}
        self.assertEqual(known | {"header"}, kinds | {"dag", "job", "block", "copy", "run", "check"})


class Limits(Written):
    def test_limits_are_accepted_and_what_is_wrong_is_refused(self):
        """Files without lines of their own: a message names the file and the key."""
        written = self.folder / "written"
        self.done("examine", "--write", written, "--device", "h200")
        scale = json.loads((written / "scale.json").read_text())
        self.assertEqual(errors("limits", scale), [])
        cases = list(changed(scale))
        cases += [((key,), scale | {key: value}) for key in scale for value in (None, -1, "")]
        cases += [((key,), {k: v for k, v in scale.items() if k != key}) for key in scale]
        cases.append((("extra",), scale | {"extra": 1}))
        refused = 0
        for number, (place, other) in enumerate(cases):
            path = self.folder / "limits.json"
            path.write_text(json.dumps(other))
            run = rta("examine", "--write", self.folder / f"again-{number}", "--limits", path)
            wrong = bool(errors("limits", other))
            refused += wrong
            with self.subTest(place=place, value=json.dumps(other), message=run.stderr):
                self.assertEqual((run.returncode, f"{path.name}: '{place[0]}' must be" in run.stderr), (2, True) if wrong else (0, False))
        self.assertGreater(refused, 30)
        self.assertLess(refused, len(cases) - 5)


class SweepFolders(Written):
    SPEC = ROOT / "tasksets/sweeps/schedulers.yaml"

    def test_what_a_folder_says_is_accepted_and_what_is_wrong_is_refused(self):
        folder, shards = self.folder / "sweep", self.folder / "shards"
        command = ("sweep", self.SPEC, "--count", "1", "--quiet", "-o", folder)
        self.done(*command)
        self.done("sweep", self.SPEC, "--count", "2", "--quiet", "-o", shards, "--shard", "2/2")
        (of_shard,) = shards.glob("shard-*/sweep.json")
        self.assertEqual(errors("sweep-folder", json.loads(of_shard.read_text())), [])
        identity = folder / "sweep.json"
        whole = identity.read_text()
        self.assertEqual(errors("sweep-folder", json.loads(whole)), [])
        refused = 0
        for place, other in changed(json.loads(whole)):
            identity.write_text(json.dumps(other, indent=2) + "\n")
            run = rta(*command)
            with self.subTest(place=place, value=json.dumps(other), message=run.stderr):
                if errors("sweep-folder", other):
                    refused += 1
                    self.assertEqual(run.returncode, 2)
                    self.assertIn("holds another sweep: ", run.stderr)
            identity.write_text(whole)
        self.assertGreater(refused, 8)
        self.assertEqual(self.done(*command).stderr, "")


if __name__ == "__main__":
    unittest.main()
