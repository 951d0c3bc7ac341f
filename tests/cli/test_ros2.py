"""convert: traces of ROS 2, as folders that babeltrace2 prints and as what it prints; from the sample to bounds."""

import gzip
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

from program import ROOT, rta
from ros2_robot import Robot

SAMPLE = ROOT / "tests/data/caret_demos/end_to_end_sample"
ARCHITECTURE = ROOT / "tests/data/caret_demos/architecture.yaml"
TEXT = ROOT / "tasksets/imports/end-to-end-sample.txt.gz"


def without_its_name(run):
    return re.sub(r"^# From .*", "", run.stdout)


THREAD = '{ cpu_id = 1 }, { vpid = 100, procname = "p", vtid = 100 }'


def one_timer(jobs, kernel, period_ms=100, every_ms=100):
    """A timer whose callback takes 20 ms by the clock; `kernel(start)`: (ms, event) within each job."""
    def line(ms, event):
        return f"[10:00:{ms // 1000:02}.{ms % 1000:03}000000] (+0.000001000) robot {event}\n"

    lines = [(0, f'ros2:rcl_node_init: {THREAD}, {{ node_handle = 0x10, rmw_handle = 0x1, node_name = "n", namespace = "/" }}'),
             (0, f"ros2:rcl_timer_init: {THREAD}, {{ timer_handle = 0xA0, period = {period_ms}000000 }}"),
             (0, f"ros2:rclcpp_timer_callback_added: {THREAD}, {{ timer_handle = 0xA0, callback = 0xA1 }}"),
             (0, f"ros2:rclcpp_timer_link_node: {THREAD}, {{ timer_handle = 0xA0, node_handle = 0x10 }}")]
    for start in range(1, jobs * every_ms, every_ms):
        lines += [(start, f"ros2:callback_start: {THREAD}, {{ callback = 0xA1, is_intra_process = 0 }}"), *kernel(start),
                  (start + 20, f"ros2:callback_end: {THREAD}, {{ callback = 0xA1 }}")]
    return "".join(line(*each) for each in lines)


def switch(before, after):
    return f'sched_switch: {{ cpu_id = 1 }}, {{ prev_comm = "p", prev_tid = {before}, prev_prio = 20, prev_state = 0, next_comm = "x", next_tid = {after}, next_prio = 20 }}'


class ThreadsOfCallbackGroups(unittest.TestCase):
    """--thread-config and --to callback-isolated."""

    SET = ("platform: {robot: {processors: 2, scheduler: multi-threaded}}\ndags:\n"
           "  - {name: lidar.timer, T: 100 ms, nodes: {lidar.timer: {on: robot, C: 12 ms, group: lidar}}}\n")
    GROUPS = "callback_groups:\n  - {id: /lidar@Timer(100000000), affinity: [4], policy: SCHED_DEADLINE, runtime: 5000000, deadline: 10000000, period: 10000000, priority: 3}\n"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.groups = pathlib.Path(folder.name, "threads.yaml")
        self.groups.write_text(self.GROUPS)

    def test_there_and_back(self):
        run = rta("convert", "-", "--thread-config", self.groups, stdin=self.SET)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("lidar-cpu4: {processors: 1, scheduler: wait-set, preemptive: false, reservation: {runtime: 5 ms, period: 10 ms}}", run.stdout)
        self.assertIn("threads.yaml:2:140: priority: has no effect with SCHED_DEADLINE", run.stderr)
        self.assertIn("schedulable", rta("analyze", "-", stdin=run.stdout).stdout)
        back = rta("convert", "-", "--thread-config", self.groups, "--to", "callback-isolated", stdin=run.stdout)
        self.assertEqual(back.returncode, 0, back.stderr)
        self.assertIn("# - pool 'lidar-cpu4' is on processor 4, the number at its end\n", back.stdout)
        self.groups.write_text(back.stdout)
        again = rta("convert", "-", "--thread-config", self.groups, stdin=self.SET)
        self.assertEqual(without_its_name(again), without_its_name(run))

    def test_which_groups_there_are_has_to_be_said(self):
        run = rta("convert", "-", "--to", "callback-isolated", stdin=self.SET)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("give --thread-config FILE", run.stderr)
        run = rta("convert", "-", "--thread-config", self.groups, "--to", "callback-isolated", stdin=self.SET)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("no thread configuration: pool 'robot' has 2 processors", run.stderr)


