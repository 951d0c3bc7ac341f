"""Pools under fixed priorities: bounds as the textbook has them, their explanations, and simulation below them."""

import csv
import json
import pathlib
import subprocess
import tempfile
import unittest

from program import PROGRAM, rta

# (C, T) = (3, 8) above (4, 20), as given priorities and as deadline-monotonic ones.
TWO = """
platform: {cpu: {processors: 1, scheduler: FP}}
dags:
  - {name: high, T: 8 ms, nodes: {a: {on: cpu, C: 3 ms}}}
  - {name: low, T: 20 ms, nodes: {b: {on: cpu, C: 4 ms}}}
"""
# Full load: (2, 4) above (4, 8).
FULL = TWO.replace("8 ms, nodes: {a: {on: cpu, C: 3 ms", "4 ms, nodes: {a: {on: cpu, C: 2 ms").replace("T: 20 ms", "T: 8 ms")
# A sensor of 3 ms elsewhere lets the urgent node be ready up to 3 ms late: 4 + ceil((14 + 3)/10) 5 = 14; T11 counts 3 jobs: 19.
LATE = """
platform: {cpu: {processors: 1, scheduler: FP}, sensor: {processors: 1, scheduler: FIFO}}
dags:
  - {name: high, T: 10 ms, priority: 9, nodes: {s: {on: sensor, C: 3 ms}, a: {on: cpu, C: 5 ms}}, edges: [s -> a]}
  - {name: low, T: 40 ms, priority: 1, nodes: {b: {on: cpu, C: 4 ms}}}
"""
# Less urgent work of 10 ms twice, 8 and 6 blocks the path of 1 and 2 once: 3 + 20/2 (T11b: 3 + 20/2 + 20/2).
STARTED = """
platform: {cpu: {processors: 2, scheduler: FP, preemptive: false}}
dags:
  - {name: k, T: 100 ms, D: 15 ms, priority: 2, nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 2 ms}}, edges: [a -> b]}
  - {name: w, T: 100 ms, priority: 1, nodes: {a: {on: cpu, C: 10 ms}}}
  - {name: x, T: 100 ms, priority: 1, nodes: {a: {on: cpu, C: 10 ms}}}
  - {name: y, T: 100 ms, priority: 1, nodes: {a: {on: cpu, C: 8 ms}}}
  - {name: z, T: 100 ms, priority: 1, nodes: {a: {on: cpu, C: 6 ms}}}
"""
MS = 1_000_000


def analysis(task_set, *options):
    run = rta("analyze", "-", "--release", "completion", *options, "--format", "json", stdin=task_set)
    return json.loads(run.stdout)


def bounds(task_set, *options):
    return {dag["name"]: dag["response_bound_ns"] for dag in analysis(task_set, *options)["dags"]}


# Lehoczky's example: deadline monotonic priorities end by 104 and 156, the others by 108 and 52.
LEHOCZKY = """
platform: {cpu: {processors: 1, scheduler: FP}}
dags:
  - {name: one, T: 100 ms, D: 110 ms, nodes: {a: {on: cpu, C: 52 ms}}}
  - {name: two, T: 140 ms, D: 154 ms, nodes: {b: {on: cpu, C: 52 ms}}}
"""

# D > T, where deadline monotonic priorities are not the best.
SWEEP = """
platform: {cpu: {processors: 1, scheduler: FP}}
random:
  dags: 3
  nodes: 1 .. 2
  periods: 10 ms .. 30 ms
  deadline: 1.2
  shape: {layers: 1 .. 2, p: 50 %}
  cpu: {utilization: 85 %}
sweep:
  seed: 1
  sets: 40
  grid: {random.cpu.utilization: [85 %]}
  analyses:
    - {name: given, release: completion}
    - {name: assigned, release: completion, optimize: priorities}
"""


