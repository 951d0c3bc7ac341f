"""examine: traces of probes judged, the program written for a target, and what analyze makes of the profile."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import fake_gpu
from program import PROGRAM, ROOT, TIME_LIMIT, rta

RUNS = 40
CALLS = [("cudaFree", True, True, True), ("cudaMemcpyAsync H-D", False, False, False)]
TASK_SET = """platform: {gpu: {device: tx2}, copy: {engines: 1}}
tasks:
  - {name: detect, on: gpu, T: 10 ms, B: 4, H: 256, L: 1 ms}
  - {name: upload, on: copy, T: 10 ms, C: 1 ms, direction: h2d}
"""


def measured(name, **fields):
    return "".join(json.dumps({"measure": name, "sample": i, **fields}) + "\n" for i in range(RUNS))


class Examination(unittest.TestCase):
    """Simulated runs of all probes, as a target that follows the rules would leave them."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.program = pathlib.Path(temporary.name) / "program"
        cls.by_rules = pathlib.Path(temporary.name) / "by-rules"
        cls.by_rules.mkdir()
        run = rta("examine", "--write", cls.program, "--device", "tx2")
        assert run.returncode == 0, run.stderr
        for experiment in (cls.program / "experiments").glob("*.yaml"):
            first = cls.by_rules / f"{experiment.stem}-000.jsonl"
            run = rta("simulate", experiment, "--trace", first)
            assert run.returncode == 0, run.stderr
            for i in range(1, RUNS):
                shutil.copy(first, cls.by_rules / f"{experiment.stem}-{i:03}.jsonl")
        scale = (cls.program / "scale.json").read_text()
        (cls.by_rules / "scale.json").write_text(scale)
        (cls.by_rules / "limits.json").write_text(json.dumps(json.loads(scale) | {"driver": "550.54", "cuda": "12.4", "warp": 32}))
        calls = "".join(
            measured("synchronisation", call=call, blocks_other_threads=blocks, synchronises_implicitly=syncs, caller_waits=waits)
            for call, blocks, syncs, waits in CALLS
        )
        (cls.by_rules / "measure-synchronisation.jsonl").write_text(calls)
        (cls.by_rules / "measure-resident_grids.jsonl").write_text(measured("resident_grids", resident=128))
        (cls.by_rules / "measure-connections.jsonl").write_text(measured("connections", connections=8, streams=32, concurrent=8))
        (cls.by_rules / "measure-processes.jsonl").write_text(measured("processes", mps=False, together=False, slice_ns=2000000))
        (cls.by_rules / "measure-dispatch_latency.jsonl").write_text(measured("dispatch_latency", freed_place_ns=2500))
        (cls.by_rules / "measure-kernel_switch.jsonl").write_text(measured("kernel_switch", switch_ns=1200))

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.traces = self.folder / "traces"
        shutil.copytree(self.by_rules, self.traces)
        self.results = self.folder / "results"
        self.task_set = self.folder / "set.yaml"
        self.task_set.write_text(TASK_SET)

    def examine(self, status, *options):
        run = rta("examine", "--traces", self.traces, "-o", self.results, "--format", "json", *options)
        self.assertEqual(run.returncode, status, run.stderr)
        return {rule["rule"]: rule for rule in json.loads(run.stdout)["rules"]}

    def let_c_overtake(self):
        """In head-of-line, c starts where a has left room, before b."""
        for path in self.traces.glob("head-of-line-*.jsonl"):
            lines = [json.loads(line) for line in path.read_text().splitlines()]
            for line in lines:
                if line.get("node") == "c" and "start_ns" in line:
                    line["start_ns"], line["end_ns"] = 850_000, 1_350_000
            path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def test_a_gpu_that_follows_all_rules(self):
        rules = self.examine(0)
        self.assertEqual({name for name, rule in rules.items() if rule["verdict"] != "confirmed"}, set())
        self.assertEqual(len(rules), 24)
        self.assertEqual(rules["C-queue"]["variant"], "C1-C6")
        self.assertEqual(rules["X1"]["runs"], 33)
        text = (self.results / "report.txt").read_text()
        self.assertTrue(text.startswith("NVIDIA Jetson TX2 follows 24 of 24 rules\n"), text)
        self.assertIn("driver       550.54", text)
        self.assertFalse((self.results / "evidence").exists())
        page = (self.results / "report.html").read_text()
        self.assertEqual(page.count("application/vnd.vega.v5+json\" data-chart"), 36)  # each probe observed and simulated
        self.assertIn("no block of c starts before the last block of b has started", page)

    def test_results_are_written_through_no_link_and_into_no_folder_of_others(self):
        self.let_c_overtake()
        victim = self.folder / "victim"
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        for name in ("report.txt", "report.json", "report.html", "tx2.yaml", "evidence"):
            with self.subTest(name):
                shutil.rmtree(self.results, ignore_errors=True)
                self.results.mkdir()
                victim.write_text("mine")
                (self.results / name).symlink_to(elsewhere if name == "evidence" else victim)
                run = rta("examine", "--traces", self.traces, "-o", self.results)
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertRegex(run.stderr, f"{name}' is (no plain file|a link)")
                self.assertEqual((victim.read_text(), os.listdir(elsewhere)), ("mine", []))
        shutil.rmtree(self.results)
        self.results.mkdir()
        self.results.chmod(0o777)
        run = rta("examine", "--traces", self.traces, "-o", self.results)
        self.assertEqual((run.returncode, os.listdir(self.results)), (2, []))
        self.assertIn("results' may be written to by others", run.stderr)

    def test_analyze_uses_the_profile(self):
        self.examine(0)
        profile = self.results / "tx2.yaml"
        run = rta("analyze", self.task_set, "--profile", profile, "--strict")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stderr, "")
        date = profile.read_text().split('date: "')[1][:10]
        self.assertIn(
            f"rules confirmed on NVIDIA Jetson TX2 (driver 550.54, {date}): G2, G3, X1, R1, R2, R-slots, C-order, S-grids\n", run.stdout
        )

        def bound(*options):
            report = json.loads(rta("analyze", self.task_set, "--format", "json", *options).stdout)
            return report, [dag["response_bound_ns"] for dag in report["dags"] if dag["name"] == "detect"][0]

        report, with_profile = bound("--profile", profile)
        self.assertEqual([use["rule"] for use in report["rules"]["confirmed"]][2], "X1")
        # One kernel alone, whose 4 blocks fit at once: its bound is L (T10n: and what waits), larger by the latency at least once.
        self.assertGreaterEqual(with_profile, bound()[1] + 2500)
        # By its duration alone (T27): the block, the latency and the kernel switch of 1.2 us.
        self.assertEqual(with_profile, 1_000_000 + 2500 + 1200)

    def test_static_orders_do_not_count_switches_and_say_so(self):
        self.examine(0)
        profile = ("--profile", self.results / "tx2.yaml")
        run = rta("analyze", self.task_set, *profile, "--release", "static")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("static orders do not count the kernel switches", run.stderr)
        shown = json.loads(rta("analyze", self.task_set, *profile, "--format", "json").stdout)
        outcome = next(policy for policy in shown["policies"] if policy["release"] == "static")
        self.assertEqual((outcome["verdict"], outcome["largest_response_bound_ns"]), (None, None))

    def test_a_certificate_assumes_what_the_profile_says(self):
        self.examine(0)
        certificate = self.folder / "set.cert"
        for release in ("offsets", "completion", "segments"):
            run = rta("analyze", self.task_set, "--profile", self.results / "tx2.yaml", "--release", release, "--certificate", certificate)
            self.assertEqual(run.returncode, 0, run.stderr)
            run = subprocess.run([PROGRAM.with_name("rta-check"), self.task_set, certificate], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
            self.assertRegex(run.stdout, r"assumed, not in the file: \d latency 2500\n")
            self.assertRegex(run.stdout, r"all verified\n$")

    def test_a_refuted_rule_has_its_evidence_and_is_warned_of_or_refused(self):
        self.let_c_overtake()
        rules = self.examine(1)
        self.assertEqual([name for name, rule in rules.items() if rule["verdict"] == "refuted"], ["X1"])
        self.assertEqual((rules["X1"]["runs"], rules["X1"]["contradicting"], rules["X1"]["evidence"]), (3, 3, "evidence/X1.jsonl"))
        self.assertEqual((self.results / "evidence/X1.jsonl").read_text(), (self.traces / "head-of-line-000.jsonl").read_text())
        self.assertIn("X1 is refuted: only blocks of the EE queue's head are assigned", (self.results / "report.txt").read_text())
        profile = self.results / "tx2.yaml"
        refutation = "the bounds of 'gpu' rest on X1 (only blocks of the EE queue's head are assigned: nothing overtakes a head that does not fit)"
        run = rta("analyze", self.task_set, "--profile", profile)
        self.assertEqual(run.returncode, 0)
        self.assertIn(f"warning: {refutation}, which was refuted on NVIDIA Jetson TX2: ", run.stderr)
        self.assertIn("X1 REFUTED on NVIDIA Jetson TX2", run.stdout)
        run = rta("analyze", self.task_set, "--profile", profile, "--strict")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn(f"refused: {refutation}", run.stderr)
        # What does not rest on X1 is not refused.
        self.task_set.write_text("platform: {copy: {engines: 1}}\ntasks: [{name: c, on: copy, T: 10 ms, C: 1 ms, direction: h2d}]\n")
        run = rta("analyze", self.task_set, "--profile", profile, "--strict")
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_disturbed_and_missing_runs_leave_a_rule_untested_with_the_reason(self):
        for path in self.traces.glob("null-stream-*.jsonl"):
            lines = path.read_text().splitlines()
            check = json.dumps({"t": "check", "name": "SM clock", "outcome": "failed", "text": "1980 MHz before, 900 MHz after"})
            path.write_text("\n".join(lines[:-1] + [check, lines[-1]]) + "\n")
        for path in self.traces.glob("copy-queue-*.jsonl"):
            path.unlink()
        for number in range(5, RUNS):
            (self.traces / f"registers-{number:03}.jsonl").unlink()
        (self.traces / "measure-processes.jsonl").unlink()
        rules = self.examine(0)
        reasons = {name: rule["reason"] for name, rule in rules.items() if rule["verdict"] == "untested"}
        self.assertEqual(
            reasons,
            {
                "N1": "40 of 40 runs of 'null-stream' were disturbed: SM clock: 1980 MHz before, 900 MHz after",
                "N2": "40 of 40 runs of 'null-stream' were disturbed: SM clock: 1980 MHz before, 900 MHz after",
                "C-queue": "probe 'copy-queue' was not run",
                "R-registers": "5 runs of 'registers' that count did not decide it",
                "S-processes": "it was not measured",
            },
        )

    def test_a_published_experiment_is_reproduced(self):
        experiment = ROOT / "tasksets/literature/experiments/amert2017-table-2.yaml"
        program = self.folder / "program"
        run = rta("examine", "--write", program, "--device", "tx2", "--rules", "N", "--experiment", experiment)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(" amert2017-table-2;", (program / "examine-all.sh").read_text())
        first = self.traces / "amert2017-table-2-000.jsonl"
        self.assertEqual(rta("simulate", program / "experiments/amert2017-table-2.yaml", "--trace", first).returncode, 0)
        for i in range(1, RUNS):
            shutil.copy(first, self.traces / f"amert2017-table-2-{i:03}.jsonl")
        run = rta("examine", "--traces", self.traces, "--rules", "N", "--experiment", experiment)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"amert2017-table-2 +as simulated +\d+ pairs of instants in order\n")

    def test_only_some_rules(self):
        self.assertEqual(list(self.examine(0, "--rules", "X")), ["G2", "X1"])
        self.assertEqual(list(self.examine(0, "--rules", "N,C")), ["C-order", "C-engines", "C-queue", "N1", "N2", "N3"])

    def test_damaged_traces_are_refused_with_file_and_line(self):
        trace = self.traces / "fifo-003.jsonl"
        lines = trace.read_text().splitlines()
        trace.write_text("\n".join(lines[:2] + ["nonsense"] + lines[2:]) + "\n")
        run = rta("examine", "--traces", self.traces)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertEqual(run.stderr.splitlines()[0], f"{trace}:3:1: not a JSON object")
        shutil.copy(self.traces / "head-of-line-000.jsonl", self.traces / "copy-queue-000.jsonl")
        trace.write_text("\n".join(lines) + "\n")
        run = rta("examine", "--traces", self.traces)
        self.assertEqual(run.returncode, 2)
        self.assertIn("copy-queue-000.jsonl: the trace is of another experiment: 'copy-queue' has no operation 'c'", run.stderr)
        (self.traces / "limits.json").write_text('{"device": "x", "sms": 0}')
        run = rta("examine", "--traces", self.traces)
        self.assertEqual(run.returncode, 2)
        self.assertIn("limits.json: 'sms' must be a whole number of at least 1\n", run.stderr)

    def test_the_written_program_names_all_probes_and_measurements(self):
        script = (self.program / "examine-all.sh").read_text()
        for experiment in (self.program / "experiments").glob("*.yaml"):
            self.assertIn(f" {experiment.stem}", script)
            self.assertIn(f'"{experiment.stem}"', (self.program / "probes.cpp").read_text())
        for measure in ("dispatch_latency", "kernel_switch", "resident_grids", "connections", "synchronisation", "processes", "process_preemption"):
            self.assertIn(f" {measure}", script)
        again = self.folder / "again"
        self.assertEqual(rta("examine", "--write", again, "--limits", self.traces / "limits.json").returncode, 0)
        self.assertEqual((again / "probes.cpp").read_text(), (self.program / "probes.cpp").read_text())