class NotAsItIsSaid(unittest.TestCase):
    def test_time_off_a_processor_counts_where_switches_were_lost(self):
        whole = one_timer(6, lambda start: [(start + 1, switch(100, 7)), (start + 6, switch(7, 100))])
        run = rta("convert", "-", stdin=whole)
        self.assertIn("C: 15 ms", run.stdout, run.stderr)
        lost = one_timer(6, lambda start: [(start + 1, switch(100, 7))])  # when it was back is not in the trace
        run = rta("convert", "-", stdin=lost)
        self.assertIn("C: 20 ms", run.stdout, run.stderr)
        self.assertIn("WITH WHAT PREEMPTED IT: 6 events are of threads that sched_switch has off their processors", run.stderr)

    def test_jobs_that_were_longer_are_explained_by_what_the_trace_shows_of_them(self):
        run = rta("convert", "-", stdin=one_timer(6, lambda start: [(start + 1, switch(100, 7)), (start + 6, switch(7, 100))]))
        self.assertIn("DAG 'n.timer': a job of the recording took 5 ms longer than here: a callback of it was preempted there for up to 5 ms, which is no part of its C\n", run.stderr)
        # 5 + 2 + 3 ms, and 2 ms between them.
        run = rta("convert", "-", stdin=sensor())
        self.assertIn("DAG 'sensor.timer': a job of the recording took 2 ms longer than here: messages took 3 ms to 5 ms there from publication to callback", run.stderr)
        self.assertNotIn("preempted there", run.stderr)

    def test_a_timer_that_runs_more_often_than_its_period_has_the_distance_that_was_seen(self):
        run = rta("convert", "-", stdin=one_timer(6, lambda start: [], period_ms=500))
        self.assertIn("T: 100 ms", run.stdout, run.stderr)
        self.assertIn("ITS TIMER RUNS MORE OFTEN THAN ITS PERIOD SAYS", run.stderr)
        kept = rta("convert", "-", stdin=one_timer(6, lambda start: []))
        self.assertIn("T: 100 ms", kept.stdout)
        self.assertNotIn("MORE OFTEN", kept.stderr)
        self.assertIn("T: 50 ms", rta("convert", "-", "--period", "50ms", stdin=one_timer(6, lambda start: [], period_ms=500)).stdout)

    def test_callbacks_that_never_end_are_refused(self):
        trace = "".join(line for line in one_timer(6, lambda start: []).splitlines(True) if "callback_end" not in line)
        run = rta("convert", "-", stdin=trace)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("began 6 times and never ended in the trace", run.stderr)

    def test_what_helps_leaves_groups_whole(self):
        text = ("platform: {p: {processors: 3}}\nexecutors: {a: {on: p, kind: multi-threaded}}\ntasks:\n"
                "  - {name: t, T: 4 ms, executor: a, C: 3 ms, group: g}\n  - {name: u, T: 4 ms, executor: a, C: 3 ms, group: g}\n")
        run = rta("analyze", "-", stdin=text)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertNotIn("and a pool", run.stdout)


