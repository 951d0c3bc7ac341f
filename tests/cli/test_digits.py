"""Times as people read them: three significant digits on the safe side, one unit per result; programs get all digits."""

import fractions
import json
import pathlib
import re
import tempfile
import unittest

from program import EXAMPLE, ROOT, TASK_SETS, one_test_each, rta

NS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
# One task alone: its bound is its C.
ALONE = """platform:
  cpu: {processors: 1}
tasks:
  - {name: a, on: cpu, T: 20 ms, D: %s, C: 12549 us}
"""
IN_US = """platform:
  cpu: {processors: 1, scheduler: FIFO}
tasks:
  - {name: a, on: cpu, T: 900 us, D: 900 us, C: 12345 ns}
  - {name: b, on: cpu, T: 33 ms, D: 1000 us, C: 0.2 ms}
"""


def ns(text):
    number, unit = text.split()
    return fractions.Fraction(number) * NS[unit]


def end_to_end(text):
    """DAG -> (bound, deadline, lateness, verdict) of the table in an analysis."""
    lines = text[text.index("\nEnd to end") :].splitlines()[3:]
    rows = {}
    for line in lines:
        cells = re.split(r"  +", line.strip())
        if len(cells) != 5:
            break
        rows[cells[0]] = cells[1:]
    return rows


class ThreeDigits(unittest.TestCase):
    def row(self, deadline, *options):
        run = rta("analyze", "-", *options, stdin=ALONE % deadline)
        return end_to_end(run.stdout)["a"]

    def test_bounds_are_rounded_up_and_room_down(self):
        self.assertEqual(self.row("20 ms"), ["12.6 ms", "20 ms", "-7.45 ms", "met"])

    def test_a_bound_that_is_met_does_not_look_late(self):
        self.assertEqual(self.row("12.55 ms"), ["12.55 ms", "12.55 ms", "-0.001 ms", "met"])

    def test_a_bound_that_is_late_does_not_look_met(self):
        self.assertEqual(self.row("12.548 ms"), ["12.6 ms", "12.548 ms", "0.001 ms", "MISSED"])

    def test_all_digits_on_request(self):
        self.assertEqual(self.row("20 ms", "--all-digits"), ["12.549 ms", "20 ms", "-7.451 ms", "met"])

    def test_programs_get_all_digits(self):
        for options in ([], ["--all-digits"]):
            result = json.loads(rta("analyze", "-", "--format", "json", *options, stdin=ALONE % "20 ms").stdout)
            self.assertEqual(result["dags"][0]["response_bound_ns"], 12_549_000)
        self.assertIn("bound 12.549 ms, deadline 20 ms, lateness -7.451 ms", rta("analyze", "-", "--format", "junit", stdin=ALONE % "20 ms").stdout)

    def test_pages_and_markdown_are_for_people(self):
        for kind in ("md", "html"):
            run = rta("analyze", "-", "--format", kind, stdin=ALONE % "20 ms")
            cells = {"md": "| 12.6 ms | 20 ms | -7.45 ms |", "html": '>12.6 ms</td><td class="number">20 ms</td><td class="number">-7.45 ms</td>'}[kind]
            self.assertTrue(cells in run.stdout, kind)
            run = rta("analyze", "-", "--format", kind, "--all-digits", stdin=ALONE % "20 ms")
            self.assertTrue(cells.replace("12.6", "12.549").replace("7.45", "7.451") in run.stdout, kind)

    def test_pictures_are_for_people_and_dot_for_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            svg, dot = pathlib.Path(folder, "a.svg"), pathlib.Path(folder, "a.dot")
            run = rta("draw", "-", "-o", svg, "-o", dot, stdin=ALONE % "20 ms")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("bound 12.6 ms", svg.read_text())
            self.assertIn("bound 12.549 ms", dot.read_text())
            self.assertEqual(rta("draw", "-", "--all-digits", "-o", svg, stdin=ALONE % "20 ms").returncode, 0)
            self.assertIn("bound 12.549 ms", svg.read_text())

    def test_parts_add_up(self):
        run = rta("analyze", EXAMPLE, "--why", "camera")
        part = run.stdout[run.stdout.index("\nWhy") :].split("\n\n")[0]
        lengths = [ns(match) for match in re.findall(r"(\S+ [mun]?s)$", part, re.MULTILINE)]
        self.assertGreater(len(lengths), 2)
        self.assertEqual(sum(lengths[:-1]), lengths[-1], part)

    def test_what_was_seen_is_not_above_its_bound(self):
        run = rta("simulate", "-", "--duration", "1s", stdin=ALONE % "12.55 ms")
        line = next(line for line in run.stdout.splitlines() if line.startswith("  a "))
        self.assertEqual(set(re.findall(r"\S+ ms", line)), {"12.55 ms"}, run.stdout)


