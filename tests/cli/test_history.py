"""Nodes that wait for earlier jobs (`after`) and streams: bounded, explained, simulated, certified, drawn, written, and refused where nothing is known of them."""

import json
import pathlib
import tempfile
import unittest

from program import PROGRAM, ROOT, rta

FLOW = ROOT / "tasksets/examples/optical-flow.yaml"


def dags_of(run):
    return {dag["name"]: dag for dag in json.loads(run.stdout)["dags"]}


def without_comments(text):
    return [line for line in text.splitlines() if not line.startswith(("#", "//"))]


class History(unittest.TestCase):
    def test_edges_that_never_delay(self):
        run = rta("analyze", FLOW, "--release", "completion")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"tracker +grab +match of 2 jobs before +\d.* never")
        self.assertRegex(run.stdout, r"tracker +pyramid +flow of the job before \(stream flow\) .* never")
        dag = dags_of(rta("analyze", FLOW, "--release", "completion", "--format", "json"))["tracker"]
        self.assertEqual([(edge["from"], edge["to"], edge["jobs"], edge.get("stream")) for edge in dag["history"]],
                         [("match", "grab", 2, None), ("features", "flow", 1, None), ("flow", "pyramid", 1, "flow")])
        for edge in dag["history"]:
            self.assertIs(edge["may_delay"], False)
            self.assertEqual(edge["within_ns"], edge["jobs"] * 33_000_000)
            self.assertLessEqual(edge["ends_ns"], edge["within_ns"])
        self.assertGreaterEqual(dag["history"][0]["number"], 3)
        self.assertIn("T40: 'tracker': pyramid after flow of the job before (stream 'flow'): never delays, as F = ",
                      rta("analyze", FLOW, "--release", "completion", "--explain", "tracker/flow").stdout)

    def test_pages_say_it(self):
        page = rta("analyze", FLOW, "--release", "completion", "--format", "html").stdout
        self.assertIn("Nodes that wait for earlier jobs", page)
        self.assertIn("features of the job before", page)

    def test_edges_that_may_delay(self):
        run = rta("analyze", FLOW, "--set", "tracker.nodes.grab.after.jobs=1", "--set", "tracker.T=27 ms", "--release", "completion")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("(T40)", run.stdout)
        self.assertRegex(run.stdout, r"tracker +grab .* may")
        dag = dags_of(rta("analyze", FLOW, "--set", "tracker.nodes.grab.after.jobs=1", "--set", "tracker.T=27 ms", "--release", "completion", "--format", "json"))["tracker"]
        self.assertIsNone(dag["response_bound_ns"])
        self.assertTrue(all(edge["may_delay"] for edge in dag["history"]))

    def test_certificates(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate = pathlib.Path(folder) / "c"
            run = rta("analyze", FLOW, "--certificate", certificate)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("\nafter 0 2 3 1\n", certificate.read_text())
            check = rta(FLOW, certificate, program=PROGRAM.with_name("rta-check"))
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
            faster = pathlib.Path(folder) / "faster.yaml"
            faster.write_text(FLOW.read_text().replace("T: 33 ms", "T: 20 ms"))
            self.assertNotEqual(rta(faster, certificate, program=PROGRAM.with_name("rta-check")).returncode, 0)

    def test_simulated(self):
        run = rta("simulate", FLOW)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"after earlier +no node waited for an earlier job")
        text = ("platform: {a: {processors: 1}, b: {processors: 1}}\ndags:\n  - {name: f, T: 9 ms, nodes: {x: {on: a, C: 4 ms, after: {node: y}}, "
                "y: {on: b, C: 6 ms}}, edges: [x -> y]}\n")
        run = rta("simulate", "-", "--release", "completion", "--duration", "90ms", stdin=text)
        self.assertRegex(run.stdout, r"after earlier +waited for an earlier job 9 times in f")
        self.assertEqual(rta("simulate", FLOW, "--search-runs", "20").returncode, 0)

    def test_written_and_drawn(self):
        for form in ("yaml", "json", "dot"):
            with self.subTest(form):
                once = rta("convert", FLOW, "--to", form)
                self.assertEqual(once.returncode, 0, once.stderr)
                again = rta("convert", "-", *(("--from", "dot") if form == "dot" else ()), "--to", form, stdin=once.stdout)
                self.assertEqual(without_comments(again.stdout), without_comments(once.stdout))
        self.assertRegex(rta("convert", FLOW, "--to", "yaml").stdout, r"flow: \{on: gpu, .*stream: flow, after: \{node: features, jobs: 1\}\}")
        drawn = rta("draw", FLOW, "--format", "dot")
        if drawn.returncode == 0:
            self.assertIn("style=dashed", drawn.stdout)

    def test_refused(self):
        for arguments, why in ((("analyze", "--granularity", "monolithic"), "--granularity is for DAGs without them"),
                               (("analyze", "--release", "static"), "has nodes that wait for earlier jobs (`after`, `stream`)"),
                               (("compile",), "has nodes that wait for earlier jobs (`after`, `stream`)"),
                               (("convert", "--to", "sag"), "has nodes that wait for earlier jobs (`after`, `stream`)")):
            with self.subTest(arguments):
                run = rta(arguments[0], FLOW, *arguments[1:])
                self.assertEqual(run.returncode, 2, run.stdout)
                self.assertIn(why, " ".join(run.stderr.split()))

    def test_played_on_this_machine(self):
        # x of a job waits for y of the job before: 50 ms a job, every 40 ms.
        text = ("platform: {a: {processors: 1, scheduler: FIFO}, b: {processors: 1, scheduler: FIFO}}\ndags:\n"
                "  - {name: f, T: 40 ms, nodes: {x: {on: a, C: 20 ms, after: {node: y}}, y: {on: b, C: 30 ms}}, edges: [x -> y]}\n")
        with tempfile.TemporaryDirectory() as folder:
            file, kept = pathlib.Path(folder) / "f.yaml", pathlib.Path(folder) / "kept"
            file.write_text(text)
            run = rta("run", file, "--duration", "400ms", "--warmup", "0s", "--keep", kept)
            self.assertIn(run.returncode, (0, 1), run.stderr)  # a loaded machine
            lines = [json.loads(line) for line in (kept / "trace.jsonl").read_text().splitlines()[1:]]
        starts = {line["job"]: line["start_ns"] for line in lines if line["t"] == "job" and line["node"] == "x"}
        ends = {line["job"]: line["end_ns"] for line in lines if line["t"] == "job" and line["node"] == "y"}
        self.assertEqual(len(ends), 10)
        for job in range(1, 10):
            self.assertGreaterEqual(starts[job], ends[job - 1])


if __name__ == "__main__":
    unittest.main()
