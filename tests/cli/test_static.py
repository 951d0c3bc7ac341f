"""Static schedules on the command line: compile, check, draw, run, compare."""

import csv
import io
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

from program import EXAMPLE, ROOT, opened_in_chromium, rta
from schemas import errors

GRAPH = ROOT / "tasksets/static/cpu_gpu.yaml"
DRIVING = ROOT / "tasksets/static/driving.yaml"
MS = 1_000_000


class Analyze(unittest.TestCase):
    """What a static order would buy, in the terms of the other release policies."""

    def test_a_first_order_stands_beside_the_policies_for_sporadic_releases(self):
        run = rta("analyze", EXAMPLE, "--format", "json")
        outcome = next(p for p in json.loads(run.stdout)["policies"] if p["release"] == "static")
        self.assertEqual((outcome["verdict"], outcome["largest_response_bound_ns"]), ("schedulable", 7_300_000))
        self.assertIn("  static: largest bound 7.3 ms, schedulable\n", rta("analyze", EXAMPLE).stdout)

    def test_it_can_be_asked_for(self):
        run = rta("analyze", EXAMPLE, "--release", "static", "--format", "json")
        self.assertEqual(run.returncode, 0, run.stderr)
        shown = json.loads(run.stdout)
        self.assertEqual([policy["release"] for policy in shown["policies"]], ["static"])
        self.assertEqual({node["theorem"] for dag in shown["dags"] for node in dag["nodes"]}, {"T15"})
        # capture 2, resize 3, gradient 0.4, classify 0.9, decide 1: nothing else is on that path.
        self.assertEqual(shown["dags"][0]["response_bound_ns"], 7_300_000)

    def test_what_has_no_effect_on_it_is_refused(self):
        for options in (["--explain", "decide"], ["--slack"], ["--largest-rate", "camera"], ["--scheduler", "FIFO"]):
            run = rta("analyze", EXAMPLE, "--release", "static", *options)
            self.assertEqual(run.returncode, 2, options)
            self.assertIn(options[0], run.stderr)
        self.assertEqual(rta("simulate", EXAMPLE, "--release", "static").returncode, 2)


