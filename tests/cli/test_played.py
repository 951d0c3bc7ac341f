"""One default everywhere: simulate, run, workload, compare and sweeps play and judge by what analyze chooses."""

import csv
import json
import os
import pathlib
import re
import tempfile
import unittest

from program import ROOT, rta

# U = 11/20 + 4/20 = 0.75 on one FIFO processor. Each node at its offset waits for all others: 15 ms each, 60 ms for `camera`; on completion
# `control` ends by 16 ms, but `camera` by 17 ms. Cut before `plan`, which is released when 8 ms have passed, `camera` ends by 15 ms.
PIPELINE = """platform: {cpu: {processors: 1, scheduler: FIFO}, io: {processors: 1, scheduler: FIFO}}
dags:
  - name: camera
    T: 10 ms
    D: 22 ms
    nodes: {grab: {on: io, C: 2 ms}, resize: {on: cpu, C: 2 ms}, detect: {on: cpu, C: 3 ms}, track: {on: io, C: 3 ms}}
    edges: [grab -> resize, resize -> detect, detect -> track]
  - name: control
    T: 10 ms
    D: 30 ms
    nodes: {read: {on: io, C: 3 ms}, plan: {on: cpu, C: 1 ms}}
    edges: [read -> plan]
"""
COOPERATIVE = """platform: {cpu: {processors: 1, preemptive: false}}
dags:
  - name: camera
    T: 20 ms
    D: 15 ms
    nodes: {grab: {on: cpu, C: 2 ms}, resize: {on: cpu, C: 1 ms}, detect: {on: cpu, C: 4 ms}, track: {on: cpu, C: 4 ms}}
    edges: [grab -> resize, resize -> detect, detect -> track]
  - name: control
    T: 20 ms
    D: 20 ms
    nodes: {read: {on: cpu, C: 2 ms}, plan: {on: cpu, C: 2 ms}}
    edges: [read -> plan]
"""
OVERLOADED = """platform: {cpu: {processors: 1}}
dags:
  - {name: d, T: 10 ms, D: 20 ms, nodes: {a: {on: cpu, C: 8 ms}, b: {on: cpu, C: 8 ms}}, edges: [a -> b]}
"""
# A DAG whose GPU nobody else uses, beside an overloaded processor.
BESIDE = OVERLOADED.replace("}}\ndags", "}, gpu: {sms: 1, threads: 1024}}\ndags") + (
    "tasks:\n  - {name: vision, on: gpu, B: 1, H: 1024, L: 5 ms, T: 10 ms, D: 10 ms}\n")
# Every option of an analysis, a value that is not the default, and the releases under which it means nothing.
OPTIONS = {
    "release": ("segments", ()),
    "optimize": ("priorities", ("offsets", "early")),
    "priorities": ("node", ("offsets", "early", "segments")),
    "path-bound": ("T10n", ("offsets", "early", "segments")),
    "fitting": (None, ("offsets", "early")),
    "most-periods": ("50", ()),
    "enough": ("deadlines", ("offsets", "early", "segments")),
    "scheduler": ("FIFO", ()),
    "non-preemptive": (None, ()),
    "objective": ("max-lateness", ()),
    "granularity": ("coarse", ("completion", "early", "segments")),
    "cpu-bound": ("T1", ("completion", "segments")),
    "gpu-bound": ("T6a", ("completion", "segments")),
    "shared-weights": (None, ("completion", "segments")),
    "refine": ("demand", ("completion", "segments")),
}
# So that every option has its way with some bound.
MIXED = """platform: {cpu: {processors: 2}, gpu: {sms: 2, threads: 2048}}
dags:
  - name: chain
    T: 100 ms
    D: 40 ms
    nodes: {a: {on: cpu, C: 3 ms, group: g}, k: {on: gpu, B: 6, H: 768, L: 2 ms, group: g}, b: {on: cpu, C: 2 ms}}
    edges: [a -> k, k -> b]
  - name: other
    T: 50 ms
    D: 80 ms
    nodes: {a: {on: cpu, C: 9 ms}, k: {on: gpu, B: 3, H: 512, L: 5 ms}}
    edges: [a -> k]
"""


