"""validation/table-6.1: the six columns of Table 6.1, simulated."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from program import PROGRAM, ROOT

COLUMNS = ["monolithic, G-EDF", "monolithic, C-EDF", "coarse, G-EDF", "coarse, C-EDF", "fine, G-FL", "fine, C-FL"]


def table(*options):
    environment = {**os.environ, "RTA_PROGRAM": str(PROGRAM)}
    return subprocess.run([ROOT / "validation/table-6.1", *options], capture_output=True, text=True, env=environment)


class Table(unittest.TestCase):
    def test_six_columns_beside_the_published_ones_and_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            run = table("--duration", "660ms", "--execution", "worst", "-o", folder)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in run.stdout.splitlines()[1:]]
            self.assertEqual(lines[0][1:], COLUMNS)
            rows = {line[0]: dict(zip(COLUMNS, line[1:])) for line in lines[2:]}
            self.assertEqual(list(rows), ["bound", "max", "99 %", "90 %", "median", "mean", "jobs", "published bound", "published max", "published mean"])
            for name in COLUMNS:
                self.assertEqual(rows["jobs"][name], "120")
                values = [float(rows[row][name]) for row in ("max", "99 %", "90 %", "median")]
                self.assertEqual(values, sorted(values, reverse=True))
                self.assertEqual(rows["bound"][name] == "-", not name.startswith("fine"))
                # A camera's monolithic job takes 40 ms of every 33: the twentieth ends more than 19 x 7 ms late.
                self.assertEqual(values[0] > 40 + 19 * 6, name.startswith("monolithic"), name)
                if name.startswith("fine"):
                    self.assertLessEqual(values[0], float(rows["bound"][name]))
            page = (pathlib.Path(folder) / "table.html").read_text()
            self.assertIn("a colour for each granularity", page)
            self.assertEqual(len(list(pathlib.Path(folder).glob("*.jsonl"))), 6)

    def test_what_rta_refuses_is_said(self):
        run = table("--execution", "never")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("table-6.1: ", run.stderr)
        self.assertIn("--execution 'never'", run.stderr)


if __name__ == "__main__":
    unittest.main()