@unittest.skipUnless(fake_gpu.is_possible(), "no /dev of its own may be had here")
class Here(unittest.TestCase):
    """The whole examination on this machine, with a GPU that is simulated."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.fake = self.folder / "fake"
        self.results = self.folder / "results"
        self.assertEqual(rta("examine", "--write", self.fake, "--device", "tx2").returncode, 0)
        shutil.copy(self.fake / "scale.json", self.fake / "limits.json")

    def command(self, *options):
        words = [sys.executable, ROOT / "tests/cli/fake_gpu.py", self.fake, PROGRAM, "examine", "-o", self.results, *options]
        return [str(word) for word in words]

    def environment(self, **more):
        return {**os.environ, "RTA_PROGRAM": str(PROGRAM), **more}

    def test_everything(self):
        run = subprocess.run(self.command(), capture_output=True, text=True, timeout=TIME_LIMIT, env=self.environment())
        self.assertEqual(run.returncode, 1, run.stderr)  # 100 resident grids are too few
        self.assertTrue(run.stdout.startswith("NVIDIA Jetson TX2 follows 20 of 24 rules; refuted: S-grids; 3 could not be tested\n"), run.stdout)
        self.assertIn("synchronisation could not be measured: examine: this GPU is only simulated", run.stdout)
        self.assertEqual((self.results / "report.txt").read_text(), run.stdout)
        self.assertEqual(
            sorted(path.name for path in self.results.iterdir()), ["program", "report.html", "report.json", "report.txt", "tx2.yaml"]
        )
        calls = (self.fake / "calls").read_text().splitlines()
        self.assertEqual(calls[0], "--limits --device 0")
        self.assertEqual(len([call for call in calls if "--probe" in call]), 18)  # one batch each was enough
        self.assertNotIn("--allow-settings", " ".join(calls))

    def test_some_rules_settings_and_traces_on_request(self):
        run = subprocess.run(
            self.command("--rules", "N", "--allow-settings", "--gpu", "1", "--keep"),
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT,
            env=self.environment(),
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        calls = (self.fake / "calls").read_text().splitlines()
        self.assertEqual([call.split()[1] for call in calls if "--probe" in call], ["null-stream", "non-blocking-streams"])
        self.assertTrue(all(call.endswith("--device 1 --allow-settings") for call in calls))
        self.assertEqual(len(list((self.results / "traces/null-stream-0").iterdir())), 40)

    def test_ends_in_time_with_what_is_known(self):
        run = subprocess.run(
            self.command("--time-limit", "1s"), capture_output=True, text=True, timeout=TIME_LIMIT, env=self.environment(FAKE_SECONDS="1")
        )
        self.assertIn("time was up after 1s", run.stdout)
        self.assertIn("time was up", (self.results / "tx2.yaml").read_text())

    def test_an_interrupt_ends_it_in_order_and_leaves_an_earlier_profile_alone(self):
        self.results.mkdir()
        (self.results / "tx2.yaml").write_text("earlier")
        process = subprocess.Popen(
            self.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, env=self.environment(FAKE_SECONDS="2")
        )
        deadline = time.monotonic() + TIME_LIMIT
        while not ((self.fake / "calls").exists() and "--probe" in (self.fake / "calls").read_text()):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        out, error = process.communicate(timeout=TIME_LIMIT)
        self.assertEqual(process.returncode, 1, error)
        self.assertIn("interrupted: no profile was written", out)
        self.assertEqual((self.results / "tx2.yaml").read_text(), "earlier")
        self.assertFalse((self.results / "traces").exists())


class Usage(unittest.TestCase):
    def check(self, expected, *arguments, **options):
        run = rta("examine", *arguments, **options)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn(expected, run.stderr)

    def test_messages(self):
        self.check("examine needs --output DIR")
        self.check("--rules 'G,Q': no group 'Q' (allowed: G,X,R,C,N,A,S; or none)", "--rules", "G,Q")
        self.check("--rules '': no group '' (allowed: G,X,R,C,N,A,S; or none)", "--rules", "")
        self.check("--time-limit 'soon': expected a time, e.g. 90s or 5m", "-o", "x", "--time-limit", "soon")
        self.check("--write needs --device NAME or --limits FILE", "--write", "x")
        self.check("--device 'gtx': no built-in device (allowed: tx1, ", "--write", "x", "--device", "gtx")
        self.check("--device and --limits go with --write", "--device", "tx2")
        self.check("--traces and --write exclude each other", "--traces", "x", "--write", "y")
        self.check("no format 'csv' here (allowed: text, json, html)", "--traces", "x", "--format", "csv")
        self.check("x/limits.json: cannot be opened", "--traces", "x")

    def test_says_what_is_missing_without_nvcc_and_gpu(self):
        if pathlib.Path("/dev/nvidia0").exists():
            self.skipTest("this machine has a GPU")
        with tempfile.TemporaryDirectory() as folder:
            results = pathlib.Path(folder) / "results"
            environment = {**os.environ, "NVCC": "/nowhere/nvcc"}
            self.check("rta: no NVIDIA GPU is visible here", "-o", results, env=environment)
            self.check("'rta examine --write'", "-o", results, env=environment)
            self.assertFalse(results.exists())

    def test_strict_needs_a_profile(self):
        run = rta("analyze", ROOT / "tasksets/examples/pedestrian.yaml", "--strict")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--strict needs --profile", run.stderr)

    def test_a_broken_profile_is_refused_with_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder) / "p.yaml"
            profile.write_text("product: x\nrulez: {}\n")
            run = rta("analyze", ROOT / "tasksets/examples/pedestrian.yaml", "--profile", profile)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(f"{profile}:2:1: unknown key 'rulez'; did you mean 'rules'?", run.stderr)


if __name__ == "__main__":
    unittest.main()
