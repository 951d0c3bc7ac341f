"""workload, run, compare, calibrate: real programs of a CPU-only task set."""

import csv
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from program import PROGRAM, TIME_LIMIT, one_test_each, rta

CPU_ONLY = """platform: {cpu: {processors: 1, scheduler: G-FL}}
dags:
  - name: cam
    T: 20 ms
    D: 60 ms
    nodes: {grab: {on: cpu, C: 1 ms}, detect: {on: cpu, C: 2 ms}}
    edges: [grab -> detect]
"""
WITH_GPU = CPU_ONLY.replace("processors: 1, scheduler: G-FL}", "processors: 1}, gpu: {sms: 2, threads: 2048}").replace(
    "detect: {on: cpu, C: 2 ms}", "detect: {on: gpu, B: 2, H: 32, L: 1 ms}"
)


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.task_set = self.folder / "set.yaml"
        self.task_set.write_text(CPU_ONLY)

    def trace(self, response_ms, **changes):
        """A hand-written trace of one job."""
        import hashlib

        header = {
            "schema": 1,
            "kind": "trace",
            "source": "simulation",
            "task_set": "set.yaml",
            "task_set_sha256": hashlib.sha256(self.task_set.read_bytes()).hexdigest(),
            "release": "offsets",
            **changes,
        }
        lines = [
            header,
            {"t": "dag", "dag": "cam", "job": 0, "release_ns": 0, "end_ns": int(response_ms * 1e6)},
            {"t": "end", "complete": True, "lost_records": 0},
        ]
        path = self.folder / "trace.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path


class Workload(Folder):
    def test_the_three_commands_of_its_readme(self):
        run = rta("workload", self.task_set, "-o", self.folder / "program")
        self.assertEqual((run.returncode, run.stdout), (0, ""), run.stderr)
        readme = (self.folder / "program/README.md").read_text()
        self.assertIn("make\n", readme)
        self.assertEqual((self.folder / "program/task_set.yaml").read_bytes(), self.task_set.read_bytes())
        subprocess.run(["make"], cwd=self.folder / "program", check=True, capture_output=True, timeout=TIME_LIMIT)
        ran = subprocess.run(
            ["./workload", "--duration", "1s", "--warmup", "100ms"], cwd=self.folder / "program", capture_output=True, timeout=TIME_LIMIT
        )
        self.assertIn(ran.returncode, (0, 1), ran.stderr)
        compared = rta("compare", "trace.jsonl", "task_set.yaml", "--format", "json", cwd=self.folder / "program")
        self.assertIn(compared.returncode, (0, 1), compared.stderr)
        result = json.loads(compared.stdout)["comparisons"][0]
        self.assertTrue(result["complete"])
        self.assertEqual(result["dags"][0]["count"], 50)
        self.assertEqual(result["source"], "measurement")

    def test_gpu_sets_become_cuda_programs(self):
        self.task_set.write_text(WITH_GPU)
        self.assertEqual(rta("workload", self.task_set, "-o", self.folder / "program").returncode, 0)
        files = {str(path.relative_to(self.folder / "program")) for path in (self.folder / "program").rglob("*")}
        self.assertIn("workload.cu", files)
        self.assertIn("runtime/common/spin.cuh", files)

    def test_doctor(self):
        run = rta("workload", "--doctor", "--format", "json")
        self.assertIn(run.returncode, (0, 1))
        result = json.loads(run.stdout)
        self.assertEqual(run.returncode, 0 if result["fit"] else 1)
        self.assertIn("SCHED_DEADLINE", [finding["subject"] for finding in result["findings"]])
        self.assertIn("SCHED_DEADLINE", rta("workload", "--doctor").stdout)

    def test_bad_task_set_writes_nothing(self):
        self.task_set.write_text("platform: 1\n")
        run = rta("workload", self.task_set, "-o", self.folder / "program")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertFalse((self.folder / "program").exists())

    def test_a_folder_with_other_files_is_left_alone(self):
        (self.folder / "program").mkdir()
        mine = self.folder / "program/Makefile"
        mine.write_text("all:\n")
        for command in (["workload", self.task_set, "-o"], ["run", self.task_set, "--keep"]):
            run = rta(*command, self.folder / "program")
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("program' holds other files; a program is written to a new or empty folder, or to one that holds an earlier one", run.stderr)
        self.assertEqual((os.listdir(self.folder / "program"), mine.read_text()), (["Makefile"], "all:\n"))
        mine.unlink()
        for _ in range(2):
            self.assertEqual(rta("workload", self.task_set, "-o", self.folder / "program").returncode, 0)

    def test_target_is_a_file(self):
        (self.folder / "program").write_text("")
        self.assertEqual(rta("workload", self.task_set, "-o", self.folder / "program").returncode, 2)