class OneUnit(unittest.TestCase):
    def test_us_stay_us(self):
        run = rta("analyze", "-", "--verbose", stdin=IN_US)
        rows = end_to_end(run.stdout)
        self.assertEqual({cell.split()[1] for row in rows.values() for cell in row[:3]}, {"us"}, run.stdout)
        self.assertEqual(rows["b"][1], "1000 us")
        self.assertNotRegex(run.stdout, r"\d (ms|ns)\b")

    def test_files_in_ns_have_the_unit_that_fits_the_periods(self):
        in_ns = IN_US.replace("33 ms", "33000000 ns").replace("900 us", "900000 ns").replace("1000 us", "1000000 ns").replace("0.2 ms", "200000 ns")
        self.assertNotIn(" ms", in_ns)
        self.assertEqual(rta("analyze", "-", stdin=in_ns).stdout, rta("analyze", "-", stdin=IN_US).stdout)

    def test_a_time_unit_is_the_unit(self):
        run = rta("analyze", "-", stdin="time_unit: us\n" + IN_US.replace(" us", ""))
        self.assertEqual(run.stdout, rta("analyze", "-", stdin=IN_US).stdout)

    def test_many_sets_share_a_unit(self):
        run = rta("analyze", "-", "--set", "b.T=33ms,34ms", stdin=IN_US)
        self.assertEqual(set(re.findall(r"\d (ns|us|ms|s)\b", run.stdout)), {"us"}, run.stdout)


@one_test_each([path for path in TASK_SETS if path.stat().st_size < 20_000], lambda path: f"{path.parent.name}_{path.stem}")
class EveryTaskSet(unittest.TestCase):
    def check(self, path):
        with tempfile.TemporaryDirectory() as folder:
            exact, shown = pathlib.Path(folder, "x.json"), pathlib.Path(folder, "x.txt")
            run = rta("analyze", path, "--all", "--time-limit", "20", "-q", "-o", exact, "-o", shown)
            self.assertIn(run.returncode, (0, 1), run.stderr)
            rows = end_to_end(shown.read_text())
            dags = {dag["name"]: dag for dag in json.loads(exact.read_text())["dags"]}
        units = set()
        for name, (bound, deadline, lateness, verdict) in rows.items():
            dag = dags[name.split(" ... ")[0]]
            R, D = (dag["response_bound_ns"], dag["deadline_ns"])
            units |= {cell.split()[1] for cell in (bound, deadline, lateness) if cell != "-"}
            if R is None:
                continue
            self.assertGreaterEqual(ns(bound), R)
            self.assertLessEqual(ns(bound), R * fractions.Fraction(101, 100))
            if D is None:
                continue
            self.assertEqual(ns(deadline), D)
            self.assertGreaterEqual(ns(lateness), R - D)
            self.assertEqual({ns(bound) <= D, ns(lateness) <= 0}, {R <= D})
            self.assertEqual(verdict, "met" if R <= D else "MISSED")
        self.assertLessEqual(len(units), 1)


if __name__ == "__main__":
    unittest.main()
