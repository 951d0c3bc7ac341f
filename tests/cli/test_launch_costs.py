"""What launches cost: bounds, schedules, certificates, profiles, and the choice between launches and persistent threads."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, rta

PROFILE = ROOT / "validation/profiles/h200.yaml"  # launch: at most 37022 ns, dispatch 416 ns
# Alone: 1 ms + 8 us, the kernels one after another with a launch each, 1 ms.
SET = """platform:
  cpu: {processors: 2, scheduler: FIFO}
  gpu: {device: h200, launch_overhead: 8 us, dispatch_latency: 1 us}
dags:
  - name: camera
    T: 33 ms
    nodes: {prepare: {on: cpu, C: 1 ms}, left: {on: gpu, B: 8, H: 256, L: 2 ms}, right: {on: gpu, B: 8, H: 256, L: 2 ms}, show: {on: cpu, C: 1 ms}}
    edges: ["prepare -> [left, right] -> show"]
"""


def written(folder):
    path = Path(folder) / "set.yaml"
    path.write_text(SET)
    return path


class LaunchCosts(unittest.TestCase):
    def test_certificates_are_verified_by_the_checkers_own_reading(self):
        with tempfile.TemporaryDirectory() as folder:
            for file in (written(folder), ROOT / "tasksets/literature/persistent-against-launch.yaml"):
                for release in ("completion", "offsets"):
                    certificate = Path(folder) / "c.cert"
                    rta("analyze", file, "--release", release, "--certificate", certificate, "--quiet")
                    checked = subprocess.run([PROGRAM.with_name("rta-check"), file, certificate], capture_output=True, text=True)
                    self.assertEqual(checked.stderr, "")
                    self.assertNotIn("refused", checked.stdout)

    def test_schedules_stay_within_the_bounds(self):
        result = json.loads(rta("analyze", "-", "--release", "completion", "--format", "json", stdin=SET).stdout)
        run = json.loads(rta("simulate", "-", "--release", "completion", "--duration", "1 s", "--format", "json", stdin=SET).stdout)
        seen, bound = run["dags"][0]["observed_max_ns"], result["dags"][0]["response_bound_ns"]
        self.assertLessEqual(seen, bound)
        # Two processors make both launches at once: 1 + 0.008 + 2.001 + 1 ms.
        self.assertEqual(seen, 4_009_000)

    def test_a_profile_has_the_launches_of_its_device(self):
        run = rta("analyze", "-", "--profile", PROFILE, "--release", "completion", stdin=SET)
        self.assertIn("platform.gpu.launch_overhead is 37022 ns on the profile's NVIDIA H200", run.stderr)
        self.assertIn("platform.gpu.dispatch_latency is counted by the dispatch latency that was measured on the profile's NVIDIA H200", run.stderr)
        by_hand = SET.replace("launch_overhead: 8 us, dispatch_latency: 1 us", "launch_overhead: 37022 ns")
        same = rta("analyze", "-", "--profile", PROFILE, "--release", "completion", "--set", "gpu.launch_overhead=37022 ns", stdin=by_hand)
        self.assertEqual(run.stdout, same.stdout)
        with tempfile.TemporaryDirectory() as folder:
            run = rta("analyze", written(folder), "--profile", PROFILE, "--certificate", Path(folder) / "c.cert")
            self.assertEqual(run.returncode, 2)
            self.assertIn("launches cost other times than this one says", run.stderr)

    def test_a_choice_weighs_launches_against_persistent_threads(self):
        chosen = rta("optimize", ROOT / "tasksets/optimize/persistent-or-launch.yaml").stdout
        # Three launches of 37 us: 20 + 37 + 41 + 37 + 31 + 37 + 21 + 20 = 244 us; two items in place of the first two: 20 + 62 + 52 + 37 + 21 + 20.
        self.assertIn("controller  0.244 ms  MISSED  0.212 ms", chosen)

    def test_what_has_no_launches_refuses_their_costs(self):
        experiment = ("platform: {gpu: {device: tx2, launch_overhead: 1 us}}\n"
                      "experiment: [{kernel: k, stream: s, B: 1, H: 32, L: 1 ms, at: 0 ms}]\n")
        run = rta("simulate", "-", stdin=experiment)
        self.assertEqual(run.returncode, 2)
        self.assertIn("<stdin>:1:48: pool 'gpu': launch_overhead, dispatch_latency: an experiment knows no costs of launches", run.stderr)


if __name__ == "__main__":
    unittest.main()