class Compile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def compiled(self, graph=GRAPH, name="schedule.yaml", *options):
        run = rta("compile", graph, "--effort", "3", "-o", self.path / name, *options)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return self.path / name

    def test_json_has_the_keys_that_are_promised(self):
        run = rta("compile", GRAPH, "--effort", "1", "--format", "json")
        self.assertEqual(run.returncode, 0, run.stderr)
        hyperepoch = json.loads(run.stdout)["hyperepochs"][0]
        self.assertEqual((hyperepoch["name"], hyperepoch["period_ns"]), ("hyperepoch0", 100 * MS))
        self.assertEqual((hyperepoch["length_ns"], hyperepoch["lower_bound_ns"]), (30 * MS, 30 * MS))
        runnables = {r["name"]: r for r in hyperepoch["runnables"]}
        self.assertEqual(runnables["GpuX.kernel"]["resources"], ["iGPU"])
        self.assertEqual((runnables["GpuX.kernel"]["start_ns"], runnables["GpuX.kernel"]["end_ns"]), (10 * MS, 20 * MS))

    def test_text_and_csv_say_the_same(self):
        run = rta("compile", GRAPH, "--effort", "1", "-o", self.path / "s.txt", "-o", self.path / "s.csv", "--explain", "post_process")
        self.assertEqual(run.returncode, 0, run.stderr)
        text = (self.path / "s.txt").read_text()
        self.assertIn("length 30 ms, 30 % of the period", text)
        self.assertIn("the least possible: lower bound 30 ms", text)
        self.assertIn("the chain GpuX.submit -> GpuX.kernel -> GpuX.post_process takes 30 ms", text)
        rows = {row["runnable"]: row for row in csv.DictReader(io.StringIO((self.path / "s.csv").read_text()))}
        self.assertEqual(rows["GpuX.post_process"]["end_ns"], str(30 * MS))

    def test_a_schedule_that_was_written_is_sound_and_one_that_was_edited_is_not(self):
        schedule = self.compiled(DRIVING)
        run = rta("compile", DRIVING, "--check", schedule)
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertTrue(run.stdout.startswith("sound: "), run.stdout)
        text = schedule.read_text()
        edited = self.path / "edited.yaml"
        edited.write_text(text.replace("after: [", "after: [0, ", 1).replace("wcet: 700 us", "wcet: 600 us", 1))
        run = rta("compile", DRIVING, "--check", edited)
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn("NOT SOUND", run.stdout)
        self.assertIn("wcet is 600000 ns, but must be 700000 ns", run.stdout)

    def test_what_is_late_is_said_with_its_reason_and_writes_no_schedule(self):
        graph = self.path / "late.yaml"
        graph.write_text(GRAPH.read_text().replace("Period: 100ms", "Period: 25ms"))
        run = rta("compile", graph, "--effort", "1", "-o", self.path / "s.yaml", "-o", self.path / "s.txt")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertFalse((self.path / "s.yaml").exists())
        text = (self.path / "s.txt").read_text()
        self.assertIn("LATE", text)
        self.assertIn("too long by 5 ms", text)

    def test_task_sets_are_compiled_too(self):
        run = rta("compile", ROOT / "tasksets/literature/tiny-yolo-serial.yaml", "--effort", "1", "--format", "json")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        hyperepoch = json.loads(run.stdout)["hyperepochs"][0]
        self.assertGreaterEqual(hyperepoch["length_ns"], hyperepoch["lower_bound_ns"])

    def test_options_without_effect_and_bad_values_are_refused(self):
        schedule = self.compiled()
        for options in (["--check", schedule, "--seed", "3"], ["--objective", "speed"], ["--effort", "-1"], ["--time-limit", "soon"],
                        ["--explain", "nobody"], ["--format", "xml"], ["--threads", "0"]):
            with self.subTest(options):
                run = rta("compile", GRAPH, *options)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertEqual(rta("compile", schedule).returncode, 2)

    def test_pages_draw(self):
        page = self.path / "s.html"
        rta("compile", DRIVING, "--effort", "1", "-o", page)
        shown = page.read_text()
        self.assertIn("Hyperepoch camera", shown)
        if shutil.which("chromium") is None:
            self.skipTest("skipped: there is no chromium")
        self.assertGreaterEqual(opened_in_chromium(shown).count("<canvas") + opened_in_chromium(shown).count("<svg"), 3)

    def test_graphs_are_drawn(self):
        run = rta("draw", DRIVING)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(run.stdout.startswith("digraph"))
        # Runnables stand within the frame of their client.
        self.assertRegex(run.stdout, r'(?s)label="Radar";.*label="track\\n')
        names = dict(re.findall(r'(r\d+) \[label="(\w+)', run.stdout))
        edges = {(names[a], names[b]) for a, b in re.findall(r"(r\d+) -> (r\d+)", run.stdout)}
        self.assertIn(("detect_submit", "detect"), edges)


