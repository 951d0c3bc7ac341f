"""`--fitting`: bounds by T10p and T10w, their explanations, and what certificates say of them."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from program import PROGRAM, rta

# Two chains of 1, 2 and 3 ms, equally urgent.
CHAINS = """
platform: {cpu: {processors: 1, scheduler: FP, equals: any}}
dags:
  - {name: one, T: 20 ms, priority: 5, nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 2 ms}, c: {on: cpu, C: 3 ms}}, edges: [a -> b, b -> c]}
  - {name: two, T: 20 ms, priority: 5, nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 2 ms}, c: {on: cpu, C: 3 ms}}, edges: [a -> b, b -> c]}
"""
# a -> b on two processors, then c elsewhere; after b also d elsewhere, then e beside a and b: e does not run while the path to c waits.
BRANCHES = """
platform: {cpu: {processors: 2, scheduler: FP}, last: {processors: 1, scheduler: FIFO}, other: {processors: 1, scheduler: FIFO}}
dags:
  - name: branches
    priority: 5
    T: 100 ms
    nodes: {a: {on: cpu, C: 5 ms}, b: {on: cpu, C: 2 ms}, c: {on: last, C: 3 ms}, d: {on: other, C: 1 ms}, e: {on: cpu, C: 2 ms}}
    edges: [a -> b, b -> c, b -> d, d -> e]
"""
# a1 -> a2 and b1 -> b2 get on together, and n is all that is beside them.
WIDE = """
platform: {cpu: {processors: 2, scheduler: FIFO}}
dags:
  - name: wide
    T: 100 ms
    nodes: {a1: {on: cpu, C: 5 ms}, a2: {on: cpu, C: 4 ms}, b1: {on: cpu, C: 4 ms}, b2: {on: cpu, C: 5 ms}, n: {on: cpu, C: 1 ms}}
    edges: [a1 -> a2, b1 -> b2, a1 -> n -> b2]
"""
# Each chain behind a node on a processor of its own, from which it is cut off.
CUT = """
platform: {cpu: {processors: 1, scheduler: FP, equals: any}, left: {processors: 1, scheduler: FIFO}, right: {processors: 1, scheduler: FIFO}}
dags:
  - name: one
    T: 20 ms
    priority: 5
    nodes: {z: {on: left, C: 1 ms}, a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 2 ms}, c: {on: cpu, C: 3 ms}}
    edges: [{from: z, to: a, cut: true}, a -> b, b -> c]
  - name: two
    T: 20 ms
    priority: 5
    nodes: {z: {on: right, C: 1 ms}, a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 2 ms}, c: {on: cpu, C: 3 ms}}
    edges: [{from: z, to: a, cut: true}, a -> b, b -> c]