class Run(Folder):
    def interrupted(self, stop, stand_in):
        """Runs with a make of its own, which notes its number, waits and says when it was ended; the temporary folder has to go."""
        binaries, temporary = self.folder / "bin", self.folder / "tmp"
        binaries.mkdir()
        temporary.mkdir()
        make = binaries / "make"
        make.write_text(f"#!/bin/sh\n{stand_in}\n")
        make.chmod(0o755)
        environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "TMPDIR": str(temporary), "NOTES": str(self.folder)}
        process = subprocess.Popen([PROGRAM, "run", self.task_set], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + TIME_LIMIT
        while not (self.folder / "ready").exists():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        self.assertEqual(len(os.listdir(temporary)), 1)
        process.send_signal(stop)
        process.communicate(timeout=TIME_LIMIT)
        self.assertEqual(process.returncode, -stop)
        self.assertEqual(os.listdir(temporary), [])

    def test_an_interrupt_while_building_ends_all_and_removes_the_program(self):
        for stop in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(stop=stop.name):
                # Not make alone, also what it started ends.
                self.interrupted(stop, 'sh -c \'echo $$ > "$NOTES/child"; : > "$NOTES/ready"; exec sleep 1000\'; exit 1')
                child = (self.folder / "child").read_text().strip()
                deadline = time.monotonic() + TIME_LIMIT
                while pathlib.Path("/proc", child).exists() and ") Z " not in pathlib.Path("/proc", child, "stat").read_text():
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.01)
            for name in ("bin/make", "ready"):
                (self.folder / name).unlink()
            for name in ("bin", "tmp"):
                (self.folder / name).rmdir()

    def test_everything_in_one_command(self):
        kept = self.folder / "kept"
        processor = max(os.sched_getaffinity(0))
        run = rta(
            *("run", self.task_set, "--duration", "1s", "--warmup", "100ms", "--trace-level", "block", "--format", "csv", "--keep", kept),
            *("--cpus", f"cpu={processor}"),
        )
        self.assertIn(run.returncode, (0, 1), run.stderr)
        rows = list(csv.DictReader(io.StringIO(run.stdout)))
        self.assertEqual([(row["dag"], row["node"], row["count"]) for row in rows], [("cam", "", "50"), ("cam", "grab", "50"), ("cam", "detect", "50")])
        header = json.loads((kept / "trace.jsonl").read_text().splitlines()[0])
        self.assertTrue(header["scheduling"].endswith(f" on processors {processor}"), header)
        calibrated = rta("calibrate", kept / "trace.jsonl", self.task_set)
        self.assertEqual(calibrated.returncode, 0, calibrated.stderr)
        self.assertIn("# C and L measured", calibrated.stdout)
        self.assertEqual(rta("analyze", "-", stdin=calibrated.stdout).returncode, 0)

    def test_the_loop_ends_with_what_the_machine_adds_in_C(self):
        kept = self.folder / "kept"
        run = rta("run", self.task_set, "--duration", "1s", "--warmup", "100ms", "--keep", kept)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        seen = json.loads(rta("compare", kept / "trace.jsonl", self.task_set, "--format", "json").stdout)["comparisons"][0]
        (overhead,) = seen["overheads"]
        self.assertEqual((overhead["pool"], overhead["proposed_ns"] % 5000), ("cpu", 0))
        self.assertLessEqual(overhead["median_ns"], overhead["p99_ns"])
        self.assertGreater(overhead["proposed_ns"], overhead["p99_ns"])
        option = f"cpu={overhead['proposed_ns'] // 1000}us"
        late = sum(group["jobs"] for group in seen["late"] if group["cause"] in ("machine", "execution"))
        if late:
            self.assertIn(f"next: rta calibrate {kept}/trace.jsonl {self.task_set} --overhead {option} -o measured.yaml\nthen: rta run measured.yaml --overhead {option}\n",
                          run.stdout)
        proposed = rta("calibrate", kept / "trace.jsonl", self.task_set, "-o", self.folder / "plain.yaml")
        self.assertIn("on cpu the machine adds ", proposed.stderr)
        self.assertIn(f" --overhead {option}", proposed.stderr)
        measured = self.folder / "measured.yaml"
        calibrated = rta("calibrate", kept / "trace.jsonl", self.task_set, "--overhead", option, "-o", measured)
        self.assertEqual((calibrated.returncode, calibrated.stdout, calibrated.stderr), (0, "", ""))
        C = [{name: node["C"] for name, node in json.loads(rta("convert", file, "--to", "json").stdout)["dags"][0]["nodes"].items()}
             for file in (self.folder / "plain.yaml", measured)]
        self.assertEqual({C[1][name] - C[0][name] for name in C[0]}, {overhead["proposed_ns"]})
        again = rta("run", measured, "--duration", "500ms", "--warmup", "100ms", "--overhead", option)
        self.assertIn(again.returncode, (0, 1), again.stderr)
        self.assertIn("this run: measurement", again.stdout)

    def test_overheads_are_part_of_C_but_not_played(self):
        kept = self.folder / "kept"
        run = rta(*("run", self.task_set, "--duration", "500ms", "--warmup", "0s", "--trace-level", "block", "--keep", kept), "--overhead", "cpu=300us")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        self.assertIn('C and L include overheads of this machine: nodes were played shorter by (ns) {"cpu":300000}', run.stdout.replace(": 300", ":300"))
        records = [json.loads(line) for line in (kept / "trace.jsonl").read_text().splitlines()]
        self.assertEqual(records[0]["overhead_ns"], {"cpu": 300_000})
        consumed = [record["consumed_ns"] for record in records if record.get("t") == "run" and record["node"] == "grab"]
        self.assertLess(min(consumed), 900_000)  # C is 1 ms
        calibrated = rta("calibrate", kept / "trace.jsonl", self.task_set)
        self.assertEqual(calibrated.returncode, 0, calibrated.stderr)
        shown = json.loads(rta("convert", "-", "--to", "json", stdin=calibrated.stdout).stdout)
        self.assertEqual(shown["dags"][0]["nodes"]["grab"]["C"], max(consumed) + 300_000)

    @unittest.skipIf(os.path.exists("/dev/nvidia0"), "this machine has a GPU")
    def test_without_a_gpu_it_says_what_is_missing(self):
        self.task_set.write_text(WITH_GPU)
        run = rta("run", self.task_set, "--duration", "1s", env={**os.environ, "NVCC": "", "PATH": "/none"})
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("no NVIDIA GPU is visible", run.stderr)

    def test_nothing_is_left_in_the_temporary_folder(self):
        temporary = self.folder / "tmp"
        temporary.mkdir()
        self.assertIn(rta("run", self.task_set, "--duration", "200ms", "--warmup", "0s", env={**os.environ, "TMPDIR": str(temporary)}).returncode, (0, 1))
        self.assertEqual(os.listdir(temporary), [])

    def test_options_of_the_program_are_checked(self):
        self.assertEqual(rta("run", self.task_set, "--duration", "60").returncode, 2)


