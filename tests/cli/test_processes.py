"""Processes that share a GPU by time slices: bounds with their terms, schedules within them, certificates, refusals."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, rta

PROCESSES = ROOT / "tasksets/examples/processes.yaml"

# Two kernels of 5 ms with a CPU node of 2 ms between them; S = 2 ms, one other process: G = 2 + 2 x 0.5 = 3 ms.
TWO_KERNELS = """platform: {cpu: {processors: 1}, gpu: {sms: 1, threads: 1024, sharing: {slice: 2 ms, switch: 500 us}}}
dags:
  - name: mine
    T: 100 ms
    process: a
    nodes:
      first: {on: gpu, B: 1, H: 1024, L: 5 ms}
      between: {on: cpu, C: 2 ms}
      second: {on: gpu, B: 1, H: 1024, L: 5 ms}
    edges: [first -> between -> second]
  - {name: other, T: 100 ms, process: b, nodes: {k: {on: gpu, B: 1, H: 1024, L: 5 ms}}}
"""


class Processes(unittest.TestCase):
    def test_the_bound_is_the_theorems_example_and_its_terms_are_told(self):
        run = rta("analyze", "-", "--release", "completion", "--format", "json", stdin=TWO_KERNELS)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        mine, other = json.loads(run.stdout)["dags"]
        # 12 ms of execution and (2 - 1 + ceil(10/2)) x 3 ms; the other process: 5 + 3 x 3.
        self.assertEqual(mine["response_bound_ns"], 30_000_000)
        self.assertEqual(other["response_bound_ns"], 14_000_000)
        text = rta("analyze", "-", "--release", "completion", "--explain", "mine", stdin=TWO_KERNELS).stdout
        self.assertIn("T14", text)
        self.assertIn("10000000 ns of execution and waiting in 2 kernels: (2 - 1 + ceil(10000000/2000000)) x 3000000 ns of gaps = 18000000 ns", text)

    def test_schedules_stay_within_the_bounds(self):
        bounds = {dag["name"]: dag["response_bound_ns"] for dag in json.loads(rta("analyze", PROCESSES, "--format", "json").stdout)["dags"]}
        for how in (["--slices", "round-robin"], ["--slices", "worst"], ["--search-runs", "200"]):
            with self.subTest(how=how):
                run = rta("simulate", PROCESSES, "--duration", "1s", "--format", "json", *how)
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                for dag in json.loads(run.stdout)["dags"]:
                    self.assertLessEqual(dag["observed_max_ns"], bounds[dag["dag"]])

    def test_certificates_are_verified(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate = Path(folder) / "p.cert"
            run = rta("analyze", PROCESSES, "--certificate", certificate, "-o", Path(folder) / "p.txt", "--quiet")
            self.assertEqual(run.returncode, 0)
            checked = subprocess.run([PROGRAM.with_name("rta-check"), PROCESSES, certificate], capture_output=True, text=True)
            self.assertEqual((checked.returncode, checked.stderr), (0, ""))
            self.assertIn(" T14\n", certificate.read_text())

    def test_two_processes_need_slices(self):
        run = rta("analyze", "-", stdin=TWO_KERNELS.replace(", sharing: {slice: 2 ms, switch: 500 us}", ""))
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertRegex(run.stderr, r"<stdin>:11:39: pool 'gpu': two processes use this GPU, .* say `sharing: ")

    def test_one_process_has_the_gpu_for_itself(self):
        alone = TWO_KERNELS.replace("process: b", "process: a")
        run = rta("analyze", "-", "--release", "completion", "--format", "json", stdin=alone.replace("switch: 500 us", "switch: 0 us"))
        self.assertEqual(run.returncode, 0, run.stderr)
        without = rta("analyze", "-", "--release", "completion", "--format", "json",
                      stdin=alone.replace(", sharing: {slice: 2 ms, switch: 500 us}", ""))
        self.assertEqual([dag["response_bound_ns"] for dag in json.loads(run.stdout)["dags"]],
                         [dag["response_bound_ns"] for dag in json.loads(without.stdout)["dags"]])


if __name__ == "__main__":
    unittest.main()
