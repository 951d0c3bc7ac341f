"""What `rta examine` makes of measured interference: a profile that the other commands read, and the block for a task set."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from program import ROOT, rta

WORKS = ["registers", "L2", "DRAM"]


def case(kernel, where, blocks, ns):
    beside = " and ".join(blocks) or "none"
    return {"kernel": kernel, "where": where, "beside": beside, "blocks": blocks, "median_ns": ns - 10, "p99_ns": ns, "max_ns": ns}


def cases(where, growth, mixed):
    """Victims of 1000 ns alone; growth: victim -> class -> ns; mixed: victim -> ns beside L2 and DRAM."""
    found = []
    for kernel in WORKS:
        found.append({**case(kernel, where, {}, 1010), "median_ns": 1000})
        found += [case(kernel, where, {each: 3}, 1000 + growth[kernel][each]) for each in WORKS]
        found.append(case(kernel, where, {"L2": 2, "DRAM": 1}, 1000 + mixed[kernel]))
    return found


GROWTH = {"registers": {"registers": 0, "L2": 0, "DRAM": 3}, "L2": {"registers": -6, "L2": 460, "DRAM": 2320}, "DRAM": {"registers": 10, "L2": 710, "DRAM": 1740}}


SET = """platform: {gpu: {device: h200}}
tasks:
  - {name: a, T: 100 ms, on: gpu, B: 4, H: 1024, L: {alone: 1 ms, min: 500 us}, class: L2}
  - {name: b, T: 100 ms, on: gpu, B: 4, H: 1024, L: {alone: 1 ms, min: 500 us}, class: DRAM}