def sensor(stamped=False, version=None):
    """A timer of 100 ms publishes /scan and /tf, which /filter (2 ms) and /mapper (3 ms) take 6 and 9 ms after its start; 6 jobs on one thread."""
    def event(ms, name, **fields):
        shown = ", ".join(f"{key} = {json.dumps(value) if isinstance(value, str) else hex(value)}" for key, value in fields.items())
        lines.append(f"[10:00:{ms // 1000:02}.{ms % 1000:03}000000] (+0.000001000) robot ros2:{name}: {THREAD}, {{ {shown} }}\n")

    lines = []
    if version:
        event(0, "rcl_init", context_handle=1, version=version)
    for handle, name in ((0x10, "sensor"), (0x20, "filter"), (0x30, "mapper")):
        event(0, "rcl_node_init", node_handle=handle, rmw_handle=1, node_name=name, namespace="/")
    for handle, topic in ((0x11, "/scan"), (0x12, "/tf"), (0x13, "/rosout")):
        event(0, "rcl_publisher_init", publisher_handle=handle, node_handle=0x10, rmw_publisher_handle=2, topic_name=topic, queue_depth=10)
    event(0, "rcl_timer_init", timer_handle=0xA0, period=100_000_000)
    event(0, "rclcpp_timer_callback_added", timer_handle=0xA0, callback=0xA1)
    event(0, "rclcpp_timer_link_node", timer_handle=0xA0, node_handle=0x10)
    for handle, node, topic in ((0xB0, 0x20, "/scan"), (0xC0, 0x30, "/tf")):
        event(0, "rcl_subscription_init", subscription_handle=handle, node_handle=node, rmw_subscription_handle=3, topic_name=topic, queue_depth=10)
        event(0, "rclcpp_subscription_init", subscription_handle=handle, subscription=handle + 2)
        event(0, "rclcpp_subscription_callback_added", subscription=handle + 2, callback=handle + 1)
    for at in range(1, 600, 100):
        event(at, "callback_start", callback=0xA1, is_intra_process=0)
        for later, publisher in ((3, 0x11), (4, 0x12)):
            event(at + later, "rcl_publish", publisher_handle=publisher, message=0x7F)
            if stamped:
                event(at + later, "rmw_publish", rmw_publisher_handle=2, message=0x7F, timestamp=(at + later) * 1_000_000)
        event(at + 5, "callback_end", callback=0xA1)
        for start, length, callback, published in ((6, 2, 0xB1, 3), (9, 3, 0xC1, 4)):
            if stamped:
                event(at + start, "rmw_take", rmw_subscription_handle=3, message=8, source_timestamp=(at + published) * 1_000_000, taken=1)
            event(at + start, "callback_start", callback=callback, is_intra_process=0)
            event(at + start + length, "callback_end", callback=callback)
    return "".join(lines)


class TopicsLeftOut(unittest.TestCase):
    def test_messages_are_no_edges_and_what_takes_them_is_a_dag(self):
        for stamped in (False, True):
            with self.subTest(stamped=stamped):
                whole = rta("convert", "-", stdin=sensor(stamped))
                self.assertIn("- sensor.timer -> mapper.tf", whole.stdout, whole.stderr)
                self.assertIn("# - DAG 'sensor.timer': a job took 12 ms at most", whole.stdout)
                run = rta("convert", "-", "--leave-out-topic", "/t?", stdin=sensor(stamped))
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual(run.stdout[run.stdout.index("dags:"):], """dags:
  - name: sensor.timer
    T: 100 ms
    nodes:
      sensor.timer: {on: p, C: 5 ms}
      filter.scan: {on: p, C: 2 ms}
    edges:
      - sensor.timer -> filter.scan
tasks:
  - {name: mapper.tf, T: 100 ms, on: p, C: 3 ms}
""")
                # From its start to the end of the filter.
                self.assertIn("# - DAG 'sensor.timer': a job took 8 ms at most", run.stdout)
                self.assertIn("assumed: topic '/tf' IS LEFT OUT (--leave-out-topic): messages of 1 callback on it are no edges, and what takes "
                              "them is a DAG of its own, with the least distance of its starts as T: 'mapper.tf' (6 jobs)\n", run.stderr)
                self.assertNotIn("released by no callback", run.stderr)

    def test_several_may_be_named_and_a_topic_that_nobody_takes_is_said(self):
        run = rta("convert", "-", "--leave-out-topic", "/rosout", "--leave-out-topic", "/scan", "--leave-out-topic", "/tf", stdin=sensor())
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("topic '/rosout' IS LEFT OUT (--leave-out-topic): no callback that counts takes its messages", run.stderr)
        self.assertNotIn("edges:", run.stdout)
        self.assertEqual(re.findall(r"name: ([^ ,]+)", run.stdout), ["sensor.timer", "filter.scan", "mapper.tf"])

    def test_a_topic_that_is_not_there_is_refused_with_those_that_are(self):
        for name in ("/odom", "tf", "/scan/*", ""):
            run = rta("convert", "-", "--leave-out-topic", "/tf", "--leave-out-topic", name, stdin=sensor())
            self.assertEqual((run.returncode, run.stdout), (2, ""), name)
            self.assertEqual(run.stderr, f"<stdin>: --leave-out-topic {name}: no topic is called so (there are: /rosout, /scan, /tf)\n")

    def test_no_callback_of_random_robots_is_lost(self):
        seen = 0
        for seed in range(8):
            text = "".join(Robot(seed).printed)
            plain, run = rta("convert", "-", stdin=text), rta("convert", "-", "--leave-out-topic", "*", stdin=text)
            if "no topic is called so" in run.stderr:
                continue
            self.assertEqual(run.returncode, 0, run.stderr)
            dags = [json.loads(rta("analyze", "-", "--format", "json", stdin=each.stdout).stdout)["dags"] for each in (plain, run)]
            self.assertTrue(all(len(dag["nodes"]) == 1 for dag in dags[1]))
            callbacks = [{re.sub(r"-\d+$", "", node["name"]) for dag in each for node in dag["nodes"]} for each in dags]
            self.assertEqual(*callbacks)
            self.assertEqual(len(dags[1]), len(callbacks[1]))
            seen += len(dags[0]) < len(dags[1])
        self.assertGreater(seen, 3)


