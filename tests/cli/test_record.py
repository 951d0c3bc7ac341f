"""record: the library is built against CUPTI's headers and fed by a stand-in for libcupti.so; no GPU is needed."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program import ROOT, TIME_LIMIT, rta

SOURCES = ROOT / "tests/validation/cupti"
HEADERS = next((path for path in map(pathlib.Path, (
    "/usr/local/cuda/include", "/usr/local/cuda/extras/CUPTI/include", "/usr/include")) if (path / "cupti.h").exists()), None)
ORIGIN = {"process": 71, "device": 0, "context": 1}
WARNINGS = "-O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"


def compiled(*words):
    run = subprocess.run(["g++", "-std=c++17", "-isystem", str(HEADERS), f"-I{ROOT}/validation/runtime", *map(str, words)],
                         capture_output=True, text=True, timeout=TIME_LIMIT)
    assert run.returncode == 0, run.stderr


@unittest.skipIf(HEADERS is None, "skipped: CUPTI's headers are not installed")
class Record(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.cupti = pathlib.Path(temporary.name) / "cupti"
        (cls.cupti / "lib64").mkdir(parents=True)
        (cls.cupti / "include").symlink_to(HEADERS)
        compiled("-shared", "-fPIC", *WARNINGS.split(), "-o", cls.cupti / "lib64/libcupti.so", SOURCES / "libcupti.cpp")
        cls.program = cls.cupti / "program"
        compiled(*WARNINGS.split(), "-o", cls.program, SOURCES / "program.cpp", "-ldl")
        cls.library = cls.cupti / "kept"

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.trace = pathlib.Path(temporary.name) / "trace.jsonl"

    def record(self, status, *words, options=("--pairs", "0"), environment=None):
        run = rta("record", "-o", self.trace, "--keep", self.library, *options, "--", *words,
                  env=os.environ | {"CUPTI": str(self.cupti), "CXXFLAGS": WARNINGS} | (environment or {}))
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run

    def lines(self, process=71):
        """Of the trace, by kind, without what differs from run to run."""
        found = {}
        for line in map(json.loads, self.trace.read_text().splitlines()):
            kind = line.pop("t", "header")
            if "process" in line and kind != "process":
                line["process"] = process
            found.setdefault(kind, []).append(line)
        return found

    def test_every_kind_of_record_becomes_a_line_of_the_trace(self):
        run = self.record(0, self.program, "0")
        lines = self.lines()
        self.assertEqual(lines["kernel"], [
            {"name": "_Z6detectPKf", **ORIGIN, "stream": stream, "correlation": correlation, "start_ns": start, "end_ns": end,
             "grid": [8, 2, 1], "block": [256, 1, 1], "registers": 40, "static_shared": 16, "dynamic_shared": 1024, "launch": "regular"}
            for stream, correlation, start, end in ((13, 32, 140, 190), (7, 33, 190, 230))])
        self.assertEqual(lines["memcpy"], [{"direction": "h2d", "from": "pinned", "to": "device", "bytes": 4096, "async": True, **ORIGIN,
                                            "stream": 13, "correlation": 31, "start_ns": 115, "end_ns": 140}])
        self.assertEqual(lines["memset"], [{"to": "device", "bytes": 64, "async": True, **ORIGIN, "stream": 13, "correlation": 35,
                                            "graph": 3, "graph_node": 0x300000001, "start_ns": 230, "end_ns": 231}])
        self.assertEqual([(line["api"], line["name"], line["thread"], line["start_ns"], line["end_ns"]) for line in lines["call"]],
                         [("runtime", "call 41", 72, 110, 120), ("runtime", "cudaLaunchKernel", 72, 121, 125),
                          ("driver", "cuLaunchKernel", 72, 126, 130)])
        self.assertEqual(lines["sync"], [{"kind": "event", "process": 71, "context": 1, "event": 4, "correlation": 37,
                                          "start_ns": 240, "end_ns": 250}])
        self.assertEqual(lines["event"], [{"process": 71, "context": 1, "stream": 13, "event": 4, "correlation": 36}])
        self.assertEqual(lines["stream"], [{"process": 71, "context": 1, "stream": 13, "priority": -5, "kind": "non_blocking"}])
        self.assertEqual(lines["context"], [{"process": 71, "context": 1, "device": 0, "null_stream": 7}])
        self.assertEqual(lines["range"], [{"name": "rta: job camera", "domain": "", "process": 71, "thread": 72, "end_thread": 72,
                                           "start_ns": 100, "end_ns": 260}])
        self.assertEqual(lines["mark"], [{"name": "here", "domain": "", "process": 71, "thread": 72, "at_ns": 105}])
        self.assertEqual(lines["overhead"], [{"kind": "buffer_flush", "process": 71, "thread": 73, "start_ns": 300, "end_ns": 320}])
        device = lines["device"][0]
        self.assertEqual((device["name"], device["uuid"][:12], device["sms"], device["threads_per_sm"], device["copy_engines"]),
                         ('NVIDIA "Fake" \N{REPLACEMENT CHARACTER}', "GPU-ab000000", 132, 2048, 3))
        self.assertEqual(lines["process"][0]["program"], str(self.program.resolve()))
        # Two buffers lost two records each, and a kernel had no times.
        self.assertEqual(lines["end"], [{"complete": True, "lost_records": 5}])
        self.assertEqual([check["name"] for check in lines["check"]], ["ranges", "times"])
        self.assertEqual(lines["header"][0]["program"], [str(self.program), "0"])
        self.assertIn("recorded: 2 kernels, 1 copies, 1 memsets, 3 calls and 1 NVTX ranges of 1 process", run.stderr)
        self.assertIn("overhead: not measured", run.stderr)

    def test_the_recorded_trace_is_linted(self):
        self.record(0, self.program, "0")
        run = rta("lint", self.trace)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("detect(float const*) ran on the NULL stream", run.stdout)
        self.assertIn("in job: camera", run.stdout)

    def test_overhead_is_measured_by_pairs_of_runs(self):
        run = self.record(0, self.program, "0", options=("--pairs", "2"))
        self.assertEqual(run.stdout, "runs\nruns recorded\n" * 2)
        self.assertRegex(run.stderr, r"overhead: [+-]\d+\.\d % of the time that PROGRAM takes: .* \(medians of 2 pairs of runs\)")
        header = self.lines()["header"][0]
        self.assertGreater(header["plain_run_ns"], 0)
        self.assertGreater(header["recorded_run_ns"], 0)
        self.assertEqual(len(self.lines()["process"]), 1)  # of the last run alone

    def test_children_are_recorded_too(self):
        self.record(0, self.program, "0", "child")
        lines = self.lines()
        numbers = {line["process"] for line in lines["process"]}
        self.assertEqual(len(numbers), 2)
        self.assertEqual(len([line for line in lines["process"] if line["parent"] in numbers]), 1)
        self.assertEqual(len(lines["kernel"]), 4)

    def test_a_process_number_that_returns_takes_no_recording_away(self):
        self.record(1, self.program, "0", "becomes")
        numbers = [line["process"] for line in self.lines()["process"]]
        self.assertEqual((len(numbers), len(set(numbers))), (2, 1))

    def test_a_library_that_was_there_before_is_not_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = pathlib.Path(folder) / "kept"
            run = rta("workload", "-", "-o", kept, stdin="platform: {cpu: {processors: 1}}\ndags: [{name: d, T: 1 ms, nodes: {n: {on: cpu, C: 1 us}}}]")
            self.assertEqual(run.returncode, 0, run.stderr)
            compiled("-shared", "-fPIC", "-o", kept / "record.so", "-x", "c++", "/dev/null")
            os.utime(kept / "record.so", (2**33, 2**33))
            run = rta("record", "-o", self.trace, "--keep", kept, "--pairs", "0", "--", self.program, "0",
                      env=os.environ | {"CUPTI": str(self.cupti), "CXXFLAGS": WARNINGS})
            self.assertEqual(run.returncode, 0, run.stderr)

    def test_a_program_that_fails_or_is_killed_leaves_its_trace(self):
        run = self.record(1, self.program, "3")
        self.assertIn("ended with status 3; the trace is written", run.stderr)
        run = self.record(1, self.program, "0", "killed")
        self.assertIn("ended with status 137", run.stderr)
        self.assertIn("did not end its recording", run.stderr)
        self.assertEqual(self.lines()["end"], [{"complete": False, "lost_records": 0}])

    def test_what_cupti_refuses_is_said(self):
        run = self.record(0, self.program, "0", environment={"FAKE_CUPTI": "busy"})
        self.assertIn("warning: CUPTI records no kernels: CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED", run.stderr)

    def test_nothing_is_written_where_nothing_could_be_recorded(self):
        for words, message in (([self.program, "0", "plain"], "did not start CUDA"), (["./missing"], "cannot be run")):
            with self.subTest(words):
                self.assertIn(message, self.record(2, *words).stderr)
                self.assertEqual(list(self.trace.parent.iterdir()), [])
        for words, message in (([], "needs PROGRAM"), (["-o", self.trace], "needs PROGRAM"), (["--", "true"], "needs --output"),
                               (["-o", self.trace, "--pairs", "-1", "--", "true"], "--pairs '-1'")):
            with self.subTest(words):
                run = rta("record", *words)
                self.assertEqual(run.returncode, 2)
                self.assertIn(message, run.stderr)

    def test_cupti_may_have_its_headers_apart_and_its_library_by_a_version(self):
        apart = self.trace.parent / "apart"
        for folder in ("include", "lib"):
            (apart / folder).mkdir(parents=True)
        for header in HEADERS.glob("*.h"):
            if header.name.startswith(("cupti", "generated")):
                (apart / "include" / header.name).symlink_to(header)
        shutil.copy(self.cupti / "lib64/libcupti.so", apart / "lib/libcupti.so.13")
        toolkit = self.trace.parent / "toolkit"
        toolkit.mkdir()
        (toolkit / "include").symlink_to(HEADERS)
        self.record(0, self.program, "0", environment={"CUPTI": str(apart), "CUDA_HOME": str(toolkit)})
        self.assertEqual(len(self.lines()["kernel"]), 2)

    def test_the_library_links_with_the_real_cupti(self):
        real = rta("record", "-o", self.trace, "--keep", self.trace.parent / "real", "--pairs", "0", "--", "true",
                   env={name: value for name, value in os.environ.items() if name != "CUPTI"} | {"CXXFLAGS": "-O0"})
        if "CUPTI is missing" in real.stderr:
            self.skipTest("skipped: libcupti.so is not installed")
        self.assertEqual(real.returncode, 2)
        self.assertIn("'true' did not start CUDA", real.stderr)
        self.assertTrue((self.trace.parent / "real/record.so").exists())


@unittest.skipIf(shutil.which("nvcc") is None, "skipped: nvcc is not installed")
class Examples(unittest.TestCase):
    def test_the_programs_to_try_it_on_compile_for_every_architecture(self):
        for source in ("frames.cu", "cuda/detector.cu"):
            with self.subTest(source), tempfile.TemporaryDirectory() as folder:
                run = subprocess.run(["nvcc", "-std=c++17", "-O2", "-arch=all", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra",
                                      "-o", f"{folder}/program", ROOT / "tasksets/examples" / source],
                                     capture_output=True, text=True, timeout=TIME_LIMIT)
                self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
