"""What validation/ keeps of real GPUs: profiles that analyze takes, results that say what docs/theory/measured.md says of them."""

import json
import unittest

from program import ROOT, rta

PROFILES = sorted((ROOT / "validation/profiles").glob("*.yaml"))
RESULTS = sorted((ROOT / "validation/results").glob("*.json"))
SETS = ["one-kernel", "mixed-kernels", "persistent-threads", "hog-like", "processes"]

SHARED = """platform: {{cpu: {{processors: 4}}, gpu: {{device: {device}, sharing: {{slice: 1 ms, switch: 100 us}}}}}}
dags:
  - {{name: a, T: 50 ms, process: p, nodes: {{k: {{on: gpu, B: 1, H: 512, L: 2 ms}}}}}}
  - {{name: b, T: 50 ms, process: q, nodes: {{k: {{on: gpu, B: 1, H: 512, L: 1 ms}}}}}}
"""


def milliseconds(ns):
    return f"{ns / 1e6:.2f}"


class Kept(unittest.TestCase):
    def test_there_is_one(self):
        self.assertTrue(PROFILES)
        self.assertTrue(RESULTS)

    def test_profiles_are_taken_and_all_their_rules_confirmed(self):
        for profile in PROFILES:
            with self.subTest(profile=profile.name):
                run = rta("analyze", "-", "--profile", profile, "--strict", stdin=SHARED.format(device=profile.stem))
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertIn("rules confirmed on NVIDIA", run.stdout)

    def test_measured_slices_take_the_place_of_the_files(self):
        # S = 2091936 ns, theta = 156576 ns, and 416 ns of dispatch latency in L: a ends after 2000416 + G, G = S + 2 theta; kernel switches, as
        # blocks beside its one, add a little.
        run = rta("analyze", "-", "--profile", ROOT / "validation/profiles/h200.yaml", "--release", "completion", "--format", "json",
                  stdin=SHARED.format(device="h200"))
        added = json.loads(run.stdout)["dags"][0]["response_bound_ns"] - (2_000_416 + 2_091_936 + 2 * 156_576)
        self.assertTrue(0 <= added < 5_000, added)

    def test_results_name_no_place_of_the_machine_they_are_from(self):
        for result in [*RESULTS, *PROFILES]:
            self.assertNotRegex(result.read_text(), r"/(home|root|tmp|work)/")

    def test_the_documentation_says_what_was_measured(self):
        text = (ROOT / "docs/theory/measured.md").read_text()
        section = text[text.index("\n## An NVIDIA H200\n"):text.index("\n## A published model\n")]
        steps = json.loads((ROOT / "validation/results/nvidia-h200.json").read_text())["steps"]
        hog_like = json.loads((ROOT / "validation/results/nvidia-h200-hog-like.json").read_text())["comparisons"][0]
        self.assertTrue(steps["examination"]["rules_hold"])
        for name in SETS:
            measured = hog_like if name == "hog-like" else steps[name]["measured"]
            row = next(line for line in section.split("**Task sets.**")[1].splitlines() if line.startswith(f"| {name}"))
            with self.subTest(set=name):
                self.assertEqual(measured["verdict"], "within")
                self.assertIn(f" {sum(dag['count'] for dag in measured['dags'])} ", row)
                self.assertIn(f"| {measured['release']} |", row)
                for dag in measured["dags"]:
                    self.assertLessEqual(dag["max_ns"], dag["bound_ns"])
                    self.assertIn(milliseconds(dag["max_ns"]), row)
                    self.assertIn(milliseconds(dag["bound_ns"]), row)
        cases = {(case["kernel"], case["beside"]): round(case["growth_percent"]) for case in steps["interference"]["measured"]["cases"]}
        for kernel in ("registers", "L2", "DRAM"):
            row = " | ".join(f"{cases[kernel, beside]} %" for beside in ("registers", "L2", "DRAM"))
            self.assertIn(f"| of {kernel} | {row} |", section)

    def test_the_documentation_says_what_the_second_visit_measured(self):
        text = (ROOT / "docs/theory/measured.md").read_text()
        section = text[text.index("\n### The second visit\n"):text.index("\n## A published model\n")]
        steps = json.loads((ROOT / "validation/results/nvidia-h200-2.json").read_text())["steps"]
        for step, rows in (("table-6.1", 6), ("yolo", 4)):
            lines = steps[step]["table"].splitlines()[:rows + 2]
            for line in [lines[0], *lines[2:]]:
                self.assertIn(line.replace("|  |", "| |"), section)
        self.assertIn(steps["yolo"]["saturated"].splitlines()[2].replace("| frames", "| saturated, frames"), section)
        for name, program in steps["program"]["programs"].items():
            row = next(line for line in section.splitlines() if line.startswith(f"| [{name}]"))
            seen, records = program["later"]["responses"], program["first"]["records"]
            self.assertEqual((program["later"]["lost_records"], program["first"]["lost_records"]), (0, 0))
            for ns in (seen["max_ns"], seen["p99_ns"], seen["p90_ns"], seen["median_ns"], seen["mean_ns"]):
                self.assertIn(f" {ns / 1e6:.3f} ", row)
            self.assertIn(f"{records['kernel']} kernels", row)
        for probe in steps["probes"]["measured"]["probes"]:
            if probe["probe"] not in ("cluster-queue", "mps-partitions"):
                self.assertEqual((probe["answer"], probe["agreeing"]), ("yes", probe["runs"]), probe["probe"])
        queue = next(probe["figures"] for probe in steps["probes"]["measured"]["probes"] if probe["probe"] == "cluster-queue")
        larger = {name: runs for name, runs in queue.items() if "_of_2_" not in name and "overtook" not in name}
        self.assertEqual(sum(runs["runs"] - runs["agreeing"] for runs in larger.values()), 170)
        self.assertEqual({tuple(sms) for name, sms in queue.items() if "overtook" in name and "_of_2_" not in name}, {(2,)})
        grown = {(case["kernel"], case["where"], case["beside"]): round(case["growth_of_largest_percent"]) for case in steps["interference"]["measured"]["cases"]}
        parts = [("other SMs", f" on {part}") for part in ("a quarter", "a half", "three quarters")] + [("other SMs", ""), ("other partition", "")]
        for victim, beside in (("L2", "L2"), ("L2", "DRAM"), ("DRAM", "L2"), ("DRAM", "DRAM")):
            row = " | ".join(f"{grown[victim, where, beside + part]} %" for where, part in parts)
            self.assertIn(f"| of {victim} beside {beside} | {row} |", section)


if __name__ == "__main__":
    unittest.main()
