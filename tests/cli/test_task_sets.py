"""Every task set of tasksets/ in every format."""

import csv
import io
import json
import unittest

from program import EXAMPLE, ROOT, TASK_SETS, one_test_each, rta

VERDICTS = {"schedulable": 0, "deadline-missed": 1, "unbounded": 1}


class Shipped(unittest.TestCase):
    def test_there_are_examples_and_literature(self):
        folders = {path.relative_to(ROOT / "tasksets").parts[0] for path in TASK_SETS}
        self.assertEqual(folders, {"examples", "literature"})
        self.assertIn(EXAMPLE, TASK_SETS)


@one_test_each(TASK_SETS, lambda path: str(path.relative_to(ROOT / "tasksets")))
class TaskSets(unittest.TestCase):
    def check(self, path):
        run = rta("analyze", path, "--format", "json")
        self.assertNotIn("error", run.stderr)
        result = json.loads(run.stdout)
        verdict = result["verdict"]
        self.assertEqual(run.returncode, VERDICTS[verdict])
        self.check_consistent(result)

        text = rta("analyze", path, "--verbose")
        self.assertEqual(text.returncode, run.returncode)
        self.assertEqual(text.stdout.split(":", 1)[0], verdict, "the verdict comes first")
        for dag in result["dags"]:
            self.assertIn(dag["name"].split("[")[0], text.stdout)

        rows = rta("analyze", path, "--format", "csv")
        self.assertEqual(rows.returncode, run.returncode)
        table = [row for row in csv.DictReader(io.StringIO(rows.stdout)) if row["dag"]]  # below them are chains
        self.assertEqual(
            [(row["dag"], row["node"], row["response_bound_ns"]) for row in table],
            [
                (dag["name"], node["name"], "" if node["response_bound_ns"] is None else str(node["response_bound_ns"]))
                for dag in result["dags"]
                for node in dag["nodes"]
            ],
        )

    def check_consistent(self, result):
        """What must hold between the numbers of any result."""
        bounded = all(node["response_bound_ns"] is not None for dag in result["dags"] for node in dag["nodes"])
        self.assertEqual(result["verdict"] == "unbounded", not bounded)
        for dag in result["dags"]:
            on_completion = dag["release"] == "completion"  # bounds then count from the DAG's release
            ends = [
                (0 if on_completion else node["offset_ns"]) + node["response_bound_ns"]
                for node in dag["nodes"]
                if node["response_bound_ns"] is not None and (on_completion or node["offset_ns"] is not None)
            ]
            if len(ends) == len(dag["nodes"]):
                self.assertEqual(dag["response_bound_ns"], max(ends), dag["name"])
            else:
                self.assertIsNone(dag["response_bound_ns"], dag["name"])
                self.assertFalse(dag["meets_deadline"], dag["name"])
        if bounded:
            met = all(dag["deadline_ns"] is None or dag["response_bound_ns"] <= dag["deadline_ns"] for dag in result["dags"])
            self.assertEqual(result["verdict"], "schedulable" if met else "deadline-missed")
        for pool in result["pools"]:
            self.assertTrue(pool["explanation"], pool["name"])


if __name__ == "__main__":
    unittest.main()
