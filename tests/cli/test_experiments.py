"""Experiments of the cuda_scheduling_examiner: `rta simulate` and `rta convert` as a user meets them."""

import csv
import html
import io
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest
import xml.etree.ElementTree

from program import ROOT, opened_in_chromium, rta

LITERATURE = ROOT / "tasksets" / "literature"
EXPERIMENTS = LITERATURE / "experiments"
FIGURE_8 = EXPERIMENTS / "amert2017-table-5.yaml"


def simulated(*arguments, **options):
    run = rta("simulate", *arguments, "--format", "json", **options)
    return run, json.loads(run.stdout) if run.stdout else None


class Experiments(unittest.TestCase):
    def test_figure_8(self):
        """K8 waits for 1024 threads on one SM, and K9 waits behind it."""
        run, result = simulated(FIGURE_8)
        self.assertEqual(run.returncode, 0, run.stderr)
        starts = {row["name"]: row["start_ns"] for row in result["operations"]}
        self.assertEqual(starts["K8"], 1_100_000_000)
        self.assertEqual(starts["K9"], 1_100_000_000)
        waits = {row["name"]: row["waits"] for row in result["operations"]}
        self.assertEqual(waits["K1"], [])
        self.assertEqual(waits["K8"], [{"from_ns": 650_000_000, "to_ns": 1_100_000_000, "cause": "room", "for": [f"K{i}" for i in range(1, 8)]}])
        self.assertEqual(waits["K9"], [{"from_ns": 700_000_000, "to_ns": 1_100_000_000, "cause": "queue", "for": ["K8"]}])
        text = rta("simulate", FIGURE_8).stdout
        self.assertRegex(text, r"\n  K8 .*  room on an SM \(K1, K2, K3 and 4 more\): 0\.45 s\n  K9 .* K8, the head of the queue: 0\.4 s\n")

    def test_figures_3_9_to_3_11(self):
        """cudaDeviceSynchronize holds nobody up, the NULL stream and cudaFree do."""
        at = {}
        for figure in ("3.9", "3.10", "3.11"):
            run, result = simulated(EXPERIMENTS / f"yang2020-figure-{figure}.yaml")
            self.assertEqual(run.returncode, 0, run.stderr)
            at[figure] = {row["name"]: (row["start_ns"] // 1_000_000, row["end_ns"] // 1_000_000) for row in result["operations"]}
        self.assertEqual(at["3.9"]["cudaDeviceSynchronize"], (400, 1000))
        self.assertEqual((at["3.9"]["K4"], at["3.9"]["K3"]), ((600, 1400), (1000, 1800)))
        self.assertEqual((at["3.10"]["K3"], at["3.10"]["K4"]), ((1000, 1800), (1800, 2600)))
        self.assertEqual(at["3.11"]["cudaFree"], (400, 1000))
        self.assertEqual((at["3.11"]["K4"], at["3.11"]["K3"]), ((1000, 1800), (1000, 1800)))
        waits = {row["name"]: row["waits"] for row in result["operations"]}
        self.assertEqual(waits["K4"], [{"from_ns": 600_000_000, "to_ns": 1_000_000_000, "cause": "call", "for": ["cudaFree"]}])
        self.assertIn("cudaFree, a call that holds up others: 0.4 s", rta("simulate", EXPERIMENTS / "yang2020-figure-3.11.yaml").stdout)

    def test_every_experiment_runs_in_every_format(self):
        for path in sorted(EXPERIMENTS.glob("*.yaml")):
            for kind in ("text", "json", "csv", "html", "svg"):
                with self.subTest(path.name, kind=kind):
                    run = rta("simulate", path, "--format", kind)
                    self.assertEqual(run.returncode, 0, run.stderr)

    def test_copy_rules_make_a_difference(self):
        path = EXPERIMENTS / "amert2017-table-1.yaml"
        starts = {}
        for rules in ("amert2017", "yang2020"):
            _, result = simulated(path, "--copy-rules", rules)
            starts[rules] = {row["name"]: row["start_ns"] for row in result["operations"]}
        self.assertLess(starts["amert2017"]["K5:out"], starts["amert2017"]["K2:out"])
        self.assertGreater(starts["yang2020"]["K5:out"], starts["yang2020"]["K2:out"])

    def test_options_that_an_experiment_would_ignore(self):
        for option in ("--search 1s", "--search-runs 5", "--phase a=1s", "--random-phases", "--jitter 1", "--duration 1s",
                       "--release completion", "--scheduler FIFO", "--non-preemptive", "--priorities node", "--streams per-task"):
            with self.subTest(option):
                run = rta("simulate", FIGURE_8, *option.split())
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(f"{option.split()[0]} does not apply to an experiment", run.stderr)

    def test_cut_short_before_anything_ran(self):
        path = EXPERIMENTS / "amert2017-table-1.yaml"
        run = rta("simulate", path, "--time-limit", "0s")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertTrue(run.stdout.startswith("time limit: 0 of "), run.stdout)
        self.assertRegex(run.stdout, r"\n  K4 +S2 +tx2 +0\.585 s +- +-\n")
        _, whole = simulated(path)
        _, cut = simulated(path, "--time-limit", "0s")
        rows = list(csv.DictReader(io.StringIO(rta("simulate", path, "--time-limit", "0s", "--format", "csv").stdout)))
        for row, all_of_it, line in zip(cut["operations"], whole["operations"], rows):
            self.assertEqual((row["start_ns"], row["end_ns"]), (None, None))
            self.assertEqual((line["start_ns"], line["end_ns"]), ("", ""))
            # Unless it waits for an operation that has not run.
            self.assertIn(row["issued_ns"], (None, all_of_it["issued_ns"]))

    def test_issued_as_the_trace_says(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in sorted(EXPERIMENTS.glob("*.yaml")):
                trace = pathlib.Path(folder, "t.jsonl")
                _, result = simulated(path, "--trace", trace)
                records = [json.loads(line) for line in trace.read_text().splitlines()]
                jobs = {r["node"]: (r["release_ns"], r["start_ns"], r["end_ns"]) for r in records if r.get("t") == "job"}
                shown = {row["name"]: (row["issued_ns"], row["start_ns"], row["end_ns"]) for row in result["operations"]}
                self.assertEqual(shown, jobs, path.name)


class Convert(unittest.TestCase):
    maxDiff = None
    CONFIGURATION = {
        "max_iterations": 1,
        "benchmarks": [
            {"filename": "./bin/timer_spin.so", "label": "K 1", "thread_count": 512, "block_count": 6, "additional_info": 1000000000},
            {"filename": "./bin/timer_spin.so", "label": "K 2", "thread_count": 1024, "block_count": 1, "additional_info": 1000000000,
             "release_time": 0.25},
        ],
    }

    def test_converts_and_simulates(self):
        run = rta("convert", "-", stdin=json.dumps(self.CONFIGURATION))
        self.assertEqual(run.returncode, 0, run.stderr)
        _, result = simulated("-", stdin=run.stdout)
        # Three blocks of 512 on each SM leave 512 threads: K 2 waits for the end of K 1.
        self.assertEqual([(row["name"], row["start_ns"]) for row in result["operations"]], [("K_1", 0), ("K_2", 1_000_000_000)])

    def test_a_configuration_with_streams_priorities_and_delays(self):
        """All that a file usually says: what does not change the schedule is left out, sizes are in 32-bit words, seconds become instants."""
        configuration = {
            "name": "Priorities", "max_iterations": 1, "max_time": 0, "use_processes": False, "cuda_device": 0, "pin_cpus": True,
            "do_warmup": True, "base_result_directory": "./results", "comment": "two streams of low priority, one of high",
            "benchmarks": [
                {"filename": "./bin/timer_spin.so", "log_name": "1.json", "label": "low", "thread_count": 1024, "block_count": 6, "data_size": 0,
                 "additional_info": {"duration": 500000000, "use_clock64": False}, "max_iterations": 2, "cpu_core": 2},
                {"filename": "./bin/timer_spin.so", "log_name": "2.json", "label": "high", "thread_count": 256, "block_count": 2, "data_size": 0,
                 "additional_info": 100000000, "stream_priority": -1, "release_time": 0.2},
                {"filename": "./bin/sharedmem_timer_spin.so", "log_name": "3.json", "label": "shared", "thread_count": 128, "block_count": 4,
                 "data_size": 0, "additional_info": {"shared_memory_size": 4096, "duration": 250000000}, "release_time": 0.3},
            ],
        }
        run = rta("convert", "-", "--device", "tx2", stdin=json.dumps(configuration))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(run.stdout, """# From <stdin>, a configuration of the cuda_scheduling_examiner.
platform:
  gpu: {device: tx2}
experiment:
  - {kernel: low.1, on: gpu, stream: S1, at: 0 ns, B: 6, H: 1024, L: 500 ms}
  - {kernel: high, on: gpu, stream: S2, at: 200 ms, B: 2, H: 256, L: 100 ms, priority: high}
  - {kernel: shared, on: gpu, stream: S3, at: 300 ms, B: 4, H: 128, L: 250 ms, shared_memory: 16 KiB}
  - {kernel: low.2, on: gpu, stream: S1, at: 0 ns, B: 6, H: 1024, L: 500 ms, after: [low.1]}
""")

    def test_a_configuration_with_copies_and_barriers(self):
        configuration = {
            "name": "Copies", "max_iterations": 2, "use_processes": False, "cuda_device": 0, "sync_every_iteration": True,
            "benchmarks": [
                {"filename": "./bin/multikernel.so", "log_name": "1.json", "label": "pipeline", "thread_count": 1, "block_count": 1, "data_size": 0,
                 "additional_info": [
                     {"kernel_label": "load", "thread_count": 512, "block_count": 2, "duration": 1000000, "copy_in_count": 327680},
                     {"kernel_label": "store", "thread_count": 96, "block_count": 1, "duration": 2000000, "copy_out_count": 163840, "delay": 0.05},
                 ]},
                {"filename": "./bin/timer_spin_default_stream.so", "log_name": "2.json", "label": "null", "thread_count": 32, "block_count": 1,
                 "data_size": 0, "additional_info": 3000000},
            ],
        }
        run = rta("convert", "-", "--device", "tx2", "--copy-rate", "1280", stdin=json.dumps(configuration))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        # 1.25 MiB and 0.625 MiB at 1280 MiB/s are 976562.5 ns and 488281.25 ns; the second iteration waits for both benchmarks.
        self.assertEqual(run.stdout, """# From <stdin>, a configuration of the cuda_scheduling_examiner.
platform:
  gpu: {device: tx2}
  copy: {engines: 1}
experiment:
  - {copy: "load.1:in", on: copy, stream: S1, at: 0 ns, C: 976563 ns, direction: h2d}
  - {kernel: load.1, on: gpu, stream: S1, at: 0 ns, B: 2, H: 512, L: 1 ms}
  - {kernel: store.1, on: gpu, stream: S1, at: 0 ns, B: 1, H: 96, L: 2 ms, after: [load.1], delay: 50 ms}
  - {copy: "store.1:out", on: copy, stream: S1, at: 0 ns, C: 488282 ns, direction: d2h, after: [load.1], delay: 50 ms}
  - {kernel: null.1, on: gpu, stream: "NULL", at: 0 ns, B: 1, H: 32, L: 3 ms}
  - {copy: "load.2:in", on: copy, stream: S1, at: 0 ns, C: 976563 ns, direction: h2d, after: ["store.1:out", null.1]}
  - {kernel: load.2, on: gpu, stream: S1, at: 0 ns, B: 2, H: 512, L: 1 ms, after: ["store.1:out", null.1]}
  - {kernel: store.2, on: gpu, stream: S1, at: 0 ns, B: 1, H: 96, L: 2 ms, after: [load.2], delay: 50 ms}
  - {copy: "store.2:out", on: copy, stream: S1, at: 0 ns, C: 488282 ns, direction: d2h, after: [load.2], delay: 50 ms}
  - {kernel: null.2, on: gpu, stream: "NULL", at: 0 ns, B: 1, H: 32, L: 3 ms, after: ["store.1:out", null.1]}
""")

    PROCESSES = {
        "max_iterations": 1, "use_processes": True,
        "benchmarks": [
            {"filename": "./bin/timer_spin.so", "label": "a", "thread_count": 32, "block_count": 1, "additional_info": 3000000},
            {"filename": "./bin/timer_spin_default_stream.so", "label": "b", "thread_count": 32, "block_count": 1, "additional_info": 3000000}]}

    def test_processes_share_the_gpu_by_time_slices(self):
        run = rta("convert", "-", "--device", "tx2", "--slice", "1ms", "--switch", "100us", stdin=json.dumps(self.PROCESSES))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(run.stdout, """# From <stdin>, a configuration of the cuda_scheduling_examiner.
platform:
  gpu: {device: tx2, sharing: {slice: 1 ms, switch: 100 us}}
experiment:
  - {kernel: a, on: gpu, process: P1, stream: S1, at: 0 ns, B: 1, H: 32, L: 3 ms}
  - {kernel: b, on: gpu, process: P2, stream: S2, at: 0 ns, B: 1, H: 32, L: 3 ms}
""")
        # Slices of 1 ms in turn, 0.1 ms before each: a has 0.1-1.1, 2.3-3.3 and 4.5-5.5 ms, b 1.2-2.2, 3.4-4.4 and 5.6-6.6 ms.
        _, result = simulated("-", stdin=run.stdout)
        self.assertEqual([(row["name"], row["end_ns"]) for row in result["operations"]], [("a", 5_500_000), ("b", 6_600_000)])

    def test_processes_without_their_slices_are_asked_for_them(self):
        for given in ((), ("--slice", "1ms"), ("--switch", "1us")):
            run = rta("convert", "-", "--device", "tx2", *given, stdin=json.dumps(self.PROCESSES))
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("use_processes: kernels of separate address spaces share the GPU in time slices: give --slice and --switch", run.stderr)
        one = self.PROCESSES | {"use_processes": False}
        run = rta("convert", "-", "--device", "tx2", "--slice", "1ms", stdin=json.dumps(one))
        self.assertEqual(run.returncode, 2)
        self.assertIn("--slice and --switch are of processes that share the GPU", run.stderr)
        copies = json.loads(json.dumps(self.PROCESSES))
        copies["benchmarks"][0] = {"filename": "multikernel.so", "label": "m", "additional_info": [
            {"kernel_label": "K", "thread_count": 32, "block_count": 1, "duration": 1000, "copy_in_count": 4}]}
        run = rta("convert", "-", "--device", "tx2", "--slice", "1ms", "--switch", "1us", stdin=json.dumps(copies))
        self.assertEqual(run.returncode, 2)
        self.assertIn("kernel 'K': copies of separate processes: how the copy engines serve them is not known", run.stderr)

    def test_processes_and_masks_are_refused_each_by_name(self):
        configuration = {
            "max_iterations": 1, "max_time": 5.0, "use_processes": True,
            "benchmarks": [
                {"filename": "./bin/timer_spin.so", "label": "a", "thread_count": 32, "block_count": 1, "additional_info": 1, "mps_thread_percentage": 50},
                {"filename": "./bin/timer_spin.so", "label": "b", "thread_count": 32, "block_count": 1, "additional_info": 1, "sm_mask": "0x1"},
            ],
        }
        run = rta("convert", "-", stdin=json.dumps(configuration))
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        for message in ("use_processes: ", "max_time: ", "kernel 'a': mps_thread_percentage: ", "kernel 'b': sm_mask: "):
            self.assertIn(message, run.stderr)

    def test_names_what_it_cannot_convert(self):
        wrong = json.loads(json.dumps(self.CONFIGURATION))
        wrong["benchmarks"][1]["filename"] = "./bin/mandelbrot.so"
        run = rta("convert", "-", stdin=json.dumps(wrong))
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stdout, "")
        self.assertIn("kernel 'K 2': 'mandelbrot' has no fixed duration", run.stderr)


# Runs in the page after it has drawn: zooms with Ctrl and the wheel, looks for a tooltip, and leaves what it saw in the document.
PROBE = """<script>
setTimeout(function () {
  var view = window.rtaViews[0], canvas = document.querySelector('canvas'), box = canvas.getBoundingClientRect();
  var before = view.signal('domainX').slice();
  var at = function (type, x, y, more) {
    var kinds = {wheel: WheelEvent, pointermove: PointerEvent, pointerover: PointerEvent};
    return new (kinds[type] || MouseEvent)(type, Object.assign({bubbles: true, cancelable: true, clientX: box.left + x, clientY: box.top + y}, more));
  };
  canvas.dispatchEvent(at('wheel', box.width / 2, 40, {deltaY: -500, ctrlKey: true}));
  view.runAsync().then(function () {
    var after = view.signal('domainX');
    document.body.dataset.zoomed = (after[1] - after[0]) < (before[1] - before[0]);
    var tip = document.getElementById('vg-tooltip-element'), seen = false;
    for (var x = 60; x < box.width && !seen; x += 7) for (var y = 5; y < box.height && !seen; y += 7) {
      ['pointermove', 'mousemove', 'pointerover', 'mouseover'].forEach(function (type) { canvas.dispatchEvent(at(type, x, y)); });
      seen = tip.style.visibility === 'visible' && tip.textContent.indexOf('waits for') >= 0;
    }
    document.body.dataset.tooltip = seen;
    document.body.dataset.bars = view.data('bars').length;
  });
}, 300);
</script></body>"""


class Page(unittest.TestCase):
    @unittest.skipUnless(shutil.which("chromium"), "needs chromium")
    def test_draws_zooms_and_shows_tooltips_without_network(self):
        html = rta("simulate", FIGURE_8, "--format", "html").stdout
        for address in ("<script src", 'href="http', "url("):
            self.assertFalse(address in html.split("var vega =")[0], f"the page refers to {address}")
        document = opened_in_chromium(html.replace("</body>", PROBE))
        body = document[document.find("<body"):][:300]
        # Nine blocks, of which K8's stands in two places, and K8's and K9's waits.
        for seen in ('data-bars="12"', 'data-zoomed="true"', 'data-tooltip="true"'):
            self.assertIn(seen, body)


# What a page writes, and where from left to right, and how far from the top.
WRITTEN = """<script>
  window.written = [];
  var write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    var at = this.getTransform(), width = this.measureText(text).width, left = x - (this.textAlign === 'right' ? width : this.textAlign === 'center' ? width / 2 : 0);
    window.written.push([text, at.a * left + at.e, at.a * (left + width) + at.e, at.d * y + at.f]);
    write.apply(this, arguments);
  };
</script>"""
AGAIN = """<script>setTimeout(function look() {
  var frame = document.querySelector('iframe').contentWindow;
  if (!frame.rtaViews || !frame.rtaViews[0]) return setTimeout(look, 200);
  frame.written = [];
  var view = frame.rtaViews[0];
  view.signal('width', view.signal('width') - 1).runAsync().then(function () { document.body.textContent = 'seen ' + JSON.stringify(frame.written) + ' end'; });
}, 2000);</script>"""


class Phone(unittest.TestCase):
    @unittest.skipUnless(shutil.which("chromium"), "needs chromium")
    def test_launches_that_stand_close_are_not_written_over_one_another_and_rows_keep_their_names(self):
        page = rta("simulate", FIGURE_8, "--format", "html").stdout.replace("<head>", "<head>" + WRITTEN, 1)
        frame = f'<iframe style="width: 360px; height: 900px" srcdoc="{html.escape(page)}"></iframe>'
        document = opened_in_chromium(f"<!DOCTYPE html><html><head></head><body>{frame}{AGAIN}</body></html>")
        written = json.loads(html.unescape(re.search(r"seen (\[.*\]) end", document)[1]))
        self.assertIn("tx2 EE queue, high", [text for text, *_ in written])
        overlaps = [(one[0], other[0]) for i, one in enumerate(written) for other in written[i + 1:]
                    if abs(one[3] - other[3]) < 4 and min(one[2], other[2]) - max(one[1], other[1]) > 1]
        self.assertEqual(overlaps, [])
        legend = [[one[3] for one in written if one[0] == name][0] for name in ("K1", "K2", "K3")]
        self.assertLess(len(set(legend)), 3)  # not a line for each


# Leaves in the document how many labels overlap another or leave the figure.
OVERLAPS = """<script>
setTimeout(function () {
  var bad = [];
  document.querySelectorAll('svg').forEach(function (svg) {
    var all = svg.getBoundingClientRect();
    var boxes = Array.from(svg.querySelectorAll('text')).map(function (text) { return [text.textContent, text.getBoundingClientRect()]; });
    boxes.forEach(function (a, i) {
      if (a[1].left < all.left - 1 || a[1].right > all.right + 1) bad.push(a[0] + ' outside');
      boxes.slice(0, i).forEach(function (b) {
        var x = Math.min(a[1].right, b[1].right) - Math.max(a[1].left, b[1].left), y = Math.min(a[1].bottom, b[1].bottom) - Math.max(a[1].top, b[1].top);
        if (x > 1 && y > 4) bad.push(a[0] + ' on ' + b[0]);
      });
    });
  });
  document.body.dataset.figures = document.querySelectorAll('svg').length;
  document.body.dataset.bad = bad.join('; ');
}, 300);
</script></body>"""


class Figures(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_svg_says_what_it_was_made_of_and_each_bar_what_it_waits_for(self):
        figure = self.folder / "a.svg"
        run = rta("simulate", FIGURE_8, "-o", figure)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
        root = xml.etree.ElementTree.fromstring(figure.read_text())
        space = "{http://www.w3.org/2000/svg}"
        self.assertEqual(root.find(f"{space}title").text, FIGURE_8.name)
        self.assertIn("SHA-256", root.find(f"{space}desc").text)
        kinds = [bar.get("class") for bar in root.iter(f"{space}rect") if bar.get("class")]
        self.assertEqual({kind: kinds.count(kind) for kind in kinds}, {"runs": 10, "blocked": 1, "waits": 1})
        self.assertEqual(len([mark for mark in root.iter(f"{space}path") if mark.get("class") == "release"]), 9)
        titles = [bar.find(f"{space}title").text for bar in root.iter(f"{space}rect") if bar.get("class") == "waits"]
        self.assertIn("waits for K8, the head of the queue: 0.4 s", titles[0])

    @unittest.skipUnless(shutil.which("rsvg-convert"), "needs rsvg-convert")
    def test_pdf_and_png(self):
        run = rta("simulate", FIGURE_8, "-o", self.folder / "a.pdf", "-o", self.folder / "a.png")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
        self.assertTrue((self.folder / "a.pdf").read_bytes().startswith(b"%PDF-"))
        picture = (self.folder / "a.png").read_bytes()
        self.assertTrue(picture.startswith(b"\x89PNG"))
        self.assertEqual(int.from_bytes(picture[16:20], "big"), 2000)

    def test_without_rsvg_convert_nothing_is_written(self):
        environment = {**os.environ, "PATH": str(self.folder)}
        run = rta("simulate", FIGURE_8, "-o", self.folder / "a.svg", "-o", self.folder / "a.pdf", env=environment)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("rsvg-convert is missing (Debian: librsvg2-bin)", run.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual(rta("simulate", FIGURE_8, "-o", self.folder / "a.svg", env=environment).returncode, 0)

    @unittest.skipUnless(shutil.which("chromium"), "needs chromium")
    def test_no_label_overlaps_another(self):
        sets = [*sorted(EXPERIMENTS.glob("*.yaml")), ROOT / "tasksets/examples/pedestrian.yaml", ROOT / "tasksets/examples/cameras.yaml"]
        figures = []
        for path in sets:
            run = rta("simulate", path, "--format", "svg", "--quiet")
            self.assertIn(run.returncode, (0, 1), run.stderr)
            figures.append(run.stdout)
        document = opened_in_chromium(f"<!DOCTYPE html><html><head></head><body>{''.join(figures)}{OVERLAPS}</html>")
        body = document[document.find("<body"):].split(">", 1)[0]
        self.assertIn(f'data-figures="{len(sets)}"', body)
        self.assertIn('data-bad=""', body)

    def test_names_that_try_to_be_markup(self):
        name = "</script><b>\\'"
        experiment = f"""platform:
  gpu: {{sms: 1, threads: 1024}}
experiment:
  - {{kernel: {json.dumps(name)}, on: gpu, stream: {json.dumps(name)}, at: 0 s, B: 1, H: 1024, L: 1 ms}}
  - {{kernel: b, on: gpu, stream: {json.dumps(name)}, at: 0 s, B: 1, H: 1024, L: 1 ms}}
"""
        run = rta("simulate", "-", "--format", "svg", stdin=experiment)
        self.assertNotIn("<b>", run.stdout)
        xml.etree.ElementTree.fromstring(run.stdout)
        page = rta("simulate", "-", "--format", "html", stdin=experiment).stdout
        self.assertNotIn("</script><b>", page)


if __name__ == "__main__":
    unittest.main()
