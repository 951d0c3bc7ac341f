"""`rta-proved FILE CERTIFICATE`: what it verifies, what it refuses and names, and files that are no certificates."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from program import PROGRAM, ROOT, rta

PROVED = PROGRAM.with_name("rta-proved")
HOG = ROOT / "tasksets/literature/hog-like.yaml"

PLATFORM = """platform:
  cpu: {processors: 2, scheduler: FIFO}
  gpu: {sms: 2, threads: 1024, blocks: 8}
"""
CPU_GPU = PLATFORM + """dags:
  - name: camera   # a comment
    T: 30 ms
    D: 40 ms
    nodes:
      grab: {on: cpu, C: 2 ms}
      find: {on: gpu, B: 12, H: 256, L: 1.5 ms}
      "show": {on: cpu, C: 3 ms}
    edges: [grab -> find -> show]
tasks:
  - {name: log, T: 40 ms, on: cpu, C: 5 ms}
  - {name: other, T: 50 ms, on: gpu, B: 3, H: 256, L: 2 ms}
"""


@unittest.skipUnless(PROVED.exists(), "needs rta-proved, which is built where OCaml is installed")
class Proved(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.task_set, self.certificate = self.folder / "set.yaml", self.folder / "set.cert"

    def analyzed(self, text, *options):
        self.task_set.write_text(text)
        run = rta("analyze", self.task_set, "--certificate", self.certificate, *(options or ("--release", "completion", "--path-bound", "T10n")))
        self.assertIn(run.returncode, (0, 1), run.stderr)
        # Kernels by their blocks, not one after another, which the proved model does not have.
        lines = [line for line in self.certificate.read_text().splitlines() if not line.startswith("turn")]
        return lines

    def judged(self, lines, *options):
        self.certificate.write_text("\n".join([*lines, ""]))
        return subprocess.run([PROVED, *options, self.task_set, self.certificate], capture_output=True, text=True, timeout=300)

    def replaced(self, lines, pattern, text):
        changed = [re.sub(pattern, text, line) for line in lines]
        self.assertNotEqual(lines, changed)
        return changed

    def test_processors_alone(self):
        text = "platform: {cpu: {processors: 2, scheduler: FIFO}}\ntasks:\n- {name: a, T: 10 ms, on: cpu, C: 2 ms}\n- {name: b, T: 10 ms, on: cpu, C: 3 ms}\n"
        lines = self.analyzed(text)
        run = self.judged(lines, "--verbose")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        # By hand, C + (own and others' work - C)/2: 2 + (2 + 3 - 2)/2 = 3.5 ms and 3 + (3 + 2 - 3)/2 = 4 ms.
        self.assertRegex(run.stdout, r"(?m)^\d+: verified: bound 0 0 0 3500000 - T10n: T10n$")
        self.assertRegex(run.stdout, r"(?m)^\d+: verified: bound 1 0 0 4000000 - T10n: T10n$")
        self.assertTrue(run.stdout.endswith(f"{len(lines)} statements, all verified\n"))
        lower = self.judged(self.replaced(lines, "^bound 0 0 0 3500000", "bound 0 0 0 3499999"))
        self.assertEqual(lower.returncode, 1)
        self.assertRegex(lower.stdout, r"(?m)^\d+: not shown: bound 0 0 0 3499999 - T10n: neither T10n \(T11\) nor T10j or T10g holds$")

    def test_a_gpu_by_its_blocks(self):
        lines = self.analyzed(CPU_GPU)
        self.assertIn("counted 1 0", lines)
        slack = self.replaced(lines, r"^(bound \d+ \d+ 0) \d+", r"\1 30000000")
        slack = self.replaced(slack, r"^end (\d+) \d+", r"end \1 30000000")
        run = self.judged(slack, "-v")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("assumed, not in the file: release completion\n", run.stdout)
        weightless = self.judged(self.replaced(slack, r"^(weights 0 1 only) (\d+)", r"\1 9\2"))
        self.assertEqual(weightless.returncode, 1)
        self.assertIn("the weights of a GPU are not shown to be valid", weightless.stdout)
        without = self.judged([line for line in slack if not line.startswith(("weights", "counted"))])
        self.assertIn("no weights are stated for the blocks on pool gpu", without.stdout)

    def test_the_dissertations_example(self):
        run = rta("analyze", HOG, "--release", "completion", "--path-bound", "T10n", "--certificate", self.certificate)
        self.assertEqual(run.returncode, 0, run.stderr)
        run = subprocess.run([PROVED, HOG, self.certificate], capture_output=True, text=True, timeout=300)
        self.assertEqual((run.returncode, run.stdout), (0, "assumed, not in the file: release completion\n2228 statements, all verified\n"))

    def test_what_the_file_says(self):
        lines = self.analyzed(CPU_GPU)
        for pattern, text, refused in ((r"^file .", "file 0", "the certificate is about another file"),
                                       (r"^(node 1 0 log 0) 5000000", r"\1 4000000", "the file does not say so"),
                                       (r"^(dag 1 log) 40000000", r"\1 50000000", "the file does not say so"),
                                       (r"^end 0 \d+", "end 0 1", "a node ends later"),
                                       (r"^(bound 0 0) 0", r"\1 1", "on completion bounds count from the DAG's release"),
                                       (r"^verdict .*", "verdict unbounded", "the verdict does not follow")):
            with self.subTest(refused, pattern=pattern):
                run = self.judged(self.replaced(lines, pattern, text))
                self.assertEqual(run.returncode, 1)
                self.assertRegex(run.stdout, rf"(?m)^\d+: not verified: .*: {refused}")
        missing = self.judged([line for line in lines if not line.startswith("node 1 0")])
        self.assertRegex(missing.stdout, r"(?m)^not verified: node 1 0 log 0 5000000: the certificate does not state this$")

    def test_what_no_kernel_asks_for(self):
        """A device has 65,536 registers, of which a table would have as many entries."""
        self.task_set.write_text("platform: {gpu: {device: tx2}}\ntasks:\n" + "".join(f"- {{name: k{i}, on: gpu, T: 30 s, L: 1 s, B: 4, H: 256}}\n" for i in range(3)))
        run = rta("analyze", self.task_set, "--release", "completion", "--path-bound", "T10n", "--certificate", self.certificate)
        self.assertEqual(run.returncode, 0, run.stderr)
        run = subprocess.run([PROVED, self.task_set, self.certificate], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 0, run.stdout)

    def test_offsets(self):
        text = CPU_GPU.replace("FIFO", "G-EDF").split("tasks:")[0]
        lines = self.analyzed(text, "--release", "offsets")
        offset = next(line.split(" ")[3] for line in lines if line.startswith("bound 0 1 "))
        wide = self.replaced(lines, rf"^bound 0 1 {offset} ", f"bound 0 1 {int(offset) - 1} ")
        run = self.judged(wide)
        self.assertRegex(run.stdout, r"(?m)^\d+: not verified: bound 0 1 .*: the node is released before a predecessor has ended$")
        self.assertRegex(run.stdout, r"(?m)^\d+: not shown: bound 0 0 .*: some offset does not hold$")

    def test_what_the_model_does_not_have(self):
        for old, new, said in ((", C: 5 ms}", ", C: 5 ms, sequential: true}", "log/log: is sequential, which the proved model does not have"),
                               ("    T: 30 ms\n", "    T: 30 ms\n    threads: 2\n", "camera is played by threads"),
                               ("    T: 30 ms\n", "    T: 30 ms\n    in_flight: 2\n", "camera has a limit of jobs in flight"),
                               ("dags:", "executors:\n  one: {on: spare, kind: events}\ndags:", "task set 5:1: the proved model does not have 'executors'"),
                               ("    T: 30 ms\n", "    T: 30 ms\n    requirement: >-\n      R1\n", "task set 7:18: '>' is not read here"),
                               ("L: 2 ms", "L: 2 ms, cluster: 3, time: 4 ms", "other/other: its blocks start together")):
            with self.subTest(new):
                text = CPU_GPU.replace("platform:\n", "platform:\n  spare: {processors: 1}\n") if "executors" in new else CPU_GPU
                self.assertIn(old, text)
                run = self.judged(self.analyzed(text.replace(old, new), "--release", "completion"))
                self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                self.assertRegex(run.stdout, rf"(?m)^\d+: not shown: bound .*{re.escape(said)}")
                self.assertNotRegex(run.stdout, "(?m)^[0-9]+: verified: bound")

    def test_another_release(self):
        run = self.judged(self.analyzed(CPU_GPU.split("tasks:")[0].replace("FIFO", "G-EDF"), "--release", "early"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("release early is not in the proved model", run.stdout)

    def test_bad_input(self):
        lines = self.analyzed(CPU_GPU)
        for changed, said in ((lines[1:], "rta-proved: certificate:1: 'rta-certificate 1' is expected\n"),
                              (lines[:-1], f"rta-proved: certificate:{len(lines) - 1}: a certificate ends with its verdict\n"),
                              ([*lines[:1], "sesame", *lines[1:]], "rta-proved: certificate:2: no statement is called 'sesame'\n"),
                              (self.replaced(lines, r"^bound 0 0 0 \d+", "bound 0 0 0 soon"), "word 5 is 'soon'; a whole number is expected"),
                              (self.replaced(lines, r"^bound 0 0 0 \d+", "bound 0 0 0 1/0x10"), "a whole number or a fraction n/d is expected"),
                              (self.replaced(lines, r"^bound 0 0 ", "bound 0 9 "), "word 3 is the number of nothing")):
            run = self.judged(changed)
            self.assertEqual((run.returncode, run.stdout), (2, ""), said)
            self.assertIn(said, run.stderr)
        self.assertEqual(self.judged(lines, "-q").stdout, "")
        for words, said in (([], "a task set and a certificate are expected"), (["--loud"], "no option --loud"),
                            ([self.certificate, self.task_set], "the first file is a certificate"), (["no.yaml", "no.cert"], "no.yaml")):
            run = subprocess.run([PROVED, *words], capture_output=True, text=True)
            self.assertEqual(run.returncode, 2)
            self.assertIn(said, run.stderr)
        self.assertTrue(subprocess.run([PROVED, "--help"], capture_output=True, text=True).stdout.startswith("Usage: rta-proved "))
        self.assertRegex(subprocess.run([PROVED, "--version"], capture_output=True, text=True).stdout, r"^rta-proved \d")


if __name__ == "__main__":
    unittest.main()
