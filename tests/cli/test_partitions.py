"""GPUs that are cut into partitions: bounds, schedules within them, certificates, choices, and what refuses them."""

import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, rta

EXAMPLE = ROOT / "tasksets/examples/partitions.yaml"


def bounds(*arguments, **options):
    run = rta("analyze", *arguments, "--release", "completion", "--format", "json", **options)
    return {dag["name"]: dag["response_bound_ns"] for dag in json.loads(run.stdout)["dags"]}


def on_the_whole_gpu():
    text = EXAMPLE.read_text()
    at, end = text.index(", partitions:"), text.index("}}}\n")
    return (text[:at] + "}\n" + text[end + 4:]).replace("orin/perception", "orin").replace("orin/planning", "orin")


class Partitions(unittest.TestCase):
    def test_the_example_needs_its_partitions(self):
        run = rta("analyze", EXAMPLE)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("orin/planning", run.stdout)
        self.assertIn("all work of GPU 'orin' runs in partitions", run.stdout)
        run = rta("analyze", "-", stdin=on_the_whole_gpu())
        self.assertEqual((run.returncode, run.stderr), (1, ""))

    def test_partitions_are_what_helps_and_have_numbers_of_sms_that_the_device_can_give(self):
        advice = re.search(r"in the file, orin: (partitions: {planner: {sms: (\d+), kind: green}}, rest: rest), with the kernels of planner on "
                           r"orin/planner and all others there on orin/rest", rta("analyze", "-", stdin=on_the_whole_gpu()).stdout)
        self.assertGreaterEqual(int(advice[2]), 4)
        applied = on_the_whole_gpu().replace("{device: orin}", "{device: orin, " + advice[1] + "}")
        applied = applied.replace("detect:   {on: orin", "detect:   {on: orin/rest").replace("rollout:  {on: orin", "rollout:  {on: orin/planner")
        run = rta("analyze", "-", stdin=applied)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_schedules_stay_within_the_bounds(self):
        bound = bounds(EXAMPLE)
        for how in ([], ["--search-runs", "50"]):
            run = rta("simulate", EXAMPLE, "--release", "completion", "--duration", "1s", "--format", "json", *how)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            for dag in json.loads(run.stdout)["dags"]:
                self.assertLessEqual(dag["observed_max_ns"], bound[dag["dag"]])

    def test_certificates_are_verified_and_say_what_a_partition_has_for_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate = Path(folder) / "p.cert"
            self.assertEqual(rta("analyze", EXAMPLE, "--certificate", certificate, "-o", Path(folder) / "p.txt", "--quiet").returncode, 0)
            checked = subprocess.run([PROGRAM.with_name("rta-check"), EXAMPLE, certificate], capture_output=True, text=True)
            self.assertEqual((checked.returncode, checked.stderr), (0, ""))
            self.assertIn("assumed, not in the file: pool orin/planning: all work of GPU orin runs in partitions without an SM in common", checked.stdout)

    def test_slack_says_with_how_few_sms_a_partition_would_do(self):
        pools = json.loads(rta("analyze", EXAMPLE, "--slack", "--format", "json").stdout)["slack"]["pools"]
        least = {pool["pool"]: pool["least_size"] for pool in pools}
        self.assertEqual(least["orin/planning"], 4)  # green contexts of an Orin have 4 at least
        self.assertLess(least["orin/perception"], 10)
        self.assertEqual(least["orin/perception"] % 2, 0)

    def test_generated_programs_make_green_contexts_and_refuse_other_partitions(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(rta("workload", EXAMPLE, "-o", Path(folder) / "green").returncode, 0)
            source = (Path(folder) / "green/workload.cu").read_text()
            self.assertIn('{"orin/perception", PoolKind::gpu, 10, Order::fifo, 1536, "orin", 16, false}', source)
            for kind in ("mps", "tpc"):
                other = EXAMPLE.read_text().replace("kind: green", f"kind: {kind}")
                for command in (["workload", "-", "-o", Path(folder) / kind], ["run", "-", "-o", Path(folder) / f"{kind}.txt"]):
                    with self.subTest(command=command[0], kind=kind):
                        run = rta(*command, stdin=other)
                        self.assertEqual((run.returncode, run.stdout), (2, ""))
                        self.assertIn(f"'orin/perception' is a partition of GPU 'orin' of kind {kind}; generated programs make green contexts alone", run.stderr)

    def test_static_schedules_know_no_partitions(self):
        run = rta("compile", EXAMPLE)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("GPU 'orin' is cut into partitions, which a static schedule does not know", run.stderr)

    def test_experiments_know_no_partitions(self):
        run = rta("simulate", "-", stdin="platform: {g: {device: orin, partitions: {a: {sms: 4, kind: green}}}}\n"
                                         "experiment: [{kernel: k, on: g/a, stream: s, at: 0 ns, B: 1, H: 32, L: 1 ms}]\n")
        self.assertEqual(run.returncode, 2)
        self.assertIn("<stdin>:1:42: pool 'g': partitions: an experiment knows no partitions of a GPU", run.stderr)

    def test_optimize_chooses_sms_that_fit_and_partitions_of_nodes(self):
        run = rta("optimize", ROOT / "tasksets/optimize/orin-partitions.yaml", "--format", "json")
        self.assertEqual(run.returncode, 0)
        result = json.loads(run.stdout)
        chosen = {choice["what"]: next(one["value"] for one in choice["alternatives"] if one["chosen"]) for choice in result["choices"]}
        sms = int(chosen["pool 'orin/perception': sms"]), int(chosen["pool 'orin/planning': sms"])
        self.assertLessEqual(sum(sms), 16)
        self.assertGreater(sms[1], 4)
        self.assertEqual(result["combinations"], 3 * 3 * 2)

    def test_a_value_may_be_put_in_place_of_the_files(self):
        run = rta("analyze", EXAMPLE, "--set", "orin.partitions.perception.sms=14")
        self.assertEqual(run.returncode, 2)
        self.assertIn("with this partition all have 18 SMs, but GPU 'orin' has 16", run.stderr)


if __name__ == "__main__":
    unittest.main()