def given(option, value):
    return [f"--{option}"] if value is None else [f"--{option}", value]


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.trace = self.folder / "t.jsonl"

    def file(self, text):
        path = self.folder / "set.yaml"
        path.write_text(text)
        return path

    def analysed(self, path, *options):
        run = rta("analyze", path, *options, "--quiet", "--format", "json")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return json.loads(run.stdout)

    def bounds(self, path, *options):
        """End to end, and of every node."""
        dags = self.analysed(path, *options)["dags"]
        return ([dag["response_bound_ns"] for dag in dags],
                [node["response_bound_ns"] for dag in dags for node in dag["nodes"]])

    def header(self):
        return json.loads(self.trace.read_text().splitlines()[0])

    def compared(self, path, *options, trace=None):
        run = rta("compare", trace or self.trace, path, *options, "--format", "json")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        result = json.loads(run.stdout)["comparisons"][0]
        return [dag["bound_ns"] for dag in result["dags"]], [node["bound_ns"] for node in result["nodes"]]


class TheBestIsPlayed(Folder):
    """A set whose best policy is segments."""

    def setUp(self):
        super().setUp()
        self.path = self.file(PIPELINE)
        self.best = ([22_000_000, 12_000_000], self.bounds(self.path)[1])

    def test_analyze_chooses_segments(self):
        result = self.analysed(self.path)
        self.assertEqual((result["verdict"], {dag["release"] for dag in result["dags"]}), ("schedulable", {"segments"}))
        self.assertEqual([dag["response_bound_ns"] for dag in result["dags"]], self.best[0])
        others = {p["release"]: (p["verdict"], p["largest_response_bound_ns"]) for p in result["policies"]}
        self.assertEqual(others["offsets"], ("deadline-missed", 28_000_000))
        self.assertEqual(others["completion"], ("deadline-missed", 56_100_000))

    def test_simulate(self):
        run = rta("simulate", self.path, "--duration", "1s", "--trace", self.trace, "--format", "json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        result = json.loads(run.stdout)
        self.assertEqual(result["simulation"]["release"], "segments")
        self.assertEqual(([row["response_bound_ns"] for row in result["dags"]], [row["response_bound_ns"] for row in result["nodes"]]), self.best)
        self.assertEqual(self.header()["release"], "segments")
        # `plan` waits for its segment's offset, which is 8 ms after the DAG's release.
        records = [json.loads(line) for line in self.trace.read_text().splitlines()]
        plans = [r for r in records if r.get("t") == "job" and r["node"] == "plan"]
        self.assertEqual({r["release_ns"] % 10_000_000 for r in plans}, {8_000_000})
        self.assertGreater(min(r["start_ns"] for r in plans), 7_999_999)
        self.assertEqual(self.compared(self.path), self.best)

    def test_a_search_plays_it_too(self):
        run = rta("simulate", self.path, "--search-runs", "50", "--format", "json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(json.loads(run.stdout)["simulation"]["release"], "segments")

    def test_workload(self):
        run = rta("workload", self.path, "-o", self.folder / "program")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
        source = (self.folder / "program/workload.cpp").read_text()
        self.assertIn('"segments"', source)
        rows = {node: re.search(rf'\{{"{node}", .*', source)[0] for node in ("grab", "detect", "read", "plan")}
        self.assertEqual({node: ("/*timed*/ true" in row) for node, row in rows.items()}, {"grab": True, "detect": False, "read": True, "plan": True})
        self.assertIn("/*offset*/ 8000000", rows["plan"])
        self.assertIn("segments", (self.folder / "program/README.md").read_text())

    def test_run(self):
        kept = self.folder / "kept"
        processor = max(os.sched_getaffinity(0))
        run = rta("run", self.path, "--duration", "500ms", "--warmup", "100ms", "--format", "json", "--keep", kept, "--cpus", f"cpu={processor}",
                  "--quiet")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        result = json.loads(run.stdout)["comparisons"][0]
        self.assertEqual(result["release"], "segments")
        self.assertEqual(([dag["bound_ns"] for dag in result["dags"]], [node["bound_ns"] for node in result["nodes"]]), self.best)
        self.trace = kept / "trace.jsonl"
        self.assertEqual(self.header()["release"], "segments")
        self.assertEqual(self.compared(self.path), self.best)

    def test_sweeps_observe_it(self):
        """An observation above its bound would end the sweep with status 3."""
        spec = self.folder / "sweep.yaml"
        spec.write_text("""platform: {cpu: {processors: 2, scheduler: FIFO}}
random: {dags: 3, nodes: 2 .. 4, periods: 10 ms .. 100 ms, shape: chain, cpu: {utilization: 60 %}}
sweep:
  sets: 20
  analyses: [{name: best, release: best, simulate: 1 s}, {name: segments, release: segments, simulate: 1 s}]
""")
        run = rta("sweep", spec, "-o", self.folder / "out", "--format", "csv", "--quiet")
        self.assertEqual(run.returncode, 0, run.stderr)


class AnotherReleaseOnRequest(Folder):
    def check_note(self, text):
        note = next(line for line in text.splitlines() if "'camera'" in line)
        for part in ("warning: ", "offsets", "28 ms", "D = 22 ms", "segments", "22 ms"):
            self.assertIn(part, note)

    def test_it_gets_its_bounds_and_a_note_where_they_miss_a_deadline_that_the_best_meets(self):
        path = self.file(PIPELINE)
        offsets = self.bounds(path, "--release", "offsets")
        run = rta("simulate", path, "--release", "offsets", "--duration", "100ms", "--trace", self.trace, "--format", "json")
        self.assertEqual(run.returncode, 1)  # `track` waits for its offset: D = 22 ms is missed
        self.check_note(run.stderr)
        result = json.loads(run.stdout)
        self.assertEqual(([row["response_bound_ns"] for row in result["dags"]], [row["response_bound_ns"] for row in result["nodes"]]), offsets)
        self.assertEqual(self.header()["release"], "offsets")
        self.assertEqual(self.compared(path), offsets)
        run = rta("workload", path, "--release", "offsets", "-o", self.folder / "program")
        self.assertEqual(run.returncode, 0)
        self.check_note(run.stderr)
        self.assertIn('"offsets"', (self.folder / "program/workload.cpp").read_text())

    def test_no_note_where_nothing_is_missed_or_all_miss(self):
        met = self.file(PIPELINE.replace("D: 22 ms", "D: 60 ms"))
        self.assertEqual(rta("simulate", met, "--release", "offsets", "--duration", "100ms").stderr, "")
        self.assertEqual(rta("simulate", met, "--release", "segments", "--duration", "100ms").stderr, "")
        hopeless = self.file(PIPELINE.replace("D: 22 ms", "D: 4 ms"))
        self.assertEqual(rta("simulate", hopeless, "--release", "offsets", "--duration", "100ms").stderr, "")

    def test_quiet_hides_it(self):
        run = rta("simulate", self.file(PIPELINE), "--release", "offsets", "--duration", "100ms", "--quiet")
        self.assertEqual((run.returncode, run.stderr), (1, ""))

    def test_no_bound_where_the_best_has_one(self):
        cooperative = self.file(COOPERATIVE)
        self.assertEqual(self.analysed(cooperative)["verdict"], "deadline-missed")  # by the bounds; no job of this run does
        run = rta("simulate", cooperative, "--duration", "100ms")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        run = rta("simulate", cooperative, "--release", "early", "--duration", "100ms")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("non-preemptive G-EDF: a job that is released early may hold up one with an earlier point", run.stderr)


class Overload(Folder):
    def play(self, path, *options):
        """What each command that plays says; a new folder each time."""
        program = self.folder / ("program" + "".join(options))
        return {
            "simulate": rta("simulate", path, *options, "--duration", "100ms", "--quiet"),
            "workload": rta("workload", path, *options, "-o", program, "--quiet"),
            "run": rta("run", path, *options, "--duration", "100ms", "--warmup", "0s", "--quiet"),
        }

    def test_offsets_that_nobody_knows_are_refused_alike(self):
        path = self.file(OVERLOADED)
        for release in ("offsets", "early"):
            runs = self.play(path, "--release", release)
            for command, run in runs.items():
                self.assertEqual((run.returncode, run.stdout), (2, ""), (command, release))
            messages = {run.stderr for run in runs.values()}
            self.assertEqual(len(messages), 1, messages)
            self.assertIn("node 'd/b' has no offset, because a predecessor has no bound: U = 1.6 > 1 processor (exceeded by 0.6)", messages.pop())
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("program")], [])

    def test_by_default_it_is_played_on_completion(self):
        path = self.file(OVERLOADED)
        run = rta("simulate", path, "--duration", "100ms", "--format", "json")
        self.assertEqual(json.loads(run.stdout)["simulation"]["release"], "completion")
        self.assertIn("warning: no bound on completion: pool 'cpu': U = 1.6 > 1 (exceeded by 0.6)", run.stderr)
        run = rta("workload", path, "-o", self.folder / "program")
        self.assertEqual(run.returncode, 0)
        self.assertIn("warning: no bound on completion: pool 'cpu': U = 1.6 > 1 (exceeded by 0.6)", run.stderr)
        self.assertIn('"completion"', (self.folder / "program/workload.cpp").read_text())

    def test_it_hides_no_bound_of_a_pool_that_it_cannot_reach(self):
        path = self.file(BESIDE)
        for options in ((), ("--release", "offsets"), ("--release", "completion"), ("--release", "segments")):
            result = self.analysed(path, *options)
            self.assertEqual([dag["response_bound_ns"] for dag in result["dags"]], [None, 5_000_000], options)
            self.assertEqual({pool["name"]: pool["bounded"] for pool in result["pools"]}, {"cpu": False, "gpu": True}, options)
        text = rta("analyze", path).stdout
        self.assertIn("1 of 2 DAGs", text.splitlines()[0])
        self.assertEqual(text.count("NO BOUND"), 1, text)
        run = rta("simulate", path, "--duration", "100ms", "--format", "json")
        self.assertEqual({row["dag"]: row["response_bound_ns"] for row in json.loads(run.stdout)["dags"]}, {"d": None, "vision": 5_000_000})


