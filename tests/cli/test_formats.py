"""docs/formats.md: every key that a command prints is there, numbers are numbers, and every result says what it was made of."""

import csv
import hashlib
import html
import io
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from program import EXAMPLE, ROOT, one_test_each, rta

FORMATS = (ROOT / "docs/formats.md").read_text()
HOL = sorted((ROOT / "tasksets/literature/experiments").glob("*.yaml"))[0]
GRAPH = ROOT / "tasksets/static/cpu_gpu.yaml"
# Everything that analyze says something of: chains, nodes' own deadlines, a GPU, missed deadlines.
SET = """platform:
  cpu: {processors: 2, scheduler: FP}
  gpu: {device: tx2}
dags:
  - {name: camera, T: 30 ms, D: 20 ms, nodes: {take: {on: cpu, C: 9 ms}, detect: {on: gpu, B: 4, H: 256, L: 2 ms, D: 25 ms}}, edges: [take -> detect]}
  - {name: plan, T: 50 ms, D: 3 ms, nodes: {plan: {on: cpu, C: 4 ms}}}
chains:
  - {name: react, stages: [camera, plan], reaction: 500 ms, age: 500 ms}
"""
# Objects whose keys are whatever a file, a user or a device calls things, by the key that holds them.
FREE = {"details", "groups"}


def documented(section):
    """Words in code spans below that heading, up to the next."""
    text = FORMATS.split(f"\n## {section}\n", 1)[1].split("\n## ", 1)[0]
    return {word for span in re.findall(r"`([^`]+)`", text) for word in (span, *re.split(r"[ ,{}]+", span))}


