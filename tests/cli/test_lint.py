"""lint: sources and traces from the command line, SARIF for editors, and our own generated programs, which are clean."""

import json
import pathlib
import resource
import shutil
import tempfile
import unittest

from program import EXAMPLE, ROOT, rta, rta_as_ordinary_user

CAMERA = ROOT / "tasksets/examples/camera.cu"
HEADER = '{"schema": 1, "kind": "trace", "source": "recording", "task_set": ""}\n'
CALL = '{"t": "call", "api": "runtime", "name": "cudaFree", "process": 1, "thread": 2, "correlation": 3, "start_ns": 0, "end_ns": 9, "result": 0}\n'
END = '{"t": "end", "complete": true, "lost_records": 0, "valid": true}\n'
PROFILE = """device: tx2
product: NVIDIA X
compute_capability: "6.2"
driver: "1.2"
cuda: "11.8"
date: 2026-01-02
limits: {sms: 2, threads: 2048, threads_per_block: 1024, blocks: 32, shared_memory: 64 KiB, shared_memory_per_block: 48 KiB,
  shared_memory_reserved: 0 B, registers: 65536, copy_engines: 1, priority_levels: 2, clock_khz: 1300000}
rules: {}
calls:
  cudaFree: {blocks_others: no, synchronises: no, caller_waits: no, samples: 40}
"""