"""
MS = 1_000_000
COMPLETION = ("--release", "completion")


def analyze(task_set, *options):
    return rta("analyze", "-", *COMPLETION, *options, stdin=task_set)


def dags(task_set, *options):
    return json.loads(analyze(task_set, *options, "--format", "json").stdout)["dags"]


class Fitting(unittest.TestCase):
    def test_what_fits_beside_a_path_counts_once(self):
        self.assertEqual([18 * MS] * 2, [dag["response_bound_ns"] for dag in dags(CHAINS, "--path-bound", "T10g")])
        for fitting in (dags(CHAINS, "--fitting"), dags(CHAINS)):
            self.assertEqual([12 * MS] * 2, [dag["response_bound_ns"] for dag in fitting])
            self.assertEqual({"T10w"}, {dag["theorem"] for dag in fitting})

    def test_of_more_than_a_hundred_nodes_it_is_asked_for_alone(self):
        def beside(count):
            nodes = ", ".join(f"n{i}: {{on: other, C: 1 us}}" for i in range(count))
            platform = CHAINS.replace("}}\n", "}, other: {processors: 1, scheduler: FIFO}}\n", 1)
            return platform + f"  - {{name: more, T: 20 ms, nodes: {{{nodes}}}}}\n"

        def bounds(*asked):
            return [dag["response_bound_ns"] for dag in dags(*asked)][:2]
        self.assertEqual([12 * MS] * 2, bounds(beside(94)))
        self.assertEqual([18 * MS] * 2, bounds(beside(95)))
        self.assertEqual([12 * MS] * 2, bounds(beside(95), "--fitting"))

    def test_it_is_explained(self):
        lines = analyze(CHAINS, "--fitting", "--explain", "one/c").stdout
        self.assertIn("T10w: F = sum of e over the path", lines)
        self.assertIn("path a -> b -> c: execution 6000000 ns", lines)
        self.assertIn("  two: 6000000 ns (released 0 ns after it", lines)
        self.assertIn("= 12000000 ns, rounded up", lines)
        lines = analyze(BRANCHES, "--fitting", "--explain", "branches/c").stdout
        self.assertIn("T10p: F >=", lines)
        self.assertIn("F = 10000000 + 0 + 0 = 10000000 ns, rounded up", lines)

    def test_many_long_paths_are_explained_taken_apart_and_certified(self):
        self.assertEqual([12 * MS], [dag["response_bound_ns"] for dag in dags(WIDE, "--fitting")])
        lines = analyze(WIDE, "--fitting", "--explain", "wide/b2").stdout
        self.assertIn("T10m: F = the longest path L", lines)
        self.assertIn("longest path a1 -> n -> b2: L = 11000000 ns", lines)
        self.assertIn("m = 2, j + 1 = 2, m - j = 1", lines)
        self.assertIn("beside the chains: 1000000 ns, over m - j: 1000000 ns", lines)
        self.assertIn("F = 11000000 + 1000000 = 12000000 = 12000000 ns, rounded up", lines)
        run = analyze(WIDE, "--fitting", "--why", "wide")
        self.assertEqual(0, run.returncode, run.stderr)
        self.assertRegex(run.stdout, r"waiting on cpu.* [13] ms")
        with tempfile.TemporaryDirectory() as folder:
            task_set = pathlib.Path(folder, "wide.yaml")
            task_set.write_text(WIDE)
            certificate = pathlib.Path(folder, "certificate")
            run = rta("analyze", task_set, *COMPLETION, "--fitting", "--certificate", certificate, "--format", "json")
            self.assertEqual([], json.loads(run.stdout)["certificate"]["uncertified"])
            self.assertIn(" T10m 1 ", certificate.read_text())
            checked = subprocess.run([PROGRAM.with_name("rta-check"), task_set, certificate], capture_output=True, text=True)
            self.assertEqual((0, ""), (checked.returncode, checked.stderr), checked.stdout)

    def test_a_path_is_taken_apart(self):
        run = analyze(CHAINS, "--fitting", "--why", "one")
        self.assertEqual(0, run.returncode, run.stderr)
        self.assertRegex(run.stdout, r"waiting on cpu, for .*two +6 ms")

    def test_certificates_carry_the_bounds(self):
        with tempfile.TemporaryDirectory() as folder:
            task_set = pathlib.Path(folder, "chains.yaml")
            task_set.write_text(CHAINS)
            certificate = pathlib.Path(folder, "certificate")
            run = rta("analyze", task_set, *COMPLETION, "--fitting", "--certificate", certificate, "--format", "json")
            self.assertEqual([], json.loads(run.stdout)["certificate"]["uncertified"])
            self.assertIn(" T10w 0 0 5 12000001\n", certificate.read_text())
            checked = subprocess.run([PROGRAM.with_name("rta-check"), task_set, certificate], capture_output=True, text=True)
            self.assertEqual((0, ""), (checked.returncode, checked.stderr), checked.stdout)

    def test_segments_are_dags_of_their_own(self):
        # The chains are released 1 ms after their DAGs, and end 12 ms later, as above; by T11 18 ms later.
        run = rta("analyze", "-", "--release", "segments", "--format", "json", stdin=CUT)
        self.assertEqual([19 * MS] * 2, [dag["response_bound_ns"] for dag in json.loads(run.stdout)["dags"]])
        with tempfile.TemporaryDirectory() as folder:
            task_set = pathlib.Path(folder, "cut.yaml")
            task_set.write_text(CUT)
            certificate = pathlib.Path(folder, "certificate")
            run = rta("analyze", task_set, "--release", "segments", "--fitting", "--certificate", certificate, "--format", "json")
            result = json.loads(run.stdout)
            self.assertEqual([13 * MS] * 2, [dag["response_bound_ns"] for dag in result["dags"]])
            self.assertEqual([], result["certificate"]["uncertified"])
            checked = subprocess.run([PROGRAM.with_name("rta-check"), task_set, certificate], capture_output=True, text=True)
            self.assertEqual((0, ""), (checked.returncode, checked.stderr), checked.stdout)
            self.assertIn("lanes 0 0 0 0 0", certificate.read_text())

    def test_cuts_are_chosen_with_it(self):
        # Whole DAGs by T10w are the best segments here.
        run = rta("analyze", "-", "--release", "segments", "--fitting", "--format", "json", stdin=CHAINS)
        self.assertEqual([12 * MS] * 2, [dag["response_bound_ns"] for dag in json.loads(run.stdout)["dags"]])

    def test_it_is_not_for_offsets(self):
        run = rta("analyze", "-", "--release", "offsets", "--fitting", stdin=CHAINS)
        self.assertEqual(2, run.returncode)
        self.assertIn("--release offsets and --fitting do not go together", run.stderr)

    def test_simulation_stays_below(self):
        run = rta("simulate", "-", *COMPLETION, "--fitting", "--format", "json", stdin=CHAINS)
        self.assertEqual(0, run.returncode, run.stderr)
        for dag in json.loads(run.stdout)["dags"]:
            self.assertLessEqual(dag["observed_max_ns"], 12 * MS)


if __name__ == "__main__":
    unittest.main()