"""


class Interference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.program = pathlib.Path(temporary.name) / "program"
        run = rta("examine", "--write", cls.program, "--device", "h200", "--interference")
        assert run.returncode == 0, run.stderr
        cls.limits = {**json.loads((cls.program / "scale.json").read_text()), "driver": "580"}

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.traces = self.folder / "traces"
        self.traces.mkdir()
        self.profile = self.folder / "results/h200.yaml"
        (self.traces / "limits.json").write_text(json.dumps(self.limits))
        self.part("whole", cases("other SMs", GROWTH, {"registers": 0, "L2": 2700, "DRAM": 1740}))

    def part(self, name, found, not_possible=None):
        (self.traces / f"interference-{name}.json").write_text(json.dumps({"cases": found, "not_possible": not_possible or {}}))

    def examine(self, status, *options):
        run = rta("examine", "--traces", self.traces, "--rules", "none", "-o", self.folder / "results", *options)
        self.assertEqual(run.returncode, status, run.stderr)
        return run

    def test_the_program_for_a_target_has_the_measurement(self):
        self.assertIn('#include "interference/run.cuh"', (self.program / "interference.cu").read_text())
        script = (self.program / "examine-all.sh").read_text()
        self.assertIn("make examine interference\n", script)
        self.assertIn("for part in whole halves parts same-sm copies cpus partitions; do", script)
        subprocess.run(["sh", "-n", self.program / "examine-all.sh"], check=True)
        without = self.folder / "without"
        self.assertEqual(rta("examine", "--write", without, "--device", "h200").returncode, 0)
        self.assertIn("\nmake\n", (without / "examine-all.sh").read_text())

    def test_what_was_measured_is_in_the_profile_and_commands_add_it(self):
        run = self.examine(0)
        self.assertTrue(run.stdout.startswith("NVIDIA H200: no rule was examined\n"), run.stdout)
        self.assertIn("    L2: [0, 0.46, 2.32]\n", run.stdout)
        self.assertIn("  combine: sum  # mixtures were no worse than the sum of their classes\n", run.stdout)
        text = self.profile.read_text()
        self.assertIn("mixtures: {measured: 3, confirm: sum, beyond-max: 0.38, beyond-sum: ", text)
        self.assertIn('"DRAM": [0.003, 2.32, 1.74]', text)
        analysed = rta("analyze", "-", "--profile", self.profile, "--explain", "a", stdin=SET)
        self.assertEqual(analysed.returncode, 0, analysed.stderr)
        self.assertIn("C2: L of a = 1000000 ns alone + 1232153 ns beside DRAM, there for 1763253 ns; if all were there all the time 3320000 ns (C1)", analysed.stdout)

    def test_what_is_played_takes_as_long(self):
        self.examine(0)
        self.assertIn("has no `interference`", rta("simulate", "-", stdin=SET).stderr)
        simulated = rta("simulate", "-", "--profile", self.profile, "--duration", "1s", "--format", "json", stdin=SET)
        self.assertEqual(simulated.returncode, 0, simulated.stderr)
        self.assertIn("platform.gpu.interference is that of the profile's NVIDIA H200", simulated.stderr)
        # a meets b for a part of its time: more than the 1 ms alone, no more than C2 says.
        observed = json.loads(simulated.stdout)["dags"][0]["observed_max_ns"]
        self.assertGreater(observed, 1_000_000)
        self.assertLessEqual(observed, 2_232_153)
        written = rta("workload", "-", "--profile", self.profile, "-o", self.folder / "workload", stdin=SET)
        self.assertEqual(written.returncode, 0, written.stderr)
        self.assertIn("2232153", (self.folder / "workload/workload.cu").read_text())
        self.assertIn("dispatch latency and kernel switches are the machine's own", written.stderr)

    def test_traces_of_a_profile_are_of_its_task_set_alone(self):
        self.examine(0)
        file, trace = self.folder / "set.yaml", self.folder / "trace.jsonl"
        file.write_text(SET.replace("{alone: 1 ms, min: 500 us}", "1 ms").replace(", class: L2", "").replace(", class: DRAM", ""))
        run = rta("simulate", file, "--profile", self.profile, "--duration", "1s", "--trace", trace, "-q")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(rta("compare", trace, file).returncode, 2)
        experiment = ROOT / "tasksets/literature/experiments/amert2017-table-1.yaml"
        self.assertEqual(rta("simulate", experiment, "--profile", self.profile).returncode, 2)
        self.assertIn("it takes no --profile", rta("workload", "--doctor", "--profile", self.profile).stderr)

    def test_the_simulator_has_the_dispatch_latency_and_no_kernel_switches(self):
        profile = ROOT / "validation/profiles/h200.yaml"
        one = "platform: {gpu: {device: h200}}\ntasks: [{name: a, T: 10 ms, on: gpu, B: 1, H: 1024, L: 1 ms}]\n"
        run = rta("simulate", "-", "--profile", profile, "--duration", "1s", "--format", "json", stdin=one)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout)["dags"][0]["observed_max_ns"], 1_000_416)
        self.assertIn("kernel switches of the profile are not played", run.stderr)
        self.assertNotIn("the profile has no", run.stderr)

    def test_a_profile_keeps_what_is_not_examined_anew(self):
        self.examine(0)
        other = self.folder / "rules"
        shutil.copytree(self.traces, other)
        (other / "interference-whole.json").unlink()
        # Rules without any trace: none is confirmed, but the profile has them, and what company does as it was.
        run = rta("examine", "--traces", other, "-o", self.folder / "results")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertRegex(run.stdout, r"interference in h200\.yaml: as examined on \d{4}-\d\d-\d\d")
        text = self.profile.read_text()
        self.assertIn("verdict: untested", text)
        self.assertIn("interference: {classes: [registers, L2, DRAM]", text)
        self.assertIn("\ncompany:\n", text)
        self.assertIn("rules and latencies in h200.yaml: as examined on ", self.examine(0).stdout)
        self.assertIn("verdict: untested", self.profile.read_text())
        # Not of another driver.
        (self.traces / "limits.json").write_text(json.dumps({**self.limits, "driver": "590"}))
        self.assertNotIn("as examined on", self.examine(0).stdout)
        self.assertIn("rules: {}", self.profile.read_text())

    def test_processors_that_lengthen_blocks_are_warned_of(self):
        alone = {**case("DRAM", "CPUs", {}, 1010), "median_ns": 1000}
        self.part("cpus", [alone, {**case("DRAM", "CPUs", {}, 3900), "beside": "7 that write memory"}])
        self.examine(0)
        warning = (
            "the profile has processors at work on memory, not counted: at most 290.0 % longer (DRAM beside 7 that write memory): "
            "durations `alone` have to be measured beside them"
        )
        self.assertIn(warning, rta("analyze", "-", "--profile", self.profile, stdin=SET).stderr)

    def test_parts_of_the_sms_alone_are_no_matrix(self):
        quarter = [one if one["beside"] == "none" else {**one, "beside": one["beside"] + " on a quarter"} for one in
                   cases("other SMs", GROWTH, {"registers": 0, "L2": 0, "DRAM": 0}) if len(one["blocks"]) < 2]
        self.part("whole", [])
        self.part("parts", quarter)
        run = self.examine(1)
        self.assertIn("no `interference`: not every class was measured beside every class on all other SMs (part whole)", run.stdout)
        self.assertIn("DRAM on a quarter", run.stdout)
        self.assertNotIn("interference:", self.profile.read_text())

    def test_what_is_missing_is_said_and_there_is_no_interference(self):
        self.part("whole", [], {"whole": "the time of this part was up: its other cases are left out"})
        run = self.examine(1)
        self.assertIn("no `interference`: not every class was measured beside every class", run.stdout)
        self.assertIn("whole: not possible here: the time of this part was up", run.stdout)
        self.assertNotIn("interference:", self.profile.read_text())
        (self.traces / "interference-whole.json").write_text("{}")
        refused = rta("examine", "--traces", self.traces, "--rules", "none")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("interference-whole.json:1:1: no measurement of interference", refused.stderr)

    def test_options_that_do_not_go_together(self):
        for words, said in (
            (["--rules", "none", "-o", "x"], "--rules none examines nothing"),
            (["--quick", "-o", "x"], "--quick goes with --interference"),
            (["--interference=some", "-o", "x"], "no part 'some' (allowed: whole, halves, parts, registers, same-sm, "),
            (["--traces", self.traces, "--interference"], "it takes no --interference"),
        ):
            run = rta("examine", *words)
            self.assertEqual(run.returncode, 2)
            self.assertIn(said, run.stderr)


NVCC = os.environ.get("NVCC") or shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


@unittest.skipIf(NVCC is None, "skipped: there is no nvcc")
class Arithmetic(unittest.TestCase):
    """Blocks of registers are company only if no compiler makes their steps fewer: then they would ask memory for their end instead."""

    def test_blocks_of_registers_compute_without_a_look_at_memory(self):
        with tempfile.TemporaryDirectory() as folder:
            out, program = pathlib.Path(folder) / "interference.ptx", pathlib.Path(folder) / "program"
            self.assertEqual(rta("examine", "--write", program, "--device", "h200").returncode, 0)
            words = [NVCC, "-std=c++17", "-O2", "-ptx", f"-I{program}/runtime", "-o", out, program / "interference.cu"]
            subprocess.run(words, check=True)
            kernels = re.findall(r"^\.visible \.entry \w*?(disturb|work_once|work_on_one_sm)\w*\((.*?)^\}", out.read_text(), re.M | re.S)
        self.assertEqual(len(kernels), 3)
        for name, text in kernels:
            blocks = re.split(r"^\$L\w+:", text, flags=re.M)
            longest = max(blocks, key=lambda block: block.count("mad.lo.s32"))
            self.assertEqual(longest.count("mad.lo.s32"), 64, name)
            self.assertNotRegex(longest, r"\b(ld|st|atom|red)\.(?!param)", name)


if __name__ == "__main__":
    unittest.main()