class Compare(Folder):
    def test_within_and_above(self):
        within = rta("compare", self.trace(4), self.task_set)
        self.assertEqual(within.returncode, 0, within.stderr)
        self.assertTrue(within.stdout.startswith("within bounds"))
        above = rta("compare", self.trace(4000), self.task_set)
        self.assertEqual(above.returncode, 1)
        self.assertRegex(above.stdout, "^DEADLINE MISSED: .*; ABOVE THE BOUND")
        self.assertIn("job 0 of cam", above.stdout)

    def test_an_incomplete_trace_is_compared(self):
        trace = self.trace(4)
        trace.write_text("".join(trace.read_text().splitlines(True)[:2]))
        run = rta("compare", trace, self.task_set)
        self.assertEqual(run.returncode, 0)
        self.assertIn("INCOMPLETE", run.stdout.splitlines()[0])

    def test_another_task_set_is_refused(self):
        trace = self.trace(4)
        self.task_set.write_text(CPU_ONLY.replace("C: 1 ms", "C: 2 ms"))
        run = rta("compare", trace, self.task_set)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("another task set", run.stderr)
        self.assertEqual(rta("calibrate", trace, self.task_set).returncode, 2)

    def test_several_traces_side_by_side(self):
        first = self.trace(4)
        second = self.folder / "second.jsonl"
        shutil.copy(first, second)
        run = rta("compare", first, second, self.task_set)
        self.assertEqual(run.returncode, 0)
        self.assertIn("largest over all DAGs", run.stdout)
        self.assertEqual(len(json.loads(rta("compare", first, second, self.task_set, "--format", "json").stdout)["comparisons"]), 2)

    def test_traces_of_several_task_sets_are_each_compared_with_their_own(self):
        first = self.trace(4)
        other = self.folder / "other.yaml"
        other.write_text(CPU_ONLY.replace("C: 1 ms", "C: 2 ms").replace("name: cam", "name: rear"))
        second = self.folder / "second.jsonl"
        self.assertEqual(rta("simulate", other, "--duration", "1s", "--trace", second).returncode, 0)
        page = self.folder / "page.html"
        run = rta("compare", first, second, self.task_set, "--with", other, "--format", "json")
        self.assertEqual(run.returncode, 0, run.stderr)
        found = json.loads(run.stdout)["comparisons"]
        self.assertEqual([(each["task_set"], each["dags"][0]["dag"]) for each in found], [(self.task_set.name, "cam"), ("other.yaml", "rear")])
        alone = json.loads(rta("compare", second, other, "--format", "json").stdout)["comparisons"][0]
        self.assertEqual(found[1]["dags"], alone["dags"])
        for order in ((first, second), (second, first)):
            self.assertEqual(rta("compare", *order, self.task_set, "--with", other, "-o", page).returncode, 0)
            self.assertIn("All DAGs", page.read_text())
            self.assertIn("other.yaml, simulation", page.read_text())
        text = rta("compare", first, second, self.task_set, "--with", other).stdout
        self.assertIn(f"first.jsonl: of {self.task_set.name}, simulation", text.replace(str(first), "first.jsonl"))
        self.assertIn("second.jsonl: of other.yaml, simulation", text)
        self.assertNotIn(": of ", rta("compare", first, self.task_set).stdout)
        refused = rta("compare", first, second, self.task_set, "--with", self.task_set)
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("second.jsonl: is a trace of another task set: of 'other.yaml'", refused.stderr)
        idle = rta("compare", first, self.task_set, "--with", other)
        self.assertEqual(idle.returncode, 2)
        self.assertIn(f"{other.name}: none of the traces is of this task set; leave it out", idle.stderr)
        missing = rta("compare", first, self.task_set, "--with", self.folder / "none.yaml")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("none.yaml", missing.stderr)

    def test_page(self):
        page = self.folder / "page.html"
        self.assertEqual(rta("compare", self.trace(4), self.task_set, "-o", page).returncode, 0)
        text = page.read_text()
        self.assertIn("application/vnd.vega.v5+json", text)
        self.assertIn("bound", text)

    def test_bounds_are_those_of_the_release_that_the_trace_names(self):
        bounds = {}
        for release in ("offsets", "early", "completion", "segments"):
            run = rta("compare", self.trace(1, release=release), self.task_set, "--format", "json")
            self.assertEqual(run.returncode, 0, run.stderr)
            bounds[release] = json.loads(run.stdout)["comparisons"][0]["dags"][0]["bound_ns"]
        self.assertLess(bounds["completion"], bounds["offsets"])

    def test_bounds_are_those_of_the_scheduler_that_the_trace_names(self):
        def bound(*arguments, **header):
            run = rta("compare", self.trace(1, **header), self.task_set, "--format", "json", *arguments)
            self.assertEqual(run.returncode, 0, run.stderr)
            return [node for node in json.loads(run.stdout)["comparisons"][0]["dags"]][0]["bound_ns"]

        self.task_set.write_text(CPU_ONLY.replace("detect: {on: cpu, C: 2 ms}", "detect: {on: cpu, C: 2 ms, D: 5 ms}"))
        self.assertEqual(bound(scheduler="FIFO"), bound("--scheduler", "FIFO"))
        self.assertNotEqual(bound(scheduler="FIFO"), bound())

    def test_simulated_traces_are_compared(self):
        for release in ("offsets", "early", "completion"):
            trace = self.folder / f"{release}.jsonl"
            run = rta("simulate", self.task_set, "--release", release, "--duration", "1s", "--trace", trace)
            self.assertEqual(run.returncode, 0, run.stderr)
            compared = rta("compare", trace, self.task_set, "--format", "json")
            self.assertEqual(compared.returncode, 0, compared.stderr)
            result = json.loads(compared.stdout)["comparisons"][0]
            self.assertEqual((result["source"], result["release"], result["dags"][0]["count"]), ("simulation", release, 50))

    def test_a_release_without_bounds_is_no_success(self):
        run = rta("compare", self.trace(4, release="at will"), self.task_set)
        self.assertEqual(run.returncode, 1)
        self.assertTrue(run.stdout.startswith("nothing compared"))

    def test_calibrate_needs_executions(self):
        run = rta("calibrate", self.trace(4), self.task_set)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("--trace-level block", run.stderr)