class ExecutorsChosen(unittest.TestCase):
    def pool(self, *options, **trace):
        run = rta("convert", "-", *options, stdin=sensor(**trace))
        self.assertEqual(run.returncode, 0, run.stderr)
        return re.search(r"^  p: \{(.*)\}$", run.stdout, re.MULTILINE)[1], run

    def test_each_kind_is_the_pool_of_its_rule(self):
        plain, run = self.pool()
        self.assertIn("executor 'p' is taken for a SingleThreadedExecutor", run.stderr)
        for kind, type_, expected in (
            ("single-threaded", "single_threaded_executor", plain),
            ("single-threaded:1", "single_threaded_executor", plain),
            ("events", "events_executor", "processors: 1, scheduler: FIFO, callbacks: true"),
            ("static", "static_single_threaded_executor", "processors: 1, scheduler: FP, preemptive: false, equals: any, callbacks: true"),
            ("multi-threaded", "multi_threaded_executor", "processors: 1, scheduler: multi-threaded, preemptive: false"),
            ("multi-threaded:3", "multi_threaded_executor", "processors: 3, scheduler: multi-threaded, preemptive: false"),
        ):
            with self.subTest(kind):
                pool, run = self.pool("--executor", f"p={kind}")
                self.assertEqual(pool, expected)
                self.assertIn(f"executor 'p' is a {type_} (--executor): OF ANOTHER TYPE THE BOUNDS DO NOT HOLD", run.stderr)
                self.assertNotIn("is taken for a", run.stderr)

    def test_a_static_executor_of_jazzy_picks_by_kind(self):
        _, run = self.pool("--executor", "p=static", version="9.2.3")
        self.assertRegex(run.stdout, r"sensor\.timer: \{on: p, C: 5 ms, priority: 4\}")
        self.assertRegex(run.stdout, r"filter\.scan: \{on: p, C: 2 ms, priority: 5\}")
        _, humble = self.pool("--executor", "p=static", version="5.3.1")
        self.assertIn("looks at timers once more", humble.stderr)

    def test_what_the_trace_says_is_not_contradicted(self):
        sample = "end_to_end_samp"
        for options, says in (
            (("--executor", f"{sample}=events"), f"--executor: '{sample}' is a multi_threaded_executor in the trace, no events_executor"),
            (("--executor", f"{sample}=multi-threaded:5"), f"--executor: '{sample}' ran callbacks on 12 threads, so that it has no fewer"),
            (("--executor", f"{sample}=multi-threaded:13", "--processors", "14"), f"--executor: '{sample}' has 13 threads by it, and 14 by --processors"),
            (("--executor", "nobody=events"), f"--executor nobody: no executor is called so (there are: {sample})"),
        ):
            run = rta("convert", TEXT, *options)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (2, "", f"{TEXT}: {says}\n"))
        self.assertIn(f"  {sample}: {{processors: 16, scheduler: multi-threaded", rta("convert", TEXT, "--executor", f"{sample}=multi-threaded:16").stdout)
        # The last job of /mapper runs on another thread.
        lines = sensor().splitlines(True)
        elsewhere = "".join(lines[:-2]) + "".join(line.replace("vtid = 100", "vtid = 101") for line in lines[-2:])
        for kind in ("single-threaded", "static", "events"):
            run = rta("convert", "-", "--executor", f"p={kind}", stdin=elsewhere)
            self.assertEqual(run.returncode, 2)
            self.assertIn("--executor: 'p' ran callbacks on 2 threads, so that it has no fewer and is multi-threaded", run.stderr)

    def test_what_is_no_executor_is_refused(self):
        for text, says in (
            ("p", "--executor 'p': must be NAME=KIND, or NAME=multi-threaded:THREADS"),
            ("=events", "--executor '=events': must be NAME=KIND"),
            ("p=prioritised", "--executor 'prioritised': no such value (allowed: single-threaded, static, events, multi-threaded)"),
            ("p=events:2", "--executor 'p=events:2': that kind has one thread"),
            ("p=multi-threaded:0", "--executor 'p=multi-threaded:0': THREADS must be within 1 .. 1000000"),
            ("p=multi-threaded:x", "THREADS must be within 1 .. 1000000"),
        ):
            run = rta("convert", "-", "--executor", text, stdin=sensor())
            self.assertEqual((run.returncode, run.stdout), (2, ""), text)
            self.assertIn(says, run.stderr)
        run = rta("convert", "-", "--executor", "p=events", "--executor", "p=static", stdin=sensor())
        self.assertEqual(run.returncode, 2)
        self.assertIn("--executor 'p=static': given twice for p", run.stderr)


