"""Kernels whose blocks start together: no command takes them for kernels that start block by block."""

import json
import pathlib
import tempfile
import unittest

from program import ROOT, rta

SET = """platform: {{gpu: {{sms: 2, threads: 1024}}}}
tasks:
  - {{name: x, T: 100 ms, on: gpu, B: 1, H: 1024, L: 10 ms}}
  - {{name: c, T: 100 ms, on: gpu, B: 2, H: 1024, L: 1 ms, {says}}}
  - {{name: b, T: 100 ms, on: gpu, B: 1, H: 1024, L: 1 ms}}
"""
RELEASES = ["best", "offsets", "early", "completion", "segments"]


class BlocksTogether(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def file(self, says):
        path = self.folder / "set.yaml"
        path.write_text(SET.format(says=says))
        return path

    def test_clusters_without_a_time_have_no_bound_and_the_reason_says_what_helps(self):
        for release in RELEASES:
            run = rta("analyze", self.file("cluster: 2"), "--release", release)
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn("3 of 3 DAGs have no bound", run.stdout)
            self.assertIn("blocks of node 'c' start together, in clusters of 2,", run.stdout)
            self.assertIn("give its longest duration alone on the GPU (`time`), and kernels have bounds one after another", run.stdout)
            self.assertNotIn("change  ", run.stdout)  # a part of the GPU, on which a cluster does not fit, does not

    def test_by_durations_there_are_bounds(self):
        for says, bound in (("cooperative: true", 12), ("cluster: 2, time: 2 ms", 13)):
            for release in RELEASES:
                run = rta("analyze", self.file(says), "--release", release, "--format", "json")
                self.assertEqual({dag["response_bound_ns"] for dag in json.loads(run.stdout)["dags"]}, {bound * 1_000_000})

    def test_each_way_to_ask_for_bounds_by_blocks_is_refused(self):
        for asked in ("T5", "T6a", "T6b"):
            run = rta("analyze", self.file("cooperative: true"), "--release", "offsets", "--gpu-bound", asked)
            self.assertIn("blocks of node 'c' start together, all at once (a cooperative launch),", run.stdout, run.stderr)
            self.assertIn("kernels have bounds by their durations alone where the GPU has one FIFO and no time slices", run.stdout)

    def test_what_plays_a_task_set_refuses(self):
        path = self.file("cluster: 2, time: 2 ms, cooperative: true")
        for command, done in ((["simulate", path], "simulated"),
                              (["workload", path, "-o", self.folder / "program"], "made part of a generated program"),
                              (["compile", path], "put into a static schedule"),
                              (["analyze", path, "--release", "static"], "put into a static schedule")):
            run = rta(*command)
            self.assertEqual((run.returncode, run.stdout), (2, ""), command)
            self.assertRegex(run.stderr, "^rta: node '(c/)?c': ")
            self.assertIn(f"c': its blocks start together (cluster: 2, cooperative: true), and so it is not {done}; "
                          "a kernel that is known by its duration alone is (`time` in place of B, H and L)\n", run.stderr)

    def test_it_is_kept_where_files_are_written_and_drawn(self):
        path = self.file("cluster: 2, time: 2 ms, cooperative: true")
        for form in ("yaml", "json", "dot"):
            written = self.folder / f"written.{form}"
            self.assertEqual(rta("convert", path, "-o", written).returncode, 0)
            again = rta("convert", written, "--to", "yaml").stdout
            self.assertIn("cluster: 2, cooperative: true", again)
        self.assertIn("cluster: 2, cooperative: true", rta("draw", path).stdout)

    def test_the_guides_example_has_bounds(self):
        guide = (ROOT / "docs/guide-task-set.md").read_text()
        example = guide[guide.index("### Blocks that start together"):]
        path = self.folder / "guide.yaml"
        path.write_text(example.split("```yaml\n")[1].split("```")[0])
        # One after another: 1 + 0.2 + 0.1 ms.
        run = rta("analyze", path, "--release", "offsets", "--format", "json")
        self.assertEqual([dag["response_bound_ns"] for dag in json.loads(run.stdout)["dags"]], [1_300_000] * 3)
        self.assertEqual(rta("analyze", path.with_name("guide.yaml"), "-q").returncode, 0)


if __name__ == "__main__":
    unittest.main()
