"""What validation/gpu_interference.py makes of measured cases: entries, what mixtures confirm, and that rta reads it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import ROOT, rta

sys.path.insert(0, str(ROOT / "validation"))
import gpu_interference  # noqa: E402

WORKS = gpu_interference.CLASSES


def case(kernel, where, blocks, ns):
    return {"kernel": kernel, "where": where, "beside": ", ".join(blocks) or "none", "blocks": blocks, "median_ns": ns - 10, "p99_ns": ns, "max_ns": ns}


def cases(where, growth, mixed):
    """Victims of 1000 ns alone; growth: victim -> class -> ns; mixed: victim -> ns beside L2 and DRAM."""
    found = []
    for kernel in WORKS:
        found.append({**case(kernel, where, {}, 1010), "median_ns": 1000})
        found += [case(kernel, where, {each: 3}, 1000 + growth[kernel][each]) for each in WORKS]
        found.append(case(kernel, where, {"L2": 2, "DRAM": 1}, 1000 + mixed[kernel]))
    return found


GROWTH = {"registers": {"registers": 0, "L2": 0, "DRAM": 3}, "L2": {"registers": -6, "L2": 460, "DRAM": 2320}, "DRAM": {"registers": 10, "L2": 710, "DRAM": 1740}}


class Interference(unittest.TestCase):
    def found(self, mixed, more=()):
        return gpu_interference.interference_of({"cases": [*cases("other SMs", GROWTH, mixed), *more]})

    def rows(self, found):
        lines = found["task_set"].splitlines()
        return [lines[2 + i].strip() for i in range(4)]

    def test_mixtures_that_are_no_worse_than_the_worst_confirm_max(self):
        found = self.found({"registers": 0, "L2": 1500, "DRAM": 1740})
        self.assertEqual(found["combine"], "max")
        self.assertEqual(self.rows(found), ["other-sm:", "registers: [0, 0, 0.003]", "L2: [0, 0.46, 2.32]", "DRAM: [0.01, 0.71, 1.74]"])
        self.assertIn("  combine: max  # mixtures were no worse than the worst of their classes\n", found["task_set"])
        self.assertEqual(found["mixtures"][1]["more_than_max"], -0.82)

    def test_a_mixture_that_is_a_little_worse_raises_the_entry_of_its_worst_class(self):
        found = self.found({"registers": 0, "L2": 1500, "DRAM": 1748})
        self.assertEqual(found["combine"], "max")
        self.assertEqual(self.rows(found)[3], "DRAM: [0.01, 0.71, 1.748]")

    def test_mixtures_that_are_worse_than_the_worst_but_not_than_the_sum_confirm_the_sum(self):
        found = self.found({"registers": 0, "L2": 2700, "DRAM": 1740})
        self.assertEqual(found["combine"], "sum")
        self.assertEqual(self.rows(found)[2], "L2: [0, 0.46, 2.32]")
        self.assertIn("  combine: sum  # mixtures were no worse than the sum of their classes\n", found["task_set"])

    def test_mixtures_that_are_worse_than_the_sum_raise_entries_until_none_is(self):
        found = self.found({"registers": 0, "L2": 3000, "DRAM": 1740})
        self.assertEqual(found["combine"], "neither")
        self.assertEqual(self.rows(found)[2], "L2: [0, 0.46, 2.54]")

    def test_parts_of_the_sms_and_other_partitions_count_where_they_are_worse(self):
        more = [case("registers", "other SMs", {"L2": 1}, 1050), {**case("L2", "other partition", {}, 500), "median_ns": 500}]
        more.append(case("L2", "other partition", {"DRAM": 3}, 1700))
        found = self.found({"registers": 0, "L2": 0, "DRAM": 0}, more)
        self.assertEqual(self.rows(found)[1:3], ["registers: [0, 0.05, 0.003]", "L2: [0, 0.46, 2.4]"])

    def test_same_sm_has_the_worst_mix_of_a_class_with_the_victims_own(self):
        same = cases("same SM", {work: dict.fromkeys(WORKS, 1000) for work in WORKS}, dict.fromkeys(WORKS, 1000))
        same.append(case("registers", "same SM", {"registers": 1, "L2": 2}, 2300))
        found = self.found({"registers": 0, "L2": 0, "DRAM": 0}, same)
        self.assertIn("  same-sm:\n    registers: [1, 1.3, 1]\n    L2: [1, 1, 1]\n", found["task_set"])
        self.assertEqual(found["combine"], "max")

    def test_copies_and_processors_are_said_and_not_counted(self):
        more = [{**case("L2", "copies", {}, 1000), "median_ns": 1000}, {**case("L2", "copies", {}, 1123), "beside": "host to device"}]
        found = self.found({"registers": 0, "L2": 0, "DRAM": 0}, more)
        self.assertIn("  # copies, not counted: at most 12.3 % longer (L2 beside host to device)\n", found["task_set"])

    def test_what_a_task_set_cannot_have_makes_no_block(self):
        self.assertEqual(gpu_interference.interference_of({"cases": []})["reason"], "not every class was measured beside every class")
        large = [case("L2", "other SMs", {"DRAM": 1}, 1_001_100)]
        self.assertEqual(self.found({"registers": 0, "L2": 0, "DRAM": 0}, large)["reason"], "a block took more than 1000 times as long")

    def test_rta_reads_it_and_adds_what_was_measured(self):
        found = self.found({"registers": 0, "L2": 1500, "DRAM": 1740})
        block = "".join(f"    {line}\n" for line in found["task_set"].splitlines())
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "pasted.yaml"
            file.write_text(
                f"platform:\n  gpu:\n    sms: 4\n    threads: 2048\n{block}tasks:\n"
                "  - {name: a, T: 100 ms, on: gpu, B: 4, H: 1024, L: {alone: 1 ms}, class: L2}\n"
                "  - {name: b, T: 100 ms, on: gpu, B: 4, H: 1024, L: {alone: 1 ms}, class: DRAM}\n"
            )
            run = rta("analyze", file, "--explain", "a")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("C1: L of a = 1000000 ns alone + 2320000 ns beside DRAM: b can meet it", run.stdout)


NVCC = os.environ.get("NVCC") or shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


@unittest.skipIf(NVCC is None, "skipped: there is no nvcc")
class Arithmetic(unittest.TestCase):
    """Blocks of registers are company only if no compiler makes their steps fewer: then they would ask memory for their end instead."""

    def test_blocks_of_registers_compute_without_a_look_at_memory(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "interference.ptx"
            words = [NVCC, "-std=c++17", "-O2", "-ptx", f"-I{ROOT}/validation/runtime", "-o", out, ROOT / "validation/interference.cu"]
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