class Lint(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def written(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def lint(self, status, *arguments, **options):
        run = rta("lint", *arguments, **options)
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run

    def test_findings_have_place_rule_assumption_and_remedy(self):
        shown = self.lint(1, CAMERA, "--no-clang").stdout
        self.assertIn(f"{CAMERA}:27:3: error: the launch of detect uses the NULL stream", shown)
        self.assertIn("[null-stream]\n  in job: camera\n  breaks: a kernel waits only for its stream", shown)
        self.assertIn("  remedy: name the job's stream, created with cudaStreamNonBlocking\n", shown)

    def test_levels_below_the_wanted_one_neither_show_nor_count(self):
        shown = self.lint(1, CAMERA, "--no-clang", "--level", "error").stdout
        self.assertNotIn("warning:", shown)
        self.assertTrue(shown.endswith("\n3 errors in 1 file\n"), shown)
        notes = self.written("launch.cu", "// rta: job\nvoid f(cudaStream_t s) { k<<<1, 32, 0, s>>>(); }\n")
        self.lint(0, notes, "--no-clang")

    def test_standard_input_and_folders_are_read(self):
        self.lint(1, "-", "--no-clang", stdin="void f(void* p) { cudaFree(p); }")
        (self.folder / "below").mkdir()
        self.written("below/a.cuh", "void f(void* p) { cudaFree(p); }")
        self.written("b.txt", "void f(void* p) { cudaFree(p); }")
        self.assertIn("1 error in 1 file\n", self.lint(1, self.folder, "--no-clang").stdout)

    def test_sarif_names_rules_places_chains_and_suppressions(self):
        source = self.written(
            "a b.cu",
            "void g(void* p) { cudaFree(p); }\n// rta: job\nvoid f(void* p) {\n  g(p);\n  cudaFree(p);  // rta: allow free at the end\n}\n")
        target = self.folder / "a.sarif"
        self.lint(1, source, "--no-clang", "-o", target, "-o", self.folder / "a.json")
        log = json.loads(target.read_text())
        self.assertEqual(log["version"], "2.1.0")
        run = log["runs"][0]
        rules = run["tool"]["driver"]["rules"]
        chained, allowed = run["results"]
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
            self.assertEqual(result["ruleId"], "free")
        place = chained["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "file://" + str(source).replace(" ", "%20"))
        self.assertEqual(place["region"], {"startLine": 4, "startColumn": 3, "endColumn": 4})
        flow = chained["codeFlows"][0]["threadFlows"][0]["locations"]
        self.assertEqual([step["location"]["physicalLocation"]["region"]["startLine"] for step in flow], [4, 1])
        self.assertEqual(chained["suppressions"], [])
        self.assertEqual(allowed["suppressions"], [{"kind": "inSource", "justification": "at the end"}])
        self.assertNotEqual(chained["partialFingerprints"], allowed["partialFingerprints"])
        self.assertEqual(json.loads((self.folder / "a.json").read_text())["errors"], 1)

    def test_fingerprints_stay_where_lines_move(self):
        def fingerprints(text):
            self.written("a.cu", text)
            log = json.loads(self.lint(1, "a.cu", "--no-clang", "--format", "sarif", cwd=self.folder).stdout)
            return [result["partialFingerprints"] for result in log["runs"][0]["results"]]

        text = "void f(void* p) { cudaFree(p); cudaFree(p); }\n"
        self.assertEqual(fingerprints(text), fingerprints("\n\n" + text))

    def test_a_device_profile_overrides_the_table(self):
        source = self.written("a.cu", "void f(void* p) { cudaFree(p); }\n")
        profile = self.written("x.yaml", PROFILE)
        self.lint(1, source, "--no-clang")
        self.assertEqual(self.lint(0, source, "--no-clang", "--profile", profile).stdout,
                         "nothing found in 1 file; 1 call harmless by the device profile\n")
        trace = self.written("t.jsonl", HEADER + CALL + END)
        self.lint(0, trace, "--profile", profile)

    def test_a_trace_is_judged_by_the_same_table(self):
        trace = self.written("t.jsonl", HEADER + CALL + END)
        shown = self.lint(1, trace).stdout
        self.assertTrue(shown.startswith(f"{trace}:2:1: error: cudaFree frees memory"), shown)
        self.assertIn("1 time, at most 0.009 us [free]", shown)
        self.assertIn("is incomplete", self.lint(1, self.written("t.jsonl", HEADER + CALL)).stderr)

    def test_bad_input_is_refused_with_its_place(self):
        (self.folder / "empty").mkdir()
        self.written("broken.jsonl", HEADER + CALL.replace('"result": 0', '"result": "a"'))
        self.written("simulated.jsonl", HEADER.replace("recording", "simulation") + END)
        self.written("bytes.cu", "void f() { cudaDeviceSynchronize(); }")
        for arguments, message in (
            (["missing.cu"], "missing.cu: cannot be opened"),
            (["broken.jsonl"], "broken.jsonl:2"),
            (["simulated.jsonl"], "holds no CUDA calls"),
            (["bytes.cu", "broken.jsonl"], "give it alone"),
            (["bytes.cu", "--job", "nobody"], "no file defines such a function"),
            (["bytes.cu", "--level", "fatal"], "allowed: note, warning, error"),
            (["bytes.cu", "--unmarked", "all"], "--unmarked"),
            (["--rules", "bytes.cu"], "it takes no FILE"),
            ([], "lint needs FILE"),
            (["empty"], "no CUDA or C++ source"),
            (["bytes.cu", "-o", "x.pdf"], "x.pdf"),
        ):
            with self.subTest(arguments):
                run = self.lint(2, *arguments, cwd=self.folder)
                self.assertIn(message, run.stderr)
                self.assertEqual(run.stdout, "")

    def test_what_is_no_source_is_refused(self):
        for name, content, what in (
            ("a.sqlite", b"SQLite format 3\0" + bytes(100), "a.sqlite:1:1: this is a profile in SQLite, no source and no recording: rta convert"),
            ("a.yaml", b"platform: {cpu: {processors: 1}}\ntasks: [{name: a, on: cpu, C: 1 ms, T: 2 ms}]\n", "this is a task set, no source"),
            ("a.amxmi", b'<am:Amalthea xmlns:am="http://app4mc.eclipse.org/amalthea/1.0.0"/>\n', "this is a model of Amalthea, no source"),
            ("a.dot", b"digraph { a -> b }\n", "this is a graph in DOT, no source"),
            ("a.bin", b"\1\2\3\0\4", "a.bin:1:1: is no source: there is a NUL character in it"),
        ):
            path = self.folder / name
            path.write_bytes(content)
            run = self.lint(2, path)
            self.assertIn(what, run.stderr)
            self.assertEqual(run.stdout, "")

    def test_without_room_for_another_process_the_text_is_looked_at(self):
        # Writing to a child that was never there must not end this program by a signal.
        source = pathlib.Path(shutil.copy(CAMERA, self.folder))
        alone = lambda: resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        run = rta_as_ordinary_user(self.folder, "lint", source.name, preexec_fn=alone)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("the launch of detect uses the NULL stream", run.stdout)
        self.assertIn("clang was not asked", run.stdout + run.stderr)

    def test_the_rules_are_data_with_their_sources(self):
        rules = json.loads(self.lint(0, "--rules", "--format", "json").stdout)["rules"]
        guide = (ROOT / "docs/guide-lint.md").read_text()
        for rule in rules:
            self.assertIn(f"`{rule['rule']}`", guide)
            for key in ("says", "breaks", "remedy", "source"):
                self.assertTrue(rule[key], rule)
        self.assertGreaterEqual(len(rules), 20)

    def test_our_generated_programs_are_clean_after_start_up(self):
        workload = self.folder / "workload"
        run = rta("workload", EXAMPLE, "-o", workload)
        self.assertEqual(run.returncode, 0, run.stderr)
        examine = self.folder / "examine"
        run = rta("examine", "--write", examine, "--device", "tx2")
        self.assertEqual(run.returncode, 0, run.stderr)
        for program in (workload, examine):
            report = json.loads(self.lint(0, program, "--no-clang", "--format", "json").stdout)
            self.assertTrue(report["jobs_marked"], program)
            self.assertGreater(report["notes"], 0, program)  # its launches were seen


if __name__ == "__main__":
    unittest.main()
