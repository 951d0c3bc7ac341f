"""validation/gpu-check on a GPU that is only simulated: as a whole, and with what can go wrong on a real one. What is checked holds on any
machine, however loaded: runs of the fake GPU are late and do not count, but they are runs."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import fake_gpu
from program import PROGRAM, ROOT, TIME_LIMIT, rta

sys.path.append(str(ROOT / "validation"))
import gpu_interference  # noqa: E402
import gpu_program  # noqa: E402
import gpu_sets  # noqa: E402
import gpu_side_by_side  # noqa: E402

SETS = ["one-kernel", "mixed-kernels", "persistent-threads", "hog-like", "processes"]
TABLE_6_1 = [f"{granularity}, {scenario}" for scenario in ("MT", "MP", "MP(MPS)") for granularity in ("fine", "coarse", "monolithic")]
CLUSTERS = [f"{granularity}, MP(MPS), clusters" for granularity in ("fine", "coarse", "monolithic")]  # where there are processors for two
SIDE_BY_SIDE = {
    "table-6.1": TABLE_6_1,
    "yolo": ["SERIAL", "4 frames", "PIPELINE", "PARALLEL", "SERIAL, saturated"],
}


@unittest.skipUnless(fake_gpu.is_possible(), "no /dev of its own may be had here")
class Fake(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.fake = pathlib.Path(temporary.name) / "fake"
        run = rta("examine", "--write", cls.fake, "--device", "tx2")
        assert run.returncode == 0, run.stderr
        shutil.copy(cls.fake / "scale.json", cls.fake / "limits.json")

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.output = self.folder / "gpu.json"
        self.partial = self.folder / "gpu.partial.json"

    def command(self, *options):
        words = [sys.executable, ROOT / "tests/cli/fake_gpu.py", self.fake, ROOT / "validation/gpu-check", "--quick", "--output", self.output]
        return [str(word) for word in [*words, *options]]

    def environment(self, **more):
        return {**os.environ, "RTA_PROGRAM": str(PROGRAM), "FAKE_BLOCKS_AT_ONCE": "8", **more}

    def check(self, *options, **environment):
        return subprocess.run(
            self.command(*options), capture_output=True, text=True, timeout=4 * TIME_LIMIT, env=self.environment(**environment)
        )

    def one_kernel(self, *options, **environment):
        return self.check("--only", "one-kernel", *options, **environment)

    def result(self, path=None):
        return json.loads((path or self.partial).read_text())


class Whole(Fake):
    def check_programs(self, programs):
        """Of the detector three streams run 20 kernels a frame, and a picture before the first one."""
        self.assertEqual(list(programs), ["detector", "frames"])
        for name, frames, kernels, copies in (("detector", 5, 20, 3), ("frames", 2, 3, 2)):
            kept = programs[name]
            once = name == "detector"
            for recording in (kept["first"], kept["later"]):
                records = recording["records"]
                self.assertEqual((recording["complete"], recording["lost_records"], recording["responses"]["jobs"]), (True, 0, frames))
                self.assertEqual((records["kernel"], records["range"]), (kernels * (frames + once), frames))
                self.assertEqual(records["memcpy"], copies * (frames + once) + 6 * once)  # and weights
            self.assertIn("cost_percent", kept["first"])
            without, with_latency = kept["bounds"]
            self.assertEqual(without["dispatch_latency_ns"], 0)
            self.assertGreater(with_latency["dispatch_latency_ns"], 0)
            for found in (without, with_latency):
                self.assertIn("# From ", found["task_set"])
                self.assertEqual([dag["dag"] for dag in found["analysis"]["dags"]], ["frame"])
                self.assertEqual(found["measured"]["dags"][0]["count"], frames)
                self.assertEqual(found["measured"]["dags"][0]["max_ns"], kept["later"]["responses"]["max_ns"])
        # What streams and events are in the detector.
        text = programs["detector"]["bounds"][0]["task_set"]
        edges = set(re.findall(r"^ +- ([\w-]+ -> [\w-]+)$", text, re.M))
        among_gpu = {edge for edge in edges if "cpu-" not in edge}
        network = ["copy-h2d", "convolve", "convolve-2", "im2col", "multiply", "multiply-2", "multiply-3", "copy-d2h", "copy-d2h-2"]
        pyramid = ["copy-h2d", "gradient", "histogram", "normalise", "classify"]
        pyramid += [f"{kernel}{scale}" for scale in ("-2", "-3") for kernel in ("resize", "gradient", "histogram", "normalise", "classify")]
        pyramid = [name.replace("resize-2", "resize").replace("resize-3", "resize-2") for name in pyramid] + ["copy-d2h-2"]
        expected = {f"{a} -> {b}" for chain in (network, pyramid) for a, b in zip(chain, chain[1:])}
        self.assertEqual(among_gpu - {"copy-h2d -> copy-d2h"}, expected)  # the copies' stream has that one, too

    @unittest.skipIf(fake_gpu.CUPTI_HEADERS is None, "skipped: CUPTI's headers are not installed")
    def test_everything_in_one_call_with_a_file_that_is_whole(self):
        run = run_of_all = self.check("--duration", "200ms", "--time-limit", "30m")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        self.assertFalse(self.partial.exists())
        result = self.result(self.output)
        self.assertTrue(result["complete"])
        self.assertEqual(list(result["steps"]), ["doctor", "overheads", "interference", "program", "probes", "examination", *SETS, *SIDE_BY_SIDE, "simulations"])
        self.assertEqual({step["state"] for step in result["steps"].values()}, {"done"}, run.stderr)
        self.assertEqual(result["device"], {"device": 'a "fake" GPU', "sms": 4, "threads_per_sm": 2048, "blocks_per_sm": 32})
        self.assertEqual((result["duration"], result["quick"]), ("200ms", True))
        overheads = result["steps"]["overheads"]["measured"]
        for name in ("kernel_launch_to_start_ns", "kernel_end_to_host_ns", "persistent_dispatch_ns"):
            self.assertEqual(set(overheads[name]), {"median", "p99", "max"})
        self.assertIn("effect_of_recording_on_L_percent", overheads)
        interference = result["steps"]["interference"]
        # Eight blocks at once are too few for three on each of four SMs.
        self.assertEqual(interference["not_possible"], {"same-sm": "4 blocks of 512 threads were not on each SM at once"})
        if interference["interference"]["task_set"] is not None:
            self.assertIn("# no same-sm: ", interference["interference"]["task_set"])
        probes = {probe["probe"]: probe for probe in result["steps"]["probes"]["measured"]["probes"]}
        self.assertEqual(probes["P3"]["reason"], "the device has no thread block clusters")
        self.check_programs(result["steps"]["program"]["programs"])
        for name in SETS:
            step = result["steps"][name]
            self.assertEqual(step["measured"]["source"], "measurement")
            self.assertIn("gpu: {sms: 4, threads: 2048, blocks: 32" if name != "persistent-threads" else "workers: 4", step["task_set"])
            if "trace" in step:  # what does not count, or is above its bound, is there to be looked at
                self.assertTrue((self.folder / step["trace"]).read_text().startswith('{"schema": 1'))
            self.assertIn("dags", result["steps"]["simulations"]["simulated"][name])
        for name, runs in SIDE_BY_SIDE.items():
            step = result["steps"][name]
            self.assertEqual([run for run in step["runs"] if run not in CLUSTERS], runs)
            for run, found in step["runs"].items():
                if "MPS" in run:
                    self.assertRegex(found["error"], "^(there is no nvidia-cuda-mps-control|starts an MPS server of its own: give --allow-settings)$")
                    continue
                self.assertLessEqual(found["figures"]["median"], found["figures"]["max_ns"])
                self.assertIn("releases", found["machine_adds"])
                self.assertIn("\n    threads: " if run.startswith(("monolithic, MT", "SERIAL", "4")) else "T: ", found["task_set"])
            self.assertIn(step["table"], run_of_all.stdout)
        self.assertIn("|  | " + " | ".join(TABLE_6_1) + " |", result["steps"]["table-6.1"]["table"])
        for name in SIDE_BY_SIDE:
            page = (self.folder / result["steps"][name]["page"]).read_text()
            self.assertIn("All DAGs", page)
            self.assertIn("fine, MT.jsonl" if name == "table-6.1" else "PARALLEL.jsonl", page)
        self.assertEqual(result["steps"]["yolo"]["runs"]["SERIAL"]["bound_ns"] is None, False)
        examination = result["steps"]["examination"]
        self.assertFalse(examination["rules_hold"])  # 100 resident grids are too few
        self.assertEqual(list(examination["profiles"]), ["tx2.yaml"])
        run = run_of_all
        self.assertEqual(run.returncode, 0 if result["passed"] else 1)
        self.assertIn(f"written to {self.output}", run.stdout)
        self.assertEqual(run.stderr.count("Traceback"), 0)


class Steps(Fake):
    """What tells of kernels beside one another, with room for all of them."""

    def test_interference_and_probes(self):
        run = self.check("--only", "interference,probes", FAKE_BLOCKS_AT_ONCE="64")
        self.assertEqual(run.returncode, 0, run.stderr)
        steps = self.result()["steps"]
        self.cases(steps["interference"])
        self.block_is_read(steps["interference"])
        self.parts_that_are_known_are_not_measured_again()
        self.probes({probe["probe"]: probe for probe in steps["probes"]["measured"]["probes"]})

    def parts_that_are_known_are_not_measured_again(self):
        result = self.result()
        measured = result["steps"]["interference"]["measured"]
        parts = {part: {**measured, "cases": [], "not_possible": {}} for part in gpu_interference.PARTS}
        parts["whole"]["cases"] = measured["cases"]
        result["steps"]["interference"] = {"state": "unfinished", "parts": parts}
        self.partial.write_text(json.dumps(result))
        run = self.check("--only", "interference")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.result()["steps"]["interference"]["measured"], measured)

    def test_parts_of_the_interference_alone(self):
        run = self.check("--only", "interference", "--parts", "registers,same-sm", FAKE_BLOCKS_AT_ONCE="64")
        self.assertEqual(run.returncode, 0, run.stderr)
        step = self.result()["steps"]["interference"]
        self.assertEqual((step["state"], sorted(step["parts"])), ("unfinished", ["registers", "same-sm"]))
        self.assertEqual(step["not_possible"], {})
        beside = {case["beside"] for case in step["parts"]["registers"]["cases"] if case["kernel"] == "L2"}
        mixed = {"registers and L2", "registers and DRAM", "registers and L2 and DRAM"}
        self.assertEqual(beside, {"none", "registers", *mixed, *(f"registers on {part}" for part in ("a quarter", "a half", "three quarters"))})
        self.assertEqual(len(step["parts"]["same-sm"]["cases"]), 3 * (1 + 10))
        # The same call has nothing to do; what else there is, is still missing.
        self.assertNotIn("interference:", self.check("--only", "interference", "--parts", "same-sm").stdout)
        result = self.result()
        result["steps"]["interference"]["parts"] |= {part: result["steps"]["interference"]["parts"]["registers"] for part in gpu_interference.PARTS}
        self.partial.write_text(json.dumps(result))
        self.assertEqual(self.check("--only", "interference").returncode, 0)
        self.assertEqual(self.result()["steps"]["interference"]["state"], "done")

    def cases(self, step):
        self.assertEqual(step["not_possible"], {})
        cases = step["measured"]["cases"]
        works = ["registers", "L2", "DRAM"]
        for kernel in works:
            found = {}
            for case in cases:
                if case["kernel"] == kernel:
                    found.setdefault(case["where"], []).append(case["beside"])
            mixed = ["registers and L2", "registers and DRAM", "L2 and DRAM", "registers and L2 and DRAM"]
            parts = [f"{work} on {part}" for work in works for part in ("a quarter", "a half", "three quarters")]
            self.assertEqual(found["other SMs"], ["none", *works, "none", *mixed, "none", *parts])
            self.assertEqual(found["other partition"], ["none", *works])
            self.assertEqual(found["copies"], ["none", "host to device", "device to host", "device to device"])
            self.assertEqual((len(found["same SM"]), found["same SM"][1]), (1 + 10, "3 registers"))
            cpus = [re.sub(r"^\d+ ", "", beside) for beside in found["CPUs"]]
            both = "that read and write memory"
            self.assertEqual(cpus, ["none", both, f"{both}, and DRAM", "that read memory", "that write memory"])
        for case in cases:
            self.assertLessEqual(case["median_ns"], case["p99_ns"])
            self.assertLessEqual(case["p99_ns"], case["max_ns"])
            blocks = sum(case["blocks"].values())
            no_blocks = case["where"] in ("copies", "CPUs") and ", and " not in case["beside"]
            if no_blocks or case["beside"] == "none":
                self.assertEqual(blocks, 0)
            elif case["where"] == "other SMs" and " on " in case["beside"]:
                self.assertEqual(blocks, {"a quarter": 1, "a half": 2, "three quarters": 3}[case["beside"].split(" on ")[1]])
            else:
                self.assertEqual(blocks, 3)

    def block_is_read(self, step):
        """Threads of a host that has other work may be stopped for longer than any block: what is too long for a task set is cut here."""
        alone = min(case["median_ns"] for case in step["measured"]["cases"])
        most = 100 * alone
        cut = [{**case, "median_ns": min(case["median_ns"], most), "max_ns": min(case["max_ns"], most)} for case in step["measured"]["cases"]]
        traces = self.folder / "cut"
        traces.mkdir()
        (traces / "interference-whole.json").write_text(json.dumps({"cases": cut}))
        run = rta("examine", "--traces", traces, "--rules", "none", "--format", "json")
        self.assertEqual(run.returncode, 0, run.stderr)
        found = json.loads(run.stdout)["interference"]
        self.assertEqual(len(found["mixtures"]), len(step["interference"]["mixtures"]))
        if step["interference"]["task_set"] is None:
            self.assertEqual(step["interference"]["reason"], "a block took more than 1000 times as long")
        block = "".join(f"    {line}\n" for line in found["task_set"].splitlines())
        file = self.folder / "pasted.yaml"
        file.write_text(
            f"platform:\n  gpu:\n    sms: 4\n    threads: 2048\n{block}tasks:\n"
            "  - {name: a, T: 100 s, on: gpu, B: 4, H: 1024, L: {alone: 1 us}, class: L2}\n"
            "  - {name: b, T: 100 s, on: gpu, B: 4, H: 1024, L: {alone: 1 us}, class: DRAM}\n"
        )
        run = rta("analyze", file, "--explain", "a")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, "C[12]: L of a = 1000 ns alone [+] ")

    def probes(self, probes):
        self.assertEqual(probes["P1"]["answer"], "yes")
        self.assertEqual((probes["P1"]["agreeing"], probes["P1"]["runs"], probes["P1"]["figures"]["sms_seen"]), (3, 3, [1, 3]))
        self.assertEqual(probes["P1"]["figures"]["runs_in_which_the_primary_context_used_them"], 3)
        self.assertEqual(probes["green-contexts"]["figures"]["splits"][0], {"asked": 1, "given": 1, "left": 3})
        for name, reason in (
            ("cluster-limits", "the device has no thread block clusters"),
            ("P3", "the device has no thread block clusters"),
            ("cluster-queue", "the device has no thread block clusters"),
            ("cluster-delay", "the device has no thread block clusters"),
            ("graph-branches", "graphs: the fake device has none"),
            ("dependent-launch", "launches with attributes: the fake device has none"),
            ("cooperative-launch", "the device takes no cooperative launches"),
            ("mps-priorities", "--allow-settings starts an MPS server"),
            ("mps-partitions", "--allow-settings starts an MPS server"),
        ):
            self.assertEqual((probes[name]["answer"], probes[name]["reason"]), ("not possible here", reason))

    def mps_server(self, static):
        """A control program whose server is a process that sleeps; `static`: what it does when asked for static partitions."""
        folder = self.folder / "bin"
        folder.mkdir()
        control = folder / "nvidia-cuda-mps-control"
        control.write_text(
            f"""#!/bin/sh