class Draw(unittest.TestCase):
    def schedule(self, text):
        run = rta("draw", "-", stdin=text)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def test_a_schedule_shows_times_dependencies_orders_and_the_critical_path(self):
        text = """schedule: 1
graph: g.yaml
graph_sha256: "00"
hyperepochs:
  - name: all
    period: 20 ms
    resources: [{name: CPU0, type: CPU}, {name: CPU1, type: CPU}]
    epochs: [{name: e, period: 10 ms, frames: 2}]
    runnables:
      - {id: 4, name: a, client: P, kind: runnable, epoch: e, resources: [CPU0], wcet: 2 ms}
      - {id: 5, name: b, client: P, kind: runnable, epoch: e, resources: [CPU0], wcet: 3 ms, deadline: 4 ms}
      - {id: 6, name: c, client: P, kind: runnable, epoch: e, resources: [CPU1], after: [4], wcet: 1 ms}
      - {id: 7, name: d, client: P, kind: runnable, epoch: e, frame: 1, resources: [CPU1], after: [6], wcet: 3 ms, release: 10 ms, deadline: 14 ms}
"""
        dot = self.schedule(text)
        # a: 0 to 2, b behind it on CPU0: 2 to 5, c after a: 2 to 3, d from its release: 10 to 13.
        for label in (r"P.a (frame 0)\n0 ms to 2 ms\nCPU0", r"P.b (frame 0)\n2 ms to 5 ms\nCPU0\nby 4 ms: MISSED by 1 ms", r"P.c (frame 0)\n2 ms to 3 ms\nCPU1",
                      r"P.d (frame 1)\n10 ms to 13 ms\nCPU1\nby 14 ms, 1 ms left", "all, every 20 ms, done by 13 ms"):
            self.assertIn(f'label="{label}"', dot)
        # c is before d on CPU1, too: one arrow says both.
        self.assertEqual(re.findall(r"h0_(\d -> h0_\d)(.*);", dot), [("0 -> h0_1", ' [style=dashed, label="CPU0"]'), ("0 -> h0_2", ""), ("2 -> h0_3", "")])

    def test_the_critical_path_is_bold_and_every_format_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            self.assertEqual(rta("compile", GRAPH, "--effort", "1", "-o", path / "s.yaml", "-q").returncode, 0)
            run = rta("draw", path / "s.yaml", "-o", path / "s.dot", "-o", path / "s.svg", "-o", path / "s.html")
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            # submit -> kernel -> post_process
            self.assertEqual(re.findall(r"h0_(\d) -> h0_(\d) \[penwidth=3\]", (path / "s.dot").read_text()), [("0", "1"), ("1", "2")])
            self.assertIn("GpuX.kernel", (path / "s.svg").read_text())
            if shutil.which("chromium") is not None:
                opened_in_chromium((path / "s.html").read_text())

    def test_resources_of_all_hyperepochs_have_colours_of_their_own(self):
        with tempfile.TemporaryDirectory() as folder:
            schedule = pathlib.Path(folder, "s.yaml")
            self.assertEqual(rta("compile", ROOT / "tasksets/static/driving.yaml", "--effort", "1", "-o", schedule, "-q").returncode, 0)
            dot = rta("draw", schedule).stdout
        legend = dict(re.findall(r'resource\d+_\d+ \[label="(\w+)", fillcolor="(#\w+)"', dot))
        self.assertEqual(set(legend), {"CPU0", "CPU1", "CPU2", "CPU3", "iGPU", "DLA0"})
        self.assertEqual(len(set(legend.values())), len(legend))
        for on, colour in re.findall(r'label="[^"]* ms\\n(\w+)[^"]*", fillcolor="(#\w+)"', dot):
            self.assertEqual(colour, legend[on])

    def test_what_has_no_effect_on_a_schedule_and_deadlocks_are_refused(self):
        text = """schedule: 1
graph: g.yaml
graph_sha256: "00"
hyperepochs:
  - name: all
    period: 20 ms
    resources: [{name: CPU0, type: CPU}]
    epochs: [{name: e, period: 20 ms}]
    runnables:
      - {id: 0, name: a, kind: runnable, epoch: e, resources: [CPU0], after: [1], wcet: 2 ms}
      - {id: 1, name: b, kind: runnable, epoch: e, resources: [CPU0], wcet: 3 ms}
"""
        run = rta("draw", "-", stdin=text)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("hyperepoch 'all' deadlocks", run.stderr)
        for option in ("--no-bounds", "--fitting"):
            run = rta("draw", "-", option, stdin=text)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(f"{option} has no effect on a schedule", run.stderr)


