"""A kernel that the GPU would not launch has no bound, no workload and no schedule: every command refuses it."""

import pathlib
import re
import tempfile
import unittest

from program import ROOT, rta

SET = """platform: {{cpu: {{processors: 2}}, gpu: {{device: {device}}}}}
tasks:
  - {{name: k, on: gpu, T: 10 ms, B: 4, H: 1024, L: 1 ms, {kernel}}}
"""
TOO_MUCH = {
    "shared_memory: 56 KiB": "shared_memory: 57344 bytes per block are more than 'gpu' lets a block have (49152 allowed)",
    "registers: 33": "registers: 33 per thread (per block, as a launch counts them: 40960) are more than 'gpu' lets a block have (32768 allowed)",
    "registers: 256": "registers: 256 per thread are more than 'gpu' lets a G-thread have (255 allowed)"}


class Launch(unittest.TestCase):
    def test_every_command_refuses_what_a_tx2_does_not_launch(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "set.yaml")
            for kernel, message in TOO_MUCH.items():
                path.write_text(SET.format(device="tx2", kernel=kernel))
                key = kernel.split(":")[0]
                column = path.read_text().splitlines()[2].index(kernel) + len(key) + 3
                for command in (("analyze",), ("simulate",), ("optimize",), ("workload", "-o", str(pathlib.Path(folder, "out"))), ("convert",)):
                    with self.subTest(kernel, command=command[0]):
                        run = rta(command[0], path, *command[1:])
                        self.assertEqual(run.returncode, 2, run.stderr)
                        self.assertIn(f"set.yaml:3:{column}: task 'k': {message}", run.stderr)
            self.assertFalse(pathlib.Path(folder, "out").exists())

    def test_what_a_kernel_opts_in_to_is_launched(self):
        for device, kernel in (("h200", "shared_memory: 227 KiB, registers: 64"), ("orin", "shared_memory: 163 KiB"),
                               ("tx2", "shared_memory: 48 KiB, registers: 32")):
            with self.subTest(device):
                run = rta("analyze", "-", stdin=SET.format(device=device, kernel=kernel))
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual(run.stderr, "")

    def test_choices_that_the_smaller_device_does_not_launch_are_left_out(self):
        run = rta("optimize", "-", stdin=SET.format(device="[tx2, orin]", kernel="registers: 40"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("registers: 40 per thread (per block, as a launch counts them: 40960)", run.stderr)

    def test_a_profile_has_the_limits_of_its_device(self):
        profile = ROOT / "validation/profiles/h200.yaml"
        text = SET.format(device="h200", kernel="registers: 16").replace("H: 1024", "H: 544").replace("{device: h200}", "{sms: 132, threads: 2048}")
        self.assertEqual(rta("analyze", "-", "--profile", profile, stdin=text).returncode, 0)
        run = rta("analyze", "-", "--profile", profile, stdin=text.replace("registers: 16", "registers: 120"))
        self.assertEqual(run.returncode, 2)
        self.assertIn("node 'k': registers: 120 per thread (per block, as a launch counts them: 76800) are more than the profile's NVIDIA H200 lets a "
                      "block have (65536 allowed)", run.stderr)

    def test_sweeps_draw_no_such_kernels(self):
        spec = (ROOT / "tasksets/sweeps/gpu-bounds.yaml").read_text().replace("titan-v", "tx2").replace("32 KiB: 1", "56 KiB: 1")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "spec.yaml")
            path.write_text(spec)
            run = rta("sweep", path, "-o", pathlib.Path(folder, "out"))
            self.assertEqual(run.returncode, 2)
            self.assertIn("random.gpu.shared_memory: 57344 bytes per block are more than the GPU lets a block have (49152 allowed)", run.stderr)

    def test_the_documented_table_is_the_program_s(self):
        rows = re.findall(r"^\| `([a-z0-9-]+)` \| ([0-9.]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) KiB \| (\d+) KiB \| (\d+) \|$",
                          (ROOT / "docs/guide-device.md").read_text(), re.MULTILINE)
        allowed = rta("analyze", "-", stdin="platform: {gpu: {device: none}}\ndags: []\n").stderr
        self.assertEqual([row[0] for row in rows], re.search(r"allowed: ([^)]*)\)", allowed)[1].split(", "))
        for name, _, sms, threads, blocks, shared, per_block, registers in rows:
            with self.subTest(name):
                text = rta("convert", "-", "--to", "json", stdin=SET.format(device=name, kernel="registers: 1")).stdout
                for key, value in (("sms", sms), ("threads", threads), ("blocks", blocks), ("shared_memory", f'"{int(shared) * 1024} B"'),
                                   ("shared_memory_per_block", f'"{int(per_block) * 1024} B"'), ("registers_per_block", registers)):
                    self.assertIn(f'"{key}": {value}', text)


if __name__ == "__main__":
    unittest.main()
