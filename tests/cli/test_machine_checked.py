"""What `rta analyze` says of its own proofs: which bounds rest on theorems that a machine has checked."""

import json
import unittest

from program import EXAMPLE, ROOT, rta

ALL = "every bound rests on machine-checked theorems"
PERIODIC = """platform:
  cpu: {processors: 1, scheduler: FIFO, preemptive: false}
tasks:
  - {name: a, T: 10 ms, phase: 0 ms, periodic: true, on: cpu, C: 3 ms}
  - {name: b, T: 10 ms, phase: 5 ms, periodic: true, on: cpu, C: 3 ms}
"""
IN_TURN = """platform:
  cpu: {processors: 1, scheduler: FIFO, preemptive: false}
  gpu: {sms: 1, threads: 1024}
dags:
  - {name: a, T: 10 ms, phase: 0 ms, periodic: true, nodes: {x: {on: cpu, C: 1 ms}, k: {on: gpu, B: 1, H: 1024, L: 2 ms}}, edges: [x -> k]}
  - {name: b, T: 10 ms, phase: 5 ms, periodic: true, nodes: {x: {on: cpu, C: 1 ms}, k: {on: gpu, B: 1, H: 1024, L: 2 ms}}, edges: [x -> k]}
"""
PRIORITIES = """platform:
  gpu: {sms: 1, threads: 1024}
tasks:
  - {name: a, T: 10 ms, on: gpu, B: 1, H: 1024, L: 2 ms, priority: 2}
  - {name: b, T: 20 ms, on: gpu, B: 1, H: 1024, L: 3 ms, priority: 1}
  - {name: c, T: 40 ms, on: gpu, B: 1, H: 1024, L: 5 ms}
"""
SLICES = """platform:
  cpu: {processors: 1, scheduler: FP}
  gpu: {sms: 1, threads: 1024, sharing: {slice: 2 ms, switch: 500 us}}
dags:
  - {name: a, T: 100 ms, process: a, priority: 2, nodes: {x: {on: cpu, C: 2 ms}, k: {on: gpu, B: 1, H: 1024, L: 5 ms}}, edges: [x -> k]}
  - {name: b, T: 100 ms, process: b, priority: 1, nodes: {x: {on: cpu, C: 2 ms}, k: {on: gpu, B: 2, H: 1024, L: 5 ms}}, edges: [x -> k]}
"""
LIMITED = """platform:
  cpu: {processors: 2}
dags:
  - {name: a, T: 10 ms, in_flight: 1, nodes: {x: {on: cpu, C: 1 ms}}}
"""


class MachineChecked(unittest.TestCase):
    def found(self, text, *options):
        run = rta("analyze", "-", *options, "--format", "json", stdin=text)
        return json.loads(run.stdout)

    def test_the_second_line_says_that_all_is_checked(self):
        lines = rta("analyze", EXAMPLE).stdout.splitlines()
        self.assertEqual(lines[1], ALL)
        found = self.found(EXAMPLE.read_text())
        self.assertIs(found["machine_checked"], True)
        self.assertNotIn("not_machine_checked", found)
        headlines = {line.split()[1] for line in (ROOT / "proofs/headlines").read_text().splitlines() if not line.startswith("#")}
        for dag in found["dags"]:
            for node in dag["nodes"]:
                self.assertIn(node["headline"], headlines)

    def test_other_theorems_are_counted_and_named_when_asked(self):
        text = rta("analyze", "-", "--release", "completion", stdin=IN_TURN).stdout.splitlines()[1]
        self.assertEqual(text, "4 of 4 nodes' bounds rest on theorems with written proofs that no machine has checked")
        verbose = rta("analyze", "-", "--release", "completion", "--verbose", stdin=IN_TURN).stdout.splitlines()[1]
        self.assertEqual(verbose, text + ": T35 beside kernels in turn (4)")
        found = self.found(IN_TURN, "--release", "completion")
        self.assertIs(found["machine_checked"], False)
        self.assertEqual(found["not_machine_checked"],
                         {"theorems": [{"theorem": "T35", "form": "beside kernels in turn", "bounds": 4}], "outside": []})
        self.assertEqual([node["headline"] for dag in found["dags"] for node in dag["nodes"]], [None] * 4)

    def test_jobs_of_periodic_tasks_are_checked(self):
        found = self.found(PERIODIC, "--release", "completion")
        self.assertIs(found["machine_checked"], True)
        self.assertEqual([node["headline"] for dag in found["dags"] for node in dag["nodes"]], ["T35_in_every_tick"] * 2)

    def test_paths_through_gpus_in_time_slices_are_checked(self):
        found = self.found(SLICES, "--release", "completion", "--path-bound", "T10n")
        self.assertIs(found["machine_checked"], True)
        self.assertEqual([(node["theorem"], node["headline"]) for dag in found["dags"] for node in dag["nodes"]],
                         [("T11", "T14_in_every_tick"), ("T14", "T14_in_every_tick")] * 2)

    def test_kernels_in_turn_are_not_checked_whatever_counts_them(self):
        text = IN_TURN.replace(", phase: 0 ms, periodic: true", "").replace(", phase: 5 ms, periodic: true", "").replace("sms: 1", "sms: 4").replace("B: 1", "B: 4")
        found = self.found(text, "--release", "completion", "--path-bound", "T10n")
        self.assertEqual(found["not_machine_checked"]["theorems"], [{"theorem": "T10n", "form": "with kernels in turn", "bounds": 2}])

    def test_what_the_model_of_the_proofs_leaves_out_is_named(self):
        self.assertEqual(rta("analyze", "-", stdin=LIMITED).stdout.splitlines()[1],
                         "no bound is machine-checked, as the model of the proofs leaves this out: DAG 'a' has a limit of jobs under way")
        self.assertEqual(self.found(LIMITED)["not_machine_checked"]["outside"], ["DAG 'a' has a limit of jobs under way"])

    def test_stream_priorities_are_checked_at_offsets_alone(self):
        found = self.found(PRIORITIES, "--release", "offsets")
        self.assertIs(found["machine_checked"], True)
        self.assertEqual([node["headline"] for dag in found["dags"] for node in dag["nodes"]], ["T7", "T7", "T7_lowest_a"])
        self.assertEqual(self.found(PRIORITIES, "--release", "completion")["not_machine_checked"]["outside"],
                         ["kernels of GPU 'gpu' have several stream priorities"])

    def test_without_bounds_nothing_is_said(self):
        text = LIMITED.replace(", in_flight: 1", "").replace("1 ms", "30 ms")
        self.assertNotIn("machine-checked", rta("analyze", "-", stdin=text).stdout)
        self.assertIs(self.found(text)["machine_checked"], False)

    def test_the_page_and_the_table_say_it_too(self):
        self.assertIn(ALL, rta("analyze", EXAMPLE, "--format", "html").stdout)
        self.assertIn(f"Proofs: {ALL}.", rta("analyze", EXAMPLE, "--format", "md").stdout.replace("\\-", "-"))


if __name__ == "__main__":
    unittest.main()