class Folder(unittest.TestCase):
    """A program called babeltrace2 in PATH prints the folder."""

    def printing(self, folder, script):
        program = pathlib.Path(folder, "bin", "babeltrace2")
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return os.environ | {"PATH": f"{program.parent}:/usr/bin:/bin"}

    @unittest.skipUnless(shutil.which("babeltrace2"), "babeltrace2 is not installed")
    def test_a_folder_of_lttng_is_what_its_text_is(self):
        text, folder = rta("convert", TEXT), rta("convert", SAMPLE)
        self.assertEqual((text.returncode, folder.returncode), (0, 0), folder.stderr)
        self.assertEqual(without_its_name(text), without_its_name(folder))

    @unittest.skipUnless(shutil.which("babeltrace2"), "babeltrace2 is not installed")
    def test_a_damaged_folder_is_refused_by_what_babeltrace2_says(self):
        for damage in ("cut", "overwritten", "metadata"):
            with self.subTest(damage), tempfile.TemporaryDirectory() as folder:
                copy = pathlib.Path(folder, "trace")
                shutil.copytree(SAMPLE, copy)
                streams = copy / "ust/uid/1000/64-bit"
                content = bytearray((streams / "ros2_1").read_bytes())
                if damage == "metadata":
                    (streams / "metadata").write_bytes((streams / "metadata").read_bytes()[:5000])
                elif damage == "cut":
                    (streams / "ros2_1").write_bytes(content[:3000])
                else:
                    content[1000:1200] = bytes(range(200))
                    (streams / "ros2_1").write_bytes(content)
                run = rta("convert", copy)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertRegex(run.stderr, rf"^{copy}: babeltrace2 cannot read all of it: |^{copy}/\S+/metadata: the metadata of the trace are damaged or cut off")
                self.assertEqual(run.stderr.count("\n"), 1, run.stderr)

    def test_without_babeltrace2_it_is_said_how_to_get_it(self):
        with tempfile.TemporaryDirectory() as folder:
            run = rta("convert", SAMPLE, env=os.environ | {"PATH": folder})
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("babeltrace2 prints, and that is not installed here: install it (apt install babeltrace2)", run.stderr)

    def test_what_babeltrace2_says_is_a_warning_and_where_it_fails_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = self.printing(folder, f"gzip -dc {TEXT}; echo 'WARNING: Tracer discarded 5 events between a and b' >&2")
            run = rta("convert", SAMPLE, env=environment)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("warning: " + str(SAMPLE) + ": babeltrace2: WARNING: Tracer discarded 5 events", run.stderr)
        with tempfile.TemporaryDirectory() as folder:
            run = rta("convert", SAMPLE, env=self.printing(folder, "echo 'ERROR:    [here]' >&2; exit 3"))
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertEqual(run.stderr, f"{SAMPLE}: babeltrace2 cannot read all of it: it ended with exit status 3\n")

    def test_another_kind_and_other_folders_are_refused(self):
        run = rta("convert", SAMPLE, "--from", "sched")
        self.assertEqual(run.returncode, 2)
        self.assertIn("a folder in CTF is a trace of ROS 2, and not a trace of Linux's scheduler", run.stderr)
        self.assertIn("rta convert FOLDER reads the whole folder of a trace of ROS 2", rta("convert", SAMPLE / "ust/uid/1000/64-bit/metadata").stderr)