def members(value, holder=None, path=""):
    """All keys with their values; `holder` is the key that holds the object."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner, f"{path}/{key}"
            if key not in FREE and not (key == "options" and isinstance(inner, dict)):
                yield from members(inner, key, f"{path}/{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from members(inner, holder, path)


class InAFolder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.set = self.folder / "set.yaml"
        self.set.write_text(SET)


# What prints JSON or CSV: its section, its arguments. {set}: a file with SET, {trace}: a trace of it.
RESULTS = [
    ("rta analyze", ("analyze", "{set}", "--why", "camera", "--slack", "--largest-rate", "camera", "--explain", "camera/detect", "--time-limit", "5")),
    ("rta analyze", ("analyze", EXAMPLE, "--release", "offsets", "--suggest", "--certificate", "{folder}/a.cert")),
    ("rta analyze", ("analyze", ROOT / "tasksets/literature/hog-like.yaml", "--release", "segments")),
    ("rta analyze, several task sets", ("analyze", "{set}", EXAMPLE, "--largest-rate", "camera")),
    ("rta optimize", ("optimize", ROOT / "tasksets/optimize/cameras-composite.yaml")),
    ("rta simulate", ("simulate", "{set}", "--duration", "200ms")),
    ("rta simulate", ("simulate", EXAMPLE, "--duration", "100ms", "--search-runs", "3")),
    ("rta simulate", ("simulate", HOL)),
    ("rta compare, rta run", ("compare", "{trace}", "{set}")),
    ("rta diff", ("diff", "{before}", "{after}")),
    ("rta compile", ("compile", GRAPH, "--effort", "1")),
    ("rta compile", ("compile", GRAPH, "--check", "{schedule}")),
    ("rta lint", ("lint", ROOT / "tasksets/examples/camera.cu", "--no-clang", "--allowed")),
    ("rta lint", ("lint", "--rules")),
    ("rta workload --doctor", ("workload", "--doctor")),
]
NO_CSV = {"lint", "optimize", "workload"}


@one_test_each(enumerate(RESULTS), lambda case: f"{case[0]:02}_{case[1][1][0]}")
class Keys(InAFolder):
    def check(self, case):
        section, arguments = case[1]
        known = documented(section) | documented("Evidence")
        rta("simulate", self.set, "--duration", "100ms", "--trace", self.folder / "trace.jsonl")
        rta("compile", GRAPH, "--effort", "1", "-o", self.folder / "schedule.yaml")
        names = {"set": self.set, "folder": self.folder, "trace": self.folder / "trace.jsonl", "schedule": self.folder / "schedule.yaml",
                 "before": self.folder / "before.json", "after": self.folder / "after.json"}
        if arguments[0] == "diff":
            rta("analyze", self.set, "-o", names["before"])
            rta("analyze", EXAMPLE, "--release", "segments", "-o", names["after"])
        arguments = [str(argument).format(**names) for argument in arguments]
        run = rta(*arguments, "--format", "json")
        self.assertLess(run.returncode, 2, run.stderr)
        result = json.loads(run.stdout)
        for key, value, path in members(result):
            self.assertIn(key, known, path)
            if key.endswith("_ns"):
                self.assertTrue(value is None or isinstance(value, float if key == "observed_mean_ns" else int), path)
            if isinstance(value, str) and not path.startswith("/evidence"):
                self.assertIsNone(re.fullmatch(r"[-+]?\d+(\.\d+)?( (ns|us|ms|s))?", value), path)
        self.assertEqual(result["evidence"]["command"], arguments[0])
        self.assertEqual(next(iter(result)), "evidence")
        if arguments[0] in NO_CSV:
            return
        run = rta(*arguments, "--format", "csv")
        rows = list(csv.reader(io.StringIO(run.stdout, newline="")))
        for column in rows[0]:
            self.assertIn(column, known)
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertEqual(rows[0][-1], "evidence")
        self.assertEqual(len({row[-1] for row in rows[1:]}), 1)
        for file in result["evidence"]["inputs"]:
            self.assertIn(file["sha256"], rows[1][-1])


class Evidence(InAFolder):
    def test_of_every_format(self):
        sha256 = hashlib.sha256(self.set.read_bytes()).hexdigest()
        files = [self.folder / f"result.{extension}" for extension in ("json", "csv", "html", "txt")]
        words = [word for file in files for word in ("-o", str(file))] + ["--release", "completion", "--evidence"]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "951782400"}  # 2000-02-29
        rta("analyze", self.set, *words, env=environment)
        evidence = json.loads(files[0].read_text())["evidence"]
        self.assertEqual(evidence["inputs"], [{"file": str(self.set), "sha256": sha256}])
        self.assertEqual(evidence["options"], [str(self.set), *words])
        self.assertEqual((evidence["version"], evidence["date"]), (rta("--version").stdout.split()[1], "2000-02-29"))
        for file in files:
            text = html.unescape(file.read_text())
            self.assertIn(sha256, text)
            self.assertIn("2000-02-29", text)
            self.assertIn("--release completion --evidence" if file.suffix != ".json" else '"--evidence"', text)
        before = [file.read_bytes() for file in files]
        rta("analyze", self.set, *words, env=environment)
        self.assertEqual([file.read_bytes() for file in files], before)

    def test_text_carries_it_on_request_only(self):
        self.assertNotIn("SHA-256", rta("analyze", self.set).stdout)

    def test_the_commit_is_that_of_the_sources(self):
        commit = json.loads(rta("analyze", EXAMPLE, "--format", "json").stdout)["evidence"]["commit"]
        top = subprocess.run(["git", "-C", ROOT, "rev-parse", "--show-toplevel"], capture_output=True, text=True)
        if top.returncode == 0 and pathlib.Path(top.stdout.strip()) == ROOT:
            self.assertRegex(commit, r"^[0-9a-f]{40}(-dirty)?$")
        else:
            self.assertIsNone(commit)

    def test_standard_input_counts_as_it_was_read(self):
        result = json.loads(rta("analyze", "-", "--format", "json", stdin=SET).stdout)
        self.assertEqual(result["evidence"]["inputs"], [{"file": "<stdin>", "sha256": hashlib.sha256(SET.encode()).hexdigest()}])

    def test_traces_count_to_their_end(self):
        trace = self.folder / "trace.jsonl"
        rta("simulate", self.set, "--duration", "100ms", "--trace", trace)
        result = json.loads(rta("compare", trace, self.set, "--format", "json").stdout)
        expected = [{"file": str(file), "sha256": hashlib.sha256(file.read_bytes()).hexdigest()} for file in (self.set, trace)]
        self.assertEqual(result["evidence"]["inputs"], expected)
        piped = json.loads(rta("compare", "-", self.set, "--format", "json", stdin=trace.read_bytes()).stdout)
        self.assertEqual(piped["evidence"]["inputs"], [expected[0], {**expected[1], "file": "<stdin>"}])

    def test_a_folder_counts_as_what_sha256sum_prints(self):
        sources = self.folder / "sources"
        sources.mkdir()
        for name in ("a.cu", "b.cu"):
            (sources / name).write_text(f"void {name[0]}() {{}}\n")
        result = json.loads(rta("lint", sources, "--no-clang", "--format", "json").stdout)
        lines = subprocess.run("sha256sum a.cu b.cu", shell=True, cwd=sources, capture_output=True, check=True).stdout
        self.assertEqual(result["evidence"]["inputs"], [{"file": str(sources), "sha256": hashlib.sha256(lines).hexdigest()}])

    def test_a_date_that_is_none_is_refused(self):
        for epoch in ("yesterday", "-1", "1e9", "", "253402300800"):
            run = rta("analyze", self.set, env={**os.environ, "SOURCE_DATE_EPOCH": epoch})
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("SOURCE_DATE_EPOCH", run.stderr)


class TracesAndTheirFiles(InAFolder):
    def setUp(self):
        super().setUp()
        self.trace = self.folder / "trace.jsonl"
        rta("simulate", self.set, "--duration", "100ms", "--trace", self.trace)

    def test_all_keys_are_documented(self):
        known = documented("Traces")
        for line in self.trace.read_text().splitlines():
            for key in json.loads(line):
                self.assertIn(key, known | {"scheduler"})

    def test_a_comment_does_not_part_them(self):
        self.set.write_text("# As of Monday.\n" + SET.replace("T: 30 ms", "T: 30000 us  "))
        run = rta("compare", self.trace, self.set)
        self.assertLess(run.returncode, 2, run.stderr)

    def test_another_number_does(self):
        self.set.write_text(SET.replace("C: 9 ms", "C: 8 ms"))
        run = rta("compare", self.trace, self.set)
        self.assertEqual(run.returncode, 2)
        self.assertIn("is a trace of another task set", run.stderr)


if __name__ == "__main__":
    unittest.main()