USAGE_ERRORS = {
    ("workload", "{set}"): "--output",
    ("workload",): "FILE",
    ("workload", "--doctor", "{set}"): "--doctor",
    ("workload", "{set}", "-o", "x", "--release", "late"): "completion",
    ("compare", "{set}"): "TRACE",
    ("compare", "none.jsonl", "{set}"): "none.jsonl",
    ("calibrate", "{set}"): "TRACE",
    ("calibrate", "none.jsonl", "{set}", "--percentile", "0"): "--percentile",
    ("calibrate", "none.jsonl", "{set}", "--percentile", "100.1"): "--percentile",
    ("calibrate", "none.jsonl", "{set}", "--percentile", "1e2"): "--percentile",
    ("run", "{set}", "{set}"): "unexpected argument",
    ("run", "none.yaml"): "none.yaml",
    ("run", "{set}", "--device", "cpu=0"): "--device 'cpu=0': expected POOL=..., with a GPU, copy or worker pool of the task set",
    ("run", "{set}", "--cpus", "gpu=0"): "--cpus 'gpu=0': expected POOL=..., with a CPU pool of the task set",
    ("run", "{set}", "--cpus", "cpu"): "--cpus 'cpu': expected POOL=...",
}


@one_test_each(USAGE_ERRORS.items(), lambda case: "_".join(case[0]))
class UsageErrors(Folder):
    def check(self, case):
        arguments, named = case
        run = rta(*(a.format(set=self.task_set) for a in arguments), cwd=self.folder)
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
        self.assertIn(named, run.stderr)
        self.assertEqual(os.listdir(self.folder), ["set.yaml"])


if __name__ == "__main__":
    unittest.main()