class Robots(unittest.TestCase):
    """Random robots: what their traces are converted to has bounds above what they did."""

    def test_no_response_time_is_above_its_bound(self):
        bounded = 0
        for seed in range(12):
            robot = Robot(seed)
            converted = rta("convert", "-", stdin="".join(robot.printed))
            self.assertEqual(converted.returncode, 0, converted.stderr)
            result = rta("analyze", "-", "--release", "completion", "--format", "json", stdin=converted.stdout)
            self.assertIn(result.returncode, (0, 1), result.stderr)
            for dag in json.loads(result.stdout)["dags"]:
                with self.subTest(seed=seed, dag=dag["name"]):
                    self.assertIn(dag["name"], robot.longest)
                    if dag["response_bound_ns"] is not None:
                        bounded += 1
                        self.assertGreaterEqual(dag["response_bound_ns"], robot.longest[dag["name"]])
        self.assertGreater(bounded, 12)


class Sample(unittest.TestCase):
    """From five seconds of six nodes to bounds."""

    def test_bounds_are_above_what_was_recorded(self):
        converted = rta("convert", TEXT, "--quiet")
        self.assertEqual(converted.returncode, 0, converted.stderr)
        # With the groups as they are, one of them takes nine tenths of a thread.
        groups = rta("analyze", "-", stdin=converted.stdout)
        self.assertEqual(groups.returncode, 1)
        self.assertIn("group 'timer_driven_node' counts in full, which takes 90.3 % of one of its 12 threads", groups.stdout)
        result = json.loads(rta("analyze", "-", "--format", "json", stdin=re.sub("group: [a-z_]+", "group: reentrant", converted.stdout)).stdout)
        recorded = {name: float(ms) for name, ms in re.findall(r"^# - DAG '(\S+)': a job took ([\d.]+) ms", converted.stdout, re.MULTILINE)}
        self.assertEqual(len(recorded), 3)
        for dag in result["dags"]:
            self.assertGreaterEqual(dag["response_bound_ns"], recorded[dag["name"]] * 1e6, dag["name"])

    def test_other_commands_say_what_it_is(self):
        text = gzip.decompress(TEXT.read_bytes()).decode()
        self.assertIn("this is a trace of ROS 2, no task set: rta convert makes a task set of it", rta("analyze", "-", stdin=text).stderr)

    def test_paths_of_caret_are_chains(self):
        converted = rta("convert", TEXT, "--architecture", ARCHITECTURE)
        self.assertEqual(converted.returncode, 0, converted.stderr)
        stages = re.findall(r"(\w+\.\w+/\w+\.\w+)", converted.stdout[converted.stdout.index("chains:"):])
        self.assertEqual(stages, [
            "sensor_dummy_node.timer/sensor_dummy_node.timer", "sensor_dummy_node.timer/filter_node.topic1",
            "sensor_dummy_node.timer/message_driven_node.topic2", "drive_node.timer/message_driven_node.drive",
            "drive_node.timer/timer_driven_node.topic3", "timer_driven_node.timer/timer_driven_node.timer",
            "timer_driven_node.timer/actuator_dummy_node.topic4"])
        self.assertIn("the paths alone are read", converted.stderr)

    def test_a_wrong_architecture_is_refused_with_its_place(self):
        for text, says in (
            ("nodes: []\n", "'named_paths' is missing"),
            ("named_paths: 3\n", "named_paths: a list is expected, not a plain value"),
            ("named_paths:\n- path_name: a\n", "'node_chain' is missing"),
            ("named_paths:\n- path_name: a\n  node_chain: []\n", ":2:3: node_chain: a path has one node at least"),
            ("named_paths:\n- path_name: a\n  node_chain:\n  - node_name: /a\n", "'subscribe_topic_name' is missing"),
            ("platform: {cpu: {processors: 1}}\n", "this is a task set, no architecture of CARET"),
        ):
            with self.subTest(text), tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                file.write(text)
                file.flush()
                run = rta("convert", TEXT, "--architecture", file.name)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(says, run.stderr)
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write("named_paths:\n- path_name: lost\n  node_chain:\n  - {node_name: /nobody, subscribe_topic_name: /topic1, publish_topic_name: UNDEFINED}\n")
            file.flush()
            run = rta("convert", TEXT, "--architecture", file.name)
            self.assertEqual(run.returncode, 0)
            self.assertIn("path 'lost' is left out: /nobody took nothing from /topic1", run.stderr)


if __name__ == "__main__":
    unittest.main()