class Play(unittest.TestCase):
    """One run of one schedule: what it writes is compared again and again."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name)
        # Slower than the tutorial's, so that a busy machine that interrupts somebody for a few ms still shows an orderly run.
        cls.graph = cls.path / "graph.yaml"
        cls.graph.write_text(GRAPH.read_text().replace("Identifier: 101", "Identifier: 31"))
        cls.schedule = cls.path / "schedule.yaml"
        run = rta("compile", cls.graph, "--effort", "1", "-o", cls.schedule)
        assert run.returncode == 0, run.stderr
        cls.environment = os.environ | {"XDG_RUNTIME_DIR": cls.folder.name}
        cls.played = rta("run", cls.schedule, "--frames", "5", "--execution", "uniform", "--keep", cls.path / "kept", "--format", "json",
                         "--quiet", env=cls.environment)
        cls.trace = cls.path / "kept/trace.jsonl"

    def test_five_frames_are_played_and_compared(self):
        self.assertIn(self.played.returncode, (0, 1), self.played.stderr)
        result = json.loads(self.played.stdout)
        self.assertEqual(errors("result-compare", result), [])
        comparison = result["comparisons"][0]
        self.assertTrue(comparison["complete"])
        self.assertEqual(comparison["hyperepochs"][0]["frames"], 5)
        self.assertEqual(comparison["hyperepochs"][0]["proven_length_ns"], 30 * MS)
        runnables = {r["name"]: r for r in comparison["runnables"]}
        self.assertEqual(set(runnables), {"GpuX.submit", "GpuX.kernel", "GpuX.post_process"})
        for runnable in runnables.values():
            self.assertEqual((runnable["jobs"], runnable["wcet_ns"]), (5, 10 * MS))
        self.assertEqual(comparison["unexplained"], 0)
        self.assertEqual(comparison["verdict"] == "as-proven", self.played.returncode == 0)

    def test_compare_reads_the_trace_again_in_every_format(self):
        files = [self.path / f"c.{extension}" for extension in ("txt", "json", "csv", "html")]
        run = rta("compare", self.trace, self.schedule, *[word for file in files for word in ("-o", file)])
        self.assertEqual(run.returncode, self.played.returncode, run.stderr)
        self.assertIn("GpuX.kernel", files[0].read_text())
        again = json.loads(files[1].read_text())["comparisons"][0]
        self.assertEqual(again["runnables"], json.loads(self.played.stdout)["comparisons"][0]["runnables"])
        rows = list(csv.DictReader(io.StringIO(files[2].read_text())))
        self.assertEqual([row["jobs"] for row in rows], ["5"] * 3)
        self.assertIn("First frames of hyperepoch0", files[3].read_text())
        if shutil.which("chromium") is not None:
            opened_in_chromium(files[3].read_text())

    def test_measured_times_go_back_into_the_graph(self):
        run = rta("calibrate", self.trace, self.schedule, self.graph)
        self.assertEqual(run.returncode, 0, run.stderr)
        measured = self.path / "measured.yaml"
        measured.write_text(run.stdout)
        again = json.loads(rta("compile", measured, "--effort", "1", "--format", "json").stdout)
        observed = {r["name"]: r["execution"]["max_ns"] for r in json.loads(self.played.stdout)["comparisons"][0]["runnables"]}
        for runnable in again["hyperepochs"][0]["runnables"]:
            self.assertEqual(runnable["wcet_ns"], observed[runnable["name"]])

    def test_what_does_not_go_together_is_refused(self):
        other = self.path / "other.yaml"
        other.write_text(self.schedule.read_text() + "\n# changed\n")
        run = rta("compare", self.trace, other)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("is a trace of another", run.stderr)
        for options in (["--tasks", "processes"], ["--warmup", "2s"], ["--cpus", "CPU7=0"], ["--frames", "0"], ["--execution", "never"],
                        ["--scheduling", "deadline"], ["--overrun", "stop"]):
            with self.subTest(options):
                self.assertEqual(rta("run", self.schedule, *options).returncode, 2)
        self.assertEqual(rta("run", ROOT / "tasksets/examples/cameras.yaml", "--frames", "3").returncode, 2)
        self.assertEqual(rta("compare", self.trace, self.schedule, "--scheduler", "FIFO").returncode, 2)

    def test_the_program_is_written_for_another_machine(self):
        folder = self.path / "written"
        run = rta("workload", self.schedule, "-o", folder)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for name in ("Makefile", "plan", "schedule.yaml", "README.md", "runtime/static/stm.h", "runtime/static_master/master.c"):
            self.assertTrue((folder / name).exists(), name)
        self.assertEqual((folder / "schedule.yaml").read_bytes(), self.schedule.read_bytes())
        # Once more into the same folder, but into none that holds something else.
        self.assertEqual(rta("workload", self.schedule, "-o", folder).returncode, 0)
        self.assertEqual(rta("workload", self.schedule, "-o", self.path).returncode, 2)


if __name__ == "__main__":
    unittest.main()