case "$*" in
  -v) echo "version 13020"; exit 0 ;;
  *-S*) {static} ;;
esac
case "$*" in *-d*)
  sleep 300 > /dev/null 2>&1 &
  echo $! > "$CUDA_MPS_PIPE_DIRECTORY/nvidia-cuda-mps-control.pid"
  echo "$! $CUDA_MPS_PIPE_DIRECTORY" >> "{self.folder}/servers"
  exit 0 ;;
esac
read -r command
case "$command" in
  quit*) kill "$(cat "$CUDA_MPS_PIPE_DIRECTORY/nvidia-cuda-mps-control.pid")" ;;
  sm_partition*) echo "Partition GPU-x/$(echo "$command" | cut -d ' ' -f 4) created" ;;
  lspart*) echo "two partitions" ;;
esac
"""
        )
        control.chmod(0o755)
        run = self.check("--only", "probes", "--allow-settings", FAKE_BLOCKS_AT_ONCE="64", PATH=f"{folder}:{os.environ['PATH']}")
        self.assertEqual(run.returncode, 0, run.stderr)
        for line in (self.folder / "servers").read_text().splitlines():
            process, pipes = line.split(" ", 1)
            state = pathlib.Path(f"/proc/{process}/stat")
            self.assertTrue(not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] == "Z")
            self.assertFalse(pathlib.Path(pipes).exists())
        return {probe["probe"]: probe for probe in self.result()["steps"]["probes"]["measured"]["probes"]}

    def test_mps_servers_have_folders_of_their_own_and_end_with_their_probe(self):
        probes = self.mps_server("true")
        self.assertNotIn("nvidia-cuda-mps-control", probes["mps-priorities"]["reason"])
        partitions = probes["mps-partitions"]
        # The fake device has all of its SMs in every process.
        self.assertEqual((partitions["answer"], partitions["agreeing"], partitions["runs"]), ("no", 0, 3))
        self.assertEqual(partitions["figures"]["sms"], [4, 4])
        self.assertEqual(partitions["figures"]["made"], ["Partition GPU-x/1 created\n", "Partition GPU-x/2 created\n"])
        self.assertEqual(partitions["figures"]["control"], "version 13020")
        self.assertEqual(len((self.folder / "servers").read_text().splitlines()), 2)

    def test_a_driver_without_static_partitions_is_told(self):
        probes = self.mps_server("echo 'unknown option -S' >&2; exit 1")
        self.assertEqual(probes["mps-partitions"]["answer"], "not possible here")
        self.assertEqual(probes["mps-partitions"]["reason"], "nvidia-cuda-mps-control does not start: unknown option -S\n (version 13020)")

    def test_partitions_that_overlap_refute_p1(self):
        run = self.check("--only", "probes", FAKE_PARTITIONS_OVERLAP="1")
        self.assertEqual(run.returncode, 0, run.stderr)
        first = self.result()["steps"]["probes"]["measured"]["probes"][0]
        self.assertEqual((first["probe"], first["answer"], first["agreeing"], first["runs"]), ("P1", "no", 0, 3))

    def test_a_probe_that_fails_loses_no_other(self):
        run = self.check("--only", "probes", FAKE_FAILS_AT_LAUNCH="7")
        self.assertEqual(run.returncode, 0, run.stderr)
        probes = {probe["probe"]: probe for probe in self.result()["steps"]["probes"]["measured"]["probes"]}
        self.assertEqual(probes["P1"]["answer"], "did not")
        self.assertIn("the fake launch failed", probes["P1"]["reason"])
        self.assertEqual(probes["green-contexts"]["answer"], "yes")


class Faults(Fake):
    def test_a_launch_that_fails_is_named_and_what_was_recorded_until_then_is_kept(self):
        run = self.one_kernel(FAKE_FAILS_AT_LAUNCH="90")
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertIn("the fake launch failed (cudaErrorLaunchFailure)", run.stderr)
        step = self.result()["steps"]["one-kernel"]
        self.assertEqual(step["state"], "failed")
        self.assertIn("cudaErrorLaunchFailure", step["error"])
        self.assertFalse(step["measured"]["valid"])
        self.assertGreater(step["measured"]["dags"][0]["count"], 0)
        records = [json.loads(line) for line in (self.folder / step["trace"]).read_text().splitlines()]
        self.assertGreater(sum(record.get("t") == "dag" for record in records), 0)
        self.assertEqual((records[-1]["t"], records[-1]["complete"]), ("end", False))

    def test_a_device_that_is_lost_half_way_ends_all_and_keeps_what_is_known(self):
        run = self.check("--only", "doctor,one-kernel,mixed-kernels", FAKE_LOST_AT_LAUNCH="90")
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertIn("the fake device is lost (cudaErrorUnknown)", run.stderr)
        steps = self.result()["steps"]
        self.assertEqual((steps["doctor"]["state"], steps["one-kernel"]["state"]), ("done", "failed"))
        self.assertGreater(steps["one-kernel"]["measured"]["dags"][0]["count"], 0)
        self.assertFalse(steps["one-kernel"]["measured"]["complete"])

    def test_a_device_that_cannot_be_used_at_all(self):
        run = self.one_kernel(FAKE_LOST_AT_LAUNCH="0")
        self.assertEqual(run.returncode, 2)
        self.assertIn("gpu-check: the GPU cannot be used: ", run.stderr)
        self.assertIn("the fake device is lost", run.stderr)
        self.assertFalse(self.partial.exists())

    def test_a_clock_that_jumps_makes_the_run_invalid(self):
        run = self.one_kernel(FAKE_CLOCK_JUMPS_AT_LAUNCH="90")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("have block times before their launch or after their end", run.stderr)
        step = self.result()["steps"]["one-kernel"]
        self.assertEqual((step["state"], step["measured"]["valid"]), ("done", False))
        outcomes = {check["name"]: check["outcome"] for check in step["measured"]["checks"]}
        self.assertEqual(outcomes["clock of device 0"], "warning")

    def test_overheads_across_a_clock_that_jumps_are_none(self):
        run = self.check("--only", "overheads", FAKE_CLOCK_JUMPS_AT_LAUNCH="40")
        self.assertEqual(run.returncode, 2, run.stdout)
        step = self.result()["steps"]["overheads"]
        self.assertEqual(step["state"], "failed")
        self.assertRegex(step["error"], r"^the clocks of GPU and host moved apart by \d+ ns meanwhile: nothing of this can be used$")
        self.assertNotIn("measured", step)

    def test_an_interrupt_keeps_what_is_known_and_the_next_call_goes_on(self):
        process = subprocess.Popen(
            self.command("--only", "doctor,one-kernel", "--duration", "30s"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment(),
            start_new_session=True,
        )
        said = ""
        while "one-kernel:" not in said:
            line = process.stdout.readline()
            self.assertNotEqual(line, "")
            said += line
        time.sleep(8)  # into the run, or into what comes before it: both are to end in order
        os.killpg(process.pid, signal.SIGINT)
        out, error = process.communicate(timeout=TIME_LIMIT)
        self.assertEqual(process.returncode, 2, error)
        self.assertIn("not done: one-kernel; the same call goes on with them", error)
        self.assertNotIn("Traceback", error)
        steps = self.result()["steps"]
        self.assertEqual((steps["doctor"]["state"], steps["one-kernel"]["state"]), ("done", "interrupted"))
        self.assertIn(f"written to {self.partial}", out)
        again = self.check("--only", "doctor,one-kernel", "--duration", "30s", "--time-limit", "10s")
        self.assertEqual(again.returncode, 2)
        self.assertIn("done: doctor\n", again.stdout)
        self.assertNotIn("doctor:\n", again.stdout)
        self.assertIn("one-kernel: left for the next call: the time is up", again.stderr)

    def test_another_process_on_the_device_is_warned_of_and_noted(self):
        folder = self.folder / "bin"
        folder.mkdir()
        smi = folder / "nvidia-smi"
        smi.write_text('#!/bin/sh\ncase "$*" in *compute-apps=pid,process_name*) echo "1, /usr/bin/other" ;; *) exit 1 ;; esac\n')
        smi.chmod(0o755)
        run = self.one_kernel(PATH=f"{folder}:{os.environ['PATH']}")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        self.assertIn("warning: another process is on the GPU: 1, /usr/bin/other", run.stderr)
        step = self.result()["steps"]["one-kernel"]
        self.assertEqual(step["other_processes"], ["1, /usr/bin/other"])
        found = [check for check in step["measured"]["checks"] if check["name"] == "other processes on the GPU"]
        self.assertEqual([(check["outcome"], check["text"]) for check in found], [("warning", "1, /usr/bin/other")])

    def test_an_unfinished_result_of_something_else_is_not_gone_on_with(self):
        self.partial.write_text(json.dumps({"device": {"device": "another"}, "steps": {"doctor": {"state": "done"}}}))
        run = self.check("--only", "doctor")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("is of another device, program or duration and is begun anew", run.stderr)
        self.assertIn("findings", self.result()["steps"]["doctor"])
        self.partial.write_text("{")  # a file that is none
        self.assertEqual(self.check("--only", "doctor").returncode, 0)


def larger_machine(real_time):
    """Larger than this one."""
    added = {"cpu": 90_000, "gpu": 176_000, "copy": 176_000, "worker": 140_000, "awaited": 77_000}
    device = {"sms": 132, "threads_per_sm": 2048, "blocks_per_sm": 32}
    return gpu_sets.Machine(device, 16, real_time, added, None)


class Chapter5(unittest.TestCase):
    def test_frames_come_two_percent_more_seldom_than_a_bound_needs(self):
        def analyzed(text, options):
            return json.loads(rta("analyze", "-", *options, "--format", "json", "--quiet", stdin=text).stdout)

        runs = gpu_sets.chapter_5(larger_machine(False), analyzed, quick=True)
        for name, threads, H in (("SERIAL", 1, 17_738_000), ("4 frames", 4, 56_168_000)):
            self.assertIn(f"    T: {H // threads * 102 // 100} ns\n", runs[name].text)
            self.assertEqual(analyzed(runs[name].text, ())["dags"][0]["response_bound_ns"], H)


class Table61(unittest.TestCase):
    """Its columns on a machine that is larger than this one."""

    def columns(self, real_time):
        return gpu_sets.table_6_1(larger_machine(real_time))

    def test_every_granularity_is_played_as_threads_and_as_processes_and_by_clusters(self):
        with tempfile.TemporaryDirectory() as folder:
            for real_time in (False, True):
                columns = self.columns(real_time)
                self.assertEqual(list(columns), [*TABLE_6_1, *CLUSTERS])
                for name, run in columns.items():
                    file = pathlib.Path(folder) / "set.yaml"
                    file.write_text(run.text)
                    made = rta("workload", file, "-o", pathlib.Path(folder) / name, *run.options)
                    self.assertEqual(made.returncode, 0, f"{name}: {made.stderr}")
                    self.assertEqual(("--tasks" in run.words, run.mps), ("MP" in name, "MPS" in name))
                    cameras = 1 if name.endswith((", MT", "MP(MPS)")) else 5 if real_time else 2
                    self.assertEqual(run.text.count("name: camera"), cameras, name)
                    self.assertEqual("sharing: {slice: " in run.text, name.endswith(", MP"), name)

    def test_clusters_have_half_of_the_processors_and_every_second_camera(self):
        text = self.columns(True)["coarse, MP(MPS), clusters"].text
        self.assertIn("  cpu0: {processors: 7, scheduler: G-EDF}\n  cpu1: {processors: 7, scheduler: G-EDF}\n", text)
        cameras = text.split("  - name: camera")[1:]
        self.assertEqual([sorted(set(re.findall(r"on: (cpu\w*)", camera))) for camera in cameras], [["cpu0"], ["cpu1"]] * 2 + [["cpu0"]])
        words = self.columns(True)["fine, MP(MPS), clusters"].words
        self.assertEqual([word for word in words if word.startswith("cpu")], ["cpu0=90000ns", "cpu1=90000ns"])


class SideBySide(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_runs_that_are_known_are_not_made_again_and_one_that_cannot_be_made_holds_no_other_up(self):
        class Check:
            work, rta, nvcc, cpus, options = self.folder, "rta", "nvcc", 1, None
            calls, said = [], []

            def run(self, words, *_):
                self.calls.append([str(word) for word in words])
                return type("Ran", (), {"status": 2, "reason": lambda self: "no such thing"})()

            def say(self, text, error):
                self.said.append(text)

        check, kept = Check(), []
        check.children = type("Children", (), {"interrupted": False})
        runs = {name: gpu_side_by_side.Run(f"set {name}") for name in ("known", "missing", "failed before")}
        known = {"known": {"figures": {"jobs": 3}}, "failed before": {"error": "out of luck"}}
        found = gpu_side_by_side.SideBySide(check, "step", runs, 1, known, lambda all: kept.append(dict(all))).all()
        self.assertEqual(list(found), list(runs))
        self.assertEqual(found["known"], known["known"])
        self.assertEqual([found["missing"], found["failed before"]], [{"error": "no such thing"}] * 2)
        self.assertEqual([words[1] for words in check.calls if words[0] == "rta"], ["workload"] * 2)
        self.assertEqual(kept[-1], found)

    def test_figures_of_a_trace(self):
        trace = self.folder / "trace.jsonl"
        ends = [10, 20, 30, 40, 50, 60, 70, 80, 90, 1000]
        lines = [json.dumps({"t": "dag", "dag": "d", "job": i, "release_ns": 0, "end_ns": end}) for i, end in enumerate(ends)]
        trace.write_text("\n".join(['{"schema": 1}', '{"t": "job", "end_ns": 7}', *lines]))
        found = gpu_side_by_side.figures(trace)
        self.assertEqual(found, {"jobs": 10, "ended_per_second": round(9e9 / 990, 2), "max_ns": 1000, "99 %": 1000, "90 %": 90, "median": 50, "mean_ns": 145})
        text = gpu_side_by_side.table({"a": {"figures": found}, "b": {"error": "no"}}, [("jobs", lambda run: str(run["figures"]["jobs"]))])
        self.assertEqual(text, "|  | a | b |\n| --- | --- | --- |\n| jobs | 10 | not run |")

    def test_dags_of_a_trace_are_kept_without_its_nodes(self):
        task_set = ROOT / "tasksets/examples/pedestrian.yaml"
        trace, kept = self.folder / "trace.jsonl", self.folder / "dags.jsonl"
        rta("simulate", task_set, "--duration", "1s", "--trace", trace)
        gpu_side_by_side.keep_dags(trace, kept)
        self.assertLess(kept.stat().st_size, trace.stat().st_size / 2)
        self.assertEqual(gpu_side_by_side.figures(kept), gpu_side_by_side.figures(trace))
        both = [json.loads(rta("compare", file, task_set, "--format", "json").stdout)["comparisons"][0] for file in (trace, kept)]
        self.assertEqual(*[found["dags"] for found in both])
        self.assertEqual(both[1]["nodes"], [])

    def test_an_mps_server_ends_with_whoever_started_it(self):
        control = self.folder / "nvidia-cuda-mps-control"
        control.write_text(f"#!/bin/sh\n[ \"$1\" = -d ] && said=start || read said\necho \"$said $CUDA_MPS_PIPE_DIRECTORY\" >> {self.folder}/log\n")
        control.chmod(0o755)
        program = ("import os, pathlib, signal, sys; import gpu_side_by_side\n"
                   f"with gpu_side_by_side.mps_server(pathlib.Path('{self.folder}/mps')) as environment:\n"
                   "    print(environment['CUDA_MPS_PIPE_DIRECTORY'], flush=True)\n"
                   "    if sys.argv[1] == 'killed': os.kill(os.getpid(), signal.SIGKILL)\n"
                   "    if sys.argv[1] == 'fails': raise ValueError\n")
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "validation"), "PYTHONDONTWRITEBYTECODE": "1"}
        for how in ("ends", "fails", "killed"):
            (self.folder / "log").unlink(missing_ok=True)
            run = subprocess.run([sys.executable, "-c", program, how], capture_output=True, text=True, env=environment)
            pipe = run.stdout.strip()
            self.assertTrue(pipe.startswith(str(self.folder)), run.stderr)
            for _ in range(200):
                if (self.folder / "log").read_text().count("\n") == 2:
                    break
                time.sleep(0.05)
            self.assertEqual((self.folder / "log").read_text(), f"start {pipe}\nquit {pipe}\n", how)


@unittest.skipIf(fake_gpu.CUPTI_HEADERS is None, "skipped: CUPTI's headers are not installed")
class Programs(Fake):
    def test_a_program_that_fails_is_named_and_the_other_one_is_measured(self):
        run = self.check("--only", "program", FAKE_FAILS_AT_LAUNCH="30")
        self.assertEqual(run.returncode, 2, run.stdout)
        step = self.result()["steps"]["program"]
        self.assertEqual(step["state"], "failed")
        self.assertRegex(step["error"], r"^detector: (.|\n)*detector: cudaGetLastError\(\): the fake launch failed(.|\n)*ended with status 1")
        self.assertNotIn("frames:", step["error"])
        self.assertNotIn("bounds", step["programs"]["detector"])
        self.assertEqual(len(step["programs"]["frames"]["bounds"]), 1)  # no step has measured launch latencies

    def test_cupti_of_a_package_of_python_is_found(self):
        package = self.folder / "site-packages/nvidia/cu13"
        for name in ("include/cupti.h", "include/cuda.h", "lib/libcupti.so.13", "lib/libcudart.so.13"):
            (package / name).parent.mkdir(parents=True, exist_ok=True)
            (package / name).write_text("")
        variables = {name: value for name, value in os.environ.items() if name not in ("CUPTI", "CUDA_HOME", "CUDA_PATH")}
        with mock.patch.dict(os.environ, variables, clear=True), mock.patch.object(sys, "path", [str(self.folder / "site-packages")]):
            folders = gpu_program.folders_of_cupti("/nowhere/bin/nvcc")
            self.assertIn(package, folders)
            found = gpu_program.find_cupti([self.folder, package], self.folder / "work")
        made = self.folder / "work/cupti"
        self.assertEqual(found, made)
        self.assertEqual((made / "lib64/libcupti.so").resolve(), (package / "lib/libcupti.so.13").resolve())
        self.assertEqual(sorted(path.name for path in (made / "lib64").iterdir()), ["libcudart.so.13", "libcupti.so", "libcupti.so.13"])
        self.assertEqual(sorted(path.name for path in (made / "include").iterdir()), ["cuda.h", "cupti.h"])


class Usage(unittest.TestCase):
    def refused(self, message, *options, **environment):
        run = subprocess.run([ROOT / "validation/gpu-check", *options], capture_output=True, text=True, env={**os.environ, **environment})
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn(message, run.stderr)

    def test_messages(self):
        self.refused("unrecognized arguments: --durations 1s", "--durations", "1s")
        self.refused("argument --duration: '60': expected a time, e.g. 60s or 10m", "--duration", "60")
        self.refused("argument --time-limit: '0s': expected a time, e.g. 60s or 10m", "--time-limit", "0s")
        self.refused("argument --only: no step 'all' (allowed: doctor, overheads, ", "--only", "all")
        self.refused("argument --parts: no part 'all' (allowed: whole, halves, parts, same-sm, copies, ", "--parts", "all")
        self.refused("gpu-check: nvcc is missing: install the CUDA Toolkit (11.8 or later) or set NVCC", NVCC="/nowhere/nvcc")

    @unittest.skipIf(os.path.exists("/dev/nvidia0") or os.path.exists("/etc/nv_tegra_release"), "this machine has a GPU")
    def test_all_that_a_machine_lacks_is_said_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            for tool in ("sh", "dirname", "readlink", "python3", "g++"):
                (pathlib.Path(folder) / tool).symlink_to(shutil.which(tool))
            run = subprocess.run([ROOT / "validation/gpu-check"], capture_output=True, text=True, env={"PATH": folder, "NVCC": "/nowhere/nvcc"})
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertEqual(
            run.stderr,
            "gpu-check: nvcc is missing: install the CUDA Toolkit (11.8 or later) or set NVCC\n"
            "gpu-check: make is missing: install it (Debian: make)\n"
            "gpu-check: no NVIDIA GPU is visible here (no /dev/nvidia0): load its driver (Debian: nvidia-driver), or measure on a machine that "
            "has one; `rta simulate` plays task sets without\n",
        )

    def test_help(self):
        run = subprocess.run([ROOT / "validation/gpu-check", "--help"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0)
        self.assertIn("Steps: doctor, overheads, interference, program, probes, examination,", run.stdout)


if __name__ == "__main__":
    unittest.main()