class FixedPriorities(unittest.TestCase):
    def test_priorities_are_assigned_proven_and_told_as_a_change_of_the_file(self):
        missed = rta("analyze", "-", "--release", "completion", stdin=LEHOCZKY)
        self.assertEqual(missed.returncode, 1)
        found = rta("analyze", "-", "--optimize", "priorities", stdin=LEHOCZKY)
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertIn("Fixed priorities (Audsley's assignment; 3 assignments proven)\n"
                      "  DAG  in the file\n"
                      "  two  priority: 2\n"
                      "  one  priority: 1\n", found.stdout)
        result = analysis(LEHOCZKY, "--optimize", "priorities")
        self.assertEqual(result["priority_assignment"], {
            "by": "Audsley", "tried": 3, "complete": True,
            "dags": [{"name": "two", "priority": 2, "nodes_had_own": False}, {"name": "one", "priority": 1, "nodes_had_own": False}]})
        # The change, made by hand, is what was proven.
        changed = LEHOCZKY.replace("name: one", "name: one, priority: 1").replace("name: two", "name: two, priority: 2")
        self.assertEqual(bounds(changed), bounds(LEHOCZKY, "--optimize", "priorities"))
        self.assertEqual(bounds(changed), {"one": 108 * MS, "two": 52 * MS})
        kept = rta("analyze", "-", "--optimize", "priorities", stdin=changed).stdout
        self.assertIn("Fixed priorities (the given ones stay; ", kept)
        self.assertNotIn("in the file\n", kept)

    def test_a_sweep_assigns_priorities_to_every_set(self):
        with tempfile.TemporaryDirectory() as folder:
            spec, out = pathlib.Path(folder, "spec.yaml"), pathlib.Path(folder, "out")
            spec.write_text(SWEEP)
            run = rta("sweep", spec, "-o", out, "--quiet")
            self.assertEqual(run.returncode, 0, run.stderr)
            with open(out / "results.csv", newline="") as table:
                rows = list(csv.DictReader(table))
        met = {name: [row["set"] for row in rows if row["analysis"] == name and row["verdict"] == "schedulable"] for name in ("given", "assigned")}
        self.assertLessEqual(set(met["given"]), set(met["assigned"]))
        self.assertLess(len(met["given"]), len(met["assigned"]))

    def test_assigned_priorities_are_simulated_and_certified(self):
        run = rta("simulate", "-", "--release", "completion", "--optimize", "priorities", "--format", "json", stdin=LEHOCZKY)
        self.assertEqual(run.returncode, 0, run.stderr)
        seen = {row["dag"]: row["observed_max_ns"] for row in json.loads(run.stdout)["dags"]}
        self.assertEqual(seen, {"one": 108 * MS, "two": 52 * MS})
        with tempfile.TemporaryDirectory() as folder:
            file, certificate = pathlib.Path(folder, "set.yaml"), pathlib.Path(folder, "set.cert")
            file.write_text(LEHOCZKY)
            self.assertEqual(rta("analyze", file, "--optimize", "priorities", "--certificate", certificate).returncode, 0)
            self.assertIn("assume 0 priority 1/0=2\n", certificate.read_text())
            check = subprocess.run([PROGRAM.with_name("rta-check"), file, certificate], capture_output=True, text=True)
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
            self.assertIn("assumed, not in the file: 0 priority 1/0=2", check.stdout)
            for wrong in ("1/0=", "1/5=2", "1=2", "1/0=-1"):
                certificate.write_text(certificate.read_text().replace("priority 1/0=2", "priority " + wrong))
                refused = subprocess.run([PROGRAM.with_name("rta-check"), file, certificate], capture_output=True, text=True)
                self.assertNotEqual(refused.returncode, 0, wrong)
                certificate.write_text(certificate.read_text().replace("priority " + wrong, "priority 1/0=2"))

    def test_one_processor_has_the_response_times_of_the_textbook(self):
        self.assertEqual(bounds(TWO), {"high": 3 * MS, "low": 7 * MS})
        self.assertEqual(bounds(FULL), {"high": 2 * MS, "low": 8 * MS})
        self.assertEqual(bounds(LATE), {"high": 8 * MS, "low": 14 * MS})

    def test_the_theorem_is_named_and_explained(self):
        low = analysis(TWO)["dags"][1]
        self.assertEqual(low["theorem"], "T11j")
        text = rta("analyze", "-", "--release", "completion", "--explain", "low/b", stdin=LATE).stdout
        self.assertIn("is busy from x = 0 ns before it is ready", text)
        self.assertIn("  high: 2 jobs, work 10000000", text)
        self.assertIn("F = 0 + 14000000 = 14000000 ns", text)

    def test_without_preemption_less_urgent_work_blocks_a_path_once(self):
        result = rta("analyze", "-", "--release", "completion", "--format", "json", stdin=STARTED)
        self.assertEqual(13 * MS, json.loads(result.stdout)["dags"][0]["response_bound_ns"])
        lines = rta("analyze", "-", "--release", "completion", "--explain", "k/b", stdin=STARTED).stdout
        self.assertIn("T10d: F >= sum of e over the path", lines)
        self.assertIn("  the longest pieces of less urgent work that have started before the path's nodes are ready: blocking 10000000 ns", lines)
        self.assertIn("  j = 1 of 2 processors", lines)
        self.assertIn("  waiting (3000000 - 3000000)/1 + blocking 10000000 = 10000000 ns", lines)
        self.assertIn("F = 3000000 + 10000000 = 13000000 ns, rounded up", lines)

    def test_simulation_reaches_the_bounds_and_stays_below(self):
        for task_set in (TWO, FULL, LATE):
            run = rta("simulate", "-", "--release", "completion", "--format", "json", stdin=task_set)
            self.assertEqual(run.returncode, 0, run.stderr)
            seen = {row["dag"]: row["observed_max_ns"] for row in json.loads(run.stdout)["dags"]}
            proven = bounds(task_set)
            self.assertEqual(seen.keys(), proven.keys())
            self.assertTrue(all(seen[dag] <= proven[dag] for dag in proven), (seen, proven))
            if task_set != LATE:  # released together, everything takes as long as it can
                self.assertEqual(seen, proven)


if __name__ == "__main__":
    unittest.main()
