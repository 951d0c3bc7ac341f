"""Pools under fixed priorities: bounds as the textbook has them, their explanations, and simulation below them."""

import json
import unittest

from program import rta

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
MS = 1_000_000


def analysis(task_set, *options):
    run = rta("analyze", "-", "--release", "completion", *options, "--format", "json", stdin=task_set)
    return json.loads(run.stdout)


def bounds(task_set, *options):
    return {dag["name"]: dag["response_bound_ns"] for dag in analysis(task_set, *options)["dags"]}


class FixedPriorities(unittest.TestCase):
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