class Explanations(Folder):
    NAMES = """platform: {cpu: {processors: 2}}
dags:
  - {name: front, T: 10 ms, nodes: {grab: {on: cpu, C: 1 ms}, track: {on: cpu, C: 1 ms}}, edges: [grab -> track]}
  - {name: track, T: 20 ms, nodes: {grab: {on: cpu, C: 2 ms}, fuse: {on: cpu, C: 1 ms}}, edges: [grab -> fuse]}
tasks:
  - {name: log, on: cpu, C: 1 ms, T: 50 ms}
"""

    def test_a_name_picks_the_same_thing_under_every_policy(self):
        path = self.file(self.NAMES)
        names = {"track": "track", "front/track": "front/track", "grab": "front/grab", "track/grab": "track/grab", "log": "log/log"}
        for options in ((), ("--release", "offsets"), ("--release", "early"), ("--release", "completion"), ("--release", "segments")):
            words = [word for name in names for word in ("--explain", name)]
            explanations = self.analysed(path, *options, *words)["explanations"]
            self.assertEqual([e["node"] for e in explanations], list(names.values()), options)


class OptionsOfAnAnalysis(Folder):
    def keys_of_sweeps(self):
        """As the reader of sweep files lists them."""
        run = rta("sweep", "-", "-o", self.folder / "out", stdin="""platform: {cpu: {processors: 2}}
random: {dags: 1, nodes: 2, periods: 10 ms, shape: chain, cpu: {utilization: 50 %}}
sweep: {analyses: [{name: a, zzz: 1}]}
""")
        self.assertEqual(run.returncode, 2)
        allowed = re.search(r"unknown key 'zzz'.*allowed: ([a-z_, ]+)", run.stderr)
        self.assertIsNotNone(allowed, run.stderr)
        return set(allowed[1].split(", "))

    def test_every_option_is_in_the_help_of_every_command_that_plays(self):
        self.assertEqual({key.replace("_", "-") for key in self.keys_of_sweeps()} - {"name", "simulate", "search", "periodic", "threads"}, set(OPTIONS))
        for command in ("analyze", "simulate", "run", "workload", "compare"):
            text = rta(command, "--help").stdout
            for option in OPTIONS:
                refused = (command, option) == ("compare", "release")  # the release of what is compared is the trace's
                self.assertEqual(f"--{option} " not in text and f"--{option}\n" not in text, refused, (command, option))

    def test_every_option_can_be_given_in_a_sweep_file(self):
        for option, (value, without) in OPTIONS.items():
            key = option.replace("-", "_")
            release = "" if "offsets" not in without else ", release: completion"
            spec = self.folder / f"{key}.yaml"
            spec.write_text(f"""platform: {{cpu: {{processors: 2}}, gpu: {{sms: 2, threads: 2048}}}}
random:
  {{dags: 2, nodes: 2 .. 3, periods: 10 ms .. 50 ms, shape: chain, cpu: {{utilization: 30 %}},
   gpu: {{share: 30 %, utilization: 20 %, split: proportional, L: 100 us .. 1 ms, B: 4, H: 256}}}}
sweep:
  sets: 3
  analyses: [{{name: a, {key}: {"true" if value is None else value}{release}}}]
""")
            run = rta("sweep", spec, "-o", self.folder / key, "--quiet")
            self.assertEqual(run.returncode, 0, (option, run.stderr))
            with open(next((self.folder / key).glob("*.csv"))) as file:
                self.assertTrue(list(csv.reader(file)), option)

    def test_traces_carry_every_option_to_compare(self):
        path = self.file(MIXED)
        default = self.bounds(path)
        changed = 0
        for option, (value, _) in OPTIONS.items():
            words = given(option, value)
            if option in ("priorities", "optimize", "fitting"):
                words += ["--release", "completion"]
            with self.subTest(option):
                run = rta("simulate", path, *words, "--duration", "300ms", "--trace", self.trace, "--quiet")
                self.assertEqual(run.returncode, int(option == "refine"), run.stderr)  # offsets without refinements miss D
                expected = self.bounds(path, *words)
                nodes = [None] * 5 if option == "granularity" else expected[1]  # parts of groups have none of their own
                self.assertEqual(self.compared(path), (expected[0], nodes))
                header = self.header()
                release = "grouped" if option == "granularity" else self.analysed(path, *words)["dags"][0]["release"]
                self.assertEqual(header["release"], release)
                if option != "release":
                    self.assertEqual(header[option], "true" if value is None else value)
                changed += expected != default
        self.assertGreaterEqual(changed, 6)

    def test_the_worst_run_of_groups_is_played_again(self):
        path, worst = self.file(MIXED), self.folder / "worst.yaml"
        for granularity in ("coarse", "monolithic"):
            words = ("--granularity", granularity, "--search-runs", "20", "--search-out", worst, "--format", "json")
            found = json.loads(rta("simulate", path, *words).stdout)
            again = rta("simulate", path, "--replay", worst, "--format", "json")
            self.assertEqual(again.returncode, 0, again.stderr)
            most = [max(dag["observed_max_ns"] or 0 for dag in result["dags"]) for result in (found, json.loads(again.stdout))]
            self.assertEqual(most[0], most[1])

    def test_groups_run_here_beside_their_bounds(self):
        text = """platform: {cpu: {processors: 1}}
dags:
  - name: chain
    T: 100 ms
    nodes: {a: {on: cpu, C: 3 ms, group: g}, b: {on: cpu, C: 2 ms, group: g}, c: {on: cpu, C: 4 ms}}
    edges: [a -> b, b -> c]
"""
        path, kept = self.file(text), self.folder / "kept"
        for granularity, names in (("coarse", ["g", "c"]), ("monolithic", ["chain"])):
            with self.subTest(granularity):
                report = self.folder / "report.json"
                run = rta("run", path, "--granularity", granularity, "--duration", "1s", "--warmup", "0s", "--keep", kept, "-o", report, "-q")
                self.assertIn(run.returncode, (0, 1), run.stderr)  # a loaded machine
                analysis = json.loads(rta("analyze", path, "--granularity", granularity, "--format", "json").stdout)["dags"][0]
                self.assertEqual([node["name"] for node in analysis["nodes"]], names)
                comparison = json.loads(report.read_text())["comparisons"][0]
                self.assertEqual((comparison["release"], comparison["details"]["granularity"]), ("grouped", granularity))
                dag = comparison["dags"][0]
                self.assertEqual((dag["count"], dag["bound_ns"]), (10, analysis["response_bound_ns"]))
                self.assertEqual([(node["node"], node["bound_ns"]) for node in comparison["nodes"]], [("a", None), ("b", None), ("c", None)])
                again = json.loads(rta("compare", kept / "trace.jsonl", path, "--format", "json").stdout)["comparisons"][0]
                self.assertEqual(again["dags"], comparison["dags"])

    def test_groups_have_the_levels_of_their_priority_points(self):
        text = """platform: {cpu: {processors: 1, scheduler: G-EDF}}
dags:
  - {name: slow, T: 100 ms, nodes: {x: {on: cpu, C: 20 ms, group: g}, y: {on: cpu, C: 20 ms, group: g}}, edges: [x -> y]}
  - {name: fast, T: 10 ms, phase: 5 ms, nodes: {x: {on: cpu, C: 1 ms, group: g}, y: {on: cpu, C: 1 ms, group: g}}, edges: [x -> y]}
"""
        path, report, kept = self.file(text), self.folder / "report.json", self.folder / "kept"
        for granularity in ("coarse", "monolithic"):
            run = rta("run", path, "--granularity", granularity, "--overhead", "cpu=500us", "--duration", "1s", "--keep", kept, "-o", report, "-q")
            self.assertIn(run.returncode, (0, 1), run.stderr)  # a loaded machine
            comparison = json.loads(report.read_text())["comparisons"][0]
            if "SCHED_FIFO" not in comparison["details"]["scheduling"]:
                self.skipTest("skipped: the kernel grants no SCHED_FIFO")
            # By arrival, fast waits 40 ms for slow at least ten times.
            fast = next(dag for dag in comparison["dags"] if dag["dag"] == "fast")
            self.assertLess(fast["max_ns"], 20_000_000)
        for words, error in ((("--granularity", "coarse"), "bounds for coarse are of another program"), (("--granularity", "fine"), "played with --granularity monolithic")):
            run = rta("compare", kept / "trace.jsonl", path, *words)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(error, run.stderr)
        run = rta("compare", kept / "trace.jsonl", path, "--scheduler", "FIFO")
        self.assertIn("does not say that its jobs were played with --scheduler FIFO", run.stderr)

    def test_groups_without_bounds_run_when_those_before_them_have_ended(self):
        text = """platform: {cpu: {processors: 1}}
dags:
  - name: chain
    T: 20 ms
    nodes: {a: {on: cpu, C: 12 ms, group: g}, b: {on: cpu, C: 12 ms, group: h}}
    edges: [a -> b]
"""
        path, report = self.file(text), self.folder / "report.json"
        run = rta("run", path, "--granularity", "coarse", "--duration", "200ms", "--warmup", "0s", "-o", report)
        self.assertEqual(run.returncode, 1, run.stderr)  # nothing to compare with
        self.assertIn("groups are released when those before them have ended, for which there are no bounds: ", run.stderr)
        comparison = json.loads(report.read_text())["comparisons"][0]
        self.assertEqual([(dag["count"], dag["bound_ns"]) for dag in comparison["dags"]], [(10, None)])

    def test_the_guide_of_the_library_names_every_option(self):
        text = (ROOT / "docs/guide-library.md").read_text().partition("Options of an analysis are")[2].partition("; another raises")[0]
        named = set(re.findall(r"`([a-z_]+)`", text)) - {"_", "static", "simulate"}
        self.assertEqual(named, {option.replace("-", "_") for option in OPTIONS})

    def test_what_compare_is_told_comes_before_what_the_trace_says(self):
        path = self.file(MIXED)
        run = rta("simulate", path, "--release", "offsets", "--refine", "none", "--duration", "300ms", "--trace", self.trace, "--quiet")
        self.assertEqual(run.returncode, 1, run.stderr)  # so late that D is missed
        self.assertEqual(self.compared(path), self.bounds(path, "--release", "offsets", "--refine", "none"))
        self.assertEqual(self.compared(path, "--refine", "all"), self.bounds(path, "--release", "offsets", "--refine", "all"))

    def test_an_option_without_effect_is_refused(self):
        path = self.file(MIXED)
        for option, (value, without) in OPTIONS.items():
            for release in without:
                for command in (("analyze", path), ("simulate", path), ("workload", path, "-o", self.folder / "program")):
                    run = rta(*command, "--release", release, *given(option, value))
                    self.assertEqual((run.returncode, run.stdout), (2, ""), (command[0], option, release))
        self.assertFalse((self.folder / "program").exists())


if __name__ == "__main__":
    unittest.main()
