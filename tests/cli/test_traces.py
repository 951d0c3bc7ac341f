"""Traces that `rta simulate` writes."""

import json
import pathlib
import tempfile
import unittest

from program import EXAMPLE, rta


class Traces(unittest.TestCase):
    def test_bounds_are_those_of_the_choices_that_the_trace_names(self):
        lines = [
            "platform: {cpu: {processors: 1}}",
            "dags:",
            "  - {name: chain, T: 100 ms, D: 20 ms, nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 2 ms}}, edges: [a -> b]}",
            "tasks:",
            "  - {name: stranger, on: cpu, C: 5 ms, T: 100 ms, D: 70 ms}",
        ]
        with tempfile.TemporaryDirectory() as folder:
            path, trace = pathlib.Path(folder, "set.yaml"), pathlib.Path(folder, "t.jsonl")
            path.write_text("\n".join(lines) + "\n")
            for option, expected in (((), [3000000, 8000000]), (("--non-preemptive",), [8000000, 8000000]), (("--priorities", "node"), None)):
                run = rta("simulate", path, "--release", "completion", *option, "--duration", "1s", "--trace", trace)
                self.assertEqual(run.returncode, 0, run.stderr)
                compared = json.loads(rta("compare", trace, path, "--format", "json").stdout)["comparisons"][0]
                analysed = json.loads(rta("analyze", path, "--release", "completion", *option, "--format", "json").stdout)
                bounds = [dag["bound_ns"] for dag in compared["dags"]]
                self.assertEqual(bounds, [dag["response_bound_ns"] for dag in analysed["dags"]], option)
                if expected:
                    self.assertEqual(bounds, expected)

    def test_compare_finds_the_same_latencies_of_chains_and_bounds_by_phases_where_releases_come_by_them(self):
        lines = [
            "platform: {cpu: {processors: 1, scheduler: FP}}",
            "dags:",
            "  - {name: camera, T: 20 ms, phase: 5 ms, nodes: {grab: {on: cpu, C: 1 ms}, blur: {on: cpu, C: 2 ms}}, edges: [grab -> blur]}",
            "  - {name: control, T: 40 ms, phase: 0 ms, nodes: {move: {on: cpu, C: 1 ms}}}",
            "chains:",
            "  - {name: brake, stages: [camera, control], communication: register, reaction: 50 ms, age: 70 ms}",
        ]
        with tempfile.TemporaryDirectory() as folder:
            path, trace = pathlib.Path(folder, "set.yaml"), pathlib.Path(folder, "t.jsonl")
            path.write_text("\n".join(lines) + "\n")
            for option, status in (((), 1), (("--random-phases",), 0)):
                run = rta("simulate", path, *option, "--duration", "1s", "--trace", trace, "--format", "json")
                compared = rta("compare", trace, path, "--format", "json")
                self.assertEqual(json.loads(compared.stdout)["comparisons"][0]["chains"], json.loads(run.stdout)["chains"])
                self.assertEqual((run.returncode, compared.returncode), (status, status), compared.stderr)
            self.assertIn("\r\n" + str(trace) + "," * 12 + "brake,register,44000000,", rta("compare", trace, path, "--format", "csv").stdout)

    def test_compare_reads_the_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder, "t.jsonl")
            chrome = pathlib.Path(folder, "t.json")
            run = rta("simulate", EXAMPLE, "--duration", "200ms", "--trace", trace, "--trace", chrome)
            self.assertEqual(run.returncode, 0, run.stderr)
            compared = rta("compare", trace, EXAMPLE)
            self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)
            events = json.loads(chrome.read_text())["traceEvents"]
            self.assertTrue(any(event["ph"] == "X" for event in events))

    def test_an_interrupted_simulation_leaves_a_trace_that_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            run = rta("simulate", EXAMPLE, "--time-limit", "0s", "--trace", pathlib.Path(folder, "t.jsonl"))
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(json.loads(pathlib.Path(folder, "t.jsonl").read_text().splitlines()[-1])["complete"], False)


if __name__ == "__main__":
    unittest.main()
